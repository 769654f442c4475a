"""Interpolates the values of tiles or corners, so that they are smooth at every pixel.

Values lie on a lattice, the value number i at the point i. A pixel between them has a weighted mean
of the nearest ones, in each direction: by *quadratic B-splines*, which are smooth, or by straight
lines from value to value. The weights of all pixels of a row are a matrix, with a row for each
pixel and a column for each value. So the values at all pixels of a box are a product::

    columns = window_of(xs)                       # which values the pixels depend on
    rows = window_of(ys)
    across = spline_weights(xs, columns)          # (pixels across, columns)
    down = spline_weights(ys, rows)               # (pixels down, rows)
    pixels = down @ values[np.ix_(rows.numbers, columns.numbers)] @ across.T
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float32]
"""The weights of m values at n points, shape (n, m)."""


class Window(NamedTuple):
    """Values of the lattice that follow one another, in one direction."""

    first: int
    """The number of the first value, below 0 if the window begins before the lattice."""

    end: int
    """The number after that of the last value."""

    @property
    def numbers(self) -> NDArray[np.intp]:
        """The numbers of all values of the window."""
        return np.arange(self.first, self.end)


def window_of(points: NDArray[np.float64]) -> Window:
    """Return the values on which splines at some points depend.

    ``points`` (n,) are ascending. At each a spline depends on the nearest value and the two beside
    it.
    """
    nearest_to_first = int(np.floor(points[0] + 0.5))
    nearest_to_last = int(np.floor(points[-1] + 0.5))
    return Window(nearest_to_first - 1, nearest_to_last + 2)


def spline_weights(points: NDArray[np.float64], window: Window) -> Weights:
    """Return the weights of the values of a window in the spline at ``points`` (n,).

    At each point they add up to 1.
    """
    nearest, position = _nearest(points)
    # The uniform quadratic B-spline.
    weights = ((1 - position) ** 2 / 2, 0.75 - (position - 0.5) ** 2, position**2 / 2)
    return _weights_in_window(window, nearest, weights)


def slope_weights(points: NDArray[np.float64], window: Window) -> Weights:
    """Return the weights of the values in the slope of the spline: its derivative at ``points``."""
    nearest, position = _nearest(points)
    weights = (
        position - 1,
        1 - 2 * position,
        position,
    )  # the derivatives of those in ``spline_weights``
    return _weights_in_window(window, nearest, weights)


def line_weights(points: NDArray[np.float64], window: Window) -> Weights:
    """Return the weights of the values if straight lines lead from one to the next."""
    nearest, position = _nearest(points)
    away = position - 0.5  # from the nearest value, below 0 if the point lies before it
    weights = (np.maximum(-away, 0), 1 - np.abs(away), np.maximum(away, 0))
    return _weights_in_window(window, nearest, weights)


def _nearest(points: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the number of the value nearest to each point (n,), and the point's position (n,).

    The position is 0 halfway from the value before, 0.5 at the nearest value itself, and 1 halfway
    to the next value.
    """
    nearest = np.floor(points + 0.5)
    return nearest.astype(np.intp), points + 0.5 - nearest


def _weights_in_window(
    window: Window, nearest: NDArray[np.intp], weights: tuple[NDArray[np.float64], ...]
) -> Weights:
    """Return the weights of all values of a window at n points: of three values, and 0 of others.

    ``weights`` are three arrays (n,): that of the value before the ``nearest`` (n,) one, of this
    one, and of the value after it.
    """
    result = np.zeros((len(nearest), window.end - window.first), np.float32)
    rows = np.arange(len(nearest))
    columns = nearest - window.first
    for step, weight in zip((-1, 0, 1), weights, strict=True):
        result[rows, columns + step] = weight
    return result
