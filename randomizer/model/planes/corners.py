"""Corners of squares: where they are, which cells meet in them, which of them are locked.

Planes of corners hold heights, as in maps of 0 A.D.; tools of heights, the gate and generators
call these functions. A *corner* is the flat index ``y * (width + 1) + x`` into a plane of shape
(height + 1, width + 1). It is at (x - 0.5, y - 0.5) in map units: corner (x, y) is the top left
one of cell (x, y). A grid of 2 x 1 cells has six corners::

    0---1---2
    | 0 | 1 |       cells_around(grid, [1]) is [[-1, -1, 1, 0]]
    3---4---5       corners_of(grid, [1]) is [[1, 2, 5, 4]]

Everything here needs a grid of squares that does not wrap (``Grid.has_corners``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import FAR
from randomizer.model.planes.planes import Element, blank, is_blank

if TYPE_CHECKING:
    from randomizer.model.grid.grid import Grid
    from randomizer.model.grid.indices import Indices
    from randomizer.model.planes.planes import Plane

CELLS_OF_CORNER = ((-1, -1), (0, -1), (0, 0), (-1, 0))
"""The cells that meet in a corner, as (dx, dy) from the corner's own (x, y), clockwise."""

CORNERS_OF_CELL = ((0, 0), (1, 0), (1, 1), (0, 1))
"""The corners of a cell as (dx, dy) from the cell's own (x, y), in the order of the layout."""


def corner_points(grid: Grid, corners: Indices) -> NDArray[np.float64]:
    """Return the points (x, y) of ``corners`` (n,) in map units: shape (n, 2)."""
    ys, xs = np.divmod(corners, grid.width + 1)
    return np.stack([xs, ys], axis=1) - 0.5


def corners_at(grid: Grid, points: NDArray[np.float64]) -> Indices:
    """Return the existing corner nearest to each point (n, 2) in map units, shape (n,).

    It is -1 for a point that is farther than half a cell, along either axis, from all corners.
    """
    # Far points, and nan, would overflow integers.
    is_near = np.asarray((np.abs(points) < FAR).all(axis=1))
    # Corner x is at x - 0.5 and nearest to points from x - 1 to x: floor(point + 1).
    nearest = np.floor(np.where(is_near[:, None], points, -FAR) + 1.0).astype(np.int64)
    x = nearest[:, 0]
    y = nearest[:, 1]
    is_inside = (x >= 0) & (x <= grid.width) & (y >= 0) & (y <= grid.height)
    corners = np.where(is_inside, y * (grid.width + 1) + x, -1).astype(np.intp)
    if grid.mask is not None:
        corners_inside = corners[is_inside]
        exists = (cells_around(grid, corners_inside) >= 0).any(axis=1)
        corners[is_inside] = np.where(exists, corners_inside, -1)
    return corners


def corner_at(grid: Grid, x: float, y: float) -> int:
    """Return the existing corner nearest to a point in map units; -1 as in ``corners_at``."""
    return int(corners_at(grid, np.array([(x, y)], np.float64))[0])


def cells_around(grid: Grid, corners: Indices) -> Indices:
    """Return the existing cells that meet in each of ``corners`` (n,): shape (n, 4).

    They are in the order of ``CELLS_OF_CORNER``, clockwise from the top left one; -1 for a cell
    that does not exist, as at the edge of the map.
    """
    ys, xs = np.divmod(corners, grid.width + 1)
    dx, dy = np.array(CELLS_OF_CORNER).T
    return grid.cells_of_xy(xs[:, None] + dx, ys[:, None] + dy)


def cells_with(grid: Grid, corners: Indices) -> Indices:
    """Return the existing cells that have at least one of ``corners``, ascending."""
    if not len(corners):
        return np.empty(0, np.intp)

    # Mark the corners in an array of their bounding box, with one row and column more at its start:
    # a corner belongs to cells above it and to the left of it, too.
    ys, xs = np.divmod(corners, grid.width + 1)
    first_x = int(xs.min()) - 1
    first_y = int(ys.min()) - 1
    is_marked = np.zeros((int(ys.max()) - first_y + 1, int(xs.max()) - first_x + 1), np.bool_)
    is_marked[ys - first_y, xs - first_x] = True

    # Cell (x, y) has the corners x and x + 1, y and y + 1: spread each mark upwards and leftwards.
    is_marked[:-1] |= is_marked[1:]
    is_marked[:, :-1] |= is_marked[:, 1:]
    rows, columns = np.nonzero(is_marked)
    cells = grid.cells_of_xy(columns + first_x, rows + first_y)
    return cells[cells >= 0]  # the array reaches over the edge of the map


def corners_of(grid: Grid, cells: Indices) -> Indices:
    """Return the corners of each of ``cells`` (n,): shape (n, 4).

    They are in the order of ``CORNERS_OF_CELL``, clockwise from the top left one.
    """
    ys, xs = np.divmod(cells, grid.width)
    dx, dy = np.array(CORNERS_OF_CELL).T
    return np.asarray((ys[:, None] + dy) * (grid.width + 1) + xs[:, None] + dx)


def heights_around(grid: Grid, heights: Plane, cells: slice | Indices) -> NDArray[np.float32]:
    """Return the values of a plane of corners at the four corners of each cell, shape (4, n).

    The corners are in the order of ``CORNERS_OF_CELL``: clockwise from the top left. ``cells`` are
    indices (n,), or a slice of whole rows, from the first cell of one to the last of another, which
    is faster.
    """
    if not isinstance(cells, slice):
        return np.asarray(heights.reshape(-1)[corners_of(grid, cells).T], np.float32)
    first_row = cells.start // grid.width
    row_count = cells.stop // grid.width - first_row
    # Rows of cells have one row of corners more. Cut from them, shifted by (dx, dy), are the
    # heights of the same corner of all cells.
    corner_rows = heights[first_row : first_row + row_count + 1].astype(np.float32)
    heights_by_corner = []
    for dx, dy in CORNERS_OF_CELL:
        cut = corner_rows[dy : dy + row_count, dx : dx + grid.width]
        heights_by_corner.append(cut.ravel())
    return np.stack(heights_by_corner)


def existing_corners(grid: Grid) -> NDArray[np.bool_]:
    """Return which corners exist: those of existing cells. Shape (height + 1, width + 1).

    It is read-only if all exist.
    """
    if grid.mask is None:
        return blank((grid.height + 1, grid.width + 1), value=True, dtype=np.bool_)
    return _corners_of_marked(grid.mask)


def corner_locks(grid: Grid, locked_cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which corners are locked: those whose existing cells are all locked.

    ``locked_cells`` has shape (height, width), the result (height + 1, width + 1). It is
    read-only if no cell is locked.
    """
    # A blank array, of a map on which nothing was ever locked, need not be searched.
    if is_blank(locked_cells) or not locked_cells.any():
        return blank((grid.height + 1, grid.width + 1), value=False, dtype=np.bool_)
    unlocked_cells = ~locked_cells
    if grid.mask is not None:
        unlocked_cells &= grid.mask
    return existing_corners(grid) & ~_corners_of_marked(unlocked_cells)


def locks_of(
    element: Element, grid: Grid, cells: NDArray[np.bool_], sides: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return which values of a plane are locked, in the shape of planes of ``element``.

    ``cells`` (height, width) are the locks of cells, ``sides`` (height, width, degree) those of
    hexsides. Corners have no locks of their own: theirs follow from those of cells. The result may
    be one of the arguments: do not write to it.
    """
    match element:
        case Element.CELL:
            return cells
        case Element.SIDE:
            return sides
        case Element.CORNER:
            return corner_locks(grid, cells)


def _corners_of_marked(is_marked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which corners have at least one marked cell: shape (h, w) to (h + 1, w + 1)."""
    height, width = is_marked.shape
    result = np.zeros((height + 1, width + 1), np.bool_)
    for dx, dy in CORNERS_OF_CELL:
        result[dy : dy + height, dx : dx + width] |= is_marked
    return result


def corner_words(grid: Grid, corner: int) -> str:
    """Return the name of a corner: its column and row, both from 0."""
    y, x = divmod(corner, grid.width + 1)
    return f"corner {x}, {y}"
