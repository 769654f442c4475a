"""The brush of build mode: a filled hexagon, or a bar that goes east."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.geometry.shapes import Cells, area, ranges

if TYPE_CHECKING:
    from randomizer.model.grid import Grid


def brushed(grid: Grid, cell: int, number: int) -> Cells:
    """The cells that a brush paints with its middle on ``cell`` of a slanting grid, ascending.

    ``number`` is a radius (0: the cell alone; capped at the width of the map), or if negative the
    length of a bar that begins at the cell. Rows outside the map are skipped, columns go round.
    """
    x, y = grid.xy(cell)
    if number < 0:
        xs = np.arange(x, x + min(-number, grid.width), dtype=np.int64)
        return area(grid.cells_of_xy(xs, np.full_like(xs, y)))
    radius = min(number, grid.width)
    rows = np.arange(max(-radius, -y), min(radius, grid.height - 1 - y) + 1, dtype=np.int64)
    first = np.maximum(-radius, -radius - rows)
    last = np.minimum(radius, radius - rows)
    last = np.minimum(last, first + grid.width - 1)
    xs = x + ranges(first, last + 1)
    ys = y + np.repeat(rows, last - first + 1)
    return area(grid.cells_of_xy(xs, ys))
