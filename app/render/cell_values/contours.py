"""Contour lines, as numbers for each cell::

    marked = contour_cells(battlemap, composite, 10, cells)     # (n,): a line each 10 of height

Only maps with heights of corners have contour lines.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.render.cell_values.relief import cell_count
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.corners import heights_around

MAIN_LINE_INTERVAL = 5
"""Of so many contour lines one is a main line: it is thicker, and seen from afar."""

ALL_LINES_UP_TO = 0.8
"""In the overview cells that rise by more lines than this show the main ones alone.

If it is larger nearly every cell of a slope is part of a line.
"""


def corner_levels(
    battlemap: BattleMap, composite: Composite, step: int, cells: slice | NDArray[np.intp]
) -> NDArray[np.float32] | None:
    """Return the heights of the corners of cells, (4, n): clockwise from the top left.

    They are counted in steps, from the height that people see as 0. None without such heights.
    """
    heights = composite.plane(battlemap.system.corner_heights)
    if heights is None:
        return None
    scale = battlemap.system.height_scale
    corner_heights = heights_around(battlemap.grid, heights, cells)
    return (corner_heights / np.float32(scale.units) - np.float32(scale.zero)) / np.float32(step)


def contour_cells(
    battlemap: BattleMap, composite: Composite, step: int, cells: slice | NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Return which cells (n,) a contour line marks, one for each ``step`` of height.

    They are those along whose upper or left side heights pass a line: so it is one cell wide. Where
    there is one in every cell only each ``MAIN_LINE_INTERVAL``-th counts. ``cells`` are indices, or
    the slice of whole rows.
    """
    levels = corner_levels(battlemap, composite, step, cells)
    if levels is None:
        return np.zeros(cell_count(cells), bool)
    # The lines that count: on steep cells only the main ones. A line passes a side if its two
    # corners lie in different intervals between lines.
    rises = levels.max(axis=0) - levels.min(axis=0)
    lines_apart = np.where(rises > ALL_LINES_UP_TO, MAIN_LINE_INTERVAL, 1)
    top_left, top_right, _, bottom_left = np.floor(levels / lines_apart)
    return np.asarray((top_left != top_right) | (top_left != bottom_left))
