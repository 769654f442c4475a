"""Finds where the water of each cell runs: downhill, and out of each hollow over its lowest pass.

    flow = drainage(heights, sea, rim, grid.neighbour_table)
    flow.receiver[cell]             # the neighbour that the water of the cell runs into

The words: a cell drains into its *receiver*. An *outlet* is where water leaves the land, such as
the sea. A *pit* is a cell without a lower neighbour that is no outlet. All cells whose water ends
in one pit are its *basin*; a *pass* is the lowest cell on the border of two basins.

The algorithm is that of Cordonnier, Bovy and Braun, "A versatile, linear complexity algorithm for
flow routing in topographies with depressions" (2019):

1. each cell drains into its lowest neighbour (``_lowest_neighbours``);
2. a tree of lowest passes joins the basins to the outside (``_passes_of_basins``);
3. the way from each pass down to its pit is reversed (``_reverse_ways``), so that the water of the
   hollow runs out over the pass.

For instance, in a row of cells, of which the last one is an outlet::

    heights      5    2    4    1    3    0
    step 1       ->  pit   ->  pit   ->  outlet      basins: 5 2 | 4 1 | 3 0
    step 3       ->   ->   ->   ->   ->  outlet      over the passes 4 and 3
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.free.landscape.noise import Field

Cells = NDArray[np.int32]
"""Indices of cells."""

Marks = NDArray[np.bool_]
"""A truth value for each cell, (cells,)."""


@dataclass(frozen=True)
class Drainage:
    """The flow of water over the cells of a map."""

    receiver: Cells
    """(cells,): the cell that each cell drains into; an outlet is its own receiver."""

    level: Field
    """(cells,): the level of standing water: the height or, in a hollow, that of its pass."""

    @cached_property
    def ranks(self) -> list[Cells]:
        """The cells by the number of steps to their outlet: entry i has those i steps away.

        So the receivers of the cells of an entry are in the entry before.
        """
        # ``targets`` are the cells 1, 2, 4 ... steps down, ``steps`` the number of steps down to
        # them. Each round looks up the target of the target, which is twice as far down.
        is_outlet = self.receiver == np.arange(len(self.receiver))
        steps = (~is_outlet).astype(np.int32)
        targets = self.receiver
        while True:
            targets_of_targets = targets[targets]
            if np.array_equal(targets_of_targets, targets):
                break
            steps = steps + steps[targets]
            targets = targets_of_targets
        order = np.argsort(steps, kind="stable").astype(np.int32)
        return np.split(order, np.cumsum(np.bincount(steps))[:-1])

    def water_through(self, rain: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the water through each cell: its own rain, and that of all cells above, (cells,).

        ``rain`` (cells,) is the water that falls on each cell.
        """
        water = rain.copy()
        for cells in reversed(self.ranks[1:]):  # the farthest cells first
            np.add.at(water, self.receiver[cells], water[cells])
        return water

    def raised_to_receivers(self, heights: Field) -> Field:
        """Return heights raised so that none is below its receiver, (cells,)."""
        raised = heights.copy()
        for cells in self.ranks[1:]:
            raised[cells] = np.maximum(raised[cells], raised[self.receiver[cells]])
        return raised


def drainage(heights: Field, outlets: Marks, rim: Marks, table: NDArray[np.int32]) -> Drainage:
    """Return how cells of these heights drain into ``outlets``, or off the rim.

    ``table`` is the grid's ``neighbour_table``. A cell of the ``rim`` that has no lower neighbour
    is an outlet, too. Where there is none at all the lowest cell is one, and so is the lowest pit
    of a piece of land from which no way leads to an outlet: a map can have holes.
    """
    # Downhill.
    cells = np.arange(len(heights), dtype=np.int32)
    receiver = _lowest_neighbours(heights, table)
    is_outlet = outlets | (rim & (receiver == cells))
    if not is_outlet.any():
        is_outlet[heights.argmin()] = True
    receiver[is_outlet] = cells[is_outlet]

    # The basin of a cell is the number of the pit where it ends, from 1; 0: it ends in an outlet.
    pits = np.flatnonzero((receiver == cells) & ~is_outlet)
    number_of_pit = np.zeros(len(heights), np.int64)
    number_of_pit[pits] = np.arange(1, len(pits) + 1)
    basin = number_of_pit[drain_ends(receiver)]

    # Out of the basins.
    passes = _passes_of_basins(heights, basin, pits, table)
    _reverse_ways(receiver, pits, passes)
    return Drainage(receiver, np.maximum(heights, passes.level[basin]))


def steps_to_nearest(marks: Marks, table: NDArray[np.int32], limit: int) -> NDArray[np.int32]:
    """Return the number of steps from each cell to the nearest marked one, (cells,).

    It is 0 for marked cells, and ``limit`` for all that are as far away or farther.
    """
    steps = np.where(marks, 0, limit).astype(np.int32)
    for distance in range(1, limit):
        has_neighbour_within = np.zeros(len(marks), np.bool_)
        for side in range(table.shape[1]):
            neighbours = table[:, side]
            has_neighbour_within |= (neighbours >= 0) & (steps[neighbours] < distance)
        steps[has_neighbour_within & (steps > distance)] = distance
    return steps


def _lowest_neighbours(heights: Field, table: NDArray[np.int32]) -> Cells:
    """Return the lowest neighbour of each cell, or the cell itself if none is lower, (cells,)."""
    lowest_height = heights.copy()
    receiver = np.arange(len(heights), dtype=np.int32)
    for side in range(table.shape[1]):
        neighbours = table[:, side]
        height = np.where(neighbours >= 0, heights[neighbours], np.inf)
        is_lower = height < lowest_height
        lowest_height = np.where(is_lower, height, lowest_height)
        receiver = np.where(is_lower, neighbours, receiver)
    return receiver


def drain_ends(receiver: Cells) -> Cells:
    """Return the pit or outlet where the water of each cell ends, (cells,).

    Raises ValueError if water flows in a circle: it would never come to an end.
    """
    # Each round looks up the end of the end: after k rounds an entry is 2 ** k steps down. No way
    # is longer than the map has cells.
    ends = receiver
    for _ in range(len(receiver).bit_length() + 1):
        ends_of_ends = ends[ends]
        if np.array_equal(ends_of_ends, ends):
            return ends
        ends = ends_of_ends
    raise ValueError("water flows in a circle")


# --- passes -------------------------------------------------------------------------------------


class _Passes(NamedTuple):
    """The pass over which each basin drains, (basins,) each; that of basin 0 means nothing."""

    inner: NDArray[np.int64]
    """The cell of the basin at its pass."""

    outer: NDArray[np.int64]
    """Its neighbour in the next basin on the way out."""

    level: Field
    """The height up to which the water stands; ``-inf`` in a basin that drains without filling."""


class _Borders(NamedTuple):
    """The lowest border between each two basins that touch, the lowest of all first."""

    cells: NDArray[np.int64]
    """The cell on one side of each border, (borders,)."""
    neighbours: NDArray[np.int64]
    """The cell on the other side of it, (borders,)."""


_Exit = tuple[int, int, int]
"""A pass seen from one of its basins: the other basin, the cell there, the cell on this side.

A bare tuple, since maps have ten thousands of them and a NamedTuple takes seven times as long.
"""


def _passes_of_basins(
    heights: Field, basin: NDArray[np.int64], pits: NDArray[np.intp], table: NDArray[np.int32]
) -> _Passes:
    """Return the pass of each basin; ``basin`` (cells,) is that of each cell.

    ``pits`` are the lowest cells of the basins from 1 on. The passes are a spanning tree of least
    height, walked from basin 0: what is outside drains already, so each basin that is reached
    drains into the one it is reached from. A piece of land that the walk does not reach is walked
    from its lowest pit, which is then its outlet: a pass from the pit to itself.
    """
    count = len(pits) + 1
    exits = _pass_tree(_borders(heights, basin, count, table), basin, count)
    inner = [0, *pits.tolist()]
    outer = [0, *pits.tolist()]
    level = [-math.inf] * count
    # Python reads single values of a memoryview several times faster than those of an array.
    height_of = heights.data
    reached = set[int]()
    lowest_basins_first = (1 + np.argsort(heights[pits], kind="stable")).tolist()
    for start in (0, *lowest_basins_first):
        if start in reached:
            continue
        reached.add(start)
        waiting = [start]
        while waiting:
            drained_basin = waiting.pop()
            for further_basin, far_cell, near_cell in exits[drained_basin]:
                if further_basin in reached:
                    continue
                reached.add(further_basin)
                waiting.append(further_basin)
                inner[further_basin] = far_cell
                outer[further_basin] = near_cell
                # Water that runs over a pass into another hollow stands at least as high as there.
                height = max(height_of[far_cell], height_of[near_cell])
                level[further_basin] = max(height, level[drained_basin])
    return _Passes(np.array(inner, np.int64), np.array(outer, np.int64), np.array(level))


def _borders(
    heights: Field, basin: NDArray[np.int64], count: int, table: NDArray[np.int32]
) -> _Borders:
    """Return the lowest border between each two of ``count`` basins.

    A border is as high as the higher one of its two cells; of equal ones that with the lower other
    cell comes first.
    """
    cells_of_sides = []
    neighbours_of_sides = []
    # Side k of a cell is side k + n / 2 of the neighbour beyond it, for n sides: half of the sides
    # are all borders.
    for side in range(table.shape[1] // 2):
        cells = np.flatnonzero((table[:, side] >= 0) & (basin[table[:, side]] != basin))
        cells_of_sides.append(cells)
        neighbours_of_sides.append(table[cells, side])
    cells = np.concatenate(cells_of_sides)
    neighbours = np.concatenate(neighbours_of_sides).astype(np.int64)

    height = np.maximum(heights[cells], heights[neighbours])
    lower_height = np.minimum(heights[cells], heights[neighbours])
    lower_basin = np.minimum(basin[cells], basin[neighbours])
    higher_basin = np.maximum(basin[cells], basin[neighbours])
    pair = lower_basin * count + higher_basin  # one number for each pair of basins

    # Sorted by pair and then by height, the first border of each pair is its lowest one.
    by_pair = np.lexsort((lower_height, height, pair))
    is_first_of_pair = np.ones(len(by_pair), np.bool_)
    is_first_of_pair[1:] = np.diff(pair[by_pair]) > 0
    lowest = by_pair[is_first_of_pair]
    by_height = lowest[np.lexsort((lower_height[lowest], height[lowest]))]
    return _Borders(cells[by_height], neighbours[by_height])


def _pass_tree(borders: _Borders, basin: NDArray[np.int64], count: int) -> list[list[_Exit]]:
    """Return, by basin, the borders of a spanning tree of least height (Kruskal's algorithm).

    From the lowest border on, each one that joins two groups of basins is a pass.
    """
    parents = list(range(count))  # see ``_group``: at first each basin is a group of its own
    exits: list[list[_Exit]] = [[] for _ in range(count)]
    for cell, neighbour, first_basin, second_basin in zip(
        borders.cells.tolist(),
        borders.neighbours.tolist(),
        basin[borders.cells].tolist(),
        basin[borders.neighbours].tolist(),
        strict=True,
    ):
        first_group = _group(parents, first_basin)
        second_group = _group(parents, second_basin)
        if first_group != second_group:
            parents[first_group] = second_group
            exits[first_basin].append((second_basin, neighbour, cell))
            exits[second_basin].append((first_basin, cell, neighbour))
    return exits


def _group(parents: list[int], basin: int) -> int:
    """Return the basin that stands for the group of a basin, and shorten the way to it.

    A basin that is its own parent stands for its group; each step links to the grandparent.
    """
    while parents[basin] != basin:
        grandparent = parents[parents[basin]]
        parents[basin] = grandparent
        basin = grandparent
    return basin


def _reverse_ways(receiver: Cells, pits: NDArray[np.intp], passes: _Passes) -> None:
    """Reverse the way from the pass of each basin down to its pit; ``receiver`` is changed.

    The cell at the pass drains over it, and each further cell of the way into the cell that drained
    into it so far. All basins are gone through at once, a cell of each at a time.
    """
    cells = passes.inner[1:]  # basin 0 is the outside, which has no pit
    new_receivers = passes.outer[1:]
    while len(cells):
        old_receivers = receiver[cells]
        receiver[cells] = new_receivers
        goes_on = cells != pits  # False once the pit of the basin is reached
        new_receivers = cells[goes_on]
        cells = old_receivers[goes_on]
        pits = pits[goes_on]
