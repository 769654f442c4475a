"""New elevations of cells: raised, smoothed, or changed at random.

These serve maps whose cells have elevations; heights at corners have a brush of their own
(``height_brush``). Nothing is changed in place: all return the new elevations of ``cells`` (n,),
flat indices into the plane ``elevation``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.dice import streams, words_of_streams

if TYPE_CHECKING:
    from randomizer.geometry.areas import Cells
    from randomizer.model.grid.grid import Grid
    from randomizer.model.planes.planes import Plane


def raise_elevations(elevation: Plane, cells: Cells, by: int, lowest: int, highest: int) -> Plane:
    """Return the elevations of ``cells`` raised (lowered if ``by`` is negative), within the limits.

    Values already beyond a limit are not changed. Shape (n,), of the plane's dtype.
    """
    old_values = elevation.reshape(-1)[cells].astype(np.int64)
    new_values = np.clip(old_values + by, lowest, highest)
    # A value beyond a limit would be brought back to it, against the direction of the change.
    if by < 0:
        goes_back = new_values > old_values
    else:
        goes_back = new_values < old_values
    return np.where(goes_back, old_values, new_values).astype(elevation.dtype)


def smooth_elevations(grid: Grid, elevation: Plane, cells: Cells) -> Plane:
    """Return the rounded mean of every cell and its neighbours, computed for all ``cells`` at once.

    Halves are rounded up. Shape (n,), of the plane's dtype.
    """
    values = elevation.reshape(-1)
    total = values[cells].astype(np.int64)
    count = np.ones(len(cells), np.int64)
    for side in range(grid.degree):
        neighbours = grid.neighbours_of(cells, side)
        has_neighbour = neighbours >= 0
        total[has_neighbour] += values[neighbours[has_neighbour]]
        count += has_neighbour
    mean = (2 * total + count) // (2 * count)
    return mean.astype(elevation.dtype)


def roughen_elevations(elevation: Plane, cells: Cells, keys: Cells, by: int) -> NDArray[np.int64]:
    """Return the elevations of ``cells`` changed by random numbers from -``by`` to ``by``, (n,).

    ``keys`` (n,) are the keys of the dice of each cell: equal ones change cells alike.
    """
    # Of each word of 64 random bits the upper half is used.
    words = words_of_streams(streams(0, keys.astype(np.uint64)), 0) >> np.uint64(32)
    change = (words % np.uint64(2 * by + 1)).astype(np.int64) - by
    return elevation.reshape(-1)[cells] + change
