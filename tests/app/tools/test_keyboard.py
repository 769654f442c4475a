"""The keyboard cursor: the whole map can be edited without a mouse, and each place is said."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest

from app.canvas.keyboard_cursor import next_cell
from randomizer.geometry.shapes import line, rectangle
from randomizer.model.edit_making import set_values
from randomizer.model.layouts import FLAT, LAYOUTS, OBLIQUE

Key = Qt.Key
BOG, SLOPE = 5, 3
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def press(table, *keys, held=Qt.KeyboardModifier.NoModifier) -> None:
    for key in keys:
        QTest.keyClick(table.canvas, key, held)


def focus(table, x: int, y: int) -> None:
    table.hover(x, y)
    press(table, Key.Key_Right)  # the ring shows where the mouse is
    assert table.grid.xy(table.canvas.keyboard_cursor.cell) == (x, y)


def cursor(table) -> tuple[int, int]:
    return table.grid.xy(table.canvas.keyboard_cursor.cell)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
@pytest.mark.parametrize("wrap", [False, True])
def test_arrows_lead_everywhere_and_back(make_table, layout, wrap):
    grid = make_table(layout, 8, 6, wrap=wrap).grid
    for cell in grid.cells.tolist():
        x, y = grid.centre(cell)
        for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            there = next_cell(grid, cell, right, down)
            if there == cell:
                continue
            to_x, to_y = grid.centre(there)
            inside = abs(to_x - x) < 3
            if inside:
                assert (to_x - x) * right + (to_y - y) * down > 0.4
                assert there in grid.neighbours(cell)
                assert next_cell(grid, there, -right, -down) == cell or layout.degree == 6
    seen, ahead = {0}, [0]
    while ahead:
        here = ahead.pop()
        for way in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            there = next_cell(grid, here, *way)
            if there not in seen:
                seen.add(there)
                ahead.append(there)
    assert len(seen) == grid.size


def test_six_keys_lead_to_the_six_neighbours(table):
    focus(table, 6, 5)
    start = table.canvas.keyboard_cursor.cell
    found = []
    for key in (
        Key.Key_Up,
        Key.Key_PageUp,
        Key.Key_PageDown,
        Key.Key_Down,
        Key.Key_End,
        Key.Key_Home,
    ):
        table.canvas.keyboard_cursor.cell = start
        press(table, key)
        found.append(table.canvas.keyboard_cursor.cell)
    assert found == table.grid.neighbours(start)


def test_enter_paints_and_the_place_is_said(table, monkeypatch):
    said = []
    monkeypatch.setattr(
        QAccessible, "updateAccessibility", lambda event: said.append(event.message())
    )
    grid = table.grid
    battlemap = table.document.battlemap
    table.document.push(set_values(battlemap, 1, "elevation", [grid.cell(6, 5)], 1), "High")
    table.document.push(set_values(battlemap, 1, "hexside", [grid.cell(6, 5) * 6], SLOPE), "Slope")
    table.use("terrain")
    table.options.choose(terrain=BOG)
    focus(table, 6, 5)
    assert said[-1] == "0706, Plains, elevation 1, slope to the north"
    press(table, Key.Key_Return)
    assert said[-1] == "0706, Bog, elevation 1, slope to the north"
    assert table.canvas.accessibleDescription() == said[-1]
    press(table, Key.Key_Right, Key.Key_Enter)
    assert table.painted(BOG) == {(6, 5), (7, 5)}
    assert table.document.undo_stack.count() == 4
    table.canvas.grab()


def test_a_side_is_chosen_and_painted_with_keys(table):
    table.use("hexside")
    table.options.choose(hexside=5)
    focus(table, 6, 5)
    press(table, Key.Key_Period, Key.Key_Period)
    assert (
        table.canvas.accessibleDescription()
        == "north-east side of 0706, towards 0805, nothing there"
    )
    press(table, Key.Key_Return)
    assert table.plane("hexside").reshape(-1, 6)[table.grid.cell(6, 5), 1] == 5
    assert table.canvas.accessibleDescription().endswith("river")
    press(table, Key.Key_Comma, Key.Key_Comma)
    assert table.canvas.keyboard_cursor.side is None
    press(table, Key.Key_Comma)
    assert table.canvas.keyboard_cursor.side == 5


def test_a_line_is_drawn_from_enter_to_enter_and_escape_takes_it_back(table):
    table.use("line")
    table.options.choose(terrain=BOG)
    focus(table, 3, 3)
    grid = table.grid
    for escape in (True, False):
        press(table, Key.Key_Return, Key.Key_Right, Key.Key_Right, Key.Key_Down)
        assert not table.painted(BOG)
        preview = table.cells(table.canvas.overlays.preview.cells)
        assert preview == table.cells(
            line(grid, table.tools["line"]._start, grid.cell(*cursor(table)))
        )
        press(table, Key.Key_Escape if escape else Key.Key_Return)
        assert table.painted(BOG) == (set() if escape else preview)
    assert table.document.undo_stack.count() == 1


def test_with_shift_enter_the_brush_stays_down(table):
    table.use("terrain")
    table.options.choose(terrain=BOG)
    focus(table, 3, 3)
    press(table, Key.Key_Return, held=SHIFT)
    press(table, Key.Key_Right, Key.Key_Right, Key.Key_Down, Key.Key_Return)
    assert table.painted(BOG) == {(3, 3), (4, 3), (5, 3), (5, 4)}
    assert table.document.undo_stack.count() == 1


def test_shift_and_arrows_select_a_rectangle(table):
    focus(table, 3, 3)
    press(table, Key.Key_Right, Key.Key_Down, Key.Key_Down, held=SHIFT)
    grid = table.grid
    expected = rectangle(grid, grid.cell(3, 3), grid.cell(4, 5))
    assert table.cells(table.document.selection.cells) == table.cells(expected)
    press(table, Key.Key_Left)
    press(table, Key.Key_Left, held=SHIFT)
    assert len(table.document.selection) == 2


def test_the_view_follows_the_cursor(make_table):
    table = make_table(OBLIQUE, 40, 30)
    table.canvas.zoom(6)
    focus(table, 10, 15) if table.canvas.active_tool.hit else press(table, Key.Key_Right)
    for _ in range(12):
        press(table, Key.Key_Right, Key.Key_Up)
    rect = table.canvas.viewport.cell_rect(table.grid, table.canvas.keyboard_cursor.cell)
    assert table.canvas.rect().contains(rect.toRect())


def test_the_mouse_takes_the_ring_away(table):
    focus(table, 3, 3)
    table.use("terrain")
    table.click(8, 8)
    assert table.canvas.keyboard_cursor.cell is None


def test_ctrl_and_arrows_move_the_view_only(make_table):
    table = make_table(FLAT)
    before = table.canvas.viewport.dx
    press(table, Key.Key_Right, held=CTRL)
    assert table.canvas.viewport.dx < before
    assert table.canvas.keyboard_cursor.cell is None
