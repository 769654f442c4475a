"""The world of a map's roll, made again: its relief tells the altitude and moisture of each cell.

A map holds the terrain that was rolled, and not the numbers from which it was classified. The chart
shows these, so that the relief is made again from the seed of the roll.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.map.layer import Layer, Roll
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.xconq.period.reading import read_period
from randomizer.systems.xconq.system import TERRAIN
from randomizer.systems.xconq.terrain.world_terrain import classify_terrain, relief_settings
from randomizer.systems.xconq.world.relief import Relief, relief_steps

LEAST_SHARE_ALIKE = 0.5
"""A map with at most this share of its world's terrain was turned or cut since it was rolled.

If it is larger, a map of which much was painted counts as turned, and its chart shows no density.
"""


@dataclass(frozen=True)
class RolledWorld:
    """A roll of a world."""

    roll: Roll

    width: int
    """The columns of its map."""

    height: int
    """The rows of its map."""


class WorldTerrain(NamedTuple):
    """A world as it was rolled."""

    relief: Relief

    codes: NDArray[np.uint8]
    """The terrain, (h, w)."""


def make_world(
    world: RolledWorld, _progress: object, cancelled: Callable[[], bool]
) -> WorldTerrain | None:
    """Make the world of a roll again; the work of a job.

    Its relief most likely is in the cache. None if the job is cancelled, or if the period of the
    roll has errors.
    """
    roll = world.roll
    period = read_period(roll.script, None, roll.texts).period
    if period is None:
        return None
    settings = relief_settings(period, roll, world.width, world.height)
    steps = relief_steps(settings, DrawKey(roll.seed, roll.number))
    while not cancelled():
        try:
            next(steps)
        except StopIteration as end:
            relief: Relief = end.value
            return WorldTerrain(relief, classify_terrain(relief, period).codes)
    return None


def is_terrain_of(world: WorldTerrain, layer: Layer) -> bool:
    """Return whether a rolled layer still shows its world: it was neither turned nor cut."""
    plane = layer.planes.get(TERRAIN.name)
    if plane is None or plane.shape != world.codes.shape:
        return False
    share_alike = (plane == world.codes).mean()
    return bool(share_alike > LEAST_SHARE_ALIKE)
