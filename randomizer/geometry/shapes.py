"""Shapes of cells: discs, bars, straight lines, rectangles and parallelograms.

Where the grid wraps, discs, bars and lines wrap too; rectangles cover what they cover on the
screen. All but ``path`` are areas (``areas.py``). On squares, with x for the given cells::

    disc, radius 1    bar, 1     line       rectangle
    # # #             # x #      x . .      x # #
    # x #                        . # .      # # #
    # # #                        . . x      # # x
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.areas import Cells, area, cells_of_axial
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Shear

_NUDGE = np.array((1e-6, 2e-6))
"""Moves a line off the edges and corners that it would follow, always to the same side.

It has another direction than any edge of a cell, and than the lines between corners.
"""


def disc(grid: Grid, cell: int, radius: int) -> Cells:
    """Return the filled hexagon of ``radius`` (0: the cell alone); on squares a square."""
    q, r = grid.axial(*grid.xy(cell))
    offset_q, offset_r = _disc_offsets(grid.degree, radius)
    return area(cells_of_axial(grid, offset_q + q, offset_r + r))


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
        turn_q, turn_r = grid.step_around
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
    """Return the cells of a straight line as an area, ascending (``path``: in their order)."""
    return area(path(grid, start, end))


def _xy_on_screen(grid: Grid, cell: int) -> tuple[int, int]:
    """Return the column and row of a cell as stored, where it lies on the screen.

    An upright grid has oblique rows, each half a cell farther right than the one before, but is
    shown with an upright left edge: what leans out at the right is shown at the left, once round
    the map. There x is outside the stored columns.
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
