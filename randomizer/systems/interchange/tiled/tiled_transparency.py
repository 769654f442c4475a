"""The colours of terrains with transparent pictures, on a map of Tiled.

    coloured_by_below(terrains, layers).terrain_set     # trees on grass have the colour of grass

In Tiled one sees through the transparent pixels of a tile to the layers below it. Here a cell shows
its topmost terrain alone. A terrain with a transparent picture therefore gets the colour of the
terrain that is mostly below it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.systems.free.system import SYSTEM

if TYPE_CHECKING:
    from randomizer.model.map.layer import Layer
    from randomizer.model.terrain.terrain import TerrainSet
    from randomizer.systems.interchange.tiled.tiled_terrains import TiledTerrains


class ColouredTerrains(NamedTuple):
    """A terrain set whose transparent terrains have the colours of what lies below them."""

    terrain_set: TerrainSet

    hidden_count: int
    """How many cells of layers lie below a transparent terrain, and are not seen here."""


def coloured_by_below(terrains: TiledTerrains, layers: Sequence[Layer]) -> ColouredTerrains:
    """Give each terrain with a transparent picture the colour of the one mostly below it.

    ``layers`` are those of the map, from the lowest to the topmost.
    """
    counts = _counts_of_pairs(layers, terrains.transparent_indices)
    coloured = list(terrains.terrain_set.terrains)
    # From the rarest pair to the most frequent one, whose colour remains.
    for (upper, lower), _count in reversed(counts.most_common()):
        if coloured[upper].asset:
            coloured[upper] = replace(coloured[upper], colour=coloured[lower].colour)
    terrain_set = replace(terrains.terrain_set, terrains=tuple(coloured))
    return ColouredTerrains(terrain_set, counts.total())


def _counts_of_pairs(
    layers: Sequence[Layer], transparent: frozenset[int]
) -> Counter[tuple[int, int]]:
    """Count on how many cells a transparent terrain lies on which terrain.

    The keys are the indices of the upper and the lower terrain. Hidden layers do not count.
    """
    counts = Counter[tuple[int, int]]()
    planes = []
    for layer in layers:
        if layer.visible and "terrain" in layer.planes:
            planes.append(layer.planes["terrain"])
    if not planes:
        return counts
    unset = SYSTEM.terrain.unset
    transparent_indices = sorted(transparent)
    # Layer by layer upwards: what is seen so far, on which the next layer lies.
    seen = planes[0].copy()
    for plane in planes[1:]:
        is_seen_through = (seen != unset) & np.isin(plane, transparent_indices)
        # Indices have 16 bits each, so that np.unique counts pairs of them as one number.
        pairs = plane[is_seen_through].astype(np.uint32) << 16 | seen[is_seen_through]
        distinct_pairs, pair_counts = np.unique(pairs, return_counts=True)
        for pair, count in zip(distinct_pairs.tolist(), pair_counts.tolist(), strict=True):
            upper = pair >> 16
            lower = pair & 0xFFFF
            counts[upper, lower] += count
        np.copyto(seen, plane, where=plane != unset)
    return counts
