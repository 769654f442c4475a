"""Areas of cells: discs, lines, rectangles, lassos, growing and shrinking.

An area is an array of existing cells, ascending, each once, dtype intp, shape (n,). Where the grid
wraps, discs, bars and lines wrap too; rectangles and lassos cover what they cover on the screen.
Brushes, the selection and scripts are made of these functions::

    cells = grow(grid, disc(grid, cell, 2))     # a disc of radius 3
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.indices import ascending
from randomizer.model.grid.layouts import Shear

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


Cells = NDArray[np.intp]
"""Cells by their flat indices, (n,); an area unless something else is said."""

Marks = NDArray[np.bool_]
"""A bool for each cell, shape (height, width)."""

_NUDGE = np.array((1e-6, 2e-6))
"""Moves a line off the edges and corners that it would follow, always to the same side."""


def cells_of_axial(grid: Grid, q: NDArray[np.int64], r: NDArray[np.int64]) -> Cells:
    """Return the cells at axial coordinates, in their order, -1 where there is none."""
    return grid.cells_of_xy(*grid.offset(q, r))


def axial_of(grid: Grid, cells: Cells) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the axial (q, r) of cells, in their order."""
    ys, xs = np.divmod(cells, grid.width)
    return grid.axial(xs, ys)


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


# --- shapes ---------------------------------------------------------------------------------------


@registered(bytes_each=230 * KB)
@lru_cache(4)
def _disc_offsets(degree: int, radius: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the axial offsets (q, r) of the cells of a disc from its centre, both (n,).

    A disc of squares is a square. Of hexes, those of the square whose third cube coordinate,
    -q - r, is within the radius too are a hexagon.
    """
    span = np.arange(-radius, radius + 1, dtype=np.int64)
    rows, columns = np.meshgrid(span, span, indexing="ij")
    q = columns.ravel()
    r = rows.ravel()
    if degree == 4:
        return q, r
    is_within = abs(q + r) <= radius
    return q[is_within], r[is_within]


def disc(grid: Grid, cell: int, radius: int) -> Cells:
    """Return the filled hexagon of ``radius`` (0: the cell alone); on squares a square."""
    q, r = grid.axial(*grid.xy(cell))
    offset_q, offset_r = _disc_offsets(grid.degree, radius)
    return area(cells_of_axial(grid, offset_q + q, offset_r + r))


def bar(grid: Grid, cell: int, half_length: int) -> Cells:
    """Return the cells of the same row up to ``half_length`` columns to either side.

    It is the brush that Xconq's own designer calls a bar.
    """
    x, y = grid.xy(cell)
    xs = np.arange(x - half_length, x + half_length + 1, dtype=np.int64)
    return area(grid.cells_of_xy(xs, np.full_like(xs, y)))


def path(grid: Grid, start: int, end: int) -> Cells:
    """Return the straight line of cells from ``start`` to ``end``, in that order: not an area.

    Each is a neighbour of the one before (squares can meet at a corner), except where cells of the
    line do not exist. On a wrapped grid the shorter direction is taken.
    """
    # As many points as the line has steps are laid evenly between the two centres, and the cell
    # under each is taken: the line drawing of "Hexagonal Grids" by Amit Patel, for squares too.
    q, r = grid.axial(*grid.xy(start))
    end_q, end_r = grid.axial(*grid.xy(end))
    delta_q = end_q - q
    delta_r = end_r - r
    if grid.wrap:
        columns_right: float = delta_q
        if grid.degree == 6 and grid.layout.shear is not Shear.COLUMNS:
            columns_right += delta_r / 2  # each step along r is half a column, too
        turns = round(columns_right / grid.width)
        turn_q, turn_r = grid.axial(grid.width, 0)
        delta_q = delta_q - turns * turn_q
        delta_r = delta_r - turns * turn_r
    steps = max(abs(delta_q), abs(delta_r))
    if grid.degree == 6:
        steps = max(steps, abs(delta_q + delta_r))
    shares = np.linspace(0.0, 1.0, steps + 1)[:, None]
    axial = np.array((q, r)) + shares * np.array((delta_q, delta_r))
    points = axial @ np.array(grid.layout.basis)
    cells = grid.cells_at(points + _NUDGE)
    # A line along the map edge is nudged off the map at one of the two edges, and back from there.
    cells = np.where(cells >= 0, cells, grid.cells_at(points - _NUDGE))
    return cells[cells >= 0]


def line(grid: Grid, start: int, end: int) -> Cells:
    """Return the cells of a straight line, as an area."""
    return area(path(grid, start, end))


def _xy_on_screen(grid: Grid, cell: int) -> tuple[int, int]:
    """Return the column and row of a cell in its file, as it lies on the screen.

    An upright grid moves cells round its seam, so that x can be outside the file's columns there.
    """
    x, y = grid.xy(cell)
    if grid.upright:
        shift = y >> 1
        x = (x + shift) % grid.width - shift
    return x, y


def rectangle(grid: Grid, corner: int, opposite_corner: int) -> Cells:
    """Return the upright rectangle of columns and rows between two cells at its corners."""
    ax, ay = _xy_on_screen(grid, corner)
    bx, by = _xy_on_screen(grid, opposite_corner)
    ys = np.arange(min(ay, by), max(ay, by) + 1, dtype=np.int64)
    shift = np.zeros((len(ys), 1), np.int64)
    if grid.layout.shear is Shear.OBLIQUE:
        # Each second row of the file begins one column farther right on the screen.
        ax = ax + (ay >> 1)
        bx = bx + (by >> 1)
        shift = (ys >> 1)[:, None]
    xs = np.arange(min(ax, bx), max(ax, bx) + 1, dtype=np.int64) - shift
    return area(grid.cells_of_xy(xs, np.broadcast_to(ys[:, None], xs.shape)))


def parallelogram(grid: Grid, corner: int, opposite_corner: int) -> Cells:
    """Return the parallelogram along the axial axes between two cells at its corners."""
    aq, ar = grid.axial(*_xy_on_screen(grid, corner))
    bq, br = grid.axial(*_xy_on_screen(grid, opposite_corner))
    r, q = np.mgrid[min(ar, br) : max(ar, br) + 1, min(aq, bq) : max(aq, bq) + 1]
    return area(cells_of_axial(grid, q, r))


def lasso(grid: Grid, points: Sequence[tuple[float, float]]) -> Cells:
    """Return the cells whose centres are in a polygon (map units) by the even-odd rule.

    The cost grows with the polygon's bounding box and its corners, not with their product.
    """
    # This is the scanline fill of polygons. The centres of cells are on straight lines: the columns
    # of flat hexes, else the rows. Each edge of the polygon that crosses a line toggles, from there
    # on, whether its cells are inside.
    if len(points) < 3:
        return np.empty(0, np.intp)
    scan = _ScanLines.of(grid)
    corners = np.array(points, np.float64)
    corner_lines = corners[:, scan.axis_across] / scan.line_distance
    corner_cells = corners[:, scan.axis_along] / scan.cell_distance
    first_line = max(0, int(np.ceil(corner_lines.min())))
    last_line = min(scan.line_count - 1, int(np.floor(corner_lines.max())))
    if first_line > last_line:
        return np.empty(0, np.intp)

    lines, crossings = _crossings(corner_lines, corner_cells, first_line, last_line)
    crossings -= _starts_of_lines(grid, lines)
    is_inside = _toggled(
        lines - first_line, crossings, last_line - first_line + 1, scan.cells_per_line
    )
    line_numbers, cells_of_lines = np.nonzero(is_inside)
    line_numbers = line_numbers + first_line
    if grid.layout.shear is Shear.COLUMNS:
        return area(grid.cells_of_xy(line_numbers, cells_of_lines))
    if grid.upright:
        cells_of_lines = cells_of_lines - (line_numbers >> 1)
    return area(grid.cells_of_xy(cells_of_lines, line_numbers))


class _ScanLines(NamedTuple):
    """The straight lines on which the centres of a grid's cells are: its columns or its rows."""

    axis_across: int
    """The axis across the lines: 0 for x if they are columns, 1 for y if they are rows."""

    axis_along: int
    """The other axis."""

    line_count: int
    """The number of lines."""

    cells_per_line: int
    """The number of cells of each."""

    line_distance: float
    """From line 0 to line 1, in map units; below 0 where rows count upwards."""

    cell_distance: float
    """From cell to cell along a line, in map units."""

    @classmethod
    def of(cls, grid: Grid) -> _ScanLines:
        """Return the lines of a grid."""
        basis = grid.layout.basis
        if grid.layout.shear is Shear.COLUMNS:
            return cls(0, 1, grid.width, grid.height, basis[0][0], basis[1][1])
        row_distance = basis[1][1]
        if grid.layout.shear is Shear.OBLIQUE:
            row_distance = -row_distance
        return cls(1, 0, grid.height, grid.width, row_distance, basis[0][0])


def _crossings(
    corner_lines: NDArray[np.float64],
    corner_cells: NDArray[np.float64],
    first_line: int,
    last_line: int,
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return where the edges of a polygon cross lines: the numbers of the lines, and the cells.

    Both have shape (crossings,). The corners of the polygon are given in the same units, and cells
    count from the origin of the map.
    """
    next_lines = np.roll(corner_lines, -1)
    next_cells = np.roll(corner_cells, -1)
    # An edge crosses the lines from ``low`` up to but without ``high``, so that a corner that lies
    # on a line crosses it once.
    low = np.ceil(np.minimum(corner_lines, next_lines))
    high = np.ceil(np.maximum(corner_lines, next_lines))
    low = np.clip(low, first_line, last_line + 1).astype(np.intp)
    high = np.clip(high, first_line, last_line + 1).astype(np.intp)
    edges = np.repeat(np.arange(len(corner_lines)), high - low)
    lines = ranges(low, high)
    shares = (lines - corner_lines[edges]) / (next_lines[edges] - corner_lines[edges])
    return lines, corner_cells[edges] + shares * (next_cells[edges] - corner_cells[edges])


def _starts_of_lines(grid: Grid, lines: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return how far the first cell of each line is from the origin, in cells.

    Lines of hexes are shifted by halves.
    """
    if grid.degree != 6:
        return np.zeros(len(lines))
    if grid.layout.shear is Shear.OBLIQUE and not grid.upright:
        return np.asarray(lines / 2)
    return np.asarray(lines % 2 / 2)


def _toggled(
    rows: NDArray[np.intp], crossings: NDArray[np.float64], row_count: int, cells_per_row: int
) -> Marks:
    """Return which cells of rows have an odd number of crossings before them or at them.

    Each of the crossings (n,) is at a position, in cells, of one of ``rows`` (n,).
    """
    # Behind the last cell of each row is one more, for crossings that no cell is behind.
    shape = (row_count, cells_per_row + 1)
    first_cells = np.clip(np.ceil(crossings), 0, cells_per_row).astype(np.intp)
    counts = np.bincount(rows * shape[1] + first_cells, minlength=shape[0] * shape[1])
    toggles = counts.reshape(shape).astype(np.uint8) & 1
    is_odd = np.bitwise_xor.accumulate(toggles, axis=1).astype(np.bool_)
    return is_odd[:, :cells_per_row]


def ranges(low: Cells, high: Cells) -> Cells:
    """Return all whole numbers from each ``low`` up to its ``high``, one range after the other."""
    lengths = high - low
    if not len(lengths):
        return np.empty(0, np.intp)
    ends = np.cumsum(lengths)  # where each range ends in the result
    total = int(ends[-1])
    # Count on through the result, and shift each range to where it begins.
    result: Cells = np.arange(total, dtype=np.intp) + np.repeat(low - ends + lengths, lengths)
    return result


# --- areas out of areas ---------------------------------------------------------------------------


class FileStep(NamedTuple):
    """The step to the neighbour across a side, for those cells of a grid that have this step."""

    rows: slice
    """The rows of these cells."""
    columns: slice
    """Their columns."""
    dx: int
    """The columns to the right, in the file."""
    dy: int
    """The rows down, in the file."""


def file_steps(grid: Grid, side: int) -> Iterator[FileStep]:
    """Yield the steps to the neighbours across ``side``, in columns and rows of the file.

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
        for rows, columns, dx, dy in file_steps(grid, side):
            # The frame is one cell wide: without a step the marks begin at (1, 1).
            moved_marks = padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
            marks_across[rows, columns] = moved_marks[rows, columns]
        yield marks_across


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
    """Return the outline of an area: (cell, side) of its cells and the sides to cells outside.

    Shape (n, 2), by side, then by cell; sides at the map edge count.
    """
    marks = marks_of(grid, cells)
    pairs = []
    for side, marks_across in enumerate(_marks_across_sides(grid, marks)):
        border_cells = np.flatnonzero(marks & ~marks_across)
        pairs.append(np.stack([border_cells, np.full_like(border_cells, side)], axis=1))
    return np.concatenate(pairs)


def swept_area(grid: Grid, line: Cells, radius: int, *, bar: bool = False) -> Cells:
    """Return the area covered by a disc (or Xconq's bar) that moves along ``line``, straight cells.

    The covered cells of each row are contiguous, so a row is one run from its first cell to its
    last: the cost grows with length times radius, not with the brush's area.
    """
    if not radius or not len(line):
        return area(line)
    q, r = _axial_along(grid, line)
    if bar:
        # A bar lies in a row of the file, a row of a disc in one of axial space.
        xs, ys = grid.offset(q, r)
        columns, rows = _joined_runs(_Runs(ys, xs - radius, xs + radius))
        return area(grid.cells_of_xy(columns, rows))
    columns, rows = _joined_runs(_runs_of_discs(grid.degree, q, r, radius))
    return area(cells_of_axial(grid, columns, rows))


def _axial_along(grid: Grid, line: Cells) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the axial (q, r) of the cells of a line, without jumps at the seam of the map."""
    q, r = axial_of(grid, line)
    if not grid.wrap:
        return q, r
    # Where the line crosses the seam its q and r jump by a turn round the map.
    turn_q, turn_r = grid.axial(grid.width, 0)
    columns_right = q + r / 2
    steps_right = np.diff(columns_right, prepend=columns_right[0])
    jumps = np.rint(steps_right / (turn_q + turn_r / 2))
    turns = np.cumsum(jumps.astype(np.int64))
    return q - turns * turn_q, r - turns * turn_r


class _Runs(NamedTuple):
    """Runs of cells in rows, one entry of each array (n,) a run."""

    rows: NDArray[np.int64]
    starts: NDArray[np.int64]
    """The column of the first cell of each run."""
    ends: NDArray[np.int64]
    """The column of its last cell."""


def _runs_of_discs(degree: int, q: NDArray[np.int64], r: NDArray[np.int64], radius: int) -> _Runs:
    """Return the rows of discs around centres (q, r), in axial coordinates."""
    row_steps = np.arange(-radius, radius + 1, dtype=np.int64)
    low = np.full_like(row_steps, -radius)
    high = np.full_like(row_steps, radius)
    if degree == 6:  # a hexagon: see ``_disc_offsets``
        low = np.maximum(low, low - row_steps)
        high = np.minimum(high, high - row_steps)
    return _Runs(
        (r[:, None] + row_steps).ravel(),
        (q[:, None] + low).ravel(),
        (q[:, None] + high).ravel(),
    )


def _joined_runs(runs: _Runs) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return columns and rows of all cells from the first to the last of the runs in each row.

    There is a run in every row between the first and the last.
    """
    first_row = int(runs.rows.min())
    row_count = int(runs.rows.max()) - first_row + 1
    starts = np.full(row_count, np.iinfo(np.int64).max)
    ends = np.full(row_count, np.iinfo(np.int64).min)
    np.minimum.at(starts, runs.rows - first_row, runs.starts)
    np.maximum.at(ends, runs.rows - first_row, runs.ends)
    columns = ranges(starts, ends + 1)
    rows = np.repeat(np.arange(first_row, first_row + row_count), ends - starts + 1)
    return columns, rows
