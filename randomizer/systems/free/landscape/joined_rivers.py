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

``joined_rivers`` leads on one start after the other by the cheapest path, then the inlets.
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

_LEAST_RAIN = 3
"""The cells that must drain to a cell for a river to begin there, itself included.

If it is larger, rivers begin farther down.
"""

_USUAL_WIDTH = 4
"""The width of a river whose cells say none, in quarters of the usual one."""


def joined_rivers(rivers: Rivers, relief: Relief, locked: LockedWays) -> Rivers:
    """Return the rivers, led on from the border of the lock.

    One ends there all the same where nothing but locked ground lies around it.
    """
    ends = _open_ends(rivers, relief, locked)
    course = _Course(rivers, relief, locked, ends)
    for start in ends.starts:
        course.extend_downstream(start)
    if ends.inlets:
        cells_drained = relief.flow.water_through(np.ones(locked.grid.size, np.int64))
        for opening in ends.inlets:
            course.extend_upstream(opening.cell, cells_drained)
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
    """All rivers, while those with open ends are led on; arrays are (cells,).

    The constructor copies the rivers, links their open ends with the ways in the lock, and lets the
    water of inlets flow into it. Then ``extend_downstream`` is called for each open start, and
    ``extend_upstream`` for each inlet.
    """

    def __init__(self, rivers: Rivers, relief: Relief, locked: LockedWays, ends: _OpenEnds) -> None:
        self._grid = locked.grid
        self._locked = locked
        self._relief = relief
        self._water = relief.water
        self._rim = rim_of(self._grid)
        is_beside_land = steps_to_nearest(~self._water, self._grid.neighbour_table, 2) == 1
        self._shore = self._water & is_beside_land

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

        self._is_inlet = _cells_of_inlets(ends.inlets, relief)
        """True for the cells whose water flows into the lock as it may."""
        for opening in ends.outflows:
            self.rivers.links[opening.cell] |= PRESENT | bit_of_side(opening.side)
        for opening in ends.inlets:
            if self._is_inlet[opening.cell]:
                self._flow_into_lock(opening)

        self._is_open_start = np.zeros(self._grid.size, np.bool_)
        """True for the starts from which a river still has to be led on."""
        self._is_open_start[[start.cell for start in ends.starts]] = True
        self._is_open_start &= ~relief.sea

        self._start_of_inlet = self._starts_of_inlets()
        """The start at which the water of an inlet leaves the lock again, by the inlet's cell.

        The water of other inlets stays in the lock.
        """

    def _flow_into_lock(self, opening: Opening) -> None:
        """Let the water of the cell beside an inlet flow into the lock."""
        cell = opening.cell
        rivers = self.rivers
        rivers.flow[cell] = bit_of_side(opening.side)
        rivers.receiver[cell] = opening.locked_cell
        rivers.width[cell] = max(int(self._locked.width[opening.locked_cell]), 1)
        rivers.links[cell] |= PRESENT | bit_of_side(opening.side)

    def _starts_of_inlets(self) -> dict[int, int]:
        """Return the open start at which the water of each inlet leaves the lock again."""
        start_of_inlet = {}
        for inlet in np.flatnonzero(self._is_inlet).tolist():
            cell = self._cell_behind_lock(inlet)
            if cell is not None and self._is_open_start[cell]:
                start_of_inlet[inlet] = cell
        return start_of_inlet

    def _cell_behind_lock(self, inlet: int) -> int | None:
        """Follow the water of an inlet through the lock; None if it stays there."""
        cell = int(self.rivers.receiver[inlet])
        for _ in range(self._grid.size):  # a hand can have painted a river that runs in a circle
            if not self._locked.is_locked[cell]:
                return cell
            flow = int(self._locked.flow[cell])
            if flow == 0:
                return None
            cell = self._grid.neighbour(cell, _side_of(flow))
            if cell < 0:
                return None
        return None

    # --- downstream -------------------------------------------------------------------------

    def extend_downstream(self, start: _Start) -> None:
        """Lead a river on from a cell to where its water can stay, if there is a way.

        This is the edge of the map, or water, a river or an inlet whose water comes to that edge
        or to the sea. Other water may lead back to this very river, which would flow in a circle::

            lake -> lock -> start of this river -> ... -> the same lake
        """
        if self._water[start.cell]:
            return
        # Goals and costs: the river goes round the lock and what would lead it in a circle.
        can_take_water = self._shore | self.rivers.runs | self._is_inlet
        reaches_end = self._reaches_end(start.cell)
        is_goal = self._rim | (can_take_water & reaches_end)
        goals = np.flatnonzero(is_goal & ~self._locked.is_locked).tolist()
        costs = _STEP_COST + _CLIMB_COST * np.maximum(self._relief.heights, 0)
        costs[self._locked.is_locked | (can_take_water & ~reaches_end)] = np.inf
        path_cells = path_to_nearest(self._grid, StepCosts(costs), start.cell, goals)
        if not path_cells:
            return

        # The river itself.
        path = np.array(path_cells, np.int32)
        self._is_open_start[start.cell] = False
        if len(path) > 1:  # its water does not flow into the lock any more
            self._is_inlet[start.cell] = False
            self._start_of_inlet.pop(start.cell, None)
        self._add_river(path)
        self._leave_at_rim(path_cells[-1])
        self._widen(start)

    def _reaches_end(self, start: int) -> Marks:
        """Return from which cells water drains off without coming to a river that has no end.

        Such a river enters the lock where it has no inlet, or is still to be led on. At ``start``
        the answer is for the course with which its river was rolled: is that a good one?
        """
        rivers = self.rivers
        # The cells at which water stops: for good in the lock, or as a river without an end. Water
        # that only passes through the lock goes on at its start.
        stays_in_lock = self._is_inlet.copy()
        stays_in_lock[list(self._start_of_inlet)] = False
        has_no_end = self._locked.is_locked | self._enters_lock() | self._is_open_start
        has_no_end[start] = True
        receiver = rivers.receiver.copy()
        for inlet, start_of_inlet in self._start_of_inlet.items():
            receiver[inlet] = start_of_inlet
        stops = np.flatnonzero(has_no_end | stays_in_lock)
        receiver[stops] = stops

        # Pointer doubling finds where all water stops: after n rounds each cell points to the one
        # 2 ** n steps below it. Water that runs in a circle through the lock never stops.
        cells_below = receiver
        for _ in range(self._grid.size.bit_length() + 1):
            cells_below = cells_below[cells_below]
        has_stopped = receiver[cells_below] == cells_below
        reaches_end: Marks = has_stopped & ~has_no_end[cells_below]

        # The start itself was marked as without an end, so that no other water counts on it.
        next_cell = rivers.receiver[start]
        if self._is_inlet[start]:
            reaches_end[start] = start not in self._start_of_inlet
        elif next_cell != start:
            reaches_end[start] = reaches_end[next_cell]
        return reaches_end

    def _enters_lock(self) -> Marks:
        """Return the cells whose water enters the lock where that has no inlet."""
        is_locked = self._locked.is_locked
        return np.asarray(~is_locked & is_locked[self.rivers.receiver] & ~self._is_inlet)

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

    def _leave_at_rim(self, cell: int) -> None:
        """Let a river leave the map by a side of its last cell, if it does not flow on there.

        A flow into the lock where no water may enter is taken back first.
        """
        rivers = self.rivers
        is_cut_off = self._enters_lock()[cell]
        if is_cut_off:
            rivers.links[cell] &= ~rivers.flow[cell]
            rivers.flow[cell] = 0
        is_on_land = not self._water[cell]
        if is_on_land and self._rim[cell] and rivers.flow[cell] == 0:
            rivers.flow[cell] = 1 << outflow_side(self._grid, cell, int(rivers.links[cell]))
            rivers.links[cell] |= PRESENT | rivers.flow[cell]
            rivers.receiver[cell] = cell

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

    def extend_upstream(self, cell: int, cells_drained: NDArray[np.int64]) -> None:
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
            above = above[drains_here & is_free & (cells_drained[above] >= _LEAST_RAIN)]
            if not len(above):
                break
            climb.append(int(above[cells_drained[above].argmax()]))
        self._add_river(np.array(climb[::-1], np.int32))


def _side_of(flow: int) -> int:
    """Return the number of the one side in a mask: 3 for 0b1000."""
    return flow.bit_length() - 1
