"""Brushes, fills, lines and rectangles under a real mouse."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from randomizer.geometry.shapes import bar, disc, line, parallelogram, rectangle
from randomizer.model.edits.stack_edits import LayerField
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT, LAYOUTS, SQUARE
from randomizer.systems.free.system import free_map
from tests.app.conftest import mouse
from tests.app.tools.conftest import LEFT, NONE

TREE = 1
BOG = 5
SAND = 6
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_a_brush_paints_a_filled_hexagon_or_a_bar(make_driver, layout):
    driver = make_driver(layout)
    driver.use("terrain")
    driver.options.choose(radius=2, terrain=BOG)
    driver.click(7, 6)
    middle = driver.grid.cell(7, 6)
    assert driver.painted(BOG) == driver.cells(disc(driver.grid, middle, 2))
    driver.options.choose(bar=True, terrain=SAND)
    driver.click(7, 6)
    assert driver.painted(SAND) == driver.cells(bar(driver.grid, middle, 2))
    driver.document.undo()
    driver.document.undo()
    assert not driver.plane("terrain").any()


def test_the_preview_shows_what_a_click_would_touch(driver):
    driver.use("terrain")
    driver.options.choose(radius=3, terrain=BOG)
    driver.hover(2, 2)
    preview = driver.canvas.overlays.preview
    assert driver.cells(preview.cells) == driver.cells(disc(driver.grid, driver.grid.cell(2, 2), 3))
    assert set(preview.terrains.tolist()) == {BOG}
    assert not driver.plane("terrain").any()
    driver.click(2, 2)
    assert driver.painted(BOG) == driver.cells(preview.cells)


def test_a_mixture_is_what_its_preview_shows_and_comes_back_with_redo(driver):
    driver.use("random")
    driver.options.choose(radius=4, weights=((TREE, 3), (BOG, 1)))
    driver.hover(8, 6)
    preview = driver.canvas.overlays.preview
    driver.click(8, 6)
    terrain = driver.plane("terrain")
    assert (terrain.flat[preview.cells] == preview.terrains).all()
    assert driver.painted(TREE)
    assert driver.painted(BOG)
    driver.document.undo()
    assert not driver.plane("terrain").any()
    driver.document.redo()
    assert (driver.plane("terrain") == terrain).all()
    driver.hover(7, 6)
    driver.hover(8, 6)  # the next stroke draws again
    assert (driver.canvas.overlays.preview.terrains != preview.terrains).any()


def test_weights_say_how_often_a_terrain_comes(make_driver):
    driver = make_driver(FLAT, 100, 100)
    driver.use("random")
    driver.options.choose(radius=60, weights=((TREE, 3), (BOG, 1)))
    driver.click(50, 50)
    share = len(driver.painted(TREE)) / (len(driver.painted(TREE)) + len(driver.painted(BOG)))
    assert share == pytest.approx(0.75, abs=0.03)


def test_an_empty_mixture_is_refused_in_words(driver):
    driver.use("random")
    driver.options.choose(weights=())
    driver.click(3, 3)
    assert "mixture is empty" in driver.refused[0]
    assert len(driver.document.history.steps) == 0


def test_a_fill_that_is_taken_up_again_knows_the_map_as_it_is_now(driver):
    everything = driver.cells(driver.grid.cells)
    driver.use("fill")
    driver.hover(3, 5)
    assert len(driver.canvas.overlays.preview.cells) == len(everything)
    driver.use("terrain")
    driver.options.choose(terrain=BOG)
    driver.click(10, 5)
    driver.use("fill")
    driver.options.choose(terrain=SAND)
    driver.click(3, 5)
    assert len(driver.painted(BOG)) == 1
    assert driver.painted(SAND) | driver.painted(BOG) == everything


def test_a_fill_takes_the_area_or_with_shift_everything_alike(driver):
    grid = driver.grid
    for x in (3, 10):
        cells = disc(grid, grid.cell(x, 5), 1)
        driver.document.push(
            set_values(driver.document.battlemap, 1, "terrain", cells, BOG), "Bogs"
        )
    driver.use("fill")
    driver.options.choose(terrain=SAND)
    driver.hover(3, 5)
    assert len(driver.canvas.overlays.preview.cells) == 7
    driver.click(3, 5)
    assert driver.painted(SAND) == driver.cells(disc(grid, grid.cell(3, 5), 1))
    assert len(driver.painted(BOG)) == 7
    driver.document.undo()
    driver.click(3, 5, modifiers=SHIFT)
    assert len(driver.painted(SAND)) == 14


@pytest.mark.parametrize("name", ["line", "rectangle"])
def test_a_dragged_shape_touches_the_map_only_when_the_mouse_lets_go(driver, name):
    driver.use(name)
    driver.options.choose(terrain=BOG, slanted=False)
    driver.drag(driver.at(2, 2), driver.at(9, 9), driver.at(11, 4), release=False)
    assert not driver.plane("terrain").any()
    shown = driver.cells(driver.canvas.overlays.preview.cells)
    QTest.keyClick(driver.canvas, Qt.Key.Key_Escape)
    driver.drag(driver.at(2, 2), driver.at(9, 9), driver.at(11, 4))
    grid = driver.grid
    shape = line if name == "line" else rectangle
    assert (
        driver.painted(BOG) == shown == driver.cells(shape(grid, grid.cell(2, 2), grid.cell(11, 4)))
    )
    assert len(driver.document.history.steps) == 1


def test_a_slanted_rectangle_is_a_parallelogram(driver):
    driver.use("rectangle")
    driver.options.choose(terrain=BOG, slanted=True)
    driver.drag(driver.at(2, 2), driver.at(6, 6))
    grid = driver.grid
    expected = parallelogram(grid, grid.cell(2, 2), grid.cell(6, 6))
    assert driver.painted(BOG) == driver.cells(expected)


def test_elevation_is_raised_lowered_and_smoothed_each_hex_once_a_stroke(driver):
    driver.use("elevation")
    driver.options.choose(radius=1, height_mode="raise", step=1)
    driver.drag(driver.at(5, 5), driver.at(6, 5), driver.at(5, 5))
    assert driver.plane("elevation").max() == 1
    driver.click(5, 5)
    assert driver.plane("elevation")[5, 5] == 2
    driver.options.choose(step=9)
    driver.click(5, 5)
    assert driver.plane("elevation")[5, 5] == 3  # the highest of the terrain set
    driver.options.choose(height_mode="smooth", radius=3)
    driver.click(5, 5)
    assert 0 < driver.plane("elevation")[4, 5] < 3
    driver.options.choose(height_mode="lower")
    driver.click(5, 5)
    assert not driver.plane("elevation").any()
    driver.options.set_elevation(2)
    assert driver.options.height_mode == "set"


def test_hexsides_follow_a_dragged_path_and_go_to_the_higher_hex(driver):
    grid = driver.grid
    slope = 3
    high = disc(grid, grid.cell(6, 5), 1)
    driver.document.push(set_values(driver.document.battlemap, 1, "elevation", high, 2), "Hill")
    driver.use("hexside")
    driver.options.choose(hexside=slope)
    around = [driver.at(6, 3, 3, 1.06), driver.at(5, 3, 3, 1.06), driver.at(4, 4, 2, 1.06)]
    corner = driver.canvas.viewport.to_screen(*grid.corner(grid.cell(6, 4), 1)).toPoint()
    driver.drag(corner, *around)
    hexside = driver.plane("hexside").reshape(-1, 6)
    owners = set(np.nonzero(hexside.any(axis=1))[0].tolist())
    assert owners
    assert owners <= set(high.tolist())
    assert hexside.any(axis=None)
    assert len(driver.document.history.steps) == 2


def test_a_locked_layer_refuses_before_the_stroke_begins(driver):
    driver.document.push(LayerField(1, "locked", False, True), "Lock layer")
    driver.use("terrain")
    driver.drag(driver.at(3, 3), driver.at(4, 4), release=False)
    assert driver.refused == ["The layer Ground is locked: unlock it to change it."]
    assert not driver.document.in_stroke
    assert not driver.plane("terrain").any()


def test_only_what_is_selected_is_painted(driver):
    grid = driver.grid
    inside = disc(grid, grid.cell(5, 5), 1)
    driver.document.select(inside)
    driver.use("terrain")
    driver.options.choose(radius=3, terrain=BOG)
    driver.click(5, 6)
    assert driver.painted(BOG) == driver.cells(inside)
    driver.click(14, 2)
    assert len(driver.painted(BOG)) == 7
    assert "Only what is selected" in driver.refused[0]


def test_wide_erasers_and_locks_mean_hexes(driver):
    grid = driver.grid
    driver.use("lock")
    driver.options.choose(radius=1)
    driver.click(5, 5, 0)
    assert driver.document.battlemap.locked_cells.sum() == 7
    assert not driver.document.battlemap.locked_sides.any()
    driver.use("terrain")
    driver.click(5, 5)
    driver.use("eraser")
    driver.click(5, 5, 0)
    unset = driver.document.battlemap.system.plane("terrain").unset
    own = driver.document.active_layer.planes["terrain"]
    assert (own.flat[disc(grid, grid.cell(5, 5), 1)] == unset).all()


def test_undo_in_the_middle_of_a_stroke_takes_the_stroke_back_alone(driver):
    driver.use("terrain")
    driver.options.choose(terrain=BOG)
    driver.click(3, 3)
    driver.options.choose(terrain=SAND)
    driver.drag(driver.at(5, 3), driver.at(3, 3), release=False)
    driver.document.undo()
    assert driver.painted(BOG) == {(3, 3)}
    assert driver.painted(SAND) == set()
    driver.drag(driver.at(8, 8))
    assert driver.painted(SAND) == {(8, 8)}
    driver.document.undo()
    assert driver.painted(BOG) == {(3, 3)}
    assert driver.painted(SAND) == set()
    driver.document.undo()
    assert not driver.plane("terrain").any()


def test_shift_and_clicks_lay_a_path_as_wide_as_the_brush(make_driver):
    driver = make_driver(SQUARE, 16, 12)
    driver.use("line")
    driver.options.choose(terrain=5, radius=1)
    driver.click(2, 2)
    assert driver.painted(5) == {(2 + x, 2 + y) for x in (-1, 0, 1) for y in (-1, 0, 1)}
    for end in ((10, 2), (10, 9)):
        driver.click(*end, modifiers=SHIFT)
    assert driver.painted(5) == {
        *((x, y) for x in range(1, 12) for y in (1, 2, 3)),
        *((x, y) for x in (9, 10, 11) for y in range(1, 11)),
    }
    assert len(driver.document.history.steps) == 3
    driver.document.open_map(free_map(SQUARE, 8, 8))
    driver.click(6, 6, modifiers=SHIFT)
    assert driver.painted(5) == {(5 + x, 5 + y) for x in range(3) for y in range(3)}, "a new map"


def test_a_drag_begins_where_it_comes_in_and_reaches_its_end(driver):
    driver.use("terrain")
    driver.options.choose(terrain=1, radius=0)
    west = driver.grid.layout.side_names.index("north-west")
    driver.drag(driver.at(0, 2, west, 3.0), driver.at(1, 2))
    assert driver.painted(1) == {(0, 2), (1, 2)}
    driver.drag(driver.at(1, 2), driver.at(2, 2), release=False)
    mouse(driver.canvas, "MouseButtonRelease", driver.at(4, 2), LEFT, NONE)
    assert (4, 2) in driver.painted(1)
