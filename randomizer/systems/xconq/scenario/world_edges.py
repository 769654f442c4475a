"""The cells of the edge rows, and those of a wall along the seam."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.geometry.shapes import Cells, area

if TYPE_CHECKING:
    from randomizer.model.grid import Grid


def is_edge(grid: Grid, cell: int) -> bool:
    """Whether a cell lies in an edge row, the first or the last, where no unit can stand."""
    return cell // grid.width in (0, grid.height - 1)


def edge_cells(grid: Grid) -> Cells:
    """The cells of both edge rows, ascending."""
    rows = np.array((0, grid.height - 1), np.int64)
    return area((rows[:, None] * grid.width + np.arange(grid.width)).ravel())


def seam_cells(grid: Grid, width: int = 1) -> Cells:
    """The cells of a vertical stripe at the seam, ``width`` columns of it, as the map is shown.

    Without a way round, what stands west of it reaches the east only by crossing it: upright maps
    have it at the left of the picture, sheared ones in the file's first columns.
    """
    ys = np.repeat(np.arange(grid.height, dtype=np.int64), width)
    xs = np.tile(np.arange(width, dtype=np.int64), grid.height)
    return area(grid.cells_of_xy(xs - (ys >> 1) if grid.upright else xs, ys))
