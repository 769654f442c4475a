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

from app.render.picture_source import SIDE_BOX, Pictures, pictures_in
from app.render.raster.cell_sheet import CellSheet
from app.render.terrain_pictures import TerrainPictures

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.render.theme import Theme
    from app.render.vector.symbol_painter import Symbol
    from randomizer.model.layouts import Layout
    from randomizer.model.routes import RouteSpec
    from randomizer.model.terrain import TerrainSet

SEAM = 0.6
"""Cell sprites are grown by this many device pixels, so that no seam shows between them."""

SIDE_REACH = 0.16
"""How far a hexside may reach over the edge into the other cell, in map units."""

FAINT_BELOW = 16.0
"""Grid lines get fainter below this scale: so many of them would hide the map."""


class Sprites:
    """The sprites of one layout, terrain set and theme at one scale.

    ``scale`` is the hex radius in logical pixels, ``ratio`` the device pixel ratio. Sprites are
    drawn when first asked for, from ``terrain_pictures`` where those are large enough.
    """

    def __init__(
        self,
        layout: Layout,
        terrain_set: TerrainSet,
        pictures: Pictures,
        theme: Theme,
        scale: float,
        ratio: float,
        *,
        terrain_pictures: TerrainPictures | None = None,
        grid_lines: bool = True,
    ) -> None:
        self.layout = layout
        self.terrain_set = terrain_set
        self.pictures = pictures_in(theme, pictures)
        self.theme = theme
        self.scale = scale
        self.ratio = ratio
        self._others: dict[object, QPixmap] = {}
        grow = SEAM / (scale * ratio)
        xs = [x for x, _ in layout.corners]
        ys = [y for _, y in layout.corners]
        self.cell_box = QRectF(
            QPointF(min(xs) - grow, min(ys) - grow), QPointF(max(xs) + grow, max(ys) + grow)
        )
        """The box of a cell sprite around the cell's centre, in map units."""
        cap = 0.06 + 2 / scale  # round ends of the rim reach beyond the picture of a hexside
        self._side_boxes = [
            side_transform(self.layout, side).mapRect(SIDE_BOX).adjusted(-cap, -cap, cap, cap)
            for side in range(layout.degree)
        ]

        terrain_pictures = terrain_pictures or TerrainPictures(layout, terrain_set, pictures, theme)
        self.table_features = terrain_pictures.table_features
        self._symbols: dict[object, QPixmap] = {}
        self.sheet = CellSheet(
            terrain_pictures,
            terrain_set.terrains,
            theme,
            self.cell_box,
            scale * ratio,
            self._stencil(),
            self._grid_outline() if grid_lines else None,
        )
        """The sprites of cells, in ``cell_box``."""

    @property
    def bytes(self) -> int:
        """How much memory the sprites of cells take."""
        symbols = sum(pixmap.width() * pixmap.height() for pixmap in self._symbols.values())
        return self.sheet.bytes + 4 * symbols

    # --- cells ------------------------------------------------------------------------------

    def cell(self, terrain: int, elevation: int) -> QPixmap:
        """A cell of terrain index ``terrain``: ground, terraces of its elevation, feature."""
        return self._on_cell(
            (terrain, elevation), self.table_features.on_one_cell(terrain, elevation)
        )

    def route(self, route: RouteSpec) -> QPixmap:
        """A cell with a route from side to side."""
        return self._on_cell((0, 0), (self.table_features.sample(route),))

    def _on_cell(self, look: tuple[int, int], symbols: Iterable[Symbol]) -> QPixmap:
        self.sheet.draw([look])
        pixmap = self.sheet.pixmap.copy(self.sheet.rect(look))
        pixmap.setDevicePixelRatio(self.ratio)
        if self.terrain_set.contours:
            painter = QPainter(pixmap)
            for symbol in symbols:
                at = (symbol.box.topLeft() - self.cell_box.topLeft()) * self.scale
                painter.drawPixmap(at, self.symbol(symbol))
            painter.end()
        return pixmap

    def has_symbol(self, symbol: Symbol) -> bool:
        """Whether it is drawn already."""
        return symbol.key in self._symbols

    def symbol(self, symbol: Symbol) -> QPixmap:
        """A piece of what is laid on the ground, in its box."""
        sprite = self._symbols.get(symbol.key)
        if sprite is None:
            image, painter = self._canvas(symbol.box)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            symbol.draw(painter)
            painter.end()
            sprite = self._symbols[symbol.key] = self._pixmap(image)
        return sprite

    def tile(self, colour: QColor) -> QPixmap:
        """A cell of one colour, in ``cell_box``."""
        key = ("tile", colour.rgba())
        sprite = self._others.get(key)
        if sprite is None:
            image, painter = self._canvas(self.cell_box)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawPolygon(self.outline())
            painter.end()
            sprite = self._others[key] = self._pixmap(image)
        return sprite

    def _stencil(self) -> QPixmap:
        image, painter = self._canvas(self.cell_box)
        path = QPainterPath()
        path.addPolygon(self.outline(1 + SEAM / (self.scale * self.ratio)))
        path.closeSubpath()
        painter.fillPath(path, Qt.GlobalColor.black)
        painter.end()
        return QPixmap.fromImage(image)

    def _grid_outline(self) -> QPixmap:
        image, painter = self._canvas(self.cell_box)
        colour = QColor(self.theme.grid_line)
        if self.scale < FAINT_BELOW:
            colour.setAlphaF(colour.alphaF() * self.scale / FAINT_BELOW)
        painter.setPen(QPen(colour, 1 / self.scale))
        painter.drawPolygon(self.outline())
        painter.end()
        return QPixmap.fromImage(image)

    def border(self) -> QPixmap:
        """The line between cells, in ``cell_box``."""
        sprite = self._others.get("border")
        if sprite is None:
            sprite = self._grid_outline()
            sprite.setDevicePixelRatio(self.ratio)
            self._others["border"] = sprite
        return sprite

    def start_mark(self) -> QPixmap:
        """The outline of a cell on the start list, in ``cell_box``."""
        sprite = self._others.get("start")
        if sprite is None:
            image, painter = self._canvas(self.cell_box)
            pen = QPen(self.theme.start_list, max(2.0 / self.scale, 0.04))
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.setPen(pen)
            painter.drawPolygon(self.outline(0.74))
            painter.end()
            sprite = self._others["start"] = self._pixmap(image)
        return sprite

    # --- sides ------------------------------------------------------------------------------

    def side(self, code: int, side: int) -> QPixmap:
        """Hexside ``code`` (1 ...) on one side of its owner, in the box ``side_box`` gives."""
        key = ("side", code, side)
        sprite = self._others.get(key)
        if sprite is None:
            image, painter = self._canvas(self._side_boxes[side])
            painter.setTransform(side_transform(self.layout, side), combine=True)
            self.pictures.hexside(painter, self.terrain_set.hexsides[code - 1])
            painter.end()
            sprite = self._others[key] = self._pixmap(image)
        return sprite

    def map_edge(self, side: int) -> QPixmap:
        """The board's rim along one side of a cell, in the box ``side_box`` gives."""
        return self._edge(side, self.theme.board_outline, Qt.PenStyle.SolidLine)

    def seam(self, side: int) -> QPixmap:
        """The edge at which a world that goes round is cut open, as ``map_edge``."""
        return self._edge(side, self.theme.seam, Qt.PenStyle.DotLine)

    def _edge(self, side: int, colour: QColor, style: Qt.PenStyle) -> QPixmap:
        key = ("edge", side, colour.rgba(), style)
        sprite = self._others.get(key)
        if sprite is None:
            image, painter = self._canvas(self._side_boxes[side])
            pen = QPen(colour, max(1.5 / self.scale, 0.05), style)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            (ax, ay), (bx, by) = side_ends(self.layout, side)
            painter.drawLine(QPointF(ax, ay), QPointF(bx, by))
            painter.end()
            sprite = self._others[key] = self._pixmap(image)
        return sprite

    def side_box(self, side: int) -> QRectF:
        """The box of a hexside sprite around the cell's centre, in map units."""
        return self._side_boxes[side]

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


def side_ends(layout: Layout, side: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """The corners between which a side runs, around the cell's centre, in map units."""
    return layout.corners[side], layout.corners[(side + 1) % layout.degree]


def side_transform(layout: Layout, side: int) -> QTransform:
    """From the flat-lying picture of a hexside to its place around the cell's centre."""
    (ax, ay), (bx, by) = side_ends(layout, side)
    length = math.hypot(bx - ax, by - ay)
    transform = QTransform.fromTranslate((ax + bx) / 2, (ay + by) / 2)
    # Corners run clockwise, so the owner lies to the right of the way from a to b on screen:
    # turned to lie flat, it would be below; the picture has it above.
    transform.rotate(math.degrees(math.atan2(by - ay, bx - ax)) + 180)
    return transform.scale(length, length)
