"""Paints the ground of a map in the making with the textures of its biome.

Heights are in metres above the water, lengths in tiles.
"""

from __future__ import annotations

from randomizer.systems.zeroad.generators.draws import noise
from randomizer.systems.zeroad.generators.map_builder import STEEP, MapBuilder

_SHORE_FROM = -1.2
"""The lowest ground that is painted as shore; below it is seabed."""

_LAND_FROM = 1.3
"""The lowest ground that is painted as land. If it is larger, shores are wider."""

_HILL_FROM = 7
"""The lowest ground that is painted as hill, where it is steep enough."""

_HILL_SLOPE = 1.2
"""The least rise of a tile in metres for that: with a larger one more of a hill looks like land."""

# Patches of land with another texture.

_PATCH_NOISE = 0.35
"""Beyond this noise, above and below, land has another texture; if larger, patches are smaller."""

_PATCH_WIDTH = 14
"""The width of such patches in tiles, roughly."""


def paint_ground(builder: MapBuilder) -> None:
    """Paint all tiles with textures of the biome, by height and slope.

    The land has a usual texture, and patches of two other ones, as noise is high or low.
    """
    textures = builder.biome["textures"]
    is_land = builder.ground >= _LAND_FROM
    is_shore = (builder.ground >= _SHORE_FROM) & ~is_land
    builder.paint(textures["seabed"], builder.ground < _SHORE_FROM)
    builder.paint(textures["shore"], is_shore)
    usual, high_patch, low_patch = textures["main"]
    patches = noise(builder.draws, builder.size, _PATCH_WIDTH)
    builder.paint(usual, is_land)
    builder.paint(high_patch, is_land & (patches > _PATCH_NOISE))
    builder.paint(low_patch, is_land & (patches < -_PATCH_NOISE))
    is_hill = (builder.ground > _HILL_FROM) & (builder.slope > _HILL_SLOPE)
    builder.paint(textures["hill"], is_land & is_hill)
    builder.paint(textures["cliff"], is_land & (builder.slope > STEEP))
