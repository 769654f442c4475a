"""Which levels of contour lines pass through cells whose heights lie at their corners."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.corners import heights_around

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.battlemap import BattleMap
    from randomizer.model.composite import Composite

MAIN = 5
"""Every so many lines there is one that counts more."""


def corner_levels(
    battlemap: BattleMap, composite: Composite, step: int, cells: slice | NDArray[np.intp]
) -> NDArray[np.float32] | None:
    """Return the heights of the corners of cells, (4, n), in steps from the height 0 that people
    see: clockwise from the top left. None without heights at corners.
    """
    heights = composite.plane(battlemap.system.corner_heights)
    if heights is None:
        return None
    scale = battlemap.system.height_scale
    around = heights_around(battlemap.grid, heights, cells)
    return (around / np.float32(scale.units) - np.float32(scale.zero)) / np.float32(step)


def contour_cells(
    battlemap: BattleMap, composite: Composite, step: int, cells: slice | NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Which cells (n,) a contour line marks: along their upper or left side heights pass one.

    So a line is one cell wide. Where there is one in every cell only each ``MAIN``-th counts.
    ``cells`` are indices, or the slice of whole rows.
    """
    levels = corner_levels(battlemap, composite, step, cells)
    if levels is None:
        return np.zeros(cells.stop - cells.start if isinstance(cells, slice) else len(cells), bool)
    every = np.where(levels.max(axis=0) - levels.min(axis=0) > 0.8, MAIN, 1)
    at, right, _across, down = np.floor(levels / every)
    return np.asarray((at != right) | (at != down))
