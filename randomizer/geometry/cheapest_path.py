"""Cheapest paths from cell to cell: roads and rivers of landscapes, and those drawn by a tool.

The cost of a path is the sum of the costs of its steps, each of which leads across a side::

    costs = StepCosts(np.where(water, np.inf, 1.0).reshape(-1))
    cheapest_path(grid, costs, start, goal)               # cells, both ends included
    path_to_nearest(grid, costs, start, [goal, other_goal])
    paths_from(grid, costs, [start]).path_to(goal)        # from there to any cell
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.distance import steps_to
from randomizer.model.grid.grid import Grid


@dataclass(frozen=True)
class StepCosts:
    """The cost of each step from a cell to a neighbour.

    Raises ValueError for a negative cost of entering a cell, or of a step along a way.
    """

    entering: NDArray[np.float64]
    """The cost of entering each cell, shape (cells,); ``inf``: it cannot be entered."""

    links: NDArray[np.uint8] | None = None
    """Masks of the sides by which a way leaves each cell, (cells,); None: there is no way.

    A step along the way costs ``link_cost``, whatever it enters. 0b0110: across sides 1 and 2.
    """

    link_cost: float = 1.0
    """The cost of a step along a way."""

    within: NDArray[np.bool_] | None = None
    """The cells that can be entered at all, (cells,), also along a way; None: all of them."""

    def __post_init__(self) -> None:
        if self.least < 0:
            raise ValueError("costs must not be below 0")

    @property
    def least(self) -> float:
        """The least cost of a step to any cell."""
        min_cost = float(self.entering.min())
        if self.links is not None:
            min_cost = min(min_cost, self.link_cost)
        return min_cost


class PathTree(NamedTuple):
    """The cheapest paths from the cells where a search began to all cells that it reached."""

    totals: Mapping[int, float]
    """The cost of the path to each cell."""

    previous_cells: Mapping[int, int]
    """The cell from which each cell is entered; none for those where the search began."""

    def path_to(self, cell: int) -> list[int]:
        """Return the cells of the path to a cell that was reached, from its beginning on."""
        path = [cell]
        while cell in self.previous_cells:
            cell = self.previous_cells[cell]
            path.append(cell)
        path.reverse()
        return path


def cheapest_path(grid: Grid, costs: StepCosts, start: int, goal: int) -> list[int]:
    """Return the cells of the cheapest path, both ends included; [] if there is none.

    Of paths of equal cost the same is returned on every machine, as by the functions below.
    """
    return path_to_nearest(grid, costs, start, (goal,))


def path_to_nearest(grid: Grid, costs: StepCosts, start: int, goals: Collection[int]) -> list[int]:
    """Return the cells of the cheapest path to any of ``goals``; [] if there is none."""
    if not goals:
        return []  # else the search would go through the whole map
    search = _Search(grid, costs, (start,))
    goal = search.run(frozenset(goals))
    if goal is None:
        return []
    return search.tree.path_to(goal)


def paths_from(grid: Grid, costs: StepCosts, starts: Collection[int]) -> PathTree:
    """Return the cheapest paths from the nearest of ``starts`` to each cell that can be reached."""
    search = _Search(grid, costs, starts)
    search.run(frozenset())
    return search.tree


class _Search:
    """A search from some cells: made, run once, then asked for its ``tree``."""

    def __init__(self, grid: Grid, costs: StepCosts, starts: Collection[int]) -> None:
        self._grid = grid
        self._costs = costs
        # Sorted, since a set has another order on other machines, and of two paths of equal cost
        # the one that was found first stays.
        self._starts = sorted(starts)
        self._totals = dict.fromkeys(self._starts, 0.0)
        """The cost of the cheapest path to each cell that was reached so far."""
        self._previous_cells: dict[int, int] = {}
        """The cell before each cell on that path."""

    @property
    def tree(self) -> PathTree:
        """The paths to all cells that were reached."""
        return PathTree(self._totals, self._previous_cells)

    def run(self, goals: frozenset[int]) -> int | None:
        """Search until the cheapest of ``goals`` is reached, and return it; None if none is.

        The effort grows with the number of cells that are reached.
        """
        # Dijkstra's algorithm: of all cells that were reached but are not settled, the one with the
        # cheapest path is settled next: no cheaper path to it can be found later. With one goal it
        # is A* (Hart, Nilsson and Raphael, 1968): the cell is settled next through which the whole
        # path could be cheapest, if each step from there to the goal had the least cost of all.
        remaining_steps: Callable[[int], int] | None = None
        min_cost = self._costs.least
        if len(goals) == 1 and 0 < min_cost < math.inf:
            (goal,) = goals
            remaining_steps = steps_to(self._grid, goal)

        # Python reads single values of a memoryview several times faster than those of an array.
        entry_costs = self._costs.entering.data
        link_cost = self._costs.link_cost
        link_masks = None
        if self._costs.links is not None:
            link_masks = self._costs.links.reshape(-1).data
        is_allowed = None
        if self._costs.within is not None:
            is_allowed = self._costs.within.reshape(-1).data
        degree = self._grid.degree
        neighbours = self._grid.neighbour_table.reshape(-1).data  # cell * degree + side: a cell

        totals = self._totals
        settled_cells = set[int]()
        # The cells to be settled, each with the least cost that a path through it can have.
        queue = [(0.0, cell) for cell in self._starts]
        while queue:
            _bound, cell = heapq.heappop(queue)
            if cell in settled_cells:
                continue  # it was queued once more when a cheaper path to it was found
            settled_cells.add(cell)
            if cell in goals:
                return cell
            for side in range(degree):
                neighbour = neighbours[cell * degree + side]
                if neighbour < 0 or neighbour in settled_cells:
                    continue
                if is_allowed is not None and not is_allowed[neighbour]:
                    continue
                if link_masks is not None and link_masks[cell] >> side & 1:
                    total = totals[cell] + link_cost
                else:
                    total = totals[cell] + entry_costs[neighbour]
                if total < totals.get(neighbour, math.inf):
                    totals[neighbour] = total
                    self._previous_cells[neighbour] = cell
                    bound = total
                    if remaining_steps is not None:
                        bound += min_cost * remaining_steps(neighbour)
                    heapq.heappush(queue, (bound, neighbour))
        return None
