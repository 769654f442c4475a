"""What of a picture a cell shows, which follows from the cell alone.

The same ground, repeated, covers the whole map: a cell shows a phase of it. Of a picture with
variants it shows one.
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
from randomizer.model.grid.layouts import HALF3, Layout

STEPS = {"columns": (1.5, HALF3), "rows": (HALF3, 1.5), "oblique": (HALF3, 1.5), "none": (1.0, 1.0)}
"""The centres of the cells of a layout lie at multiples of these, by ``Layout.shear``."""

COUNTS = {"columns": (4, 8), "rows": (8, 4), "oblique": (8, 4), "none": (6, 6)}
"""A period is so many steps wide and high."""

MARGIN = 0.1
"""Grounds reach over the cell's edge by this much (map units), since sprites are larger."""

PATCH = 5
"""Patches of a terrain are so many cells wide, more or less."""

PHASES = 36
"""The largest number of phases that a layout has, see ``COUNTS``: squares have 6 x 6."""


class Phase(NamedTuple):
    """The place of a cell's centre in a period (map units) and the size of the period.

    ``corners`` are those of the cell, a little farther out: what the ground has to fill.
    """

    x: float
    y: float
    wide: float
    high: float
    corners: tuple[tuple[float, float], ...]

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
    result = []
    for y in range(down):
        for x in range(across):
            result.append(Phase(x * step_x, y * step_y, across * step_x, down * step_y, corners))
    return tuple(result)


def phases_at(layout: Layout, centres: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the numbers (n,) of the phases of cells with these ``centres`` (n, 2)."""
    (across, down) = COUNTS[layout.shear]
    at = np.rint(centres / STEPS[layout.shear]).astype(np.intp)
    return np.asarray(at[:, 1] % down * across + at[:, 0] % across)


def hash_cells(cells: NDArray[np.intp], bits: int, salt: int = 0) -> NDArray[np.intp]:
    """Return a number of so many bits for each of ``cells`` (n,); another ``salt`` gives others.

    They have no visible pattern, and an edit elsewhere does not change them.
    """
    word = (cells.astype(np.uint64) ^ np.uint64(salt << 40)) * np.uint64(0x9E3779B97F4A7C15)
    word ^= word >> np.uint64(29)
    word *= np.uint64(0xBF58476D1CE4E5B9)
    return (word >> np.uint64(64 - bits)).astype(np.intp)


def patch_of(grid: Grid, cells: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return 0 or 1 for each of ``cells`` (n,): in which of two kinds of patches it lies."""
    ys, xs = np.divmod(cells, grid.width)
    (row, down) = np.divmod(ys, PATCH)
    (column, across) = np.divmod(xs, PATCH)

    def at(right: int, below: int) -> NDArray[np.intp]:
        return hash_cells((row + below) << 20 | (column + right), 10, salt=2)

    upper = at(0, 0) * (PATCH - across) + at(1, 0) * across
    lower = at(0, 1) * (PATCH - across) + at(1, 1) * across
    mean = upper * (PATCH - down) + lower * down
    return np.asarray(mean > PATCH * PATCH << 9, np.intp)
