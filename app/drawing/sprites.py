"""Ready-made pictures of cells and hexsides at one scale, so that a frame only copies pixels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QImage,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
    QTransform,
)

from app.drawing.pictures import SIDE_BOX, Pictures

if TYPE_CHECKING:
    from app.drawing.theme import Theme
    from randomizer.grid import Layout
    from randomizer.terrain import TerrainSet

SEAM = 0.6
"""Cell sprites are grown by this many device pixels, so that no seam shows between them."""

SIDE_REACH = 0.16
"""How far a hexside may reach over the edge into the other cell, in map units."""

TERRACE = QColor(70, 48, 24, 120)
TERRACE_SHADE = QColor(40, 26, 10, 110)


class Sprites:
    """The sprites of one layout, terrain set and theme at one scale.

    ``scale`` is the hex radius in logical pixels, ``ratio`` the device pixel ratio. Sprites are
    drawn when first asked for.
    """

    def __init__(
        self,
        layout: Layout,
        terrain_set: TerrainSet,
        pictures: Pictures,
        theme: Theme,
        scale: float,
        ratio: float,
    ) -> None:
        self.layout = layout
        self.terrain_set = terrain_set
        self.pictures = pictures
        self.theme = theme
        self.scale = scale
        self.ratio = ratio
        self._cells: dict[tuple[int, int], QPixmap] = {}
        self._sides: dict[tuple[int, int], QPixmap] = {}
        xs = [x for x, _ in layout.corners]
        ys = [y for _, y in layout.corners]
        grow = SEAM / (scale * ratio)
        self.cell_box = QRectF(
            QPointF(min(xs) - grow, min(ys) - grow), QPointF(max(xs) + grow, max(ys) + grow)
        )
        """The box of a cell sprite around the cell's centre, in map units."""
        self._rims: dict[int, QPixmap] = {}
        self._start: QPixmap | None = None
        cap = 0.06 + 2 / scale  # round ends of the rim reach beyond the picture of a hexside
        self._side_boxes = [
            self._side_transform(side).mapRect(SIDE_BOX).adjusted(-cap, -cap, cap, cap)
            for side in range(layout.degree)
        ]

    def cell(self, terrain: int, elevation: int) -> QPixmap:
        """A cell of terrain index ``terrain``: ground, terraces of its elevation, feature."""
        key = (terrain, elevation)
        sprite = self._cells.get(key)
        if sprite is None:
            sprite = self._cells[key] = self._draw_cell(terrain, elevation)
        return sprite

    def side(self, code: int, side: int) -> QPixmap:
        """Hexside ``code`` (1 ...) on one side of its owner."""
        key = (code, side)
        sprite = self._sides.get(key)
        if sprite is None:
            sprite = self._sides[key] = self._draw_side(code, side)
        return sprite

    def rim(self, side: int) -> QPixmap:
        """The board's rim along one side of a cell, in the box ``side_box`` gives."""
        sprite = self._rims.get(side)
        if sprite is None:
            image, painter = self._canvas(self._side_boxes[side])
            pen = QPen(self.theme.board_outline, max(1.5 / self.scale, 0.05))
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            (ax, ay), (bx, by) = self._ends(side)
            painter.drawLine(QPointF(ax, ay), QPointF(bx, by))
            painter.end()
            sprite = self._rims[side] = self._pixmap(image)
        return sprite

    def start_mark(self) -> QPixmap:
        """The outline of a cell on the start list, in ``cell_box``."""
        if self._start is None:
            image, painter = self._canvas(self.cell_box)
            pen = QPen(self.theme.start_list, max(2.0 / self.scale, 0.04))
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.setPen(pen)
            painter.drawPolygon(self.outline(0.74))
            painter.end()
            self._start = self._pixmap(image)
        return self._start

    def side_box(self, side: int) -> QRectF:
        """The box of a hexside sprite around the cell's centre, in map units."""
        return self._side_boxes[side]

    def _side_transform(self, side: int) -> QTransform:
        """From the flat-lying picture of a hexside to its place around the cell's centre."""
        (ax, ay), (bx, by) = self._ends(side)
        length = math.hypot(bx - ax, by - ay)
        transform = QTransform.fromTranslate((ax + bx) / 2, (ay + by) / 2)
        # Corners run clockwise, so the owner lies to the right of the way from a to b on screen:
        # turned to lie flat, it would be below; the picture has it above.
        transform.rotate(math.degrees(math.atan2(by - ay, bx - ax)) + 180)
        return transform.scale(length, length)

    def _ends(self, side: int) -> tuple[tuple[float, float], tuple[float, float]]:
        corners = self.layout.corners
        return corners[side], corners[(side + 1) % len(corners)]

    def _canvas(self, box: QRectF) -> tuple[QImage, QPainter]:
        pixels = self.scale * self.ratio
        width = max(1, math.ceil(box.width() * pixels))
        height = max(1, math.ceil(box.height() * pixels))
        image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(pixels, pixels)
        painter.translate(-box.left(), -box.top())
        return image, painter

    def _pixmap(self, image: QImage) -> QPixmap:
        pixmap = QPixmap.fromImage(image)
        pixmap.setDevicePixelRatio(self.ratio)
        return pixmap

    def outline(self, size: float = 1.0) -> QPolygonF:
        """The cell's polygon, scaled around its centre, in map units."""
        return QPolygonF([QPointF(x * size, y * size) for x, y in self.layout.corners])

    def _draw_cell(self, code: int, elevation: int) -> QPixmap:
        terrain = self.terrain_set.terrains[code]
        image, painter = self._canvas(self.cell_box)
        painter.save()
        self.pictures.ground(painter, terrain)
        painter.restore()
        self._draw_terraces(painter, elevation)
        painter.save()
        self.pictures.feature(painter, terrain)
        painter.restore()
        # Keep what lies inside the cell, a hair larger so that neighbours overlap.
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
        path = QPainterPath()
        path.addPolygon(self.outline(1 + SEAM / (self.scale * self.ratio)))
        path.closeSubpath()
        keep, mask = self._canvas(self.cell_box)
        mask.fillPath(path, Qt.GlobalColor.black)
        mask.end()
        painter.save()
        painter.resetTransform()
        painter.drawImage(0, 0, keep)
        painter.restore()
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.theme.grid_line, 1 / self.scale))
        painter.drawPolygon(self.outline())
        painter.end()
        return self._pixmap(image)

    def _draw_terraces(self, painter: QPainter, elevation: int) -> None:
        """One step inwards for each unit of height: as many rings as the elevation."""
        tints = self.theme.elevation_tints
        pen = QPen(TERRACE, 0.022)
        for level in range(1, min(elevation, 6) + 1):
            size = 1.0 - 0.085 * level
            step, shade = QPainterPath(), QPainterPath()
            step.addPolygon(self.outline(size))
            step.closeSubpath()
            shade.addPolygon(self.outline(size).translated(0.03, 0.045))
            shade.closeSubpath()
            painter.fillPath(shade.subtracted(step), TERRACE_SHADE)
            painter.fillPath(step, tints[min(level, len(tints) - 1)])
            painter.strokePath(step, pen)
        for level in range(1, min(-elevation, 6) + 1):
            painter.setPen(pen)
            painter.setBrush(TERRACE_SHADE)
            painter.drawPolygon(self.outline(1.0 - 0.085 * level))

    def _draw_side(self, code: int, side: int) -> QPixmap:
        image, painter = self._canvas(self._side_boxes[side])
        painter.setTransform(self._side_transform(side), combine=True)
        self.pictures.hexside(painter, self.terrain_set.hexsides[code - 1])
        painter.end()
        return self._pixmap(image)
