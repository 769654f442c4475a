"""The pieces of routes and of their crossings on a wargame table.

A *piece* is a picture that is drawn in all cells which look the same (route_looks.py).
``TableRoutes.pieces`` yields those of all routes, then those of all crossings; begin to read there.
Three things are special on tables:

- A river that is *broad*, two areas wide, fills its cells (broad_rivers.py).
- Routes that share a side run *parallel* there (parallel_routes.py).
- The arms of a road that *forks* in a cell with a river meet on its bank (forks.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QPainter

from app.render.cell_geometry import cell_box
from app.render.drawn_cells import DrawnCells
from app.render.piece import Piece, PiecePlaces
from app.render.scene.routes.courses import Course
from app.render.scene.routes.crossings import crossing_box, draw_crossings, draw_long_bridge
from app.render.scene.routes.rounded_areas import variants
from app.render.scene.routes.route_lines import WIDTHS, draw_route
from app.render.theme import Theme
from app.systems.cordery.table.broad_rivers import broad_joins
from app.systems.cordery.table.forks import FORK_SIDES, meeting_on_bank
from app.systems.cordery.table.inner_lines import InnerLines
from app.systems.cordery.table.parallel_routes import offsets_at_sides
from app.systems.cordery.table.route_cells import (
    RouteCells,
    river_of,
    route_cells,
    styles_of_planes,
)
from app.systems.cordery.table.route_looks import CrossingLook, RouteLook
from randomizer.model.grid.indices import places_by_value
from randomizer.model.grid.layouts import Layout
from randomizer.model.planes.routes import MARKS, SIDES, CrossingSpec, RouteSpec
from randomizer.model.terrain.terrain import TerrainSet

BROAD_FORD = 1.7
"""The length of a ford through a river that fills its cells (as ``route_lines.WIDTHS``)."""

OVERHANG = 0.1
"""How much longer a crossing is than the lower route is wide (as ``route_lines.WIDTHS``)."""

BENDS = (-1, 0, 1, 0)
"""``Course.bend`` of rivers, by the variant of the cell."""

STRAIGHT = BENDS.index(0)
"""The variant of a cell in which a river does not bend, as where a road forks beside it."""

MARGIN = 0.09
"""How far pieces may reach beyond a cell's box, in map units."""


class TableRoutes:
    """The pieces of routes and crossings in one layout and theme, as on a plan."""

    shows_inner_lines = True
    """True if broad rivers have faint grid lines, so that their areas can be counted."""

    bridge = "bridge"
    """The kind of crossing that is drawn for a bridge."""

    def __init__(
        self, layout: Layout, _terrain_set: TerrainSet, theme: Theme, least: float
    ) -> None:
        self._layout = layout
        self._theme = theme
        self._least = least
        """The least width of a line, as of ``draw_route``."""
        self._box = cell_box(layout, MARGIN)
        self._inner_lines = InnerLines(layout, theme, self._box)

    def pieces(self, table: DrawnCells) -> Iterator[PiecePlaces]:
        """Yield all pieces of a table, from the bottom up, with their places in ``table.cells``."""
        cells = route_cells(table)
        for route in table.system.routes:
            yield from self._pieces_of_route(table, route, cells)
        for crossing, kinds in cells.crossings:
            yield from self._pieces_of_crossing(table, crossing, kinds, cells)

    def sample(self, route: RouteSpec) -> Piece:
        """Return a route from side to opposite side."""
        half = self._layout.degree // 2
        sides = (1 << (half - 1)) | (1 << (2 * half - 1))  # on hexes 0b100100: sides 2 and 5
        return self._piece(route, Course(sides), ("sample", route.name))

    def draw_route(
        self, painter: QPainter, route: RouteSpec, course: Course, broad: int = 0
    ) -> None:
        """Draw a route through a cell; ``broad`` as in ``route_lines.draw_route``."""
        colour = self._theme.route_colour(route)
        layout = self._layout
        least = self._least
        draw_route(painter, layout, route.style, colour, course, broad, min_width=least)

    # --- routes -----------------------------------------------------------------------------

    def _pieces_of_route(
        self, table: DrawnCells, route: RouteSpec, cells: RouteCells
    ) -> Iterator[PiecePlaces]:
        """Yield the pieces of one kind of route."""
        values = table.here(route.plane)
        rows = np.flatnonzero(route.runs(values))
        if not len(rows):
            return
        is_river = route.is_river
        if is_river:
            keys = self._river_keys(table, route, values, rows, cells)
        else:
            keys = RouteLook.keys_of_road(
                sides=values[rows] & SIDES,
                is_crossed=cells.is_crossed[rows],
                rivers_at_forks=cells.rivers_at_forks[rows],
                parallel_codes=cells.parallel_codes[rows],
            )
        for key, positions in places_by_value(keys):
            look = RouteLook.of_key(key, is_river=is_river)
            bend = 0
            if is_river:
                bend = BENDS[look.variant]
            course = Course(look.sides, look.is_crossed, bend)
            course = self._with_offsets(table, route, course, look.parallel_code)
            course = self._with_meeting(table, route, course, look)
            yield self._piece(route, course, (route.name, key), look.broad), rows[positions]
        if is_river and self.shows_inner_lines:
            yield from self._inner_lines.pieces(table, broad_joins(table, route))

    def _river_keys(
        self,
        table: DrawnCells,
        route: RouteSpec,
        values: NDArray[Any],
        rows: NDArray[np.intp],
        cells: RouteCells,
    ) -> NDArray[np.int64]:
        """Return the keys of the cells of a river, which are the ``rows`` of the drawn cells.

        ``values`` (n,) are those of its plane.
        """
        cells_of_river = table.cells[rows]
        variants_of_cells = variants(table.grid)[cells_of_river]
        variants_of_cells[cells.rivers_at_forks[rows] > 0] = STRAIGHT
        return RouteLook.keys_of_river(
            sides=values[rows] & SIDES,
            is_crossed=cells.is_crossed[rows],
            variants=variants_of_cells,
            broad=broad_joins(table, route)[cells_of_river],
            parallel_codes=cells.parallel_codes[rows],
        )

    def _with_offsets(
        self, table: DrawnCells, route: RouteSpec, course: Course, parallel_code: int
    ) -> Course:
        """Return the course with the offsets of a parallel code; unchanged if it shares no side."""
        styles = styles_of_planes(table.system)
        plane_number = list(styles).index(route.plane)
        offsets_of_sides = list(
            offsets_at_sides(
                parallel_code, plane_number, self._layout.degree, list(styles.values())
            )
        )
        for side in range(len(offsets_of_sides)):
            crosses_side = course.sides >> side & 1
            if not crosses_side:
                offsets_of_sides[side] = 0.0
        if any(offsets_of_sides):
            # Beside another route it runs beside the middle, and without a bend of its own.
            return Course(course.sides, offsets=tuple(offsets_of_sides))
        return course

    def _with_meeting(
        self, table: DrawnCells, route: RouteSpec, course: Course, look: RouteLook | CrossingLook
    ) -> Course:
        """Return the course of a road that forks beside a river: its arms meet on the bank.

        Any other course is unchanged.
        """
        if not look.river_at_fork or course.sides.bit_count() < FORK_SIDES:
            return course
        river = river_of(table.system)
        assert river is not None, "a road forks beside it"
        river_course = Course(look.river_at_fork, middle=True)
        river_course = self._with_offsets(table, river, river_course, look.parallel_code)
        meeting = meeting_on_bank(self._layout, course, river_course, route.style)
        return course._replace(meeting=meeting)

    def _piece(self, route: RouteSpec, course: Course, key: object, broad: int = 0) -> Piece:
        """Return the piece of a route with this course; ``broad`` as in ``draw_route``."""
        draw = partial(self.draw_route, route=route, course=course, broad=broad)
        return Piece(key, self._box, draw)

    # --- crossings --------------------------------------------------------------------------

    def _pieces_of_crossing(
        self,
        table: DrawnCells,
        crossing: CrossingSpec,
        kinds: NDArray[np.int64],
        cells: RouteCells,
    ) -> Iterator[PiecePlaces]:
        """Yield the bridges, fords or level crossings of two planes of routes.

        ``kinds`` (n,) is the number of the kind in each drawn cell, 0 for none.
        """
        rows = np.flatnonzero(kinds)
        if not len(rows):
            return
        lower_route = next(route for route in table.system.routes if route.plane == crossing.under)
        is_broad = np.zeros(len(rows), np.bool_)
        if lower_route.is_river:
            is_broad = broad_joins(table, lower_route)[table.cells[rows]] > 0
        keys = CrossingLook.keys(
            kinds=kinds[rows],
            upper_values=table.here(crossing.over)[rows],
            lower_values=table.here(crossing.under)[rows],
            is_broad=is_broad,
            rivers_at_forks=cells.rivers_at_forks[rows],
            parallel_codes=cells.parallel_codes[rows],
        )
        box = crossing_box(self._layout)
        for key, positions in places_by_value(keys):
            look = CrossingLook.of_key(key)
            draw = self._crossing_drawing(table, crossing, lower_route, look)
            yield Piece((crossing.over, crossing.under, key), box, draw), rows[positions]

    def _crossing_drawing(
        self, table: DrawnCells, crossing: CrossingSpec, lower_route: RouteSpec, look: CrossingLook
    ) -> Callable[[QPainter], None]:
        """Return the function that draws a crossing with this look."""
        # The upper route.
        upper_route = next(
            route
            for route in table.system.routes
            if route.plane == crossing.over and route.mark == look.upper_value & MARKS
        )
        upper_course = Course(look.upper_value & SIDES, middle=True)
        upper_course = self._with_offsets(table, upper_route, upper_course, look.parallel_code)
        upper_course = self._with_meeting(table, upper_route, upper_course, look)
        kind = crossing.kinds[look.kind - 1]
        if look.is_broad and "bridge" in kind:
            return partial(
                draw_long_bridge,
                layout=self._layout,
                style=upper_route.style,
                colour=self._theme.route_colour(upper_route),
                course=upper_course,
            )

        # The lower route. If its course is None the two meet in the middle of the cell; those that
        # share a side run beside the middle, and meet where their courses do.
        lower_course = None
        if look.lower_sides or look.parallel_code:
            lower_course = Course(look.lower_sides, middle=True)
            lower_course = self._with_offsets(table, lower_route, lower_course, look.parallel_code)
            if not lower_route.is_river:
                lower_course = self._with_meeting(table, lower_route, lower_course, look)
        if kind == "bridge":
            kind = self.bridge
        length = WIDTHS[lower_route.style] + OVERHANG
        if look.is_broad:
            length = BROAD_FORD
        return partial(
            draw_crossings,
            layout=self._layout,
            kind=kind,
            upper=upper_course,
            lower=lower_course,
            width=WIDTHS[upper_route.style],
            length=length,
        )
