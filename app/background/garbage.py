"""Garbage collection on the UI thread only.

Python collects on whichever thread reaches the threshold. Cycles that hold Qt objects (a closed
dialog, its menus) would then be destroyed on a job's thread, which crashes the program.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

from app.qt_guard import connect

LOOK_MS = 400
"""How often the thresholds are checked."""


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
        """Collect the oldest generation that is due; the number of unreachable objects found."""
        counts, thresholds = gc.get_count(), gc.get_threshold()
        for generation in (2, 1, 0):
            if counts[generation] > thresholds[generation]:
                return gc.collect(generation)
        return 0
