"""The shape of a cell and its sides around the cell's centre, in map units (y runs down).

Whatever draws cells asks here, as for the box around all of a map (``map_box``).
"""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPolygonF

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Layout

STANDING_REACH = 2.0
"""How far a picture in a landscape that spans cells may reach over the edge of its first cell."""

SIDE_REACH = 0.24
"""How far the picture of a hexside may reach over its edge into the other cell, in map units."""


def cell_box(layout: Layout, margin: float = 0.0) -> QRectF:
    """Return the bounding box of a cell, grown by ``margin`` on every side."""
    xs = [x for x, _ in layout.corners]
    ys = [y for _, y in layout.corners]
    return QRectF(QPointF(min(xs), min(ys)), QPointF(max(xs), max(ys))).adjusted(
        -margin, -margin, margin, margin
    )


def map_box(grid: Grid) -> QRectF:
    """Return the box around all cells of a grid (``Grid.bounds``)."""
    left, top, right, bottom = grid.bounds
    return QRectF(QPointF(left, top), QPointF(right, bottom))


def cell_outline(layout: Layout, size: float = 1.0) -> QPolygonF:
    """Return the corners of a cell, scaled by ``size``."""
    return QPolygonF([QPointF(x * size, y * size) for x, y in layout.corners])


def apothem(layout: Layout) -> float:
    """Return the distance from a cell's centre to the middle of a side."""
    (q, r) = layout.steps[0]
    ((qx, qy), (rx, ry)) = layout.basis
    return math.hypot(q * qx + r * rx, q * qy + r * ry) / 2


def side_ends(layout: Layout, side: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the corners between which a side runs, clockwise."""
    return layout.corners[side], layout.corners[(side + 1) % layout.degree]


def side_middle(layout: Layout, side: int) -> QPointF:
    """Return the middle of a side."""
    (ax, ay), (bx, by) = side_ends(layout, side)
    return QPointF((ax + bx) / 2, (ay + by) / 2)


def neighbour_centres(layout: Layout) -> list[tuple[float, float]]:
    """Return the centres of the neighbours beyond the sides; of squares beyond the corners, too.

    Corner i lies between the sides i - 1 and i.
    """
    (qx, qy), (rx, ry) = layout.basis
    steps = list(layout.steps)
    if layout.degree == 4:
        steps += [(steps[i - 1][0] + q, steps[i - 1][1] + r) for i, (q, r) in enumerate(steps)]
    return [(q * qx + r * rx, q * qy + r * ry) for q, r in steps]
