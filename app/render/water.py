"""Water: how opaque its surface is drawn over cells that lie below its level."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.corners import heights_around

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.battlemap import BattleMap
    from randomizer.model.composite import Composite

SHALLOW, DEEP = 0.5, 0.8
"""The opacity of water right below its surface, and where it is deep."""

DEPTHS = 4.0
"""Water is deep from this many times the system's ``steep_rise`` on."""


def water_opacity(
    battlemap: BattleMap, composite: Composite, cells: slice | NDArray[np.intp]
) -> NDArray[np.float32] | None:
    """The opacity of the water over ``cells`` (n,), 0 where there is none; None without water.

    A cell is under water if its mean height is below the level. ``cells`` are indices, or the slice
    of whole rows.
    """
    system = battlemap.system
    level = system.water_level(battlemap)
    heights = composite.plane(system.corner_heights)
    if level is None or heights is None:
        return None
    depth = np.float32(level) - heights_around(battlemap.grid, heights, cells).mean(axis=0)
    share = np.clip(depth / np.float32(DEPTHS * system.steep_rise), 0, 1)
    opacity = np.float32(SHALLOW) + share * np.float32(DEEP - SHALLOW)
    return np.where(depth > 0, opacity, np.float32(0))
