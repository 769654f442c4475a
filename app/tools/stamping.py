"""Tools that place a piece of map: the copied stamp, or the selection that is moved.

A ``Stamp`` holds the values of some cells by their offsets from an *anchor*: it is placed by the
cell on which its anchor is to lie::

    offsets (0, 0), (1, 0), (0, 1)      the anchor and two cells beside it
    placed on the cell (5, 3)           covers the cells (5, 3), (6, 3) and (5, 4)

``stamp_preview`` makes the preview of both tools.

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.tools.pointer import Pointer
from app.tools.stamp_preview import stamp_preview
from app.tools.tool import Preview, Tool
from randomizer.geometry.areas import area
from randomizer.geometry.stamp import FINE, Stamp
from randomizer.geometry.stamp_cutting import anchor_of, cut
from randomizer.geometry.stamp_placing import (
    carry_things,
    cells_at,
    left_out_of_placing,
    place,
)
from randomizer.geometry.turn import left_right, rotation, top_bottom
from randomizer.model.edits.edit import Edit
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.grid.grid import Grid
from randomizer.model.hand.erasing import erase_cells, erased_things, erased_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.document.open_map import OpenMap
    from app.document.selection import Selection
    from app.tools.options import ToolOptions
    from randomizer.geometry.stamp import StampThing

MOST_CELLS_AT_ONCE = 20_000
"""A stamp of more cells is placed on another thread than the window's.

If this is larger, the window stands still for a moment at the click.
"""


class _StampPreview(NamedTuple):
    """The preview of a stamp that was made last, and all that it depends on."""

    stamp: Stamp

    cell: int
    """The cell on which the anchor of the stamp lies."""

    open_map: OpenMap

    revision: int
    """The revision of the map (``MapDocument.revision``)."""

    active_layer_id: int

    preview: Preview
    """The result."""

    def is_of(self, document: MapDocument, stamp: Stamp, cell: int) -> bool:
        """Return whether this is still the preview of a stamp with its anchor on a cell."""
        return (
            self.stamp is stamp
            and self.cell == cell
            and self.open_map is document.current_map
            and self.revision == document.revision
            and self.active_layer_id == document.active_layer_id
        )


class StampTool(Tool):
    """Places what was copied, at each click."""

    name = "stamp"
    title = "Stamp"
    words = "paste clone copy"
    icon = "stamp"
    shortcut = "V"
    tip = "Lay down what was copied: Z and Shift+Z turn it, X and Y flip it, Esc ends."
    text = "Stamp"
    escape_puts_away = True

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._last_preview: _StampPreview | None = None
        """The preview that was made last, None before the first.

        The canvas asks for it at each movement of the mouse, also within a cell.
        """

    def why_not_here(self, document: MapDocument) -> str:
        """Return a reason also if nothing was copied, or if the stamp fits no map of this kind.

        A stamp is placed for trial, and the edit is not used. Of a large one, with which that would
        take too long, only the layout is looked at.
        """
        stamp = self.options.stamp
        if stamp is None:
            layout = document.battlemap.grid.layout
            return cell_text("Nothing was copied yet: select {cells} and copy them first.", layout)
        try:
            # One cell is enough to know whether the stamp has the layout of the map.
            cells_at(document.battlemap.grid, replace(stamp, offsets=stamp.offsets[:1]), 0)
            if len(stamp.offsets) <= MOST_CELLS_AT_ONCE:
                place(document.battlemap, stamp, 0, document.active_layer_id)
        except ProblemError as problem:
            return problem.problems[0].message
        return super().why_not_here(document)

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return the same key for every pointer: the stamp is placed once in a drag."""
        return ()

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        stamp = self.options.stamp
        if stamp is None:
            return None
        place_stamp = self._function_that_places(document, stamp, pointer.cell)
        return place_stamp()

    def large_work(
        self, document: MapDocument, pointer: Pointer
    ) -> Callable[[], Edit | None] | None:
        stamp = self.options.stamp
        if stamp is None or len(stamp.offsets) <= MOST_CELLS_AT_ONCE:
            return None
        return self._function_that_places(document, stamp, pointer.cell)

    @staticmethod
    def _function_that_places(
        document: MapDocument, stamp: Stamp, cell: int
    ) -> Callable[[], Edit | None]:
        """Return a function that computes the edit to place a stamp on the map as it is now.

        It can run on any thread: it does not touch the document, which may change meanwhile.
        """
        battlemap = document.battlemap
        active_layer_id = document.active_layer_id
        selection = document.selection

        def place_stamp() -> Edit | None:
            selected_part = part_on_selection(battlemap, selection, stamp, cell)
            return place(battlemap, selected_part, cell, active_layer_id)

        return place_stamp

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        stamp = self.options.stamp
        map_layout = document.battlemap.grid.layout
        # A stamp of squares or of turned hexes fits no map of other cells (``why_not_here``).
        if stamp is None or stamp.layout.side_names != map_layout.side_names:
            return super().preview(document, pointer)
        last_preview = self._last_preview
        if last_preview is not None and last_preview.is_of(document, stamp, pointer.cell):
            return last_preview.preview
        preview = stamp_preview(document, stamp, pointer.cell)
        self._last_preview = _StampPreview(
            stamp=stamp,
            cell=pointer.cell,
            open_map=document.current_map,
            revision=document.revision,
            active_layer_id=document.active_layer_id,
            preview=preview,
        )
        return preview

    def turn(self, steps: int) -> None:
        """Turn the stamp clockwise by so many sides."""
        stamp = self.options.stamp
        if stamp is not None:
            self.options.choose(stamp=stamp.turned(rotation(stamp.layout, steps)))

    def flip(self, *, upside_down: bool) -> None:
        """Mirror the stamp: exchange left and right, or with ``upside_down`` top and bottom."""
        stamp = self.options.stamp
        if stamp is None:
            return
        mirror = left_right
        if upside_down:
            mirror = top_bottom
        self.options.choose(stamp=stamp.turned(mirror(stamp.layout)))


def part_on_selection(battlemap: BattleMap, selection: Selection, stamp: Stamp, cell: int) -> Stamp:
    """Return the part of a stamp that lies on selected cells; all of it if none are selected."""
    if not len(selection):
        return stamp
    return _part_on_cells(stamp, selection.contains(cells_at(battlemap.grid, stamp, cell)))


def _part_on_cells(stamp: Stamp, chosen: NDArray[np.bool_]) -> Stamp:
    """Return a stamp of those cells of ``stamp`` for which ``chosen`` (n,) is True.

    It has their values and the things on them.
    """
    planes = {}
    for name, plane in stamp.planes.items():
        planes[name] = plane._replace(values=plane.values[chosen])
    things = tuple(thing for thing in stamp.things if chosen[_cell_below(stamp, thing)])
    return replace(stamp, offsets=stamp.offsets[chosen], planes=planes, things=things)


def _cell_below(stamp: Stamp, thing: StampThing) -> int:
    """Return the index of the stamp's cell that a thing of it is nearest to."""
    q, r = (stamp.offsets * FINE - (thing.q, thing.r)).T
    return int(stamp.layout.squared_distance(q, r).argmin())


class _DraggedSelection(NamedTuple):
    """The selection that is dragged; it lives from the press of the mouse to the release."""

    start: int
    """The cell that was pressed."""

    stamp: Stamp
    """A copy of what is taken away, anchored at that cell.

    With its anchor on the cell under the pointer it lies there as it lay when it was pressed.
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
        anchor = anchor_of(battlemap.grid, cells)
        stamp = moved_anchor(battlemap.grid, stamp, anchor, pointer.cell)
        self._dragged = _DraggedSelection(pointer.cell, stamp, things)

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Erase what was selected and place it at the pointer, where it is selected from then on.

        A cell of it stays where it is if a locked layer sets the cell that it would be moved to.
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
        barred = left_out_of_placing(battlemap, stamp, cell, layer_id)
        # Cells that leave the map (-1) are moved, too: they are erased, and placed nowhere.
        is_moved = ~np.isin(new_cells, barred.elements)
        if not is_moved.any():
            return

        moved_part = _part_on_cells(stamp, is_moved)
        moved_things = []
        for thing, copied_thing in zip(dragged.things, stamp.things, strict=True):
            if is_moved[_cell_below(stamp, copied_thing)]:
                moved_things.append(thing)

        # Things are moved, not copied and erased: so they stay the same, with their numbers.
        # Cells are erased first, since the new ones may lie on some of them. Each edit is applied
        # before the next one is asked for; ``battlemap`` is changed by that.
        yield erase_cells(battlemap, layer_id, area(old_cells[is_moved]))
        yield carry_things(battlemap, moved_part, cell, moved_things)
        yield place(battlemap, replace(moved_part, things=()), cell, layer_id)
        document.select(area(np.where(is_moved, new_cells, old_cells)))

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        if self._dragged is None:
            return Preview(document.selection.cells)
        return stamp_preview(document, self._dragged.stamp, pointer.cell)

    def forget(self) -> None:
        self._dragged = None


def moved_anchor(grid: Grid, stamp: Stamp, old_cell: int, new_cell: int) -> Stamp:
    """Return a stamp with ``new_cell`` as its anchor instead of ``old_cell``.

    Placed on ``new_cell`` it covers the cells that ``stamp`` covers when placed on ``old_cell``.
    """
    old_q, old_r = grid.axial(*grid.xy(old_cell))
    new_q, new_r = grid.axial(*grid.xy(new_cell))
    by_q = old_q - new_q
    by_r = old_r - new_r
    things = []
    for thing in stamp.things:
        things.append(thing._replace(q=thing.q + by_q * FINE, r=thing.r + by_r * FINE))
    offsets = stamp.offsets + np.array((by_q, by_r))
    return replace(stamp, offsets=offsets, things=tuple(things))
