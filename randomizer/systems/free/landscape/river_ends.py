"""Where the water of each cell ends, on a map with rivers that are still to be led on.

The *lock* are the locked cells (#). At an *inlet* (i) water may flow into it; from a *start* (s),
where water flows out of it, a river is still to be led on. The start is *open* until that is done::

    . . . . . . . . . .      The water of the inlet passes through the lock and comes to the open
    a a i=#=#=#=s . . .      start: it has no end yet, and neither has that of the cells a.
    . . . # # # . . . ~
    . . . # # # b b b ~      The water of the cells b ends in the sea (~).
    . . . . . . . . . .

Water has an *end* at the edge of the map, in the sea or another lowest water, or in the lock, if it
comes there by an inlet and stays. It has none where it comes to an open start, to the lock beside
its inlets, or in a circle::

    ends = RiverEnds(courses, locked, is_inlet=is_inlet, is_open_start=is_open_start)
    has_end = ends.comes_to_end(start)         # (cells,): where a river from the start may flow to
    ends.close(start, has_new_course=True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from randomizer.systems.free.landscape.drainage import Cells, Marks
    from randomizer.systems.free.landscape.locked_ways import LockedWays
    from randomizer.systems.free.landscape.river_courses import RiverCourses


class RiverEnds:
    """Tells where the water of cells ends while rivers are led on."""

    def __init__(
        self, courses: RiverCourses, locked: LockedWays, *, is_inlet: Marks, is_open_start: Marks
    ) -> None:
        """Begin with rivers whose inlets flow into the lock.

        Args:
            courses: The rivers, which are read anew for each question.
            locked: The rivers of the lock.
            is_inlet: The cells whose water flows into the lock as it may, (cells,).
            is_open_start: The cells from which a river still has to be led on, (cells,).
        """
        self._courses = courses
        self._locked = locked
        self._is_inlet = is_inlet.copy()
        self._is_open_start = is_open_start.copy()
        self._start_behind_inlet = self._starts_behind_inlets()
        """The open start at which the water of an inlet leaves the lock again, by the inlet's cell.

        The water of inlets that are not among the keys stays in the lock.
        """

    @property
    def is_inlet(self) -> Marks:
        """The cells whose water flows into the lock as it may, (cells,); others only read it."""
        return self._is_inlet

    def _starts_behind_inlets(self) -> dict[int, int]:
        """Return the open start at which the water of each inlet leaves the lock again."""
        start_behind_inlet = {}
        for inlet in np.flatnonzero(self._is_inlet).tolist():
            cell = self._cell_behind_lock(inlet)
            if cell is not None and self._is_open_start[cell]:
                start_behind_inlet[inlet] = cell
        return start_behind_inlet

    def _cell_behind_lock(self, inlet: int) -> int | None:
        """Return the first cell outside of the lock to which the water of an inlet comes.

        None if it stays in the lock: it ends there, flows off the map, or runs in a circle.
        """
        grid = self._locked.grid
        # Outside of the lock the courses tell where water runs, inside of it what is locked.
        cell = int(self._courses.receiver[inlet])
        for _ in range(grid.size):  # a hand can have painted a river that runs in a circle
            if not self._locked.is_locked[cell]:
                return cell
            flow = int(self._locked.flow[cell])
            if flow == 0:
                return None
            cell = grid.neighbour(cell, _side_of(flow))
            if cell < 0:
                return None
        return None

    def close(self, start: int, *, has_new_course: bool) -> None:
        """Note that the river of a start is led on.

        With a new course its water does not flow into the lock any more, if it did.
        """
        self._is_open_start[start] = False
        if has_new_course:
            self._is_inlet[start] = False
            self._start_behind_inlet.pop(start, None)

    def enters_lock(self, cell: int) -> bool:
        """Return whether the water of a cell enters the lock where that has no inlet."""
        return bool(self._cells_that_enter_lock()[cell])

    def _cells_that_enter_lock(self) -> Marks:
        """Return the cells, (cells,), whose water enters the lock where that has no inlet."""
        is_locked = self._locked.is_locked
        return np.asarray(~is_locked & is_locked[self._courses.receiver] & ~self._is_inlet)

    def comes_to_end(self, start: int) -> Marks:
        """Return the cells, (cells,), whose water comes to an end, and not by way of ``start``.

        Water that comes to the start has no end for it: its river would flow in a circle.
        """
        # Water that only passes through the lock goes on from the start behind it.
        stays_in_lock = self._is_inlet.copy()
        receiver = self._courses.receiver.copy()
        for inlet, start_behind_inlet in self._start_behind_inlet.items():
            stays_in_lock[inlet] = False
            receiver[inlet] = start_behind_inlet

        has_no_end = self._locked.is_locked | self._cells_that_enter_lock() | self._is_open_start
        has_no_end[start] = True
        return _comes_to_end(receiver, has_no_end, stays_in_lock)

    def has_good_course(self, start: int, has_end: Marks) -> bool:
        """Return whether the river of a start comes to an end on the course that it was rolled.

        ``has_end`` is that of ``comes_to_end`` for the start.
        """
        if self._is_inlet[start]:
            return start not in self._start_behind_inlet  # then its water stays in the lock
        next_cell = self._courses.receiver[start]
        if next_cell == start:
            return False  # the river goes nowhere
        return bool(has_end[next_cell])


def _comes_to_end(receiver: Cells, has_no_end: Marks, stays_in_lock: Marks) -> Marks:
    """Return the cells, (cells,), whose water comes to an outlet or stays in the lock.

    ``receiver`` (cells,) is the next cell of the water of each cell. The water of all others comes
    to a cell of ``has_no_end``, or runs in a circle.
    """
    stops = np.flatnonzero(has_no_end | stays_in_lock)
    receiver = receiver.copy()
    receiver[stops] = stops

    # Pointer doubling finds where all water stops: after n rounds each cell points to the one
    # 2 ** n steps below it. No way is longer than the number of cells, which is less than 2 ** n
    # for n = bit_length. Water in a circle never stops.
    cells_below = receiver
    for _ in range(len(receiver).bit_length()):
        cells_below = cells_below[cells_below]
    has_stopped = receiver[cells_below] == cells_below
    return np.asarray(has_stopped & ~has_no_end[cells_below])


def _side_of(flow: int) -> int:
    """Return the number of the one side in a mask: 3 for 0b1000."""
    return flow.bit_length() - 1
