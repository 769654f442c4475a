"""Rolls have the settings of the map: of an opened scenario, and under a new script."""

from __future__ import annotations

import json

import pytest

from app.background.actions import run
from app.features.new_map.dialog import NewMapDialog
from randomizer.catalog.generators import generator_named
from randomizer.catalog.map_formats import format_named
from randomizer.formats.checked import write_files_checked
from randomizer.systems.zeroad.map.player_form import change_player
from randomizer.systems.zeroad.map.players import players_of
from tests.app.conftest import complete_form, new_map_dialog
from tests.randomizer.systems.zeroad.given_places import find_games_only_in

DRIVEN_DIALOGS = (NewMapDialog,)


@pytest.fixture
def desk(window, monkeypatch, tmp_path):
    find_games_only_in(tmp_path / "none", monkeypatch)
    return window.desk


def make_islands(desk, qtbot, players: int, size: int) -> None:
    """Make a map by the dialog, as a person does."""
    former_map = desk.document.current_map
    dialog = new_map_dialog(desk.frame, "0 A.D. map", "Islands")
    qtbot.waitUntil(dialog.make_button.isEnabled)
    dialog.form.field("Players").setValue(players)
    sizes = dialog.form.field("Size")
    sizes.setCurrentIndex(sizes.findData(size))
    dialog.make_button.click()
    qtbot.waitUntil(lambda: desk.document.current_map is not former_map)
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    assert len(players_of(desk.document.battlemap)) == players + 1


def settings_form(desk):
    desk.docks.show("randomize")
    return complete_form(desk.docks.panel("randomize"))


@pytest.mark.deep
def test_the_settings_of_an_opened_scenario_are_its_own(desk, qtbot, tmp_path):
    make_islands(desk, qtbot, players=3, size=128)
    battlemap = desk.document.battlemap
    change_player(battlemap, 2, "Civ", "kush").apply(battlemap)
    for name, data in write_files_checked(format_named("pmp"), battlemap, "three.pmp").items():
        (tmp_path / name).write_bytes(data)
    make_islands(desk, qtbot, players=5, size=192)
    assert settings_form(desk).values()["Players"] == 5

    desk.files.open_path(tmp_path / "three.pmp")
    qtbot.waitUntil(lambda: desk.document.path == tmp_path / "three.pmp")
    values = settings_form(desk).values()
    assert values["Players"] == 3
    assert values["Size"] == 128
    players = json.loads(values["PlayerData"])
    expected_civs = [player["Civ"] for player in players_of(desk.document.battlemap)[1:]]
    assert [player["Civ"] for player in players] == expected_civs
    assert players[1]["Civ"] == "kush"


@pytest.mark.deep
def test_a_scenario_names_its_script_and_biome_beside_another_script(desk, qtbot, tmp_path):
    make_islands(desk, qtbot, players=2, size=128)
    form = settings_form(desk)
    biomes = form.field("Biome")
    biomes.setCurrentIndex(biomes.findData("generic/temperate"))
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.commands.run("script.roll")
    battlemap = desk.document.battlemap
    for name, data in write_files_checked(format_named("pmp"), battlemap, "isle.pmp").items():
        (tmp_path / name).write_bytes(data)
    desk.files.open_path(tmp_path / "isle.pmp")
    qtbot.waitUntil(lambda: desk.document.path == tmp_path / "isle.pmp")
    about_map = desk.docks.panel("randomize").head.about_map
    assert about_map.text() == "Islands made this map. Roll adds a layer by it."
    assert settings_form(desk).values()["Biome"] == "generic/temperate"
    run(desk.scripts.opening.open_generator(generator_named("Open country")))
    assert about_map.text() == "Islands made this map. Roll adds a layer by Open country."


def test_a_reopened_map_keeps_its_settings_beside_another_script(desk, qtbot, tmp_path, hand):
    make_islands(desk, qtbot, players=3, size=128)
    hand.expect("Save map as").type_path(tmp_path / "isle.battlemap")
    desk.commands.run("file.save-as")
    qtbot.waitUntil((tmp_path / "isle.battlemap").exists)
    desk.commands.run("file.close-map")
    desk.files.open_path(tmp_path / "isle.battlemap")
    qtbot.waitUntil(lambda: desk.document.path == tmp_path / "isle.battlemap")
    run(desk.scripts.opening.open_generator(generator_named("Open country")))
    assert desk.docks.panel("randomize").head.title.text() == "Open country"
    values = settings_form(desk).values()
    assert values["Players"] == 3
    assert values["Size"] == 128


def test_colours_and_teams_of_players_are_chosen_and_not_typed(desk, qtbot):
    make_islands(desk, qtbot, players=2, size=128)
    form = settings_form(desk)
    table = form.field("PlayerData")
    headings = [table.horizontalHeaderItem(column).text() for column in range(table.columnCount())]
    assert "Diplomacy" not in headings
    teams = table.cellWidget(1, headings.index("Team"))
    teams.setCurrentIndex(teams.findText("2"))
    assert json.loads(form.values()["PlayerData"]) == [{}, {"Team": 1}]
    colour = table.cellWidget(0, headings.index("Colour"))
    (choose_colour,) = colour.actions()
    picture = choose_colour.icon().pixmap(16, 16).toImage()
    assert picture.pixelColor(0, 0).alpha() > 0, "a frame shows where to click"
