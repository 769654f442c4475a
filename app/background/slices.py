"""Work on the UI thread in slices, of which one runs in each turn of the event loop.

Timers of interval 0 all run in the same turn, one after another: what is a short slice for each of
them is a long pause for the user. Slices of all objects take turns instead::

    self._slices = Slices(self._draw_next, self)    # returns whether more is to be drawn
    self._slices.start()
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import QObject, QTimer
from shiboken6 import isValid

from app.qt_guard import connect

GAP_MS = 1
"""The time between two slices, in which the event loop answers the user.

With 0, Qt can run two slices without asking for the mouse in between. With more, a hundred slices
would take longer to come to their end than to run.
"""


class Slices(QObject):
    """The work of one object, whose ``run_slice`` is called once in a turn while it returns True.

    Use it from the UI thread. The work ends with its parent, and with a slice that raises.
    """

    _waiting: ClassVar[deque[Slices]] = deque()
    """The work of all objects that goes on, in the order of the next slices."""

    _timer: ClassVar[QTimer | None] = None
    """Runs the next slice; None before the first one."""

    def __init__(self, run_slice: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._run_slice = run_slice
        self._is_stopped = False
        """True from ``stop`` until the next ``start``, which can come during a slice."""

    @property
    def is_active(self) -> bool:
        """True if another slice is to be run; False within the last one, and within any that runs.

        A slice that is running goes on by what it returns.
        """
        return self in self._waiting

    def start(self) -> None:
        """Run the first slice in a later turn, unless the work goes on anyway."""
        self._is_stopped = False
        if not self.is_active:
            self._waiting.append(self)
            self._start_timer()

    def stop(self) -> None:
        """Run no more slices until the next ``start``, also if a slice is running now."""
        self._is_stopped = True
        if self.is_active:
            self._waiting.remove(self)

    @classmethod
    def _start_timer(cls) -> None:
        """Let the next slice run in a later turn."""
        if cls._timer is None or not isValid(cls._timer):
            cls._timer = QTimer(singleShot=True, interval=GAP_MS)
            connect(cls._timer.timeout, cls._run_next)
        if not cls._timer.isActive():
            cls._timer.start()

    @classmethod
    def _take_next(cls) -> Slices | None:
        """Take the next work from those that wait; None if none does."""
        while cls._waiting:
            work = cls._waiting.popleft()
            if isValid(work):  # else its parent was deleted
                return work
        return None

    @classmethod
    def _run_next(cls) -> None:
        """Run the next slice, and put its work at the end if there is more of it."""
        work = cls._take_next()
        if work is None:
            return
        goes_on = False
        try:
            goes_on = work._run_slice()
        finally:
            # A slice can delete its object, or stop the work or start it anew.
            if goes_on and isValid(work) and not work._is_stopped:
                work.start()
            if cls._waiting:
                cls._start_timer()
