"""Each answer of the questions that are not about files is given once: it does what it says.

Questions about files are answered in ``test_answers`` and ``test_loss_question``.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.document.map_files import new_map
from app.features.game.export_dialog import ExportDialog
from app.features.game.take_back_dialog import TakeBackDialog
from randomizer.catalog import generator_named, system_named
from randomizer.model.battlemap import BattleMap
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.model.layer import Layer
from randomizer.model.map_records import MapRecord
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.free.system import free_map
from randomizer.systems.xconq.records import PERIOD, Side, Sides
from randomizer.systems.xconq.scenario.side_edits import change_value
from tests.app.conftest import cell
from tests.app.made_up_game import make_game
from tests.end_to_end.hand import ExpectedDialog
from tests.end_to_end.test_walking_desk import paint, press, settled
from tests.randomizer.systems.colossus.stand_in_java import put_java
from tests.randomizer.systems.xconq.tiny_period import TEXT, unit, world

DRIVEN_DIALOGS = (ExportDialog, TakeBackDialog)
SAVE_AS = "Save map as"


def give(question: ExpectedDialog, answer: str) -> None:
    """Give an answer: the text of a button, "Escape", or "cross" for that of the window."""
    if answer == "Escape":
        question.escape()
    elif answer == "cross":
        question.close()
    else:
        question.press(answer)


# --- files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["Yes", "No"])
def test_a_file_that_a_person_named_is_replaced_only_if_wanted(
    window, qtbot, hand, tmp_path, answer
):
    """Qt's own file dialog asks this."""
    document = window.desk.document
    document.open_map(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")]))
    path = tmp_path / "old.battlemap"
    path.write_bytes(b"old")
    hand.expect(SAVE_AS).type_path(path)
    question = hand.expect(SAVE_AS).press(answer)
    if answer == "No":
        hand.expect(SAVE_AS).press("Cancel")
    window.desk.commands.run("file.save-as")
    idle: list[bool] = []
    window.desk.files.saving.when_idle(lambda: idle.append(True))
    qtbot.waitUntil(lambda: bool(idle))
    assert "already exists" in question.text
    assert (path.read_bytes() == b"old") == (answer == "No")
    assert (document.path == path) == (answer == "Yes")


# --- games ---------------------------------------------------------------------------------------


@pytest.fixture
def told(tmp_path, settings, monkeypatch) -> Path:
    """What a stand-in for Java writes when it runs; asked for before the window, so that the
    desk finds the game when it starts.
    """
    settings.set_game_dir("colossus", make_game(tmp_path / "game"))
    path = tmp_path / "told"
    put_java(tmp_path / "bin", path, "")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("DISPLAY", ":0")
    return path


@pytest.mark.parametrize("answer", ["Start", "Cancel", "Escape", "cross"])
def test_a_game_is_started_only_if_wanted(told, window, qtbot, hand, answer):
    document = window.desk.document
    document.open_map(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")]))
    action = window.desk.commands.action("file.play-here")
    qtbot.waitUntil(action.isEnabled)
    question = hand.expect("Play here")
    give(question, answer)
    action.trigger()
    qtbot.waitUntil(lambda: question.has_come)
    assert question.text.startswith("Start Colossus with this map?")
    scratch = Path(re.search("Scratch folder: (.*)", question.text)[1])
    if answer == "Start":
        qtbot.waitUntil(lambda: told.exists() and told.read_text().endswith("\n"))
        assert json.loads(told.read_text())[3] == str(scratch)
    qtbot.waitUntil(lambda: not scratch.exists())
    assert told.exists() == (answer == "Start")
    qtbot.waitUntil(lambda: not window.desk.games.play_here.runs)


def test_an_export_is_taken_back(window, qtbot, tmp_path, settings):
    game = make_game(tmp_path / "game")
    settings.set_game_dir("colossus", game)
    target = game / "Default" / "Battlelands" / "Plains.xml"
    first_bytes = target.read_bytes()
    window.desk.commands.run("file.export-to-game")
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is not None)
    dialog = window.findChild(ExportDialog)
    qtbot.waitUntil(lambda: dialog.group.findText("Default") >= 0)
    dialog.group.setCurrentText("Default")
    dialog.slot.setCurrentText("Plains")
    qtbot.waitUntil(dialog.export_button.isEnabled)
    dialog.export_button.click()
    qtbot.waitUntil(lambda: target.read_bytes() != first_bytes)
    qtbot.waitUntil(lambda: not dialog.game_export.writing)
    dialog.close()
    window.desk.commands.run("file.take-back-an-export")
    qtbot.waitUntil(lambda: window.findChild(TakeBackDialog) is not None)
    dialog = window.findChild(TakeBackDialog)
    qtbot.waitUntil(dialog.take_back_button.isEnabled)
    dialog.take_back_button.click()
    qtbot.waitUntil(lambda: target.read_bytes() == first_bytes)
    qtbot.waitUntil(lambda: not dialog.game_export.writing)
    qtbot.waitUntil(lambda: not dialog.take_back_button.isEnabled())
    qtbot.waitUntil(lambda: "has been taken back" in dialog.status.text)
    dialog.close()


# --- maps ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["Yes", "No", "Escape"])
def test_a_side_with_units_is_removed_only_if_wanted(window, qtbot, hand, answer):
    battlemap = world(12, 8, unit(1, "men", 3, 3, 1), unit(2, "town", 5, 5, 2))
    battlemap.records[PERIOD] = MapRecord(TEXT)
    change_value(battlemap, "sides", Sides((Side("Ann"), Side("Bob")))).apply(battlemap)
    document = window.desk.document
    document.open_map(battlemap)
    window.desk.docks.show("scenario")
    page = window.desk.docks.panel("scenario").sides
    qtbot.waitUntil(lambda: page.list.count() == 2)
    page.list.setCurrentRow(0)
    question = hand.expect("Remove the side?")
    give(question, answer)
    page.remove_button.click()
    assert question.text == "1 unit of Ann will be neutral. Undo brings all back."
    removed = answer == "Yes"
    qtbot.waitUntil(lambda: page.list.count() == 2 - removed)
    assert len(document.history.steps) == removed
    if removed:
        document.undo()
        qtbot.waitUntil(lambda: page.list.count() == 2)


@pytest.mark.parametrize("answer", ["Yes", "Cancel", "Escape"])
def test_what_a_resize_takes_off_the_board_is_asked_about(window, qtbot, hand, answer):
    document = window.desk.document
    document.open_map(free_map(FLAT, 16, 12))
    edge = document.battlemap.grid.cell(15, 5)
    edit = set_values(document.battlemap, document.active_layer_id, "terrain", [edge], 3)
    assert document.push(edit, "Paint")
    hand.expect("Resize map").fill("Columns", 10).press("OK")
    question = hand.expect("Resize")
    give(question, answer)
    window.desk.commands.run("map.resize")
    qtbot.waitUntil(lambda: question.has_come)
    assert "1 hex off the board" in question.text
    resized = answer == "Yes"
    qtbot.waitUntil(lambda: len(document.history.steps) == 1 + resized)
    assert document.battlemap.grid.width == (10 if resized else 16)
    if resized:
        document.undo()
    assert document.battlemap.grid.width == 16
    assert document.composite.planes["terrain"].flat[edge] == 3


# --- rolls ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["Roll anyway", "Cancel", "Escape", "cross"])
def test_a_recipe_that_may_give_another_map_is_rolled_only_if_wanted(window, qtbot, hand, answer):
    document = window.desk.document
    document.open_map(new_map(system_named("colossus")))
    ground = document.battlemap.layers[0]
    edit = set_values(
        document.battlemap, ground.id, "elevation", np.array([cell("D4")]), np.array([3])
    )
    assert document.push(edit, "Paint")
    window.desk.rolling.roll()
    qtbot.waitUntil(lambda: len(document.battlemap.layers) == 2)
    window.desk.commands.run("layer.copy-as-recipe")
    document.open_map(new_map(system_named("colossus")))
    question = hand.expect("Paste recipe")
    give(question, answer)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.desk.canvas.setFocus()
    QTest.keyClick(window.desk.canvas, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: question.has_come)
    settled(qtbot, window)
    assert "It may be another map here" in question.text
    rolled = answer == "Roll anyway"
    qtbot.waitUntil(lambda: len(document.history.steps) == rolled)


@pytest.mark.parametrize("answer", ["Force it", "Unlock A1"])
def test_a_roll_that_the_locks_forbid_is_forced_or_unlocked(qtbot, window, answer):
    document = window.desk.document
    panel = window.desk.docks.panel("randomize")
    panel.scripts.open_generator(generator_named("Mountains"))
    press(qtbot, window, panel.roll_action)
    lake = document.battlemap.system.terrain_set.terrain_code("Lake")
    window.desk.tools.options.choose(terrain=lake)
    paint(window, "terrain", "A1")
    paint(window, "lock", "A1")
    panel.reroll_action.trigger()
    settled(qtbot, window)
    banner = panel.lock_banner
    buttons = {button.text(): button for button in (banner.button, banner.unlock)}
    QTest.mouseClick(buttons[answer], Qt.MouseButton.LeftButton)
    settled(qtbot, window)
    assert banner.isHidden()
    is_locked = bool(document.battlemap.locked_cells.flat[cell("A1")])
    assert is_locked == (answer == "Force it")
    steps = len(document.history.steps)
    if answer == "Force it":
        assert document.composite.planes["terrain"].flat[cell("A1")] == lake
    else:
        panel.reroll_action.trigger()
        settled(qtbot, window)
        assert len(document.history.steps) == steps + 1
        assert banner.isHidden()
