"""Whether the page of a dock can be seen, so that nothing is computed for a hidden one."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QDockWidget, QWidget

from app.qt_guard import connect, guarded


def can_be_seen(dock: QDockWidget) -> bool:
    """Return whether a dock can be seen; one in a tab behind another counts as visible for Qt.

    Qt moves such a dock out of the window.
    """
    frame = dock.parentWidget()
    inside = dock.isFloating() or frame is None or frame.rect().intersects(dock.geometry())
    return dock.isVisible() and inside


class DockVisibility(QObject):
    """Watches a page in a dock or, without a dock, in a view; ``visible``: it can be seen now."""

    changed = Signal(bool)
    """The page can be seen from now on, or not."""

    def __init__(self, page: QWidget, dock: QDockWidget | None = None) -> None:
        super().__init__(page)
        self._page = page
        self._dock = dock
        self.visible = False
        self._timer = QTimer(self, singleShot=True, interval=0)
        connect(self._timer.timeout, self._check)
        page.installEventFilter(self)
        if dock is not None:
            dock.installEventFilter(self)
            connect(dock.visibilityChanged, self._check_soon)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Page or dock are shown or hidden, or the dock is moved into the window or out of it."""
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.Move):
            self._timer.start()
        return super().eventFilter(watched, event)

    def _check_soon(self) -> None:
        self._timer.start()

    def _check(self) -> None:
        visible = self._page.isVisible() and (self._dock is None or can_be_seen(self._dock))
        if visible != self.visible:
            self.visible = visible
            self.changed.emit(visible)
