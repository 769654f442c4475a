"""The gallery's search off the UI thread: its maps arrive as they are found.

``GallerySearch.start`` begins the work of a search (``SearchWork``) on a job's thread. What it
finds goes to the window's thread as messages, which become signals there::

    the job's thread               the window's thread

    SearchWork.run
      sends MEASURES  -> _on_message      measures_known
            PINS                          pinned
            MAPS                          delivered
            TALLY                         tried
      returns         -> _on_job_ended    ended, failed or filter_refused; not yet if it is paused
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.background.jobs import emit_from_work
from app.background.latest_job import LatestJob
from app.features.gallery.candidates import measure_all
from app.features.gallery.search import FilterError
from app.features.gallery.search_work import (
    Interruption,
    Message,
    PinCache,
    RollCache,
    SearchWork,
)
from app.qt_guard import connect
from app.rolling.rolled_maps import RolledMaps
from randomizer.batches.map_stream import HeldMaps

if TYPE_CHECKING:
    from app.features.gallery.candidates import Candidate
    from app.features.gallery.search import Ended, GalleryRequest
    from randomizer.batches.batch import Measure
    from randomizer.model.problems import Problem


@dataclass
class _NewestSearch:
    """The search that was started last, from its start until another one starts."""

    work: SearchWork
    """What it does on the thread of a job."""

    has_delivered: bool = False
    """True once maps of it were delivered, or that there are none."""

    is_paused: bool = False
    """True while it is paused: its job has ended, the search has not."""


class GallerySearch(QObject):
    """Searches for one request at a time, the newest; it can be paused.

    Of the signals of one request ``ended``, ``failed`` or ``filter_refused`` comes last.
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

    failed = Signal(object)
    """tuple[Problem, ...]: why no maps can be rolled."""

    filter_refused = Signal(object)
    """tuple[Problem, ...]: why no map can pass the filter."""

    values_known = Signal(object)
    """Measure: the candidates given to ``measure`` have its values now."""

    measuring_failed = Signal(object)
    """tuple[Problem, ...]: why the candidates given to ``measure`` have no values."""

    _message_sent = Signal(object, object, object)
    """From the thread of a search: its ``SearchWork``, a ``Message``, and the value."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.job = LatestJob(self)
        """The job that searches."""
        self._measuring = LatestJob(self)
        """The job of ``measure``."""
        self._newest: _NewestSearch | None = None
        """The newest search; None before the first and after ``cancel``.

        Only its messages are heard: messages of older ones may still come.
        """
        self._is_pausing = False
        """True from ``pause`` to ``resume``: each search that starts meanwhile pauses, too."""
        self._roll_cache: RollCache | None = None
        """The maps rolled for earlier requests, None before the first."""
        self._pin_cache = PinCache()
        # A bound method of this object runs on its thread, whoever emits.
        connect(self._message_sent, self._on_message)

    def start(self, request: GalleryRequest) -> None:
        """Search for this; a search under way or paused is dropped."""
        work = SearchWork(request, self._cache_for(request), self._pin_cache, self._send)
        if self._is_pausing:
            work.pausing.set()
        self._newest = _NewestSearch(work)
        self._run_job(work)

    def _cache_for(self, request: GalleryRequest) -> RollCache:
        """Return the maps that were rolled for earlier requests, none if those were others."""
        maps = RolledMaps(request.setup, request.base)
        cache = self._roll_cache
        if cache is None or not cache.can_be_used_for(maps, request.seed):
            cache = RollCache(maps, request.seed, HeldMaps())
            self._roll_cache = cache
        return cache

    def _run_job(self, work: SearchWork) -> None:
        """Let the job begin a search, or go on with it; its end or its failure follows."""
        self.job.run(work.run, self._on_job_ended, self._on_job_failed)

    def stop(self) -> None:
        """End the search as soon as it can: what was found is enough.

        A paused search ends when it is resumed.
        """
        if self._newest is not None:
            self._newest.work.enough.set()

    def pause(self) -> None:
        """Pause the search, and any other until ``resume``, between two steps."""
        self._is_pausing = True
        if self._newest is not None:
            self._newest.work.pausing.set()

    def resume(self) -> None:
        """Go on with the search that was paused."""
        self._is_pausing = False
        newest = self._newest
        if newest is None:
            return
        newest.work.pausing.clear()
        if newest.is_paused:
            newest.is_paused = False
            self._run_job(newest.work)

    def cancel(self) -> None:
        """Drop the search; no signal of it follows."""
        self._newest = None
        self.job.cancel()

    # --- what a search finds ----------------------------------------------------------------

    def _send(self, work: SearchWork, message: Message, value: object) -> None:
        """Send a message to ``_on_message`` on the window's thread, from a job's thread."""
        # Do not hand over the many maps of an outdated search: nobody would hear of them.
        newest = self._newest
        if newest is not None and work is newest.work:
            emit_from_work(self, self._message_sent, work, message, value)

    def _on_message(self, work: SearchWork, message: Message, value: Any) -> None:
        """Emit what the thread of a search tells; ``message`` says what ``value`` is."""
        newest = self._newest
        if newest is None or work is not newest.work:
            return
        if message is Message.MEASURES:
            self.measures_known.emit(value)
        elif message is Message.PINS:
            self.pinned.emit(value)
        elif message is Message.TALLY:
            self.tried.emit(*value)
        else:
            self._deliver(newest, value)

    def _deliver(self, newest: _NewestSearch, candidates: list[Candidate]) -> None:
        """Tell of maps that the newest search has found."""
        is_first = not newest.has_delivered
        newest.has_delivered = True
        self.delivered.emit(candidates, is_first)

    def _on_job_ended(self, outcome: Ended | FilterError | Interruption) -> None:
        """Tell how the search ended; one that was paused is only noted."""
        newest = self._newest
        if newest is None or outcome is Interruption.CANCELLED:
            return
        if outcome is Interruption.PAUSED:
            newest.is_paused = True
            if not self._is_pausing:  # it was resumed before the job ended
                self.resume()
        elif isinstance(outcome, FilterError):
            self.filter_refused.emit(outcome.problems)
        else:
            if not newest.has_delivered:
                self._deliver(newest, [])  # no map was found
            self.ended.emit(outcome)

    def _on_job_failed(self, problems: tuple[Problem, ...]) -> None:
        """Tell why maps cannot be rolled."""
        self.failed.emit(problems)

    # --- values of maps that were found -----------------------------------------------------

    def measure(self, measure: Measure, candidates: Sequence[Candidate]) -> None:
        """Measure these maps; ``values_known`` or ``measuring_failed`` follows."""

        def work(_progress: object, _cancelled: object) -> None:
            measure_all(measure, candidates)

        self._measuring.run(
            work, lambda _nothing: self.values_known.emit(measure), self.measuring_failed.emit
        )
