"""Another script rolls the map (Randomize > Roll with): what stays, and what Undo brings back."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt

from app.features.new_map.dialog import NewMapDialog
from tests.app.conftest import complete_form, new_map_dialog
from tests.randomizer.systems.zeroad.given_places import find_games_only_in

DRIVEN_DIALOGS = (NewMapDialog,)


@pytest.fixture
def desk(qtbot, window, monkeypatch, tmp_path):
    """The desk with rolled islands of 0 A.D., the panel Script open; no game is installed."""
    find_games_only_in(tmp_path / "none", monkeypatch)
    new_map_dialog(window, "0 A.D. map", "Islands").make_button.click()
    qtbot.waitUntil(lambda: window.desk.document.battlemap.system.name == "zeroad")
    window.desk.docks.show("randomize")
    return window.desk


def roll_with(desk, qtbot, script: str) -> None:
    desk.commands.fill("randomize.roll-with.script.*")
    with qtbot.waitSignal(desk.rolling.finished):
        desk.commands.run(f"randomize.roll-with.script.{script}")
    qtbot.waitUntil(lambda: not desk.rolling.busy)


def script_title(desk) -> str:
    return desk.docks.panel("randomize").head.title.text()


def form(desk):
    return complete_form(desk.docks.panel("randomize"))


def test_undo_and_redo_of_another_script_change_the_script_in_the_panel(desk, qtbot):
    roll_with(desk, qtbot, "open-country")
    assert script_title(desk) == "Open country"
    desk.commands.run("edit.undo")
    assert script_title(desk) == "Islands"
    desk.commands.run("edit.redo")
    assert script_title(desk) == "Open country"


@pytest.mark.deep
def test_undo_of_another_script_brings_the_settings_of_its_roll_back(desk, qtbot):
    form(desk).field("Players").setValue(3)
    with qtbot.waitSignal(desk.rolling.finished):
        desk.commands.run("script.roll")
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    roll_with(desk, qtbot, "open-country")
    desk.rolling.key_choice.set_new_seed(False)
    form(desk).field("Players").setValue(5)
    with qtbot.waitSignal(desk.rolling.finished):
        desk.commands.run("script.roll")
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    while script_title(desk) != "Islands":
        desk.commands.run("edit.undo")
    assert form(desk).values()["Players"] == 3
    assert desk.document.battlemap.source_layer.roll.settings["Players"] == 3


def test_undo_of_another_script_keeps_a_text_that_was_edited(window, qtbot):
    desk = window.desk
    desk.docks.show("randomize")
    panel = desk.docks.panel("randomize")
    roll_with(desk, qtbot, "beach")
    roll_with(desk, qtbot, "swamp")
    panel.editor.textCursor().insertText("; mine\n")
    desk.commands.run("edit.undo")
    assert script_title(desk).startswith("Swamp")
    assert panel.editor.text().startswith("; mine\n")


def choose(box, text: str) -> None:
    index = box.findText(text, Qt.MatchFlag.MatchContains)
    assert index >= 0, [box.itemText(each) for each in range(box.count())]
    box.setCurrentIndex(index)
    box.activated.emit(box.currentIndex())


@pytest.mark.deep
def test_another_script_takes_over_the_settings_that_it_has_too(desk, qtbot):
    civ_of_first_player = form(desk).field("PlayerData").cells()[1]
    choose(civ_of_first_player, "Gauls")
    form(desk).field("Nomad").click()
    roll_with(desk, qtbot, "open-country")
    values = form(desk).values()
    assert values["Nomad"] is True
    assert json.loads(values["PlayerData"])[0]["Civ"] == "gaul"
    assert desk.document.battlemap.source_layer.roll.settings["Nomad"] is True


def test_another_battleland_script_takes_over_the_symmetry_but_no_ground(window, qtbot):
    desk = window.desk
    desk.docks.show("randomize")
    roll_with(desk, qtbot, "beach")
    choose(form(desk).field("symmetry"), "Two-fold turn")
    choose(form(desk).field("BaseTerrain"), "Sand")
    roll_with(desk, qtbot, "swamp")
    values = form(desk).values()
    assert values["symmetry"] == "turn2"
    assert values.get("BaseTerrain") != "Sand"
