"""A roll and the units that a hand placed: a rolled unit leaves the hex of such a one.

Where a person puts a unit on a rolled one, it is the rolled one that the fix moves.
"""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.new_map.dialog import NewMapDialog
from tests.end_to_end.test_map_script_desk import settle
from tests.end_to_end.worlds import (
    MARGIN_X,
    MARGIN_Y,
    choose_kind,
    click_cell,
    free_cells,
    map_problems,
    new_world,
)

DRIVEN_DIALOGS = (NewMapDialog,)


def cells_of_rolled_towns(window) -> list[int]:
    battlemap = window.desk.document.battlemap
    things = battlemap.visible_things()
    return [battlemap.grid.cell_at(thing.x, thing.y) for thing in things if thing.kind == "town"]


def is_inside(window, cell: int) -> bool:
    """Return whether a cell lies where a click reaches it."""
    grid = window.desk.document.battlemap.grid
    x, y = grid.xy(cell)
    return MARGIN_X < x < grid.width - MARGIN_X and MARGIN_Y < y < grid.height - MARGIN_Y


def is_free(window, cell: int) -> bool:
    """Return whether a click on a cell puts a unit there: no other is on it."""
    battlemap = window.desk.document.battlemap
    grid = battlemap.grid
    cells = {grid.cell_at(thing.x, thing.y) for thing in battlemap.visible_things()}
    return is_inside(window, cell) and cell not in cells


def drag(window, from_cell: int, to_cell: int) -> None:
    """Drag what stands on a cell to another one."""
    canvas = window.desk.canvas
    grid = window.desk.document.battlemap.grid
    start = canvas.viewport.to_screen(*grid.centre(from_cell)).toPoint()
    end = canvas.viewport.to_screen(*grid.centre(to_cell)).toPoint()
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(canvas, (start + end) / 2)
    QTest.mouseMove(canvas, end)
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=end)


def test_a_rolled_town_leaves_the_hex_of_a_city_of_ones_own(window, qtbot):
    new_world(qtbot, window, "Modern")
    document = window.desk.document
    window.desk.canvas.fit()
    towns_of_first_world = cells_of_rolled_towns(window)
    window.desk.rolling.key_choice.choose_seed = lambda: 4711
    window.desk.commands.run("script.roll")
    settle(qtbot, window)

    # A city of one's own, where the world before had a town.
    cell = next(cell for cell in towns_of_first_world if is_free(window, cell))
    choose_kind(window, "city")
    click_cell(window, cell)
    (city,) = [thing for thing in document.battlemap.visible_things() if not thing.key]
    window.desk.commands.run("script.previous")
    settle(qtbot, window)
    towns = cells_of_rolled_towns(window)
    assert cell not in towns
    assert len(towns) == len(towns_of_first_world)
    assert len(set(towns) - set(towns_of_first_world)) == 1, "only the town in its way moved"
    things = {thing.id: thing for thing in document.battlemap.visible_things()}
    assert document.battlemap.grid.cell_at(things[city.id].x, things[city.id].y) == cell
    window.desk.commands.run("view.problems")
    assert "advice-stack" not in [each.code for each in map_problems(window).problems]


@pytest.mark.deep
def test_the_fix_moves_the_rolled_town_and_says_that_rolls_keep_it_then(window, qtbot):
    new_world(qtbot, window, "Modern")
    document = window.desk.document
    window.desk.canvas.fit()
    cell = next(cell for cell in cells_of_rolled_towns(window) if is_inside(window, cell))
    choose_kind(window, "city")
    free_cell = free_cells(window)[0]
    click_cell(window, free_cell)
    drag(window, free_cell, cell)
    (city,) = [thing for thing in document.battlemap.visible_things() if not thing.key]
    assert document.battlemap.grid.cell_at(city.x, city.y) == cell

    window.desk.commands.run("view.problems")
    problems = map_problems(window)
    qtbot.waitUntil(lambda: "advice-stack" in [each.code for each in problems.problems])
    row = [each.code for each in problems.problems].index("advice-stack")
    problems.rows.setCurrentRow(row)
    tip = problems.fix_button.toolTip()
    assert tip.startswith("Apply: move town to"), tip
    assert tip.endswith("; new rolls will keep it there"), tip
    QTest.mouseClick(problems.fix_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: cell not in cells_of_rolled_towns(window))
    things = {thing.id: thing for thing in document.battlemap.visible_things()}
    assert document.battlemap.grid.cell_at(things[city.id].x, things[city.id].y) == cell
