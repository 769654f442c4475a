"""Whether a panel of a dock can be seen: what nobody sees need not be worked out."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance
from PySide6.QtWidgets import QDockWidget, QWidget


class Sight(QObject):
    """``changed(bool)``: the page, which tells with ``looked`` when it is shown or hidden, is seen
    now, or no more.

    A dock in a tab behind is not hidden for Qt: only the dock knows, and where it lies.
    """

    changed = Signal(bool)

    def __init__(self, page: QWidget, looked: SignalInstance, dock: QDockWidget) -> None:
        super().__init__(page)
        self._page = page
        self.seen = False
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._look)
        looked.connect(self._timer.start)
        dock.visibilityChanged.connect(lambda _visible: self._timer.start())

    def _look(self) -> None:
        seen = self._page.isVisible() and not self._page.visibleRegion().isEmpty()
        if seen != self.seen:
            self.seen = seen
            self.changed.emit(seen)
