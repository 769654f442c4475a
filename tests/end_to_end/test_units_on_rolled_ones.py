"""Where a roll puts a unit on the hex of one that a hand placed, the rolled one is to go."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.new_map.dialog import NewMapDialog
from tests.end_to_end.test_map_script_desk import settle
from tests.end_to_end.worlds import (
    MARGIN_X,
    MARGIN_Y,
    choose_kind,
    click_cell,
    map_problems,
    new_world,
)

DRIVEN_DIALOGS = (NewMapDialog,)


def cells_of_rolled_towns(window) -> list[int]:
    battlemap = window.desk.document.battlemap
    things = battlemap.visible_things()
    return [battlemap.grid.cell_at(thing.x, thing.y) for thing in things if thing.kind == "town"]


def is_free(window, cell: int) -> bool:
    """Return whether a click on a cell puts a unit there: no other is on it."""
    battlemap = window.desk.document.battlemap
    grid = battlemap.grid
    x, y = grid.xy(cell)
    is_inside = MARGIN_X < x < grid.width - MARGIN_X and MARGIN_Y < y < grid.height - MARGIN_Y
    cells = {grid.cell_at(thing.x, thing.y) for thing in battlemap.visible_things()}
    return is_inside and cell not in cells


def test_the_fix_moves_the_rolled_town_and_leaves_the_city(window, qtbot):
    new_world(qtbot, window, "Modern")
    document = window.desk.document
    window.desk.canvas.fit()
    towns_of_first_world = cells_of_rolled_towns(window)
    window.desk.rolling.choose_seed = lambda: 4711
    window.desk.commands.run("script.roll")
    settle(qtbot, window)

    # A city of one's own, where the world before had a town.
    cell = next(cell for cell in towns_of_first_world if is_free(window, cell))
    choose_kind(window, "city")
    click_cell(window, cell)
    (city,) = [thing for thing in document.battlemap.visible_things() if not thing.key]
    window.desk.commands.run("script.previous")
    settle(qtbot, window)
    assert cell in cells_of_rolled_towns(window)

    window.desk.commands.run("view.problems")
    problems = map_problems(window)
    qtbot.waitUntil(lambda: "advice-stack" in [each.code for each in problems.problems])
    row = [each.code for each in problems.problems].index("advice-stack")
    problems.rows.setCurrentRow(row)
    assert problems.fix_button.toolTip().startswith("Apply: move town to")
    QTest.mouseClick(problems.fix_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: cell not in cells_of_rolled_towns(window))
    things = {thing.id: thing for thing in document.battlemap.visible_things()}
    assert document.battlemap.grid.cell_at(things[city.id].x, things[city.id].y) == cell
