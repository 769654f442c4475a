"""The line of problems names an error where there is one, wherever the warnings stand."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from app.features.problems.problems_bar import ProblemsBar
from randomizer.model.problems import Severity

TEXT = "AREA D4 HAZARDS Bog Tree\nAREA Z9 HAZARDS Bog\n"
"""In line 1 a hazard too many, which can be mended by a fix; in line 2 a hex that is none."""


def test_an_error_is_named_before_a_warning_that_stands_above_it(window, qtbot):
    window.desk.docks.show("randomize")
    panel = window.desk.docks.panel("randomize")
    QGuiApplication.clipboard().setText(TEXT)
    panel.editor.setFocus()
    QTest.keyClick(panel.editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(panel.editor, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: panel.scripts.checker.fresh and len(panel.problem_list.problems) == 2)
    warning = panel.problem_list.problems[0]
    assert warning.severity is Severity.WARNING
    assert warning.fix is not None
    message = window.findChild(ProblemsBar).message.text()
    assert message.startswith("Script: 1 error, 1 warning - “Z9” is no hex")
