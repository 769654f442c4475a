"""Shows the menu of the cell or of the edge that was clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from app.features.cell_menu.explaining import Explaining
from app.features.cell_menu.hex_menu import border_menu, hex_menu
from app.qt_guard import connect
from app.tools import is_side

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint

    from app.desk.desk import Desk
    from randomizer.model.grid.grid import Hit


class CellMenuController(QObject):
    """Opens the menus; the features may add to that of a cell (``Desk.cell_menu_made``)."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._explaining = Explaining(desk, self)
        connect(desk.canvas.menu_requested, self._show)

    def _show(self, hit: Hit, position: QPoint) -> None:
        desk = self._desk
        if desk.canvas.instead is not None:
            desk.say("What is shown is not the whole map: stop playing or entering the dice first.")
            return
        if is_side(desk.document.battlemap, hit):
            menu = border_menu(desk.document, hit, desk.frame, desk.renderer)
        else:
            menu = hex_menu(desk.document, hit.cell, desk.frame, desk.renderer, desk.rolling)
            self._explaining.add_to(menu, hit.cell)
            desk.cell_menu_made.emit(menu, hit.cell)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(position)
