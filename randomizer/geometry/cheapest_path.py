"""Cheapest paths from cell to cell by the costs of entering cells: roads of a roll or a tool::

costs = np.where(water, np.inf, 1.0).reshape(-1)
cells = cheapest_path(grid, costs, start, goal)
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.distance import steps_to
from randomizer.model.grid.grid import Grid

Costs = NDArray[np.float64]
"""The cost of entering each cell, shape (cells,); ``inf``: it cannot be entered."""


class PathTree(NamedTuple):
    """The cheapest paths from some cells to all that were reached.

    ``totals`` are their costs by cell, ``before`` the cells from which they enter (none for those
    where they begin). ``end`` is the goal reached first, -1 for none.
    """

    totals: Mapping[int, float]
    before: Mapping[int, int]
    end: int = -1

    def path_to(self, cell: int) -> list[int]:
        """Return the cells of the path to a cell that was reached, from its beginning on."""
        path = [cell]
        while cell in self.before:
            cell = self.before[cell]
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
    within: NDArray[np.bool_] | None = None,
) -> list[int]:
    """Return the cells of the cheapest path, both ends included; [] if there is none.

    ``links`` (cells,) are masks of the sides by which a way leaves each cell: along it a step costs
    ``link_cost``, whatever it enters. Only cells of ``within`` (cells,) are entered. Of paths of
    equal cost the same is returned on every machine.
    """
    tree = cheapest_paths(grid, costs, (start,), (goal,), links, link_cost, within)
    if tree.end == goal:
        return tree.path_to(goal)
    return []


def cheapest_paths(
    grid: Grid,
    costs: Costs,
    starts: Collection[int],
    goals: Collection[int] = (),
    links: NDArray[np.uint8] | None = None,
    link_cost: float = 1.0,
    within: NDArray[np.bool_] | None = None,
) -> PathTree:
    """Return the paths to every cell, or until the first of ``goals`` is reached.

    With one goal it is the A* algorithm, else Dijkstra's; the effort grows with the cells reached.
    Raises ValueError for negative costs.
    """
    if links is None:
        least = float(costs.min())
    else:
        least = min(float(costs.min()), link_cost)
    if least < 0:
        raise ValueError("a cost is not below 0")
    entering = costs.data
    neighbours = grid.neighbour_table.reshape(-1).data
    degree = grid.degree
    way = None if links is None else links.reshape(-1).data
    inside = None if within is None else within.reshape(-1).data
    steps_ahead: Callable[[int], int] | None = None
    if len(goals) == 1 and 0 < least < math.inf:
        steps_ahead = steps_to(grid, next(iter(goals)))
    totals = dict.fromkeys(starts, 0.0)
    cell_before = dict[int, int]()
    queue = [(0.0, cell) for cell in sorted(starts)]
    done = set[int]()
    goal_cells = frozenset(goals)
    while queue:
        _bound, cell = heapq.heappop(queue)
        if cell in done:
            continue
        done.add(cell)
        if cell in goal_cells:
            return PathTree(totals, cell_before, cell)
        total = totals[cell]
        first = cell * degree
        for side in range(degree):
            neighbour = neighbours[first + side]
            if neighbour < 0 or neighbour in done or (inside is not None and not inside[neighbour]):
                continue
            along = way is not None and way[cell] >> side & 1
            reached = total + (link_cost if along else entering[neighbour])
            if reached < totals.get(neighbour, math.inf):
                totals[neighbour] = reached
                cell_before[neighbour] = cell
                bound = reached
                if steps_ahead is not None:
                    bound += least * steps_ahead(neighbour)
                heapq.heappush(queue, (bound, neighbour))
    return PathTree(totals, cell_before)
