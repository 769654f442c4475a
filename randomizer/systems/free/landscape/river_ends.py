"""Where the water of each cell ends, on a map with rivers that are still to be led on.

Water has an *end* at the edge of the map, in the sea or another lowest water, or in the *lock*, the
locked cells, if it may flow in there (at an *inlet*). It has none where it comes to

- an *open start*, from which a river is still to be led on (``joined_rivers``);
- the lock where that has no inlet;
- a circle: water flows into the lock, out of it, and back to where it came from.

    ends = RiverEnds(rivers, locked, is_inlet=is_inlet, is_open_start=is_open_start)
    ends.have_end(without=start)         # (cells,): True where the river of the start may flow to
    ends.close(start, has_new_course=True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from randomizer.systems.free.landscape.drainage import Cells, Marks
    from randomizer.systems.free.landscape.locked_ways import LockedWays
    from randomizer.systems.free.landscape.rivers import Rivers


class RiverEnds:
    """The inlets and the open starts of some rivers, while these are led on."""

    def __init__(
        self, rivers: Rivers, locked: LockedWays, *, is_inlet: Marks, is_open_start: Marks
    ) -> None:
        """Begin with rivers whose inlets flow into the lock; their arrays change meanwhile.

        ``is_inlet`` and ``is_open_start`` (cells,) are changed by ``close``.
        """
        self._rivers = rivers
        self._locked = locked
        self.is_inlet = is_inlet
        """True for the cells whose water flows into the lock as it may."""
        self._is_open_start = is_open_start
        """True for the starts from which a river still has to be led on."""
        self._start_of_inlet = self._starts_of_inlets()
        """The open start at which the water of an inlet leaves the lock again, by the inlet's cell.

        The water of other inlets stays in the lock.
        """

    def _starts_of_inlets(self) -> dict[int, int]:
        """Return the open start at which the water of each inlet leaves the lock again."""
        start_of_inlet = {}
        for inlet in np.flatnonzero(self.is_inlet).tolist():
            cell = self._cell_behind_lock(inlet)
            if cell is not None and self._is_open_start[cell]:
                start_of_inlet[inlet] = cell
        return start_of_inlet

    def _cell_behind_lock(self, inlet: int) -> int | None:
        """Follow the water of an inlet through the lock; None if it stays there."""
        grid = self._locked.grid
        cell = int(self._rivers.receiver[inlet])
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
            self.is_inlet[start] = False
            self._start_of_inlet.pop(start, None)

    def enters_lock(self) -> Marks:
        """Return the cells, (cells,), whose water enters the lock where that has no inlet."""
        is_locked = self._locked.is_locked
        return np.asarray(~is_locked & is_locked[self._rivers.receiver] & ~self.is_inlet)

    def have_end(self, *, without: int) -> Marks:
        """Return from which cells, (cells,), water comes to an end without one of the starts.

        ``without`` is that start. It is True itself if the course with which its river was rolled
        comes to an end.
        """
        start = without
        # Water that only passes through the lock goes on from the start behind it.
        stays_in_lock = self.is_inlet.copy()
        receiver = self._rivers.receiver.copy()
        for inlet, start_of_inlet in self._start_of_inlet.items():
            stays_in_lock[inlet] = False
            receiver[inlet] = start_of_inlet

        has_no_end = self._locked.is_locked | self.enters_lock() | self._is_open_start
        # Water that comes to the start has no end either: its river would flow in a circle.
        has_no_end[start] = True
        result = _comes_to_end(receiver, has_no_end, stays_in_lock)

        result[start] = self._has_good_course(start, result)
        return result

    def _has_good_course(self, start: int, has_end: Marks) -> bool:
        """Return whether the river of a start may stay on the course with which it was rolled.

        ``has_end`` (cells,) tells from which other cells water comes to an end.
        """
        if self.is_inlet[start]:
            return start not in self._start_of_inlet  # then its water stays in the lock
        next_cell = self._rivers.receiver[start]
        if next_cell == start:
            return False  # the river goes nowhere
        return bool(has_end[next_cell])


def _comes_to_end(receiver: Cells, has_no_end: Marks, stays_in_lock: Marks) -> Marks:
    """Return the cells, (cells,), whose water comes to an outlet or stays in the lock.

    The water of all others comes to a cell of ``has_no_end``, or runs in a circle.
    """
    stops = np.flatnonzero(has_no_end | stays_in_lock)
    receiver = receiver.copy()
    receiver[stops] = stops

    # Pointer doubling finds where all water stops: after n rounds each cell points to the one
    # 2 ** n steps below it. Water in a circle never stops.
    cells_below = receiver
    for _ in range(len(receiver).bit_length() + 1):
        cells_below = cells_below[cells_below]
    has_stopped = receiver[cells_below] == cells_below
    return np.asarray(has_stopped & ~has_no_end[cells_below])


def _side_of(flow: int) -> int:
    """Return the number of the one side in a mask: 3 for 0b1000."""
    return flow.bit_length() - 1
