"""The picture of a hexside for buttons and menus: a stretch of it on the edge of some ground."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPixmap

from app.appearance.painting import painting
from app.render.raster.sprites import Sprites
from app.render.scene.edges.hexside_line import HexsideLine
from app.render.scene.edges.hexside_shapes import draw_hexside
from app.render.scene.edges.side_curves import BOARD_BENDS, End, side_curve
from randomizer.model.grid.layouts import SQUARE

SOUTH = 2
"""The number of the lower side of a square."""

PICTURE_HEIGHT = 0.5
"""The height of the picture of a hexside, as a share of its width."""

EDGE_Y = 0.32
"""How far the edge lies below the top of the picture, as a share of its width: hexsides lie mostly
on their owner's land."""

EDGE_LENGTH = 0.95
"""The length of the hexside, as a share of the picture's width: a little of the edge is seen beyond
its ends."""

PICTURE_CORNERS = 3.0
"""The radius of the corners of the picture, in logical pixels."""

EDGE_DARKNESS = 150
"""How much darker than the ground the edge is (``QColor.darker``)."""


def hexside_picture(sprites: Sprites, code: int, width: int) -> QPixmap:
    """Return a picture of a hexside on a horizontal edge, with the cell that owns it above.

    ``code`` is a value of the plane of hexsides: 0 for none, else 1 + its index in the terrain set.
    ``width`` is in logical pixels.
    """
    ratio = sprites.ratio
    height = width * PICTURE_HEIGHT
    edge_y = width * EDGE_Y
    image = QImage(
        round(width * ratio), round(height * ratio), QImage.Format.Format_ARGB32_Premultiplied
    )
    image.fill(Qt.GlobalColor.transparent)
    image.setDevicePixelRatio(ratio)
    with painting(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # On the first terrain: dark strokes would be lost on a dark panel.
        ground = QColor(sprites.terrain_set.terrains[0].colour)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(QRectF(0, 0, width, height), PICTURE_CORNERS, PICTURE_CORNERS)
        painter.setPen(QPen(ground.darker(EDGE_DARKNESS), 1))
        painter.drawLine(QLineF(0, edge_y, width, edge_y))
        if code:
            # The lower side of a square, which is one map unit long, is moved to the edge.
            curve = side_curve(SQUARE, SOUTH, End.STRAIGHT, End.STRAIGHT, BOARD_BENDS)
            painter.translate(width / 2, edge_y)
            painter.scale(width * EDGE_LENGTH, width * EDGE_LENGTH)
            painter.translate(0, -curve.knots[0].y)
            draw_hexside(painter, sprites.terrain_set.hexsides[code - 1], HexsideLine(curve))
    return QPixmap.fromImage(image)
