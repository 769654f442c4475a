"""Areas of cells drawn over the map: filled with colours, or their outline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen, QPolygonF

from app.render.viewport import Viewport
from randomizer.geometry.shapes import Cells
from randomizer.model.grid.grid import Grid

MOST_FILLED = 3000
"""If more cells than these are in view, they are filled as an image of one pixel for each.

With more of them a drag over a large selection is not smooth: each is a polygon.
"""

LARGE = 20_000
"""For more cells only the outline in view is computed, and below ``AFAR`` they are tinted.

If it is larger, the first frame with such an area comes later.
"""

AFAR = 5.0
"""Below this scale (hex radius in logical pixels) a large area is tinted.

Below it an outline would be hardly wider than a cell.
"""

TINT = 0x6095AAFF
"""The colour of an area that is tinted instead of outlined, as 0xAARRGGBB."""


class CellArea:
    """Cells of a grid, and cached geometry to draw them in any view.

    It does not change: another selection or preview gets another one.
    """

    def __init__(self, grid: Grid, cells: Cells) -> None:
        self.grid = grid
        self.cells = cells
        """Ascending, shape (n,)."""
        self._centres: NDArray[np.float64] | None = None
        self._lines: NDArray[np.float64] | None = None
        """The whole outline (``outline_of``) of a small area."""
        self._tint: _Tint | None = None
        """The image that was drawn last."""

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
        """Fill the cells in ``dirty`` (logical pixels) with the only brush, or each with its own.

        There is one brush, or one for each cell. More than ``MOST_FILLED`` cells in view, or a
        large area seen from afar, are filled only if all have one brush.
        """
        if not brushes or not len(self.cells):
            return
        if len(self.cells) > LARGE and viewport.scale < AFAR:
            self._paint_tint(painter, viewport, brushes)
            return
        positions, centres = self._cells_in_view(viewport, dirty)
        if len(positions) > MOST_FILLED:
            self._paint_tint(painter, viewport, brushes)
            return
        corners = self.grid.layout.corners
        cell_shape = QPolygonF([QPointF(*corner) * viewport.scale for corner in corners])
        painter.setBrush(brushes[0])
        for position, (x, y) in zip(positions.tolist(), centres.tolist(), strict=True):
            if len(brushes) > 1:
                painter.setBrush(brushes[position])
            painter.drawPolygon(cell_shape.translated(viewport.to_screen(x, y)))

    def _cells_in_view(
        self, viewport: Viewport, dirty: QRectF
    ) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return which of the cells (their positions in ``cells``) are in ``dirty``, and centres.

        Cells within one map unit around it are taken along: they reach into it.
        """
        (left, top), (right, bottom) = _map_box(viewport, dirty)
        if len(self.cells) > LARGE:
            # The centres of all cells are not computed only to look at those in view.
            in_view = self.grid.cells_in(left - 1, top - 1, right + 1, bottom + 1)
            in_view = in_view[self._holds(in_view)]
            return np.searchsorted(self.cells, in_view), self.grid.centres_of(in_view)
        x, y = self.centres.T
        is_in_view = (x > left - 1) & (x < right + 1) & (y > top - 1) & (y < bottom + 1)
        positions = np.flatnonzero(is_in_view)
        return positions, self.centres[positions]

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
            in_view = self.grid.cells_in(left - 2, top - 2, right + 2, bottom + 2)
            lines = outline_of(self.grid, in_view[self._holds(in_view)], self._holds)
        else:
            if self._lines is None:
                self._lines = outline_of(self.grid, self.cells, self._holds)
            x = self._lines[:, 0]
            y = self._lines[:, 1]
            is_in_view = (x > left - 2) & (x < right + 2) & (y > top - 2) & (y < bottom + 2)
            lines = self._lines[is_in_view]
        if not len(lines):
            return
        lines = np.ascontiguousarray(
            lines * viewport.scale + (viewport.dx, viewport.dy, viewport.dx, viewport.dy)
        )
        # A QLineF is four doubles, as a row of the array is. So the array itself is given to Qt,
        # as pyqtgraph does, instead of a hundred thousand Python objects.
        first_line = cast(QLineF, shiboken6.wrapInstance(lines.ctypes.data, QLineF))
        for pen in pens:
            painter.setPen(pen)
            painter.drawLines(first_line, len(lines))

    def _holds(self, cells: Cells) -> NDArray[np.bool_]:
        """Return which of ``cells`` belong to the area; booleans of their shape."""
        positions = np.searchsorted(self.cells, cells).clip(max=len(self.cells) - 1)
        return np.asarray(self.cells[positions] == cells)

    def _paint_tint(self, painter: QPainter, viewport: Viewport, brushes: Sequence[QBrush]) -> None:
        """Draw an image of one pixel for each cell, stretched over the map; with one brush only."""
        if len(brushes) > 1:
            return
        colour = _premultiplied(brushes[0].color())
        if self._tint is None or self._tint.colour != colour:
            self._tint = self._make_tint(colour)
        box = self._tint.box
        top_left = viewport.to_screen(box.left(), box.top())
        painter.drawImage(QRectF(top_left, box.size() * viewport.scale), self._tint.image)

    def _make_tint(self, colour: int) -> _Tint:
        """Return the image of the area in a colour, 0xAARRGGBB and premultiplied."""
        grid = self.grid
        (qx, qy), (rx, ry) = grid.layout.basis
        if grid.layout.shear == "oblique":
            # Rows of the file lean, so that the pixels are counted by where centres lie on the
            # screen. Every second row is shifted by half a cell: k and k + 1/2 both become pixel k.
            # The quarter keeps both away from the edge of a pixel, where rounding would decide.
            first_centre = self.centres.min(axis=0)
            pixel_xy = np.floor((self.centres - first_centre) / (qx, ry) + 0.25).astype(np.intp)
            width, height = (pixel_xy.max(axis=0) + 1).tolist()
            pixels = np.zeros((height, width), np.uint32)
            pixels[pixel_xy[:, 1], pixel_xy[:, 0]] = colour
            middle_x, middle_y = first_centre.tolist()
        else:
            # Every second column or row lies half a cell farther on: the image lies in the middle.
            width = grid.width
            height = grid.height
            pixels = np.zeros((height, width), np.uint32)
            pixels.reshape(-1)[self.cells] = colour
            middle_x = rx / 2
            middle_y = qy / 2
        image_format = QImage.Format.Format_ARGB32_Premultiplied
        # A copy, because a QImage does not keep the array alive whose memory it shows.
        image = QImage(pixels.data, width, height, 4 * width, image_format).copy()
        box = QRectF(middle_x - qx / 2, middle_y - ry / 2, width * qx, height * ry)
        return _Tint(image, box, colour)


class _Tint(NamedTuple):
    """An image of an area with one pixel for each cell."""

    image: QImage

    box: QRectF
    """Where it lies on the map, in map units."""

    colour: int
    """0xAARRGGBB, premultiplied."""


def outline_of(
    grid: Grid, cells: Cells, holds: Callable[[Cells], NDArray[np.bool_]]
) -> NDArray[np.float64]:
    """Return the sides of ``cells`` that lead to a cell which the area does not hold.

    They are lines (x1, y1, x2, y2) in map units, shape (n, 4). ``holds`` says which of some cells
    belong to the area; of a large area ``cells`` are only those in view.
    """
    corners = np.array(grid.layout.corners)
    result = []
    for side in range(grid.degree):
        centres = grid.centres_of(cells[~holds(grid.neighbours_of(cells, side))])
        ends = (centres + corners[side], centres + corners[(side + 1) % grid.degree])
        result.append(np.concatenate(ends, axis=1))
    return np.concatenate(result)


def _premultiplied(colour: QColor) -> int:
    """Return a colour as 0xAARRGGBB, each part times the opacity, as images have them."""
    opacity = colour.alphaF()
    parts = [round(part * opacity) for part in (colour.red(), colour.green(), colour.blue())]
    return int.from_bytes([colour.alpha(), *parts])


def _map_box(viewport: Viewport, dirty: QRectF) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the corners of a box of the screen in map units: (left, top), (right, bottom)."""
    return viewport.to_map(dirty.topLeft()), viewport.to_map(dirty.bottomRight())
