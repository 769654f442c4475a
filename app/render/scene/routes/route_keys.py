"""The keys of routes: how a route looks in a cell, packed into one integer.

Cells with the same key share one drawing. A key follows from the cell and its neighbours alone, and
two cells always agree on where, and how wide, a route crosses the side between them. The bits of a
key:

    all routes     0-5    the sides that the route crosses
    rivers         6-11   the sides by which water flows out
                   12     the cell is one of water
                   13     the river begins or ends in a cell of hills or mountains
                   16-45  for each side 5 bits: the width there, in quarters
                   46-57  for each side 2 bits: the index of its hand in ``HANDS``
    other routes   6-29   for each side 4 bits: the offset from its middle, in steps of ``STEP``

A *hand* of a side is one of its halves, from its middle on: clockwise (1) or anticlockwise (-1).
``RoutePieces`` packs the keys of all cells at once with ``RouteKeys.of``, where reading begins, and
unpacks one of them for its drawing with ``river`` or ``course``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.pictures.terrain_pictures import RANGES
from app.render.scene.routes.river_courses import ESTUARY, QUARTERS, River
from app.render.scene.routes.route_lines import WIDTHS, Course
from app.render.scene.routes.worn_roads import is_worn
from app.render.style import DrawnCells
from randomizer.model.grid.layouts import Layout
from randomizer.model.planes.planes import Plane, is_blank
from randomizer.model.planes.routes import SIDES, RouteSpec
from randomizer.model.terrain.terrain import TerrainSet

LANE = 0.26
"""The distance between routes that leave a cell by the same side; as all lengths here a share of
the distance from a cell's centre to a side."""

STEP = 0.08
"""Offsets of routes from the middle of a side are rounded to multiples of this length. If it is
smaller, more different pieces are drawn."""

MAX_STEPS = 7
"""The greatest offset in steps: what ``OFFSET_BITS`` hold with a sign."""

OUT_BIT = 6
"""The first bit of the sides by which water flows out."""

WATER_BIT = 12
"""The bit of cells of water."""

HEIGHT_BIT = 13
"""The bit of cells of hills or mountains in which a river begins or ends."""

WIDTH_BITS = 5
"""The bits of a river's width at a side, in quarters; 0 where it ends."""

FIRST_WIDTH_BIT = 16

MAX_WIDTH = (1 << WIDTH_BITS) - 1

HAND_BITS = 2
"""The bits of an index in ``HANDS``."""

FIRST_HAND_BIT = FIRST_WIDTH_BIT + 6 * WIDTH_BITS

HANDS = (0, 1, -1, 0)
"""On which hand of the middle a river crosses a side (``River.asides``), by its two bits; the last
one does not occur."""

OFFSET_BITS = 4
"""The bits of the offset of a road or railway at a side, in steps: a signed number (two's
complement)."""

FIRST_OFFSET_BIT = 6

WANDER_STEPS = 2
"""How far from the middle of a side a road of worn ground crosses it, in steps, on either hand.
With less, long roads look ruled."""


class RouteCells(NamedTuple):
    """A route, and the drawn cells through which it runs."""

    route: RouteSpec

    rows: NDArray[np.intp]
    """The indices of the cells in ``DrawnCells.cells``, ascending: shape (n,)."""

    sides: NDArray[np.int64]
    """Bit masks of the sides that the route crosses, shape (n,)."""


_Links = dict[str, NDArray[np.int64]]
"""For one side of n cells, and for each plane of a route by its name: 1 where the route crosses the
side, else 0, shape (n,)."""


class RouteKeys:
    """Packs and unpacks the keys of the routes of one layout and terrain set."""

    def __init__(
        self, layout: Layout, terrain_set: TerrainSet, *, roads_wander: bool = False
    ) -> None:
        """Make keys for the cells of ``layout``.

        With ``roads_wander`` roads and tracks (not railways) wind from cell to cell, as rivers do.
        """
        self._layout = layout
        self._roads_wander = roads_wander
        self._terrain_set = terrain_set
        self._is_water = np.array([terrain.water for terrain in terrain_set.terrains])
        """True for terrains of water, by their codes."""
        pictures = [terrain.picture or terrain.name for terrain in terrain_set.terrains]
        self._is_height = np.array([picture in RANGES for picture in pictures])
        """True for terrains of hills and mountains, by their codes."""

    def of(self, drawn: DrawnCells, route_cells: RouteCells) -> NDArray[np.int64]:
        """Return the keys (n,) of a route in its cells."""
        if route_cells.route.style == "water":
            return self._river_keys(drawn, route_cells)
        return self._road_keys(drawn, route_cells)

    def through(self, route: RouteSpec, sides: int, out: int = 0) -> int:
        """Return the key of a route that crosses ``sides`` of a cell and flows out by ``out``.

        Both are bit masks. A river is as wide as its route says.
        """
        if route.style != "water":
            return sides
        key = sides | out << OUT_BIT
        for side in range(self._layout.degree):
            if sides >> side & 1:
                key |= QUARTERS << FIRST_WIDTH_BIT + side * WIDTH_BITS
        return key

    def river(self, key: int) -> River:
        """Return the river of a cell, by the key of its piece."""
        widths = []
        hands = []
        for side in range(self._layout.degree):
            widths.append(key >> FIRST_WIDTH_BIT + side * WIDTH_BITS & MAX_WIDTH)
            hand_code = key >> FIRST_HAND_BIT + side * HAND_BITS & (1 << HAND_BITS) - 1
            hands.append(HANDS[hand_code])
        is_in_water = bool(key >> WATER_BIT & 1)
        is_on_height = bool(key >> HEIGHT_BIT & 1)
        out = key >> OUT_BIT & SIDES
        return River(key & SIDES, out, tuple(widths), tuple(hands), is_in_water, is_on_height)

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

    # --- rivers -------------------------------------------------------------------------------

    def _river_keys(self, drawn: DrawnCells, river: RouteCells) -> NDArray[np.int64]:
        """Return the keys (n,) of a river in its cells.

        All that is packed for a side is worked out from both of its cells in the same way, so that
        the neighbour's key says the same.
        """
        grid = drawn.grid
        cells = drawn.cells[river.rows]
        out = drawn.everywhere(drawn.system.flow)[cells].astype(np.int64)
        in_water = self._has_terrain(drawn, cells, self._is_water)
        begins = _has_one_side(river.sides)
        begins_on_height = begins & self._has_terrain(drawn, cells, self._is_height)
        keys = in_water.astype(np.int64) << WATER_BIT
        keys |= begins_on_height.astype(np.int64) << HEIGHT_BIT
        for side in range(grid.degree):
            neighbours = grid.neighbours_of(cells, side)
            exists = neighbours >= 0
            beyond = np.maximum(neighbours, 0)
            neighbour_in_water = self._has_terrain(drawn, beyond, self._is_water) & exists
            # In water a river is seen at the shore only.
            is_seen = ~in_water | (exists & ~neighbour_in_water)
            is_crossed = river.sides >> side & is_seen

            # A river that the neighbour does not continue gets thin towards it: it has no width
            # there. It goes on beyond the map and into water.
            goes_on = _is_linked(drawn, river.route.plane, neighbours, grid.opposite(side))
            goes_on |= ~exists | neighbour_in_water
            at_shore = exists & (in_water != neighbour_in_water)
            widths = _river_widths(drawn, river.route.plane, cells, neighbours, side)
            estuary_widths = np.minimum(np.rint(widths * ESTUARY).astype(np.int64), MAX_WIDTH)
            widths = np.where(at_shore, estuary_widths, widths)
            widths = np.where(goes_on, widths, 0)

            # A road along the river lies on its bank, so the river keeps to the middle there.
            has_road = self._has_other_route(drawn, river.route, cells, neighbours, side)
            hands = np.where(has_road | ~goes_on, 0, _hands(cells, neighbours))

            keys |= is_crossed << side
            keys |= (out >> side & is_crossed) << side + OUT_BIT
            keys |= widths * is_crossed << FIRST_WIDTH_BIT + side * WIDTH_BITS
            keys |= hands * is_crossed << FIRST_HAND_BIT + side * HAND_BITS
        return keys

    def _has_other_route(
        self,
        drawn: DrawnCells,
        river: RouteSpec,
        cells: NDArray[np.intp],
        neighbours: NDArray[np.intp],
        side: int,
    ) -> NDArray[np.bool_]:
        """Return where a route besides the river crosses the side between cells, (n,) booleans.

        ``neighbours`` (n,) lie beyond the side ``side`` of ``cells`` (n,), -1 for none.
        """
        opposite = drawn.grid.opposite(side)
        result = np.zeros(len(cells), np.bool_)
        for route in drawn.system.routes_of(self._terrain_set):
            if route.plane == river.plane or is_blank(drawn.planes[route.plane]):
                continue
            result |= _is_linked(drawn, route.plane, cells, side)
            result |= _is_linked(drawn, route.plane, neighbours, opposite)
        return result

    def _has_terrain(
        self, drawn: DrawnCells, cells: NDArray[np.intp], is_counted: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Return which of some cells (n,) have a terrain that ``is_counted``, by its code."""
        terrain = drawn.everywhere(drawn.system.terrain)[cells]
        return np.asarray(is_counted[np.minimum(terrain, len(is_counted) - 1)])

    # --- roads and railways -------------------------------------------------------------------

    def _road_keys(self, drawn: DrawnCells, road: RouteCells) -> NDArray[np.int64]:
        """Return the keys (n,) of a road, track or railway in its cells.

        Offsets are worked out only for cells in which another route crosses the same side.
        """
        sides_of_others = np.zeros(len(road.rows), np.int64)
        for route in drawn.system.routes_of(self._terrain_set):
            if route.plane != road.route.plane:
                sides_of_others |= drawn.here(route.plane)[road.rows]
        shared = np.flatnonzero(sides_of_others & road.sides)
        keys = road.sides.copy()
        keys[shared] |= self._offset_bits(drawn, road.route, drawn.cells[road.rows[shared]])
        if self._roads_wander and is_worn(road.route.style):
            keys |= self._wandering_bits(drawn, road, sides_of_others)
        return keys

    def _wandering_bits(
        self, drawn: DrawnCells, road: RouteCells, sides_of_others: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return the bits of the keys (n,) by which a road crosses sides on one hand or the other.

        They are 0 at the sides of other routes (bit masks, (n,)) and at the ends of the map.
        """
        cells = drawn.cells[road.rows]
        bits = np.zeros(len(cells), np.int64)
        for side in range(drawn.grid.degree):
            neighbours = drawn.grid.neighbours_of(cells, side)
            is_alone = (road.sides & ~sides_of_others) >> side & 1 > 0
            is_clockwise = _hands(cells, np.maximum(neighbours, 0)) == HANDS.index(1)
            steps = np.where(is_clockwise, WANDER_STEPS, -WANDER_STEPS)
            steps = np.where(is_alone & (neighbours >= 0), steps, 0)
            # The lower bits of a negative number are those of its two's complement.
            steps_bits = steps & (1 << OFFSET_BITS) - 1
            bits |= steps_bits << FIRST_OFFSET_BIT + side * OFFSET_BITS
        return bits

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
            on_bank = from_middle
            if number % 2 == 1:
                on_bank = -from_middle
            left_lanes = _count(links, roads[:number])
            right_lanes = _count(links, roads[number + 1 :])
            in_lane = (left_lanes - right_lanes) / 2 * LANE

            offsets = np.where(half_river > 0, on_bank, in_lane)
            offsets *= _right_hands(drawn, cells, neighbours, side)
            steps = np.rint(offsets / STEP).astype(np.int64).clip(-MAX_STEPS, MAX_STEPS)
            steps *= links[road.plane]
            # The lower bits of a negative number are those of its two's complement.
            steps_bits = steps & (1 << OFFSET_BITS) - 1
            bits |= steps_bits << FIRST_OFFSET_BIT + side * OFFSET_BITS
        return bits


def _is_linked(
    drawn: DrawnCells, plane: str, cells: NDArray[np.intp], side: int
) -> NDArray[np.bool_]:
    """Return where the route of a plane leaves ``cells`` (n,) by a side; False for a cell of -1."""
    values = drawn.everywhere(plane)[np.maximum(cells, 0)]
    return np.asarray((cells >= 0) & (values >> side & 1 > 0))


def _quarters(widths: Plane) -> NDArray[np.int64]:
    """Return the values of a plane of widths, with ``QUARTERS`` where no width is set (0)."""
    return np.where(widths == 0, QUARTERS, widths).astype(np.int64)


def _quarters_of_river(drawn: DrawnCells, plane: str, cells: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return the widths (n,) in quarters of a river in cells, half of it in those where it begins.

    A river begins (or ends) in a cell of which it crosses one side. Its links have the ``plane``.
    """
    quarters = _quarters(drawn.everywhere(drawn.system.flow_width)[cells])
    links = drawn.everywhere(plane)[cells].astype(np.int64) & SIDES
    return np.where(_has_one_side(links), np.maximum(quarters // 2, 1), quarters)


def _has_one_side(sides: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which bit masks (n,) of sides have a single side, or none."""
    return np.asarray(sides & (sides - 1) == 0)


def _river_widths(
    drawn: DrawnCells,
    plane: str,
    cells: NDArray[np.intp],
    neighbours: NDArray[np.intp],
    side: int,
) -> NDArray[np.int64]:
    """Return the widths (n,) in quarters of a river, by its ``plane``, at a side of ``cells``.

    A river has the width of the cell that it comes from. Where no direction is known, or two rivers
    flow into each other, it has the mean of both, rounded up. ``neighbours`` (n,) lie beyond the
    side, -1 for none.
    """
    exists = neighbours >= 0
    beyond = np.maximum(neighbours, 0)
    flow = drawn.everywhere(drawn.system.flow)
    flows_out = flow[cells] >> side & 1 > 0
    flows_in = exists & (flow[beyond] >> drawn.grid.opposite(side) & 1 > 0)
    cell_width = _quarters_of_river(drawn, plane, cells)
    neighbour_width = np.where(exists, _quarters_of_river(drawn, plane, beyond), cell_width)

    widths = (cell_width + neighbour_width + 1) // 2
    widths = np.where(flows_in & ~flows_out, neighbour_width, widths)
    return np.where(flows_out & ~flows_in, cell_width, widths)


_FACTOR_OF_LOWER = np.uint64(0x9E3779B97F4A7C15)
_FACTOR_OF_HIGHER = np.uint64(0xC2B2AE3D27D4EB4F)


def _hands(cells: NDArray[np.intp], neighbours: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return the indices in ``HANDS`` (n,) on which rivers cross the sides between two cells each.

    The hand is random, so that rivers wind, but a hash of the pair of cells: it is the same each
    time. Clockwise for one cell is anticlockwise for the other.
    """
    lower_cell = np.minimum(cells, neighbours).astype(np.uint64)
    higher_cell = np.maximum(cells, neighbours).astype(np.uint64)
    # With such large odd factors the highest bit depends on all bits of both numbers.
    hashes = lower_cell * _FACTOR_OF_LOWER + higher_cell * _FACTOR_OF_HIGHER
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
    hands = np.full(len(cells), -1)
    if is_first_half:
        hands[:] = 1
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
