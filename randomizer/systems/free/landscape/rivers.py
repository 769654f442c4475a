"""Rivers: the cells through which most water drains, linked down to sea, lake or map edge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.planes.routes import PRESENT
from randomizer.systems.free.landscape.drainage import Cells, Marks
from randomizer.systems.free.landscape.noise import Field
from randomizer.systems.free.landscape.relief import Relief
from randomizer.systems.free.landscape.settings import Choices

_LEAST_DRAINED = 12
"""The rain of a few cells makes no river."""

_WIDEST = 12
"""Quarters of the usual width of a river."""

LEAST_LENGTH = 3
"""Cells from the source to the water, of the shortest river system."""


@dataclass(frozen=True, eq=False)
class Rivers:
    """The rivers of a map, all (cells,): links, the side they flow out by, and their width.

    ``links`` is a link plane, ``flow`` a mask of sides, ``width`` in quarters of the usual one.
    ``runs`` marks the cells of land with a river, ``length`` is that from their farthest source.
    """

    links: NDArray[np.uint8]
    flow: NDArray[np.uint8]
    width: NDArray[np.int64]
    runs: Marks
    length: Cells


def rivers_of(grid: Grid, choices: Choices, relief: Relief, wet: Field, land: Cells) -> Rivers:
    """Return the rivers of a map; ``land`` are its cells of land."""
    rain = np.zeros(grid.size, np.int64)
    rain[land] = 1 + np.floor(wet[land] * 8).astype(np.int64)
    drained = relief.flow.gathered(rain)
    runs = np.zeros(grid.size, np.bool_)
    count = len(land) * _percent(len(land), choices) // 100
    if count:
        enough = np.sort(drained[land])[-min(2 * count, len(land))]
        runs[land] = drained[land] >= max(int(enough), _LEAST_DRAINED)
    length = _length(relief, runs)
    runs = _longest(relief, runs, length, count)
    links = np.zeros(grid.size, np.uint8)
    flow = np.zeros(grid.size, np.uint8)
    receiver = relief.flow.receiver
    own_cells = np.arange(grid.size)
    cells = np.flatnonzero((runs | (relief.lake & runs[receiver])) & (receiver != own_cells))
    add_links(links, grid, cells, receiver[cells], flow)
    for cell in np.flatnonzero(runs & (receiver == own_cells)).tolist():
        flow[cell] = 1 << _side_off(grid, cell, int(links[cell]))
        links[cell] |= PRESENT | flow[cell]
    least = drained[runs].min() if runs.any() else 1
    width = np.minimum(1 + np.floor(1.6 * np.sqrt(drained / max(least, 1))), _WIDEST)
    return Rivers(links, flow, width.astype(np.int64), runs, length)


def add_links(
    links: NDArray[np.uint8],
    grid: Grid,
    cells: NDArray[Any],
    into: NDArray[Any],
    flow: NDArray[np.uint8] | None = None,
) -> None:
    """Link cells with neighbours in both, and mark both as having the way.

    ``flow`` (cells,) gets the side of each of ``cells``.
    """
    table = grid.neighbour_table
    open_ = np.ones(len(cells), np.bool_)
    for side in range(grid.degree):
        linked_cells = np.flatnonzero(open_ & (table[cells, side] == into))
        open_[linked_cells] = False
        if flow is not None:
            flow[cells[linked_cells]] = 1 << side
        np.bitwise_or.at(links, cells[linked_cells], PRESENT | 1 << side)
        np.bitwise_or.at(links, into[linked_cells], PRESENT | 1 << grid.opposite(side))


def _percent(land: int, choices: Choices) -> int:
    """Return how much of the land has a river: less of a large one, which has longer rivers."""
    if choices.rivers is not None:
        return choices.rivers
    return next(
        (share for most, share in ((1_500, 13), (6_000, 10), (60_000, 7)) if land < most), 5
    )


def _length(relief: Relief, runs: Marks) -> Cells:
    length = runs.astype(np.int32)
    receiver = relief.flow.receiver
    for cells in reversed(relief.flow.ranks[1:]):
        rivers = cells[runs[cells]]
        np.maximum.at(length, receiver[rivers], length[rivers] + 1)
    return np.where(runs, length, 0)


def _longest(relief: Relief, runs: Marks, length: Cells, count: int) -> Marks:
    """Return the longest river systems of about ``count`` cells in all, without side arms of one
    cell.
    """
    receiver = relief.flow.receiver
    runs = runs & ~((length == 1) & runs[receiver] & (length[receiver] > 2))
    whole = np.zeros(len(runs), np.int32)
    for cells in relief.flow.ranks:
        rivers = cells[runs[cells]]
        onwards = runs[receiver[rivers]] & (receiver[rivers] != rivers)
        whole[rivers] = np.where(onwards, whole[receiver[rivers]], length[rivers])
    longest_first = np.cumsum(np.bincount(whole[runs])[::-1])
    least = len(longest_first) - int(np.searchsorted(longest_first, count, "right"))
    return runs & (whole >= max(least, LEAST_LENGTH))


def _side_off(grid: Grid, cell: int, links: int) -> int:
    """Return the side by which a river leaves the map: as straight on as can be."""
    degree = grid.degree
    off = [side for side in range(degree) if grid.neighbour_table[cell, side] < 0]
    came = [side for side in range(degree) if links >> side & 1]

    def straight(side: int) -> int:
        turn = min(((side - side_before) % degree for side_before in came), default=degree // 2)
        return abs(turn - degree // 2)

    return min(off, key=straight)
