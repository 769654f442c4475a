"""Rivers: the cells through which most water drains, linked down to sea, lake or map edge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.planes.routes import PRESENT
from randomizer.systems.free.landscape.drainage import Cells, Drainage, Marks
from randomizer.systems.free.landscape.noise import Field
from randomizer.systems.free.landscape.relief import Relief
from randomizer.systems.free.landscape.settings import Choices
from randomizer.systems.free.landscape.tributaries import (
    Sources,
    joined_flow,
    risen_rivers,
    spaced_rivers,
)

_LEAST_DRAINED = 12
"""The rain of a few cells makes no river."""

_CANDIDATES = 2
"""So many times the wanted cells are candidates, since the short rivers among them are dropped.
With more, rivers rise nearer to the watersheds, and fewer of them are kept."""

_WIDEST = 12
"""Quarters of the usual width of a river."""

LEAST_LENGTH = 3
"""Cells from the source to the water, of the shortest river system."""


@dataclass(frozen=True, eq=False)
class Rivers:
    """The rivers of a map: all fields are (cells,)."""

    links: NDArray[np.uint8]
    """A link plane: the mask of sides by which a river runs in or out of each cell."""

    flow: NDArray[np.uint8]
    """The mask of the one side by which water leaves each cell; 0: it has no river."""

    width: NDArray[np.int64]
    """In quarters of the usual width; only where a river is does it mean something."""

    runs: Marks
    """The cells of land with a river."""

    length: Cells
    """The number of cells of river from the farthest source to each cell, this one included."""

    receiver: Cells
    """The cell that each cell drains into, as ``Drainage.receiver``: rivers side by side join."""


def rivers_of(
    grid: Grid, choices: Choices, relief: Relief, wet: Field, land: Cells, sources: Sources
) -> Rivers:
    """Return the rivers of a map; ``land`` are its cells of land, ``wet`` (cells,) their moisture.

    A river runs where most water drains through; what is left without its short systems is linked.
    """
    rain = np.zeros(grid.size, np.int64)
    rain[land] = 1 + np.floor(wet[land] * 8).astype(np.int64)
    count = len(land) * _percent(len(land), choices) // 100
    flow = relief.flow
    drained = flow.gathered(rain)
    runs = _wettest(drained, land, count)
    flow = joined_flow(flow, relief.heights, drained, runs, grid.neighbour_table)
    drained = flow.gathered(rain)
    runs = _wettest(drained, land, count)
    runs = spaced_rivers(flow, runs, _length(flow, runs), sources, grid.neighbour_table)
    has_much_water = runs
    runs = risen_rivers(flow, runs, drained, relief.lake, sources)
    length = _length(flow, runs)
    runs = _longest(flow, runs, length, count)

    # Each river is linked down to its receiver, through lakes too, and by a side off the map.
    links = np.zeros(grid.size, np.uint8)
    outflow = np.zeros(grid.size, np.uint8)
    receiver = flow.receiver
    own_cells = np.arange(grid.size)
    cells = np.flatnonzero((runs | (relief.lake & runs[receiver])) & (receiver != own_cells))
    add_links(links, grid, cells, receiver[cells], outflow)
    for cell in np.flatnonzero(runs & (receiver == own_cells)).tolist():
        outflow[cell] = 1 << side_off(grid, cell, int(links[cell]))
        links[cell] |= PRESENT | outflow[cell]

    # The width grows with the root of the water, as that of real rivers does. The thin heads by
    # which rivers were lengthened do not count: they would make all others wide.
    least_drained = 1
    if runs.any():
        least_drained = max(drained[runs & has_much_water].min(), 1)
    width = np.minimum(1 + np.floor(1.6 * np.sqrt(drained / least_drained)), _WIDEST)
    return Rivers(links, outflow, width.astype(np.int64), runs, length, receiver)


def add_links(
    links: NDArray[np.uint8],
    grid: Grid,
    cells: NDArray[Any],
    into: NDArray[Any],
    flow: NDArray[np.uint8] | None = None,
) -> None:
    """Link each of ``cells`` with its neighbour in ``into``, in place: both have the way then.

    ``flow`` (cells,) gets the side by which each of ``cells`` leads into its neighbour.
    """
    table = grid.neighbour_table
    # On a narrow grid that wraps two sides can lead to the same neighbour: only one is linked.
    is_open = np.ones(len(cells), np.bool_)
    for side in range(grid.degree):
        linked_cells = np.flatnonzero(is_open & (table[cells, side] == into))
        is_open[linked_cells] = False
        if flow is not None:
            flow[cells[linked_cells]] = 1 << side
        np.bitwise_or.at(links, cells[linked_cells], PRESENT | 1 << side)
        np.bitwise_or.at(links, into[linked_cells], PRESENT | 1 << grid.opposite(side))


def _percent(land: int, choices: Choices) -> int:
    """Return how much of the land has a river: less of a large one, which has longer rivers."""
    if choices.rivers is not None:
        return choices.rivers
    for land_limit, percent in ((1_500, 13), (6_000, 10), (60_000, 7)):
        if land < land_limit:
            return percent
    return 5


def _wettest(drained: NDArray[np.int64], land: Cells, count: int) -> Marks:
    """Return the cells of land through which most water drains, (cells,).

    They are ``_CANDIDATES`` times ``count``, or less where little water is.
    """
    runs = np.zeros(len(drained), np.bool_)
    if count:
        enough = np.sort(drained[land])[-min(_CANDIDATES * count, len(land))]
        runs[land] = drained[land] >= max(int(enough), _LEAST_DRAINED)
    return runs


def _length(flow: Drainage, runs: Marks) -> Cells:
    """Return how many cells of river lead from the farthest source to each cell, (cells,)."""
    length = runs.astype(np.int32)
    receiver = flow.receiver
    for cells in reversed(flow.ranks[1:]):
        rivers = cells[runs[cells]]
        np.maximum.at(length, receiver[rivers], length[rivers] + 1)
    return np.where(runs, length, 0)


def _longest(flow: Drainage, runs: Marks, length: Cells, count: int) -> Marks:
    """Return the longest river systems of about ``count`` cells in all, (cells,)."""
    receiver = flow.receiver
    # From the mouths upwards, each cell gets the length of its system at the mouth.
    system_length = np.zeros(len(runs), np.int32)
    for cells in flow.ranks:
        rivers = cells[runs[cells]]
        goes_on = runs[receiver[rivers]] & (receiver[rivers] != rivers)
        system_length[rivers] = np.where(goes_on, system_length[receiver[rivers]], length[rivers])

    # The number of cells in the longest systems, then in the longest two lengths, and so on.
    cells_from_longest = np.cumsum(np.bincount(system_length[runs])[::-1])
    lengths_that_fit = int(np.searchsorted(cells_from_longest, count, "right"))
    least_length = len(cells_from_longest) - lengths_that_fit
    return runs & (system_length >= max(least_length, LEAST_LENGTH))


def side_off(grid: Grid, cell: int, links: int) -> int:
    """Return the side by which a river leaves the map: as straight on as can be."""
    degree = grid.degree
    straight_on = degree // 2
    sides_off_map = [side for side in range(degree) if grid.neighbour_table[cell, side] < 0]
    incoming_sides = [side for side in range(degree) if links >> side & 1]

    def bend(side: int) -> int:
        """Return by how many sides the river turns from the incoming one nearest clockwise."""
        turns = [(side - incoming_side) % degree for incoming_side in incoming_sides]
        return abs(min(turns, default=straight_on) - straight_on)

    return min(sides_off_map, key=bend)
