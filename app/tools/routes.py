"""The route tool: rivers, roads, tracks and railways, drawn from cell to cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.tools.painting import left_out, mark_left_out, paint
from app.tools.pointer import CellSide, Pointer, side_twins
from app.tools.tool import Preview, Tool
from randomizer.geometry.cheapest_path import cheapest_path
from randomizer.geometry.shapes import path
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.value_edits import compound
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.routes import MARKS, PRESENT, SIDES, RouteSpec
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions

SOURCE = 2
USUAL = 4
WIDEST = 8
"""Widths of rivers in quarters: at a source, of one of unknown width, and where drawing ends."""

WAYS_TIP = (
    "Drag from {cell} to {cell}, or off the rim, to lay the chosen route, a river from source "
    "to mouth; with Ctrl held to take it away. Two clicks lay the cheapest one between them."
)

GROWTH = 0.5
"""By how much a river that is drawn grows from cell to cell."""

MOST_AT_ONCE = 20_000
"""On maps of more cells the cheapest way is not previewed, and found on another thread."""

NEAR_RIM = 0.5
"""Farther out than this (0: centre, 1: side) in a cell at the map's edge, a drag leaves the map."""


class RouteTool(Tool):
    """Draws the chosen route along a drag, also off the map, or from one click to the next.

    A click on a crossing that has several kinds shows the next one.
    """

    name = "route"
    title = "Route"
    words = "road river railway path track"
    icon = "route"
    shortcut = "J"
    tip = (
        "Drag from area to area, or off the rim, to lay the chosen route, such as a river or "
        "road; with Ctrl held to take it away. A click where a road crosses a river: ford or "
        "bridge."
    )
    text = "Lay route"
    uses = frozenset({"symmetry"})
    picks = False
    comes_in = True

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._first = -1
        """The cell of the press, -1 as soon as the drag has gone on from there."""
        self._last = -1
        """The cell from which the drag goes on, -1 where it begins and while it is off the map."""
        self._is_click = True
        """Whether the drag has been on one cell only so far."""
        self._clicked: tuple[object, int] | None = None
        """The map and the cell of the first of two clicks."""
        self._no_way = False
        self._width = 0.0
        """The width of the river that is being drawn, in quarters; 0 where it begins."""

    def lacks(self, system: System) -> str:
        if system.routes or system.ways:
            return ""
        return "routes (rivers, roads or railways)"

    def tip_on(self, system: System) -> str:
        return WAYS_TIP if system.ways else self.tip

    def why_not_here(self, document: MapDocument) -> str:
        battlemap = document.battlemap
        if not battlemap.system.routes_of(battlemap.terrain_set):
            return f"The terrain set {battlemap.terrain_set.name} has no routes to lay."
        return super().why_not_here(document)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Draw from the cell where the drag was to this one, or in from the map's edge."""
        previous_cell = self._last
        self._last = pointer.cell
        if previous_cell < 0:
            if self._is_click:
                self._first = pointer.cell
            self._no_way = False
            self._width = 0.0
            off_map = _off_map(document.battlemap, pointer)
            return self._lay(document, off_map, take=pointer.ctrl, comes=True)
        self.lift()
        joints = _joints(document.battlemap.grid, previous_cell, pointer.cell)
        return self._lay(document, joints, take=pointer.ctrl)

    def lift(self) -> None:
        """Note that this is no click: the drag comes from elsewhere."""
        self._is_click = False
        self._first = -1
        self._clicked = None

    def leave(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Return the edit that draws off the map where the drag leaves it."""
        self.lift()
        self._last = -1
        off_map = _off_map(document.battlemap, pointer)
        return self._lay(document, off_map, take=pointer.ctrl)

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Draw off the map if the drag ends at its edge; after a click do what it is for."""
        if self._last < 0:
            return  # it has left the map
        off_map = _off_map(document.battlemap, pointer)
        if self._first < 0:
            yield self._lay(document, off_map, take=pointer.ctrl)
            return
        system = document.battlemap.system
        if any(crossing.plane for crossing in system.crossings):
            yield None if off_map else _other_crossing(document, pointer.cell)
            return
        start = self._start(document)
        if start < 0 or start == pointer.cell:
            if start < 0:
                self._clicked = (document.current_map, pointer.cell)
            else:
                self._clicked = None
            return
        yield self._lay_between(document, start, pointer)

    def large_work(
        self, document: MapDocument, pointer: Pointer
    ) -> Callable[[], Edit | None] | None:
        start = self._start(document)
        if start < 0 or start == pointer.cell or document.battlemap.grid.size <= MOST_AT_ONCE:
            return None
        return partial(self._lay_between, document, start, pointer)

    def _lay_between(self, document: MapDocument, start: int, pointer: Pointer) -> Edit | None:
        """Draw the cheapest way from one cell to another; there is no first click any more."""
        self._clicked = None
        self._width = 0.0
        grid = document.battlemap.grid
        way = self._cheapest(document, start, pointer)
        self._no_way = not way
        steps = pairwise(way)
        joints = [joint for here, end in steps for joint in _joints(grid, here, end)]
        return self._lay(document, joints, take=pointer.ctrl)

    def why_nothing(self, document: MapDocument) -> str:
        if self._no_way:
            return "No way leads there: what lies between cannot be entered."
        if self._clicked is not None:
            return f"A click where the {self._route(document).name.lower()} is to end lays it."
        if self._is_click and not document.battlemap.system.ways:
            name = self._route(document).name.lower()
            return f"Drag from area to area, or off the rim, to lay the {name}."
        return ""

    def put_down(self) -> bool:
        had_first_click = self._clicked is not None
        self._clicked = None
        return had_first_click

    def forget(self) -> None:
        self._first = -1
        self._last = -1
        self._is_click = True
        self._width = 0.0

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        """Return cell, with a line from where the drag was and to where it would leave the map."""
        preview = super().preview(document, pointer)
        if self.why_not_here(document):
            return preview
        grid = document.battlemap.grid
        cells = [cell for cell in (self._last, pointer.cell) if cell >= 0]
        start = self._start(document)
        if self._last < 0 <= start:
            near = grid.size <= MOST_AT_ONCE
            if near:
                cells = self._cheapest(document, start, pointer)
            else:
                cells = [start, pointer.cell]
        ends = [grid.centre(cell) for cell in cells]
        for cell_side in _off_map(document.battlemap, pointer):
            (ax, ay) = grid.corner(*cell_side)
            (bx, by) = grid.corner(cell_side.cell, cell_side.side + 1)
            ends.append(((ax + bx) / 2, (ay + by) / 2))
        preview = replace(preview, points=tuple(ends) if len(set(ends)) > 1 else ())
        plane = document.battlemap.system.plane(self._route(document).plane)
        return mark_left_out(document, preview, left_out(document, plane, preview.cells))

    def _start(self, document: MapDocument) -> int:
        """Return the cell of the first of two clicks, -1 for none."""
        current, cell = self._clicked or (None, -1)
        grid = document.battlemap.grid
        if current is document.current_map and grid.exists(cell):
            return cell
        return -1

    def _route(self, document: MapDocument) -> RouteSpec:
        routes = document.battlemap.system.routes_of(document.battlemap.terrain_set)
        return routes[min(self.options.route, len(routes) - 1)]

    def _cheapest(self, document: MapDocument, start: int, pointer: Pointer) -> list[int]:
        """Return the cells of the cheapest way by the costs of terrains; with Ctrl along the route
        only.

        [] if there is none. Both ends may be cells that cannot be entered, such as a lake.
        """
        battlemap = document.battlemap
        composite = document.composite
        route = self._route(document)
        terrain_set = battlemap.terrain_set
        grid = battlemap.grid
        terrain = composite.plane(battlemap.system.terrain)
        costs = np.ones(grid.size)
        if terrain is not None:
            each = [np.inf if kind.cost is None else kind.cost for kind in terrain_set.terrains]
            costs = np.array(each)[terrain.reshape(-1)]
        way = next((way for way in terrain_set.ways if way.name == route.name), None)
        links = None
        link_cost = 1.0
        if pointer.ctrl:
            costs[:] = np.inf
        elif np.isinf(costs[pointer.cell]):
            costs[pointer.cell] = 1.0
        if pointer.ctrl or (way is not None and way.cost is not None):
            links = composite.planes[route.plane].reshape(-1) & np.uint8(SIDES)
            link_cost = 1.0 if way is None or way.cost is None else way.cost
        return cheapest_path(grid, costs, start, pointer.cell, links, link_cost)

    def _lay(
        self,
        document: MapDocument,
        joints: Sequence[CellSide],
        *,
        take: bool,
        comes: bool = False,
    ) -> Edit | None:
        """Join cells across sides, or (``take``) separate them; symmetric twins too.

        Water flows out by the sides, or (``comes``) in by them from beyond the map.
        """
        grid = document.battlemap.grid
        route = self._route(document)
        links_now = document.composite.planes[route.plane].reshape(-1)
        ways = [
            [
                [end for end in (cell_side, grid.twin(*cell_side)) if end is not None]
                for cell_side in side_twins(document, self.options, joint)
            ]
            for joint in joints
        ]
        cells = [cell for twins in ways for ends in twins for cell, _side in ends]
        plane = document.battlemap.system.plane(route.plane)
        barred = set(left_out(document, plane, cells).elements.tolist())
        values: dict[int, int] = {}
        for twins in ways:
            # No route ends half way.
            twins[:] = [ends for ends in twins if not any(cell in barred for cell, _side in ends)]
            for cell, side in chain.from_iterable(twins):
                value = values.get(cell, int(links_now[cell]))
                if take:
                    value &= ~(1 << side)
                    values[cell] = value if value & ~MARKS else 0
                else:
                    values[cell] = value & ~MARKS | route.mark | 1 << side
        cells = sorted(values)
        edits = [paint(document, plane, cells, [values[c] for c in cells])]
        if route.style == "water" and take:
            edits += self._without_flow(document, values)
        elif route.style == "water":
            edits += self._flow(document, ways, links_now, comes=comes)
        return compound([*edits, *_new_crossings(document, route, values)])

    def _flow(
        self,
        document: MapDocument,
        ways: Sequence[Sequence[Sequence[tuple[int, int]]]],
        rivers: NDArray[np.uint8],
        *,
        comes: bool,
    ) -> Iterator[Edit | None]:
        """Yield the edits that let water flow along the ways, wider from cell to cell.

        ``rivers`` (size,) are those of before: what they join keeps its width, and what goes on
        from them has that.
        """
        system = document.battlemap.system
        planes = document.composite.planes
        if system.flow is None or system.flow_width is None:
            return
        flow, width = (planes[spec.name].reshape(-1) for spec in (system.flow, system.flow_width))
        flows: dict[int, int] = {}
        widths: dict[int, int] = {}
        for twins in ways:
            wide = self._width
            for (cell, side), *beyond in twins:
                if not self._width:
                    usual_width = USUAL if comes or rivers[cell] & MARKS else SOURCE
                    wide = int(width[cell]) or usual_width
                flows[cell] = flows.get(cell, int(flow[cell])) | PRESENT | (not comes) << side
                if not rivers[cell] & MARKS and cell not in widths:
                    widths[cell] = int(wide)
                for neighbour, back in beyond:
                    flows[neighbour] = (flows.get(neighbour, int(flow[neighbour])) | PRESENT) & ~(
                        1 << back
                    )
                    if rivers[neighbour] & MARKS:
                        wide = max(wide, int(width[neighbour]) or USUAL)
                    else:
                        widths[neighbour] = int(min(wide + GROWTH, max(wide, WIDEST)))
            self._width = min(wide + GROWTH * (not comes), max(wide, WIDEST))
        flows = {cell: value if value & SIDES else 0 for cell, value in flows.items()}
        for spec, values in ((system.flow, flows), (system.flow_width, widths)):
            yield paint(document, spec, list(values), list(values.values()))

    def _without_flow(
        self, document: MapDocument, values: Mapping[int, int]
    ) -> Iterator[Edit | None]:
        """Yield the edits that stop the flow by the sides that rivers of new ``values`` do not
        cross.
        """
        system = document.battlemap.system
        planes = document.composite.planes
        if system.flow is None or system.flow_width is None:
            return
        flow = planes[system.flow.name].reshape(-1)
        flows_left = [int(flow[cell]) & value for cell, value in values.items()]
        flows_left = [value if value & SIDES else 0 for value in flows_left]
        yield paint(document, system.flow, list(values), flows_left)
        dry = [cell for cell, value in values.items() if not value]
        yield paint(document, system.flow_width, dry, system.flow_width.unset)


def _joints(grid: Grid, start: int, end: int) -> list[CellSide]:
    """Return the sides that a straight way from one cell to another crosses."""
    cells = path(grid, start, end).tolist()
    result = []
    for here, target in pairwise(cells):
        sides = [side for side in range(grid.degree) if grid.neighbour(here, side) == target]
        if sides:
            result.append(CellSide(here, sides[0]))
            continue
        # Squares that meet at a corner: by way of a neighbour of both.
        corner = next((n for n in grid.neighbours(here) if target in grid.neighbours(n)), None)
        if corner is not None:
            result += _joints(grid, here, corner) + _joints(grid, corner, target)
    return result


def _off_map(battlemap: BattleMap, pointer: Pointer) -> list[CellSide]:
    """[the side by which a drag at ``pointer`` leaves the map], [] if it does not."""
    hit = pointer.hit
    leaves = hit.depth > NEAR_RIM and battlemap.grid.neighbour(hit.cell, hit.side) < 0
    if leaves:
        return [CellSide(hit.cell, hit.side)]
    return []


def _new_crossings(
    document: MapDocument, route: RouteSpec, values: dict[int, int]
) -> Iterator[Edit | None]:
    """Yield the edits that set the first kind of crossing where a new route crosses another one."""
    battlemap = document.battlemap
    planes = document.composite.planes
    for crossing in battlemap.system.crossings:
        if crossing.plane and route.plane in (crossing.over, crossing.under):
            if route.plane == crossing.over:
                under = crossing.under
            else:
                under = crossing.over
            cells = [
                cell
                for cell, value in sorted(values.items())
                if value & MARKS
                and planes[under].flat[cell] & MARKS
                and not planes[crossing.plane].flat[cell]
            ]
            yield paint(document, battlemap.system.plane(crossing.plane), cells, 1)


def _other_crossing(document: MapDocument, cell: int) -> Edit | None:
    """Return the edit that sets the next kind of crossing in a cell; None if there is no
    crossing.
    """
    battlemap = document.battlemap
    for crossing in battlemap.system.crossings:
        if crossing.plane and crossing.at(document.composite.planes, [cell])[0]:
            kind = int(document.composite.planes[crossing.plane].flat[cell])
            following = kind % len(crossing.kinds) + 1
            return paint(document, battlemap.system.plane(crossing.plane), [cell], following)
    return None
