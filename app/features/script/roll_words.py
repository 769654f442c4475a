"""What was rolled last, in the status bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.qt_guard import connect

if TYPE_CHECKING:
    from app.desk.desk import Desk


class RollWords(QObject):
    """Says what was rolled, and withdraws that when another step is done or one is undone."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._said = ""
        connect(desk.rolling.rolled, self._say)
        connect(desk.document.steps_changed, self._withdraw)
        connect(desk.document.map_replaced, self._withdraw)

    def _say(self, name: str) -> None:
        self._said = f"Rolled {name}"
        self._desk.say(self._said)

    def _withdraw(self) -> None:
        bar = self._desk.frame.statusBar()
        if self._said and bar.currentMessage() == self._said:
            bar.clearMessage()
