"""The panel of players, environment and camera of a map of 0 A.D., in the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from randomizer.formats.checked import write_checked
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.zeroad.export.script_format import SCRIPT_26
from randomizer.systems.zeroad.map.owners import colours_of
from randomizer.systems.zeroad.map.records import (
    ENVIRONMENT,
    SETTINGS,
    as_record,
    record_data,
    settings_of_map,
)
from randomizer.systems.zeroad.system import SYSTEM

PLAYERS = [None, {"Name": "Ann", "Civ": "athen"}, {"Name": "Bob", "Civ": "rome", "Team": 1}]


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("zeroad", "tools", "palette")


@pytest.fixture
def desk(window):
    battlemap = BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")])
    battlemap.records = {SETTINGS: as_record({"Name": "Mainland", "PlayerData": PLAYERS})}
    window.desk.document.open_map(battlemap)
    window.desk.commands.run("map.setup")
    return window.desk


@pytest.fixture
def panel(desk, qtbot):
    qtbot.waitUntil(lambda: desk.docks.panel("setup") is not None)
    return desk.docks.panel("setup")


def type_in(form, name: str, text: str) -> None:
    field = form.field(name)
    line = field if isinstance(field, QLineEdit) else field.lineEdit()
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


def choose(form, name: str, value: object) -> None:
    box = form.field(name)
    box.setCurrentIndex(box.findData(value))


def player(desk, number: int) -> dict:
    return settings_of_map(desk.document.battlemap)["PlayerData"][number]


def test_a_player_of_a_made_map_is_changed_and_taken_back(desk, panel, qtbot):
    page = panel.players
    assert [entry.name for entry in page.model.entries] == ["1: Ann", "2: Bob"]
    page.choose(2)
    assert page.form.values()["Team"] == 1
    choose(page.form, "Civ", "kush")
    choose(page.form, "Team", 3)
    type_in(page.form, "Color", "#a020f0")
    type_in(page.form, "Name", "Hannibal")
    bob = player(desk, 2)
    assert (bob["Civ"], bob["Team"], bob["Name"]) == ("kush", 3, "Hannibal")
    assert colours_of(settings_of_map(desk.document.battlemap))[1] == "#a020f0"
    qtbot.waitUntil(lambda: page.model.entries[1].name == "2: Hannibal")
    assert page.code == 2, "the player stays chosen"
    steps = [step.text for step in desk.document.history.steps]
    assert steps == ["Change a player"] * 4
    while desk.document.history.index:
        desk.document.undo()
    qtbot.waitUntil(lambda: page.form.values().get("Civ") == "rome")
    assert player(desk, 2) == PLAYERS[2]


def test_the_first_view_of_a_player_is_the_middle_of_the_window(desk, panel, qtbot):
    page = panel.players
    page.buttons["First view here"].click()
    position = player(desk, 1)["StartingCamera"]["Position"]
    assert position["x"] == pytest.approx(256, abs=4), "the middle of 128 tiles of 4 m"
    assert position["z"] == pytest.approx(256, abs=4)
    assert position["y"] == 23.0, "the ground of a new map"
    qtbot.waitUntil(page.buttons["First view at the base"].isVisible)
    assert page.form.values()["looks-at-x"] == pytest.approx(64, abs=1)
    page.buttons["First view at the base"].click()
    assert "StartingCamera" not in player(desk, 1)


def test_a_wrong_colour_is_refused_and_a_right_one_can_be_picked(desk, panel, qtbot, hand):
    page = panel.players
    type_in(page.form, "Color", "#12")
    assert "Color" not in player(desk, 1)
    qtbot.waitUntil(lambda: page.form.values()["Color"] != "#12")
    colours = hand.expect("Select Color")
    colours.do(lambda dialog: dialog.setCurrentColor(QColor("#0a0b0c"))).press("OK")
    page.form.field("Color").actions()[0].trigger()
    qtbot.waitUntil(lambda: player(desk, 1).get("Color") == {"r": 10, "g": 11, "b": 12})


def test_the_environment_is_changed_exported_and_read_back(desk, panel, qtbot):
    form = panel.environment.form
    choose(form, "SkySet.choice", "sunset")
    form.field("SunElevation.angle").setValue(30.0)
    type_in(form, "AmbientColor.colour", "#808080")
    form.field("Water.WaterBody.Height.number").setValue(25.0)
    panel.camera.form.field("Rotation.angle").setValue(90.0)
    battlemap = desk.document.battlemap
    assert SYSTEM.water_level(battlemap) == 25 * 92
    data = write_checked(SCRIPT_26, battlemap)
    read = SCRIPT_26.read(data).battlemap
    assert read is not None
    environment = record_data(read.records, ENVIRONMENT)
    assert environment == record_data(battlemap.records, ENVIRONMENT)
    assert environment["SkySet"] == "sunset"
    assert environment["SunElevation"] == pytest.approx(0.5236, abs=1e-4)
    assert read.records["camera"].text == battlemap.records["camera"].text
    while desk.document.history.index:
        desk.document.undo()
    assert ENVIRONMENT not in desk.document.battlemap.records
    qtbot.waitUntil(lambda: form.values()["SkySet.choice"] == "default")


def test_maps_of_other_games_have_no_setup(desk, panel):
    from randomizer.model.grid.layouts import FLAT
    from randomizer.systems.free.system import free_map

    desk.document.open_map(free_map(FLAT, 8, 8))
    assert not panel.tabs.isEnabled()
    assert not desk.commands.action("map.setup").isVisible()
