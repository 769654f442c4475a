"""The shape of the edge between two grounds in each cell: it follows from where the cell lies.

Edges go on from cell to cell, so both cells beside a side have to agree where they cross it. They
do, and coasts still differ along them, since each corner of the map has *moves* of its own, which
all cells around it read. After some cells, twice the period of the grounds, the moves are repeated:
so the *shapes* of cells are few, and each of them shows one phase of the grounds.

``transitions`` asks ``shapes_at``, and ``edge_masks`` the rest.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.pictures.ground_phase import COUNTS, STEPS, hash_cells
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

PERIODS = 2
"""Shapes are repeated after so many periods of the grounds. With more, fewer cells of a map share
their sprites."""

PLAIN = 0
"""The shape without moves, which fits beside itself."""

SHAPES = 145
"""Shapes are below this: squares have 12 x 12 beside the plain one."""

PLAIN_REACH = 0.05
"""The ``CornerMoves.reach`` of the plain shape: a mean of all."""

REACH = (-0.09, 0.22)
"""The least and the largest ``CornerMoves.reach``. A smaller one would let the land's own corner
show, a larger one close the water between two coasts."""

TILT = 0.35
"""The largest ``CornerMoves.tilt``. A larger one gives coasts hooks."""

SPREAD = (0.3, 1.5)
"""The least and the largest ``CornerMoves.spread``. With 1 shallows would be equally wide at all
corners."""


class CornerMoves(NamedTuple):
    """How the edges around corners differ from the stored ones, for each shape and corner of it:
    arrays of shape (shapes, corners)."""

    reach: NDArray[np.float64]
    """By how much farther from the corner an edge crosses a side, in map units of hexes."""

    tilt: NDArray[np.float64]
    """How much an edge slants where it crosses a side: 0 is a right angle, negative values turn
    the other way."""

    spread: NDArray[np.float64]
    """By how much farther apart the lines of an edge are."""


def shapes_at(layout: Layout, centres: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the shapes (n,) of cells with these ``centres`` (n, 2); none is ``PLAIN``."""
    across, down = _shape_counts(layout)
    steps = np.rint(centres / STEPS[layout.shear]).astype(np.intp)
    return np.asarray(1 + steps[:, 1] % down * across + steps[:, 0] % across)


def phase_of_shape(layout: Layout, shape: int) -> int:
    """Return the phase of the grounds (``ground_phase``) in cells of a shape."""
    if shape == PLAIN:
        return 0
    shape_row, shape_column = divmod(shape - 1, _shape_counts(layout)[0])
    across, down = COUNTS[layout.shear]
    return shape_row % down * across + shape_column % across


def _shape_counts(layout: Layout) -> tuple[int, int]:
    """Return how many steps the period of the shapes is wide and high."""
    across, down = COUNTS[layout.shear]
    return PERIODS * across, PERIODS * down


@registered(count=6, bytes_each=20 * KB)
@cache
def corner_moves(layout: Layout) -> CornerMoves:
    """Return the moves of each shape at each corner of the cell."""
    across, down = _shape_counts(layout)
    step_x, step_y = STEPS[layout.shear]
    slots = np.arange(across * down)
    xs = (slots % across * step_x)[:, None] + np.array([x for x, _ in layout.corners])
    ys = (slots // across * step_y)[:, None] + np.array([y for _, y in layout.corners])

    # Corners have whole numbers, in units of which all their coordinates are multiples.
    unit_x = min(abs(x) for x, _ in layout.corners if abs(x) > 1e-6)
    unit_y = min(abs(y) for _, y in layout.corners if abs(y) > 1e-6)
    columns = round(across * step_x / unit_x)
    rows = round(down * step_y / unit_y)
    corner_columns = np.rint(xs / unit_x).astype(np.intp) % columns
    corner_rows = np.rint(ys / unit_y).astype(np.intp) % rows
    corners = corner_rows * columns + corner_columns
    return CornerMoves(
        reach=_with_plain(PLAIN_REACH, _values_of_corners(corners, REACH, salt=11)),
        tilt=_with_plain(0.0, _values_of_corners(corners, (-TILT, TILT), salt=12)),
        spread=_with_plain(1.0, _values_of_corners(corners, SPREAD, salt=13)),
    )


def _values_of_corners(
    corners: NDArray[np.intp], limits: tuple[float, float], salt: int
) -> NDArray[np.float64]:
    """Return a value between two limits for each of the numbers of corners, without a pattern."""
    lowest, highest = limits
    return lowest + (highest - lowest) * hash_cells(corners, 16, salt) / (1 << 16)


def _with_plain(plain: float, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values of all shapes: those of the shape ``PLAIN`` and (shapes - 1, corners)."""
    return np.concatenate([np.full((1, values.shape[1]), plain), values])


def number_of_shape(shape: int, count: int, salt: int = 21) -> int:
    """Return a number below ``count`` for a shape, without any pattern; 0 for ``PLAIN``.

    Another ``salt`` gives another number.
    """
    if shape == PLAIN:
        return 0
    return int(hash_cells(np.array([shape]), 16, salt)[0]) % count
