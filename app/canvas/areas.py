"""Areas of cells drawn over the map: a selection or a preview, filled or outlined.

``CanvasOverlays`` makes a ``CellArea`` of the cells and calls its ``fill`` and ``outline`` in each
paint event. A small area is drawn with polygons and lines, which it keeps. A large one (``LARGE``)
is worked out for the cells in view only; from afar it is *tinted*: drawn as an image that has one
pixel for each cell, and is stretched over the map.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen, QPolygonF

from app.render.viewport import Viewport
from randomizer.geometry.areas import Cells
from randomizer.model.grid.box import Box
from randomizer.model.grid.cells_in_box import cells_in_box
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Shear

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

REACH = 1.2
"""How far a cell and the line at its edge reach beyond the cell's centre, in map units."""

OUTLINE_WIDTH = 3
"""The widest pen of outlines, in logical pixels, by which a box around them is larger."""

BYTES_PER_PIXEL = 4
"""The bytes of a pixel of a tint: blue, green, red and opacity."""

LINE_REACH = 2.0
"""A side whose first end lies farther than this outside a box, in map units, is not in it."""


class CellArea:
    """Cells of a grid, and cached geometry to draw them in any view.

    It does not change: another selection or preview gets another one.
    """

    def __init__(self, grid: Grid, cells: Cells) -> None:
        self.grid = grid
        self.cells = cells
        """The cells of the area, ascending, shape (n,)."""
        self._centres: NDArray[np.float64] | None = None
        """``centres``; None until they are first asked for."""
        self._lines: NDArray[np.float64] | None = None
        """The whole outline (``outline_of``) of a small area; None until it is drawn."""
        self._tint: _Tint | None = None
        """The image that was drawn last; None until the area is tinted."""

    @property
    def _is_large(self) -> bool:
        """True if the whole area takes too long to draw, or even to compute its outline."""
        return len(self.cells) > LARGE

    def _is_seen_from_afar(self, viewport: Viewport) -> bool:
        """Return whether the area is large and so small on the screen that it is tinted."""
        return self._is_large and viewport.scale < AFAR

    @property
    def centres(self) -> NDArray[np.float64]:
        """The centres of the cells, in map units, shape (n, 2)."""
        if self._centres is None:
            self._centres = self.grid.centres_of(self.cells)
        return self._centres

    def box(self, viewport: Viewport) -> QRectF:
        """Return a box in logical pixels that holds the whole area; empty for no cells."""
        if not len(self.cells):
            return QRectF()
        if self._is_large:
            left, top, right, bottom = self.grid.bounds  # quicker than all centres
        else:
            left, top = self.centres.min(axis=0)
            right, bottom = self.centres.max(axis=0)
        centres_box = QRectF(viewport.to_screen(left, top), viewport.to_screen(right, bottom))
        reach = REACH * viewport.scale + OUTLINE_WIDTH
        return centres_box.adjusted(-reach, -reach, reach, reach)

    def fill(
        self, painter: QPainter, viewport: Viewport, dirty: QRectF, brushes: Sequence[QBrush]
    ) -> None:
        """Fill the cells that are in ``dirty``, a box in logical pixels.

        ``brushes`` holds one brush for all cells, or one for each, in the order of ``cells``. With
        one for each nothing is drawn of more than ``MOST_FILLED`` cells in view, nor of a large
        area seen from afar: the image that is drawn then has one colour.
        """
        if not brushes or not len(self.cells):
            return
        if self._is_seen_from_afar(viewport):
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
        """Return the positions in ``cells`` of those in ``dirty``, (k,), and their centres, (k, 2).

        The centre of a cell that reaches into ``dirty`` lies at most one map unit outside.
        """
        (left, top), (right, bottom) = _map_box(viewport, dirty)
        if self._is_large:
            # Computing the centres of all cells would take longer than drawing those in view.
            in_view = cells_in_box(self.grid, Box(left - 1, top - 1, right + 1, bottom + 1)).cells
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
        """Draw the outline that is in ``dirty``, with one pen over the other.

        Of a large area seen from afar no outline is drawn: it is tinted if ``tinted``.
        """
        if self._is_seen_from_afar(viewport):
            if tinted:
                self._paint_tint(painter, viewport, [QBrush(QColor.fromRgba(TINT))])
            return
        lines = self._lines_in_view(viewport, dirty)
        if not len(lines):
            return
        screen_lines = np.ascontiguousarray(
            lines * viewport.scale + (viewport.dx, viewport.dy, viewport.dx, viewport.dy)
        )
        # A QLineF is four doubles, as a row of the array is. So the array itself is given to Qt,
        # as pyqtgraph does, instead of a hundred thousand Python objects.
        first_line = cast(QLineF, shiboken6.wrapInstance(screen_lines.ctypes.data, QLineF))
        for pen in pens:
            painter.setPen(pen)
            painter.drawLines(first_line, len(screen_lines))

    def _lines_in_view(self, viewport: Viewport, dirty: QRectF) -> NDArray[np.float64]:
        """Return the lines of the outline (``outline_of``) that can be in ``dirty``, (n, 4)."""
        (left, top), (right, bottom) = _map_box(viewport, dirty)
        left -= LINE_REACH
        top -= LINE_REACH
        right += LINE_REACH
        bottom += LINE_REACH
        if self._is_large:
            in_view = cells_in_box(self.grid, Box(left, top, right, bottom)).cells
            return outline_of(self.grid, in_view[self._holds(in_view)], self._holds)
        if self._lines is None:
            self._lines = outline_of(self.grid, self.cells, self._holds)
        x = self._lines[:, 0]
        y = self._lines[:, 1]
        is_in_view = (x > left) & (x < right) & (y > top) & (y < bottom)
        return self._lines[is_in_view]

    def _holds(self, cells: Cells) -> NDArray[np.bool_]:
        """Return which of ``cells`` belong to the area; booleans of their shape.

        As the cells of the area are ascending, each is looked up by bisection.
        """
        positions = np.searchsorted(self.cells, cells).clip(max=len(self.cells) - 1)
        return np.asarray(self.cells[positions] == cells)

    def _paint_tint(self, painter: QPainter, viewport: Viewport, brushes: Sequence[QBrush]) -> None:
        """Draw an image of one pixel for each cell, stretched over the map, in the one brush."""
        if len(brushes) > 1:  # the image has one colour
            return
        colour = _premultiplied(brushes[0].color())
        if self._tint is None or self._tint.colour != colour:
            self._tint = self._make_tint(colour)
        box = self._tint.box
        top_left = viewport.to_screen(box.left(), box.top())
        painter.drawImage(QRectF(top_left, box.size() * viewport.scale), self._tint.image)

    def _make_tint(self, colour: int) -> _Tint:
        """Return the image of the area in a colour, 0xAARRGGBB and premultiplied."""
        if self.grid.layout.shear is Shear.OBLIQUE:
            pixels, first_centre = self._pixels_by_position(colour)
        else:
            pixels, first_centre = self._pixels_by_index(colour)
        height, width = pixels.shape
        image_format = QImage.Format.Format_ARGB32_Premultiplied
        # A copy, because a QImage does not keep the array alive whose memory it shows.
        image = QImage(pixels.data, width, height, BYTES_PER_PIXEL * width, image_format).copy()
        (cell_width, _qy), (_rx, cell_height) = self.grid.layout.basis
        left = first_centre[0] - cell_width / 2
        top = first_centre[1] - cell_height / 2
        return _Tint(image, QRectF(left, top, width * cell_width, height * cell_height), colour)

    def _pixels_by_position(self, colour: int) -> tuple[NDArray[np.uint32], tuple[float, float]]:
        """Return the pixels of an oblique grid, and the centre of the first one in map units.

        Rows of the file lean, so pixels are counted by where the centres of cells lie on the map.
        """
        (qx, _qy), (_rx, ry) = self.grid.layout.basis
        first_centre = self.centres.min(axis=0)
        # Every second row is shifted by half a cell: k and k + 1/2 both become pixel k. The quarter
        # keeps both away from the edge of a pixel, where rounding would decide.
        pixel_xy = np.floor((self.centres - first_centre) / (qx, ry) + 0.25).astype(np.intp)
        width, height = (pixel_xy.max(axis=0) + 1).tolist()
        pixels = np.zeros((height, width), np.uint32)
        pixels[pixel_xy[:, 1], pixel_xy[:, 0]] = colour
        x, y = first_centre.tolist()
        return pixels, (x, y)

    def _pixels_by_index(self, colour: int) -> tuple[NDArray[np.uint32], tuple[float, float]]:
        """Return the pixels of a grid that does not lean, and the centre of the first one.

        Every second column or row of hexes lies half a cell farther on than the others. The image
        lies between both: its pixels are a quarter of a cell off the one way, or the other.
        """
        grid = self.grid
        pixels = np.zeros((grid.height, grid.width), np.uint32)
        pixels.reshape(-1)[self.cells] = colour
        (_qx, qy), (rx, _ry) = grid.layout.basis
        return pixels, (rx / 2, qy / 2)


class _Tint(NamedTuple):
    """An area as an image, to be stretched over the map."""

    image: QImage
    """One pixel for each cell."""

    box: QRectF
    """Where it lies on the map, in map units."""

    colour: int
    """The colour of the area, 0xAARRGGBB and premultiplied."""


def outline_of(
    grid: Grid, cells: Cells, holds: Callable[[Cells], NDArray[np.bool_]]
) -> NDArray[np.float64]:
    """Return the outline of an area: the sides of ``cells`` beyond which the area does not go on.

    They are lines (x1, y1, x2, y2) in map units, shape (n, 4). ``holds`` tells which of some cells
    belong to the area; of a large area ``cells`` are only those in view.
    """
    corners = np.array(grid.layout.corners)
    lines = []
    for side in range(grid.degree):
        is_at_edge = ~holds(grid.neighbours_of(cells, side))
        centres = grid.centres_of(cells[is_at_edge])
        starts = centres + corners[side]
        ends = centres + corners[(side + 1) % grid.degree]
        lines.append(np.concatenate((starts, ends), axis=1))
    return np.concatenate(lines)


def _premultiplied(colour: QColor) -> int:
    """Return a colour as 0xAARRGGBB with red, green and blue multiplied by the opacity."""
    opacity = colour.alphaF()
    red = round(colour.red() * opacity)
    green = round(colour.green() * opacity)
    blue = round(colour.blue() * opacity)
    return int.from_bytes((colour.alpha(), red, green, blue))


def _map_box(viewport: Viewport, dirty: QRectF) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the corners of a box of the screen in map units: (left, top), (right, bottom)."""
    return viewport.to_map(dirty.topLeft()), viewport.to_map(dirty.bottomRight())
