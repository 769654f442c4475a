"""What fills cells side by side as one shape with a soft outline: hills, lakes, towns, a river.

Each cell has its part of the shape: it bulges inside the cell, and reaches over the sides beyond
which it goes on.
"""

from __future__ import annotations

import math
import random
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from randomizer.model.grid import Grid
    from randomizer.model.layouts import Layout

OVER = 0.03
"""Parts reach over a shared side by so much (of the way to the side): no seam shows there."""

VARIANTS = 4
"""So many outlines differ a little, so that no two hills side by side are twins."""


class Shape(NamedTuple):
    """How far a body reaches, and half how wide it is where it goes on: both as parts of the way
    from the centre to a side. ``rough`` is by how much the outline varies; ``straight`` banks do
    not bulge.
    """

    reach: float
    neck: float
    rough: float = 0.0
    straight: bool = False


class Part(NamedTuple):
    """What one cell has of a body: the area, and the outline (open where it goes on)."""

    area: QPainterPath
    outline: QPainterPath


def side_masks(grid: Grid, joined: NDArray[np.bool_]) -> NDArray[np.int64]:
    """For every cell which sides (bits 0 to degree) its body goes on across, and (the bits above)
    at which corners it leaves no hole; ``joined`` has shape (size, degree).
    """
    degree, table = grid.degree, grid.neighbour_table
    filled = joined & np.roll(joined, 1, axis=1)  # corner i lies between sides i - 1 and i
    if degree == 4:  # there a fourth cell meets at each corner
        for corner in range(degree):
            across = table[:, (corner - 1) % degree]
            beyond = np.where(across >= 0, joined[across, corner], True)
            filled[:, corner] &= beyond
    bits = np.concatenate([joined, filled], axis=1)
    return np.asarray(bits @ (1 << np.arange(2 * degree)), np.int64)


def going_on(grid: Grid, inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Beyond which sides of its cells (shape (size,)) a body goes on: shape (size, degree)."""
    table = grid.neighbour_table
    return np.asarray(inside[:, None] & (table >= 0) & inside[table])


def variants(grid: Grid) -> NDArray[np.int64]:
    """Which of the ``VARIANTS`` each cell has: shape (size,)."""
    places = np.arange(grid.size, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return np.asarray(places >> np.uint64(62), np.int64) % VARIANTS


def apothem(layout: Layout) -> float:
    """How far it is from a cell's centre to the middle of a side, in map units."""
    (q, r), ((qx, qy), (rx, ry)) = layout.steps[0], layout.basis
    return math.hypot(q * qx + r * rx, q * qy + r * ry) / 2


def side_middle(layout: Layout, side: int) -> QPointF:
    """The middle of a side around the cell's centre, in map units."""
    (ax, ay), (bx, by) = layout.corners[side], layout.corners[(side + 1) % layout.degree]
    return QPointF((ax + bx) / 2, (ay + by) / 2)


@lru_cache(1000)
def part(layout: Layout, shape: Shape, mask: int, variant: int = 0) -> Part:
    """A cell's part of a body around (0, 0), in map units; ``mask`` as ``side_masks`` has it."""
    degree = layout.degree
    joined = [side for side in range(degree) if mask >> side & 1]
    bulges = _bulges(layout, shape, variant)
    area, outline = QPainterPath(), QPainterPath()
    if not joined:
        _trace(outline, [*bulges, bulges[0]])
        return Part(outline, outline)
    for before, side in zip(joined, [*joined[1:], joined[0]], strict=True):
        between = (side - before - 1) % degree
        if not between and mask >> degree + side & 1:
            x, y = layout.corners[side]
            _go(area, QPointF(x, y) * (1 + OVER))
            continue
        # From where the outline comes in across one side to where it leaves across the next; of
        # the bulges only those between sides that stay closed.
        inner = [bulges[(2 * before + 3 + i) % (2 * degree)] for i in range(2 * between - 1)]
        points = [_neck(layout, shape, before)[1], *inner, _neck(layout, shape, side)[0]]
        out, on = side_middle(layout, before), side_middle(layout, side)
        outline.moveTo(points[0] + out * OVER)
        _go(area, points[0] + out * OVER)
        for path in (area, outline):
            path.lineTo(points[0])
            _trace(path, points, -out, on)
            path.lineTo(points[-1] + on * OVER)
    area.closeSubpath()
    return Part(area, outline)


def _go(path: QPainterPath, point: QPointF) -> None:
    if path.elementCount():
        path.lineTo(point)
    else:
        path.moveTo(point)


def _neck(layout: Layout, shape: Shape, side: int) -> tuple[QPointF, QPointF]:
    """Where the outline comes to a side beyond which the body goes on, and leaves it again."""
    (ax, ay), (bx, by) = layout.corners[side], layout.corners[(side + 1) % layout.degree]
    length = math.hypot(bx - ax, by - ay)
    half = min(shape.neck * apothem(layout), 0.48 * length)
    along = QPointF(bx - ax, by - ay) * (half / length)
    middle = side_middle(layout, side)
    return middle - along, middle + along


def _bulges(layout: Layout, shape: Shape, variant: int) -> list[QPointF]:
    """Points around the centre: towards corner 0, side 0, corner 1, side 1 ..."""
    rng = random.Random(variant)
    degree, far = layout.degree, apothem(layout)
    corner, side = (1.17, 1.0) if degree == 4 else (1.0, 1.155) if shape.straight else (1.06, 1.0)
    points = []
    for i in range(degree):
        x, y = layout.corners[i]
        for towards, reach in ((QPointF(x, y), corner), (side_middle(layout, i), side)):
            length = math.hypot(towards.x(), towards.y())
            reach *= shape.reach * (1 + rng.uniform(-shape.rough, shape.rough))
            points.append(towards * (reach * far / length))
    return points


def _trace(
    path: QPainterPath,
    points: Sequence[QPointF],
    start: QPointF | None = None,
    end: QPointF | None = None,
) -> None:
    """A smooth line through ``points``, beginning and ending in given directions.

    Without them the last point is the first and the line goes round.
    """
    if not path.elementCount():
        path.moveTo(points[0])
    ways = [after - before for before, after in zip(points, points[2:], strict=False)]
    turn = points[1] - points[-2]
    ways = [start or turn, *ways, end or turn]
    ways = [way / math.hypot(way.x(), way.y()) for way in ways]
    for i, there in enumerate(points[1:]):
        here = points[i]
        reach = 0.36 * math.hypot(there.x() - here.x(), there.y() - here.y())
        path.cubicTo(here + ways[i] * reach, there - ways[i + 1] * reach, there)
