"""The water over low land, as numbers for each cell::

    depth = water_depth(battlemap, composite, cells)     # (n,): 0 on dry land

Only maps with heights of corners have a level of water. Depths are in *steep rises*: the rise from
cell to cell at which land counts as steep (``System.steep_rise``).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.corners import heights_around

SHALLOW_OPACITY = 0.3
"""The opacity of water right below its surface. With more of it the shore is a hard edge."""

DEEP_OPACITY = 0.8
"""The opacity of water where it is deep. With more of it the ground there is not seen."""

FADE_DEPTH = 0.45
"""The depth at which the opacity is two thirds of the way from the shallow to the deep one."""

SHALLOWS_COLOUR = "#9fdcd6"
"""The colour of the shallows, which lies over that of the water."""

SHALLOWS_OPACITY = 0.42
"""The opacity of that colour at the shore."""

SHALLOWS_DEPTH = 1.3
"""The depth at which that colour has faded out."""

DEEPEST_SHOWN = 4.0
"""The depth from which on the overlay of depths has its last colour."""


def water_depth(
    battlemap: BattleMap, composite: Composite, cells: slice | NDArray[np.intp]
) -> NDArray[np.float32] | None:
    """Return the depth of the water over ``cells`` (n,), 0 where there is none; None without water.

    It is in steep rises. A cell is under water if its mean height is below the level. ``cells`` are
    indices, or the slice of whole rows.
    """
    system = battlemap.system
    level = system.water_level(battlemap)
    heights = composite.plane(system.corner_heights)
    if level is None or heights is None:
        return None
    depth = np.float32(level) - heights_around(battlemap.grid, heights, cells).mean(axis=0)
    return np.asarray(np.maximum(depth, 0) / np.float32(system.steep_rise), np.float32)


def water_opacity(depth: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return the opacity of water of a depth, in steep rises, from 0 on."""
    share = 1 - np.exp(depth * np.float32(-1 / FADE_DEPTH))
    return np.asarray(
        np.float32(SHALLOW_OPACITY) + share * np.float32(DEEP_OPACITY - SHALLOW_OPACITY)
    )


def shallows_opacity(depth: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return the opacity of ``SHALLOWS_COLOUR`` over water of a depth in steep rises, from 0."""
    light = np.maximum(1 - depth / np.float32(SHALLOWS_DEPTH), 0)
    return np.asarray(light * light * np.float32(SHALLOWS_OPACITY))
