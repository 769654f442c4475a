"""The pictures of a tileset: what cells of a map show, each alone, as the desk draws it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
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

TEXT_SIZE = 0.36
TEXT_Y = 0.56
"""The height of the numbers of elevations and where they stand, as a share of a cell's half."""


def paint_tiles(
    battlemap: BattleMap, looks: Sequence[Look | None], width: int, height: int
) -> bytes:
    """Return a PNG of looks of ``width`` x ``height`` pixels in rows (``formats.TilePainter``).

    It may be called on any thread.
    """
    know_assets_of(battlemap)
    layout = battlemap.grid.layout
    terrain_set = battlemap.terrain_set
    theme = picture_theme("light")
    style = style_of(battlemap.system)
    box = cell_box(layout, 0.0)
    pixel = box.width() / width
    pictures = style.pictures(theme, Pictures())
    pieces = Pieces(layout, terrain_set, style, pictures, theme, pixel, pixel / 2)
    system = battlemap.system
    terrain, height_plane, sides = (
        None if spec is None else spec.name
        for spec in (system.terrain, system.height, system.hexside)
    )
    routes = {each.plane: each for each in system.routes_of(terrain_set)}
    ways = RoutePieces(layout, terrain_set, theme, pixel)
    rows = -(-len(looks) // COLUMNS)
    image = QImage(COLUMNS * width, rows * height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with painting(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for at, look in enumerate(looks):
            with saved_state(painter):
                painter.translate(at % COLUMNS * width, at // COLUMNS * height)
                painter.setClipRect(0, 0, width, height)
                if look is not None and look.plane not in (terrain, height_plane, sides, *routes):
                    _draw_plainly(painter, battlemap, look, width, height)
                    continue
                painter.scale(width / box.width(), height / box.height())
                painter.translate(-box.topLeft())
                if look is None:
                    continue
                if look.plane == terrain:
                    board_cell(pieces, look.value, 0, grid_lines=False).draw_clipped(painter)
                elif look.plane == height_plane:
                    _draw_elevation(painter, pieces, look.value)
                elif look.plane == sides and look.value:
                    hexside(pieces, look.value, look.side).draw_clipped(painter)
                elif look.plane in routes and look.value:
                    route = ways.through(routes[look.plane], look.value & SIDES)
                    route.draw_clipped(painter)
    return png_of(image)


def _draw_plainly(
    painter: QPainter, battlemap: BattleMap, look: Look, width: int, height: int
) -> None:
    """Draw what has no look of its own on a map: regions, and where rivers flow."""
    pixels = plain_picture(battlemap, look, width, height).tobytes()
    picture = QImage(pixels, width, height, 4 * width, QImage.Format.Format_RGBA8888)
    painter.drawImage(0, 0, picture)


def _draw_elevation(painter: QPainter, pieces: Pieces, elevation: int) -> None:
    """Draw the tint of an elevation and its number, nothing for 0."""
    if not elevation:
        return
    path = QPainterPath()
    face = font(100)
    with saved_state(painter):
        outline = QPainterPath()
        outline.addPolygon(cell_outline(pieces.layout, 1.0))
        painter.setClipPath(outline, Qt.ClipOperation.IntersectClip)
        pieces.draw_tint(painter, elevation)
    path.addText(0, 0, face, str(elevation))
    box: QRectF = path.boundingRect()
    lowest = max(y for _x, y in pieces.layout.corners)
    painter.translate(0, TEXT_Y * lowest)
    painter.scale(TEXT_SIZE * lowest / 100, TEXT_SIZE * lowest / 100)
    painter.translate(-box.center())
    painter.strokePath(path, QPen(QColor(255, 255, 255, 200), 16))
    painter.fillPath(path, QColor(30, 26, 22))
