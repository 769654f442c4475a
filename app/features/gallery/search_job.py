"""The gallery's search off the UI thread: its maps arrive as they are found.

``GallerySearch.start`` begins a search on a job's thread. What it finds goes to the window's thread
as messages, which become signals there::

    the job's thread                            the window's thread

    _search_in_job   takes the steps of ``search``
    _send            MEASURES -> _on_message    measures_known
                     PINS                       pinned
                     MAPS                       delivered
                     TALLY                      tried
    its end          -> _on_job_ended           ended or failed; nothing yet if it is paused
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, Signal

from app.background.jobs import emit_from_work, lent_thread
from app.background.latest_job import LatestJob
from app.features.gallery.candidates import as_seen, measure_all, measure_of_generator, roll_pins
from app.features.gallery.search import FilterError, search
from app.qt_guard import connect
from app.rolling.rolled_maps import RolledMaps
from randomizer.batches.batch_generator import rolls_many
from randomizer.batches.map_stream import HeldMaps

if TYPE_CHECKING:
    from app.features.gallery.candidates import Candidate
    from app.features.gallery.search import Ended, GalleryRequest, Search
    from randomizer.batches.batch import Measure
    from randomizer.generator import MapGenerator
    from randomizer.generator_run import Progress
    from randomizer.model.problems import Problem
    from randomizer.roll_base import Base

    Outcome = Ended | FilterError | Search
    """The end of a search, the mistake in its filter, or the search itself if it is paused."""


class _Message(Enum):
    """The kinds of messages from the thread of a search to the window."""

    MEASURES = "what the maps can be measured by"
    PINS = "the pinned maps, rolled"
    MAPS = "further maps"
    TALLY = "how many maps were tried so far, and how many are found"


class RolledSingles(NamedTuple):
    """The maps of a seed by a generator that makes one after the other: none is rolled twice."""

    maps: RolledMaps
    """The script and the base that all of them were rolled from."""

    seed: int

    held: HeldMaps
    """The maps themselves; each search adds those that it rolls."""

    def serve(self, maps: RolledMaps, seed: int) -> bool:
        """Return whether these are maps of the same rolls.

        What lies above the rolls may have changed: it is laid on them when they are shown.
        """
        return self.seed == seed and self.maps.has_rolls_of(maps)


class RolledPins(NamedTuple):
    """The pinned maps as they were rolled onto a base."""

    base: Base
    candidates: list[Candidate]


@dataclass(eq=False)
class _CurrentSearch:
    """The newest search: it is current from its start until another starts or it is cancelled.

    The thread of the search reads ``request`` and ``enough``, and sets ``waits_for_processes``; the
    rest is for the UI thread.
    """

    request: GalleryRequest

    has_delivered: bool = False
    """True once maps of this search were delivered, or that there are none."""

    enough: Event = field(default_factory=Event)
    """Set by ``stop``, looked at by the thread of the search."""

    waits_for_processes: bool = False
    """True if the thread mostly waits for processes that roll; its thread sets it at the start."""

    paused_steps: Search | None = None
    """The steps that are still to be taken, while the search is paused; else None."""


class GallerySearch(QObject):
    """Searches for one request at a time, the newest; it can be paused.

    Of the signals of one request ``ended`` or ``failed`` comes last.
    """

    measures_known = Signal(object)
    """tuple[Measure]: what the maps of the request can be measured by."""

    delivered = Signal(object, bool)
    """list[Candidate]: more maps of the request; True for the first of them."""

    pinned = Signal(object)
    """list[Candidate]: the pinned maps of the request."""

    tried = Signal(int, int)
    """How many maps were tried so far, and how many of them are found; only in searches."""

    ended = Signal(object)
    """Ended: the search is over."""

    failed = Signal(object, bool)
    """tuple[Problem, ...]: why there are no maps; True if the filter is at fault."""

    values_known = Signal(object)
    """Measure: the candidates given to ``measure`` have its values now."""

    measuring_failed = Signal(object)
    """tuple[Problem, ...]: why the candidates given to ``measure`` have no values."""

    _message_sent = Signal(object, object, object)
    """From the thread of a search: its ``_CurrentSearch``, a ``_Message``, and the value."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.job = LatestJob(self)
        """The job that searches."""
        self._measuring = LatestJob(self)
        """The job of ``measure``."""
        self._current: _CurrentSearch | None = None
        """The search whose messages are heard, None after ``cancel``.

        Messages of older ones may still come.
        """
        self._pausing = Event()
        """Set while searches are to pause (``pause``), looked at by their threads between steps."""
        self._singles: RolledSingles | None = None
        """The maps rolled for earlier requests, None before the first."""
        self._pins: RolledPins | None = None
        """The pinned maps as they were rolled last, None before the first.

        Set and read on the threads of searches. An older search that still runs can set its own
        after a newer one: then the pins are rolled once more than needed.
        """
        # A bound method of this object runs on its thread, whoever emits.
        connect(self._message_sent, self._on_message)

    def start(self, request: GalleryRequest) -> None:
        """Search for this; a search under way or paused is dropped."""
        current = _CurrentSearch(request)
        self._current = current
        self._run_job(partial(self._search_in_job, current, self._singles_for(request)))

    def _search_in_job(
        self,
        current: _CurrentSearch,
        singles: RolledSingles,
        progress: Progress,
        cancelled: Callable[[], bool],
    ) -> Outcome:
        """Search for a request from its beginning; on a job's thread."""
        from randomizer.batches.counts import measures_of  # the first time that takes a while

        def tell_maps(candidates: Sequence[Candidate]) -> None:
            # Many maps are not sent for nothing.
            if current is self._current:
                self._send(current, _Message.MAPS, candidates)

        def tell_tally(tried: int, found_count: int) -> None:
            self._send(current, _Message.TALLY, (tried, found_count))

        request = current.request
        generator, _ = request.setup.generator_for(request.base)
        current.waits_for_processes = not rolls_many(generator)
        measures = measures_of(generator, request.base.terrain_set, request.setup.settings)
        self._send(current, _Message.MEASURES, measures)
        if request.pins:
            self._send(
                current, _Message.PINS, self._roll_pins_in_job(request, generator, cancelled)
            )
        steps = search(request, tell_maps, tell_tally, singles.held)
        return self._go_on_in_job(current, steps, progress, cancelled)

    def _send(self, current: _CurrentSearch, message: _Message, value: object) -> None:
        """Send a message to ``_on_message`` on the window's thread, from a job's thread."""
        emit_from_work(self, self._message_sent, current, message, value)

    def _singles_for(self, request: GalleryRequest) -> RolledSingles:
        """Return the maps that were rolled for earlier requests, none if those were others."""
        maps = RolledMaps(request.setup, request.base)
        if self._singles is None or not self._singles.serve(maps, request.seed):
            self._singles = RolledSingles(maps, request.seed, HeldMaps())
        return self._singles

    def _roll_pins_in_job(
        self, request: GalleryRequest, generator: MapGenerator, cancelled: Callable[[], bool]
    ) -> list[Candidate]:
        """Return the pinned maps as they are seen on the base, measured; on a job's thread."""
        base = request.base
        earlier: Sequence[Candidate] = ()
        if self._pins is not None and self._pins.base.has_same_rolls(base):
            earlier = self._pins.candidates
        rolled = roll_pins(request.pins, base, earlier, cancelled)
        self._pins = RolledPins(base, rolled)
        pins = [as_seen(pin, base) for pin in rolled]
        measure_all(measure_of_generator(request.measure, generator, base), pins)
        return pins

    def _run_job(self, work: Callable[[Progress, Callable[[], bool]], Outcome]) -> None:
        """Let the job do some work; ``_on_job_ended`` or ``_on_job_failed`` follows."""
        self.job.run(work, self._on_job_ended, self._on_job_failed)

    def _go_on_in_job(
        self,
        current: _CurrentSearch,
        steps: Search,
        progress: Progress,
        cancelled: Callable[[], bool],
    ) -> Outcome:
        """Search on to the end, or until it is cancelled or paused; on a job's thread."""
        if not current.waits_for_processes:
            return self._take_steps_in_job(current, steps, progress, cancelled)
        with lent_thread():  # others roll the maps
            return self._take_steps_in_job(current, steps, progress, cancelled)

    def _take_steps_in_job(
        self,
        current: _CurrentSearch,
        steps: Search,
        progress: Progress,
        cancelled: Callable[[], bool],
    ) -> Outcome:
        """Take the steps of a search until it ends, or is cancelled or paused."""
        try:
            progress(next(steps))
            while not (cancelled() or self._pausing.is_set()):
                progress(steps.send(current.enough.is_set()))
        except StopIteration as end:
            ended: Ended = end.value
            return ended
        except FilterError as reason:
            return reason
        if cancelled():
            steps.close()
            return steps  # nobody gets the outcome of a job that was cancelled
        return steps  # paused: it can go on

    def stop(self) -> None:
        """End the search as soon as it can: what was found is enough."""
        if self._current is not None:
            self._current.enough.set()

    def pause(self) -> None:
        """Pause the search, and any other until ``resume``, between two steps."""
        self._pausing.set()

    def resume(self) -> None:
        """Go on with the search that was paused."""
        self._pausing.clear()
        self._resume()

    def _resume(self) -> None:
        """Go on with the search that was paused, if there is one."""
        current = self._current
        if current is None or current.paused_steps is None:
            return
        steps = current.paused_steps
        current.paused_steps = None
        self._run_job(partial(self._go_on_in_job, current, steps))

    def cancel(self) -> None:
        """Drop the search; no signal of it follows."""
        self._current = None
        self.job.cancel()

    def _on_message(self, current: _CurrentSearch, message: _Message, value: Any) -> None:
        """Emit what the thread of a search tells; ``message`` says what ``value`` is."""
        if current is not self._current:
            return
        if message is _Message.MEASURES:
            self.measures_known.emit(value)
        elif message is _Message.PINS:
            self.pinned.emit(value)
        elif message is _Message.TALLY:
            self.tried.emit(*value)
        else:
            is_first = not current.has_delivered
            current.has_delivered = True
            self.delivered.emit(value, is_first)

    def _on_job_ended(self, outcome: Outcome) -> None:
        """Tell how the job ended, or keep the search that was paused."""
        if isinstance(outcome, FilterError):
            self.failed.emit(outcome.problems, True)
            return
        current = self._current
        assert current is not None, "the job of a search that was cancelled has no end"
        if isinstance(outcome, Generator):
            current.paused_steps = outcome
            if not self._pausing.is_set():  # it was resumed before the job ended
                self._resume()
            return
        if not current.has_delivered:
            current.has_delivered = True
            self.delivered.emit([], True)  # no map was found
        self.ended.emit(outcome)

    def measure(self, measure: Measure, candidates: Sequence[Candidate]) -> None:
        """Measure these maps; ``values_known`` or ``measuring_failed`` follows."""

        def work(_progress: object, _cancelled: object) -> None:
            measure_all(measure, candidates)

        self._measuring.run(
            work, lambda _nothing: self.values_known.emit(measure), self.measuring_failed.emit
        )

    def _on_job_failed(self, problems: tuple[Problem, ...]) -> None:
        """Tell why maps cannot be rolled."""
        self.failed.emit(problems, False)
