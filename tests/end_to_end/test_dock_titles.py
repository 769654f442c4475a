"""The buttons in the titles of docks can be seen, in light and in dark, wherever a dock stands."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractButton, QApplication, QDockWidget

from app.appearance.scheme import apply_scheme

CONTRAST = 60
"""So much darker or lighter than the window (of 255) is what can be seen well."""


@pytest.fixture
def scheme(qapp):
    yield apply_scheme
    apply_scheme("system")


def contrasts(dock: QDockWidget) -> list[int]:
    """By how much the ink of each button differs from the window, at its strongest point."""
    ground = QApplication.palette().color(QPalette.ColorRole.Window).lightness()
    result = []
    for name in ("qt_dockwidget_floatbutton", "qt_dockwidget_closebutton"):
        button = dock.findChild(QAbstractButton, name)
        image = button.icon().pixmap(24, 24).toImage()
        inks = [
            image.pixelColor(x, y).lightness()
            for x in range(image.width())
            for y in range(image.height())
            if image.pixelColor(x, y).alpha() > 200
        ]
        result.append(max(abs(ink - ground) for ink in inks))
    return result


@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_buttons_of_a_dock_are_seen(window, qtbot, scheme, name):
    dock = window.desk.docks["palette"]
    scheme(name)
    qtbot.waitUntil(lambda: min(contrasts(dock)) > CONTRAST)
    dock.setFloating(True)
    assert min(contrasts(dock)) > CONTRAST
    dock.setFloating(False)
    assert min(contrasts(dock)) > CONTRAST
