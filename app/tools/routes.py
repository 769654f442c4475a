"""The route tool: rivers, roads, tracks and railways, drawn from cell to cell.

There are two ways to draw one. A drag links each cell with the one before, and leads off the map
where it leaves it. Two clicks lay the cheapest way between their cells (two_clicks.py). Both work
out which sides the route crosses, in which direction (``SideCrossing``), and make their edit of
these (route_edits.py).

A stroke begins as a *press*, of which only the next call tells whether it is a click or a drag.
``Tool`` (tool.py) explains the calls::

    edit                  None -> _Press            the mouse is pressed in a cell
    edit                  _Press, _Drag -> _Drag    it has come to another cell
    leave                 any -> _OffMap            the drag leaves the map
    resume_at_edge        any -> _OffMap            ... or has begun outside it
    edit                  _OffMap -> _Drag          the drag comes in, again or at first
    finish, then forget   any -> None               a _Press that is released is a click
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from app.tools.cheapest_way import Way
from app.tools.crossings import edit_to_next_kind
from app.tools.painting import left_out, mark_left_out
from app.tools.pointer import CellSide, Pointer
from app.tools.preview import Preview
from app.tools.river_flow import DrawnRiver
from app.tools.route_edits import chosen_route, crossing_of_edge, route_edit
from app.tools.route_links import SideCrossing, crossings_between, side_at_edge
from app.tools.tool import Tool
from app.tools.two_clicks import NO_WAY, TwoClicks
from randomizer.model.edits.edit import Edit
from randomizer.model.grid.grid import Grid
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions

WAYS_TIP = (
    "Drag from {cell} to {cell}, or off the rim, to lay the chosen route, a river from source "
    "to mouth; with Ctrl held to take it away. Two clicks lay the cheapest one between them."
)

MAX_AT_ONCE = 20_000
"""On maps of more cells the cheapest way is not previewed, and it is computed on another thread.

If it is larger, the pointer sticks while it is moved over large maps.
"""


@dataclass(frozen=True)
class _Press:
    """The mouse is pressed in a cell, and has not come to another one: a click or a drag."""

    cell: int

    river: DrawnRiver
    """The widths so far if it draws a river."""

    undrawn_entry: list[SideCrossing]
    """The crossing of the map's edge by which a drag would come in here, not drawn yet.

    [] if there is none, or it is drawn.
    """


@dataclass(frozen=True)
class _Drag:
    """The mouse is held, and has come to this cell."""

    cell: int
    """The cell from which the next piece leads on."""

    river: DrawnRiver
    """The widths so far if it draws a river; a new one begins where it comes in again."""


class _OffMap:
    """The mouse is held, and is outside the map."""


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
        self._stroke: _Press | _Drag | _OffMap | None = None
        """The stroke under way, None between strokes."""
        self._clicks = TwoClicks(options)
        """The click that waits for a second one. It outlives its stroke."""

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

    # --- a stroke ---------------------------------------------------------------------------

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Draw from the cell where the drag was to this one, or in from the map's edge."""
        stroke = self._stroke
        if stroke is None:
            return self._press(document, pointer)
        if isinstance(stroke, _OffMap):
            return self._enter_map(document, pointer)
        crossings = crossings_between(document.battlemap.grid, stroke.cell, pointer.cell)
        if isinstance(stroke, _Press):
            self._clicks.forget_first()  # the press is no second click, but a drag
            crossings = stroke.undrawn_entry + crossings
        self._stroke = _Drag(pointer.cell, stroke.river)
        return self._draw(document, crossings, stroke.river, pointer)

    def _press(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Begin a stroke. At the edge of the map the route comes in from beyond it."""
        self._clicks.forget_way()
        entry = crossing_of_edge(document, pointer, comes_in=True)
        river = DrawnRiver()
        if self._clicks.start_of_way_to(document, pointer.cell) is not None:
            # If this is the second of two clicks, their way leads *out* here (``finish``); if it is
            # a drag, that comes in.
            self._stroke = _Press(pointer.cell, river, undrawn_entry=entry)
            return None
        self._stroke = _Press(pointer.cell, river, undrawn_entry=[])
        return self._draw(document, entry, river, pointer)

    def _enter_map(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Go on where a drag comes in, again or at first: as a new river if it draws one."""
        self._clicks.forget_way()
        entry = crossing_of_edge(document, pointer, comes_in=True)
        river = DrawnRiver()
        self._stroke = _Drag(pointer.cell, river)
        return self._draw(document, entry, river, pointer)

    def resume_at_edge(self) -> None:
        """Note that the drag was outside the map; the next ``edit`` draws in from the edge."""
        self._clicks.forget_first()
        self._stroke = _OffMap()

    def leave(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Return the edit that draws off the map where the drag leaves it."""
        stroke = self._stroke
        if stroke is None:
            return None
        self._clicks.forget_first()
        self._stroke = _OffMap()
        crossings = crossing_of_edge(document, pointer)
        if isinstance(stroke, _OffMap):
            # It came in by a cell that this stroke had drawn already, so that ``edit`` was not
            # called there, and leaves that cell again.
            return self._draw(document, crossings, DrawnRiver(), pointer)
        if isinstance(stroke, _Press):
            crossings = stroke.undrawn_entry + crossings
        return self._draw(document, crossings, stroke.river, pointer)

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Draw off the map if a drag ends at its edge, or do what a click does."""
        exit_crossing = crossing_of_edge(document, pointer)
        if isinstance(self._stroke, _Drag):
            yield self._draw(document, exit_crossing, self._stroke.river, pointer)
        elif isinstance(self._stroke, _Press):
            if _has_kinds_of_crossings(document):
                has_drawn_entry = bool(exit_crossing)  # at the edge the press has drawn a link
                if not has_drawn_entry:
                    yield edit_to_next_kind(document, pointer.cell)
            else:
                yield self._clicks.click(document, pointer)

    def forget(self) -> None:
        """Drop the state of the stroke; the first of two clicks stays."""
        self._stroke = None

    def _draw(
        self,
        document: MapDocument,
        crossings: list[SideCrossing],
        river: DrawnRiver,
        pointer: Pointer,
    ) -> Edit | None:
        """Return the edit for the next piece of a drag, with Ctrl held the one that erases it."""
        return route_edit(document, self.options, crossings, river, erase=pointer.ctrl_or_alt)

    # --- two clicks -------------------------------------------------------------------------

    def large_work(
        self, document: MapDocument, pointer: Pointer
    ) -> Callable[[], Edit | None] | None:
        """Return the search for a way on a large map; the tool goes on only when it has ended."""
        start = self._clicks.start_of_way_to(document, pointer.cell)
        if start is None or document.battlemap.grid.size <= MAX_AT_ONCE:
            return None
        return partial(self._clicks.lay_way, document, start, pointer)

    def cancel_pending(self) -> bool:
        """Forget the first of two clicks; return whether there was one."""
        was_waiting = self._clicks.is_waiting
        self._clicks.forget_first()
        return was_waiting

    # --- messages ---------------------------------------------------------------------------

    def why_nothing(self, document: MapDocument) -> str:
        if self._clicks.has_found_no_way:
            return NO_WAY
        name = chosen_route(document, self.options).name.lower()
        if self._clicks.is_waiting:
            return f"A click where the {name} is to end lays it."
        is_drag = isinstance(self._stroke, (_Drag, _OffMap))
        if is_drag or document.battlemap.system.ways:
            return ""
        # A click where routes are laid by drags alone.
        return f"Drag from area to area, or off the rim, to lay the {name}."

    def result_text(self, document: MapDocument) -> str:
        return self._clicks.result_text(document)

    # --- preview ----------------------------------------------------------------------------

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        """Return the cell, with a line from where the drag was, or of the way from a first click.

        The line goes on to the edge where the drag would leave the map.
        """
        preview = super().preview(document, pointer)
        if self.why_not_here(document):
            return preview
        way = self._way_to_preview(document, pointer)
        if way is None:
            cells = self._cells_of_straight_line(document, pointer)
        else:
            cells = way.cells
            preview = replace(preview, note=self._clicks.describe_water(document, way))

        # The line leads through the centres of the cells, and at the edge of the map on to the
        # middle of the side that it crosses.
        grid = document.battlemap.grid
        points = [grid.centre(cell) for cell in cells]
        edge_side = side_at_edge(grid, pointer)
        if edge_side is not None:
            points.append(_middle_of_side(grid, edge_side))
        if len(set(points)) > 1:
            preview = replace(preview, points=tuple(points))
        else:
            preview = replace(preview, points=())  # one point alone is no line

        plane = document.battlemap.system.plane(chosen_route(document, self.options).plane)
        return mark_left_out(document, preview, left_out(document, plane, preview.cells))

    def _way_to_preview(self, document: MapDocument, pointer: Pointer) -> Way | None:
        """Return the way that a second click here would lay.

        None if this is no second click, or the map is too large to find a way at each move.
        """
        start = self._clicks.first_cell(document)
        is_stroke = isinstance(self._stroke, (_Press, _Drag))
        if start is None or is_stroke or document.battlemap.grid.size > MAX_AT_ONCE:
            return None
        return self._clicks.find_way(document, start, pointer)

    def _cells_of_straight_line(self, document: MapDocument, pointer: Pointer) -> list[int]:
        """Return the ends of a straight line to the pointer; [pointer.cell] if there is none.

        It comes from where the drag is, else from the cell of the first click.
        """
        if isinstance(self._stroke, (_Press, _Drag)):
            return [self._stroke.cell, pointer.cell]
        start = self._clicks.first_cell(document)
        if start is not None:
            return [start, pointer.cell]
        return [pointer.cell]


def _has_kinds_of_crossings(document: MapDocument) -> bool:
    """Return whether a click on a crossing shows its next kind, in place of laying a way."""
    return any(crossing.plane for crossing in document.battlemap.system.crossings)


def _middle_of_side(grid: Grid, cell_side: CellSide) -> tuple[float, float]:
    """Return the point in the middle of a side, in map units."""
    first_x, first_y = grid.corner(cell_side.cell, cell_side.side)
    last_x, last_y = grid.corner(cell_side.cell, cell_side.side + 1)
    return ((first_x + last_x) / 2, (first_y + last_y) / 2)
