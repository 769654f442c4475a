"""Keys of commands: what a user changes is stored, conflicts are told in words."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMainWindow

from app.commands.commands import Command, Commands
from app.commands.shortcuts import Shortcuts

SAVE = "file.save"
OPEN = "file.open"
FIND = "edit.find-a-command"


def table(qtbot, document) -> Commands:
    window = QMainWindow()
    qtbot.addWidget(window)
    commands = Commands(window, document, add_icon=lambda _action, _name: None)
    commands.window = window  # else the window, and the table with it, would be gone
    return commands


ROWS = (
    Command(SAVE, "&Save", lambda: None, "Write the map.", "Ctrl+S"),
    Command(OPEN, "&Open...", lambda: None, "Open a map", "Ctrl+O"),
    Command(FIND, "Find a &command...", lambda: None, keys="Ctrl+Shift+P"),
)


@pytest.fixture
def commands(qtbot, document) -> Commands:
    commands = table(qtbot, document)
    commands.add(ROWS)
    return commands


def keys(*words: str) -> tuple[QKeySequence, ...]:
    return tuple(QKeySequence(word) for word in words)


def test_commands_stand_in_the_order_of_the_menus_and_their_tooltips_teach(commands):
    assert commands.ids() == [OPEN, SAVE, FIND]
    assert commands.path(SAVE) == "File > Save"
    save = commands.action(SAVE)
    assert save.toolTip() == "Save (Ctrl+S). Write the map"
    save.setShortcut("Ctrl+J")
    assert save.toolTip() == "Save (Ctrl+J). Write the map"


def test_commands_that_are_added_later_get_the_users_keys(qtbot, document, settings):
    settings.shortcuts = {SAVE: "Ctrl+J"}
    commands = table(qtbot, document)
    shortcuts = Shortcuts(commands, settings)
    commands.add(ROWS)
    assert (shortcuts.keys(SAVE), shortcuts.default_keys(SAVE)) == (keys("Ctrl+J"), keys("Ctrl+S"))


def test_only_what_differs_is_stored_and_the_next_start_has_it(commands, settings, qtbot, document):
    first = Shortcuts(commands, settings)
    first.set_keys(SAVE, keys("Ctrl+J"))
    first.set_keys(OPEN, ())
    assert settings.shortcuts == {SAVE: "Ctrl+J", OPEN: ""}
    first.reset_all()
    assert settings.shortcuts == {}
    settings.shortcuts = {SAVE: "Ctrl+J", "gone.command": "F9"}
    second = table(qtbot, document)
    second.add(ROWS)
    again = Shortcuts(second, settings)
    assert again.keys(SAVE) == keys("Ctrl+J")
    assert again.default_keys(SAVE) == keys("Ctrl+S")
    assert again.keys(OPEN) == keys("Ctrl+O")


def test_a_key_of_another_command_is_told_and_taken_only_when_wanted(commands, settings, qtbot):
    shortcuts = Shortcuts(commands, settings)
    assert shortcuts.conflict(keys("Ctrl+J"), SAVE) == ""
    assert shortcuts.conflict(keys("Ctrl+O"), SAVE) == "Ctrl+O belongs to File > Open."
    assert shortcuts.conflict(keys("Ctrl+O, Ctrl+S"), FIND) != ""  # it begins like another
    with qtbot.waitSignal(shortcuts.changed):
        shortcuts.set_keys(SAVE, keys("Ctrl+O"))
    assert shortcuts.keys(OPEN) == ()
    shortcuts.reset(OPEN)  # it takes its own key back
    assert shortcuts.keys(OPEN) == keys("Ctrl+O")
    assert shortcuts.keys(SAVE) == ()


def test_the_keys_of_the_map_itself_cannot_be_given_away(commands, settings):
    shortcuts = Shortcuts(commands, settings)
    assert "key of the map itself" in shortcuts.conflict(keys("Space"), SAVE)
    with pytest.raises(ValueError, match="Space"):
        shortcuts.set_keys(SAVE, keys("Space"))
    assert shortcuts.keys(SAVE) == keys("Ctrl+S")


def test_a_command_that_comes_later_leaves_a_key_to_the_one_that_the_user_gave_it(
    commands, settings
):
    shortcuts = Shortcuts(commands, settings)
    shortcuts.set_keys(SAVE, keys("Ctrl+T"))
    tower = Command("map.property.tower", "&Tower", lambda: None, keys="Ctrl+T")
    commands.add([tower])
    assert shortcuts.keys(SAVE) == keys("Ctrl+T")
    assert shortcuts.keys(tower.id) == ()
    shortcuts.reset(tower.id)
    assert shortcuts.keys(tower.id) == keys("Ctrl+T")


def test_keys_come_back_as_they_were(commands, settings):
    shortcuts = Shortcuts(commands, settings)
    shortcuts.set_keys(SAVE, keys("Ctrl+J"))
    before = shortcuts.all_keys()
    shortcuts.set_keys(OPEN, keys("Ctrl+J"))
    shortcuts.restore(before)
    assert (shortcuts.keys(SAVE), shortcuts.keys(OPEN)) == (keys("Ctrl+J"), keys("Ctrl+O"))
    assert settings.shortcuts == {SAVE: "Ctrl+J"}


def test_a_command_that_comes_back_has_the_keys_it_was_given(commands, settings):
    row = Command("map.property.tower", "&Tower", lambda: None, keys="Ctrl+T")
    commands.add([row])
    shortcuts = Shortcuts(commands, settings)
    shortcuts.set_keys(row.id, keys("Ctrl+J"))
    commands.replace("map.property.*", ())
    assert row.id not in shortcuts.all_keys()
    shortcuts.set_keys(SAVE, keys("Ctrl+U"))
    commands.replace("map.property.*", [row])
    assert shortcuts.keys(row.id) == keys("Ctrl+J")
    assert shortcuts.default_keys(row.id) == keys("Ctrl+T")
    assert Shortcuts(commands, settings).keys(row.id) == keys("Ctrl+J")
