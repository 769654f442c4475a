"""Pixmaps of cells, hexsides and pieces at one scale, so that a frame only copies pixels."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPixmap

from app.appearance.painting import painting, saved_state
from app.render.cell_geometry import cell_box, cell_outline
from app.render.level_of_detail import SPRITES_FROM
from app.render.pictures.picture_images import PictureImages
from app.render.pictures.terrain_pictures import Pictures
from app.render.piece import Piece, image_of
from app.render.raster.atlas import Atlas, QuarterPixels
from app.render.scene.cells import bare_cell, board_cell, grid_colour
from app.render.scene.edges import steps
from app.render.scene.edges.drop_lines import End, contour
from app.render.scene.edges.hexside_shapes import HexsideLine, draw_hexside
from app.render.scene.edges.steps import BOARD_BENDS
from app.render.scene.pieces import Pieces
from app.render.scene.scene import Scene
from app.render.scene.surface.ground import texture_bytes
from app.render.style import BOARD, Style
from app.render.theme import Theme
from app.render.viewport import Viewport
from randomizer.model.grid.layouts import SQUARE, Layout
from randomizer.model.planes.routes import RouteSpec
from randomizer.model.terrain.terrain import TerrainSet

OVERLAP_PX = 1.0
"""Cells are drawn larger by this many device pixels, so that no gap shows between them."""

SMALL_OVERLAP_PX = 1.2
"""The same for cells below ``SPRITES_FROM``, whose places are rounded by a larger share."""

PIECE_BYTES = 1800
"""What a piece takes beside its sprite: mostly the path or the function that draws it."""


class Sprites:
    """The scene of one layout, terrain set and theme at one scale, and its sprites.

    ``scale`` is the hex radius in logical pixels, ``ratio`` the number of device pixels in one.
    ``images`` are kept pictures; with None the sprites have their own. ``coarse`` as in ``Pieces``.
    Sprites are drawn when first asked for.
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
        style: Style = BOARD,
        images: PictureImages | None = None,
        coarse: bool = False,
    ) -> None:
        self.layout = layout
        self.terrain_set = terrain_set
        self.theme = theme
        self.scale = scale
        self.ratio = ratio
        overlap_px = SMALL_OVERLAP_PX
        if scale >= SPRITES_FROM:
            overlap_px = OVERLAP_PX
        overlap = overlap_px / (scale * ratio)
        self.cell_box = cell_box(layout, overlap)
        """The box of a cell's sprite around the cell's centre, in map units."""
        images = images or PictureImages(style.pictures(theme, pictures))
        self.pictures = images
        self.pieces = Pieces(
            layout, terrain_set, style, images, theme, 1 / scale, overlap, coarse=coarse
        )
        self.atlas = Atlas(self.pieces, scale * ratio, images)
        self.quarter_pixels = QuarterPixels(self.pieces, scale * ratio)
        self.scene = Scene(self.pieces)
        self.viewport: Viewport | None = None
        """The view that was last filled with them."""
        self._pixmaps: dict[object, QPixmap] = {}

    def adopt(self, former: Sprites) -> None:
        """Take over what is drawn of terrains that both sets have; ``former`` is used no more."""
        pairs = zip(self.terrain_set.terrains, former.terrain_set.terrains, strict=False)
        unchanged = {
            code
            for code, (terrain, former_terrain) in enumerate(pairs)
            if terrain == former_terrain
        }
        self.atlas.adopt(former.atlas, unchanged)

    @property
    def bytes(self) -> int:
        """About how much memory the sprites take, with the pieces that they show."""
        pixmaps = (pixmap.size() for pixmap in self._pixmaps.values())
        singles = sum(4 * size.width() * size.height() for size in pixmaps)
        pieces = PIECE_BYTES * len(self.pieces) + texture_bytes(self.pieces)
        return self.atlas.bytes + singles + pieces

    # --- single pictures --------------------------------------------------------------------

    def cell(self, terrain: int, elevation: int) -> QPixmap:
        """Return a cell of terrain index ``terrain``: ground, feature, steps round its
        elevation.
        """
        features = self.pieces.features
        if features is not None:
            return self._together(bare_cell(self.pieces), *features.on_one_cell(terrain, elevation))
        ground = board_cell(self.pieces, terrain, elevation)
        return self._together(ground, *steps.alone(self.pieces, elevation))

    def route(self, route: RouteSpec) -> QPixmap:
        """Return a cell of bare ground with a route from side to side."""
        terrains = enumerate(self.terrain_set.terrains)
        land = next((code for code, terrain in terrains if not terrain.water), 0)
        pictured = self.pieces.features is not None
        if pictured:
            ground = bare_cell(self.pieces)
        else:
            ground = board_cell(self.pieces, land, 0)
        return self._together(ground, self.pieces.routes.sample(route))

    def _together(self, *pieces: Piece) -> QPixmap:
        """Pieces on one cell, in ``cell_box``."""
        with image_of(self.cell_box, self.atlas.unit) as (image, painter):
            for piece in pieces:
                with saved_state(painter):
                    piece.draw_clipped(painter)
        return self._pixmap(image)

    def pixmap(self, piece: Piece) -> QPixmap:
        """Return a piece, in its box."""
        sprite = self._pixmaps.get(piece.key)
        if sprite is None:
            with image_of(piece.box, self.atlas.unit) as (image, painter):
                piece.draw_clipped(painter)
            sprite = self._pixmaps[piece.key] = self._pixmap(image)
        return sprite

    def tile(self, colour: QColor) -> QPixmap:
        """Return a cell of one colour, in ``cell_box``."""
        return self._drawn(("tile", colour.rgba()), Qt.PenStyle.NoPen, colour)

    def grid_line(self) -> QPixmap:
        """Return the outline of a cell, in ``cell_box``."""
        pen = QPen(grid_colour(self.pieces), 1 / self.scale)
        return self._drawn("grid line", pen, Qt.BrushStyle.NoBrush)

    def _drawn(
        self, key: object, pen: QPen | Qt.PenStyle, brush: QColor | Qt.BrushStyle
    ) -> QPixmap:
        """Return the polygon of a cell."""
        sprite = self._pixmaps.get(key)
        if sprite is None:
            with image_of(self.cell_box, self.atlas.unit) as (image, painter):
                painter.setPen(pen)
                painter.setBrush(brush)
                painter.drawPolygon(cell_outline(self.layout, 1.0))
            sprite = self._pixmaps[key] = self._pixmap(image)
        return sprite

    def _pixmap(self, image: QImage) -> QPixmap:
        pixmap = QPixmap.fromImage(image)
        pixmap.setDevicePixelRatio(self.ratio)
        return pixmap


SOUTH = 2
"""The lower side of a square."""


def hexside_picture(sprites: Sprites, code: int, width: int) -> QPixmap:
    """Return a picture of a hexside: a horizontal edge with its owner above."""
    ratio = sprites.ratio
    image = QImage(
        round(width * ratio), round(width * 0.5 * ratio), QImage.Format.Format_ARGB32_Premultiplied
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
