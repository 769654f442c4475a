from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, OBLIQUE, SQUARE
from randomizer.model.problems import ProblemError
from randomizer.tracing.alignment import find_placement, own_placement
from randomizer.tracing.appearance import View
from randomizer.tracing.placement import (
    Placement,
    colours_at,
    corner_cells,
    placement_by_corners,
    shrunken,
)
from randomizer.tracing.registration import register

PAPER = (244, 242, 236)


def drawn(grid: Grid, placement: Placement, width: int, height: int, seed: int) -> np.ndarray:
    """A picture of cells of a few colours, with a grain."""
    random = np.random.default_rng(seed)
    colours = random.integers(0, 220, (5, 3))
    of_cell = random.integers(0, 5, grid.size)
    y, x = np.mgrid[:height, :width] + 0.5
    a, b, c, d, e, f = placement.values
    back = np.linalg.inv(np.array([[a, b], [c, d]]))
    points = (np.stack([x.ravel(), y.ravel()], axis=1) - (e, f)) @ back
    cells = grid.cells_at(points)
    picture = np.where((cells >= 0)[:, None], colours[of_cell[cells]], PAPER)
    grain = random.integers(-6, 7, picture.shape) * (cells >= 0)[:, None]
    return (picture + grain).clip(0, 255).astype(np.uint8).reshape(height, width, 3)


def farthest(grid: Grid, one: Placement, other: Placement) -> float:
    """How far apart two placements lay a cell, at most, in cells."""
    apart = one.pixels(grid.centres()) - other.pixels(grid.centres())
    return float(np.hypot(*apart.T).max() / other.pixels_across(grid.layout))


@pytest.mark.parametrize(
    "layout",
    [FLAT, *(pytest.param(each, marks=pytest.mark.deep) for each in LAYOUTS if each is not FLAT)],
    ids=lambda each: each.name,
)
def test_a_grid_that_is_turned_and_scaled_is_found(layout) -> None:
    grid = Grid(layout, 10, 8)
    left, top, right, bottom = grid.bounds
    turn = math.radians(2.6)
    unit = 17.3
    a = unit * math.cos(turn)
    b = unit * math.sin(turn)
    width, height = (int(side * unit * 1.1) for side in (right - left, bottom - top))
    x = (left + right) / 2
    y = (top + bottom) / 2
    placement = Placement(a, b, -b, a, width / 2 + 4 - a * x + b * y, height / 2 - b * x - a * y)
    picture = drawn(grid, placement, width, height, 3)
    assert farthest(grid, find_placement(picture, grid), placement) < 0.2


def test_a_grid_is_registered_to_what_it_shows() -> None:
    grid = Grid(FLAT, 10, 8)
    truth = Placement(24.0, 1.1, -1.3, 23.0, 60.0, 40.0)
    view = View(grid, truth, drawn(grid, truth, 500, 420, 3))
    colours = view.colours(grid.cells)
    for shift in (-2.5, 3.0):
        start = Placement(24.2, 1.0, -1.2, 22.9, 60.0 + shift, 40.0 - shift)
        result = register(View(grid, start, view.picture), grid.cells, colours)
        assert farthest(grid, result, truth) < 0.05 < 0.08 < farthest(grid, start, truth)


@settings(max_examples=30)
@given(
    st.sampled_from(LAYOUTS),
    st.integers(2, 40),
    st.integers(2, 40),
    st.integers(20, 150),
)
def test_pictures_of_ours_are_known_by_their_size(layout, width, height, pixels) -> None:
    grid = Grid(layout, width, height)
    unit = pixels / Placement(1, 0, 0, 1, 0, 0).pixels_across(layout)
    left, top, right, bottom = grid.bounds
    size = [math.ceil((side + 0.2) * unit) for side in (right - left, bottom - top)]
    placement = own_placement(*size, grid)
    assert placement is not None
    truth = Placement(unit, 0, 0, unit, -(left - 0.1) * unit, -(top - 0.1) * unit)
    assert np.abs(placement.pixels(grid.centres()) - truth.pixels(grid.centres())).max() <= 2.0


def test_a_picture_that_is_rounded_up_by_an_error_has_cells_of_whole_pixels() -> None:
    grid = Grid(SQUARE, 30, 20)
    placement = own_placement(3625, 2425, grid)  # 30.2 * 120 is a little more than 3624
    assert placement is not None
    assert (placement.a, placement.d) == (120.0, 120.0)


def test_corners_give_a_placement() -> None:
    for layout in LAYOUTS:
        grid = Grid(layout, 5, 4)
        truth = Placement(20.0, 1.5, -2.0, 18.0, 40.0, 30.0)
        corners = truth.pixels(grid.centres_of(corner_cells(grid)))
        placement = placement_by_corners(grid, [tuple(corner) for corner in corners.tolist()])
        np.testing.assert_allclose(placement.values, truth.values)
    with pytest.raises(ProblemError, match="on one line"):
        placement_by_corners(Grid(FLAT, 5, 4), [(0, 0), (10, 10), (20, 20)])


def test_the_corners_of_a_grid_are_those_that_are_seen() -> None:
    assert corner_cells(Grid(SQUARE, 5, 4)).tolist() == [0, 4, 15]
    assert corner_cells(Grid(OBLIQUE, 5, 4)).tolist() == [15, 19, 0]  # rows count upwards


def test_a_picture_is_made_smaller_by_means() -> None:
    picture = np.arange(5 * 7 * 3, dtype=np.uint8).reshape(5, 7, 3)
    small = shrunken(picture, 2)
    assert small.shape == (2, 3, 3)
    np.testing.assert_allclose(small[0, 0], picture[:2, :2].mean(axis=(0, 1)))


def test_colours_are_the_same_in_a_picture_that_is_a_view_of_a_larger_array() -> None:
    pixels = np.random.default_rng(4).integers(0, 256, (9, 7, 4), np.uint8)
    placement = Placement(1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    points = np.random.default_rng(5).uniform(-2, 11, (50, 2))
    strided = pixels[:, :, 2::-1]
    colours, is_inside = colours_at(strided, placement, points)
    copied_colours, is_inside_copy = colours_at(strided.copy(), placement, points)
    np.testing.assert_array_equal(colours, copied_colours)
    np.testing.assert_array_equal(is_inside, is_inside_copy)
