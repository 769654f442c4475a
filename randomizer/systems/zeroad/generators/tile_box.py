"""Finds the tiles of a square map that lie near a point.

A *box* is the rectangle of tiles up to a distance from a point. Arrays of the map are cut by its
rows and columns; ``distances`` then tells which of these tiles really are that near:

    box = box_around(size, 4.0, 7.5, reach=2.0)
    free[box.rows, box.columns] &= box.distances >= 2.0

Arrays are indexed by [z, x]. A *flat index* counts the tiles of a box row by row, from 0.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.zeroad.generators.draws import Field

Mask = NDArray[np.bool_]
"""A truth value for each tile, or for those of a part of the map."""


class Point(NamedTuple):
    """A position on the map, in tiles."""

    x: float
    z: float


class TileBox(NamedTuple):
    """The tiles of a box around a point, as far as they are on the map."""

    rows: slice
    """Their rows on the map."""

    columns: slice
    """Their columns on the map."""

    distances: Field
    """The distance of the centre of each tile from the point, (rows, columns)."""

    def corner_of(self, index: int) -> Point:
        """Return the corner, nearest to the origin of the map, of the tile with a flat index."""
        row, column = divmod(index, self.distances.shape[1])
        return Point(self.columns.start + column, self.rows.start + row)

    def mask_on_map(self, indices: NDArray[np.intp], size: int) -> Mask:
        """Return a mask of the whole map, (size, size), of the tiles with these flat indices."""
        is_in_box = np.zeros(self.distances.shape, np.bool_)
        is_in_box.flat[indices] = True
        mask = np.zeros((size, size), np.bool_)
        mask[self.rows, self.columns] = is_in_box
        return mask


def box_around(size: int, x: float, z: float, reach: float) -> TileBox:
    """Return the tiles of a map of size x size tiles that can be up to ``reach`` from a point."""
    rows = _tiles_along(size, z, reach)
    columns = _tiles_along(size, x, reach)
    dz = np.arange(rows.start, rows.stop)[:, None] + 0.5 - z
    dx = np.arange(columns.start, columns.stop) + 0.5 - x
    return TileBox(rows, columns, np.hypot(dz, dx))


def _tiles_along(size: int, middle: float, reach: float) -> slice:
    """Return the rows, or the columns, of the map up to ``reach`` away from a position."""
    first = max(0, math.floor(middle - reach))
    # One tile more than is in reach. For each tile of a box numbers are drawn, so without it all
    # maps would be others.
    end = max(0, min(size, math.ceil(middle + reach) + 1))
    return slice(first, end)


def eroded(mask: Mask, tiles: int) -> Mask:
    """Return the tiles of a mask whose neighbours up to ``tiles`` away are in it as well.

    Neighbours are those along x and z, not across corners. What is outside of the mask's array is
    not in it.
    """
    for _step in range(tiles):
        padded = np.pad(mask, 1)
        mask = mask & padded[2:, 1:-1] & padded[:-2, 1:-1] & padded[1:-1, 2:] & padded[1:-1, :-2]
    return mask
