"""Rolling the maps that the gallery shows: plain functions for a job's thread."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.features.gallery.candidates import Candidate, candidates, measure_all, own_measure
from app.rolling.roll_setup import RollSetup
from randomizer.batches.batch import Batch
from randomizer.batches.map_stream import MapStream
from randomizer.generator import NO_MORE_MAPS
from randomizer.model.basics.dice import NUMBER_LIMIT
from randomizer.model.map.layer import Roll
from randomizer.model.problems import ProblemError
from randomizer.processes.pool import roll_pool

if TYPE_CHECKING:
    from randomizer.batches.batch import Measure
    from randomizer.batches.filters.conditions import Condition
    from randomizer.batches.search import SearchResult
    from randomizer.generator import Base, MapGenerator

AT_ONCE = 48
"""How many maps are rolled together, and shown before one asks for more."""

A_FEW = 4
"""How many maps of a generator that makes one after the other are shown together."""


@dataclass(frozen=True, eq=False)
class GalleryRequest:
    """Asks for ``count`` maps of a seed from number ``first`` on.

    They are shown with what lies above the roll in ``base``, keep its locks, pass ``condition`` (a
    filter as typed, "" for none) and are found within ``budget`` rolls. The maps of ``pins`` are
    rolled onto ``base`` too. All are measured by ``measure``.
    """

    setup: RollSetup
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
        """True if maps are left out: those that break locks or do not pass the filter."""
        return bool(self.condition.strip()) or (self.base.locked and not self.setup.maps)

    @property
    def end(self) -> int:
        """No map has this number or a higher one."""
        return self.setup.maps or NUMBER_LIMIT


@dataclass(frozen=True)
class Ended:
    """The end of a search: of ``tried`` rolls ``passing`` pass, ``following`` is the next number.

    ``words`` say how rare they are, "" where nothing was searched.
    """

    tried: int
    passing: int
    following: int
    message: str = ""


class FilterError(ProblemError):
    """The filter cannot be read: its problems are places in it, not in the script."""


Take = Callable[[Sequence[Candidate]], None]
Show = Callable[[Sequence[Batch]], None]

Search = Generator[int, bool | None, Ended]
"""A search under way: see ``search``."""


def condition_of(text: str, generator: MapGenerator, base: Base) -> Condition:
    """Return a filter that was typed. Raises FilterError if it cannot be read."""
    from randomizer.batches.counts import measures_of
    from randomizer.batches.filters.parser import parse_filter

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


def search(request: GalleryRequest, on_found: Take, earlier: dict[int, Batch]) -> Search:
    """Roll what is requested; ``on_found`` is called with the maps as they come.

    Yields the progress, 1 to 100; True sent back says that what was found is enough. Between two
    steps it may pause for any time. ``earlier`` holds maps by number that need not be rolled again,
    without what lies above them; those of a generator that makes one after the other are added.
    Such maps that cannot be made are found too, with their problems, unless maps are searched.
    Raises FilterError for a condition that cannot be read, and ProblemError as a roll does.
    """
    generator, settings = request.setup.generator_for(request.base)
    measure = own_measure(request.measure, generator, request.base)
    stream = MapStream(
        generator,
        settings,
        request.base,
        request.seed,
        rolls=roll_pool().rolls,
        singles=earlier,
    )

    def show(batches: Sequence[Batch]) -> None:
        batch_candidates = [
            candidate
            for batch in batches
            for candidate in candidates(generator, settings, batch.as_seen(request.base))
        ]
        measure_all(measure, batch_candidates)
        on_found(batch_candidates)

    return (yield from (_searched if request.searches else _in_turn)(request, stream, show))


def _in_turn(request: GalleryRequest, stream: MapStream, show: Show) -> Search:
    """Yield all maps of the numbers that are requested."""
    numbers = range(request.first, min(request.first + request.count, request.end))
    tried = eligible = 0
    message = ""
    fresh: list[Batch] = []
    with closing(stream.blocks(numbers, most=AT_ONCE)) as blocks:
        for batch in blocks:
            if any(problem.code == NO_MORE_MAPS for problem in batch.problems):
                if not eligible:
                    raise ProblemError(batch.problems)
                message = batch.problems[0].message
                break
            fresh += [batch] if len(batch) else []
            tried = tried + len(batch)
            eligible = eligible + int(np.count_nonzero(~batch.failed))
            if fresh and (stream.many or len(fresh) == A_FEW or not len(batch)):
                show(fresh)
                fresh = []
            if (yield max(1, 100 * tried // request.count)) or tried == len(numbers):
                break
    if fresh:
        show(fresh)
    return Ended(tried, eligible, request.first + tried, message)


def _searched(request: GalleryRequest, stream: MapStream, show: Show) -> Search:
    """Yield the maps that keep the locks and pass the filter."""
    from randomizer.batches.search import search_maps

    condition = condition_of(request.condition, stream.generator, request.base)
    searching = search_maps(
        stream,
        condition,
        request.first,
        budget=min(request.budget, request.end - request.first),
        limit=request.count,
    )
    tried = -1
    shown_count = 0
    with closing(_states(searching)) as states:
        for state in states:
            fresh = state.numbers[shown_count:]
            if fresh and (stream.many or len(fresh) == A_FEW or state.tried == tried):
                show(stream.again(fresh))
                shown_count += len(fresh)
            tried = state.tried
            share = max(len(state.numbers) / request.count, tried / request.budget)
            if (yield max(1, math.floor(100 * share))):
                break
    if len(state.numbers) > shown_count:
        show(stream.again(state.numbers[shown_count:]))
    following = request.first + tried
    if len(state.numbers) >= request.count:
        following = state.numbers[-1] + 1
    return Ended(tried, len(state.numbers), following, state.summary)


def _states(
    searching: Generator[SearchResult, None, SearchResult],
) -> Generator[SearchResult, None, None]:
    """The states of a search: each that it yields, and the one that it returns."""
    yield (yield from searching)
