"""Rolls the maps that the gallery shows, on the thread of a job.

A ``GalleryRequest`` says what the user asks for; ``search`` rolls it. Either all maps of a range of
numbers are shown (``_roll_all``), or maps are rolled until enough of them keep the locks and pass a
filter (``_search_passing``). A *candidate* is a map that the gallery can show; a *batch* holds the
values of many maps as arrays, with one row for each map, which becomes a candidate.

A search is a generator, so that it can rest between two steps::

    steps = search(request, on_found, on_tried, HeldMaps())
    percent = next(steps)          # the first step; ``on_found`` was called with its maps, if any
    percent = steps.send(False)    # a further step
    percent = steps.send(True)     # enough: StopIteration is raised, and its value is the ``Ended``
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.features.gallery.candidates import (
    Candidate,
    candidates_of,
    measure_all,
    measure_of_generator,
)
from app.rolling.roll_setup import RollSetup
from randomizer.batches.batch import Batch
from randomizer.batches.map_stream import HeldMaps, MapStream
from randomizer.generator import NO_MORE_MAPS
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
"""The number of maps that are rolled together, and shown until the user asks for more."""

A_FEW = 4
"""The number of maps that are shown together if a generator makes one after the other.

If it is larger the first maps come later; if smaller all pictures are laid out more often.
"""


MAX_ROLLS = 1_000_000
"""The most maps that are rolled for one request; with more, rare maps take minutes to find."""


@dataclass(frozen=True, eq=False)
class GalleryRequest:
    """The request of the user: which maps of a script the gallery shows."""

    setup: RollSetup
    seed: int

    base: Base
    """The base that the maps are rolled onto; they are shown with the layers above the roll."""

    first: int = 0
    """The number of the first map that is looked at."""

    count: int = AT_ONCE
    """The most maps that are shown."""

    condition: str = ""
    """The filter as typed, "" for none."""

    budget: int = MAX_ROLLS
    """The most maps that are rolled in search of those that keep the locks and pass the filter.

    There may be fewer, see ``end``.
    """

    pins: tuple[Roll, ...] = ()
    """The rolls of the pinned maps, which are also rolled onto ``base``."""

    measure: Measure | None = None
    """The measure whose value every map gets, for sorting; None for no measure."""

    @property
    def leaves_out_maps(self) -> bool:
        """True if some of the rolled maps are not shown: they break locks, or fail the filter."""
        has_filter = bool(self.condition.strip())
        may_break_locks = self.base.locked and not self.setup.behaviour.keeps_all_locks
        return has_filter or may_break_locks

    @property
    def end(self) -> int:
        """The number behind that of the last map: some scripts have only so many maps."""
        return self.setup.behaviour.map_count or NUMBER_LIMIT


@dataclass(frozen=True)
class Ended:
    """The end of a search."""

    tried: int
    """The number of maps that were rolled."""

    shown_count: int
    """The number of those that are shown."""

    next_number: int
    """The map number with which a further search begins."""

    message: str = ""
    """A text on how rare such maps are, or why there are no more; "" for neither."""


class FilterError(ProblemError):
    """A filter with a mistake, or that no map can pass.

    The lines and columns of its problems are positions in the text of the filter.
    """


OnFound = Callable[[Sequence[Candidate]], None]
"""Is called with further candidates, whose measures are known."""

OnTried = Callable[[int, int], None]
"""Is called with the number of maps tried so far, and the number of those that passed."""

ShowBatches = Callable[[Sequence[Batch]], None]
"""Calls an ``OnFound`` with the candidates of further batches."""

Search = Generator[int, bool | None, Ended]
"""A search under way. It yields its progress, 1 to 100, after each step, and returns how it ended.

Whoever runs it sends True if there are enough maps. Between two steps it may rest for any time, on
any thread: that is why it is a generator.
"""


def condition_of(
    text: str, generator: MapGenerator, settings: Mapping[str, object], base: Base
) -> Condition:
    """Return the condition that a typed filter stands for.

    Raises FilterError if it cannot be read, or if no map can pass it.
    """
    from app.features.gallery.vain_filters import problem_of_impossible_filter
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
    problem = problem_of_impossible_filter(condition, generator, settings, base)
    if problem is not None:
        raise FilterError((problem,))
    return condition


def search(
    request: GalleryRequest,
    on_found: OnFound,
    on_tried: OnTried,
    held: HeldMaps,
) -> Search:
    """Roll what is requested; ``on_found`` is called with the maps as they come.

    If maps are left out (``GalleryRequest.leaves_out_maps``), ``on_tried`` is called after each
    step. If not, a map that cannot be made is shown with its problems.

    The single maps that ``held`` has are not rolled again, and new ones are added to it. Raises
    FilterError for a filter that cannot be read, and ProblemError as a roll does.
    """
    generator, settings = request.setup.generator_for(request.base)
    measure = measure_of_generator(request.measure, generator, request.base)
    stream = MapStream(
        generator,
        settings,
        request.base,
        request.seed,
        rolls=roll_pool().rolls,
        held=held,
    )

    def show_batches(batches: Sequence[Batch]) -> None:
        batch_candidates: list[Candidate] = []
        for batch in batches:
            batch_candidates += candidates_of(generator, settings, batch.as_seen(request.base))
        measure_all(measure, batch_candidates)
        on_found(batch_candidates)

    if request.leaves_out_maps:
        return (yield from _search_passing(request, stream, show_batches, on_tried))
    return (yield from _roll_all(request, stream, show_batches))


def _roll_all(request: GalleryRequest, stream: MapStream, show_batches: ShowBatches) -> Search:
    """Show every map of the requested numbers, whatever it looks like."""
    numbers = range(request.first, min(request.first + request.count, request.end))
    tried = 0
    shown_count = 0
    message = ""
    waiting_batches: list[Batch] = []  # rolled, but not shown yet
    with closing(stream.blocks(numbers, largest_block=AT_ONCE)) as blocks:
        for batch in blocks:
            if _is_past_the_last_map(batch):
                if shown_count == 0:
                    raise ProblemError(batch.problems)
                message = batch.problems[0].message
                break

            # An empty batch means that the next map still takes time: what was rolled is shown now.
            is_pause = len(batch) == 0
            if not is_pause:
                waiting_batches.append(batch)
                tried += len(batch)
                shown_count += int(np.count_nonzero(~batch.failed))
            waiting_count = len(waiting_batches)
            if waiting_count and (is_pause or _is_worth_showing(stream, waiting_count)):
                show_batches(waiting_batches)
                waiting_batches = []

            is_enough = yield max(1, 100 * tried // request.count)
            if is_enough or tried == len(numbers):
                break
    if waiting_batches:
        show_batches(waiting_batches)
    return Ended(tried, shown_count, request.first + tried, message)


def _is_past_the_last_map(batch: Batch) -> bool:
    """Return whether the batch stands for a number that the generator has no map for."""
    return any(problem.code == NO_MORE_MAPS for problem in batch.problems)


def _is_worth_showing(stream: MapStream, waiting_count: int) -> bool:
    """Return whether enough maps have come to show them: showing lays out all pictures again.

    A generator that makes many maps at once delivers a screenful. Of a slow one, whose maps come
    one by one (a batch holds one), ``A_FEW`` are awaited.
    """
    return stream.makes_many or waiting_count >= A_FEW


def _search_passing(
    request: GalleryRequest, stream: MapStream, show_batches: ShowBatches, on_tried: OnTried
) -> Search:
    """Show the maps that keep the locks and pass the filter."""
    from randomizer.batches.search import search_maps

    condition = condition_of(request.condition, stream.generator, stream.settings, request.base)
    # Each state has the numbers of all maps that were found so far.
    budget = min(request.budget, request.end - request.first)  # a script can have few maps
    states = _states_of(
        search_maps(stream, condition, request.first, budget=budget, limit=request.count)
    )
    previously_tried: int | None = None  # ``tried`` of the state before
    shown_count = 0
    with closing(states):
        for state in states:
            waiting_numbers = state.numbers[shown_count:]
            # If no map was rolled since the state before, the next one still takes time.
            is_pause = state.tried == previously_tried
            waiting_count = len(waiting_numbers)
            if waiting_count and (is_pause or _is_worth_showing(stream, waiting_count)):
                # A state has only the numbers of the maps: they are rolled again to be shown.
                show_batches(stream.with_hexsides(waiting_numbers))
                shown_count += len(waiting_numbers)

            previously_tried = state.tried
            on_tried(state.tried, len(state.numbers))
            is_enough = yield _search_percent(state, count=request.count, budget=budget)
            if is_enough:
                break
    # ``state`` is now the last one, of the end or of the moment when there were enough maps. There
    # always is one: ``_states_of`` yields the state of the end, too.
    if len(state.numbers) > shown_count:
        show_batches(stream.with_hexsides(state.numbers[shown_count:]))
    return Ended(state.tried, len(state.numbers), _next_number(request, state), state.summary)


def _search_percent(state: SearchResult, *, count: int, budget: int) -> int:
    """Return the progress of a search, 1 to 100: it ends with enough maps or enough rolls.

    ``count`` are the maps that are looked for, ``budget`` those that are rolled at most.
    """
    found_share = len(state.numbers) / count
    tried_share = state.tried / budget
    return max(1, math.floor(100 * max(found_share, tried_share)))


def _next_number(request: GalleryRequest, state: SearchResult) -> int:
    """Return the map number with which a further search begins."""
    if len(state.numbers) >= request.count:
        # Maps are tried in blocks: of the last block more may pass than were asked for.
        return state.numbers[-1] + 1
    return request.first + state.tried


def _states_of(
    steps: Generator[SearchResult, None, SearchResult],
) -> Generator[SearchResult, None, None]:
    """Yield the states that a search yields, and then the last one, which it returns."""
    last_state = yield from steps
    yield last_state
