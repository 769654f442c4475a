"""Where water flows: each cell's receiver, out of every hollow over its lowest pass.

After Cordonnier, Bovy and Braun, "A versatile, linear complexity algorithm for flow routing in
topographies with depressions" (2019): steepest descent, then the tree of lowest passes between the
basins, then the way from each pass down to its pit is turned round.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.free.landscape.noise import Field

Cells = NDArray[np.int32]
Marks = NDArray[np.bool_]


@dataclass(frozen=True)
class Drainage:
    """The receiver of each cell, itself for outlets; ``level`` (cells,) is that of standing water.

    All are (cells,). ``level`` is the height or, in a hollow, that of its pass.
    """

    receiver: Cells
    level: Field

    @cached_property
    def ranks(self) -> list[Cells]:
        """The cells by the number of steps to their outlet, the outlets first."""
        steps = (self.receiver != np.arange(len(self.receiver))).astype(np.int32)
        ahead = self.receiver
        while True:
            further = ahead[ahead]
            if np.array_equal(further, ahead):
                break
            steps = steps + steps[ahead]
            ahead = further
        order = np.argsort(steps, kind="stable").astype(np.int32)
        return np.split(order, np.cumsum(np.bincount(steps))[:-1])

    def gathered(self, rain: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rain on each cell and all that drains through it, (cells,)."""
        total = rain.copy()
        for cells in reversed(self.ranks[1:]):
            np.add.at(total, self.receiver[cells], total[cells])
        return total

    def filled(self, heights: Field) -> Field:
        """Return heights raised so that none is below its receiver."""
        raised = heights.copy()
        for cells in self.ranks[1:]:
            raised[cells] = np.maximum(raised[cells], raised[self.receiver[cells]])
        return raised


def drainage(heights: Field, outlets: Marks, rim: Marks, table: NDArray[np.int32]) -> Drainage:
    """Return how cells of these heights drain into ``outlets``, or off the rim.

    ``table`` is the grid's ``neighbour_table``. A cell of the ``rim`` that has no lower neighbour
    is an outlet, too; where there is none at all the lowest cell is.
    """
    receiver = _steepest(heights, table)
    own_cells = np.arange(len(heights), dtype=np.int32)
    ends = outlets | (rim & (receiver == own_cells))
    if not ends.any():
        ends[heights.argmin()] = True
    receiver[ends] = own_cells[ends]
    root = receiver
    while not np.array_equal(further := root[root], root):
        root = further
    pits = np.flatnonzero((receiver == own_cells) & ~ends)
    number = np.zeros(len(heights), np.int64)  # 0: what drains away
    number[pits] = np.arange(1, len(pits) + 1)
    basin = number[root]
    level = np.full(len(pits) + 1, -np.inf)
    start, into = _passes(heights, basin, len(pits) + 1, table, level)
    _turn(receiver, pits, start, into)
    return Drainage(receiver, np.maximum(heights, level[basin]))


def nearest(marks: Marks, table: NDArray[np.int32], most: int) -> NDArray[np.int32]:
    """Return by cell how many steps the nearest marked one is away, ``most`` for more."""
    steps = np.where(marks, 0, most).astype(np.int32)
    for turn in range(1, most):
        near = np.zeros(len(marks), np.bool_)
        for side in range(table.shape[1]):
            neighbours = table[:, side]
            near |= (neighbours >= 0) & (steps[neighbours] < turn)
        steps[near & (steps > turn)] = turn
    return steps


def _steepest(heights: Field, table: NDArray[np.int32]) -> Cells:
    """Return the lowest neighbour of each cell that is lower, else the cell itself."""
    least = heights.copy()
    receiver = np.arange(len(heights), dtype=np.int32)
    for side in range(table.shape[1]):
        neighbours = table[:, side]
        height = np.where(neighbours >= 0, heights[neighbours], np.inf)
        lower = height < least
        least = np.where(lower, height, least)
        receiver = np.where(lower, neighbours, receiver)
    return receiver


def _passes(
    heights: Field,
    basin: NDArray[np.int64],
    count: int,
    table: NDArray[np.int32],
    level: Field,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """By basin the cells on both sides of its pass, own side first; ``level`` is filled in.

    The passes make the tree of least height from basin 0 (Kruskal's algorithm).
    """
    ones = []
    neighbour_lists = []
    for side in range(table.shape[1] // 2):
        rim_cells = np.flatnonzero((table[:, side] >= 0) & (basin[table[:, side]] != basin))
        ones.append(rim_cells)
        neighbour_lists.append(table[rim_cells, side])
    one = np.concatenate(ones)
    neighbours = np.concatenate(neighbour_lists).astype(np.int64)
    upper = np.maximum(heights[one], heights[neighbours])
    lower = np.minimum(heights[one], heights[neighbours])
    pair = np.minimum(basin[one], basin[neighbours]) * count + np.maximum(
        basin[one], basin[neighbours]
    )
    order = np.lexsort((lower, upper, pair))
    if len(order):
        first = order[np.concatenate(([True], np.diff(pair[order]) > 0))]
    else:
        first = order
    order = first[np.lexsort((lower[first], upper[first]))]
    joined: list[int] = list(range(count))

    def top(each: int) -> int:
        while joined[each] != each:
            joined[each] = each = joined[joined[each]]
        return each

    beside: list[list[tuple[int, int, int]]] = [[] for _ in range(count)]
    ends = zip(one[order].tolist(), neighbours[order].tolist(), strict=True)
    for (rim_cells, end), a, b in zip(
        ends, basin[one[order]].tolist(), basin[neighbours[order]].tolist(), strict=True
    ):
        first_top = top(a)
        second_top = top(b)
        if first_top != second_top:
            joined[first_top] = second_top
            beside[a].append((b, end, rim_cells))
            beside[b].append((a, rim_cells, end))
    start = np.zeros(count, np.int64)
    into = np.zeros(count, np.int64)
    reached = {0}
    ahead = [0]
    while ahead:
        each = ahead.pop()
        for further, own_side, our_side in beside[each]:
            if further not in reached:
                reached.add(further)
                ahead.append(further)
                start[further] = own_side
                into[further] = our_side
                height = max(heights[own_side], heights[our_side])
                level[further] = max(height, level[each])
    return start, into


def _turn(
    receiver: Cells, pits: NDArray[np.intp], start: NDArray[np.int64], into: NDArray[np.int64]
) -> None:
    """Turn round the way from the pass of each basin to its pit."""
    first_cells = start[1:]
    ahead = into[1:]
    pit = pits
    while len(first_cells):
        further = receiver[first_cells]
        receiver[first_cells] = ahead
        on = first_cells != pit
        ahead = first_cells[on]
        first_cells = further[on]
        pit = pit[on]
