"""The route tool: rivers, roads, tracks and railways, drawn from cell to cell.

A route is stored as links: each cell has a bit mask of the sides that the route crosses, and the
cell beyond has the bit of its own side. A drag crosses *joints*, sides between two cells; each of
them is linked on both sides, and so are its symmetric twins (``_Link``). Two clicks do what a drag
along the cheapest way between them would do. Both end in ``RouteTool._lay``: read that first.

Rivers have a flow as well: the sides by which water leaves each cell, and a width that grows from
cell to cell (``_FlowOfLinks``). Widths are in quarters of the width of an ordinary river.

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.tools.painting import left_out, mark_left_out, paint
from app.tools.pointer import CellSide, Pointer, side_twins
from app.tools.tool import Preview, Tool
from randomizer.geometry.cheapest_path import cheapest_path
from randomizer.geometry.shapes import path
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.value_edits import compound
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import PlaneSpec
from randomizer.model.planes.routes import MARKS, PRESENT, SIDES, RouteSpec, without_bare_mark
from randomizer.model.system.routes_in_water import water_cells
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions

SOURCE_WIDTH = 2
"""The width of a river at its source, in quarters."""

USUAL_WIDTH = 4
"""The width in quarters of a river for which no width is stored: that of an ordinary one."""

GREATEST_GROWN_WIDTH = 8
"""A river that is drawn grows up to this width, in quarters."""

WAYS_TIP = (
    "Drag from {cell} to {cell}, or off the rim, to lay the chosen route, a river from source "
    "to mouth; with Ctrl held to take it away. Two clicks lay the cheapest one between them."
)

GROWTH = 0.5
"""The growth of a river that is drawn, in quarters of width a cell."""

MOST_AT_ONCE = 20_000
"""On maps of more cells the cheapest way is not previewed, and it is computed on another thread."""

NEAR_RIM = 0.5
"""Farther out than this (0: centre, 1: side) in a cell at the map's edge, a drag leaves the map."""


class _Link(NamedTuple):
    """A side that a route crosses, as both of its cells see it."""

    near: CellSide
    """The cell that the drag comes from, and the side by which the route leaves it."""

    far: CellSide | None
    """The cell beyond and its side; None at the edge of the map."""

    @property
    def ends(self) -> tuple[CellSide, ...]:
        """The cells and sides that exist: one or two."""
        if self.far is None:
            return (self.near,)
        return (self.near, self.far)

    def touches(self, cells: Set[int]) -> bool:
        """Return whether either cell is one of these."""
        return any(end.cell in cells for end in self.ends)


class _FlowOfLinks:
    """The flow of water in the cells that one edit links, and the widths of their rivers.

    For each link in the direction of the drag: ``leave`` its near cell, then ``enter`` its far one.
    The new flows and widths are ``complete_flows`` and ``widths``.
    """

    def __init__(
        self,
        former_rivers: NDArray[np.uint8],
        former_flows: NDArray[np.integer],
        former_widths: NDArray[np.integer],
        *,
        flows_in: bool,
    ) -> None:
        self._former_rivers = former_rivers
        """The links of rivers before the edit, by cell."""
        self._former_flows = former_flows
        """The sides by which water flowed out before the edit, as bit masks, by cell."""
        self._former_widths = former_widths
        """The widths before the edit in quarters, by cell; 0 where none is known."""
        self._flows_in = flows_in
        """True if the first cell gets its water from beyond the map."""
        self._flows: dict[int, int] = {}
        """The new sides of the cells by which water flows out, with the mark ``PRESENT``."""
        self.widths: dict[int, int] = {}
        """The widths, in quarters, of cells that had no river before."""

    def first_width(self, cell: int) -> int:
        """Return the width at which a river begins that is drawn from a cell on."""
        former_width = int(self._former_widths[cell])
        if former_width:
            return former_width
        is_source = not self._flows_in and not self._former_rivers[cell] & MARKS
        if is_source:
            return SOURCE_WIDTH
        return USUAL_WIDTH

    def leave(self, end: CellSide, width: float) -> None:
        """Let water flow out of a cell by a side; its river becomes ``width`` quarters wide.

        If water comes in from beyond the map, the side is where it comes in: the cell gets water,
        but none flows out there.
        """
        flow = self._flow_of(end.cell)
        if not self._flows_in:
            flow |= 1 << end.side
        self._flows[end.cell] = flow
        if not self._former_rivers[end.cell] & MARKS and end.cell not in self.widths:
            self.widths[end.cell] = int(width)

    def enter(self, end: CellSide, width: float) -> float:
        """Let water flow into a cell by a side, and return the width with which it flows on.

        A river that is joined keeps its width, and the water flows on with at least that width.
        """
        # Water that flowed the other way now flows this way.
        self._flows[end.cell] = self._flow_of(end.cell) & ~(1 << end.side)
        if self._former_rivers[end.cell] & MARKS:
            return max(width, int(self._former_widths[end.cell]) or USUAL_WIDTH)
        self.widths[end.cell] = int(_grown(width))
        return width

    def complete_flows(self) -> dict[int, int]:
        """Return the flows by cell; 0 for cells out of which no water flows by any side."""
        return {cell: without_bare_mark(flow) for cell, flow in self._flows.items()}

    def _flow_of(self, cell: int) -> int:
        """Return the flow of a cell after the links so far, with the mark ``PRESENT``."""
        return self._flows.get(cell, int(self._former_flows[cell])) | PRESENT


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
        """True while the drag has been on one cell only."""
        self._clicked: tuple[object, int] | None = None
        """The map and the cell of the first of two clicks."""
        self._no_way = False
        """True if no way led to the last click."""
        self._bridged_cells = 0
        """The number of cells of water that the route to the last click bridges."""
        self._width = 0.0
        """The width of the river that is being drawn, in quarters; 0 where it begins."""

    def lacks(self, system: System) -> str:
        if system.routes or system.ways:
            return ""
        return "routes (rivers, roads or railways)"

    def tip_on(self, system: System) -> str:
        if system.ways:
            return WAYS_TIP
        return self.tip

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
            # The drag begins here, or it comes back from outside the map (after ``lift``).
            if self._is_click:
                self._first = pointer.cell
            self._no_way = False
            self._bridged_cells = 0
            self._width = 0.0
            off_map = _off_map(document.battlemap, pointer)
            return self._lay(document, off_map, erase=pointer.ctrl, flows_in=True)
        self.lift()
        joints = _joints(document.battlemap.grid, previous_cell, pointer.cell)
        return self._lay(document, joints, erase=pointer.ctrl)

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
        return self._lay(document, off_map, erase=pointer.ctrl)

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Draw off the map if a drag ends at its edge.

        A click shows the next kind of the crossing in its cell, if the system has kinds of
        crossings; otherwise it is one of the two clicks between which a way is laid.
        """
        if self._last < 0:
            return  # the drag has left the map: ``leave`` has drawn its end
        off_map = _off_map(document.battlemap, pointer)
        is_click = self._first >= 0
        if not is_click:
            yield self._lay(document, off_map, erase=pointer.ctrl)
            return

        system = document.battlemap.system
        if any(crossing.plane for crossing in system.crossings):
            if not off_map:  # at the edge ``edit`` has drawn in from there: the click is used up
                yield _edit_to_next_crossing(document, pointer.cell)
            return

        start = self._start(document)
        if start < 0:
            self._clicked = (document.current_map, pointer.cell)
        elif start == pointer.cell:  # a second click on the same cell gives up
            self._clicked = None
        else:
            yield self._lay_between(document, start, pointer)

    def large_work(
        self, document: MapDocument, pointer: Pointer
    ) -> Callable[[], Edit | None] | None:
        start = self._start(document)
        if start < 0 or start == pointer.cell or document.battlemap.grid.size <= MOST_AT_ONCE:
            return None
        return partial(self._lay_between, document, start, pointer)

    def _lay_between(self, document: MapDocument, start: int, pointer: Pointer) -> Edit | None:
        """Return the edit that draws the cheapest way from ``start`` to the pointer.

        The first click is forgotten, so that the next one begins another way.
        """
        self._clicked = None
        self._width = 0.0
        grid = document.battlemap.grid
        way = self._cheapest(document, start, pointer)
        self._no_way = not way
        self._bridged_cells = self._count_bridged(document, way)
        joints = []
        for cell, next_cell in pairwise(way):
            joints += _joints(grid, cell, next_cell)
        return self._lay(document, joints, erase=pointer.ctrl)

    def why_nothing(self, document: MapDocument) -> str:
        if self._no_way:
            return "No way leads there: what lies between cannot be entered."
        if self._clicked is not None:
            return f"A click where the {self._route(document).name.lower()} is to end lays it."
        if self._is_click and not document.battlemap.system.ways:
            name = self._route(document).name.lower()
            return f"Drag from area to area, or off the rim, to lay the {name}."
        return ""

    def result_text(self, document: MapDocument) -> str:
        text = self._text_about_water(document, self._bridged_cells)
        if not text:
            return ""
        return f"{text}."

    def _text_about_water(self, document: MapDocument, bridged_cells: int) -> str:
        """Return that the way between two clicks crosses water; "" if it crosses none."""
        if not bridged_cells:
            return ""
        name = self._route(document).name.lower()
        words = cell_words(document.battlemap.grid.layout)
        water = counted(bridged_cells, f"{words.cell} of water", f"{words.cells} of water")
        return f"The {name} crosses {water}, as no way leads around"

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
        """Return the cell, with a line from where the drag was, or of the way from a first click.

        The line goes on to the edge where the drag would leave the map.
        """
        preview = super().preview(document, pointer)
        if self.why_not_here(document):
            return preview

        # The line leads through the centres of these cells ...
        grid = document.battlemap.grid
        cells = [cell for cell in (self._last, pointer.cell) if cell >= 0]
        start = self._start(document)
        if self._last < 0 <= start:
            if grid.size <= MOST_AT_ONCE:
                cells = self._cheapest(document, start, pointer)
                bridged_cells = self._count_bridged(document, cells)
                preview = replace(preview, note=self._text_about_water(document, bridged_cells))
            else:
                cells = [start, pointer.cell]
        points = [grid.centre(cell) for cell in cells]

        # ... and at the edge of the map on to the middle of the side that it crosses.
        for cell, side in _off_map(document.battlemap, pointer):
            first_x, first_y = grid.corner(cell, side)
            last_x, last_y = grid.corner(cell, side + 1)
            points.append(((first_x + last_x) / 2, (first_y + last_y) / 2))
        if len(set(points)) > 1:
            preview = replace(preview, points=tuple(points))
        else:
            preview = replace(preview, points=())  # one point alone is no line

        plane = document.battlemap.system.plane(self._route(document).plane)
        return mark_left_out(document, preview, left_out(document, plane, preview.cells))

    def _start(self, document: MapDocument) -> int:
        """Return the cell of the first of two clicks, -1 for none."""
        if self._clicked is None:
            return -1
        clicked_map, cell = self._clicked
        # The tool outlives maps, and a map may have a smaller grid by now.
        if clicked_map is document.current_map and document.battlemap.grid.exists(cell):
            return cell
        return -1

    def _route(self, document: MapDocument) -> RouteSpec:
        """Return the route that is chosen, the last one if the map has fewer."""
        routes = document.battlemap.system.routes_of(document.battlemap.terrain_set)
        return routes[min(self.options.route, len(routes) - 1)]

    def _cheapest(self, document: MapDocument, start: int, pointer: Pointer) -> list[int]:
        """Return the cells of the cheapest way by the costs of terrains; [] if there is none.

        With Ctrl it leads along existing links of the route only, as these are to be removed. Both
        ends may be cells that cannot be entered, such as a lake. Cells that the route avoids
        (``_avoided``) lie on it only if no way leads around them.
        """
        if not pointer.ctrl:
            is_avoided = self._avoided(document, start)
            is_avoided[pointer.cell] = False
            way = self._cheapest_avoiding(document, start, pointer, is_avoided)
            if way:
                return way
        none_avoided = np.zeros(document.battlemap.grid.size, np.bool_)
        return self._cheapest_avoiding(document, start, pointer, none_avoided)

    def _avoided(self, document: MapDocument, start: int) -> NDArray[np.bool_]:
        """Return which cells (size,) the route from ``start`` avoids where another way leads.

        A road, track or railway avoids water, even if people can wade in it; a river avoids what
        lies higher than its source.
        """
        battlemap = document.battlemap
        composite = document.composite
        none_avoided = np.zeros(battlemap.grid.size, np.bool_)
        if self._route(document).style != "water":
            is_water = water_cells(battlemap, composite)
            if is_water is None:
                return none_avoided
            return is_water
        elevation = None
        if battlemap.system.elevation is not None:
            elevation = composite.plane(battlemap.system.elevation)
        if elevation is None:
            return none_avoided
        elevations = elevation.reshape(-1)
        return np.asarray(elevations > elevations[start])

    def _count_bridged(self, document: MapDocument, way: Sequence[int]) -> int:
        """Return how many cells of water a new road, track or railway crosses.

        Its ends do not count, nor do cells that have the route already, such as a bridge.
        """
        route = self._route(document)
        is_water = water_cells(document.battlemap, document.composite)
        if route.style == "water" or is_water is None:
            return 0
        cells_between = np.array(way[1:-1], np.intp)
        values = document.composite.planes[route.plane].reshape(-1)
        is_new = ~route.runs(values[cells_between])
        return int((is_new & is_water[cells_between]).sum())

    def _cheapest_avoiding(
        self, document: MapDocument, start: int, pointer: Pointer, is_avoided: NDArray[np.bool_]
    ) -> list[int]:
        """Return the cheapest way as ``_cheapest`` does, without the cells that are avoided.

        It may still follow a link of the route through them, such as a bridge.
        """
        battlemap = document.battlemap
        composite = document.composite
        route = self._route(document)
        grid = battlemap.grid
        costs = self._entry_costs(document)
        costs[is_avoided] = np.inf
        if pointer.ctrl:
            costs[:] = np.inf  # no cell can be entered but along a link
        elif np.isinf(costs[pointer.cell]):
            costs[pointer.cell] = 1.0  # any finite cost: each way to the cell pays it once

        # A route may be cheaper to follow than any terrain; with Ctrl it is all that there is.
        way_cost = None
        for way in battlemap.terrain_set.ways:
            if way.name == route.name:
                way_cost = way.cost
                break
        if not pointer.ctrl and way_cost is None:
            return cheapest_path(grid, costs, start, pointer.cell, links=None, link_cost=1.0)
        if way_cost is None:
            way_cost = 1.0  # all links cost the same: the way of the fewest cells is the cheapest
        links = composite.planes[route.plane].reshape(-1) & np.uint8(SIDES)
        return cheapest_path(grid, costs, start, pointer.cell, links, way_cost)

    @staticmethod
    def _entry_costs(document: MapDocument) -> NDArray[np.float64]:
        """Return the costs of entering the cells (size,): infinity for a barred one."""
        battlemap = document.battlemap
        terrain = document.composite.plane(battlemap.system.terrain)
        if terrain is None:
            return np.ones(battlemap.grid.size)
        cost_by_code: list[float] = []
        for entry in battlemap.terrain_set.terrains:
            if entry.cost is None:
                cost_by_code.append(np.inf)
            else:
                cost_by_code.append(entry.cost)
        return np.array(cost_by_code)[terrain.reshape(-1)]

    def _lay(
        self,
        document: MapDocument,
        joints: Sequence[CellSide],
        *,
        erase: bool,
        flows_in: bool = False,
    ) -> Edit | None:
        """Return the edit that links cells across joints, or (``erase``) unlinks them; twins too.

        Water flows out by the joints or, if ``flows_in``, in by them from beyond the map.
        """
        route = self._route(document)
        plane = document.battlemap.system.plane(route.plane)
        former_values = document.composite.planes[route.plane].reshape(-1)

        # The links themselves.
        links_by_joint = self._links(document, joints, plane)
        ends: list[CellSide] = []
        for links in links_by_joint:
            for link in links:
                ends += link.ends
        values = _new_link_values(former_values, ends, route, erase=erase)
        cells = sorted(values)
        edits = [paint(document, plane, cells, [values[cell] for cell in cells])]

        # What goes with them: the flow of a river, and the kinds of new crossings.
        if route.style == "water" and erase:
            edits += self._without_flow(document, values)
        elif route.style == "water":
            edits += self._flow(document, links_by_joint, former_values, flows_in=flows_in)
        edits += _new_crossings(document, route, values)
        return compound(edits)

    def _links(
        self, document: MapDocument, joints: Sequence[CellSide], plane: PlaneSpec
    ) -> list[list[_Link]]:
        """Return for each joint the links across it and across its symmetric twins.

        A link is left out if a locked layer holds either of its cells: no route ends half way.
        """
        grid = document.battlemap.grid
        links_by_joint = []
        for joint in joints:
            links = []
            for cell_side in side_twins(document, self.options, joint):
                far: CellSide | None = None
                twin = grid.twin(*cell_side)
                if twin is not None:
                    far = CellSide(*twin)
                links.append(_Link(cell_side, far))
            links_by_joint.append(links)

        cells: list[int] = []
        for links in links_by_joint:
            for link in links:
                cells += [end.cell for end in link.ends]
        barred_cells = set(left_out(document, plane, cells).elements.tolist())
        free_links_by_joint = []
        for links in links_by_joint:
            free_links_by_joint.append([link for link in links if not link.touches(barred_cells)])
        return free_links_by_joint

    def _flow(
        self,
        document: MapDocument,
        links_by_joint: Sequence[Sequence[_Link]],
        former_rivers: NDArray[np.uint8],
        *,
        flows_in: bool,
    ) -> Iterator[Edit | None]:
        """Yield the edits that let water flow along the links, wider from cell to cell.

        ``former_rivers`` (size,) are the links before the edit: a river that is joined keeps its
        width, and what goes on from there is at least as wide.
        """
        system = document.battlemap.system
        planes = document.composite.planes
        if system.flow is None or system.flow_width is None:
            return
        flow = _FlowOfLinks(
            former_rivers,
            former_flows=planes[system.flow.name].reshape(-1),
            former_widths=planes[system.flow_width.name].reshape(-1),
            flows_in=flows_in,
        )
        for links in links_by_joint:
            width = self._width
            for link in links:
                if not self._width:
                    # The drag begins here: in a river, at the edge of the map or at a source.
                    width = flow.first_width(link.near.cell)
                flow.leave(link.near, width)
                if link.far is not None:
                    width = flow.enter(link.far, width)
            self._width = width
            if not flows_in:
                self._width = _grown(width)
        flows = flow.complete_flows()
        yield paint(document, system.flow, list(flows), list(flows.values()))
        yield paint(document, system.flow_width, list(flow.widths), list(flow.widths.values()))

    def _without_flow(
        self, document: MapDocument, values: Mapping[int, int]
    ) -> Iterator[Edit | None]:
        """Yield the edits that stop the flow by the sides that a river no longer crosses.

        ``values`` are the new links of its cells, 0 where no river is left.
        """
        system = document.battlemap.system
        planes = document.composite.planes
        if system.flow is None or system.flow_width is None:
            return
        former_flows = planes[system.flow.name].reshape(-1)
        flows = []
        for cell, value in values.items():
            flows.append(without_bare_mark(int(former_flows[cell]) & value))
        yield paint(document, system.flow, list(values), flows)
        dry = [cell for cell, value in values.items() if not value]
        yield paint(document, system.flow_width, dry, system.flow_width.unset)


def _new_link_values(
    former_values: NDArray[np.uint8], ends: Sequence[CellSide], route: RouteSpec, *, erase: bool
) -> dict[int, int]:
    """Return the new values of the cells that are linked, or (``erase``) unlinked, by their sides.

    ``former_values`` (size,) are those of the route's plane. A linked cell has the mark of the
    route: a road laid along a track makes it a road. The last link takes the mark away with it.
    """
    values: dict[int, int] = {}
    for cell, side in ends:
        value = values.get(cell, int(former_values[cell]))
        if erase:
            values[cell] = without_bare_mark(value & ~(1 << side))
        else:
            values[cell] = value & ~MARKS | route.mark | 1 << side
    return values


def _grown(width: float) -> float:
    """Return the width of a river one cell further on, in quarters.

    A river wider than ``GREATEST_GROWN_WIDTH`` keeps its width.
    """
    return min(width + GROWTH, max(width, GREATEST_GROWN_WIDTH))


def _joints(grid: Grid, start: int, end: int) -> list[CellSide]:
    """Return the sides that a straight way from one cell to another crosses, in its order."""
    cells = path(grid, start, end).tolist()
    result = []
    for cell, next_cell in pairwise(cells):
        sides = [side for side in range(grid.degree) if grid.neighbour(cell, side) == next_cell]
        if sides:
            result.append(CellSide(cell, sides[0]))
            continue
        # Squares that meet at a corner share no side: the way leads through a neighbour of both.
        for neighbour in grid.neighbours(cell):
            if next_cell in grid.neighbours(neighbour):
                result += _joints(grid, cell, neighbour)
                result += _joints(grid, neighbour, next_cell)
                break
    return result


def _off_map(battlemap: BattleMap, pointer: Pointer) -> list[CellSide]:
    """Return the side of the map's edge that the pointer is near; [] if it is near none.

    It is a list for ``RouteTool._lay``: a drag leaves or enters the map by this joint.
    """
    hit = pointer.hit
    is_at_edge = battlemap.grid.neighbour(hit.cell, hit.side) < 0
    if is_at_edge and hit.depth > NEAR_RIM:
        return [CellSide(hit.cell, hit.side)]
    return []


def _new_crossings(
    document: MapDocument, route: RouteSpec, values: dict[int, int]
) -> Iterator[Edit | None]:
    """Yield the edits that set the first kind of crossing where a new route crosses another one."""
    battlemap = document.battlemap
    planes = document.composite.planes
    for crossing in battlemap.system.crossings:
        if not crossing.plane or route.plane not in (crossing.over, crossing.under):
            continue
        crossed_plane = crossing.over
        if route.plane == crossing.over:
            crossed_plane = crossing.under
        crossed = planes[crossed_plane].reshape(-1)
        kinds = planes[crossing.plane].reshape(-1)
        cells = []
        for cell, value in sorted(values.items()):
            is_crossing = value & MARKS and crossed[cell] & MARKS
            if is_crossing and not kinds[cell]:
                cells.append(cell)
        yield paint(document, battlemap.system.plane(crossing.plane), cells, 1)


def _edit_to_next_crossing(document: MapDocument, cell: int) -> Edit | None:
    """Return the edit that sets the next kind of crossing in a cell; None without a crossing."""
    battlemap = document.battlemap
    for crossing in battlemap.system.crossings:
        if crossing.plane and crossing.at(document.composite.planes, [cell])[0]:
            kind = int(document.composite.planes[crossing.plane].flat[cell])
            next_kind = kind % len(crossing.kinds) + 1  # kinds are counted from 1
            return paint(document, battlemap.system.plane(crossing.plane), [cell], next_kind)
    return None
