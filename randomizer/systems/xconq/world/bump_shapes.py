"""The cells of bumps: hexagons that are highest at a peak and fall off to their corners.

    cells = cells_of([bump], width=60, amplitude=3000)
    cells.raised_by             # how far the bump raises each of its cells

``bumps`` draws the bumps, and adds their cells to the heights of a world. The arithmetic is the
original program's: whole numbers, quotients cut toward zero.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.xconq.world.hexes import hex_length, shorter_way

Ints = NDArray[np.int32]


class Bump(NamedTuple):
    """A bump: a box of cells without its south-western and its north-eastern corner.

    Each corner is cut off along a diagonal, which leaves a hexagon. For a box with ``width`` 5 and
    ``height`` 4, ``south_west`` 1 and ``north_east`` 2 (rows are drawn upright here)::

        C6 x  x  C1 .  .      x: its cells      .: cells that are cut off
        x  x  x  x  .  .
        x  x  x  x  x  C2     corners, as (column, row) of the box from the south-west:
        C5 x  x  x  x  x      C1 (3, 4)    C2 (5, 2)    C3 (5, 0), a cell
        .  C4 x  x  x  C3     C4 (1, 0)    C5 (0, 1)    C6 (0, 4), a cell
    """

    sign: int
    """1 for a bump that raises, -1 for one that lowers."""

    left: int
    """The column of the box's south-western corner, 0 .. w - 1."""

    bottom: int
    """The row of the box's south-western corner."""

    width: int
    """From its first to its last column: the box has one column more.

    Columns are not wrapped, so the last one may be beyond the end of the world.
    """

    height: int
    """From its first to its last row: the box has one row more."""

    south_west: int
    """Cells whose column and row in the box have this sum or less are cut off."""

    north_east: int
    """The same, with columns and rows counted from the north-eastern corner."""

    peak_x: int
    """The column of the peak, from the first one of the box."""

    peak_y: int
    """The row of the peak, from the first one of the box."""

    @property
    def size(self) -> int:
        """The number of its cells."""
        box = (self.width + 1) * (self.height + 1)
        cuts = ((cut + 1) * (cut + 2) // 2 for cut in (self.south_west, self.north_east))
        return box - sum(cuts)


class BumpCells(NamedTuple):
    """The cells of some bumps, one bump after the other, row by row from the south: (N,) each."""

    x: Ints
    """Columns, from the south-western corner of the bump's box."""

    y: Ints
    """Rows, from the same corner."""

    raised_by: Ints
    """How far the bump raises the cell (negative: lowers it), without noise."""


def cells_of(bumps: list[Bump], world_width: int, amplitude: int) -> BumpCells:
    """Return the cells of bumps, and how far they are raised.

    The three axes of the grid through the peak divide a hexagon into six sectors of two corners.
    Each corner of its sector raises a cell by ``amplitude * a // b``, where a is the distance from
    the corner to the cell and b that from the corner to the peak: at the peak that is twice the
    amplitude in all.
    """
    fields = _fields_of(bumps)
    cells = _hexagon_cells(fields)
    # Only across a bump that is wider than half the world can the way round it be shorter.
    wraps = bool(fields.width.max() > world_width // 2)
    corners = _corners(fields, world_width, wraps)

    # Sector i lies between the corners i and i + 1.
    bump_of_cell = cells.bump
    u_from_peak = cells.x - fields.peak_x[bump_of_cell]
    v_from_peak = cells.y - fields.peak_y[bump_of_cell]
    sector = _sector(u_from_peak, v_from_peak)
    raised_by = np.zeros_like(cells.x)
    for corner in (sector, (sector + 1) % 6):
        # ``take`` with the indices in the flat table of corners is faster than two indices.
        flat_corner = corner * len(bumps) + bump_of_cell
        u = cells.x - corners.x.take(flat_corner)
        v = cells.y - corners.y.take(flat_corner)
        distance = _length(u, v, world_width, wraps)
        raised_by += amplitude * distance // corners.peak_distances.take(flat_corner)
    return BumpCells(cells.x, cells.y, raised_by * fields.sign[bump_of_cell])


class _Fields(NamedTuple):
    """The fields of several bumps, each as an array (bumps,): those of ``Bump`` in its order."""

    sign: Ints
    left: Ints
    bottom: Ints
    width: Ints
    height: Ints
    south_west: Ints
    north_east: Ints
    peak_x: Ints
    peak_y: Ints


def _fields_of(bumps: list[Bump]) -> _Fields:
    """Return the fields of bumps as arrays."""
    columns = np.array(bumps, np.int32).T
    return _Fields(**dict(zip(Bump._fields, columns, strict=True)))


class _HexagonCells(NamedTuple):
    """The cells of some bumps, one bump after the other, row by row from the south: (N,) each."""

    bump: Ints
    """The index of the bump that the cell belongs to."""

    x: Ints
    """Columns, from the south-western corner of the bump's box."""

    y: Ints
    """Rows, from the same corner."""


def _hexagon_cells(fields: _Fields) -> _HexagonCells:
    """Return the cells of bumps: those of their boxes, without the corners that are cut off."""
    columns = fields.width + 1
    box_sizes = columns * (fields.height + 1)
    bump = np.repeat(np.arange(len(box_sizes), dtype=np.int32), box_sizes)
    box_starts = (np.cumsum(box_sizes) - box_sizes).astype(np.int32)
    cell_in_box = np.arange(len(bump), dtype=np.int32) - box_starts[bump]
    y, x = np.divmod(cell_in_box, columns[bump])

    diagonal = x + y
    last_diagonal = fields.width + fields.height - fields.north_east
    is_inside = (diagonal > fields.south_west[bump]) & (last_diagonal[bump] > diagonal)
    return _HexagonCells(bump[is_inside], x[is_inside], y[is_inside])


class _Corners(NamedTuple):
    """The corners of hexagons, (6, bumps) each: clockwise from C1, which ends the top row."""

    x: Ints
    """Columns, from the south-western corner of the bump's box."""

    y: Ints
    """Rows, from the same corner."""

    peak_distances: Ints
    """The distance from each corner to the peak, at least 1: it is a divisor."""


def _corners(fields: _Fields, world_width: int, wraps: bool) -> _Corners:
    """Return the corners of bumps; ``world_width`` and ``wraps`` are as in ``_length``."""
    zero = np.zeros_like(fields.width)
    before_cut_x = fields.width - fields.north_east
    before_cut_y = fields.height - fields.north_east
    x = np.stack([before_cut_x, fields.width, fields.width, fields.south_west, zero, zero])
    y = np.stack([fields.height, before_cut_y, zero, zero, fields.south_west, fields.height])
    # The peak may be a corner.
    distances = np.maximum(_length(fields.peak_x - x, fields.peak_y - y, world_width, wraps), 1)
    return _Corners(x, y, distances)


def _sector(u: Ints, v: Ints) -> Ints:
    """Return the sector 0 .. 5, clockwise from the north-east, of cells at (u, v) from the peak.

    The borders are the axes of the grid: ``v == 0`` runs to the east, ``u + v == 0`` to the
    south-east, ``u == 0`` to the north-east. Which sector a cell on a border belongs to is the
    original's.
    """
    # A sector is a count of borders that a cell lies beyond: for u = 2 and v = -1 the eastern axis
    # alone, so it is in sector 1.
    diagonal = u + v
    # 0 above the eastern axis, 1 down to the south-eastern one, 2 below it.
    east = (v <= 0).astype(np.int32) + (diagonal <= 0)
    # 3 below the western axis, 4 up to the north-western one, 5 above it.
    west = 3 + (v >= 0).astype(np.int32) + (diagonal >= 0)
    sector: Ints = np.where(u > 0, east, west)
    return sector


def _length(u: Ints, v: Ints, world_width: int, wraps: bool) -> Ints:
    """Return the hex lengths of differences of u columns and v rows.

    Only where ``wraps`` is set are columns looked at the shorter way round the world.
    """
    if wraps:
        return hex_length(shorter_way(u, world_width), v)
    return hex_length(u, v)
