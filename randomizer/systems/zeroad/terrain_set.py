"""The terrain set of a map: its textures, by their names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from randomizer.model.terrain import Terrain, TerrainSet
from randomizer.systems.zeroad.texture_looks import looks_of

NAME = "Textures"


def terrain_set_of(texture_names: Sequence[str]) -> TerrainSet:
    """The terrain set of a map with these textures: code i is the texture with index i."""
    return _terrain_set(tuple(texture_names))


@lru_cache(maxsize=64)
def _terrain_set(names: tuple[str, ...]) -> TerrainSet:
    looks = looks_of(names)
    terrains = (
        Terrain(name, look.colour, picture=look.picture)
        for name, look in zip(names, looks, strict=True)
    )
    return TerrainSet(NAME, tuple(terrains))


NEW_MAP = terrain_set_of(
    (
        "medit_grass_field",
        "medit_grass_field_dry",
        "medit_forestfloor_a",
        "medit_dirt",
        "medit_rocks",
        "medit_cliff_greek",
        "medit_sand",
        "medit_sand_wet",
        "medit_road_broken",
    )
)
"""The textures of a new empty map."""
