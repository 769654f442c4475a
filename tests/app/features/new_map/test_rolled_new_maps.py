"""A generator without a text on the desk: rolled with the settings of New map, rolled again."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPlainTextEdit

from app.background.actions import run
from app.document.map_files import new_map
from app.features.new_map.dialog import NewMapDialog
from app.widgets.dialogs.problem_dialog import ProblemDialog
from randomizer.catalog.generators import generator_named
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.grid import Hit
from tests.app.conftest import complete_form, new_map_dialog


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("new_map", "script", "files", "cell_menu", "selection", "tools")


def test_the_script_panel_has_the_settings_of_the_dialog(qtbot, window):
    desk = window.desk
    document = window.desk.document
    dialog = new_map_dialog(window, "0 A.D. map", "Islands")
    dialog.form.field("Size").setCurrentIndex(0)
    dialog.form.field("Players").setValue(3)
    dialog.form.field("PlayerData").cellWidget(2, 0).setText("Ann")
    dialog.make_button.click()
    qtbot.waitUntil(lambda: document.battlemap.system.name == "zeroad")
    chosen = {"Size": 128, "Players": 3, "PlayerData": '[{}, {}, {"Name": "Ann"}]'}
    assert document.active_layer.roll.settings == chosen
    assert "Ann" in document.battlemap.records["settings"].text

    desk.docks.show("randomize")
    panel = desk.docks.panel("randomize")
    assert desk.scripts.script.name == "Islands"
    assert panel.editor.isReadOnly()
    assert panel.roll_action.isEnabled()
    form = complete_form(panel)
    assert form.values()["Players"] == 3
    table = form.field("PlayerData")
    assert table.cellWidget(2, 0).text() == "Ann"
    form.field("Players").setValue(2)
    table.cellWidget(0, 0).setText("Bob")
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.rolling.roll()
    assert len(document.history.steps) == 1
    settings = document.active_layer.roll.settings
    assert settings["Players"] == 2
    assert json.loads(settings["PlayerData"]) == [{"Name": "Bob"}, {}, {"Name": "Ann"}]
    names = document.battlemap.records["settings"].text
    assert "Bob" in names
    assert "Ann" not in names
    document.undo()
    assert document.active_layer.roll.settings == chosen


def new_islands(qtbot, window):
    """A small map of Islands for two, in front."""
    dialog = new_map_dialog(window, "0 A.D. map", "Islands")
    dialog.form.field("Size").setCurrentIndex(0)
    dialog.make_button.click()
    document = window.desk.document
    qtbot.waitUntil(lambda: document.battlemap.source_layer is not None)


@pytest.mark.deep
def test_another_roll_of_a_whole_map_leaves_no_town_of_the_last(qtbot, window):
    new_islands(qtbot, window)
    desk = window.desk
    battlemap = window.desk.document.battlemap
    before = battlemap.source_layer.roll
    paint = set_values(battlemap, desk.document.active_layer_id, "texture", [70], 1)
    desk.document.push(paint, "Paint")
    desk.rolling.key_choice.type_seed(5)
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.rolling.roll()
    things = battlemap.visible_things()
    towns = [thing.owner for thing in things if thing.kind.endswith("civil_centre")]
    assert sorted(towns) == [1, 2]
    assert battlemap.source_layer.roll != before
    touched = battlemap.layers[-1]
    assert touched.name == "Touch-ups"
    assert touched.planes["texture"].flat[70] == battlemap.composite().planes["texture"].flat[70]
    desk.document.undo()
    assert battlemap.source_layer.roll == before


def test_a_script_of_the_user_keeps_its_file(qtbot, window, tmp_path, monkeypatch):
    script = tmp_path / "meadow.rnd"
    script.write_text("# nothing\n")
    said = {"Name": "Meadow", "Script": "meadow.rnd", "Description": ""}
    (tmp_path / "meadow.json").write_text(json.dumps({"settings": said}))
    monkeypatch.setenv("BATTLELANDS_SCRIPTS", str(tmp_path))
    window.desk.commands.run("file.new-map")
    dialog = window.findChild(NewMapDialog)
    qtbot.waitUntil(
        lambda: bool(dialog.entries.scripts.findItems("Meadow", Qt.MatchFlag.MatchExactly))
    )
    dialog.choose("Meadow")
    qtbot.waitUntil(dialog.make_button.isEnabled)
    dialog.make_button.click()
    document = window.desk.document
    qtbot.waitUntil(lambda: document.active_layer.roll.script_name == "meadow.rnd")
    assert window.desk.scripts.script.path == script


def said_of(qtbot, window, path) -> str:
    """What the desk says when a file cannot be opened."""
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: window.findChild(ProblemDialog) is not None)
    dialog = window.findChild(ProblemDialog)
    text = dialog.findChild(QPlainTextEdit).toPlainText()
    dialog.reject()
    dialog.deleteLater()
    return str(text)


def write_metadata(path, script: str) -> None:
    said = {"Name": "Meadow", "Script": script, "Description": "", "BaseHeight": 2}
    path.write_text(json.dumps({"settings": said}))


def test_a_metadata_file_opens_its_script(qtbot, window, tmp_path):
    script = tmp_path / "meadow.rnd"
    script.write_text("# nothing\n")
    write_metadata(tmp_path / "high.json", "meadow.rnd")
    desk = window.desk
    desk.files.open_path(tmp_path / "high.json")
    assert desk.scripts.script.path == script
    assert desk.scripts.settings.values == {"BaseHeight": 2}
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.files.open_path(tmp_path / "high.json", roll=True)
    assert desk.document.active_layer.roll.settings["BaseHeight"] == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"settings": {"Name": "Lost", "Script": "lost.js"}}', "which is not in this folder"),
        ('{"settings": {"Name": "No script"}}', "Script"),
        ('{"a": 1}', "of no kind that can be read here (Battleland"),
        ('{"settings": {"Name": "Broken",}}', "1:32: error: "),
    ],
)
def test_json_that_cannot_be_opened_is_told_apart(qtbot, window, tmp_path, text, said):
    path = tmp_path / "odd.json"
    path.write_text(text)
    assert said in said_of(qtbot, window, path)


def test_a_new_map_that_cannot_be_rolled_keeps_its_script(qtbot, window):
    desk = window.desk
    islands = generator_named("Islands")
    wrong = {"Size": 128, "PlayerData": '[{"Color": "reddish"}]'}
    with qtbot.waitSignal(desk.rolling.failed):
        run(desk.scripts.opening.roll_new(new_map(islands.system), islands, wrong))
    assert desk.scripts.script.name == "Islands"
    assert desk.scripts.settings.values == {"Size": 128}


def test_a_refused_value_is_told_with_the_name_that_its_field_has(qtbot, window):
    dialog = new_map_dialog(window, "Landscape or free map", "Landscape")
    field = dialog.form.field("scale")
    field.selectAll()
    qtbot.keyClicks(field, "banana")
    qtbot.keyClick(field, Qt.Key.Key_Tab)
    assert not dialog.make_button.isEnabled()
    assert dialog.status.text == "Scale per cell cannot be banana (expected: like 6 miles)"


def test_a_colour_that_is_none_is_told_before_the_map_is_made(qtbot, window):
    dialog = new_map_dialog(window, "0 A.D. map", "Islands")
    colour = dialog.form.field("PlayerData").cellWidget(0, 2)
    colour.setText("reddish")
    assert not dialog.make_button.isEnabled()
    assert "Color cannot be reddish (expected: like #1560d0)" in dialog.status.text
    colour.setText("#ff0000")
    assert dialog.make_button.isEnabled()


@pytest.mark.deep
def test_the_menu_of_a_thing_is_there_also_near_the_edge_of_its_tile(qtbot, window):
    new_islands(qtbot, window)
    document = window.desk.document
    canvas = window.desk.canvas
    thing = next(iter(document.battlemap.visible_things()))
    cell = document.battlemap.grid.cell(round(thing.x), round(thing.y))
    menus = []
    window.desk.cell_menu_made.connect(lambda menu, of: menus.append((menu, of)))
    canvas.menu_requested.emit(Hit(cell, 0, 0.95), QPoint(5, 5))
    ((menu, of),) = menus
    assert of == cell
    assert any(action.menu() for action in menu.actions())
    menu.close()
