"""A map of 0 A.D. goes to the game, where nothing of the game is there yet, or to Atlas."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.document.map_files import new_map
from app.features.game.export_dialog import PLANNING, ExportDialog
from app.features.game.game_chooser import TYPING
from randomizer.catalog.catalog import system_named
from randomizer.formats import write_checked
from randomizer.systems.zeroad.export.script_format import FORMAT
from randomizer.systems.zeroad.installation.installations import VARIABLE, look_in
from randomizer.systems.zeroad.map_format.map_json import map_of
from tests.randomizer.systems.zeroad.export.finished_maps import finished_map
from tests.randomizer.systems.zeroad.given_places import GivenPlaces

DRIVEN_DIALOGS = (ExportDialog,)


@pytest.fixture
def mods(window, tmp_path, monkeypatch):
    """The folder of the mods, which does not exist yet; a map of 0 A.D. is the current one."""
    folder = tmp_path / "0ad" / "mods"
    monkeypatch.delenv(VARIABLE, raising=False)
    look_in(GivenPlaces(user_mod=folder / "user"))
    window.desk.document.open_map(new_map(system_named("zeroad")))
    return folder


def open_dialog(window, qtbot) -> ExportDialog:
    qtbot.waitUntil(lambda: window.desk.games.ready)
    window.desk.commands.run("file.export-to-game")
    dialog = window.desk.games.dialog
    qtbot.waitUntil(dialog.export_button.isEnabled)
    return dialog


def test_a_folder_that_does_not_exist_is_said_to_be_made_by_the_export(window, qtbot, mods):
    dialog = open_dialog(window, qtbot)
    status = dialog.chooser.status
    assert "The folder “mods” does not exist yet" in status.label.text()
    assert "an export from here makes it" in status.label.text()
    dialog.export_button.click()
    qtbot.waitUntil(dialog.take_back_button.isVisible)
    assert (mods / "user" / "maps" / "random").is_dir()
    dialog.game_folder.refresh()
    qtbot.waitUntil(lambda: "0 A.D. is there, with 1 mod" in status.label.text())
    dialog.close()


def test_a_path_that_does_not_exist_is_said_and_never_replaced_without_a_word(
    window, qtbot, mods, tmp_path
):
    mods.mkdir(parents=True)
    dialog = open_dialog(window, qtbot)
    line = dialog.chooser.line
    status = dialog.chooser.status
    missing = mods.parent / "nowhere" / "abc"
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, str(missing))
    assert status.label.text() == TYPING
    assert not dialog.group.isEnabled()
    assert not dialog.export_button.isEnabled()
    QTest.keyClick(line, Qt.Key.Key_Tab)
    meant = f"There is no folder {missing}; did you mean {mods}?"
    qtbot.waitUntil(lambda: status.label.text() == meant)
    assert line.text() == str(missing)
    assert not dialog.export_button.isEnabled()
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, str(mods.parent))
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(dialog.export_button.isEnabled)
    assert line.text() == str(mods)
    dialog.close()


def test_the_name_of_the_map_file_is_suggested_and_its_fault_moves_no_field(
    window, qtbot, hand, mods, tmp_path
):
    hand.expect("Save map as").type_path(tmp_path / "My Hill.battlemap")
    window.desk.commands.run("file.save-as")
    qtbot.waitUntil(lambda: window.desk.document.current_map.path is not None)
    dialog = open_dialog(window, qtbot)
    assert dialog.slot_name.text() == "My_Hill"
    y = dialog.slot_name.y()
    dialog.slot_name.selectAll()
    QTest.keyClicks(dialog.slot_name, "My Hill/1")
    qtbot.waitUntil(dialog.name_fault.isVisible)
    qtbot.waitUntil(lambda: "leave out the /" in dialog.name_fault.text)
    assert dialog.slot_name.y() == y
    assert dialog.name_fault.y() > dialog.version.y()
    dialog.close()


def test_a_plan_that_takes_time_is_said_to_be_made(window, qtbot, mods):
    qtbot.waitUntil(lambda: window.desk.games.ready)
    window.desk.commands.run("file.export-to-game")
    dialog = window.desk.games.dialog
    qtbot.waitUntil(lambda: dialog.plan_view.placeholderText() == PLANNING)
    assert not dialog.export_button.isEnabled()
    assert dialog.plan_view.toPlainText() == ""
    qtbot.waitUntil(dialog.export_button.isEnabled)
    assert "my_map.js" in dialog.plan_view.toPlainText()
    assert dialog.plan_view.placeholderText() != PLANNING
    dialog.close()


def test_a_folder_of_mods_without_the_users_own_is_not_counted_as_one(window, qtbot, mods):
    mods.mkdir(parents=True)
    dialog = open_dialog(window, qtbot)
    assert "Your own mod “user” does not exist yet" in dialog.chooser.status.label.text()
    dialog.close()


def test_the_scenario_for_atlas_begins_in_the_folder_of_the_chosen_mod(window, qtbot, hand, mods):
    scenarios = mods / "user" / "maps" / "scenarios"
    scenarios.mkdir(parents=True)
    dialog = open_dialog(window, qtbot)
    hand.expect("Export map as").type_path("Moor")
    dialog.export_as_button.click()
    qtbot.waitUntil((scenarios / "Moor.xml").exists)
    qtbot.waitUntil(lambda: "Exported" in window.statusBar().currentMessage())


def test_a_button_leads_on_to_the_scenario_for_atlas(window, qtbot, hand, mods, tmp_path):
    dialog = open_dialog(window, qtbot)
    assert dialog.export_as_button.isVisible()
    hand.expect("Export map as").type_path(tmp_path / "Moor")
    dialog.export_as_button.click()
    qtbot.waitUntil(lambda: "Exported" in window.statusBar().currentMessage())
    assert "in the folder maps/scenarios of a mod." in window.statusBar().currentMessage()
    assert {path.name for path in tmp_path.glob("Moor*")} == {"Moor.pmp", "Moor.xml"}


def test_a_finished_map_says_that_no_script_made_it_and_what_roll_does(window, qtbot, tmp_path):
    path = tmp_path / "my_hill.js"
    path.write_bytes(write_checked(FORMAT, map_of(finished_map(16))))
    desk = window.desk
    desk.docks.show("randomize")
    desk.files.open_path(path)
    qtbot.waitUntil(lambda: desk.document.current_map.path == path)
    head = desk.docks.panel("randomize").head
    qtbot.waitUntil(head.about_map.isVisible)
    script_name = desk.scripts.script.name
    assert head.about_map.text() == f"No script made this map. Roll adds a layer by {script_name}."
    desk.document.open_map(new_map(system_named("zeroad")))
    assert not head.about_map.isVisible()
