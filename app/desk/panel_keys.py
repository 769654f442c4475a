"""The keyboard's way into a panel and back to the map."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QLineEdit, QWidget

from app.qt_guard import connect, guarded


class PanelKeys(QObject):
    """Opens panels for somebody who may have no mouse: the keyboard goes along, Escape back."""

    def __init__(self, frame: QWidget, canvas: QWidget) -> None:
        super().__init__(frame)
        self._frame, self._canvas = frame, canvas
        self._wanted: QDockWidget | None = None
        self._timer = QTimer(self, singleShot=True, interval=0)
        connect(self._timer.timeout, self._go)

    def expect(self, dock: QDockWidget) -> None:
        """Give the panel of a dock the keyboard, as soon as it is made."""
        self._wanted = dock
        dock.installEventFilter(self)  # once, however often that is said
        self._timer.start()

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Panels come later than their docks; Escape is what nothing in the panel wanted."""
        if event.type() == QEvent.Type.ChildAdded and self._wanted is not None:
            self._timer.start()
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            self._wanted = None
            if event.key() == Qt.Key.Key_Escape:
                self._leave(QApplication.focusWidget())
                return True
        return super().eventFilter(watched, event)

    def _leave(self, focus: QWidget | None) -> None:
        """From a line of text to what the panel is about, from there to the map.

        Who closes a list of words by one Escape too many is not to paint with the next Enter.
        """
        panel = focus
        while panel is not None and panel.focusProxy() is None:
            panel = panel.parentWidget()
        if isinstance(focus, QLineEdit) and panel is not None:
            panel.setFocus()
            return
        self._frame.activateWindow()  # the panel may float
        self._canvas.setFocus()

    def _go(self) -> None:
        if self._wanted is None:
            return
        panel = self._wanted.widget()
        first = None if panel is None else panel.focusProxy() or _first(panel)
        if first is not None:
            self._wanted = None
            first.setFocus(Qt.FocusReason.ShortcutFocusReason)


def _first(panel: QWidget) -> QWidget | None:
    """The first widget that Tab would reach, None if there is none (yet)."""
    each = panel.nextInFocusChain()
    while each is not None and each is not panel and panel.isAncestorOf(each):
        takes_tab = each.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
        if takes_tab and each.isEnabled() and each.isVisible():
            return each
        each = each.nextInFocusChain()
    return None
