"""Roads and tracks from town to town: which towns are joined is decided on a coarser grid."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Generator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.cheapest_path import cheapest_path, cheapest_paths
from randomizer.model.grid.grid import Grid
from randomizer.model.planes.routes import SIDES
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.systems.free.landscape.noise import Field
from randomizer.systems.free.landscape.rivers import Rivers, add_links
from randomizer.systems.free.landscape.towns import Town

MOST_COARSE = 6_000
"""Cells of the coarser grid."""

_ON_ROAD = 0.45
"""What a step on a road costs, in those of the easiest ground."""
_RIVERSIDE = 1.2
"""What a cell with a river costs more: roads cross it, and follow it beside."""


Links = NDArray[np.uint8]


class Join(NamedTuple):
    """Two towns, by index, that a road joins; ``path`` are cells of the coarser grid."""

    cost: float
    one: int
    other: int
    path: tuple[int, ...]


class _Coarse:
    """A coarser grid, and the cell of it, ``block`` (cells,), in which each cell lies."""

    def __init__(self, grid: Grid) -> None:
        step = max(1, math.ceil(math.sqrt(grid.size / MOST_COARSE)))
        width = -(-grid.width // step)
        height = -(-grid.height // step)
        if grid.wrap:
            width += width % 2
        same = step == 1
        if same:
            self.grid = grid
        else:
            self.grid = Grid(grid.layout, width, height, wrap=grid.wrap)
        columns = np.arange(grid.width) * self.grid.width // grid.width
        rows = np.arange(grid.height) * self.grid.height // grid.height
        self.block = (rows[:, None] * self.grid.width + columns).reshape(-1)

    def costs(self, costs: Field) -> Field:
        """Return the mean cost of each block's cells that can be entered, ``inf`` if half
        cannot.
        """
        open_ = np.isfinite(costs)
        count = np.bincount(self.block, minlength=self.grid.size)
        can = np.bincount(self.block[open_], minlength=self.grid.size)
        total = np.bincount(self.block[open_], costs[open_], minlength=self.grid.size)
        return np.where(2 * can >= np.maximum(count, 1), total / np.maximum(can, 1), np.inf)


def road_costs(
    codes: NDArray[np.int64], rivers: Rivers, terrain_set: TerrainSet, heights: Field
) -> Field:
    """Return what a road pays for each cell, (cells,): ``inf`` for water."""
    by_code = np.array(
        [
            math.inf if terrain.water or terrain.cost is None else max(terrain.cost, 0.1)
            for terrain in terrain_set.terrains
        ]
    )
    return np.asarray(by_code[codes] + _RIVERSIDE * rivers.runs + 2 * np.maximum(heights, 0))


def road_steps(
    grid: Grid, towns: list[Town], costs: Field
) -> Generator[int, None, tuple[Links, Links]]:
    """Return the link planes of roads and of tracks, (cells,) each; yields progress, 0 to 100."""
    roads = np.zeros(grid.size, np.uint8)
    tracks = np.zeros(grid.size, np.uint8)
    coarse = _Coarse(grid)
    joins, main = _network(coarse, towns, coarse.costs(costs))
    whole = coarse.grid is grid
    both = np.zeros(grid.size, np.uint8)
    joins.sort(key=lambda candidate: (candidate.one, candidate.other) not in main)
    for number, join in enumerate(joins):
        if not number % 16:
            yield 100 * number // len(joins)
        within = None if whole else _corridor(coarse, join.path)
        one = towns[join.one].cell
        end = towns[join.other].cell
        path = cheapest_path(grid, costs, one, end, both, _ON_ROAD, within)
        cells = np.array(path, np.int32)
        if (join.one, join.other) in main:
            add_links(roads, grid, cells[:-1], cells[1:])
        else:
            fresh = np.zeros(grid.size, np.uint8)
            add_links(fresh, grid, cells[:-1], cells[1:])
            tracks |= np.where(fresh & ~roads & SIDES, fresh & ~(roads & SIDES), 0).astype(np.uint8)
        both = roads | tracks
    return roads, tracks


def _corridor(coarse: _Coarse, path: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return the cells of a path's blocks and of those around."""
    near = np.zeros(coarse.grid.size, np.bool_)
    neighbours = coarse.grid.neighbour_table[list(path)]
    near[list(path)] = True
    near[neighbours[neighbours >= 0]] = True
    marks: NDArray[np.bool_] = near[coarse.block]
    return marks


def _network(
    coarse: _Coarse, towns: list[Town], costs: Field
) -> tuple[list[Join], set[tuple[int, int]]]:
    """Return the joins of a cheapest tree and a few more, and those of them that are main roads."""
    grid = coarse.grid
    blocks = [int(coarse.block[town.cell]) for town in towns]
    costs = costs.copy()
    costs[blocks] = np.minimum(costs[blocks], 4.0)
    town_of = {block: number for number, block in reversed(list(enumerate(blocks)))}
    tree = cheapest_paths(grid, costs, tuple(town_of))
    owner: dict[int, int] = {}
    for cell in tree.totals:  # a cell is reached from one that was reached before
        owner[cell] = town_of.get(cell, -1)
    for cell in sorted(tree.totals, key=tree.totals.__getitem__):
        if owner[cell] < 0:
            owner[cell] = owner[tree.previous_cells[cell]]
    best: dict[tuple[int, int], tuple[float, int, int]] = {}
    for cell, number in owner.items():
        for neighbour in grid.neighbour_table[cell].tolist():
            if owner.get(neighbour, number) > number:
                pair = (number, owner[neighbour])
                cost = (
                    tree.totals[cell] + tree.totals[neighbour] + min(costs[cell], costs[neighbour])
                )
                best[pair] = min(best.get(pair, (math.inf, 0, 0)), (cost, cell, neighbour))
    joins = sorted(
        Join(cost, *pair, (*tree.path_to(cell), *reversed(tree.path_to(neighbour))))
        for pair, (cost, cell, neighbour) in best.items()
    )
    chosen = list[Join]()
    group = list(range(len(towns)))
    for join in joins:
        if group[join.one] != group[join.other]:
            gone = group[join.other]
            group = [group[join.one] if member == gone else member for member in group]
            chosen.append(join)
    main = _main(chosen, towns)
    usual = sum(join.cost for join in chosen) / max(len(chosen), 1)
    picked = {(join.one, join.other) for join in chosen}
    chosen += [
        join for join in joins if (join.one, join.other) not in picked and join.cost < 0.8 * usual
    ]
    return chosen, main


def _main(tree: list[Join], towns: list[Town]) -> set[tuple[int, int]]:
    """Return the joins of a tree on paths from city to city."""
    joins = {(join.one, join.other) for join in tree}
    while True:
        ends = Counter(town for join in joins for town in join)
        leaves = {town for town, count in ends.items() if count == 1 and not towns[town].is_city}
        remaining = {join for join in joins if not leaves & set(join)}
        if remaining == joins:
            return joins
        joins = remaining
