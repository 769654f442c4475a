"""A map without a file is called as what it shows, in the title of the window and on its tab."""

from __future__ import annotations

import pytest

from app.document.map_files import new_map
from app.features.files.tab_bar import UNSAVED_MARK, MapTabs
from app.features.game.export_dialog import ExportDialog
from randomizer.catalog.systems import system_named
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
