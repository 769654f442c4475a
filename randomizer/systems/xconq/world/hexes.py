"""Distances and neighbourhoods on a world that goes round from east to west."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Scalar = TypeVar("Scalar", np.int32, np.int64)

STEPS = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
"""From a hex to its neighbours: (x, y), y to the north."""


def hex_length(u: NDArray[Scalar], v: NDArray[Scalar]) -> NDArray[Scalar]:
    """Return the number of steps for a difference of ``u`` columns and ``v`` rows."""
    length: NDArray[Scalar] = np.maximum(np.maximum(np.abs(u), np.abs(v)), np.abs(u + v))
    return length


def shorter_way(u: NDArray[Scalar], width: int) -> NDArray[Scalar]:
    """Differences of columns, the shorter way round a world of ``width`` columns."""
    half = width // 2
    return np.where(u > half, u - width, np.where(u < -half, u + width, u))


def distances(width: int, x: Ints, y: Ints, to_x: int, to_y: int) -> Ints:
    """Return the distances of hexes from one hex, the shorter way round."""
    return hex_length(shorter_way(to_x - x, width), to_y - y)


def disc(radius: int) -> Ints:
    """Return the steps (x, y) to all hexes at most ``radius`` away, (3 r (r + 1) + 1, 2)."""
    side = np.arange(-radius, radius + 1, dtype=np.int64)
    u, v = (axis.ravel() for axis in np.meshgrid(side, side))
    near = hex_length(u, v) <= radius
    return np.stack([u[near], v[near]], axis=1)
