"""Distances and neighbourhoods on a world that goes round from east to west.

Rows lean: a step up in y goes to the north-east. So the number of steps between two hexes follows
from the differences u of their columns and v of their rows: see ``hex_length``.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Scalar = TypeVar("Scalar", np.int32, np.int64)

STEPS = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
"""From a hex to its neighbours, (x, y), clockwise from the north-east."""


def hex_length(u: NDArray[Scalar], v: NDArray[Scalar]) -> NDArray[Scalar]:
    """Return the number of steps for a difference of ``u`` columns and ``v`` rows.

    One step can change both, but only in opposite directions: so differences of the same sign add
    up, and of others the larger one counts.
    """
    length: NDArray[Scalar] = np.maximum(np.maximum(np.abs(u), np.abs(v)), np.abs(u + v))
    return length


def shorter_way(u: NDArray[Scalar], width: int) -> NDArray[Scalar]:
    """Return differences of columns taken the shorter way round a world of ``width`` columns.

    ``u`` is between -width and width.
    """
    half = width // 2
    return np.where(u > half, u - width, np.where(u < -half, u + width, u))


def distances(width: int, x: Ints, y: Ints, to_x: int, to_y: int) -> Ints:
    """Return the distances of hexes from one hex, the shorter way round."""
    return hex_length(shorter_way(to_x - x, width), to_y - y)


def disc(radius: int) -> Ints:
    """Return the steps (x, y) to all hexes at most ``radius`` away, (3 r (r + 1) + 1, 2)."""
    differences = np.arange(-radius, radius + 1, dtype=np.int64)
    u, v = (table.ravel() for table in np.meshgrid(differences, differences))
    is_in_disc = hex_length(u, v) <= radius
    return np.stack([u[is_in_disc], v[is_in_disc]], axis=1)
