"""How unfair variations of a map are, by the measure of the system for rolled maps.

The variations are measured as a batch of maps like any other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch, Measure, batch_of
from randomizer.variations.original import Ints, Original


@dataclass(frozen=True, eq=False)
class Unfairness:
    """The unfairness of variations of a map."""

    original: Original

    measure: Measure | None
    """The measure of the system, None for a system without one."""

    def of_variations(self, sources: Ints) -> NDArray[np.float64]:
        """Return the unfairness of n variations in percent, (n,), by their sources (n, m + 1).

        It is 0 without a measure.
        """
        if self.measure is None:
            return np.zeros(len(sources))
        return self.measure.of(self._batch(sources))

    def _batch(self, sources: Ints) -> Batch:
        """Return n variations as a batch of maps."""
        original = self.original
        system = original.base.system
        inner_sources = sources[:, :-1]  # without the last column, which is everything off the map
        hexsides = None
        if original.hexsides is not None:
            hexsides = original.hexsides.for_variations(sources).astype(np.uint8)
        batch = batch_of(system, original.base.grid, original.base.composite)
        start = None
        if batch.start is not None:
            start = batch.start[:, original.cells].repeat(len(sources), axis=0)
        return replace(
            batch,
            numbers=np.arange(len(sources), dtype=np.uint64),
            cells=original.cells,
            terrain=original.cell_values(system.terrain)[inner_sources],
            elevation=original.cell_values(system.elevation)[inner_sources],
            hexside=hexsides,
            failed=np.zeros(len(sources), np.bool_),
            start=start,
        )
