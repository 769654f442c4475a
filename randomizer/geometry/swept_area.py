"""The area that a round brush sweeps on its way along a line of cells.

The covered cells of each row are one *run*, from its first cell to its last. So it is enough to
know the rows of the discs around the cells of the line: the cost grows with the length of the line
times the radius, not with the brush's area. A disc that moves down by two rows::

    . # # . .       the run of row 0 is that of the first disc
    # # # # .       that of row 1 goes from the first cell of any disc there to the last
    . # # # #
    . . # # .
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.areas import Cells, area, axial_of, cells_of_axial, ranges
from randomizer.model.grid.grid import Grid


def swept_disc(grid: Grid, line: Cells, radius: int) -> Cells:
    """Return the area covered by a disc (``shapes.disc``) whose middle moves along a line.

    ``line`` are the cells of ``shapes.path``, in its order.
    """
    if not radius or not len(line):
        return area(line)
    q, r = _axial_along(grid, line)
    # A row of a disc is one of axial space: its cells have one r.
    columns, rows = _joined_runs(_runs_of_discs(grid.degree, q, r, radius))
    return area(cells_of_axial(grid, columns, rows))


def swept_bar(grid: Grid, line: Cells, radius: int) -> Cells:
    """Return the area covered by Xconq's bar (``shapes.bar``) whose middle moves along a line.

    ``line`` are the cells of ``shapes.path``, in its order.
    """
    if not radius or not len(line):
        return area(line)
    # A bar lies in a row of the file.
    xs, ys = grid.offset(*_axial_along(grid, line))
    columns, rows = _joined_runs(_Runs(rows=ys, starts=xs - radius, ends=xs + radius))
    return area(grid.cells_of_xy(columns, rows))


def _axial_along(grid: Grid, line: Cells) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the axial (q, r) of the cells of a line, without jumps at the seam of the map."""
    q, r = axial_of(grid, line)
    if not grid.wrap:
        return q, r
    # Where the line crosses the seam its q and r jump by a turn round the map. A step to the right
    # or left by more than half a turn is such a jump; all others are short.
    turn_q, turn_r = grid.step_around
    columns_right = q + r / 2
    steps_right = np.diff(columns_right, prepend=columns_right[0])
    jumps = np.rint(steps_right / (turn_q + turn_r / 2))  # -1, 0 or 1 turn
    turns = np.cumsum(jumps.astype(np.int64))
    return q - turns * turn_q, r - turns * turn_r


class _Runs(NamedTuple):
    """Runs of cells in rows, one entry of each array (n,) a run."""

    rows: NDArray[np.int64]
    """The row of each run."""

    starts: NDArray[np.int64]
    """The column of the first cell of each run."""

    ends: NDArray[np.int64]
    """The column of its last cell."""


def _runs_of_discs(degree: int, q: NDArray[np.int64], r: NDArray[np.int64], radius: int) -> _Runs:
    """Return the rows of discs around centres (q, r), in axial coordinates."""
    row_steps = np.arange(-radius, radius + 1, dtype=np.int64)
    low = np.full_like(row_steps, -radius)
    high = np.full_like(row_steps, radius)
    if degree == 6:  # a hexagon: q + r stays within the radius, too (``shapes.disc``)
        low = np.maximum(low, low - row_steps)
        high = np.minimum(high, high - row_steps)
    return _Runs(
        rows=(r[:, None] + row_steps).ravel(),
        starts=(q[:, None] + low).ravel(),
        ends=(q[:, None] + high).ravel(),
    )


def _joined_runs(runs: _Runs) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return columns and rows of all cells from the first to the last of the runs in each row.

    Rows between them without a run stay empty: the line leaves out cells that the map lacks.
    """
    first_row = int(runs.rows.min())
    row_count = int(runs.rows.max()) - first_row + 1
    starts = np.full(row_count, np.iinfo(np.int64).max)
    ends = np.full(row_count, np.iinfo(np.int64).min)
    np.minimum.at(starts, runs.rows - first_row, runs.starts)
    np.maximum.at(ends, runs.rows - first_row, runs.ends)
    has_run = starts <= ends
    rows = np.arange(first_row, first_row + row_count)[has_run]
    starts = starts[has_run]
    ends = ends[has_run]
    return ranges(starts, ends + 1), np.repeat(rows, ends - starts + 1)
