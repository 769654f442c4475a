"""Two maps in two tabs: each is rolled with the settings of its own roll, and keeps its size."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from randomizer.catalog.generators import listed_generators
from randomizer.catalog.systems import system_named
from randomizer.generator import MapGenerator
from randomizer.generator_run import empty_map, run
from randomizer.model.edits.layer_edits import set_visible
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_roll import put_roll
from randomizer.roll_base import Base
from randomizer.storage.files.project import write_project
from tests.app.conftest import complete_form
from tests.daily import deep_but

CTRL = Qt.KeyboardModifier.ControlModifier

GENERATORS = {
    "Landscape": ("free", {"width": 20, "height": 14}, {"width": 8, "height": 6, "names": False}),
    "Swamp": ("colossus", {"symmetry": "turn2"}, {}),
    "Beach": ("colossus", {"BaseHeight": 1, "BaseTerrain": "Sand"}, {}),
    "Fantasy": ("xconq", {"width": 30, "height": 20}, {"width": 20, "height": 12, "countries": 0}),
    "Islands": ("zeroad", {"Size": 128, "Players": 4}, {"Size": 64, "Nomad": True}),
    "Cordery": ("cordery", {"relief": "mountainous"}, {"relief": "open", "rivers": 3}),
}
"""Generators by name: the system, settings of a first map, and settings of a second one."""


def generator_called(name: str) -> MapGenerator:
    system = system_named(GENERATORS[name][0])
    return next(
        listed_generator
        for listed_generator in listed_generators(system)
        if listed_generator.name == name
    )


def rolled_map(name: str, settings: dict[str, object], seed: int = 3) -> BattleMap:
    """A map as it is after File > New map with these settings."""
    generator = generator_called(name)
    battlemap = empty_map(generator, settings)
    if not battlemap.layers:
        battlemap.layers.append(Layer(1, "Map"))
    base = Base.under(battlemap, len(battlemap.layers))
    generated = run(generator, settings, DrawKey(seed, 0), base)
    layer_id = battlemap.layers[-1].id
    put_roll(battlemap, layer_id, generated, replaces=False).edit.apply(battlemap)
    return battlemap


def settings_of(battlemap: BattleMap) -> list[dict[str, object]]:
    return [dict(layer.roll.settings) for layer in battlemap.layers if layer.roll]


@pytest.fixture
def two_tabs(request, window, qtbot, tmp_path) -> list:
    """The desk with two maps of a generator, opened together; the second one is current."""
    name = request.param
    _system, first, second = GENERATORS[name]
    paths: list[Path] = []
    for number, settings in enumerate((first, second)):
        paths.append(tmp_path / f"{number}.battlemap")
        paths[-1].write_bytes(write_project(rolled_map(name, settings)))
    window.desk.files.open_paths(paths)
    document = window.desk.document
    qtbot.waitUntil(lambda: document.path == paths[1])
    return [open_map for open_map in document.maps if open_map.path in paths]


def press_ctrl_r(window, qtbot) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.desk.canvas.setFocus()
    QTest.keyClick(window.desk.canvas, Qt.Key.Key_R, CTRL)


def roll(window, qtbot) -> None:
    """Press Ctrl+R on the map and wait until it is rolled."""
    steps = len(window.desk.document.history.steps)
    press_ctrl_r(window, qtbot)
    qtbot.waitUntil(lambda: len(window.desk.document.history.steps) == steps + 1)


@pytest.mark.parametrize("two_tabs", deep_but(GENERATORS, "Swamp"), indirect=True)
def test_ctrl_r_rolls_with_the_settings_of_the_current_map(hand, two_tabs, window, qtbot):
    document = window.desk.document
    desk = window.desk
    desk.docks.show("randomize")
    panel = desk.docks.panel("randomize")
    desk.rolling.key_choice.set_new_seed(False)
    for open_map in (two_tabs[1], two_tabs[0]):
        document.make_current(open_map)
        if open_map.battlemap.system.has_script_panel:
            rolled_with = settings_of(open_map.battlemap)[0]
            shown_values = complete_form(panel).values()
            assert shown_values.items() >= rolled_with.items()
        battlemap = open_map.battlemap
        size = (battlemap.grid.width, battlemap.grid.height)
        before = settings_of(battlemap)
        roll(window, qtbot)
        assert settings_of(battlemap) == before
        assert (battlemap.grid.width, battlemap.grid.height) == size
        numbers = {layer.roll.number for layer in battlemap.layers if layer.roll}
        assert numbers == {1}, "the next map of its own seed"


OTHER_SIZES = {
    "Landscape": ({"width": 20, "height": 14}, "20 x 14 hexes", "8 x 6 hexes"),
    "Fantasy": ({"width": 30, "height": 20}, "30 x 20 hexes", "20 x 12 hexes"),
    "Islands": ({"Size": 128}, "128 x 128 squares", "64 x 64 squares"),
}
"""Settings of another size than that of the second map, and both sizes as the question has them."""


@pytest.mark.parametrize("two_tabs", deep_but(OTHER_SIZES, "Landscape"), indirect=True)
def test_a_roll_of_another_size_asks_first(hand, two_tabs, window, qtbot):
    document = window.desk.document
    scripts = window.desk.scripts
    battlemap = document.battlemap
    settings, new_size, old_size = OTHER_SIZES[scripts.script.packaged.name]
    old_grid = battlemap.grid
    old_layers = list(battlemap.layers)
    scripts.settings.set({**scripts.settings.values, **settings})

    question = hand.expect("Another size or shape").press("Cancel")
    press_ctrl_r(window, qtbot)
    qtbot.waitUntil(lambda: question.has_come and not window.desk.rolling.busy)
    assert f"a map of {new_size}" in question.text
    assert f"This map has {old_size}" in question.text
    assert battlemap.grid is old_grid
    assert battlemap.layers == old_layers
    assert not document.history.steps
    assert "keeps its size" in window.statusBar().currentMessage()

    hand.expect("Another size or shape").press("Change the map")
    roll(window, qtbot)
    assert f"{battlemap.grid.width} x {battlemap.grid.height}" in new_size
    document.undo()
    assert battlemap.grid.same_as(old_grid)
    assert settings_of(battlemap) == [GENERATORS[scripts.script.packaged.name][2]]


@pytest.mark.deep
@pytest.mark.parametrize("two_tabs", ["Islands"], indirect=True)
@pytest.mark.parametrize(
    ("is_painted", "has_touch_ups"),
    deep_but([(False, False), (True, False), (True, True)], (True, False)),
)
def test_a_roll_of_another_size_can_open_as_a_new_map(
    hand, two_tabs, window, qtbot, is_painted, has_touch_ups
):
    """The size is chosen in the form of the panel; with Touch-ups there is no other answer."""
    document = window.desk.document
    old_map = document.current_map
    window.desk.docks.show("randomize")
    form = complete_form(window.desk.docks.panel("randomize"))
    if is_painted:
        layer_names = [layer.name for layer in document.battlemap.layers]
        window.desk.commands.run("tool.terrain")
        window.desk.canvas.setFocus()
        for key in (Qt.Key.Key_Up, Qt.Key.Key_Return):
            QTest.keyClick(window.desk.canvas, key)
        assert document.history.steps, "the keyboard has painted"
        if has_touch_ups:
            roll(window, qtbot)
            assert len(document.battlemap.layers) > len(layer_names)
    maps = len(document.maps)
    old_settings = settings_of(old_map.battlemap)
    size = form.field("Size")
    size.setCurrentIndex(size.findText("Normal", Qt.MatchFlag.MatchContains))
    size.activated.emit(size.currentIndex())
    assert form.values()["Size"] == 256

    buttons: list[str] = []
    question = hand.expect("Another size or shape")
    question.do(lambda dialog: buttons.extend(button.text() for button in dialog.buttons()))
    question.press("Open as a new map")
    press_ctrl_r(window, qtbot)
    qtbot.waitUntil(lambda: len(document.maps) == maps + 1)
    assert ("Work by hand" in question.text) is is_painted
    assert any("Change the map" in text.replace("&", "") for text in buttons) is not has_touch_ups
    assert form.values()["Size"] == 256
    assert document.battlemap.grid.width == 256
    document.make_current(old_map)
    assert settings_of(old_map.battlemap) == old_settings
    assert form.values()["Size"] == 64, "the size of the map in this tab"


LAYERS = {
    "Swamp": ({"symmetry": "turn2"}, {}),
    "Beach": ({"BaseHeight": 1}, {"BaseHeight": 2}),
    "Landscape": (
        {"width": 20, "height": 14, "names": False},
        {"width": 20, "height": 14, "names": True},
    ),
}
"""Generators by name: the settings of the lower and of the upper layer of one map."""


@pytest.mark.parametrize("name", deep_but(LAYERS, "Beach"))
@pytest.mark.parametrize("by_file", deep_but([True, False], False))
def test_two_layers_of_one_script_keep_their_settings(hand, window, qtbot, tmp_path, name, by_file):
    generator = generator_called(name)
    lower, upper = LAYERS[name]
    battlemap = rolled_map(name, lower)
    base = Base.under(battlemap, len(battlemap.layers))
    layer_id = max(layer.id for layer in battlemap.layers) + 1
    battlemap.layers.append(Layer(layer_id, "Second"))
    generated = run(generator, upper, DrawKey(5, 0), base)
    put_roll(battlemap, layer_id, generated, replaces=False).edit.apply(battlemap)
    rolled = [layer.id for layer in battlemap.layers if layer.roll]
    painted = layer_id + 50
    battlemap.layers.append(Layer(painted, "Painted by hand"))
    document = window.desk.document
    if by_file:
        path = tmp_path / "two.battlemap"
        path.write_bytes(write_project(battlemap))
        window.desk.files.open_path(path)
        qtbot.waitUntil(lambda: document.path == path)
    else:
        document.open_map(battlemap)
    window.desk.docks.show("randomize")
    before = settings_of(document.battlemap)
    # While no rolled layer is active, the topmost one is rolled again.
    for layer in (rolled[0], painted, rolled[-1], rolled[0], painted):
        document.set_active_layer(layer)
        roll(window, qtbot)
        assert settings_of(document.battlemap) == before

    # Another one is the topmost that can be seen: now that one is rolled again.
    document.push(
        set_visible(document.battlemap, layers_with_rolls(document)[-1], visible=False), "Hide"
    )
    roll(window, qtbot)
    assert settings_of(document.battlemap) == before


def layers_with_rolls(document) -> list[int]:
    return [layer.id for layer in document.battlemap.layers if layer.roll]


@pytest.mark.deep
@pytest.mark.parametrize("two_tabs", ["Islands"], indirect=True)
def test_rows_for_other_settings_follow_the_map_in_turns_of_their_own(two_tabs, window, qtbot):
    desk = window.desk
    desk.docks.show("randomize")
    panel = desk.docks.panel("randomize")
    rows = complete_form(panel).settings
    table = panel.settings_form.field("PlayerData")
    desk.document.open_map(rolled_map("Swamp", GENERATORS["Swamp"][1]))
    qtbot.waitUntil(lambda: desk.scripts.settings.declared() != rows)
    complete_form(panel)
    chosen = []
    desk.scripts.settings.chosen.connect(chosen.append)

    desk.document.make_current(two_tabs[0])
    assert panel.settings_form.is_outdated
    former_name = next(iter(panel.settings_form.values()))
    panel.settings_form.changed.emit(former_name)
    assert chosen == [], "a row of other settings changes nothing"

    form = complete_form(panel)
    assert form.settings == rows
    assert form.field("PlayerData") is not table
    players = form.values()["Players"]
    assert form.field("PlayerData").rowCount() == players
