"""Routes that cross the same side of a cell run parallel there, at an offset from its middle.

A side is *shared* if the routes of two or more planes cross it. Along a run of shared sides the
routes keep their order, so that they cross each other only where they meet or part.

All offsets of a cell are one number, its *parallel code*: ``BITS`` bits a side. The lower ones are
the planes that share the side (0: not shared), the highest one says that their order, clockwise, is
reversed.
"""

from __future__ import annotations

from collections import deque
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QPainterPath, QTransform

from randomizer.model.routes import SIDES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from randomizer.model.battlemap import BattleMap
    from randomizer.model.grid import Grid

BITS = 4
"""Bits a side in a parallel code: up to three planes, and their order."""

ROOM = {"water": 0.47, "road": 0.28, "track": 0.28, "rail": 0.26}
"""How wide a strip each style of route takes on a shared side, as a share of the distance from a
cell's centre to a side.
"""

GAP = 0.04
"""Between two strips, in the same unit."""

FINE = 200.0
"""Curves are scaled by this before Qt flattens them: it does so to about one unit."""

Side = tuple[int, int]
"""A cell and one of its sides."""


def side_by_side(battlemap: BattleMap) -> bool:
    """Whether any side of a map is shared."""
    seen = np.zeros((battlemap.grid.height, battlemap.grid.width), np.uint8)
    for plane in dict.fromkeys(route.plane for route in battlemap.system.routes):
        sides = battlemap.values(plane) & SIDES
        if (seen & sides).any():
            return True
        seen |= sides
    return False


def parallel_codes(grid: Grid, linked: Sequence[NDArray[np.bool_]]) -> NDArray[np.int64]:
    """The parallel code of every cell, shape (size,).

    ``linked`` says of each plane which sides of the cells its routes cross, shape (size, degree).
    """
    around = grid.neighbour_table
    masks = np.zeros((grid.size, grid.degree), np.int64)
    for bit, own in enumerate(linked):
        for side in range(grid.degree):
            answered = own[around[:, side], grid.opposite(side)] & (around[:, side] >= 0)
            masks[:, side] |= (own[:, side] | answered).astype(np.int64) << bit
    masks[(masks & (masks - 1)) == 0] = 0  # fewer than two
    found = np.zeros(grid.size, np.int64)
    if not masks.any():
        return found
    for (cell, side), reverse in _orders(grid, masks, linked).items():
        found[cell] |= (int(masks[cell, side]) | reverse << BITS - 1) << side * BITS
    return found


def _orders(
    grid: Grid, masks: NDArray[np.int64], linked: Sequence[NDArray[np.bool_]]
) -> dict[Side, bool]:
    """For every shared side whether the order of its planes is reversed, run by run.

    ``masks`` (size, degree) are the planes that share each side.
    """
    orders: dict[Side, bool] = {}
    for cell, side in np.argwhere(masks).tolist():
        if (cell, side) not in orders:
            run = _run(grid, masks, (cell, side))
            votes = sum(
                vote if not run[place] else -vote
                for place in run
                for vote in _votes(grid.degree, place, masks, linked)
            )
            orders |= {place: reverse != (votes < 0) for place, reverse in run.items()}
    return orders


def _run(grid: Grid, masks: NDArray[np.int64], start: Side) -> dict[Side, bool]:
    """All shared sides that are connected with ``start``, and whether each is reversed against it.

    The two sides at which parallel routes cross a cell are reversed against each other: the first
    of them clockwise on the way in is the last on the way out. So are the two cells' views of one
    side.
    """
    run, queue = {start: False}, deque([start])
    while queue:
        cell, side = place = queue.popleft()
        shared = masks[cell, side]
        nexts = [
            (cell, other)
            for other in range(grid.degree)
            if other != side and int(shared & masks[cell, other]).bit_count() > 1
        ]
        twin = grid.twin(cell, side)
        for following in (*nexts, *([] if twin is None else [(twin[0], twin[1])])):
            if following not in run:
                run[following] = not run[place]
                queue.append(following)
    return run


def _votes(
    degree: int, place: Side, masks: NDArray[np.int64], linked: Sequence[NDArray[np.bool_]]
) -> Iterator[int]:
    """How each two routes that share a side and cross in its cell should lie at that side.

    1: in the order of their planes, -1: reversed. Only those count that both leave the cell by a
    side that the other does not cross.
    """
    cell, side = place
    clockwise = [(side + turn) % degree for turn in range(1, degree)]
    for first, second in combinations(range(len(linked)), 2):
        if masks[cell, side] >> first & masks[cell, side] >> second & 1:
            here = linked[first][cell], linked[second][cell]
            only = [turn for turn in clockwise if here[0][turn] != here[1][turn]]
            if only and any(here[0][t] for t in only) and any(here[1][t] for t in only):
                yield 1 if here[0][only[0]] else -1


def offsets(code: int, plane: int, degree: int, styles: Sequence[str]) -> tuple[float, ...]:
    """How far clockwise of the middle of each side the routes of a plane cross it.

    In shares of the distance from the cell's centre to a side. ``code`` is the cell's parallel
    code, ``plane`` an index into ``styles``, the styles of all planes.
    """
    return tuple(_offset(code >> side * BITS, plane, styles) for side in range(degree))


def _offset(code: int, plane: int, styles: Sequence[str]) -> float:
    order = [other for other in range(len(styles)) if code >> other & 1]
    if plane not in order:
        return 0.0
    if code >> BITS - 1 & 1:
        order.reverse()
    rooms = [ROOM[styles[other]] + GAP for other in order]
    before = rooms[: order.index(plane)]
    return sum(before) + rooms[len(before)] / 2 - sum(rooms) / 2


def crossing_points(
    over: Sequence[QPainterPath], under: Sequence[QPainterPath]
) -> list[tuple[QPointF, float]]:
    """Where the lines of two routes cross, and the direction of the upper one there, in degrees.

    Clockwise from the right, since y runs down.
    """
    found: list[tuple[QPointF, float]] = []
    for one in _segments(over):
        for other in _segments(under):
            kind, point = one.intersects(other)
            if kind == QLineF.IntersectionType.BoundedIntersection and not any(
                QLineF(point, known).length() < FINE / 10 for known, _angle in found
            ):
                found.append((point, -one.angle()))
    return [(point / FINE, angle) for point, angle in found]


def _segments(paths: Sequence[QPainterPath]) -> list[QLineF]:
    """The paths, scaled by ``FINE``, as straight lines."""
    finer = QTransform.fromScale(FINE, FINE)
    return [
        QLineF(a, b)
        for path in paths
        for line in path.toSubpathPolygons(finer)
        for a, b in pairwise(line.toList())
    ]
