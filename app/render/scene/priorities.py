"""Which terrain reaches over which: the priority of every picture."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.terrain import TerrainSet

ORDER = (
    ("Void",),
    ("Open sea",),
    ("Lake", "River"),
    ("Shallows",),
    ("TarPit",),
    ("Spring",),
    ("Swamp", "Bog", "Marsh"),
    ("Mist",),
    ("Sand", "Desert"),
    ("Plains", "Grassland"),
    ("Farmland", "Field"),
    ("Brambles", "Vineyard", "Orchard", "Olive grove"),
    ("Tree", "Woods", "Deciduous trees", "Palm trees", "Jungle"),
    ("Conifers", "Coniferous trees"),
    ("Hills",),
    ("Stone", "Cliff", "Mountains", "Mountain"),
    ("Drift", "Ice"),
    ("Volcano",),
    ("Pavement", "Tower", "Houses", "Settlement", "Village", "Town", "City"),
)
"""Pictures from the lowest terrain to the highest; a higher one reaches into a lower one's cell.

Pictures in one row are ordered by the terrain set, and so are unknown ones, above the plains.
"""

_RANKS = {picture: rank for rank, row in enumerate(ORDER) for picture in row}

UNKNOWN = _RANKS["Plains"] + 0.5


@lru_cache(4)
def priorities(terrain_set: TerrainSet) -> NDArray[np.intp]:
    """The priority of each terrain of a set, all different: shape (terrains,)."""
    ranks = [
        _RANKS.get(terrain.picture or terrain.name, 0.5 if terrain.water else UNKNOWN)
        for terrain in terrain_set.terrains
    ]
    found = np.empty(len(ranks), np.intp)
    found[np.argsort(ranks, kind="stable")] = np.arange(len(ranks))
    return found
