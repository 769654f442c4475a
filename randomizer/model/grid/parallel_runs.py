"""The order of two routes along a run of sides that both of them cross.

Where a road goes along a river from cell to cell, both cross the same sides: a *run*. They are
drawn beside each other, and must keep their order along the whole run, so that they cross each
other at one end of it at most. ``order_at_shared_sides`` tells the order at each side; where the
two then cross follows from it (``crossing_cells``).

The idea: each run has just two possible orders, as the order at one side decides it at all others.
Both are tried, and the one with fewer crossings is taken.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid

Side = tuple[int, int]
"""A cell and the number of one of its sides."""

_CROSSING_COST = 2
"""The cost of a crossing in a cell where the routes are not known to cross."""

_KNOWN_CROSSING_COST = 1
"""The cost of a crossing in a cell where they are known to cross.

It is less, so that of the two ends of a run this one is chosen.
"""


def order_at_shared_sides(
    grid: Grid, linked: Sequence[NDArray[np.bool_]], crossed: NDArray[np.bool_] | None = None
) -> dict[Side, bool]:
    """Return the order of two routes at every side that both of them cross: True if swapped.

    At the upper side of this square cell, where clockwise is from left to right::

        False: 0 1      True: 1 0
              +----+         +----+
              | cell |       | cell |

    ``linked`` says of each of the two which sides of the cells it crosses, shape (size, degree).
    ``crossed`` says in which cells (size,) they are known to cross: if they can do so at one of the
    two ends of a run, it is that one.
    """
    routes = _RoutePair(grid, linked)
    swapped_by_side: dict[Side, bool] = {}
    for cell, side in np.argwhere(routes.shared).tolist():
        if (cell, side) in swapped_by_side:
            continue
        order = routes.order_of_run((cell, side))
        other_order = {run_side: not is_swapped for run_side, is_swapped in order.items()}
        if _cost(routes, other_order, crossed) < _cost(routes, order, crossed):
            order = other_order
        swapped_by_side |= order
    return swapped_by_side


def crossing_cells(
    grid: Grid, linked: Sequence[NDArray[np.bool_]], cells: Sequence[int]
) -> list[int]:
    """Return those of ``cells`` in which two routes cross.

    ``linked`` is as in ``order_at_shared_sides``.
    """
    swapped = order_at_shared_sides(grid, linked)
    routes = _RoutePair(grid, linked)
    return [cell for cell in cells if routes.cross_in(cell, swapped)]


def _cost(routes: _RoutePair, swapped: dict[Side, bool], crossed: NDArray[np.bool_] | None) -> int:
    """Return the cost of the crossings along a run in the order ``swapped``.

    ``crossed`` is as in ``order_at_shared_sides``.
    """
    cost = 0
    for cell in {cell for cell, _side in swapped}:
        if not routes.cross_in(cell, swapped):
            continue
        if crossed is not None and crossed[cell]:
            cost += _KNOWN_CROSSING_COST
        else:
            cost += _CROSSING_COST
    return cost


@dataclass(frozen=True, eq=False)
class _RoutePair:
    """Two routes on a grid. An *order* says of sides whether the routes are swapped there."""

    grid: Grid

    linked: Sequence[NDArray[np.bool_]]
    """For each of the two the sides of the cells that it crosses, shape (size, degree)."""

    @cached_property
    def shared(self) -> NDArray[np.bool_]:
        """The sides that both routes cross, seen from either cell: shape (size, degree)."""
        grid = self.grid
        shared = np.ones((grid.size, grid.degree), np.bool_)
        for side in range(grid.degree):
            cells_beyond = grid.neighbour_table[:, side]
            for linked_sides in self.linked:
                # At the map edge index -1 reads the last cell: ``& (... >= 0)`` drops that.
                comes_in = linked_sides[cells_beyond, grid.opposite(side)] & (cells_beyond >= 0)
                shared[:, side] &= linked_sides[:, side] | comes_in
        return shared

    def order_of_run(self, start: Side) -> dict[Side, bool]:
        """Return the order along the run of ``start`` in which the routes are not swapped there.

        A run is all shared sides that are connected with it, within cells and across sides. Each
        step reverses the order: of the two routes that go through a cell, the first one clockwise
        at the side where they come in is the last where they go out; and the cells on both sides of
        an edge see it from opposite directions. Where three shared sides meet in a cell, not all
        can be reversed to one another: the first way by which a side is reached decides.
        """
        order = {start: False}
        queue = deque([start])
        while queue:
            cell, side = queue.popleft()
            connected: list[Side] = []
            for next_side in range(self.grid.degree):
                if next_side != side and self.shared[cell, next_side]:
                    connected.append((cell, next_side))
            twin = self.grid.twin(cell, side)
            if twin is not None:
                connected.append(twin)
            for next_run_side in connected:
                if next_run_side not in order:
                    order[next_run_side] = not order[cell, side]
                    queue.append(next_run_side)
        return order

    def cross_in(self, cell: int, swapped: dict[Side, bool]) -> bool:
        """Return whether the routes cross in a cell, in the order ``swapped``.

        Going round the cell, the ends of routes 0 and 1 are met in the order 0 1 0 1 if they cross,
        and 0 0 1 1 if they do not: then the route changes only twice.
        """
        routes_of_ends: list[int] = []
        for side in range(self.grid.degree):
            routes_at_side = [route for route in (0, 1) if self.linked[route][cell, side]]
            if len(routes_at_side) == 2 and swapped.get((cell, side)):
                routes_at_side = [1, 0]
            routes_of_ends += routes_at_side
        next_routes = routes_of_ends[1:] + routes_of_ends[:1]
        pairs = zip(routes_of_ends, next_routes, strict=True)
        changes = sum(route != next_route for route, next_route in pairs)
        return changes > 2
