"""The pieces of routes through cells (rivers, roads, railways) and of their crossings.

Scenes ask ``RoutePieces.pieces`` for the pieces of many cells, where reading begins. A piece is
drawn once for all cells in which the route looks the same. Its *key* is the integer that says how
it looks there, such as the sides that the route crosses (``river_keys``, ``road_keys``). What is
drawn for a key is in ``rivers``, ``route_lines`` and ``worn_roads``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QPainter, QPainterPath

from app.render.cell_geometry import cell_box
from app.render.drawn_cells import DrawnCells
from app.render.piece import Piece, PiecePlaces
from app.render.scene.routes.courses import lines
from app.render.scene.routes.crossings import crossing_box, crossing_points, draw_crossings_at
from app.render.scene.routes.river_courses import QUARTERS, reaches
from app.render.scene.routes.river_keys import RiverKeys
from app.render.scene.routes.rivers import draw_river
from app.render.scene.routes.road_keys import RoadKeys
from app.render.scene.routes.route_lines import WIDTHS, draw_route
from app.render.scene.routes.route_sides import RouteCells
from app.render.scene.routes.worn_roads import draw_worn_road, is_worn
from app.render.theme import Theme
from randomizer.model.grid.indices import places_by_value
from randomizer.model.grid.layouts import Layout
from randomizer.model.planes.planes import is_blank
from randomizer.model.planes.routes import SIDES, CrossingSpec, RouteSpec
from randomizer.model.terrain.terrain import TerrainSet

MARGIN = 0.12
"""How far pieces may reach over a cell's box, in map units."""

BRIDGE_ENDS = 0.1
"""A bridge is so much longer than the river is wide, since it ends on the banks; as a share of the
distance from a cell's centre to a side."""

STYLES_FROM_BELOW = ("water", "track", "road", "rail")
"""The styles of routes, from the lowest to the highest where several run through a cell."""


class _KeyedRoute(NamedTuple):
    """A route with the keys of its pieces in the cells through which it runs."""

    cells: RouteCells
    """The route and the cells through which it runs."""

    keys: NDArray[np.int64]
    """The key of its piece in each of these cells, shape (n,), as ``RouteCells.rows``."""

    @property
    def route(self) -> RouteSpec:
        """The route."""
        return self.cells.route


class RoutePieces:
    """The pieces of the routes of one layout, terrain set and theme.

    ``min_width`` is the width of a pixel, in map units: no line is thinner, so that routes are
    still seen from afar.
    """

    def __init__(
        self, layout: Layout, terrain_set: TerrainSet, theme: Theme, min_width: float
    ) -> None:
        self._layout = layout
        self._terrain_set = terrain_set
        self._theme = theme
        self._min_width = min_width
        self._box = cell_box(layout, MARGIN)
        self._is_painted = theme.has_pictures
        """True if roads and bridges are drawn like those of landscapes: of worn ground and planks.
        """
        self._river_keys = RiverKeys(layout, terrain_set)
        self._road_keys = RoadKeys(layout, terrain_set, roads_wander=self._is_painted)
        """The keys of all routes but rivers."""

    def pieces(self, drawn: DrawnCells) -> Iterator[PiecePlaces]:
        """Yield all pieces from the bottom up, with their places in ``drawn.cells``.

        All routes come first, then their crossings.
        """
        keyed_routes = []
        for route_cells in self._routes_in_cells(drawn):
            if route_cells.route.is_river:
                keys = self._river_keys.keys_of_cells(drawn, route_cells)
            else:
                keys = self._road_keys.keys_of_cells(drawn, route_cells)
            keyed_routes.append(_KeyedRoute(route_cells, keys))
            for key, indices in places_by_value(keys):
                yield self._piece(route_cells.route, key), route_cells.rows[indices]
        if keyed_routes:
            yield from self._all_crossings(drawn, keyed_routes)

    def _routes_in_cells(self, drawn: DrawnCells) -> list[RouteCells]:
        """Return the routes that run through any of the drawn cells, the lowest first."""
        result = []
        routes = drawn.system.routes_of(self._terrain_set)
        for route in sorted(routes, key=lambda route: STYLES_FROM_BELOW.index(route.style)):
            if is_blank(drawn.planes[route.plane]):
                continue
            values = drawn.here(route.plane)
            rows = np.flatnonzero(route.runs(values))
            if len(rows):
                result.append(RouteCells(route, rows, values[rows].astype(np.int64) & SIDES))
        return result

    def _all_crossings(
        self, drawn: DrawnCells, keyed_routes: list[_KeyedRoute]
    ) -> Iterator[PiecePlaces]:
        """Yield the pieces of all crossings of these routes, with their places in the cells."""
        for crossing in drawn.system.crossings_of(self._terrain_set):
            for upper in keyed_routes:
                if upper.route.plane != crossing.over:
                    continue
                for lower in keyed_routes:
                    if lower.route.plane == crossing.under:
                        yield from self._pieces_of_crossings(drawn, crossing, upper, lower)

    def _pieces_of_crossings(
        self,
        drawn: DrawnCells,
        crossing: CrossingSpec,
        upper: _KeyedRoute,
        lower: _KeyedRoute,
    ) -> Iterator[PiecePlaces]:
        """Yield the pieces of the crossings of two routes, with their places in the cells."""
        rows = _crossed_rows(drawn, crossing, upper, lower)

        # One piece for each pair of keys.
        upper_keys = upper.keys[np.searchsorted(upper.cells.rows, rows)]
        lower_keys = lower.keys[np.searchsorted(lower.cells.rows, rows)]
        key_pairs = np.stack([upper_keys, lower_keys], 1)
        pairs, pair_of_row = np.unique(key_pairs, axis=0, return_inverse=True)
        for index, (upper_key, lower_key) in enumerate(pairs.tolist()):
            piece = self._crossing_piece(crossing, upper.route, lower.route, upper_key, lower_key)
            yield piece, rows[pair_of_row.reshape(-1) == index]

    def sample(self, route: RouteSpec) -> Piece:
        """Return a route from side to opposite side, for legends and palettes."""
        # The sides at which a route runs through most of a picture from end to end.
        half = self._layout.degree // 2
        side = half - 1
        opposite = side + half
        return self.piece_with_sides(route, 1 << side | 1 << opposite, out=1 << side)

    def piece_with_sides(self, route: RouteSpec, sides: int, out: int = 0) -> Piece:
        """Return a route that crosses ``sides`` of a cell and flows out by ``out`` (bit masks)."""
        if route.is_river:
            return self._piece(route, self._river_keys.sample_key(sides, out))
        return self._piece(route, self._road_keys.sample_key(sides))

    def _piece(self, route: RouteSpec, key: int) -> Piece:
        """Return the piece of a route by its key."""

        def draw(painter: QPainter) -> None:
            self._draw(painter, route, key)

        return Piece(("route", route, key), self._box, draw)

    def _draw(self, painter: QPainter, route: RouteSpec, key: int) -> None:
        """Draw a route in a cell, in the manner of its style."""
        layout = self._layout
        colour = self._theme.route_colour(route)
        if route.is_river:
            river = self._river_keys.river(key)
            draw_river(painter, layout, colour, river, route.width, self._min_width)
            return
        course = self._road_keys.course(key)
        if self._is_painted and is_worn(route.style):
            draw = draw_worn_road
        else:
            draw = draw_route
        draw(
            painter,
            layout,
            route.style,
            colour,
            course,
            width=route.width,
            min_width=self._min_width,
        )

    def _crossing_piece(
        self,
        crossing: CrossingSpec,
        upper: RouteSpec,
        lower: RouteSpec,
        upper_key: int,
        lower_key: int,
    ) -> Piece:
        """Return the bridges, fords or level crossings wherever two routes meet in a cell.

        ``upper`` is no river. ``upper_key`` and ``lower_key`` are the keys of the routes' own
        pieces there.
        """
        kind = crossing.kinds[0]  # all kinds of a crossing are drawn alike here
        if self._is_painted and kind == "bridge":
            kind = "plank bridge"

        def draw(painter: QPainter) -> None:
            over_lines = lines(self._layout, self._road_keys.course(upper_key), 0.0)
            over_width = WIDTHS[upper.style] * upper.width
            under_lines, under_width = self._lines_below(lower, lower_key)
            spots = crossing_points(over_lines, under_lines)
            length = under_width + BRIDGE_ENDS
            draw_crossings_at(painter, self._layout, kind, spots, over_width, length)

        key = ("crossing", crossing, upper, lower, upper_key, lower_key)
        return Piece(key, crossing_box(self._layout), draw)

    def _lines_below(self, route: RouteSpec, key: int) -> tuple[tuple[QPainterPath, ...], float]:
        """Return the lines of the lower route of a crossing, and the width of the widest one."""
        full_width = WIDTHS[route.style] * route.width
        if not route.is_river:
            return lines(self._layout, self._road_keys.course(key), 0.0), full_width
        river = self._river_keys.river(key)
        river_lines = tuple(reach.line for reach in reaches(self._layout, river))
        return river_lines, max(river.widths) / QUARTERS * full_width


def _crossed_rows(
    drawn: DrawnCells, crossing: CrossingSpec, upper: _KeyedRoute, lower: _KeyedRoute
) -> NDArray[np.intp]:
    """Return the indices, ascending, of the drawn cells in which two routes cross."""
    rows_of_both = np.intersect1d(upper.cells.rows, lower.cells.rows)
    # A road that ends at a river needs no bridge. It has a single side: one bit, which is the
    # lowest one, and so none is left if that is cleared.
    sides = upper.cells.sides[np.searchsorted(upper.cells.rows, rows_of_both)]
    sides_without_lowest = sides & (sides - 1)
    goes_through = sides_without_lowest > 0
    has_kind = crossing.at(drawn.planes, drawn.cells)[rows_of_both] > 0
    return rows_of_both[has_kind & goes_through]
