"""A new roll with what is locked as it was.

``map_conversion`` calls ``keep_locked_tiles`` with the layer of a new roll. Locked tiles keep their
texture, priority and all four corners. Around them the heights run over from the kept to the rolled
ones, so that there are no cliffs.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.plurals import counted, many
from randomizer.model.edits.terrain_codes import translated_layer, with_missing
from randomizer.model.map.layer import Layer
from randomizer.model.planes.corners import corners_of
from randomizer.model.problems import Problem, Severity
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.roll_base import Base
from randomizer.systems.zeroad.map.planes import HEIGHT, MOST, PRIORITY, TEXTURE

RING = 4
"""So many rings of corners around the locked ones get heights between the locked and the rolled
ones: with fewer, locked tiles would end in cliffs where the roll is much higher or lower."""


def keep_locked_tiles(
    layer: Layer, terrain_set: TerrainSet, base: Base
) -> tuple[Layer, TerrainSet, Problem]:
    """Return a rolled layer with what is locked on ``base``, its terrain set, and a note.

    Both are of one grid. Kept textures that the roll lacks come to the end of its terrain set.
    Things are held where a roll is put into the map (``rolled_things``).
    """
    map_below = base.shown
    locked = base.locked_cells
    locked_tiles = base.locked_mask(TEXTURE)

    # The locked textures in the codes of the roll's terrain set.
    textures = np.where(locked_tiles, map_below.planes[TEXTURE.name], TEXTURE.unset)
    locked_layer = Layer(0, "", planes={TEXTURE.name: textures.astype(TEXTURE.dtype)})
    joint_set = with_missing(base.system, [locked_layer], base.terrain_set, terrain_set)
    translated = translated_layer(base.system, locked_layer, base.terrain_set, joint_set)
    locked_textures = translated.planes[TEXTURE.name]

    planes = {
        TEXTURE.name: np.where(locked_tiles, locked_textures, layer.planes[TEXTURE.name]),
        PRIORITY.name: np.where(
            base.locked_mask(PRIORITY), map_below.planes[PRIORITY.name], layer.planes[PRIORITY.name]
        ),
        HEIGHT.name: blend_heights(
            layer.planes[HEIGHT.name], map_below.planes[HEIGHT.name], _corners_of(base, locked)
        ),
    }
    count = int(locked.sum())
    message = f"{counted(count, 'locked square')} {many(count, 'was', 'were')} kept"
    note = Problem(Severity.HINT, "locked-kept", message)
    return replace(layer, planes=planes), joint_set, note


def _corners_of(base: Base, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the corners of cells, as a mask of all."""
    result = np.zeros(HEIGHT.shape(base.grid), np.bool_)
    result.flat[corners_of(base.grid, np.flatnonzero(cells)).ravel()] = True
    return result


def blend_heights(
    rolled: NDArray[np.uint32], old_heights: NDArray[np.uint32], locked: NDArray[np.bool_]
) -> NDArray[np.uint32]:
    """Return rolled heights with ``old_heights`` at the ``locked`` corners, all of the same shape.

    By how much the locked corners are above the rolled ones is handed on outwards, corner by
    corner, as the mean of the neighbours, and counts less with each of the ``RING`` steps: the
    relief of the roll shows through, and farther away it is as rolled.
    """
    differences = np.where(locked, old_heights.astype(np.float64) - rolled, 0.0)
    is_reached = locked.copy()
    result = rolled.astype(np.float64) + differences
    for step in range(1, RING + 1):
        counts = _sum_around(is_reached.astype(np.float64))
        is_next: NDArray[np.bool_] = ~is_reached & (counts > 0)
        if not is_next.any():
            break
        differences[is_next] = _sum_around(differences)[is_next] / counts[is_next]
        result[is_next] += differences[is_next] * (1 - step / (RING + 1))
        is_reached = is_reached | is_next
    return np.clip(np.rint(result), 0, MOST).astype(rolled.dtype)


def _sum_around(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sum of each value and its eight neighbours; there is 0 outside."""
    padded = np.pad(values, 1)
    rows = padded[:-2] + padded[1:-1] + padded[2:]
    sums: NDArray[np.float64] = rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]
    return sums
