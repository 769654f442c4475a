"""Wang sets of Tiled in the real window: a terrain is painted, the tiles around follow."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.model.records.map_records import ORIGINAL
from tests.end_to_end.wang_maps import (
    GRASS,
    HEX_TILES,
    HEXES,
    SEA,
    SQUARE_TILES,
    SQUARES,
    rows_of,
)

MIDDLE = (2, 2)


def lines_that_differ(text: str, other: str) -> list[int]:
    lines = text.splitlines()
    other_lines = other.splitlines()
    assert len(lines) == len(other_lines)
    return [at for at, line in enumerate(lines) if line != other_lines[at]]


def paint_sea(window, qtbot, path, tmx):
    """Open a map, choose Sea in the palette, click into the middle, save."""
    desk = window.desk
    document = desk.document
    path.write_text(tmx)
    desk.files.open_path(path)
    qtbot.waitUntil(lambda: ORIGINAL in document.battlemap.records)
    buttons = window.findChildren(QToolButton)
    button = next(each for each in buttons if each.accessibleName() == "Automatic edges Sea")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert desk.tools.name == "edges"
    grid = document.battlemap.grid
    at = desk.canvas.viewport.to_screen(*grid.centre(grid.cell(*MIDDLE))).toPoint()
    QTest.mouseClick(desk.canvas, Qt.MouseButton.LeftButton, pos=at)
    assert document.modified
    desk.commands.run("file.save")
    qtbot.waitUntil(lambda: not document.modified)
    return grid


def check_undo(window, qtbot, path, tmx):
    """One undo step takes back all of it, and the file is as it was."""
    desk = window.desk
    desk.commands.run("edit.undo")
    assert desk.document.history.next_undo is None
    desk.commands.run("file.save")
    qtbot.waitUntil(lambda: not desk.document.modified)
    assert path.read_text() == tmx


def test_corners_of_squares_follow_a_painted_terrain(window, qtbot, tmp_path):
    path = tmp_path / "squares.tmx"
    grid = paint_sea(window, qtbot, path, SQUARES)
    assert grid.layout is SQUARE
    saved = path.read_text()
    rows = rows_of(saved)
    x, y = MIDDLE
    tiles = {
        (column, row): SQUARE_TILES[rows[row][column] - 1]
        for row in range(grid.height)
        for column in range(grid.width)
    }
    assert tiles[x, y] == (SEA,) * 4
    assert tiles[x - 1, y - 1] == (GRASS, SEA, GRASS, GRASS)
    assert tiles[x, y - 1] == (GRASS, SEA, SEA, GRASS)
    assert tiles[x + 1, y] == (GRASS, GRASS, SEA, SEA)
    outside = [at for at in tiles if max(abs(at[0] - x), abs(at[1] - y)) > 1]
    assert {tiles[at] for at in outside} == {(GRASS,) * 4}
    assert len(lines_that_differ(saved, SQUARES)) == 3
    check_undo(window, qtbot, path, SQUARES)


@pytest.mark.deep
def test_sides_of_hexes_follow_a_painted_terrain(window, qtbot, tmp_path):
    path = tmp_path / "hexes.tmx"
    grid = paint_sea(window, qtbot, path, HEXES)
    assert grid.layout is FLAT
    saved = path.read_text()
    rows = rows_of(saved)
    middle = grid.cell(*MIDDLE)
    for cell in grid.cells.tolist():
        x, y = grid.xy(cell)
        expected = [GRASS] * 6
        for side in range(6):
            if grid.neighbour(cell, side) == middle:
                expected[side] = SEA
        if cell == middle:
            expected = [SEA] * 6
        assert HEX_TILES[rows[y][x] - 1] == tuple(expected), (x, y)
    assert len(lines_that_differ(saved, HEXES)) <= 3
    check_undo(window, qtbot, path, HEXES)


@pytest.mark.parametrize("tmx", [SQUARES, pytest.param(HEXES, marks=pytest.mark.deep)])
def test_a_drag_of_automatic_edges_is_one_step(window, qtbot, tmp_path, tmx):
    path = tmp_path / "map.tmx"
    grid = paint_sea(window, qtbot, path, tmx)
    desk = window.desk
    points = [
        desk.canvas.viewport.to_screen(*grid.centre(grid.cell(x, 3))).toPoint()
        for x in (1, 2, 3, 4)
    ]
    steps_before = len(desk.document.history.steps)
    QTest.mousePress(desk.canvas, Qt.MouseButton.LeftButton, pos=points[0])
    for point in points[1:]:
        QTest.mouseMove(desk.canvas, point)
    QTest.mouseRelease(desk.canvas, Qt.MouseButton.LeftButton, pos=points[-1])
    assert len(desk.document.history.steps) == steps_before + 1
