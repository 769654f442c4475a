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
"""The greatest difference of colours that counts, as the sum of the three channels (0 to 765).

Points with greater ones have a name on them, or a wrong terrain.
"""

STEPS = (4.0, 3.0, 2.0, 2.0, 1.5, 1.5, 1.0, 1.0)
"""For each step of the method the distance, in pixels, over which slopes are measured.

Wide slopes lead home from farther away, narrow ones lead there more exactly.
"""

MOST_POINTS = 60_000
"""The most points that are compared: of more ones a random sample is taken, always the same."""

RIDGE = 20.0
"""What is added to the squared slopes (levels of 255 a pixel), for each point.

It keeps the grid where it is in a picture of nearly one colour, whose slopes are noise.
"""


def register(view: View, cells: NDArray[np.intp], drawn: NDArray[np.float32]) -> Placement:
    """Return the placement near that of ``view`` at which the picture looks most like ``drawn``.

    ``drawn`` (n, points, 3) are the colours at the points of ``cells`` (n,) in a drawing. The
    result is the placement of ``view`` if no other one is better.
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
    """Return the slopes of the colours at points to the right and downwards: two of (points, 3).

    A slope is the change of a channel for each pixel, as measured from ``step`` pixels on one side
    of a point to ``step`` pixels on the other.
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
    # How each channel of each point changes with each of the six unknowns, (points, 3, 6).
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
    # change @ ((point - middle) / half, 1) is rewritten as a change of axes and of the origin.
    change_of_axes = change[:, :2] / half
    (a, c), (b, d) = change_of_axes
    e, f = change[:, 2] - change_of_axes @ middle
    moves = zip(placement.values, (a, b, c, d, e, f), strict=True)
    return Placement(*(float(value + move) for value, move in moves))
