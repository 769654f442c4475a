"""A person measures distances on the map, by mouse and by keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from randomizer.model.grid.layouts import FLAT, OBLIQUE, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.free.system import free_map
from randomizer.systems.zeroad.system import SYSTEM as ZEROAD
from tests.app.conftest import mouse

LEFT = Qt.MouseButton.LeftButton


def point(window, x: int, y: int) -> QPoint:
    canvas = window.desk.canvas
    grid = canvas.document.battlemap.grid
    return canvas.viewport.to_screen(*grid.centre(grid.cell(x, y))).toPoint()


def click(window, x: int, y: int) -> None:
    QTest.mouseClick(window.desk.canvas, LEFT, pos=point(window, x, y))


def move(window, x: int, y: int, held=Qt.MouseButton.NoButton) -> None:
    mouse(window.desk.canvas, "MouseMove", point(window, x, y), LEFT, held)


def drag(window, start: tuple[int, int], end: tuple[int, int]) -> None:
    canvas = window.desk.canvas
    QTest.mousePress(canvas, LEFT, pos=point(window, *start))
    move(window, *end, held=LEFT)
    QTest.mouseRelease(canvas, LEFT, pos=point(window, *end))


def caption(window) -> str:
    """The text beside the line on the map."""
    preview = window.desk.canvas.overlays.preview
    return "" if preview is None else preview.caption


@pytest.fixture
def window(shared_window):
    return shared_window


@pytest.fixture
def measuring(window, qtbot):
    """The window with a free map of which a hex is 6 miles wide, and the tool in hand."""
    document = window.desk.document
    document.show_map(free_map(FLAT, 20, 12))
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    field = window.desk.docks.panel("properties").rows["scale"].editor
    field.setFocus()
    QTest.keyClicks(field, "6 miles")
    QTest.keyClick(field, Qt.Key.Key_Return)
    window.desk.canvas.setFocus()
    QTest.keyClick(window.desk.canvas, Qt.Key.Key_M, Qt.KeyboardModifier.ShiftModifier)
    assert window.desk.tools.name == "measure"
    return window


def test_a_drag_measures_hexes_and_miles(measuring):
    steps = len(measuring.desk.document.history.steps)
    drag(measuring, (2, 2), (2, 9))
    assert caption(measuring) == "7 hexes, 42 miles"
    assert len(measuring.desk.document.history.steps) == steps  # nothing to undo


def test_what_was_measured_stays_when_the_mouse_goes_elsewhere(measuring, qtbot):
    drag(measuring, (2, 2), (2, 9))
    move(measuring, 15, 3)
    assert caption(measuring) == "7 hexes, 42 miles"
    QTest.mouseMove(measuring.menuBar())
    measuring.desk.canvas.input.handle_leave()
    assert caption(measuring) == "7 hexes, 42 miles"
    place = next(
        label for label in measuring.statusBar().children() if label.objectName() == "place"
    )
    assert place.text() == "7 hexes, 42 miles"


def test_clicks_add_legs_until_the_last_stop_is_clicked_again(measuring):
    click(measuring, 2, 2)
    move(measuring, 2, 5)
    assert caption(measuring) == "3 hexes, 18 miles"
    click(measuring, 2, 5)
    move(measuring, 6, 5)
    assert caption(measuring) == "3 + 4 = 7 hexes, 42 miles"
    click(measuring, 6, 5)
    click(measuring, 6, 5)
    move(measuring, 15, 9)
    assert caption(measuring) == "3 + 4 = 7 hexes, 42 miles"
    click(measuring, 15, 9)
    move(measuring, 15, 10)
    assert caption(measuring) == "1 hex, 6 miles"


def test_escape_takes_the_measured_way_away_and_keeps_the_tool(measuring):
    drag(measuring, (2, 2), (2, 9))
    QTest.keyClick(measuring.desk.canvas, Qt.Key.Key_Escape)
    assert caption(measuring) == ""
    assert measuring.desk.tools.name == "measure"


def test_the_keyboard_measures_and_says_how_far_it_is(measuring):
    canvas = measuring.desk.canvas
    canvas.keyboard_cursor.go_to(canvas.document.battlemap.grid.cell(2, 2))
    QTest.keyClick(canvas, Qt.Key.Key_Return)
    for _press in range(4):
        QTest.keyClick(canvas, Qt.Key.Key_Down)
    assert canvas.accessibleDescription().endswith("4 hexes, 24 miles")
    QTest.keyClick(canvas, Qt.Key.Key_Return)
    QTest.keyClick(canvas, Qt.Key.Key_Return)
    QTest.keyClick(canvas, Qt.Key.Key_Down)
    assert caption(measuring) == "4 hexes, 24 miles"


def test_squares_count_diagonals(window):
    window.desk.document.show_map(free_map(SQUARE, 20, 12))
    window.desk.commands.run("tool.measure")
    drag(window, (1, 1), (4, 5))
    assert caption(window) == "4 squares (7 without diagonals)"


@pytest.mark.deep
def test_tiles_of_0ad_are_measured_in_metres(window):
    layers = [Layer(1, "Ground")]
    window.desk.document.show_map(BattleMap.new(ZEROAD, ZEROAD.new_grid(), layers))
    window.desk.commands.run("tool.measure")
    drag(window, (10, 10), (13, 14))
    assert caption(window) == "4 squares (7 without diagonals), 20 m"


@pytest.mark.deep
def test_the_shorter_way_round_a_world_is_measured(window):
    window.desk.document.show_map(free_map(OBLIQUE, 20, 12, wrap=True))
    window.desk.commands.run("tool.measure")
    drag(window, (1, 0), (18, 0))
    assert caption(window) == "3 hexes"
    assert len(window.desk.canvas.overlays.preview.lines) == 2


def test_escape_drops_the_first_of_two_clicks_of_a_road(window):
    """Else a click much later would lay a road from there."""
    document = window.desk.document
    document.show_map(free_map(FLAT, 20, 12))
    window.desk.commands.run("tool.route")
    click(window, 2, 2)
    QTest.keyClick(window.desk.canvas, Qt.Key.Key_Escape)
    click(window, 2, 6)
    assert not document.history.steps


def test_the_hint_of_the_first_click_goes_with_the_second(window):
    document = window.desk.document
    document.show_map(free_map(FLAT, 20, 12))
    window.desk.commands.run("tool.route")
    bar = window.statusBar()
    click(window, 2, 2)
    assert "is to end lays it" in bar.currentMessage()
    click(window, 2, 6)
    assert len(document.history.steps) == 1
    assert "is to end lays it" not in bar.currentMessage()


@pytest.mark.parametrize("way_out", ["escape", pytest.param("tool", marks=pytest.mark.deep)])
def test_the_hint_of_the_first_click_goes_when_there_is_no_first_click(window, way_out):
    window.desk.document.show_map(free_map(FLAT, 20, 12))
    window.desk.commands.run("tool.route")
    click(window, 2, 2)
    if way_out == "escape":
        QTest.keyClick(window.desk.canvas, Qt.Key.Key_Escape)
    else:
        window.desk.commands.run("tool.measure")
    assert window.statusBar().currentMessage() == ""
