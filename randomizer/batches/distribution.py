"""The distribution of measures over the maps of a generator, to compare one map with them.

The panel of odds shows it as histograms::

    distribution = distribution_of(stream, measures, count=1000)
    distribution.histograms[0].heights          # (3, 11, 40, ...): maps in each of 16 bins
    distribution.percent_below(0, 12.5)         # 87.0: of 87 % of the maps it is less than 12.5
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Measure
from randomizer.batches.map_stream import MapStream
from randomizer.batches.rounding import ROUNDING

BINS = 16
"""The number of bins of a histogram; with more of them the odds of few maps look ragged."""


class Histogram(NamedTuple):
    """The numbers of maps that have a value in each of ``BINS`` bins, equal parts of a range."""

    heights: tuple[int, ...]
    """The number of maps in each bin, from the lowest to the highest."""
    low: float
    """The beginning of the range."""
    high: float
    """The end of the range, which belongs to the last bin; greater than ``low``."""

    def place(self, value: float) -> float:
        """Return the position of a value: 0 at ``low`` and below, 1 at ``high`` and above."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))


@dataclass(frozen=True, eq=False)
class Distribution:
    """The values of some measures over n maps that keep the locks."""

    values: NDArray[np.float64]
    """(measures, n): the values of each measure, ascending."""
    tried: int
    """The number of maps that were rolled."""

    @property
    def count(self) -> int:
        """The number of maps, n."""
        return int(self.values.shape[1])

    def percent_below(self, measure: int, value: float) -> float:
        """Return the percentage of maps whose value of a measure is less than ``value``."""
        row = self.values[measure]
        return float(np.searchsorted(row, value - ROUNDING)) / len(row) * 100

    @cached_property
    def histograms(self) -> tuple[Histogram, ...]:
        """The histogram of each measure."""
        return tuple(_histogram_of(row) for row in self.values)


def _histogram_of(row: NDArray[np.float64]) -> Histogram:
    """Return the histogram of ascending values, from the least to the greatest."""
    limits = None  # numpy takes those of the values
    if len(row) and row[-1] - row[0] < ROUNDING:
        # Equal values have no range: they come into the middle of one.
        limits = (float(row[0]) - 0.5, float(row[0]) + 0.5)
    heights, edges = np.histogram(row, BINS, limits)
    return Histogram(tuple(heights.tolist()), float(edges[0]), float(edges[-1]))


def distribution_of(
    stream: MapStream, measures: Sequence[Measure], count: int, seconds: float = math.inf
) -> Distribution | None:
    """Return the distribution over those of maps 0 .. ``count`` - 1 that keep the locks.

    They are measured as they will be seen. After so many ``seconds`` the maps rolled so far are
    all; None if the stream was cancelled. Raises ProblemError as the stream does.
    """
    base = stream.base
    end_s = time.monotonic() + seconds
    measures_need_hexsides = any(measure.needs_hexsides for measure in measures)
    hexsides = measures_need_hexsides or bool(base.locked_sides.any())
    blocks_of_values = [np.zeros((len(measures), 0))]
    tried = 0
    with closing(stream.blocks(range(count), hexsides=hexsides)) as blocks:
        for batch in blocks:
            eligible = batch.as_seen(base).rows(np.flatnonzero(batch.keeps_locks()))
            blocks_of_values.append(np.array([measure.of(eligible) for measure in measures]))
            tried += len(batch)
            if time.monotonic() >= end_s:
                break
    if stream.cancelled():
        return None
    return Distribution(np.sort(np.concatenate(blocks_of_values, axis=1), axis=1), tried)
