"""Whether the page of a dock can be seen, so that nothing is computed for a hidden one."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QDockWidget, QWidget

from app.qt_guard import connect, guarded


class DockVisibility(QObject):
    """Watches a page; ``changed(bool)`` reports whether it is ``visible`` now.

    ``QWidget.isVisible`` is not enough: a dock that lies in a tab behind another one counts as
    visible for Qt.
    """

    changed = Signal(bool)

    def __init__(self, page: QWidget, dock: QDockWidget) -> None:
        super().__init__(page)
        self._page = page
        self.visible = False
        self._timer = QTimer(self, singleShot=True, interval=0)
        connect(self._timer.timeout, self._check)
        page.installEventFilter(self)
        connect(dock.visibilityChanged, lambda _visible: self._timer.start())

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The page is shown or hidden."""
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self._timer.start()
        return super().eventFilter(watched, event)

    def _check(self) -> None:
        visible = self._page.isVisible() and not self._page.visibleRegion().isEmpty()
        if visible != self.visible:
            self.visible = visible
            self.changed.emit(visible)
