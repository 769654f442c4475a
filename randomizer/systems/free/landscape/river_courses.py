"""The rivers of a map while more cells are added to them.

``Rivers`` are the result of a roll; their arrays are not changed. ``RiverCourses`` has copies, and
the few ways in which ``joined_rivers`` changes them::

    courses = RiverCourses(grid, rivers, water, is_locked)
    courses.add_path([7, 8, 20])          # a river flows from cell 7 to cell 20
    courses.leave_map(20)
    rivers = courses.rivers()
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.planes.routes import PRESENT
from randomizer.systems.free.landscape.links import add_links, bit_of_side, outflow_side
from randomizer.systems.free.landscape.rivers import Rivers

if TYPE_CHECKING:
    from randomizer.model.grid.grid import Grid
    from randomizer.systems.free.landscape.drainage import Marks


class RiverCourses:
    """The courses of all rivers of a map. All arrays are (cells,), as in ``Rivers``."""

    def __init__(self, grid: Grid, rivers: Rivers, water: Marks, is_locked: Marks) -> None:
        """Begin with some rivers, but for those of locked cells.

        ``water`` (cells,) are the cells of sea and lakes, in which rivers end.
        """
        self._grid = grid
        self._water = water
        self._links = rivers.links.copy()
        """The sides by which a river runs into or out of each cell, as bits."""
        self._flow = rivers.flow.copy()
        """The bit of the side by which water leaves each cell; 0 for none."""
        self._width = rivers.width.copy()
        """The width in quarters of the usual one."""
        self._length = rivers.length.copy()
        """The number of cells of river from the farthest source to each cell."""
        self.runs = rivers.runs & ~is_locked
        """The cells of land with a river; others only read it."""
        self.receiver = rivers.receiver.copy()
        """The cell that the water of each cell runs into; others only read it.

        It is the cell itself where the water leaves the map, and that of the ground where there is
        no river.
        """

    def rivers(self) -> Rivers:
        """Return the rivers; the courses are not used any more afterwards."""
        return Rivers(self._links, self._flow, self._width, self.runs, self._length, self.receiver)

    # --- single cells -------------------------------------------------------------------------

    def link(self, cell: int, side: int) -> None:
        """Let a river run into or out of a cell by a side."""
        self._links[cell] |= PRESENT | bit_of_side(side)

    def has_outflow(self, cell: int) -> bool:
        """Return whether a river flows out of a cell."""
        return bool(self._flow[cell])

    def flow_out(self, cell: int, side: int, receiver: int) -> None:
        """Let the river of a cell flow out by a side, to the cell ``receiver``.

        ``receiver`` is ``cell`` itself if the river leaves the map.
        """
        self.link(cell, side)
        self._flow[cell] = bit_of_side(side)
        self.receiver[cell] = receiver

    def remove_outflow(self, cell: int) -> None:
        """Let the river of a cell end there. Its ``receiver`` stays, as of a cell without river."""
        self._links[cell] &= ~self._flow[cell]
        self._flow[cell] = 0

    def leave_map(self, cell: int) -> None:
        """Let the river of a cell at the rim leave the map, by the side that fits best."""
        side = outflow_side(self._grid, cell, int(self._links[cell]))
        self.flow_out(cell, side, receiver=cell)

    def set_width(self, cell: int, width: int) -> None:
        """Give the river of a cell a width, in quarters of the usual one."""
        self._width[cell] = width

    def begin_river(self, cell: int) -> None:
        """Let a river run in a cell of land; its width is set already."""
        self.runs[cell] = True

    # --- several cells ------------------------------------------------------------------------

    def add_path(self, path_cells: Sequence[int]) -> None:
        """Let a river flow along a path; where the path lies in water there is no river.

        New cells of river have the least width.
        """
        path = np.array(path_cells, np.int32)
        add_links(self._links, self._grid, path[:-1], path[1:], self._flow)
        self.receiver[path[:-1]] = path[1:]
        new_cells = path[~self.runs[path] & ~self._water[path]]
        self._width[new_cells] = 1
        self.runs[new_cells] = True
        lengths = int(self._length[path[0]]) + np.arange(len(path))
        self._length[path] = np.maximum(self._length[path], lengths)

    def widen_from(self, start: int, width: int) -> None:
        """Give the river at least a width from a cell downstream."""
        cell = start
        for _ in range(self._grid.size):  # no river runs through a cell twice
            if not self.runs[cell]:
                break
            self._width[cell] = max(int(self._width[cell]), width)
            next_cell = int(self.receiver[cell])
            if next_cell == cell:
                break
            cell = next_cell
