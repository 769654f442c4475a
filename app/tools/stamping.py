"""Tools that place a piece of map: the copied stamp, or the selection that is moved."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.tools.painting import marked
from app.tools.places import Pointer, SidePlace
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
from randomizer.geometry.turn import left_right, top_bottom, turned
from randomizer.model.cell_words import cell_text
from randomizer.model.erasing import erase_cells, erased_things, erased_values
from randomizer.model.planes import PlaneRole
from randomizer.model.plurals import counted, many
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.document.document import MapDocument
    from randomizer.geometry.stamp import StampThing
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.edit import Edit
    from randomizer.model.grid import Grid
    from randomizer.model.things import Thing

SHOWN_SIDES = 300
SHOWN_THINGS = 200
"""At most so many hexsides and things of a stamp are shown in a preview."""


class StampTool(Tool):
    """Places what was copied, at each click."""

    name = "stamp"
    title = "Stamp"
    icon = "stamp"
    shortcut = "V"
    tip = "Lay down what was copied: Z and Shift+Z turn it, X and Y flip it, Esc ends."
    text = "Stamp"
    ends = True

    def why_not_here(self, document: MapDocument) -> str:
        """Also refuses if nothing was copied or it does not fit this kind of map."""
        stamp = self.options.stamp
        if stamp is None:
            layout = document.battlemap.grid.layout
            return cell_text("Nothing was copied yet: select {cells} and copy them first.", layout)
        try:
            cells_at(document.battlemap.grid, stamp, 0)
            place(document.battlemap, stamp, 0, document.active_layer_id)
        except ProblemError as problem:
            return problem.problems[0].message
        return super().why_not_here(document)

    def place(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """One place: it is placed once in a drag."""
        return ()

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Place the stamp with its anchor here."""
        stamp = self.options.stamp
        if stamp is None:
            return None
        kept = within(document, stamp, pointer.cell)
        return place(document.battlemap, kept, pointer.cell, document.active_layer_id)

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        """The stamp with its anchor here."""
        stamp = self.options.stamp
        if stamp is None or stamp.layout.side_names != document.battlemap.grid.layout.side_names:
            return super().preview(document, pointer)
        return picture(document, stamp, pointer.cell)

    def turn(self, steps: int) -> None:
        """Turn the stamp clockwise by so many sides."""
        stamp = self.options.stamp
        if stamp is not None:
            self.options.choose(stamp=stamp.turned(turned(stamp.layout, steps)))

    def flip(self, *, upside_down: bool) -> None:
        """Mirror the stamp, left and right or top and bottom."""
        stamp = self.options.stamp
        if stamp is not None:
            mirror = top_bottom if upside_down else left_right
            self.options.choose(stamp=stamp.turned(mirror(stamp.layout)))


def within(document: MapDocument, stamp: Stamp, cell: int) -> Stamp:
    """The part of a stamp that lies on selected cells; all of it if none are selected."""
    selection = document.selection
    if not len(selection):
        return stamp
    return _some(stamp, selection.contains(cells_at(document.battlemap.grid, stamp, cell)))


def _some(stamp: Stamp, chosen: NDArray[np.bool_]) -> Stamp:
    """The part of a stamp on the ``chosen`` (n,) of its cells."""
    planes = {name: p._replace(values=p.values[chosen]) for name, p in stamp.planes.items()}
    things = tuple(thing for thing in stamp.things if chosen[_cell_below(stamp, thing)])
    return replace(stamp, offsets=stamp.offsets[chosen], planes=planes, things=things)


def _cell_below(stamp: Stamp, thing: StampThing) -> int:
    """The index of the stamp's cell that a thing of it is nearest to."""
    q, r = (stamp.offsets * FINE - (thing.q, thing.r)).T
    return int((q * q + q * r + r * r if stamp.layout.degree == 6 else q * q + r * r).argmin())


def picture(document: MapDocument, stamp: Stamp, cell: int) -> Preview:
    """The preview of a stamp with its anchor on a cell."""
    grid = document.battlemap.grid
    at = cells_at(grid, stamp, cell)
    there = at >= 0
    order = np.flatnonzero(there)[np.argsort(at[there], kind="stable")]
    cells = at[order]
    held = stamp.plane(PlaneRole.TERRAIN)
    terrains = None
    if held is not None and held.values.ndim == 1:
        terrains = np.full(len(order), -1)
        is_set = held.values[order] != held.unset
        terrains[is_set] = _terrain_codes(document, stamp)[held.values[order][is_set]]
    sides: list[tuple[SidePlace, int | None]] = []
    edges = stamp.plane(PlaneRole.HEXSIDE)
    ours = tuple(hexside.name for hexside in document.battlemap.terrain_set.hexsides)
    if edges is not None and edges.values.ndim == 2 and stamp.hexsides == ours:
        set_there = (edges.values != edges.unset) & (edges.values != 0) & there[:, None]
        for index, side in np.argwhere(set_there)[:SHOWN_SIDES].tolist():
            sides.append((SidePlace(int(at[index]), side), int(edges.values[index, side])))
    lost = len(at) - len(cells)
    words = (
        f"{lost:,} of {counted(len(at), 'cell')} {many(lost, 'lies', 'lie')} off the board"
        if lost
        else ""
    )
    kept = left_out_of_placing(document.battlemap, stamp, cell, document.active_layer_id)
    settled = stamp_things(document.battlemap, stamp, cell)
    things, minded = tuple(settled.things[:SHOWN_THINGS]), settled.words
    words = " - ".join(filter(None, (words, minded)))
    shown = Preview(cells, terrains, tuple(sides), things=things, words=words)
    return marked(document, shown, kept)


def _terrain_codes(document: MapDocument, stamp: Stamp) -> NDArray[np.int64]:
    """The code on this map of each terrain of a stamp, -1 for those that the map does not have."""
    ours = document.battlemap.terrain_set
    return np.array(
        [ours.terrain_code(name) if ours.has_terrain(name) else -1 for name in stamp.terrains]
    )


class MoveTool(Tool):
    """Moves what is selected to where it is dragged, as one undo step; things stay the same."""

    name = "move"
    title = "Move selection"
    icon = "move"
    shortcut = "M"
    tip = "Drag what is selected to another place."
    text = "Move selection"
    spans = True
    _start: int | None = None
    _stamp: Stamp | None = None
    _things: Sequence[Thing] = ()

    def why_not_here(self, document: MapDocument) -> str:
        """Also refuses if nothing is selected."""
        if not len(document.selection):
            return "Nothing is selected: R selects a rectangle, W an area of one terrain."
        return super().why_not_here(document)

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        """Copy what will be taken away from the selected cells."""
        self._start = pointer.cell
        battlemap, active = document.battlemap, document.active_layer_id
        cells = document.selection.cells
        taken = erased_values(battlemap, active, cells)
        self._things = erased_things(battlemap, active, cells).things
        self._stamp = cut(battlemap, cells, taken, self._things)

    def _anchor(self, document: MapDocument, pointer: Pointer) -> tuple[Stamp, int] | None:
        """The stamp, anchored at the cell where the drag began, and the cell pointed at."""
        if self._stamp is None or self._start is None:
            return None
        grid, cells = document.battlemap.grid, document.selection.cells
        return moved_anchor(grid, self._stamp, anchor_of(grid, cells), self._start), pointer.cell

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Erase it there, place it here; it stays selected.

        What would be left out here, since a locked layer sets the place, stays there.
        """
        held = self._anchor(document, pointer)
        if held is None or self._start is None or pointer.cell == self._start:
            return
        battlemap, layer = document.battlemap, document.active_layer_id
        stamp, cell = held
        there, here = (cells_at(battlemap.grid, stamp, at) for at in (self._start, cell))
        moves = ~np.isin(here, left_out_of_placing(battlemap, stamp, cell, layer).places)
        if not moves.any():
            return
        part = _some(stamp, moves)
        pairs = zip(self._things, stamp.things, strict=True)
        things = [thing for thing, copied in pairs if moves[_cell_below(stamp, copied)]]
        yield erase_cells(battlemap, layer, area(there[moves]))
        yield carry_things(battlemap, part, cell, things)
        yield place(battlemap, replace(part, things=()), cell, layer)
        document.select(area(np.where(moves, here, there)))

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        """The selection at the place pointed at."""
        held = self._anchor(document, pointer)
        if held is None:
            return Preview(document.selection.cells)
        return picture(document, *held)

    def forget(self) -> None:
        """Forget the drag."""
        self._start = self._stamp = None
        self._things = ()


def moved_anchor(grid: Grid, stamp: Stamp, before: int, after: int) -> Stamp:
    """The same stamp with another cell as its anchor."""
    (q, r), (to_q, to_r) = (grid.axial(*grid.xy(cell)) for cell in (before, after))
    by_q, by_r = q - to_q, r - to_r
    things = tuple(t._replace(q=t.q + by_q * FINE, r=t.r + by_r * FINE) for t in stamp.things)
    return replace(stamp, offsets=stamp.offsets + np.array((by_q, by_r)), things=things)
