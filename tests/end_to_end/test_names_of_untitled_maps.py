"""A map without a file is called as what it shows; no two open maps have the same name."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QMenu

from app.document.map_files import new_map
from app.features.files.tab_bar import UNSAVED_MARK, MapTabs
from app.features.game.export_dialog import ExportDialog
from randomizer.catalog.systems import system_named
from randomizer.storage.files.project import write_project
from tests.app.conftest import opened
from tests.app.made_up_game import make_game

DRIVEN_DIALOGS = (ExportDialog,)


def name_in_title(window) -> str:
    return window.windowTitle().removesuffix("[*] - Battlelands Builder")


def name_on_tab(window) -> str:
    tabs = window.findChild(MapTabs)
    return tabs.tabText(tabs.currentIndex()).removeprefix(UNSAVED_MARK)


@pytest.fixture
def untitled(window):
    """An empty battleland without a file, in a tab beside the sample."""
    return window.desk.document.open_map(new_map(system_named("colossus")))


def roll_file(window, hand, qtbot, folder, title) -> None:
    path = folder / f"{title}.rnd"
    path.write_text(f'TITLE "{title}"\nAREA D4 HAZARDS Lake\n', "utf-8")
    hand.expect("Roll with a file").type_path(path)
    window.desk.commands.run("randomize.roll-with-file")
    qtbot.waitUntil(lambda: name_in_title(window) == title)


def test_the_tab_follows_each_roll_as_the_title_does(window, qtbot, hand, untitled, tmp_path):
    roll_file(window, hand, qtbot, tmp_path, "Swamp")
    assert name_on_tab(window) == "Swamp"
    roll_file(window, hand, qtbot, tmp_path, "Desert")
    assert name_on_tab(window) == "Desert"
    window.desk.commands.run("edit.undo")
    assert name_in_title(window) == "Swamp"
    assert name_on_tab(window) == "Swamp"


@pytest.mark.deep
def test_an_export_to_a_game_does_not_rename_an_unsaved_map(
    window, qtbot, hand, untitled, tmp_path
):
    game = make_game(tmp_path)
    window.desk.settings.set_game_dir("colossus", game)
    roll_file(window, hand, qtbot, tmp_path, "Moor")
    window.desk.commands.run("file.export-to-game")
    dialog = opened(window, qtbot, ExportDialog)
    qtbot.waitUntil(dialog.export_button.isEnabled)
    dialog.export_button.click()
    qtbot.waitUntil(lambda: dialog.status.text.startswith("Exported to"))
    dialog.close()
    assert (name_in_title(window), name_on_tab(window)) == ("Moor", "Moor")
    question = hand.expect("Unsaved changes").press("Cancel")
    window.desk.commands.run("file.close-map")
    qtbot.waitUntil(lambda: question.has_come)
    assert question.text.startswith("Moor was exported as it is, but is not saved.")


def names_on_tabs(window) -> list[str]:
    tabs = window.findChild(MapTabs)
    return [tabs.tabText(tab).removeprefix(UNSAVED_MARK) for tab in range(tabs.count())]


def test_maps_of_one_title_are_told_apart(window, qtbot, hand, untitled, tmp_path):
    document = window.desk.document
    sample = document.maps[0]
    roll_file(window, hand, qtbot, tmp_path, "Swamp")
    second = document.open_map(new_map(system_named("colossus")))
    path = tmp_path / "Swamp.rnd"
    hand.expect("Roll with a file").type_path(path)
    window.desk.commands.run("randomize.roll-with-file")
    qtbot.waitUntil(lambda: name_in_title(window) == "Swamp (2)")
    assert names_on_tabs(window) == [document.name_of(sample), "Swamp", "Swamp (2)"]
    question = hand.expect("Unsaved changes").press("Cancel")
    window.desk.commands.run("file.close-map")
    qtbot.waitUntil(lambda: question.has_come)
    assert question.text.startswith("Swamp (2) has changes")
    document.close_map(untitled)  # a name stays
    assert document.name_of(second) == "Swamp (2)"
    offered = hand.expect("Save map as").escape()
    window.desk.commands.run("file.save-as")
    qtbot.waitUntil(lambda: offered.has_come)
    assert offered.text.startswith("Swamp\n")


def test_files_of_one_name_are_told_apart_by_their_folders(window, qtbot, tmp_path):
    document = window.desk.document
    for folder in ("old", "new"):
        path = tmp_path / folder / "Moor.battlemap"
        path.parent.mkdir()
        path.write_bytes(write_project(new_map(system_named("colossus")), {}))
        window.desk.files.open_path(path)
        qtbot.waitUntil(lambda path=path: document.path == path)
    assert names_on_tabs(window)[-2:] == ["Moor.battlemap (old)", "Moor.battlemap (new)"]
    assert name_in_title(window) == "Moor.battlemap (new)"
    document.close_map(document.maps[-2])
    assert names_on_tabs(window)[-1] == "Moor.battlemap"
    assert name_in_title(window) == "Moor.battlemap"


def test_recent_files_of_one_name_are_told_apart_by_their_folders(window, qtbot, tmp_path):
    desk = window.desk
    for folder in ("old", "new"):
        path = tmp_path / folder / "Moor.battlemap"
        path.parent.mkdir()
        path.write_bytes(write_project(new_map(system_named("colossus")), {}))
        desk.files.open_path(path)
        qtbot.waitUntil(lambda path=path: desk.document.path == path)
    (menu,) = (menu for menu in window.findChildren(QMenu) if menu.title() == "Open &recent")
    menu.aboutToShow.emit()
    texts = [action.text() for action in menu.actions()]
    assert texts[:2] == ["Moor.battlemap (new)", "Moor.battlemap (old)"]
