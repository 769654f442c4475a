"""The keyboard's way into a panel and back to the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

if TYPE_CHECKING:
    from app.desk.desk import Desk


class PanelKeys(QObject):
    """Opens panels for somebody who may have no mouse: the keyboard goes along, Escape back."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._wanted = ""
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._go)

    def open(self, name: str) -> None:
        """Show the panel of a dock and give it the keyboard, as soon as it is made."""
        self._wanted = name
        self._desk.docks[name].installEventFilter(self)  # once, however often that is said
        self._desk.docks.show(name)
        self._timer.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Panels come later than their docks; Escape is what nothing in the panel wanted."""
        if event.type() == QEvent.Type.ChildAdded and self._wanted:
            self._timer.start()
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            self._wanted = ""
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
        self._desk.frame.activateWindow()  # the panel may float
        self._desk.canvas.setFocus()

    def _go(self) -> None:
        if not self._wanted:
            return
        panel = self._desk.docks[self._wanted].widget()
        first = None if panel is None else panel.focusProxy() or _first(panel)
        if first is not None:
            self._wanted = ""
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
