"""A drag that begins beside the board draws from the first cell that it comes to."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.free.system import free_map
from randomizer.systems.zeroad.system import SYSTEM as ZEROAD
from tests.app.conftest import mouse

LEFT = Qt.MouseButton.LeftButton

ROW = 3
MIDDLE_ROW = [(x, ROW) for x in range(4)]
"""The cells over which ``drag_in`` comes, from the left edge."""


@pytest.fixture
def window(shared_window):
    return shared_window


@pytest.fixture
def desk(window):
    desk = window.desk
    desk.document.show_map(free_map(SQUARE, 9, 7))
    desk.canvas.fit()
    return desk


def point(desk, x: float, y: float) -> QPoint:
    return desk.canvas.viewport.to_screen(x, y).toPoint()


def centre(desk, x: int, y: int) -> QPoint:
    grid = desk.document.battlemap.grid
    return point(desk, *grid.centre(grid.cell(x, y)))


def drag(desk, *points: QPoint) -> None:
    QTest.mousePress(desk.canvas, LEFT, pos=points[0])
    for at in points[1:]:
        mouse(desk.canvas, "MouseMove", at, LEFT, LEFT)
    QTest.mouseRelease(desk.canvas, LEFT, pos=points[-1])


def drag_in(desk) -> None:
    """Drag from the left of the map over the first four cells of a row, with few events."""
    start = centre(desk, 0, ROW) - QPoint(centre(desk, 3, ROW).x() - centre(desk, 0, ROW).x(), 0)
    assert desk.canvas.hit_at(start) is None
    drag(desk, start, centre(desk, 0, ROW), centre(desk, 3, ROW))


def cells_with(values) -> list[tuple[int, int]]:
    """The columns and rows of the cells that have a value."""
    rows, columns = np.nonzero(values)
    return sorted(zip(columns.tolist(), rows.tolist(), strict=True))


def terrains(desk) -> np.ndarray:
    return np.array(desk.document.composite.planes["terrain"])


@pytest.mark.parametrize("layout", [SQUARE, FLAT])
@pytest.mark.parametrize("tool", ["terrain", "random", "line", "rectangle"])
def test_a_brush_paints_from_the_first_cell_on_in_one_step(desk, layout, tool):
    desk.document.show_map(free_map(layout, 9, 7))
    desk.canvas.fit()
    desk.tools.choose(tool)
    options = desk.tools.options
    options.choose(terrain=2, radius=0, weights=((2, 1),))
    before = terrains(desk)
    drag_in(desk)
    assert cells_with(terrains(desk) != before) == MIDDLE_ROW
    assert len(desk.document.history.steps) == 1


def test_a_drag_that_never_comes_to_the_map_and_a_click_beside_it_change_nothing(desk):
    desk.tools.choose("terrain")
    desk.tools.options.choose(terrain=2, radius=0)
    left = centre(desk, 0, ROW) - QPoint(300, 0)
    drag(desk, left, left + QPoint(20, 40))
    QTest.mouseClick(desk.canvas, LEFT, pos=left)
    mouse(desk.canvas, "MouseMove", centre(desk, 2, 2), LEFT, Qt.MouseButton.NoButton)
    assert not desk.document.history.steps


def test_escape_takes_back_what_such_a_drag_has_painted(desk):
    desk.tools.choose("terrain")
    desk.tools.options.choose(terrain=2, radius=0)
    before = terrains(desk)
    QTest.mousePress(desk.canvas, LEFT, pos=centre(desk, 0, ROW) - QPoint(300, 0))
    mouse(desk.canvas, "MouseMove", centre(desk, 3, ROW), LEFT, LEFT)
    assert cells_with(terrains(desk) != before) == MIDDLE_ROW
    QTest.keyClick(desk.canvas, Qt.Key.Key_Escape)
    QTest.mouseRelease(desk.canvas, LEFT, pos=centre(desk, 3, ROW))
    assert not cells_with(terrains(desk) != before)
    assert not desk.document.history.steps


def test_locks_and_the_eraser_mean_the_cells_not_the_side_that_is_crossed(desk):
    desk.tools.choose("lock")
    desk.tools.options.choose(radius=0)
    drag_in(desk)
    locked = desk.document.battlemap.locked_cells
    assert cells_with(locked) == MIDDLE_ROW
    drag_in(desk)
    assert not locked.any(), "a drag that begins on a locked cell unlocks"

    before = terrains(desk)
    desk.tools.choose("terrain")
    desk.tools.options.choose(terrain=2, radius=0)
    drag_in(desk)
    desk.tools.choose("eraser")
    drag_in(desk)
    assert not cells_with(terrains(desk) != before)
    assert len(desk.document.history.steps) == 4


def test_a_rectangle_of_the_selection_can_begin_beside_the_map(desk):
    desk.tools.choose("select")
    corner = centre(desk, 0, 0)
    drag(desk, corner - QPoint(corner.x() - 2, 0), corner, centre(desk, 2, 1))
    grid = desk.document.battlemap.grid
    cells = [grid.cell(x, y) for y in range(2) for x in range(3)]
    assert desk.document.selection.cells.tolist() == cells


def test_the_height_brush_shapes_land_from_the_edge_on(desk):
    desk.document.show_map(BattleMap.new(ZEROAD, layers=[Layer(1, "Land")]))
    desk.canvas.fit()
    desk.tools.choose("height")
    drag(desk, point(desk, -8, 60), point(desk, 30, 60))
    heights = np.array(desk.document.composite.planes["height"])
    assert len(desk.document.history.steps) == 1
    rows, columns = np.nonzero(heights != heights[0, 0])
    assert columns.min() == 0
    assert 28 <= columns.max() <= 36
    assert rows.min() >= 52


def test_a_fill_is_begun_by_a_press_on_the_map_alone(desk):
    desk.tools.choose("fill")
    desk.tools.options.choose(terrain=2)
    drag_in(desk)
    assert not desk.document.history.steps
