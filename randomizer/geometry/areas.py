"""Areas of cells, and the same areas as marks and in axial coordinates.

An *area* is an array of existing cells, ascending, each once, dtype intp, shape (n,). As *marks* it
is an array of bools for all cells, shape (height, width). On a grid of 3 x 2 cells::

    area(np.array([5, 2, -1, 2]))        # [2, 5]: sorted, each once, without -1 (no cell)
    marks_of(grid, np.array([2, 5]))     # [[False, False, True], [False, False, True]]

Shapes, brushes, the selection and scripts are made of areas.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.indices import ascending

Cells = NDArray[np.intp]
"""Cells by their flat indices, (n,); an area unless something else is said."""

Marks = NDArray[np.bool_]
"""A bool for each cell, shape (height, width)."""


def area(cells: Cells) -> Cells:
    """Return cells in any order, with -1 and repetitions, as an area."""
    return ascending(cells[cells >= 0])


def area_of(grid: Grid, marks: Marks) -> Cells:
    """Return the existing cells that are marked."""
    if grid.mask is not None:
        marks = marks & grid.mask
    return np.flatnonzero(marks)


def marks_of(grid: Grid, cells: Cells) -> Marks:
    """Return an area as marks."""
    marks = np.zeros((grid.height, grid.width), np.bool_)
    marks.reshape(-1)[cells] = True
    return marks


def cells_of_axial(grid: Grid, q: NDArray[np.int64], r: NDArray[np.int64]) -> Cells:
    """Return the cells at axial coordinates, in their order, -1 where there is none."""
    return grid.cells_of_xy(*grid.offset(q, r))


def axial_of(grid: Grid, cells: Cells) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the axial (q, r) of cells, in their order."""
    ys, xs = np.divmod(cells, grid.width)
    return grid.axial(xs, ys)


def ranges(low: Cells, high: Cells) -> Cells:
    """Return the whole numbers from each ``low`` to below its ``high``, one range after the other.

    Example: of ``low`` [2, 7] and ``high`` [4, 9] they are [2, 3, 7, 8].
    """
    lengths = high - low
    if not len(lengths):
        return np.empty(0, np.intp)
    ends = np.cumsum(lengths)  # where each range ends in the result
    total = int(ends[-1])
    # Count on through the result, and shift each range to where it begins.
    result: Cells = np.arange(total, dtype=np.intp) + np.repeat(low - ends + lengths, lengths)
    return result
