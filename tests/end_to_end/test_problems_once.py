"""A mistake in a script, as a person meets it: rolled, listed once with its fix, and mended."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

MISTAKES = """\
AREA (inside) HAZARDS Trees
PAIR (Tree,0)(Plains,0) HEXSIDES Wall,80.
PAIR (Tree,0)(Bogg,0) HEXSIDES slope
"""
MENDED = """\
AREA (inside) HAZARDS Tree
PAIR (Tree,0)(Plains,0) HEXSIDES w,80.
PAIR (Tree,0)(Bog,0) HEXSIDES s
"""


@pytest.fixture
def panel(window, qtbot):
    window.desk.docks.show("randomize")
    panel = window.desk.docks.panel("randomize")
    QGuiApplication.clipboard().setText(MISTAKES)
    panel.editor.setFocus()
    QTest.keyClick(panel.editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(panel.editor, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: panel.scripts.checker.fresh)
    return panel


def roll(panel, qtbot):
    """Press Roll; the first problem of the roll is the current row then."""
    panel.roll_action.trigger()
    qtbot.waitUntil(lambda: panel.problem_list.chosen is not None)


def test_a_failed_roll_lists_each_mistake_once_with_its_fix(window, panel, qtbot):
    roll(panel, qtbot)
    problems = panel.problem_list.problems
    places = [(problem.line, problem.column) for problem in problems]
    assert len(set(places)) == len(places)
    mistake = panel.problem_list.chosen
    assert mistake.fix is not None
    QTest.mouseClick(panel.problem_list.fix_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.scripts.checker.fresh)
    line = mistake.line - 1
    assert panel.editor.text().splitlines()[line] == MENDED.splitlines()[line]
    panel.editor.document().setModified(False)


def test_fix_all_mends_all_in_one_step(window, panel, qtbot):
    roll(panel, qtbot)
    QTest.mouseClick(panel.problem_list.fix_all_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.editor.text() == MENDED)
    panel.editor.undo()
    assert panel.editor.text() == MISTAKES
    panel.editor.document().setModified(False)
