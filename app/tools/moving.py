"""The tool that moves what is selected to where it is dragged.

What is taken away is copied as a ``Stamp`` (geometry/stamp.py) at the press of the mouse, and
placed with its anchor under the pointer at the release. ``Tool`` (tool.py) explains the attributes
and methods that a tool overrides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from app.tools.pointer import Pointer
from app.tools.preview import Preview
from app.tools.stamp_preview import stamp_preview
from app.tools.tool import Tool
from randomizer.geometry.areas import area
from randomizer.geometry.stamp import Stamp
from randomizer.geometry.stamp_cutting import anchor_of, cut
from randomizer.geometry.stamp_placing import carry_things, cells_at, left_out_of_placing, place
from randomizer.model.edits.edit import Edit
from randomizer.model.grid.grid import Grid
from randomizer.model.hand.erasing import erase_cells, erased_things, erased_values
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions


class _DraggedSelection(NamedTuple):
    """The selection that is dragged; it lives from the press of the mouse to the release."""

    start: int
    """The cell that was pressed."""

    stamp: Stamp
    """A copy of what is taken away, anchored at that cell.

    Placed on ``start`` it gives the map as it was.
    """

    things: Sequence[Thing]
    """The things that are moved, in the order of the stamp's: ``cut`` keeps it."""


class MoveTool(Tool):
    """Moves what is selected to where it is dragged, as one undo step; things stay the same."""

    name = "move"
    title = "Move selection"
    words = "drag selection"
    icon = "move"
    shortcut = "M"
    tip = "Drag what is selected to another place."
    text = "Move selection"
    drags_between_cells = True

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._dragged: _DraggedSelection | None = None
        """The selection that is dragged, None between drags."""

    def why_not_here(self, document: MapDocument) -> str:
        if not len(document.selection):
            return "Nothing is selected: R selects a rectangle, W an area of one terrain."
        return super().why_not_here(document)

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        """Copy what will be taken away from the selected cells."""
        battlemap = document.battlemap
        active = document.active_layer_id
        cells = document.selection.cells
        erased = erased_values(battlemap, active, cells)
        things = erased_things(battlemap, active, cells).things
        stamp = cut(battlemap, cells, erased, things)
        # Its anchor is the middle of the selection. It becomes the pressed cell, so that the same
        # cell of the selection stays under the mouse.
        anchor = anchor_of(battlemap.grid, cells)
        steps_q, steps_r = _axial_steps(battlemap.grid, anchor, pointer.cell)
        stamp = stamp.with_anchor(steps_q, steps_r)
        self._dragged = _DraggedSelection(pointer.cell, stamp, things)

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Erase what was selected and place it at the pointer, where it is selected from then on.

        A cell of it stays where it is if a locked layer sets the cell that it would be moved to.

        Each edit is applied before the next one is asked for: the later ones are made for the map
        as the earlier ones have left it.
        """
        dragged = self._dragged
        if dragged is None or pointer.cell == dragged.start:
            return
        battlemap = document.battlemap
        layer_id = document.active_layer_id
        stamp = dragged.stamp
        cell = pointer.cell
        old_cells = cells_at(battlemap.grid, stamp, dragged.start)
        new_cells = cells_at(battlemap.grid, stamp, cell)

        # What moves. Cells that leave the map (-1) do, too: they are erased, and placed nowhere.
        barred_cells = left_out_of_placing(battlemap, stamp, cell, layer_id).elements
        is_moved = ~np.isin(new_cells, barred_cells)
        if not is_moved.any():
            return
        moved_part = stamp.part(is_moved)
        moved_things = []
        for thing, copied_thing in zip(dragged.things, stamp.things, strict=True):
            if is_moved[stamp.cell_below(copied_thing)]:
                moved_things.append(thing)

        # Values are erased first, since the new cells may lie on some of the old ones.
        yield erase_cells(battlemap, layer_id, area(old_cells[is_moved]))
        # Erasing leaves the things there. They are moved, not copied: so they keep their numbers.
        yield carry_things(battlemap, moved_part, cell, moved_things)
        yield place(battlemap, replace(moved_part, things=()), cell, layer_id)
        # ``area`` leaves out the cells that have left the map.
        document.select(area(np.where(is_moved, new_cells, old_cells)))

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        if self._dragged is None:
            return Preview(document.selection.cells)
        return stamp_preview(document, self._dragged.stamp, pointer.cell)

    def forget(self) -> None:
        self._dragged = None


def _axial_steps(grid: Grid, start: int, end: int) -> tuple[int, int]:
    """Return the axial steps (q, r) from one cell to another."""
    start_q, start_r = grid.axial(*grid.xy(start))
    end_q, end_r = grid.axial(*grid.xy(end))
    return end_q - start_q, end_r - start_r
