"""Cheapest paths from cell to cell by the costs of entering cells: roads of a roll or a tool::

costs = np.where(water, np.inf, 1.0).reshape(-1)
cells = cheapest_path(grid, costs, start, goal)
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid

Costs = NDArray[np.float64]
"""The cost of entering each cell, shape (cells,); ``inf``: it cannot be entered."""


class PathTree(NamedTuple):
    """The cheapest paths from some cells to all that were reached.

    ``totals`` (cells,) are their costs, ``inf`` where none leads. ``before`` (cells,) are the cells
    from which they enter, -1 for those where they begin and those not reached. ``end`` is the goal
    reached first, -1 for none.
    """

    totals: NDArray[np.float64]
    before: NDArray[np.int32]
    end: int = -1

    def path_to(self, cell: int) -> list[int]:
        """Return the cells of the path to a cell that was reached, from its beginning on."""
        path = [cell]
        while (cell := int(self.before[cell])) >= 0:
            path.append(cell)
        path.reverse()
        return path


def cheapest_path(
    grid: Grid,
    costs: Costs,
    start: int,
    goal: int,
    links: NDArray[np.uint8] | None = None,
    link_cost: float = 1.0,
) -> list[int]:
    """Return the cells of the cheapest path, both ends included; [] if there is none.

    ``links`` (cells,) are masks of the sides by which a way leaves each cell: along it a step costs
    ``link_cost``, whatever it enters. Of paths of equal cost the same is returned on every machine.
    """
    tree = cheapest_paths(grid, costs, (start,), (goal,), links, link_cost)
    return tree.path_to(goal) if tree.end == goal else []


def cheapest_paths(
    grid: Grid,
    costs: Costs,
    starts: Collection[int],
    goals: Collection[int] = (),
    links: NDArray[np.uint8] | None = None,
    link_cost: float = 1.0,
) -> PathTree:
    """Return the paths to every cell, or until the first of ``goals`` is reached.

    With one goal it is the A* algorithm, else Dijkstra's. Raises ValueError for negative costs.
    """
    if len(costs) and not (costs.min() >= 0 and link_cost >= 0):
        raise ValueError("a cost is not below 0")
    totals, before = np.full(grid.size, np.inf), np.full(grid.size, -1, np.int32)
    known, came = totals.data, before.data
    entering, around, degree = costs.data, grid.neighbour_table.reshape(-1).data, grid.degree
    way = None if links is None else links.reshape(-1).data
    ahead = None
    if len(goals) == 1:
        least = min(float(costs.min()), link_cost if way is not None else math.inf)
        ahead = (steps_to(grid, next(iter(goals))) * least).data
    queue = [(0.0 if ahead is None else ahead[cell], cell) for cell in sorted(starts)]
    for cell in starts:
        known[cell] = 0.0
    done, wanted = bytearray(grid.size), frozenset(goals)
    while queue:
        _bound, cell = heapq.heappop(queue)
        if done[cell]:
            continue
        done[cell] = 1
        if cell in wanted:
            return PathTree(totals, before, cell)
        total, first = known[cell], cell * degree
        for side in range(degree):
            other = around[first + side]
            if other < 0 or done[other]:
                continue
            step = entering[other] if way is None or not way[cell] >> side & 1 else link_cost
            if total + step < known[other]:
                known[other], came[other] = total + step, cell
                bound = total + step if ahead is None else total + step + ahead[other]
                heapq.heappush(queue, (bound, other))
    return PathTree(totals, before)


def steps_to(grid: Grid, goal: int) -> NDArray[np.float64]:
    """Return how many steps each cell (cells,) is from ``goal`` at least, masks disregarded."""
    ys, xs = np.divmod(np.arange(grid.size, dtype=np.int64), grid.width)
    goal_x, goal_y = grid.xy(goal)
    fewest = np.full(grid.size, np.inf)
    for turn in (-1, 0, 1) if grid.wrap else (0,):
        goal_q, goal_r = grid.axial(goal_x + turn * grid.width, goal_y)
        q, r = grid.axial(xs, ys)
        q, r = q - goal_q, r - goal_r
        across = abs(q) + abs(r)
        steps = across if grid.degree == 4 else (across + abs(q + r)) // 2
        fewest = np.minimum(fewest, steps)
    return fewest
