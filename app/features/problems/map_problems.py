"""Looks for what the game would warn of on the map in front."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.qt_guard import connect, later
from app.widgets.problem_list import ProblemList

if TYPE_CHECKING:
    from app.desk.desk import Desk

CHECK_DELAY_MS = 120
"""How long after the last edit the map's problems are looked for."""


class MapProblems(QObject):
    """The source "Map" of the desk's problems: checks the map after each change."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self.list = ProblemList(counts=False)
        connect(self.list.activated, desk.show_problem)
        desk.problems.add("Map", self.list)
        self._timer = QTimer(self, singleShot=True, interval=CHECK_DELAY_MS)
        connect(self._timer.timeout, self.check)
        connect(desk.document.changed, lambda _region: self._timer.start())
        connect(desk.document.map_replaced, self._timer.start)
        later(self, self.check)

    def check(self) -> None:
        """Look for problems now."""
        document = self._desk.document
        problems = document.battlemap.system.check(document.battlemap, document.composite)
        self.list.set_problems(problems)
        self._desk.commands.refresh()
