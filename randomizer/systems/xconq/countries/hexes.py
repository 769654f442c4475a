"""Distances and neighbourhoods on a world that goes round from east to west."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

STEPS = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
"""From a hex to its neighbours: (x, y), y to the north."""


def hex_length(u: Ints, v: Ints) -> Ints:
    """The number of steps for a difference of ``u`` columns and ``v`` rows."""
    same = (u >= 0) == (v >= 0)
    apart = np.maximum(abs(u), abs(v))
    return np.where(same | (u == 0) | (v == 0), abs(u) + abs(v), apart)


def distances(width: int, x: Ints, y: Ints, to_x: int, to_y: int) -> Ints:
    """The distances of hexes from one hex, the shorter way round."""
    u = np.asarray(to_x - x)
    u = np.where(u > width // 2, u - width, u)
    u = np.where(u < -(width // 2), u + width, u)
    return hex_length(u, np.asarray(to_y - y))


def disc(radius: int) -> Ints:
    """The steps (x, y) to all hexes at most ``radius`` away, (3 r (r + 1) + 1, 2)."""
    side = np.arange(-radius, radius + 1, dtype=np.int64)
    u, v = (each.ravel() for each in np.meshgrid(side, side))
    near = hex_length(u, v) <= radius
    return np.stack([u[near], v[near]], axis=1)
