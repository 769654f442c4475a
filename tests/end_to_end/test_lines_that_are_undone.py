"""A path of lines or slopes goes on from what is on the map, not from the end of an undone line."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from randomizer.model.grid.layouts import SQUARE
from randomizer.systems.free.system import free_map

LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
NO_KEY = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def window(shared_window):
    return shared_window


@pytest.fixture
def desk(window):
    """The desk with a free map, and a terrain of one cell's width in hand."""
    desk = window.desk
    desk.document.show_map(free_map(SQUARE, 12, 7))
    desk.canvas.fit()
    desk.tools.options.choose(terrain=1, radius=0)
    return desk


def click(desk, x: int, y: int, keys=NO_KEY) -> None:
    grid = desk.document.battlemap.grid
    point = desk.canvas.viewport.to_screen(*grid.centre(grid.cell(x, y))).toPoint()
    QTest.mouseClick(desk.canvas, LEFT, keys, pos=point)


def cells_with(desk, plane: str, value: int | None = None) -> set[tuple[int, int]]:
    """The columns and rows of the cells that have a value in a plane; None: any but 0."""
    values = desk.document.composite.planes[plane]
    is_set = values != 0 if value is None else values == value
    rows, columns = np.nonzero(is_set)
    return set(zip(columns.tolist(), rows.tolist(), strict=True))


def row(y: int, *columns: int) -> set[tuple[int, int]]:
    return {(x, y) for x in columns}


def test_after_undo_a_line_goes_on_from_the_end_that_is_still_there(desk):
    desk.tools.choose("line")
    desk.tools.options.choose(terrain=1, radius=0)
    click(desk, 1, 1)
    click(desk, 4, 1, SHIFT)
    click(desk, 4, 5, SHIFT)
    desk.commands.run("edit.undo")
    click(desk, 7, 1, SHIFT)
    assert cells_with(desk, "terrain", 1) == row(1, *range(1, 8))


def test_once_the_whole_path_is_undone_a_line_begins_anew(desk):
    desk.tools.choose("line")
    desk.tools.options.choose(terrain=1, radius=0)
    click(desk, 1, 1)
    click(desk, 4, 1, SHIFT)
    desk.commands.run("edit.undo")
    desk.commands.run("edit.undo")
    click(desk, 7, 3, SHIFT)
    assert cells_with(desk, "terrain", 1) == {(7, 3)}


def test_redo_brings_the_end_back(desk):
    desk.tools.choose("line")
    desk.tools.options.choose(terrain=1, radius=0)
    click(desk, 1, 1)
    click(desk, 4, 1, SHIFT)
    desk.commands.run("edit.undo")
    desk.commands.run("edit.redo")
    click(desk, 4, 3, SHIFT)
    assert cells_with(desk, "terrain", 1) == row(1, 1, 2, 3, 4) | {(4, 2), (4, 3)}


def test_after_undo_a_slope_goes_on_from_the_end_that_is_still_there(desk):
    desk.tools.choose("elevation")
    desk.tools.options.choose(elevation=4, radius=0)
    click(desk, 9, 1)
    desk.tools.choose("slope")
    desk.tools.options.choose(radius=0)
    click(desk, 1, 1)
    click(desk, 1, 4, SHIFT)  # from flat land to flat land: no step, but an end
    click(desk, 9, 1, SHIFT)
    desk.commands.run("edit.undo")
    assert cells_with(desk, "elevation") == {(9, 1)}
    click(desk, 9, 1, SHIFT)
    columns = {x for x, _y in cells_with(desk, "elevation")}
    rows = {y for _x, y in cells_with(desk, "elevation")}
    assert min(columns) < 6
    assert max(rows) > 1, "it leads from (1, 4) again"
