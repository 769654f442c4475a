"""The menu of a right click: pictures in a grid, keys, and why a cell is as it is."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QWidget
from shiboken6 import isValid

from app.canvas.hover_text import explain_cell
from app.document.document import MapDocument
from app.features.cell_menu.feature import ExplainAction
from app.widgets.lists.picture_choice import PictureChoice
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.system.explanation import Explanation
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.free.system import SYSTEM as FREE
from tests.app.conftest import cell, right_click
from tests.systems import system_like

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("cell_menu",)


def point(window, label):
    canvas = window.desk.canvas
    x, y = window.desk.document.battlemap.grid.centre(cell(label))
    return canvas.viewport.to_screen(x, y).toPoint()


@pytest.fixture
def menu(window, qtbot) -> QMenu:
    """The menu of D4, a volcano of elevation 2, opened by a right click."""
    canvas = window.desk.canvas
    at = point(window, "D4")
    QTest.mouseClick(canvas, Qt.MouseButton.RightButton, pos=at)
    found = right_click(canvas, at)
    assert isinstance(found, QMenu)
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
    assert terrain.name_label.text() == f"Terrain: {under.toolTip()}"
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


def explain(_battlemap: BattleMap, cell: int, at_once: bool) -> Explanation | None:
    if cell == 2:
        return None
    return Explanation("height 7", "Because it is so." if not at_once else "")


@pytest.fixture
def desk(qtbot):
    frame = QWidget()
    qtbot.addWidget(frame)
    document = MapDocument(
        BattleMap.new(system_like(FREE, explain=explain), layers=[Layer(1, "Ground")])
    )
    return SimpleNamespace(document=document, frame=frame, say=print)


def boxes() -> list[QMessageBox]:
    return [each for each in QApplication.topLevelWidgets() if isinstance(each, QMessageBox)]


def asked(desk, cell: int, qtbot) -> QMessageBox:
    menu = QMenu(desk.frame)
    owner = QObject(desk.frame)
    ExplainAction(desk, owner).add_to(menu, cell)
    (action,) = [each for each in menu.actions() if not each.isSeparator()]
    assert action.text() == "Why is this Grassland?"
    action.trigger()
    qtbot.waitUntil(lambda: bool(boxes()))
    return boxes()[0]


@pytest.mark.parametrize(
    ("cell", "words"), [(0, "Because it is so."), (2, "Nothing is known of how this was rolled.")]
)
def test_what_is_known_is_shown(desk, qtbot, cell, words):
    box = asked(desk, cell, qtbot)
    assert box.text() == words
    box.close()
    qtbot.waitUntil(lambda: not boxes())


def test_other_systems_have_no_such_entry(desk):
    desk.document = MapDocument(BattleMap.new(FREE, layers=[Layer(1, "Ground")]))
    menu = QMenu(desk.frame)
    owner = QObject(desk.frame)
    ExplainAction(desk, owner).add_to(menu, 0)
    assert menu.isEmpty()


def test_the_line_of_a_cell_has_the_short_words(desk):
    assert " - height 7 - " in explain_cell(desk.document, 0)
    assert "height" not in explain_cell(desk.document, 2).replace("elevation", "")


@pytest.mark.parametrize(("scale", "means_side"), [(40.0, True), (10.0, False)])
def test_near_a_side_of_a_small_hex_the_hex_is_meant(window, scale, means_side):
    canvas = window.desk.canvas
    grid = window.desk.document.battlemap.grid
    canvas.show_viewport(replace(canvas.viewport, scale=scale, dx=100.0, dy=60.0))
    x, y = grid.centre(cell("D4"))
    to_x, to_y = grid.centre(cell("D3"))
    at = canvas.viewport.to_screen(x + 0.46 * (to_x - x), y + 0.46 * (to_y - y)).toPoint()
    menu = right_click(canvas, at)
    assert (menu.title() == "D4") is not means_side
    menu.close()
