"""The commands Cut, Copy, Paste and Delete, for the selected cells or for the picked things.

If things are picked, the commands act on them and not on the selected cells, and ``PickedThings``
does the work. A copy is a *stamp*, a piece of map that the stamp tool places again. Stamps and
edits of many cells are computed on another thread (``LargeWork``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app.background.actions import run
from app.desk.desk import Desk
from app.desk.large_work import LargeWork
from app.features.selection import clipboard
from app.features.selection.cell_edits import CellEdits
from app.features.selection.controller import SelectionController
from app.features.selection.things import PickedThings
from randomizer.geometry.areas import Cells
from randomizer.geometry.stamp_cutting import cut
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.thing_edits import remove_things
from randomizer.model.edits.value_edits import compound
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.hand.erasing import (
    NO_CELLS,
    erase_cells,
    erased_things,
    erased_values,
    left_out_of_erasing,
    painted_over_rolls,
)
from randomizer.model.hand.targets import left_out_words
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from randomizer.geometry.stamp import Stamp

IN_HAND = "The copied piece is in hand: a click lays it down."
"""What Paste says; it goes when the piece is laid."""


class _Erasure(NamedTuple):
    """A planned erasing of cells."""

    edit: Edit | None
    """The edit that erases; None if there is nothing to erase."""

    locked_text: str
    """A sentence about what locks keep from being erased; "" if they keep nothing."""


class CutCopyPaste:
    """Runs the four commands on the selection of a desk."""

    def __init__(
        self, desk: Desk, selection: SelectionController, edits: CellEdits, things: PickedThings
    ) -> None:
        self._desk = desk
        self._document = desk.document
        self._selection = selection
        self._edits = edits
        self._things = things
        self._work = LargeWork(desk)

    def copy(self) -> None:
        """Copy the picked things, or what the visible layers show on the selected cells."""
        if self._things.is_any_picked:
            self._things.copy()
            return
        cells = self._selection.selected_cells_or_tell()
        if cells is not None:
            run(self._copy(cells))

    async def _copy(self, cells: Cells) -> None:
        """Copy what is visible on ``cells`` to the clipboard, as a stamp."""
        battlemap = self._document.battlemap
        planes = self._document.composite.planes
        stamp = await self._work.result("Copy", lambda: cut(battlemap, cells, planes), len(cells))
        clipboard.copy_stamp(battlemap, stamp, cells)
        words = cell_words(battlemap.grid.layout)
        count = counted(len(cells), words.cell, words.cells)
        self._desk.say(f"{count} copied. Paste takes them in hand.")

    def cut(self) -> None:
        """Copy the picked things, or what erasing takes from the selected cells, then erase it."""
        if self._things.is_any_picked:
            self._things.cut()
            return
        cells = self._selection.selected_cells_or_tell()
        if cells is not None and not self._edits.refuse_if_unchangeable(erasing=True):
            run(self._cut(cells))

    async def _cut(self, cells: Cells) -> None:
        """Erase cells, and put a stamp of what was erased on the clipboard; nothing if none was."""
        battlemap = self._document.battlemap
        active = self._document.active_layer_id

        def erased_stamp() -> Stamp:
            values = erased_values(battlemap, active, cells)
            things = erased_things(battlemap, active, cells).things
            return cut(battlemap, cells, values, things)

        # Erasing follows at once, or is a job of its own: either is dropped if the map has changed.
        stamp = await self._work.result("Cut", erased_stamp, len(cells))
        if await self._erase(cells, "Cut", only_paint_over_rolls=False):
            clipboard.copy_stamp(battlemap, stamp, cells)

    def delete(self) -> None:
        """Take away the picked things, or erase the selected cells."""
        if self._things.is_any_picked:
            self._things.delete()
            return
        cells = self._selection.selected_cells_or_tell()
        if cells is not None and not self._edits.refuse_if_unchangeable(erasing=True):
            run(self._erase(cells, "Delete", only_paint_over_rolls=True))

    async def _erase(self, cells: Cells, text: str, *, only_paint_over_rolls: bool) -> bool:
        """Erase cells in one undo step called ``text``; return whether anything was erased.

        With ``only_paint_over_rolls`` cells that were painted over a roll lose the paint alone, so
        that the roll can be seen there again.
        """
        document = self._document
        battlemap = document.battlemap
        layer = document.active_layer

        def plan() -> _Erasure:
            things = erased_things(battlemap, layer.id, cells)
            paint_cells = NO_CELLS
            if only_paint_over_rolls:
                paint_cells = painted_over_rolls(battlemap, layer.id, cells)
            erase_values = erase_cells(battlemap, layer.id, cells, paint_cells=paint_cells)
            edit = compound((erase_values, remove_things(battlemap, things.ids)))
            locked_layers = left_out_of_erasing(
                battlemap, layer.id, cells, paint_cells=paint_cells
            ).layers
            return _Erasure(edit, left_out_words((*locked_layers, *things.locked)))

        erasure: _Erasure = await self._work.result(text, plan, len(cells))
        if erasure.edit is None:
            self._say_nothing_erased(layer.name, erasure.locked_text)
            return False
        is_erased = document.push(erasure.edit, text)
        if is_erased and erasure.locked_text:
            self._desk.say(erasure.locked_text)
        return is_erased

    def _say_nothing_erased(self, layer_name: str, locked_text: str) -> None:
        """Say that locks keep the cells, or that there is nothing on them."""
        if locked_text:
            self._desk.say(locked_text)
            return
        cells_word = cell_words(self._document.battlemap.grid.layout).cells
        self._desk.say(
            f"Neither {layer_name} nor a layer above it sets anything on these {cells_word}."
        )

    def paste(self) -> None:
        """Choose the stamp tool with what was copied, so that a click places it; roll a recipe."""
        try:
            stamp = clipboard.copied_stamp()
        except ProblemError as problem:
            self._desk.say(problem.problems[0].message)
            return
        if stamp is None:
            recipe = clipboard.copied_recipe()
            if recipe:
                run(self._desk.recipes.paste(recipe))
            else:
                self._desk.say("No piece of a map was copied.")
            return
        # Only selected cells can be painted. Most often the copied ones are still selected, and the
        # piece would be cut off at their edge.
        self._selection.select_none()
        self._desk.tools.options.choose(stamp=stamp)
        self._desk.tools.choose("stamp")
        self._desk.docks.views.show_map()
        self._desk.canvas.setFocus()
        self._desk.canvas.keyboard_cursor.show()
        # What the copy said, "Paste takes them in hand", is done.
        tool = self._desk.canvas.tool
        assert tool is not None, "the stamp was chosen"
        why_not = tool.why_not_here(self._document)
        self._desk.say_until_next_step(why_not or IN_HAND)
