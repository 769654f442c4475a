"""The gallery's maps are rolled off the UI thread, and arrive as they are found."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from itertools import count
from threading import Event
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.background.latest_job import LatestJob
from app.features.gallery.rolls import (
    FilterError,
    carry_out,
    measure_all,
    own_measure,
    pinned,
)

if TYPE_CHECKING:
    from app.features.gallery.rolls import Candidate, Carrying, Ended, GalleryOrder
    from randomizer.batches.batch import Measure
    from randomizer.generator import Progress

    Carried = Ended | FilterError | Carrying
    """How an order ended, what is wrong with it, or what is left of it."""


class GalleryRolling(QObject):
    """Carries out one order at a time, the newest; it can rest meanwhile.

    ``known(tuple[Measure])``: what its maps can be measured by.
    ``found(candidates, first)``: more maps of the order; ``first`` for the first of them.
    ``pinned(candidates)``: those that the order had pinned. ``ended(Ended)`` or ``failed(problems,
    bool)`` comes last; the bool says that the wish is at fault. ``valued(Measure)``: the
    candidates given to ``measure`` know their values now.
    """

    known = Signal(object)
    found = Signal(object, bool)
    pinned = Signal(object)
    ended = Signal(object)
    failed = Signal(object, bool)
    valued = Signal(object)
    _arrived = Signal(int, str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.job = LatestJob(self)
        self._measuring = LatestJob(self)
        self._serials = count(1)
        self._serial = 0
        self._first = True
        self._enough = Event()
        self._resting = Event()
        self._rested: Carrying | None = None
        # A bound method of this object runs on its thread, whoever emits.
        self._arrived.connect(self._arrive)

    def start(self, order: GalleryOrder) -> None:
        """Carry this out; what is left of an order before it is dropped."""
        self._serial = serial = next(self._serials)
        self._first = True
        self._rested = None
        self._enough = Event()

        def tell(found: Sequence[Candidate]) -> None:
            if serial == self._serial:
                self._arrived.emit(serial, "found", found)

        def work(progress: Progress, cancelled: Callable[[], bool]) -> Carried:
            from randomizer.batches.counts import measures_of  # the first time that takes a while

            generator, _ = order.recipe.generator_for(order.base)
            self._arrived.emit(serial, "known", measures_of(generator))
            if order.pins:
                pins = pinned(order.pins, order.base)
                measure_all(own_measure(order.measure, generator), pins)
                self._arrived.emit(serial, "pinned", pins)
            return self._carry_on(carry_out(order, tell), progress, cancelled)

        self._run(work)

    def _run(self, work: Callable[[Progress, Callable[[], bool]], Carried]) -> None:
        self.job.run(work, self._end, lambda problems: self.failed.emit(problems, False))

    def _carry_on(
        self, steps: Carrying, progress: Progress, cancelled: Callable[[], bool]
    ) -> Carried:
        """Go on to the end, or until nobody wants it or nobody looks; on a job's thread."""
        enough = self._enough
        try:
            progress(next(steps))
            while not (cancelled() or self._resting.is_set()):
                progress(steps.send(enough.is_set()))
        except StopIteration as end:
            ended: Ended = end.value
            return ended
        except FilterError as reason:
            return reason
        return steps

    def stop(self) -> None:
        """What was found is enough: the order ends as soon as it can."""
        self._enough.set()

    def rest(self, resting: bool) -> None:
        """Let the order be for now, if it has far to go, or go on with it."""
        if not resting:
            self._resting.clear()
            self._wake()
        else:
            self._resting.set()

    def _wake(self) -> None:
        steps, self._rested = self._rested, None
        if steps is not None:
            self._run(lambda progress, cancelled: self._carry_on(steps, progress, cancelled))

    def cancel(self) -> None:
        """No more maps are wanted, nor any word of them."""
        self._serial, self._rested = 0, None
        self.job.cancel()

    def _arrive(self, serial: int, what: str, made: Any) -> None:
        if serial != self._serial:
            return
        if what != "found":
            (self.known if what == "known" else self.pinned).emit(made)
        else:
            self.found.emit(made, self._first)
            self._first = False

    def _end(self, result: Carried) -> None:
        if isinstance(result, FilterError):
            self.failed.emit(result.problems, True)
            return
        if isinstance(result, Generator):
            self._rested = result
            if not self._resting.is_set():  # it was called again before it lay down
                self._wake()
            return
        if self._first:
            self.found.emit([], True)
        self.ended.emit(result)

    def measure(self, measure: Measure, candidates: Sequence[Candidate]) -> None:
        """Find what a measure says of these maps; ``valued`` tells."""

        def work(_progress: object, _cancelled: object) -> None:
            measure_all(measure, candidates)

        def done(_nothing: None) -> None:
            self.valued.emit(measure)

        self._measuring.run(work, done, lambda problems: self.failed.emit(problems, False))
