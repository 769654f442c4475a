"""Names in problems and fixes are in quotes wherever the window shows them, never in backticks."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QListWidget, QMenu, QWidget

from app.features.problems.problems_bar import ProblemsBar
from app.widgets.dialogs.problem_dialog import ProblemDialog, show_problems
from randomizer.model.problem_texts import format_problem
from tests.app.conftest import opened

DRIVEN_DIALOGS = (ProblemDialog,)

TEXT = "AREA D4 HAZARDS Bogg\nAREA Z9 HAZARDS Bog\n"
"""In line 1 a hazard that is misspelt, in line 2 a hex that is none."""


@pytest.fixture
def panel(window, qtbot):
    """The panel of a script with two errors."""
    window.desk.docks.show("randomize")
    panel = window.desk.docks.panel("randomize")
    QGuiApplication.clipboard().setText(TEXT)
    panel.editor.setFocus()
    QTest.keyClick(panel.editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(panel.editor, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: panel.scripts.checker.fresh and len(panel.problem_list.problems) == 2)
    return panel


def texts_of(widget: QWidget) -> list[str]:
    """All that a person can read in a widget, with its tips."""
    texts = []
    for child in (widget, *widget.findChildren(QWidget)):
        texts.append(child.toolTip())
        texts.append(child.accessibleName())
        if isinstance(child, QLabel | QAbstractButton):
            texts.append(child.text())
        elif isinstance(child, QListWidget):
            items = [child.item(row) for row in range(child.count())]
            texts += [item.text() for item in items]
            texts += [item.toolTip() for item in items]
        elif isinstance(child, QMenu):
            texts += [action.text() for action in child.actions()]
    return texts


def test_the_list_the_line_and_the_menus_of_problems_have_quotes(window, panel):
    problems = panel.problem_list.problems
    assert "`" in problems[0].message, "as the command line shows it"
    assert "`Bogg`" in format_problem(problems[0])
    assert "“Bogg”" in panel.problem_list.rows.item(0).text()
    assert "Way out: Write “Bog”" in panel.problem_list.rows.item(0).toolTip()
    assert panel.problem_list.fix_button.toolTip() == "Apply: Write “Bog”"

    menu_texts = [action.text() for action in panel.problem_list.menu_of(problems[0]).actions()]
    assert "Apply fix: Write “Bog”" in menu_texts
    shown = [*texts_of(panel.problem_list), *texts_of(window.findChild(ProblemsBar)), *menu_texts]
    assert not [text for text in shown if "`" in text]


def test_the_status_and_the_window_after_a_roll_that_failed_have_quotes(window, panel, qtbot):
    with qtbot.waitSignal(window.desk.rolling.failed):
        window.desk.commands.run("script.roll")
    assert "“Bogg”" in window.statusBar().currentMessage()
    assert not [text for text in texts_of(window) if "`" in text]


def test_a_copied_message_reads_as_it_is_shown(panel):
    menu = panel.problem_list.menu_of(panel.problem_list.problems[0])
    next(action for action in menu.actions() if action.text() == "Copy the message").trigger()
    assert "“Bogg”" in QGuiApplication.clipboard().text()


def test_a_dialog_of_problems_has_quotes(window, panel, qtbot):
    show_problems(window, "Cannot do it", panel.problem_list.problems)
    dialog = opened(window, qtbot, ProblemDialog)
    assert "“Bogg”" in dialog.text.toPlainText()
    assert "`" not in dialog.text.toPlainText()
    dialog.close()
