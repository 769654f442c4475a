"""The program is left while a map is rolled, or would be rolled from a script that is saved then.

What Quit has asked about the maps holds: no map changes while it asks about the scripts.
"""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QMessageBox

from app.background.actions import run
from app.document.map_files import new_map
from randomizer.catalog.systems import system_named
from randomizer.languages.language import SourceText
from tests.end_to_end.test_faults_while_asking import SAVE_SCRIPT, UNSAVED_SCRIPT
from tests.end_to_end.test_waiting_is_seen import slow_rolls  # noqa: F401 - a fixture

TOWERS = "AREA (inside) HAZARDS Tower\n"
TREES = "AREA (inside) HAZARDS Tree\n"


@pytest.fixture
def saved_map(window, qtbot, hand, tmp_path):
    """The map of the window, rolled from an unsaved script, and saved as it is."""
    desk = window.desk
    desk.docks.show("randomize")
    edit_script(window, TOWERS)
    desk.commands.run("script.roll")
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    save(window, qtbot, hand, tmp_path / "rolled.battlemap")
    return desk.document.current_map


def edit_script(window, text: str) -> None:
    scripts = window.desk.scripts
    scripts.text.replace(text)
    scripts.text.setModified(True)


def save(window, qtbot, hand, path) -> None:
    document = window.desk.document
    hand.expect("Save map as").type_path(path)
    window.desk.commands.run("file.save-as")
    qtbot.waitUntil(lambda: document.path == path)
    qtbot.waitUntil(lambda: not document.current_map.unsaved)


def press(name: QMessageBox.StandardButton) -> None:
    question = QApplication.activeModalWidget()
    assert isinstance(question, QMessageBox)
    question.button(name).click()


def wait_until_left(window, qtbot) -> None:
    qtbot.waitUntil(lambda: not window.isVisible())


def test_a_roll_that_is_under_way_changes_no_map_while_quit_asks_about_its_script(
    window,
    qtbot,
    hand,
    saved_map,
    slow_rolls,  # noqa: F811 - a fixture
):
    window.desk.scripts.follower.set_enabled(False)
    edit_script(window, TREES)  # or the project would keep it, and nothing would be asked
    window.desk.commands.run("script.roll")
    assert window.desk.rolling.busy
    question = hand.expect(UNSAVED_SCRIPT)
    window.close()
    qtbot.waitUntil(lambda: question.has_come)
    slow_rolls.set()
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)
    qtbot.wait(50)
    assert not saved_map.unsaved, "it was not asked about"
    press(QMessageBox.StandardButton.Discard)
    wait_until_left(window, qtbot)
    assert not saved_map.unsaved


@pytest.mark.deep
def test_a_script_that_is_saved_while_quit_asks_changes_no_map(
    window, qtbot, hand, saved_map, tmp_path
):
    desk = window.desk
    edit_script(window, TREES)
    desk.document.open_map(new_map(system_named("colossus")))
    save(window, qtbot, hand, tmp_path / "blank.battlemap")
    run(desk.scripts.new_scripts.open_new(SourceText(TOWERS, "Towers.rnd")))
    edit_script(window, TREES + TOWERS)
    first = hand.expect(UNSAVED_SCRIPT).press("Save")
    hand.expect(SAVE_SCRIPT).type_path(tmp_path / "Trees.rnd")
    second = hand.expect(UNSAVED_SCRIPT)
    window.close()
    qtbot.waitUntil(lambda: second.has_come)
    assert first.has_come
    qtbot.wait(500)  # longer than the pause after which a map follows its script
    assert not any(open_map.unsaved for open_map in desk.document.maps)
    press(QMessageBox.StandardButton.Discard)
    wait_until_left(window, qtbot)
    assert (tmp_path / "Trees.rnd").read_text() == TREES
