"""Describes a tile in words, and chooses the priorities of painted textures.

``ZeroadSystem`` calls ``describe_tile`` for the line about the tile under the pointer, and
``priorities_of`` for each stroke of the brush. The priority of a texture decides which of two
neighbouring textures is drawn over the edge between them: a painted tile gets the priority that
most tiles of its texture have, so that its edges look like theirs.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.planes.corners import heights_around
from randomizer.systems.zeroad.map.coordinates import script_height
from randomizer.systems.zeroad.map.passability import passability
from randomizer.systems.zeroad.map.planes import HEIGHT, PRIORITY, TEXTURE
from randomizer.systems.zeroad.map.water_height import water_plane_height

if TYPE_CHECKING:
    from collections.abc import Mapping

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite
    from randomizer.model.planes.planes import Plane


SAMPLE = 16_384
"""About the number of tiles that are counted, so that a stroke on a large map stays quick."""


def usual_priority(composite: Composite, texture: int) -> int:
    """Return the most common priority of a texture, the lowest of several; 0 if no tile has it.

    On a large map the answer is that of a sample of tiles, unless none of these has the texture.
    """
    textures = composite.planes[TEXTURE.name].reshape(-1)
    priorities = composite.planes[PRIORITY.name].reshape(-1)
    # A step that has a factor in common with the width would meet some columns only: the step 3 on
    # a map 192 tiles wide, the columns 0, 3, 6 and so on.
    sample_step = max(1, textures.size // SAMPLE)
    width = composite.planes[TEXTURE.name].shape[1]
    while math.gcd(sample_step, width) > 1:
        sample_step += 1
    for step in (sample_step, 1):  # the sample, then all tiles
        has_texture = textures[::step] == texture
        priorities_of_texture = priorities[::step][has_texture]
        if len(priorities_of_texture):
            return int(np.bincount(priorities_of_texture).argmax())
    return 0


def priorities_of(composite: Composite, plane: str, values: Plane) -> Mapping[str, Plane]:
    """Return the priorities (n,) that painted textures get, by the name of the priorities' plane.

    ``System.accompanying_changes`` calls it: ``values`` (n,) are painted into the plane with the
    name ``plane``. The result is empty for a plane other than that of textures.
    """
    if plane != TEXTURE.name:
        return {}
    priorities = np.zeros(values.shape, PRIORITY.dtype)
    for texture in np.unique(values).tolist():
        priorities[values == texture] = usual_priority(composite, texture)
    return {PRIORITY.name: priorities}


def describe_tile(battlemap: BattleMap, planes: Mapping[str, Plane], cell: int) -> str:
    """Return a tile in words, such as ``alpine_cliff_a, height 3.2, priority 2``.

    ``planes`` are what the map shows. The height is the mean of the corners, in the scale of
    scripts.
    """
    texture = battlemap.terrain_set.terrains[planes[TEXTURE.name].flat[cell]].name
    corner_heights = heights_around(battlemap.grid, planes[HEIGHT.name], np.array([cell]))
    height = script_height(float(corner_heights.mean()))
    words = [texture, f"height {_number(height)}"]
    depth = script_height(water_plane_height(battlemap)) - height
    if depth > 0:
        words.append(f"{_number(depth)} under water")

    # Who can pass the tile, if not everybody: "cliff" or "shallow water".
    kinds, codes = passability(battlemap, planes, np.array([cell]))
    kind = kinds[codes[0]]
    if kind.word:
        words.append(kind.word)
    words.append(f"priority {planes[PRIORITY.name].flat[cell]}")
    return ", ".join(words)


def _number(value: float) -> str:
    """Return a number rounded to a tenth, as text."""
    rounded = round(value, 1) + 0.0  # makes 0.0 of -0.0
    return f"{rounded:g}"
