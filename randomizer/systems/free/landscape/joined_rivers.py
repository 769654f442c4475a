"""Rivers at the border of locked cells: each is led on, so that none ends there.

The landscape is rolled around the *lock*, the locked cells. A river of the locked cells leads out
of it by an *opening*. Where its water flows out, the river goes on from there; where water flows
in, at an *inlet*, a river has to come from above. A river that was rolled through the lock is cut
off before it, and goes on, too::

    ~ ~ ~ ~ ~ ~ ~ ~ ~ ~
    . . . . . . . . . .        #  locked cells
    . . i=#=#=#=s . . .        i  the cell of an inlet: a river must come here from the hills
    . . . # # # . . . .        s  a start: the river must go on to the sea (~), a river or the edge
    . . s # # # . r r .        the river r, rolled from right to left, is cut off at its start
    . . . . . . . . . .

``joined_rivers`` leads on one start after the other by the cheapest path, then the inlets. The
words:

- *opening*: a side of a locked cell by which a river leads out of the lock;
- *inlet*, *outflow*: an opening by which water flows into the lock, or out of it;
- *start*: a cell beside an outflow, or the last one of a river that was cut off. It is *open* until
  its river is led on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.geometry.cheapest_path import StepCosts, path_to_nearest
from randomizer.model.planes.routes import PRESENT
from randomizer.systems.free.landscape.drainage import steps_to_nearest
from randomizer.systems.free.landscape.links import add_links, bit_of_side, outflow_side
from randomizer.systems.free.landscape.relief import rim_of
from randomizer.systems.free.landscape.river_ends import RiverEnds
from randomizer.systems.free.landscape.terrain_names import RIVER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from randomizer.systems.free.landscape.drainage import Cells, Marks
    from randomizer.systems.free.landscape.locked_ways import LockedWays, Opening
    from randomizer.systems.free.landscape.relief import Relief
    from randomizer.systems.free.landscape.rivers import Rivers

_STEP_COST = 0.3
"""What a cell costs a river at the height of the sea. If it is larger, rivers climb more hills to
be short."""

_CLIMB_COST = 12.0
"""What a cell as high as the highest land costs a river more than one at the sea.

If it is larger, rivers take longer ways round to stay low.
"""

_MIN_RAIN = 3
"""The cells that must drain to a cell for a river to begin there, itself included.

If it is larger, rivers begin farther down.
"""

_USUAL_WIDTH = 4
"""The width of a river whose cells say none, in quarters of the usual one."""


def joined_rivers(rivers: Rivers, relief: Relief, locked: LockedWays) -> Rivers:
    """Return the rivers, led on from the border of the lock.

    One ends there all the same where nothing but locked ground lies around it.
    """
    course = _Course(rivers, relief, locked)
    course.lead_on(_open_ends(rivers, relief, locked))
    return course.rivers


# --- what is open --------------------------------------------------------------------------------


class _Start(NamedTuple):
    """A cell from which a river has to be led on."""

    cell: int

    width: int
    """The width that the river has there at least, in quarters of the usual one."""


class _OpenEnds(NamedTuple):
    """The rivers that end at the border of the lock."""

    inlets: list[Opening]
    """The openings by which water flows into the lock."""

    outflows: list[Opening]
    """The openings by which water flows out."""

    starts: list[_Start]
    """The cells of the outflows, and the last cells of the rivers that were cut off."""


def _open_ends(rivers: Rivers, relief: Relief, locked: LockedWays) -> _OpenEnds:
    """Return the open ends of rivers, the starts by their cells in order."""
    inlets = []
    outflows = []
    width_of_start: dict[int, int] = {}
    for opening in locked.openings(RIVER):
        if locked.is_inlet(opening):
            inlets.append(opening)
            continue
        outflows.append(opening)
        width = int(locked.width[opening.locked_cell]) or _USUAL_WIDTH
        width_of_start[opening.cell] = max(width, width_of_start.get(opening.cell, 0))

    # A river that was rolled into the lock is cut off, unless water may flow in there.
    is_cut_off = rivers.runs & ~locked.is_locked & locked.is_locked[rivers.receiver]
    is_cut_off &= ~_cells_of_inlets(inlets, relief)
    for cell in np.flatnonzero(is_cut_off).tolist():
        width_of_start.setdefault(cell, int(rivers.width[cell]))

    starts = [_Start(cell, width) for cell, width in sorted(width_of_start.items())]
    return _OpenEnds(inlets, outflows, starts)


def _cells_of_inlets(inlets: Iterable[Opening], relief: Relief) -> Marks:
    """Return the cells of land beside inlets, (cells,)."""
    is_inlet = np.zeros(len(relief.heights), np.bool_)
    is_inlet[[opening.cell for opening in inlets]] = True
    return is_inlet & ~relief.water


# --- the rivers while they are led on -------------------------------------------------------------


class _Course:
    """All rivers, while those with open ends are led on; arrays are (cells,)."""

    def __init__(self, rivers: Rivers, relief: Relief, locked: LockedWays) -> None:
        self._grid = locked.grid
        self._locked = locked
        self._relief = relief
        self._water = relief.water
        self._rim = rim_of(self._grid)
        """True for cells at the edge of the map."""
        is_beside_land = steps_to_nearest(~self._water, self._grid.neighbour_table, 2) == 1
        self._shore = self._water & is_beside_land
        """True for cells of water beside land."""

        self.rivers = replace(
            rivers,
            links=rivers.links.copy(),
            flow=rivers.flow.copy(),
            width=rivers.width.copy(),
            runs=rivers.runs & ~locked.is_locked,
            length=rivers.length.copy(),
            receiver=rivers.receiver.copy(),
        )
        """The rivers so far; their arrays are changed in place."""

    def lead_on(self, open_ends: _OpenEnds) -> None:
        """Lead on all rivers with open ends."""
        # The rivers of the lock get their links on this side of its border.
        for opening in open_ends.outflows:
            self.rivers.links[opening.cell] |= PRESENT | bit_of_side(opening.side)
        is_inlet = _cells_of_inlets(open_ends.inlets, self._relief)
        for opening in open_ends.inlets:
            if is_inlet[opening.cell]:
                self._flow_into_lock(opening)

        # Downstream: a river goes on from each start.
        is_open_start = np.zeros(self._grid.size, np.bool_)
        is_open_start[[start.cell for start in open_ends.starts]] = True
        is_open_start &= ~self._relief.sea
        ends = RiverEnds(self.rivers, self._locked, is_inlet=is_inlet, is_open_start=is_open_start)
        for start in open_ends.starts:
            self._extend_downstream(start, ends)

        # Upstream: a river comes to each inlet.
        if open_ends.inlets:
            cells_drained = self._relief.flow.water_through(np.ones(self._grid.size, np.int64))
            for opening in open_ends.inlets:
                self._extend_upstream(opening.cell, cells_drained)

    # --- flow out of a cell -------------------------------------------------------------------

    def _set_flow(self, cell: int, side: int, receiver: int) -> None:
        """Let the river of a cell flow out by a side, to the cell ``receiver``.

        ``receiver`` is ``cell`` itself if the river leaves the map.
        """
        rivers = self.rivers
        rivers.flow[cell] = bit_of_side(side)
        rivers.links[cell] |= PRESENT | bit_of_side(side)
        rivers.receiver[cell] = receiver

    def _take_back_flow(self, cell: int) -> None:
        """Let the river of a cell end there."""
        rivers = self.rivers
        rivers.links[cell] &= ~rivers.flow[cell]
        rivers.flow[cell] = 0

    def _flow_into_lock(self, opening: Opening) -> None:
        """Let the water of the cell beside an inlet flow into the lock."""
        self._set_flow(opening.cell, opening.side, opening.locked_cell)
        width = int(self._locked.width[opening.locked_cell])
        self.rivers.width[opening.cell] = max(width, 1)

    def _leave_map(self, cell: int) -> None:
        """Let the river of a cell of land at the rim leave the map, by the side that fits best."""
        side = outflow_side(self._grid, cell, int(self.rivers.links[cell]))
        self._set_flow(cell, side, receiver=cell)

    # --- downstream -------------------------------------------------------------------------

    def _extend_downstream(self, start: _Start, ends: RiverEnds) -> None:
        """Lead a river on from a cell to where its water can stay, if there is a way."""
        if self._water[start.cell]:
            return
        path_cells = self._path_downstream(start.cell, ends)
        if not path_cells:
            return
        path = np.array(path_cells, np.int32)
        ends.close(start.cell, has_new_course=len(path) > 1)
        self._add_river(path)

        # Its last cell.
        last_cell = path_cells[-1]
        if ends.enters_lock()[last_cell]:
            self._take_back_flow(last_cell)  # no water may enter there
        is_on_land = not self._water[last_cell]
        if is_on_land and self._rim[last_cell] and self.rivers.flow[last_cell] == 0:
            self._leave_map(last_cell)
        self._widen(start)

    def _path_downstream(self, start: int, ends: RiverEnds) -> list[int]:
        """Return the cheapest path from a start to where its water can stay, [] if there is none.

        That is the edge of the map, or water, a river or an inlet whose water has an end.
        """
        # Other water may lead back to this very river, which would flow in a circle::
        #
        #     lake -> lock -> start of this river -> ... -> the same lake
        #
        # Such water is no goal, and neither may the path cross it: a river that meets water flows
        # into it.
        can_take_water = self._shore | self.rivers.runs | ends.is_inlet
        has_end = ends.have_end(without=start)
        is_dead_end = can_take_water & ~has_end
        is_goal = self._rim | (can_take_water & has_end)
        goals = np.flatnonzero(is_goal & ~self._locked.is_locked).tolist()

        costs = _STEP_COST + _CLIMB_COST * np.maximum(self._relief.heights, 0)
        costs[self._locked.is_locked | is_dead_end] = np.inf
        return path_to_nearest(self._grid, StepCosts(costs), start, goals)

    def _add_river(self, path: Cells) -> None:
        """Let a river flow along a path; in water it ends."""
        rivers = self.rivers
        add_links(rivers.links, self._grid, path[:-1], path[1:], rivers.flow)
        rivers.receiver[path[:-1]] = path[1:]
        new_cells = path[~rivers.runs[path] & ~self._water[path]]
        rivers.width[new_cells] = 1
        lengths = int(rivers.length[path[0]]) + np.arange(len(path))
        rivers.length[path] = np.maximum(rivers.length[path], lengths)
        rivers.runs[new_cells] = True

    def _widen(self, start: _Start) -> None:
        """Give a river at least the width of its start from there down."""
        rivers = self.rivers
        cell = start.cell
        for _ in range(self._grid.size):  # no river runs through a cell twice
            if not rivers.runs[cell]:
                break
            rivers.width[cell] = max(int(rivers.width[cell]), start.width)
            next_cell = int(rivers.receiver[cell])
            if next_cell == cell:
                break
            cell = next_cell

    # --- upstream ---------------------------------------------------------------------------

    def _extend_upstream(self, cell: int, cells_drained: NDArray[np.int64]) -> None:
        """Let a river come to the cell of an inlet from the ground above, if none does yet.

        ``cells_drained`` (cells,) is how many cells drain through each cell, itself included.
        """
        runs = self.rivers.runs
        if self._water[cell] or runs[cell]:
            return
        runs[cell] = True
        # Upwards against the flow, each time to the neighbour from which most water comes.
        climb = [cell]
        while not self._relief.lake[climb[-1]]:
            neighbours = self._grid.neighbour_table[climb[-1]]
            above = neighbours[neighbours >= 0]
            drains_here = self._relief.flow.receiver[above] == climb[-1]
            is_free = ~self._locked.is_locked[above] & ~runs[above]
            above = above[drains_here & is_free & (cells_drained[above] >= _MIN_RAIN)]
            if not len(above):
                break
            climb.append(int(above[cells_drained[above].argmax()]))
        self._add_river(np.array(climb[::-1], np.int32))
