"""The menu of a right click: pictures in a grid, for the mouse and for the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from shiboken6 import isValid

from app.widgets.picture_choice import PictureChoice
from randomizer.systems.colossus.system import SYSTEM
from tests.app.conftest import cell

LEFT = Qt.MouseButton.LeftButton


def point(window, label):
    canvas = window.desk.canvas
    x, y = window.desk.document.battlemap.grid.centre(cell(label))
    return canvas.viewport.to_screen(x, y).toPoint()


@pytest.fixture
def menu(window, qtbot) -> QMenu:
    """The menu of D4, a volcano of elevation 2, opened by a right click."""
    canvas, at = window.desk.canvas, point(window, "D4")
    QTest.mouseClick(canvas, Qt.MouseButton.RightButton, pos=at)
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(canvas, QContextMenuEvent(reason, at, canvas.mapToGlobal(at)))
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    found = QApplication.activePopupWidget()
    yield found
    if isValid(found):
        found.close()


def choices(menu):
    return [action for action in menu.actions() if isinstance(action, PictureChoice)]


def shown(window, plane):
    return int(window.desk.document.composite.planes[plane].flat[cell("D4")])


def test_terrains_are_pictures_in_a_grid_and_elevations_stand_in_a_row(menu):
    terrain, elevation = choices(menu)
    assert [each.text() for each in terrain.choices] == [
        t.name for t in SYSTEM.terrain_set.terrains
    ]
    assert not any(button.icon().isNull() for button in terrain.buttons)
    tops = [button.mapTo(menu, QPoint(0, 0)).y() for button in terrain.buttons]
    assert len(set(tops)) == 2
    assert len({button.y() for button in elevation.buttons}) == 1
    assert [button.text() for button in elevation.buttons] == ["0", "1", "2", "3"]
    ticked = [
        each.text() for choice in choices(menu) for each in choice.choices if each.isChecked()
    ]
    assert ticked == ["Volcano", "Elevation 2"]
    assert len([action for action in menu.actions() if not action.isSeparator()]) <= 10


def test_a_click_on_a_picture_paints_and_closes_the_menu(menu, window):
    terrain, _elevation = choices(menu)
    bog = next(button for button in terrain.buttons if button.toolTip() == "Bog")
    QTest.mouseClick(bog, LEFT)
    assert not menu.isVisible()
    assert shown(window, "terrain") == SYSTEM.terrain_set.terrain_code("Bog")


def test_arrow_keys_go_over_the_pictures_and_enter_paints(menu, window, qtbot):
    terrain, elevation = choices(menu)
    press = lambda key: QTest.keyClick(menu.focusWidget() or menu, key)  # noqa: E731
    press(Qt.Key.Key_Down)
    now = next(button for button in terrain.buttons if button.isChecked())
    qtbot.waitUntil(now.hasFocus)
    press(Qt.Key.Key_Right)
    press(Qt.Key.Key_Down)
    under = terrain.buttons[terrain.buttons.index(now) + 1 + 6]
    assert under.hasFocus()
    assert terrain._words.text() == f"Terrain: {under.toolTip()}"
    press(Qt.Key.Key_Down)  # into the row of elevations
    assert elevation.buttons[2].hasFocus()
    press(Qt.Key.Key_Right)
    press(Qt.Key.Key_Return)
    assert not menu.isVisible()
    assert shown(window, "elevation") == 3


def test_below_the_pictures_the_keys_go_on_and_up_comes_back(menu, window, qtbot):
    _terrain, elevation = choices(menu)
    press = lambda key: QTest.keyClick(menu.focusWidget() or menu, key)  # noqa: E731
    elevation.buttons[2].setFocus()
    menu.setActiveAction(elevation)
    press(Qt.Key.Key_Down)
    assert menu.activeAction().text() == "Clear my hexsides"
    press(Qt.Key.Key_Up)
    assert elevation.buttons[2].hasFocus()
    press(Qt.Key.Key_Escape)
    assert not menu.isVisible()
