"""The looks of cells in a picture: how often each colour, smooth or in a texture, is seen in each.

    view = View.of(picture, grid, placement)
    samples = Samples(view, [grass_cells, water_cells])
    bin_logs = BinLogs.of(view, samples)
    likeness(view, cells, bin_logs)           # (n, 2): how much each cell looks like each of both

Colours and textures are sorted into *bins*, and a cell is looked at in many points. What is
compared are the numbers of points in each bin, so that it does not matter where in a cell a colour
is, nor how the cell is turned. ``trace`` calls ``likeness``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

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
"""The number of all bins. A bin is numbered by those of its luma, differences and texture."""

ROUGH = (4.0, 12.0)
"""From these differences of luma between a pixel and those around it on there is a fine, and a
coarse texture."""


class Spread(NamedTuple):
    """A normal distribution around the bin of a colour."""

    width: float
    """The standard deviation, in bins."""

    weight: float
    """Its share of all that a colour of a sample stands for."""


NARROW = Spread(width=0.7, weight=0.75)
"""A colour of a sample stands for those right around it, ..."""

WIDE = Spread(width=3.0, weight=0.2)
"""... for those around it more widely, as light and noise differ, ..."""

FOREIGN = 0.05
"""... and, with this weight, for all colours alike: what nobody expects is possible."""

TEXTURE_APART = 1.5
"""Textures are so many bins apart."""

COVERED = 1.5
"""What may lie on any cell is seen in colours so many bins around its own."""

MOST_BINS = 5000
"""The rarer bins of a picture are not looked at."""

CHUNK = 1000
"""So many cells are compared at once."""

ACROSS = 17
"""So many points lie across a cell; those of their square that are off the cell are left out."""

REACH = 0.9
"""Points lie within this share of the way to the edge."""

INNER = 0.62
"""Points beyond this share of the way count less."""

OUTER_WEIGHT = 0.25
"""So much they count."""


@registered(count=5, bytes_each=20 * KB)
@cache
def points_of(layout: Layout) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """Return the points in which a cell is looked at, and what each of them counts.

    Points are (n, 2), in map units from the cell's centre; the weights are (n,).
    """
    corners = np.array(layout.corners)
    box = np.abs(corners).max(axis=0)
    shares = np.linspace(-1.0, 1.0, ACROSS) * REACH
    points = np.stack(np.meshgrid(shares * box[0], shares * box[1]), axis=-1).reshape(-1, 2)
    # The share of the way from the centre to the nearest side at which a point lies: its greatest
    # projection on the ways to the middles of all sides.
    middles = (corners + np.roll(corners, -1, axis=0)) / 2
    directions = middles / (middles**2).sum(axis=1, keepdims=True)
    share_of_way = (points @ directions.T).max(axis=1)
    is_inside = share_of_way <= REACH
    weights = np.where(share_of_way[is_inside] <= INNER, 1.0, OUTER_WEIGHT)
    return points[is_inside], weights.astype(np.float32)


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
        """The bin of every pixel, (height, width)."""
        return _bins(self.picture)

    def points(self, cells: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the points in which ``cells`` are looked at, in map units: (n, points, 2)."""
        points, _weights = points_of(self.grid.layout)
        return self.grid.centres_of(cells)[:, None] + points

    def bins(self, cells: NDArray[np.intp]) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the bin and the weight of each point, (n, points) both.

        Points off the picture have the weight 0.
        """
        at = self.placement.pixels(self.points(cells).reshape(-1, 2))
        xs, ys = np.floor(at).astype(np.intp).T
        height, width = self.bin_of_pixel.shape
        is_inside = (xs >= 0) & (xs < width) & (ys >= 0) & (ys < height)
        bins = self.bin_of_pixel[ys.clip(0, height - 1), xs.clip(0, width - 1)]
        _points, weights = points_of(self.grid.layout)
        shape = len(cells), len(weights)
        return bins.reshape(shape), is_inside.reshape(shape) * weights

    def colours(self, cells: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the colour at each point of cells: (n, points, 3)."""
        colours, _is_seen = colours_at(self.picture, self.placement, self.points(cells))
        return colours


def _bins(picture: NDArray[Any]) -> NDArray[np.int32]:
    """Return the bin of every pixel, (height, width): of its colour as luma and two differences.

    These are Y, Cb and Cr of ITU-R BT.601; 108 moves the differences to above 0.
    """
    red, green, blue = np.moveaxis(picture, -1, 0)
    luma = 0.299 * red + 0.587 * green + 0.114 * blue
    blue_difference = 0.564 * (blue - luma) + 108
    red_difference = 0.713 * (red - luma) + 108
    bins = np.zeros(luma.shape, np.int32)
    values = (luma, blue_difference, red_difference)
    for value, step, count in zip(values, STEPS, COUNTS[:3], strict=True):
        bins = bins * count + (value / step).clip(0, count - 1).astype(np.int32)

    # A texture is where the luma differs from its mean over the pixels around.
    padded = np.pad(luma, 1, mode="edge")
    height, width = luma.shape
    luma_sum = np.zeros_like(luma)
    for down in range(3):
        for right in range(3):
            luma_sum = luma_sum + padded[down : down + height, right : right + width]
    roughness = np.abs(luma - luma_sum / 9.0)
    texture = (roughness >= ROUGH[0]).astype(np.int32) + (roughness >= ROUGH[1])
    return np.asarray(bins * COUNTS[3] + texture, np.int32)


class Samples:
    """The looks of cells whose content is known: one sample of each group of cells of a view."""

    def __init__(self, view: View, groups: list[NDArray[np.intp]]) -> None:
        counts = np.zeros((len(groups), BINS), np.float32)
        for number, cells in enumerate(groups):
            bins, weights = view.bins(cells)
            counts[number] = np.bincount(bins.ravel(), weights.ravel(), BINS)
        self.bins = np.flatnonzero(counts.any(axis=0))
        """The numbers of the bins that occur in any sample, (bins,)."""
        total = counts.sum(axis=1, keepdims=True)
        self.shares = counts[:, self.bins] / np.maximum(total, 1e-6)
        """The share that each of these bins has of a sample, (samples, bins)."""

    def logs(
        self, bins: NDArray[np.intp], covers: Sequence[tuple[int, int, int]]
    ) -> NDArray[np.float32]:
        """Return the logarithms of how likely ``bins`` (n,) are in each sample, (n, samples).

        That follows from the bins of the sample: each of them stands for others around it, as
        ``NARROW``, ``WIDE`` and ``FOREIGN`` say. ``covers`` are colours of what may lie on any
        cell: they tell nothing.
        """
        points_of_samples = _points_of_bins(self.bins)
        points = _points_of_bins(bins)
        # |a - b|^2 = |a|^2 + |b|^2 - 2 ab, for all pairs: (bins of samples, n).
        squared_distance = (
            (points_of_samples**2).sum(axis=1)[:, None]
            + (points**2).sum(axis=1)
            - 2 * points_of_samples @ points.T
        )
        likely = np.full(squared_distance.shape, FOREIGN / BINS, np.float32)
        for width, weight in (NARROW, WIDE):
            volume = (width * math.sqrt(2 * math.pi)) ** 3 * COUNTS[3]
            likely += weight / volume * np.exp(squared_distance / (-2 * width * width))
        result = self.shares @ likely

        # The colour of a cover counts in all samples at least half of what it does in any.
        for colour in covers:
            bin_of_cover = _bins(np.full((1, 1, 3), colour, np.float32))[0, 0]
            cover = np.unravel_index(bin_of_cover, COUNTS)
            is_near = ((points[:, :3] - cover[:3]) ** 2).sum(axis=1) <= COVERED**2
            result[:, is_near] = np.maximum(result[:, is_near], result[:, is_near].max(axis=0) / 2)
        return np.asarray(np.log(result + 1e-12).T, np.float32)


def _points_of_bins(bins: NDArray[np.intp]) -> NDArray[np.float32]:
    """Return the bins (n,) as points (n, 4) whose distances say how much they differ."""
    points = np.stack(np.unravel_index(bins, COUNTS), axis=1).astype(np.float32)
    points[:, 3] *= TEXTURE_APART
    return points


class BinLogs(NamedTuple):
    """How likely the common bins of a picture are in each sample.

    They do not depend on where the grid lies in the picture.
    """

    logs: NDArray[np.float32]
    """The logarithms, (common bins, samples), as of ``Samples.logs``."""

    column_of_bin: NDArray[np.intp]
    """The index of each bin among the common ones, -1 for rare bins: (``BINS``,)."""

    @classmethod
    def of(
        cls, view: View, samples: Samples, covers: Sequence[tuple[int, int, int]] = ()
    ) -> BinLogs:
        """Return those of the picture of a view; ``covers`` are as in ``Samples.logs``."""
        pixels_in_bin = np.bincount(view.bin_of_pixel.ravel(), minlength=BINS)
        bin_count = min(MOST_BINS, int(np.count_nonzero(pixels_in_bin)))
        common_bins = np.argsort(-pixels_in_bin, kind="stable")[:bin_count]
        column_of_bin = np.full(BINS, -1)
        column_of_bin[common_bins] = np.arange(bin_count)
        return cls(samples.logs(common_bins, covers), column_of_bin)


def likeness(view: View, cells: NDArray[np.intp], bin_logs: BinLogs) -> NDArray[np.float32]:
    """Return how much each cell looks like each sample of ``bin_logs``: (cells, samples).

    That is the mean over the points of a cell of the logarithm of how likely their bins are in the
    sample (``Samples.logs``). ``bin_logs`` are those of the picture of ``view``.
    """
    bin_count, sample_count = bin_logs.logs.shape
    result = np.zeros((len(cells), sample_count), np.float32)
    for first in range(0, len(cells), CHUNK):
        # The weight of each common bin in each cell: (cells of the chunk, common bins).
        bins, weights = view.bins(cells[first : first + CHUNK])
        columns = bin_logs.column_of_bin[bins]
        is_common = columns >= 0
        keys = np.arange(len(bins))[:, None] * bin_count + columns
        sums = np.bincount(keys[is_common], weights[is_common], len(bins) * bin_count)
        counts = sums.reshape(len(bins), bin_count).astype(np.float32)
        total = np.maximum(counts.sum(axis=1, keepdims=True), 1e-6)
        result[first : first + CHUNK] = counts @ bin_logs.logs / total
    return result
