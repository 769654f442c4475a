"""Raised, lowered and smoothed elevations; nothing is changed in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.geometry.shapes import Cells

if TYPE_CHECKING:
    from randomizer.model.grid import Grid
    from randomizer.model.planes import Plane


def raised(elevation: Plane, cells: Cells, by: int, lowest: int, highest: int) -> Plane:
    """The elevations of ``cells`` raised (lowered if ``by`` is negative), within the limits.

    Values already beyond a limit are not changed. Shape (n,), of the plane's dtype.
    """
    present = elevation.reshape(-1)[cells].astype(np.int64)
    bounded = np.clip(present + by, lowest, highest)
    beyond = bounded > present if by < 0 else bounded < present
    return np.where(beyond, present, bounded).astype(elevation.dtype)


def smoothed(grid: Grid, elevation: Plane, cells: Cells) -> Plane:
    """The rounded mean of every cell and its neighbours, computed for all ``cells`` at once.

    Halves are rounded up. Shape (n,), of the plane's dtype.
    """
    values = elevation.reshape(-1)
    total = values[cells].astype(np.int64)
    count = np.ones(len(cells), np.int64)
    for side in range(grid.degree):
        across = grid.neighbours_of(cells, side)
        inner = across >= 0
        total[inner] += values[across[inner]]
        count += inner
    return ((2 * total + count) // (2 * count)).astype(elevation.dtype)
