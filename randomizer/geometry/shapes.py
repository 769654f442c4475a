"""Areas of cells: discs, lines, rectangles, lassos, growing and shrinking.

An area is an array of existing cells, ascending, each once, dtype intp, shape (n,). Where the grid
wraps, discs, bars and lines wrap too; rectangles and lassos cover what they cover on the screen.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.indices import ascending

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from randomizer.model.grid.grid import Grid


Cells = NDArray[np.intp]
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
    return np.flatnonzero(marks if grid.mask is None else marks & grid.mask)


def marks_of(grid: Grid, cells: Cells) -> Marks:
    """Return an area as marks."""
    marks = np.zeros((grid.height, grid.width), np.bool_)
    marks.reshape(-1)[cells] = True
    return marks


# --- shapes ---------------------------------------------------------------------------------------


@registered(bytes_each=230 * KB)
@lru_cache(4)
def _disc_offsets(degree: int, radius: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    span = np.arange(-radius, radius + 1, dtype=np.int64)
    r, q = (axis.ravel() for axis in np.meshgrid(span, span, indexing="ij"))
    if degree == 4:
        return q, r
    near = abs(q + r) <= radius
    return q[near], r[near]


def disc(grid: Grid, cell: int, radius: int) -> Cells:
    """Return the filled hexagon of ``radius`` (0: the cell alone); on squares a square."""
    q, r = grid.axial(*grid.xy(cell))
    offset_q, offset_r = _disc_offsets(grid.degree, radius)
    return area(cells_of_axial(grid, offset_q + q, offset_r + r))


def bar(grid: Grid, cell: int, half_length: int) -> Cells:
    """Xconq's bar: the cells of the same row up to ``half_length`` columns to either side."""
    x, y = grid.xy(cell)
    xs = np.arange(x - half_length, x + half_length + 1, dtype=np.int64)
    return area(grid.cells_of_xy(xs, np.full_like(xs, y)))


def path(grid: Grid, start: int, end: int) -> Cells:
    """Return the straight line of cells from ``start`` to ``end``, in that order: not an area.

    Each is a neighbour of the one before (squares can meet at a corner), except where cells of the
    line do not exist. On a wrapped grid the shorter direction is taken.
    """
    q, r = grid.axial(*grid.xy(start))
    to_q, to_r = grid.axial(*grid.xy(end))
    way_q = to_q - q
    way_r = to_r - r
    if grid.wrap:
        turn_q, turn_r = grid.axial(grid.width, 0)
        right = way_q if grid.layout.shear == "columns" else way_q + way_r / 2
        if grid.degree == 6:
            turns = round(right / grid.width)
        else:
            turns = round(way_q / grid.width)
        way_q = way_q - turns * turn_q
        way_r = way_r - turns * turn_r
    count = max(abs(way_q), abs(way_r), abs(way_q + way_r) if grid.degree == 6 else 0)
    share = np.linspace(0.0, 1.0, count + 1)[:, None]
    axial = np.array((q, r)) + share * np.array((way_q, way_r))
    at = axial @ np.array(grid.layout.basis)
    result = grid.cells_at(at + _NUDGE)
    # Along the map edge only the cells of the other side can exist.
    result = np.where(result >= 0, result, grid.cells_at(at - _NUDGE))
    return result[result >= 0]


def line(grid: Grid, start: int, end: int) -> Cells:
    """Return the cells of a straight line, as an area."""
    return area(path(grid, start, end))


def _shown_xy(grid: Grid, cell: int) -> tuple[int, int]:
    """File coordinates of a cell where an upright grid shows it (x can be outside the file's)."""
    x, y = grid.xy(cell)
    return (x + (y >> 1)) % grid.width - (y >> 1) if grid.upright else x, y


def rectangle(grid: Grid, a: int, b: int) -> Cells:
    """Return the upright rectangle of columns and rows between two of its corners."""
    (ax, ay) = _shown_xy(grid, a)
    (bx, by) = _shown_xy(grid, b)
    ys = np.arange(min(ay, by), max(ay, by) + 1, dtype=np.int64)
    start = ys[:, None] * 0
    if (
        grid.layout.shear == "oblique"
    ):  # every second row of the file starts one column farther right
        ax = ax + (ay >> 1)
        bx = bx + (by >> 1)
        start = (ys >> 1)[:, None]
    xs = np.arange(min(ax, bx), max(ax, bx) + 1, dtype=np.int64) - start
    return area(grid.cells_of_xy(xs, np.broadcast_to(ys[:, None], xs.shape)))


def parallelogram(grid: Grid, a: int, b: int) -> Cells:
    """Return the parallelogram along the axial axes between two of its corners."""
    (aq, ar), (bq, br) = (grid.axial(*_shown_xy(grid, cell)) for cell in (a, b))
    r, q = np.mgrid[min(ar, br) : max(ar, br) + 1, min(aq, bq) : max(aq, bq) + 1]
    return area(cells_of_axial(grid, q, r))


def lasso(grid: Grid, points: Sequence[tuple[float, float]]) -> Cells:
    """Return the cells whose centres are in a polygon (map units) by the even-odd rule.

    The cost grows with the polygon's bounding box and its corners, not with their product.
    """
    if len(points) < 3:
        return np.empty(0, np.intp)
    corners = np.array(points, np.float64)
    shear = grid.layout.shear
    # Centres are on straight lines (columns of flat hexes, else rows); a line is entered or left
    # wherever an edge of the polygon crosses it.
    across, along = (0, 1) if shear == "columns" else (1, 0)
    lines, count = (grid.width, grid.height) if shear == "columns" else (grid.height, grid.width)
    gap = grid.layout.basis[across][across]
    pitch = grid.layout.basis[along][along]
    at = corners[:, across] / (-gap if shear == "oblique" else gap)
    reach = corners[:, along] / pitch
    first = max(0, int(np.ceil(at.min())))
    last = min(lines - 1, int(np.floor(at.max())))
    if first > last:
        return np.empty(0, np.intp)
    numbers = np.arange(first, last + 1)
    start = np.zeros(len(numbers))
    if grid.degree == 6:
        start = (numbers if shear == "oblique" and not grid.upright else numbers % 2) / 2
    next_at = np.roll(at, -1)
    next_reach = np.roll(reach, -1)
    low = np.clip(np.ceil(np.minimum(at, next_at)), first, last + 1).astype(np.intp)
    high = np.clip(np.ceil(np.maximum(at, next_at)), first, last + 1).astype(np.intp)
    edge = np.repeat(np.arange(len(at)), high - low)
    crossed = ranges(low, high)
    share = (crossed - at[edge]) / (next_at[edge] - at[edge])
    where = reach[edge] + share * (next_reach[edge] - reach[edge]) - start[crossed - first]
    index = np.clip(np.ceil(where), 0, count).astype(np.intp)
    toggles = np.bincount(
        (crossed - first) * (count + 1) + index, minlength=len(numbers) * (count + 1)
    ).reshape(len(numbers), count + 1)
    inside = np.bitwise_xor.accumulate(toggles.astype(np.uint8) & 1, axis=1)[:, :count]
    line_index, xs = np.nonzero(inside)
    ys = line_index + first
    if shear == "columns":
        xs, ys = ys, xs
    elif grid.upright:
        xs = xs - (ys >> 1)
    return area(grid.cells_of_xy(xs, ys))


def ranges(low: Cells, high: Cells) -> Cells:
    """Return all whole numbers from each ``low`` up to its ``high``, one range after the other."""
    lengths = high - low
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    result: Cells = np.arange(total, dtype=np.intp) + np.repeat(low - ends + lengths, lengths)
    return result


# --- areas out of areas ---------------------------------------------------------------------------


def file_steps(grid: Grid, side: int) -> Iterator[tuple[slice, slice, int, int]]:
    """Yield the step to the neighbour across ``side`` in file coordinates.

    It depends on whether a column or row is odd; hence (rows, columns, dx, dy) for each case.
    """
    every_x = 2 if grid.layout.shear == "columns" else 1
    every_y = 2 if grid.layout.shear == "rows" else 1
    step_q, step_r = grid.layout.steps[side]
    for y in range(every_y):
        for x in range(every_x):
            q, r = grid.axial(x, y)
            to_x, to_y = grid.offset(q + step_q, r + step_r)
            yield slice(y, None, every_y), slice(x, None, every_x), to_x - x, to_y - y


def _around(grid: Grid, marks: Marks) -> Iterator[Marks]:
    """For every side: which cells have a marked neighbour across it."""
    height, width = marks.shape
    padded = np.zeros((height + 2, width + 2), np.bool_)
    padded[1:-1, 1:-1] = marks
    if grid.wrap:
        padded[1:-1, 0] = marks[:, -1]
        padded[1:-1, -1] = marks[:, 0]
    for side in range(grid.degree):
        beside = np.empty_like(marks)
        for rows, columns, dx, dy in file_steps(grid, side):
            moved = padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
            beside[rows, columns] = moved[rows, columns]
        yield beside


def grow(grid: Grid, cells: Cells) -> Cells:
    """Return the area and all its neighbours."""
    marks = marks_of(grid, cells)
    grown = marks.copy()
    for beside in _around(grid, marks):
        grown |= beside
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
    for side, inner in enumerate(_around(grid, marks)):
        at_side = np.flatnonzero(marks & ~inner)
        pairs.append(np.stack([at_side, np.full_like(at_side, side)], axis=1))
    return np.concatenate(pairs)


def swept_area(grid: Grid, line: Cells, radius: int, *, bar: bool = False) -> Cells:
    """Return the area covered by a disc (or Xconq's bar) that moves along ``line``, straight cells.

    The covered cells of each row are contiguous, so a row is one run from its first cell to its
    last: the cost grows with length times radius, not with the brush's area.
    """
    if not radius or not len(line):
        return area(line)
    q, r = axial_of(grid, line)
    if grid.wrap:  # the line continues beyond the seam
        turn_q, turn_r = grid.axial(grid.width, 0)
        jumps = np.rint(np.diff(q + r / 2, prepend=q[0] + r[0] / 2) / (turn_q + turn_r / 2))
        turns = np.cumsum(jumps.astype(np.int64))
        q = q - turns * turn_q
        r = r - turns * turn_r
    if bar:  # rows of the file, not of axial space: q + skew * r increases along them
        xs, ys = grid.offset(q, r)
        rows = ys
        left = xs - radius
        right = xs + radius
    else:
        step = np.arange(-radius, radius + 1, dtype=np.int64)
        low = np.full_like(step, -radius)
        high = np.full_like(step, radius)
        if grid.degree == 6:
            low = np.maximum(low, low - step)
            high = np.minimum(high, high - step)
        rows = (r[:, None] + step).ravel()
        left = (q[:, None] + low).ravel()
        right = (q[:, None] + high).ravel()
    first = int(rows.min())
    count = int(rows.max()) - first + 1
    starts = np.full(count, np.iinfo(np.int64).max)
    ends = np.full(count, np.iinfo(np.int64).min)
    np.minimum.at(starts, rows - first, left)
    np.maximum.at(ends, rows - first, right)
    lengths = ends - starts + 1
    across = ranges(starts, ends + 1)
    down = np.repeat(np.arange(first, first + count), lengths)
    if bar:
        return area(grid.cells_of_xy(across, down))
    return area(cells_of_axial(grid, across, down))
