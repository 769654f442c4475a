"""Maps that hold their script, in the real window: new, typed into, opened, left, restored."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.new_map.dialog import NewMapDialog
from randomizer.model.map.battlemap import BattleMap
from tests.app.conftest import new_map_dialog
from tests.test_system.recorded import DOWNS, SCRIPT, WOLDS

DRIVEN_DIALOGS = (NewMapDialog,)

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(recsys, window):
    """The desk, started when the package was installed already; all keys are quick ones."""
    window.desk.scripts.map_script.clock = lambda: 0.0
    return window


@pytest.fixture
def panel(window):
    window.desk.docks.show("randomize")
    return window.desk.docks.panel("randomize")


def make_map(qtbot, window, script: str = "Downs") -> None:
    """A new map of the kind, as a user makes one."""
    new_map_dialog(window, "Recorded land", script).make_button.click()
    qtbot.waitUntil(lambda: window.desk.document.battlemap.system.name == "recsys")
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def settle(qtbot, window) -> None:
    script = window.desk.scripts.map_script
    rolling = window.desk.rolling
    qtbot.waitUntil(lambda: not script.pending and not rolling.busy)


def count(battlemap: BattleMap, name: str) -> int:
    shown = battlemap.composite()
    code = shown.terrain_set.terrain_code(name)
    return int((shown.planes["soil"] == code).sum())


def type_at(editor, text: str, behind: str) -> None:
    """Put the cursor behind a word and type."""
    editor.setFocus()
    cursor = editor.textCursor()
    cursor.setPosition(editor.text().index(behind) + len(behind))
    editor.setTextCursor(cursor)
    QTest.keyClicks(editor, text)


def test_a_new_map_is_there_rolled_and_undo_does_not_empty_it(qtbot, window, panel):
    make_map(qtbot, window, "Wolds")
    document = window.desk.document
    assert count(document.battlemap, "Chalk") > 50
    assert len(document.history.steps) == 0
    assert document.battlemap.source_layer is document.active_layer
    assert panel.editor.text() == WOLDS
    assert panel.roll_bar.seed.value == document.active_layer.roll.seed
    assert "seed 17" in window.statusBar().currentMessage()


def test_a_world_follows_the_keys_and_all_is_undone_from_the_editor(qtbot, window, panel):
    make_map(qtbot, window)
    document = window.desk.document
    battlemap = window.desk.document.battlemap
    before = count(battlemap, "Pool")
    type_at(panel.editor, "9", "Pool 20"[:-1])  # Pool 290: all of it
    settle(qtbot, window)
    assert count(battlemap, "Pool") > 2 * before
    assert len(document.history.steps) == 1
    assert document.history.steps[0].text == "Change downs.rec"
    panel.editor.setFocus()
    QTest.keyClicks(panel.editor, "x")
    QTest.keyClick(panel.editor, Qt.Key.Key_Z, CTRL)
    settle(qtbot, window)
    QTest.keyClick(panel.editor, Qt.Key.Key_Z, CTRL)
    assert document.history.next_undo is None
    settle(qtbot, window)
    assert panel.editor.text() == DOWNS
    assert battlemap.records[SCRIPT].text == DOWNS
    assert count(battlemap, "Pool") == before
    QTest.keyClick(panel.editor, Qt.Key.Key_Z, CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert panel.editor.text() != DOWNS


@pytest.mark.deep
def test_a_text_with_errors_says_that_the_map_is_the_last_good_one(qtbot, window, panel):
    make_map(qtbot, window)
    type_at(panel.editor, "s", "scatter Pool")
    settle(qtbot, window)
    qtbot.waitUntil(lambda: "errors" in panel.notices.text_banner.label.text())
    assert panel.notices.text_banner.isVisible()
    assert len(window.desk.document.history.steps) == 1
    QTest.keyClick(panel.editor, Qt.Key.Key_Backspace)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: not panel.notices.text_banner.isVisible())
    assert len(window.desk.document.history.steps) == 0


def test_a_script_file_opens_as_a_rolled_map_and_the_panel_changes_the_current_one(
    qtbot, window, panel, hand, tmp_path
):
    path = tmp_path / "mine.rec"
    path.write_text(WOLDS, "utf-8")
    document = window.desk.document
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: document.battlemap.system.name == "recsys")
    qtbot.waitUntil(lambda: window.desk.scripts.script.path == path)
    assert count(document.battlemap, "Chalk") > 50
    assert len(document.history.steps) == 0
    path.write_text(DOWNS, "utf-8")
    other = tmp_path / "other.rec"
    other.write_text(DOWNS, "utf-8")
    hand.expect("Open a script for this map").type_path(other)
    panel.open_action.trigger()
    qtbot.waitUntil(lambda: window.desk.scripts.script.path == other)
    settle(qtbot, window)
    assert document.history.steps[0].text == "Open other.rec"
    document.undo()
    qtbot.waitUntil(lambda: window.desk.scripts.script.path == path)
    assert panel.editor.text() == WOLDS, "the map's, whatever the file holds now"


@pytest.mark.deep
def test_a_file_that_changes_while_another_script_is_opened_does_not_come_back(
    qtbot, window, panel, hand, tmp_path
):
    path = tmp_path / "mine.rec"
    path.write_text(WOLDS, "utf-8")
    window.desk.files.open_path(path)
    scripts = window.desk.scripts
    qtbot.waitUntil(lambda: scripts.script.path == path)
    changed_script = replace(scripts.script, text=DOWNS)

    # Another script is opened, and while it is rolled the old file is saved with the same text.
    other = tmp_path / "other.rec"
    other.write_text(DOWNS, "utf-8")

    def tell_of_old_file(_request):
        scripts.file_changes.map_text_read.emit(changed_script)

    window.desk.rolling.finished.connect(tell_of_old_file)
    hand.expect("Open a script for this map").type_path(other)
    panel.open_action.trigger()
    qtbot.waitUntil(lambda: scripts.script.path == other)
    settle(qtbot, window)
    assert scripts.script.path == other


def test_a_script_that_cannot_be_rolled_opens_with_an_empty_map(qtbot, window, panel, tmp_path):
    path = tmp_path / "broken.rec"
    path.write_text("ground Nothing\n", "utf-8")
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: window.desk.document.battlemap.system.name == "recsys")
    assert panel.editor.text() == "ground Nothing\n"
    qtbot.waitUntil(lambda: bool(panel.problem_list.problems))
    assert window.desk.scripts.script.path == path


def test_undo_takes_back_a_change_that_is_still_on_its_way(qtbot, window, panel):
    make_map(qtbot, window)
    document = window.desk.document
    script = window.desk.scripts.map_script
    script.change_text(DOWNS.replace("Pool 20", "Pool 5"), "one")
    settle(qtbot, window)
    text = document.battlemap.records[SCRIPT].text
    script.rewrite(
        lambda text, _texts: text.replace("Pool 5", "Pool 60"), "two", title="Two", on_refused=print
    )
    window.desk.commands.run("edit.undo")
    settle(qtbot, window)
    assert document.battlemap.records[SCRIPT].text == text
    assert document.history.index == 1
    assert document.history.next_redo.text == "Two"


@pytest.mark.deep
def test_the_mark_of_an_edited_text_goes_when_the_map_that_holds_it_is_saved(
    qtbot, window, panel, hand, tmp_path
):
    make_map(qtbot, window)
    settle(qtbot, window)
    type_at(panel.editor, "5", behind="scatter Pool 2")
    settle(qtbot, window)
    assert panel.head.title.text() == "downs.rec *"
    hand.expect("Save map as").type_path(tmp_path / "Downs.battlemap")
    window.desk.commands.run("file.save-as")
    qtbot.waitUntil(lambda: not window.desk.document.modified)
    assert panel.head.title.text() == "downs.rec"
