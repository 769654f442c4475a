"""Enter in a text of the map gives the keyboard back to the map."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from randomizer.model.edits.stack_edits import LayerField


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("map",)


def test_what_is_typed_after_enter_is_for_the_map(active, qtbot):
    desk = active.desk
    desk.docks.open("properties")
    field = desk.docks.panel("properties").rows["title"].editor
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "The Mire")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert desk.document.composite.properties["title"] == "The Mire"
    qtbot.waitUntil(lambda: QApplication.focusWidget() is desk.canvas)


def test_why_a_text_is_refused_stays_to_be_read_after_enter(active):
    desk = active.desk
    document = desk.document
    document.push(LayerField(document.active_layer_id, "locked", False, True), "Lock")
    desk.docks.open("properties")
    field = desk.docks.panel("properties").rows["title"].editor
    field.setFocus()
    QTest.keyClicks(field, "x")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert "locked" in active.statusBar().currentMessage()


@pytest.mark.parametrize("is_typed_in", [False, True])
def test_the_key_of_undo_is_the_fields_own_only_while_something_is_typed(active, is_typed_in):
    desk = active.desk
    desk.docks.open("properties")
    field = desk.docks.panel("properties").rows["title"].editor
    field.setFocus()
    if is_typed_in:
        QTest.keyClicks(field, "x")
    held = Qt.KeyboardModifier.ControlModifier
    override = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Z, held)
    override.ignore()
    QApplication.sendEvent(field, override)
    assert override.isAccepted() is is_typed_in


def test_what_is_being_typed_stays_while_layers_change(active):
    desk = active.desk
    desk.docks.open("properties")
    field = desk.docks.panel("properties").rows["title"].editor
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "The Mi")
    edit = LayerField(desk.document.active_layer_id, "name", "Ground", "Base")
    desk.document.push(edit, "Rename layer")
    assert field.text() == "The Mi"
    QTest.keyClicks(field, "re")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert desk.document.composite.properties["title"] == "The Mire"
