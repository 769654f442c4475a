"""Work after the first paint: step by step, where a step that fails stops no other.

The window makes its features so::

    steps = StartSteps([Step("the panel Help", make_help), ...], window)
    steps.begin_without_paint_later()     # in case that no paint comes
    steps.begin()                         # called at the first paint
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from PySide6.QtCore import QDeadlineTimer, QObject, QTimer, Signal

from app.qt_guard import connect, report_fault


class Step(NamedTuple):
    """One piece of the work."""

    title: str
    """The noun for what it makes, for a message."""

    make: Callable[[], object]
    """Makes it."""


PAINT_WAIT_MS = 1500
"""A window that starts minimised or behind others is never painted: begin after this time."""

TURN_MS = 8
"""The time in a turn after which no further step begins. With more, the window would answer late;
with less, it would be laid out and painted anew after each of some eighty steps."""


class StartSteps(QObject):
    """Runs a few steps in each turn of the event loop, so that the window answers in between.

    ``steps`` may be a generator: the next one is asked for when its turn has come. A step that
    raises is reported as a fault.
    """

    finished = Signal()
    """The last step is done; emitted once."""

    def __init__(
        self,
        steps: Iterable[Step],
        parent: QObject,
        *,
        paint_wait_ms: int = PAINT_WAIT_MS,
        turn_ms: int = TURN_MS,
    ) -> None:
        super().__init__(parent)
        self._steps = iter(steps)
        self._paint_wait_ms = paint_wait_ms
        self._turn_ms = turn_ms
        self._has_begun = False
        self._timer = QTimer(self)
        """Runs the next steps, at an interval of 0: once in each turn of the event loop."""
        connect(self._timer.timeout, self._next)
        self._paint_timer = QTimer(self, singleShot=True)
        """Begins without a paint."""
        connect(self._paint_timer.timeout, self.begin)

    def begin_without_paint_later(self) -> None:
        """Begin after ``paint_wait_ms``, unless the first paint has called ``begin`` before."""
        if not self._has_begun:
            self._paint_timer.start(self._paint_wait_ms)

    def begin(self) -> None:
        """Begin now, unless it has begun."""
        if not self._has_begun:
            self._has_begun = True
            self._paint_timer.stop()
            self._timer.start(0)

    def _next(self) -> None:
        """Run a step, and more while there is time, or end; called in each turn."""
        deadline = QDeadlineTimer(self._turn_ms)
        while True:
            next_step = next(self._steps, None)
            if next_step is None:
                self._timer.stop()
                self.finished.emit()
                return
            _run(next_step)
            if deadline.hasExpired():
                return


def _run(step: Step) -> None:
    """Run a step, and report its fault instead of raising it."""
    try:
        step.make()
    except Exception as reason:  # noqa: BLE001 - reported; the other steps must run
        reason.add_note(f"{step.title} could not be made")
        report_fault(reason)
