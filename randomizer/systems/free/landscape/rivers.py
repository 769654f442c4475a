"""Chooses the rivers of a landscape, and links their cells down to sea, lake or map edge.

``rivers_of`` is what ``landscape`` calls. All water of a map drains downhill: each cell has a
*receiver*, the neighbour that its water runs into (``drainage.Drainage``). A river is drawn where
most of the water drains through, so that about the chosen percentage of the land has one:

1. the cells through which most water runs, twice as many as are needed (``_wettest``);
2. of these, trees instead of combs of parallel streams, with sources in hills (``tributaries``);
3. of these, the longest river systems, as many as are needed (``_longest``).

A *river system* is a river with all rivers that join it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.planes.routes import PRESENT
from randomizer.systems.free.landscape.drainage import Cells, Drainage, Marks
from randomizer.systems.free.landscape.links import Links, add_links, bit_of_side, outflow_side
from randomizer.systems.free.landscape.noise import Field
from randomizer.systems.free.landscape.relief import Relief
from randomizer.systems.free.landscape.settings import Choices
from randomizer.systems.free.landscape.tributaries import (
    Sources,
    extend_into_hills,
    join_streams,
    thin_out_rivers,
)

_RAIN_OF_MOISTURE = 8
"""The rain on a cell for each unit of its moisture; each cell gets 1 more, dry ones 1 alone."""

_MIN_DRAINED = 12
"""The least water through a cell of a river; the rain of a few cells makes none."""

_CANDIDATES = 2
"""The candidates for each cell of river that is needed, since the short rivers are left out.

With more, rivers rise nearer to the watersheds, and fewer of them are drawn.
"""

_WIDENING = 1.6
"""The width that rivers gain with the root of their water, in quarters of the usual width."""

_WIDEST = 12
"""The greatest width of a river, in quarters of the usual one."""

MIN_LENGTH = 3
"""The length of the shortest river system, in cells from the source to the water."""

_PERCENTS_BY_LAND = (
    (1_500, 13),
    (6_000, 10),
    (60_000, 7),
)
"""Limits of the number of cells of land, each with the usual percentage of rivers below it."""

_PERCENT_OF_LARGEST_LAND = 5
"""The usual percentage for land that is larger than all these limits."""


@dataclass(frozen=True, eq=False)
class Rivers:
    """The rivers of a map: all fields are (cells,)."""

    links: Links
    """The sides by which a river runs into or out of each cell: bit ``i`` is side ``i``.

    Cells with a river have the bit ``PRESENT`` as well.
    """

    flow: Links
    """The bit of the one side by which water leaves each cell; 0 for a cell without a river."""

    width: NDArray[np.int64]
    """The width in quarters of the usual one; the values of cells without a river mean nothing."""

    runs: Marks
    """The cells of land with a river."""

    length: Cells
    """The number of cells of river from the farthest source to each cell, this one included."""

    receiver: Cells
    """The cell that each cell drains into, as in ``Drainage``.

    It differs from that of the relief where rivers side by side have been joined.
    """


def rivers_of(
    grid: Grid,
    choices: Choices,
    relief: Relief,
    moisture: Field,
    land: Cells,
    sources: Sources,
) -> Rivers:
    """Return the rivers of a map.

    ``land`` are the cells of land, ``moisture`` (cells,) is that of all cells, and ``sources`` says
    where rivers may rise.
    """
    rain = np.zeros(grid.size, np.int64)
    rain[land] = 1 + np.floor(moisture[land] * _RAIN_OF_MOISTURE).astype(np.int64)
    count = len(land) * _percent_of_land(len(land), choices) // 100

    # Where most water runs. Joining rivers changes where it runs, so it is looked up anew.
    table = grid.neighbour_table
    flow = relief.flow
    drained = flow.water_through(rain)
    runs = _wettest(drained, land, count)
    flow = join_streams(flow, relief.heights, drained, runs, table)
    drained = flow.water_through(rain)
    runs = _wettest(drained, land, count)

    # Rivers apart from one another, with sources in hills; the longest systems of these.
    spaced = thin_out_rivers(flow, runs, _lengths(flow, runs), sources, table)
    runs = extend_into_hills(flow, spaced, drained, relief.lake, sources)
    length = _lengths(flow, runs)
    runs = _longest(flow, runs, length, count)

    channels = _channels(grid, flow, runs, relief.lake)
    width = _widths(drained, runs, has_much_water=spaced)
    return Rivers(channels.links, channels.flow, width, runs, length, flow.receiver)


def _percent_of_land(land_count: int, choices: Choices) -> int:
    """Return how many percent of the land have a river: the chosen number, else the usual one.

    Usually they are fewer on large land, which has longer rivers.
    """
    if choices.rivers is not None:
        return choices.rivers
    for land_limit, percent in _PERCENTS_BY_LAND:
        if land_count < land_limit:
            return percent
    return _PERCENT_OF_LARGEST_LAND


def _wettest(drained: NDArray[np.int64], land: Cells, count: int) -> Marks:
    """Return the cells of land through which most water drains, (cells,).

    They are ``_CANDIDATES`` times ``count``, or fewer where there is little water. ``drained``
    (cells,) is the water through each cell.
    """
    runs = np.zeros(len(drained), np.bool_)
    if count:
        candidate_count = min(_CANDIDATES * count, len(land))
        water_of_last_candidate = int(np.sort(drained[land])[-candidate_count])
        runs[land] = drained[land] >= max(water_of_last_candidate, _MIN_DRAINED)
    return runs


def _lengths(flow: Drainage, runs: Marks) -> Cells:
    """Return the number of cells of river from the farthest source to each cell, (cells,).

    It counts the cell itself, and is 0 for cells without a river.
    """
    length = runs.astype(np.int32)
    # The cells farthest from the outlets come first, so that the length of a cell is final before
    # it is handed on to its receiver.
    for cells in reversed(flow.ranks[1:]):
        river_cells = cells[runs[cells]]
        np.maximum.at(length, flow.receiver[river_cells], length[river_cells] + 1)
    return np.where(runs, length, 0)


def _longest(flow: Drainage, runs: Marks, length: Cells, count: int) -> Marks:
    """Return the longest river systems of about ``count`` cells in all, (cells,).

    ``length`` (cells,) is the result of ``_lengths``.
    """
    receiver = flow.receiver
    # The length of a system is that at its mouth: from the mouths upwards each cell gets it.
    system_length = np.zeros(len(runs), np.int32)
    for cells in flow.ranks:
        river_cells = cells[runs[cells]]
        receivers = receiver[river_cells]
        goes_on = runs[receivers] & (receivers != river_cells)
        system_length[river_cells] = np.where(
            goes_on, system_length[receivers], length[river_cells]
        )

    # How many cells the systems of the greatest length have, then those of the two greatest
    # lengths, and so on: as many lengths are taken as fit into ``count``.
    cells_by_length = np.bincount(system_length[runs])
    cells_from_longest = np.cumsum(cells_by_length[::-1])
    # The greatest length is taken in any case: small land has one river rather than none.
    lengths_that_fit = max(1, int(np.searchsorted(cells_from_longest, count, "right")))
    min_length = len(cells_from_longest) - lengths_that_fit
    return runs & (system_length >= max(min_length, MIN_LENGTH))


class _Channels(NamedTuple):
    """The courses of rivers from cell to cell: both fields are those of ``Rivers``."""

    links: Links
    """The sides by which a river runs into or out of each cell."""

    flow: Links
    """The side by which the water leaves each cell."""


def _channels(grid: Grid, flow: Drainage, runs: Marks, lake: Marks) -> _Channels:
    """Return the channels of rivers down to the sea, a lake or the edge of the map.

    Each cell of a river is linked to its receiver, and so is a cell of a lake whose receiver has a
    river, so that the river comes out of the lake. An outlet, which is its own receiver, is linked
    to the outside by a side off the map.
    """
    channels = _Channels(np.zeros(grid.size, np.uint8), np.zeros(grid.size, np.uint8))
    receiver = flow.receiver
    is_outlet = receiver == np.arange(grid.size)
    is_linked = runs | (lake & runs[receiver])
    cells = np.flatnonzero(is_linked & ~is_outlet)
    add_links(channels.links, grid, cells, receiver[cells], channels.flow)
    for cell in np.flatnonzero(runs & is_outlet).tolist():
        bit = bit_of_side(outflow_side(grid, cell, int(channels.links[cell])))
        channels.flow[cell] = bit
        channels.links[cell] |= PRESENT | bit
    return channels


def _widths(drained: NDArray[np.int64], runs: Marks, has_much_water: Marks) -> NDArray[np.int64]:
    """Return the width of the river in each cell, (cells,), in quarters of the usual width.

    It grows with the root of the water, as that of real rivers does; the narrowest river is the one
    with the least water among the cells of ``has_much_water`` (cells,). These are without the thin
    heads by which rivers were lengthened into hills, since these would make all other rivers wide.
    Each river has some of them.
    """
    least_drained = 1
    if runs.any():
        least_drained = max(drained[runs & has_much_water].min(), 1)
    width = np.minimum(1 + np.floor(_WIDENING * np.sqrt(drained / least_drained)), _WIDEST)
    return np.asarray(width, np.int64)
