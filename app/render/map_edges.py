"""Where a map ends: the sides of its outermost cells, and the seam of a map that wraps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPolygonF

from app.appearance.painting import saved_state

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QColor

    from app.render.viewport import Viewport
    from randomizer.model.grid import Grid


def near_map_edge(grid: Grid, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which of ``cells`` (n,) may lie at the map's edge or seam: all that do, and perhaps more."""
    if grid.mask is not None:
        return np.ones(len(cells), np.bool_)
    ys, xs = np.divmod(cells, grid.width)
    ends = (ys == 0) | (ys == grid.height - 1)
    if grid.upright:
        left, _, right, _ = grid.bounds
        centres = grid.centres_of(cells)[:, 0]
        return np.asarray(ends | (centres - left < 2) | (right - centres < 2))
    return np.asarray(ends | (xs == 0) | (xs == grid.width - 1))


def map_edge_sides(
    grid: Grid, cells: NDArray[np.intp], side: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which of ``cells`` (n,) have the map's edge at ``side``, and which the seam."""
    others = grid.neighbours_of(cells, side)
    edge = others < 0
    if not grid.wrap:
        return edge, np.zeros(len(cells), np.bool_)
    away = grid.centres_of(np.maximum(others, 0))[:, 0] - grid.centres_of(cells)[:, 0]
    return edge, ~edge & (np.abs(away) > 3)


def paint_seam(
    painter: QPainter, grid: Grid, viewport: Viewport, ratio: float, colour: QColor
) -> None:
    """Draw a line along both sides of the seam; the painter's unit is a device pixel."""
    half = max(x for x, _ in grid.layout.corners)
    (left, _, right, _), rows = grid.bounds, (0, grid.height - 1)
    if grid.upright or grid.layout.shear != "oblique":
        ends = [[(x, grid.centre(row * grid.width)[1]) for row in rows] for x in (left, right)]
    else:
        ends = []
        for column, side in ((0, -half), (grid.width - 1, half)):
            centres = [grid.centre(row * grid.width + column) for row in rows]
            ends.append([(x + side, y) for x, y in centres])
    with saved_state(painter):
        # A slanting line with a pen depends on the painter's clip.
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for line in ends:
            first, last = (viewport.to_screen(x, y) * ratio for x, y in line)
            wide = QPointF(ratio, 0)
            painter.drawPolygon(QPolygonF([first - wide, first + wide, last + wide, last - wide]))
