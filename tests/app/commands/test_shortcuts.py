"""Keys of commands: what a user changes is stored, conflicts are told in words."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMainWindow

from app.commands.commands import WHY, commands
from app.commands.shortcuts import Shortcuts
from app.settings import Settings

SAVE, OPEN, FIND = "file.save", "file.open", "edit.find-a-command"


@pytest.fixture
def settings(tmp_path) -> Settings:
    return Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def window(qtbot) -> QMainWindow:
    window = QMainWindow()
    qtbot.addWidget(window)
    file_menu, edit_menu = window.menuBar().addMenu("&File"), window.menuBar().addMenu("&Edit")
    for menu, text, key, tip in (
        (file_menu, "&Open...", "Ctrl+O", "Open a map"),
        (file_menu, "&Save", "Ctrl+S", "Write the map."),
        (edit_menu, "Find a &command...", "Ctrl+Shift+P", ""),
    ):
        action = menu.addAction(text)
        action.setShortcut(QKeySequence(key))
        action.setStatusTip(tip)
    return window


def keys(*words: str) -> tuple[QKeySequence, ...]:
    return tuple(QKeySequence(each) for each in words)


def test_a_command_has_a_name_a_path_and_a_tooltip_that_teaches(window, settings):
    Shortcuts(window, settings)
    found = {command.name: command for command in commands(window)}
    assert list(found) == [OPEN, SAVE, FIND]
    assert found[SAVE].path == "File > Save"
    save = found[SAVE].action
    assert save.toolTip() == "Save (Ctrl+S). Write the map"
    save.setProperty(WHY, "There is no map.")
    save.setEnabled(False)
    assert save.toolTip() == "Save (Ctrl+S). Write the map. There is no map."
    save.setEnabled(True)
    save.setText("Save &all")
    assert save.toolTip().startswith("Save all (Ctrl+S)")


def test_only_what_differs_is_stored_and_the_next_start_has_it(window, settings):
    first = Shortcuts(window, settings)
    first.give(SAVE, keys("Ctrl+J"))
    first.give(OPEN, ())
    assert settings.shortcuts == {SAVE: "Ctrl+J", OPEN: ""}
    first.reset_all()
    assert settings.shortcuts == {}
    settings.shortcuts = {SAVE: "Ctrl+J", "gone.command": "F9"}
    again = Shortcuts(window, settings)
    assert again.keys(SAVE) == keys("Ctrl+J")
    assert again.default(SAVE) == keys("Ctrl+S")
    assert again.keys(OPEN) == keys("Ctrl+O")


def test_a_key_of_another_command_is_told_and_taken_only_when_wanted(window, settings, qtbot):
    shortcuts = Shortcuts(window, settings)
    assert shortcuts.conflict(keys("Ctrl+J"), SAVE) == ""
    assert shortcuts.conflict(keys("Ctrl+O"), SAVE) == "Ctrl+O belongs to File > Open."
    assert shortcuts.conflict(keys("Ctrl+O, Ctrl+S"), FIND) != ""  # it begins like another
    with qtbot.waitSignal(shortcuts.changed):
        shortcuts.give(SAVE, keys("Ctrl+O"))
    assert shortcuts.keys(OPEN) == ()
    shortcuts.reset(OPEN)  # it takes its own key back
    assert shortcuts.keys(OPEN) == keys("Ctrl+O")
    assert shortcuts.keys(SAVE) == ()


def test_the_keys_of_the_map_itself_cannot_be_given_away(window, settings):
    shortcuts = Shortcuts(window, settings)
    assert "key of the map itself" in shortcuts.conflict(keys("Space"), SAVE)
    with pytest.raises(ValueError, match="Space"):
        shortcuts.give(SAVE, keys("Space"))
    assert shortcuts.keys(SAVE) == keys("Ctrl+S")


def test_keys_come_back_as_they_were(window, settings):
    shortcuts = Shortcuts(window, settings)
    shortcuts.give(SAVE, keys("Ctrl+J"))
    before = shortcuts.all_keys()
    shortcuts.give(OPEN, keys("Ctrl+J"))
    shortcuts.restore(before)
    assert (shortcuts.keys(SAVE), shortcuts.keys(OPEN)) == (keys("Ctrl+J"), keys("Ctrl+O"))
    assert settings.shortcuts == {SAVE: "Ctrl+J"}
