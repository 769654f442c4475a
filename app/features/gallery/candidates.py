"""The maps that the gallery shows, its *candidates*: one of them may become the map on the desk.

Maps are rolled many at once. A ``Batch`` holds their values as arrays, with one row for each map;
``candidates_of`` makes a ``Candidate`` of each row. ``measure_all`` adds the values by which the
gallery sorts, and ``roll_pins`` rolls the maps that the user has pinned onto another base. All of
this is called by jobs on other threads.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.scripts.script import script_of_roll, setup_of_roll
from randomizer.batches.map_stream import MapStream
from randomizer.model.map.layer import Roll
from randomizer.model.problems import Problem, ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.processes.pool import roll_pool

if TYPE_CHECKING:
    from randomizer.batches.batch import Batch, Measure
    from randomizer.generator import MapGenerator
    from randomizer.roll_base import Base


_DIGEST_BYTES = 16
"""The length of a digest: no two different maps are expected to share one of 128 bits."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A map of the gallery, or the problems for which it could not be made."""

    roll: Roll
    """The script, the settings and the key with which the map is rolled again."""

    batch: Batch
    """The batch that holds the values of the map; that of the empty base for a failed map."""

    row: int
    """The row of the map in the arrays of ``batch``."""

    digest: str
    """A hash of all that the map shows: equal for maps that look the same; "" for a failed map."""

    values: dict[str, float] = field(default_factory=dict)
    """The values of measures by the measure's name, as far as ``measure_all`` has added them.

    It is the only thing here that changes.
    """

    problems: tuple[Problem, ...] = ()
    """The reasons why the map could not be made; () for a map that was made."""

    @property
    def key(self) -> DrawKey:
        """The seed and the number of the map."""
        return DrawKey(self.roll.seed, self.roll.number)

    @property
    def name(self) -> str:
        """The name of the map for people: script, seed, number."""
        return self.roll.title


def same_roll(first: Roll, second: Roll) -> bool:
    """Return whether two rolls make the same map when they are rolled onto the same base."""
    if first is second:
        return True
    # The key is compared first: to read the script of a roll takes longer.
    same_key = (first.seed, first.number) == (second.seed, second.number)
    return same_key and _setup_of(first) == _setup_of(second)


def _setup_of(roll: Roll) -> tuple[object, ...]:
    """Return all that a roll depends on besides its base, seed and number, to be compared."""
    script = script_of_roll(roll)
    return roll.script_name, script.text, script.texts, script.settings


def candidates_of(
    generator: MapGenerator, settings: Mapping[str, object], batch: Batch
) -> list[Candidate]:
    """Return the maps of a batch as candidates, without those that the generator could not make.

    A batch with problems holds a single map that could not be made: its candidate tells why.
    """
    if batch.problems:
        roll = _roll_of(generator, settings, DrawKey(batch.seed, int(batch.numbers[0])))
        return [Candidate(roll, batch, row=0, digest="", problems=batch.problems)]
    result = []
    for row in np.flatnonzero(~batch.failed).tolist():
        roll = _roll_of(generator, settings, DrawKey(batch.seed, int(batch.numbers[row])))
        result.append(Candidate(roll, batch, row, _digest(batch, row)))
    return result


def _digest(batch: Batch, row: int) -> str:
    """Return the digest of all that one map of a batch shows, as hexadecimal digits."""
    grid = batch.base.grid
    shape = repr((grid.layout.name, grid.width, grid.height))
    # Two maps with equal planes look different if their terrains do, or the records (such as
    # labels) that the roll has made.
    looks_and_records = repr((batch.base.terrain_set, sorted(batch.records.items())))
    planes = [batch.terrain[row], batch.elevation[row]]
    if batch.hexside is not None:
        planes.append(batch.hexside[row])
    planes += [plane[row] for plane in batch.others.values()]

    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    digest.update(shape.encode())
    digest.update(looks_and_records.encode())
    for plane in planes:
        digest.update(plane.tobytes())
    return digest.hexdigest()


def as_seen(candidate: Candidate, base: Base) -> Candidate:
    """Return a candidate with the layers that lie above the roll in ``base`` put over its map.

    It is the candidate itself if there are no such layers, or if it has no map. A new one has no
    values of measures yet, since its map looks different.
    """
    batch = candidate.batch.as_seen(base)
    if candidate.problems or batch is candidate.batch:
        return candidate
    return replace(candidate, batch=batch, digest=_digest(batch, candidate.row), values={})


def _roll_of(generator: MapGenerator, settings: Mapping[str, object], key: DrawKey) -> Roll:
    """Return the roll that makes the map with this seed and number again."""
    return Roll(
        generator=generator.name,
        script_name=generator.metadata.script,
        script=generator.text,
        settings=settings,
        seed=key.seed,
        number=key.number,
        texts=generator.texts,
    )


def measure_all(measure: Measure | None, maps: Sequence[Candidate]) -> None:
    """Add the value of a measure to ``values`` of each of these candidates, where it is missing.

    Failed maps have no value. Without a measure nothing is added.
    """
    if measure is None:
        return
    # A measure takes a whole batch at once, and many candidates share one batch: each batch is
    # measured once. (Batches are compared by identity.)
    values_of_batches: dict[Batch, NDArray[np.float64]] = {}
    for candidate in maps:
        if measure.name in candidate.values or candidate.problems:
            continue
        batch = candidate.batch
        if batch not in values_of_batches:
            values_of_batches[batch] = measure.of(batch)
        candidate.values[measure.name] = float(values_of_batches[batch][candidate.row])


def roll_pins(
    pins: Sequence[Roll],
    base: Base,
    earlier_candidates: Sequence[Candidate],
    cancelled: Callable[[], bool],
) -> list[Candidate]:
    """Return the pinned maps, rolled onto ``base``, without the layers above the roll.

    ``earlier_candidates`` are pinned maps that were rolled onto this base before: they are used
    again. A pin of another kind of map, or with a script that cannot be rolled any more, is left
    out.
    """
    result: list[Candidate] = []
    for pin in pins:
        rolled_before = next(
            (candidate for candidate in earlier_candidates if same_roll(candidate.roll, pin)), None
        )
        if rolled_before is not None:
            result.append(rolled_before)
            continue
        numbers = range(pin.number, pin.number + 1)  # a stream of a single map
        try:
            generator, settings = setup_of_roll(pin).generator_for(base)
            stream = MapStream(
                generator, settings, base, pin.seed, cancelled, rolls=roll_pool().rolls
            )
            batches = list(stream.blocks(numbers))
        except ProblemError:
            continue
        for batch in batches:
            result += candidates_of(generator, settings, batch)
    return result


def measure_of_generator(
    measure: Measure | None, generator: MapGenerator, base: Base
) -> Measure | None:
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
