"""Paints pictures that are worked out pixel by pixel, block by block."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect
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
    box = batch.box
    left = max(area.left(), math.floor(box.left() * unit + origin.x() + 0.5))
    top = max(area.top(), math.floor(box.top() * unit + origin.y() + 0.5))
    right = min(area.right() + 1, math.floor(box.right() * unit + origin.x() + 0.5))
    bottom = min(area.bottom() + 1, math.floor(box.bottom() * unit + origin.y() + 0.5))
    if right <= left or bottom <= top:
        return
    side = BLOCK * coarseness
    across = max(side, BLOCK * BLOCK // (bottom - top) // coarseness * coarseness)
    down = max(side, BLOCK * BLOCK // (right - left) // coarseness * coarseness)
    for row in range(top, bottom, down):
        for column in range(left, right, across):
            width = min(across, right - column)
            height = min(down, bottom - row)
            corner = ((column - origin.x()) / unit, (row - origin.y()) / unit)
            columns = math.ceil(width / coarseness)
            rows = math.ceil(height / coarseness)
            pixels = _pixels(batch, PixelBox(*corner, unit / coarseness, columns, rows))
            form = QImage.Format.Format_ARGB32_Premultiplied
            image = QImage(pixels.data, columns, rows, 4 * columns, form)
            with saved_state(painter):
                painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
                painter.setOpacity(painter.opacity() * batch.opacity)
                if coarseness == 1:
                    painter.drawImage(column, row, image)
                else:
                    drawn = QRect(column, row, columns * coarseness, rows * coarseness)
                    painter.drawImage(drawn, image)
            yield


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
