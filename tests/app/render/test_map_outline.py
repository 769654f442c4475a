"""A round map: what lies beyond its edge is dimmed, on the screen and on paper."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QImage

from app.appearance.painting import painting
from app.render.map_outline import paint_round_edge
from app.render.map_view import MapView
from app.render.overlay_options import Overlays
from app.render.renderer import Renderer
from app.render.theme import theme
from app.render.viewport import fitting
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.zeroad.map.records import SETTINGS, as_record
from randomizer.systems.zeroad.system import SYSTEM

SIDE = 320


def round_map(circular: object = True) -> BattleMap:
    battlemap = BattleMap.new(SYSTEM, Grid(SQUARE, 32, 32), [Layer(1, "Ground")])
    battlemap.records = {SETTINGS: as_record({"CircularMap": circular})}
    return battlemap


def picture(battlemap: BattleMap, shown: bool, piece: int = SIDE) -> QImage:
    """The map drawn in pieces, squares of ``piece`` pixels."""
    renderer = Renderer(theme("light"))
    renderer.overlays = replace(Overlays(grid_lines=False), round_edge=shown)
    image = QImage(SIDE, SIDE, QImage.Format.Format_RGB32)
    viewport = fitting(battlemap.grid, QSizeF(SIDE, SIDE), 0.0)
    for left, top in product(range(0, SIDE, piece), repeat=2):
        area = QRectF(left, top, piece, piece)
        with painting(image) as painter:
            painter.setClipRect(area)
            renderer.paint(painter, MapView(battlemap, battlemap.composite(), viewport), area)
    return image


def test_the_radii_are_those_of_the_game():
    assert SYSTEM.round_edge(round_map()) == (15.0, 12.0)


@pytest.mark.parametrize("said", [False, None, "true", 1])
def test_a_map_is_round_only_where_its_settings_say_so(said):
    assert SYSTEM.round_edge(round_map(said)) is None


def test_the_corners_are_dimmed_and_the_middle_is_not(qapp):
    without, with_edge = (picture(round_map(), shown) for shown in (False, True))
    assert with_edge.pixel(SIDE // 2, SIDE // 2) == without.pixel(SIDE // 2, SIDE // 2)
    for x, y in ((12, 12), (SIDE - 13, 12), (12, SIDE - 13)):
        assert with_edge.pixelColor(x, y).lightness() > without.pixelColor(x, y).lightness()
    assert picture(round_map(False), True) == picture(round_map(False), False)


@pytest.mark.parametrize("piece", [32, 80])
def test_pieces_show_the_same_edge_as_the_whole(qapp, piece):
    """But for a few pixels, where Qt ends a dash at the edge of a piece."""
    pieces = picture(round_map(), True, piece)
    whole = picture(round_map(), True)
    points = list(product(range(SIDE), repeat=2))
    assert sum(pieces.pixel(x, y) != whole.pixel(x, y) for x, y in points) <= 8


def test_nothing_is_dimmed_beside_the_map(qapp):
    """There lies the legend of a picture."""
    image = QImage(SIDE, SIDE, QImage.Format.Format_RGB32)
    image.fill(0xFF000000)
    viewport = fitting(round_map().grid, QSizeF(SIDE, SIDE), 4.0)
    with painting(image) as painter:
        paint_round_edge(painter, round_map(), viewport, QRectF(0, 0, SIDE, SIDE), theme("light"))
    left = round(viewport.to_screen(-0.5, -0.5).x())
    assert image.pixelColor(left - 3, SIDE // 2).lightness() == 0
    assert image.pixelColor(left + 3, left + 3).lightness() > 60
