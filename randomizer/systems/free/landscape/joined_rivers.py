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
  its river is led on (``river_ends``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from randomizer.geometry.cheapest_path import StepCosts, path_to_nearest
from randomizer.systems.free.landscape.drainage import steps_to_nearest
from randomizer.systems.free.landscape.open_rivers import OpenRivers, open_rivers
from randomizer.systems.free.landscape.relief import rim_of
from randomizer.systems.free.landscape.river_courses import RiverCourses
from randomizer.systems.free.landscape.river_ends import RiverEnds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.systems.free.landscape.drainage import Marks
    from randomizer.systems.free.landscape.locked_ways import LockedWays
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


def joined_rivers(rivers: Rivers, relief: Relief, locked: LockedWays) -> Rivers:
    """Return the rivers, led on from the border of the lock.

    One ends there all the same where nothing but locked ground lies around it.
    """
    ground = _Ground.of(relief, locked)
    found = open_rivers(rivers, relief, locked)
    courses = RiverCourses(ground.grid, rivers, relief.water, locked.is_locked)
    _join_at_border(courses, found, locked)

    # Downstream: a river goes on from each start.
    is_open_start = np.zeros(ground.grid.size, np.bool_)
    is_open_start[[start.cell for start in found.starts]] = True
    is_open_start &= ~relief.sea
    ends = RiverEnds(courses, locked, is_inlet=found.is_inlet, is_open_start=is_open_start)
    for start in found.starts:
        if not relief.water[start.cell]:
            _lead_downstream(start.cell, start.width, courses, ends, ground)

    # Upstream: a river comes to each inlet.
    if found.inlets:
        cells_drained = relief.flow.water_through(np.ones(ground.grid.size, np.int64))
        for inlet in found.inlets:
            has_river = courses.runs[inlet.cell]
            if not relief.water[inlet.cell] and not has_river:
                _lead_to_inlet(inlet.cell, courses, ground, cells_drained)
    return courses.rivers()


@dataclass(frozen=True, eq=False)
class _Ground:
    """The ground over which rivers are led; all arrays are (cells,)."""

    grid: Grid

    relief: Relief

    is_locked: Marks
    """The locked cells."""

    is_rim: Marks
    """True for cells at the edge of the map."""

    is_shore: Marks
    """True for cells of water beside land."""

    @classmethod
    def of(cls, relief: Relief, locked: LockedWays) -> _Ground:
        """Return the ground of a landscape."""
        grid = locked.grid
        is_beside_land = steps_to_nearest(~relief.water, grid.neighbour_table, 2) == 1
        is_shore = relief.water & is_beside_land
        return cls(grid, relief, locked.is_locked, is_rim=rim_of(grid), is_shore=is_shore)


def _join_at_border(courses: RiverCourses, found: OpenRivers, locked: LockedWays) -> None:
    """Give the rivers of the lock their links on the outer side of its border."""
    for opening in found.outflows:
        courses.link(opening.cell, opening.side)
    for opening in found.inlets:
        if found.is_inlet[opening.cell]:
            courses.flow_out(opening.cell, opening.side, receiver=opening.locked_cell)
            width = int(locked.width[opening.locked_cell])
            courses.set_width(opening.cell, max(width, 1))


# --- downstream -----------------------------------------------------------------------------------


def _lead_downstream(
    start: int, width: int, courses: RiverCourses, ends: RiverEnds, ground: _Ground
) -> None:
    """Lead a river on from a cell of land to where its water can stay, if there is a way.

    It gets at least ``width`` from there down.
    """
    path = _path_downstream(start, courses, ends, ground)
    if not path:
        return
    ends.close(start, has_new_course=len(path) > 1)
    courses.add_path(path)

    # A path may end at the edge of the map in a cell whose rolled river entered the lock, where no
    # water may enter. On land it leaves the map instead.
    last_cell = path[-1]
    if ends.enters_lock(last_cell):
        courses.remove_outflow(last_cell)
    is_land_at_rim = ground.is_rim[last_cell] and not ground.relief.water[last_cell]
    if is_land_at_rim and not courses.has_outflow(last_cell):
        courses.leave_map(last_cell)

    # At the end, as the width follows the whole course.
    courses.widen_from(start, width)


def _path_downstream(
    start: int, courses: RiverCourses, ends: RiverEnds, ground: _Ground
) -> list[int]:
    """Return the cheapest path from a start to where its water can stay, [] if there is none.

    That is the edge of the map, or water, a river or an inlet whose water has an end. It is the
    start alone if its river can stay on the course that it was rolled.
    """
    # Other water may lead back to this very river, which would flow in a circle::
    #
    #     lake -> lock -> start of this river -> ... -> the same lake
    #
    # Such water is no goal, and neither may the path cross it: a river that meets water flows
    # into it.
    can_take_water = ground.is_shore | courses.runs | ends.is_inlet
    has_end = ends.comes_to_end(start)
    if can_take_water[start] and ends.has_good_course(start, has_end):
        return [start]
    is_dead_end = can_take_water & ~has_end
    is_goal = ground.is_rim | (can_take_water & has_end)
    goals = np.flatnonzero(is_goal & ~ground.is_locked).tolist()

    costs = _STEP_COST + _CLIMB_COST * np.maximum(ground.relief.heights, 0)
    costs[ground.is_locked | is_dead_end] = np.inf
    return path_to_nearest(ground.grid, StepCosts(costs), start, goals)


# --- upstream -------------------------------------------------------------------------------------


def _lead_to_inlet(
    inlet: int, courses: RiverCourses, ground: _Ground, cells_drained: NDArray[np.int64]
) -> None:
    """Let a river come to an inlet, a cell of land without river, from the ground above.

    ``cells_drained`` (cells,) is how many cells drain through each cell, itself included.
    """
    courses.begin_river(inlet)
    # Upwards against the flow, each time to the neighbour from which most water comes.
    flow = ground.relief.flow
    cells_upwards = [inlet]
    cell = inlet
    while not ground.relief.lake[cell]:
        neighbours = ground.grid.neighbour_table[cell]
        neighbours = neighbours[neighbours >= 0]
        drains_here = flow.receiver[neighbours] == cell
        is_free = ~ground.is_locked[neighbours] & ~courses.runs[neighbours]
        has_enough_water = cells_drained[neighbours] >= _MIN_RAIN
        sources = neighbours[drains_here & is_free & has_enough_water]
        if not len(sources):
            break
        cell = int(sources[cells_drained[sources].argmax()])
        cells_upwards.append(cell)
    courses.add_path(cells_upwards[::-1])
