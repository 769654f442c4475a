"""Tools that place a piece of map: the copied stamp, or the selection that is moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from app.tools.painting import mark_left_out
from app.tools.pointer import CellSide, Pointer
from app.tools.tool import Preview, Tool
from randomizer.geometry.shapes import area
from randomizer.geometry.stamp import (
    FINE,
    Stamp,
    anchor_of,
    carry_things,
    cells_at,
    cut,
    left_out_of_placing,
    place,
    stamp_things,
)
from randomizer.geometry.turn import left_right, rotation, top_bottom
from randomizer.model.basics.plurals import counted, many
from randomizer.model.edits.edit import Edit
from randomizer.model.grid.cell_text import cell_text
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.indices import is_ascending
from randomizer.model.hand.erasing import erase_cells, erased_things, erased_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import PlaneRole
from randomizer.model.problems import ProblemError
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.document.selection import Selection
    from randomizer.geometry.stamp import StampThing

LARGE = 20_000
"""Stamps of more cells are laid down on another thread."""

SHOWN_SIDES = 300
SHOWN_THINGS = 200
"""At most so many hexsides and things of a stamp are shown in a preview."""


class StampTool(Tool):
    """Places what was copied, at each click."""

    name = "stamp"
    title = "Stamp"
    words = "paste clone copy"
    icon = "stamp"
    shortcut = "V"
    tip = "Lay down what was copied: Z and Shift+Z turn it, X and Y flip it, Esc ends."
    text = "Stamp"
    ends = True
    _shown: tuple[tuple[object, ...], Preview] | None = None

    def why_not_here(self, document: MapDocument) -> str:
        """Also refuses if nothing was copied or it does not fit this kind of map."""
        stamp = self.options.stamp
        if stamp is None:
            layout = document.battlemap.grid.layout
            return cell_text("Nothing was copied yet: select {cells} and copy them first.", layout)
        try:
            cells_at(document.battlemap.grid, replace(stamp, offsets=stamp.offsets[:1]), 0)
            if len(stamp.offsets) <= LARGE:
                place(document.battlemap, stamp, 0, document.active_layer_id)
        except ProblemError as problem:
            return problem.problems[0].message
        return super().why_not_here(document)

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return one place: it is placed once in a drag."""
        return ()

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        stamp = self.options.stamp
        if stamp is None:
            return None
        return self._placing(document, stamp, pointer.cell)()

    def large_work(
        self, document: MapDocument, pointer: Pointer
    ) -> Callable[[], Edit | None] | None:
        stamp = self.options.stamp
        if stamp is None or len(stamp.offsets) <= LARGE:
            return None
        return self._placing(document, stamp, pointer.cell)

    @staticmethod
    def _placing(document: MapDocument, stamp: Stamp, cell: int) -> Callable[[], Edit | None]:
        battlemap = document.battlemap
        active = document.active_layer_id
        selection = document.selection

        def work() -> Edit | None:
            return place(battlemap, within(battlemap, selection, stamp, cell), cell, active)

        return work

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        stamp = self.options.stamp
        if stamp is None or stamp.layout.side_names != document.battlemap.grid.layout.side_names:
            return super().preview(document, pointer)
        current = document.current_map
        revision = document.revision
        key = (stamp, pointer.cell, current, revision, document.active_layer_id)
        if self._shown is None or self._shown[0] != key:
            self._shown = (key, picture(document, stamp, pointer.cell))
        return self._shown[1]

    def turn(self, steps: int) -> None:
        """Turn the stamp clockwise by so many sides."""
        stamp = self.options.stamp
        if stamp is not None:
            self.options.choose(stamp=stamp.turned(rotation(stamp.layout, steps)))

    def flip(self, *, upside_down: bool) -> None:
        """Mirror the stamp, left and right or top and bottom."""
        stamp = self.options.stamp
        if stamp is not None:
            mirror = top_bottom if upside_down else left_right
            self.options.choose(stamp=stamp.turned(mirror(stamp.layout)))


def within(battlemap: BattleMap, selection: Selection, stamp: Stamp, cell: int) -> Stamp:
    """Return the part of a stamp that lies on selected cells; all of it if none are selected."""
    if not len(selection):
        return stamp
    return _some(stamp, selection.contains(cells_at(battlemap.grid, stamp, cell)))


def _some(stamp: Stamp, chosen: NDArray[np.bool_]) -> Stamp:
    """Return the part of a stamp on the ``chosen`` (n,) of its cells."""
    planes = {name: p._replace(values=p.values[chosen]) for name, p in stamp.planes.items()}
    things = tuple(thing for thing in stamp.things if chosen[_cell_below(stamp, thing)])
    return replace(stamp, offsets=stamp.offsets[chosen], planes=planes, things=things)


def _cell_below(stamp: Stamp, thing: StampThing) -> int:
    """Return the index of the stamp's cell that a thing of it is nearest to."""
    q, r = (stamp.offsets * FINE - (thing.q, thing.r)).T
    return int((q * q + q * r + r * r if stamp.layout.degree == 6 else q * q + r * r).argmin())


def picture(document: MapDocument, stamp: Stamp, cell: int) -> Preview:
    """Return the preview of a stamp with its anchor on a cell."""
    grid = document.battlemap.grid
    at = cells_at(grid, stamp, cell)
    on_map = at >= 0
    # Most stamps lie on the map and are in order: a slice copies nothing.
    order: Any = slice(None) if on_map.all() else np.flatnonzero(on_map)
    cells = at[order]
    if not is_ascending(cells):
        order = np.argsort(at, kind="stable")[len(at) - len(cells) :]
        cells = at[order]
    held = stamp.plane(PlaneRole.TERRAIN)
    terrains = None
    if held is not None and held.values.ndim == 1:
        codes = np.append(_terrain_codes(document, stamp), -1)  # the last is for unset ones
        values = held.values[order]
        terrains = codes[np.where(values == held.unset, len(codes) - 1, values)]
    sides: list[tuple[CellSide, int | None]] = []
    edges = stamp.plane(PlaneRole.HEXSIDE)
    ours = tuple(hexside.name for hexside in document.battlemap.terrain_set.hexsides)
    if edges is not None and edges.values.ndim == 2 and stamp.hexsides == ours:
        is_set = (edges.values != edges.unset) & (edges.values != 0)
        index, side = np.divmod(np.flatnonzero(is_set), edges.values.shape[1])
        numbers = np.flatnonzero(at[index] >= 0)[:SHOWN_SIDES]
        for number, edge in zip(index[numbers].tolist(), side[numbers].tolist(), strict=True):
            sides.append((CellSide(int(at[number]), edge), int(edges.values[number, edge])))
    lost = len(at) - len(cells)
    if lost:
        text = f"{lost:,} of {counted(len(at), 'cell')} {many(lost, 'lies', 'lie')} off the board"
    else:
        text = ""
    barred = left_out_of_placing(document.battlemap, stamp, cell, document.active_layer_id)
    settled = stamp_things(document.battlemap, stamp, cell)
    things = tuple(settled.things[:SHOWN_THINGS])
    minded = settled.words
    text = " - ".join(filter(None, (text, minded)))
    preview = Preview(cells, terrains, tuple(sides), things=things, note=text)
    return mark_left_out(document, preview, barred)


def _terrain_codes(document: MapDocument, stamp: Stamp) -> NDArray[np.int64]:
    """Return the code on this map of each terrain of a stamp, -1 for those that the map does not
    have.
    """
    ours = document.battlemap.terrain_set
    return np.array(
        [ours.terrain_code(name) if ours.has_terrain(name) else -1 for name in stamp.terrains]
    )


class MoveTool(Tool):
    """Moves what is selected to where it is dragged, as one undo step; things stay the same."""

    name = "move"
    title = "Move selection"
    words = "drag selection"
    icon = "move"
    shortcut = "M"
    tip = "Drag what is selected to another place."
    text = "Move selection"
    spans = True
    _start: int | None = None
    _stamp: Stamp | None = None
    _things: Sequence[Thing] = ()

    def why_not_here(self, document: MapDocument) -> str:
        if not len(document.selection):
            return "Nothing is selected: R selects a rectangle, W an area of one terrain."
        return super().why_not_here(document)

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        """Copy what will be taken away from the selected cells."""
        self._start = pointer.cell
        battlemap = document.battlemap
        active = document.active_layer_id
        cells = document.selection.cells
        erased = erased_values(battlemap, active, cells)
        self._things = erased_things(battlemap, active, cells).things
        self._stamp = cut(battlemap, cells, erased, self._things)

    def _anchor(self, document: MapDocument, pointer: Pointer) -> tuple[Stamp, int] | None:
        """Return the stamp, anchored at the cell where the drag began, and the cell pointed at."""
        if self._stamp is None or self._start is None:
            return None
        grid = document.battlemap.grid
        cells = document.selection.cells
        return moved_anchor(grid, self._stamp, anchor_of(grid, cells), self._start), pointer.cell

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Erase it there, place it here; it stays selected.

        What would be left out here, since a locked layer sets the place, stays there.
        """
        held = self._anchor(document, pointer)
        if held is None or self._start is None or pointer.cell == self._start:
            return
        battlemap = document.battlemap
        layer = document.active_layer_id
        stamp, cell = held
        cells_before, cells_now = (
            cells_at(battlemap.grid, stamp, at) for at in (self._start, cell)
        )
        moves = ~np.isin(cells_now, left_out_of_placing(battlemap, stamp, cell, layer).elements)
        if not moves.any():
            return
        part = _some(stamp, moves)
        pairs = zip(self._things, stamp.things, strict=True)
        things = [thing for thing, copied in pairs if moves[_cell_below(stamp, copied)]]
        yield erase_cells(battlemap, layer, area(cells_before[moves]))
        yield carry_things(battlemap, part, cell, things)
        yield place(battlemap, replace(part, things=()), cell, layer)
        document.select(area(np.where(moves, cells_now, cells_before)))

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        held = self._anchor(document, pointer)
        if held is None:
            return Preview(document.selection.cells)
        return picture(document, *held)

    def forget(self) -> None:
        self._start = self._stamp = None
        self._things = ()


def moved_anchor(grid: Grid, stamp: Stamp, old_cell: int, new_cell: int) -> Stamp:
    """Return the same stamp with another cell as its anchor."""
    (q, r), (to_q, to_r) = (grid.axial(*grid.xy(cell)) for cell in (old_cell, new_cell))
    by_q = q - to_q
    by_r = r - to_r
    things = tuple(t._replace(q=t.q + by_q * FINE, r=t.r + by_r * FINE) for t in stamp.things)
    return replace(stamp, offsets=stamp.offsets + np.array((by_q, by_r)), things=things)
