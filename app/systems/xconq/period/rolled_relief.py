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

MIN_SHARE_ALIKE = 0.5
"""If no more than this share of the cells has the terrain of the roll, the map was turned or cut.

If it is larger, a map of which much was painted counts as turned, and its chart shows no density.
"""


@dataclass(frozen=True)
class RollOfMap:
    """The roll of a map, and the map's size: what a world is made from."""

    roll: Roll

    width: int
    """The columns of its map."""

    height: int
    """The rows of its map."""


class ReliefAndTerrain(NamedTuple):
    """The relief of a world as it was rolled, and the terrain that follows from it."""

    relief: Relief

    codes: NDArray[np.uint8]
    """The terrain, (h, w)."""


def make_world(
    roll_of_map: RollOfMap, _progress: object, cancelled: Callable[[], bool]
) -> ReliefAndTerrain | None:
    """Make the world of a roll again; the work of a job.

    It is quick if the relief of that roll is still in the cache of ``relief_steps``. None if the
    job is cancelled, or if the period of the roll has errors.
    """
    roll = roll_of_map.roll
    period = read_period(roll.script, None, roll.texts).period
    if period is None:
        return None
    settings = relief_settings(period, roll, roll_of_map.width, roll_of_map.height)
    steps = relief_steps(settings, DrawKey(roll.seed, roll.number))
    # The steps yield while they work, and return the relief at their end.
    while not cancelled():
        try:
            next(steps)
        except StopIteration as end:
            relief: Relief = end.value
            return ReliefAndTerrain(relief, classify_terrain(relief, period).codes)
    return None


def is_terrain_of(world: ReliefAndTerrain, layer: Layer) -> bool:
    """Return whether a rolled layer still shows its world: it was neither turned nor cut."""
    plane = layer.planes.get(TERRAIN.name)
    if plane is None or plane.shape != world.codes.shape:
        return False
    share_alike = (plane == world.codes).mean()
    return bool(share_alike > MIN_SHARE_ALIKE)
