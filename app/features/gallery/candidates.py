"""The gallery's maps: each is a row of a batch, and how to roll it again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from app.scripts.script import script_of_roll, setup_of_roll
from randomizer.batches.map_stream import MapStream
from randomizer.generator import DrawKey
from randomizer.model.map.layer import Roll
from randomizer.model.problems import Problem, ProblemError
from randomizer.processes.pool import roll_pool

if TYPE_CHECKING:
    from randomizer.batches.batch import Batch, Measure
    from randomizer.generator import MapGenerator
    from randomizer.roll_base import Base


@dataclass(frozen=True, eq=False)
class Candidate:
    """One map of the gallery: the roll that gives it again, and row ``row`` of ``batch``.

    ``digest`` is of all that the map shows: candidates that look the same have the same. ``values``
    are those of measures, by the measure's name. A map that could not be made has ``problems``, the
    batch of the empty base, and no digest.
    """

    roll: Roll
    batch: Batch
    row: int
    digest: str
    values: dict[str, float] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    @property
    def key(self) -> DrawKey:
        """Its seed and number."""
        return DrawKey(self.roll.seed, self.roll.number)

    @property
    def name(self) -> str:
        """Its name for people: script, seed, number."""
        return self.roll.title


def same_roll(first: Roll, second: Roll) -> bool:
    """Return whether two rolls onto the same ground make the same map."""

    def setup(roll: Roll) -> tuple[object, ...]:
        script = script_of_roll(roll)
        return roll.script_name, script.text, script.texts, script.settings

    return first is second or (
        (first.seed, first.number) == (second.seed, second.number) and setup(first) == setup(second)
    )


def candidates(
    generator: MapGenerator, settings: Mapping[str, object], batch: Batch
) -> list[Candidate]:
    """Return the maps of a batch that did not fail, and the one that failed with problems."""
    if batch.problems:
        roll = _roll_of(generator, settings, DrawKey(batch.seed, int(batch.numbers[0])))
        return [Candidate(roll, batch, 0, "", problems=batch.problems)]
    result = []
    for row in np.flatnonzero(~batch.failed).tolist():
        roll = _roll_of(generator, settings, DrawKey(batch.seed, int(batch.numbers[row])))
        result.append(Candidate(roll, batch, row, _digest(batch, row)))
    return result


def _digest(batch: Batch, row: int) -> str:
    """Return the digest of all that one map of a batch shows."""
    grid = batch.base.grid
    shape = repr((grid.layout.name, grid.width, grid.height)).encode()
    brought = repr((batch.base.terrain_set, sorted(batch.records.items()))).encode()
    planes = [batch.terrain[row], batch.elevation[row]]
    planes += [] if batch.hexside is None else [batch.hexside[row]]
    planes += [plane[row] for plane in batch.others.values()]
    shown_bytes = b"".join([shape, brought, *(plane.tobytes() for plane in planes)])
    return hashlib.blake2b(shown_bytes, digest_size=16).hexdigest()


def as_seen(candidate: Candidate, base: Base) -> Candidate:
    """Return a map that was rolled by itself with what lies above the roll in ``base``, maps.

    It is the candidate itself if nothing lies there.
    """
    batch = candidate.batch.as_seen(base)
    if candidate.problems or batch is candidate.batch:
        return candidate
    return replace(candidate, batch=batch, digest=_digest(batch, candidate.row), values={})


def _roll_of(generator: MapGenerator, settings: Mapping[str, object], key: DrawKey) -> Roll:
    return Roll(
        generator.name,
        generator.metadata.script,
        generator.text,
        settings,
        key.seed,
        key.number,
        texts=generator.texts,
    )


def measure_all(measure: Measure | None, maps: Sequence[Candidate]) -> None:
    """Add the value of a measure to these maps, where it is not known; None: no measure."""
    if measure is None:
        return
    # A measure takes a whole batch at once, which has the maps of many candidates.
    values_of_batches: dict[int, Any] = {}
    for candidate in maps:
        if measure.name in candidate.values or candidate.problems:
            continue
        batch_id = id(candidate.batch)
        if batch_id not in values_of_batches:
            values_of_batches[batch_id] = measure.of(candidate.batch)
        candidate.values[measure.name] = float(values_of_batches[batch_id][candidate.row])


def roll_pins(
    pins: Sequence[Roll], base: Base, earlier: Sequence[Candidate], cancelled: Callable[[], bool]
) -> list[Candidate]:
    """Return the pinned maps as they are on this base, without those that cannot be rolled onto it.

    They are without what lies above them. ``earlier`` were rolled onto it before.
    """
    result: list[Candidate] = []
    for pin in pins:
        rolled_before = [candidate for candidate in earlier if same_roll(candidate.roll, pin)]
        if rolled_before:
            result.append(rolled_before[0])
            continue
        try:
            generator, settings = setup_of_roll(pin).generator_for(base)
            stream = MapStream(
                generator, settings, base, pin.seed, cancelled, rolls=roll_pool().rolls
            )
            batches = [*stream.blocks(range(pin.number, pin.number + 1))]
        except ProblemError:
            continue  # it is of another kind of map, or its script cannot be rolled any more
        for batch in batches:
            result += candidates(generator, settings, batch)
    return result


def own_measure(measure: Measure | None, generator: MapGenerator, base: Base) -> Measure | None:
    """Return the generator's measure with the name of ``measure``; None if there is none.

    ``measure`` may have been chosen for the maps of another generator.
    """
    from randomizer.batches.counts import measures_of

    if measure is None:
        return None
    for offered_measure in measures_of(generator, base.terrain_set):
        if offered_measure.name == measure.name:
            return offered_measure
    return None
