"""Routes that cross the same side of a cell run parallel there, at an offset from its middle.

A side is *shared* if the routes of two or more planes cross it. Along a run of sides that two
routes share they keep their order, so that they cross each other only where they meet or part.

All offsets of a cell are one number, its *parallel code*: ``BITS`` bits a side. The lower three
are the planes that share the side (0: not shared), the upper three the number of their order,
clockwise, in ``ORDERS``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.parallel_runs import Side, swapped_sides
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.routes import SIDES

PLANES = 3
"""The most planes of routes."""

BITS = 2 * PLANES
"""Bits a side in a parallel code: the planes that share it, and their order."""

ORDERS = tuple(permutations(range(PLANES)))
"""The orders in which planes can lie at a side."""

ROOM = {"water": 0.47, "road": 0.28, "track": 0.28, "rail": 0.26}
"""How wide a strip each style of route takes on a shared side, as a share of the distance from a
cell's centre to a side.
"""

GAP = 0.04
"""Between two strips, in the same unit."""

Pair = tuple[int, int]
"""Two planes, the lower one first."""


def side_by_side(battlemap: BattleMap) -> bool:
    """Return whether any side of a map is shared."""
    seen = np.zeros((battlemap.grid.height, battlemap.grid.width), np.uint8)
    for plane in dict.fromkeys(route.plane for route in battlemap.system.routes):
        sides = battlemap.values(plane) & SIDES
        if (seen & sides).any():
            return True
        seen |= sides
    return False


def parallel_codes(
    grid: Grid,
    linked: Sequence[NDArray[np.bool_]],
    crossed: Mapping[Pair, NDArray[np.bool_]] | None = None,
) -> NDArray[np.int64]:
    """Return the parallel code of every cell, shape (size,).

    ``linked`` says of each plane which sides of the cells its routes cross, shape (size, degree).
    ``crossed`` says in which cells (size,) routes of two planes are known to cross: if they do so
    at one of the two ends of a run, it is that one.
    """
    neighbours = grid.neighbour_table
    masks = np.zeros((grid.size, grid.degree), np.int64)
    for bit, linked_sides in enumerate(linked):
        for side in range(grid.degree):
            answered = linked_sides[neighbours[:, side], grid.opposite(side)] & (
                neighbours[:, side] >= 0
            )
            masks[:, side] |= (linked_sides[:, side] | answered).astype(np.int64) << bit
    masks[(masks & (masks - 1)) == 0] = 0  # fewer than two
    result = np.zeros(grid.size, np.int64)
    if not masks.any():
        return result
    swapped: dict[Pair, dict[Side, bool]] = {}
    for pair in combinations(range(len(linked)), 2):
        both = linked[pair[0]], linked[pair[1]]
        swapped[pair] = swapped_sides(grid, both, (crossed or {}).get(pair))
    for cell, side in np.argwhere(masks).tolist():
        planes = int(masks[cell, side])
        order = _order(
            planes, {pair: numbers.get((cell, side)) for pair, numbers in swapped.items()}
        )
        result[cell] |= (planes | ORDERS.index(order) << PLANES) << side * BITS
    return result


def _order(planes: int, swapped: Mapping[Pair, bool | None]) -> tuple[int, ...]:
    """Return the order, clockwise, of the planes (bits) that share a side, those that do not at
    the end.

    ``swapped`` says which two lie against the order of their planes. Where the pairs contradict
    each other, all lie in that order.
    """
    shared = [plane for plane in range(PLANES) if planes >> plane & 1]
    ranks = {
        plane: sum(
            (next_plane < plane)
            != bool(swapped.get((min(plane, next_plane), max(plane, next_plane))))
            for next_plane in shared
            if next_plane != plane
        )
        for plane in shared
    }
    if len(set(ranks.values())) == len(shared):
        shared.sort(key=ranks.__getitem__)
    return (*shared, *(plane for plane in range(PLANES) if plane not in shared))


def offsets(code: int, plane: int, degree: int, styles: Sequence[str]) -> tuple[float, ...]:
    """Return how far clockwise of the middle of each side the routes of a plane cross it.

    In shares of the distance from the cell's centre to a side. ``code`` is the cell's parallel
    code, ``plane`` an index into ``styles``, the styles of all planes.
    """
    return tuple(_offset(code >> side * BITS, plane, styles) for side in range(degree))


def _offset(code: int, plane: int, styles: Sequence[str]) -> float:
    order = [other for other in ORDERS[code >> PLANES & (1 << PLANES) - 1] if code >> other & 1]
    if plane not in order:
        return 0.0
    rooms = [ROOM[styles[other]] + GAP for other in order]
    before = rooms[: order.index(plane)]
    return sum(before) + rooms[len(before)] / 2 - sum(rooms) / 2
