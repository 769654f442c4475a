"""Whether a panel of a dock can be seen: what nobody sees need not be worked out."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QDockWidget, QWidget


class Sight(QObject):
    """``changed(bool)``: the page is seen now, or no more.

    A dock in a tab behind is not hidden for Qt: only the dock knows, and where it lies.
    """

    changed = Signal(bool)

    def __init__(self, page: QWidget, dock: QDockWidget) -> None:
        super().__init__(page)
        self._page = page
        self.seen = False
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._look)
        page.installEventFilter(self)
        dock.visibilityChanged.connect(lambda _visible: self._timer.start())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The page is shown or hidden."""
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self._timer.start()
        return super().eventFilter(watched, event)

    def _look(self) -> None:
        seen = self._page.isVisible() and not self._page.visibleRegion().isEmpty()
        if seen != self.seen:
            self.seen = seen
            self.changed.emit(seen)
