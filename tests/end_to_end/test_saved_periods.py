"""A period that was saved under a name of one's own is the one that the scenario includes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolBar

from app.features.files.tab_bar import UNSAVED_MARK, MapTabs
from app.features.new_map.dialog import NewMapDialog
from tests.app.conftest import new_map_dialog
from tests.daily import deep_but
from tests.end_to_end.test_map_script_desk import settle
from tests.end_to_end.test_new_scripts import NEW_PERIOD, find
from tests.end_to_end.worlds import new_world, script_panel, wait_for_world

DRIVEN_DIALOGS = (NewMapDialog,)


@pytest.fixture
def world(window, qtbot):
    """A new world of the period *Fantasy*, and its script panel."""
    new_world(qtbot, window, "Fantasy")
    return script_panel(qtbot, window)


def type_comment(qtbot, window, panel):
    panel.editor.setFocus()
    QTest.keyClick(panel.editor, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(panel.editor, Qt.Key.Key_Return)
    settle(qtbot, window)


def save_script(qtbot, hand, panel, path):
    hand.expect("Save script").type_path(path)
    panel.save_as_action.trigger()
    qtbot.waitUntil(lambda: panel.scripts.script.path == path)


def save_map(qtbot, window, hand, path, *, is_first=True):
    """Save the world in a flat file; whether that will do is asked once for each map."""
    hand.expect("Save map as").type_path(path)
    hand.expect("What is saved").press("Save")
    if is_first:
        hand.expect("What should Save write?").press(f"Write {path.name}")
    window.desk.commands.run("file.save-as")
    qtbot.waitUntil(path.exists)
    qtbot.waitUntil(lambda: not window.desk.document.current_map.unsaved)


def includes_of(path):
    lines = path.read_text("latin-1").splitlines()
    return lines[1 : 1 + int(lines[0].split()[1])]


@pytest.mark.parametrize("is_edited", deep_but([True, False], True))
def test_the_scenario_includes_the_period_as_it_was_saved(
    window, world, hand, qtbot, tmp_path, is_edited
):
    if is_edited:
        type_comment(qtbot, window, world)
    save_script(qtbot, hand, world, tmp_path / "mine.per")
    save_map(qtbot, window, hand, tmp_path / "war.scn")
    assert includes_of(tmp_path / "war.scn") == ["mine.per"]
    assert {path.name for path in tmp_path.glob("*.per")} == {"mine.per"}


@pytest.mark.deep
def test_a_scenario_that_was_opened_gets_the_new_period_and_leaves_the_old(
    window, world, hand, qtbot, tmp_path
):
    save_map(qtbot, window, hand, tmp_path / "war.scn")
    (old_name,) = includes_of(tmp_path / "war.scn")
    old_period = (tmp_path / old_name).read_bytes()
    window.desk.files.open_path(tmp_path / "war.scn")
    settle(qtbot, window)
    type_comment(qtbot, window, world)
    save_script(qtbot, hand, world, tmp_path / "mine.per")
    save_map(qtbot, window, hand, tmp_path / "later.scn", is_first=False)
    assert includes_of(tmp_path / "later.scn") == ["mine.per"]
    assert (tmp_path / old_name).read_bytes() == old_period


@pytest.mark.deep
def test_a_period_that_was_opened_from_a_file_keeps_its_name(window, world, hand, qtbot, tmp_path):
    save_map(qtbot, window, hand, tmp_path / "war.scn")
    (old_name,) = includes_of(tmp_path / "war.scn")
    old_period = (tmp_path / old_name).read_bytes()
    other = tmp_path / "elves.per"
    other.write_bytes(old_period.replace(b"Xconq 0 -+---- ", b"Xconq 0 -+---- More "))
    window.desk.files.open_path(tmp_path / "war.scn")
    settle(qtbot, window)
    hand.expect("Open a period for this map").type_path(other)
    world.open_action.trigger()
    settle(qtbot, window)
    qtbot.waitUntil(lambda: window.desk.scripts.script.path == other)
    save_map(qtbot, window, hand, tmp_path / "later.scn", is_first=False)
    assert includes_of(tmp_path / "later.scn") == ["elves.per"]
    assert (tmp_path / old_name).read_bytes() == old_period


def press_save(panel):
    QTest.keyClick(panel.editor, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)


def click_save(window):
    """Click *Save* in the tool bar."""
    action = window.desk.commands.action("file.save")
    buttons = (bar.widgetForAction(action) for bar in window.findChildren(QToolBar))
    button = next(button for button in buttons if button is not None)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.deep
def test_ctrl_s_in_the_period_saves_the_period_and_the_tool_bar_the_map(
    window, world, hand, qtbot, tmp_path
):
    message = window.statusBar().currentMessage
    press_save(world)
    assert message() == "fantasy.per has no changes to save. File > Save saves the map."
    type_comment(qtbot, window, world)
    path = tmp_path / "mine.per"
    hand.expect("Save script").type_path(path)
    press_save(world)
    qtbot.waitUntil(path.exists)
    text = "Saved the script mine.per; the map itself is not saved yet"
    qtbot.waitUntil(lambda: message() == text)
    assert "Save this text in mine.per" in world.save_action.toolTip()
    # Once more in the text: no question about the map.
    press_save(world)
    assert message() == "mine.per has no changes to save. File > Save saves the map."
    hand.expect("Save map as").type_path(tmp_path / "war.scn")
    hand.expect("What is saved").press("Save")
    hand.expect("What should Save write?").press("Write war.scn")
    click_save(window)
    qtbot.waitUntil((tmp_path / "war.scn").exists)
    qtbot.waitUntil(lambda: not window.desk.document.current_map.unsaved)
    saved_period = path.read_bytes()
    type_comment(qtbot, window, world)
    press_save(world)
    qtbot.waitUntil(lambda: message() == text)
    assert path.read_bytes() != saved_period


@pytest.mark.deep
def test_the_question_on_leaving_tells_the_map_from_its_saved_period(
    window, world, hand, qtbot, tmp_path
):
    type_comment(qtbot, window, world)
    question = hand.expect("Unsaved changes").press("Cancel")
    window.desk.commands.run("file.close-map")
    qtbot.waitUntil(lambda: question.has_come)
    assert "script" not in question.text
    save_script(qtbot, hand, world, tmp_path / "mine.per")
    question = hand.expect("Unsaved changes").press("Cancel")
    window.desk.commands.run("file.close-map")
    qtbot.waitUntil(lambda: question.has_come)
    name = window.desk.document.name_of(window.desk.document.current_map)
    assert question.text.startswith(
        f"The map {name} has changes that are not saved. Its script is saved in mine.per."
    )


def test_ctrl_s_saves_a_new_period_that_nothing_keeps_yet(window, hand, qtbot, tmp_path):
    find(qtbot, window, "new period", NEW_PERIOD)
    wait_for_world(qtbot, window)
    settle(qtbot, window)
    panel = script_panel(qtbot, window)
    path = tmp_path / "mine.per"
    hand.expect("Save script").type_path(path)
    panel.editor.setFocus()
    press_save(panel)
    qtbot.waitUntil(path.exists)


@pytest.mark.deep
def test_new_map_says_which_period_is_the_standard_one(window, qtbot):
    dialog = new_map_dialog(window, "Xconq world", "Modern")
    assert dialog.about.text().startswith("The standard period, also of maps that name none:")
    dialog.reject()


def test_the_name_of_the_periods_file_is_seen_and_chosen_where_the_map_is_saved(
    window, world, hand, qtbot, tmp_path
):
    type_comment(qtbot, window, world)

    def choose_name(dialog):
        field = dialog.form.field("file")
        assert field.text() == "war.per", "an edited period is called as its map"
        field.setText("a/b.per")
        assert dialog.status.text == "The period's file needs another name: it must not hold /."
        field.setText("elves")
        assert "elves.per" in dialog.status.text

    hand.expect("Save map as").type_path(tmp_path / "war.scn")
    hand.expect("What is saved").do(choose_name).press("Save")
    hand.expect("What should Save write?").press("Write war.scn")
    window.desk.commands.run("file.save-as")
    qtbot.waitUntil((tmp_path / "war.scn").exists)
    qtbot.waitUntil(lambda: not window.desk.document.current_map.unsaved)
    assert includes_of(tmp_path / "war.scn") == ["elves.per"]
    assert {path.name for path in tmp_path.glob("*.per")} == {"elves.per"}


@pytest.mark.deep
def test_the_name_of_the_periods_file_is_chosen_for_an_export_too(
    window, world, hand, qtbot, tmp_path
):
    def choose_name(dialog):
        assert dialog.form.field("file").text().startswith("fantasy")
        dialog.form.field("file").setText("elves.per")

    hand.expect("Export map as").type_path(tmp_path / "war.map")
    hand.expect("What is saved").do(choose_name).press("Save")
    window.desk.commands.run("file.export-as")
    qtbot.waitUntil((tmp_path / "war.map").exists)
    assert includes_of(tmp_path / "war.map") == ["elves.per"]
    message = window.statusBar().currentMessage
    qtbot.waitUntil(lambda: "elves.per" in message())


@pytest.mark.deep
def test_a_map_that_was_opened_is_told_so(window, world, hand, qtbot, tmp_path):
    path = tmp_path / "jungleworld.battlemap"
    hand.expect("Save map as").type_path(path)
    window.desk.commands.run("file.save-as")
    qtbot.waitUntil(lambda: window.statusBar().currentMessage().startswith("Saved jungleworld"))
    window.desk.commands.run("file.close-map")
    qtbot.waitUntil(lambda: window.desk.document.path is None)
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: window.desk.document.path == path)
    settle(qtbot, window)
    assert window.statusBar().currentMessage() == "Opened jungleworld.battlemap"


def test_an_export_leaves_a_saved_project_saved(window, world, hand, qtbot, tmp_path):
    document = window.desk.document
    project = tmp_path / "world.battlemap"
    hand.expect("Save map as").type_path(project)
    window.desk.commands.run("file.save-as")
    qtbot.waitUntil(lambda: document.path == project and not document.current_map.unsaved)
    hand.expect("Export map as").type_path(tmp_path / "world.map")
    hand.expect("What is saved").press("Save")
    window.desk.commands.run("file.export-as")
    qtbot.waitUntil((tmp_path / "world.map").exists)
    settle(qtbot, window)
    assert not document.current_map.unsaved
    assert not window.isWindowModified()


@pytest.mark.deep
def test_the_tab_of_an_unsaved_world_is_called_as_its_saved_period(
    window, world, hand, qtbot, tmp_path
):
    tabs = window.findChild(MapTabs)

    def name_on_tab():
        return tabs.tabText(tabs.currentIndex()).removeprefix(UNSAVED_MARK)

    assert name_on_tab() == "Untitled"
    save_script(qtbot, hand, world, tmp_path / "mine.per")
    qtbot.waitUntil(lambda: name_on_tab() == "mine")
    assert window.windowTitle().startswith("mine")
    window.desk.commands.run("edit.undo")
    qtbot.waitUntil(lambda: name_on_tab() == "Untitled")


@pytest.mark.deep
def test_a_period_without_a_file_is_called_as_the_map(window, hand, qtbot, tmp_path):
    find(qtbot, window, "new period", NEW_PERIOD)
    wait_for_world(qtbot, window)
    wait_for_world(qtbot, window)
    settle(qtbot, window)
    hand.expect("Save map as").type_path(tmp_path / "draft.map")
    hand.expect("What is saved").do(check_name("draft.per")).press("Cancel")
    hand.expect("Save map as").type_path(tmp_path / "realm.map")
    hand.expect("What is saved").do(check_name("realm.per")).press("Save")
    hand.expect("What should Save write?").press("Write realm.map")
    window.desk.commands.run("file.save-as")
    qtbot.waitUntil((tmp_path / "realm.map").exists)
    qtbot.waitUntil(lambda: not window.desk.document.current_map.unsaved)
    assert includes_of(tmp_path / "realm.map") == ["realm.per"]
    assert {path.name for path in tmp_path.glob("*.per")} == {"realm.per"}


@pytest.mark.parametrize(
    ("other_file", "suggested_name"),
    deep_but(
        [("mine.map", "mine"), ("mine.per", "mine"), ("mine.battlemap", "mine 2")],
        ("mine.battlemap", "mine 2"),
    ),
)
def test_only_a_file_that_would_be_replaced_gives_the_map_another_name(
    window, world, hand, qtbot, tmp_path, other_file, suggested_name
):
    def see_name(dialog):
        names.append(Path(dialog.selectedFiles()[0]).stem)

    names = []
    save_script(qtbot, hand, world, tmp_path / "mine.per")
    (tmp_path / other_file).touch()
    hand.expect("Save map as").do(see_name).press("Cancel")
    window.desk.commands.run("file.save-as")
    qtbot.waitUntil(lambda: bool(names))
    assert names == [suggested_name]


def check_name(name):
    def check(dialog):
        assert dialog.form.field("file").text() == name
        assert f"The period is written to {name} beside the map" in dialog.status.text

    return check
