"""Which rivers end at the border of locked cells, after a landscape was rolled around these.

The words are those of ``joined_rivers``: a river leads out of the *lock* by an *opening*, at an
*inlet* water flows into it, at an *outflow* out of it, and a *start* is a cell from which a river
has to be led on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.systems.free.landscape.terrain_names import RIVER

if TYPE_CHECKING:
    from randomizer.systems.free.landscape.drainage import Marks
    from randomizer.systems.free.landscape.locked_ways import LockedWays, Opening
    from randomizer.systems.free.landscape.relief import Relief
    from randomizer.systems.free.landscape.rivers import Rivers

_USUAL_WIDTH = 4
"""The width of a river whose cells say none, in quarters of the usual one."""


class Start(NamedTuple):
    """A cell from which a river has to be led on."""

    cell: int

    width: int
    """The width that the river has there at least, in quarters of the usual one."""


class OpenRivers(NamedTuple):
    """The rivers that end at the border of the lock."""

    inlets: list[Opening]
    """The openings by which water flows into the lock."""

    is_inlet: Marks
    """The cells of land beside inlets, (cells,)."""

    outflows: list[Opening]
    """The openings by which water flows out."""

    starts: list[Start]
    """The cells beside outflows, and the last cells of rivers that were cut off, by their cells."""


def open_rivers(rivers: Rivers, relief: Relief, locked: LockedWays) -> OpenRivers:
    """Return the rivers that end at the border of the lock."""
    inlets = []
    outflows = []
    for opening in locked.openings(RIVER):
        if locked.is_inlet(opening):
            inlets.append(opening)
        else:
            outflows.append(opening)
    is_inlet = np.zeros(locked.grid.size, np.bool_)
    is_inlet[[opening.cell for opening in inlets]] = True
    is_inlet &= ~relief.water

    # The rivers that come out of the lock. Of two into one cell the wider one counts.
    width_of_start: dict[int, int] = {}
    for opening in outflows:
        width = int(locked.width[opening.locked_cell]) or _USUAL_WIDTH
        width_of_start[opening.cell] = max(width, width_of_start.get(opening.cell, 0))

    # A river that was rolled into the lock is cut off, unless water may flow in there.
    is_cut_off = rivers.runs & ~locked.is_locked & locked.is_locked[rivers.receiver] & ~is_inlet
    for cell in np.flatnonzero(is_cut_off).tolist():
        width_of_start.setdefault(cell, int(rivers.width[cell]))

    starts = [Start(cell, width) for cell, width in sorted(width_of_start.items())]
    return OpenRivers(inlets, is_inlet, outflows, starts)
