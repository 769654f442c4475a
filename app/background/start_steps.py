"""Work after the first paint: step by step, where a step that fails stops no other."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, QTimer, Signal

from app.qt_guard import connect, report_fault

Step = tuple[str, Callable[[], object]]
"""What the step makes, for a message, and the function that does it."""


PAINT_WAIT_MS = 1500
"""A window that starts minimised or behind others is never painted: begin after this time."""


class StartSteps(QObject):
    """Runs one step in each turn of the event loop, so that the window answers in between.

    A step is asked for when its turn has come. One that fails is reported as a fault.
    ``finished()`` comes once, after the last step.
    """

    finished = Signal()

    def __init__(
        self, steps: Iterable[Step], parent: QObject, *, paint_wait_ms: int = PAINT_WAIT_MS
    ) -> None:
        super().__init__(parent)
        self._steps = iter(steps)
        self._paint_wait_ms = paint_wait_ms
        self._begun = False
        self._timer = QTimer(self)
        connect(self._timer.timeout, self._next)
        self._wait = QTimer(self, singleShot=True)
        connect(self._wait.timeout, self.begin)

    def expect_paint(self) -> None:
        """Begin when ``begin`` is called, or after ``paint_wait_ms`` without that."""
        if not self._begun:
            self._wait.start(self._paint_wait_ms)

    def begin(self) -> None:
        """Begin now, unless it has begun."""
        if not self._begun:
            self._begun = True
            self._wait.stop()
            self._timer.start(0)

    def _next(self) -> None:
        following = next(self._steps, None)
        if following is None:
            self._timer.stop()
            self.finished.emit()
            return
        words, step = following
        try:
            step()
        except Exception as reason:  # noqa: BLE001 - reported; the other steps must run
            reason.add_note(f"{words} could not be made")
            report_fault(reason)
