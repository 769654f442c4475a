"""Export for a virtual table, from the menu: the players' map goes out unless asked otherwise."""

from __future__ import annotations

import json

import pytest

from app.features.pictures.picture_dialog import PictureDialog
from randomizer.catalog.format_choice import format_for
from randomizer.formats.checked import read_checked
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map_picture import picture_of
from randomizer.model.players_view import SECRET
from randomizer.model.things.things import Thing, Things
from randomizer.systems.free.system import free_map
from randomizer.systems.free.things import NOTE
from tests.app.conftest import wait_for_actions
from tests.app.saves import saved
from tests.randomizer.own_terrains import PNG
from tests.randomizer.systems.interchange.readers import scene
from tests.randomizer.systems.interchange.samples import SCENE


@pytest.fixture
def features():
    return "pictures", "files"


@pytest.fixture
def open_dialog(window):
    """Opens the dialog from the menu, on a map with a note for everybody and a secret one."""
    notes = (
        Thing(1, NOTE, 0, 0, label="Inn"),
        Thing(2, NOTE, 1.5, 1, label="Vault", state={SECRET: True}),
    )
    battlemap = free_map(FLAT, 4, 3)
    battlemap.layers[0].things = Things(notes)
    battlemap.note_ids([2])
    window.desk.document.open_map(battlemap)

    def open_dialog() -> PictureDialog:
        window.desk.commands.run("file.export-for-a-virtual-table")
        return window.findChildren(PictureDialog)[-1]

    return open_dialog


def choose(box, key: str) -> None:
    box.setCurrentIndex(box.findData(key))


def export(qtbot, hand, dialog, path):
    hand.hold(PictureDialog)
    hand.expect(dialog.windowTitle()).type_path(path)
    with qtbot.waitSignal(dialog.reported) as said:
        dialog.go_button.click()
    return said.args[0]


def test_a_scene_is_exported_and_opened_again(qtbot, tmp_path, hand, window, open_dialog):
    dialog = open_dialog()
    assert dialog.windowTitle() == "Export for a virtual table"
    dialog.form.field("folder").setText("worlds/moor")
    dialog.form.field("pixels").setValue(60)
    assert dialog.status.text == (
        "226 x 210 pixels; players see 1 note: tick Secret at a note to hide it"
    )
    path = tmp_path / "moor.json"
    assert export(qtbot, hand, dialog, tmp_path / "moor") == (
        f"Exported moor.json, moor.png and moor.json.txt to {tmp_path.name}: "
        "moor.json.txt says what to do next"
    )
    written = json.loads(path.read_bytes())
    assert written["background"]["src"] == "worlds/moor/moor.png"
    assert [pin["text"] for pin in written["notes"]] == ["Inn"]
    assert {each.name for each in tmp_path.glob("moor*")} == {
        "moor.json",
        "moor.json.txt",
        "moor.png",
    }
    document = window.desk.document
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: document.path == path)
    assert [visible_thing.label for visible_thing in document.battlemap.visible_things()] == ["Inn"]


def test_the_whole_map_is_exported_only_when_it_is_asked_for(qtbot, tmp_path, hand, open_dialog):
    dialog = open_dialog()
    choose(dialog.form.field("kind"), ".uvtt")
    assert dialog.form.field("folder").isHidden()
    dialog.form.field("players").setChecked(False)
    dialog.form.field("pixels").setValue(70)
    export(qtbot, hand, dialog, tmp_path / "moor")
    assert "Vault" in (tmp_path / "moor.uvtt.txt").read_text("utf-8")
    again = open_dialog()
    assert again.make_request().pixels == 70
    assert again.make_request().overlays.players


def test_a_scene_of_foundry_is_painted_and_saved_into_its_file(qtbot, tmp_path, window):
    path = tmp_path / "old.json"
    document = window.desk.document
    path.write_bytes(SCENE[1])
    (tmp_path / "a.webp").write_bytes(PNG)
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: document.path == path)
    cell = int(document.battlemap.grid.cells[0])
    assert document.push(set_values(document.battlemap, 1, "terrain", [cell], 3), "Paint")
    assert saved(window.desk.files.saving.save)
    assert scene(path.read_text("utf-8")) == scene(SCENE[1].decode())
    again = read_checked(format_for(path.read_bytes(), path.name), path.read_bytes()).battlemap
    assert again.values("terrain").flat[cell] == 3
    assert picture_of(again.records) == picture_of(document.battlemap.records) is not None


def test_a_suffix_in_capitals_is_one_in_small_letters(qtbot, tmp_path, hand, open_dialog):
    dialog = open_dialog()
    assert "inn.uvtt" in export(qtbot, hand, dialog, tmp_path / "inn.UVTT")
    assert (tmp_path / "inn.uvtt").exists()


def test_a_file_that_nobody_was_asked_about_is_not_replaced(tmp_path, open_dialog):
    (tmp_path / "inn.uvtt").write_text("mine")
    dialog = open_dialog()
    dialog.export_to(tmp_path / "inn.UVTT")
    assert dialog.status.text == "inn.uvtt is there already: choose it by this name"
    assert (tmp_path / "inn.uvtt").read_text() == "mine"


def test_the_file_of_an_open_map_is_not_exported_over(qtbot, tmp_path, hand, window):
    path = tmp_path / "old.json"
    path.write_bytes(SCENE[1])
    (tmp_path / "a.webp").write_bytes(PNG)
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: window.desk.document.path == path)
    window.desk.commands.run("file.export-for-a-virtual-table")
    dialog = window.findChildren(PictureDialog)[-1]
    hand.hold(PictureDialog)
    hand.expect(dialog.windowTitle()).type_path(path)
    hand.expect("Replace the file?").press("Yes")
    dialog.go_button.click()
    wait_for_actions(qtbot)
    assert dialog.status.text == "old.json is the file of an open map: choose another name"
    assert path.read_bytes() == SCENE[1]
