"""Looks for what the game would warn of on the map in front, and lists it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.qt_guard import connect, later
from app.widgets.problem_list import ProblemList

if TYPE_CHECKING:
    from app.desk.desk import Desk

CHECK_DELAY_MS = 120
"""How long after the last edit the map's problems are looked for."""


class ProblemsController(QObject):
    """Checks the map after each change. Lives as long as its panel."""

    def __init__(self, desk: Desk) -> None:
        self.panel = ProblemList(
            counts=False,
            empty="No problems. What is wrong with this map appears here.",
        )
        super().__init__(self.panel)
        self._desk = desk
        connect(self.panel.activated, desk.show_problem)
        self._timer = QTimer(self, singleShot=True, interval=CHECK_DELAY_MS)
        connect(self._timer.timeout, self.check)
        connect(desk.document.changed, lambda _region: self._timer.start())
        connect(desk.document.map_replaced, self._timer.start)
        later(self, self.check)

    def check(self) -> None:
        """Look for problems now."""
        document = self._desk.document
        problems = document.battlemap.system.check(document.battlemap, document.composite)
        self.panel.set_problems(problems)
        count = len(problems)
        self._desk.docks["problems"].setWindowTitle(f"Problems ({count})" if count else "Problems")
