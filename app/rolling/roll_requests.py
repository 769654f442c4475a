"""What is to be rolled, and the rolling itself: plain functions for a job's thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import RollsMany
from randomizer.forcing import force
from randomizer.generator import Base, DrawKey, Generated, MapGenerator, Progress, run
from randomizer.model.problems import error


@dataclass(frozen=True)
class Wish:
    """What is to be rolled. ``generator`` is called on the job's thread and may raise ProblemError.

    ``text`` is the script as shown. ``alone``: what was rolled before goes, since a roll on top of
    it would take it for a part of the ground.
    """

    text: str
    generator: Callable[[], MapGenerator]
    settings: Mapping[str, object]
    alone: bool = False


class StandIn(Protocol):
    """Who rolls the maps that no script rolls."""

    def wish(self) -> Wish | None:
        """What a roll of the map in front would roll now; None where scripts roll."""

    def why_not(self) -> str:
        """Why it cannot be rolled now, in words; "" if it can."""


@dataclass(frozen=True)
class Order:
    """A wish with everything decided. ``layer_id`` is replaced, or lies just below (``replaces``).

    ``verb`` begins the name of the undo step. ``back`` asks for the last map before this one that
    keeps the locks, if map ``key`` does not. ``forced``: what is locked is put back on map ``key``.
    """

    wish: Wish
    key: DrawKey
    layer_id: int
    replaces: bool
    base: Base
    verb: str
    back: DrawKey | None = None
    forced: bool = False


def made(order: Order, progress: Progress, cancelled: Callable[[], bool]) -> Generated | None:
    """Do what an order says; None if it was cancelled. Raises ProblemError as generators do."""
    generator = order.wish.generator()
    settings, key, base, back = order.wish.settings, order.key, order.base, order.back
    if order.forced:
        return force(generator, settings, key, base, progress, cancelled)
    # Of another seed, which was shown before, the nearest map that keeps the locks will do.
    backwards = base.locked and back is not None and key.seed == back.seed
    if backwards and isinstance(generator, RollsMany):
        one = np.array([key.number], np.uint64)
        if not _that_keep(generator, settings, key.seed, one, base).size:
            assert back is not None, "asked above"
            number = last_before(generator, settings, back, base, cancelled)
            if number is None:
                return None
            key = key._replace(number=number)
    return run(generator, settings, key, base, progress, cancelled)


FIRST_BLOCK, LARGEST_BLOCK = 64, 16_384


def last_before(
    generator: RollsMany,
    settings: Mapping[str, object],
    key: DrawKey,
    base: Base,
    cancelled: Callable[[], bool] = lambda: False,
) -> int | None:
    """The number of the last map of the seed before ``key`` that keeps the locks.

    None if cancelled. Raises ProblemError if there is none.
    """
    end, block = key.number, FIRST_BLOCK
    while end > 0:
        if cancelled():
            return None
        numbers = np.arange(max(0, end - block), end, dtype=np.uint64)
        kept = _that_keep(generator, settings, key.seed, numbers, base)
        if kept.size:
            return int(kept[-1])
        end, block = int(numbers[0]), min(block * 4, LARGEST_BLOCK)
    raise error(
        "no-earlier-map", f"no map of seed {key.seed} before number {key.number} keeps the locks"
    )


def _that_keep(
    generator: RollsMany,
    settings: Mapping[str, object],
    seed: int,
    numbers: NDArray[np.uint64],
    base: Base,
) -> NDArray[np.uint64]:
    """Those of the numbers whose maps keep the locks."""
    sides = bool(base.locked_sides.any())
    batch = generator.roll_batch(settings, seed, numbers, base, hexsides=sides)
    return numbers[batch.keeps_locks()]
