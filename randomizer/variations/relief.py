"""The relief of variations of a map, which must not be more rugged than that of the map.

Numbers of cells and sources are those of ``original.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from randomizer.variations.connected_areas import area_counts, area_labels
from randomizer.variations.original import Ints, Marks, Original

DEEP_DROP = 2
"""The elevations from one cell down to a neighbour from which on the drop is deep: a cliff."""

MAX_LEVELS = 4
"""Maps of at most so many elevations keep the number of areas from each elevation up.

With more, maps of rich relief would hardly have a variation.
"""


class Drops(NamedTuple):
    """The drops between neighbours on n maps."""

    deep_count: Ints
    """The number of drops of two elevations or more, each seen from both its cells, (n,)."""

    deepest: Ints
    """The deepest drop, in elevations, (n,)."""


@dataclass(frozen=True, eq=False)
class Relief:
    """The relief of variations of a map."""

    original: Original

    def is_kept(self, sources: Ints) -> Marks:
        """Return for each variation whether it has no more high areas and deep drops, (n,)."""
        drops = self.drops(sources)
        drops_of_original = self.drops_of_original
        are_areas_kept = (self._high_areas(sources) <= self._high_areas_of_original).all(axis=1)
        are_drops_kept = (drops.deep_count <= drops_of_original.deep_count) & (
            drops.deepest <= drops_of_original.deepest
        )
        return np.asarray(are_areas_kept & are_drops_kept)

    def drops(self, sources: Ints) -> Drops:
        """Return the drops on variations, by their sources (n, m + 1)."""
        original = self.original
        neighbours = original.neighbours[:-1]
        height_off_map = 0  # any number, since the drops to it are cleared below
        heights_of_levels = np.append(original.levels.values, height_off_map)
        heights = heights_of_levels[original.levels.of_cells][sources]
        drop_by_side = np.abs(heights[:, :-1, None] - heights[:, neighbours])
        drop_by_side[:, neighbours == len(original.cells)] = 0  # there is no drop off the map
        is_deep = drop_by_side >= DEEP_DROP
        return Drops(deep_count=is_deep.sum(axis=(1, 2)), deepest=drop_by_side.max(axis=(1, 2)))

    @cached_property
    def drops_of_original(self) -> Drops:
        """The drops on the original; the arrays have one element."""
        return self.drops(self.original.itself)

    def _high_areas(self, sources: Ints) -> Ints:
        """Return the number of areas from each elevation but the lowest one up: (n, levels - 1).

        On maps of more than ``MAX_LEVELS`` none is counted: (n, 0).
        """
        level_count = len(self.original.levels.values)
        if level_count > MAX_LEVELS:
            return np.zeros((len(sources), 0), np.intp)
        levels = self.original.levels.of_cells[sources]
        is_on_map = levels < level_count
        counts = []
        for lowest_level in range(1, level_count):
            is_high = is_on_map & (levels >= lowest_level)
            counts.append(area_counts(area_labels(is_high, self.original.neighbours)))
        return np.array(counts, np.intp).reshape(-1, len(sources)).T

    @cached_property
    def _high_areas_of_original(self) -> Ints:
        return self._high_areas(self.original.itself)
