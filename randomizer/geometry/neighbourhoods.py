"""The neighbourhood of areas: grown and shrunk areas, their complement and their outline.

All cells are worked on at once: instead of asking each cell for its neighbours, the marks of an
area are moved as a whole by the step to the neighbour, and laid over the marks as they were.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.areas import Cells, Marks, area_of, marks_of
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Shear


def grow(grid: Grid, cells: Cells) -> Cells:
    """Return the area and all its neighbours."""
    marks = marks_of(grid, cells)
    grown = marks.copy()
    for marks_across in _marks_across_sides(grid, marks):
        grown |= marks_across
    return area_of(grid, grown)


def shrink(grid: Grid, cells: Cells) -> Cells:
    """Return the area without the cells that have a neighbour outside it.

    The map edge does not count as outside, so it is the complement of the grown complement.
    """
    return invert(grid, grow(grid, invert(grid, cells)))


def invert(grid: Grid, cells: Cells) -> Cells:
    """Return every cell that is not in the area."""
    return area_of(grid, ~marks_of(grid, cells))


def border(grid: Grid, cells: Cells) -> NDArray[np.intp]:
    """Return the border of an area: (cell, side) of its cells and the sides to cells outside.

    Shape (n, 2), by side, then by cell; sides at the map edge count.
    """
    marks = marks_of(grid, cells)
    pairs = []
    for side, marks_across in enumerate(_marks_across_sides(grid, marks)):
        border_cells = np.flatnonzero(marks & ~marks_across)
        pairs.append(np.stack([border_cells, np.full_like(border_cells, side)], axis=1))
    return np.concatenate(pairs)


def _marks_across_sides(grid: Grid, marks: Marks) -> Iterator[Marks]:
    """Yield for each side which cells have a marked neighbour across it, shape (h, w).

    The marks are moved as a whole, within a frame of unmarked cells.
    """
    height, width = marks.shape
    padded = np.zeros((height + 2, width + 2), np.bool_)
    padded[1:-1, 1:-1] = marks
    if grid.wrap:
        padded[1:-1, 0] = marks[:, -1]
        padded[1:-1, -1] = marks[:, 0]
    for side in range(grid.degree):
        marks_across = np.empty_like(marks)
        # One step for all cells, or one for the even and one for the odd columns or rows.
        for rows, columns, dx, dy in file_steps(grid, side):
            # The frame is one cell wide: without a step the marks begin at (1, 1).
            moved_marks = padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
            marks_across[rows, columns] = moved_marks[rows, columns]
        yield marks_across


class FileStep(NamedTuple):
    """The step to the neighbour across a side, for those cells of a grid that have this step."""

    rows: slice
    """The rows of these cells."""

    columns: slice
    """Their columns."""

    dx: int
    """By how many columns, as stored, the neighbour is farther right."""

    dy: int
    """By how many rows, as stored, it is farther on."""


def file_steps(grid: Grid, side: int) -> Iterator[FileStep]:
    """Yield the steps to the neighbours across ``side``, in columns and rows as they are stored.

    Where odd columns or rows are shifted there is one step for the even ones, then one for the odd
    ones; else there is one for all cells.
    """
    # After so many columns or rows the steps repeat.
    column_period = 1
    row_period = 1
    if grid.layout.shear is Shear.COLUMNS:
        column_period = 2
    elif grid.layout.shear is Shear.ROWS:
        row_period = 2
    step_q, step_r = grid.layout.steps[side]
    for y in range(row_period):
        for x in range(column_period):
            q, r = grid.axial(x, y)
            neighbour_x, neighbour_y = grid.offset(q + step_q, r + step_r)
            rows = slice(y, None, row_period)
            columns = slice(x, None, column_period)
            yield FileStep(rows, columns, dx=neighbour_x - x, dy=neighbour_y - y)
