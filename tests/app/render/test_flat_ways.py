"""In the flat picture of a map a way is a line over the ground, not a whole cell."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage

from app.paper.bitmaps import image
from app.paper.picture_request import PictureRequest
from app.paper.steps import run
from app.render.map_view import MapView
from app.render.overlay_options import OVERLAYS, Overlays
from app.render.renderer import Renderer
from app.render.theme import theme
from app.render.viewport import Viewport, fitting
from randomizer.model.grid.layouts import FLAT, POINTY, SQUARE
from randomizer.model.planes.routes import PRESENT
from randomizer.systems.free.system import free_map

NOTHING = Overlays(**dict.fromkeys(OVERLAYS, False))
ROW = 8


def road(layout):
    """A map of one terrain with a straight road along a row, from side to opposite side."""
    battlemap = free_map(layout, 20, 16)
    way = battlemap.layers[0].planes["way1"] = battlemap.system.ways[0].allocate(battlemap.grid)
    sides = (1, 3) if layout is SQUARE else (1, 4)
    way[ROW] = PRESENT | sum(1 << side for side in sides)
    return battlemap


def is_road(battlemap, picture: QImage) -> np.ndarray:
    """Which pixels are nearer to the colour of the road than to that of the ground."""
    raw = np.frombuffer(picture.constBits(), np.uint8).reshape(picture.height(), -1, 4)
    pixels = raw[:, : picture.width(), 2::-1].astype(int)
    (route, *_others) = battlemap.system.routes_of(battlemap.terrain_set)
    colour = theme("light").route_cell_colour(route)
    ground = pixels[4, picture.width() // 2]
    apart = np.abs(pixels - (colour.red(), colour.green(), colour.blue())).sum(axis=2)
    return apart < np.abs(pixels - ground).sum(axis=2)


@pytest.mark.parametrize("layout", [FLAT, POINTY, SQUARE], ids=lambda layout: layout.name)
@pytest.mark.parametrize("scale", [2.0, 4.5])
def test_a_road_is_a_line_through_the_middle_of_its_cells(qapp, layout, scale):
    battlemap = road(layout)
    renderer = Renderer(theme("light"))
    renderer.overlays = NOTHING
    left, top, right, bottom = battlemap.grid.bounds
    area = QRectF(0, 0, (right - left) * scale, (bottom - top) * scale)
    viewport = Viewport(scale, -left * scale, -top * scale)
    picture = renderer.image(MapView(battlemap, battlemap.composite(), viewport), area)
    where = is_road(battlemap, picture)
    for cell in range(ROW * 20 + 4, ROW * 20 + 16):
        at = viewport.to_screen(*battlemap.grid.centre(cell))
        x = int(at.x())
        y = int(at.y())
        half = round(scale) + 1
        assert where[y - 1 : y + 2, x].any(), "it goes through the middle"
        assert where[y - half : y + half + 1, x].sum() <= 3, "and is no wider than a line"


def test_a_picture_file_of_small_cells_has_lines_too(qapp):
    battlemap = road(SQUARE)
    request = PictureRequest(overlays=NOTHING)
    picture = run(image(request, battlemap, battlemap.composite(), 100))
    where = is_road(battlemap, picture)
    counts = where[:, 10:-10].sum(axis=0)
    assert counts.min() >= 1, "without gaps"
    assert np.median(counts) <= 3, "a cell has five"
    assert QColor(picture.pixel(50, 4)) != QColor("black")
    assert fitting(battlemap.grid, QRectF(picture.rect()).size(), 0.1).scale < 5
