"""The pieces of routes and of their crossings, each decided by its cell and the cells around it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QPainter

from app.render.cell_geometry import cell_box
from app.render.piece import Piece, PiecePlaces
from app.render.scene.routes.rivers import ESTUARY, QUARTERS, River, draw_river, reaches
from app.render.scene.routes.route_lines import (
    WIDTHS,
    Course,
    crossing_box,
    crossing_points,
    draw_crossings_at,
    draw_route,
    lines,
)
from app.render.scene.routes.worn_roads import draw_worn_road, is_worn
from app.render.style import DrawnCells
from app.render.theme import Theme
from randomizer.model.grid.indices import places_by_value
from randomizer.model.grid.layouts import Layout
from randomizer.model.planes.planes import is_blank
from randomizer.model.planes.routes import SIDES, CrossingSpec, RouteSpec
from randomizer.model.terrain.terrain import TerrainSet

MARGIN = 0.12
"""How far pieces may reach over a cell's box, in map units."""

ABOVE = ("water", "track", "road", "rail")
"""The styles from the lowest to the highest."""

LANE = 0.26
"""How far apart routes run that leave a cell by the same side; as all lengths here a share of the
distance from a cell's centre to a side."""

STEP = 0.08
MOST_STEPS = 7
"""Routes lie aside of the middle of a side by whole steps, at most so many."""

WIDTH_BITS = 5
ASIDE_BITS = 4
HAND_BITS = 2
"""Bits a side in the keys of pieces: widths and hands of rivers, and how far roads lie aside."""

FIRST_WIDTH = 16
FIRST_HAND = FIRST_WIDTH + 6 * WIDTH_BITS
"""From which bit on the keys of rivers have the widths, and the hands (0: the middle, 1 or -1)."""

HANDS = (0, 1, -1, 0)
"""``River.asides`` by their codes."""

WIDEST = (1 << WIDTH_BITS) - 1


class _Ways(NamedTuple):
    """A route in some of the drawn cells: their ``rows`` (n,) and the values of its plane (n,)."""

    route: RouteSpec
    rows: NDArray[np.intp]
    sides: NDArray[np.int64]


class RoutePieces:
    """The pieces of one layout, terrain set and theme; no line is thinner than ``least``."""

    def __init__(self, layout: Layout, terrain_set: TerrainSet, theme: Theme, least: float) -> None:
        self._layout = layout
        self._terrain_set = terrain_set
        self._theme = theme
        self._least = least
        self._box = cell_box(layout, MARGIN)
        self._worn = theme.colour_set == "pictures"
        self._water = np.array([terrain.water for terrain in terrain_set.terrains])

    def pieces(self, drawn: DrawnCells) -> Iterator[PiecePlaces]:
        """Yield all pieces from the bottom up, with their places in ``drawn.cells``."""
        routes = drawn.system.routes_of(self._terrain_set)
        used = [
            _Ways(route, rows, values[rows].astype(np.int64) & SIDES)
            for route in sorted(routes, key=lambda route: ABOVE.index(route.style))
            if not is_blank(drawn.planes[route.plane])
            for values in [drawn.here(route.plane)]
            for rows in [np.flatnonzero(route.runs(values))]
            if len(rows)
        ]
        if not used:
            return
        crossings = [
            (each, each.at(drawn.planes, drawn.cells), over, under)
            for each in drawn.system.crossings_of(self._terrain_set)
            for over, under in product(used, used)
            if (over.route.plane, under.route.plane) == (each.over, each.under)
        ]
        keys: dict[RouteSpec, NDArray[np.int64]] = {}
        for ways in used:
            route = ways.route
            rows = ways.rows
            if route.style == "water":
                keys[route] = self._river_keys(drawn, ways)
            else:
                keys[route] = ways.sides | self._aside(drawn, ways) << 6
            for key, places in places_by_value(keys[route]):
                yield self._piece(route, key), rows[places]
        for each, kinds, over, under in crossings:
            common = np.intersect1d(over.rows, under.rows)
            at = [np.searchsorted(ways.rows, common) for ways in (over, under)]
            through = (kinds[common] > 0) & (over.sides[at[0]] & (over.sides[at[0]] - 1) > 0)
            pairs = [keys[ways.route][rows] for ways, rows in zip((over, under), at, strict=True)]
            pairs_of_values, which = np.unique(
                np.stack(pairs, 1)[through], axis=0, return_inverse=True
            )
            for number, (upper, lower) in enumerate(pairs_of_values.tolist()):
                piece = self._crossing(each, over.route, under.route, upper, lower)
                yield piece, common[through][which.reshape(-1) == number]

    def sample(self, route: RouteSpec) -> Piece:
        """Return a route from side to opposite side."""
        half = self._layout.degree // 2
        first = half - 1
        last = 2 * half - 1
        return self.through(route, 1 << first | 1 << last, 1 << first)

    def through(self, route: RouteSpec, sides: int, out: int = 0) -> Piece:
        """Return a route that leaves a cell by ``sides`` (bits); water flows out by ``out``."""
        key = sides
        if route.style == "water":
            each = (side for side in range(self._layout.degree) if sides >> side & 1)
            key |= out << 6 | sum(QUARTERS << FIRST_WIDTH + side * WIDTH_BITS for side in each)
        return self._piece(route, key)

    # --- keys ---------------------------------------------------------------------------------

    def _river_keys(self, drawn: DrawnCells, ways: _Ways) -> NDArray[np.int64]:
        """Sides 0-5, those it flows out by 6-11, in water 12, widths from 16 on, hands from 46 on.

        Each is told by the cell and the one beyond the side, and alike in both.
        """
        system = drawn.system
        grid = drawn.grid
        cells = drawn.cells[ways.rows]
        flow, widths = (drawn.everywhere(spec) for spec in (system.flow, system.flow_width))
        river = drawn.everywhere(ways.route.plane)
        others = [
            drawn.everywhere(each.plane)
            for each in system.routes_of(self._terrain_set)
            if each.plane != ways.route.plane and not is_blank(drawn.planes[each.plane])
        ]
        out = flow[cells].astype(np.int64)
        own = _quarters(widths[cells])
        in_water = self._in_water(drawn, cells)
        keys = in_water.astype(np.int64) << 12
        for side in range(grid.degree):
            beyond = grid.neighbours_of(cells, side)
            exists = beyond >= 0
            other = np.maximum(beyond, 0)
            opposite = grid.opposite(side)
            other_in_water = self._in_water(drawn, other) & exists
            # In water a river is seen at the shore only.
            seen = ~in_water | (exists & ~other_in_water)
            linked = ways.sides >> side & seen
            width_beyond = np.where(exists, _quarters(widths[other]), own)
            flows_in = exists & (flow[other] >> opposite & 1 > 0)
            flows_out = out >> side & 1 > 0
            # Two rivers laid against each other flow both ways: still the side has one width.
            width = (own + width_beyond + 1) // 2
            width = np.where(flows_in & ~flows_out, width_beyond, width)
            width = np.where(flows_out & ~flows_in, own, width)
            at_shore = exists & (in_water != other_in_water)
            wider = np.minimum(np.rint(width * ESTUARY).astype(np.int64), WIDEST)
            width = np.where(at_shore, wider, width)
            goes_on = ~exists | (river[other] >> opposite & 1 > 0) | other_in_water
            width = np.where(goes_on, width, 0)
            shared = np.zeros(len(cells), np.bool_)
            for plane in others:  # a road along the river lies on its bank
                shared |= plane[cells] >> side & 1 > 0
                shared |= exists & (plane[other] >> opposite & 1 > 0)
            hand = np.where(shared | ~goes_on, 0, self._hand(cells, beyond))
            keys |= linked << side | (out >> side & linked) << side + 6
            keys |= width * linked << FIRST_WIDTH + side * WIDTH_BITS
            keys |= hand * linked << FIRST_HAND + side * HAND_BITS
        return keys

    @staticmethod
    def _hand(cells: NDArray[np.intp], beyond: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return the codes of ``HANDS`` (n,) on which rivers cross between pairs of cells (n,)."""
        lower = np.minimum(cells, beyond).astype(np.uint64)
        upper = np.maximum(cells, beyond).astype(np.uint64)
        mixed = lower * np.uint64(0x9E3779B97F4A7C15) + upper * np.uint64(0xC2B2AE3D27D4EB4F)
        is_right = (mixed >> np.uint64(63)) > 0
        return np.where(is_right ^ (cells > beyond), 1, 2)

    def _in_water(self, drawn: DrawnCells, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
        terrain = drawn.everywhere(drawn.system.terrain)[cells]
        return np.asarray(self._water[np.minimum(terrain, len(self._water) - 1)])

    def _aside(self, drawn: DrawnCells, ways: _Ways) -> NDArray[np.int64]:
        """Return how far aside of the middle of each side a route leaves its cells, as codes.

        Where water leaves by the same side they lie on its banks, by turns, the first one on the
        right. Others lie side by side.
        """
        system = drawn.system
        degree = drawn.grid.degree
        result = np.zeros(len(ways.rows), np.int64)
        routes = system.routes_of(self._terrain_set)
        others = np.zeros(len(ways.rows), np.int64)
        for route in routes:
            if route.plane != ways.route.plane:
                others |= drawn.here(route.plane)[ways.rows]
        shared = np.flatnonzero(others & ways.sides)
        cells = drawn.cells[ways.rows[shared]]
        flow, widths = (drawn.everywhere(spec) for spec in (system.flow, system.flow_width))
        of = {
            route.plane: drawn.everywhere(route.plane)[cells].astype(np.int64) for route in routes
        }
        dry = [route for route in routes if route.style != "water"]
        wet = [route for route in routes if route.style == "water"]
        none = np.zeros(len(cells), np.int64)
        for side in range(degree):
            linked = {plane: values >> side & 1 for plane, values in of.items()}
            beyond = np.maximum(drawn.grid.neighbours_of(cells, side), 0)
            leaves = flow[cells] >> side & 1 > 0
            comes = flow[beyond] >> drawn.grid.opposite(side) & 1 > 0
            right = np.full(len(cells), 1 if side < degree // 2 else -1)
            right[leaves & ~comes] = 1
            right[comes & ~leaves] = -1
            width = np.maximum(_quarters(widths[cells]), _quarters(widths[beyond])) / QUARTERS
            river = np.zeros(len(cells))
            for each in wet:
                river = np.maximum(river, linked[each.plane] * each.width)
            river *= WIDTHS["water"] * width / 2
            own = dry.index(ways.route)
            nearer, before, after = (
                np.sum([linked[each.plane] for each in some] or [none], axis=0)
                for some in (dry[own % 2 : own : 2], dry[:own], dry[own + 1 :])
            )
            bank = (river + LANE * (nearer + 0.5)) * (-1) ** own
            lanes = (before - after) / 2 * LANE
            steps = np.rint(np.where(river > 0, bank, lanes) * right / STEP).astype(np.int64)
            steps = steps.clip(-MOST_STEPS, MOST_STEPS) * linked[ways.route.plane]
            result[shared] |= (steps & (1 << ASIDE_BITS) - 1) << side * ASIDE_BITS
        return result

    # --- pieces -------------------------------------------------------------------------------

    def _piece(self, route: RouteSpec, key: int) -> Piece:
        colour = self._theme.route_colour(route)

        def draw(painter: QPainter) -> None:
            layout = self._layout
            width = route.width
            least = self._least
            if route.style == "water":
                draw_river(painter, layout, colour, self.river(key), width, least)
                return
            course = self.course(key)
            if self._worn and is_worn(route.style):
                drawing = draw_worn_road
            else:
                drawing = draw_route
            drawing(painter, layout, route.style, colour, course, width=width, least=least)

        return Piece(("route", route, key), self._box, draw)

    def river(self, key: int) -> River:
        """Return the river of a cell, by the key of its piece."""
        sides = range(self._layout.degree)
        widths = (key >> FIRST_WIDTH + side * WIDTH_BITS & WIDEST for side in sides)
        hands = (HANDS[key >> FIRST_HAND + side * HAND_BITS & 3] for side in sides)
        is_in_water = bool(key >> 12 & 1)
        return River(key & SIDES, key >> 6 & SIDES, tuple(widths), tuple(hands), is_in_water)

    def course(self, key: int) -> Course:
        """Return how a road or track crosses a cell, by the key of its piece."""
        half = 1 << ASIDE_BITS - 1
        codes = (key >> 6 + side * ASIDE_BITS & 2 * half - 1 for side in range(self._layout.degree))
        aside = tuple((code - 2 * half * (code >= half)) * STEP for code in codes)
        return Course(key & SIDES, offsets=aside if any(aside) else ())

    def _crossing(
        self, crossing: CrossingSpec, over: RouteSpec, under: RouteSpec, upper: int, lower: int
    ) -> Piece:
        """Bridges, fords or level crossings wherever two routes meet in a cell."""

        def draw(painter: QPainter) -> None:
            layout = self._layout
            if under.style == "water":
                river = self.river(lower)
                below = tuple(reach.line for reach in reaches(layout, river))
                length = max(river.widths) / QUARTERS * WIDTHS["water"] * under.width
            else:
                below = lines(layout, self.course(lower), 0.0)
                length = WIDTHS[under.style] * under.width
            spots = crossing_points(lines(layout, self.course(upper), 0.0), below)
            width = WIDTHS[over.style] * over.width
            kind = crossing.kinds[0]
            if self._worn and kind == "bridge":
                kind = "plank bridge"
            draw_crossings_at(painter, layout, kind, spots, width, length + 0.1)

        key = ("crossing", crossing, over, under, upper, lower)
        return Piece(key, crossing_box(self._layout), draw)


def _quarters(widths: NDArray[np.generic]) -> NDArray[np.int64]:
    """Widths of water in quarters, ``QUARTERS`` where none is set."""
    return np.where(widths == 0, QUARTERS, widths).astype(np.int64)
