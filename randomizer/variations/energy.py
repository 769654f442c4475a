"""The energy of variations: it is low if they look as the original does, but differ from others.

A *variation* of a map has the same cells in another arrangement (``original.py``). Its look is made
of *features* (``features.py``), for example "a wood beside a meadow". A feature that a variation
has more or less often than the original costs energy, and so does each cell that must still come
to differ from another map::

    energy = Energy(original, required_changes=40)
    counts = energy.features.count(sources, regions)     # of features, (variations, features)
    energy.of_variations(counts, changed)                # [12.5, 80.0]

``Annealing`` lowers the energy.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.variations.features import FeatureCounter
from randomizer.variations.original import Ints, Original
from randomizer.variations.relief import DEEP_DROP, Relief

# The unit of energy is that of a pair of neighbours that is there once too often, or too seldom.

MISSING_CHANGE_ENERGY = 5.0
"""The energy of each cell by which a variation is still too much like another map."""

SURPLUS_CHANGE_ENERGY = 1.5
"""The energy of each cell by which a variation differs from the original too much.

Too much is what exceeds the required changes and the share ``SPARE_CHANGES`` of the map together.
"""

DEEP_STEP_ENERGY = 8.0
"""The energy of an edge with a drop of two elevations or more that the original does not have."""

ALONE_ENERGY = 3.0
"""The energy of an open cell without open neighbours, or a closed one without closed neighbours.

Open cells are those that creatures can enter on foot.
"""

DEEPER_STEP_ENERGY = 1000.0
"""The energy of an edge with a drop deeper than any on the original.

So large that no move that makes one is accepted. With less, one of them would be left somewhere on
a large map, and the whole variation thrown away.
"""

OUTLINE_ENERGY = 0.1
"""The energy of a terrain or elevation that is at an edge of the map once too often or too seldom.
"""

SPARE_CHANGES = 0.15
"""The share of the map in which a variation may differ beyond the required changes."""


class _Weights(NamedTuple):
    """The energy that each feature costs, (features,), by what can be wrong with it."""

    miscounted: NDArray[np.float64]
    """That of the feature once too often, or too seldom, than on the original."""

    deep_step: NDArray[np.float64]
    """That of a pair of elevations two or more apart; 0 for other features."""

    deeper_step: NDArray[np.float64]
    """That of a pair of elevations farther apart than any of the original; 0 for others."""

    alone: NDArray[np.float64]
    """That of a cell with no neighbour of its own openness; 0 for other features."""


@dataclass(frozen=True, eq=False)
class Energy:
    """The energy of variations of a map."""

    original: Original
    """The map of which they are variations."""

    required_changes: int
    """The number of cells in which a variation must differ from each of the other maps."""

    @cached_property
    def features(self) -> FeatureCounter:
        """Counts the features of variations."""
        return FeatureCounter(self.original)

    def of_variations(self, counts: Ints, changed: Ints) -> NDArray[np.float64]:
        """Return the energies of variations, (n,).

        ``counts`` (n, features) are the numbers of their features. ``changed`` (n, others) are
        the numbers of cells that look different on each of the other maps, of which the first is
        the original.
        """
        return (
            self._of_look(counts)
            + self._of_missing_changes(changed)
            + self._of_surplus_changes(changed[:, 0])
        )

    def _of_look(self, counts: Ints) -> NDArray[np.float64]:
        """Return the energies, (n,), of features that are there too often or too seldom.

        A feature that is miscounted costs by itself. Of deep steps and lone cells the surpluses of
        all features are added up first: one deep step less makes up for one more elsewhere.
        """
        weights = self._weights
        differences = counts - self.features.goal
        energy = np.abs(differences) @ weights.miscounted
        for weights_of_surplus in (weights.deep_step, weights.deeper_step, weights.alone):
            energy += np.maximum(differences @ weights_of_surplus, 0)
        return np.asarray(energy)

    def _of_missing_changes(self, changed: Ints) -> NDArray[np.float64]:
        """Return the energies, (n,), of cells that have still to differ from other maps."""
        missing = np.maximum(self.required_changes - changed, 0)  # (n, others)
        return np.asarray(MISSING_CHANGE_ENERGY * missing.sum(axis=1))

    def _of_surplus_changes(self, changed_from_original: Ints) -> NDArray[np.float64]:
        """Return the energies, (n,), of cells that differ from the original beyond the limit.

        Only from the original a variation can differ too much: it is to be recognised as one of it.
        """
        limit = self.required_changes + SPARE_CHANGES * len(self.original.cells)
        return np.asarray(SURPLUS_CHANGE_ENERGY * np.maximum(changed_from_original - limit, 0))

    @cached_property
    def _weights(self) -> _Weights:
        """The energy that each feature costs."""
        tables = self.features.tables
        heights = self.original.levels.values

        # A pair within the map is counted from both of its cells: if it is there once too often,
        # two counts are 1 too high, and each costs half the unit. Where a cell in a clump gets a
        # neighbour more like it, one feature is there once less and another once more: again two
        # counts, of half the unit each.
        miscounted = np.full(tables.total, 0.5)
        tables.terrain_pairs.part_of(miscounted)[:, -1] = OUTLINE_ENERGY  # with off the map
        tables.level_pairs.part_of(miscounted)[:, -1] = OUTLINE_ENERGY

        # Again halves: a step is a pair in both directions. Off the map there are no steps.
        drops = np.abs(heights[:, None] - heights)
        deep_step = np.zeros(tables.total)
        tables.level_pairs.part_of(deep_step)[:, :-1] = DEEP_STEP_ENERGY / 2 * (drops >= DEEP_DROP)
        deepest_drop = Relief(self.original).drops_of_original.deepest
        is_deeper = drops > deepest_drop
        deeper_step = np.zeros(tables.total)
        tables.level_pairs.part_of(deeper_step)[:, :-1] = DEEPER_STEP_ENERGY / 2 * is_deeper

        # A closed cell with 0 closed neighbours, and an open one with 0 open neighbours.
        alone = np.zeros(tables.total)
        tables.openness.part_of(alone)[:, 0] = ALONE_ENERGY
        return _Weights(miscounted, deep_step, deeper_step, alone)
