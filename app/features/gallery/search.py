"""Rolling the maps that the gallery shows: plain functions for a job's thread."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.features.gallery.candidates import Candidate, candidates, measure_all, own_measure
from app.rolling.roll_setup import RollSetup
from randomizer.batches.batch import Batch
from randomizer.batches.map_stream import MapStream
from randomizer.generator import NO_MORE_MAPS, free_impossible_paint
from randomizer.model.basics.dice import NUMBER_LIMIT
from randomizer.model.map.layer import Roll
from randomizer.model.problems import ProblemError
from randomizer.processes.pool import roll_pool

if TYPE_CHECKING:
    from randomizer.batches.batch import Measure
    from randomizer.batches.filters.conditions import Condition
    from randomizer.batches.search import SearchResult
    from randomizer.generator import MapGenerator
    from randomizer.roll_base import Base

AT_ONCE = 48
"""How many maps are rolled together, and shown before one asks for more."""

A_FEW = 4
"""How many maps of a generator that makes one after the other are shown together."""


@dataclass(frozen=True, eq=False)
class GalleryRequest:
    """What the user asks the gallery for: which maps of a script it shows."""

    setup: RollSetup
    seed: int
    base: Base
    """What the maps are rolled onto; they are shown with what lies above the roll in it."""

    first: int = 0
    """The number of the first map that is looked at."""

    count: int = AT_ONCE
    """How many maps are shown, at most."""

    condition: str = ""
    """A filter as typed, "" for none."""

    budget: int = 1_000_000
    """How many maps are rolled in search of those that pass, at most."""

    pins: tuple[Roll, ...] = ()
    """The pinned maps: they are rolled onto ``base``, too."""

    measure: Measure | None = None
    """All maps are measured by it, the pinned ones, too."""

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
    """How a search ended."""

    tried: int
    """How many maps were rolled."""

    shown_count: int
    """How many of them are shown."""

    following: int
    """The number from which another search goes on."""

    message: str = ""
    """How rare such maps are, or why there are no more; "" where there is nothing to say."""


class FilterError(ProblemError):
    """The filter cannot be read: its problems are places in it, not in the script."""


Take = Callable[[Sequence[Candidate]], None]
"""Receives the next maps, measured."""

Tell = Callable[[int, int], None]
"""Receives how many maps were tried so far, and how many of them are found."""

Show = Callable[[Sequence[Batch]], None]
"""Shows the maps of further batches."""

Search = Generator[int, bool | None, Ended]
"""A search under way. It yields its progress, 1 to 100, after each step.

True sent back says that there are enough maps. Between two steps it may rest for any time.
"""


def condition_of(
    text: str, generator: MapGenerator, settings: Mapping[str, object], base: Base
) -> Condition:
    """Return a filter that was typed.

    Raises FilterError if it cannot be read, or if no map can pass it.
    """
    from app.features.gallery.vain_filters import problem_of_vain_filter
    from randomizer.batches.counts import measures_of
    from randomizer.batches.filters.parser import parse_filter

    try:
        condition = parse_filter(
            text,
            base.system,
            measures_of(generator, base.terrain_set),
            base.grid,
            base.terrain_set,
        )
    except ProblemError as reason:
        raise FilterError(reason.problems) from reason
    problem = problem_of_vain_filter(condition, generator, settings, base)
    if problem is not None:
        raise FilterError((problem,))
    return condition


def search(
    request: GalleryRequest, on_found: Take, on_tried: Tell, earlier: dict[int, Batch]
) -> Search:
    """Roll what is requested; ``on_found`` is called with the maps as they come.

    Where maps are searched ``on_tried`` is called after each step.

    ``earlier`` holds maps by number that need not be rolled again, without what lies above them;
    those of a generator that makes one after the other are added to it. A map that cannot be made
    is found, too, with its problems, unless maps are searched. Raises FilterError for a condition
    that cannot be read, and ProblemError as a roll does.
    """
    generator, settings = request.setup.generator_for(request.base)
    measure = own_measure(request.measure, generator, request.base)
    stream = MapStream(
        generator,
        settings,
        free_impossible_paint(generator, settings, request.base),
        request.seed,
        rolls=roll_pool().rolls,
        singles=earlier,
    )

    def show(batches: Sequence[Batch]) -> None:
        batch_candidates: list[Candidate] = []
        for batch in batches:
            batch_candidates += candidates(generator, settings, batch.as_seen(request.base))
        measure_all(measure, batch_candidates)
        on_found(batch_candidates)

    if request.searches:
        return (yield from _search_passing(request, stream, show, on_tried))
    return (yield from _roll_all(request, stream, show))


def _roll_all(request: GalleryRequest, stream: MapStream, show: Show) -> Search:
    """Show every map of the requested numbers, whatever it looks like."""
    numbers = range(request.first, min(request.first + request.count, request.end))
    tried = 0
    shown_count = 0
    message = ""
    not_shown: list[Batch] = []
    with closing(stream.blocks(numbers, largest_block=AT_ONCE)) as blocks:
        for batch in blocks:
            if _is_past_the_last_map(batch):
                if shown_count == 0:
                    raise ProblemError(batch.problems)
                message = batch.problems[0].message
                break
            # An empty batch tells that the next map still takes time: what waits is shown then.
            is_pause = len(batch) == 0
            if not is_pause:
                not_shown.append(batch)
                tried += len(batch)
                shown_count += int(np.count_nonzero(~batch.failed))
            if not_shown and (is_pause or _is_worth_showing(stream, not_shown)):
                show(not_shown)
                not_shown = []
            is_enough = yield max(1, 100 * tried // request.count)
            if is_enough or tried == len(numbers):
                break
    if not_shown:
        show(not_shown)
    return Ended(tried, shown_count, request.first + tried, message)


def _is_past_the_last_map(batch: Batch) -> bool:
    """Return whether the batch stands for a number that the generator has no map for."""
    return any(problem.code == NO_MORE_MAPS for problem in batch.problems)


def _is_worth_showing(stream: MapStream, not_shown: Sequence[object]) -> bool:
    """Return whether to show what has come: each time the pictures are laid out again.

    A generator of many maps at a time delivers a screenful. Of others a few are waited for.
    """
    return stream.makes_many or len(not_shown) == A_FEW


def _search_passing(
    request: GalleryRequest, stream: MapStream, show: Show, on_tried: Tell
) -> Search:
    """Show the maps that keep the locks and pass the filter."""
    from randomizer.batches.search import search_maps

    states = _states_of(
        search_maps(
            stream,
            condition_of(request.condition, stream.generator, stream.settings, request.base),
            request.first,
            budget=min(request.budget, request.end - request.first),
            limit=request.count,
        )
    )
    tried = -1
    shown_count = 0
    with closing(states):
        for state in states:
            not_shown = state.numbers[shown_count:]
            # A state with as many rolls as the last one: the next map still takes time.
            is_pause = state.tried == tried
            if not_shown and (is_pause or _is_worth_showing(stream, not_shown)):
                show(stream.again(not_shown))
                shown_count += len(not_shown)
            tried = state.tried
            on_tried(tried, len(state.numbers))
            is_enough = yield _search_percent(request, state)
            if is_enough:
                break
    if len(state.numbers) > shown_count:
        show(stream.again(state.numbers[shown_count:]))
    return Ended(tried, len(state.numbers), _following_number(request, state), state.summary)


def _search_percent(request: GalleryRequest, state: SearchResult) -> int:
    """Return how far a search is, 1 to 100: it ends with enough maps, or after enough rolls."""
    found_share = len(state.numbers) / request.count
    tried_share = state.tried / request.budget
    return max(1, math.floor(100 * max(found_share, tried_share)))


def _following_number(request: GalleryRequest, state: SearchResult) -> int:
    """Return from which number another search goes on."""
    if len(state.numbers) >= request.count:
        # Maps are tried in blocks: of the last block more may pass than were asked for.
        return state.numbers[-1] + 1
    return request.first + state.tried


def _states_of(
    steps: Generator[SearchResult, None, SearchResult],
) -> Generator[SearchResult, None, None]:
    """Yield the states of a search: those that it yields, then the one that it returns."""
    yield (yield from steps)
