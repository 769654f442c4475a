"""Chains of mountains and of valleys in the altitude of a world, along curves.

A chain is a cubic Bézier curve: it begins at its first point, ends at its fourth, and bends toward
the two in between. It raises, or lowers, each cell that it goes through by the same amount. The
order of draws and the arithmetic are the original program's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.xconq.world.bumps import TOP, Heights, amplitude_of
from randomizer.systems.xconq.world.random_numbers import Draws

CELLS_PER_CHAIN = 50_000
"""A world has (its roughness times its cells) / this number of chains."""

LONGEST_CHAIN = 500
"""The most cells of a chain of mountains.

Its points are at most half as far from its first one, in columns and in rows.
"""


def add_mountain_chains(heights: Heights, roughness: int, draws: Draws) -> None:
    """Raise or lower the cells of ``heights`` (h, w) along chains; the rougher, the more chains.

    Where chains cross, the last one counts: so all are entered into a flat layer, which is then
    added to the heights.
    """
    height, width = heights.shape
    chains = width * height * roughness // CELLS_PER_CHAIN
    if not chains:
        return

    # A chain draws its first point inside the edge rows, the way from there to the other three,
    # x and y in turn, and at last whether it raises (1 and 2) or lowers (0).
    length = min(LONGEST_CHAIN, width, height)
    limits = (width - 2, height - 2, *(length,) * 6, 3)
    drawn = draws.rows_below(limits, chains)
    first_points, ways, directions = np.split(drawn, [2, 8], axis=1)
    first_x = 1 + first_points[:, :1]
    first_y = 1 + first_points[:, 1:]
    further_x = (first_x + ways[:, 0::2] - length // 2).clip(0, width - 1)
    further_y = (first_y + ways[:, 1::2] - length // 2).clip(0, height - 1)
    is_lowering = directions == 0

    x = _curves(np.concatenate([first_x, further_x], axis=1), length)
    y = _curves(np.concatenate([first_y, further_y], axis=1), length)
    chain_height = amplitude_of(roughness)
    raised_by = np.where(is_lowering, -chain_height, chain_height).astype(np.int32)
    # Of several values for one element numpy keeps the last: a later chain overwrites an earlier.
    layer = np.zeros_like(heights)
    layer.reshape(-1)[y * width + x] = np.broadcast_to(raised_by, x.shape)
    heights += layer
    heights.clip(0, TOP - 1, out=heights)


def _curves(points: NDArray[np.int64], samples: int) -> NDArray[np.int64]:
    """Return one coordinate of cubic Bézier curves: (N, 4) points in, (N, samples) cells out.

    To give the original's cells this is in single precision with each operation rounded by itself,
    in exactly this order: double precision puts some cells elsewhere.
    """
    t = np.arange(samples, dtype=np.float32) / np.float32(samples)
    s = np.float32(1) - t
    factors = (
        s * s * s,
        np.float32(3) * t * (s * s),
        np.float32(3) * (t * t) * s,
        t * t * t,
    )
    total = np.zeros((len(points), samples), np.float32)
    for point, factor in zip(points.T.astype(np.float32), factors, strict=True):
        total += point[:, None] * factor
    return total.astype(np.int64)
