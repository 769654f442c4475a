"""Moves a grid a little, to where a picture looks most like a drawing of the map (*registration*).

A *placement* is an affine map, six numbers, from map units to pixels of the picture. The search of
``alignment`` finds it to about a pixel or two. A drawing of the map shows how far it is off: at
each point the drawing should have the colour of the picture.

``register``, which ``trace`` calls, uses the Gauss-Newton method. The slopes of the picture (how
much its colours change from pixel to pixel) tell how the colour at each point changes with each of
the six numbers. Each step solves the linear least-squares problem for the change of the six numbers
that removes most of the error, and moves the grid by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

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

Slopes over a long distance lead to the goal from farther away, slopes over a short one more
exactly.
"""

MAX_POINTS = 60_000
"""The largest number of points that are compared; of more a random sample is taken.

With more it takes longer.
"""

RIDGE = 20.0
"""A number added to the sum of squared slopes, for each point (levels of 255 a pixel, squared).

It keeps the grid where it is in a picture of nearly one colour, whose slopes are noise.
"""


def register(view: View, cells: NDArray[np.intp], drawn: NDArray[np.float32]) -> Placement:
    """Return the placement near that of ``view`` at which the picture looks most like ``drawn``.

    ``drawn`` (n, points, 3) are the colours at the points of ``cells`` (n,) in a drawing. The
    result is the placement of ``view`` if no other one is better.
    """
    # The points that are compared, (points, 2), and their colours in the drawing, (points, 3).
    points = view.points(cells).reshape(-1, 2)
    sample_dice = np.random.default_rng(1)  # always the same sample
    sample = sample_dice.permutation(len(points))[:MAX_POINTS]
    points = points[sample]
    target = drawn.reshape(-1, 3)[sample]

    # The terms of the equations, (points, 3): x, y and 1. With x and y scaled to -1 .. 1, all six
    # unknowns are pixels, and the ridge is the same for all.
    middle = points.mean(axis=0)
    half = np.abs(points - middle).max(axis=0)
    terms = np.column_stack([(points - middle) / half, np.ones(len(points))])

    # Move step by step, and remember the placement with the least error: the last need not be it.
    placement = view.placement
    misfit = _misfit(view, placement, points, target)
    best_placement = placement
    min_distance = misfit.mean_distance
    for slope_distance in STEPS:
        slopes = _slopes(view.picture, placement, points, slope_distance)
        change = _change_against(misfit, slopes, terms)
        placement = _changed(placement, change, middle, half)
        misfit = _misfit(view, placement, points, target)
        if misfit.mean_distance < min_distance:
            min_distance = misfit.mean_distance
            best_placement = placement
    return best_placement


class _Misfit(NamedTuple):
    """The difference of a drawing and the picture at a placement."""

    error: NDArray[np.float32]
    """The colours of the drawing less those of the picture, (points, 3)."""

    weight: NDArray[np.float64]
    """How much each point counts, 0 to 1: less if its error is large, for there is a name or a
    wrong terrain; 0 outside of the picture. Shape (points,)."""

    mean_distance: float
    """The mean difference of colours, as the sum of the three channels, at most ``OUTLIER``."""


def _misfit(
    view: View,
    placement: Placement,
    points: NDArray[np.float64],
    target: NDArray[np.float32],
) -> _Misfit:
    """Compare the picture at ``points`` (points, 2) of the map with the colours ``target``.

    ``target`` (points, 3) are the colours of the drawing.
    """
    colours, is_inside = colours_at(view.picture, placement, points)
    error = target - colours
    distance = np.where(is_inside, np.abs(error).sum(axis=1).clip(0, OUTLIER), OUTLIER)
    weight = is_inside / (1 + (distance / OUTLIER) ** 2)
    return _Misfit(error, weight, float(distance.mean()))


def _slopes(
    picture: NDArray[np.float32] | NDArray[np.uint8],
    placement: Placement,
    points: NDArray[np.float64],
    distance: float,
) -> list[NDArray[np.float32]]:
    """Return the slopes of the colours at points: one array to the right, one downwards.

    Both have shape (points, 3). A slope is the change of a channel for each pixel, as measured from
    ``distance`` pixels on one side of a point to ``distance`` pixels on the other.
    """
    slopes = []
    for x, y in ((distance, 0.0), (0.0, distance)):
        ahead, _is_ahead_inside = colours_at(picture, placement.shift(x, y), points)
        back, _is_back_inside = colours_at(picture, placement.shift(-x, -y), points)
        slopes.append((ahead - back) / (2 * distance))
    return slopes


def _change_against(
    misfit: _Misfit, slopes: list[NDArray[np.float32]], terms: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the change of a placement that removes most of its error.

    ``slopes`` are as ``_slopes`` returns them, ``terms`` (points, 3) are those of ``register``. The
    result is the least squares solution, a (2, 3) array: pixels to the right and down for each
    term.
    """
    # How each channel of each point changes with each of the six unknowns, (points, 3, 6).
    rows = np.concatenate([slope[:, :, None] * terms[:, None] for slope in slopes], axis=2)
    weighted = rows * misfit.weight[:, None, None]
    # The normal equations. In the sums n is a point, p a channel, i and j are unknowns.
    normal_matrix = np.einsum("npi,npj->ij", weighted, rows)
    normal_matrix += np.eye(6) * RIDGE * len(terms)
    right_side = np.einsum("npi,np->i", weighted, misfit.error)
    change = np.linalg.solve(normal_matrix, right_side)
    return np.asarray(change.reshape(2, 3))


def _changed(
    placement: Placement,
    change: NDArray[np.float64],
    middle: NDArray[np.float64],
    half: NDArray[np.float64],
) -> Placement:
    """Return a placement moved by ``change`` (2, 3), as ``_change_against`` returns it.

    The change is for scaled points: points of the map less ``middle`` (2,), divided by ``half``
    (2,).
    """
    # change @ ((point - middle) / half, 1) is rewritten as a change of axes and of the origin.
    change_of_axes = change[:, :2] / half
    (a, c), (b, d) = change_of_axes
    e, f = change[:, 2] - change_of_axes @ middle
    moves = zip(placement.values, (a, b, c, d, e, f), strict=True)
    return Placement(*(float(value + move) for value, move in moves))
