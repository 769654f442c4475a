"""Converts the heights of a landscape to elevations of a terrain set, and back.

    levels = land_levels(terrain_set)             # for instance [0, 1, 2, 3]
    levels_of(heights, choices, levels)           # the elevation of each cell, one of the levels
    heights_of(elevations, choices, levels)       # heights that ``levels_of`` would turn into these

The heights of the relief go from 0 at the sea to about 1 at the highest land. Elevations are whole
numbers: a height x is at the share x * (0.4 + 0.6 * x) of all steps, so that plains, which have low
heights, get fewer steps than mountains.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from randomizer.model.terrain.terrain import TerrainSet
from randomizer.systems.free.landscape.noise import Field
from randomizer.systems.free.landscape.settings import Choices

LOWEST_LAND = 0.001
"""The height of land just above the sea."""

_LINEAR = 0.4
"""The factor of a height itself; its square has the rest of 1 as a factor.

With a larger one plains have more steps, with a smaller one all land but the ranges is flat.
"""

_MIN_TALLNESS = 0.35
"""The height of the highest land at a relief of 0, as a share of the highest elevation."""

_TALLNESS_OF_RELIEF = 0.013
"""How much each step of the relief adds to that; at the relief 50 it is all of it."""

_JUST_BELOW_ONE = 0.999
"""The largest share of all steps, so that the highest land has the last step."""


def land_levels(terrain_set: TerrainSet) -> NDArray[np.int64]:
    """Return the elevations of a terrain set that land can have, in ascending order, (n,).

    These are all from 0 on, or, for a set that has only lower ones, all. A set has one at least.
    """
    levels = np.array(sorted(terrain_set.elevations), np.int64)
    if levels[-1] >= 0:
        return levels[levels >= 0]
    return levels


def levels_of(heights: Field, choices: Choices, levels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the elevation of each of ``heights`` (n,), one of ``levels``."""
    tall = heights * _tallest(choices)
    share_of_steps = np.clip(tall * (_LINEAR + (1 - _LINEAR) * tall), 0, _JUST_BELOW_ONE)
    step = np.floor(share_of_steps * len(levels)).astype(np.int64)
    return levels[step]


def heights_of(elevations: NDArray[np.int64], choices: Choices, levels: NDArray[np.int64]) -> Field:
    """Return for each of ``elevations`` (n,) the height in the middle of its step.

    It is the inverse of ``levels_of``. An elevation that is none of ``levels`` counts as the next
    higher one, or as the highest.
    """
    step = np.searchsorted(levels, elevations).clip(0, len(levels) - 1)
    share_of_steps = (step + 0.5) / len(levels)
    # The positive solution of square * tall ** 2 + _LINEAR * tall = share_of_steps.
    square = 1 - _LINEAR
    root = np.sqrt(_LINEAR * _LINEAR + 4 * square * share_of_steps)
    heights: Field = (root - _LINEAR) / (2 * square) / _tallest(choices)
    return heights


def _tallest(choices: Choices) -> float:
    """Return the factor, up to 1, by which the setting of relief scales the heights of land."""
    return min(1.0, _MIN_TALLNESS + _TALLNESS_OF_RELIEF * choices.relief)
