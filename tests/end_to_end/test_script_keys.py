"""Where the keys go in the panel Script: to the text, to the map, and back, in the real window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.features.command_palette.dialog import CommandPalette
from tests.end_to_end.test_finding_commands import has_keyboard, take
from tests.end_to_end.test_keyboard_focus import press, type_text

DRIVEN_DIALOGS = (CommandPalette,)

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def editor(qtbot, window):
    """The editor of the sample map's script, with the keyboard."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.desk.canvas.setFocus()
    press(window, Qt.Key.Key_E, CONTROL)
    editor = window.desk.docks.panel("randomize").editor
    qtbot.waitUntil(lambda: QApplication.focusWidget() is editor)
    return editor


def roll(qtbot, window) -> None:
    window.desk.commands.action("script.roll").trigger()
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)


def test_the_first_escape_after_typing_stays_in_the_text_and_says_so(qtbot, window, editor):
    type_text(window, "xyz")
    text = editor.toPlainText()
    assert not editor.completer.open
    press(window, Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is editor
    assert "Escape once more gives it to the map" in window.statusBar().currentMessage()
    press(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is window.desk.canvas)
    assert editor.toPlainText() == text
    press(window, Qt.Key.Key_E, CONTROL)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is editor)
    press(window, Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is window.desk.canvas, "nothing was typed"
    editor.document().setModified(False)


def test_undo_in_a_text_without_steps_undoes_the_roll(qtbot, window, editor):
    roll(qtbot, window)
    editor.setFocus()
    assert window.desk.commands.action("edit.undo").isEnabled()
    step = window.desk.document.history.next_undo
    assert step is not None
    press(window, Qt.Key.Key_Z, CONTROL)
    assert window.desk.document.history.next_undo is None
    assert window.desk.document.history.next_redo is step


def test_undo_in_a_text_stops_at_what_was_typed_and_says_so(qtbot, window, editor):
    roll(qtbot, window)
    editor.setFocus()
    before = editor.toPlainText()
    step = window.desk.document.history.next_undo
    type_text(window, "x")
    press(window, Qt.Key.Key_Z, CONTROL)
    assert editor.toPlainText() == before
    press(window, Qt.Key.Key_Z, CONTROL)
    assert window.desk.document.history.next_undo is step
    assert "Nothing more was typed here" in window.statusBar().currentMessage()
    editor.document().setModified(False)


@pytest.mark.deep
def test_find_a_command_leads_to_a_panel_that_is_open_and_closes_none(qtbot, window, editor):
    docks = window.desk.docks
    for query, name in (("panels script", "randomize"), ("panels layers", "layers")):
        for _ in range(2):
            take(window, qtbot, query)
            qtbot.waitUntil(lambda name=name: docks.is_in_front(name))
            qtbot.waitUntil(lambda name=name: has_keyboard(window, docks.panel(name)))


@pytest.mark.deep
def test_find_a_command_does_not_close_the_fairness_that_is_open(qtbot, window, editor):
    for _ in range(2):
        take(window, qtbot, "fairness")
        qtbot.waitUntil(lambda: window.desk.docks.view("fairness").isVisible())
        QTest.qWait(50)
        assert window.desk.docks.is_in_front("fairness")


def test_undo_in_the_menu_is_about_the_text_that_has_the_keyboard(qtbot, window, editor):
    undo = window.desk.commands.action("edit.undo")
    redo = window.desk.commands.action("edit.redo")
    roll(qtbot, window)
    text_of_roll = undo.text()
    text = editor.toPlainText()
    layers = window.desk.document.battlemap.layers
    editor.setFocus()
    type_text(window, "xyz")
    name = window.desk.scripts.script.name
    qtbot.waitUntil(lambda: undo.text() == f"&Undo Edit of {name}")

    # By the keys of the menu: while it is open the menu has the keyboard.
    press(window, Qt.Key.Key_E, Qt.KeyboardModifier.AltModifier)
    menu = QApplication.activePopupWidget()
    assert undo in menu.actions()
    assert undo.text() == f"&Undo Edit of {name}"
    press_in(menu, Qt.Key.Key_U)
    qtbot.waitUntil(lambda: editor.toPlainText() == text)
    assert window.desk.document.battlemap.layers == layers, "the roll stays"
    qtbot.waitUntil(lambda: undo.text() == text_of_roll)
    assert redo.text() == f"&Redo Edit of {name}"
    redo.trigger()
    assert editor.toPlainText() != text

    window.desk.canvas.setFocus()
    assert undo.text() == text_of_roll
    assert not redo.isEnabled()
    editor.document().setModified(False)


def press_in(menu, key) -> None:
    QTest.keyClick(menu, key)


@pytest.mark.deep
def test_undo_in_the_text_takes_back_no_more_than_was_typed_since_a_roll(qtbot, window, editor):
    type_text(window, "# a")
    press(window, Qt.Key.Key_Return, CONTROL)
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)
    type_text(window, "bc")
    assert editor.toPlainText().startswith("# abc")
    press(window, Qt.Key.Key_Z, CONTROL)
    assert editor.toPlainText().startswith("# a")
    assert not editor.toPlainText().startswith("# ab")
    press(window, Qt.Key.Key_Y, CONTROL)
    assert editor.toPlainText().startswith("# abc")
    editor.document().setModified(False)


@pytest.mark.deep
def test_undo_in_the_text_takes_back_no_more_than_was_typed_since_it_was_saved(
    qtbot, window, editor, hand, tmp_path
):
    type_text(window, "# a")
    hand.expect("Save script").type_path(tmp_path / "mine.rnd")
    press(window, Qt.Key.Key_S, CONTROL)
    qtbot.waitUntil(lambda: not window.desk.scripts.current.unsaved)
    editor.setFocus()
    type_text(window, "bc")
    press(window, Qt.Key.Key_Z, CONTROL)
    assert editor.toPlainText().startswith("# a")
    assert not editor.toPlainText().startswith("# ab")
