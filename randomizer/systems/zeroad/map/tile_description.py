"""All that is on a tile, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.corners import heights_around
from randomizer.systems.zeroad.map.coordinates import script_height
from randomizer.systems.zeroad.map.planes import HEIGHT, PRIORITY, TEXTURE
from randomizer.systems.zeroad.map.records import water_level

if TYPE_CHECKING:
    from collections.abc import Mapping

    from randomizer.model.battlemap import BattleMap
    from randomizer.model.planes import Plane


def tile_words(battlemap: BattleMap, planes: Mapping[str, Plane], cell: int) -> str:
    """``alpine_cliff_a, height 3.2, priority 2``: the mean height in the scale of scripts."""
    texture = battlemap.terrain_set.terrains[planes[TEXTURE.name].flat[cell]].name
    mean = heights_around(battlemap.grid, planes[HEIGHT.name], np.array([cell])).mean()
    height = script_height(float(mean))
    words = [texture, f"height {_number(height)}"]
    depth = script_height(water_level(battlemap)) - height
    if depth > 0:
        words.append(f"{_number(depth)} under water")
    words.append(f"priority {planes[PRIORITY.name].flat[cell]}")
    return ", ".join(words)


def _number(value: float) -> str:
    """To a tenth; no ``-0``."""
    return f"{round(value, 1) + 0.0:g}"
