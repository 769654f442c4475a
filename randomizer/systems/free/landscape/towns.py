"""Chooses the sites of towns, and puts the towns and their fields into the terrain.

Each cell of land gets a score: for its soil, for the sea, lake or river beside it, for a mouth or
a confluence, and by chance. The best cells become towns, from the best one on, but none near to a
town that was chosen before. The first of them are cities.

``landscape`` calls ``towns_of`` for the sites, then ``add_towns``, which changes the terrain. The
tuned numbers have no other source than how the maps look.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.box import Box
from randomizer.model.grid.cells_in_box import cells_in_box
from randomizer.model.grid.grid import Grid
from randomizer.model.planes.routes import has_side
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.systems.free.landscape.drainage import steps_to_nearest
from randomizer.systems.free.landscape.links import Links
from randomizer.systems.free.landscape.noise import Noise
from randomizer.systems.free.landscape.relief import Relief
from randomizer.systems.free.landscape.rivers import Rivers
from randomizer.systems.free.landscape.settings import MAX_TOWNS, Choices
from randomizer.systems.free.landscape.terrain_names import BUILT_UP, DENSELY_BUILT_UP, FARMLAND

CHANCE_NOISE_SITE = 14 << 8
"""The site of the noise by which one of several equal cells is better for a town.

The site of noise keeps its dice apart from those of other noise.
"""

FIELDS = 15 << 8
"""The site of the noise by which fields reach less or farther from a settlement."""

_WORTH = {
    "Grassland": 1.2,
    "Beach": 0.4,
    "Heath": 0.2,
    "Wood": 0.2,
    "Hills": -0.2,
    "Pine wood": -0.5,
    "Jungle": -1.0,
    "Swamp": -2.5,
    "Desert": -2.0,
    "Badlands": -2.5,
}
"""The score of a cell for a town by its terrain. On all other terrains there are no towns."""

_HARBOUR_SCORE = 1.2
"""The score beside the sea: as much as the best soil. All scores are in the unit of ``_WORTH``."""

_LAKE_SCORE = 0.8
"""The score beside a lake."""

_RIVER_SCORE = 1.2
"""The score on a river."""

_BANK_SCORE = 0.5
"""The score beside a river."""

_CONFLUENCE_SCORE = 1.8
"""The score where rivers meet, in addition to that of the river."""

_MOUTH_SCORE = 1.6
"""The score at the mouth of a river, in addition to those of the river and the shore."""

_SCORE_OF_RIVER_CELL = 0.12
"""The score for each cell of the river above a site, up to ``_LONG_RIVER``."""

_SCORE_OF_CHANCE = 1.2
"""The score that noise adds or takes away at most."""

_FERTILE = ("Grassland", "Wood", "Heath")
"""The terrains that become fields, the most fertile first."""

_STEPS_OF_FIELDS = (1.9, 1.0, 0.8)
"""The distances, in steps from a settlement, up to which fertile terrains become fields.

The first is that of the most fertile terrain that the terrain set has, whichever of ``_FERTILE`` it
is, and so on.
"""

_STEPS_OF_PATCHES = 1.2
"""The steps by which noise moves the edge of fields to and fro at most."""

_EXTRA_FIELD_STEPS_OF_CITY = 1
"""The steps by which the fields of a city reach farther."""

_EXTRA_FIELD_STEPS_OF_TOWN = 0.4
"""The steps by which the fields of a town reach farther."""

_CELLS_FOR_TOWN = 60
"""The cells of land for each town of a small map, if the settings do not say how many there are."""

_MIN_TOWNS = 2
"""The least number of towns of a map, if the settings do not say how many there are."""

_TOWNS_OF_LARGE_MAP = 20
"""The towns of a large map, to which one for each ``_CELLS_FOR_FURTHER_TOWN`` is added."""

_CELLS_FOR_FURTHER_TOWN = 250
"""The cells of land for which a large map has one town more."""

_LONG_RIVER = 14
"""The length of a river, in cells, beyond which a site on it is not better any more."""

TOWNS_PER_CITY = 6
"""The number of towns of which one is a city, rounded up."""

_SPREAD = 0.62
"""The least distance of towns, as a share of that at which they would be spread evenly.

If it is larger, good places near a town are passed over for worse ones.
"""


class Waterside(Enum):
    """The water that a town lies at. Its name can tell of it: a town at the sea may be a port."""

    SEA = "sea"
    RIVER = "river"
    LAKE = "lake"
    NONE = "none"
    """The town lies at no water."""


class Town(NamedTuple):
    """A settlement."""

    cell: int

    is_city: bool

    waterside: Waterside


class TownLand(NamedTuple):
    """The land on which towns are to be put."""

    relief: Relief

    rivers: Rivers

    codes: NDArray[np.int64]
    """The terrain of each cell, (cells,)."""

    terrain_set: TerrainSet


class LockedLand(NamedTuple):
    """The part of the map that stays as it is."""

    is_locked: NDArray[np.bool_] | None = None
    """The cells on which no town is put, (cells,); None for none."""

    towns: Sequence[int] = ()
    """The cells of towns near which no other is put."""


NOTHING_LOCKED = LockedLand()


class _Waters(NamedTuple):
    """Marks of cells that have water near them; all fields are (cells,)."""

    beside_sea: NDArray[np.bool_]
    """Cells of land with a neighbour in the sea."""

    beside_lake: NDArray[np.bool_]
    """Cells outside of lakes with a neighbour in one."""

    beside_river: NDArray[np.bool_]
    """Cells without a river that have a neighbour with one."""

    mouth: NDArray[np.bool_]
    """Cells with a river that are beside the sea or a lake."""

    confluence: NDArray[np.bool_]
    """Cells where more than two arms of a river meet."""


def towns_of(
    grid: Grid,
    choices: Choices,
    noise: Noise,
    land: TownLand,
    locked: LockedLand = NOTHING_LOCKED,
) -> list[Town]:
    """Return the towns of a map, the best sites first; the first of them are cities."""
    # The cells where towns can be, and the number of towns.
    terrain_scores = _terrain_scores(land.terrain_set)[land.codes]
    soil_scores = np.where(land.relief.water, -np.inf, terrain_scores)
    if locked.is_locked is not None:
        soil_scores[locked.is_locked] = -np.inf
    sites = np.flatnonzero(soil_scores > -np.inf)
    count = choices.towns
    if count is None:
        count = _usual_count(len(sites))
    if not count or not len(sites):
        return []

    # The best of them, not too near to one another. Noise makes equal sites differ.
    waters = _waters(grid, land.relief, land.rivers)
    scores = _with_waters(soil_scores, waters, land.rivers)
    scores += _SCORE_OF_CHANCE * noise.plain(CHANCE_NOISE_SITE, 2.0)
    best_sites = sites[np.argsort(-scores[sites], kind="stable")]
    distance = _SPREAD * math.sqrt(len(sites) / count)
    cells = _spread(grid, best_sites, count, distance, locked.towns)

    cities = math.ceil(len(cells) / TOWNS_PER_CITY)
    towns = []
    for index, cell in enumerate(cells):
        waterside = _waterside(cell, waters, land.rivers)
        towns.append(Town(cell, is_city=index < cities, waterside=waterside))
    return towns


def _usual_count(sites: int) -> int:
    """Return the usual number of towns of a map; ``sites`` is the number of cells that can be one.

    It grows with the land, more slowly on large maps, and is ``MAX_TOWNS`` at most.
    """
    towns_of_small_map = max(sites // _CELLS_FOR_TOWN, _MIN_TOWNS)
    towns_of_large_map = _TOWNS_OF_LARGE_MAP + sites // _CELLS_FOR_FURTHER_TOWN
    return min(towns_of_small_map, towns_of_large_map, MAX_TOWNS)


def _terrain_scores(terrain_set: TerrainSet) -> NDArray[np.float64]:
    """Return the score of each terrain code, ``-inf`` where no town can be, (terrains,)."""
    scores = np.full(len(terrain_set.terrains), -np.inf)
    for name, value in _WORTH.items():
        if terrain_set.has_terrain(name):
            scores[terrain_set.terrain_code(name)] = value
    return scores


def _waters(grid: Grid, relief: Relief, rivers: Rivers) -> _Waters:
    """Return the marks of cells near the seas, lakes and rivers of a map."""
    table = grid.neighbour_table
    beside_sea = _is_beside(relief.sea, table)
    beside_lake = _is_beside(relief.lake, table)
    return _Waters(
        beside_sea,
        beside_lake,
        beside_river=_is_beside(rivers.runs, table),
        mouth=rivers.runs & (beside_sea | beside_lake),
        confluence=_count_arms(rivers.links, grid.degree) > 2,
    )


def _is_beside(marks: NDArray[np.bool_], table: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return a mask of the cells that are not marked and have a marked neighbour, (cells,)."""
    return np.asarray(steps_to_nearest(marks, table, limit=2) == 1)


def _with_waters(
    soil_scores: NDArray[np.float64], waters: _Waters, rivers: Rivers
) -> NDArray[np.float64]:
    """Return the scores of cells by their soil and the waters near them, (cells,)."""
    scores = soil_scores + (
        _HARBOUR_SCORE * waters.beside_sea
        + _LAKE_SCORE * waters.beside_lake
        + _RIVER_SCORE * rivers.runs
        + _CONFLUENCE_SCORE * waters.confluence
        + _MOUTH_SCORE * waters.mouth
    )
    length_score = _SCORE_OF_RIVER_CELL * np.minimum(rivers.length, _LONG_RIVER)
    return np.asarray(scores + (length_score + _BANK_SCORE * waters.beside_river))


def _count_arms(links: Links, degree: int) -> NDArray[np.int64]:
    """Return by how many sides a river runs in or out of each cell, (cells,)."""
    arms = np.zeros(len(links), np.int64)
    for side in range(degree):
        arms += has_side(links, side)
    return arms


def _waterside(cell: int, waters: _Waters, rivers: Rivers) -> Waterside:
    """Return the water that a town is named for: of several first the sea, then a river."""
    if waters.beside_sea[cell]:
        return Waterside.SEA
    if rivers.runs[cell]:
        return Waterside.RIVER
    if waters.beside_lake[cell]:
        return Waterside.LAKE
    return Waterside.NONE


def _spread(
    grid: Grid,
    cells: NDArray[np.intp],
    count: int,
    distance: float,
    locked_towns: Sequence[int],
) -> list[int]:
    """Return at most ``count`` of the cells, of which no two are nearer than ``distance`` cells.

    They are chosen in their order: each cell that is not too near to one chosen before, or to one
    of ``locked_towns``, is taken.
    """
    # The distance in map units, for which a cell counts as a square of its area.
    cell_size = math.sqrt(grid.layout.column_distance * grid.layout.row_distance)
    reach = distance * cell_size
    chosen_cells = list[int]()
    is_free = np.ones(grid.size, np.bool_)
    for cell in locked_towns:
        _block_cells_around(is_free, grid, cell, reach)
    for cell in cells.tolist():
        if not is_free[cell]:
            continue
        chosen_cells.append(cell)
        if len(chosen_cells) == count:
            break
        _block_cells_around(is_free, grid, cell, reach)
    return chosen_cells


def _block_cells_around(is_free: NDArray[np.bool_], grid: Grid, cell: int, reach: float) -> None:
    """Mark the cells around a cell as too near in ``is_free``, (cells,).

    ``reach`` is the distance in map units up to which they are.
    """
    shifts: tuple[float, ...] = (0.0,)
    if grid.wrap:
        # A town is also near cells on the other side of the seam.
        shifts = (-grid.period, 0.0, grid.period)
    x, y = grid.centre(cell)
    for shift in shifts:
        shifted_x = x + shift
        box = Box(shifted_x - reach, y - reach, shifted_x + reach, y + reach)
        near_cells, centres = cells_in_box(grid, box)
        offsets = centres - (shifted_x, y)
        is_within = (offsets * offsets).sum(axis=1) < reach * reach
        is_free[near_cells[is_within]] = False
    is_free[cell] = False  # with a reach of 0 not even the cell itself is within it


def add_towns(
    codes: NDArray[np.int64], grid: Grid, towns: list[Town], noise: Noise, terrain_set: TerrainSet
) -> None:
    """Put towns and cities into ``codes`` (cells,), in place, and fields around them."""
    is_city = _marks(grid, [town.cell for town in towns if town.is_city])
    is_town = _marks(grid, [town.cell for town in towns if not town.is_city])
    # Steps to the nearest settlement, counted as fewer where fields reach farther: around cities,
    # and where noise says so, so that fields have no round edge.
    patchiness = _STEPS_OF_PATCHES * noise.plain(FIELDS, 4.0)
    table = grid.neighbour_table
    steps_to_city = (
        steps_to_nearest(is_city, table, limit=4) - _EXTRA_FIELD_STEPS_OF_CITY - patchiness
    )
    steps_to_town = (
        steps_to_nearest(is_town, table, limit=3) - _EXTRA_FIELD_STEPS_OF_TOWN - patchiness
    )
    steps = np.minimum(steps_to_city, steps_to_town)
    fertile = [name for name in _FERTILE if terrain_set.has_terrain(name)]
    farmland = terrain_set.terrain_code(FARMLAND)
    # A terrain set can have fewer fertile terrains than there are steps.
    for name, max_steps in zip(fertile, _STEPS_OF_FIELDS, strict=False):
        codes[(codes == terrain_set.terrain_code(name)) & (steps < max_steps)] = farmland
    codes[is_town] = terrain_set.terrain_code(BUILT_UP)
    codes[is_city] = terrain_set.terrain_code(DENSELY_BUILT_UP)


def _marks(grid: Grid, cells: list[int]) -> NDArray[np.bool_]:
    """Return True for these cells, (cells,)."""
    marks = np.zeros(grid.size, np.bool_)
    marks[cells] = True
    return marks
