"""Values of tiles and corners, smooth at every pixel: quadratic B-splines, and straight lines.

Rows of a weight matrix belong to pixels, columns to values; ``down @ values @ across.T`` are the
values at all pixels of a box. A spline reaches one and a half values to each side and adds up to 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float32]


def window(points: NDArray[np.float64]) -> tuple[int, int]:
    """Return the first value on which splines at ``points`` (n,), ascending, depend, and the end.

    A value with the number i lies at the point i.
    """
    first = int(np.floor(points[0] + 0.5)) - 1
    end = int(np.floor(points[-1] + 0.5)) + 2
    return first, end


def spline_weights(points: NDArray[np.float64], first: int, end: int) -> Weights:
    """Return the weights (n, end - first) of the values from ``first`` on at ``points`` (n,)."""
    nearest, part = _nearest(points)
    weights = ((1 - part) ** 2 / 2, 0.75 - (part - 0.5) ** 2, part**2 / 2)
    return _matrix(nearest - first, weights, end - first)


def slope_weights(points: NDArray[np.float64], first: int, end: int) -> Weights:
    """Return the weights (n, end - first) of the values in the slope of the spline."""
    nearest, part = _nearest(points)
    return _matrix(nearest - first, (part - 1, 1 - 2 * part, part), end - first)


def line_weights(points: NDArray[np.float64], first: int, end: int) -> Weights:
    """Return the weights (n, end - first) of the values where straight lines join them."""
    nearest, part = _nearest(points)
    away = part - 0.5
    weights = (np.maximum(-away, 0), 1 - np.abs(away), np.maximum(away, 0))
    return _matrix(nearest - first, weights, end - first)


def _nearest(points: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the nearest value of each point, and the place between its two borders, 0 to 1."""
    nearest = np.floor(points + 0.5)
    return nearest.astype(np.intp), points + 0.5 - nearest


def _matrix(
    middle_columns: NDArray[np.intp], weights: tuple[NDArray[np.float64], ...], count: int
) -> Weights:
    """Return a matrix with three weights in each row, the middle one in ``middle_columns`` (n,)."""
    result = np.zeros((len(middle_columns), count), np.float32)
    rows = np.arange(len(middle_columns))
    for step, weight in zip((-1, 0, 1), weights, strict=True):
        result[rows, middle_columns + step] = weight
    return result
