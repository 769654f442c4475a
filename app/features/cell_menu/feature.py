"""The menu of a cell, and that of an edge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.cell_menu.controller import CellMenuController

if TYPE_CHECKING:
    from app.desk.desk import Desk


def make(desk: Desk) -> None:
    """Show the menus when the canvas asks for them."""
    CellMenuController(desk)
