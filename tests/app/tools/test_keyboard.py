"""The keyboard cursor: the whole map can be edited without a mouse, and each place is said."""

import math

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest

from app.canvas.cell_steps import MIN_LIKENESS, Direction, next_cell
from app.canvas.keyboard_cursor import DIRECTIONS
from randomizer.geometry.shapes import line, rectangle
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, OBLIQUE

Key = Qt.Key
BOG = 5
SLOPE = 3
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier


def press(driver, *keys, held=Qt.KeyboardModifier.NoModifier) -> None:
    for key in keys:
        QTest.keyClick(driver.canvas, key, held)


def focus(driver, x: int, y: int) -> None:
    driver.hover(x, y)
    press(driver, Key.Key_Right)  # the ring shows where the mouse is
    assert driver.grid.xy(driver.canvas.keyboard_cursor.cell) == (x, y)


def cursor(driver) -> tuple[int, int]:
    return driver.grid.xy(driver.canvas.keyboard_cursor.cell)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
@pytest.mark.parametrize("wrap", [False, True])
def test_arrows_lead_everywhere_and_back(make_driver, layout, wrap):
    grid = make_driver(layout, 8, 6, wrap=wrap).grid
    for cell in grid.cells.tolist():
        x, y = grid.centre(cell)
        for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            there = next_cell(grid, cell, Direction(right, down))
            if there == cell:
                continue
            to_x, to_y = grid.centre(there)
            inside = abs(to_x - x) < 3
            if inside:
                assert (to_x - x) * right + (to_y - y) * down > 0.4
                assert there in grid.neighbours(cell)
                assert (
                    next_cell(grid, there, Direction(-right, -down)) == cell or layout.degree == 6
                )
    seen = {0}
    ahead = [0]
    while ahead:
        here = ahead.pop()
        for way in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            there = next_cell(grid, here, Direction(*way))
            if there not in seen:
                seen.add(there)
                ahead.append(there)
    assert len(seen) == grid.size


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
@pytest.mark.parametrize("is_board", [True, False], ids=["columns of uneven length", "wrapped"])
def test_an_arrow_stops_only_where_no_neighbour_lies_that_way(layout, is_board):
    """The likeness of two directions is the cosine of the angle between them."""
    if is_board:
        mask = np.random.default_rng(1).random((7, 8)) < 0.7
        grid = Grid(layout, 8, 7, mask=mask)
    else:
        grid = Grid(layout, 8, 7, wrap=True)

    def likeness(cell, neighbour, right, down):
        x, y = grid.centre(cell)
        to_x, to_y = grid.centre(neighbour)
        step_right = to_x - x
        if grid.wrap:  # the nearest of its copies
            step_right -= round(step_right / grid.period) * grid.period
        length = math.hypot(step_right, to_y - y) * math.hypot(right, down)
        return (step_right * right + (to_y - y) * down) / length

    for cell in grid.cells.tolist():
        for right, down in DIRECTIONS.values():
            there = next_cell(grid, cell, Direction(right, down))
            if there != cell:
                assert there in grid.cells
                assert likeness(cell, there, right, down) > MIN_LIKENESS
            else:
                for neighbour in grid.neighbours(cell):
                    assert likeness(cell, neighbour, right, down) <= MIN_LIKENESS + 0.01


def test_six_keys_lead_to_the_six_neighbours(driver):
    focus(driver, 6, 5)
    start = driver.canvas.keyboard_cursor.cell
    found = []
    for key in (
        Key.Key_Up,
        Key.Key_PageUp,
        Key.Key_PageDown,
        Key.Key_Down,
        Key.Key_End,
        Key.Key_Home,
    ):
        driver.canvas.keyboard_cursor.cell = start
        press(driver, key)
        found.append(driver.canvas.keyboard_cursor.cell)
    assert found == driver.grid.neighbours(start)


def test_enter_paints_and_the_place_is_said(driver, monkeypatch):
    said = []
    # No screen reader is there, to which Qt would tell it.
    monkeypatch.setattr(
        QAccessible, "updateAccessibility", lambda event: said.append(event.message())
    )
    grid = driver.grid
    battlemap = driver.document.battlemap
    driver.document.push(set_values(battlemap, 1, "elevation", [grid.cell(6, 5)], 1), "High")
    driver.document.push(set_values(battlemap, 1, "hexside", [grid.cell(6, 5) * 6], SLOPE), "Slope")
    driver.use("terrain")
    driver.options.choose(terrain=BOG)
    focus(driver, 6, 5)
    assert said[-1] == "0706, Plains, elevation 1, slope to the north"
    press(driver, Key.Key_Return)
    assert said[-1] == "0706, Bog, elevation 1, slope to the north"
    assert driver.canvas.accessibleDescription() == said[-1]
    press(driver, Key.Key_Right, Key.Key_Enter)
    assert driver.painted(BOG) == {(6, 5), (7, 5)}
    assert len(driver.document.history.steps) == 4
    driver.canvas.grab()


def test_a_side_is_chosen_and_painted_with_keys(driver):
    driver.use("hexside")
    driver.options.choose(hexside=5)
    focus(driver, 6, 5)
    press(driver, Key.Key_Period, Key.Key_Period)
    assert (
        driver.canvas.accessibleDescription()
        == "north-east side of 0706, towards 0805, nothing there"
    )
    press(driver, Key.Key_Return)
    assert driver.plane("hexside").reshape(-1, 6)[driver.grid.cell(6, 5), 1] == 5
    assert driver.canvas.accessibleDescription().endswith("river")
    press(driver, Key.Key_Comma, Key.Key_Comma)
    assert driver.canvas.keyboard_cursor.target.side is None
    press(driver, Key.Key_Comma)
    assert driver.canvas.keyboard_cursor.target.side == 5


def test_a_line_is_drawn_from_enter_to_enter_and_escape_takes_it_back(driver):
    driver.use("line")
    driver.options.choose(terrain=BOG)
    focus(driver, 3, 3)
    grid = driver.grid
    for escape in (True, False):
        press(driver, Key.Key_Return, Key.Key_Right, Key.Key_Right, Key.Key_Down)
        assert not driver.painted(BOG)
        preview = driver.cells(driver.canvas.overlays.preview.cells)
        assert preview == driver.cells(
            # Where the line begins is drawn, and nowhere told.
            line(grid, driver.tools["line"]._ends.start, grid.cell(*cursor(driver)))
        )
        press(driver, Key.Key_Escape if escape else Key.Key_Return)
        assert driver.painted(BOG) == (set() if escape else preview)
    assert len(driver.document.history.steps) == 1


def test_with_shift_enter_the_brush_stays_down(driver):
    driver.use("terrain")
    driver.options.choose(terrain=BOG)
    focus(driver, 3, 3)
    press(driver, Key.Key_Return, held=SHIFT)
    press(driver, Key.Key_Right, Key.Key_Right, Key.Key_Down, Key.Key_Return)
    assert driver.painted(BOG) == {(3, 3), (4, 3), (5, 3), (5, 4)}
    assert len(driver.document.history.steps) == 1


def test_shift_and_arrows_select_a_rectangle(driver):
    focus(driver, 3, 3)
    press(driver, Key.Key_Right, Key.Key_Down, Key.Key_Down, held=SHIFT)
    grid = driver.grid
    expected = rectangle(grid, grid.cell(3, 3), grid.cell(4, 5))
    assert driver.cells(driver.document.selection.cells) == driver.cells(expected)
    press(driver, Key.Key_Left)
    press(driver, Key.Key_Left, held=SHIFT)
    assert len(driver.document.selection) == 2


def test_the_view_follows_the_cursor(make_driver):
    driver = make_driver(OBLIQUE, 40, 30)
    driver.canvas.zoom(6)
    focus(driver, 10, 15) if driver.canvas.active_tool.hit else press(driver, Key.Key_Right)
    for _ in range(12):
        press(driver, Key.Key_Right, Key.Key_Up)
    rect = driver.canvas.viewport.cell_rect(driver.grid, driver.canvas.keyboard_cursor.cell)
    assert driver.canvas.rect().contains(rect.toRect())


def test_the_mouse_takes_the_ring_away(driver):
    focus(driver, 3, 3)
    driver.use("terrain")
    driver.click(8, 8)
    assert driver.canvas.keyboard_cursor.cell is None


def test_ctrl_and_arrows_move_the_view_only(make_driver):
    driver = make_driver(FLAT)
    before = driver.canvas.viewport.dx
    press(driver, Key.Key_Right, held=CTRL)
    assert driver.canvas.viewport.dx < before
    assert driver.canvas.keyboard_cursor.cell is None
