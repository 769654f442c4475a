"""Areas that join over neighbouring cells to one shape with a soft outline: hills, lakes, towns.

Every cell has its part of the shape. It bulges inside the cell and reaches over the sides beyond
which the area goes on. All is in map units around the cell's centre.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath

from app.render.cell_geometry import apothem, side_ends, side_middle
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Layout

OVERLAP = 0.03
"""Parts reach over a shared side by this share of the way to it, so that no gap shows there."""

VARIANTS = 4
"""How many outlines there are of each part, so that neighbouring hills are not alike."""


class AreaShape(NamedTuple):
    """The form of an area; lengths are shares of the distance from a cell's centre to a side.

    ``reach`` is how far a part reaches within its cell, ``neck`` half its width where it crosses a
    side. ``rough`` is by how much the outline varies.
    """

    reach: float
    neck: float
    rough: float = 0.0


class AreaPart(NamedTuple):
    """A cell's part of an area: what is filled, and its outline, open where the area goes on."""

    fill: QPainterPath
    outline: QPainterPath


def joined_sides(grid: Grid, inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Beyond which sides of its cells an area goes on: shape (size, degree).

    ``inside`` (size,) are the cells of the area.
    """
    table = grid.neighbour_table
    return np.asarray(inside[:, None] & (table >= 0) & inside[table])


def join_masks(grid: Grid, joined: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return how the part of every cell joins others, as a bit mask, shape (size,).

    The bits 0 to degree - 1 are the sides beyond which the area goes on, as in ``joined`` (size,
    degree); the bits from degree on are the corners that it fills.
    """
    degree = grid.degree
    table = grid.neighbour_table
    filled = joined & np.roll(joined, 1, axis=1)  # corner i lies between sides i - 1 and i
    if degree == 4:  # four cells meet at a corner: the one across must join, too
        for corner in range(degree):
            across = table[:, (corner - 1) % degree]
            beyond = np.where(across >= 0, joined[across, corner], True)
            filled[:, corner] &= beyond
    bits = np.concatenate([joined, filled], axis=1)
    return np.asarray(bits @ (1 << np.arange(2 * degree)), np.int64)


def variants(grid: Grid) -> NDArray[np.int64]:
    """Return which of the ``VARIANTS`` each cell has: shape (size,)."""
    cells = np.arange(grid.size, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return np.asarray(cells >> np.uint64(62), np.int64) % VARIANTS


@registered(bytes_each=3 * KB)
@lru_cache(300)
def area_part(
    layout: Layout, shape: AreaShape, mask: int, variant: int = 0, overlap: float = OVERLAP
) -> AreaPart:
    """Return a cell's part of an area; ``mask`` is one of ``join_masks``."""
    degree = layout.degree
    joined = [side for side in range(degree) if mask >> side & 1]
    bulges = _bulges(layout, shape, variant)
    fill = QPainterPath()
    outline = QPainterPath()
    if not joined:
        _trace(outline, [*bulges, bulges[0]])
        return AreaPart(outline, outline)
    for previous, side in zip(joined, [*joined[1:], joined[0]], strict=True):
        between = (side - previous - 1) % degree
        if not between and mask >> degree + side & 1:
            x, y = layout.corners[side]
            _go(fill, QPointF(x, y) * (1 + overlap))
            continue
        # From where the outline comes in across one side to where it leaves across the next; of
        # the bulges only those between sides that are not crossed.
        inner = [bulges[(2 * previous + 3 + i) % (2 * degree)] for i in range(2 * between - 1)]
        points = [_neck(layout, shape, previous)[1], *inner, _neck(layout, shape, side)[0]]
        out = side_middle(layout, previous)
        on = side_middle(layout, side)
        outline.moveTo(points[0] + out * overlap)
        _go(fill, points[0] + out * overlap)
        for path in (fill, outline):
            path.lineTo(points[0])
            _trace(path, points, -out, on)
            path.lineTo(points[-1] + on * overlap)
    fill.closeSubpath()
    return AreaPart(fill, outline)


def _go(path: QPainterPath, point: QPointF) -> None:
    """Go on to a point, or begin there."""
    if path.elementCount():
        path.lineTo(point)
    else:
        path.moveTo(point)


def _neck(layout: Layout, shape: AreaShape, side: int) -> tuple[QPointF, QPointF]:
    """Return the two points at which the outline crosses a side, clockwise."""
    (ax, ay), (bx, by) = side_ends(layout, side)
    length = math.hypot(bx - ax, by - ay)
    half = min(shape.neck * apothem(layout), 0.48 * length)
    along = QPointF(bx - ax, by - ay) * (half / length)
    middle = side_middle(layout, side)
    return middle - along, middle + along


def _bulges(layout: Layout, shape: AreaShape, variant: int) -> list[QPointF]:
    """Points of the outline of a cell by itself: towards corner 0, side 0, corner 1, side 1 ..."""
    rng = random.Random(variant)
    degree = layout.degree
    far = apothem(layout)
    corner, side = (1.17, 1.0) if degree == 4 else (1.06, 1.0)
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
    """Add a smooth line through ``points`` that begins and ends in the given directions.

    Without directions the line is closed, and its last point is the first.
    """
    if not path.elementCount():
        path.moveTo(points[0])
    directions = [
        following - previous for previous, following in zip(points, points[2:], strict=False)
    ]
    turn = points[1] - points[-2]
    directions = [start or turn, *directions, end or turn]
    directions = [direction / math.hypot(direction.x(), direction.y()) for direction in directions]
    for i, corner in enumerate(points[1:]):
        start_point = points[i]
        reach = 0.36 * math.hypot(corner.x() - start_point.x(), corner.y() - start_point.y())
        path.cubicTo(
            start_point + directions[i] * reach, corner - directions[i + 1] * reach, corner
        )
