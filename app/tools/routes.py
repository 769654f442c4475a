"""The route tool: rivers, roads, tracks and railways, drawn from cell to cell."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from app.tools.painting import left_out, mark_left_out, paint
from app.tools.pointer import CellSide, Pointer, side_twins
from app.tools.tool import Preview, Tool
from randomizer.geometry.shapes import path
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.value_edits import compound
from randomizer.model.routes import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.document.document import MapDocument
    from app.tools.options import ToolOptions
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.grid.grid import Grid
    from randomizer.model.routes import RouteSpec
    from randomizer.model.system import System

NEAR_RIM = 0.5
"""Farther out than this (0: centre, 1: side) in a cell at the map's edge, a drag leaves the map."""


class RouteTool(Tool):
    """Draws the chosen route along a drag, also off the map; a click changes a crossing."""

    name = "route"
    title = "Route"
    icon = "route"
    shortcut = "J"
    tip = (
        "Drag from area to area, or off the rim, to lay the chosen river, road or railway; with "
        "Ctrl held to take it away. A click where a road crosses a river: ford or bridge."
    )
    text = "Lay route"
    uses = frozenset({"symmetry"})
    picks = False

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._first = self._last = -1

    def lacks(self, system: System) -> str:
        return "" if system.routes else "rivers, roads or railways"

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Draw from the cell where the drag was to this one, or in from the map's edge."""
        before, self._last = self._last, pointer.cell
        if before < 0:
            self._first = pointer.cell
            return self._lay(document, _off_map(document.battlemap, pointer), take=pointer.ctrl)
        joints = _joints(document.battlemap.grid, before, pointer.cell)
        self._first = -1
        return self._lay(document, joints, take=pointer.ctrl)

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Draw off the map if the drag ends at its edge; change the crossing after a click."""
        off_map = _off_map(document.battlemap, pointer)
        if self._first < 0:
            yield self._lay(document, off_map, take=pointer.ctrl)
        elif not off_map:
            yield _other_crossing(document, pointer.cell)

    def forget(self) -> None:
        self._first = self._last = -1

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        """Return cell, with a line from where the drag was and to where it would leave the map."""
        shown = super().preview(document, pointer)
        grid = document.battlemap.grid
        ends = [grid.centre(cell) for cell in (self._last, pointer.cell) if cell >= 0]
        for place in _off_map(document.battlemap, pointer):
            (ax, ay), (bx, by) = grid.corner(*place), grid.corner(place.cell, place.side + 1)
            ends.append(((ax + bx) / 2, (ay + by) / 2))
        shown = Preview(shown.cells, points=tuple(ends) if len(set(ends)) > 1 else ())
        plane = document.battlemap.system.plane(self._route(document).plane)
        return mark_left_out(document, shown, left_out(document, plane, shown.cells))

    def _route(self, document: MapDocument) -> RouteSpec:
        routes = document.battlemap.system.routes
        return routes[min(self.options.route, len(routes) - 1)]

    def _lay(self, document: MapDocument, joints: Sequence[CellSide], *, take: bool) -> Edit | None:
        """Join cells across sides, or (``take``) separate them; symmetric twins too."""
        grid, route = document.battlemap.grid, self._route(document)
        shown = document.composite.planes[route.plane].reshape(-1)
        ways = [
            [end for end in (place, grid.twin(*place)) if end is not None]
            for joint in joints
            for place in side_twins(document, self.options, joint)
        ]
        cells = [cell for ends in ways for cell, _side in ends]
        plane = document.battlemap.system.plane(route.plane)
        kept = set(left_out(document, plane, cells).places.tolist())
        values: dict[int, int] = {}
        for ends in ways:
            if not any(cell in kept for cell, _side in ends):  # no route that ends half way
                for cell, side in ends:
                    value = values.get(cell, int(shown[cell]))
                    if take:
                        value &= ~(1 << side)
                        values[cell] = value if value & ~MARKS else 0
                    else:
                        values[cell] = value & ~MARKS | route.mark | 1 << side
        cells = sorted(values)
        drawn = paint(document, plane, cells, [values[c] for c in cells])
        return compound([drawn, *_new_crossings(document, route, values)])


def _joints(grid: Grid, start: int, end: int) -> list[CellSide]:
    """The sides that a straight way from one cell to another crosses."""
    cells = path(grid, start, end).tolist()
    result = []
    for here, there in pairwise(cells):
        sides = [side for side in range(grid.degree) if grid.neighbour(here, side) == there]
        if sides:
            result.append(CellSide(here, sides[0]))
            continue
        # Squares that meet at a corner: by way of a neighbour of both.
        corner = next((n for n in grid.neighbours(here) if there in grid.neighbours(n)), None)
        if corner is not None:
            result += _joints(grid, here, corner) + _joints(grid, corner, there)
    return result


def _off_map(battlemap: BattleMap, pointer: Pointer) -> list[CellSide]:
    """[the side by which a drag at ``pointer`` leaves the map], [] if it does not."""
    hit = pointer.hit
    leaves = hit.depth > NEAR_RIM and battlemap.grid.neighbour(hit.cell, hit.side) < 0
    return [CellSide(hit.cell, hit.side)] if leaves else []


def _new_crossings(
    document: MapDocument, route: RouteSpec, values: dict[int, int]
) -> Iterator[Edit | None]:
    """The edits that set the first kind of crossing where a new route crosses another one."""
    battlemap, planes = document.battlemap, document.composite.planes
    for crossing in battlemap.system.crossings:
        if crossing.plane and route.plane in (crossing.over, crossing.under):
            other = crossing.under if route.plane == crossing.over else crossing.over
            there = [
                cell
                for cell, value in sorted(values.items())
                if value & MARKS
                and planes[other].flat[cell] & MARKS
                and not planes[crossing.plane].flat[cell]
            ]
            yield paint(document, battlemap.system.plane(crossing.plane), there, 1)


def _other_crossing(document: MapDocument, cell: int) -> Edit | None:
    """The edit that sets the next kind of crossing in a cell; None if there is no crossing."""
    battlemap = document.battlemap
    for crossing in battlemap.system.crossings:
        if crossing.plane and crossing.at(document.composite.planes, [cell])[0]:
            kind = int(document.composite.planes[crossing.plane].flat[cell])
            following = kind % len(crossing.kinds) + 1
            return paint(document, battlemap.system.plane(crossing.plane), [cell], following)
    return None
