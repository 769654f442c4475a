"""Selections and pieces of map: rectangle, lasso, wand, stamp, move."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from randomizer.geometry.shapes import disc, rectangle
from randomizer.geometry.stamp_cutting import cut
from randomizer.model.edits.layer_edits import insert_layer
from randomizer.model.edits.thing_edits import add_things
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT, LAYOUTS, POINTY, SQUARE
from randomizer.model.map.layer import Layer
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import free_map

BOG = 5
SAND = 6
SLOPE = 3
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier


def chosen(driver) -> set[tuple[int, int]]:
    return driver.cells(driver.document.selection.cells)


def paint(driver, plane, cells, values) -> None:
    driver.document.push(set_values(driver.document.battlemap, 1, plane, cells, values), "Paint")


def test_rectangles_are_selected_added_and_taken_away(driver):
    grid = driver.grid
    driver.use("select")
    driver.drag(driver.at(2, 2), driver.at(5, 5))
    first = driver.cells(rectangle(grid, grid.cell(2, 2), grid.cell(5, 5)))
    assert chosen(driver) == first
    driver.drag(driver.at(8, 2), driver.at(9, 3), modifiers=SHIFT)
    assert len(chosen(driver)) == 20
    driver.drag(driver.at(8, 2), driver.at(9, 3), modifiers=CTRL)
    assert chosen(driver) == first
    assert len(driver.document.history.steps) == 0
    driver.canvas.grab()


def test_a_lasso_selects_what_it_goes_around(driver):
    driver.use("lasso")
    ring = [(3, 2), (9, 2), (9, 8), (3, 8), (3, 2)]
    driver.drag(*(driver.at(*place) for place in ring))
    assert (6, 5) in chosen(driver)
    assert (1, 1) not in chosen(driver)
    assert 20 < len(chosen(driver)) < 60
    driver.click(12, 10)
    assert chosen(driver) == {(12, 10)}


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_the_wand_takes_an_area_and_same_takes_all(make_driver, layout):
    driver = make_driver(layout)
    grid = driver.grid
    for x in (3, 10):
        paint(driver, "terrain", disc(grid, grid.cell(x, 5), 1), BOG)
    driver.use("wand")
    driver.click(3, 5)
    assert chosen(driver) == driver.cells(disc(grid, grid.cell(3, 5), 1))
    driver.use("same")
    driver.click(3, 5)
    assert (
        len(chosen(driver)) == len(driver.painted(BOG)) == 2 * len(disc(grid, grid.cell(3, 5), 1))
    )


def test_a_stamp_turned_six_times_is_as_it_was_and_lies_where_its_preview_showed(driver):
    grid = driver.grid
    paint(driver, "terrain", [grid.cell(4, 4), grid.cell(5, 4), grid.cell(4, 3)], [BOG, SAND, BOG])
    paint(driver, "hexside", [grid.cell(4, 4) * 6 + 1], SLOPE)
    cells = disc(grid, grid.cell(4, 4), 1)
    driver.options.stamp = stamp = cut(
        driver.document.battlemap, cells, driver.document.composite.planes
    )
    tool = driver.tools["stamp"]
    driver.use("stamp")
    for _ in range(6):
        tool.turn(1)
    assert driver.options.stamp.same_as(stamp)
    tool.turn(2)
    tool.flip(upside_down=False)
    driver.hover(11, 7)
    preview = driver.canvas.overlays.preview
    before = len(driver.document.history.steps)
    driver.drag(driver.at(11, 7), driver.at(13, 8))
    assert len(driver.document.history.steps) == before + 1
    assert (driver.plane("terrain").flat[preview.cells] == preview.terrains).all()
    shown = [(place, code) for place, code in preview.sides if code]
    assert len(shown) == 1
    ((owner, side), code) = shown[0]
    assert driver.plane("hexside").reshape(-1, 6)[owner, side] == code == SLOPE


def test_a_stamp_stays_within_the_selection(driver):
    grid = driver.grid
    paint(driver, "terrain", disc(grid, grid.cell(4, 4), 2), BOG)
    cells = disc(grid, grid.cell(4, 4), 2)
    driver.options.stamp = cut(driver.document.battlemap, cells, driver.document.composite.planes)
    paint(driver, "terrain", grid.cells, 0)
    driver.document.select(disc(grid, grid.cell(10, 6), 1))
    driver.use("stamp")
    driver.click(10, 6)
    assert driver.painted(BOG) == driver.cells(disc(grid, grid.cell(10, 6), 1))


@pytest.mark.parametrize("layout", [SQUARE, POINTY])
def test_a_stamp_of_other_cells_is_refused_in_words(make_driver, layout):
    driver = make_driver(layout)
    other = free_map(FLAT, 4, 4)
    driver.options.stamp = cut(other, np.array([5]), other.composite().planes)
    driver.use("stamp")
    driver.hover(3, 3)
    driver.click(3, 3)
    assert "flat-topped hexes" in driver.refused[0]
    assert len(driver.document.history.steps) == 0


def test_the_selection_is_dragged_away_in_one_step_without_tearing(driver):
    grid = driver.grid
    cells = disc(grid, grid.cell(4, 5), 1)
    paint(driver, "terrain", cells, [BOG, SAND, BOG, SAND, BOG, SAND, BOG])
    paint(driver, "hexside", [grid.cell(4, 5) * 6], SLOPE)
    before = {name: driver.plane(name) for name in ("terrain", "hexside")}
    driver.document.select(cells)
    driver.use("move")
    driver.drag(driver.at(4, 5), driver.at(5, 5))  # over itself, to an odd column
    moved = disc(grid, grid.cell(5, 5), 1)
    assert chosen(driver) == driver.cells(moved)
    assert len(driver.painted(BOG)) == 4
    assert len(driver.painted(SAND)) == 3
    assert driver.plane("hexside").reshape(-1, 6)[grid.cell(5, 5), 0] == SLOPE
    assert len(driver.document.history.steps) == 3
    driver.document.undo()
    for name, plane in before.items():
        assert (driver.plane(name) == plane).all()
    driver.document.redo()
    assert len(driver.painted(BOG)) == 4


def test_things_are_dragged_along_and_stay_the_same(driver):
    document = driver.document
    grid = driver.grid
    low = document.active_layer_id
    cells = rectangle(grid, grid.cell(2, 2), grid.cell(3, 3))
    (x, y) = grid.centre(grid.cell(2, 2))
    (to_x, to_y) = grid.centre(grid.cell(4, 2))
    top = Layer(99, "Top")
    document.push(insert_layer(document.battlemap, top), "Insert")
    for layer_id, at in ((low, (x, y)), (99, (x + 0.25, y)), (99, grid.centre(grid.cell(0, 0)))):
        placed = [Thing(0, "tent", *at, 30.0, 2, "Home", {"men": 4})]
        document.push(add_things(document.battlemap, layer_id, placed), "Place")
    document.select(cells)
    driver.use("move")
    driver.drag(driver.at(2, 2), driver.at(4, 2))
    here, there, far = (document.battlemap.thing(number) for number in (1, 2, 3))
    assert here == Thing(
        1,
        "tent",
        pytest.approx(to_x, abs=1e-5),
        pytest.approx(to_y, abs=1e-5),
        30.0,
        2,
        "Home",
        {"men": 4},
    )
    assert (there.x, there.y) == pytest.approx((to_x + 0.25, to_y), abs=1e-5)
    assert list(top.things) == [2, 3]
    assert (far.x, far.y) == grid.centre(grid.cell(0, 0))
    document.undo()
    assert document.battlemap.thing(1).x == x


def test_what_would_be_left_out_under_a_locked_layer_stays_where_it_is(driver):
    document = driver.document
    grid = driver.grid
    low = document.active_layer_id
    two = rectangle(grid, grid.cell(2, 2), grid.cell(2, 3))
    paint(driver, "terrain", two, [BOG, SAND])
    placed = [Thing(0, "tent", *grid.centre(each)) for each in two.tolist()]
    document.push(add_things(document.battlemap, low, placed), "Place")
    plane = document.battlemap.system.plane("terrain").allocate(grid)
    plane.flat[grid.cell(4, 2)] = SAND
    top = Layer(99, "Top", planes={"terrain": plane}, locked=True)
    document.push(insert_layer(document.battlemap, top), "Insert")
    document.select(two)
    driver.use("move")
    driver.drag(driver.at(2, 2), driver.at(4, 2))
    assert driver.painted(BOG) == {(2, 2)}
    assert driver.painted(SAND) == {(4, 2), (4, 3)}
    assert chosen(driver) == {(2, 2), (4, 3)}
    where = [
        grid.xy(grid.cell_at(visible_thing.x, visible_thing.y))
        for visible_thing in document.battlemap.visible_things()
    ]
    assert where == [(2, 2), (4, 3)]
    count = len(document.history.steps)
    document.select([grid.cell(2, 2)])
    driver.drag(driver.at(2, 2), driver.at(4, 2))
    assert len(document.history.steps) == count
    assert driver.refused == ["The layer Top is locked: what it sets is left out."]


def test_things_that_are_dragged_off_the_board_are_gone(driver):
    document = driver.document
    grid = driver.grid
    corner = grid.cell(0, 0)
    placed = [Thing(0, "tent", *grid.centre(cell)) for cell in (corner, grid.cell(2, 2))]
    document.push(add_things(document.battlemap, document.active_layer_id, placed), "Place")
    document.select(rectangle(grid, corner, grid.cell(2, 2)))
    driver.use("move")
    driver.drag(driver.at(2, 2), driver.at(0, 2))
    assert list(document.active_layer.things) == [2]


def test_without_a_selection_there_is_nothing_to_move(driver):
    driver.use("move")
    driver.click(3, 3)
    assert "Nothing is selected" in driver.refused[0]


def test_a_stamp_of_terrains_that_the_map_lacks_is_shown_without_them_and_refused(driver):
    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from tests.randomizer.map_strategies import TOY_HEXES

    other = BattleMap.new(TOY_HEXES, Grid(FLAT, 4, 4), [Layer(1, "Ground")])
    other.layers[0].planes["terrain"] = np.full((4, 4), 2, "u2")  # sand, which is 6 here
    other.layers[0].planes["terrain"][0, 0] = 1  # rock
    driver.options.stamp = cut(other, np.array([0, 5]), other.layers[0].planes)
    driver.use("stamp")
    driver.hover(5, 5)
    assert sorted(driver.canvas.overlays.preview.terrains.tolist()) == [-1, SAND]
    driver.canvas.grab()
    driver.click(5, 5)
    assert "Rock" in driver.refused[0]


def test_many_cells_are_looked_up_as_few_are():
    from app.document.selection import MANY, Selection

    cells = np.arange(5, MANY + 500, 3)
    asked = np.arange(-1, MANY + 1000)
    assert np.array_equal(Selection.of(cells).contains(asked), np.isin(asked, cells))
    assert Selection.of(cells).contains(asked[:20]).tolist() == np.isin(asked[:20], cells).tolist()
