"""The pieces of routes and of their crossings on a wargame table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QPainter

from app.render.cell_geometry import cell_box
from app.render.piece import Piece, PiecePlaces
from app.render.scene.routes.rounded_areas import join_masks, joined_sides, variants
from app.render.scene.routes.route_lines import (
    WIDTHS,
    Course,
    crossing_box,
    draw_crossings,
    draw_long_bridge,
    draw_route,
)
from app.render.style import DrawnCells
from app.render.theme import Theme
from app.systems.cordery.table.inner_lines import InnerLines
from app.systems.cordery.table.parallel_routes import offsets, parallel_codes
from randomizer.model.grid.indices import places_by_value
from randomizer.model.grid.layouts import Layout
from randomizer.model.planes.routes import MARKS, SIDES, CrossingSpec, RouteSpec
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet

BROAD_FORD = 1.7
"""The length of a ford through a river that fills its cells (as ``route_lines.WIDTHS``)."""

BENDS = (-1, 0, 1, 0)
"""``Course.bend`` of rivers, by the variant of the cell."""

PARALLEL_SHIFT = 24
"""The key of a route's piece has the cell's parallel code from this bit on."""


MARGIN = 0.09
"""How far pieces may reach over a cell's box, in map units."""


class TableRoutes:
    """The pieces of routes and crossings in one layout and theme, as on a plan.

    They differ from those of other maps: rivers beside one another fill their areas, and routes
    that share a side keep their order along the whole run.
    """

    shows_inner_lines = True
    """Whether areas of broad rivers can be counted by lines of their own."""
    bridge = "bridge"
    """The kind of crossing that is drawn for a bridge."""

    def __init__(
        self, layout: Layout, _terrain_set: TerrainSet, theme: Theme, least: float
    ) -> None:
        self._layout = layout
        self._theme = theme
        self._least = least
        self._box = cell_box(layout, MARGIN)
        self._inner_lines = InnerLines(layout, theme, self._box)

    def pieces(self, table: DrawnCells) -> Iterator[PiecePlaces]:
        """Yield all pieces of a table, from the bottom up, with their places in ``table.cells``."""
        crossings = [
            (crossing, crossing.at(table.planes, table.cells))
            for crossing in table.system.crossings
        ]
        crossed = np.zeros(len(table.cells), np.bool_)
        for _, kinds in crossings:
            crossed |= kinds > 0
        parallel = _parallel_codes(table)
        for route in table.system.routes:
            yield from self._route(table, route, crossed, parallel)
        for crossing, kinds in crossings:
            yield from self._crossing(table, crossing, kinds, parallel)

    def sample(self, route: RouteSpec) -> Piece:
        """Return a route from side to opposite side."""
        half = self._layout.degree // 2
        course = Course(1 << half - 1 | 1 << 2 * half - 1)
        return self._piece(route, course, ("sample", route.name))

    def _route(
        self,
        table: DrawnCells,
        route: RouteSpec,
        crossed: NDArray[np.bool_],
        parallel: NDArray[np.int64],
    ) -> Iterator[PiecePlaces]:
        """Yield one kind of route; cells where routes cross and parallel codes are of
        ``table.cells``.
        """
        values = table.here(route.plane)
        rows = np.flatnonzero(route.runs(values))
        if not len(rows):
            return
        # Bits of a key: sides 0-5, crossed 8, variant 10-11, broad joins 12-23, parallel code.
        keys = (values[rows] & SIDES).astype(np.int64) | (crossed[rows] << 8)
        if route.style == "water":
            keys |= variants(table.grid)[table.cells[rows]] << 10
            keys |= broad_joins(table, route)[table.cells[rows]] << 12
        keys |= parallel[rows] << PARALLEL_SHIFT
        for key, positions in places_by_value(keys):
            bend = BENDS[key >> 10 & 3] if route.style == "water" else 0
            course = Course(key & SIDES, bool(key >> 8 & 1), bend)
            course = self._parallel(table, route, course, key >> PARALLEL_SHIFT)
            broad = key >> 12 & (1 << PARALLEL_SHIFT - 12) - 1
            yield self._piece(route, course, (route.name, key), broad), rows[positions]
        if route.style == "water" and self.shows_inner_lines:
            yield from self._inner_lines.pieces(table, broad_joins(table, route))

    def _parallel(
        self, table: DrawnCells, route: RouteSpec, course: Course, parallel_code: int
    ) -> Course:
        """Return the course with the offsets of a parallel code; as it is if it shares no side."""
        styles = _styles(table.system)
        plane_number = list(styles).index(route.plane)
        result = offsets(parallel_code, plane_number, self._layout.degree, list(styles.values()))
        result = tuple(
            offset if course.sides >> side & 1 else 0.0 for side, offset in enumerate(result)
        )
        if any(result):
            return Course(course.sides, offsets=result)
        return course

    def _piece(self, route: RouteSpec, course: Course, key: object, broad: int = 0) -> Piece:
        draw = partial(self.draw_route, route=route, course=course, broad=broad)
        return Piece(key, self._box, draw)

    def draw_route(
        self, painter: QPainter, route: RouteSpec, course: Course, broad: int = 0
    ) -> None:
        """Draw a route through a cell; ``broad`` as in ``route_lines.draw_route``."""
        colour = self._theme.route_colour(route)
        layout = self._layout
        least = self._least
        draw_route(painter, layout, route.style, colour, course, broad, least=least)

    def _crossing(
        self,
        table: DrawnCells,
        crossing: CrossingSpec,
        kinds: NDArray[np.int64],
        parallel: NDArray[np.int64],
    ) -> Iterator[PiecePlaces]:
        """Bridges, fords or level crossings: ``kinds`` (n,) is ``crossing.at(table.cells)``."""
        rows = np.flatnonzero(kinds)
        if not len(rows):
            return
        below = next(route for route in table.system.routes if route.plane == crossing.under)
        # Bits of a key: kind 0-7, the upper route's value 8-15, the lower one is broad 16, the
        # lower one's sides 17-22 and the parallel code (both only where sides are shared).
        keys = kinds[rows] | table.here(crossing.over)[rows].astype(np.int64) << 8
        if below.style == "water":
            keys |= (broad_joins(table, below)[table.cells[rows]] > 0).astype(np.int64) << 16
        sides = table.here(crossing.under)[rows].astype(np.int64) & SIDES
        keys |= np.where(parallel[rows], sides | parallel[rows] << 6, 0) << 17
        for key, positions in places_by_value(keys):
            above = next(
                route
                for route in table.system.routes
                if route.plane == crossing.over and route.mark == key >> 8 & MARKS
            )
            course, under = (Course(key >> bit & SIDES, middle=True) for bit in (8, 17))
            course = self._parallel(table, above, course, key >> 23)
            under = self._parallel(table, below, under, key >> 23)
            kind = crossing.kinds[(key & 0xFF) - 1]
            if key >> 16 & 1 and "bridge" in kind:
                draw = partial(
                    draw_long_bridge,
                    layout=self._layout,
                    style=above.style,
                    colour=self._theme.route_colour(above),
                    course=course,
                )
            else:
                draw = partial(
                    draw_crossings,
                    layout=self._layout,
                    kind=self.bridge if kind == "bridge" else kind,
                    over=course,
                    under=under if key >> 17 else None,
                    width=WIDTHS[above.style],
                    length=BROAD_FORD if key >> 16 & 1 else WIDTHS[below.style] + 0.1,
                )
            box = crossing_box(self._layout)
            yield Piece((crossing.over, crossing.under, key), box, draw), rows[positions]


def _styles(system: System) -> dict[str, str]:
    """Return the planes of the routes, each with the style of its first route."""
    styles: dict[str, str] = {}
    for route in system.routes:
        styles.setdefault(route.plane, route.style)
    return styles


def _parallel_codes(table: DrawnCells) -> NDArray[np.int64]:
    """Return the parallel codes of ``table.cells`` (n,); broad rivers share no sides."""
    linked = []
    for plane in _styles(table.system):
        values = table.everywhere(plane)
        sides = np.zeros(table.grid.size, np.int64)
        for route in table.system.routes:
            if route.plane == plane:
                sides |= np.where(route.runs(values), values & SIDES, 0)
                if route.style == "water":
                    sides &= ~broad_joins(table, route)
        linked.append(sides[:, None] >> np.arange(table.grid.degree) & 1 > 0)
    if not linked:
        return np.zeros(len(table.cells), np.int64)
    planes = list(_styles(table.system))
    crossed = {
        (planes.index(crossing.under), planes.index(crossing.over)): table.everywhere(
            crossing.plane
        )
        > 0
        for crossing in table.system.crossings
        if crossing.plane
    }
    return parallel_codes(table.grid, linked, crossed)[table.cells]


def broad_joins(table: DrawnCells, route: RouteSpec) -> NDArray[np.int64]:
    """Return the sides and corners that a river fills: ``join_masks``, shape (size,)."""
    grid = table.grid
    values = table.everywhere(route.plane)
    neighbours = grid.neighbour_table
    runs = route.runs(values)
    linked = (values[:, None] >> np.arange(grid.degree) & 1 > 0) & runs[:, None]
    beside = joined_sides(grid, runs) & ~linked
    # It also is broad where it flows into two neighbouring cells, or into one that it ends in.
    on = linked & (neighbours >= 0)
    ways = linked.sum(axis=1)
    spur = on & (ways >= 3)[:, None] & (ways[neighbours] == 1)
    if grid.degree == 6:
        wedge = on & np.roll(on, 1, axis=1)
    else:
        wedge = np.zeros_like(on)
    broad = np.asarray((beside | spur | wedge).any(axis=1))
    broad |= (ways == 1) & (on & spur.any(axis=1)[neighbours]).any(axis=1)
    if grid.degree == 4:  # and where four squares meet at a corner
        near = joined_sides(grid, runs)
        pair = near & np.roll(near, 1, axis=1)
        corner = [pair[:, side] & near[neighbours[:, side - 1], side] for side in range(4)]
        broad |= np.any(corner, axis=0)
    joined = beside | (linked & broad[:, None] & ((neighbours < 0) | broad[neighbours]))
    # Where it leaves the table it does so in its whole width: over all sides at the rim, also
    # those of the cell of the other row beside the one that is linked to the outside.
    off = neighbours < 0
    leaves = broad & (linked & off).any(axis=1)
    beside_leaving = (beside & leaves[neighbours] & ~off).any(axis=1)
    joined |= off & (broad & (leaves | beside_leaving))[:, None]
    return join_masks(grid, joined)
