"""The planes of our layers, as layers of Tiled hold them.

A layer of Tiled has one value in a cell. So each plane of a layer of ours becomes one of Tiled's,
and a plane with a value for each side of a cell becomes one for each of its sides::

    planes_of(layer)      # the terrains, the elevations, the hexsides on side 0, on side 1 ...
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import Element, PlaneSpec
from randomizer.systems.free.system import SYSTEM
from randomizer.systems.interchange.tiled.tiled_map import EMPTY


class PlaneOfSide(NamedTuple):
    """The values that one layer of Tiled holds: a plane of ours, or one side of a plane."""

    spec: PlaneSpec
    """The plane."""
    side: int
    """The side of the cells, 0 for a plane without sides."""
    values: np.ndarray
    """The value of each cell, shape (height, width)."""


def planes_of(layer: Layer) -> Iterable[PlaneOfSide]:
    """Yield the planes in which a layer sets a value, and of planes with sides these sides."""
    for spec in SYSTEM.planes:
        plane = layer.planes.get(spec.name)
        if plane is None:
            continue
        if spec.element is Element.SIDE:
            values_of_sides = [plane[..., side] for side in range(plane.shape[2])]
        else:
            values_of_sides = [plane]
        for side, values in enumerate(values_of_sides):
            # A plane of terrains is written even if none is set any more: most layers of ours have
            # it, and their name is that of its layer.
            if spec is SYSTEM.terrain or (values != spec.unset).any():
                yield PlaneOfSide(spec, side, values)


def has_empty_above_terrain(battlemap: BattleMap) -> bool:
    """Return whether a layer has the terrain "empty" above another terrain.

    A cell without a tile would show the other terrain there.
    """
    terrains = battlemap.terrain_set.terrains
    empty_codes = [code for code, terrain in enumerate(terrains) if terrain.code == EMPTY]
    has_terrain_below = np.zeros((battlemap.grid.height, battlemap.grid.width), bool)
    for layer in battlemap.layers:
        plane = layer.planes.get("terrain")
        if plane is not None:
            if (has_terrain_below & np.isin(plane, empty_codes)).any():
                return True
            has_terrain_below |= plane != SYSTEM.terrain.unset
    return False
