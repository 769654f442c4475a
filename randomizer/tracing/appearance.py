"""How the cells of a picture look: how often each colour, smooth or in a texture, is seen in each.

    view = View.of(picture, grid, placement)
    bins, weights = view.bins(cells)          # (n, points): what is seen where

What is compared are numbers of points, so that it does not matter where in a cell a colour is, nor
how the cell is turned.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.model.basics.caches import KB, registered
from randomizer.tracing.placement import Placement, colours_at, shrunken

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.model.grid.layouts import Layout

CELL_PIXELS = 28.0
"""Pictures are shrunken until a cell has about so many pixels across."""

STEPS = (8.0, 6.0, 6.0)
"""The width of a bin of luma, and of each of the two differences of colours."""

COUNTS = (32, 36, 36, 3)
"""The bins of luma, of the differences of colours, and of textures."""

BINS = math.prod(COUNTS)

ROUGH = (4.0, 12.0)
"""From these differences between a pixel and those around it on there is a texture."""

NARROW = (0.7, 0.75)
WIDE = (3.0, 0.2)
FOREIGN = 0.05
"""A colour of a sample stands for those so many bins around it, with this weight; and for all."""

TEXTURE_APART = 1.5
"""Textures are so many bins apart."""

COVERED = 1.5
"""What may lie on any cell is seen in colours so many bins around its own."""

MOST_BINS = 5000
"""The rarer bins of a picture are not looked at."""

ACROSS = 17
"""So many points lie across a cell; those of their square that are off the cell are left out."""

REACH = 0.9
INNER = 0.62
"""Points lie within ``REACH`` of the way to the edge; those beyond ``INNER`` count less."""

OUTER_WEIGHT = 0.25


@registered(count=5, bytes_each=20 * KB)
@cache
def points_of(layout: Layout) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """Return where a cell is looked at, from its centre (n, 2), in map units, and what it counts
    (n,).
    """
    corners = np.array(layout.corners)
    at = np.linspace(-1.0, 1.0, ACROSS) * REACH
    box = np.abs(corners).max(axis=0)
    points = np.stack(np.meshgrid(at * box[0], at * box[1]), axis=-1).reshape(-1, 2)
    middles = (corners + np.roll(corners, -1, axis=0)) / 2
    depth = (points @ (middles / (middles**2).sum(axis=1, keepdims=True)).T).max(axis=1)
    inside = depth <= REACH
    weights = np.where(depth[inside] <= INNER, 1.0, OUTER_WEIGHT)
    return points[inside], weights.astype(np.float32)


@dataclass(frozen=True, eq=False)
class View:
    """A picture (height, width, 3) and where the cells of a grid lie in it."""

    grid: Grid
    placement: Placement
    picture: NDArray[np.float32] | NDArray[np.uint8]

    @classmethod
    def of(cls, picture: NDArray[np.uint8], grid: Grid, placement: Placement) -> View:
        """Return the view of a picture (height, width, 3: red, green, blue), made small."""
        times = max(1, math.floor(placement.pixels_across(grid.layout) / CELL_PIXELS))
        return cls(grid, placement.shrunken(times), shrunken(picture, times))

    @cached_property
    def bin_of_pixel(self) -> NDArray[np.int32]:
        """The bin of every pixel."""
        return _bins(self.picture)

    def points(self, cells: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return where ``cells`` are looked at, in map units: (n, points, 2)."""
        return self.grid.centres_of(cells)[:, None] + points_of(self.grid.layout)[0]

    def bins(self, cells: NDArray[np.intp]) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the bin and the weight of each point (n, points); off the picture the weight is
        0.
        """
        at = self.placement.pixels(self.points(cells).reshape(-1, 2))
        xs, ys = np.floor(at).astype(np.intp).T
        height, width = self.bin_of_pixel.shape
        inside = (xs >= 0) & (xs < width) & (ys >= 0) & (ys < height)
        bins = self.bin_of_pixel[ys.clip(0, height - 1), xs.clip(0, width - 1)]
        weights = points_of(self.grid.layout)[1]
        shape = len(cells), len(weights)
        return bins.reshape(shape), inside.reshape(shape) * weights

    def colours(self, cells: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the colour at each point: (n, points, 3)."""
        return colours_at(self.picture, self.placement, self.points(cells))[0]


def _bins(picture: NDArray[Any]) -> NDArray[np.int32]:
    """Return the bin of every pixel."""
    red, green, blue = np.moveaxis(picture, -1, 0)
    light = 0.299 * red + 0.587 * green + 0.114 * blue
    padded = np.pad(light, 1, mode="edge")
    height, width = light.shape
    neighbour_sum = sum(
        padded[down : down + height, right : right + width]
        for down in range(3)
        for right in range(3)
    )
    rough = np.abs(light - neighbour_sum / 9.0)
    bins = np.zeros(light.shape, np.int32)
    values = (light, 0.564 * (blue - light) + 108, 0.713 * (red - light) + 108)
    for value, step, count in zip(values, STEPS, COUNTS, strict=False):
        bins = bins * count + (value / step).clip(0, count - 1).astype(np.int32)
    return np.asarray(bins * COUNTS[-1] + (rough >= ROUGH[0]) + (rough >= ROUGH[1]), np.int32)


class Samples:
    """The looks of cells whose content is known: counts (samples, bins).

    ``bins`` are the numbers of those that occur.
    """

    def __init__(self, view: View, groups: list[NDArray[np.intp]]) -> None:
        """Take a sample of each group of cells."""
        counts = np.zeros((len(groups), BINS), np.float32)
        for number, cells in enumerate(groups):
            bins, weights = view.bins(cells)
            counts[number] = np.bincount(bins.ravel(), weights.ravel(), BINS)
        self.bins = np.flatnonzero(counts.any(axis=0))
        total = counts.sum(axis=1, keepdims=True)
        self.counts = counts[:, self.bins] / np.maximum(total, 1e-6)

    def logs(
        self, bins: NDArray[np.intp], covers: Sequence[tuple[int, int, int]]
    ) -> NDArray[np.float32]:
        """Return the logarithms of how likely each of ``bins`` (n,) is in each sample: (n,
        samples).

        ``covers`` are colours of what may lie on any cell: they tell nothing.
        """
        own_logs, their_logs = (
            np.stack(np.unravel_index(counts, COUNTS), axis=1).astype(np.float32)
            for counts in (self.bins, bins)
        )
        own_logs[:, 3] = own_logs[:, 3] * TEXTURE_APART
        their_logs[:, 3] = their_logs[:, 3] * TEXTURE_APART
        apart = (
            (own_logs**2).sum(axis=1)[:, None]
            + (their_logs**2).sum(axis=1)
            - 2 * own_logs @ their_logs.T
        )
        likely = np.full(apart.shape, FOREIGN / BINS, np.float32)
        for width, weight in (NARROW, WIDE):
            volume = (width * math.sqrt(2 * math.pi)) ** 3 * COUNTS[3]
            likely += weight / volume * np.exp(apart / (-2 * width * width))
        result = self.counts @ likely
        for colour in covers:
            cover = np.unravel_index(_bins(np.full((1, 1, 3), colour, np.float32))[0, 0], COUNTS)
            near = ((their_logs[:, :3] - cover[:3]) ** 2).sum(axis=1) <= COVERED**2
            result[:, near] = np.maximum(result[:, near], result[:, near].max(axis=0) / 2)
        return np.asarray(np.log(result + 1e-12).T, np.float32)


CHUNK = 1000
"""So many cells are compared at once."""


def likeness(
    view: View,
    cells: NDArray[np.intp],
    samples: Samples,
    covers: Sequence[tuple[int, int, int]] = (),
) -> NDArray[np.float32]:
    """Return how much each cell looks like each sample, as mean logarithms: (cells, samples)."""
    every = np.bincount(view.bin_of_pixel.ravel(), minlength=BINS)
    common = np.argsort(-every, kind="stable")[: min(MOST_BINS, np.count_nonzero(every))]
    logs = samples.logs(common, covers)
    column = np.full(BINS, -1)
    column[common] = np.arange(len(common))
    result = np.zeros((len(cells), len(samples.counts)), np.float32)
    for first in range(0, len(cells), CHUNK):
        bins, weights = view.bins(cells[first : first + CHUNK])
        at = column[bins]
        keys = np.arange(len(bins))[:, None] * len(common) + at
        flat = np.bincount(keys[at >= 0], weights[at >= 0], len(bins) * len(common))
        counts = flat.reshape(len(bins), len(common)).astype(np.float32)
        total = np.maximum(counts.sum(axis=1, keepdims=True), 1e-6)
        result[first : first + CHUNK] = counts @ logs / total
    return result
