"""A route laid by clicks goes on from what is on the map, not from what was undone."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from randomizer.model.grid.layouts import SQUARE
from randomizer.systems.free.system import free_map
from tests.app.conftest import mouse

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.MouseButton.NoButton


@pytest.fixture
def window(shared_window):
    return shared_window


@pytest.fixture
def desk(window):
    """The desk with a free map and the first of its routes in hand."""
    desk = window.desk
    desk.document.show_map(free_map(SQUARE, 12, 7))
    desk.canvas.fit()
    desk.tools.choose("route")
    desk.tools.options.choose(route=0)
    return desk


def point(desk, x: int, y: int):
    grid = desk.document.battlemap.grid
    return desk.canvas.viewport.to_screen(*grid.centre(grid.cell(x, y))).toPoint()


def click(desk, x: int, y: int) -> None:
    QTest.mouseClick(desk.canvas, LEFT, pos=point(desk, x, y))


def cells_with_route(desk) -> list[tuple[int, int]]:
    """The columns and rows of the cells through which a route leads."""
    battlemap = desk.document.battlemap
    route = battlemap.system.routes_of(battlemap.terrain_set)[0]
    rows, columns = np.nonzero(desk.document.composite.planes[route.plane])
    return sorted(zip(columns.tolist(), rows.tolist(), strict=True))


def line_to(desk, x: int, y: int) -> int:
    """The number of points of the line that is shown when the mouse points at a cell."""
    mouse(desk.canvas, "MouseMove", point(desk, x, y), NONE, NONE)
    preview = desk.canvas.overlays.preview
    return len(preview.points)


def test_after_undo_of_a_piece_the_next_click_does_not_go_on_from_its_end(desk):
    click(desk, 1, 1)
    click(desk, 4, 1)
    assert len(cells_with_route(desk)) == 4
    click(desk, 4, 1)  # the next piece is to begin where this one ends
    assert line_to(desk, 6, 1) == 3
    desk.commands.run("edit.undo")
    assert not cells_with_route(desk)
    assert line_to(desk, 7, 4) == 0, "there is nothing to go on from"
    click(desk, 7, 4)
    assert not cells_with_route(desk), "this is the first click of a new piece"
    click(desk, 9, 4)
    assert cells_with_route(desk) == [(7, 4), (8, 4), (9, 4)]


def test_redo_brings_the_mark_back_with_the_piece(desk):
    click(desk, 1, 1)
    click(desk, 3, 1)
    click(desk, 3, 1)
    desk.commands.run("edit.undo")
    desk.commands.run("edit.redo")
    click(desk, 5, 1)
    assert cells_with_route(desk) == [(x, 1) for x in range(1, 6)]


def test_another_stroke_between_two_clicks_leaves_the_first_one(desk):
    click(desk, 1, 1)
    desk.tools.choose("terrain")
    desk.tools.options.choose(terrain=1, radius=0)
    click(desk, 10, 6)
    desk.tools.choose("route")
    click(desk, 3, 1)
    assert cells_with_route(desk) == [(1, 1), (2, 1), (3, 1)]


def test_escape_after_such_an_undo_is_not_lost_on_a_mark_that_is_gone(desk):
    click(desk, 1, 1)
    click(desk, 3, 1)
    click(desk, 3, 1)
    desk.commands.run("edit.undo")
    assert not desk.tools.put_down(), "Escape is free for what else it does"
