"""The whole maps of candidates: the current map as it would be with each of their rolls.

A candidate is known by its roll alone (script, settings, seed, number). Its map is rolled again::

    roll_on = RollTarget(destination, base, keeps_locks=False)
    maps = await candidate_maps(candidates, roll_on, battlemap)     # one for each candidate
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from app.background.actions import result
from app.background.jobs import Job
from app.scripts.script import setup_of_roll
from randomizer.batches.batch_generator import rolls_many
from randomizer.generator_run import run
from randomizer.model.rolls.put_roll import new_map

if TYPE_CHECKING:
    from app.features.gallery.candidates import Candidate
    from app.rolling.destination import LayerDestination
    from randomizer.generator_run import Progress
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.rolls.generated import Generated
    from randomizer.roll_base import Base


class RollTarget(NamedTuple):
    """The place of the rolls in the map."""

    destination: LayerDestination
    """The layer of the map that a roll replaces, or above which it goes."""

    base: Base
    """The map below that layer."""

    keeps_locks: bool
    """True if each of the script's maps keeps the locks of the base."""


async def candidate_maps(
    candidates: Sequence[Candidate], target: RollTarget, battlemap: BattleMap
) -> Sequence[BattleMap]:
    """Return for each candidate the current map as it would be with its roll.

    A job rolls them onto copies of ``battlemap``. Raises ProblemError if one cannot be rolled, and
    Stopped if the job is cancelled.
    """
    snapshots = [battlemap.snapshot() for _candidate in candidates]
    maps: Sequence[BattleMap] = await result(Job(partial(_roll_all, target, candidates, snapshots)))
    return maps


def _roll_all(
    target: RollTarget,
    candidates: Sequence[Candidate],
    snapshots: Sequence[BattleMap],
    progress: Progress,
    cancelled: Callable[[], bool],
) -> list[BattleMap]:
    """Return the map of each candidate: the work of a job.

    ``snapshots`` has a copy of the current map for each candidate, which may be changed. After a
    cancellation maps are missing; nobody gets them then.
    """
    maps = []
    for candidate, snapshot in zip(candidates, snapshots, strict=True):
        generated = _roll(target, candidate, progress, cancelled)
        if generated is None:
            break
        if target.destination.fits(snapshot, generated):
            target.destination.step(snapshot, generated).edit.apply(snapshot)
            maps.append(snapshot)
        else:
            maps.append(_new_map_of(generated, snapshot))
    return maps


def _roll(
    target: RollTarget, candidate: Candidate, progress: Progress, cancelled: Callable[[], bool]
) -> Generated | None:
    """Return the roll of a candidate, None if it was cancelled. Raises ProblemError."""
    setup = setup_of_roll(candidate.roll)
    generator = setup.make_generator()
    base = target.base
    if rolls_many(generator) and not target.keeps_locks:
        # For such a script locks only decide which numbers are shown, and this number is chosen
        # already. A map that was pinned may break the locks that were set since.
        base = base.unlocked()
    return run(generator, setup.settings, candidate.key, base, progress, cancelled)


def _new_map_of(generated: Generated, like: BattleMap) -> BattleMap:
    """Return a new map of a roll that does not fit the map ``like``, of the same kind as that."""
    return new_map(like.system, like.grid, like.terrain_set, generated, like.assets)
