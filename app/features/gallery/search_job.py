"""The gallery's search off the UI thread: its maps arrive as they are found."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from itertools import count
from threading import Event
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.background.jobs import emit_from_work, lent_thread
from app.background.latest_job import LatestJob
from app.features.gallery.candidates import as_seen, measure_all, own_measure, roll_pins
from app.features.gallery.search import FilterError, search
from app.qt_guard import connect
from app.rolling.roll_setup import RolledMaps
from randomizer.batches.batch_generator import rolls_many

if TYPE_CHECKING:
    from app.features.gallery.candidates import Candidate
    from app.features.gallery.search import Ended, GalleryRequest, Search
    from randomizer.batches.batch import Batch, Measure
    from randomizer.generator import Base, Progress
    from randomizer.model.problems import Problem

    Outcome = Ended | FilterError | Search
    """How a search ended, what is wrong with its filter, or the search that is paused."""


class GallerySearch(QObject):
    """Searches for one request at a time, the newest; it can be paused.

    ``recognised(tuple[Measure])``: what its maps can be measured by.
    ``delivered(candidates, first)``: more maps of the request; ``first`` for the first of them.
    ``pinned(candidates)``: the request's pinned maps. ``ended(Ended)`` or ``failed(problems,
    bool)`` comes last; the bool says that the filter is at fault. ``valued(Measure)``: the
    candidates given to ``measure`` have its values now.
    """

    recognised = Signal(object)
    delivered = Signal(object, bool)
    pinned = Signal(object)
    ended = Signal(object)
    failed = Signal(object, bool)
    valued = Signal(object)
    _arrived = Signal(int, str, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.job = LatestJob(self)
        self._measuring = LatestJob(self)
        self._serials = count(1)
        self._serial = 0
        self._first = True
        self._enough = Event()
        self._pausing = Event()
        self._paused: Search | None = None
        self._waits = False
        self._pinned: tuple[Base, list[Candidate]] | None = None
        self._rolled: tuple[RolledMaps, int, dict[int, Batch]] | None = None
        # A bound method of this object runs on its thread, whoever emits.
        connect(self._arrived, self._arrive)

    def start(self, request: GalleryRequest) -> None:
        """Search for this; a search under way or paused is dropped."""
        self._serial = serial = next(self._serials)
        self._first = True
        self._paused = None
        self._enough = Event()
        maps = RolledMaps(request.setup, request.base)
        last_rolled = self._rolled
        # What lies above the rolls may change: it is laid on them when they are shown.
        if (
            last_rolled is None
            or last_rolled[1] != request.seed
            or not last_rolled[0].has_rolls_of(maps)
        ):
            last_rolled = (maps, request.seed, {})
        self._rolled = last_rolled
        batches = last_rolled[2]

        def tell(candidates: Sequence[Candidate]) -> None:
            if serial == self._serial:
                emit_from_work(self, self._arrived, serial, "found", candidates)

        def work(progress: Progress, cancelled: Callable[[], bool]) -> Outcome:
            from randomizer.batches.counts import measures_of  # the first time that takes a while

            generator, _ = request.setup.generator_for(request.base)
            self._waits = not rolls_many(generator)
            base = request.base
            settings = request.setup.settings
            measures = measures_of(generator, base.terrain_set, settings)
            emit_from_work(self, self._arrived, serial, "known", measures)
            if request.pins:
                last_rolled = self._pinned
                same = last_rolled is not None and last_rolled[0].same_as(request.base)
                if last_rolled is not None and same:
                    known_pins = last_rolled[1]
                else:
                    known_pins = []
                pins = roll_pins(request.pins, request.base, known_pins, cancelled)
                self._pinned = request.base, pins
                pins = [as_seen(pin, request.base) for pin in pins]
                measure_all(own_measure(request.measure, generator, request.base), pins)
                emit_from_work(self, self._arrived, serial, "pinned", pins)
            return self._go_on(search(request, tell, batches), progress, cancelled)

        self._run(work)

    def _run(self, work: Callable[[Progress, Callable[[], bool]], Outcome]) -> None:
        self.job.run(work, self._end, self._fail)

    def _go_on(self, steps: Search, progress: Progress, cancelled: Callable[[], bool]) -> Outcome:
        """Go on to the end, or until it is cancelled or paused; on a job's thread."""
        if not self._waits:
            return self._steps(steps, progress, cancelled)
        with lent_thread():  # others roll the maps
            return self._steps(steps, progress, cancelled)

    def _steps(self, steps: Search, progress: Progress, cancelled: Callable[[], bool]) -> Outcome:
        enough = self._enough
        try:
            progress(next(steps))
            while not (cancelled() or self._pausing.is_set()):
                progress(steps.send(enough.is_set()))
        except StopIteration as end:
            ended: Ended = end.value
            return ended
        except FilterError as reason:
            return reason
        if cancelled():
            steps.close()
        return steps

    def stop(self) -> None:
        """End the search as soon as it can: what was found is enough."""
        self._enough.set()

    def pause(self, paused: bool) -> None:
        """Pause the search between two steps, or go on with it."""
        if not paused:
            self._pausing.clear()
            self._resume()
        else:
            self._pausing.set()

    def _resume(self) -> None:
        steps = self._paused
        self._paused = None
        if steps is not None:
            self._run(lambda progress, cancelled: self._go_on(steps, progress, cancelled))

    def cancel(self) -> None:
        """Drop the search; no signal of it follows."""
        self._serial = 0
        self._paused = None
        self.job.cancel()

    def _arrive(self, serial: int, kind: str, value: Any) -> None:
        if serial != self._serial:
            return
        if kind != "found":
            (self.recognised if kind == "known" else self.pinned).emit(value)
        else:
            self.delivered.emit(value, self._first)
            self._first = False

    def _end(self, result: Outcome) -> None:
        if isinstance(result, FilterError):
            self.failed.emit(result.problems, True)
            return
        if isinstance(result, Generator):
            self._paused = result
            if not self._pausing.is_set():  # it was resumed before the job ended
                self._resume()
            return
        if self._first:
            self.delivered.emit([], True)
        self.ended.emit(result)

    def measure(self, measure: Measure, candidates: Sequence[Candidate]) -> None:
        """Measure these maps; ``valued`` follows."""

        def work(_progress: object, _cancelled: object) -> None:
            measure_all(measure, candidates)

        self._measuring.run(work, lambda _nothing: self.valued.emit(measure), self._fail)

    def _fail(self, problems: tuple[Problem, ...]) -> None:
        self.failed.emit(problems, False)
