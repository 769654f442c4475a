"""What is selected: change the selection, fill and lock it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QObject

from app.background.actions import run
from app.desk.desk import Desk
from app.desk.large_work import LargeWork
from app.features.selection.things import PickedThings
from app.qt_guard import connect
from app.tools.painting import left_out, paint
from randomizer.geometry.shapes import Cells, grow, invert, shrink
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.value_edits import compound
from randomizer.model.grid.grid import Grid
from randomizer.model.hand.step_texts import step_text
from randomizer.model.hand.targets import left_out_words, why_not

if TYPE_CHECKING:
    from app.document.open_map import OpenMap

NOTHING = "Nothing is selected: R selects a rectangle, W an area of one terrain."


class SelectionController(QObject):
    """Changes the selection, and works on the selected cells or on picked ``things``."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._document = desk.document
        self._work = LargeWork(desk)
        self.things = PickedThings(desk)
        self._walked = -1
        self._last: WeakKeyDictionary[OpenMap, Cells] = WeakKeyDictionary()
        connect(desk.document.selection_changed, self._remember)
        connect(desk.canvas.active_tool.large_click, self._lay_down)

    def _remember(self) -> None:
        """Note the last selection of each open map, for ``reselect``."""
        if len(self._document.selection):
            self._last[self._document.current_map] = self._document.selection.cells

    # --- the selection ----------------------------------------------------------------------

    def select_all(self) -> None:
        """Select every cell."""
        self._document.select(self._document.battlemap.grid.cells)

    def select_none(self) -> None:
        """Select nothing."""
        self._document.select(np.empty(0, np.intp))

    def reselect(self) -> None:
        """Select again what was selected last."""
        cells = self._last.get(self._document.current_map)
        grid = self._document.battlemap.grid
        if cells is not None:
            self._document.select(cells[cells < grid.size])

    def invert(self) -> None:
        """Select what is not selected."""
        self._change(invert)

    def grow(self) -> None:
        """Select the neighbours too."""
        self._change(grow)

    def shrink(self) -> None:
        """Leave out the cells at the border of the selection."""
        self._change(shrink)

    def walk(self, step: int) -> None:
        """Point the keyboard at the next selected cell, or (-1) the one before."""
        cells = self.selected_cells()
        cursor = self._desk.canvas.keyboard_cursor
        if cells is None:
            return
        if cursor.cell is not None:
            self._walked = cursor.cell
        side: Literal["left", "right"] = "right" if step > 0 else "left"
        at = (int(np.searchsorted(cells, self._walked, side)) - (step < 0)) % len(cells)
        self._walked = int(cells[at])
        cursor.go_to(self._walked)
        battlemap = self._document.battlemap
        name = battlemap.system.cell_name(battlemap.grid, self._walked)
        self._desk.say(f"{name}: {at + 1:,} of {len(cells):,} selected")

    def _change(self, change: Callable[[Grid, Cells], Cells]) -> None:
        document = self._document
        document.select(change(document.battlemap.grid, document.selection.cells))

    # --- what is selected -------------------------------------------------------------------

    def selected_cells(self) -> Cells | None:
        """Return the selected cells; None, with a message, if nothing is selected."""
        cells = self._document.selection.cells
        if len(cells):
            return cells
        self._desk.say(NOTHING)
        return None

    async def _lay_down(
        self, text: str, work: Callable[[], Edit | None], why_nothing: Callable[[], str]
    ) -> None:
        """Make one undo step of a click that changes very many cells, or say why there is none."""
        edit = await self._work.result(text, work)
        if edit is None:
            self._desk.say(why_nothing() or f"{text}: nothing changes here.")
        elif self._document.push(edit, step_text(text, self._document.battlemap, [edit])):
            self._desk.say(f"{text}: done.")

    def fill(self) -> None:
        """Give the selected cells the chosen terrain."""
        cells = self.selected_cells()
        if cells is not None and not self.is_refused():
            terrain = self._desk.tools.options.terrain
            plane = self._document.battlemap.system.terrain
            if plane is None:
                return
            locked = left_out_words(left_out(self._document, plane, cells).layers)
            self._do("Fill selection", cells, lambda: paint(self._document, plane, cells, terrain))
            if locked:
                self._desk.say(locked)

    def is_refused(self, *, erasing: bool = False) -> bool:
        """Return whether nothing can be changed with this layer active; then the user is told
        why.
        """
        document = self._document
        why = why_not(document.battlemap, document.active_layer_id, erasing=erasing)
        if why:
            document.refuse(why)
        return bool(why)

    def lock(self, locked: bool) -> None:
        """Lock or unlock the selected cells and all their hexsides."""
        cells = self.selected_cells()
        if cells is None:
            return
        from app.tools.pointer import all_sides
        from randomizer.model.edits.value_edits import set_locks

        battlemap = self._document.battlemap

        def make_edit() -> Edit | None:
            sides = all_sides(battlemap.grid.degree, cells)
            return compound(
                (
                    set_locks(battlemap, cells, locked),
                    set_locks(battlemap, sides, locked, sides=True),
                )
            )

        self._do("Lock selection" if locked else "Unlock selection", cells, make_edit)

    def lock_as_before(self) -> None:
        """Set the selected cells as they were in the roll before this one, and lock them."""
        cells = self.selected_cells()
        if cells is None:
            return
        history = self._desk.rolling.history
        why = history.why_not()
        if why:
            self._document.refuse(why)
            return
        earlier_cells = history.of_last(cells)
        if earlier_cells is None:
            self._desk.say("There is no roll before this one: Roll makes another.")
            return
        text = f"Lock as in {earlier_cells.name}"
        self._do(text, cells, lambda: history.lock_cells_as(cells, earlier_cells))

    def unlock_all(self) -> None:
        """Remove all locks, whatever is selected."""
        from randomizer.model.edits.value_edits import set_locks

        battlemap = self._document.battlemap
        cells = np.flatnonzero(battlemap.locked_cells)
        sides = np.flatnonzero(battlemap.locked_sides) if battlemap.locked_sides.any() else ()
        edits = (set_locks(battlemap, cells, False), set_locks(battlemap, sides, False, sides=True))
        if not self._document.push(compound(edits), "Unlock everything"):
            self._desk.say("Nothing is locked.")

    def _do(self, text: str, cells: Cells, make_edit: Callable[[], Edit | None]) -> None:
        run(self._push(text, cells, make_edit))

    async def _push(self, text: str, cells: Cells, make_edit: Callable[[], Edit | None]) -> None:
        """Push the edit that ``make_edit`` gives, as large work on these cells."""
        edit = await self._work.result(text, make_edit, len(cells))
        edits = [] if edit is None else [edit]
        self._document.push(edit, step_text(text, self._document.battlemap, edits))
