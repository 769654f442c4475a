"""Corners of squares: where they are, which cells meet in them, which of them are locked.

A *corner* is the flat index ``y * (width + 1) + x`` into a plane of shape (height + 1, width + 1).
Its place is (x - 0.5, y - 0.5) in map units: corner (x, y) is the top left one of cell (x, y).
Everything here needs a grid with ``has_corners``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import FAR
from randomizer.model.planes.planes import Place, blank, is_blank

if TYPE_CHECKING:
    from randomizer.model.grid.grid import Grid
    from randomizer.model.grid.indices import Indices
    from randomizer.model.planes.planes import Plane

AROUND = ((-1, -1), (0, -1), (0, 0), (-1, 0))
"""The cells that meet in a corner, as (dx, dy) from the corner's own (x, y), clockwise."""

OF_CELL = ((0, 0), (1, 0), (1, 1), (0, 1))
"""The corners of a cell as (dx, dy) from the cell's own (x, y), in the order of the layout."""


def corner_points(grid: Grid, corners: Indices) -> NDArray[np.float64]:
    """Return where ``corners`` (n,) are, in map units: shape (n, 2)."""
    ys, xs = np.divmod(corners, grid.width + 1)
    return np.stack([xs, ys], axis=1) - 0.5


def corners_at(grid: Grid, points: NDArray[np.float64]) -> Indices:
    """Return the existing corner nearest to each point: shape (n, 2) in, (n,) out.

    -1 farther than half a cell, along either axis, from every existing corner.
    """
    near = np.asarray((np.abs(points) < FAR).all(axis=1))
    at = np.floor(np.where(near[:, None], points, -FAR) + 1.0).astype(np.int64)
    x = at[:, 0]
    y = at[:, 1]
    inside = (x >= 0) & (x <= grid.width) & (y >= 0) & (y <= grid.height)
    result = np.where(inside, y * (grid.width + 1) + x, -1).astype(np.intp)
    if grid.mask is not None:
        result[inside] = np.where(
            (cells_around(grid, result[inside]) >= 0).any(axis=1), result[inside], -1
        )
    return result


def corner_at(grid: Grid, x: float, y: float) -> int:
    """``corners_at`` for one point."""
    return int(corners_at(grid, np.array([(x, y)], np.float64))[0])


def cells_around(grid: Grid, corners: Indices) -> Indices:
    """Return the existing cells that meet in each corner, shape (n, 4), -1 where there is none.

    Clockwise from the top left one.
    """
    ys, xs = np.divmod(corners, grid.width + 1)
    dx, dy = np.array(AROUND).T
    return grid.cells_of_xy(xs[:, None] + dx, ys[:, None] + dy)


def cells_with(grid: Grid, corners: Indices) -> Indices:
    """Return the existing cells that have at least one of ``corners``, ascending."""
    if not len(corners):
        return np.empty(0, np.intp)
    ys, xs = np.divmod(corners, grid.width + 1)
    left = int(xs.min()) - 1
    top = int(ys.min()) - 1
    marked = np.zeros((int(ys.max()) - top + 1, int(xs.max()) - left + 1), np.bool_)
    marked[ys - top, xs - left] = True
    # Row r and column c of ``marked`` are now a cell: that right below corner (left + c, top + r).
    marked[:-1] |= marked[1:]
    marked[:, :-1] |= marked[:, 1:]
    rows, columns = np.nonzero(marked)
    cells = grid.cells_of_xy(columns + left, rows + top)
    return cells[cells >= 0]


def corners_of(grid: Grid, cells: Indices) -> Indices:
    """Return the corners of each cell, in the order of the layout (clockwise from the top left).

    Shape (n, 4).
    """
    ys, xs = np.divmod(cells, grid.width)
    dx, dy = np.array(OF_CELL).T
    return np.asarray((ys[:, None] + dy) * (grid.width + 1) + xs[:, None] + dx)


def heights_around(grid: Grid, heights: Plane, cells: slice | Indices) -> NDArray[np.float32]:
    """Return the values of a plane of corners at the four corners of each cell: shape (4, n).

    Clockwise from the top left. ``cells`` are indices, or the slice of whole rows, which is faster.
    """
    if not isinstance(cells, slice):
        return np.asarray(heights.reshape(-1)[corners_of(grid, cells).T], np.float32)
    first = cells.start // grid.width
    last = cells.stop // grid.width
    rows = heights[first : last + 1].astype(np.float32)
    count = last - first
    width = grid.width
    parts = (rows[dy : dy + count, dx : dx + width].ravel() for dx, dy in OF_CELL)
    return np.stack(list(parts))


def existing_corners(grid: Grid) -> NDArray[np.bool_]:
    """Return which corners exist, because an existing cell has them: shape (height + 1, width +
    1).
    """
    if grid.mask is None:
        return blank((grid.height + 1, grid.width + 1), True, np.bool_)
    return _any_cell(grid.mask)


def corner_locks(grid: Grid, locked_cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which corners are locked: those whose existing cells are all locked, (height + 1,
    width + 1).

    ``blank`` if no cell is locked.
    """
    if is_blank(locked_cells) or not locked_cells.any():
        return blank((grid.height + 1, grid.width + 1), False, np.bool_)
    if grid.mask is None:
        free = ~locked_cells
    else:
        free = ~locked_cells & grid.mask
    return existing_corners(grid) & ~_any_cell(free)


def locks_of(
    place: Place, grid: Grid, cells: NDArray[np.bool_], sides: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return the locks of the places of a plane, of the plane's shape: ``cells``, ``sides`` or
    corners.
    """
    if place is Place.CORNER:
        return corner_locks(grid, cells)
    return sides if place is Place.SIDE else cells


def _any_cell(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which corners have one of the cells marked in ``cells`` (h, w): shape (h + 1, w +
    1).
    """
    height, width = cells.shape
    result = np.zeros((height + 1, width + 1), np.bool_)
    for dx, dy in OF_CELL:
        result[dy : dy + height, dx : dx + width] |= cells
    return result


def corner_words(grid: Grid, corner: int) -> str:
    """Return the name of a corner: its column and row, both from 0."""
    y, x = divmod(corner, grid.width + 1)
    return f"corner {x}, {y}"
