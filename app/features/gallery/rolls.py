"""Rolling what the gallery shows: plain functions for a job's thread."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from app.rolling.roll_request import Recipe
from app.scripts.shown_script import recipe_of_roll, script_of_roll
from randomizer.batches.batch import RollsMany, roll_batch
from randomizer.generator import DrawKey
from randomizer.model.battlemap import Roll
from randomizer.model.dice import NUMBER_LIMIT
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.batches.batch import Batch, Measure
    from randomizer.batches.filters.filter import Filter as Condition
    from randomizer.batches.search import SearchResult
    from randomizer.generator import Base, MapGenerator

AT_ONCE = 48
"""So many maps are rolled together, and shown before one asks for more."""

A_FEW = 4
"""Generators that make one map after the other show so many at a time."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """One map of the gallery: how to make it again for ever, and a row of the batch it is in.

    ``look`` stands for what it shows: candidates that look the same have the same. ``values`` are
    what measures found, by the measure's name.
    """

    roll: Roll
    batch: Batch
    row: int
    look: str
    values: dict[str, float] = field(default_factory=dict)

    @property
    def key(self) -> DrawKey:
        """Its seed and number."""
        return DrawKey(self.roll.seed, self.roll.number)

    @property
    def name(self) -> str:
        """What people call it: script, seed, number."""
        stem = self.roll.script_name.rsplit(".", 1)[0] or "Script"
        return f"{stem}, seed {self.roll.seed} no. {self.roll.number}"


@dataclass(frozen=True, eq=False)
class GalleryOrder:
    """What the gallery is to show: ``count`` maps of a seed from number ``first`` on.

    Those that keep the base's locks and pass ``condition`` (a filter as typed, "" for none), found
    within ``budget`` rolls; and the maps of ``pins``, as they are on this base. All are measured by
    ``measure``.
    """

    recipe: Recipe
    seed: int
    base: Base
    first: int = 0
    count: int = AT_ONCE
    condition: str = ""
    budget: int = 1_000_000
    pins: tuple[Roll, ...] = ()
    measure: Measure | None = None

    @property
    def searches(self) -> bool:
        """Whether not every number will do."""
        return bool(self.condition.strip()) or self.base.locked


@dataclass(frozen=True)
class Ended:
    """How an order ended: of ``tried`` rolls ``kept`` would do, ``following`` is the next number.

    ``words`` say how rare they are, "" where nothing was searched.
    """

    tried: int
    kept: int
    following: int
    words: str = ""


class FilterError(ProblemError):
    """The wish cannot be read: its problems are places in it, not in the script."""


Found = Callable[[Sequence[Candidate]], None]

Carrying = Generator[int, bool | None, Ended]
"""An order that is being carried out: see ``carry_out``."""


def same_roll(one: Roll, other: Roll) -> bool:
    """Whether two rolls onto the same ground make the same map."""

    def face(roll: Roll) -> tuple[object, ...]:
        script = script_of_roll(roll)
        return roll.script_name, script.text, script.settings

    return one is other or (
        (one.seed, one.number) == (other.seed, other.number) and face(one) == face(other)
    )


def condition_of(text: str, generator: MapGenerator, base: Base) -> Condition:
    """A filter that was typed. Raises FilterError if it cannot be read."""
    from randomizer.batches.counts import measures_of
    from randomizer.batches.filters.filter import parse_filter

    try:
        return parse_filter(text, base.system, measures_of(generator), base.grid)
    except ProblemError as reason:
        raise FilterError(reason.problems) from reason


def candidates(
    generator: MapGenerator, settings: Mapping[str, object], batch: Batch
) -> list[Candidate]:
    """The maps of a batch that did not fail."""
    grid = batch.base.grid
    shape = repr((grid.layout.name, grid.width, grid.height)).encode()
    found = []
    for row in np.flatnonzero(~batch.failed).tolist():
        planes = [batch.terrain[row], batch.elevation[row]]
        planes += [] if batch.hexside is None else [batch.hexside[row]]
        shown = b"".join([shape, *(plane.tobytes() for plane in planes)])
        roll = Roll(
            generator.name,
            generator.metadata.script,
            generator.text,
            settings,
            batch.seed,
            int(batch.numbers[row]),
        )
        look = hashlib.blake2b(shown, digest_size=16).hexdigest()
        found.append(Candidate(roll, batch, row, look))
    return found


def measure_all(measure: Measure | None, made: Sequence[Candidate]) -> None:
    """Find what a measure says of these maps, where it is not known."""
    if measure is None:
        return
    unknown = [each for each in made if measure.name not in each.values]
    batches = {id(each.batch): each.batch for each in unknown}
    values = {key: measure.of(batch) for key, batch in batches.items()}
    for each in unknown:
        each.values[measure.name] = float(values[id(each.batch)][each.row])


def mark_of(base: Base) -> bytes:
    """Stands for all of a base that a roll can find there."""
    mark = hashlib.blake2b(digest_size=16)
    shown = base.shown if base.locked else base.composite
    for planes in (base.composite.planes, shown.planes):
        for name in sorted(planes):
            mark.update(planes[name].tobytes())
    for locks in (base.locked_cells, base.locked_sides):
        mark.update(np.packbits(locks).tobytes())
    return mark.digest()


def pinned(pins: Sequence[Roll], base: Base) -> list[Candidate]:
    """The pinned maps as they are on this base, without those that cannot be rolled onto it."""
    made = []
    for pin in pins:
        try:
            generator, settings = recipe_of_roll(pin).generator_for(base)
            number = np.array([pin.number], np.uint64)
            made += candidates(
                generator, settings, roll_batch(generator, settings, pin.seed, number, base)
            )
        except ProblemError:
            continue  # it is of another kind of map, or its text rolls no more
    return made


def carry_out(order: GalleryOrder, found: Found) -> Carrying:
    """Roll what an order asks for; ``found`` hears of the maps as they come.

    Yields how far it has come, 1 to 100; True sent back says that what was found is enough. It may
    rest between two steps as long as one likes. Raises FilterError for a condition that cannot be
    read, and ProblemError as a roll does.
    """
    generator, settings = order.recipe.generator_for(order.base)
    order = replace(order, measure=own_measure(order.measure, generator))
    if order.searches:
        return (yield from _searched(order, generator, settings, found))
    size = AT_ONCE if isinstance(generator, RollsMany) else A_FEW
    start, end = order.first, min(order.first + order.count, NUMBER_LIMIT)
    kept = 0
    enough: bool | None = False
    while start < end and not enough:
        numbers = np.arange(start, min(start + size, end), dtype=np.uint64)
        made = _made(order, generator, settings, numbers)
        start += len(numbers)
        kept += len(made)
        found(made)
        enough = yield (start - order.first) * 100 // order.count
    return Ended(start - order.first, kept, start)


def own_measure(measure: Measure | None, generator: MapGenerator) -> Measure | None:
    """The measure of that name that a generator's maps have: it was chosen for others perhaps."""
    from randomizer.batches.counts import measures_of

    if measure is None:
        return None
    return next((own for own in measures_of(generator) if own.name == measure.name), None)


def _made(
    order: GalleryOrder,
    generator: MapGenerator,
    settings: Mapping[str, object],
    numbers: NDArray[np.uint64],
) -> list[Candidate]:
    batch = roll_batch(generator, settings, order.seed, numbers, order.base)
    made = candidates(generator, settings, batch)
    measure_all(order.measure, made)
    return made


def _searched(
    order: GalleryOrder, generator: MapGenerator, settings: Mapping[str, object], found: Found
) -> Carrying:
    """Those that keep the locks and pass the filter."""
    from randomizer.batches.search import search_maps

    wish = condition_of(order.condition, generator, order.base)
    search = search_maps(
        generator,
        settings,
        order.base,
        wish,
        order.seed,
        order.first,
        budget=order.budget,
        limit=order.count,
    )
    shown, state = 0, None
    for state in _states(search):
        fresh = state.numbers[shown:]
        if fresh:
            shown = len(state.numbers)
            found(_made(order, generator, settings, np.array(fresh, np.uint64)))
        share = max(shown / order.count, state.tried / order.budget)
        if (yield max(1, math.floor(100 * share))):
            search.close()
            break
    assert state is not None
    enough = shown >= order.count
    following = state.numbers[-1] + 1 if enough else order.first + state.tried
    return Ended(state.tried, shown, following, state.words)


def _states(search: Generator[SearchResult, None, SearchResult]) -> Iterator[SearchResult]:
    """What a search has found from time to time, and at its end."""
    yield (yield from search)
