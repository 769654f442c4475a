"""The cells in a polygon: the lasso of the selection.

This is the scanline fill of polygons. The centres of cells are on straight *lines*: the columns of
flat hexes, else the rows. An edge of the polygon that crosses a line toggles whether the cells from
there on are inside::

    line   . . x . . . x . .         two edges cross it between cells (x): those after an
    inside 0 0 1 1 1 1 0 0 0         odd number of crossings are inside

The cost grows with the polygon's bounding box and its corners, not with their product.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.areas import Cells, Marks, area, ranges
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Shear


def lasso(grid: Grid, points: Sequence[tuple[float, float]]) -> Cells:
    """Return the cells whose centres are in a polygon (map units) by the even-odd rule.

    The polygon does not wrap: on a wrapped grid the cells are those that are shown in it.
    """
    if len(points) < 3:
        return np.empty(0, np.intp)
    lines = _lines_of(grid)
    corners = np.array(points, np.float64)
    corner_lines = corners[:, lines.axis_across] / lines.distance
    corner_positions = corners[:, lines.axis_along] / lines.cell_distance
    first_line = max(0, int(np.ceil(corner_lines.min())))
    last_line = min(lines.line_count - 1, int(np.floor(corner_lines.max())))
    if first_line > last_line:
        return np.empty(0, np.intp)

    crossings = _crossings(corner_lines, corner_positions, first_line, last_line)
    rows_of_crossings = crossings.lines - first_line
    positions = crossings.positions - _starts_of_lines(grid, crossings.lines)
    shape = (last_line - first_line + 1, lines.cells_per_line)
    is_inside = _toggled(rows_of_crossings, positions, shape)

    line_numbers, cells_of_lines = np.nonzero(is_inside)
    line_numbers = line_numbers + first_line
    if grid.layout.shear is Shear.COLUMNS:
        return area(grid.cells_of_xy(line_numbers, cells_of_lines))
    if grid.upright:
        # Counted from the upright left edge of the map, while the columns of the file lean: row y
        # of the file begins y / 2 cells farther right.
        cells_of_lines = cells_of_lines - (line_numbers >> 1)
    return area(grid.cells_of_xy(cells_of_lines, line_numbers))


class _Lines(NamedTuple):
    """The straight lines on which the centres of a grid's cells are: its columns or its rows."""

    line_count: int
    """The number of lines."""

    cells_per_line: int
    """The number of cells of each."""

    axis_across: int
    """The axis across the lines: 0 for x if they are columns, 1 for y if they are rows."""

    axis_along: int
    """The other axis."""

    distance: float
    """From line 0 to line 1, in map units; below 0 where rows count upwards."""

    cell_distance: float
    """From cell to cell along a line, in map units."""


def _lines_of(grid: Grid) -> _Lines:
    """Return the lines of a grid."""
    layout = grid.layout
    if layout.shear is Shear.COLUMNS:
        return _Lines(
            line_count=grid.width,
            cells_per_line=grid.height,
            axis_across=0,
            axis_along=1,
            distance=layout.column_distance,
            cell_distance=layout.row_distance,
        )
    row_distance = layout.row_distance
    if layout.shear is Shear.OBLIQUE:
        row_distance = -row_distance
    return _Lines(
        line_count=grid.height,
        cells_per_line=grid.width,
        axis_across=1,
        axis_along=0,
        distance=row_distance,
        cell_distance=layout.column_distance,
    )


class _Crossings(NamedTuple):
    """Where the n edges of a polygon cross lines; an edge can cross many."""

    lines: NDArray[np.intp]
    """The number of the line of each crossing."""

    positions: NDArray[np.float64]
    """Where on its line each crossing is: in cells, from the origin of the map."""


def _crossings(
    corner_lines: NDArray[np.float64],
    corner_positions: NDArray[np.float64],
    first_line: int,
    last_line: int,
) -> _Crossings:
    """Return the crossings of a polygon with the lines from the first to the last.

    Its corners (n,) are given by line and by position along it; both can be fractions.
    """
    next_lines = np.roll(corner_lines, -1)
    next_positions = np.roll(corner_positions, -1)
    # An edge crosses the lines from ``low`` up to but without ``high``, so that a corner that lies
    # on a line crosses it once.
    low = np.ceil(np.minimum(corner_lines, next_lines))
    high = np.ceil(np.maximum(corner_lines, next_lines))
    low = np.clip(low, first_line, last_line + 1).astype(np.intp)
    high = np.clip(high, first_line, last_line + 1).astype(np.intp)
    edges = np.repeat(np.arange(len(corner_lines)), high - low)
    lines = ranges(low, high)
    shares = (lines - corner_lines[edges]) / (next_lines[edges] - corner_lines[edges])
    steps_along = next_positions[edges] - corner_positions[edges]
    positions = corner_positions[edges] + shares * steps_along
    return _Crossings(lines, positions)


def _starts_of_lines(grid: Grid, lines: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return how far the first cell of each line is from the origin, in cells.

    Lines of hexes are shifted by halves. An upright grid is one that is stored as oblique rows, but
    shown with an upright left edge, so that its rows lie as those of alternately shifted ones.
    """
    if grid.degree != 6:
        return np.zeros(len(lines))
    if grid.layout.shear is Shear.OBLIQUE and not grid.upright:
        return np.asarray(lines / 2)  # each line half a cell farther right than the one before
    return np.asarray(lines % 2 / 2)  # every second line half a cell farther on


def _toggled(
    rows: NDArray[np.intp], crossings: NDArray[np.float64], shape: tuple[int, int]
) -> Marks:
    """Return which cells of rows have an odd number of crossings before them or at them.

    Each of the crossings (n,) is at a position, in cells, of one of ``rows`` (n,). The result has
    the ``shape`` (rows, cells of a row).
    """
    row_count, cells_per_row = shape
    # An extra cell at the end of each row takes the crossings behind its last cell.
    padded_length = cells_per_row + 1
    first_cells = np.clip(np.ceil(crossings), 0, cells_per_row).astype(np.intp)
    positions = rows * padded_length + first_cells
    counts = np.bincount(positions, minlength=row_count * padded_length)
    toggles = counts.reshape(row_count, padded_length).astype(np.uint8) & 1
    is_odd = np.bitwise_xor.accumulate(toggles, axis=1).astype(np.bool_)
    return is_odd[:, :cells_per_row]
