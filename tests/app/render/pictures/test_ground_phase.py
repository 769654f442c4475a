"""Numbers of cells are mixed evenly, without a period, and follow from the cell alone."""

from __future__ import annotations

import numpy as np

from app.render.pictures.cell_noise import hash_cells, patch_of
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT


def test_numbers_are_mixed_evenly_and_follow_from_the_cell() -> None:
    drawn = hash_cells(np.arange(4000), 2)
    assert np.bincount(drawn, minlength=4).min() > 900
    some = np.array([3, 1700, 44])
    assert hash_cells(some, 2).tolist() == drawn[some].tolist()
    assert (hash_cells(some, 16, salt=1) != hash_cells(some, 16)).all()


def test_there_is_no_short_period() -> None:
    drawn = hash_cells(np.arange(80 * 80), 2).reshape(80, 80)
    for across in range(9):
        for down in range(9):
            if across or down:
                alike = drawn[down:, across:] == drawn[: 80 - down, : 80 - across]
                assert 0.2 < alike.mean() < 0.3, (across, down)


def test_patches_are_of_two_kinds_and_several_cells_wide() -> None:
    grid = Grid(FLAT, 120, 90)
    patches = patch_of(grid, grid.cells).reshape(90, 120)
    assert 0.4 < patches.mean() < 0.6
    assert (patches[:, 1:] == patches[:, :-1]).mean() > 0.85
    assert (patches[:, 9:] == patches[:, :-9]).mean() < 0.65
    some = np.array([4000, 17, 9000])
    assert patch_of(grid, some).tolist() == patches.ravel()[some].tolist()
