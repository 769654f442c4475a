"""The distribution of measures over the maps of a generator, to compare one map with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Measure, roll_batch
from randomizer.generator import Base, MapGenerator
from randomizer.model.plurals import counted
from randomizer.model.problems import error

CHUNK = 500
"""The number of maps between two checks for cancellation."""


BINS = 16
"""The number of bins of a histogram."""


class Histogram(NamedTuple):
    """How many maps lie in each of ``BINS`` equal parts of the range ``low`` to ``high``."""

    heights: tuple[int, ...]
    low: float
    high: float

    def place(self, value: float) -> float:
        """The position of a value in the range, 0 (``low`` or below) to 1 (``high`` or above)."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))


@dataclass(frozen=True, eq=False)
class Distribution:
    """``values`` (measures, n): the values of each measure over n maps, ascending."""

    values: NDArray[np.float64]

    @property
    def count(self) -> int:
        """The number of maps, n."""
        return int(self.values.shape[1])

    def percent_below(self, measure: int, value: float) -> float:
        """The percentage of maps whose value of a measure is less than ``value``."""
        row = self.values[measure]
        return float(np.searchsorted(row, value)) / len(row) * 100

    @cached_property
    def histograms(self) -> tuple[Histogram, ...]:
        """The histogram of each measure."""
        found = []
        for row in self.values:
            heights, ends = np.histogram(row, BINS)
            found.append(Histogram(tuple(heights.tolist()), float(ends[0]), float(ends[-1])))
        return tuple(found)


def distribution_of(
    generator: MapGenerator,
    settings: Mapping[str, object],
    base: Base,
    measures: Sequence[Measure],
    count: int,
    cancelled: Callable[[], bool] = lambda: False,
) -> Distribution | None:
    """Measure maps 0 .. ``count`` - 1 of seed 0 as they will be seen, locks ignored.

    None if cancelled.

    Raises ProblemError as rolling does, and if none of the maps can be made.
    """
    sides = any(measure.sides for measure in measures)
    found = []
    for first in range(0, count, CHUNK):
        if cancelled():
            return None
        numbers = np.arange(first, min(first + CHUNK, count), dtype=np.uint64)
        batch = roll_batch(generator, settings, 0, numbers, base, hexsides=sides)
        seen = batch.as_seen(base)
        values = np.array([measure.of(seen) for measure in measures])
        found.append(values[:, ~batch.failed])
    values = np.concatenate(found, axis=1)
    if not values.size:
        raise error("no-maps", f"none of {counted(count, 'map')} can be made")
    return Distribution(np.sort(values, axis=1))
