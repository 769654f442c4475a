"""The cells that a brush covers while it moves along a line."""

from __future__ import annotations

import numpy as np

from randomizer.geometry.shapes import Cells, area, axial_of, cells_of_axial, ranges
from randomizer.model.grid import Grid


def swept_area(grid: Grid, line: Cells, radius: int, *, bar: bool = False) -> Cells:
    """The area covered by a disc (or Xconq's bar) that moves along ``line``, straight cells.

    The covered cells of each row are contiguous, so a row is one run from its first cell to its
    last: the cost grows with length times radius, not with the brush's area.
    """
    if not radius or not len(line):
        return area(line)
    q, r = axial_of(grid, line)
    if grid.wrap:  # the line continues beyond the seam
        turn_q, turn_r = grid.axial(grid.width, 0)
        jumps = np.rint(np.diff(q + r / 2, prepend=q[0] + r[0] / 2) / (turn_q + turn_r / 2))
        turns = np.cumsum(jumps.astype(np.int64))
        q, r = q - turns * turn_q, r - turns * turn_r
    if bar:  # rows of the file, not of axial space: q + skew * r increases along them
        xs, ys = grid.offset(q, r)
        rows, left, right = ys, xs - radius, xs + radius
    else:
        step = np.arange(-radius, radius + 1, dtype=np.int64)
        low, high = np.full_like(step, -radius), np.full_like(step, radius)
        if grid.degree == 6:
            low, high = np.maximum(low, low - step), np.minimum(high, high - step)
        rows = (r[:, None] + step).ravel()
        left, right = (q[:, None] + low).ravel(), (q[:, None] + high).ravel()
    first = int(rows.min())
    count = int(rows.max()) - first + 1
    starts = np.full(count, np.iinfo(np.int64).max)
    ends = np.full(count, np.iinfo(np.int64).min)
    np.minimum.at(starts, rows - first, left)
    np.maximum.at(ends, rows - first, right)
    lengths = ends - starts + 1
    across = ranges(starts, ends + 1)
    down = np.repeat(np.arange(first, first + count), lengths)
    if bar:
        return area(grid.cells_of_xy(across, down))
    return area(cells_of_axial(grid, across, down))
