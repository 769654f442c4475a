"""Towns at harbours, mouths, confluences and in fertile land, and the fields around them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.planes.routes import SIDES
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.systems.free.landscape.drainage import nearest
from randomizer.systems.free.landscape.noise import Noise
from randomizer.systems.free.landscape.relief import Relief
from randomizer.systems.free.landscape.rivers import Rivers
from randomizer.systems.free.landscape.settings import MOST_TOWNS, Choices
from randomizer.systems.free.landscape.terrain_names import CITY, FARMLAND, TOWN

CHANCE = 14 << 8
FIELDS = 15 << 8

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
"""What a site gains by its terrain; terrains that are not here are no site."""


class Town(NamedTuple):
    """A settlement: its cell, and what it lies at: ``sea``, ``river``, ``lake`` or ``land``."""

    cell: int
    is_city: bool
    at: str


def towns_of(
    grid: Grid,
    choices: Choices,
    noise: Noise,
    relief: Relief,
    rivers: Rivers,
    codes: NDArray[np.int64],
    terrain_set: TerrainSet,
) -> list[Town]:
    """Return the towns of a map, the best sites first; the first of them are cities."""
    worth = np.full(len(terrain_set.terrains), -np.inf)
    for name, value in _WORTH.items():
        if terrain_set.has_terrain(name):
            worth[terrain_set.terrain_code(name)] = value
    score = np.where(relief.water, -np.inf, worth[codes])
    sites = np.flatnonzero(score > -np.inf)
    count = choices.towns
    if count is None:
        count = min(max(len(sites) // 60, 2), 20 + len(sites) // 250, MOST_TOWNS)
    if not count or not len(sites):
        return []
    at_sea = nearest(relief.sea, grid.neighbour_table, 2) == 1
    at_lake = nearest(relief.lake, grid.neighbour_table, 2) == 1
    arms = _bits(rivers.links)
    mouth = rivers.runs & (at_sea | at_lake)
    score += 1.2 * at_sea + 0.8 * at_lake + 1.2 * rivers.runs + 1.8 * (arms > 2) + 1.6 * mouth
    score += 0.12 * np.minimum(rivers.length, 14) + 0.5 * (
        nearest(rivers.runs, grid.neighbour_table, 2) == 1
    )
    score += 1.2 * noise.plain(CHANCE, 2.0)
    apart = 0.62 * math.sqrt(len(sites) / count)
    ranked = sites[np.argsort(-score[sites], kind="stable")]
    cells = _spread(grid, ranked, count, apart)
    cities = -(-len(cells) // 6)
    kinds = ((at_sea, "sea"), (rivers.runs, "river"), (at_lake, "lake"))
    return [
        Town(cell, number < cities, next((name for marks, name in kinds if marks[cell]), "land"))
        for number, cell in enumerate(cells)
    ]


def _bits(links: NDArray[np.uint8]) -> NDArray[np.int64]:
    sides = links & SIDES
    return sum(((sides >> side & 1).astype(np.int64) for side in range(6)), np.zeros(1, np.int64))


def _spread(grid: Grid, ranked: NDArray[np.intp], count: int, apart: float) -> list[int]:
    """Return the first cells of ``ranked`` of which no two are nearer than ``apart`` cells."""
    unit = math.sqrt(abs(grid.layout.basis[0][0] * grid.layout.basis[1][1]))
    reach = apart * unit
    town_cells = list[int]()
    free = np.ones(grid.size, np.bool_)
    turns = (-grid.period, 0.0, grid.period) if grid.wrap else (0.0,)
    for cell in ranked.tolist():
        if not free[cell]:
            continue
        town_cells.append(cell)
        if len(town_cells) == count:
            break
        x, y = grid.centre(cell)
        for turn in turns:
            at = x + turn
            near = grid.cells_in(at - reach, y - reach, at + reach, y + reach)
            away = grid.centres_of(near) - (at, y)
            free[near[(away * away).sum(axis=1) < reach * reach]] = False
        free[cell] = False
    return town_cells


def add_towns(
    codes: NDArray[np.int64], grid: Grid, towns: list[Town], noise: Noise, terrain_set: TerrainSet
) -> None:
    """Put towns and cities into the terrain, and fields around them."""
    cities = _marks(grid, [town.cell for town in towns if town.is_city])
    town_marks = _marks(grid, [town.cell for town in towns if not town.is_city])
    patchy = noise.plain(FIELDS, 4.0)
    near = nearest(cities, grid.neighbour_table, 4) - 1 - 1.2 * patchy
    near = np.minimum(near, nearest(town_marks, grid.neighbour_table, 3) - 0.4 - 1.2 * patchy)
    fertile = [name for name in ("Grassland", "Wood", "Heath") if terrain_set.has_terrain(name)]
    for name, most in zip(fertile, (1.9, 1.0, 0.8), strict=False):
        codes[(codes == terrain_set.terrain_code(name)) & (near < most)] = terrain_set.terrain_code(
            FARMLAND
        )
    codes[town_marks] = terrain_set.terrain_code(TOWN)
    codes[cities] = terrain_set.terrain_code(CITY)


def _marks(grid: Grid, cells: list[int]) -> NDArray[np.bool_]:
    marks = np.zeros(grid.size, np.bool_)
    marks[cells] = True
    return marks
