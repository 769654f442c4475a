"""Areas of cells as they are drawn over the map: filled with colours, and their outline."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QPolygonF

from randomizer.shapes import Cells, border

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QBrush, QPainter, QPen

    from app.drawing.view import View
    from randomizer.grid import Grid

MOST_FILLED = 3000
"""Of a larger area in view only the outline is drawn."""

MOST_LINES = 40_000
"""An outline of more sides in view is thinned: they lie closer than pixels then."""


class CellArea:
    """An area on one grid, ready to be drawn at any place and scale."""

    def __init__(self, grid: Grid, cells: Cells) -> None:
        self.grid = grid
        self.cells = cells
        self._centres: NDArray[np.float64] | None = None
        self._lines: NDArray[np.float64] | None = None

    @property
    def centres(self) -> NDArray[np.float64]:
        """The middle of every cell, map units, shape (n, 2)."""
        if self._centres is None:
            self._centres = self.grid.centres_of(self.cells)
        return self._centres

    def box(self, view: View) -> QRectF:
        """What the area covers, in logical pixels; empty for no cells."""
        if not len(self.cells):
            return QRectF()
        (left, top), (right, bottom) = self.centres.min(axis=0), self.centres.max(axis=0)
        corners = QRectF(view.to_screen(left, top), view.to_screen(right, bottom))
        reach = 1.2 * view.scale + 3
        return corners.adjusted(-reach, -reach, reach, reach)

    def fill(
        self, painter: QPainter, view: View, dirty: QRectF, brushes: Sequence[QBrush | QColor]
    ) -> None:
        """Fill every cell in ``dirty`` with its brush, or all with the only one."""
        if not brushes:
            return
        (left, top), (right, bottom) = _map_box(view, dirty)
        x, y = self.centres.T
        shown = np.flatnonzero((x > left - 1) & (x < right + 1) & (y > top - 1) & (y < bottom + 1))
        if len(shown) > MOST_FILLED:
            return
        cell = QPolygonF([QPointF(*corner) * view.scale for corner in self.grid.layout.corners])
        for index, (at_x, at_y) in zip(shown.tolist(), self.centres[shown].tolist(), strict=True):
            painter.setBrush(brushes[index if len(brushes) > 1 else 0])
            painter.drawPolygon(cell.translated(view.to_screen(at_x, at_y)))

    def outline(self, painter: QPainter, view: View, dirty: QRectF, pens: Sequence[QPen]) -> None:
        """Draw the outline in ``dirty`` with one pen after the other."""
        if self._lines is None:
            self._lines = outline_of(self.grid, self.cells)
        (left, top), (right, bottom) = _map_box(view, dirty)
        x, y = self._lines[:, 0], self._lines[:, 1]
        shown = (x > left - 2) & (x < right + 2) & (y > top - 2) & (y < bottom + 2)
        lines = self._lines[shown]
        lines = lines[:: 1 + len(lines) // MOST_LINES]
        if not len(lines):
            return
        lines = np.ascontiguousarray(lines * view.scale + (view.dx, view.dy, view.dx, view.dy))
        first = cast(QLineF, shiboken6.wrapInstance(lines.ctypes.data, QLineF))
        for pen in pens:
            painter.setPen(pen)
            painter.drawLines(first, len(lines))


def outline_of(grid: Grid, cells: Cells) -> NDArray[np.float64]:
    """The sides around an area as lines (x1, y1, x2, y2) in map units, shape (n, 4)."""
    if len(cells) * 8 > grid.size:
        pairs = border(grid, cells)
    else:
        found = []
        for side in range(grid.degree):
            across = grid.neighbours_of(cells, side)
            at = np.searchsorted(cells, across).clip(max=len(cells) - 1)
            out = cells[cells[at] != across]
            found.append(np.stack([out, np.full_like(out, side)], axis=1))
        pairs = np.concatenate(found)
    centres = grid.centres_of(pairs[:, 0])
    corners = np.array(grid.layout.corners)
    start, end = corners[pairs[:, 1]], corners[(pairs[:, 1] + 1) % grid.degree]
    return np.concatenate([centres + start, centres + end], axis=1)


def _map_box(view: View, dirty: QRectF) -> tuple[tuple[float, float], tuple[float, float]]:
    return view.to_map(dirty.topLeft()), view.to_map(dirty.bottomRight())
