"""What is on a tile, in words, and the priorities that painted textures get."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.planes.corners import heights_around
from randomizer.systems.zeroad.map.coordinates import script_height
from randomizer.systems.zeroad.map.passability import passability
from randomizer.systems.zeroad.map.planes import HEIGHT, PRIORITY, TEXTURE
from randomizer.systems.zeroad.map.records import water_level

if TYPE_CHECKING:
    from collections.abc import Mapping

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite
    from randomizer.model.planes.planes import Plane


SAMPLE = 16_384
"""Of a large map so many tiles are looked at, unless these have none of the texture."""


def usual_priority(composite: Composite, texture: int) -> int:
    """Return the most common priority of a texture, the lowest of several; 0 if no tile has it."""
    textures = composite.planes[TEXTURE.name].reshape(-1)
    priorities = composite.planes[PRIORITY.name].reshape(-1)
    for step in (max(1, textures.size // SAMPLE) | 1, 1):  # odd, so that columns alternate
        priorities_here = priorities[::step][textures[::step] == texture]
        if len(priorities_here):
            return int(np.bincount(priorities_here).argmax())
    return 0


def priorities_of(composite: Composite, plane: str, values: Plane) -> Mapping[str, Plane]:
    """Return the priorities that painted textures get, by the name of their plane.

    ``values`` (n,) are painted in ``plane``; see ``System.painted_with``.
    """
    if plane != TEXTURE.name:
        return {}
    result = np.zeros(values.shape, PRIORITY.dtype)
    for texture in np.unique(values).tolist():
        result[values == texture] = usual_priority(composite, texture)
    return {PRIORITY.name: result}


def describe_tile(battlemap: BattleMap, planes: Mapping[str, Plane], cell: int) -> str:
    """Return a tile in words: ``alpine_cliff_a, height 3.2, priority 2``.

    The height is the mean of the corners, in the scale of scripts.
    """
    texture = battlemap.terrain_set.terrains[planes[TEXTURE.name].flat[cell]].name
    mean = heights_around(battlemap.grid, planes[HEIGHT.name], np.array([cell])).mean()
    height = script_height(float(mean))
    words = [texture, f"height {_number(height)}"]
    depth = script_height(water_level(battlemap)) - height
    if depth > 0:
        words.append(f"{_number(depth)} under water")
    kinds, (kind,) = passability(battlemap, planes, np.array([cell]))
    passability_text, _movement = kinds[kind]
    if passability_text:
        words.append(passability_text)
    words.append(f"priority {planes[PRIORITY.name].flat[cell]}")
    return ", ".join(words)


def _number(value: float) -> str:
    """Return a number to a tenth; adding 0.0 makes 0 of -0."""
    return f"{round(value, 1) + 0.0:g}"
