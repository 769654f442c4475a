"""The distribution of measures over the maps of a generator, to compare one map with them.

A *measure* is a number that is computed from a map, such as the number of its bogs. Many maps are
rolled, and each is measured::

    distribution = distribution_of(stream, [bogs, trees], count=1000)
    distribution.values[0]                      # [0., 0., 1., 1., 2., ...]: bogs of each map
    distribution.percent_below(0, 12.5)         # 87.0: of 87 % of the maps it is less than 12.5
    distribution.histograms[0].heights          # (3, 11, 40, ...): maps in each of 16 bins

A measure can have no value for a map (nan): one that a generator computes when it rolls a map is
not known of maps that were opened. So each measure has its own number of values.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Measure
from randomizer.batches.map_stream import MapStream
from randomizer.batches.rounding import ROUNDING

BINS = 16
"""The number of bins of a histogram; with more of them the odds of few maps look ragged."""

RANGE_OF_EQUAL_VALUES = 1.0
"""The width of a histogram of values that are all the same, which have no range of their own."""


class Histogram(NamedTuple):
    """The numbers of maps that have a value in each of ``BINS`` bins, equal parts of a range."""

    heights: tuple[int, ...]
    """The number of maps in each bin, from the lowest to the highest."""
    low: float
    """The beginning of the range."""
    high: float
    """The end of the range, which belongs to the last bin; greater than ``low``."""

    def fraction_of_range(self, value: float) -> float:
        """Return where a value lies in the range: 0 at ``low`` and below, 1 at ``high`` and above.

        The value is not nan.
        """
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))


@dataclass(frozen=True, eq=False)
class Distribution:
    """The values of some measures over the maps that keep the locks.

    ``measure_index`` is the position of a measure in the ``measures`` of ``distribution_of``.
    """

    values: tuple[NDArray[np.float64], ...]
    """The finite values of each measure, ascending; fewer than ``count`` if maps have none."""
    histograms: tuple[Histogram, ...]
    """The histogram of each measure; of one without any value it has heights of 0."""
    count: int
    """The number of maps that keep the locks, 0 if none does."""
    tried: int
    """The number of maps that were rolled."""

    @classmethod
    def of_values(
        cls, values: Sequence[NDArray[np.float64]], *, count: int, tried: int
    ) -> Distribution:
        """Return the distribution of these values of each measure, finite and ascending."""
        histograms = tuple(_histogram_of(values_of_measure) for values_of_measure in values)
        return cls(tuple(values), histograms, count, tried)

    def percent_below(self, measure_index: int, value: float) -> float | None:
        """Return the percentage of values of a measure that are less than ``value``.

        None if there is nothing to compare: if no map has a value, or ``value`` is nan.
        """
        values = self.values[measure_index]
        if not len(values) or math.isnan(value):
            return None
        # Values that differ from ``value`` by a rounding error are equal to it, not less.
        below_count = int(np.searchsorted(values, value - ROUNDING))
        return below_count / len(values) * 100


def _histogram_of(values: NDArray[np.float64]) -> Histogram:
    """Return the histogram of finite values, ascending: it goes from the least to the greatest."""
    limits = None  # numpy takes those of the values, and 0 to 1 if there are none
    if len(values) and values[-1] - values[0] < ROUNDING:
        # They come into the middle of the range.
        value = float(values[0])
        limits = (value - RANGE_OF_EQUAL_VALUES / 2, value + RANGE_OF_EQUAL_VALUES / 2)
    heights, edges = np.histogram(values, BINS, limits)
    return Histogram(tuple(heights.tolist()), float(edges[0]), float(edges[-1]))


def distribution_of(
    stream: MapStream, measures: Sequence[Measure], count: int, time_limit_s: float = math.inf
) -> Distribution | None:
    """Return the distribution over those of maps 0 .. ``count`` - 1 that keep the locks.

    The maps are measured as they will be seen, below what lies above the roll. Rolling stops after
    ``time_limit_s`` seconds; the distribution is then that of the maps rolled so far. Returns None
    if the stream was cancelled. Raises ProblemError as the stream does.
    """
    base = stream.base
    end_s = time.monotonic() + time_limit_s
    # Hexsides take time to roll: without a measure or a lock that looks at them they are left out.
    measures_need_hexsides = any(measure.needs_hexsides for measure in measures)
    hexsides = measures_need_hexsides or bool(base.locked_sides.any())

    # For each measure a list with an array for each block, the values of the block's maps.
    blocks_of_values: list[list[NDArray[np.float64]]] = [[np.zeros(0)] for _ in measures]
    rolled_count = 0
    kept_count = 0
    with closing(stream.blocks(range(count), hexsides=hexsides)) as blocks:
        for batch in blocks:
            kept_rows = np.flatnonzero(batch.keeps_locks())
            kept_maps = batch.as_seen(base).rows(kept_rows)
            for measure, blocks_of_measure in zip(measures, blocks_of_values, strict=True):
                blocks_of_measure.append(measure.of(kept_maps))
            rolled_count += len(batch)
            kept_count += len(kept_rows)
            if time.monotonic() >= end_s:
                break
    if stream.cancelled():
        return None

    finite_values = []
    for blocks_of_measure in blocks_of_values:
        values = np.concatenate(blocks_of_measure)
        finite_values.append(np.sort(values[np.isfinite(values)]))
    return Distribution.of_values(finite_values, count=kept_count, tried=rolled_count)
