"""Sprites: pixmaps of what a map shows at one scale, so that a frame only copies pixels.

``Sprites`` belongs to one layout, terrain set, theme and scale. The renderer takes most pixmaps of
its frames from the ``atlas``; methods such as ``cell_pixmap`` return single ones, also for the
palette and menus::

    sprites = Sprites(FLAT, terrain_set, Pictures(), theme("light"), scale=24, ratio=1)
    button.setIcon(QIcon(sprites.cell_pixmap(terrain=3, elevation=0)))
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPaintDevice, QPen, QPixmap

from app.appearance.painting import saved_state
from app.render.cell_geometry import cell_box, cell_outline
from app.render.level_of_detail import SPRITES_FROM
from app.render.pictures.ground_images import GroundImages
from app.render.pictures.picture_images import PictureImages
from app.render.pictures.terrain_pictures import Pictures
from app.render.piece import Piece, image_of
from app.render.raster.atlas import Atlas
from app.render.raster.quarter_pixels import QuarterPixels
from app.render.scene.cells import bare_cell, board_cell, grid_colour
from app.render.scene.edges import steps
from app.render.scene.pieces import Pieces
from app.render.scene.scene import Scene
from app.render.scene.surface.ground_textures import texture_bytes
from app.render.style import BOARD, Style
from app.render.theme import Theme
from app.render.viewport import Viewport
from randomizer.model.grid.layouts import Layout
from randomizer.model.planes.routes import RouteSpec
from randomizer.model.terrain.terrain import TerrainSet

OVERLAP_PX = 1.0
"""Cells are drawn larger by this many device pixels, so that no gap shows between them."""

SMALL_OVERLAP_PX = 1.2
"""By how many device pixels cells below ``SPRITES_FROM`` are drawn larger: rounding to pixels moves
them by a larger share of their size."""

PIECE_BYTES = 1800
"""About the memory of a piece without its sprite: mostly the path or the function that draws it."""

PIXEL_BYTES = 4
"""The bytes of a pixel of a pixmap."""

MIN_SINGLE_RATIO = 2.0
"""Single sprites, for buttons, lists and menus, have at least so many pixels for a logical one.

They are then sharp, too, when their window is moved to a screen with so many pixels.
"""


def single_ratio(device: QPaintDevice) -> float:
    """Return the ``Sprites.ratio`` for single sprites that are shown on a device, a widget."""
    return max(device.devicePixelRatioF(), MIN_SINGLE_RATIO)


class Sprites:
    """The pieces of one layout, terrain set and theme at one scale, and their sprites.

    ``images`` are pictures that are painted already, shared with other scales; with None the
    sprites paint ``pictures`` for themselves. ``coarse`` is that of ``Pieces``. A sprite is drawn
    when it is first asked for.
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
        """The hex radius in logical pixels."""
        self.ratio = ratio
        """The number of device pixels in a logical one."""
        overlap_px = SMALL_OVERLAP_PX
        if scale >= SPRITES_FROM:
            overlap_px = OVERLAP_PX
        overlap = overlap_px / (scale * ratio)
        self.cell_box = cell_box(layout, overlap)
        """The box of a cell's sprite around the cell's centre, in map units."""
        if images is None:
            images = PictureImages(style.pictures_in_theme(theme, pictures))
        self.images = images
        """The painted pictures of terrains from which the sprites are drawn."""
        self._ground_images: GroundImages | None = None
        """The grounds of a map seen from afar, whose sprites are thousands; None for other sprites,
        which are larger, and of which fewer show the same section of a ground."""
        if coarse:
            self._ground_images = GroundImages(images, scale * ratio)
        self.pieces = Pieces(
            layout,
            terrain_set,
            style,
            self._ground_images or images,
            theme,
            pixel=1 / scale,
            overlap=overlap,
            coarse=coarse,
        )
        self.atlas = Atlas(self.pieces, scale * ratio, images)
        """The sprites of the pieces that frames draw, many on each of a few large pixmaps."""
        self.quarter_pixels = QuarterPixels(self.pieces, scale * ratio)
        """The pieces of fine lines, moved by quarters of a pixel."""
        self.scene = Scene(self.pieces)
        self.viewport: Viewport | None = None
        """The view that was last filled with these sprites, None if none was."""
        self._pixmaps: dict[object, QPixmap] = {}
        """The single pixmaps drawn so far, by the key of their piece or a key of their own."""

    def adopt(self, former: Sprites) -> None:
        """Take over what the ``former`` sprites have drawn of terrains that have not changed.

        Sprites of another terrain set begin so, after an edit of the set. ``former`` cannot be used
        any more.
        """
        # One set may have more terrains: the others at its end are in one set only.
        pairs = zip(self.terrain_set.terrains, former.terrain_set.terrains, strict=False)
        unchanged_codes = set()
        for code, (terrain, former_terrain) in enumerate(pairs):
            if terrain == former_terrain:
                unchanged_codes.add(code)
        self.atlas.adopt(former.atlas, unchanged_codes)

    @property
    def bytes(self) -> int:
        """About how much memory the sprites take, with the pieces that they show."""
        bytes_of_pixmaps = 0
        for pixmap in self._pixmaps.values():
            bytes_of_pixmaps += PIXEL_BYTES * pixmap.width() * pixmap.height()
        bytes_of_pieces = PIECE_BYTES * len(self.pieces) + texture_bytes(self.pieces)
        bytes_of_grounds = 0
        if self._ground_images is not None:
            bytes_of_grounds = self._ground_images.byte_count
        return self.atlas.bytes + bytes_of_pixmaps + bytes_of_pieces + bytes_of_grounds

    # --- single pixmaps ---------------------------------------------------------------------

    def cell_pixmap(self, terrain: int, elevation: int) -> QPixmap:
        """Draw the pixmap of a cell as if it were alone on level land, in ``cell_box``.

        It has the ground and the feature of a terrain (an index into the set) and the steps at its
        sides, if its ``elevation`` is not 0.
        """
        features = self.pieces.features
        if features is not None:
            return self._pixmap_on_cell(
                bare_cell(self.pieces), *features.on_one_cell(terrain, elevation)
            )
        ground = board_cell(self.pieces, terrain, elevation)
        return self._pixmap_on_cell(ground, *steps.steps_of_single_cell(self.pieces, elevation))

    def route_pixmap(self, route: RouteSpec) -> QPixmap:
        """Draw the pixmap of a cell of land with a route from side to side, in ``cell_box``."""
        if self.pieces.features is not None:
            ground = bare_cell(self.pieces)
        else:
            ground = board_cell(self.pieces, self._first_land(), elevation=0)
        return self._pixmap_on_cell(ground, self.pieces.routes.sample(route))

    def _first_land(self) -> int:
        """Return the index of the first terrain that is not water, which routes are shown on.

        0 if all are water: a set needs some ground on which its routes are shown.
        """
        for code, terrain in enumerate(self.terrain_set.terrains):
            if not terrain.water:
                return code
        return 0

    def _pixmap_on_cell(self, *pieces: Piece) -> QPixmap:
        """Return a pixmap of pieces on one cell, from the bottom up, in ``cell_box``."""
        with (
            self.images.with_stored_images(),
            image_of(self.cell_box, self.atlas.unit) as (image, painter),
        ):
            for piece in pieces:
                with saved_state(painter):
                    piece.draw_clipped(painter)
        return self._pixmap_of(image)

    def pixmap(self, piece: Piece) -> QPixmap:
        """Return the pixmap of a piece by itself, in the box of the piece."""
        sprite = self._pixmaps.get(piece.key)
        if sprite is None:
            with image_of(piece.box, self.atlas.unit) as (image, painter):
                piece.draw_clipped(painter)
            sprite = self._pixmap_of(image)
            self._pixmaps[piece.key] = sprite
        return sprite

    def coloured_cell(self, colour: QColor) -> QPixmap:
        """Return the pixmap of a cell of one colour without an outline, in ``cell_box``."""
        return self._cell_polygon(("tile", colour.rgba()), Qt.PenStyle.NoPen, colour)

    def grid_line_pixmap(self) -> QPixmap:
        """Return the pixmap of the outline of a cell, in ``cell_box``."""
        pen = QPen(grid_colour(self.pieces), 1 / self.scale)
        return self._cell_polygon("grid line", pen, Qt.BrushStyle.NoBrush)

    def _cell_polygon(
        self, key: object, pen: QPen | Qt.PenStyle, brush: QColor | Qt.BrushStyle
    ) -> QPixmap:
        """Return the pixmap of a cell's polygon, in ``cell_box``; each ``key`` is drawn once."""
        sprite = self._pixmaps.get(key)
        if sprite is None:
            with image_of(self.cell_box, self.atlas.unit) as (image, painter):
                painter.setPen(pen)
                painter.setBrush(brush)
                painter.drawPolygon(cell_outline(self.layout))
            sprite = self._pixmap_of(image)
            self._pixmaps[key] = sprite
        return sprite

    def _pixmap_of(self, image: QImage) -> QPixmap:
        """Return the pixmap of an image of device pixels."""
        pixmap = QPixmap.fromImage(image)
        pixmap.setDevicePixelRatio(self.ratio)
        return pixmap
