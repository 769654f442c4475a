"""Builds roads and tracks from town to town, by way of a coarser grid.

``road_costs`` returns the cost of a road for each cell, and ``road_steps`` builds the roads:

1. ``_network`` chooses which towns are joined. On a coarser grid all towns grow at once until they
   meet. Where two meet, a road between them is possible; of these it chooses a cheapest tree and
   the shortest others.
2. Each road is then built as the cheapest path on the grid itself, near its path on the coarser
   one. Roads from city to city come first: later ones join them, since a step on a road is cheap.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Generator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.cheapest_path import PathTree, StepCosts, cheapest_path, paths_from
from randomizer.model.grid.grid import Grid
from randomizer.model.planes.routes import SIDES
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.systems.free.landscape.links import Links, add_links
from randomizer.systems.free.landscape.noise import Field
from randomizer.systems.free.landscape.rivers import Rivers
from randomizer.systems.free.landscape.towns import Town

MAX_COARSE = 6_000
"""The most cells of the coarser grid.

With more the network follows the ground better, and takes longer.
"""

_ON_ROAD = 0.45
"""The factor of the cost of a step that is on a road already; if it is less, more roads join."""

_RIVER_COST = 1.2
"""The further cost of a cell with a river: roads cross it, and follow it beside."""

_HEIGHT_COST = 2.0
"""The further cost of a cell for each unit of height; about the highest land has the height 1."""

_MIN_GROUND_COST = 0.1
"""The least cost of ground: so the shortest path over ground that costs nothing is the cheapest."""

_TOWN_BLOCK_COST = 4.0
"""The most that a coarse cell with a town costs: it can be entered even if it is mostly water."""

_SHORTCUT = 0.8
"""Two towns get a road beside the tree if it costs less than this share of the tree's mean."""

_ROADS_BETWEEN_REPORTS = 16
"""The roads that are built from one report of progress to the next."""


class Join(NamedTuple):
    """Two towns, by index, that a road can join; the cheapest join is the least one."""

    cost: float
    """The cost of the path."""

    first_town: int
    """The lower index of both towns."""

    second_town: int
    """The higher index of both towns."""

    path: tuple[int, ...]
    """The cells of the coarser grid from the first town to the second."""

    @property
    def towns(self) -> tuple[int, int]:
        """Both towns: a pair is joined once at most."""
        return self.first_town, self.second_town


class _Border(NamedTuple):
    """Two neighbouring coarse cells where the surroundings of two towns meet."""

    cost: float
    """The cost of the road from town to town over this border."""

    first_cell: int
    """The coarse cell that belongs to the first town."""
    second_cell: int
    """Its neighbour, which belongs to the second town."""


class _Network(NamedTuple):
    """The towns that roads and tracks join."""

    joins: list[Join]
    """The joins of the tree, and those of shortcuts."""

    main_roads: set[tuple[int, int]]
    """The pairs of towns of those joins that get roads; the others get tracks."""


class _CoarseGrid:
    """A coarser grid, each of whose cells is a *block* of cells of the grid."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        """The coarser grid; the grid itself if that is small enough."""

        step = max(1, math.ceil(math.sqrt(grid.size / MAX_COARSE)))
        if step > 1:
            width = math.ceil(grid.width / step)
            height = math.ceil(grid.height / step)
            if grid.wrap:
                width += width % 2  # columns that go round are even in number
            self.grid = Grid(grid.layout, width, height, wrap=grid.wrap)

        columns = np.arange(grid.width) * self.grid.width // grid.width
        rows = np.arange(grid.height) * self.grid.height // grid.height
        self.block_of_cell = (rows[:, None] * self.grid.width + columns).reshape(-1)
        """(cells,): the coarse cell in which each cell of the grid lies."""

    def block_costs(self, costs: Field) -> Field:
        """Return the mean cost of each block's cells that can be entered, (blocks,).

        It is ``inf`` if more than half of them cannot be entered. ``costs`` has shape (cells,).
        """
        block_count = self.grid.size
        can_enter = np.isfinite(costs)
        enterable_blocks = self.block_of_cell[can_enter]
        cells = np.bincount(self.block_of_cell, minlength=block_count)
        enterable_cells = np.bincount(enterable_blocks, minlength=block_count)
        sums = np.bincount(enterable_blocks, costs[can_enter], minlength=block_count)
        means = sums / np.maximum(enterable_cells, 1)
        # A block without cells, beyond the edge of the grid, cannot be entered either.
        is_open = 2 * enterable_cells >= np.maximum(cells, 1)
        return np.where(is_open, means, np.inf)


def road_costs(
    codes: NDArray[np.int64], rivers: Rivers, terrain_set: TerrainSet, heights: Field
) -> Field:
    """Return the cost of a road for each cell, (cells,): ``inf`` for water.

    ``codes`` (cells,) are those of the terrains.
    """
    cost_of_code = []
    for terrain in terrain_set.terrains:
        if terrain.water or terrain.cost is None:
            cost_of_code.append(math.inf)
        else:
            cost_of_code.append(max(terrain.cost, _MIN_GROUND_COST))
    ground = np.array(cost_of_code)[codes]
    return np.asarray(ground + _RIVER_COST * rivers.runs + _HEIGHT_COST * np.maximum(heights, 0))


def road_steps(
    grid: Grid, towns: list[Town], costs: Field
) -> Generator[int, None, tuple[Links, Links]]:
    """Return the links of roads and those of tracks, (cells,) each; yields progress, 0 to 100.

    ``costs`` are those of ``road_costs``.
    """
    roads = np.zeros(grid.size, np.uint8)
    tracks = np.zeros(grid.size, np.uint8)
    coarse = _CoarseGrid(grid)
    network = _network(coarse, towns, coarse.block_costs(costs))
    roads_first = sorted(network.joins, key=lambda join: join.towns not in network.main_roads)
    for index, join in enumerate(roads_first):
        if index % _ROADS_BETWEEN_REPORTS == 0:
            yield 100 * index // len(roads_first)

        # The path: within a corridor along that on the coarser grid, if there is one.
        start = towns[join.first_town].cell
        goal = towns[join.second_town].cell
        step_costs = StepCosts(costs, roads | tracks, _ON_ROAD)
        path: list[int] = []
        if coarse.grid is not grid:
            corridor = _corridor(coarse, join.path)
            path = cheapest_path(grid, replace(step_costs, within=corridor), start, goal)
        if not path:  # there is no corridor, or locked cells or water lie across it
            path = cheapest_path(grid, step_costs, start, goal)

        # The road or track on it.
        cells = np.array(path, np.int32)
        if join.towns in network.main_roads:
            add_links(roads, grid, cells[:-1], cells[1:])
        else:
            track = np.zeros(grid.size, np.uint8)
            add_links(track, grid, cells[:-1], cells[1:])
            tracks |= _without_roads(track, roads)
    return roads, tracks


def _without_roads(track: Links, roads: Links) -> Links:
    """Return a track where it does not run along a road; cells without it get 0."""
    has_sides = (track & ~roads & SIDES) > 0
    return np.where(has_sides, track & ~(roads & SIDES), 0).astype(np.uint8)


def _corridor(coarse: _CoarseGrid, path: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return the cells in the blocks of a path and in those around them, (cells,)."""
    is_near = np.zeros(coarse.grid.size, np.bool_)
    neighbours = coarse.grid.neighbour_table[list(path)]
    is_near[list(path)] = True
    is_near[neighbours[neighbours >= 0]] = True
    marks: NDArray[np.bool_] = is_near[coarse.block_of_cell]
    return marks


# --- the network --------------------------------------------------------------------------------


def _network(coarse: _CoarseGrid, towns: list[Town], costs: Field) -> _Network:
    """Return which towns are joined: those of a cheapest tree, and where a road is short.

    ``costs`` (blocks,) are those of the coarser grid. Main roads are those of the tree that lead
    from city to city.
    """
    joins = _possible_joins(coarse, towns, costs)
    tree = _cheapest_tree(joins, len(towns))
    tree_pairs = {join.towns for join in tree}
    mean_cost = sum(join.cost for join in tree) / max(len(tree), 1)
    shortcuts = []
    for join in joins:
        if join.towns not in tree_pairs and join.cost < _SHORTCUT * mean_cost:
            shortcuts.append(join)
    return _Network(tree + shortcuts, _city_roads(tree_pairs, towns))


def _possible_joins(coarse: _CoarseGrid, towns: list[Town], costs: Field) -> list[Join]:
    """Return the joins of towns whose surroundings touch, the cheapest ones first.

    The surroundings of a town are the blocks that are reached from it at less cost than from any
    other one. Mehlhorn, "A faster approximation algorithm for the Steiner problem in graphs"
    (1988): such joins are enough for a cheapest tree.
    """
    blocks = [int(coarse.block_of_cell[town.cell]) for town in towns]
    costs = costs.copy()
    costs[blocks] = np.minimum(costs[blocks], _TOWN_BLOCK_COST)
    town_of_block: dict[int, int] = {}
    for town, block in enumerate(blocks):
        town_of_block.setdefault(block, town)  # of several towns in a block the first is joined

    # All towns grow at once: a tree of paths from all of them.
    tree = paths_from(coarse.grid, StepCosts(costs), tuple(town_of_block))
    nearest_town = _nearest_towns(tree, town_of_block)

    # The cheapest border of each two towns that meet.
    borders: dict[tuple[int, int], _Border] = {}
    for cell, town in nearest_town.items():
        for neighbour in coarse.grid.neighbour_table[cell].tolist():
            town_of_neighbour = nearest_town.get(neighbour)
            # Each border is met from both sides, and counted from that of the lower town.
            if town_of_neighbour is None or town_of_neighbour <= town:
                continue
            step = min(costs[cell], costs[neighbour])
            cost = tree.totals[cell] + tree.totals[neighbour] + step
            border = _Border(cost, cell, neighbour)
            pair = (town, town_of_neighbour)
            borders[pair] = min(borders.get(pair, border), border)

    joins = []
    for (first_town, second_town), border in borders.items():
        first_half = tree.path_to(border.first_cell)
        second_half = reversed(tree.path_to(border.second_cell))
        joins.append(Join(border.cost, first_town, second_town, (*first_half, *second_half)))
    return sorted(joins)  # by rising cost, the first field


def _nearest_towns(tree: PathTree, town_of_block: dict[int, int]) -> dict[int, int]:
    """Return the town from which each coarse cell of a tree of paths is reached."""
    towns: dict[int, int] = {cell: town_of_block.get(cell, -1) for cell in tree.totals}
    # By rising cost, a cell comes after the one that it is reached from.
    for cell in sorted(tree.totals, key=tree.totals.__getitem__):
        if towns[cell] < 0:
            towns[cell] = towns[tree.previous_cells[cell]]
    return towns


def _cheapest_tree(joins: list[Join], town_count: int) -> list[Join]:
    """Return the joins of a spanning tree of least cost; ``joins`` are sorted (Kruskal).

    Towns that no road can reach stay apart: then it is several trees.
    """
    tree = []
    group_of_town = list(range(town_count))
    for join in joins:
        group = group_of_town[join.first_town]
        joined_group = group_of_town[join.second_town]
        if group == joined_group:
            continue
        tree.append(join)
        for town in range(town_count):
            if group_of_town[town] == joined_group:
                group_of_town[town] = group
    return tree


def _city_roads(tree: set[tuple[int, int]], towns: list[Town]) -> set[tuple[int, int]]:
    """Return the pairs of a tree that lie on paths from city to city.

    Ends of the tree that are no cities are cut off until all its ends are cities.
    """
    while True:
        joins_of_town = Counter[int]()
        for pair in tree:
            joins_of_town.update(pair)
        ends = set()
        for town, joins in joins_of_town.items():
            if joins == 1 and not towns[town].is_city:
                ends.add(town)
        remaining = {pair for pair in tree if not ends.intersection(pair)}
        if remaining == tree:
            return tree
        tree = remaining
