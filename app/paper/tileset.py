"""The pictures of a tileset, such as Tiled shows: one for each look of the cells of a map.

A look (``formats.Look``) is one value of one plane: a terrain, an elevation, a road. Looks are
drawn as on a map of the desk, but each alone, side by side on one picture. Begin with
``paint_tiles``, which is given to the formats that write tilesets: they know no Qt.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from app.appearance.painting import painting, saved_state
from app.paper.picture_request import picture_theme
from app.render.cell_geometry import cell_box, cell_outline
from app.render.pictures.own_pictures import know_assets_of, png_of
from app.render.pictures.terrain_pictures import Pictures
from app.render.scene.cells import board_cell
from app.render.scene.edges.hexsides import hexside
from app.render.scene.icons import font
from app.render.scene.pieces import Pieces
from app.render.scene.routes.route_pieces import RoutePieces
from app.render.style import style_of
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.routes import SIDES
from randomizer.systems.interchange.tile_pictures import COLUMNS, plain_picture

if TYPE_CHECKING:
    from randomizer.formats import Look
    from randomizer.model.planes.planes import PlaneSpec

TEXT_SIZE = 0.36
"""The type size of the number of an elevation, as a share of half a cell's height."""

TEXT_Y = 0.56
"""The distance of the number below the centre of the cell, as a share of half a cell's height."""

_FONT_SIZE = 100
"""The size of the font in which the number is set before it is scaled."""

_HALO_WIDTH = 16
"""The width of the light line around the number, in units of which the font has 100."""


def paint_tiles(
    battlemap: BattleMap, looks: Sequence[Look | None], width: int, height: int
) -> bytes:
    """Return a PNG of pictures of ``width`` x ``height`` pixels, one a look (``TilePainter``).

    They lie in rows of ``COLUMNS``; that of None is clear. It may be called on any thread.
    """
    know_assets_of(battlemap)
    tiles = _Tiles(battlemap, width, height)
    rows = math.ceil(len(looks) / COLUMNS)
    image = QImage(COLUMNS * width, rows * height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with painting(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for index, look in enumerate(looks):
            if look is None:
                continue
            row, column = divmod(index, COLUMNS)
            with saved_state(painter):
                painter.translate(column * width, row * height)
                painter.setClipRect(0, 0, width, height)
                tiles.draw(painter, look)
    return png_of(image)


class _Tiles:
    """Draws looks into pictures of ``width`` x ``height`` pixels."""

    def __init__(self, battlemap: BattleMap, width: int, height: int) -> None:
        self._battlemap = battlemap
        self._width = width
        self._height = height
        system = battlemap.system
        terrain_set = battlemap.terrain_set
        layout = battlemap.grid.layout

        self._terrain_plane = _plane_of(system.terrain)
        self._height_plane = _plane_of(system.height)
        self._side_plane = _plane_of(system.hexside)
        self._routes = {route.plane: route for route in system.routes_of(terrain_set)}
        """What runs through cells, such as roads, by its plane."""

        theme = picture_theme("light")
        style = style_of(system)
        self._box = cell_box(layout, 0.0)
        """The box around a cell, in map units: it fills the picture."""
        pixel = self._box.width() / width
        pictures = style.pictures(theme, Pictures())
        self._pieces = Pieces(layout, terrain_set, style, pictures, theme, pixel, pixel / 2)
        self._route_pieces = RoutePieces(layout, terrain_set, theme, pixel)

    def draw(self, painter: QPainter, look: Look) -> None:
        """Draw a look with its left top corner at the painter's origin, whose unit is the pixel."""
        planes_of_desk = {self._terrain_plane, self._height_plane, self._side_plane, *self._routes}
        if look.plane in planes_of_desk:
            painter.scale(self._width / self._box.width(), self._height / self._box.height())
            painter.translate(-self._box.topLeft())
            self._draw_as_on_map(painter, look)
        else:
            self._draw_plainly(painter, look)

    def _draw_as_on_map(self, painter: QPainter, look: Look) -> None:
        """Draw a look as the desk draws it around (0, 0), in map units.

        A value of 0 means that there is nothing, except for terrains.
        """
        if look.plane == self._terrain_plane:
            board_cell(self._pieces, look.value, 0, grid_lines=False).draw_clipped(painter)
        elif not look.value:
            return
        elif look.plane == self._height_plane:
            self._draw_elevation(painter, look.value)
        elif look.plane == self._side_plane:
            hexside(self._pieces, look.value, look.side).draw_clipped(painter)
        else:
            route = self._routes[look.plane]
            self._route_pieces.through(route, look.value & SIDES).draw_clipped(painter)

    def _draw_plainly(self, painter: QPainter, look: Look) -> None:
        """Draw what has no look of its own on a map: regions, and where rivers flow."""
        width = self._width
        height = self._height
        pixels = plain_picture(self._battlemap, look, width, height).tobytes()
        picture = QImage(pixels, width, height, 4 * width, QImage.Format.Format_RGBA8888)
        painter.drawImage(0, 0, picture)

    def _draw_elevation(self, painter: QPainter, elevation: int) -> None:
        """Draw the tint of an elevation, and its number in the lower half of the cell."""
        layout = self._pieces.layout
        with saved_state(painter):
            outline = QPainterPath()
            outline.addPolygon(cell_outline(layout, 1.0))
            painter.setClipPath(outline, Qt.ClipOperation.IntersectClip)
            self._pieces.draw_tint(painter, elevation)

        # The number, its middle at the origin of a painter whose unit is that of the font.
        number = QPainterPath()
        number.addText(0, 0, font(_FONT_SIZE), str(elevation))
        half_height = max(y for _x, y in layout.corners)
        text_scale = TEXT_SIZE * half_height / _FONT_SIZE
        painter.translate(0, TEXT_Y * half_height)
        painter.scale(text_scale, text_scale)
        painter.translate(-number.boundingRect().center())
        painter.strokePath(number, QPen(QColor(255, 255, 255, 200), _HALO_WIDTH))
        painter.fillPath(number, QColor(30, 26, 22))


def _plane_of(spec: PlaneSpec | None) -> str | None:
    """Return the name of a plane of a system, None if its maps do not have it."""
    if spec is None:
        return None
    return spec.name
