"""Random numbers of cells that follow from the cells alone, so that a map is drawn alike each time.

Of features with variants, such as different woods, a cell shows one that seems random
(``hash_cells``) and often the same as its neighbours (``patch_of``). An edit changes those of no
other cell.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid

PATCH = 5
"""Patches of a terrain are so many cells wide, more or less.

If it is larger, woods of one kind are larger; at 1 each cell would have a kind of its own.
"""

_PATCH_BITS = 10
"""The bits of the random numbers between which ``patch_of`` interpolates."""

_PATCH_SALT = 2
"""The salt of these numbers; all other salts are those of the modules that call ``hash_cells``."""

_BITS_OF_CELLS = 40
"""A cell is below 2 to the power of this; the salt stands above these bits."""

_BITS_OF_COLUMN = 20
"""A column is below 2 to the power of this."""


def hash_cells(cells: NDArray[np.intp], bits: int, salt: int = 0) -> NDArray[np.intp]:
    """Return a number of so many bits for each of ``cells`` (any shape), by a ``salt``.

    They have no visible pattern, and an edit elsewhere does not change them. Numbers of different
    salts have nothing to do with one another: each use has a salt of its own.
    """
    # Multiplications mix the bits upwards, so the uppermost ones are the result. The shift between
    # them brings the upper bits down, to be mixed once more. All three constants are of the kind of
    # those of SplitMix64, a generator of random numbers.
    word = cells.astype(np.uint64) ^ np.uint64(salt << _BITS_OF_CELLS)
    word *= np.uint64(0x9E3779B97F4A7C15)
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
    number_count = 1 << _PATCH_BITS
    middle = PATCH * PATCH * number_count // 2
    return np.asarray(weighted_sum > middle, np.intp)


def _numbers_at_posts(rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the random numbers (n,) of ``_PATCH_BITS`` bits at posts in these rows and columns."""
    codes = rows << _BITS_OF_COLUMN | columns  # row 3, column 5: 0x300005
    return hash_cells(codes, _PATCH_BITS, salt=_PATCH_SALT)
