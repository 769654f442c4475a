"""Players of a 0 A.D. map: what a hand changed stays at a roll, and the roll makes as many."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.new_map.dialog import NewMapDialog
from app.scripts.text_follower import FOLLOW_DELAY_MS
from randomizer.storage.files.project import write_project
from randomizer.systems.zeroad.map.players import players_of
from tests.app.conftest import complete_form, new_map_dialog
from tests.randomizer.systems.zeroad.given_places import find_games_only_in

DRIVEN_DIALOGS = (NewMapDialog,)


@pytest.fixture
def desk(qtbot, window, monkeypatch, tmp_path):
    """The desk with islands for two players."""
    find_games_only_in(tmp_path / "none", monkeypatch)
    new_map_dialog(window, "0 A.D. map", "Islands").make_button.click()
    qtbot.waitUntil(lambda: window.desk.document.battlemap.system.name == "zeroad")
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    assert count_players(window.desk) == 2
    return window.desk


def count_players(desk) -> int:
    return len(players_of(desk.document.battlemap)) - 1


def owners(desk) -> set[int]:
    return {thing.owner for thing in desk.document.battlemap.visible_things()} - {0}


def open_setup(desk, qtbot):
    desk.commands.run("map.setup")
    panel = desk.docks.panel("setup")
    qtbot.waitUntil(panel.isVisible)
    return panel.players


def roll(desk, qtbot) -> None:
    with qtbot.waitSignal(desk.rolling.finished):
        desk.commands.run("script.roll")
    qtbot.waitUntil(lambda: not desk.rolling.busy)


def status(desk) -> str:
    return desk.frame.statusBar().currentMessage()


@pytest.mark.deep
def test_a_roll_of_a_generator_without_text_is_called_as_the_panel_calls_it(desk, qtbot):
    roll(desk, qtbot)
    assert status(desk).startswith("Rolled Islands, seed")
    assert desk.docks.panel("randomize").head.title.text() == "Islands"
    assert desk.document.active_layer.name.startswith("Islands, seed")


def test_a_roll_makes_a_land_for_a_player_who_was_added(desk, qtbot):
    page = open_setup(desk, qtbot)
    page.buttons["Add"].click()
    assert "3 players" in status(desk)
    form = complete_form(desk.docks.panel("randomize"))
    assert form.values()["Players"] == 3
    roll(desk, qtbot)
    assert count_players(desk) == 3
    assert owners(desk) == {1, 2, 3}
    assert "Changed by hand" not in status(desk)


def test_a_name_given_by_hand_stays_and_a_number_chosen_for_the_roll_counts(desk, qtbot):
    page = open_setup(desk, qtbot)
    page.choose(2)
    page.form.field("Name").setText("Boudica")
    page.form.committed.emit("Name")
    settings = complete_form(desk.docks.panel("randomize"))
    settings.field("Players").setValue(4)
    assert "Players: 4" in status(desk)
    assert count_players(desk) == 4
    roll(desk, qtbot)
    assert owners(desk) == {1, 2, 3, 4}
    assert [player["Name"] for player in players_of(desk.document.battlemap)][2] == "Boudica"
    settings.field("Players").setValue(2)
    roll(desk, qtbot)
    assert count_players(desk) == 2
    assert owners(desk) == {1, 2}


@pytest.mark.deep
def test_undo_of_an_added_player_is_the_rolls_too(desk, qtbot):
    page = open_setup(desk, qtbot)
    page.buttons["Add"].click()
    desk.document.undo()
    assert complete_form(desk.docks.panel("randomize")).values()["Players"] == 2
    roll(desk, qtbot)
    assert owners(desk) == {1, 2}


@pytest.mark.deep
def test_a_map_that_was_saved_with_more_players_is_rolled_with_them(desk, qtbot, tmp_path):
    page = open_setup(desk, qtbot)
    page.buttons["Add"].click()
    path = tmp_path / "three.battlemap"
    path.write_bytes(write_project(desk.document.battlemap))
    desk.files.open_path(path)
    qtbot.waitUntil(lambda: desk.document.path == path)
    assert complete_form(desk.docks.panel("randomize")).values()["Players"] == 3
    roll(desk, qtbot)
    assert owners(desk) == {1, 2, 3}


@pytest.mark.deep
def test_the_settings_have_a_short_headline_and_a_table_with_all_columns_in_view(desk, qtbot):
    desk.frame.resize(1280, 800)
    desk.docks.show("randomize")
    usual_width = 358  # in a window of this width at the first start
    desk.frame.resizeDocks([desk.docks["randomize"]], [usual_width], Qt.Orientation.Horizontal)
    form = desk.docks.panel("randomize").settings_form
    form.set_unfolded(is_unfolded=True)
    assert form.fold_button.text() == "Settings"
    table = form.field("PlayerData")
    qtbot.waitUntil(lambda: table.isVisible() and not table.horizontalScrollBar().isVisible())
    assert table.horizontalHeaderItem(table.columnCount() - 1).text() == "AI"
    form.set_unfolded(is_unfolded=False)
    assert form.fold_button.text().startswith("Settings: Size Normal (256)")


@pytest.mark.deep
def test_players_can_be_of_each_civilisation_that_has_buildings_in_the_palette(desk, qtbot):
    page = open_setup(desk, qtbot)
    civilisations = page.form.field("Civ")
    titles = [civilisations.itemText(row) for row in range(civilisations.count())]
    assert titles[-3:] == ["Romans (rome)", "Seleucids (sele)", "Spartans (spart)"]
    civilisations.setFocus()
    QTest.keyClick(civilisations, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: players_of(desk.document.battlemap)[1]["Civ"] == "spart")


def type_name(desk, row: int, name: str) -> None:
    """Type a player's name into the table of the settings of rolls."""
    form = complete_form(desk.docks.panel("randomize"))
    form.set_unfolded(is_unfolded=True)
    field = form.field("PlayerData").cellWidget(row, 0)
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, name)
    QTest.keyClick(field, Qt.Key.Key_Return)


def names_of(desk) -> list[str]:
    return [player["Name"] for player in players_of(desk.document.battlemap)][1:]


def test_a_name_is_given_to_the_players_without_another_roll(desk, qtbot):
    roll(desk, qtbot)
    desk.docks.show("randomize")
    rolled_layer = desk.document.active_layer
    finished = []
    desk.rolling.finished.connect(lambda *_: finished.append(1))
    type_name(desk, 0, "Ann")
    assert names_of(desk) == ["Ann", "Player 2"]
    assert status(desk) == "Players' data. The map has it already."
    type_name(desk, 1, "Bob")
    qtbot.wait(2 * FOLLOW_DELAY_MS)
    assert not finished
    assert desk.document.active_layer is rolled_layer
    assert names_of(desk) == ["Ann", "Bob"]
    assert not desk.scripts.outdated_map.describe()
    assert desk.scripts.follower.has_chosen_settings

    roll(desk, qtbot)
    assert names_of(desk) == ["Ann", "Bob"]
    desk.document.undo()  # the roll
    desk.document.undo()
    assert names_of(desk) == ["Ann", "Player 2"]


@pytest.mark.deep
def test_a_name_that_was_emptied_is_the_usual_one_again(desk, qtbot):
    roll(desk, qtbot)
    desk.docks.show("randomize")
    type_name(desk, 1, "Bob")
    type_name(desk, 1, " ")
    field = complete_form(desk.docks.panel("randomize")).field("PlayerData").cellWidget(1, 0)
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Delete)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert names_of(desk) == ["Player 1", "Player 2"]


@pytest.mark.deep
def test_another_civilisation_rolls_the_map_again(desk, qtbot):
    roll(desk, qtbot)
    desk.docks.show("randomize")
    table = complete_form(desk.docks.panel("randomize")).field("PlayerData")
    box = table.cellWidget(0, 1)
    with qtbot.waitSignal(desk.rolling.finished):
        box.setCurrentIndex(box.count() - 1)
        box.activated.emit(box.currentIndex())
        assert status(desk).endswith("The map is rolled again with it.")
    assert players_of(desk.document.battlemap)[1]["Civ"] == "spart"
