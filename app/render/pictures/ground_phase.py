"""The section of a terrain's picture that a cell shows; it follows from the cell alone.

The *ground* of a terrain, such as grass, is a pattern that repeats after a few cells and covers the
whole map. A cell shows the section of it, its ``Phase``, that belongs to its position in the
pattern. Of features with variants, such as different woods, a cell shows one that seems random
(``hash_cells``) and often the same as its neighbours (``patch_of``). So an edit changes no other
cell, and the same map is drawn alike each time.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPolygonF

from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import HALF3, Layout, Shear

STEPS = {
    Shear.COLUMNS: (1.5, HALF3),
    Shear.ROWS: (HALF3, 1.5),
    Shear.OBLIQUE: (HALF3, 1.5),
    Shear.NONE: (1.0, 1.0),
}
"""The centres of the cells of a layout lie at multiples of these (x, y), by ``Layout.shear``.

They are map units. Not every multiple is a centre: every other column or row of hexes is moved by
half a cell, which is one of these steps.
"""

COUNTS = {
    Shear.COLUMNS: (4, 8),
    Shear.ROWS: (8, 4),
    Shear.OBLIQUE: (8, 4),
    Shear.NONE: (6, 6),
}
"""The pattern repeats after so many steps to the right and down, by ``Layout.shear``.

That makes it nearly square, six or seven map units wide. Both numbers are even, so that it repeats
at a column or row that is moved by half a cell as that at its beginning is.
"""

MARGIN = 0.1
"""Grounds reach over the cell's edge by this share of its size, since sprites are larger."""

PATCH = 5
"""Patches of a terrain are so many cells wide, more or less.

If it is larger, woods of one kind are larger; at 1 each cell would have a kind of its own.
"""

_PATCH_BITS = 10
"""The bits of the random numbers between which ``patch_of`` interpolates."""

PHASES = 36
"""The largest number of phases that a layout has, see ``COUNTS``: squares have 6 x 6."""


class Phase(NamedTuple):
    """The position of a cell in the repeated pattern, in map units."""

    x: float
    """The x coordinate of the cell's centre, from the left edge of the pattern."""

    y: float
    """The y coordinate of the cell's centre, from the upper edge of the pattern."""

    wide: float
    """The width of the pattern."""

    high: float
    """The height of the pattern."""

    corners: tuple[tuple[float, float], ...]
    """The corners of the cell from its centre, a little farther out: the ground fills them."""

    @property
    def box(self) -> QRectF:
        """The bounding box of ``outline``."""
        return self.outline.boundingRect()

    @property
    def outline(self) -> QPolygonF:
        """The outline that the ground must fill."""
        return QPolygonF([QPointF(x, y) for x, y in self.corners])


@registered(count=6, bytes_each=4 * KB)
@cache
def phases(layout: Layout) -> tuple[Phase, ...]:
    """Return the phases of a layout, row by row: their index is their number (``phases_at``)."""
    step_x, step_y = STEPS[layout.shear]
    across, down = COUNTS[layout.shear]
    corners = tuple((x * (1 + MARGIN), y * (1 + MARGIN)) for x, y in layout.corners)
    width = across * step_x
    height = down * step_y
    result = []
    for row in range(down):
        for column in range(across):
            result.append(Phase(column * step_x, row * step_y, width, height, corners))
    return tuple(result)


def phases_at(layout: Layout, centres: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the numbers (n,) of the phases of cells with these ``centres`` (n, 2)."""
    across, down = COUNTS[layout.shear]
    columns, rows = np.rint(centres / STEPS[layout.shear]).astype(np.intp).T
    return np.asarray(rows % down * across + columns % across)


def hash_cells(cells: NDArray[np.intp], bits: int, salt: int = 0) -> NDArray[np.intp]:
    """Return a number of so many bits for each of ``cells`` (any shape), by a ``salt``.

    They have no visible pattern, and an edit elsewhere does not change them.
    """
    # Multiplications mix the bits upwards, so the uppermost ones are the result. The constants are
    # those of SplitMix64, a generator of random numbers. The salt stands above the bits of cells.
    word = (cells.astype(np.uint64) ^ np.uint64(salt << 40)) * np.uint64(0x9E3779B97F4A7C15)
    word ^= word >> np.uint64(29)
    word *= np.uint64(0xBF58476D1CE4E5B9)
    return (word >> np.uint64(64 - bits)).astype(np.intp)


def patch_of(grid: Grid, cells: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return for each of ``cells`` (n,) the kind of the patch in which it lies: 0 or 1.

    The idea is that of value noise: every ``PATCH`` columns and rows there is a post with a random
    number, and a cell has the mean of the four numbers around it, the nearer ones counting more.
    Where the mean is above the middle lies a patch of kind 1::

        post - - - - - post        a cell two columns right of a post and one row below it has
          |   cell       |         ``across`` 2 and ``down`` 1
          |              |
        post - - - - - post
    """
    ys, xs = np.divmod(cells, grid.width)
    post_row, down = np.divmod(ys, PATCH)
    post_column, across = np.divmod(xs, PATCH)
    upper_left = _numbers_at_posts(post_row, post_column)
    upper_right = _numbers_at_posts(post_row, post_column + 1)
    lower_left = _numbers_at_posts(post_row + 1, post_column)
    lower_right = _numbers_at_posts(post_row + 1, post_column + 1)

    upper = upper_left * (PATCH - across) + upper_right * across
    lower = lower_left * (PATCH - across) + lower_right * across
    # The mean, times the sum of all weights, which is PATCH * PATCH.
    weighted_sum = upper * (PATCH - down) + lower * down
    greatest_number = 1 << _PATCH_BITS
    middle = PATCH * PATCH * greatest_number // 2
    return np.asarray(weighted_sum > middle, np.intp)


def _numbers_at_posts(rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the random numbers (n,) of ``_PATCH_BITS`` bits at posts in these rows and columns."""
    codes = rows << 20 | columns  # row 3, column 5: 0x300005; no map has 2**20 columns
    return hash_cells(codes, _PATCH_BITS, salt=2)
