"""The elevation of water that a hand paints: a sea has no steps in it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.planes.planes import Plane
from randomizer.model.terrain.terrain import TerrainSet

MOST_PARTED = 20_000
"""More cells painted at once are taken for one area; telling apart as many takes a second."""


def elevations_of_water(
    grid: Grid,
    terrain_set: TerrainSet,
    terrain: Plane,
    elevation: Plane,
    cells: NDArray[np.intp],
    painted: Plane,
) -> Plane | None:
    """Return the elevations (n,) that ``cells`` (n,) get when terrains are ``painted`` (n,) there.

    ``terrain`` and ``elevation`` (cells,) are what the map shows before.
    Each area of painted water has one level: that of the lowest water beside it, else that of the
    lowest ground in it and beside it, so that a lake lies in a hollow and a new bay as low as the
    sea. Other cells keep theirs. None if no water is painted, and for tactical terrains, whose
    streams and ponds lie at the levels of their board.
    """
    if terrain_set.tactical:
        return None
    is_water = np.array([kind.water for kind in terrain_set.terrains])
    is_painted_water = is_water[painted]
    if not is_painted_water.any():
        return None
    result = elevation[cells].copy()
    water = np.unique(cells[is_painted_water])
    sides = range(grid.degree)
    neighbours = np.stack([grid.neighbours_of(water, side) for side in sides], axis=1)
    areas = _areas(water, neighbours)
    is_beside = (neighbours >= 0) & ~np.isin(neighbours, water)
    beside = np.where(is_beside, neighbours, water[:, None])
    no_level = np.iinfo(np.int64).max
    heights_beside = elevation[beside].astype(np.int64)
    of_water = np.where(is_beside & is_water[terrain[beside]], heights_beside, no_level)
    lowest_water = np.full(len(water), no_level)
    lowest_ground = np.full(len(water), no_level)
    np.minimum.at(lowest_water, areas, of_water.min(axis=1))
    lowest = np.minimum(heights_beside.min(axis=1), elevation[water])
    np.minimum.at(lowest_ground, areas, lowest)
    levels = np.where(lowest_water < no_level, lowest_water, lowest_ground)[areas]
    result[is_painted_water] = levels[np.searchsorted(water, cells[is_painted_water])]
    return result


def _areas(cells: NDArray[np.intp], neighbours: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return for each cell the place in ``cells`` (ascending) of the first cell of its area, (n,).

    ``neighbours`` (n, degree) are those of the cells, -1 for none. ``flood.number_areas`` tells the
    same, but looks at the whole map, at each step of a stroke on a million cells.
    """
    areas = np.arange(len(cells))
    if len(cells) > MOST_PARTED:
        return np.zeros_like(areas)
    rows = np.searchsorted(cells, neighbours).clip(0, len(cells) - 1)
    rows = np.where(cells[rows] == neighbours, rows, areas[:, None])
    while True:
        joined = np.minimum(areas, areas[rows].min(axis=1))
        joined = joined[joined]  # as far as the cell that it has come from has come by now
        if (joined == areas).all():
            return areas
        areas = joined
