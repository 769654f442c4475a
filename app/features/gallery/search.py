"""Rolling the maps that the gallery shows: plain functions for a job's thread."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from app.features.gallery.candidates import Candidate, candidates, measure_all, own_measure
from app.rolling.roll_request import Recipe
from randomizer.batches.batch import RollsMany, roll_batch
from randomizer.model.dice import NUMBER_LIMIT
from randomizer.model.layer import Roll
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.batches.batch import Measure
    from randomizer.batches.filters.filter import Filter as Condition
    from randomizer.batches.search import SearchResult
    from randomizer.generator import Base, MapGenerator

AT_ONCE = 48
"""How many maps are rolled together, and shown before one asks for more."""

A_FEW = 4
"""How many maps are rolled together by a generator that makes one map after the other."""


@dataclass(frozen=True, eq=False)
class GalleryRequest:
    """Asks for ``count`` maps of a seed from number ``first`` on.

    They keep the locks of ``base``, pass ``condition`` (a filter as typed, "" for none) and are
    found within ``budget`` rolls. The maps of ``pins`` are rolled onto ``base`` too. All are
    measured by ``measure``.
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
        """Whether maps are left out: those that break locks or do not pass the filter."""
        return bool(self.condition.strip()) or self.base.locked


@dataclass(frozen=True)
class Ended:
    """How a search ended: of ``tried`` rolls ``kept`` pass, ``following`` is the next number.

    ``words`` say how rare they are, "" where nothing was searched.
    """

    tried: int
    kept: int
    following: int
    words: str = ""


class FilterError(ProblemError):
    """The filter cannot be read: its problems are places in it, not in the script."""


Found = Callable[[Sequence[Candidate]], None]

Search = Generator[int, bool | None, Ended]
"""A search under way: see ``search``."""


def condition_of(text: str, generator: MapGenerator, base: Base) -> Condition:
    """A filter that was typed. Raises FilterError if it cannot be read."""
    from randomizer.batches.counts import measures_of
    from randomizer.batches.filters.filter import parse_filter

    try:
        return parse_filter(
            text,
            base.system,
            measures_of(generator, base.terrain_set),
            base.grid,
            base.terrain_set,
        )
    except ProblemError as reason:
        raise FilterError(reason.problems) from reason


def search(request: GalleryRequest, found: Found) -> Search:
    """Roll what is requested; ``found`` is called with the maps as they come.

    Yields the progress, 1 to 100; True sent back says that what was found is enough. Between two
    steps it may pause for any time. Raises FilterError for a condition that cannot be read, and
    ProblemError as a roll does.
    """
    generator, settings = request.recipe.generator_for(request.base)
    request = replace(request, measure=own_measure(request.measure, generator, request.base))
    if request.searches:
        return (yield from _searched(request, generator, settings, found))
    size = AT_ONCE if isinstance(generator, RollsMany) else A_FEW
    start, end = request.first, min(request.first + request.count, NUMBER_LIMIT)
    kept = 0
    enough: bool | None = False
    while start < end and not enough:
        numbers = np.arange(start, min(start + size, end), dtype=np.uint64)
        made = _made(request, generator, settings, numbers)
        start += len(numbers)
        kept += len(made)
        found(made)
        enough = yield (start - request.first) * 100 // request.count
    return Ended(start - request.first, kept, start)


def _made(
    request: GalleryRequest,
    generator: MapGenerator,
    settings: Mapping[str, object],
    numbers: NDArray[np.uint64],
) -> list[Candidate]:
    batch = roll_batch(generator, settings, request.seed, numbers, request.base)
    made = candidates(generator, settings, batch)
    measure_all(request.measure, made)
    return made


def _searched(
    request: GalleryRequest, generator: MapGenerator, settings: Mapping[str, object], found: Found
) -> Search:
    """Search for the maps that keep the locks and pass the filter."""
    from randomizer.batches.search import search_maps

    condition = condition_of(request.condition, generator, request.base)
    searching = search_maps(
        generator,
        settings,
        request.base,
        condition,
        request.seed,
        request.first,
        budget=request.budget,
        limit=request.count,
    )
    shown, state = 0, None
    for state in _states(searching):
        fresh = state.numbers[shown:]
        if fresh:
            shown = len(state.numbers)
            found(_made(request, generator, settings, np.array(fresh, np.uint64)))
        share = max(shown / request.count, state.tried / request.budget)
        if (yield max(1, math.floor(100 * share))):
            searching.close()
            break
    assert state is not None
    enough = shown >= request.count
    following = state.numbers[-1] + 1 if enough else request.first + state.tried
    return Ended(state.tried, shown, following, state.words)


def _states(searching: Generator[SearchResult, None, SearchResult]) -> Iterator[SearchResult]:
    """The states of a search: each that it yields, and the one that it returns."""
    yield (yield from searching)
