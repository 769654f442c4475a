"""The actions of the menu Select: they change the selection, and fill and lock selected cells.

``feature.py`` makes a ``SelectionController`` for a desk and names its methods in the menu. Edits
of the selected cells go through ``_begin``, which computes those of many cells on another thread.

    lock() -> _begin -> _push -> _make_step      the edit and its text, maybe computed in a job
                            `--> document.push   one undo step
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QObject

from app.background.actions import run
from app.desk.desk import Desk
from app.desk.large_work import LargeWork
from app.features.selection.things import PickedThings
from app.qt_guard import connect
from app.tools.painting import left_out, paint
from randomizer.geometry.areas import Cells
from randomizer.geometry.neighbourhoods import grow, invert, shrink
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.value_edits import compound
from randomizer.model.grid.grid import Grid
from randomizer.model.hand.step_texts import step_text
from randomizer.model.hand.targets import left_out_words, why_not
from randomizer.storage.records.encoding import encode_ahead

if TYPE_CHECKING:
    from app.canvas.active_tool import LargeClick
    from app.document.open_map import OpenMap

NOTHING_SELECTED = "Nothing is selected: R selects a rectangle, W an area of one terrain."
"""The message of a command that needs a selection."""


class _Step(NamedTuple):
    """An edit and the name of its undo step."""

    edit: Edit | None
    """None if there is nothing to change."""

    name: str


class SelectionController(QObject):
    """Changes the selection, and the selected cells; ``things`` changes the picked things."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._document = desk.document
        self._work = LargeWork(desk)
        self.things = PickedThings(desk)
        self._walked_cell = -1
        """The cell to which ``walk`` went last; -1, less than any cell, before the first walk."""
        self._last_selections: WeakKeyDictionary[OpenMap, Cells] = WeakKeyDictionary()
        """The cells that were selected last on each open map, for ``reselect``."""
        connect(desk.document.selection_changed, self._note_selection)
        connect(desk.canvas.active_tool.large_clicked, self._push_large_click)

    def _note_selection(self) -> None:
        """Note the selection of the current map, unless nothing is selected."""
        if len(self._document.selection):
            cells = self._document.selection.cells
            self._last_selections[self._document.current_map] = cells

    # --- changing the selection -------------------------------------------------------------

    def select_all(self) -> None:
        """Select every cell."""
        self._document.select(self._document.battlemap.grid.cells)

    def select_none(self) -> None:
        """Select nothing."""
        self._document.select(np.empty(0, np.intp))

    def reselect(self) -> None:
        """Select again what was selected last, as far as the map still has those cells."""
        cells = self._last_selections.get(self._document.current_map)
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
        """Move the keyboard cursor to the next selected cell (``step`` 1), or the one before (-1).

        The next one is counted from the cursor, even if that is on no selected cell. After the last
        selected cell comes the first.
        """
        cells = self.selected_cells()
        cursor = self._desk.canvas.keyboard_cursor
        if cells is None:
            return
        if cursor.cell is not None:
            self._walked_cell = cursor.cell
        # The selected cells are ascending: look for the first beyond the cursor on either side.
        if step > 0:
            index = int(np.searchsorted(cells, self._walked_cell, "right"))
        else:
            index = int(np.searchsorted(cells, self._walked_cell, "left")) - 1
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

    # --- changing the selected cells --------------------------------------------------------

    def selected_cells(self) -> Cells | None:
        """Return the selected cells; None, and tell the user, if nothing is selected."""
        cells = self._document.selection.cells
        if len(cells):
            return cells
        self._desk.say(NOTHING_SELECTED)
        return None

    async def _push_large_click(self, click: LargeClick) -> None:
        """Make one undo step of a click that changes very many cells.

        The user is told when it is done, or why nothing changes.
        """
        text = click.step_text
        step = await self._make_step(text, click.work)
        if step.edit is None:
            reason = click.why_nothing()
            if not reason:
                reason = f"{text}: nothing changes here."
            self._desk.say(reason)
        elif self._document.push(step.edit, step.name):
            self._desk.say(f"{text}: done.")

    def fill(self) -> None:
        """Give the selected cells the chosen terrain."""
        cells = self.selected_cells()
        plane = self._document.battlemap.system.terrain
        if cells is None or self.is_refused() or plane is None:
            return
        terrain = self._desk.tools.options.terrain
        locked_text = left_out_words(left_out(self._document, plane, cells).layers)
        self._begin("Fill selection", cells, lambda: paint(self._document, plane, cells, terrain))
        if locked_text:
            self._desk.say(locked_text)

    def is_refused(self, *, erasing: bool = False) -> bool:
        """Return whether the active layer cannot be changed; then the user is told why."""
        document = self._document
        reason = why_not(document.battlemap, document.active_layer_id, erasing=erasing)
        if reason:
            document.refuse(reason)
            return True
        return False

    def lock(self) -> None:
        """Lock the selected cells and all their hexsides: rolls leave them as they are."""
        self._set_locked(is_locked=True)

    def unlock(self) -> None:
        """Unlock the selected cells and all their hexsides."""
        self._set_locked(is_locked=False)

    def _set_locked(self, *, is_locked: bool) -> None:
        """Lock or unlock the selected cells and all their hexsides, as one undo step."""
        cells = self.selected_cells()
        if cells is None:
            return
        from app.tools.pointer import all_sides
        from randomizer.model.edits.value_edits import set_locks

        battlemap = self._document.battlemap

        def make_edit() -> Edit | None:
            sides = all_sides(battlemap.grid, cells)
            lock_cells = set_locks(battlemap, cells, is_locked)
            lock_sides = set_locks(battlemap, sides, is_locked, sides=True)
            return compound((lock_cells, lock_sides))

        text = "Unlock selection"
        if is_locked:
            text = "Lock selection"
        self._begin(text, cells, make_edit)

    def lock_as_before(self) -> None:
        """Give the selected cells what they had in the roll before this one, and lock them."""
        cells = self.selected_cells()
        if cells is None:
            return
        earlier_contents = self._desk.rolling.earlier_contents
        reason = earlier_contents.why_not()
        if reason:
            self._document.refuse(reason)
            return
        earlier_cells = earlier_contents.values_before_last_roll(cells)
        if earlier_cells is None:
            self._desk.say("There is no roll before this one: Roll makes another.")
            return
        text = f"Lock as in {earlier_cells.name}"
        self._begin(text, cells, lambda: earlier_contents.lock_cells_as(cells, earlier_cells))

    def unlock_all(self) -> None:
        """Remove all locks, whatever is selected."""
        from randomizer.model.edits.value_edits import set_locks

        battlemap = self._document.battlemap
        cells = np.flatnonzero(battlemap.locked_cells)
        sides = np.flatnonzero(battlemap.locked_sides)
        edits = (set_locks(battlemap, cells, False), set_locks(battlemap, sides, False, sides=True))
        if not self._document.push(compound(edits), "Unlock everything"):
            self._desk.say("Nothing is locked.")

    def _begin(self, text: str, cells: Cells, make_edit: Callable[[], Edit | None]) -> None:
        """Begin what ``_push`` does, from a method that cannot wait for its end."""
        run(self._push(text, cells, make_edit))

    async def _push(self, text: str, cells: Cells, make_edit: Callable[[], Edit | None]) -> None:
        """Make one undo step of an edit, which is computed on another thread for many cells."""
        step = await self._make_step(text, make_edit, len(cells))
        self._document.push(step.edit, step.name)

    async def _make_step(
        self, text: str, make_edit: Callable[[], Edit | None], cell_count: int | None = None
    ) -> _Step:
        """Return an edit and the name of its undo step.

        For more than ``large_work.SMALL`` cells a job computes them. ``cell_count`` is the number
        of cells that the edit is about, None for all of the map.
        """
        battlemap = self._document.battlemap

        def work() -> _Step:
            edit = make_edit()
            if edit is None:
                return _Step(None, text)
            # The journal needs it encoded. Done here, it keeps nobody waiting.
            encode_ahead(edit)
            return _Step(edit, step_text(text, battlemap, [edit]))

        step: _Step = await self._work.result(text, work, cell_count)
        return step
