"""Rolling the maps that the gallery shows: plain functions for a job's thread."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from app.features.gallery.candidates import (
    Candidate,
    as_seen,
    candidates,
    failed_candidate,
    measure_all,
    own_measure,
)
from app.rolling.roll_request import Recipe
from randomizer.batches.batch import RollsMany, roll_batch
from randomizer.generator import DrawKey
from randomizer.model.dice import NUMBER_LIMIT
from randomizer.model.layer import Roll
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.processes.pool import roll_pool

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.batches.batch import Measure
    from randomizer.batches.filters.filter import Filter as Condition
    from randomizer.batches.search import SearchResult
    from randomizer.generator import Base, MapGenerator

AT_ONCE = 48
"""How many maps are rolled together, and shown before one asks for more."""

A_FEW = 4
"""How many maps of a generator that makes one after the other are shown together. If so many fail
alike at first, all others will."""


@dataclass(frozen=True, eq=False)
class GalleryRequest:
    """Asks for ``count`` maps of a seed from number ``first`` on.

    They are shown with what lies above the roll in ``base``, keep its locks, pass ``condition`` (a
    filter as typed, "" for none) and are found within ``budget`` rolls. The maps of ``pins`` are
    rolled onto ``base`` too. All are measured by ``measure``.
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


END = object()
"""Stands behind the last map."""

LOST = (Problem(Severity.ERROR, "locks-not-found", "this map does not keep the locks"),)

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


def search(request: GalleryRequest, found: Found, known: dict[int, Candidate]) -> Search:
    """Roll what is requested; ``found`` is called with the maps as they come.

    Yields the progress, 1 to 100; True sent back says that what was found is enough. Between two
    steps it may pause for any time. ``known`` holds maps by number that need not be rolled again,
    without what lies above them; those of a generator that makes one after the other are added.
    Raises FilterError for a
    condition that cannot be read, and ProblemError as a roll does.
    """
    generator, settings = request.recipe.generator_for(request.base)
    request = replace(request, measure=own_measure(request.measure, generator, request.base))
    if not isinstance(generator, RollsMany):
        return (yield from one_by_one(request, generator, settings, found, known))
    if request.searches:
        return (yield from _searched(request, generator, settings, found))
    start, end = request.first, min(request.first + request.count, NUMBER_LIMIT)
    kept = 0
    enough: bool | None = False
    while start < end and not enough:
        numbers = np.arange(start, min(start + AT_ONCE, end), dtype=np.uint64)
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
    made = candidates(generator, settings, batch.as_seen(request.base))
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


def one_by_one(
    request: GalleryRequest,
    generator: MapGenerator,
    settings: Mapping[str, object],
    found: Found,
    known: dict[int, Candidate],
) -> Search:
    """As ``search``: two maps at a time are rolled, in other processes where that can be.

    A map that cannot be made is found too, with its problems, unless maps are searched.
    """
    from randomizer.batches.search import SearchResult

    condition = condition_of(request.condition, generator, request.base)
    budget = request.budget if request.searches else request.count
    numbers = range(request.first, min(request.first + budget, NUMBER_LIMIT))
    result = SearchResult(request.seed, (), 0, 0, 0, request.base.locked)
    failed: list[Candidate] = []
    fresh: list[Candidate] = []
    shown, enough = 0, False
    with closing(_rolled(request, generator, settings, numbers, known)) as rolled:
        while not enough and shown + len(fresh) < request.count:
            each = next(rolled, END)
            if isinstance(each, Candidate):
                keeps = not each.problems and bool(each.batch.keeps_locks()[0])
                seen = as_seen(each, request.base)
                passes = keeps and bool(condition.matches(seen.batch)[0])
                if each.problems and not fails_for_locks(each):
                    failed.append(each)
                result = replace(
                    result,
                    tried=result.tried + 1,
                    kept=result.kept + keeps,
                    matching=result.matching + passes,
                )
                if len(failed) == result.tried == A_FEW and alike(failed):
                    raise ProblemError(failed[0].problems)
                if passes or (each.problems and not request.searches):
                    fresh.append(seen)
            if fresh and (len(fresh) == A_FEW or not isinstance(each, Candidate)):
                measure_all(request.measure, fresh)
                found(fresh)
                shown, fresh = shown + len(fresh), []
            if each is END:
                break
            share = max((shown + len(fresh)) / request.count, result.tried / budget)
            enough = bool((yield max(1, math.floor(100 * share))))
    if fresh:
        measure_all(request.measure, fresh)
        found(fresh)
    if request.searches and failed and len(failed) == result.tried:
        raise ProblemError(failed[0].problems)
    words = result.words if request.searches else ""
    return Ended(result.tried, result.matching, request.first + result.tried, words)


def _rolled(
    request: GalleryRequest,
    generator: MapGenerator,
    settings: Mapping[str, object],
    numbers: range,
    known: dict[int, Candidate],
) -> Generator[Candidate | None, None, None]:
    """The maps of these numbers, one after the other; None while the next one is rolled."""
    base, seed = request.base, request.seed
    unknown = (number for number in numbers if number not in known)
    with closing(roll_pool().rolls(generator, settings, seed, unknown, base)) as rolls:
        for number in numbers:
            while number not in known:
                single = next(rolls)
                if single is None:
                    yield None
                    continue
                key = DrawKey(seed, number)
                if single.made is None:
                    known[number] = failed_candidate(
                        generator, settings, key, base, single.problems
                    )
                    continue
                made = candidates(generator, settings, single.batch(base, seed))
                # One that keeps the locks only by being another number's map is none.
                known[number] = (
                    made[0] if made else failed_candidate(generator, settings, key, base, LOST)
                )
            yield known[number]


def fails_for_locks(candidate: Candidate) -> bool:
    """Whether a map failed for its locks alone: another number may keep them."""
    return all(problem.code == LOST[0].code for problem in candidate.problems)


def alike(failed: Sequence[Candidate]) -> bool:
    """Whether maps failed for the same reason."""
    return len({(each.problems[0].message, each.problems[0].line) for each in failed}) == 1


def _states(searching: Generator[SearchResult, None, SearchResult]) -> Iterator[SearchResult]:
    """The states of a search: each that it yields, and the one that it returns."""
    yield (yield from searching)
