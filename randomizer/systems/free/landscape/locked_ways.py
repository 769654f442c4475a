"""Rivers and roads at the border of locked cells: those that lead out of it go on, none ends at it.

``landscape`` makes ``LockedWays`` of the locks, and then calls ``joined_rivers`` and
``joined_roads``, which lay the missing pieces over cells that are not locked:

- A river that flows out of the lock goes on to the next water, river or edge of the map. So does
  one that was rolled through the lock. One that flows into the lock comes from the hills above it.
- A road that leads out of the lock goes on to the next town or road.

An *opening* is a side of the border by which a way of the locked cells leads out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.cheapest_path import cheapest_paths
from randomizer.model.grid.grid import Grid
from randomizer.model.planes.routes import PRESENT, SIDES
from randomizer.roll_base import Base
from randomizer.systems.free.landscape.drainage import Cells, Marks, nearest
from randomizer.systems.free.landscape.noise import Field
from randomizer.systems.free.landscape.relief import Relief, rim_of
from randomizer.systems.free.landscape.rivers import Rivers, add_links, side_off
from randomizer.systems.free.landscape.terrain_names import RIVER
from randomizer.systems.free.landscape.towns import Town
from randomizer.systems.free.system import SYSTEM, WAYS

Links = NDArray[np.uint8]
"""A link plane, (cells,): for each cell the mask of sides by which a way leaves it."""

_CLIMB_COST = 12.0
"""What a cell as high as the highest land costs a river more than one at the sea."""

_LEAST_RAIN = 3
"""A river begins where it drains at least so many cells."""

_USUAL_WIDTH = 4
"""The width of a river whose cells say none, in quarters of the usual one."""


class Opening(NamedTuple):
    """A side of the border of the lock by which a way leads out."""

    cell: int
    """The cell outside."""

    locked_cell: int

    side: int
    """The side of ``cell`` that leads to ``locked_cell``."""


@dataclass(frozen=True, eq=False)
class LockedWays:
    """The ways of the locked cells of a map."""

    grid: Grid

    is_locked: Marks
    """(cells,)"""

    links: Mapping[str, Links]
    """What is visible in the locked cells, by name of way; a way that the map lacks is missing."""

    flow: NDArray[np.uint8]
    """(cells,): the mask of the side by which water leaves each locked cell, 0 if it has none."""

    width: NDArray[np.int64]
    """(cells,): the width of the river in each locked cell, 0 if none is set."""

    def openings(self, name: str) -> Iterator[Opening]:
        """Yield the openings of a way."""
        if name not in self.links:
            return
        links = self.links[name]
        for side in range(self.grid.degree):
            neighbours = self.grid.neighbour_table[:, side]
            leads_out = self.is_locked & (links >> side & 1 > 0) & (neighbours >= 0)
            for locked_cell in np.flatnonzero(leads_out & ~self.is_locked[neighbours]).tolist():
                cell = int(neighbours[locked_cell])
                yield Opening(cell, locked_cell, self.grid.opposite(side))

    def is_inlet(self, opening: Opening) -> bool:
        """Return whether water is known to flow into the lock at an opening of a river."""
        flow = int(self.flow[opening.locked_cell])
        outward = 1 << self.grid.opposite(opening.side)
        return flow not in (0, outward)


def locked_ways(base: Base, grid: Grid) -> LockedWays | None:
    """Return the ways of the locked cells of the map below a roll, None if none is locked."""
    if not grid.same_as(base.grid):
        return None
    is_locked = base.locked_mask(SYSTEM.terrain).reshape(-1)
    if not is_locked.any():
        return None
    planes = base.shown.planes
    links = {}
    for number, way in enumerate(base.terrain_set.ways):
        visible_links = planes[WAYS[number].name].reshape(-1)
        links[way.name] = np.where(is_locked, visible_links & SIDES, 0).astype(np.uint8)
    flow = np.where(is_locked, planes[SYSTEM.flow.name].reshape(-1) & SIDES, 0)
    width = np.where(is_locked, planes[SYSTEM.flow_width.name].reshape(-1), 0)
    return LockedWays(grid, is_locked, links, flow.astype(np.uint8), width.astype(np.int64))


# --- rivers -------------------------------------------------------------------------------------


def joined_rivers(rivers: Rivers, relief: Relief, locked: LockedWays) -> Rivers:
    """Return the rivers, led on from the border of the lock.

    One ends there all the same where nothing but locked ground lies around it.
    """
    course = _Course(rivers, relief, locked)
    widths_of_starts: dict[int, int] = {}
    inlets = []
    for opening in locked.openings(RIVER):
        if locked.is_inlet(opening):
            inlets.append(opening)
        else:
            width = int(locked.width[opening.locked_cell]) or _USUAL_WIDTH
            widths_of_starts[opening.cell] = max(width, widths_of_starts.get(opening.cell, 0))
            course.links[opening.cell] |= PRESENT | 1 << opening.side
    course.open_inlets(inlets)
    for cell in course.cut_cells():
        widths_of_starts.setdefault(cell, int(rivers.width[cell]))

    course.begin(widths_of_starts)
    for cell, width in sorted(widths_of_starts.items()):
        course.lead_on(cell, width)
    for opening in inlets:
        course.lead_up(opening)
    return course.rivers()


class _Course:
    """The courses of all rivers outside of the lock, while they are led on; arrays are (cells,)."""

    def __init__(self, rivers: Rivers, relief: Relief, locked: LockedWays) -> None:
        self._rivers = rivers
        self._relief = relief
        self._locked = locked
        self._grid = locked.grid
        self._rim = rim_of(self._grid)
        is_beside_land = nearest(~relief.water, self._grid.neighbour_table, 2) == 1
        self._shore = relief.water & is_beside_land
        self._is_inlet = np.zeros(self._grid.size, np.bool_)
        self._is_open_start = np.zeros(self._grid.size, np.bool_)
        """True for the cells from which a river still has to be led on."""
        self._outlets: dict[int, int] = {}
        """The cell at which the water of an inlet leaves the lock again, by the inlet's cell."""
        self.links = rivers.links.copy()
        self._flow = rivers.flow.copy()
        self._width = rivers.width.copy()
        self._runs = rivers.runs & ~locked.is_locked
        self._length = rivers.length.copy()
        self._receiver: Cells = rivers.receiver.copy()

    def rivers(self) -> Rivers:
        """Return the rivers as they are now."""
        return replace(
            self._rivers,
            links=self.links,
            flow=self._flow,
            width=self._width,
            runs=self._runs,
            length=self._length,
            receiver=self._receiver,
        )

    def open_inlets(self, inlets: list[Opening]) -> None:
        """Let the water of the cells beside inlets flow into the lock."""
        for opening in inlets:
            cell = opening.cell
            if self._relief.water[cell]:
                continue
            self._is_inlet[cell] = True
            self._flow[cell] = 1 << opening.side
            self._receiver[cell] = opening.locked_cell
            self._width[cell] = max(int(self._locked.width[opening.locked_cell]), 1)
            self.links[cell] |= PRESENT | 1 << opening.side

    def begin(self, starts: Iterable[int]) -> None:
        """Prepare for leading rivers on from the cells ``starts``."""
        self._is_open_start[list(starts)] = True
        self._is_open_start &= ~self._relief.sea
        for inlet in np.flatnonzero(self._is_inlet).tolist():
            outlet = self._outlet(inlet)
            if outlet >= 0 and self._is_open_start[outlet]:
                self._outlets[inlet] = outlet

    def _outlet(self, inlet: int) -> int:
        """Return the cell at which the water of an inlet leaves the lock, -1 if it stays there."""
        cell = int(self._receiver[inlet])
        for _ in range(self._grid.size):  # a hand can have painted a river that runs in a circle
            if not self._locked.is_locked[cell]:
                return cell
            flow = int(self._locked.flow[cell])
            if flow == 0:
                return -1
            cell = self._grid.neighbour(cell, flow.bit_length() - 1)
            if cell < 0:
                return -1
        return -1

    def cut_cells(self) -> list[int]:
        """Return the last cells of the rivers that were rolled through the lock."""
        enters_lock = self._runs & self._locked.is_locked[self._receiver] & ~self._is_inlet
        return [int(cell) for cell in np.flatnonzero(enters_lock)]

    def lead_on(self, start: int, width: int) -> None:
        """Lead a river on from a cell to where its water can stay, if there is a way.

        This is the edge of the map, or water, a river or an inlet whose water comes to that edge
        or to the sea. Other water may be the lake, or lead through the lock to the river, from
        which this very river comes, and it would flow in a circle.
        """
        if self._relief.water[start]:
            return
        reaches_end = self._reaches_end(start)
        is_wet = self._shore | self._runs
        is_goal = self._rim | ((is_wet | self._is_inlet) & reaches_end)
        goals = np.flatnonzero(is_goal & ~self._locked.is_locked).tolist()
        costs = 0.3 + _CLIMB_COST * np.maximum(self._relief.heights, 0)
        costs[self._locked.is_locked | ((is_wet | self._is_inlet) & ~reaches_end)] = np.inf
        tree = cheapest_paths(self._grid, costs, (start,), goals)
        if tree.end < 0:
            return

        self._is_open_start[start] = False
        path = np.array(tree.path_to(tree.end), np.int32)
        if len(path) > 1:  # its water does not flow into the lock any more
            self._is_inlet[start] = False
            self._outlets.pop(start, None)
        self._lay(path)
        self._leave_at_rim(tree.end)
        self._widen(start, width)

    def _lay(self, path: Cells) -> None:
        """Let a river flow along a path; in water it ends."""
        add_links(self.links, self._grid, path[:-1], path[1:], self._flow)
        self._receiver[path[:-1]] = path[1:]
        new_cells = path[~self._runs[path] & ~self._relief.water[path]]
        self._width[new_cells] = 1
        first_length = int(self._length[path[0]])
        self._length[path] = np.maximum(self._length[path], first_length + np.arange(len(path)))
        self._runs[new_cells] = True

    def _leave_at_rim(self, cell: int) -> None:
        """Let a river leave the map by a side of its last cell, if it does not flow on there."""
        is_land = not self._relief.water[cell]
        is_cut = self._enters_lock()[cell]  # it was rolled through the lock
        if is_cut:
            self.links[cell] &= ~self._flow[cell]
            self._flow[cell] = 0
        if is_land and self._rim[cell] and self._flow[cell] == 0:
            self._flow[cell] = 1 << side_off(self._grid, cell, int(self.links[cell]))
            self.links[cell] |= PRESENT | self._flow[cell]
            self._receiver[cell] = cell

    def _widen(self, start: int, width: int) -> None:
        """Make a river at least this wide from a cell down."""
        cell = start
        for _ in range(self._grid.size):  # no river runs through a cell twice
            if not self._runs[cell]:
                break
            self._width[cell] = max(int(self._width[cell]), width)
            next_cell = int(self._receiver[cell])
            if next_cell == cell:
                break
            cell = next_cell

    def _reaches_end(self, start: int) -> Marks:
        """Return whether the water of each cell drains off without coming to a river that ends.

        This is one that enters the lock where it has no inlet, or that is still to be led on. For
        ``start`` it is told whether the course is good that its river was rolled with.
        """
        receiver = self._receiver.copy()
        for inlet, outlet in self._outlets.items():
            receiver[inlet] = outlet
        is_inner_end = self._is_inlet.copy()
        is_inner_end[list(self._outlets)] = False
        has_no_end = self._locked.is_locked | self._enters_lock() | self._is_open_start
        has_no_end[start] = True
        ends = np.flatnonzero(has_no_end | is_inner_end)
        receiver[ends] = ends

        # By pointer doubling, as ``drain_ends``; water in a circle through the lock has no end.
        cells_below = receiver
        for _ in range(self._grid.size.bit_length() + 1):
            cells_below = cells_below[cells_below]
        is_end = receiver[cells_below] == cells_below
        marks: Marks = is_end & ~has_no_end[cells_below]
        next_cell = self._receiver[start]
        if self._is_inlet[start]:
            marks[start] = start not in self._outlets
        elif next_cell != start:
            marks[start] = marks[next_cell]
        return marks

    def _enters_lock(self) -> Marks:
        """Return whether the water of each cell enters the lock where that has no inlet."""
        is_locked = self._locked.is_locked
        return np.asarray(~is_locked & is_locked[self._receiver] & ~self._is_inlet)

    def lead_up(self, opening: Opening) -> None:
        """Let the river that flows into the lock come from the ground above, if none does yet."""
        rain = np.ones(self._grid.size, np.int64)
        drained = self._relief.flow.gathered(rain)
        cell = opening.cell
        if self._relief.water[cell] or self._runs[cell]:
            return
        self._runs[cell] = True
        climb = [cell]
        while not self._relief.lake[climb[-1]]:
            neighbours = self._grid.neighbour_table[climb[-1]]
            above = neighbours[neighbours >= 0]
            drains_here = self._relief.flow.receiver[above] == climb[-1]
            is_free = ~self._locked.is_locked[above] & ~self._runs[above]
            above = above[drains_here & is_free & (drained[above] >= _LEAST_RAIN)]
            if not len(above):
                break
            climb.append(int(above[drained[above].argmax()]))
        self._lay(np.array(climb[::-1], np.int32))


# --- roads --------------------------------------------------------------------------------------


def joined_roads(
    ways: Mapping[str, Links], towns: list[Town], costs: Field, locked: LockedWays
) -> int:
    """Lead roads and tracks on, in place, from the border of the lock; return how many end there.

    ``ways`` are the link planes of those that are laid, by name, and ``costs`` (cells,) what a road
    pays for each cell.
    """
    grid = locked.grid
    open_ends = 0
    for name, links in ways.items():
        for opening in locked.openings(name):
            all_links = np.zeros(grid.size, np.uint8)
            for other_links in ways.values():
                all_links |= other_links
            is_goal = (all_links & SIDES > 0) & ~locked.is_locked
            is_goal[[town.cell for town in towns]] = True
            links[opening.cell] |= PRESENT | 1 << opening.side
            goals = np.flatnonzero(is_goal).tolist()
            if not goals or not np.isfinite(costs[opening.cell]):
                open_ends += 1
                continue
            tree = cheapest_paths(grid, costs, (opening.cell,), goals)
            if tree.end < 0:
                open_ends += 1
                continue
            path = np.array(tree.path_to(tree.end), np.int32)
            add_links(links, grid, path[:-1], path[1:])
    return open_ends
