"""The keys of roads, tracks and railways: how one looks in a cell, packed into one integer.

Cells with the same key share one drawing. ``RoadKeys.keys_of_cells`` packs the keys of many cells
at once, and ``course`` unpacks one of them for its drawing. A key has these bits:

    0-5    the sides that the road crosses
    6-29   for each side 4 bits: its offset from the middle of that side, in steps of ``STEP``

An *offset* tells how far from the middle of a side a road crosses it, clockwise if it is positive.
Roads have offsets where several routes cross the same side, as they would hide each other. Seen as
one looks downstream, roads are then laid out like this, by their order in the terrain set::

    on the banks of a river      in lanes, without a river

      3   1  ~~~~~~  0   2            0   1   2   3

Both cells of a side work out the same place, so that the drawings of both meet there: *right* is
meant as one looks downstream (``_right_directions``), which is the same for both. In this
module *road* means any route that is not a river.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.render.drawn_cells import DrawnCells
from app.render.scene.routes.courses import Course
from app.render.scene.routes.key_bits import CROSSED, SideBits
from app.render.scene.routes.river_courses import QUARTERS
from app.render.scene.routes.river_keys import widths_or_usual
from app.render.scene.routes.route_lines import WIDTHS
from app.render.scene.routes.route_sides import (
    CellSide,
    RouteCells,
    random_directions,
    sides_of_cells,
)
from app.render.scene.routes.worn_roads import is_worn
from randomizer.model.grid.layouts import Layout
from randomizer.model.planes.planes import is_blank
from randomizer.model.planes.routes import RouteSpec, has_side
from randomizer.model.terrain.terrain import TerrainSet

LANE = 0.26
"""The distance between roads that cross the same side; as all lengths here a share of the distance
from a cell's centre to a side."""

STEP = 0.08
"""Offsets are rounded to multiples of this length. If it is smaller, more different pieces are
drawn."""

OFFSETS = SideBits(first=6, bits_a_side=4, is_signed=True)
"""The offsets at the sides, in steps, in a key."""

WANDER_STEPS = 2
"""How far from the middle of a side a road of worn ground crosses it, in steps, clockwise or
anticlockwise. With less, long roads look ruled."""


class RoadKeys:
    """Packs and unpacks the keys of the roads of one layout and terrain set."""

    def __init__(
        self, layout: Layout, terrain_set: TerrainSet, *, roads_wander: bool = False
    ) -> None:
        """Make keys for the cells of ``layout``.

        With ``roads_wander`` roads and tracks (not railways) wind from cell to cell, as rivers do.
        """
        self._layout = layout
        self._terrain_set = terrain_set
        self._roads_wander = roads_wander

    def keys_of_cells(self, drawn: DrawnCells, road: RouteCells) -> NDArray[np.int64]:
        """Return the keys (n,) of a road in its cells."""
        sides_of_others = self._sides_of_others(drawn, road)
        keys = road.sides.copy()
        # Offsets take time, and few cells have several routes.
        rows = np.flatnonzero(sides_of_others & road.sides)
        keys[rows] |= self._offset_bits(drawn, road.route, drawn.cells[road.rows[rows]])
        if self._roads_wander and is_worn(road.route.style):
            keys |= _wandering_bits(drawn, road, road.sides & ~sides_of_others)
        return keys

    def sample_key(self, sides: int) -> int:
        """Return the key of a road that crosses ``sides`` (a bit mask) in their middle."""
        return CROSSED.packed_mask(sides)

    def course(self, key: int) -> Course:
        """Return how a road crosses a cell, by its key."""
        steps = OFFSETS.numbers(key, self._layout.degree)
        if not any(steps):
            return Course(CROSSED.mask(key))
        offsets = tuple(steps_at_side * STEP for steps_at_side in steps)
        return Course(CROSSED.mask(key), offsets=offsets)

    def _sides_of_others(self, drawn: DrawnCells, road: RouteCells) -> NDArray[np.int64]:
        """Return bit masks (n,) of the sides that routes besides ``road`` cross, in its cells.

        A route that ends at a side crosses it from one of the two cells only. It counts for both:
        the neighbour makes room for it, and the road has to meet there.
        """
        sides = np.zeros(len(road.rows), np.int64)
        other_planes = []
        for route in drawn.system.routes_of(self._terrain_set):
            if route.plane != road.route.plane and not is_blank(drawn.planes[route.plane]):
                other_planes.append(route.plane)
        if not other_planes:
            return sides

        for cell_side in sides_of_cells(drawn, drawn.cells[road.rows]):
            for plane in other_planes:
                sides |= _crosses(cell_side, plane).astype(np.int64) << cell_side.number
        return sides

    def _offset_bits(
        self, drawn: DrawnCells, road: RouteSpec, cells: NDArray[np.intp]
    ) -> NDArray[np.int64]:
        """Return the bits of the keys (n,) that hold the offsets of a road in ``cells`` (n,)."""
        routes = drawn.system.routes_of(self._terrain_set)
        bits = np.zeros(len(cells), np.int64)
        for cell_side in sides_of_cells(drawn, cells):
            offsets = _offsets_at(drawn, cell_side, road, routes)
            steps = np.rint(offsets / STEP).astype(np.int64)
            steps = steps.clip(-OFFSETS.largest, OFFSETS.largest)
            steps = np.where(cell_side.crosses_from_here(road.plane), steps, 0)
            bits |= OFFSETS.packed(steps, cell_side.number)
        return bits


def _wandering_bits(
    drawn: DrawnCells, road: RouteCells, sides: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the bits of keys (n,) with random offsets at those sides that only the road crosses.

    ``sides`` (n,) are bit masks of these sides. At the ends of the map a road keeps to the middle.
    """
    bits = np.zeros(len(sides), np.int64)
    for cell_side in sides_of_cells(drawn, drawn.cells[road.rows]):
        wanders = cell_side.has_neighbour & has_side(sides, cell_side.number)
        steps = np.where(wanders, WANDER_STEPS * random_directions(cell_side), 0)
        bits |= OFFSETS.packed(steps, cell_side.number)
    return bits


def _offsets_at(
    drawn: DrawnCells, cell_side: CellSide, road: RouteSpec, routes: Sequence[RouteSpec]
) -> NDArray[np.float64]:
    """Return how far from the middle of a side of n cells a road would cross it, (n,).

    ``routes`` are all routes of the map.
    """
    rivers = [route for route in routes if route.is_river]
    roads = [route for route in routes if not route.is_river]
    number = roads.index(road)
    has_road = [_crosses(cell_side, other_road.plane) for other_road in roads]
    half_river = _half_river_widths(drawn, cell_side, rivers)
    on_bank = _offset_on_bank(cell_side, number, has_road, half_river)
    in_lane = _offset_in_lane(cell_side, number, has_road)
    to_right = np.where(half_river > 0, on_bank, in_lane)
    return np.asarray(to_right * _right_directions(drawn, cell_side))


def _crosses(cell_side: CellSide, plane: str) -> NDArray[np.bool_]:
    """Return where the route of a plane crosses the side from either cell, (n,)."""
    return cell_side.crosses_from_here(plane) | cell_side.crosses_from_beyond(plane)


def _offset_on_bank(
    cell_side: CellSide,
    number: int,
    has_road: Sequence[NDArray[np.bool_]],
    half_river: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return how far to the right road ``number`` crosses a side beside a river, (n,).

    The first road of the terrain set lies on the right bank, the second on the left, the third on
    the right beyond the first::

        3   1  ~~~~~~  0   2
    """
    first_on_bank = number % 2  # 0 on the right bank, 1 on the left
    roads_nearer_to_river = has_road[first_on_bank:number:2]
    lanes = _count(cell_side, roads_nearer_to_river) + 0.5
    from_middle = half_river + LANE * lanes
    if first_on_bank == 0:
        return from_middle
    return -from_middle


def _offset_in_lane(
    cell_side: CellSide, number: int, has_road: Sequence[NDArray[np.bool_]]
) -> NDArray[np.float64]:
    """Return how far to the right road ``number`` crosses a side without a river, (n,).

    Roads lie side by side around the middle of the side, the first at the left.
    """
    roads_on_left = _count(cell_side, has_road[:number])
    roads_on_right = _count(cell_side, has_road[number + 1 :])
    return (roads_on_left - roads_on_right) / 2 * LANE


def _count(cell_side: CellSide, has_road: Sequence[NDArray[np.bool_]]) -> NDArray[np.int64]:
    """Return how many roads cross a side of each cell, (n,).

    ``has_road`` has for each of the roads to be counted where it crosses the side, (n,).
    """
    counts = np.zeros(len(cell_side.cells), np.int64)
    for is_crossed in has_road:
        counts += is_crossed
    return counts


def _half_river_widths(
    drawn: DrawnCells, cell_side: CellSide, rivers: Sequence[RouteSpec]
) -> NDArray[np.float64]:
    """Return half the width of the widest river over a side of cells, (n,); 0 for none."""
    flow_width = drawn.everywhere(drawn.system.flow_width)
    cell_quarters = widths_or_usual(flow_width[cell_side.cells])
    neighbour_quarters = widths_or_usual(flow_width[cell_side.neighbours_or_self])
    quarters = np.maximum(cell_quarters, neighbour_quarters)
    usual_width = np.zeros(len(cell_side.cells))
    for route in rivers:
        is_crossed = _crosses(cell_side, route.plane)
        usual_width = np.maximum(usual_width, is_crossed * route.width)
    return np.asarray(usual_width * (WIDTHS["water"] * (quarters / QUARTERS) / 2))


def _right_directions(drawn: DrawnCells, cell_side: CellSide) -> NDArray[np.int64]:
    """Return in which direction along a side "right" lies, (n,): 1 for clockwise, or -1.

    Right is meant as one looks downstream. Where water flows neither way, or both ways, it is
    clockwise at the sides of the first half (0, 1 and 2 of hexes) and anticlockwise at the others:
    the neighbour sees the same side from the other half, so that both take the same direction.
    """
    direction_without_flow = -1
    if cell_side.number < drawn.grid.degree // 2:
        direction_without_flow = 1
    directions = np.full(len(cell_side.cells), direction_without_flow)
    directions[cell_side.only_flows_out] = 1
    directions[cell_side.only_flows_in] = -1
    return directions
