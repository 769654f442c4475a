"""Areas for editing worlds, of which the columns go round from east to west.

- The *edge rows* are the first and the last; no unit can stand there.
- The *seam* is where column 0 meets the last column. A wall there stops units from going round.
- *Hexagons* and *bars* are what Xconq's build mode, its own editor, paints with one stroke.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.geometry.areas import Cells, area, ranges

if TYPE_CHECKING:
    from randomizer.model.grid.grid import Grid


def is_edge(grid: Grid, cell: int) -> bool:
    """Return whether a cell lies in an edge row, the first or the last, where no unit can stand."""
    return cell // grid.width in (0, grid.height - 1)


def edge_cells(grid: Grid) -> Cells:
    """Return the cells of both edge rows, ascending."""
    rows = np.array((0, grid.height - 1), np.int64)
    return area((rows[:, None] * grid.width + np.arange(grid.width)).ravel())


def seam_cells(grid: Grid, width: int = 1) -> Cells:
    """Return the cells of a stripe at the seam, ``width`` columns wide, from south to north.

    A map that is shown sheared, as its file is, has it in the first columns. A map that is shown
    upright, as a rectangle, has it at the left of the picture.
    """
    ys = np.repeat(np.arange(grid.height, dtype=np.int64), width)
    xs = np.tile(np.arange(width, dtype=np.int64), grid.height)
    if grid.upright:
        # The left of the picture is a column farther west with every second row up.
        shifts = ys // 2
        xs = xs - shifts
    return area(grid.cells_of_xy(xs, ys))


def bar_cells(grid: Grid, cell: int, length: int) -> Cells:
    """Return the cells of a bar that begins at a cell and goes east, ascending.

    It goes round the map, and is at most one whole row.
    """
    x, y = grid.xy(cell)
    xs = np.arange(x, x + min(length, grid.width), dtype=np.int64)
    return area(grid.cells_of_xy(xs, np.full_like(xs, y)))


def hexagon_cells(grid: Grid, centre: int, radius: int) -> Cells:
    """Return the cells of a hexagon around a cell, ascending, on a slanting grid.

    With radius 0 it is the cell alone. A radius above the width of the map counts as that width,
    also where the map is higher. Rows outside the map are skipped, columns go round.
    """
    x, y = grid.xy(centre)
    radius = min(radius, grid.width)
    # Rows are counted from that of the cell, columns from its own.
    lowest = max(-radius, -y)
    highest = min(radius, grid.height - 1 - y)
    rows = np.arange(lowest, highest + 1, dtype=np.int64)
    # As a step up goes to the north-east, the cells dx columns and dy rows away are in the hexagon
    # if abs(dx), abs(dy) and abs(dx + dy) are at most the radius.
    first = np.maximum(-radius, -radius - rows)
    last = np.minimum(radius, radius - rows)
    # A row that goes round the whole world has each of its cells once.
    last = np.minimum(last, first + grid.width - 1)
    xs = x + ranges(first, last + 1)
    ys = y + np.repeat(rows, last - first + 1)
    return area(grid.cells_of_xy(xs, ys))
