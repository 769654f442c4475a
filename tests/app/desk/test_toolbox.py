"""The tools, their options and the current map."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QSpinBox

from app.commands.commands import WHY
from app.document.map_files import new_map
from app.document.sample import sample_map
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.zeroad.system import SYSTEM as SQUARES
from tests.app.cordery_tables import bare_table
from tests.randomizer.map_strategies import TOY
from tests.systems import system_like


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("tools", "palette")


def test_the_mixture_of_the_random_brush_has_only_terrains_of_the_current_map(active):
    desk = active.desk
    battleland = desk.document.current_map
    desk.document.open_map(bare_table("square"))
    last = len(desk.document.battlemap.terrain_set.terrains) - 1
    assert last >= len(SYSTEM.terrain_set.terrains)
    desk.tools.options.choose(terrain=last, weights=((1, 2), (last, 1)))
    desk.document.make_current(battleland)
    assert desk.tools.options.weights == ((1, 2),)


def test_escape_leads_from_the_stamp_to_a_tool_that_can_do_something(active):
    desk = active.desk
    desk.document.open_map(new_map(SYSTEM))
    desk.tools.choose("hexside")
    desk.tools.choose("stamp")
    desk.document.open_map(new_map(SQUARES))
    assert desk.tools.uses("stamp")
    assert desk.tools.why_not("hexside")
    desk.tools.put_down()
    assert not desk.tools.why_not(desk.tools.name)


def test_a_click_on_mixture_offers_the_terrains_of_the_current_map(free, qtbot):
    desk = free.desk
    bar = desk.tools.bar
    desk.tools.choose("random")
    desk.tools.options.choose(weights=((BOG, 3),))
    offers: list[dict[str, int]] = []

    def read_and_close() -> None:
        menu = QApplication.activePopupWidget()
        fields = menu.findChildren(QSpinBox)
        offers.append({field.accessibleName(): field.value() for field in fields})
        if len(offers) == 2:
            fields[0].setValue(2)
        menu.close()

    def click() -> None:
        QTimer.singleShot(100, read_and_close)
        qtbot.mouseClick(bar.mixture.button, Qt.MouseButton.LeftButton)

    click()
    former_terrains = desk.document.battlemap.terrain_set.terrains
    assert offers[0][f"Parts of {former_terrains[BOG].name}"] == 3
    desk.document.open_map(bare_table("square"))
    desk.tools.choose("random")
    click()
    terrains = desk.document.battlemap.terrain_set.terrains
    assert set(offers[1]) == {f"Parts of {terrain.name}" for terrain in terrains}
    assert 2 in dict(desk.tools.options.weights).values()


def test_symmetry_and_its_centre_belong_to_the_map_on_which_they_were_chosen(active):
    document = active.desk.document
    options = active.desk.tools.options
    first = document.current_map
    options.choose(symmetry_kind="turn2", centre=12)
    second = document.open_map(sample_map())
    assert (options.symmetry_kind, options.centre) == ("none", None)
    options.choose(symmetry_kind="turn3")
    document.make_current(first)
    assert (options.symmetry_kind, options.centre) == ("turn2", 12)
    document.make_current(second)
    assert (options.symmetry_kind, options.centre) == ("turn3", None)


BOG = 5
SAND = 6


def test_the_bar_shows_the_options_of_the_tool_in_hand(free, qtbot):
    bar = free.desk.tools.bar
    free.desk.tools.choose("terrain")
    assert bar.field("radius").isVisible()
    assert not bar.field("height_mode").isVisible()
    bar.field("radius").setValue(2)
    free.desk.commands.run("edit.wider-brush")
    assert free.desk.tools.options.radius == bar.field("radius").value() == 3
    free.desk.tools.choose("elevation")
    qtbot.waitUntil(bar.field("height_mode").isVisible)
    free.desk.tools.choose("pan")
    qtbot.waitUntil(lambda: not bar.field("radius").isVisible())
    bar.symmetry.setCurrentIndex(1)
    bar.symmetry.activated.emit(1)
    assert free.desk.tools.options.symmetry_kind == "turn2"


def test_a_terrain_of_the_palette_stays_with_the_tool_in_hand(free):
    free.desk.tools.choose("line")
    free.desk.docks.panel("palette").ground.terrains.button_of(SAND).click()
    assert (free.desk.tools.options.terrain, free.desk.canvas.tool.name) == (SAND, "line")
    free.desk.tools.choose("wand")
    free.desk.docks.panel("palette").ground.terrains.button_of(BOG).click()
    assert free.desk.canvas.tool.name == "terrain"


def test_another_system_brings_its_own_palette_and_disables_what_it_lacks(free):
    bare = system_like(TOY, planes=(TOY.terrain,), height=None, hexside=None)
    free.desk.tools.choose("hexside")
    free.desk.tools.options.choose(terrain=11)
    free.desk.document.open_map(BattleMap.new(bare, Grid(SQUARE, 6, 5), [Layer(1, "Ground")]))
    hexside = free.desk.commands.action("tool.hexside")
    assert not hexside.isEnabled()
    assert "no hexsides" in hexside.property(WHY)
    assert free.desk.canvas.tool.name == "terrain"
    assert not free.desk.docks.panel("palette").ground.hexsides.isVisible()
    texts = {button.text() for button in free.desk.docks.panel("palette").ground.terrains.buttons}
    assert texts == {terrain.name for terrain in TOY.terrain_set.terrains}
    last = len(texts) - 1
    assert free.desk.tools.options.terrain == last, "the last that the map knows"
    canvas = free.desk.canvas
    grid = free.desk.document.battlemap.grid
    point = canvas.viewport.to_screen(*grid.centre(grid.cell(2, 2))).toPoint()
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=point)
    assert free.desk.document.composite.planes["terrain"][2, 2] == last
    QTest.keyClick(canvas, Qt.Key.Key_Right)
    assert canvas.accessibleDescription() == f"2.2, {TOY.terrain_set.terrains[last].name}"
    free.desk.document.make_current(free.desk.document.maps[0])
    assert hexside.isEnabled()


def test_brushes_for_heights_have_a_wide_radius_of_their_own(qtbot, window):
    desk = window.desk
    desk.document.open_map(BattleMap.new(SQUARES, layers=[Layer(1, "Ground")]))
    options = desk.tools.options
    desk.commands.run("tool.terrain")
    options.widen(1)
    desk.commands.run("tool.height")
    assert options.radius == 4, "one corner alone is hardly seen"
    options.widen(2)
    desk.commands.run("tool.terrain")
    assert options.radius == 4, "that of the terrain brush, one wider than at first"
    desk.commands.run("tool.pan")
    desk.commands.run("tool.height")
    assert options.radius == 6


def test_on_small_tiles_the_terrain_brush_is_wide_at_first_and_keeps_its_radius(window):
    document = window.desk.document
    toolbox = window.desk.tools
    toolbox.choose("terrain")
    assert toolbox.options.radius == 0, "one hex of a battleland"
    toolbox.options.choose(radius=1)

    tiles = BattleMap.new(SQUARES, Grid(SQUARE, 40, 40), layers=[Layer(1, "Ground")])
    document.show_map(tiles)
    assert toolbox.options.radius == 3
    toolbox.options.choose(radius=5)

    document.show_map(sample_map())
    assert toolbox.options.radius == 1
    document.show_map(BattleMap.new(SQUARES, Grid(SQUARE, 40, 40), layers=[Layer(1, "Ground")]))
    assert toolbox.options.radius == 5
