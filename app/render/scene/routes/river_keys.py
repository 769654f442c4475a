"""The keys of rivers: how a river looks in a cell, packed into one integer.

Cells with the same key share one drawing. ``RiverKeys.keys_of_cells`` packs the keys of many cells
at once, and ``river`` unpacks one of them for its drawing. A key has these bits (14 and 15 are not
used), as the constants below say:

    0-5     the sides that the river crosses
    6-11    the sides by which water flows out
    12      the cell is one of water
    13      the river begins or ends in a cell of hills or mountains
    16-45   for each side 5 bits: the width there, in quarters of the usual width
    46-57   for each side 2 bits: 1 if it crosses clockwise of the middle, -1 if anticlockwise

A key follows from the cell and its neighbours alone. All that is packed for a side is worked out
from both of its cells in the same way, so that the drawings of both meet there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.render.drawn_cells import DrawnCells
from app.render.pictures.ranges import RANGES
from app.render.scene.routes.key_bits import CROSSED, SideBits
from app.render.scene.routes.river_courses import ESTUARY, QUARTERS, River
from app.render.scene.routes.route_sides import (
    CellSide,
    RouteCells,
    random_directions,
    sides_of_cells,
)
from randomizer.model.grid.layouts import Layout
from randomizer.model.planes.planes import Plane, is_blank
from randomizer.model.planes.routes import SIDES, RouteSpec, has_side, sides_of
from randomizer.model.terrain.terrain import TerrainSet

OUT = SideBits(first=6)
"""The sides by which water flows out, in a key."""

IN_WATER_BIT = 12
"""The bit of cells of water."""

ON_HEIGHT_BIT = 13
"""The bit of cells of hills or mountains in which a river begins or ends."""

WIDTHS = SideBits(first=16, bits_a_side=5)
"""The widths of the river at the sides, in quarters; 0 where it ends."""

SHIFTS = SideBits(first=46, bits_a_side=2, is_signed=True)
"""To which side of the middle of a cell's side the river crosses it (``River.shifts``)."""


class RiverKeys:
    """Packs and unpacks the keys of rivers of one layout and terrain set."""

    def __init__(self, layout: Layout, terrain_set: TerrainSet) -> None:
        self._layout = layout
        self._terrain_set = terrain_set
        self._is_water = np.array([terrain.water for terrain in terrain_set.terrains])
        """True for terrains of water, by their codes."""
        pictures = [terrain.picture or terrain.name for terrain in terrain_set.terrains]
        self._is_height = np.array([picture in RANGES for picture in pictures])
        """True for terrains of hills and mountains, by their codes."""

    def keys_of_cells(self, drawn: DrawnCells, river: RouteCells) -> NDArray[np.int64]:
        """Return the keys (n,) of a river in its cells."""
        cells = drawn.cells[river.rows]
        in_water = self._is_in_water(drawn, cells)
        begins = _has_at_most_one_side(river.sides)
        begins_on_height = begins & _has_terrain(drawn, cells, self._is_height)
        keys = in_water.astype(np.int64) << IN_WATER_BIT
        keys |= begins_on_height.astype(np.int64) << ON_HEIGHT_BIT
        for cell_side in sides_of_cells(drawn, cells):
            keys |= self._bits_of_side(drawn, river, cell_side, in_water)
        return keys

    def sample_key(self, sides: int, out: int = 0) -> int:
        """Return the key of a river that crosses ``sides`` of a cell and flows out by ``out``.

        Both are bit masks. The river has its usual width, and crosses the sides in their middle.
        """
        key = CROSSED.packed_mask(sides) | OUT.packed_mask(out)
        for side in sides_of(sides, self._layout.degree):
            key |= WIDTHS.packed(QUARTERS, side)
        return key

    def river(self, key: int) -> River:
        """Return the river of a cell, by its key."""
        degree = self._layout.degree
        return River(
            sides=CROSSED.mask(key),
            out=OUT.mask(key),
            widths=WIDTHS.numbers(key, degree),
            shifts=SHIFTS.numbers(key, degree),
            in_water=bool((key >> IN_WATER_BIT) & 1),
            on_height=bool((key >> ON_HEIGHT_BIT) & 1),
        )

    def _bits_of_side(
        self,
        drawn: DrawnCells,
        river: RouteCells,
        cell_side: CellSide,
        in_water: NDArray[np.bool_],
    ) -> NDArray[np.int64]:
        """Return the bits of the keys (n,) that tell how a river crosses a side of its cells.

        ``in_water`` (n,) is True for cells of water.
        """
        side = cell_side.number
        has_neighbour = cell_side.has_neighbour
        neighbour_in_water = has_neighbour & self._is_in_water(drawn, cell_side.neighbours_or_self)

        # In water a river is seen at the shore only.
        is_seen = ~in_water | (has_neighbour & ~neighbour_in_water)
        is_crossed = has_side(river.sides, side) & is_seen

        # It goes on beyond the map and into water.
        goes_on = cell_side.crosses_from_beyond(river.route.plane)
        goes_on |= ~has_neighbour | neighbour_in_water
        at_shore = has_neighbour & (in_water != neighbour_in_water)
        widths = _widths_at(drawn, river.route.plane, cell_side)
        widths = np.where(at_shore, _estuary_widths(widths), widths)
        # A river that the neighbour does not continue gets thin towards it: it has no width there.
        widths = np.where(goes_on, widths, 0)

        # A road along the river lies on its bank, so the river keeps to the middle there.
        keeps_to_middle = self._has_other_route(drawn, river.route, cell_side) | ~goes_on
        shifts = np.where(keeps_to_middle, 0, random_directions(cell_side))

        flows_out = cell_side.flows_out & is_crossed
        bits = CROSSED.packed(is_crossed.astype(np.int64), side)
        bits |= OUT.packed(flows_out.astype(np.int64), side)
        bits |= WIDTHS.packed(widths * is_crossed, side)
        bits |= SHIFTS.packed(shifts * is_crossed, side)
        return bits

    def _has_other_route(
        self, drawn: DrawnCells, river: RouteSpec, cell_side: CellSide
    ) -> NDArray[np.bool_]:
        """Return where a route besides the river crosses the side, (n,)."""
        result = np.zeros(len(cell_side.cells), np.bool_)
        for route in drawn.system.routes_of(self._terrain_set):
            if route.plane == river.plane or is_blank(drawn.planes[route.plane]):
                continue
            result |= cell_side.crosses_from_here(route.plane)
            result |= cell_side.crosses_from_beyond(route.plane)
        return result

    def _is_in_water(self, drawn: DrawnCells, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return which of some cells (n,) are water."""
        return _has_terrain(drawn, cells, self._is_water)


def _has_terrain(
    drawn: DrawnCells, cells: NDArray[np.intp], is_counted: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return which of some cells (n,) have a terrain for which ``is_counted``, by code, is True."""
    codes = drawn.everywhere(drawn.system.terrain)[cells]
    # Nothing can draw codes beyond the terrain set: they are shown as its last terrain.
    return np.asarray(is_counted[np.minimum(codes, len(is_counted) - 1)])


def _has_at_most_one_side(sides: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which bit masks (n,) of sides have a single side, or none."""
    # Without its lowest bit a power of two is 0.
    return np.asarray(sides & (sides - 1) == 0)


# --- widths ---------------------------------------------------------------------------------------


def _widths_at(drawn: DrawnCells, plane: str, cell_side: CellSide) -> NDArray[np.int64]:
    """Return the widths (n,) in quarters of the river of a plane at a side of cells.

    A river has the width of the cell that it comes from. Where no direction is known, or two rivers
    flow into each other, it has the mean of both, rounded up. At the end of the map it has the
    width of its cell.
    """
    cell_widths = _widths_within(drawn, plane, cell_side.cells)
    neighbour_widths = _widths_within(drawn, plane, cell_side.neighbours_or_self)
    widths = (cell_widths + neighbour_widths + 1) // 2
    widths = np.where(cell_side.only_flows_in, neighbour_widths, widths)
    return np.where(cell_side.only_flows_out, cell_widths, widths)


def _widths_within(drawn: DrawnCells, plane: str, cells: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return the widths (n,) in quarters of the river of a plane in cells.

    A river begins (or ends) in a cell of which it crosses one side, and is half as wide there.
    """
    quarters = widths_or_usual(drawn.everywhere(drawn.system.flow_width)[cells])
    sides = drawn.everywhere(plane)[cells].astype(np.int64) & SIDES
    return np.where(_has_at_most_one_side(sides), np.maximum(quarters // 2, 1), quarters)


def _estuary_widths(widths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how wide rivers of these widths (n,) are at a shore, as far as a key has room."""
    wider = np.rint(widths * ESTUARY).astype(np.int64)
    return np.asarray(np.minimum(wider, WIDTHS.largest))


def widths_or_usual(widths: Plane) -> NDArray[np.int64]:
    """Return values of the plane of widths; ``QUARTERS`` where no width is set (0)."""
    return np.where(widths == 0, QUARTERS, widths).astype(np.int64)
