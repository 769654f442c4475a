"""Which variant of its terrain's picture a cell shows, so that large areas do not repeat."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from app.render.picture_source import variants_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.terrain import TerrainSet

MOST_VARIANTS = 4


def variants_at(
    terrain_set: TerrainSet, terrain: NDArray[np.intp], cells: NDArray[np.intp]
) -> NDArray[np.intp]:
    """The variant of each of ``cells`` (n,), which have these terrain codes (n,)."""
    last = _last_variants(terrain_set)
    if not last.any():
        return np.zeros(len(cells), np.intp)
    return np.asarray(hashed(cells, 2) & last[terrain])


def hashed(cells: NDArray[np.intp], bits: int) -> NDArray[np.intp]:
    """A number of so many bits for each of ``cells`` (n,), without a visible pattern."""
    mixed = cells.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return (mixed >> np.uint64(64 - bits)).astype(np.intp)


@lru_cache(64)
def _last_variants(terrain_set: TerrainSet) -> NDArray[np.intp]:
    """The number of the last variant of each terrain, 0 for pictures without variants."""
    return np.array([variants_of(terrain) - 1 for terrain in terrain_set.terrains], np.intp)
