"""Selections and pieces of map: rectangle, lasso, wand, stamp, move."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from randomizer.geometry.shapes import disc, rectangle
from randomizer.geometry.stamp import cut
from randomizer.model.edit_making import set_values
from randomizer.model.layouts import FLAT, LAYOUTS, POINTY, SQUARE
from randomizer.systems.free.system import free_map

BOG, SAND, SLOPE = 5, 6, 3
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def chosen(table) -> set[tuple[int, int]]:
    return table.cells(table.document.selection.cells)


def paint(table, plane, cells, values) -> None:
    table.document.push(set_values(table.document.battlemap, 1, plane, cells, values), "Paint")


def test_rectangles_are_selected_added_and_taken_away(table):
    grid = table.grid
    table.use("select")
    table.drag(table.at(2, 2), table.at(5, 5))
    first = table.cells(rectangle(grid, grid.cell(2, 2), grid.cell(5, 5)))
    assert chosen(table) == first
    table.drag(table.at(8, 2), table.at(9, 3), modifiers=SHIFT)
    assert len(chosen(table)) == 20
    table.drag(table.at(8, 2), table.at(9, 3), modifiers=CTRL)
    assert chosen(table) == first
    assert table.document.undo_stack.count() == 0
    table.canvas.grab()


def test_a_lasso_selects_what_it_goes_around(table):
    table.use("lasso")
    ring = [(3, 2), (9, 2), (9, 8), (3, 8), (3, 2)]
    table.drag(*(table.at(*place) for place in ring))
    assert (6, 5) in chosen(table)
    assert (1, 1) not in chosen(table)
    assert 20 < len(chosen(table)) < 60
    table.click(12, 10)
    assert chosen(table) == {(12, 10)}


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_the_wand_takes_an_area_and_same_takes_all(make_table, layout):
    table = make_table(layout)
    grid = table.grid
    for x in (3, 10):
        paint(table, "terrain", disc(grid, grid.cell(x, 5), 1), BOG)
    table.use("wand")
    table.click(3, 5)
    assert chosen(table) == table.cells(disc(grid, grid.cell(3, 5), 1))
    table.use("same")
    table.click(3, 5)
    assert len(chosen(table)) == len(table.painted(BOG)) == 2 * len(disc(grid, grid.cell(3, 5), 1))


def test_a_stamp_turned_six_times_is_as_it_was_and_lies_where_its_preview_showed(table):
    grid = table.grid
    paint(table, "terrain", [grid.cell(4, 4), grid.cell(5, 4), grid.cell(4, 3)], [BOG, SAND, BOG])
    paint(table, "hexside", [grid.cell(4, 4) * 6 + 1], SLOPE)
    cells = disc(grid, grid.cell(4, 4), 1)
    table.options.stamp = stamp = cut(
        table.document.battlemap, cells, table.document.composite.planes
    )
    tool = table.tools["stamp"]
    table.use("stamp")
    for _ in range(6):
        tool.turn(1)
    assert table.options.stamp.same_as(stamp)
    tool.turn(2)
    tool.flip(upside_down=False)
    table.hover(11, 7)
    preview = table.canvas.overlays.preview
    before = table.document.undo_stack.count()
    table.drag(table.at(11, 7), table.at(13, 8))
    assert table.document.undo_stack.count() == before + 1
    assert (table.plane("terrain").flat[preview.cells] == preview.terrains).all()
    shown = [(place, code) for place, code in preview.sides if code]
    assert len(shown) == 1
    ((owner, side), code) = shown[0]
    assert table.plane("hexside").reshape(-1, 6)[owner, side] == code == SLOPE


def test_a_stamp_stays_within_the_selection(table):
    grid = table.grid
    paint(table, "terrain", disc(grid, grid.cell(4, 4), 2), BOG)
    cells = disc(grid, grid.cell(4, 4), 2)
    table.options.stamp = cut(table.document.battlemap, cells, table.document.composite.planes)
    paint(table, "terrain", grid.cells, 0)
    table.document.select(disc(grid, grid.cell(10, 6), 1))
    table.use("stamp")
    table.click(10, 6)
    assert table.painted(BOG) == table.cells(disc(grid, grid.cell(10, 6), 1))


@pytest.mark.parametrize("layout", [SQUARE, POINTY])
def test_a_stamp_of_other_cells_is_refused_in_words(make_table, layout):
    table = make_table(layout)
    other = free_map(FLAT, 4, 4)
    table.options.stamp = cut(other, np.array([5]), other.composite().planes)
    table.use("stamp")
    table.hover(3, 3)
    table.click(3, 3)
    assert "flat-topped hexes" in table.refused[0]
    assert table.document.undo_stack.count() == 0


def test_the_selection_is_dragged_away_in_one_step_without_tearing(table):
    grid = table.grid
    cells = disc(grid, grid.cell(4, 5), 1)
    paint(table, "terrain", cells, [BOG, SAND, BOG, SAND, BOG, SAND, BOG])
    paint(table, "hexside", [grid.cell(4, 5) * 6], SLOPE)
    before = {name: table.plane(name) for name in ("terrain", "hexside")}
    table.document.select(cells)
    table.use("move")
    table.drag(table.at(4, 5), table.at(5, 5))  # over itself, to an odd column
    moved = disc(grid, grid.cell(5, 5), 1)
    assert chosen(table) == table.cells(moved)
    assert len(table.painted(BOG)) == 4
    assert len(table.painted(SAND)) == 3
    assert table.plane("hexside").reshape(-1, 6)[grid.cell(5, 5), 0] == SLOPE
    assert table.document.undo_stack.count() == 3
    table.document.undo_stack.undo()
    for name, plane in before.items():
        assert (table.plane(name) == plane).all()
    table.document.undo_stack.redo()
    assert len(table.painted(BOG)) == 4


def test_without_a_selection_there_is_nothing_to_move(table):
    table.use("move")
    table.click(3, 3)
    assert "Nothing is selected" in table.refused[0]


def test_a_stamp_of_terrains_that_the_map_lacks_is_shown_without_them_and_refused(table):
    from randomizer.model.battlemap import BattleMap, Layer
    from randomizer.model.grid import Grid
    from tests.randomizer.map_strategies import TOY

    other = BattleMap.new(TOY, Grid(FLAT, 4, 4), [Layer(1, "Ground")])
    other.layers[0].planes["terrain"] = np.full((4, 4), 2, "u2")  # sand, which is 6 here
    other.layers[0].planes["terrain"][0, 0] = 1  # rock
    table.options.stamp = cut(other, np.array([0, 5]), other.layers[0].planes)
    table.use("stamp")
    table.hover(5, 5)
    assert sorted(table.canvas.overlays.preview.terrains.tolist()) == [-1, SAND]
    table.canvas.grab()
    table.click(5, 5)
    assert "Rock" in table.refused[0]


def test_many_cells_are_looked_up_as_few_are():
    from app.document.selection import MANY, Selection

    cells = np.arange(5, MANY + 500, 3)
    asked = np.arange(-1, MANY + 1000)
    assert np.array_equal(Selection.of(cells).contains(asked), np.isin(asked, cells))
    assert Selection.of(cells).contains(asked[:20]).tolist() == np.isin(asked[:20], cells).tolist()
