"""Garbage collection on the UI thread only; and memory that goes back to the system.

Python collects on whichever thread reaches the threshold. Cycles that hold Qt objects (a closed
dialog, its menus) would then be destroyed on a job's thread, which crashes the program.
"""

from __future__ import annotations

import ctypes
import gc
import sys

from PySide6.QtCore import QObject, QTimer

from app.qt_guard import connect

LOOK_MS = 400
"""The milliseconds between two looks whether a generation is due."""

HEAPS = 2
"""The number of heaps: one of the window's thread, one that all other threads share."""

_M_ARENA_MAX = -8
"""The option of ``mallopt`` for the number of heaps, from ``malloc.h`` of glibc."""


def limit_heaps() -> None:
    """Let the threads of jobs share one heap of glibc.

    Else there are eight heaps a core, and each keeps up to 64 MB that are free at its end: after
    ten minutes of the random walk the process had 460 MB instead of 325, with the same in use.
    """
    if sys.platform != "linux":
        return
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:  # other libraries for C than glibc have no such function
        set_option(_M_ARENA_MAX, HEAPS)


class UiGarbage(QObject):
    """Switches automatic collection off and collects by a timer, on the thread that made it.

    A generation is collected when Python itself would do so (``gc.get_threshold``).
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        connect(self._timer.timeout, self.collect_due)
        self._timer.start()

    def collect_due(self) -> int:
        """Collect the oldest generation that is due, and with it the younger ones.

        Return the number of unreachable objects, 0 if no generation was due.
        """
        counts = gc.get_count()
        thresholds = gc.get_threshold()
        for generation in (2, 1, 0):
            if counts[generation] > thresholds[generation]:
                return gc.collect(generation)
        return 0
