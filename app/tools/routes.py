"""The route tool: rivers, roads, tracks and railways, drawn from cell to cell.

There are two ways to draw one. A drag links each cell with the one before, and leads off the map
where it leaves it. Two clicks lay the cheapest way between their cells. Both work out which sides
the route crosses, and in which direction (``SideCrossing``); ``RouteTool._link_edit`` returns the
edit that links cells across them.

What comes with the links is worked out in other modules: the flow of rivers (river_flow.py), the
kinds of crossings (crossings.py) and the cheapest way (cheapest_way.py). ``Tool`` (tool.py)
explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from app.tools.cheapest_way import Way, cheapest_way, shortest_along_links
from app.tools.crossings import edit_to_next_kind, new_crossings
from app.tools.painting import left_out, mark_left_out, paint
from app.tools.pointer import CellSide, Pointer
from app.tools.preview import Preview
from app.tools.river_flow import DrawnRiver, edits_that_stop_flow
from app.tools.route_links import (
    SideCrossing,
    crossings_along,
    crossings_between,
    linked_values,
    links_across,
    side_at_edge,
    unlinked_values,
)
from app.tools.tool import Tool
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.value_edits import compound
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.grid.grid import Grid
from randomizer.model.planes.routes import RouteSpec
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.document.open_map import OpenMap
    from app.tools.options import ToolOptions

WAYS_TIP = (
    "Drag from {cell} to {cell}, or off the rim, to lay the chosen route, a river from source "
    "to mouth; with Ctrl held to take it away. Two clicks lay the cheapest one between them."
)

MAX_AT_ONCE = 20_000
"""On maps of more cells the cheapest way is not previewed, and it is computed on another thread.

If it is larger, the pointer sticks while it is moved over large maps.
"""


class _Stroke:
    """A stroke under way, from the press of the mouse to its release: a click, or a drag."""

    def __init__(self) -> None:
        self.is_drag = False
        """True once the mouse has come to another cell, or from outside the map."""
        self.last_cell: int | None = None
        """The cell from which a drag goes on; None before the first one, and off the map."""
        self.river = DrawnRiver()
        """The widths so far if it draws a river; a new one begins where it comes in again."""
        self.postponed_entry: list[SideCrossing] = []
        """The crossing of the map's edge at the press that is still to be laid, [] for none."""


class _FirstClick(NamedTuple):
    """The first of the two clicks between which a way is laid."""

    open_map: OpenMap
    cell: int


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
    is_eyedropper_with_ctrl = False
    may_begin_outside = True

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._stroke: _Stroke | None = None
        """The stroke under way, None between strokes."""
        self._first_click: _FirstClick | None = None
        """The click that waits for a second one, None without one. It outlives its stroke."""
        self._last_way: Way | None = None
        """The way that the last two clicks have laid; None once another stroke has begun."""

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

    # --- a drag -----------------------------------------------------------------------------

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Draw from the cell where the drag was to this one, or in from the map's edge."""
        if self._stroke is None:
            self._stroke = _Stroke()
        stroke = self._stroke
        if stroke.last_cell is None:
            return self._begin_at(document, stroke, pointer)
        self._begin_drag(stroke)
        crossings = crossings_between(document.battlemap.grid, stroke.last_cell, pointer.cell)
        stroke.last_cell = pointer.cell
        return self._draw(document, stroke, crossings, erase=pointer.ctrl_or_alt)

    def _begin_at(self, document: MapDocument, stroke: _Stroke, pointer: Pointer) -> Edit | None:
        """Begin to draw where the mouse was pressed, or has come back from outside the map.

        At the edge the route comes in from beyond it.
        """
        stroke.last_cell = pointer.cell
        stroke.river = DrawnRiver()
        self._last_way = None
        entry = _crossing_of_edge(document, pointer, comes_in=True)
        if not stroke.is_drag and self._start_of_way_to(document, pointer.cell) is not None:
            # This is the second of two clicks, after which a way leads out here (``finish``), or
            # the beginning of a drag, which comes in: the next call tells.
            stroke.postponed_entry = entry
            return None
        return self._draw(document, stroke, entry, erase=pointer.ctrl_or_alt)

    def resume_at_edge(self) -> None:
        """Note that the drag was outside the map; the next ``edit`` draws in from the edge."""
        if self._stroke is None:
            self._stroke = _Stroke()
        self._begin_drag(self._stroke)

    def _begin_drag(self, stroke: _Stroke) -> None:
        """Note that the stroke is a drag, which is no click and forgets the first of two."""
        stroke.is_drag = True
        self._first_click = None

    def leave(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Return the edit that draws off the map where the drag leaves it."""
        stroke = self._stroke
        if stroke is None:
            return None
        self._begin_drag(stroke)
        stroke.last_cell = None
        exit_crossing = _crossing_of_edge(document, pointer)
        return self._draw(document, stroke, exit_crossing, erase=pointer.ctrl_or_alt)

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Draw off the map if a drag ends at its edge, or do what a click does."""
        stroke = self._stroke
        if stroke is None or stroke.last_cell is None:
            return  # the drag has left the map: ``leave`` has drawn its end
        exit_crossing = _crossing_of_edge(document, pointer)
        if stroke.is_drag:
            yield self._draw(document, stroke, exit_crossing, erase=pointer.ctrl_or_alt)
        elif not _has_kinds_of_crossings(document):
            yield self._click(document, pointer)
        elif not exit_crossing:  # a click at the edge has already laid a link off the map
            yield edit_to_next_kind(document, pointer.cell)

    def forget(self) -> None:
        """Drop the state of the stroke; the first of two clicks stays."""
        self._stroke = None

    def _draw(
        self, document: MapDocument, stroke: _Stroke, crossings: list[SideCrossing], *, erase: bool
    ) -> Edit | None:
        """Return the edit for the next piece of a stroke; None if it crosses no side."""
        crossings = stroke.postponed_entry + crossings
        stroke.postponed_entry = []
        if not crossings:
            return None
        return self._link_edit(document, crossings, stroke.river, erase=erase)

    # --- two clicks -------------------------------------------------------------------------

    def _click(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Note the first of two clicks, or return the edit of the second one."""
        start = self._start_of_way_to(document, pointer.cell)
        if start is not None:
            return self._lay_way(document, start, pointer)
        if self._cell_of_first_click(document) is None:
            self._first_click = _FirstClick(document.current_map, pointer.cell)
        else:
            self._first_click = None  # a second click on the same cell gives up
        return None

    def large_work(
        self, document: MapDocument, pointer: Pointer
    ) -> Callable[[], Edit | None] | None:
        """Return the search for a way on a large map; the tool goes on only when it has ended."""
        start = self._start_of_way_to(document, pointer.cell)
        if start is None or document.battlemap.grid.size <= MAX_AT_ONCE:
            return None
        return partial(self._lay_way, document, start, pointer)

    def _lay_way(self, document: MapDocument, start: int, pointer: Pointer) -> Edit | None:
        """Return the edit that draws the cheapest way from ``start`` to the pointer.

        At the edge of the map it leads on off the map. The first click is forgotten, so that the
        next one begins another way.
        """
        way = self._find_way(document, start, pointer)
        # On large maps this runs on another thread. The window asks for these two only when the
        # edit is there (``why_nothing``, ``result_text``), and a preview until then shows a line.
        self._first_click = None
        self._last_way = way
        crossings = crossings_along(document.battlemap.grid, way.cells)
        if way.cells:
            crossings += _crossing_of_edge(document, pointer)
        return self._link_edit(document, crossings, DrawnRiver(), erase=pointer.ctrl_or_alt)

    def _start_of_way_to(self, document: MapDocument, cell: int) -> int | None:
        """Return the cell where the way begins that a click on ``cell`` would end.

        None if this would not be the second of two clicks, or one on the same cell.
        """
        start = self._cell_of_first_click(document)
        if start == cell:
            return None
        return start

    def _cell_of_first_click(self, document: MapDocument) -> int | None:
        """Return the cell of the first of two clicks, None without one on this map."""
        if self._first_click is None:
            return None
        clicked_map, cell = self._first_click
        # The tool outlives maps, and a map may have a smaller grid by now.
        if clicked_map is document.current_map and document.battlemap.grid.exists(cell):
            return cell
        return None

    def _find_way(self, document: MapDocument, start: int, pointer: Pointer) -> Way:
        """Return the way from ``start`` to the pointer: with Ctrl along existing links only."""
        route = self._chosen_route(document)
        if pointer.ctrl_or_alt:
            cells = shortest_along_links(document, route, start, pointer.cell)
            return Way(cells, bridged_count=0)
        return cheapest_way(document, route, start, pointer.cell)

    def cancel_pending(self) -> bool:
        """Forget the first of two clicks; return whether there was one."""
        had_first_click = self._first_click is not None
        self._first_click = None
        return had_first_click

    # --- messages ---------------------------------------------------------------------------

    def why_nothing(self, document: MapDocument) -> str:
        # The second of two clicks has found no way.
        if self._last_way is not None and not self._last_way.cells:
            return "No way leads there: what lies between cannot be entered."
        name = self._chosen_route(document).name.lower()
        # The first of two clicks has laid nothing yet.
        if self._first_click is not None:
            return f"A click where the {name} is to end lays it."
        # A click where routes are laid by drags alone.
        is_drag = self._stroke is not None and self._stroke.is_drag
        if not is_drag and not document.battlemap.system.ways:
            return f"Drag from area to area, or off the rim, to lay the {name}."
        return ""

    def result_text(self, document: MapDocument) -> str:
        if self._last_way is None or not self._last_way.bridged_count:
            return ""
        return f"{self._text_about_water(document, self._last_way)}."

    def _text_about_water(self, document: MapDocument, way: Way) -> str:
        """Return that a way between two clicks crosses water; "" if it crosses none."""
        if not way.bridged_count:
            return ""
        name = self._chosen_route(document).name.lower()
        words = cell_words(document.battlemap.grid.layout)
        water = counted(way.bridged_count, f"{words.cell} of water", f"{words.cells} of water")
        return f"The {name} crosses {water}, as no way leads around"

    # --- preview ----------------------------------------------------------------------------

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        """Return the cell, with a line from where the drag was, or of the way from a first click.

        The line goes on to the edge where the drag would leave the map.
        """
        preview = super().preview(document, pointer)
        if self.why_not_here(document):
            return preview

        # The line leads through the centres of these cells ...
        grid = document.battlemap.grid
        start = self._cell_of_first_click(document)
        if self._stroke is not None and self._stroke.last_cell is not None:
            cells = [self._stroke.last_cell, pointer.cell]
        elif start is None:
            cells = [pointer.cell]
        elif grid.size > MAX_AT_ONCE:
            cells = [start, pointer.cell]
        else:
            way = self._find_way(document, start, pointer)
            cells = way.cells
            preview = replace(preview, note=self._text_about_water(document, way))
        points = [grid.centre(cell) for cell in cells]

        # ... and at the edge of the map on to the middle of the side that it crosses.
        edge_side = side_at_edge(grid, pointer)
        if edge_side is not None:
            points.append(_middle_of_side(grid, edge_side))
        if len(set(points)) > 1:
            preview = replace(preview, points=tuple(points))
        else:
            preview = replace(preview, points=())  # one point alone is no line

        plane = document.battlemap.system.plane(self._chosen_route(document).plane)
        return mark_left_out(document, preview, left_out(document, plane, preview.cells))

    # --- edits ------------------------------------------------------------------------------

    def _chosen_route(self, document: MapDocument) -> RouteSpec:
        """Return the route that is chosen, the last one if the map has fewer."""
        routes = document.battlemap.system.routes_of(document.battlemap.terrain_set)
        return routes[min(self.options.route, len(routes) - 1)]

    def _link_edit(
        self,
        document: MapDocument,
        crossings: Sequence[SideCrossing],
        river: DrawnRiver,
        *,
        erase: bool,
    ) -> Edit | None:
        """Return the edit that links cells across sides, or (``erase``) unlinks them; twins too.

        ``river`` has the width with which a river begins, and goes on with that at the last side.
        """
        route = self._chosen_route(document)
        plane = document.battlemap.system.plane(route.plane)
        former_values = document.composite.planes[route.plane].reshape(-1)

        # The links themselves.
        links_by_side = links_across(document, self.options, crossings, plane)
        if erase:
            values = unlinked_values(former_values, links_by_side)
        else:
            values = linked_values(former_values, links_by_side, route)
        cells = sorted(values)
        edits = [paint(document, plane, cells, [values[cell] for cell in cells])]

        # What goes with them: the flow of a river, and the kinds of new crossings.
        if route.is_river and erase:
            edits += edits_that_stop_flow(document, values)
        elif route.is_river:
            edits += river.flow_along(document, links_by_side, former_values)
        edits += new_crossings(document, route, values)
        return compound(edits)


def _has_kinds_of_crossings(document: MapDocument) -> bool:
    """Return whether a click on a crossing shows its next kind, in place of laying a way."""
    return any(crossing.plane for crossing in document.battlemap.system.crossings)


def _crossing_of_edge(
    document: MapDocument, pointer: Pointer, *, comes_in: bool = False
) -> list[SideCrossing]:
    """Return how a route crosses the edge of the map at the pointer: once, or [] for not at all.

    It leaves the map, or with ``comes_in`` comes in.
    """
    side = side_at_edge(document.battlemap.grid, pointer)
    if side is None:
        return []
    return [SideCrossing(side, comes_in)]


def _middle_of_side(grid: Grid, cell_side: CellSide) -> tuple[float, float]:
    """Return the point in the middle of a side, in map units."""
    first_x, first_y = grid.corner(cell_side.cell, cell_side.side)
    last_x, last_y = grid.corner(cell_side.cell, cell_side.side + 1)
    return ((first_x + last_x) / 2, (first_y + last_y) / 2)
