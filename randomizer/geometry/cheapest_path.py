"""Cheapest paths from cell to cell by the costs of entering cells: roads of a roll or a tool.

Example::

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
    """The cheapest paths from the cells where a search began to all cells that it reached."""

    totals: Mapping[int, float]
    """The cost of the path to each cell."""

    previous_cells: Mapping[int, int]
    """The cell from which each cell is entered; none for those where the search began."""

    end: int = -1
    """The goal that was reached first, -1 for none."""

    def path_to(self, cell: int) -> list[int]:
        """Return the cells of the path to a cell that was reached, from its beginning on."""
        path = [cell]
        while cell in self.previous_cells:
            cell = self.previous_cells[cell]
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

    The effort grows with the number of cells reached. ``links``, ``link_cost`` and ``within`` are
    those of ``cheapest_path``. Raises ValueError for negative costs.
    """
    # Dijkstra's algorithm; with one goal A*, which takes first the cells whose total and least
    # possible cost to the goal are lowest (Hart, Nilsson and Raphael, 1968).
    least_cost = _least_step_cost(costs, links, link_cost)
    steps_to_goal: Callable[[int], int] | None = None
    if len(goals) == 1 and 0 < least_cost < math.inf:
        steps_to_goal = steps_to(grid, next(iter(goals)))

    # Python reads single values of a memoryview several times faster than those of an array.
    entry_costs = costs.data
    neighbours = grid.neighbour_table.reshape(-1).data
    link_masks = None
    if links is not None:
        link_masks = links.reshape(-1).data
    is_allowed = None
    if within is not None:
        is_allowed = within.reshape(-1).data

    # The search: cells are taken from the queue by the least cost of a path through them.
    degree = grid.degree
    goal_cells = frozenset(goals)
    totals = dict.fromkeys(starts, 0.0)
    previous_cells = dict[int, int]()
    finished = set[int]()
    # Sorted, since a set has another order on other machines, and of two paths of equal cost the
    # one that was met first stays.
    queue = [(0.0, cell) for cell in sorted(starts)]
    while queue:
        _bound, cell = heapq.heappop(queue)
        if cell in finished:
            continue  # it was queued once more when a cheaper path to it was met
        finished.add(cell)
        if cell in goal_cells:
            return PathTree(totals, previous_cells, cell)
        for side in range(degree):
            neighbour = neighbours[cell * degree + side]
            if neighbour < 0 or neighbour in finished:
                continue
            if is_allowed is not None and not is_allowed[neighbour]:
                continue
            if link_masks is not None and link_masks[cell] >> side & 1:
                total = totals[cell] + link_cost
            else:
                total = totals[cell] + entry_costs[neighbour]
            if total < totals.get(neighbour, math.inf):
                totals[neighbour] = total
                previous_cells[neighbour] = cell
                # No path through the neighbour costs less than its bound.
                bound = total
                if steps_to_goal is not None:
                    bound += least_cost * steps_to_goal(neighbour)
                heapq.heappush(queue, (bound, neighbour))
    return PathTree(totals, previous_cells)


def _least_step_cost(costs: Costs, links: NDArray[np.uint8] | None, link_cost: float) -> float:
    """Return the least cost of a step to any cell. Raises ValueError for negative costs."""
    least_cost = float(costs.min())
    if links is not None:
        least_cost = min(least_cost, link_cost)
    if least_cost < 0:
        raise ValueError("costs must not be below 0")
    return least_cost
