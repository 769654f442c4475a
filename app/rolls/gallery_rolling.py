"""The gallery's maps are rolled off the UI thread, and arrive as they are found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from threading import Event
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.latest_job import LatestJob
from app.rolls.gallery_rolls import (
    WishError,
    carry_out,
    generator_of,
    measure_all,
    pinned,
)

if TYPE_CHECKING:
    from app.rolls.gallery_rolls import Candidate, Ended, GalleryOrder
    from randomizer.generator import Progress
    from randomizer.judging.batch import Measure


class GalleryRolling(QObject):
    """Carries out one order at a time, the newest.

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
        # A bound method of this object runs on its thread, whoever emits.
        self._arrived.connect(self._arrive)

    def start(self, order: GalleryOrder) -> None:
        """Carry this out; what is left of an order before it is dropped."""
        self._serial = serial = next(self._serials)
        self._first = True
        enough = self._enough = Event()

        def work(progress: Progress, cancelled: Callable[[], bool]) -> Ended | WishError:
            def tell(found: Sequence[Candidate]) -> None:
                if not cancelled():
                    self._arrived.emit(serial, "found", found)

            from randomizer.judging.counts import measures_of  # the first time that takes a while

            generator, _ = generator_of(order.wish, order.base)
            self._arrived.emit(serial, "known", measures_of(generator))
            if order.pins:
                pins = pinned(order.pins, order.base)
                measure_all(order.measure, pins)
                self._arrived.emit(serial, "pinned", pins)
            try:
                return carry_out(order, tell, progress, lambda: cancelled() or enough.is_set())
            except WishError as reason:
                return reason

        self.job.run(work, self._end, lambda problems: self.failed.emit(problems, False))

    def stop(self) -> None:
        """What was found is enough: the order ends as soon as it can."""
        self._enough.set()

    def cancel(self) -> None:
        """No more maps are wanted, nor any word of them."""
        self._serial = 0
        self.job.cancel()

    def _arrive(self, serial: int, what: str, made: Any) -> None:
        if serial != self._serial:
            return
        if what != "found":
            (self.known if what == "known" else self.pinned).emit(made)
        else:
            self.found.emit(made, self._first)
            self._first = False

    def _end(self, result: Ended | WishError) -> None:
        if isinstance(result, WishError):
            self.failed.emit(result.problems, True)
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
