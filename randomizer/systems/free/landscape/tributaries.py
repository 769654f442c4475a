"""Makes trees of rivers: streams side by side join, and those that are still too near are left out.

Water that runs straight down an even slope makes streams beside each other, like the teeth of a
comb. ``joined_flow`` leads a stream into a greater one beside it; ``spaced_rivers`` then leaves out
what a map of cells cannot show: arms that end near another river. ``risen_rivers`` lets the others
rise in hills where these are near.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.free.landscape.drainage import Cells, Drainage, Marks
from randomizer.systems.free.landscape.noise import Field

_SPACING = 2
"""A river begins more than this many steps from any longer one. With more, fewer rivers have arms;
with 1, arms begin beside the river that they join."""

_CLIMB = 3
"""So many cells a river is lengthened to rise in hills. With more, long thin brooks run along the
foot of ranges."""


class Sources(NamedTuple):
    """Where rivers may rise: both fields are (cells,)."""

    is_hilly: Marks
    """The cells of hills and mountains, in which rivers rise if they can."""

    is_dry: Marks
    """The cells in which none rises, though a river may run through some."""


def joined_flow(
    flow: Drainage,
    heights: Field,
    drained: NDArray[np.int64],
    runs: Marks,
    table: NDArray[np.int32],
) -> Drainage:
    """Return the flow with each river led into the greatest lower river beside it, if it is less.

    ``heights`` (cells,) are those of the relief, ``drained`` (cells,) is the water through each
    cell, ``runs`` marks the rivers, and ``table`` is the grid's ``neighbour_table``. Water still
    runs nowhere upwards, so no river flows in a circle.
    """
    receiver = flow.receiver.copy()
    cells = np.flatnonzero(runs & (receiver != np.arange(len(receiver))))
    # What the river flows into already counts by the water that it has without this river.
    water_without = drained[receiver[cells]] - drained[cells]
    most_water = np.maximum(drained[cells], water_without)
    for side in range(table.shape[1]):
        neighbours = table[cells, side]
        is_greater = runs[neighbours] & (drained[neighbours] > most_water)
        is_lower = (neighbours >= 0) & (heights[neighbours] < heights[cells])
        joins = np.flatnonzero(is_greater & is_lower)
        receiver[cells[joins]] = neighbours[joins]
        most_water[joins] = drained[neighbours[joins]]
    return replace(flow, receiver=receiver)


def spaced_rivers(
    flow: Drainage, runs: Marks, length: Cells, sources: Sources, table: NDArray[np.int32]
) -> Marks:
    """Return the rivers without heads that are dry or lie near a longer river, (cells,).

    ``length`` (cells,) is the number of cells from the farthest source to each cell of the rivers
    that ``runs`` marks. An arm that is near another river as a whole is left out.
    """
    result = np.zeros(len(runs), np.bool_)
    is_near = np.zeros(len(runs), np.bool_)
    for arm in _arms(flow.receiver, runs, length):
        below = flow.receiver[arm[-1]]
        joins_left_out_head = runs[below] and below != arm[-1] and not result[below]
        is_head = is_near[arm] | sources.is_dry[arm]
        if joins_left_out_head or is_head.all():
            continue
        source = int(np.argmin(is_head))
        river = arm[source:]
        result[river] = True
        near_cells = river
        for _step in range(_SPACING):
            neighbours = table[near_cells]
            near_cells = np.unique(np.append(near_cells, neighbours[neighbours >= 0]))
        is_near[near_cells] = True
    return result


def risen_rivers(
    flow: Drainage, runs: Marks, drained: NDArray[np.int64], is_lake: Marks, sources: Sources
) -> Marks:
    """Return the rivers, lengthened up to the next cell of hills if one is near.

    They follow the cells through which most water comes, ``drained`` (cells,). A river that would
    come through dry ground or find no hills begins where it did, and so does one that comes out of
    a lake, ``is_lake`` (cells,).
    """
    is_hilly = sources.is_hilly
    receiver = flow.receiver
    drains_on = receiver != np.arange(len(receiver))
    has_water_above = np.zeros(len(runs), np.bool_)
    has_water_above[receiver[(runs | is_lake) & drains_on]] = True
    low_sources = np.flatnonzero(runs & ~has_water_above & ~is_hilly)

    # The cell above each one, -1 for none: of several the last one written counts.
    above = np.full(len(runs), -1, np.int64)
    cells = np.flatnonzero(drains_on & ~is_lake & ~sources.is_dry)
    by_water = cells[np.argsort(drained[cells], kind="stable")]
    above[receiver[by_water]] = by_water

    result = runs.copy()
    for source in low_sources.tolist():
        climb = [source]
        while len(climb) <= _CLIMB and not is_hilly[climb[-1]] and above[climb[-1]] >= 0:
            climb.append(int(above[climb[-1]]))
        if is_hilly[climb[-1]]:
            result[climb] = True
    return result


def _arms(receiver: Cells, runs: Marks, length: Cells) -> list[NDArray[np.intp]]:
    """Return the arms of rivers, the longest first, each as its cells from the source down.

    An arm ends in water, off the map or in a longer arm, whose cells are not repeated. The arm that
    goes on below a confluence is the longest one, of equal ones that of the lowest number.
    """
    cell_above: dict[int, int] = {}
    cells = np.flatnonzero(runs)
    ends = []
    for cell in cells[np.argsort(-length[cells], kind="stable")].tolist():
        below = int(receiver[cell])
        if below == cell or not runs[below] or below in cell_above:
            ends.append(cell)
        else:
            cell_above[below] = cell
    arms = []
    for end in ends:
        arm = [end]
        while arm[-1] in cell_above:
            arm.append(cell_above[arm[-1]])
        arms.append(np.array(arm[::-1], np.intp))
    return sorted(arms, key=len, reverse=True)
