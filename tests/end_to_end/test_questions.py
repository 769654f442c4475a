"""Questions beside those about files are answered in each way once: what the answer says is done.

Those about files stand in ``test_answers``, losses in ``test_loss_question``, an earlier session in
``test_recovery``.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from app.document.map_files import new_map
from app.features.game.export_dialog import ExportDialog
from app.features.game.open_dialog import OpenGameDialog
from app.features.game.take_back_dialog import TakeBackDialog
from app.features.script.lock_banner import LockBanner
from randomizer.model.edits.value_edits import set_locks, set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.records.map_records import MapRecord
from randomizer.storage.files.project import PROJECT
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.free.system import free_map
from randomizer.systems.xconq.records import Side, Sides, sides_of
from randomizer.systems.xconq.scenario.side_edits import change_value
from tests.app.conftest import wait_for_actions
from tests.app.made_up_game import make_game
from tests.app.saves import finished
from tests.daily import deep_but
from tests.randomizer.systems.colossus.stand_in_java import put_java
from tests.randomizer.systems.xconq.tiny_period import TEXT, unit, world

DRIVEN_DIALOGS = (ExportDialog, OpenGameDialog, TakeBackDialog)

SAVE_AS = "Save map as"
SCRIPT = "Unsaved script"
CHANGED = "File changed meanwhile"


def open_map(window, qtbot, battlemap: BattleMap, path: Path) -> None:
    """Open a map from a project file."""
    path.write_bytes(PROJECT.write(battlemap))
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: window.desk.document.path == path)


def answer_with(question, answer: str):
    """Press a button of a question, or Escape."""
    return question.escape() if answer == "Escape" else question.press(answer)


# --- scripts -------------------------------------------------------------------------------------


@pytest.fixture
def script(window, qtbot, tmp_path) -> Path:
    """The file of the script that is shown; it has an unsaved edit."""
    path = tmp_path / "Bog.rnd"
    path.write_text("TOWER\n")
    finished(window.desk.scripts.opening.open(path))
    qtbot.waitUntil(lambda: window.desk.scripts.text.text() == "TOWER\n")
    editor = window.desk.docks.panel("randomize").editor
    editor.selectAll()
    editor.insertPlainText("TITLE Bog\n")
    assert window.desk.scripts.current.unsaved
    return path


@pytest.mark.parametrize(
    "answer", deep_but(["Save", "Discard", "Cancel", "Escape"], "Save", "Cancel")
)
def test_another_script_is_opened_over_unsaved_edits(window, qtbot, hand, script, tmp_path, answer):
    other = tmp_path / "Fen.rnd"
    other.write_text("TITLE Fen\n")
    hand.expect("Open script").type_path(other)
    question = answer_with(hand.expect(SCRIPT), answer)
    window.desk.commands.run("script.open")
    qtbot.waitUntil(lambda: question.has_come)
    stays = answer in ("Cancel", "Escape")
    shown = "TITLE Bog\n" if stays else "TITLE Fen\n"
    qtbot.waitUntil(lambda: window.desk.scripts.text.text() == shown)
    assert script.read_text() == ("TITLE Bog\n" if answer == "Save" else "TOWER\n")


@pytest.mark.parametrize(
    "answer", deep_but(["Overwrite", "Save as...", "Cancel", "Escape"], "Overwrite", "Cancel")
)
def test_a_script_that_another_program_changed_is_saved(
    window, qtbot, hand, script, tmp_path, answer
):
    script.write_text("# theirs\n")
    question = answer_with(hand.expect(CHANGED), answer)
    copy = tmp_path / "Mine.rnd"
    if answer == "Save as...":
        hand.expect("Save script").type_path(copy)
    window.desk.commands.run("script.save")
    qtbot.waitUntil(lambda: question.has_come)
    if answer == "Save as...":
        qtbot.waitUntil(copy.exists)
    if answer == "Overwrite":
        qtbot.waitUntil(lambda: script.read_text() == "TITLE Bog\n")
    else:
        qtbot.wait(20)  # time in which it would be written
        assert script.read_text() == "# theirs\n"
    assert "changed Bog.rnd" in question.text


# --- files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["Yes", "No"])
def test_a_file_is_replaced_that_a_person_named(window, qtbot, hand, tmp_path, answer):
    path = tmp_path / "old.battlemap"
    path.write_bytes(b"old")
    hand.expect(SAVE_AS).type_path(path)
    question = hand.expect("Replace the file?").press(answer)
    if answer == "No":
        hand.expect(SAVE_AS).press("Cancel")
    window.desk.commands.run("file.save-as")
    qtbot.waitUntil(lambda: question.has_come)
    wait_for_actions(qtbot)
    assert "is there already" in question.text
    assert (path.read_bytes() == b"old") is (answer == "No")


# --- maps ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", deep_but(["Resize", "Cancel", "Escape"], "Resize"))
def test_a_map_is_made_smaller_though_something_is_lost(window, qtbot, hand, tmp_path, answer):
    battlemap = free_map(FLAT, 6, 5)
    set_values(battlemap, battlemap.layers[0].id, "terrain", [5], 3).apply(battlemap)
    open_map(window, qtbot, battlemap, tmp_path / "a.battlemap")
    document = window.desk.document
    hand.expect("Resize map").fill("Columns", 4).press("OK")
    question = answer_with(hand.expect("Resize"), answer)
    window.desk.commands.run("map.resize")
    qtbot.waitUntil(lambda: question.has_come)
    wait_for_actions(qtbot)
    assert "1 hex off the board" in question.text
    if answer == "Resize":
        assert document.battlemap.grid.width == 4
        document.undo()
    assert document.battlemap.grid.width == 6
    assert document.battlemap.values("terrain").flat[5] == 3


@pytest.mark.parametrize("answer", deep_but(["Roll anyway", "Cancel", "Escape"], "Roll anyway"))
def test_a_recipe_is_pasted_where_it_may_give_another_map(window, qtbot, hand, answer):
    document = window.desk.document
    ground = document.battlemap.layers[0]
    height = set_values(document.battlemap, ground.id, "elevation", [15], 3)
    assert document.push(height, "Paint")
    rolling = window.desk.rolling
    rolling.roll()
    qtbot.waitUntil(lambda: not rolling.busy)
    window.desk.commands.run("layer.copy-as-recipe")
    document.open_map(new_map(SYSTEM))
    assert [layer.roll for layer in document.battlemap.layers] == [None]
    question = answer_with(hand.expect("Paste recipe"), answer)
    window.activateWindow()
    window.desk.canvas.setFocus()
    qtbot.keyClick(window.desk.canvas, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: question.has_come)
    assert "another map" in question.text
    if answer == "Roll anyway":
        qtbot.waitUntil(lambda: document.active_layer.roll is not None)
    else:
        qtbot.wait(20)
        assert [layer.roll for layer in document.battlemap.layers] == [None]


@pytest.mark.parametrize("answer", deep_but(["Remove", "Cancel", "Escape"], "Remove"))
def test_a_side_with_units_is_removed(window, qtbot, hand, tmp_path, answer):
    battlemap = world(12, 8, unit(1, "men", 3, 3, 1), unit(2, "town", 5, 5, 2))
    battlemap.records["period"] = MapRecord(TEXT)
    change_value(battlemap, "sides", Sides((Side("Ann"), Side("Bob")))).apply(battlemap)
    open_map(window, qtbot, battlemap, tmp_path / "war.battlemap")
    window.desk.commands.run("map.scenario")
    sides = window.desk.docks.panel("scenario").sides
    qtbot.waitUntil(lambda: len(sides.model.entries) == 2)
    sides.choose(0)
    question = answer_with(hand.expect("Remove the side?"), answer)
    sides.buttons["Remove"].click()
    qtbot.waitUntil(lambda: question.has_come and not sides.findChildren(QMessageBox))
    assert question.text.startswith("1 unit of Ann will be neutral.")
    names = [side.name for side in sides_of(window.desk.document.battlemap).sides]
    assert names == (["Bob"] if answer == "Remove" else ["Ann", "Bob"])


@pytest.mark.parametrize("way_out", deep_but(["Force it", "Unlock"], "Force it"))
def test_a_roll_that_no_lock_allows_is_forced_or_freed(window, qtbot, tmp_path, way_out):
    document = window.desk.document
    document.open_map(new_map(SYSTEM))
    script = tmp_path / "Bogs.rnd"
    script.write_text("AREA (inside) HAZARDS Bog Bog\n")
    finished(window.desk.scripts.opening.open(script))
    rolling = window.desk.rolling
    rolling.roll()
    qtbot.waitUntil(lambda: not rolling.busy and document.active_layer.roll is not None)
    bog = SYSTEM.terrain_set.terrain_code("Bog")
    bogs = np.flatnonzero(document.composite.planes["terrain"] == bog)
    assert document.push(set_locks(document.battlemap, bogs, True), "Lock")
    other_script = tmp_path / "Trees.rnd"
    other_script.write_text("AREA (inside) HAZARDS Tree Tree\n")
    finished(window.desk.scripts.opening.open(other_script))
    banner = window.findChild(LockBanner)
    window.desk.commands.run("script.roll")
    qtbot.waitUntil(lambda: not banner.isHidden())
    if way_out == "Force it":
        banner.button.click()
        qtbot.waitUntil(lambda: not rolling.busy and banner.isHidden())
        assert document.composite.planes["terrain"].flat[bogs[0]] == bog
    else:
        assert banner.unlock.text().startswith("Unlock")
        banner.unlock.click()
        assert not document.battlemap.locked_cells.any()
        assert banner.isHidden()


# --- games ---------------------------------------------------------------------------------------


def test_an_export_is_taken_back(window, qtbot, tmp_path, settings):
    game = make_game(tmp_path / "game")
    settings.set_game_dir("colossus", game)
    target = game / "Default" / "Battlelands" / "Plains.xml"
    first_bytes = target.read_bytes()
    window.desk.commands.run("file.export-to-game")
    dialog = window.findChild(ExportDialog)
    qtbot.waitUntil(lambda: dialog.form.group_choice.box.findText("Default") >= 0)
    dialog.form.group_choice.box.setCurrentText("Default")
    dialog.form.slot_choice.box.setCurrentText("Plains")
    qtbot.waitUntil(dialog.export_button.isEnabled)
    dialog.export_button.click()
    qtbot.waitUntil(lambda: target.read_bytes() != first_bytes)
    qtbot.waitUntil(dialog.take_back_button.isEnabled)
    dialog.close()
    window.desk.commands.run("file.take-back-an-export")
    dialog = window.findChild(TakeBackDialog)
    qtbot.waitUntil(dialog.take_back_button.isEnabled)
    dialog.take_back_button.click()
    qtbot.waitUntil(lambda: target.read_bytes() == first_bytes)
    qtbot.waitUntil(lambda: not dialog.game_export.writing)
    dialog.close()


@pytest.fixture
def scratch(tmp_path, temporary_folder, settings, monkeypatch) -> Path:
    """Where games are prepared; a game and a stand-in for Java are there before the window is."""
    settings.set_game_dir("colossus", make_game(tmp_path / "game"))
    put_java(tmp_path / "bin", tmp_path / "record", "")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("DISPLAY", ":0")
    return temporary_folder


@pytest.mark.parametrize("answer", deep_but(["Start", "Cancel", "Escape"], "Start"))
def test_a_game_is_started_with_the_map(scratch, window, qtbot, hand, tmp_path, answer):
    record = tmp_path / "record"
    action = window.desk.commands.action("file.play-here")
    qtbot.waitUntil(action.isEnabled)
    question = answer_with(hand.expect("Play here"), answer)
    action.trigger()
    qtbot.waitUntil(lambda: question.has_come)
    assert question.text.startswith("Start Colossus with this map?")
    if answer == "Start":
        qtbot.waitUntil(lambda: record.exists() and record.read_text().endswith("\n"))
        assert "battle.xml" in json.loads(record.read_text())[1]
    else:
        qtbot.waitUntil(lambda: not any(scratch.iterdir()))
        assert not record.exists()
    qtbot.waitUntil(lambda: not window.desk.games.play_here.runs)
    assert not any(scratch.iterdir())


@pytest.mark.deep
def test_an_export_says_where_it_goes_if_the_game_is_in_a_folder_of_the_chosen_one(
    window, qtbot, tmp_path, hand
):
    make_game(tmp_path / "colossus" / "variants")
    window.desk.commands.run("file.export-to-game")
    dialog = window.findChild(ExportDialog)
    hand.expect("Where is Colossus?").type_path(tmp_path / "colossus")
    dialog.chooser.browse_button.click()
    text = "Colossus was found in the subfolder “variants”, with 3 variants. Exports go there."
    qtbot.waitUntil(lambda: dialog.chooser.status.text == text)
    dialog.close()


@pytest.mark.deep
@pytest.mark.parametrize(
    ("command", "kind"),
    [("file.export-to-game", ExportDialog), ("file.open-from-game", OpenGameDialog)],
)
def test_a_second_enter_in_the_line_of_the_game_does_nothing(
    window, qtbot, tmp_path, settings, command, kind
):
    game = make_game(tmp_path / "game")
    (game / "Stub").mkdir()
    (game / "Stub" / "StubVar.xml").write_bytes(b"")
    empty_folder = tmp_path / "empty"
    empty_folder.mkdir()
    settings.set_game_dir("colossus", empty_folder)
    files = {path: path.read_bytes() for path in game.rglob("*") if path.is_file()}
    window.desk.commands.run(command)
    dialog = window.findChild(kind)
    line = dialog.chooser.line
    qtbot.waitUntil(lambda: dialog.chooser.status.text.startswith("This is not"))
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, str(game))
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "StubVar.xml in the folder Stub is empty" in dialog.chooser.status.text)
    if kind is ExportDialog:
        qtbot.waitUntil(dialog.export_button.isEnabled)
        assert dialog.form.group_choice.box.findText("Stub") < 0, "an empty file makes no variant"
    maps = len(window.desk.document.maps)
    assert dialog.focusWidget() is line
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "StubVar.xml in the folder Stub is empty" in dialog.chooser.status.text)
    if kind is ExportDialog:
        assert dialog.game_export.receipt is None
        assert not dialog.game_export.writing
    assert dialog.isVisible()
    assert len(window.desk.document.maps) == maps
    assert {path: path.read_bytes() for path in game.rglob("*") if path.is_file()} == files
    dialog.close()
