"""Export as offers the format that the game loads first, then other programs', named as theirs."""

from __future__ import annotations

import pytest

from app.document.map_files import new_map
from app.features.pictures.picture_dialog import PictureDialog
from randomizer.catalog.systems import system_named
from randomizer.model.grid.layouts import SQUARE
from randomizer.systems.free.system import free_map
from randomizer.systems.interchange.formats import FOUNDRY
from tests.app.conftest import opened
from tests.daily import deep_but

DRIVEN_DIALOGS = (PictureDialog,)

FIRST_FILTERS = {
    "colossus": ["Colossus battleland"],
    "xconq": ["Xconq mapfile"],
    "zeroad": ["Atlas scenario for 0 A.D.", "Map script for 0 A.D. 0.27"],
    "cordery": ["Wargame table as text"],
    "free": ["MegaMek board", "Wesnoth map"],
}


@pytest.mark.parametrize("system_name", deep_but(FIRST_FILTERS, "zeroad"))
def test_the_formats_that_one_looks_for_come_first(window, qtbot, hand, system_name):
    window.desk.document.open_map(new_map(system_named(system_name)))
    asked = hand.expect("Export map as").escape()
    window.desk.commands.run("file.export-as")
    qtbot.waitUntil(lambda: asked.has_come)
    _file_name, *filters = asked.text.splitlines()
    titles = [line.split(" (")[0] for line in filters]
    first_titles = FIRST_FILTERS[system_name]
    assert titles[: len(first_titles)] == first_titles
    assert titles[-1] in ("Cells, a line each", "Key of notes")


def test_a_map_of_zeroad_is_written_for_atlas_without_choosing_a_type(
    window, qtbot, hand, tmp_path
):
    window.desk.document.open_map(new_map(system_named("zeroad")))
    hand.expect("Export map as").type_path(tmp_path / "Moor")
    window.desk.commands.run("file.export-as")
    qtbot.waitUntil(lambda: "Exported" in window.statusBar().currentMessage())
    assert {path.name for path in tmp_path.glob("Moor*")} == {"Moor.pmp", "Moor.xml"}
    assert "Moor.pmp and Moor.xml" in window.statusBar().currentMessage()


@pytest.mark.parametrize("suffix", [".tmx", ".board"])
@pytest.mark.parametrize("system_name", ["colossus", "xconq"])
def test_a_typed_suffix_of_a_format_that_cannot_hold_the_map_is_refused_in_words(
    window, qtbot, hand, tmp_path, system_name, suffix
):
    window.desk.document.open_map(new_map(system_named(system_name)))
    hand.expect("Export map as").type_path(tmp_path / f"Moor{suffix}")
    told = hand.expect("Battlelands Builder").close()
    window.desk.commands.run("file.export-as")
    qtbot.waitUntil(lambda: told.has_come)
    assert "cannot hold" in told.text
    assert "nothing was written" in told.text
    assert list(tmp_path.glob("Moor*")) == []


def test_a_map_is_not_saved_in_a_format_that_cannot_be_opened_again(window, qtbot, hand, tmp_path):
    desk = window.desk
    desk.document.open_map(new_map(system_named("colossus")))
    hand.expect("Save map as").type_path(tmp_path / "Moor.txt")
    told = hand.expect("Battlelands Builder").close()
    desk.commands.run("file.save-as")
    qtbot.waitUntil(lambda: told.has_come)
    assert "cannot be opened again" in told.text
    assert "Export as" in told.text
    assert list(tmp_path.glob("Moor*")) == []
    assert desk.document.current_map.path is None


@pytest.mark.parametrize("system_name", deep_but(FIRST_FILTERS, "free"))
def test_virtual_tables_have_one_command_which_adds_the_picture(window, qtbot, hand, system_name):
    window.desk.document.open_map(new_map(system_named(system_name)))
    for command, title in (
        ("file.export-as", "Export map as"),
        ("file.save-as", "Save map as"),
    ):
        asked = hand.expect(title).escape()
        window.desk.commands.run(command)
        qtbot.waitUntil(lambda asked=asked: asked.has_come)
        assert "Foundry" not in asked.text
        assert "Universal VTT" not in asked.text
    window.desk.commands.run("file.export-for-a-virtual-table")
    dialog = opened(window, qtbot, PictureDialog)
    kinds = dialog.form.field("kind")
    titles = [kinds.itemText(row) for row in range(kinds.count())]
    assert titles == ["Foundry scene", "Universal VTT"]
    dialog.close()


def test_a_map_opened_from_a_scene_is_saved_as_one(window, qtbot, hand, tmp_path):
    scene = tmp_path / "Moor.json"
    scene.write_bytes(FOUNDRY.write(free_map(SQUARE, 4, 3)))
    window.desk.files.open_path(scene)
    qtbot.waitUntil(lambda: window.desk.document.path == scene)
    asked = hand.expect("Save map as").escape()
    window.desk.commands.run("file.save-as")
    qtbot.waitUntil(lambda: asked.has_come)
    assert "Foundry scene (*.json)" in asked.text
    assert "Universal VTT" not in asked.text
