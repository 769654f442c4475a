"""A large area of cells as an image of one pixel for each cell, stretched over the map.

Seen from afar, such an area would take too long to draw as polygons. Its *tint* is drawn instead::

    tint = AreaTint(grid, cells)
    tint.paint(painter, viewport, colour)      # makes the image where the colour is another
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from app.render.viewport import Viewport
from randomizer.geometry.areas import Cells
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Shear

BYTES_PER_PIXEL = 4
"""The bytes of a pixel: blue, green, red and opacity."""


class _Pixels(NamedTuple):
    """The pixels of an area."""

    values: NDArray[np.uint32]
    """0xAARRGGBB, premultiplied, of shape (height, width); 0 outside the area."""

    first_centre: tuple[float, float]
    """Where the middle of the first pixel lies on the map, in map units."""


class _Image(NamedTuple):
    """The image that was drawn last."""

    picture: QImage

    box: QRectF
    """Where it lies on the map, in map units."""

    colour: int
    """The colour of the area, 0xAARRGGBB and premultiplied."""


class AreaTint:
    """The cells of an area in one colour. It keeps the image of the colour asked for last."""

    def __init__(self, grid: Grid, cells: Cells) -> None:
        self._grid = grid
        self._cells = cells
        """The cells of the area, shape (n,); at least one."""
        self._image: _Image | None = None
        """None until it is painted."""

    def paint(self, painter: QPainter, viewport: Viewport, colour: QColor) -> None:
        """Draw the area over the map."""
        argb = _premultiplied(colour)
        if self._image is None or self._image.colour != argb:
            self._image = self._make_image(argb)
        box = self._image.box
        top_left = viewport.to_screen(box.left(), box.top())
        painter.drawImage(QRectF(top_left, box.size() * viewport.scale), self._image.picture)

    def _make_image(self, argb: int) -> _Image:
        """Return the image of the area in a colour, 0xAARRGGBB and premultiplied."""
        if self._grid.layout.shear is Shear.OBLIQUE:
            pixels = self._pixels_by_position(argb)
        else:
            pixels = self._pixels_by_index(argb)
        height, width = pixels.values.shape
        image_format = QImage.Format.Format_ARGB32_Premultiplied
        # A copy, because a QImage does not keep the array alive whose memory it shows.
        picture = QImage(
            pixels.values.data, width, height, BYTES_PER_PIXEL * width, image_format
        ).copy()
        (cell_width, _qy), (_rx, cell_height) = self._grid.layout.basis
        x, y = pixels.first_centre
        left = x - cell_width / 2
        top = y - cell_height / 2
        return _Image(picture, QRectF(left, top, width * cell_width, height * cell_height), argb)

    def _pixels_by_position(self, argb: int) -> _Pixels:
        """Return the pixels of an oblique grid.

        Rows of the file lean, so pixels are counted by where the centres of cells lie on the map.
        """
        (qx, _qy), (_rx, ry) = self._grid.layout.basis
        centres = self._grid.centres_of(self._cells)
        first_centre = centres.min(axis=0)
        # Every second row is shifted by half a cell: k and k + 1/2 both become pixel k. The quarter
        # keeps both away from the edge of a pixel, where rounding would decide.
        pixel_xy = np.floor((centres - first_centre) / (qx, ry) + 0.25).astype(np.intp)
        width, height = (pixel_xy.max(axis=0) + 1).tolist()
        values = np.zeros((height, width), np.uint32)
        values[pixel_xy[:, 1], pixel_xy[:, 0]] = argb
        x, y = first_centre.tolist()
        return _Pixels(values, (x, y))

    def _pixels_by_index(self, argb: int) -> _Pixels:
        """Return the pixels of a grid that does not lean, those of the whole map.

        Every second column (or row) of hexes lies half a cell farther on than the others. The image
        lies amid both: its pixels are a quarter of a cell off the one way, or the other.
        """
        grid = self._grid
        values = np.zeros((grid.height, grid.width), np.uint32)
        values.reshape(-1)[self._cells] = argb
        # The basis has the steps to the next column and to the next row. A step to the next column
        # goes down by half a cell where columns are shifted, and half of that is a quarter; so it
        # is with rows, whose step goes to the right.
        (_column_right, column_down), (row_right, _row_down) = grid.layout.basis
        return _Pixels(values, (row_right / 2, column_down / 2))


def _premultiplied(colour: QColor) -> int:
    """Return a colour as 0xAARRGGBB with red, green and blue multiplied by the opacity."""
    opacity = colour.alphaF()
    red = round(colour.red() * opacity)
    green = round(colour.green() * opacity)
    blue = round(colour.blue() * opacity)
    return int.from_bytes((colour.alpha(), red, green, blue))
