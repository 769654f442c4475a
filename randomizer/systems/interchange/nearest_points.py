"""The nearest of many points for each pixel of a raster, by jump flooding.

    nearest = nearest_points(points, rows=200, columns=300)      # numbers of points

Jump flooding (Rong and Tan, 2006): each pixel knows the nearest point that it has met, at first
only one inside it. In rounds of jumps, of the largest power of two within the longer side of the
raster, then half of it, a quarter and so on, each pixel asks the eight pixels a jump away for their
points, and takes a nearer one. The time depends on the raster alone, wherever the points lie. Some
pixels near a border get the second nearest point.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""Coordinates or distances."""

Indices = NDArray[np.intp]
"""Numbers of points, rows or columns."""

NO_POINT = -1
"""Stands in a raster for a pixel that has met no point yet."""


def nearest_points(points: Floats, rows: int, columns: int) -> Indices:
    """Return for each pixel of a raster the number of the point nearest to it, (rows, columns).

    ``points`` (n, 2) have a column and a row each, which need not be whole numbers; there is at
    least one. Points may lie outside the raster.
    """
    nearest = _pixels_with_points(points, rows, columns)
    distances = np.full((rows, columns), np.inf)
    has_point = nearest != NO_POINT
    column_numbers = np.arange(columns)[None, :]
    row_numbers = np.arange(rows)[:, None]
    # For pixels without a point this is the distance of some point, which is not used.
    all_distances = _squared_distances(points, nearest, column_numbers, row_numbers)
    distances[has_point] = all_distances[has_point]
    for step in _jump_lengths(max(rows, columns)):
        for rows_down in (-step, 0, step):
            for columns_right in (-step, 0, step):
                _update_from_jump(
                    points,
                    nearest,
                    distances,
                    rows_down=rows_down,
                    columns_right=columns_right,
                )
    return nearest


def _jump_lengths(size: int) -> list[int]:
    """Return the lengths of jumps: the powers of two up to ``size``, from the largest to 1.

    Jumps of 2 and 1 come once more at the end: they mend most pixels that flooding got wrong.
    """
    lengths = [1 << exponent for exponent in reversed(range(size.bit_length()))]
    return [*lengths, 2, 1]


def _pixels_with_points(points: Floats, rows: int, columns: int) -> Indices:
    """Return a raster with the number of the point in each pixel, or ``NO_POINT``.

    Of several points in a pixel it is the one nearest to the pixel's centre.
    """
    pixels = np.rint(points).astype(np.intp)
    pixels[:, 0] = pixels[:, 0].clip(0, columns - 1)
    pixels[:, 1] = pixels[:, 1].clip(0, rows - 1)
    # Of several assignments to a pixel the last one stays.
    farthest_first = np.argsort(-np.hypot(*(points - pixels).T), kind="stable")
    raster = np.full((rows, columns), NO_POINT, np.intp)
    raster[pixels[farthest_first, 1], pixels[farthest_first, 0]] = farthest_first
    return raster


def _update_from_jump(
    points: Floats,
    nearest: Indices,
    distances: Floats,
    *,
    rows_down: int,
    columns_right: int,
) -> None:
    """Give each pixel the point of the pixel a jump away, if that is nearer.

    ``nearest`` and ``distances`` (rows, columns) are changed: the numbers of the points so far, or
    ``NO_POINT``, and their squared distances.
    """
    row_count, column_count = nearest.shape
    rows_jump = _jump(rows_down, row_count)
    columns_jump = _jump(columns_right, column_count)
    here = (rows_jump.starts, columns_jump.starts)
    candidates = nearest[rows_jump.ends, columns_jump.ends]
    if not candidates.size:
        return
    rows = np.arange(row_count)[rows_jump.starts, None]
    columns = np.arange(column_count)[None, columns_jump.starts]
    candidate_distances = _squared_distances(points, candidates, columns, rows)
    is_nearer = (candidates != NO_POINT) & (candidate_distances < distances[here])
    # ``here`` has slices, so that these are views of the two arrays.
    nearest_here = nearest[here]
    nearest_here[is_nearer] = candidates[is_nearer]
    distances_here = distances[here]
    distances_here[is_nearer] = candidate_distances[is_nearer]


class _Jump(NamedTuple):
    """The rows, or the columns, that a jump leads from and to within the raster, of equal number.

    A jump of 2 in 5 rows leads from the rows 0, 1, 2 to the rows 2, 3, 4.
    """

    starts: slice

    ends: slice


def _jump(distance: int, length: int) -> _Jump:
    """Return where a jump stays in the raster; ``length`` is the number of all rows or columns.

    A jump of that length or more leaves the raster from anywhere.
    """
    if distance >= 0:
        return _Jump(slice(0, max(0, length - distance)), slice(min(distance, length), length))
    return _Jump(slice(min(-distance, length), length), slice(0, max(0, length + distance)))


def _squared_distances(points: Floats, numbers: Indices, columns: Indices, rows: Indices) -> Floats:
    """Return the squared distances of pixels from the points with these numbers."""
    across = points[numbers, 0] - columns
    down = points[numbers, 1] - rows
    squared: Floats = across * across + down * down
    return squared
