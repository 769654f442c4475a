"""The cells whose centres are in a box of the map, such as those that a window shows.

    cells_in_box(grid, Box(left=0, top=0, right=9, bottom=6)).cells

The cost grows with the box, not with the grid. The idea: the bounds of the box give a range of
columns and one of rows, which hold all cells in question and a few too many, since every second
column or row can be shifted by half a cell (``Shear``). The centres of these *candidates* decide.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.layouts import Shear

if TYPE_CHECKING:
    from randomizer.model.grid.box import Box
    from randomizer.model.grid.grid import Grid


class CellsInBox(NamedTuple):
    """Cells, and where they are."""

    cells: NDArray[np.intp]
    """The cells in ascending order, (n,)."""

    centres: NDArray[np.float64]
    """Their centres in map units, (n, 2)."""


def cells_in_box(grid: Grid, box: Box) -> CellsInBox:
    """Return the existing cells whose centres are in the box or on its edge.

    A box beyond the seam of a wrapped grid finds no cells there: it does not go round.
    """
    if grid.layout.shear is Shear.COLUMNS:
        candidates = _candidates_in_shifted_columns(grid, box)
    elif grid.layout.shear is Shear.OBLIQUE:
        candidates = _candidates_in_oblique_rows(grid, box)
    else:
        candidates = _candidates_in_rows(grid, box)
    if grid.mask is not None:
        candidates = candidates[grid.mask.ravel()[candidates]]

    centres = grid.centres_of(candidates)
    x = centres[:, 0]
    y = centres[:, 1]
    is_inside = (x >= box.left) & (x <= box.right) & (y >= box.top) & (y <= box.bottom)
    cells = candidates[is_inside]
    if grid.upright:
        # There the columns of a box go round the seam, so that its cells are not ascending.
        cells = np.unique(cells)
        return CellsInBox(cells, grid.centres_of(cells))
    return CellsInBox(cells, centres[is_inside])


def _candidates_in_shifted_columns(grid: Grid, box: Box) -> NDArray[np.intp]:
    """Return the candidates of a grid with ``Shear.COLUMNS``, (n,), row by row."""
    # The column alone decides how far right a centre is.
    column_distance = grid.layout.column_distance
    xs = _range_within(
        math.ceil(box.left / column_distance),
        math.floor(box.right / column_distance),
        grid.width,
    )
    # Odd columns are half a cell lower: one row more at the top and at the bottom.
    row_distance = grid.layout.row_distance
    ys = _range_within(
        math.floor(box.top / row_distance) - 1,
        math.ceil(box.bottom / row_distance) + 1,
        grid.height,
    )
    return _flat_indices(grid, xs, ys)


def _candidates_in_rows(grid: Grid, box: Box) -> NDArray[np.intp]:
    """Return the candidates of a grid with ``Shear.ROWS`` or without any, (n,), row by row."""
    # The row alone decides how far down a centre is.
    row_distance = grid.layout.row_distance
    ys = _range_within(
        math.ceil(box.top / row_distance), math.floor(box.bottom / row_distance), grid.height
    )
    # Odd rows can be half a cell farther right: one column more at the left and at the right.
    first_x, last_x = _columns_of(grid, box)
    return _flat_indices(grid, _range_within(first_x, last_x, grid.width), ys)


def _candidates_in_oblique_rows(grid: Grid, box: Box) -> NDArray[np.intp]:
    """Return the candidates of a grid with ``Shear.OBLIQUE``, (n,), row by row."""
    # Rows count upwards: the lowest row in the box has the lowest number.
    row_distance = grid.layout.row_distance
    ys = _range_within(
        math.ceil(-box.bottom / row_distance), math.floor(-box.top / row_distance), grid.height
    )
    columns_shifted = (ys >> 1)[:, None]  # how much farther right than row 0 each row begins
    first_x, last_x = _columns_of(grid, box)
    if grid.upright:
        # It is shown as a rectangle: see the drawing at ``Grid.lean``.
        xs = (_range_within(first_x, last_x, grid.width) - columns_shifted) % grid.width
        return _flat_indices(grid, xs, ys)
    xs = np.arange(first_x - 1, last_x + 2, dtype=np.int64) - columns_shifted
    is_in_row = (xs >= 0) & (xs < grid.width)
    return _flat_indices(grid, xs, ys)[is_in_row.ravel()]


def _columns_of(grid: Grid, box: Box) -> tuple[int, int]:
    """Return the first and the last column that can be in a box, if rows begin near x = 0."""
    column_distance = grid.layout.column_distance
    return math.floor(box.left / column_distance) - 1, math.ceil(box.right / column_distance) + 1


def _range_within(first: int, last: int, count: int) -> NDArray[np.int64]:
    """Return the numbers from ``first`` to ``last`` that are from 0 to ``count - 1``."""
    return np.arange(max(0, first), min(count - 1, last) + 1, dtype=np.int64)


def _flat_indices(grid: Grid, xs: NDArray[np.int64], ys: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the cells at all columns ``xs`` of all rows ``ys`` (m,), row by row: (m * n,).

    ``xs`` has shape (n,), or (m, n) if each row has columns of its own.
    """
    return (ys[:, None] * grid.width + xs).astype(np.intp, copy=False).ravel()
