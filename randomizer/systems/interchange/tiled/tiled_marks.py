"""What the tiles of our own tilesets stand for.

A map that we write for Tiled has tiles for hexsides, ways and heights, too. What a tile stands for,
its ``Mark``, is written into the tileset as properties of the tile, and read again when the map
comes back. A mark names terrains, hexsides and ways, since their numbers may be others by then::

    Mark("hexside", "w", side=2)        a wall on side 2 of a cell
    Mark("elevation", value=3)          height 3
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from randomizer.formats.tile_looks import Look
from randomizer.model.planes.planes import PlaneSpec
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.systems.free.system import SYSTEM

OUR_KEY = "battlelands"
"""The property of a tileset whose tiles have marks, and of layers that are ours."""


class Mark(NamedTuple):
    """The value of a plane that a tile stands for, whatever terrain set the map has::

    plane        name                  side          value
    "terrain"    its code or name      0             0
    "hexside"    its letter            its number    0
    "way"        the name of the way   0             its mark and sides, as bits
    others       ""                    0             the value
    """

    plane: str = "terrain"
    """The plane, "way" for that of any way."""

    name: str = ""
    """The code or name of a terrain, the letter of a hexside, or the name of a way."""

    side: int = 0
    """The side of a plane with sides."""

    value: int = 0
    """The value of a plane whose values have no names, and the links of a way."""


class Marks:
    """Converts marks to values of planes and back, by the names of one terrain set."""

    def __init__(self, terrain_set: TerrainSet) -> None:
        self._names: dict[str, list[str]] = {
            "terrain": [key_of(terrain) for terrain in terrain_set.terrains],
            "hexside": ["", *(hexside.letter for hexside in terrain_set.hexsides)],
        }
        """The names of the values of planes that have some; 0 is "no hexside"."""
        self._ways = [way.name for way in terrain_set.ways]
        """The names of the ways; the n-th is in the n-th plane of ways."""
        self._values = {plane: _first_indices(names) for plane, names in self._names.items()}
        """The values of those planes, by name."""

    def mark_of(self, spec: PlaneSpec, side: int, value: int) -> Mark:
        """Return the mark of a value of a plane; ``side`` is 0 for a plane without sides."""
        if spec.name in self._names:
            return Mark(spec.name, self._names[spec.name][value], side)
        if spec in SYSTEM.ways:
            return Mark("way", self._ways[SYSTEM.ways.index(spec)], value=value)
        return Mark(spec.name, value=value)

    def look_of(self, mark: Mark) -> Look | None:
        """Return the value of a plane that a mark stands for; None if the terrain set lacks it."""
        plane = mark.plane
        value = mark.value
        if plane in self._values:
            value = self._values[plane].get(mark.name, -1)
        elif plane == "way":
            if mark.name not in self._ways:
                return None
            plane = SYSTEM.ways[self._ways.index(mark.name)].name
        for spec in SYSTEM.planes:
            if spec.name != plane:
                continue
            lowest, highest = spec.limits
            if lowest <= value <= highest:
                return Look(plane, mark.side, value)
        return None


def _first_indices(names: Sequence[str]) -> dict[str, int]:
    """Return the index of each name in a list, the first one of a name that comes twice."""
    indices = dict[str, int]()
    for index, name in enumerate(names):
        indices.setdefault(name, index)
    return indices


def key_of(terrain: Terrain) -> str:
    """Return the name by which tiles of ours refer to a terrain."""
    return terrain.code or terrain.name
