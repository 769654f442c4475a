"""The drawn cells of a route, and what crosses their sides.

The keys of a route (``river_keys``, ``road_keys``) are worked out for all of its cells at once,
side after side::

    for cell_side in sides_of_cells(drawn, cells):        # side 0 of all cells, then side 1 ...
        road_leads_out = cell_side.crosses_from_here("road")             # (n,) booleans
        road_goes_on_beyond = cell_side.crosses_from_beyond("road")      # (n,) booleans
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.drawn_cells import DrawnCells
from randomizer.model.planes.planes import Plane
from randomizer.model.planes.routes import RouteSpec, has_side


class RouteCells(NamedTuple):
    """A route, and the drawn cells through which it runs."""

    route: RouteSpec

    rows: NDArray[np.intp]
    """The indices of the cells in ``DrawnCells.cells``, ascending: shape (n,)."""

    sides: NDArray[np.int64]
    """Bit masks of the sides that the route crosses, shape (n,): 0b001001 from side 0 to side 3."""


class CellSide:
    """One side, by its number, of each of n cells, and the cells beyond it.

    Arrays have the shape (n,). Where a cell has no neighbour, nothing comes from beyond the side.
    """

    def __init__(self, drawn: DrawnCells, cells: NDArray[np.intp], side: int) -> None:
        self.number = side
        """The number of the side, 0 to ``degree`` - 1."""
        self.cells = cells
        """The n cells, as indices into the grid."""
        self.neighbours = drawn.grid.neighbours_of(cells, side)
        """The cells beyond the side, -1 where there is none."""
        self.has_neighbour = self.neighbours >= 0
        """True where a cell lies beyond the side."""
        self.neighbours_or_self = np.where(self.has_neighbour, self.neighbours, cells)
        """The cells beyond the side, to read values of; where there is none the cell itself."""
        self._opposite = drawn.grid.opposite(side)
        """The number of the same side, as the neighbours count."""
        self._drawn = drawn

    def crosses_from_here(self, plane: str) -> NDArray[np.bool_]:
        """Return where the route of a plane (its name) leaves the cell by this side, (n,)."""
        values = self._drawn.everywhere(plane)[self.cells]
        return has_side(values, self.number)

    def crosses_from_beyond(self, plane: str) -> NDArray[np.bool_]:
        """Return where the route of a plane (its name) leaves the neighbour by this side, (n,)."""
        values = self._drawn.everywhere(plane)[self.neighbours_or_self]
        return np.asarray(self.has_neighbour & has_side(values, self._opposite))

    @cached_property
    def flows_out(self) -> NDArray[np.bool_]:
        """True where water of the cell flows out over the side."""
        return has_side(self._flow[self.cells], self.number)

    @cached_property
    def flows_in(self) -> NDArray[np.bool_]:
        """True where water of the neighbour flows in over the side."""
        flow = self._flow[self.neighbours_or_self]
        return np.asarray(self.has_neighbour & has_side(flow, self._opposite))

    @property
    def only_flows_out(self) -> NDArray[np.bool_]:
        """True where water flows out, and not in as well."""
        return self.flows_out & ~self.flows_in

    @property
    def only_flows_in(self) -> NDArray[np.bool_]:
        """True where water flows in, and not out as well."""
        return self.flows_in & ~self.flows_out

    @property
    def _flow(self) -> Plane:
        """The directions of water in all cells of the map: bit masks of sides, shape (size,)."""
        return self._drawn.everywhere(self._drawn.system.flow)


def sides_of_cells(drawn: DrawnCells, cells: NDArray[np.intp]) -> Iterator[CellSide]:
    """Yield the sides of these cells (n,): first the side 0 of all of them, and so on."""
    for side in range(drawn.grid.degree):
        yield CellSide(drawn, cells, side)


_FACTOR_OF_LOWER = np.uint64(0x9E3779B97F4A7C15)
"""The odd number next to 2**64 divided by the golden ratio, which mixes bits well."""

_FACTOR_OF_HIGHER = np.uint64(0xC2B2AE3D27D4EB4F)
"""Another large odd number, a prime of the hash xxHash."""


def random_directions(cell_side: CellSide) -> NDArray[np.int64]:
    """Return at random a direction along each side, (n,): 1 for clockwise, -1 for anticlockwise.

    They are hashes of the pair of cells, and so the same in each frame. What is clockwise for one
    cell of a side is anticlockwise for the other, which therefore gets the other sign.
    """
    cells = cell_side.cells
    neighbours = cell_side.neighbours
    lower_cell = np.minimum(cells, neighbours).astype(np.uint64)
    higher_cell = np.maximum(cells, neighbours).astype(np.uint64)
    # With such large odd factors the highest bit depends on all bits of both numbers.
    hashes = lower_cell * _FACTOR_OF_LOWER + higher_cell * _FACTOR_OF_HIGHER
    is_clockwise_of_lower = (hashes >> np.uint64(63)) > 0
    is_clockwise = is_clockwise_of_lower ^ (cells > neighbours)
    return np.where(is_clockwise, 1, -1)
