"""The key of a command that is grey: it does nothing on the map, and the status line says why."""

from __future__ import annotations

from itertools import count

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.rolling.roll_steps import NO_EARLIER
from tests.app.systems.cordery.conftest import Wargamer
from tests.end_to_end.test_one_roll import ALT, CTRL, lakes, roller  # noqa: F401 - fixtures


def press(window, key: Qt.Key, held: Qt.KeyboardModifier) -> None:
    window.activateWindow()
    window.desk.canvas.setFocus()
    QTest.keyClick(window.desk.canvas, key, held)


@pytest.mark.parametrize("keypad", [False, True])
def test_alt_left_on_the_first_roll_says_that_there_is_none_before(window, roller, lakes, keypad):  # noqa: F811
    desk = window.desk
    assert not desk.commands.action("script.previous").isEnabled()
    steps = desk.document.history.index
    held = ALT
    if keypad:
        held = ALT | Qt.KeyboardModifier.KeypadModifier
    press(window, Qt.Key.Key_Left, held)
    assert desk.canvas.keyboard_cursor.cell is None
    assert roller.said() == NO_EARLIER
    assert desk.document.history.index == steps
    press(window, Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier)
    assert desk.canvas.keyboard_cursor.cell is not None, "the arrow alone is that of the map"


def test_ctrl_enter_without_a_script_paints_nothing(window, roller, lakes):  # noqa: F811
    desk = window.desk
    editor = roller.panel.editor
    editor.setFocus()
    editor.selectAll()
    QTest.keyClick(editor, Qt.Key.Key_Delete)
    again = desk.commands.action("script.again")
    assert not again.isEnabled()
    steps = desk.document.history.index
    desk.commands.run("tool.terrain")
    press(window, Qt.Key.Key_Down, Qt.KeyboardModifier.NoModifier)
    press(window, Qt.Key.Key_Return, CTRL)
    assert desk.document.history.index == steps
    assert window.statusBar().currentMessage() == again.property("why_disabled")
    press(window, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier)
    assert desk.document.history.index == steps + 1, "Enter alone paints"


def test_the_buttons_of_a_first_table_say_why_they_are_grey(qtbot, window):
    player = Wargamer(qtbot, window)
    window.desk.rolling.key_choice.choose_seed = count(101).__next__
    player.throw(relief="open")
    back = player.desk.actions.back
    assert not back.isEnabled()
    assert NO_EARLIER in back.toolTip()
    press(window, Qt.Key.Key_Left, ALT)
    assert window.desk.canvas.keyboard_cursor.cell is None
    assert window.statusBar().currentMessage() == NO_EARLIER
    player.throw(relief="hilly")
    assert back.isEnabled()
    assert NO_EARLIER not in back.toolTip()
