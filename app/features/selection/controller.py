"""The actions of the menu Select that change which cells are selected.

``feature.py`` makes a ``SelectionController`` for a desk and names its methods in the menu. What
changes the selected cells themselves is in cell_edits.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QObject

from app.desk.desk import Desk
from app.qt_guard import connect
from randomizer.geometry.areas import Cells
from randomizer.geometry.neighbourhoods import grow, invert, shrink
from randomizer.model.grid.grid import Grid

if TYPE_CHECKING:
    from app.document.open_map import OpenMap

NOTHING_SELECTED = "Nothing is selected: R selects a rectangle, W an area of one terrain."
"""The message of a command that needs a selection."""

OTHER_GRID = "The map has other cells now than those that were selected last."
"""The message of *Select again* after the map was resized or turned."""

BEFORE_ALL_CELLS = -1
"""Stands for no cell: every cell comes after it."""


class LastSelection(NamedTuple):
    """The cells that were selected last on a map."""

    cells: Cells
    """The cells, ascending."""

    grid: Grid
    """The grid that has these cells: on another one the same numbers are cells elsewhere."""


class SelectionController(QObject):
    """Changes which cells are selected."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._document = desk.document
        self._walked_cell = BEFORE_ALL_CELLS
        """The cell from which ``walk`` goes on; no cell on a map on which it was not used yet."""
        self._last_selections: WeakKeyDictionary[OpenMap, LastSelection] = WeakKeyDictionary()
        """What was selected last on each open map, for ``reselect``."""
        connect(desk.document.selection_changed, self._note_selection)
        connect(desk.document.map_replaced, self._forget_walk)

    def _note_selection(self) -> None:
        """Note the selection of the current map, unless nothing is selected."""
        if len(self._document.selection):
            cells = self._document.selection.cells
            last_selection = LastSelection(cells, self._document.battlemap.grid)
            self._last_selections[self._document.current_map] = last_selection

    def _forget_walk(self) -> None:
        """Let ``walk`` begin with the first selected cell, as another map or grid is shown."""
        self._walked_cell = BEFORE_ALL_CELLS

    # --- changing the selection -------------------------------------------------------------

    def select_all(self) -> None:
        """Select every cell."""
        self._document.select(self._document.battlemap.grid.cells)

    def select_none(self) -> None:
        """Select nothing."""
        self._document.select(np.empty(0, np.intp))

    def reselect(self) -> None:
        """Select again what was selected last, unless the grid has changed since then."""
        last_selection = self._last_selections.get(self._document.current_map)
        if last_selection is None:
            return
        if last_selection.grid.same_as(self._document.battlemap.grid):
            self._document.select(last_selection.cells)
        else:
            self._desk.say(OTHER_GRID)

    def invert(self) -> None:
        """Select what is not selected."""
        self._change(invert)

    def grow(self) -> None:
        """Select the neighbours too."""
        self._change(grow)

    def shrink(self) -> None:
        """Leave out the cells at the border of the selection."""
        self._change(shrink)

    def walk(self, *, backwards: bool) -> None:
        """Move the keyboard cursor to the next selected cell, or to the one before.

        The next one is counted from the cursor, even if that is on no selected cell. After the last
        selected cell comes the first.
        """
        cells = self.selected_cells_or_tell()
        cursor = self._desk.canvas.keyboard_cursor
        if cells is None:
            return
        if cursor.cell is not None:
            self._walked_cell = cursor.cell
        # The selected cells are ascending: look for the first beyond the cursor on either side.
        if backwards:
            index = int(np.searchsorted(cells, self._walked_cell, "left")) - 1
        else:
            index = int(np.searchsorted(cells, self._walked_cell, "right"))
        index %= len(cells)
        self._walked_cell = int(cells[index])
        cursor.go_to(self._walked_cell)
        battlemap = self._document.battlemap
        name = battlemap.system.cell_name(battlemap.grid, self._walked_cell)
        self._desk.say(f"{name}: {index + 1:,} of {len(cells):,} selected")

    def _change(self, change: Callable[[Grid, Cells], Cells]) -> None:
        """Select the cells that a function returns for the grid and the selected cells."""
        document = self._document
        document.select(change(document.battlemap.grid, document.selection.cells))

    def selected_cells_or_tell(self) -> Cells | None:
        """Return the selected cells; None, and tell the user, if nothing is selected."""
        cells = self._document.selection.cells
        if len(cells):
            return cells
        self._desk.say(NOTHING_SELECTED)
        return None
