"""Where a map ends: the sides of its rim, and the seam of a world that goes round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.grid import Grid


def near_the_end(grid: Grid, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which of ``cells`` may lie at a rim or a seam."""
    if grid.mask is not None:
        return np.ones(len(cells), np.bool_)
    ys, xs = np.divmod(cells, grid.width)
    ends = (ys == 0) | (ys == grid.height - 1)
    if grid.upright:
        left, _, right, _ = grid.bounds
        centres = grid.centres_of(cells)[:, 0]
        return np.asarray(ends | (centres - left < 2) | (right - centres < 2))
    return np.asarray(ends | (xs == 0) | (xs == grid.width - 1))


def open_sides(
    grid: Grid, cells: NDArray[np.intp], side: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which of ``cells`` have no neighbour across ``side``, and which have it beyond the seam."""
    others = grid.neighbours_of(cells, side)
    rim = others < 0
    if not grid.wrap:
        return rim, np.zeros(len(cells), np.bool_)
    away = grid.centres_of(np.maximum(others, 0))[:, 0] - grid.centres_of(cells)[:, 0]
    return rim, ~rim & (np.abs(away) > 3)
