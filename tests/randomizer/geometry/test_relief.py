"""Raised, lowered and smoothed elevations."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from randomizer.geometry.cell_elevations import raise_elevations, smooth_elevations
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from tests.randomizer.grid_strategies import grids


def test_heights_stop_at_the_limits_but_are_not_brought_back() -> None:
    elevation = np.array([[-3, 0, 2, 3, 9]], "i2")
    cells = np.arange(5)
    assert raise_elevations(elevation, cells, 2, 0, 3).tolist() == [0, 2, 3, 3, 9]
    assert raise_elevations(elevation, cells, -1, 0, 3).tolist() == [-3, 0, 1, 2, 3]
    assert raise_elevations(elevation, cells[2:3], 1, 0, 3).dtype == elevation.dtype


@given(grids(), st.lists(st.integers(-5, 9), min_size=1, max_size=20))
def test_smoothing_gives_the_rounded_mean_of_the_neighbourhood(
    grid: Grid, heights: list[int]
) -> None:
    elevation = np.resize(np.array(heights, "i2"), (grid.height, grid.width))
    for cell, value in zip(
        grid.cells.tolist(), smooth_elevations(grid, elevation, grid.cells).tolist(), strict=True
    ):
        around = [int(elevation.flat[near]) for near in (cell, *grid.neighbours(cell))]
        assert value == np.floor(sum(around) / len(around) + 0.5)


def test_flat_ground_stays_flat() -> None:
    grid = Grid(SQUARE, 4, 4)
    assert smooth_elevations(grid, np.full((4, 4), -2, "i2"), grid.cells).tolist() == [-2] * 16
