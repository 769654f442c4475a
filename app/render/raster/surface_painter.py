"""Paints surfaces, which are pictures that are worked out pixel by pixel.

A scene yields a surface as a ``SurfaceBatch``, for instance light and water over a whole map; its
``pixels`` function returns the colours of any rectangle of pixels. ``surface_steps`` calls it block
by block and draws the blocks, for the screen, for tiles of a map seen from afar, and for pictures
of any size::

    for _ in surface_steps(painter, batch, origin, unit=48.0, area=QRect(0, 0, 800, 600)):
        pass                                      # a block is drawn: work can be stopped here
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize
from PySide6.QtGui import QImage, QPainter

from app.appearance.painting import saved_state
from app.render.scene.batch import PixelBox, SurfaceBatch

BLOCK = 192
"""The width and height of a block, in pixels that are worked out.

Arrays of a larger one would leave the processor's caches, and more terrains would lie in it.
"""

MIN_UNIT = 1.0
"""With fewer pixels in a map unit than this, a pixel has the mean of several smaller ones.

Otherwise it would show one of the tiles that lie in it, and flicker while the map is moved.
"""

CHANNELS = 4
"""The bytes of a pixel: blue, green, red and opacity, in some order."""


def surface_steps(
    painter: QPainter,
    batch: SurfaceBatch,
    origin: QPointF,
    unit: float,
    area: QRect,
    coarseness: int = 1,
) -> Iterator[None]:
    """Paint the part of a surface that is seen in an area of pixels, a block at each step.

    The painter's unit is the pixel. ``origin`` is where the map's origin lies, in pixels, and
    ``unit`` the number of pixels in a map unit.

    With a ``coarseness`` of n, squares of n x n pixels have one colour, which is quicker. There are
    only whole squares: the last ones may reach up to n - 1 pixels beyond the area, to the right and
    below.
    """
    area_with_pixels = area.intersected(_pixels_in_box(batch.box, origin, unit))
    if area_with_pixels.isEmpty():
        return
    end_of_rows = area_with_pixels.top() + area_with_pixels.height()
    end_of_columns = area_with_pixels.left() + area_with_pixels.width()
    block = _block_size(area_with_pixels, coarseness)
    for row in range(area_with_pixels.top(), end_of_rows, block.height()):
        for column in range(area_with_pixels.left(), end_of_columns, block.width()):
            width = min(block.width(), end_of_columns - column)
            height = min(block.height(), end_of_rows - row)
            pixel_box = PixelBox(
                left=(column - origin.x()) / unit,
                top=(row - origin.y()) / unit,
                unit=unit / coarseness,
                width=math.ceil(width / coarseness),
                height=math.ceil(height / coarseness),
            )
            _paint_block(painter, batch, pixel_box, QPoint(column, row), coarseness)
            yield


def surface_steps_on_map(painter: QPainter, batch: SurfaceBatch) -> Iterator[None]:
    """Paint the part of a surface that is seen on an image, a block at each step.

    The painter's unit is the map unit, which is scaled evenly and not turned. Between two steps it
    is the pixel: nobody else may use the painter until all steps are done.
    """
    matrix = painter.transform()
    image = painter.device()
    with saved_state(painter):
        painter.resetTransform()
        yield from surface_steps(
            painter,
            batch,
            origin=QPointF(matrix.dx(), matrix.dy()),
            unit=matrix.m11(),
            area=QRect(0, 0, image.width(), image.height()),
        )


def _pixels_in_box(box: QRectF, origin: QPointF, unit: float) -> QRect:
    """Return the pixels whose middles lie in a box of map units."""

    def first_pixel(map_coordinate: float, origin_pixel: float) -> int:
        # The first pixel whose middle, half a pixel further on, is beyond the coordinate.
        return math.floor(map_coordinate * unit + origin_pixel + 0.5)

    left = first_pixel(box.left(), origin.x())
    top = first_pixel(box.top(), origin.y())
    right = first_pixel(box.right(), origin.x())
    bottom = first_pixel(box.bottom(), origin.y())
    return QRect(left, top, right - left, bottom - top)


def _block_size(area: QRect, coarseness: int) -> QSize:
    """Return the size of the blocks of an area, in pixels of the painter.

    A block has ``BLOCK`` x ``BLOCK`` squares of the coarseness. In an area that is lower or
    narrower than that, such as the strip that a pan uncovers, blocks are so much longer that they
    have as many squares: the arrays of many small blocks would take longer to set up than to fill.
    """
    side = BLOCK * coarseness
    pixels = side * side
    return QSize(
        max(side, _whole_squares(pixels // area.height(), coarseness)),
        max(side, _whole_squares(pixels // area.width(), coarseness)),
    )


def _whole_squares(length: int, coarseness: int) -> int:
    """Return the largest multiple of the coarseness that is at most ``length``."""
    return length - length % coarseness


def _paint_block(
    painter: QPainter, batch: SurfaceBatch, box: PixelBox, corner: QPoint, coarseness: int
) -> None:
    """Paint the pixels of a box, each as a square of ``coarseness`` x ``coarseness`` pixels.

    ``corner`` is where the left top corner of the box is painted.
    """
    pixels = _pixels_of(batch, box)
    image_format = QImage.Format.Format_ARGB32_Premultiplied
    image = QImage(pixels.data, box.width, box.height, CHANNELS * box.width, image_format)
    with saved_state(painter):
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.setOpacity(painter.opacity() * batch.opacity)
        if coarseness == 1:
            painter.drawImage(corner, image)
        else:
            size = QSize(box.width * coarseness, box.height * coarseness)
            painter.drawImage(QRect(corner, size), image)


def _pixels_of(batch: SurfaceBatch, box: PixelBox) -> NDArray[np.uint32]:
    """Return the pixels of a box, 0xAARRGGBB premultiplied: shape (height, width).

    Where a map unit has less than ``MIN_UNIT`` of them each is the mean of several, channel by
    channel.
    """
    if box.unit >= MIN_UNIT:
        return batch.pixels(box)
    # Each pixel is divided into count x count finer ones.
    count = math.ceil(MIN_UNIT / box.unit)
    finer = box._replace(unit=box.unit * count, width=box.width * count, height=box.height * count)
    channels = batch.pixels(finer).view(np.uint8)
    shape = (box.height, count, box.width, count, CHANNELS)
    means = channels.reshape(shape).mean(axis=(1, 3), dtype=np.float32)
    pixels = np.rint(means).astype(np.uint8).view(np.uint32)
    return np.asarray(pixels.reshape(box.height, box.width), np.uint32)
