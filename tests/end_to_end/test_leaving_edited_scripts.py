"""Closing and quitting ask about a script only where its edits would be lost."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.document.map_files import new_map
from randomizer.catalog.generators import generators
from randomizer.catalog.systems import system_named
from randomizer.storage.files.project import read_project
from tests.app.saves import finished

BOGS = "AREA (anywhere) HAZARDS Bog Bog Bog\n"
EDIT = "# wetter\n"
MISTAKE = "AREA (anywhere HAZARDS\n"
SCRIPT_QUESTION = "Unsaved script"
MAP_QUESTION = "Unsaved changes"


class Author:
    """A person who opens a script, edits it, rolls and saves the map."""

    def __init__(self, qtbot, window, hand, folder) -> None:
        self.qtbot = qtbot
        self.window = window
        self.desk = window.desk
        self.hand = hand
        self.project = folder / "Moor.battlemap"
        self.script = folder / "Bogs.rnd"
        self.script.write_text(BOGS, encoding="utf-8")
        assert finished(self.desk.scripts.opening.open(self.script))
        self.desk.docks.show("randomize")
        self.editor = self.desk.docks.panel("randomize").editor

    def type_edit(self) -> None:
        self.editor.setFocus()
        QTest.keyClick(self.editor, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(self.editor, EDIT.rstrip("\n"))
        QTest.keyClick(self.editor, Qt.Key.Key_Return)

    def roll(self) -> None:
        with self.qtbot.waitSignal(self.desk.rolling.finished):
            self.desk.commands.run("script.roll")
        self.qtbot.waitUntil(lambda: not self.desk.rolling.busy)

    def save_map(self) -> None:
        """Save the map by the command; the first time its file is typed."""
        if self.desk.document.current_map.path is None:
            self.hand.expect("Save map as").type_path(self.project)
            if self.project.suffix == ".xml":
                self.hand.expect("What should Save write?").press(f"Write {self.project.name}")
        self.desk.commands.run("file.save")
        self.qtbot.waitUntil(lambda: not self.desk.document.current_map.unsaved)

    def quit(self) -> None:
        """Quit, and wait until the window is closed."""
        self.desk.commands.run("file.quit")
        self.qtbot.waitUntil(lambda: not self.window.isVisible())

    def stay(self) -> None:
        """Quit, and cancel the question about the script."""
        question = self.hand.expect(SCRIPT_QUESTION).press("Cancel")
        self.desk.commands.run("file.quit")
        self.qtbot.waitUntil(lambda: question.has_come and QApplication.activeModalWidget() is None)
        assert self.window.isVisible()
        assert "Bogs.rnd" in question.text


@pytest.fixture
def author(qtbot, window, hand, tmp_path):
    return Author(qtbot, window, hand, tmp_path)


@pytest.mark.deep
def test_what_a_saved_project_keeps_is_not_asked_about(author, window):
    author.type_edit()
    author.roll()
    author.save_map()
    message = window.statusBar().currentMessage()
    assert message == "Saved Moor.battlemap, with your edits of Bogs.rnd"
    author.quit()
    assert author.script.read_text(encoding="utf-8") == BOGS
    battlemap = read_project(author.project.read_bytes()).battlemap
    (roll,) = [layer.roll for layer in battlemap.layers if layer.roll]
    assert roll.script == EDIT + BOGS


def test_the_edit_is_in_the_editor_when_the_project_is_opened_again(author, qtbot):
    author.type_edit()
    author.roll()
    author.save_map()
    author.desk.commands.run("file.close-map")
    qtbot.waitUntil(lambda: author.desk.document.current_map.path is None)
    author.desk.files.open_paths([author.project])
    qtbot.waitUntil(lambda: author.desk.document.current_map.path == author.project)
    assert author.desk.scripts.text.text() == EDIT + BOGS


def test_an_edit_that_was_not_rolled_is_asked_about(author):
    author.roll()
    author.save_map()
    author.type_edit()
    author.stay()
    author.hand.expect(SCRIPT_QUESTION).press("Save")
    author.quit()
    assert author.script.read_text(encoding="utf-8") == EDIT + BOGS


def test_an_edit_since_the_roll_that_was_saved_is_asked_about(author):
    author.type_edit()
    author.roll()
    author.save_map()
    author.type_edit()
    author.stay()
    author.hand.expect(SCRIPT_QUESTION).press("Discard")
    author.quit()


@pytest.mark.deep
def test_an_edit_of_a_map_that_is_discarded_is_asked_about(author):
    author.roll()
    author.save_map()
    author.type_edit()
    author.roll()
    author.hand.expect(MAP_QUESTION).press("Discard")
    author.stay()
    author.hand.expect(MAP_QUESTION).press("Discard")
    author.hand.expect(SCRIPT_QUESTION).press("Discard")
    author.quit()


@pytest.mark.deep
def test_an_edit_is_asked_about_where_the_file_of_the_map_holds_no_rolls(author, tmp_path):
    author.project = tmp_path / "Moor.xml"
    author.type_edit()
    author.roll()
    author.save_map()
    author.stay()
    author.hand.expect(SCRIPT_QUESTION).press("Discard")
    author.quit()


@pytest.mark.deep
def test_an_edit_that_was_taken_back_by_hand_is_no_edit(author):
    author.type_edit()
    for _ in EDIT:
        QTest.keyClick(author.editor, Qt.Key.Key_Backspace)
    assert author.desk.scripts.text.text() == BOGS
    assert finished(author.desk.scripts.opening.open_generator(generators()[0]))
    assert finished(author.desk.scripts.opening.open(author.script))
    author.quit()


@pytest.mark.deep
def test_a_tab_is_closed_without_a_question_where_its_project_keeps_the_edit(author, qtbot):
    desk = author.desk
    author.type_edit()
    author.roll()
    author.save_map()
    saved_map = desk.document.current_map
    desk.document.open_map(new_map(system_named("cordery")))
    desk.document.make_current(saved_map)
    desk.commands.run("file.close-map")
    qtbot.waitUntil(lambda: saved_map not in desk.document.maps)


def test_a_tab_whose_project_lacks_the_edit_is_asked_about(author, qtbot):
    desk = author.desk
    author.roll()
    author.save_map()
    author.type_edit()
    saved_map = desk.document.current_map
    desk.document.open_map(new_map(system_named("colossus")))
    assert finished(desk.scripts.opening.open_generator(generators()[0]))
    desk.document.make_current(saved_map)
    question = author.hand.expect(SCRIPT_QUESTION).press("Discard")
    desk.commands.run("file.close-map")
    qtbot.waitUntil(lambda: saved_map not in desk.document.maps)
    assert question.has_come


class FaultyAuthor(Author):
    """An author whose last map was closed; the script beside the empty map has a mistake."""

    def close_last_map_and_type_mistake(self) -> None:
        self.roll()
        self.save_map()
        self.type_mistake()
        self.desk.commands.run("file.close-map")
        self.qtbot.waitUntil(lambda: self.desk.document.current_map.path is None)
        assert self.desk.document.current_map.untouched
        assert self.desk.scripts.text.text() == MISTAKE + BOGS

    def type_mistake(self) -> None:
        self.editor.setFocus()
        QTest.keyClick(self.editor, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
        self.editor.insertPlainText(MISTAKE)  # as when it is pasted: the editor adds no bracket


@pytest.fixture
def faulty_author(qtbot, window, hand, tmp_path):
    return FaultyAuthor(qtbot, window, hand, tmp_path)


def test_a_faulty_script_of_the_last_map_stays_while_other_maps_are_opened(faulty_author, qtbot):
    """It was lost without a word: the next map was opened in place of the empty one."""
    author = faulty_author
    desk = author.desk
    author.close_last_map_and_type_mistake()
    empty_map = desk.document.current_map
    desk.files.open_paths([author.project])
    qtbot.waitUntil(lambda: desk.document.current_map.path == author.project)
    assert empty_map in desk.document.maps
    desk.document.make_current(empty_map)
    assert desk.scripts.text.text() == MISTAKE + BOGS
    question = author.hand.expect(SCRIPT_QUESTION).press("Cancel")
    desk.commands.run("file.close-map")
    qtbot.waitUntil(lambda: question.has_come)
    assert empty_map in desk.document.maps
    author.hand.expect(SCRIPT_QUESTION).press("Save")
    desk.commands.run("file.close-map")
    qtbot.waitUntil(lambda: empty_map not in desk.document.maps)
    assert author.script.read_text(encoding="utf-8") == MISTAKE + BOGS


def test_a_new_map_of_another_kind_leaves_the_edited_script_in_its_tab(faulty_author, qtbot):
    author = faulty_author
    desk = author.desk
    author.close_last_map_and_type_mistake()
    empty_map = desk.document.current_map
    desk.document.show_map(new_map(system_named("colossus")), replaces=True)
    assert empty_map not in desk.document.maps, "the new map shows the script"
    assert desk.scripts.text.text() == MISTAKE + BOGS
    empty_map = desk.document.current_map
    desk.document.show_map(new_map(system_named("xconq")), replaces=True)
    assert empty_map in desk.document.maps
    desk.document.make_current(empty_map)
    assert desk.scripts.text.text() == MISTAKE + BOGS
