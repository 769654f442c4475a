"""Paints the picture of a tileset for Tiled: a PNG with a tile for each look of the cells of a map.

A map has a *plane* of values for each property of its cells: terrain, elevation, roads and so on. A
*look* (``formats.Look``) is one value of one plane, such as the terrain number 3. Its tile shows
what the editor's canvas would draw for this value in a cell that has nothing else::

    looks = [Look("terrain", side=0, value=3), None, Look("elevation", side=0, value=2)]
    png = paint_tiles(battlemap, looks, width=120, height=104)   # 8 tiles a row, the second clear

The formats that write tilesets know no Qt, so that they are given ``paint_tiles`` as a function.
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
from app.render.pictures.own_pictures import register_assets_of
from app.render.pictures.picture_files import png_of
from app.render.pictures.terrain_pictures import Pictures
from app.render.scene.cells import board_cell
from app.render.scene.edges.hexsides import single_piece
from app.render.scene.icons import font
from app.render.scene.pieces import Pieces
from app.render.scene.routes.route_pieces import RoutePieces
from app.render.style import style_of
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.routes import SIDES
from randomizer.systems.interchange.tile_pictures import COLUMNS, plain_picture

if TYPE_CHECKING:
    from randomizer.formats.tile_looks import Look
    from randomizer.model.planes.planes import PlaneSpec

TEXT_SIZE = 0.36
"""The type size of the number of an elevation, as a share of half a cell's height."""

TEXT_Y = 0.56
"""The distance of the number below the centre of the cell, as a share of half a cell's height."""

_FONT_SIZE = 100
"""The type size, in pixels, in which the number is set before it is scaled to ``TEXT_SIZE``."""

_HALO_WIDTH = 16
"""The width of the light line around the number, in pixels of the type of ``_FONT_SIZE``."""

_HALO_COLOUR = QColor(255, 255, 255, 200)
"""A translucent white: the number is readable on dark tints, too."""

_TEXT_COLOUR = QColor(30, 26, 22)
"""The colour of the number: nearly black."""

_RGBA_BYTES = 4
"""The bytes of a pixel of ``plain_picture``."""


def paint_tiles(
    battlemap: BattleMap, looks: Sequence[Look | None], width: int, height: int
) -> bytes:
    """Return the PNG of a tileset, whose tiles have ``width`` x ``height`` pixels each.

    The tiles lie in the order of ``looks``, row by row, with ``COLUMNS`` in a row; the tile of None
    is clear. The function is a ``formats.TilePainter``, and may be called on any thread.
    """
    register_assets_of(battlemap)  # terrains can have pictures of the user's own
    tile_painter = _TilePainter(battlemap, width, height)
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
                tile_painter.draw(painter, look)
    return png_of(image)


class _TilePainter:
    """Draws single tiles of ``width`` x ``height`` pixels for the looks of one map."""

    def __init__(self, battlemap: BattleMap, width: int, height: int) -> None:
        self._battlemap = battlemap
        self._width = width
        self._height = height
        system = battlemap.system
        terrain_set = battlemap.terrain_set
        layout = battlemap.grid.layout

        # The names of the planes that the canvas draws; None if maps of the system lack one.
        self._terrain_plane = _name_of(system.terrain)
        self._height_plane = _name_of(system.height)
        self._side_plane = _name_of(system.hexside)
        self._routes = {route.plane: route for route in system.routes_of(terrain_set)}
        """The routes of the map (roads, rivers and so on) by the names of their planes."""

        self._planes_of_canvas = {
            self._terrain_plane,
            self._height_plane,
            self._side_plane,
            *self._routes,
        }
        """The names of all planes whose looks are drawn as on the canvas."""

        self._box = cell_box(layout)
        """The box around a cell whose centre is (0, 0), in map units; it fills the tile."""

        theme = picture_theme("light")
        style = style_of(system)
        pixel = self._box.width() / width  # in map units
        self._pieces = Pieces(
            layout,
            terrain_set,
            style,
            style.pictures_in_theme(theme, Pictures()),
            theme,
            pixel,
            overlap=pixel / 2,  # Tiled lays tiles side by side: no gap may show between them
        )
        self._route_pieces = RoutePieces(layout, terrain_set, theme, min_width=pixel)

    def draw(self, painter: QPainter, look: Look) -> None:
        """Draw the tile of a look.

        The painter's unit is the pixel, and its origin the left top corner of the tile.
        """
        if look.plane in self._planes_of_canvas:
            painter.scale(self._width / self._box.width(), self._height / self._box.height())
            painter.translate(-self._box.topLeft())
            self._draw_as_on_map(painter, look)
        else:
            self._draw_plainly(painter, look)

    def _draw_as_on_map(self, painter: QPainter, look: Look) -> None:
        """Draw a look as the canvas draws it in the cell around (0, 0), in map units."""
        if self._is_empty(look):
            return
        if look.plane == self._terrain_plane:
            # Without grid lines: Tiled can show a grid over all tiles.
            cell = board_cell(self._pieces, terrain=look.value, elevation=0, grid_lines=False)
            cell.draw_clipped(painter)
        elif look.plane == self._height_plane:
            self._draw_elevation_tint(painter, look.value)
            self._draw_elevation_number(painter, look.value)
        elif look.plane == self._side_plane:
            single_piece(self._pieces, look.value, look.side).draw_clipped(painter)
        else:
            route = self._routes[look.plane]
            # The low bits of the value are the sides to which the route runs, the others flags.
            sides = look.value & SIDES
            self._route_pieces.piece_with_sides(route, sides).draw_clipped(painter)

    def _is_empty(self, look: Look) -> bool:
        """Return whether a look is nothing to be seen.

        That are the elevation 0, the hexside 0 ("none") and a cell without the route. But 0 is the
        first terrain, which is seen.
        """
        return look.plane != self._terrain_plane and look.value == 0

    def _draw_plainly(self, painter: QPainter, look: Look) -> None:
        """Draw a look that the canvas shows only together with other cells, with plain lines.

        Such looks are regions, whose borders depend on the cells around, and flows of rivers.
        """
        width = self._width
        height = self._height
        pixels = plain_picture(self._battlemap, look, width, height).tobytes()
        row_bytes = _RGBA_BYTES * width
        picture = QImage(pixels, width, height, row_bytes, QImage.Format.Format_RGBA8888)
        painter.drawImage(0, 0, picture)

    def _draw_elevation_tint(self, painter: QPainter, elevation: int) -> None:
        """Draw the colour that an elevation lays over the ground, inside the cell."""
        with saved_state(painter):
            outline = QPainterPath()
            outline.addPolygon(cell_outline(self._pieces.layout))
            painter.setClipPath(outline, Qt.ClipOperation.IntersectClip)
            self._pieces.draw_tint(painter, elevation)

    def _draw_elevation_number(self, painter: QPainter, elevation: int) -> None:
        """Draw the number of an elevation in the lower half of the cell.

        It is drawn as a path, so that a halo can be stroked around it.
        """
        number = QPainterPath()
        number.addText(0, 0, font(_FONT_SIZE), str(elevation))
        half_height = max(y for _x, y in self._pieces.layout.corners)
        text_scale = TEXT_SIZE * half_height / _FONT_SIZE
        with saved_state(painter):
            painter.translate(0, TEXT_Y * half_height)
            painter.scale(text_scale, text_scale)
            painter.translate(-number.boundingRect().center())
            painter.strokePath(number, QPen(_HALO_COLOUR, _HALO_WIDTH))
            painter.fillPath(number, _TEXT_COLOUR)


def _name_of(spec: PlaneSpec | None) -> str | None:
    """Return the name of a plane of a system; None for None, a plane that its maps do not have."""
    if spec is None:
        return None
    return spec.name
