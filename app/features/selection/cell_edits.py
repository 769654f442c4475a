"""Edits of the selected cells: they are filled, locked and unlocked.

Each edit is one undo step. That of many cells is computed by a job, so that the desk can be used
meanwhile; if the map is changed, or another one becomes current, the result is dropped and the user
is told (``LargeWork``)::

    lock() -> _start_edit -> _make_step          the edit and its text, maybe computed in a job
                         `-> document.push       one undo step; nothing for no edit
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QObject

from app.background.actions import run
from app.desk.desk import Desk
from app.desk.large_work import LargeWork
from app.features.selection.controller import SelectionController
from app.qt_guard import connect
from app.tools.painting import left_out, paint
from randomizer.geometry.areas import Cells
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.value_edits import compound
from randomizer.model.hand.step_texts import step_text
from randomizer.model.hand.targets import left_out_words, why_not
from randomizer.storage.records.encoding import encode_ahead

if TYPE_CHECKING:
    from app.canvas.active_tool import LargeClick


class _Step(NamedTuple):
    """An edit and the name of its undo step."""

    edit: Edit | None
    """None if there is nothing to change."""

    name: str


class CellEdits(QObject):
    """Changes the selected cells, and makes steps of clicks that change very many cells."""

    def __init__(self, desk: Desk, selection: SelectionController) -> None:
        super().__init__(desk)
        self._desk = desk
        self._document = desk.document
        self._selection = selection
        self._work = LargeWork(desk)
        connect(desk.canvas.active_tool.large_clicked, self.push_large_click)

    async def push_large_click(self, click: LargeClick) -> None:
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
        cells = self._selection.selected_cells_or_tell()
        plane = self._document.battlemap.system.terrain
        if cells is None or self.refuse_if_unchangeable() or plane is None:
            return
        terrain = self._desk.tools.options.terrain
        locked_text = left_out_words(left_out(self._document, plane, cells).layers)
        # Computed for the map as it is: if that changes, or another one becomes current, the result
        # is dropped.
        self._start_edit(
            "Fill selection", cells, lambda: paint(self._document, plane, cells, terrain)
        )
        if locked_text:
            self._desk.say(locked_text)

    def refuse_if_unchangeable(self, *, erasing: bool = False) -> bool:
        """Tell the user why the active layer cannot be changed, if so; return whether."""
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
        cells = self._selection.selected_cells_or_tell()
        if cells is None:
            return
        from app.tools.pointer import all_sides
        from randomizer.model.edits.value_edits import set_locks

        battlemap = self._document.battlemap

        def make_edit() -> Edit | None:
            sides = all_sides(battlemap.grid, cells)
            lock_cells = set_locks(battlemap, cells, locked=is_locked)
            lock_sides = set_locks(battlemap, sides, locked=is_locked, sides=True)
            return compound((lock_cells, lock_sides))

        text = "Unlock selection"
        if is_locked:
            text = "Lock selection"
        self._start_edit(text, cells, make_edit)

    def lock_as_before(self) -> None:
        """Give the selected cells what they had in the roll before this one, and lock them."""
        cells = self._selection.selected_cells_or_tell()
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
        self._start_edit(text, cells, lambda: earlier_contents.lock_cells_as(cells, earlier_cells))

    def unlock_all(self) -> None:
        """Remove all locks, whatever is selected."""
        from randomizer.model.edits.value_edits import set_locks

        battlemap = self._document.battlemap
        cells = np.flatnonzero(battlemap.locked_cells)
        sides = np.flatnonzero(battlemap.locked_sides)
        edits = (
            set_locks(battlemap, cells, locked=False),
            set_locks(battlemap, sides, locked=False, sides=True),
        )
        if not self._document.push(compound(edits), "Unlock everything"):
            self._desk.say("Nothing is locked.")

    def _start_edit(self, text: str, cells: Cells, make_edit: Callable[[], Edit | None]) -> None:
        """Make an undo step of an edit; for many cells it comes after this method has returned.

        Nothing happens, and nothing is said, if ``make_edit`` returns None.
        """

        async def push_step() -> None:
            step = await self._make_step(text, make_edit, len(cells))
            self._document.push(step.edit, step.name)

        run(push_step())

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
