"""Moves a grid a little, to where a picture looks most like a drawing of the map (*registration*).

The search of ``alignment`` is right to about a pixel or two; drawings show how far it is off. This
is the Gauss-Newton method: the slopes of the picture tell how the colours at points change with the
six numbers of the placement, and each step solves for the change that mends most of the error.
``trace`` calls ``register``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from randomizer.tracing.placement import Placement, colours_at

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.tracing.appearance import View

OUTLIER = 400.0
"""Larger differences of colours (sums of three) count no more: names, or wrong terrains."""

STEPS = (4.0, 3.0, 2.0, 2.0, 1.5, 1.5, 1.0, 1.0)
"""So many pixels to either hand of a point colours are compared for its slopes, in each step."""

MOST_POINTS = 60_000
"""Of more points some are taken by chance."""

RIDGE = 20.0
"""Pictures whose colours change less (squared, a pixel) say nothing about where a grid lies."""


def register(view: View, cells: NDArray[np.intp], drawn: NDArray[np.float32]) -> Placement:
    """Return the placement near that of ``view`` at which the picture looks most like ``drawn``.

    These are the colours of ``cells``, (n, points, 3). The result is the placement of ``view`` if
    no other one is better.
    """
    points = view.points(cells).reshape(-1, 2)
    placement = view.placement
    sample = np.random.default_rng(1).permutation(len(points))[:MOST_POINTS]
    points = points[sample]
    target = drawn.reshape(-1, 3)[sample]

    # With points from -1 to 1, all six unknowns of the equations are pixels.
    middle = points.mean(axis=0)
    half = np.abs(points - middle).max(axis=0)
    terms = np.column_stack([(points - middle) / half, np.ones(len(points))])
    least_error = math.inf
    best = placement
    # After the last step the error is only measured.
    for step in (*STEPS, 0.0):
        colours, inside = colours_at(view.picture, placement, points)
        error = target - colours
        distance = np.where(inside, np.abs(error).sum(axis=1).clip(0, OUTLIER), OUTLIER)
        if distance.mean() < least_error:
            least_error = float(distance.mean())
            best = placement
        if not step:
            break
        slopes = _slopes(view.picture, placement, points, step)
        # Points with large errors count less: they are names, or wrong terrains.
        weight = inside / (1 + (distance / OUTLIER) ** 2)
        change = _change_against(error, slopes, terms, weight)
        placement = _changed(placement, change, middle, half)
    return best


def _slopes(
    picture: NDArray[np.float32] | NDArray[np.uint8],
    placement: Placement,
    points: NDArray[np.float64],
    step: float,
) -> list[NDArray[np.float32]]:
    """Return how much the colours (points, 3) change a pixel to the right, and a pixel down.

    They are compared ``step`` pixels to either hand of each point.
    """
    slopes = []
    for x, y in ((step, 0.0), (0.0, step)):
        ahead, _is_ahead_seen = colours_at(picture, placement.shift(x, y), points)
        back, _is_back_seen = colours_at(picture, placement.shift(-x, -y), points)
        slopes.append((ahead - back) / (2 * step))
    return slopes


def _change_against(
    error: NDArray[np.float32],
    slopes: list[NDArray[np.float32]],
    terms: NDArray[np.float64],
    weight: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the change of a placement that mends most of ``error`` (points, 3).

    This is the least squares solution, a (2, 3) array: pixels to the right and down, by each of the
    three ``terms`` (points, 3) of a point.
    """
    rows = np.concatenate([slope[:, :, None] * terms[:, None] for slope in slopes], axis=2)
    weighted = rows * weight[:, None, None]
    # The ridge keeps the grid where it is in a picture of one colour, which has no slopes.
    normal = np.einsum("npi,npj->ij", weighted, rows) + np.eye(6) * RIDGE * len(terms)
    change = np.linalg.solve(normal, np.einsum("npi,np->i", weighted, error))
    return np.asarray(change.reshape(2, 3))


def _changed(
    placement: Placement,
    change: NDArray[np.float64],
    middle: NDArray[np.float64],
    half: NDArray[np.float64],
) -> Placement:
    """Return a placement moved by ``change`` (2, 3), which is for points from -1 to 1.

    Those are the points of the map less ``middle``, divided by ``half``.
    """
    change_of_axes = change[:, :2] / half
    (a, c), (b, d) = change_of_axes
    e, f = change[:, 2] - change_of_axes @ middle
    moves = zip(placement.values, (a, b, c, d, e, f), strict=True)
    return Placement(*(float(value + move) for value, move in moves))
