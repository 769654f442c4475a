"""Plants forests on a map in the making.

    spot = builder.find_spot(ring, builder.dry_tiles)
    count = plant_forest(builder, 30, spot, builder.dry_tiles)      # of trees, at most 30

Lengths are in tiles.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.zeroad.generators.map_builder import MapBuilder
from randomizer.systems.zeroad.generators.tile_box import Mask, Point, TileBox, box_around

_FARTHEST_FLOOR = 2
"""The tiles beyond the root of the number of trees within which the floor of a forest lies.

The floor has 1.5 tiles a tree, which fill a circle of 0.7 times that root: all of them are in
reach, even where the edge is irregular.
"""

_TREES_OF_BOTH_KINDS = 3
"""The number of trees of which, on an average, ``_TREES_OF_FIRST_KIND`` are of the first kind."""

_TREES_OF_FIRST_KIND = 2
"""The number of these that are of the first kind; the others are of the second."""

_FLOOR_OF_TREE = 1.5
"""The tiles of a forest's floor for each of its trees: with fewer it has no gaps."""

_FOREST_BLUR = 0.45
"""The share of a forest's radius by which its edge is irregular."""

_PLACES_IN_TILE = (0.2, 0.8)
"""The range of a tree's position within its tile, along x and z; if wider, some trees overlap."""


def plant_forest(builder: MapBuilder, count: int, spot: Point | None, where: Mask) -> int:
    """Plant up to ``count`` trees around a spot, and return how many were planted.

    A forest has two kinds of trees of the biome. It grows on free tiles of ``where``, from the
    spot to an irregular edge. Without a spot (None) nothing is planted.
    """
    if spot is None:
        return 0

    # Its floor, which has more tiles than trees. No other entity gets a place on it.
    reach = _FARTHEST_FLOOR + math.sqrt(count)
    box = box_around(builder.size, spot.x, spot.z, reach)
    floor_tiles = _forest_floor(builder, box, reach, int(count * _FLOOR_OF_TREE), where)
    is_floor = box.mask_on_map(floor_tiles, builder.size)
    builder.paint(builder.biome["textures"]["forest"], is_floor)

    # The trees, on tiles of the floor that are drawn, so that there are gaps.
    trees = builder.biome["trees"]
    first_tree = builder.draws.index(len(trees))
    first_kind = trees[first_tree]
    second_kind = trees[(first_tree + 1) % len(trees)]
    shuffled_tiles = builder.draws.shuffled(floor_tiles.tolist())
    tree_tiles = shuffled_tiles[:count]  # fewer where the floor has found no room
    for tile in tree_tiles:
        corner = box.corner_of(tile)
        x = corner.x + builder.draws.number(*_PLACES_IN_TILE)
        z = corner.z + builder.draws.number(*_PLACES_IN_TILE)
        kind = second_kind
        if builder.draws.index(_TREES_OF_BOTH_KINDS) < _TREES_OF_FIRST_KIND:
            kind = first_kind
        builder.place(kind, x, z)
    builder.occupy_tiles(is_floor)
    return len(tree_tiles)


def _forest_floor(
    builder: MapBuilder, box: TileBox, reach: float, count: int, where: Mask
) -> NDArray[np.intp]:
    """Return the floor of a forest: flat indices of up to ``count`` tiles of a box.

    They are those free tiles among ``where`` that are nearest to the middle of the box, by
    distances that are blurred by draws of up to a part of ``reach``: so the edge is irregular.
    """
    blur = builder.draws.field(*box.distances.shape) * reach * _FOREST_BLUR
    blurred_distances = box.distances + blur
    is_allowed = (where & builder.free)[box.rows, box.columns]
    blurred_distances[~is_allowed] = np.inf  # so these come last, and are cut off
    nearest_tiles = np.argsort(blurred_distances, axis=None, kind="stable")
    allowed_count = np.count_nonzero(is_allowed)
    return nearest_tiles[: min(count, allowed_count)]
