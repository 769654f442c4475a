"""The ring around the widget to which keys have brought the focus."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListWidget, QVBoxLayout, QWidget

from app.widgets.layout.focus_ring import FocusRing


@pytest.fixture
def window(qtbot):
    """A window with a field, which has the focus, and a list below it."""
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    window.field = QLineEdit()
    window.list = QListWidget()
    window.list.addItems(["Fen", "Heath"])
    layout.addWidget(window.field)
    layout.addWidget(window.list)
    window.ring = FocusRing(window)
    window.resize(300, 200)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.field.setFocus()
    return window


def test_keys_bring_the_ring_to_a_list_and_a_field_needs_none(qtbot, window):
    assert not window.ring.isVisible()
    QTest.keyClick(window.field, Qt.Key.Key_Tab)
    qtbot.waitUntil(window.ring.isVisible)
    assert window.ring.geometry() == window.list.geometry()
    QTest.keyClick(window.list, Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: not window.ring.isVisible())


def test_the_ring_follows_its_widget_until_that_is_clicked(qtbot, window):
    QTest.keyClick(window.field, Qt.Key.Key_Tab)
    qtbot.waitUntil(window.ring.isVisible)
    window.resize(400, 300)
    qtbot.waitUntil(lambda: window.ring.geometry() == window.list.geometry())

    QTest.mouseClick(window.list.viewport(), Qt.MouseButton.LeftButton)
    assert not window.ring.isVisible()
    window.resize(320, 260)
    qtbot.wait(20)
    assert not window.ring.isVisible(), "a person who clicked the list knows where it is"
