"""Brushes, fills, lines and rectangles under a real mouse."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from randomizer.geometry.shapes import bar, disc, line, parallelogram, rectangle
from randomizer.model.edit import LayerProperty
from randomizer.model.edit_making import set_values
from randomizer.model.layouts import FLAT, LAYOUTS

TREE, BOG, SAND = 1, 5, 6
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_a_brush_paints_a_filled_hexagon_or_a_bar(make_table, layout):
    table = make_table(layout)
    table.use("terrain")
    table.options.choose(radius=2, terrain=BOG)
    table.click(7, 6)
    middle = table.grid.cell(7, 6)
    assert table.painted(BOG) == table.cells(disc(table.grid, middle, 2))
    table.options.choose(bar=True, terrain=SAND)
    table.click(7, 6)
    assert table.painted(SAND) == table.cells(bar(table.grid, middle, 2))
    table.document.undo_stack.undo()
    table.document.undo_stack.undo()
    assert not table.plane("terrain").any()


def test_the_preview_shows_what_a_click_would_touch(table):
    table.use("terrain")
    table.options.choose(radius=3, terrain=BOG)
    table.hover(2, 2)
    preview = table.canvas.overlays.preview
    assert table.cells(preview.cells) == table.cells(disc(table.grid, table.grid.cell(2, 2), 3))
    assert set(preview.terrains.tolist()) == {BOG}
    assert not table.plane("terrain").any()
    table.click(2, 2)
    assert table.painted(BOG) == table.cells(preview.cells)


def test_a_mixture_is_what_its_preview_shows_and_comes_back_with_redo(table):
    table.use("random")
    table.options.choose(radius=4, weights=((TREE, 3), (BOG, 1)))
    table.hover(8, 6)
    preview = table.canvas.overlays.preview
    table.click(8, 6)
    terrain = table.plane("terrain")
    assert (terrain.flat[preview.cells] == preview.terrains).all()
    assert table.painted(TREE)
    assert table.painted(BOG)
    table.document.undo_stack.undo()
    assert not table.plane("terrain").any()
    table.document.undo_stack.redo()
    assert (table.plane("terrain") == terrain).all()
    table.hover(8, 6)  # the next stroke draws anew
    assert (table.canvas.overlays.preview.terrains != preview.terrains).any()


def test_weights_say_how_often_a_terrain_comes(make_table):
    table = make_table(FLAT, 100, 100)
    table.use("random")
    table.options.choose(radius=60, weights=((TREE, 3), (BOG, 1)))
    table.click(50, 50)
    share = len(table.painted(TREE)) / (len(table.painted(TREE)) + len(table.painted(BOG)))
    assert share == pytest.approx(0.75, abs=0.03)


def test_an_empty_mixture_is_refused_in_words(table):
    table.use("random")
    table.options.choose(weights=())
    table.click(3, 3)
    assert "mixture is empty" in table.refused[0]
    assert table.document.undo_stack.count() == 0


def test_a_fill_that_is_taken_up_again_knows_the_map_as_it_is_now(table):
    everything = table.cells(table.grid.cells)
    table.use("fill")
    table.hover(3, 5)
    assert len(table.canvas.overlays.preview.cells) == len(everything)
    table.use("terrain")
    table.options.choose(terrain=BOG)
    table.click(10, 5)
    table.use("fill")
    table.options.choose(terrain=SAND)
    table.click(3, 5)
    assert len(table.painted(BOG)) == 1
    assert table.painted(SAND) | table.painted(BOG) == everything


def test_a_fill_takes_the_area_or_with_shift_everything_alike(table):
    grid = table.grid
    for x in (3, 10):
        cells = disc(grid, grid.cell(x, 5), 1)
        table.document.push(set_values(table.document.battlemap, 1, "terrain", cells, BOG), "Bogs")
    table.use("fill")
    table.options.choose(terrain=SAND)
    table.hover(3, 5)
    assert len(table.canvas.overlays.preview.cells) == 7
    table.click(3, 5)
    assert table.painted(SAND) == table.cells(disc(grid, grid.cell(3, 5), 1))
    assert len(table.painted(BOG)) == 7
    table.document.undo_stack.undo()
    table.click(3, 5, modifiers=SHIFT)
    assert len(table.painted(SAND)) == 14


@pytest.mark.parametrize("name", ["line", "rectangle"])
def test_a_dragged_shape_touches_the_map_only_when_the_mouse_lets_go(table, name):
    table.use(name)
    table.options.choose(terrain=BOG, slanted=False)
    table.drag(table.at(2, 2), table.at(9, 9), table.at(11, 4), release=False)
    assert not table.plane("terrain").any()
    shown = table.cells(table.canvas.overlays.preview.cells)
    QTest.keyClick(table.canvas, Qt.Key.Key_Escape)
    table.drag(table.at(2, 2), table.at(9, 9), table.at(11, 4))
    grid = table.grid
    shape = line if name == "line" else rectangle
    assert (
        table.painted(BOG) == shown == table.cells(shape(grid, grid.cell(2, 2), grid.cell(11, 4)))
    )
    assert table.document.undo_stack.count() == 1


def test_a_slanted_rectangle_is_a_parallelogram(table):
    table.use("rectangle")
    table.options.choose(terrain=BOG, slanted=True)
    table.drag(table.at(2, 2), table.at(6, 6))
    grid = table.grid
    expected = parallelogram(grid, grid.cell(2, 2), grid.cell(6, 6))
    assert table.painted(BOG) == table.cells(expected)


def test_elevation_is_raised_lowered_and_smoothed_each_hex_once_a_stroke(table):
    table.use("elevation")
    table.options.choose(radius=1, height_mode="raise", step=1)
    table.drag(table.at(5, 5), table.at(6, 5), table.at(5, 5))
    assert table.plane("elevation").max() == 1
    table.click(5, 5)
    assert table.plane("elevation")[5, 5] == 2
    table.options.choose(step=9)
    table.click(5, 5)
    assert table.plane("elevation")[5, 5] == 3  # the highest of the terrain set
    table.options.choose(height_mode="smooth", radius=3)
    table.click(5, 5)
    assert 0 < table.plane("elevation")[4, 5] < 3
    table.options.choose(height_mode="lower")
    table.click(5, 5)
    assert not table.plane("elevation").any()
    table.options.set_elevation(2)
    assert table.options.height_mode == "set"


def test_hexsides_follow_a_dragged_path_and_go_to_the_higher_hex(table):
    grid, slope = table.grid, 3
    high = disc(grid, grid.cell(6, 5), 1)
    table.document.push(set_values(table.document.battlemap, 1, "elevation", high, 2), "Hill")
    table.use("hexside")
    table.options.set_hexside(slope)
    around = [table.at(6, 3, 3, 1.06), table.at(5, 3, 3, 1.06), table.at(4, 4, 2, 1.06)]
    corner = table.canvas.viewport.to_screen(*grid.corner(grid.cell(6, 4), 1)).toPoint()
    table.drag(corner, *around)
    hexside = table.plane("hexside").reshape(-1, 6)
    owners = set(np.nonzero(hexside.any(axis=1))[0].tolist())
    assert owners
    assert owners <= set(high.tolist())
    assert hexside.any(axis=None)
    assert table.document.undo_stack.count() == 2


def test_a_locked_layer_refuses_before_the_stroke_begins(table):
    table.document.push(LayerProperty(1, "locked", False, True), "Lock layer")
    table.use("terrain")
    table.drag(table.at(3, 3), table.at(4, 4), release=False)
    assert table.refused == ["The layer Ground is locked: unlock it to change it."]
    assert not table.document.in_stroke
    assert not table.plane("terrain").any()


def test_only_what_is_selected_is_painted(table):
    grid = table.grid
    inside = disc(grid, grid.cell(5, 5), 1)
    table.document.select(inside)
    table.use("terrain")
    table.options.choose(radius=3, terrain=BOG)
    table.click(5, 6)
    assert table.painted(BOG) == table.cells(inside)
    table.click(14, 2)
    assert len(table.painted(BOG)) == 7
    assert "Only what is selected" in table.refused[0]


def test_wide_erasers_and_locks_mean_hexes(table):
    grid = table.grid
    table.use("lock")
    table.options.choose(radius=1)
    table.click(5, 5, 0)
    assert table.document.battlemap.locked_cells.sum() == 7
    assert not table.document.battlemap.locked_sides.any()
    table.use("terrain")
    table.click(5, 5)
    table.use("eraser")
    table.click(5, 5, 0)
    unset = table.document.battlemap.system.plane("terrain").unset
    own = table.document.active_layer.planes["terrain"]
    assert (own.flat[disc(grid, grid.cell(5, 5), 1)] == unset).all()


def test_undo_in_the_middle_of_a_stroke_takes_the_stroke_back_first(table):
    table.use("terrain")
    table.options.choose(terrain=BOG)
    table.click(3, 3)
    table.options.choose(terrain=SAND)
    table.drag(table.at(5, 3), table.at(3, 3), release=False)
    table.document.undo_stack.undo()
    assert not table.plane("terrain").any()
    table.drag(table.at(8, 8))
    assert table.painted(SAND) == {(8, 8)}
    table.document.undo_stack.undo()
    assert not table.plane("terrain").any()
