"""Enter in a text of the map gives the keyboard back to the map."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("map",)


def test_what_is_typed_after_enter_is_for_the_map_and_undo_takes_the_title_back(active, qtbot):
    desk = active.desk
    desk.docks.open("properties")
    field = desk.docks.panel("properties").rows["title"].editor
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "The Mire")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert desk.document.composite.properties["title"] == "The Mire"
    qtbot.waitUntil(lambda: QApplication.focusWidget() is desk.canvas)
    assert active.statusBar().currentMessage() == "Title of the map: done."
    field.setFocus()
    desk.document.undo()
    assert field.text() != "The Mire"
    desk.document.redo()
    override = QKeySequence(QKeySequence.StandardKey.Undo)
    QTest.keySequence(field, override)
    assert field.text() == "The Mire", "the field has nothing of its own to undo"
