"""The links of rivers and roads: by which sides a way leaves each cell, as bits of a number.

On hexes the sides are numbered from 0 to 5. Side 0 is the bit 0b000001, side 5 is 0b100000::

    0b001001            a way that leaves a cell by the sides 0 and 3
    PRESENT | 0b001001  the same as a value of a link plane of the map

Links are set in both cells: where a way leaves a cell by one side, it enters the neighbour there by
the opposite side. ``routes.has_side`` and ``routes.sides_of`` read them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.planes.routes import PRESENT, sides_of

Links = NDArray[np.uint8]
"""A link plane, (cells,): for each cell the bits of the sides by which a way leaves it."""


def bit_of_side(side: int) -> int:
    """Return the bit of a side: 0b100 for side 2."""
    return 1 << side


def add_links(
    links: Links,
    grid: Grid,
    cells: NDArray[Any],
    into: NDArray[Any],
    flow: Links | None = None,
) -> None:
    """Link each of ``cells`` (n,) with its neighbour in ``into`` (n,), from both of them.

    ``links`` (cells,) is changed in place, and so is ``flow`` (cells,) if it is given: for each of
    ``cells`` it gets the bit of the side that leads into the neighbour, in place of what it had.
    """
    table = grid.neighbour_table
    # On a narrow grid that wraps two sides can lead to the same neighbour: only one is linked.
    is_open = np.ones(len(cells), np.bool_)
    for side in range(grid.degree):
        indices = np.flatnonzero(is_open & (table[cells, side] == into))
        is_open[indices] = False
        if flow is not None:
            flow[cells[indices]] = bit_of_side(side)
        # ``at``: a cell can be named several times, and gets the bits of all.
        np.bitwise_or.at(links, cells[indices], PRESENT | bit_of_side(side))
        np.bitwise_or.at(links, into[indices], PRESENT | bit_of_side(grid.opposite(side)))


def outflow_side(grid: Grid, cell: int, links: int) -> int:
    """Return the side by which a river leaves the map at a cell: as straight on as it can.

    ``links`` are those of the cell, whose river comes in by them. The cell must have a side off
    the map.
    """
    degree = grid.degree
    straight_on = degree // 2
    sides_off_map = [side for side in range(degree) if grid.neighbour_table[cell, side] < 0]
    incoming_sides = sides_of(links, degree)

    def bend(side: int) -> int:
        """Return by how many sides a river bends that leaves by ``side``.

        Of several incoming sides the one with the fewest steps clockwise to ``side`` counts, which
        is one of them whichever it is: they are rivers that have met in the cell.
        """
        turns = [(side - incoming_side) % degree for incoming_side in incoming_sides]
        return abs(min(turns, default=straight_on) - straight_on)

    return min(sides_off_map, key=bend)
