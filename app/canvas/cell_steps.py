r"""Steps from cell to cell in the directions of the screen, as the arrow keys take them.

    next_cell(grid, cell, Direction(right=1, down=0))

A hex has six neighbours, and none in two of the eight directions. There the steps go in a zigzag,
and are back in the column or row in which they began after two of them::

      __    __
     /a \__/b \      flat hexes: one step to the right leads from a to x, the next one to b
     \__/x \__/
        \__/
"""

from __future__ import annotations

import math
from typing import NamedTuple

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Shear

MIN_LIKENESS = 0.4
"""The least cosine of the angle between a direction and the neighbour to which it leads.

Neighbours that are 60 degrees off (cosine 0.5) count: they are the steps of a zigzag.
"""


class Direction(NamedTuple):
    """A direction on the screen; both numbers are -1, 0 or 1."""

    right: int
    """1 to the right, -1 to the left."""

    down: int
    """1 down, -1 up."""


def next_cell(grid: Grid, cell: int, direction: Direction) -> int:
    """Return the cell one step from ``cell`` in a direction.

    Where the map ends in that direction it is a neighbour that lies nearly that way, or ``cell``
    itself if there is none.
    """
    right, down = direction
    x, y = grid.xy(cell)
    is_hex = grid.degree == 6
    if is_hex and right and down:
        # The diagonal neighbours of a hex are not at (x + right, y + down) in all columns or rows.
        return _neighbour_towards(grid, cell, direction)
    if grid.layout.shear is Shear.OBLIQUE:
        # y counts upwards, and a row begins half a cell farther right than the one below it. To go
        # straight up on the screen, x goes back by one in every second row.
        new_y = y - down
        skewed_columns = new_y // 2 - y // 2
        next_in_row_or_column = grid.cell(x + right - skewed_columns, new_y)
    else:
        next_in_row_or_column = grid.cell(x + right, y + down)
    if next_in_row_or_column >= 0:
        return next_in_row_or_column

    # At the edge of a board that is not a rectangle a neighbour may go on in nearly that direction.
    return _neighbour_towards(grid, cell, direction)


def _neighbour_towards(grid: Grid, cell: int, direction: Direction) -> int:
    """Return the neighbour whose direction is most like the given one; the cell if none is like it.

    The likeness of two directions is the cosine of the angle between them, see ``MIN_LIKENESS``.
    """
    (qx, qy), (rx, ry) = grid.layout.basis
    best_neighbour = cell
    best_likeness = MIN_LIKENESS
    for side, (q, r) in enumerate(grid.layout.steps):
        neighbour = grid.neighbour(cell, side)
        if neighbour < 0:
            continue  # there is none on this side
        # The step from the centre of the cell to that of the neighbour, in map units.
        x = q * qx + r * rx
        y = q * qy + r * ry
        dot_product = x * direction.right + y * direction.down
        likeness = dot_product / (math.hypot(x, y) * math.hypot(*direction))
        if likeness > best_likeness:
            best_neighbour = neighbour
            best_likeness = likeness
    return best_neighbour
