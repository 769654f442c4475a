"""Corners of squares: places, cells around them, locks; which grids have them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.comparison.comparison import DifferenceKind, ShownMap, compare
from randomizer.model.comparison.difference_texts import difference_text
from randomizer.model.comparison.take_over import take_over
from randomizer.model.edits.layer_edits import from_cells
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.model.hand.erasing import erase_cells
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.corners import (
    cells_around,
    cells_with,
    corner_at,
    corner_locks,
    corner_points,
    corners_at,
    corners_of,
    existing_corners,
)
from randomizer.model.planes.planes import Element, PlaneSpec
from randomizer.model.problems import ProblemError
from tests.randomizer.map_strategies import TOY
from tests.systems import system_like


@st.composite
def square_grids(draw: st.DrawFn) -> Grid:
    """Squares without wrap, some of which do not exist."""
    width = draw(st.integers(1, 5))
    height = draw(st.integers(1, 5))
    size = width * height
    exist = draw(st.lists(st.booleans(), min_size=size, max_size=size).filter(any))
    return Grid(SQUARE, width, height, np.array(exist).reshape(height, width))


def all_corners(grid: Grid) -> np.ndarray:
    return np.arange((grid.width + 1) * (grid.height + 1), dtype=np.intp)


@given(square_grids())
def test_a_cell_and_its_corners_know_each_other(grid: Grid) -> None:
    around = cells_around(grid, all_corners(grid))
    of_cells = dict(zip(grid.cells.tolist(), corners_of(grid, grid.cells).tolist(), strict=True))
    for corner, cells in enumerate(around.tolist()):
        meeting = {cell for cell in cells if cell >= 0}
        assert meeting == {cell for cell, corners in of_cells.items() if corner in corners}
        assert existing_corners(grid).flat[corner] == bool(meeting)
        assert cells_with(grid, np.array([corner])).tolist() == sorted(meeting)
    for cell, corners in of_cells.items():
        assert corner_points(grid, np.array(corners)).tolist() == [
            list(point) for point in grid.outline(cell)
        ]


@given(square_grids(), st.lists(st.integers(0, 35), max_size=6))
def test_the_cells_with_some_corners_are_those_around_each(grid: Grid, numbers: list[int]) -> None:
    corners = np.unique([number % len(all_corners(grid)) for number in numbers]).astype(np.intp)
    around = cells_around(grid, corners)
    assert cells_with(grid, corners).tolist() == np.unique(around[around >= 0]).tolist()


@given(square_grids(), st.lists(st.tuples(st.floats(-2, 6), st.floats(-2, 6)), min_size=1))
def test_a_point_is_at_the_nearest_corner(grid: Grid, points: list[tuple[float, float]]) -> None:
    at = corner_points(grid, np.flatnonzero(existing_corners(grid)))
    for point, found in zip(points, corners_at(grid, np.array(points)).tolist(), strict=True):
        far = np.abs(at - point).max(axis=1).min()
        if found < 0:
            assert far >= 0.5
        else:
            assert np.abs(corner_points(grid, np.array([found]))[0] - point).max() == far


@pytest.mark.parametrize("x", [math.nan, math.inf, -math.inf, 1e300])
def test_a_point_beyond_all_sense_is_at_no_corner(x: float) -> None:
    assert corner_at(Grid(SQUARE, 3, 2), x, 0.0) == -1


@given(square_grids(), st.lists(st.integers(0, 24), max_size=25))
def test_a_corner_is_locked_when_all_its_cells_are(grid: Grid, numbers: list[int]) -> None:
    locked = np.zeros((grid.height, grid.width), np.bool_)
    locked.flat[[number % grid.size for number in numbers]] = True
    locks = corner_locks(grid, locked)
    assert locks.shape == (grid.height + 1, grid.width + 1)
    for corner, cells in enumerate(cells_around(grid, all_corners(grid)).tolist()):
        meeting = [locked.flat[cell] for cell in cells if cell >= 0]
        assert locks.flat[corner] == (bool(meeting) and all(meeting))


def test_only_squares_that_do_not_wrap_have_corners() -> None:
    assert Grid(SQUARE, 3, 2).has_corners
    for grid in (Grid(FLAT, 4, 2), Grid(SQUARE, 4, 2, wrap=True)):
        assert not grid.has_corners
        with pytest.raises(ProblemError, match="no Toy table has such a grid"):
            BattleMap.new(TOY, grid)


def test_a_system_with_corners_has_squares_only() -> None:
    for layouts in ((), (FLAT.name,), (SQUARE.name, FLAT.name)):
        with pytest.raises(ValueError, match="only squares have corners"):
            system_like(TOY, layouts=layouts)


def test_the_limits_of_a_plane_leave_out_the_unset_value() -> None:
    spec = PlaneSpec("height", "u2", Element.CORNER, 0xFFFF, 0)
    assert spec.limits == (0, 0xFFFE)
    assert replace(spec, unset=0).limits == (1, 0xFFFF)
    assert replace(spec, minimum=100, maximum=200).limits == (100, 200)
    assert replace(spec, dtype="i2", unset=-0x8000).limits == (-0x7FFF, 0x7FFF)


# --- edits and comparisons ------------------------------------------------------------------------


def hills() -> BattleMap:
    """3 x 2 squares on which corner (x, y) has the height 10 y + x."""
    y, x = np.mgrid[:3, :4]
    layer = Layer(1, "Ground", planes={"height": (10 * y + x).astype("i4")})
    return BattleMap.new(TOY, Grid(SQUARE, 3, 2), [layer])


def test_erased_cells_lose_the_heights_of_their_corners() -> None:
    battlemap = hills()
    edit = erase_cells(battlemap, 1, np.array([5]))
    assert edit is not None
    edit.apply(battlemap)
    assert battlemap.layers[0].planes["height"].tolist() == [
        [0, 1, 2, 3],
        [10, 11, -1, -1],
        [20, 21, -1, -1],
    ]


def test_a_layer_made_of_cells_has_their_corners_at_the_map_edge_too() -> None:
    battlemap = hills()
    step = from_cells(battlemap, 1, np.array([2]), moved=True)
    assert step is not None
    step.edit.apply(battlemap)
    assert battlemap.layer(step.layer_id).planes["height"].tolist() == [
        [-1, -1, 2, 3],
        [-1, -1, 12, 13],
        [-1, -1, -1, -1],
    ]


def test_differences_of_corners_are_named_and_taken_over() -> None:
    ours = hills()
    theirs = hills()
    edit = set_values(theirs, 1, "height", [0, 11], [7, 8])
    assert edit is not None
    edit.apply(theirs)
    comparison = compare(ShownMap.of(ours), ShownMap.of(theirs))
    assert comparison.indices[DifferenceKind.CORNER].tolist() == [0, 11]
    listed = comparison.listed()
    assert [difference_text(comparison, each) for each in listed] == [
        "corner 0, 0: 0 | 7",
        "corner 3, 2: 23 | 8",
    ]
    assert [comparison.position(each) for each in listed] == [(0, None), (5, None)]
    assert comparison.cells.tolist() == [0, 5]
    taken = take_over(comparison, ours, 1)
    assert taken is not None
    taken.apply(ours)
    assert compare(ShownMap.of(ours), ShownMap.of(theirs)).count == 0


def test_corners_without_a_cell_do_not_differ() -> None:
    mask = np.array([[True, True, False], [True, True, False]])
    ours, theirs = (
        BattleMap.new(TOY, Grid(SQUARE, 3, 2, mask), [layer])
        for layer in (Layer(1, "Ground"), hills().layers[0])
    )
    found = compare(ShownMap.of(ours), ShownMap.of(theirs)).indices[DifferenceKind.CORNER]
    assert found.tolist() == [0, 1, 2, 4, 5, 6, 8, 9, 10]
