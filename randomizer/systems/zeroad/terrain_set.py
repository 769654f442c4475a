"""The terrain set of a map: its textures, by their names."""

from __future__ import annotations

from collections.abc import Sequence

from randomizer.model.terrain import Terrain, TerrainSet

NAME = "Textures"

NEW_MAP = TerrainSet(
    NAME,
    (
        Terrain("medit_grass_field", "#a8c46c", picture="Grassland"),
        Terrain("medit_grass_field_dry", "#c9bf74", picture="Grassland"),
        Terrain("medit_forestfloor_a", "#3e7c46", picture="Woods"),
        Terrain("medit_dirt", "#a5825c", picture="Stone"),
        Terrain("medit_rocks", "#98785a", picture="Stone"),
        Terrain("medit_cliff_greek", "#8f857a", picture="Mountains"),
        Terrain("medit_sand", "#e4cf8d", picture="Sand"),
        Terrain("medit_sand_wet", "#cdb77c", picture="Sand"),
        Terrain("medit_road_broken", "#b4b0a8", picture="Pavement"),
    ),
)
"""The textures of a new empty map."""


def terrain_set_of(texture_names: Sequence[str]) -> TerrainSet:
    """The terrain set of a map with these textures: code i is the texture with index i."""
    known = {terrain.name: terrain for terrain in NEW_MAP.terrains}
    return TerrainSet(
        NAME, tuple(known.get(each, Terrain(each, "#a8c46c")) for each in texture_names)
    )
