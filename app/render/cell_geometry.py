"""The shape of a cell and its sides around the cell's centre, in map units (y runs down).

Whatever draws cells asks here, as for the box around all of a map (``map_box``). Side i of a cell
runs from corner i to the next one, clockwise.
"""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPolygonF

from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Layout

STANDING_REACH = 2.0
"""How far a picture of a landscape that is larger than a cell may reach beyond the edge of the cell
that it belongs to, in map units."""

SIDE_REACH = 0.24
"""How far the picture of a hexside may reach over its edge into the other cell, in map units."""


def cell_box(layout: Layout, margin: float = 0.0) -> QRectF:
    """Return the bounding box of a cell, grown by ``margin`` on every side."""
    return _outline_box(layout).adjusted(-margin, -margin, margin, margin)


@registered(count=6, bytes_each=KB)
@cache
def _outline_box(layout: Layout) -> QRectF:
    """Return the bounding box of a cell; callers must copy it before they change it."""
    return cell_outline(layout).boundingRect()


def map_box(grid: Grid) -> QRectF:
    """Return the box around all cells of a grid (``Grid.bounds``)."""
    left, top, right, bottom = grid.bounds
    return QRectF(QPointF(left, top), QPointF(right, bottom))


def cell_outline(layout: Layout, size: float = 1.0) -> QPolygonF:
    """Return the corners of a cell that is drawn ``size`` times as large."""
    return QPolygonF([QPointF(x * size, y * size) for x, y in layout.corners])


def apothem(layout: Layout) -> float:
    """Return the distance from a cell's centre to the middle of a side."""
    return layout.neighbour_distance / 2


def side_ends(layout: Layout, side: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the corners between which a side runs, clockwise."""
    return layout.corners[side], layout.corners[(side + 1) % layout.degree]


def side_middle(layout: Layout, side: int) -> QPointF:
    """Return the middle of a side."""
    (start_x, start_y), (end_x, end_y) = side_ends(layout, side)
    return QPointF((start_x + end_x) / 2, (start_y + end_y) / 2)


def neighbour_centres(layout: Layout) -> list[tuple[float, float]]:
    """Return the centres of the neighbours beyond the sides; of squares beyond the corners, too.

    They are in the order of the sides, then of the corners: corner i lies between the sides i - 1
    and i.
    """
    steps = list(layout.steps)
    if layout.degree == 4:  # squares
        for corner, (q, r) in enumerate(layout.steps):
            previous_q, previous_r = layout.steps[corner - 1]
            steps.append((previous_q + q, previous_r + r))
    return [layout.point(q, r) for q, r in steps]
