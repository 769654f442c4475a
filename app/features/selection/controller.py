"""What is selected: change the selection, copy and paste it, fill and empty it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QObject

from app.background.actions import run
from app.desk.desk import Desk
from app.desk.large_work import LargeWork
from app.features.selection import clipboard
from app.features.selection.things import PickedThings
from app.qt_guard import connect
from app.tools.painting import left_out, paint
from randomizer.geometry.shapes import Cells, grow, invert, shrink
from randomizer.geometry.stamp import cut
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.thing_edits import remove_things
from randomizer.model.edits.value_edits import compound
from randomizer.model.grid.cell_text import cell_words
from randomizer.model.grid.grid import Grid
from randomizer.model.hand.erasing import (
    erase_cells,
    erased_things,
    erased_values,
    left_out_of_erasing,
)
from randomizer.model.hand.step_texts import step_text
from randomizer.model.hand.targets import left_out_words, why_not
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from randomizer.geometry.stamp import Stamp

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
        cells = self._cells()
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

    def _cells(self) -> Cells | None:
        """Return the selected cells; None, with a message, if nothing is selected."""
        cells = self._document.selection.cells
        if len(cells):
            return cells
        self._desk.say(NOTHING)
        return None

    def copy(self) -> None:
        """Copy the picked things, or what the visible layers show on the selected cells."""
        if self.things.any:
            self.things.copy()
            return
        cells = self._cells()
        if cells is not None:
            battlemap = self._document.battlemap
            planes = self._document.composite.planes

            def put(stamp: Stamp) -> None:
                clipboard.put(battlemap, stamp, cells)
                words = cell_words(battlemap.grid.layout)
                copied = counted(len(cells), words.cell, words.cells)
                self._desk.say(f"{copied} copied. Paste takes them in hand.")

            self._work.run("Copy", lambda: cut(battlemap, cells, planes), put, len(cells))

    def cut(self) -> None:
        """Copy the picked things, or what erasing takes from the selected cells, and erase them."""
        if self.things.any:
            self.things.cut()
            return
        cells = self._cells()
        if cells is None or self._refused(erasing=True):
            return
        battlemap = self._document.battlemap
        active = self._document.active_layer_id

        def taken() -> Stamp:
            values = erased_values(battlemap, active, cells)
            return cut(battlemap, cells, values, erased_things(battlemap, active, cells).things)

        def erase(stamp: Stamp) -> None:
            self._erase(cells, "Cut", lambda: clipboard.put(battlemap, stamp, cells))

        self._work.run("Cut", taken, erase, len(cells))

    def delete(self) -> None:
        """Take away the picked things, or erase the selected cells."""
        if self.things.any:
            self.things.delete()
            return
        cells = self._cells()
        if cells is not None and not self._refused(erasing=True):
            self._erase(cells, "Delete", lambda: None)

    def _erase(self, cells: Cells, text: str, then: Callable[[], None]) -> None:
        document = self._document
        battlemap = document.battlemap
        layer = document.active_layer

        def make_edit() -> tuple[Edit | None, str]:
            erased = erase_cells(battlemap, layer.id, cells)
            things = erased_things(battlemap, layer.id, cells)
            edit = compound((erased, remove_things(battlemap, things.ids)))
            locked = left_out_of_erasing(battlemap, layer.id, cells).layers
            return edit, left_out_words((*locked, *things.locked))

        def empty(erased: tuple[Edit | None, str]) -> None:
            edit, locked = erased
            if edit is None:
                hexes = cell_words(battlemap.grid.layout).cells
                nothing = f"Neither {layer.name} nor a layer above it sets anything on these"
                self._desk.say(locked or f"{nothing} {hexes}.")
            elif document.push(edit, text):
                then()
                if locked:
                    self._desk.say(locked)

        self._work.run(text, make_edit, empty, len(cells))

    def paste(self) -> None:
        """Choose the stamp tool with what was copied: a click places all of it. A recipe is rolled.

        The selection is lifted: it is mostly the one that was copied, and would cut the piece off.
        """
        try:
            stamp = clipboard.copied_stamp()
        except ProblemError as problem:
            self._desk.say(problem.problems[0].message)
            return
        recipe = clipboard.copied_recipe() if stamp is None else ""
        if recipe:
            run(self._desk.recipes.paste(recipe))
            return
        if stamp is None:
            self._desk.say("No piece of a map was copied.")
            return
        self.select_none()
        self._desk.tools.options.choose(stamp=stamp)
        self._desk.tools.choose("stamp")
        self._desk.docks.views.show_map()
        self._desk.canvas.setFocus()
        self._desk.canvas.keyboard_cursor.show()

    def _lay_down(
        self, text: str, work: Callable[[], Edit | None], why_nothing: Callable[[], str]
    ) -> None:
        """Make one undo step of a click that changes very many cells, or say why there is none."""

        def push(edit: Edit | None) -> None:
            if edit is None:
                self._desk.say(why_nothing() or f"{text}: nothing changes here.")
            elif self._document.push(edit, step_text(text, self._document.battlemap, [edit])):
                self._desk.say(f"{text}: done.")

        self._work.run(text, work, push)

    def fill(self) -> None:
        """Give the selected cells the chosen terrain."""
        cells = self._cells()
        if cells is not None and not self._refused():
            terrain = self._desk.tools.options.terrain
            plane = self._document.battlemap.system.terrain
            if plane is None:
                return
            locked = left_out_words(left_out(self._document, plane, cells).layers)
            self._do("Fill selection", cells, lambda: paint(self._document, plane, cells, terrain))
            if locked:
                self._desk.say(locked)

    def _refused(self, *, erasing: bool = False) -> bool:
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
        cells = self._cells()
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
        cells = self._cells()
        if cells is None:
            return
        history = self._desk.rolling.history
        why = history.why_not()
        if why:
            self._document.refuse(why)
            return
        before = history.of_last(cells)
        if before is None:
            self._desk.say("There is no roll before this one: Roll makes another.")
            return
        text = f"Lock as in {before.name}"
        self._do(text, cells, lambda: history.lock_cells_as(cells, before))

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
        """Push the edit that ``make_edit`` gives, as large work on these cells."""

        def push(edit: Edit | None) -> None:
            battlemap = self._document.battlemap
            edits = [] if edit is None else [edit]
            self._document.push(edit, step_text(text, battlemap, edits))

        self._work.run(text, make_edit, push, len(cells))
