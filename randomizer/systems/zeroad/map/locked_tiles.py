"""Puts the locked tiles of a map into a new roll.

A user can lock tiles, which are to be the same after a roll. ``map_conversion`` calls
``keep_locked_tiles`` with the layer of a roll: it gets the texture, the priority and all four
corners of the locked tiles. Where these are much higher or lower than the rolled ground there would
be cliffs around them. So ``blend_heights`` changes the heights of the next ``RING`` rings of
corners as well, less with each ring::

    rolled     20 20 20 20 20 20 20 20
    locked     .. .. .. .. .. .. 70 70       corners of locked tiles, 50 higher
    blended    20 20 30 40 50 60 70 70       the rings around get 4/5, 3/5, 2/5, 1/5 of the 50
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

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
"""The number of rings of corners around locked ones whose heights are changed.

With fewer, locked tiles end in cliffs where the roll is much higher or lower.
"""


class LockedRoll(NamedTuple):
    """A roll with locked tiles in it."""

    layer: Layer
    """The layer of the roll with the locked tiles."""
    terrain_set: TerrainSet
    """Its terrain set, to which textures of locked tiles may have been added at the end."""
    note: Problem
    """A hint for the user that tells how many tiles were kept."""


def keep_locked_tiles(layer: Layer, terrain_set: TerrainSet, base: Base) -> LockedRoll:
    """Return a roll with the locked tiles of ``base``, the map below it.

    ``layer`` is that of the roll: it has the grid of ``base``, and its textures are codes of
    ``terrain_set``. Neither is changed. Locked things are kept elsewhere (``rolled_things``).
    """
    map_below = base.shown
    locked_tiles = base.locked_mask(TEXTURE)
    locked_corners = _corners_of(base, base.locked_cells)

    # The textures of the locked tiles are codes of another terrain set. A layer with these alone is
    # translated into the codes of the roll's set.
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
            layer.planes[HEIGHT.name], map_below.planes[HEIGHT.name], locked_corners
        ),
    }
    count = int(base.locked_cells.sum())
    message = f"{counted(count, 'locked square')} {many(count, 'was', 'were')} kept"
    note = Problem(Severity.HINT, "locked-kept", message)
    return LockedRoll(replace(layer, planes=planes), joint_set, note)


def _corners_of(base: Base, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask of the corners of cells, in the shape of the plane of heights.

    ``cells`` is a mask of cells, which are tiles.
    """
    is_corner = np.zeros(HEIGHT.shape(base.grid), np.bool_)
    is_corner.flat[corners_of(base.grid, np.flatnonzero(cells)).ravel()] = True
    return is_corner


def blend_heights(
    rolled: NDArray[np.uint32], old_heights: NDArray[np.uint32], locked: NDArray[np.bool_]
) -> NDArray[np.uint32]:
    """Return rolled heights with ``old_heights`` at the ``locked`` corners, all of one shape.

    The difference of a locked corner is how much higher it is than the rolled one. Ring by ring the
    corners around get the mean difference of their neighbours, of which a share is added to their
    rolled height: less with each ring, so that the relief of the roll shows through. Beyond the
    last ring all is as rolled.
    """
    # How much higher a corner is, or would be, than it was rolled; 0 where that is not known yet.
    differences = np.where(locked, old_heights.astype(np.float64) - rolled, 0.0)
    is_known = locked.copy()
    blended = rolled.astype(np.float64) + differences
    for ring in range(1, RING + 1):
        known_neighbours = _sum_around(is_known.astype(np.float64))
        is_in_ring: NDArray[np.bool_] = ~is_known & (known_neighbours > 0)
        if not is_in_ring.any():
            break
        mean_differences = _sum_around(differences)[is_in_ring] / known_neighbours[is_in_ring]
        differences[is_in_ring] = mean_differences
        share = 1 - ring / (RING + 1)  # 4/5 in the first ring, 1/5 in the fourth
        blended[is_in_ring] += mean_differences * share
        is_known = is_known | is_in_ring
    return np.clip(np.rint(blended), 0, MOST).astype(rolled.dtype)


def _sum_around(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sum of each value and its eight neighbours; outside of the array all is 0."""
    padded = np.pad(values, 1)
    rows = padded[:-2] + padded[1:-1] + padded[2:]
    sums: NDArray[np.float64] = rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]
    return sums
