"""Draws the ground of a map as one picture, for paper, PDF and SVG.

All cells are drawn on an image, and the image is drawn on paper. A large one is drawn in *bands*
from top to bottom, since to compress the whole would stop a window that is printing::

    +------------------+
    |      band 1      |
    +------------------+  its last two rows of pixels
    +------------------+  are covered by the first two of band 2
    |      band 2      |
    +------------------+
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from app.appearance.painting import painting
from app.render.cell_geometry import map_box
from app.render.vector.piece_painter import SMOOTH, PiecePainter
from app.render.vector.scene_drawing import SceneDrawing
from app.render.vector.section import Section
from randomizer.model.grid.grid import Grid

MAX_BAND_PIXELS = 1_000_000
"""A band has at most so many pixels; larger ones take longer to compress than a window may wait."""

BAND_OVERLAP = 2
"""So many rows of pixels of a band are covered by the next one.

With none, viewers show a line between bands; more would only be stored twice.
"""

EDGE_REACH = 0.5
"""Lines at the edge of the map reach over it by less than this, in map units.

If it is larger, pictures have an empty rim that is stored.
"""


def box_of_ground(grid: Grid, area: QRectF) -> QRectF:
    """Return the box of what an area shows of the ground, in map units; an empty one for none."""
    box_of_cells = map_box(grid)
    return area.intersected(box_of_cells.adjusted(-EDGE_REACH, -EDGE_REACH, EDGE_REACH, EDGE_REACH))


def draw_ground_picture(
    painter: QPainter,
    piece_painter: PiecePainter,
    section: Section,
    image_drawing: SceneDrawing,
    background: QColor,
    *,
    in_bands: bool,
) -> Iterator[None]:
    """Draw the ground of ``section.area``, which is not empty, as a picture, whole or in bands.

    ``image_drawing`` draws the cells on the image, and has the unit of the image. Then
    ``piece_painter`` draws the image with ``painter``. ``background`` is seen between cells. It
    yields after some pieces and after each band, so that a window can go on.
    """
    unit = image_drawing.piece_painter.image_unit
    assert unit is not None, "it draws on an image"
    area = section.area
    width = math.ceil(area.width() * unit)
    height = math.ceil(area.height() * unit)
    band_height = height
    if in_bands:
        band_height = max(1, MAX_BAND_PIXELS // width)

    for first_row in range(0, height, band_height):
        row_count = min(band_height + BAND_OVERLAP, height - first_row)
        band_top = area.top() + first_row / unit
        band = QRectF(area.left(), band_top, width / unit, row_count / unit)
        image = QImage(width, row_count, QImage.Format.Format_RGB32)
        image.fill(background)
        with painting(image) as on_image:
            on_image.setRenderHints(SMOOTH)
            on_image.scale(unit, unit)
            on_image.translate(-band.topLeft())
            yield from image_drawing.draw_ground(on_image, replace(section, area=band))
        yield from piece_painter.draw_ground_picture(painter, band, image)
