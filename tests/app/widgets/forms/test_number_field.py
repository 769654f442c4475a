"""The field of seeds and map numbers."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolTip

from app.widgets.forms.number_field import NumberField


def test_a_letter_is_refused_and_it_is_said_what_can_be_typed(qtbot):
    field = NumberField(1000)
    qtbot.addWidget(field)
    field.show()
    QTest.keyClicks(field, "x")
    assert field.text() == "0"
    assert QToolTip.text() == "0 to 999"


def test_undo_is_the_desks_again_after_enter(qtbot):
    field = NumberField(1000)
    qtbot.addWidget(field)
    field.show()
    field.setFocus()
    QTest.keyClicks(field, "7")
    assert field.isModified(), "while it is typed the field undoes it"
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert not field.isModified()
    assert not field.isUndoAvailable()
