"""Routes that cross the same side of a cell run parallel there, at an offset from its middle.

Each kind of route has a plane of the map: on Cordery's tables 0 is the river, 1 the road, 2 the
railway. A side is *shared* if the routes of two or more planes cross it::

      +-----------+-----------+
      |           |           |       Both cells share this border: a road and, south of it, a
      | = = = = = | = = = = = |       railway cross it. Seen from the western cell that is its
      | # # # # # | # # # # # |       east side with the planes (1, 2), clockwise.
      +-----------+-----------+

Along a run of sides that two routes share they keep their order, so that they cross each other
only where they meet or part.

The orders at all sides of a cell are one number, its *parallel code*, so that cells that look the
same can be told by it. Each side has a hexadecimal digit, side 0 the lowest one: an index into
``ORDERS``, and 0 where the side is not shared::

    0x0060    side 1 is shared by the planes ORDERS[6] == (2, 1), no other side is
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.parallel_runs import Side, order_at_shared_sides
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.routes import SIDES

PLANES = 3
"""The largest number of planes of routes; with four there are more orders than a digit counts."""

ORDERS = ((), *permutations(range(PLANES), 2), *permutations(range(PLANES), 3))
"""The planes that can share a side, in the orders in which they can cross it, clockwise.

The first is that of a side that is not shared.
"""

_DIGIT_BITS = 4
"""The bits of a side in a parallel code, enough for the index of any of the 13 ``ORDERS``."""

_DIGIT_MASK = 0xF

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
    grid = battlemap.grid
    linked = []
    for plane in {route.plane for route in battlemap.system.routes}:
        sides = battlemap.values(plane).reshape(-1) & SIDES
        linked.append((sides[:, None] >> np.arange(grid.degree) & 1) > 0)
    return bool(_planes_at_shared_sides(grid, linked).any())


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
        swapped_by_pair[pair] = order_at_shared_sides(grid, linked_of_pair, crossed_cells)

    for cell, side in np.argwhere(planes_at_sides).tolist():
        swapped_pairs = set[Pair]()
        for pair, swapped in swapped_by_pair.items():
            if swapped.get((cell, side)):
                swapped_pairs.add(pair)
        order = _order_of_planes(int(planes_at_sides[cell, side]), swapped_pairs)
        codes[cell] |= _code_of_side(side, order)
    return codes


def offsets(code: int, plane: int, degree: int, styles: Sequence[str]) -> tuple[float, ...]:
    """Return how far clockwise of the middle of each side the routes of a plane cross it.

    In shares of the distance from the cell's centre to a side; 0.0 for sides that the plane does
    not share. ``code`` is the cell's parallel code, ``plane`` an index into ``styles``, the styles
    of all planes.
    """
    return tuple(_offset(_order_at_side(code, side), plane, styles) for side in range(degree))


def _code_of_side(side: int, order: tuple[int, ...]) -> int:
    """Return the parallel code of a cell that shares this side only, by planes in this order."""
    return ORDERS.index(order) << side * _DIGIT_BITS


def _order_at_side(code: int, side: int) -> tuple[int, ...]:
    """Return the planes that share a side, clockwise, of a parallel code; none if not shared."""
    return ORDERS[code >> side * _DIGIT_BITS & _DIGIT_MASK]


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
            crosses = linked_sides[:, side] | comes_in
            planes[:, side] |= crosses.astype(np.int64) << plane
    is_shared = np.bitwise_count(planes) >= 2
    return np.where(is_shared, planes, 0)


def _order_of_planes(planes: int, swapped_pairs: Collection[Pair]) -> tuple[int, ...]:
    """Return the planes that share a side in their order, clockwise.

    ``planes`` are those planes as bits. Of two the lower one comes first, unless their pair is
    swapped.
    """
    sharing = [plane for plane in range(PLANES) if planes >> plane & 1]
    # The rank of a plane is the number of planes that come before it.
    ranks = dict.fromkeys(sharing, 0)
    for pair in combinations(sharing, 2):
        lower_plane, higher_plane = pair
        if pair in swapped_pairs:
            ranks[lower_plane] += 1
        else:
            ranks[higher_plane] += 1
    # The pairs can contradict each other: 0 before 1, 1 before 2 and 2 before 0, so that all ranks
    # are 1. No order is right then, and that of the numbers is taken.
    pairs_agree = len(set(ranks.values())) == len(sharing)
    if pairs_agree:
        sharing.sort(key=ranks.__getitem__)
    return tuple(sharing)


def _offset(order: tuple[int, ...], plane: int, styles: Sequence[str]) -> float:
    """Return the offset of a plane at a side that the planes of ``order`` share."""
    if plane not in order:
        return 0.0
    # The strips lie side by side, clockwise, and together around the middle of the side:
    #
    #     -total / 2 [ strip of order[0] | strip of order[1] | strip of order[2] ] total / 2
    #
    # A route runs in the middle of its strip.
    widths = [STRIP_WIDTHS[styles[sharing_plane]] + GAP for sharing_plane in order]
    position = order.index(plane)
    start_of_strip = sum(widths[:position]) - sum(widths) / 2
    return start_of_strip + widths[position] / 2
