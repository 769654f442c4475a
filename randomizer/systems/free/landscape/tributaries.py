"""Makes trees of rivers out of the cells through which most water runs.

Water that runs straight down an even slope makes streams side by side, like the teeth of a comb.
A map looks right with trees instead::

    | | | | |        |_| |_|
    | | | | |          |_|
    | | | | |           |
    a comb            a tree

``rivers`` calls three functions, each with the result of the one before:

- ``join_streams`` leads each stream into a greater one beside it;
- ``thin_out_rivers`` leaves out what a map of cells cannot show: the parts of a river that run near
  a longer one;
- ``extend_into_hills`` lengthens rivers up into hills where these are near.

All arrays are (cells,). The *receiver* of a cell is the neighbour that its water runs into
(``drainage``); an outlet is its own receiver. ``runs`` marks the cells that have a river.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.free.landscape.drainage import Cells, Drainage, Marks
from randomizer.systems.free.landscape.noise import Field

_SPACING = 2
"""The steps to a longer river up to which a river is too near to it to be shown.

With more, fewer rivers have arms; with 1, arms begin beside the river that they join.
"""

_LONGEST_CLIMB = 3
"""The most cells by which a river is lengthened to rise in hills.

With more, long thin brooks run along the foot of ranges.
"""

NO_CELL = -1
"""Stands for a cell that does not exist."""


class Sources(NamedTuple):
    """The cells in which rivers may rise: both fields are (cells,)."""

    is_hilly: Marks
    """The cells of hills and mountains, in which rivers rise if they can."""

    is_dry: Marks
    """The cells in which no river rises, though one may run through."""


def join_streams(
    flow: Drainage,
    heights: Field,
    drained: NDArray[np.int64],
    runs: Marks,
    table: NDArray[np.int32],
) -> Drainage:
    """Return the flow with each river led into the greatest river beside it.

    A cell of a river gets another receiver if a neighbour has a river that is greater, both than
    its own and than what it flows into so far, and lies lower. As water still runs nowhere upwards,
    no river flows in a circle.

    ``heights`` are those of the relief, ``drained`` is the water through each cell, and ``table``
    the grid's ``neighbour_table``, (cells, sides).
    """
    receiver = flow.receiver.copy()
    cells = np.flatnonzero(runs & (receiver != np.arange(len(receiver))))
    # The water of the receiver without that which this river brings itself.
    water_of_others = drained[receiver[cells]] - drained[cells]
    most_water = np.maximum(drained[cells], water_of_others)
    for side in range(table.shape[1]):
        neighbours = table[cells, side]
        # A missing neighbour is -1, the last cell: what is looked up there is masked below.
        is_greater = runs[neighbours] & (drained[neighbours] > most_water)
        is_lower = (neighbours >= 0) & (heights[neighbours] < heights[cells])
        joins = np.flatnonzero(is_greater & is_lower)
        receiver[cells[joins]] = neighbours[joins]
        most_water[joins] = drained[neighbours[joins]]
    return replace(flow, receiver=receiver)


def thin_out_rivers(
    flow: Drainage, runs: Marks, length: Cells, sources: Sources, table: NDArray[np.int32]
) -> Marks:
    """Return the rivers that are left when those too near to a longer one are left out.

    The arms of all rivers are gone through, the longest first (``_arms``). Of each the upper part
    is left out as far as it is dry or near an arm that was chosen before; the rest is chosen.
    ``length`` is the number of cells of river from the farthest source to each cell.
    """
    is_chosen = np.zeros(len(runs), np.bool_)
    is_too_near = np.zeros(len(runs), np.bool_)
    for arm in _arms(flow.receiver, runs, length):
        mouth = arm[-1]
        below = flow.receiver[mouth]
        joins_river = runs[below] and below != mouth
        if joins_river and not is_chosen[below]:
            continue  # the arm that it joins was left out there
        cannot_begin = is_too_near[arm] | sources.is_dry[arm]
        if cannot_begin.all():
            continue
        source = int(np.argmin(cannot_begin))  # the first cell at which it is False
        river = arm[source:]
        is_chosen[river] = True
        is_too_near[_cells_within(river, _SPACING, table)] = True
    return is_chosen


def _cells_within(
    cells: NDArray[np.intp], steps: int, table: NDArray[np.int32]
) -> NDArray[np.intp]:
    """Return ``cells`` and all cells that are at most so many steps away from one of them."""
    reached = cells
    for _step in range(steps):
        neighbours = table[reached]
        reached = np.unique(np.append(reached, neighbours[neighbours >= 0]))
    return reached


def extend_into_hills(
    flow: Drainage, runs: Marks, drained: NDArray[np.int64], is_lake: Marks, sources: Sources
) -> Marks:
    """Return the rivers, lengthened upwards to the next cell of hills where one is near.

    A river is lengthened cell by cell, against the flow, into the neighbour from which most water
    comes. If that leads to no hills within ``_LONGEST_CLIMB`` cells, or through dry ground or a
    lake, the river begins where it did. ``drained`` is the water through each cell.
    """
    is_hilly = sources.is_hilly
    receiver = flow.receiver
    drains_on = receiver != np.arange(len(receiver))
    has_water_above = np.zeros(len(runs), np.bool_)
    has_water_above[receiver[(runs | is_lake) & drains_on]] = True
    low_sources = np.flatnonzero(runs & ~has_water_above & ~is_hilly)

    can_rise = drains_on & ~is_lake & ~sources.is_dry
    cell_above = _greatest_cells_above(receiver, drained, can_rise)
    lengthened = runs.copy()
    for source in low_sources.tolist():
        climb = [source]
        for _step in range(_LONGEST_CLIMB):
            highest = climb[-1]
            if is_hilly[highest] or cell_above[highest] == NO_CELL:
                break
            climb.append(int(cell_above[highest]))
        if is_hilly[climb[-1]]:
            lengthened[climb] = True
    return lengthened


def _greatest_cells_above(
    receiver: Cells, drained: NDArray[np.int64], can_rise: Marks
) -> NDArray[np.int64]:
    """Return the cell above each cell from which most of its water comes, (cells,).

    It is one of those that ``can_rise`` marks, or NO_CELL.
    """
    cell_above = np.full(len(receiver), NO_CELL, np.int64)
    # Cells are written from the least water to the most, so that of several cells above one the
    # last, greatest one stays.
    cells = np.flatnonzero(can_rise)
    by_water = cells[np.argsort(drained[cells], kind="stable")]
    cell_above[receiver[by_water]] = by_water
    return cell_above


def _arms(receiver: Cells, runs: Marks, length: Cells) -> list[NDArray[np.intp]]:
    """Return the arms of rivers, the longest first, each as its cells from the source down.

    An arm is a river without those that join it. It ends in water, off the map, or beside a cell of
    a longer arm, which is no part of it. Where arms meet, the longest of them goes on; of equally
    long ones that with the lowest number of its cell.
    """
    # From the cells with the longest way above them: the first one that drains into a cell goes on
    # there, all later ones end.
    cell_above: dict[int, int] = {}
    cells = np.flatnonzero(runs)
    ends = []
    for cell in cells[np.argsort(-length[cells], kind="stable")].tolist():
        below = int(receiver[cell])
        joins_longer_arm = below in cell_above
        if below == cell or not runs[below] or joins_longer_arm:
            ends.append(cell)
        else:
            cell_above[below] = cell

    # Each arm is followed from its end upwards.
    arms = []
    for end in ends:
        arm = [end]
        while arm[-1] in cell_above:
            arm.append(cell_above[arm[-1]])
        arms.append(np.array(arm[::-1], np.intp))
    return sorted(arms, key=len, reverse=True)
