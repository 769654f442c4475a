"""Routes that cross the same side of a cell run parallel there, at an offset from its middle.

A side is *shared* if the routes of two or more planes cross it. Along a run of sides that two
routes share they keep their order, so that they cross each other only where they meet or part.

All offsets of a cell are one number, its *parallel code*: ``BITS`` bits a side. The lower three
are the planes that share the side (0: not shared), the upper three the number of their order,
clockwise, in ``ORDERS``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.parallel_runs import Side, swapped_sides
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.routes import SIDES

PLANES = 3
"""The largest number of planes of routes."""

BITS = 2 * PLANES
"""The bits of a side in a parallel code: as many for its planes as for their order."""

ORDERS = tuple(permutations(range(PLANES)))
"""The orders in which planes can lie at a side, clockwise."""

STRIP_WIDTHS = {"water": 0.47, "road": 0.28, "track": 0.28, "rail": 0.26}
"""The width of the strip that a style of route gets on a shared side.

As a share of the distance from a cell's centre to a side. Three strips just fit on the side of a
hex, which is 1.15 long.
"""

GAP = 0.04
"""The distance between two strips, in the same unit."""

Pair = tuple[int, int]
"""Two planes, the lower one first."""


def has_shared_sides(battlemap: BattleMap) -> bool:
    """Return whether routes of two planes cross the same side of any cell of a map."""
    used_sides = np.zeros((battlemap.grid.height, battlemap.grid.width), np.uint8)
    for plane in {route.plane for route in battlemap.system.routes}:
        sides = battlemap.values(plane) & SIDES
        if (used_sides & sides).any():
            return True
        used_sides |= sides
    return False


def parallel_codes(
    grid: Grid,
    linked: Sequence[NDArray[np.bool_]],
    crossed: Mapping[Pair, NDArray[np.bool_]] | None = None,
) -> NDArray[np.int64]:
    """Return the parallel code of every cell, shape (size,).

    ``linked`` has for each plane the sides of the cells that its routes cross, shape (size,
    degree). ``crossed`` has for pairs of planes the cells, shape (size,), in which their routes are
    known to cross: if they do so at one of the two ends of a run, it is that one.
    """
    planes_at_sides = _planes_at_shared_sides(grid, linked)
    codes = np.zeros(grid.size, np.int64)
    if not planes_at_sides.any():
        return codes

    swapped_by_pair: dict[Pair, dict[Side, bool]] = {}
    for pair in combinations(range(len(linked)), 2):
        crossed_cells = None
        if crossed is not None:
            crossed_cells = crossed.get(pair)
        linked_of_pair = (linked[pair[0]], linked[pair[1]])
        swapped_by_pair[pair] = swapped_sides(grid, linked_of_pair, crossed_cells)

    for cell, side in np.argwhere(planes_at_sides).tolist():
        planes = int(planes_at_sides[cell, side])
        swapped_pairs = set[Pair]()
        for pair, swapped in swapped_by_pair.items():
            if swapped.get((cell, side)):
                swapped_pairs.add(pair)
        order = _order_of_planes(planes, swapped_pairs)
        codes[cell] |= (planes | ORDERS.index(order) << PLANES) << side * BITS
    return codes


def _planes_at_shared_sides(grid: Grid, linked: Sequence[NDArray[np.bool_]]) -> NDArray[np.int64]:
    """Return the planes that share each side, shape (size, degree): bit i for plane i.

    0 for a side that is not shared. A link that only the cell beyond the side has counts as well.
    """
    neighbours = grid.neighbour_table
    planes = np.zeros((grid.size, grid.degree), np.int64)
    for plane, linked_sides in enumerate(linked):
        for side in range(grid.degree):
            cells_beyond = neighbours[:, side]
            # At the map edge index -1 reads the last cell: ``& (... >= 0)`` drops that.
            comes_in = linked_sides[cells_beyond, grid.opposite(side)] & (cells_beyond >= 0)
            planes[:, side] |= (linked_sides[:, side] | comes_in).astype(np.int64) << plane
    # Without its lowest bit a single plane is 0: the side is not shared.
    has_single_plane = (planes & (planes - 1)) == 0
    planes[has_single_plane] = 0
    return planes


def _order_of_planes(planes: int, swapped_pairs: Collection[Pair]) -> tuple[int, ...]:
    """Return the planes that share a side in their order, clockwise, and then all others.

    ``planes`` are those that share it, as bits. Of two the lower one comes first, unless their pair
    is swapped. If the pairs contradict each other, so that 0 comes before 1, 1 before 2 and 2
    before 0, all planes are in the order of their numbers.
    """
    sharing = [plane for plane in range(PLANES) if planes >> plane & 1]
    not_sharing = [plane for plane in range(PLANES) if plane not in sharing]
    # How many planes come before each one: 0, 1 and 2 if the pairs agree.
    ranks = dict.fromkeys(sharing, 0)
    for pair in combinations(sharing, 2):
        lower_plane, higher_plane = pair
        if pair in swapped_pairs:
            ranks[lower_plane] += 1
        else:
            ranks[higher_plane] += 1
    if len(set(ranks.values())) == len(sharing):
        sharing.sort(key=ranks.__getitem__)
    return (*sharing, *not_sharing)


def offsets(code: int, plane: int, degree: int, styles: Sequence[str]) -> tuple[float, ...]:
    """Return how far clockwise of the middle of each side the routes of a plane cross it.

    In shares of the distance from the cell's centre to a side; 0.0 for sides that the plane does
    not share. ``code`` is the cell's parallel code, ``plane`` an index into ``styles``, the styles
    of all planes.
    """
    return tuple(_offset(code >> side * BITS, plane, styles) for side in range(degree))


def _offset(side_code: int, plane: int, styles: Sequence[str]) -> float:
    """Return the offset of a plane at one side, whose bits are the lowest ``BITS`` of the code."""
    number_of_order = side_code >> PLANES & (1 << PLANES) - 1
    planes = ORDERS[number_of_order]
    order = [sharing_plane for sharing_plane in planes if side_code >> sharing_plane & 1]
    if plane not in order:
        return 0.0
    # The strips lie side by side from -total / 2 to total / 2, and the plane in the middle of its.
    widths = [STRIP_WIDTHS[styles[sharing_plane]] + GAP for sharing_plane in order]
    position = order.index(plane)
    return sum(widths[:position]) + widths[position] / 2 - sum(widths) / 2
