"""Rough land: a height for each column and row of corners, the same ones for the same key.

    bumps(key, columns, rows)          # (n,), from -FULL_HEIGHT to FULL_HEIGHT

It is *value noise*: a lattice of random heights, a few columns and rows apart, between which the
others are interpolated. Lattices of several widths are added (*octaves*): wide bumps with smaller
ones on them. All is computed with whole numbers, so that it is the same on every computer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.dice import streams, words_of_streams

Numbers = NDArray[np.int64]

FULL_HEIGHT = 256
"""The greatest height of the land."""


class Octave(NamedTuple):
    """Bumps of one width."""

    width: int
    """The distance of the points of the lattice, in columns and rows."""

    height: int
    """The greatest height of the bumps."""


OCTAVES = (Octave(width=6, height=128), Octave(width=3, height=80), Octave(width=1, height=48))
"""The bumps of rough land. Their heights together are ``FULL_HEIGHT``.

With wider bumps the land is hilly rather than rough; with higher ones of width 1 it is spiky.
"""

_HEIGHT_BITS = 16
"""The bits of a random height, which is from -2**15 to below 2**15."""


def bumps(key: int, columns: NDArray[np.intp], rows: NDArray[np.intp]) -> Numbers:
    """Return the height of rough land at corners in these columns and rows, (n,).

    It is from -``FULL_HEIGHT`` to ``FULL_HEIGHT``. Another key gives other land.
    """
    heights = np.zeros(len(columns), np.int64)
    for index, octave in enumerate(OCTAVES):
        octave_key = key * len(OCTAVES) + index
        width = octave.width
        lattice_x, right = np.divmod(columns, width)
        lattice_y, down = np.divmod(rows, width)
        # Bilinear interpolation: of the four points of the lattice around a corner, the nearer one
        # is, the more its height counts. Nearness is from 0 to the width.
        for dx, nearness_x in ((0, width - right), (1, right)):
            for dy, nearness_y in ((0, width - down), (1, down)):
                random_heights = _random_heights(octave_key, lattice_x + dx, lattice_y + dy)
                weights = nearness_x * nearness_y
                heights += random_heights * weights * octave.height // (width * width)
    # A random height of 2**15 stands for the full height of its octave.
    return heights >> (_HEIGHT_BITS - 1)


def _random_heights(key: int, columns: NDArray[np.intp], rows: NDArray[np.intp]) -> Numbers:
    """Return the random heights of points of a lattice, (n,), half of them below 0."""
    sites = (rows.astype(np.uint64) << np.uint64(32)) + columns.astype(np.uint64)
    words = words_of_streams(streams(key, sites), 0)  # the first 64 random bits of each site
    upper_bits = (words >> np.uint64(64 - _HEIGHT_BITS)).astype(np.int64)
    return upper_bits - (1 << (_HEIGHT_BITS - 1))
