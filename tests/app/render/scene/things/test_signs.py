"""The signs of things where a map is seen from afar: towns, mines and woods."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from app.render.map_view import MapView
from app.render.overlay_options import Overlays
from app.render.renderer import Renderer
from app.render.scene.things.signs import CROWD_WIDTH, MIN_CROWD, NO_SIGNS, SignsCache, signs_of
from app.render.theme import theme
from app.render.viewport import fitting
from randomizer.model.edits.thing_edits import add_things, change_things, remove_things
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.things.things import Thing
from randomizer.systems.zeroad.map.entity_kinds import SIGN_SIZES
from randomizer.systems.zeroad.system import SYSTEM

TILES = 192
FAR = 4.0
"""The scale at which the whole map is 768 pixels wide."""

CENTRE = "structures/athen/civil_centre"
HOUSE = "structures/athen/house"
METAL = "gaia/ore/mediterranean_large"


def made_map(*things: Thing) -> BattleMap:
    battlemap = BattleMap.new(SYSTEM, Grid(SQUARE, TILES, TILES), [Layer(1, "Land")])
    edit = add_things(battlemap, 1, things)
    if edit is not None:
        edit.apply(battlemap)
    return battlemap


def wood(count: int, x: float, y: float) -> list[Thing]:
    return [Thing(0, "gaia/tree/oak", x + n % 5, y + n // 5) for n in range(count)]


def shown(battlemap: BattleMap, scale: float = FAR) -> list[tuple[str, float]]:
    """The icons that are shown, and how wide, the widest first."""
    signs = signs_of(battlemap, scale)
    icons = [look.icon for look in signs.looks]
    return list(zip(icons, signs.sizes.tolist(), strict=True))


def test_a_town_is_its_civil_centre_and_lies_over_what_is_beside_it():
    battlemap = made_map(
        *wood(20, 51, 51), Thing(0, HOUSE, 53, 50, owner=1), Thing(0, CENTRE, 50, 50, owner=1)
    )
    assert shown(battlemap) == [("centre", SIGN_SIZES["centre"])]


def test_buildings_come_before_mines_and_these_before_woods():
    battlemap = made_map(
        *wood(20, 20, 20), Thing(0, METAL, 60, 20), Thing(0, CENTRE, 100, 20, owner=1)
    )
    icons = [icon for icon, _size in shown(battlemap)]
    assert icons == ["centre", "metal", "tree"]
    sizes = [size for _icon, size in shown(battlemap)]
    assert sizes == sorted(sizes, reverse=True)


def test_the_signs_of_players_have_their_colours():
    battlemap = made_map(Thing(0, CENTRE, 50, 50, owner=1), Thing(0, CENTRE, 150, 150, owner=2))
    assert len({look.colour for look in signs_of(battlemap, FAR).looks}) == 2


def test_the_units_of_nomads_mark_their_start_and_come_before_mines():
    soldiers = [Thing(0, "units/athen/infantry_spearman_b", 50 + n, 50, owner=1) for n in range(4)]
    battlemap = made_map(*soldiers, Thing(0, METAL, 52, 52))
    signs = signs_of(battlemap, FAR)
    assert shown(battlemap) == [("unit", SIGN_SIZES["unit"])]
    (town,) = signs_of(made_map(Thing(0, CENTRE, 50, 50, owner=1)), FAR).looks
    assert signs.looks[0].colour == town.colour


def test_a_wood_has_one_sign_in_its_midst_and_a_few_trees_have_none():
    trees = wood(25, 80, 80)
    assert 5 * FAR < CROWD_WIDTH, "all in one square"
    battlemap = made_map(*trees, *wood(MIN_CROWD - 1, 20, 20))
    signs = signs_of(battlemap, FAR)
    assert signs.points.tolist() == [[82.0, 82.0]]


def test_from_near_things_speak_for_themselves():
    battlemap = made_map(*wood(20, 20, 20), Thing(0, METAL, 60, 20))
    assert shown(battlemap, 24.0) == []


def test_on_a_small_picture_signs_are_smaller_and_on_a_tiny_one_there_are_none():
    battlemap = made_map(Thing(0, CENTRE, 50, 50, owner=1))
    ((_icon, size),) = shown(battlemap, 300 / TILES)
    assert size == pytest.approx(SIGN_SIZES["centre"] * 300 / 500)
    assert shown(battlemap, 100 / TILES) == []


def test_what_is_hidden_or_gone_has_no_sign_and_the_same_signs_are_the_same_object():
    battlemap = made_map(Thing(0, CENTRE, 50, 50, owner=1), Thing(0, "gaia/fauna_deer", 90, 90))
    kept = SignsCache()
    signs = kept.of(battlemap, FAR)
    moved = Thing(2, "gaia/fauna_deer", 120, 90)
    change_things(battlemap, [moved]).apply(battlemap)
    assert kept.of(battlemap, FAR) is signs, "an animal has no sign"
    battlemap.layers[0].visible = False
    assert kept.of(battlemap, FAR).looks == ()
    battlemap.layers[0].visible = True
    remove_things(battlemap, [1]).apply(battlemap)
    assert kept.of(battlemap, FAR).looks == ()
    assert signs_of(BattleMap.new(SYSTEM), FAR).same_as(NO_SIGNS._replace(scale=FAR))


@pytest.mark.parametrize("things_shown", [True, False])
def test_the_whole_map_shows_a_town_larger_than_its_ground(qapp, things_shown):
    battlemap = made_map(Thing(0, METAL, 96, 96))
    renderer = Renderer(theme("light"))
    renderer.overlays = Overlays(grid_lines=False, things=things_shown)
    image = QImage(800, 800, QImage.Format.Format_RGB32)
    area = QRectF(0, 0, 800, 800)
    viewport = fitting(battlemap.grid, area.size(), 0.5)
    with QPainter(image) as painter:
        renderer.paint(painter, MapView(battlemap, battlemap.composite(), viewport), area)
    middle = viewport.to_screen(96, 96).toPoint()
    ground = image.pixelColor(middle.x() + 40, middle.y())
    colours = [
        image.pixelColor(middle.x() + dx, middle.y() + dy)
        for dx in range(-12, 13)
        for dy in range(-12, 13)
    ]
    count = sum(not _is_like(colour, ground) for colour in colours)
    assert (count > 60) is things_shown


def _is_like(colour: QColor, other: QColor) -> bool:
    differences = np.abs(np.array(colour.getRgb()) - np.array(other.getRgb()))
    return bool(differences.max() < 24)
