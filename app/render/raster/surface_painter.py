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
from PySide6.QtCore import QPoint, QPointF, QRect, QSize
from PySide6.QtGui import QImage, QPainter

from app.appearance.painting import saved_state
from app.render.scene.batch import PixelBox, SurfaceBatch

BLOCK = 192
"""The width and height of a block, in pixels.

Arrays of a larger one would leave the processor's caches, and more terrains would lie in it. Blocks
of a narrow strip are longer, so that they have as many pixels.
"""

LEAST_UNIT = 1.0
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
    ``unit`` the number of pixels in a map unit. With a ``coarseness`` of n squares of n x n pixels
    have one colour, which is quicker; the width and height of ``area`` are then multiples of n.
    """
    # The pixels whose middles lie in the box of the surface.
    box = batch.box
    left = max(area.left(), math.floor(box.left() * unit + origin.x() + 0.5))
    top = max(area.top(), math.floor(box.top() * unit + origin.y() + 0.5))
    right = min(area.right() + 1, math.floor(box.right() * unit + origin.x() + 0.5))
    bottom = min(area.bottom() + 1, math.floor(box.bottom() * unit + origin.y() + 0.5))
    if right <= left or bottom <= top:
        return

    # A block has BLOCK x BLOCK squares of the coarseness. In a strip that is lower or narrower than
    # that blocks are longer; their sides are multiples of the coarseness, too.
    side = BLOCK * coarseness
    block_width = max(side, BLOCK * BLOCK // (bottom - top) // coarseness * coarseness)
    block_height = max(side, BLOCK * BLOCK // (right - left) // coarseness * coarseness)
    for row in range(top, bottom, block_height):
        for column in range(left, right, block_width):
            pixel_box = PixelBox(
                left=(column - origin.x()) / unit,
                top=(row - origin.y()) / unit,
                unit=unit / coarseness,
                width=math.ceil(min(block_width, right - column) / coarseness),
                height=math.ceil(min(block_height, bottom - row) / coarseness),
            )
            _paint_block(painter, batch, pixel_box, QPoint(column, row), coarseness)
            yield


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

    Where a map unit has less than ``LEAST_UNIT`` of them each is the mean of several, channel by
    channel.
    """
    if box.unit >= LEAST_UNIT:
        return batch.pixels(box)
    # Each pixel is divided into count x count finer ones.
    count = math.ceil(LEAST_UNIT / box.unit)
    finer = box._replace(unit=box.unit * count, width=box.width * count, height=box.height * count)
    channels = batch.pixels(finer).view(np.uint8)
    shape = (box.height, count, box.width, count, CHANNELS)
    means = channels.reshape(shape).mean(axis=(1, 3), dtype=np.float32)
    pixels = np.rint(means).astype(np.uint8).view(np.uint32)
    return np.asarray(pixels.reshape(box.height, box.width), np.uint32)
