"""A small picture of a hexside, for lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPixmap

from app.appearance.painting import painting
from app.render.scene.edges.contours import End, contour
from app.render.scene.edges.hexside_shapes import HexsideLine, draw_hexside
from app.render.scene.edges.steps import BOARD_BENDS
from randomizer.model.layouts import SQUARE

if TYPE_CHECKING:
    from app.render.raster.sprites import Sprites


SOUTH = 2
"""The lower side of a square."""


def hexside_picture(sprites: Sprites, code: int, width: int) -> QPixmap:
    """A picture of a hexside: a horizontal edge with its owner above."""
    ratio = sprites.ratio
    image = QImage(
        round(width * ratio),
        round(width * 0.5 * ratio),
        QImage.Format.Format_ARGB32_Premultiplied,
    )
    image.fill(Qt.GlobalColor.transparent)
    image.setDevicePixelRatio(ratio)
    with painting(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # On the first terrain: dark strokes would be lost on a dark panel.
        ground = QColor(sprites.terrain_set.terrains[0].colour)
        edge = width * 0.32
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(QRectF(0, 0, width, width * 0.5), 3, 3)
        painter.setPen(QPen(ground.darker(150), 1))
        painter.drawLine(QLineF(0, edge, width, edge))
        if code:
            painter.translate(width / 2, edge)
            painter.scale(width * 0.95, width * 0.95)
            straight = contour(SQUARE, SOUTH, End.STRAIGHT, End.STRAIGHT, BOARD_BENDS)
            painter.translate(0, -straight[0].y)
            draw_hexside(painter, sprites.terrain_set.hexsides[code - 1], HexsideLine(straight))
    return QPixmap.fromImage(image)
