"""Watches whether the page of a dock can be seen, so that nothing is computed for a hidden one."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QDockWidget, QWidget

from app.qt_guard import connect, guarded


def can_be_seen(dock: QDockWidget) -> bool:
    """Return whether a dock can be seen; one in a tab behind another counts as visible for Qt.

    Qt moves such a dock out of the window.
    """
    if not dock.isVisible():
        return False
    window = dock.parentWidget()
    if dock.isFloating() or window is None:
        return True
    return window.rect().intersects(dock.geometry())


class DockVisibility(QObject):
    """Watches a page in a dock or, without a dock, in a view."""

    changed = Signal(bool)
    """The page can be seen from now on, or not."""

    def __init__(self, page: QWidget, dock: QDockWidget | None = None) -> None:
        super().__init__(page)
        self._page = page
        self._dock = dock
        self.visible = False
        """True if the page can be seen, as far as ``changed`` has told it."""
        self._timer = QTimer(self, singleShot=True, interval=0)
        """Delays the check until Qt has moved the dock."""
        connect(self._timer.timeout, self._check)
        page.installEventFilter(self)
        if dock is not None:
            dock.installEventFilter(self)
            connect(dock.visibilityChanged, self._check_soon)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Check after page or dock were shown or hidden, or the dock moved in or out of sight."""
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.Move):
            self._timer.start()
        return super().eventFilter(watched, event)

    def _check_soon(self) -> None:
        """Check in the next turn of the event loop."""
        self._timer.start()

    def _check(self) -> None:
        """Tell if the page can be seen from now on, or cannot any more."""
        visible = self._page.isVisible() and (self._dock is None or can_be_seen(self._dock))
        if visible != self.visible:
            self.visible = visible
            self.changed.emit(visible)
