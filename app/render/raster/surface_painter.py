"""Paints surfaces, pictures that are worked out pixel by pixel, block by block.

``surface_steps`` is for the screen, tiles of a map from afar, and pictures of any size. What the
pixels are is worked out in ``app.render.scene.surface``.
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
"""The width and height of a block, in pixels: its arrays stay in the processor's caches, and few
terrains lie in it. One of a narrow strip is longer."""

LEAST_UNIT = 1.0
"""At fewer pixels a map unit several are worked out for each one: else single tiles flicker."""


def surface_steps(
    painter: QPainter,
    batch: SurfaceBatch,
    origin: QPointF,
    unit: float,
    area: QRect,
    coarseness: int = 1,
) -> Iterator[None]:
    """Paint what an area of pixels, the painter's unit, shows of a surface, a block at each step.

    ``origin`` is where the map's origin lies, and ``unit`` the pixels of a map unit. With a
    ``coarseness`` of n squares of n x n pixels have one colour; ``area`` is then a multiple of n.
    """
    # The pixels whose middles lie in the box of the surface.
    box = batch.box
    left = max(area.left(), math.floor(box.left() * unit + origin.x() + 0.5))
    top = max(area.top(), math.floor(box.top() * unit + origin.y() + 0.5))
    right = min(area.right() + 1, math.floor(box.right() * unit + origin.x() + 0.5))
    bottom = min(area.bottom() + 1, math.floor(box.bottom() * unit + origin.y() + 0.5))
    if right <= left or bottom <= top:
        return

    # Blocks of narrow strips are longer. All are multiples of the coarseness.
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
    """Paint the pixels of a box, each as a square, with their left top corner at a pixel."""
    pixels = _pixels(batch, box)
    image_format = QImage.Format.Format_ARGB32_Premultiplied
    image = QImage(pixels.data, box.width, box.height, 4 * box.width, image_format)
    with saved_state(painter):
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.setOpacity(painter.opacity() * batch.opacity)
        if coarseness == 1:
            painter.drawImage(corner, image)
        else:
            size = QSize(box.width * coarseness, box.height * coarseness)
            painter.drawImage(QRect(corner, size), image)


def _pixels(batch: SurfaceBatch, box: PixelBox) -> NDArray[np.uint32]:
    """Return the pixels of a box; where they are large the means of smaller ones."""
    if box.unit >= LEAST_UNIT:
        return batch.pixels(box)
    count = math.ceil(LEAST_UNIT / box.unit)
    finer = box._replace(unit=box.unit * count, width=box.width * count, height=box.height * count)
    channels = batch.pixels(finer).view(np.uint8)
    shape = (box.height, count, box.width, count, 4)
    means = channels.reshape(shape).mean(axis=(1, 3), dtype=np.float32)
    pixels = np.rint(means).astype(np.uint8).view(np.uint32)
    return np.asarray(pixels.reshape(box.height, box.width), np.uint32)
