"""Lanes: routes that leave an area by the same side lie beside each other there.

Along a run of shared sides they keep their order, so that they cross only where they come together
or part. A cell's lanes are one number: for every side its ``BITS`` say which planes share it (none
if fewer than two do) and whether they lie there in reverse, clockwise.
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
"""For up to three planes, and their order."""

ROOM = {"water": 0.47, "road": 0.28, "track": 0.28, "rail": 0.26}
"""How wide a lane each look takes, as a part of the way from a cell's centre to a side."""

GAP = 0.04
FINE = 200.0
"""Qt breaks curves into lines as fine as pixels: so many to a map unit."""

Side = tuple[int, int]
"""A cell and one of its sides."""


def side_by_side(battlemap: BattleMap) -> bool:
    """Whether two routes of a map leave a cell by the same side."""
    seen = np.zeros((battlemap.grid.height, battlemap.grid.width), np.uint8)
    for plane in dict.fromkeys(route.plane for route in battlemap.system.routes):
        sides = battlemap.values(plane) & SIDES
        if (seen & sides).any():
            return True
        seen |= sides
    return False


def lanes(grid: Grid, linked: Sequence[NDArray[np.bool_]]) -> NDArray[np.int64]:
    """The lanes of every cell, shape (size,); ``linked`` says of each plane by which sides its
    routes leave the cells, (size, degree)."""
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
    """Which shared sides have their lanes in reverse, run by run."""
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
    """All sides that are shared on from one of them; reverse by turns, for clockwise round a cell
    those that come in last go out first."""
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
    """1 for every two routes that cross in the cell if their lanes are in order at a side, -1 for
    those that do if they are in reverse: where they part they do cross, for so the table says."""
    cell, side = place
    clockwise = [(side + turn) % degree for turn in range(1, degree)]
    for first, second in combinations(range(len(linked)), 2):
        if masks[cell, side] >> first & masks[cell, side] >> second & 1:
            here = linked[first][cell], linked[second][cell]
            only = [turn for turn in clockwise if here[0][turn] != here[1][turn]]
            if only and any(here[0][t] for t in only) and any(here[1][t] for t in only):
                yield 1 if here[0][only[0]] else -1


def offsets(code: int, plane: int, degree: int, looks: Sequence[str]) -> tuple[float, ...]:
    """How far clockwise of the middle of each side the routes of a plane cross it.

    As a part of the way from the centre to a side; ``looks`` are those of all planes.
    """
    return tuple(_offset(code >> side * BITS, plane, looks) for side in range(degree))


def _offset(code: int, plane: int, looks: Sequence[str]) -> float:
    order = [other for other in range(len(looks)) if code >> other & 1]
    if plane not in order:
        return 0.0
    if code >> BITS - 1 & 1:
        order.reverse()
    rooms = [ROOM[looks[other]] + GAP for other in order]
    before = rooms[: order.index(plane)]
    return sum(before) + rooms[len(before)] / 2 - sum(rooms) / 2


def crossing_points(
    over: Sequence[QPainterPath], under: Sequence[QPainterPath]
) -> list[tuple[QPointF, float]]:
    """Where the lines of two routes cross, and where the upper one heads there (degrees)."""
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
    finer = QTransform.fromScale(FINE, FINE)
    return [
        QLineF(a, b)
        for path in paths
        for line in path.toSubpathPolygons(finer)
        for a, b in pairwise(line.toList())
    ]
