"""Relief: how much light each cell gets when the sun stands in the north-west."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from randomizer.battlemap import is_blank

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.battlemap import Composite
    from randomizer.grid import Grid

SUN = (-0.6, -0.8)
"""Towards the sun, in map units (y runs down)."""

STEEP_STEPS = 3.0
"""A rise of so many steps of elevation from cell to cell is as bright as it gets."""

STEEP_HEIGHT = 368.0
"""For heights of corners: so much across a cell (0 A.D.'s 45 degrees) is as bright as it gets."""


def relief(
    grid: Grid, composite: Composite, cells: slice | NDArray[np.intp]
) -> NDArray[np.float64]:
    """-1 (in the shade) to 1 (towards the sun) for each of ``cells``, 0 where the map is flat.

    From the corner plane ``height`` if the system has one, else from ``elevation``.
    """
    if isinstance(cells, slice):
        cells = np.arange(cells.start, cells.stop, dtype=np.intp)
    if "height" in composite.planes:
        return _of_corners(grid, composite.planes["height"], cells)
    plane = composite.planes.get("elevation")
    if plane is None or is_blank(plane):
        return np.zeros(len(cells))
    return _of_cells(grid, plane.reshape(-1), cells)


def _of_cells(
    grid: Grid, elevation: NDArray[np.int16], cells: NDArray[np.intp]
) -> NDArray[np.float64]:
    """A cell is bright as far as it is lower towards the sun than away from it."""
    (qx, qy), (rx, ry) = grid.layout.basis
    here = elevation[cells].astype(np.float64)
    light = np.zeros(len(cells))
    for side, (q, r) in enumerate(grid.layout.steps):
        x, y = q * qx + r * rx, q * qy + r * ry
        towards = (x * SUN[0] + y * SUN[1]) / math.hypot(x, y)
        other = grid.neighbours_of(cells, side)
        fall = np.where(other >= 0, here - elevation[other], 0.0)
        light += towards * fall
    return np.clip(light / STEEP_STEPS, -1.0, 1.0)


def _of_corners(
    grid: Grid, height: NDArray[np.uint16], cells: NDArray[np.intp]
) -> NDArray[np.float64]:
    ys, xs = np.divmod(cells, grid.width)
    top_left, top_right, bottom_left, bottom_right = (
        height[y, x].astype(np.float64)
        for y, x in ((ys, xs), (ys, xs + 1), (ys + 1, xs), (ys + 1, xs + 1))
    )
    down = (bottom_left + bottom_right - top_left - top_right) / 2
    right = (top_right + bottom_right - top_left - bottom_left) / 2
    return np.clip(-(right * SUN[0] + down * SUN[1]) / STEEP_HEIGHT, -1.0, 1.0)
