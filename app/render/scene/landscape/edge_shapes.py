"""Varies the edges between two grounds, such as coasts, so that not all cells draw them alike.

An edge goes on from cell to cell, so that both cells beside a side must draw it through the same
point of the side. Therefore each *corner* of the map has numbers that move the edges around it, its
*moves*, and all cells that meet there use them. The moves are repeated after twice the *period* of
the grounds (``ground_phase``), a few cells: so only some 140 different cells occur, and few
pictures of them are drawn. The number of such a cell is its *shape*, which follows from its
position alone::

    shapes = shapes_at(layout, grid.centres_of(cells))        # (n,)
    reach = corner_moves(layout).reach[shapes]                # (n, corners)

``transitions`` asks for the shapes of cells, ``edge_masks`` for all else.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.pictures.cell_noise import hash_cells
from app.render.pictures.ground_phase import COUNTS, STEPS
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

PERIODS = 2
"""Shapes are repeated after so many periods of the grounds. With more, fewer cells of a map share
their sprites."""

PLAIN = 0
"""The shape without moves, which fits beside itself."""

SHAPES = 1 + max(across * down * PERIODS**2 for across, down in COUNTS.values())
"""All shapes are less than this: squares have the most, 12 x 12 beside the plain one."""

REACH_LIMITS = (-0.09, 0.22)
"""The least and the largest ``CornerMoves.reach``.

A smaller one would let the land's own corner show, a larger one close the water between two coasts.
"""

PLAIN_REACH = 0.05
"""The ``CornerMoves.reach`` of the plain shape, about the middle of the limits."""

TILT_LIMITS = (-0.35, 0.35)
"""The least and the largest ``CornerMoves.tilt``. Larger ones give coasts hooks."""

SPREAD_LIMITS = (0.3, 1.5)
"""The least and the largest ``CornerMoves.spread``.

If both were 1, shallows would be equally wide at all corners.
"""

# The salts of the hashes (``hash_cells``) that choose the moves: any different numbers will do.
REACH_SALT = 11
TILT_SALT = 12
SPREAD_SALT = 13

NUMBER_SALT = 21
"""The salt of ``number_of_shape``, if none is given."""

HASH_BITS = 16
"""The bits of these hashes."""

NO_COORDINATE = 1e-6
"""A coordinate of a corner that is nearer to 0 than this is 0, but for an error of rounding."""


class CornerMoves(NamedTuple):
    """The differences of the edges around corners from the stored ones.

    At the corner ``+`` of a cell, whose side runs to the right, the edge ``/`` crosses that side::

        land | land
        -----+---.--- side       reach: how far from the corner the edge crosses it
             |  /                tilt: how much it slants there
          __.+-'

    The arrays have the shape (shapes, corners): a value for each shape and each of its corners.
    """

    reach: NDArray[np.float64]
    """By how much farther from the corner an edge crosses a side, in map units of hexes."""

    tilt: NDArray[np.float64]
    """How much an edge slants where it crosses a side: not at all if it is 0, a right angle."""

    spread: NDArray[np.float64]
    """The factor of the distances between the lines of an edge."""


def shapes_at(layout: Layout, centres: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the shapes (n,) of cells with these ``centres`` (n, 2) in map units.

    They are numbered from 1 on, row by row within a period; 0 is ``PLAIN``, which no cell has.
    """
    across, down = _shape_counts(layout)
    columns, rows = np.rint(centres / STEPS[layout.shear]).astype(np.intp).T
    return np.asarray(1 + rows % down * across + columns % across)


def phase_of_shape(layout: Layout, shape: int) -> int:
    """Return the phase of the grounds (``ground_phase``) in cells of a shape."""
    if shape == PLAIN:
        return 0
    shape_row, shape_column = divmod(shape - 1, _shape_counts(layout)[0])
    across, down = COUNTS[layout.shear]
    return shape_row % down * across + shape_column % across


def _shape_counts(layout: Layout) -> tuple[int, int]:
    """Return how many steps (``ground_phase.STEPS``) the period of the shapes is wide and high.

    A step is the distance (x, y) of two columns and of two rows of cells.
    """
    across, down = COUNTS[layout.shear]
    return PERIODS * across, PERIODS * down


@registered(count=6, bytes_each=20 * KB)
@cache
def corner_moves(layout: Layout) -> CornerMoves:
    """Return the moves of each shape at each corner of the cell.

    The idea: each corner within a period gets a number from its position, the same number from all
    cells that meet at it, and the moves are hashes of this number.
    """
    # The positions (shapes - 1, corners) of the corners of one cell of each shape but PLAIN.
    across, down = _shape_counts(layout)
    step_x, step_y = STEPS[layout.shear]
    shapes = np.arange(across * down)
    xs = (shapes % across * step_x)[:, None] + np.array([x for x, _y in layout.corners])
    ys = (shapes // across * step_y)[:, None] + np.array([y for _x, y in layout.corners])

    # All coordinates of corners are multiples of these units, so that a corner has a whole column
    # and row, which begin anew after a period.
    unit_x = min(abs(x) for x, _y in layout.corners if abs(x) > NO_COORDINATE)
    unit_y = min(abs(y) for _x, y in layout.corners if abs(y) > NO_COORDINATE)
    columns = round(across * step_x / unit_x)
    rows = round(down * step_y / unit_y)
    corner_columns = np.rint(xs / unit_x).astype(np.intp) % columns
    corner_rows = np.rint(ys / unit_y).astype(np.intp) % rows
    corners = corner_rows * columns + corner_columns
    return CornerMoves(
        reach=_with_plain(PLAIN_REACH, _values_of_corners(corners, REACH_LIMITS, REACH_SALT)),
        tilt=_with_plain(0.0, _values_of_corners(corners, TILT_LIMITS, TILT_SALT)),
        spread=_with_plain(1.0, _values_of_corners(corners, SPREAD_LIMITS, SPREAD_SALT)),
    )


def _values_of_corners(
    corners: NDArray[np.intp], limits: tuple[float, float], salt: int
) -> NDArray[np.float64]:
    """Return a value between two limits for each number of a corner; they seem to be random.

    The result has the shape of ``corners``.
    """
    lowest, highest = limits
    hashes = hash_cells(corners, HASH_BITS, salt)
    return lowest + (highest - lowest) * hashes / (1 << HASH_BITS)


def _with_plain(plain: float, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values of all shapes, (shapes, corners).

    ``plain`` is that of the shape ``PLAIN`` at all corners, ``values`` (shapes - 1, corners) are
    those of the other shapes.
    """
    return np.concatenate([np.full((1, values.shape[1]), plain), values])


def number_of_shape(shape: int, count: int, salt: int = NUMBER_SALT) -> int:
    """Return a number below ``count`` for a shape, without any pattern; 0 for ``PLAIN``.

    Another ``salt`` gives another number.
    """
    if shape == PLAIN:
        return 0
    return int(hash_cells(np.array([shape]), HASH_BITS, salt)[0]) % count
