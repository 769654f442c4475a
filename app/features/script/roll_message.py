"""The message on each roll in the status bar."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.desk.desk import Desk
from app.qt_guard import connect


class RollMessage(QObject):
    """Shows a message on each roll in the status bar, until a step is done or undone."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._message = ""
        """The message that was shown last."""
        connect(desk.rolling.rolled, self._show)
        connect(desk.document.steps_changed, self._clear)
        connect(desk.document.map_replaced, self._clear)

    def _show(self, text: str) -> None:
        """Show the message on a roll."""
        self._message = text
        self._desk.say(text)

    def _clear(self) -> None:
        """Clear the message, unless the status bar shows another one by now."""
        bar = self._desk.frame.statusBar()
        if self._message and bar.currentMessage() == self._message:
            bar.clearMessage()
