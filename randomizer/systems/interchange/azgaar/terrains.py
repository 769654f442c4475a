"""Chooses the terrains and elevations of a map that is made of an export of Azgaar's generator.

A cell of the export has a biome and a height. The code of its terrain is the biome, with ", hills"
or ", mountains" where it is so high that the generator draws these: "Taiga, hills". A lake has the
code "Lake, " and its kind, such as "Lake, salt". ``azgaar`` calls the functions in their order: the
lakes are levelled last, when the map has its terrains and elevations.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.regions import MapRegion, fault_in_region
from randomizer.model.planes.planes import Plane
from randomizer.model.terrain.terrain import Terrain
from randomizer.systems.free.level_water import elevations_of_water
from randomizer.systems.interchange.azgaar.document import word_of
from randomizer.systems.interchange.azgaar.hex_shares import Samples
from randomizer.systems.interchange.azgaar.world import HIGHEST, SEA_LEVEL, World
from randomizer.systems.interchange.foreign.terrain_codes import Codes
from randomizer.systems.interchange.foreign.texts import words_in
from randomizer.systems.interchange.nearest_points import Indices

HEIGHTS_OF_STEP = 10
"""The heights of the generator, of 0 to 100, that are one elevation here.

With more of them the land gets flatter.
"""

HILLS_FROM = 50
"""From this height on the generator draws hills, whatever grows there."""

MOUNTAINS_FROM = 71
"""From this height on the generator draws mountains, whatever grows there."""

LAKE = "Lake"
"""The beginning of the codes of lakes."""

_BIOME_WORDS = {
    "marine": ["sea"],
    "rainforest": ["jungle"],
    "taiga": ["conifer"],
    "tundra": ["snow"],
}
"""Words by which pictures are found, for words of biomes by which none is."""


HIGHEST_ELEVATION = HIGHEST // HEIGHTS_OF_STEP
"""The elevation of the highest land."""


def number_terrain_codes(world: World, codes: Codes) -> Indices:
    """Return the number of each cell's terrain, (cells,), and add their codes to ``codes``."""
    lake_codes: dict[int, str] = {}  # by the number of the feature
    for number, feature in world.document.entries("pack", "features"):
        if feature.get("type") == "lake":
            kind = word_of(feature.get("group")) or "freshwater"
            lake_codes[number] = f"{LAKE}, {kind}"
    numbers = []
    for height, biome, feature in zip(
        world.heights.tolist(), world.biomes.tolist(), world.features.tolist(), strict=True
    ):
        code = world.biome_names[biome]
        if height < SEA_LEVEL:
            code = lake_codes.get(feature, code)
        elif height >= MOUNTAINS_FROM:
            code += ", mountains"
        elif height >= HILLS_FROM:
            code += ", hills"
        numbers.append(codes.number(code))
    return np.array(numbers, np.intp)


def words_of(code: str) -> list[str]:
    """Return the words of a code by which its terrain gets a picture.

    On mountains the biome does not count, but for ice: these are peaks.
    """
    words = words_in(code)
    if "mountain" in words:
        if words & {"glacier", "tundra"}:
            return ["peak"]
        return ["mountain"]
    picture_words = list(words)
    for word in words:
        picture_words += _BIOME_WORDS.get(word, [])
    return picture_words


def coloured(world: World, terrain: Terrain) -> Terrain:
    """Return a terrain in the colour that the export has for its biome, if it has no picture.

    A terrain with a picture is returned as it is, and so is one whose biome has no usable colour.
    """
    colours = world.document.list_at("biomesData", "color")
    biome_name, _comma, _height = terrain.code.partition(", ")
    if terrain.picture or biome_name not in world.biome_names:
        return terrain
    biome = world.biome_names.index(biome_name)
    if biome >= len(colours):
        return terrain
    colour = colours[biome]
    # The check of a region's colour is that of every colour.
    if isinstance(colour, str) and not fault_in_region(MapRegion(biome_name, colour)):
        return replace(terrain, colour=colour)
    return terrain


def elevations(world: World, samples: Samples, is_land: NDArray[np.bool_]) -> Plane:
    """Return the plane of elevations, (rows, columns): the mean of the heights in each hex.

    The sea has the elevation 0, the lowest land 1. ``samples`` are the points that count in each
    hex, ``is_land`` (hexes,) tells which hexes are land.
    """
    # A hex without any point has the sum 0; dividing it by 1 instead of 0 is harmless.
    counts = np.maximum(1, np.bincount(samples.hexes, minlength=world.grid.size))
    sums = np.bincount(
        samples.hexes, weights=world.heights[samples.cells], minlength=world.grid.size
    )
    steps = (sums / counts - SEA_LEVEL) // HEIGHTS_OF_STEP + 1
    levels = np.where(is_land, np.clip(steps, 1, HIGHEST_ELEVATION), 0)
    return levels.astype(np.int16).reshape(world.shape)


def level_lakes(world: World, battlemap: BattleMap) -> None:
    """Set the elevations of lakes to those of their shores, in the planes of the map.

    In an export the cells of lakes have heights below the sea.
    """
    planes = battlemap.layers[0].planes
    terrain = planes["terrain"].reshape(-1)
    elevation = planes["elevation"].reshape(-1)
    is_lake = np.array(
        [kind.water and kind.code.startswith(LAKE) for kind in battlemap.terrain_set.terrains]
    )
    lakes = np.flatnonzero(is_lake[terrain])
    # Lakes begin at the top, since ``elevations_of_water`` takes the lowest of a lake and its
    # shore. ``elevation`` and ``terrain`` are views: the plane of the layer changes with them.
    elevation[lakes] = HIGHEST_ELEVATION
    levels = elevations_of_water(
        world.grid, battlemap.terrain_set, terrain, elevation, lakes, terrain[lakes]
    )
    if levels is not None:
        elevation[lakes] = levels
