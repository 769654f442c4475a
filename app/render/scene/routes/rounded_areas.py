"""Areas that join over neighbouring cells to one shape with a soft outline: hills, lakes, towns.

Every cell draws its part of the shape by itself. The part bulges inside the cell, towards sides and
corners (*bulges*), and crosses the sides beyond which the area goes on, by a *neck*: both cells
beside a side have the same neck, so that their parts meet. All is in map units around the cell's
centre.

``joined_sides`` and ``join_masks`` tell for all cells which sides the area crosses; ``area_part``,
the hardest function, makes the shape of one cell. Styles of boards and tables draw these.
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

WIDEST_NECK = 0.48
"""A neck is at most so many lengths of its side to either hand of the middle: it ends before the
corners."""

HEX_CORNER_REACH = 1.06
"""How much farther outlines of hexes reach towards corners than towards sides."""

SQUARE_CORNER_REACH = 1.17
"""How much farther outlines of squares reach towards corners than towards sides."""

HANDLE = 0.36
"""The length of the handles of curves, as a share of the distance of their ends."""

HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)
"""2 ** 64 divided by the golden ratio: multiples of it are spread evenly (Fibonacci hashing)."""

VARIANT_SHIFT = np.uint64(62)
"""Of such a multiple only the highest two of 64 bits are used, as ``VARIANTS`` is 4."""


class AreaShape(NamedTuple):
    """The form of an area; lengths are shares of the distance from a cell's centre to a side."""

    reach: float
    """How far a part reaches within its cell."""

    neck: float
    """Half the width of a part where it crosses a side."""

    rough: float = 0.0
    """By which share of the reach the outline varies."""


class AreaPart(NamedTuple):
    """A cell's part of an area."""

    fill: QPainterPath
    """The area that is filled."""

    outline: QPainterPath
    """Its outline, open where the area goes on."""


def joined_sides(grid: Grid, inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return beyond which sides of its cells an area goes on: shape (size, degree).

    ``inside`` (size,) is True for the cells of the area.
    """
    table = grid.neighbour_table
    return np.asarray(inside[:, None] & (table >= 0) & inside[table])


def join_masks(grid: Grid, joined: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return how the part of every cell joins others, as a bit mask, shape (size,).

    The bits 0 to degree - 1 are the sides beyond which the area goes on, as in ``joined`` (size,
    degree); the bits from degree on are the corners that it fills. A square that joins over the
    sides 0 and 1, with the corner between them filled, has the mask 0b0010_0011.
    """
    degree = grid.degree
    table = grid.neighbour_table
    # Corner i lies between the sides i - 1 and i: it can be filled if both are joined.
    filled = joined & np.roll(joined, 1, axis=1)
    if degree == 4:  # four cells meet at a corner, and all of them must join
        for corner in range(degree):
            # The cell beyond the side before the corner must join the diagonal one, which lies
            # beyond its own side of the corner's number. (Where there is no cell nothing is
            # joined, and so nothing is filled.)
            beside = table[:, (corner - 1) % degree]
            filled[:, corner] &= (beside >= 0) & joined[beside, corner]
    bits = np.concatenate([joined, filled], axis=1)
    return np.asarray(bits @ (1 << np.arange(2 * degree)), np.int64)


def variants(grid: Grid) -> NDArray[np.int64]:
    """Return which of the ``VARIANTS`` each cell has: shape (size,).

    It follows from the number of the cell alone, so that a cell looks alike in every frame.
    """
    hashes = np.arange(grid.size, dtype=np.uint64) * HASH_FACTOR
    return np.asarray(hashes >> VARIANT_SHIFT, np.int64)


@registered(bytes_each=3 * KB)
@lru_cache(300)
def area_part(
    layout: Layout, shape: AreaShape, mask: int, variant: int = 0, overlap: float = OVERLAP
) -> AreaPart:
    """Return a cell's part of an area; ``mask`` is one of ``join_masks``.

    The idea: the outline is followed clockwise from each joined side to the next one. It comes in
    across the one side, runs along the bulges between, and leaves across the other
    (``_add_outline_between_necks``). Where both meet at a corner that the area fills there is no
    outline.
    """
    degree = layout.degree
    joined = [side for side in range(degree) if (mask >> side) & 1]
    bulges = _bulges(layout, shape, variant)
    fill = QPainterPath()
    outline = QPainterPath()
    if not joined:
        # A cell by itself: the outline is closed.
        _trace_closed(outline, bulges)
        return AreaPart(outline, outline)

    # With one joined side, the outline runs from it all around the cell back to it.
    for entry_side, exit_side in zip(joined, [*joined[1:], joined[0]], strict=True):
        sides_between = (exit_side - entry_side - 1) % degree
        corner = exit_side  # the corner before a side has its number
        fills_corner = bool((mask >> (degree + corner)) & 1)
        if sides_between == 0 and fills_corner:
            x, y = layout.corners[corner]
            _go_to(fill, QPointF(x, y) * (1 + overlap))
            continue
        # Of the bulges those from the middle of the first side that is not crossed to that of the
        # last one. Corner i is at 2 * i, the middle of side i at 2 * i + 1 (``_bulges``).
        first_bulge = 2 * entry_side + 3
        inner_bulges = []
        for index in range(first_bulge, first_bulge + 2 * sides_between - 1):
            inner_bulges.append(bulges[index % (2 * degree)])
        entry_neck = _neck(layout, shape, entry_side)
        exit_neck = _neck(layout, shape, exit_side)
        _add_outline_between_necks(fill, outline, entry_neck, exit_neck, inner_bulges, overlap)
    fill.closeSubpath()
    return AreaPart(fill, outline)


def _add_outline_between_necks(
    fill: QPainterPath,
    outline: QPainterPath,
    entry_neck: _Neck,
    exit_neck: _Neck,
    bulges: list[QPointF],
    overlap: float,
) -> None:
    """Add the outline between two necks to both paths, clockwise, by way of ``bulges``.

    It begins and ends beyond the sides by ``overlap``, a share of the way to them.
    """
    entry = entry_neck.enters_at
    exit_point = exit_neck.leaves_at
    before_entry = entry + entry_neck.side_middle * overlap
    outline.moveTo(before_entry)
    _go_to(fill, before_entry)
    for path in (fill, outline):
        path.lineTo(entry)
        # The outline crosses both sides at right angles, so that it goes on smoothly beyond them.
        start = -entry_neck.side_middle
        _trace(path, [entry, *bulges, exit_point], start, exit_neck.side_middle)
        path.lineTo(exit_point + exit_neck.side_middle * overlap)


def _go_to(path: QPainterPath, point: QPointF) -> None:
    """Go on to a point, or begin there."""
    if path.elementCount():
        path.lineTo(point)
    else:
        path.moveTo(point)


class _Neck(NamedTuple):
    """The crossing of a side by an area."""

    leaves_at: QPointF
    """The point at which the outline leaves the cell; clockwise, this is the first of the two."""

    enters_at: QPointF
    """The point at which the outline comes in."""

    side_middle: QPointF
    """The middle of the side; also the direction from the cell's centre across it."""


def _neck(layout: Layout, shape: AreaShape, side: int) -> _Neck:
    """Return where an area of this shape crosses a side."""
    (ax, ay), (bx, by) = side_ends(layout, side)
    length = math.hypot(bx - ax, by - ay)
    half_width = min(shape.neck * apothem(layout), WIDEST_NECK * length)
    along = QPointF(bx - ax, by - ay) * (half_width / length)
    middle = side_middle(layout, side)
    return _Neck(middle - along, middle + along, middle)


def _bulges(layout: Layout, shape: AreaShape, variant: int) -> list[QPointF]:
    """Return points of the outline of a cell by itself, two of each side.

    They lie towards corner 0, side 0, corner 1, side 1 ...
    """
    rng = random.Random(variant)
    to_side = apothem(layout)
    reach_to_corner = HEX_CORNER_REACH
    if layout.degree == 4:
        reach_to_corner = SQUARE_CORNER_REACH
    points = []
    for side in range(layout.degree):
        corner = QPointF(*layout.corners[side])
        for towards, share in ((corner, reach_to_corner), (side_middle(layout, side), 1.0)):
            length = math.hypot(towards.x(), towards.y())
            reach = share * shape.reach * (1 + rng.uniform(-shape.rough, shape.rough))
            points.append(towards * (reach * to_side / length))
    return points


def _trace_closed(path: QPainterPath, points: Sequence[QPointF]) -> None:
    """Add a smooth line through ``points`` and back to the first one to an empty path."""
    path.moveTo(points[0])
    # At each point the line has the direction from the point before to the one after it.
    direction = points[1] - points[-1]
    _trace(path, [*points, points[0]], direction, direction)


def _trace(path: QPainterPath, points: Sequence[QPointF], start: QPointF, end: QPointF) -> None:
    """Add a smooth line through ``points`` to a path that has come to the first of them.

    It begins in the direction ``start`` and ends in the direction ``end``.
    """
    # At each point the line has the direction from the point before to the one after it.
    directions = [start]
    for point_before, point_after in zip(points, points[2:], strict=False):
        directions.append(point_after - point_before)
    directions.append(end)
    directions = [direction / math.hypot(direction.x(), direction.y()) for direction in directions]
    for index, point in enumerate(points[1:]):
        start_point = points[index]
        step = point - start_point
        reach = HANDLE * math.hypot(step.x(), step.y())
        first_handle = start_point + directions[index] * reach
        last_handle = point - directions[index + 1] * reach
        path.cubicTo(first_handle, last_handle, point)
