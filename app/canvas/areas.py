"""Areas of cells drawn over the map: filled with colours, or their outline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen, QPolygonF

from app.render.viewport import Viewport
from randomizer.geometry.shapes import Cells
from randomizer.model.grid.grid import Grid

MOST_FILLED = 3000
"""If more cells than these are in view, they are filled as an image of one pixel for each."""

LARGE = 20_000
"""For more cells only the outline in view is computed, and below ``AFAR`` they are tinted."""

AFAR = 5.0
"""Below this scale (hex radius in logical pixels) a large area is tinted."""

TINT = 0x6095AAFF
"""0xAARRGGBB."""


class CellArea:
    """``cells`` (ascending, shape (n,)) of a grid and cached geometry to draw them in any view."""

    def __init__(self, grid: Grid, cells: Cells) -> None:
        self.grid = grid
        self.cells = cells
        self._centres: NDArray[np.float64] | None = None
        self._lines: NDArray[np.float64] | None = None
        self._tint: tuple[QImage, QRectF, int] | None = None

    @property
    def centres(self) -> NDArray[np.float64]:
        """The middle of every cell, map units, shape (n, 2)."""
        if self._centres is None:
            self._centres = self.grid.centres_of(self.cells)
        return self._centres

    def box(self, viewport: Viewport) -> QRectF:
        """Return a box in logical pixels that holds the whole area; empty for no cells."""
        if not len(self.cells):
            return QRectF()
        if len(self.cells) > LARGE:
            left, top, right, bottom = self.grid.bounds
        else:
            (left, top) = self.centres.min(axis=0)
            (right, bottom) = self.centres.max(axis=0)
        corners = QRectF(viewport.to_screen(left, top), viewport.to_screen(right, bottom))
        reach = 1.2 * viewport.scale + 3
        return corners.adjusted(-reach, -reach, reach, reach)

    def fill(
        self, painter: QPainter, viewport: Viewport, dirty: QRectF, brushes: Sequence[QBrush]
    ) -> None:
        """Fill the cells in ``dirty``: each with its brush, or all with the only one.

        More than ``MOST_FILLED`` cells in view, or a large area seen from afar, are filled if all
        have one brush.
        """
        if not brushes or not len(self.cells):
            return
        (left, top), (right, bottom) = _map_box(viewport, dirty)
        large = len(self.cells) > LARGE
        if large and viewport.scale < AFAR:
            self._paint_tint(painter, viewport, brushes)
            return
        if large:
            seen = self.grid.cells_in(left - 1, top - 1, right + 1, bottom + 1)
            seen = seen[self._holds(seen)]
            shown = np.zeros(len(seen), np.intp)
            centres = self.grid.centres_of(seen)
        else:
            x, y = self.centres.T
            inside = (x > left - 1) & (x < right + 1) & (y > top - 1) & (y < bottom + 1)
            shown = np.flatnonzero(inside)
            centres = self.centres[shown]
        if len(shown) > MOST_FILLED:
            self._paint_tint(painter, viewport, brushes)
            return
        cell = QPolygonF([QPointF(*corner) * viewport.scale for corner in self.grid.layout.corners])
        for index, (at_x, at_y) in zip(shown.tolist(), centres.tolist(), strict=True):
            painter.setBrush(brushes[index if len(brushes) > 1 else 0])
            painter.drawPolygon(cell.translated(viewport.to_screen(at_x, at_y)))

    def outline(
        self,
        painter: QPainter,
        viewport: Viewport,
        dirty: QRectF,
        pens: Sequence[QPen],
        *,
        tinted: bool = True,
    ) -> None:
        """Draw the outline in ``dirty`` with one pen after the other.

        Of a large area seen from afar no outline is drawn: it is tinted if ``tinted``.
        """
        (left, top), (right, bottom) = _map_box(viewport, dirty)
        if len(self.cells) > LARGE:
            if viewport.scale < AFAR:
                if tinted:
                    self._paint_tint(painter, viewport, [QBrush(QColor.fromRgba(TINT))])
                return
            seen = self.grid.cells_in(left - 2, top - 2, right + 2, bottom + 2)
            lines = outline_of(self.grid, seen[self._holds(seen)], self._holds)
        else:
            if self._lines is None:
                self._lines = outline_of(self.grid, self.cells, self._holds)
            x = self._lines[:, 0]
            y = self._lines[:, 1]
            shown = (x > left - 2) & (x < right + 2) & (y > top - 2) & (y < bottom + 2)
            lines = self._lines[shown]
        if not len(lines):
            return
        lines = np.ascontiguousarray(
            lines * viewport.scale + (viewport.dx, viewport.dy, viewport.dx, viewport.dy)
        )
        first = cast(QLineF, shiboken6.wrapInstance(lines.ctypes.data, QLineF))
        for pen in pens:
            painter.setPen(pen)
            painter.drawLines(first, len(lines))

    def _holds(self, cells: Cells) -> NDArray[np.bool_]:
        """Return which of ``cells`` belong to the area; booleans of their shape."""
        at = np.searchsorted(self.cells, cells).clip(max=len(self.cells) - 1)
        return np.asarray(self.cells[at] == cells)

    def _paint_tint(self, painter: QPainter, viewport: Viewport, brushes: Sequence[QBrush]) -> None:
        """Draw an image of one pixel for each cell, stretched over the map; with one brush only."""
        if len(brushes) > 1:
            return
        colour = _premultiplied(brushes[0].color())
        if self._tint is None or self._tint[2] != colour:
            grid = self.grid
            (qx, qy), (rx, ry) = grid.layout.basis
            if grid.layout.shear == "oblique":
                first = self.centres.min(axis=0)
                place = np.floor((self.centres - first) / (qx, ry) + 0.25).astype(np.intp)
                width, height = (place.max(axis=0) + 1).tolist()
                pixels = np.zeros((height, width), np.uint32)
                pixels[place[:, 1], place[:, 0]] = colour
                left, top = first.tolist()
            else:  # every second column or row lies half a cell farther on
                width = grid.width
                height = grid.height
                pixels = np.zeros((height, width), np.uint32)
                pixels.reshape(-1)[self.cells] = colour
                left = rx / 2
                top = qy / 2
            form = QImage.Format.Format_ARGB32_Premultiplied
            image = QImage(pixels.data, width, height, 4 * width, form).copy()
            box = QRectF(left - qx / 2, top - ry / 2, width * qx, height * ry)
            self._tint = (image, box, colour)
        image, box, _ = self._tint
        at = viewport.to_screen(box.left(), box.top())
        painter.drawImage(QRectF(at, box.size() * viewport.scale), image)


def outline_of(
    grid: Grid, cells: Cells, holds: Callable[[Cells], NDArray[np.bool_]]
) -> NDArray[np.float64]:
    """Return the sides of ``cells`` that lead to a cell which the area does not hold.

    Lines (x1, y1, x2, y2) in map units, shape (n, 4).
    """
    corners = np.array(grid.layout.corners)
    result = []
    for side in range(grid.degree):
        centres = grid.centres_of(cells[~holds(grid.neighbours_of(cells, side))])
        ends = (centres + corners[side], centres + corners[(side + 1) % grid.degree])
        result.append(np.concatenate(ends, axis=1))
    return np.concatenate(result)


def _premultiplied(colour: QColor) -> int:
    """0xAARRGGBB, the colours times the opacity, as images have them."""
    shown = [colour.red(), colour.green(), colour.blue()]
    return int.from_bytes([colour.alpha(), *(round(part * colour.alphaF()) for part in shown)])


def _map_box(viewport: Viewport, dirty: QRectF) -> tuple[tuple[float, float], tuple[float, float]]:
    return viewport.to_map(dirty.topLeft()), viewport.to_map(dirty.bottomRight())
