"""Levels water that a user paints: a lake or sea has the same elevation everywhere.

``FreeSystem.accompanying_changes`` calls ``elevations_of_water`` for each stroke of the brush, with
the cells that it paints. A stroke can paint several waters at once: an *area* is a connected piece
of what it paints as water. For instance, in a row of cells of which the middle three are painted:

    elevations before     4  3  2  5  6
    painted               .  w  w  w  .
    elevations after      4  2  2  2  6      the lowest ground in the area and beside it
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.planes.planes import Plane
from randomizer.model.terrain.terrain import TerrainSet

MAX_PARTED = 20_000
"""The most cells of water of a stroke that are divided into areas, which takes a second.

If there are more, all of them count as one area.
"""

_NO_LEVEL = np.iinfo(np.int64).max
"""Stands for "no elevation" where the lowest one is looked for: all others are lower."""


def elevations_of_water(
    grid: Grid,
    terrain_set: TerrainSet,
    terrain: Plane,
    elevation: Plane,
    cells: NDArray[np.intp],
    painted: Plane,
) -> Plane | None:
    """Return the elevations (n,) that ``cells`` (n,) get when terrains are ``painted`` (n,) there.

    ``terrain`` and ``elevation`` are those of all cells of the map before the stroke; ``painted``
    are the new terrain codes.

    Each area of painted water gets one elevation: that of the lowest water beside it, so that a new
    bay is as low as the sea; without water beside it, that of the lowest ground in it and beside
    it, so that a lake lies in a hollow. Painted cells of land keep their elevation. The result is
    None if no water is painted, and for tactical terrain sets, whose streams and ponds lie at the
    levels of their board.
    """
    if terrain_set.tactical:
        return None
    is_water = np.array([kind.water for kind in terrain_set.terrains])
    is_painted_water = is_water[painted]
    if not is_painted_water.any():
        return None

    # The painted cells of water, (m,), ascending; and the area of each, by a number below m.
    water = np.unique(cells[is_painted_water])
    sides = range(grid.degree)
    neighbours = np.stack([grid.neighbours_of(water, side) for side in sides], axis=1)
    areas = _areas(water, neighbours)

    # The lowest water beside each of them, and the lowest ground in and beside it; then the lowest
    # of these in each area.
    levels_beside = _levels_beside(water, neighbours, is_water, terrain, elevation)
    lowest_water = np.full(len(water), _NO_LEVEL)
    lowest_ground = np.full(len(water), _NO_LEVEL)
    np.minimum.at(lowest_water, areas, levels_beside.water)
    np.minimum.at(lowest_ground, areas, levels_beside.ground)
    level_of_area = np.where(lowest_water < _NO_LEVEL, lowest_water, lowest_ground)

    # The levels go to the painted cells of water, in the order of ``cells``; land stays as it is.
    levels = level_of_area[areas]
    new_elevations = elevation[cells].copy()
    new_elevations[is_painted_water] = levels[np.searchsorted(water, cells[is_painted_water])]
    return new_elevations


class _LevelsBeside(NamedTuple):
    """Elevations around m cells that are painted as water, (m,) each."""

    water: NDArray[np.int64]
    """The lowest water beside each cell; ``_NO_LEVEL`` for none."""

    ground: NDArray[np.int64]
    """The lowest ground of the cell itself and of the cells beside it."""


def _levels_beside(
    cells: NDArray[np.intp],
    neighbours: NDArray[np.intp],
    is_water: NDArray[np.bool_],
    terrain: Plane,
    elevation: Plane,
) -> _LevelsBeside:
    """Return the elevations around ``cells`` (m,), which are painted as water.

    ``neighbours`` (m, degree) are those of the cells, -1 for none. ``is_water`` tells of each
    terrain code whether it is water; ``terrain`` and ``elevation`` are those of all cells of the
    map before the stroke.
    """
    # A neighbour that is painted as water, too, or does not exist, is replaced by the cell itself:
    # so it changes nothing in a minimum.
    is_beside = (neighbours >= 0) & ~np.isin(neighbours, cells)
    cells_beside = np.where(is_beside, neighbours, cells[:, None])
    elevations_beside = elevation[cells_beside].astype(np.int64)
    is_water_beside = is_beside & is_water[terrain[cells_beside]]
    return _LevelsBeside(
        water=np.where(is_water_beside, elevations_beside, _NO_LEVEL).min(axis=1),
        ground=np.minimum(elevations_beside.min(axis=1), elevation[cells]),
    )


def _areas(cells: NDArray[np.intp], neighbours: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the area of each of ``cells`` (n,), which are ascending and have no duplicates.

    An area is known by the index in ``cells`` of its first cell. ``neighbours`` (n, degree) are
    those of the cells, -1 for none. ``flood.number_areas`` tells the same, but looks at the whole
    map, at each step of a stroke on a million cells.
    """
    own_indices = np.arange(len(cells))
    if len(cells) > MAX_PARTED:
        return np.zeros_like(own_indices)
    # The indices of the neighbours; one that is not among the cells is replaced by the cell itself.
    indices = np.searchsorted(cells, neighbours).clip(0, len(cells) - 1)
    indices = np.where(cells[indices] == neighbours, indices, own_indices[:, None])

    # Each cell takes the lowest index that any of its neighbours has, until none changes. An index
    # is that of a cell, whose own index may be lower by now: it is replaced by that one ("pointer
    # jumping"). So low indices spread over an area in few rounds.
    areas = own_indices
    while True:
        lower_areas = np.minimum(areas, areas[indices].min(axis=1))
        lower_areas = lower_areas[lower_areas]
        if (lower_areas == areas).all():
            return areas
        areas = lower_areas
