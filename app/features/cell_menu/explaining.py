"""The entry of a cell's menu that asks why a roll gave the cell its terrain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMenu, QMessageBox

from app.background.latest_job import LatestJob
from app.qt_guard import connect
from randomizer.model.system import System

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from randomizer.model.explanation import Explanation


class Explaining(QObject):
    """Adds the entry on maps of a system that explains its rolls, and shows what it says."""

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._job = LatestJob(self)

    def add_to(self, menu: QMenu, cell: int) -> None:
        """Add the entry for a cell, if the system can explain it."""
        battlemap = self._desk.document.battlemap
        terrains = self._desk.document.composite.plane(battlemap.system.terrain)
        if not battlemap.system.offers(System.explain) or terrains is None:
            return
        name = battlemap.terrain_set.terrains[int(terrains.flat[cell])].name
        menu.addSeparator()
        action = menu.addAction(f"Why is this {name}?")
        connect(action.triggered, lambda _checked=False: self._explain(cell, name))

    def _explain(self, cell: int, name: str) -> None:
        battlemap = self._desk.document.battlemap.snapshot()
        where = battlemap.system.cell_name(battlemap.grid, cell)

        def work(_progress: object, _cancelled: object) -> Explanation | None:
            return battlemap.system.explain(battlemap, cell, False)

        def show(explanation: Explanation | None) -> None:
            self._show(f"{where}: why {name}?", explanation)

        self._job.run(work, show, lambda problems: self._desk.say(problems[0].message))

    def _show(self, title: str, explanation: Explanation | None) -> None:
        text = (
            "Nothing is known of how this was rolled." if explanation is None else explanation.words
        )
        box = QMessageBox(
            QMessageBox.Icon.Information,
            title,
            text,
            QMessageBox.StandardButton.Close,
            self._desk.frame,
        )
        box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()
