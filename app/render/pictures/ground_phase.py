"""The section of a terrain's picture that a cell shows; it follows from the cell alone.

The *ground* of a terrain, such as grass, is a pattern that repeats after a few cells and covers the
whole map. A cell shows the section of it, its ``Phase``, that belongs to its position in the
pattern::

    numbers = phases_at(layout, grid.centres)      # the number of the phase of each cell
    phases(layout)[numbers[0]].box                 # what the first cell shows of the pattern
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPolygonF

from randomizer.model.basics.caches import KB, registered
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

PHASES = max(across * down for across, down in COUNTS.values())
"""The largest number of phases that a layout has: squares have 6 x 6."""


class Phase(NamedTuple):
    """The position of a cell in the repeated pattern, in map units."""

    x: float
    """The x coordinate of the cell's centre, from the left edge of the pattern."""

    y: float
    """The y coordinate of the cell's centre, from the upper edge of the pattern."""

    pattern_width: float
    """The width of the pattern."""

    pattern_height: float
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
