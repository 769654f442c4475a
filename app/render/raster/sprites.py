"""Pixmaps of cells, hexsides and symbols at one scale, so that a frame only copies pixels."""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPixmap

from app.appearance.painting import painting
from app.render.cell_geometry import cell_box, cell_outline, side_ends, side_transform
from app.render.detail import SPRITES_FROM
from app.render.picture_source import SIDE_BOX, Pictures, pictures_in
from app.render.raster.cell_sheet import CellSheet
from app.render.terrain_pictures import TerrainPictures

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.render.symbols import Symbol
    from app.render.table.features import TableFeatures
    from app.render.terrain_pictures import CellKey
    from app.render.theme import Theme
    from randomizer.model.layouts import Layout
    from randomizer.model.routes import RouteSpec
    from randomizer.model.terrain import TerrainSet

OVERLAP_PX = 0.6
"""Cells are drawn larger by this many device pixels, so that no gap shows between them."""

SMALL_OVERLAP_PX = 1.2
"""The same for cells below ``SPRITES_FROM``, whose places are rounded by a larger share."""

FAINT_BELOW = 16.0
"""Grid lines get fainter below this scale, where so many of them would hide the map."""


class Sprites:
    """The sprites of one layout, terrain set and theme at one scale, drawn when first asked for.

    ``scale`` is the hex radius in logical pixels, ``ratio`` the number of device pixels in one.
    Cells are made from ``terrain_pictures``, or from their own if None.
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
        overlap_px = OVERLAP_PX if scale >= SPRITES_FROM else SMALL_OVERLAP_PX
        self._overlap = overlap_px / (scale * ratio)
        self.cell_box = cell_box(layout, self._overlap)
        """The box of a cell's sprite around the cell's centre, in map units."""
        cap = 0.06 + 2 / scale  # the round ends of a map edge reach beyond the picture of a hexside
        self._side_boxes = [
            side_transform(self.layout, side).mapRect(SIDE_BOX).adjusted(-cap, -cap, cap, cap)
            for side in range(layout.degree)
        ]

        terrain_pictures = terrain_pictures or TerrainPictures(layout, terrain_set, pictures, theme)
        self._terrain_pictures = terrain_pictures
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
        """How much memory the sprites of cells and symbols take."""
        symbols = sum(pixmap.width() * pixmap.height() for pixmap in self._symbols.values())
        return self.sheet.bytes + 4 * symbols

    @property
    def table_features(self) -> TableFeatures:
        """What draws the features of wargame tables."""
        return self._terrain_pictures.table_features

    # --- cells ------------------------------------------------------------------------------

    def cell(self, terrain: int, elevation: int) -> QPixmap:
        """A cell of terrain index ``terrain``: ground, terraces of its elevation, feature."""
        return self._on_cell(
            (terrain, elevation, 0), self.table_features.on_one_cell(terrain, elevation)
        )

    def route(self, route: RouteSpec) -> QPixmap:
        """A cell of the first terrain with a route from side to side."""
        return self._on_cell((0, 0, 0), (self.table_features.sample(route),))

    def _on_cell(self, key: CellKey, symbols: Iterable[Symbol]) -> QPixmap:
        """A cell, on a table with ``symbols`` on it."""
        self.sheet.draw([key])
        pixmap = self.sheet.pixmap.copy(self.sheet.rect(key))
        pixmap.setDevicePixelRatio(self.ratio)
        if self.terrain_set.contours:
            with painting(pixmap) as painter:
                for symbol in symbols:
                    at = (symbol.box.topLeft() - self.cell_box.topLeft()) * self.scale
                    painter.drawPixmap(at, self.symbol(symbol))
        return pixmap

    def has_symbol(self, symbol: Symbol) -> bool:
        """Whether the sprite of a symbol is drawn already."""
        return symbol.key in self._symbols

    def symbol(self, symbol: Symbol) -> QPixmap:
        """A symbol, in its box."""
        sprite = self._symbols.get(symbol.key)
        if sprite is None:
            with self._canvas(symbol.box) as (image, painter):
                painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
                symbol.draw(painter)
            sprite = self._symbols[symbol.key] = self._pixmap(image)
        return sprite

    def tile(self, colour: QColor) -> QPixmap:
        """A cell of one colour, in ``cell_box``."""
        key = ("tile", colour.rgba())
        sprite = self._others.get(key)
        if sprite is None:
            with self._canvas(self.cell_box) as (image, painter):
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colour)
                painter.drawPolygon(cell_outline(self.layout))
            sprite = self._others[key] = self._pixmap(image)
        return sprite

    def _stencil(self) -> QPixmap:
        with self._canvas(self.cell_box) as (image, painter):
            path = QPainterPath()
            path.addPolygon(cell_outline(self.layout, 1 + self._overlap))
            path.closeSubpath()
            painter.fillPath(path, Qt.GlobalColor.black)
        return QPixmap.fromImage(image)

    def _grid_outline(self) -> QPixmap:
        with self._canvas(self.cell_box) as (image, painter):
            colour = QColor(self.theme.grid_line)
            if self.scale < FAINT_BELOW:
                colour.setAlphaF(colour.alphaF() * self.scale / FAINT_BELOW)
            painter.setPen(QPen(colour, 1 / self.scale))
            painter.drawPolygon(cell_outline(self.layout))
        return QPixmap.fromImage(image)

    def grid_line(self) -> QPixmap:
        """The outline of a cell, in ``cell_box``."""
        sprite = self._others.get("grid line")
        if sprite is None:
            sprite = self._grid_outline()
            sprite.setDevicePixelRatio(self.ratio)
            self._others["grid line"] = sprite
        return sprite

    def start_outline(self) -> QPixmap:
        """The outline within a listed cell, in ``cell_box``."""
        sprite = self._others.get("start")
        if sprite is None:
            with self._canvas(self.cell_box) as (image, painter):
                pen = QPen(self.theme.cell_list, max(2.0 / self.scale, 0.04))
                pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
                painter.setPen(pen)
                painter.drawPolygon(cell_outline(self.layout, 0.74))
            sprite = self._others["start"] = self._pixmap(image)
        return sprite

    # --- sides ------------------------------------------------------------------------------

    def hexside(self, code: int, side: int) -> QPixmap:
        """Hexside ``code`` (from 1 on) on one side of its owner, in ``side_box``."""
        key = ("side", code, side)
        sprite = self._others.get(key)
        if sprite is None:
            with self._canvas(self._side_boxes[side]) as (image, painter):
                painter.setTransform(side_transform(self.layout, side), combine=True)
                self.pictures.hexside(painter, self.terrain_set.hexsides[code - 1])
            sprite = self._others[key] = self._pixmap(image)
        return sprite

    def map_edge(self, side: int) -> QPixmap:
        """The map's edge along one side of a cell, in ``side_box``."""
        return self._edge(side, self.theme.board_outline, Qt.PenStyle.SolidLine)

    def seam(self, side: int) -> QPixmap:
        """The seam of a map that wraps along one side of a cell, in ``side_box``."""
        return self._edge(side, self.theme.seam, Qt.PenStyle.DotLine)

    def _edge(self, side: int, colour: QColor, style: Qt.PenStyle) -> QPixmap:
        key = ("edge", side, colour.rgba(), style)
        sprite = self._others.get(key)
        if sprite is None:
            with self._canvas(self._side_boxes[side]) as (image, painter):
                pen = QPen(colour, max(1.5 / self.scale, 0.05), style)
                pen.setCapStyle(Qt.PenCapStyle.RoundCap)
                painter.setPen(pen)
                (ax, ay), (bx, by) = side_ends(self.layout, side)
                painter.drawLine(QPointF(ax, ay), QPointF(bx, by))
            sprite = self._others[key] = self._pixmap(image)
        return sprite

    def side_box(self, side: int) -> QRectF:
        """The box of a hexside's sprite around the cell's centre, in map units."""
        return self._side_boxes[side]

    @contextmanager
    def _canvas(self, box: QRectF) -> Iterator[tuple[QImage, QPainter]]:
        """An empty image for a box in map units, and a painter whose unit is the map unit."""
        pixels = self.scale * self.ratio
        width = max(1, math.ceil(box.width() * pixels))
        height = max(1, math.ceil(box.height() * pixels))
        image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        with painting(image) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.scale(pixels, pixels)
            painter.translate(-box.left(), -box.top())
            yield image, painter

    def _pixmap(self, image: QImage) -> QPixmap:
        pixmap = QPixmap.fromImage(image)
        pixmap.setDevicePixelRatio(self.ratio)
        return pixmap
