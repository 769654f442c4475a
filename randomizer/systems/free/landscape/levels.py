"""The elevations of a landscape: from heights to the levels of a terrain set, and back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from randomizer.model.terrain.terrain import TerrainSet
from randomizer.systems.free.landscape.noise import Field
from randomizer.systems.free.landscape.settings import Choices

LOWEST_LAND = 0.001
"""The height of land just above the sea."""

_LINEAR = 0.4
"""How much of a height counts as it is; the rest counts by its square.

With more of it plains have more steps, with less of it all land but the ranges is flat.
"""


def land_levels(terrain_set: TerrainSet) -> NDArray[np.int64]:
    """Return the elevations of a terrain set that land can have, in ascending order, (n,)."""
    levels = np.array(sorted(terrain_set.elevations), np.int64)
    if levels[-1] >= 0:
        return levels[levels >= 0]
    return levels


def levels_of(heights: Field, choices: Choices, levels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the elevation of each height, one of ``levels``. Plains are flatter than mountains."""
    tall = heights * _tallest(choices)
    tall = np.clip(tall * (_LINEAR + (1 - _LINEAR) * tall), 0, 0.999)
    step = np.floor(tall * len(levels)).astype(np.int64)
    return levels[step]


def heights_of(elevations: NDArray[np.int64], choices: Choices, levels: NDArray[np.int64]) -> Field:
    """Return the height in the middle of each elevation's step: ``levels_of`` turned round."""
    step = np.searchsorted(levels, elevations).clip(0, len(levels) - 1)
    tall = (step + 0.5) / len(levels)
    square = 1 - _LINEAR
    root = np.sqrt(_LINEAR * _LINEAR + 4 * square * tall)
    heights: Field = (root - _LINEAR) / (2 * square) / _tallest(choices)
    return heights


def _tallest(choices: Choices) -> float:
    """Return how tall the highest land is, of the highest elevation."""
    return min(1.0, 0.35 + 0.013 * choices.relief)
