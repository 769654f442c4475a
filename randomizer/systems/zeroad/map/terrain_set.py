"""Makes the terrain set of a 0 A.D. map: each texture of the map becomes a terrain.

    terrain_set_of(["medit_dirt", "medit_sand"])      # terrains with these names, in this order

The textures themselves belong to the game, which need not be installed. ``texture_looks`` finds a
colour and a picture for each by the words of its name: "medit_sand_wet" is sand. Textures of one
map that would have nearly the same colour get different ones, so that they can be told apart. It is
imported only where it is needed, since its tables of words are read then.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from randomizer.model.basics.caches import KB, registered
from randomizer.model.terrain.terrain import Terrain, TerrainSet

NAME = "Textures"
"""The name of all terrain sets of 0 A.D. maps."""


def _texture(name: str, colour: str, picture: str) -> Terrain:
    """Return the terrain of a texture; it is the ground alone, so that it hides nothing."""
    return Terrain(name, colour, picture=picture, blocks_sight=False)


NEW_MAP = TerrainSet(
    NAME,
    (
        _texture("medit_grass_field", "#a5b25e", "Grassland"),
        _texture("medit_grass_field_dry", "#b7ac59", "Grassland"),
        _texture("medit_forestfloor_a", "#707e44", "Woods"),
        _texture("medit_dirt", "#a58c5e", "Stone"),
        _texture("medit_rocks", "#9e977b", "Stone"),
        _texture("medit_cliff_greek", "#8d8f79", "Mountains"),
        _texture("medit_sand", "#d2bf7c", "Sand"),
        _texture("medit_sand_wet", "#aa9a65", "Sand"),
        _texture("medit_road_broken", "#b0a480", "Pavement"),
    ),
)
"""The textures of a new empty map.

Their colours and pictures are written out, so that the program starts without looking at words of
names. A test compares them with the result of ``terrain_of``.
"""


def terrain_set_of(texture_names: Sequence[str]) -> TerrainSet:
    """Return the terrain set of a map with these textures: code i is the texture with index i."""
    return _terrain_set(tuple(texture_names))


@registered(bytes_each=100 * KB)
@lru_cache(maxsize=8)
def _terrain_set(names: tuple[str, ...]) -> TerrainSet:
    """Return the terrain set of textures.

    A texture whose colour is too like that of an earlier one gets another colour.
    """
    from randomizer.systems.zeroad.map.texture_looks import looks_of

    terrains = (
        _texture(name, look.colour, look.picture)
        for name, look in zip(names, looks_of(names), strict=True)
    )
    return TerrainSet(NAME, tuple(terrains))


def terrain_of(name: str) -> Terrain:
    """Return the terrain of a texture in its own colour, whatever other textures a map has."""
    from randomizer.systems.zeroad.map.texture_looks import look_of

    look = look_of(name)
    return _texture(name, look.colour, look.picture)


def terrains_without_game() -> tuple[Terrain, ...]:
    """Return the textures of a new map and of all biomes of the package, by name.

    They are for whoever has no game installed.
    """
    from randomizer.systems.zeroad.map.mod_library import library_data

    names = {terrain.name for terrain in NEW_MAP.terrains}
    for biome in library_data("biomes.json").values():
        for textures in biome["textures"].values():
            # A biome has one texture for a kind of ground, or several that are mixed.
            if isinstance(textures, str):
                names.add(textures)
            else:
                names.update(textures)
    return tuple(map(terrain_of, sorted(names)))
