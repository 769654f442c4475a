"""The field of seeds and map numbers."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolTip

from app.widgets.forms.number_field import NumberField


def test_a_text_with_letters_is_no_number_and_it_is_said_what_can_be_typed(qtbot):
    field = NumberField(100_000)
    qtbot.addWidget(field)
    field.show()
    field.show_value(7)
    entered = []
    field.returnPressed.connect(lambda: entered.append(field.value))
    field.selectAll()
    QTest.keyClicks(field, "abc-5")
    assert field.text() == "abc-5", "5 alone would be taken for the number"
    assert QToolTip.text() == "0 to 99,999"
    QToolTip.hideText()
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert not entered
    qtbot.waitUntil(lambda: QToolTip.text() == "0 to 99,999")
    assert field.value == 7


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


def test_a_pasted_number_that_is_too_long_is_not_cut_to_another_one(qtbot):
    field = NumberField(2**32)
    qtbot.addWidget(field)
    field.show_value(7)
    field.selectAll()
    QGuiApplication.clipboard().setText("10000000000")
    field.paste()
    assert field.value == 7
