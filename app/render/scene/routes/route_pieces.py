"""The pieces of routes through cells (rivers, roads, railways) and of their crossings.

How a route looks in a cell is packed into one integer, the *key* of its piece: cells with the same
key share one drawing. A key follows from the cell and its neighbours alone, and two cells always
agree on where, and how wide, a route crosses the side between them. Read ``RoutePieces.pieces``
first; ``_river_keys`` and ``_road_keys`` pack the keys of all cells at once, ``river`` and
``course`` unpack one of them for the drawing. The bits of a key:

    all routes     0-5    the sides that the route crosses
    rivers         6-11   the sides by which water flows out
                   12     the cell is one of water
                   16-45  for each side 5 bits: the width there, in quarters
                   46-57  for each side 2 bits: the index of its hand in ``HANDS``
    other routes   6-29   for each side 4 bits: the offset from its middle, in steps of ``STEP``
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
from randomizer.model.planes.planes import Plane, is_blank
from randomizer.model.planes.routes import SIDES, CrossingSpec, RouteSpec
from randomizer.model.terrain.terrain import TerrainSet

MARGIN = 0.12
"""How far pieces may reach over a cell's box, in map units."""

STYLES_FROM_BELOW = ("water", "track", "road", "rail")
"""The styles of routes, from the lowest to the highest where several run through a cell."""

LANE = 0.26
"""The distance between routes that leave a cell by the same side; as all lengths here a share of
the distance from a cell's centre to a side."""

STEP = 0.08
"""Offsets of routes from the middle of a side are rounded to multiples of this length. If it is
smaller, more different pieces are drawn."""

MAX_STEPS = 7
"""The greatest offset in steps: what ``OFFSET_BITS`` hold with a sign."""

OUT_BIT = 6
WATER_BIT = 12
"""The first bit of the sides by which water flows out, and the bit of cells of water."""

WIDTH_BITS = 5
FIRST_WIDTH_BIT = 16
MAX_WIDTH = (1 << WIDTH_BITS) - 1
"""A river's width at each side, in quarters; 0 where it ends."""

HAND_BITS = 2
FIRST_HAND_BIT = FIRST_WIDTH_BIT + 6 * WIDTH_BITS
HANDS = (0, 1, -1, 0)
"""The values of ``River.asides`` by their two bits, the last of which does not occur."""

OFFSET_BITS = 4
FIRST_OFFSET_BIT = 6
"""The offset of a road or railway at each side, in steps: a signed number (two's complement)."""


class _RouteCells(NamedTuple):
    """A route, and the drawn cells through which it runs."""

    route: RouteSpec

    rows: NDArray[np.intp]
    """The indices of the cells in ``DrawnCells.cells``, ascending: shape (n,)."""

    sides: NDArray[np.int64]
    """Bit masks of the sides that the route crosses, shape (n,)."""


_Links = dict[str, NDArray[np.int64]]
"""For each plane of a route 1 where it crosses one side of some cells, else 0: shape (n,)."""


class RoutePieces:
    """The pieces of one layout, terrain set and theme.

    ``min_width`` is that of any line, in map units: so thin routes are still seen from afar.
    """

    def __init__(
        self, layout: Layout, terrain_set: TerrainSet, theme: Theme, min_width: float
    ) -> None:
        self._layout = layout
        self._terrain_set = terrain_set
        self._theme = theme
        self._min_width = min_width
        self._box = cell_box(layout, MARGIN)
        self._is_painted = theme.colour_set == "pictures"
        """True if roads and bridges are drawn like those of landscapes: of worn ground and planks.
        """
        self._is_water = np.array([terrain.water for terrain in terrain_set.terrains])

    def pieces(self, drawn: DrawnCells) -> Iterator[PiecePlaces]:
        """Yield all pieces from the bottom up, with their places in ``drawn.cells``."""
        keys_of_route: dict[RouteSpec, NDArray[np.int64]] = {}
        routes_in_cells = self._routes_in_cells(drawn)
        for route_cells in routes_in_cells:
            route = route_cells.route
            if route.style == "water":
                keys = self._river_keys(drawn, route_cells)
            else:
                keys = self._road_keys(drawn, route_cells)
            keys_of_route[route] = keys
            for key, indices in places_by_value(keys):
                yield self._piece(route, key), route_cells.rows[indices]
        if not routes_in_cells:
            return
        for crossing in drawn.system.crossings_of(self._terrain_set):
            upper_routes = [
                cells for cells in routes_in_cells if cells.route.plane == crossing.over
            ]
            lower_routes = [
                cells for cells in routes_in_cells if cells.route.plane == crossing.under
            ]
            for upper in upper_routes:
                for lower in lower_routes:
                    yield from self._crossings(drawn, crossing, upper, lower, keys_of_route)

    def _routes_in_cells(self, drawn: DrawnCells) -> list[_RouteCells]:
        """Return the routes that run through any of the drawn cells, the lowest first."""
        result = []
        routes = drawn.system.routes_of(self._terrain_set)
        for route in sorted(routes, key=lambda route: STYLES_FROM_BELOW.index(route.style)):
            if is_blank(drawn.planes[route.plane]):
                continue
            values = drawn.here(route.plane)
            rows = np.flatnonzero(route.runs(values))
            if len(rows):
                result.append(_RouteCells(route, rows, values[rows].astype(np.int64) & SIDES))
        return result

    def _crossings(
        self,
        drawn: DrawnCells,
        crossing: CrossingSpec,
        upper: _RouteCells,
        lower: _RouteCells,
        keys_of_route: dict[RouteSpec, NDArray[np.int64]],
    ) -> Iterator[PiecePlaces]:
        """Yield the pieces of the crossings of two routes, with their places in the drawn cells."""
        rows_of_both = np.intersect1d(upper.rows, lower.rows)
        at_upper = np.searchsorted(upper.rows, rows_of_both)
        at_lower = np.searchsorted(lower.rows, rows_of_both)
        # A road that ends at a river needs no bridge: it has a single side, a power of two.
        sides = upper.sides[at_upper]
        goes_through = sides & (sides - 1) > 0
        has_kind = crossing.at(drawn.planes, drawn.cells)[rows_of_both] > 0
        is_crossed = has_kind & goes_through

        rows = rows_of_both[is_crossed]
        upper_keys = keys_of_route[upper.route][at_upper][is_crossed]
        lower_keys = keys_of_route[lower.route][at_lower][is_crossed]
        key_pairs = np.stack([upper_keys, lower_keys], 1)
        pairs, pair_of_row = np.unique(key_pairs, axis=0, return_inverse=True)
        for number, (upper_key, lower_key) in enumerate(pairs.tolist()):
            piece = self._crossing(crossing, upper.route, lower.route, upper_key, lower_key)
            yield piece, rows[pair_of_row.reshape(-1) == number]

    def sample(self, route: RouteSpec) -> Piece:
        """Return a route from side to opposite side."""
        half = self._layout.degree // 2
        first = half - 1
        last = 2 * half - 1
        return self.through(route, 1 << first | 1 << last, 1 << first)

    def through(self, route: RouteSpec, sides: int, out: int = 0) -> Piece:
        """Return a route that crosses ``sides`` of a cell and flows out by ``out`` (bit masks)."""
        key = sides
        if route.style == "water":
            key |= out << OUT_BIT
            for side in range(self._layout.degree):
                if sides >> side & 1:
                    key |= QUARTERS << FIRST_WIDTH_BIT + side * WIDTH_BITS
        return self._piece(route, key)

    # --- keys of rivers -----------------------------------------------------------------------

    def _river_keys(self, drawn: DrawnCells, river: _RouteCells) -> NDArray[np.int64]:
        """Return the keys (n,) of a river in its cells, as the module's docstring lists their bits.

        All that is packed for a side is worked out from both of its cells in the same way, so that
        the neighbour's key says the same.
        """
        grid = drawn.grid
        cells = drawn.cells[river.rows]
        out = drawn.everywhere(drawn.system.flow)[cells].astype(np.int64)
        in_water = self._in_water(drawn, cells)
        keys = in_water.astype(np.int64) << WATER_BIT
        for side in range(grid.degree):
            neighbours = grid.neighbours_of(cells, side)
            exists = neighbours >= 0
            neighbour_in_water = self._in_water(drawn, np.maximum(neighbours, 0)) & exists
            # In water a river is seen at the shore only.
            is_seen = ~in_water | (exists & ~neighbour_in_water)
            is_crossed = river.sides >> side & is_seen

            # A river that the neighbour does not continue gets thin towards it: it has no width
            # there. It goes on beyond the map and into water.
            goes_on = _is_linked(drawn, river.route.plane, neighbours, grid.opposite(side))
            goes_on |= ~exists | neighbour_in_water
            at_shore = exists & (in_water != neighbour_in_water)
            widths = _river_widths(drawn, cells, neighbours, side)
            estuary_widths = np.minimum(np.rint(widths * ESTUARY).astype(np.int64), MAX_WIDTH)
            widths = np.where(at_shore, estuary_widths, widths)
            widths = np.where(goes_on, widths, 0)

            # A road along the river lies on its bank, so the river keeps to the middle there.
            has_road = self._is_shared(drawn, river.route, cells, neighbours, side)
            hands = np.where(has_road | ~goes_on, 0, _hands(cells, neighbours))

            keys |= is_crossed << side
            keys |= (out >> side & is_crossed) << side + OUT_BIT
            keys |= widths * is_crossed << FIRST_WIDTH_BIT + side * WIDTH_BITS
            keys |= hands * is_crossed << FIRST_HAND_BIT + side * HAND_BITS
        return keys

    def _is_shared(
        self,
        drawn: DrawnCells,
        river: RouteSpec,
        cells: NDArray[np.intp],
        neighbours: NDArray[np.intp],
        side: int,
    ) -> NDArray[np.bool_]:
        """Return where any other route crosses the side between ``cells`` and ``neighbours``."""
        opposite = drawn.grid.opposite(side)
        result = np.zeros(len(cells), np.bool_)
        for route in drawn.system.routes_of(self._terrain_set):
            if route.plane == river.plane or is_blank(drawn.planes[route.plane]):
                continue
            result |= _is_linked(drawn, route.plane, cells, side)
            result |= _is_linked(drawn, route.plane, neighbours, opposite)
        return result

    def _in_water(self, drawn: DrawnCells, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return which of some cells (n,) have a terrain of water."""
        terrain = drawn.everywhere(drawn.system.terrain)[cells]
        return np.asarray(self._is_water[np.minimum(terrain, len(self._is_water) - 1)])

    # --- keys of roads and railways -----------------------------------------------------------

    def _road_keys(self, drawn: DrawnCells, road: _RouteCells) -> NDArray[np.int64]:
        """Return the keys (n,) of a road, track or railway in its cells.

        Offsets are worked out only for cells in which another route crosses the same side.
        """
        other_sides = np.zeros(len(road.rows), np.int64)
        for route in drawn.system.routes_of(self._terrain_set):
            if route.plane != road.route.plane:
                other_sides |= drawn.here(route.plane)[road.rows]
        shared = np.flatnonzero(other_sides & road.sides)
        keys = road.sides.copy()
        keys[shared] |= self._offset_bits(drawn, road.route, drawn.cells[road.rows[shared]])
        return keys

    def _offset_bits(
        self, drawn: DrawnCells, road: RouteSpec, cells: NDArray[np.intp]
    ) -> NDArray[np.int64]:
        """Return the bits of the keys (n,) that hold the offsets of a road at the sides of cells.

        Where a river crosses the same side, roads lie on its banks: the first one of the terrain
        set on the right, the second on the left, the third on the right beyond the first. Without a
        river they lie side by side, around the middle of the side.
        """
        routes = drawn.system.routes_of(self._terrain_set)
        values = {
            route.plane: drawn.everywhere(route.plane)[cells].astype(np.int64) for route in routes
        }
        rivers = [route for route in routes if route.style == "water"]
        roads = [route for route in routes if route.style != "water"]
        number = roads.index(road)
        bits = np.zeros(len(cells), np.int64)
        for side in range(drawn.grid.degree):
            links = {plane: masks >> side & 1 for plane, masks in values.items()}
            neighbours = np.maximum(drawn.grid.neighbours_of(cells, side), 0)

            # The road's distance from the middle to the right, if all lie on banks or in lanes.
            nearer_on_bank = _count(links, roads[number % 2 : number : 2])
            half_river = _half_river_widths(drawn, rivers, links, cells, neighbours)
            from_middle = half_river + LANE * (nearer_on_bank + 0.5)
            on_bank = from_middle if number % 2 == 0 else -from_middle
            left_lanes = _count(links, roads[:number])
            right_lanes = _count(links, roads[number + 1 :])
            in_lane = (left_lanes - right_lanes) / 2 * LANE

            offsets = np.where(half_river > 0, on_bank, in_lane)
            offsets *= _right_hands(drawn, cells, neighbours, side)
            steps = np.rint(offsets / STEP).astype(np.int64).clip(-MAX_STEPS, MAX_STEPS)
            steps *= links[road.plane]
            bits |= (steps & (1 << OFFSET_BITS) - 1) << FIRST_OFFSET_BIT + side * OFFSET_BITS
        return bits

    # --- pieces -------------------------------------------------------------------------------

    def _piece(self, route: RouteSpec, key: int) -> Piece:
        """Return the piece of a route by its key."""
        colour = self._theme.route_colour(route)

        def draw(painter: QPainter) -> None:
            layout = self._layout
            width = route.width
            least_width = self._min_width
            if route.style == "water":
                draw_river(painter, layout, colour, self.river(key), width, least_width)
                return
            draw_way: Callable[..., None] = draw_route
            if self._is_painted and is_worn(route.style):
                draw_way = draw_worn_road
            course = self.course(key)
            draw_way(
                painter, layout, route.style, colour, course, width=width, least_width=least_width
            )

        return Piece(("route", route, key), self._box, draw)

    def river(self, key: int) -> River:
        """Return the river of a cell, by the key of its piece."""
        widths = []
        hands = []
        for side in range(self._layout.degree):
            widths.append(key >> FIRST_WIDTH_BIT + side * WIDTH_BITS & MAX_WIDTH)
            hand_code = key >> FIRST_HAND_BIT + side * HAND_BITS & (1 << HAND_BITS) - 1
            hands.append(HANDS[hand_code])
        is_in_water = bool(key >> WATER_BIT & 1)
        return River(key & SIDES, key >> OUT_BIT & SIDES, tuple(widths), tuple(hands), is_in_water)

    def course(self, key: int) -> Course:
        """Return how a road, track or railway crosses a cell, by the key of its piece."""
        modulus = 1 << OFFSET_BITS
        offsets = []
        for side in range(self._layout.degree):
            steps = key >> FIRST_OFFSET_BIT + side * OFFSET_BITS & modulus - 1
            if steps >= modulus // 2:  # a negative number
                steps -= modulus
            offsets.append(steps * STEP)
        if not any(offsets):
            return Course(key & SIDES)
        return Course(key & SIDES, offsets=tuple(offsets))

    def _crossing(
        self,
        crossing: CrossingSpec,
        upper: RouteSpec,
        lower: RouteSpec,
        upper_key: int,
        lower_key: int,
    ) -> Piece:
        """Return the bridges, fords or level crossings wherever two routes meet in a cell.

        ``upper_key`` and ``lower_key`` are the keys of the routes' own pieces there.
        """

        def draw(painter: QPainter) -> None:
            layout = self._layout
            over_lines = lines(layout, self.course(upper_key), 0.0)
            if lower.style == "water":
                river = self.river(lower_key)
                under_lines = tuple(reach.line for reach in reaches(layout, river))
                under_width = max(river.widths) / QUARTERS * WIDTHS["water"] * lower.width
            else:
                under_lines = lines(layout, self.course(lower_key), 0.0)
                under_width = WIDTHS[lower.style] * lower.width
            spots = crossing_points(over_lines, under_lines)
            over_width = WIDTHS[upper.style] * upper.width
            kind = crossing.kinds[0]
            if self._is_painted and kind == "bridge":
                kind = "plank bridge"
            # A bridge is a little longer than the river is wide, so that it ends on the banks.
            draw_crossings_at(painter, layout, kind, spots, over_width, under_width + 0.1)

        key = ("crossing", crossing, upper, lower, upper_key, lower_key)
        return Piece(key, crossing_box(self._layout), draw)


def _is_linked(
    drawn: DrawnCells, plane: str, cells: NDArray[np.intp], side: int
) -> NDArray[np.bool_]:
    """Return where the route of a plane leaves ``cells`` (n,) by a side; False for a cell of -1."""
    values = drawn.everywhere(plane)[np.maximum(cells, 0)]
    return np.asarray((cells >= 0) & (values >> side & 1 > 0))


def _quarters(widths: Plane) -> NDArray[np.int64]:
    """Return widths of water in quarters, ``QUARTERS`` where none is set (0)."""
    return np.where(widths == 0, QUARTERS, widths).astype(np.int64)


def _river_widths(
    drawn: DrawnCells, cells: NDArray[np.intp], neighbours: NDArray[np.intp], side: int
) -> NDArray[np.int64]:
    """Return the widths (n,) in quarters of a river at a side of ``cells``.

    A river has the width of the cell that it comes from. Where no direction is known, or two rivers
    flow into each other, it has the mean of both, rounded up. ``neighbours`` (n,) lie beyond the
    side, -1 for none.
    """
    exists = neighbours >= 0
    beyond = np.maximum(neighbours, 0)
    flow = drawn.everywhere(drawn.system.flow)
    flows_out = flow[cells] >> side & 1 > 0
    flows_in = exists & (flow[beyond] >> drawn.grid.opposite(side) & 1 > 0)
    flow_width = drawn.everywhere(drawn.system.flow_width)
    cell_width = _quarters(flow_width[cells])
    neighbour_width = np.where(exists, _quarters(flow_width[beyond]), cell_width)

    widths = (cell_width + neighbour_width + 1) // 2
    widths = np.where(flows_in & ~flows_out, neighbour_width, widths)
    return np.where(flows_out & ~flows_in, cell_width, widths)


def _hands(cells: NDArray[np.intp], neighbours: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return the indices in ``HANDS`` (n,) on which rivers cross the sides between two cells each.

    The hand is random, so that rivers wind, but a hash of the pair of cells: it is the same each
    time. Clockwise for one cell is anticlockwise for the other.
    """
    lower_cell = np.minimum(cells, neighbours).astype(np.uint64)
    higher_cell = np.maximum(cells, neighbours).astype(np.uint64)
    # Large odd factors, from which the highest bit depends on all bits of both numbers.
    hashes = lower_cell * np.uint64(0x9E3779B97F4A7C15) + higher_cell * np.uint64(
        0xC2B2AE3D27D4EB4F
    )
    is_clockwise_of_lower = (hashes >> np.uint64(63)) > 0
    is_clockwise = is_clockwise_of_lower ^ (cells > neighbours)
    return np.where(is_clockwise, HANDS.index(1), HANDS.index(-1))


def _right_hands(
    drawn: DrawnCells, cells: NDArray[np.intp], neighbours: NDArray[np.intp], side: int
) -> NDArray[np.int64]:
    """Return which hand of a side is the right one: 1 for clockwise, -1 for anticlockwise, (n,).

    Right is meant as one looks downstream. Where water flows neither way, or both ways, one looks
    out of the cell by the sides of its first half and into it by the opposite ones, so that both
    cells of a side take the same hand for the right one.
    """
    flow = drawn.everywhere(drawn.system.flow)
    flows_out = flow[cells] >> side & 1 > 0
    flows_in = flow[neighbours] >> drawn.grid.opposite(side) & 1 > 0
    is_first_half = side < drawn.grid.degree // 2
    hands = np.full(len(cells), 1 if is_first_half else -1)
    hands[flows_out & ~flows_in] = 1
    hands[flows_in & ~flows_out] = -1
    return hands


def _half_river_widths(
    drawn: DrawnCells,
    rivers: Sequence[RouteSpec],
    links: _Links,
    cells: NDArray[np.intp],
    neighbours: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Return half the width of the widest river over a side of cells, shape (n,); 0 for none."""
    flow_width = drawn.everywhere(drawn.system.flow_width)
    quarters = np.maximum(_quarters(flow_width[cells]), _quarters(flow_width[neighbours]))
    route_widths = np.zeros(len(cells))
    for route in rivers:
        route_widths = np.maximum(route_widths, links[route.plane] * route.width)
    return np.asarray(route_widths * (WIDTHS["water"] * (quarters / QUARTERS) / 2))


def _count(links: _Links, routes: Sequence[RouteSpec]) -> NDArray[np.int64] | int:
    """Return how many of ``routes`` cross a side of cells, shape (n,); 0 if there are none."""
    return sum(links[route.plane] for route in routes)
