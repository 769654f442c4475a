"""One click or key on the map that a panel asks for."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from app.canvas.area_pick import AreaPick


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Return])
def test_its_keys_are_no_shortcuts_meanwhile(driver, key):
    pick = AreaPick(driver.canvas, driver.canvas)
    pick.begin()
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.NoModifier)
    event.ignore()
    QApplication.sendEvent(driver.canvas, event)
    assert event.isAccepted()
