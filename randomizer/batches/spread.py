"""How a generator's own maps are spread over measures, so that one map can be placed among them."""

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
"""After so many maps somebody may have lost interest."""


BARS = 16
"""Into so many parts the range of a measure is divided."""


class Bars(NamedTuple):
    """How many maps lie in each part of the range from ``low`` to ``high``."""

    heights: tuple[int, ...]
    low: float
    high: float

    def place(self, value: float) -> float:
        """Where a value lies: 0 at the low end or below, 1 at the high end or above."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))


@dataclass(frozen=True, eq=False)
class Spread:
    """``values`` (measures, n): those of each measure in ascending order."""

    values: NDArray[np.float64]

    @property
    def count(self) -> int:
        """n, the maps that were measured."""
        return int(self.values.shape[1])

    def above(self, measure: int, value: float) -> float:
        """The part of the maps, in percent, that have less."""
        row = self.values[measure]
        return float(np.searchsorted(row, value)) / len(row) * 100

    @cached_property
    def bars(self) -> tuple[Bars, ...]:
        """How the maps lie in the range of each measure."""
        found = []
        for row in self.values:
            heights, ends = np.histogram(row, BARS)
            found.append(Bars(tuple(heights.tolist()), float(ends[0]), float(ends[-1])))
        return tuple(found)


def spread(
    generator: MapGenerator,
    settings: Mapping[str, object],
    base: Base,
    measures: Sequence[Measure],
    count: int,
    cancelled: Callable[[], bool] = lambda: False,
) -> Spread | None:
    """Measure maps 0 .. ``count`` - 1 of seed 0, locks left aside; None if ``cancelled`` said so.

    Raises ProblemError as rolling does, and where no map can be made.
    """
    sides = any(measure.sides for measure in measures)
    found = []
    for first in range(0, count, CHUNK):
        if cancelled():
            return None
        numbers = np.arange(first, min(first + CHUNK, count), dtype=np.uint64)
        batch = roll_batch(generator, settings, 0, numbers, base, hexsides=sides)
        values = np.array([measure.of(batch) for measure in measures])
        found.append(values[:, ~batch.failed])
    values = np.concatenate(found, axis=1)
    if not values.size:
        raise error("no-maps", f"none of {counted(count, 'map')} can be made")
    return Spread(np.sort(values, axis=1))
