"""Heights of corners go with the cells: stamps, the clipboard, turned and shifted maps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.geometry.stamp_cutting import cut
from randomizer.geometry.stamp_placing import place
from randomizer.geometry.stamp_text import decode, encode
from randomizer.geometry.transform import resize_map, shift_map, turn_map
from randomizer.geometry.turn import Turn, left_right, reflection, rotation
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.corners import corners_of
from tests.randomizer.map_strategies import TOY

TURNS = [rotation(SQUARE, steps) for steps in range(4)] + [reflection(SQUARE, a) for a in range(4)]


def numbered(width: int, height: int) -> BattleMap:
    """A map on which every cell and every corner has a number of its own."""
    grid = Grid(SQUARE, width, height)
    planes = {
        "elevation": np.arange(grid.size, dtype="i2").reshape(height, width),
        "height": np.arange((width + 1) * (height + 1), dtype="i4").reshape(height + 1, -1),
    }
    return BattleMap.new(TOY, grid, [Layer(1, "Ground", planes=planes)])


def heights_of_cells(battlemap: BattleMap) -> dict[int, set[int]]:
    """The heights at the corners of each cell, by the number of the cell."""
    number, height = (battlemap.layers[0].planes[name].ravel() for name in ("elevation", "height"))
    cells = np.flatnonzero(number != -0x8000)
    around = height[corners_of(battlemap.grid, cells)].tolist()
    return {int(number[c]): set(at) for c, at in zip(cells.tolist(), around, strict=True)}


sizes = st.tuples(st.integers(1, 5), st.integers(1, 5))


@given(sizes, st.sampled_from(TURNS))
def test_every_cell_of_a_turned_map_keeps_its_heights(size: tuple[int, int], turn: Turn) -> None:
    battlemap = numbered(*size)
    before = heights_of_cells(battlemap)
    first = battlemap.layers[0].planes["height"].copy()
    step = turn_map(battlemap, turn)
    step.edit.apply(battlemap)
    assert step.lost == 0
    assert heights_of_cells(battlemap) == before
    step.edit.inverse().apply(battlemap)
    assert np.array_equal(battlemap.layers[0].planes["height"], first)


def test_a_turned_map_has_each_height_at_its_own_corner() -> None:
    battlemap = numbered(2, 1)
    turn_map(battlemap, rotation(SQUARE, 1)).edit.apply(battlemap)
    assert battlemap.layers[0].planes["height"].tolist() == [[3, 0], [4, 1], [5, 2]]
    battlemap = numbered(2, 1)
    turn_map(battlemap, left_right(SQUARE)).edit.apply(battlemap)
    assert battlemap.layers[0].planes["height"].tolist() == [[2, 1, 0], [5, 4, 3]]


def test_a_smaller_map_loses_the_heights_that_no_cell_of_it_has() -> None:
    battlemap = numbered(3, 2)
    battlemap.layers[0].planes["elevation"][:] = -0x8000
    height = battlemap.layers[0].planes["height"]
    height[:, 3] = -1
    assert resize_map(battlemap, 2, 2).lost == 0  # what is left are the corners of cells that stay
    height[0, 3] = 5
    step = resize_map(battlemap, 2, 2)
    assert step.lost == 1
    step.edit.apply(battlemap)
    assert battlemap.layers[0].planes["height"].tolist() == [[0, 1, 2], [4, 5, 6], [8, 9, 10]]


def test_a_larger_map_sets_nothing_beyond_the_old_edge() -> None:
    battlemap = numbered(1, 1)
    resize_map(battlemap, 2, 2, (1.0, 1.0)).edit.apply(battlemap)
    assert battlemap.layers[0].planes["height"].tolist() == [[-1, -1, -1], [-1, 0, 1], [-1, 2, 3]]


@given(sizes, st.integers(-6, 6), st.integers(-6, 6))
def test_a_shift_changes_heights_at_the_seam_only(size: tuple[int, int], dx: int, dy: int) -> None:
    battlemap = numbered(*size)
    before = battlemap.layers[0].planes["height"].copy()
    width, height = size
    shift_map(battlemap, dx, dy).edit.apply(battlemap)
    after = battlemap.layers[0].planes["height"]
    # Without its last row and column the plane goes round as the cells do.
    assert np.array_equal(after[:-1, :-1], np.roll(before[:-1, :-1], (dy, dx), (0, 1)))
    assert (after != -1).all()
    if dx % width == 0 and dy % height == 0:
        assert np.array_equal(after, before)


@given(sizes, st.data(), st.sampled_from(TURNS))
def test_a_stamp_takes_the_corners_of_its_cells_along(
    size: tuple[int, int], data: st.DataObject, turn: Turn
) -> None:
    battlemap = numbered(*size)
    some = st.lists(st.sampled_from(battlemap.grid.cells.tolist()), min_size=1, unique=True)
    cells = np.array(sorted(data.draw(some)))
    stamp = cut(battlemap, cells, battlemap.layers[0].planes).turned(turn)
    assert decode(encode(stamp)).same_as(stamp)
    target = BattleMap.new(TOY, Grid(SQUARE, 24, 24), [Layer(1, "Ground")])
    edit = place(target, decode(encode(stamp)), target.grid.cell(12, 12), 1)
    assert edit is not None
    edit.apply(target)
    wanted = heights_of_cells(battlemap)
    assert heights_of_cells(target) == {number: wanted[number] for number in cells.tolist()}
    of_cells = np.unique(corners_of(battlemap.grid, cells))
    assert (target.layers[0].planes["height"] != -1).sum() == len(of_cells)


@pytest.mark.parametrize("corner", [(0, 0), (2, 2)])
def test_a_stamp_half_off_the_map_keeps_to_it(corner: tuple[int, int]) -> None:
    source = numbered(3, 3)
    stamp = cut(source, source.grid.cells, source.layers[0].planes)
    target = BattleMap.new(TOY, Grid(SQUARE, 3, 3), [Layer(1, "Ground")])
    edit = place(target, stamp, target.grid.cell(*corner), 1)
    assert edit is not None
    edit.apply(target)
    numbers = source.layers[0].planes["height"]
    shown = target.layers[0].planes["height"]
    if corner == (0, 0):
        assert np.array_equal(shown[:3, :3], numbers[1:, 1:])
    else:
        assert np.array_equal(shown[1:, 1:], numbers[:3, :3])
