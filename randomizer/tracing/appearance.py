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
"""A picture is made smaller until a cell has about this many pixels across."""

# --- bins ---------------------------------------------------------------------------------------

BIN_WIDTHS = (8.0, 6.0, 6.0)
"""The widths of the bins of luma, of the blue and of the red difference, in levels of 255."""

BIN_COUNTS = (32, 36, 36, 3)
"""The numbers of bins of luma, of the blue and of the red difference, and of textures."""

BIN_TOTAL = math.prod(BIN_COUNTS)
"""The number of all bins.

They are counted with the texture as the last axis: bin 15 * 3 + 2 is of luma 0, of blue difference
0, of red difference 15 and of coarse texture. ``np.unravel_index(bin, BIN_COUNTS)`` gives the four
parts of a bin.
"""

CHROMA_OFFSET = 108
"""What is added to the differences of colours, which are from about -128 to 127.

With 36 bins of width 6 the range -108 to 108 is told apart; colours beyond it share the last bins.
"""

FINE_TEXTURE = 4.0
"""The least difference of luma between a pixel and its surroundings that is a fine texture."""

COARSE_TEXTURE = 12.0
"""The least such difference that is a coarse texture."""

# --- points in a cell ---------------------------------------------------------------------------

ACROSS = 17
"""The number of points across a cell; those of their square that are off the cell are left out."""

REACH = 0.9
"""Points lie within this share of the way from the centre to the edge of a cell."""

INNER = 0.62
"""Points beyond this share of the way have the weight ``OUTER_WEIGHT``, the others 1."""

OUTER_WEIGHT = 0.25
"""The weight of points near the edge."""

# --- comparing ----------------------------------------------------------------------------------


class Spread(NamedTuple):
    """A normal distribution of the colours that a colour of a sample stands for."""

    width: float
    """The standard deviation, in bins."""

    weight: float
    """Its share of all that a colour of a sample stands for."""


NARROW = Spread(width=0.7, weight=0.75)
"""Most of what a colour of a sample stands for is the colours right around it."""

WIDE = Spread(width=3.0, weight=0.2)
"""Some of it is colours farther around, as light and noise differ from picture to picture."""

FOREIGN = 0.05
"""The rest of it is all colours alike, so that no cell is ruled out by one odd colour."""

TEXTURE_APART = 1.5
"""The distance of two neighbouring textures, where neighbouring bins of a colour have 1."""

COVERED = 1.5
"""Colours up to this many bins from that of a cover can be the cover."""

MAX_BINS = 5000
"""The number of the commonest bins of a picture that are compared; rarer ones are ignored."""

CHUNK = 1000
"""The number of cells that are compared at once: with all common bins they take 40 MB."""

NO_ZERO = 1e-6
"""The least divisor: cells and samples without any point in the picture have sums of 0."""


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
        positions = self.placement.pixels(self.points(cells).reshape(-1, 2))
        xs, ys = np.floor(positions).astype(np.intp).T
        height, width = self.bin_of_pixel.shape
        is_inside = (xs >= 0) & (xs < width) & (ys >= 0) & (ys < height)
        pixels = ys.clip(0, height - 1) * width + xs.clip(0, width - 1)
        bins = self.bin_of_pixel.take(pixels)
        _points, weights = points_of(self.grid.layout)
        shape = len(cells), len(weights)
        return bins.reshape(shape), is_inside.reshape(shape) * weights

    def colours(self, cells: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the colour at each point of cells: (n, points, 3)."""
        colours, _is_seen = colours_at(self.picture, self.placement, self.points(cells))
        return colours


def _bins(picture: NDArray[Any]) -> NDArray[np.int32]:
    """Return the bin of every pixel of a picture (height, width, 3), shape (height, width)."""
    # Luma and two differences of colours: Y, Cb and Cr with the factors of ITU-R BT.601.
    red, green, blue = np.moveaxis(picture, -1, 0)
    luma = 0.299 * red + 0.587 * green + 0.114 * blue
    blue_difference = 0.564 * (blue - luma) + CHROMA_OFFSET
    red_difference = 0.713 * (red - luma) + CHROMA_OFFSET
    bins = np.zeros(luma.shape, np.int32)
    values = (luma, blue_difference, red_difference)
    for value, step, count in zip(values, BIN_WIDTHS, BIN_COUNTS[:3], strict=True):
        bins = bins * count + (value / step).clip(0, count - 1).astype(np.int32)
    return np.asarray(bins * BIN_COUNTS[3] + _textures(luma), np.int32)


def _textures(luma: NDArray[Any]) -> NDArray[np.int32]:
    """Return the texture at every pixel: 0 none, 1 fine, 2 coarse; (height, width) in and out.

    It follows from how much the luma of the pixel differs from the mean of the 3 x 3 pixels there.
    """
    padded = np.pad(luma, 1, mode="edge")
    height, width = luma.shape
    luma_sum = np.zeros_like(luma)
    for down in range(3):
        for right in range(3):
            luma_sum = luma_sum + padded[down : down + height, right : right + width]
    roughness = np.abs(luma - luma_sum / 9.0)
    is_fine_or_coarse = (roughness >= FINE_TEXTURE).astype(np.int32)
    return np.asarray(is_fine_or_coarse + (roughness >= COARSE_TEXTURE), np.int32)


class Samples:
    """The bins of cells whose content is known: one sample for each group of cells of a view."""

    def __init__(self, view: View, groups: list[NDArray[np.intp]]) -> None:
        counts = np.zeros((len(groups), BIN_TOTAL), np.float32)
        for index, cells in enumerate(groups):
            bins, weights = view.bins(cells)
            counts[index] = np.bincount(bins.ravel(), weights.ravel(), BIN_TOTAL)
        self.bins = np.flatnonzero(counts.any(axis=0))
        """The numbers of the bins that occur in any sample, (bins,)."""
        total = counts.sum(axis=1, keepdims=True)
        self.shares = counts[:, self.bins] / np.maximum(total, NO_ZERO)
        """The share that each of these bins has of a sample, (samples, bins)."""

    def logs(
        self, bins: NDArray[np.intp], covers: Sequence[tuple[int, int, int]]
    ) -> NDArray[np.float32]:
        """Return the logarithm of the likelihood of ``bins`` (n,) in each sample, (n, samples).

        ``covers`` are the colours (red, green, blue) of what may lie on any cell, such as roads.
        They say nothing about its terrain, so they are made likely in every sample.
        """
        # Kernel density estimation: a bin of a sample makes the bins around it likely, too. So the
        # likelihood of a bin is a sum over the bins of the sample, by their shares.
        likelihood = self.shares @ _likelihood_of_pairs(self.bins, bins)

        # The colour of a cover is in each sample at least half as likely as in any.
        points = _points_of_bins(bins)
        for colour in covers:
            bin_of_cover = _bins(np.full((1, 1, 3), colour, np.float32))[0, 0]
            cover = np.unravel_index(bin_of_cover, BIN_COUNTS)
            is_near = ((points[:, :3] - cover[:3]) ** 2).sum(axis=1) <= COVERED**2
            min_likelihood = likelihood[:, is_near].max(axis=0) / 2
            likelihood[:, is_near] = np.maximum(likelihood[:, is_near], min_likelihood)
        # The small summand keeps the logarithm finite where a density is rounded to 0.
        return np.asarray(np.log(likelihood + 1e-12).T, np.float32)


def _likelihood_of_pairs(
    sample_bins: NDArray[np.intp], bins: NDArray[np.intp]
) -> NDArray[np.float32]:
    """Return how likely each of ``bins`` (n,) is where a sample has each of ``sample_bins`` (m,).

    The result has shape (m, n): the sum of the distributions ``NARROW`` and ``WIDE`` around the bin
    of the sample, and of ``FOREIGN``, which is the same everywhere.
    """
    sample_points = _points_of_bins(sample_bins)
    points = _points_of_bins(bins)
    # |a - b|^2 = |a|^2 + |b|^2 - 2 ab, for all pairs: one product of matrices, no (m, n, 4) array.
    squared_distance = (
        (sample_points**2).sum(axis=1)[:, None]
        + (points**2).sum(axis=1)
        - 2 * sample_points @ points.T
    )
    likelihood = np.full(squared_distance.shape, FOREIGN / BIN_TOTAL, np.float32)
    for width, weight in (NARROW, WIDE):
        # The integral of the bell over the three axes of colour, times the number of textures: so
        # the likelihoods of all bins are about 1 together.
        volume = (width * math.sqrt(2 * math.pi)) ** 3 * BIN_COUNTS[3]
        likelihood += weight / volume * np.exp(squared_distance / (-2 * width * width))
    return likelihood


def _points_of_bins(bins: NDArray[np.intp]) -> NDArray[np.float32]:
    """Return the bins (n,) as points (n, 4), so that unlike bins are far from each other.

    The axes are luma, blue and red difference, in bins, and texture in ``TEXTURE_APART``.
    """
    points = np.stack(np.unravel_index(bins, BIN_COUNTS), axis=1).astype(np.float32)
    points[:, 3] *= TEXTURE_APART
    return points


class BinLogs(NamedTuple):
    """The likelihood of the common bins of a picture in each sample, as ``Samples.logs`` gives it.

    It does not depend on where the grid lies in the picture, so it is computed once for several
    placements.
    """

    logs: NDArray[np.float32]
    """The logarithms of the likelihoods, (common bins, samples)."""

    column_of_bin: NDArray[np.intp]
    """The index of each bin among the common ones, -1 for rare bins: (``BIN_TOTAL``,)."""

    @classmethod
    def of(
        cls, view: View, samples: Samples, covers: Sequence[tuple[int, int, int]] = ()
    ) -> BinLogs:
        """Return the likelihoods for the picture of a view; ``covers`` are as in ``Samples.logs``.

        The ``MAX_BINS`` bins with the most pixels are the common ones.
        """
        pixels_in_bin = np.bincount(view.bin_of_pixel.ravel(), minlength=BIN_TOTAL)
        bin_count = min(MAX_BINS, int(np.count_nonzero(pixels_in_bin)))
        common_bins = np.argsort(-pixels_in_bin, kind="stable")[:bin_count]
        column_of_bin = np.full(BIN_TOTAL, -1)
        column_of_bin[common_bins] = np.arange(bin_count)
        return cls(samples.logs(common_bins, covers), column_of_bin)


def likeness(view: View, cells: NDArray[np.intp], bin_logs: BinLogs) -> NDArray[np.float32]:
    """Return how much each cell looks like each sample of ``bin_logs``: (cells, samples).

    A greater value is more alike; 0 is the greatest. It is the mean log likelihood of the bins at
    the points of a cell (``Samples.logs``). ``bin_logs`` are those of the picture of ``view``.
    """
    bin_count, sample_count = bin_logs.logs.shape
    result = np.zeros((len(cells), sample_count), np.float32)
    for first in range(0, len(cells), CHUNK):
        bins, weights = view.bins(cells[first : first + CHUNK])

        # The weight of each common bin in each cell, (cells of the chunk, common bins): a two
        # dimensional histogram, counted as a flat one by row * bin_count + column.
        columns = bin_logs.column_of_bin[bins]
        is_common = columns >= 0
        flat_indices = np.arange(len(bins))[:, None] * bin_count + columns
        sums = np.bincount(flat_indices[is_common], weights[is_common], len(bins) * bin_count)
        weights_of_bins = sums.reshape(len(bins), bin_count).astype(np.float32)

        total = np.maximum(weights_of_bins.sum(axis=1, keepdims=True), NO_ZERO)
        result[first : first + CHUNK] = weights_of_bins @ bin_logs.logs / total
    return result
