"""Opens the menu of a cell, or of the edge between two cells, where the canvas was clicked.

``hex_menu.py`` makes both menus. Here the menu of a cell gets the entry "Why is this Hills?", on
maps of a system that can explain its rolls. Other features then add their entries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QMenu, QMessageBox

from app.background.latest_job import LatestJob
from app.desk.desk import Desk
from app.features.cell_menu.hex_menu import cell_menu, edge_menu
from app.qt_guard import connect
from app.tools import means_edge, sides_can_be_aimed_at
from app.widgets.layout.builders import plain_text
from app.widgets.layout.dialog_letters import give_letters
from randomizer.model.grid.grid import Hit
from randomizer.model.problems import ProblemError
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from randomizer.model.system.explanation import Explanation


class ExplainAction(QObject):
    """Adds the entry "Why is this Hills?" to the menu of a cell, and shows the answer."""

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._job = LatestJob(self)
        """Finds out the answer; a new question replaces one that has no answer yet."""

    def add_to(self, menu: QMenu, cell: int) -> None:
        """Add the entry for a cell, if the map has terrains and its system can explain them."""
        battlemap = self._desk.document.battlemap
        terrains = self._desk.document.composite.plane(battlemap.system.terrain)
        if not battlemap.system.offers(System.explain) or terrains is None:
            return
        name = battlemap.terrain_set.terrains[int(terrains.flat[cell])].name
        menu.addSeparator()
        action = menu.addAction(f"Why is this {name}?")
        # ``connect`` runs the coroutine that the slot returns.
        connect(action.triggered, lambda _checked=False: self._explain(cell, name))

    async def _explain(self, cell: int, name: str) -> None:
        """Show why a roll gave a cell the terrain of this name, which a job finds out."""
        battlemap = self._desk.document.battlemap.snapshot()
        cell_name = battlemap.system.cell_name(battlemap.grid, cell)

        def work(_progress: object, _cancelled: object) -> Explanation | None:
            # With ``at_once`` the search would end after a second, as a tooltip needs it.
            return battlemap.system.explain(battlemap, cell, at_once=False)

        try:
            explanation = await self._job.result(work)
        except ProblemError as reason:
            self._desk.say(reason.problems[0].message)
        else:
            self._show_answer(f"{cell_name}: why {name}?", explanation)

    def _show_answer(self, title: str, explanation: Explanation | None) -> None:
        """Show an explanation, or that there is none, as text that can be selected and copied."""
        if explanation is None:
            text = "Nothing is known of how this was rolled."
        else:
            text = explanation.words
        box = QMessageBox(
            QMessageBox.Icon.Information,
            title,
            plain_text(text),
            QMessageBox.StandardButton.Close,
            self._desk.frame,
        )
        box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        give_letters(box)
        box.open()


class CellMenuController(QObject):
    """Opens a menu for each right click on the map.

    Other features add entries to the menu of a cell when ``Desk.cell_menu_made`` is emitted.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._explain_action = ExplainAction(desk, self)
        connect(desk.canvas.menu_requested, self._open_menu)

    def _open_menu(self, hit: Hit, position: QPoint) -> None:
        """Open a menu at a position of the screen: that of an edge, or that of a cell.

        It is that of an edge if the mouse is near one, and cells are drawn large enough to aim at
        edges.
        """
        desk = self._desk
        # A menu changes values of the map, and the canvas shows others: a wargame table as it was
        # after an earlier throw, or as far as its dice are entered.
        if desk.canvas.instead is not None:
            desk.say("This is not the whole map: stop playing, or enter all dice, or drop them.")
            return
        battlemap = desk.document.battlemap
        can_be_aimed_at = sides_can_be_aimed_at(battlemap.grid, desk.canvas.viewport.scale)
        if can_be_aimed_at and means_edge(battlemap, hit):
            menu = edge_menu(desk.document, hit, desk.frame, desk.renderer)
        else:
            menu = cell_menu(desk.document, hit.cell, desk.frame, desk.renderer, desk.rolling)
            self._explain_action.add_to(menu, hit.cell)
            desk.cell_menu_made.emit(menu, hit.cell)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(position)


def make(desk: Desk) -> None:
    """Show the menus when the canvas asks for them."""
    CellMenuController(desk)
