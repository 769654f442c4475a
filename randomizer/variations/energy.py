"""The energy of variations: it is low if they look as the original does, but differ from others.

*Features* are what the look of a map is made of, as numbers that can be counted: pairs of
neighbours by terrain, pairs by elevation, cells by how many neighbours are like them. For example
"a wood beside a meadow" is one feature, "a wood with two neighbours of wood" another. A feature
that a variation has more or less often than the original costs energy, and so does each cell that
must still come to differ from another map. ``Annealing`` lowers the energy; begin with
``Energy.of``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.variations.original import Ints, Original

# The unit of energy is that of a pair of neighbours that is there once too often, or too seldom.

TOO_FEW = 5.0
"""The energy of each cell that must still come to differ from another map."""

TOO_MANY = 1.5
"""The energy of each cell that differs from the original beyond what is asked for and spared."""

DEEP = 8.0
"""The energy of a step of two elevations or more that the original has not."""

ALONE = 3.0
"""The energy of an open cell without open neighbours, or a closed one without closed neighbours."""

DEEPER = 1000.0
"""The energy of a step that is deeper than any on the original: no move makes one.

With less, one of them would be left somewhere on a large map, and the whole variation thrown away.
"""

OUTLINE = 0.1
"""The energy of a terrain or elevation that is once too often at an edge of the map."""

SPARE = 0.15
"""The share of the map in which a variation may differ beyond what is asked for."""


class _FeatureNumbers(NamedTuple):
    """The number of the first feature of each kind; those of pairs of terrains begin at 0.

    A pair of terrains (a, b) is a * (number of terrains + 1) + b, where the last b is "off the
    map"; pairs of elevations likewise. The features of clumps count for each terrain how many
    neighbours have it too, 0 to the degree of the grid; those of openness the same for closed cells
    (0) and open ones (1).
    """

    level_pairs: int
    """The first pair of elevations."""
    clumps: int
    """The first feature of clumps."""
    openness: int
    """The first feature of openness."""
    total: int
    """The number of all features."""


@dataclass(frozen=True, eq=False)
class Energy:
    """The energy of variations in which at least ``required_changes`` cells differ from each of the
    other maps.
    """

    original: Original
    required_changes: int

    @cached_property
    def _numbers(self) -> _FeatureNumbers:
        """The numbers of the features of the original."""
        terrain_count = len(self.original.terrains[0])
        level_count = len(self.original.levels[0])
        degree = self.original.neighbours.shape[1]
        level_pairs = terrain_count * (terrain_count + 1)
        clumps = level_pairs + level_count * (level_count + 1)
        openness = clumps + terrain_count * (degree + 1)
        return _FeatureNumbers(level_pairs, clumps, openness, total=openness + 2 * (degree + 1))

    def features(self, sources: Ints, row: Ints, region: Ints) -> Ints:
        """Return how often each feature is in regions (k, l) of maps: (k, features).

        ``row`` (k, 1) says which of the maps in ``sources`` (n, m + 1) each region is of. In pairs
        what is off the map is a terrain and an elevation, else it is like the cell.
        """
        numbers = self._feature_numbers_of(sources, row, region)

        # All are counted by one ``bincount``: each region has a row of numbers of its own. Cells of
        # a region that are off the map count into one column more, which is cut off.
        feature_count = self._numbers.total
        columns = feature_count + 1
        numbers[region == len(self.original.cells)] = feature_count
        numbers += np.arange(0, len(region) * columns, columns)[:, None, None]
        counts = np.bincount(numbers.ravel(), minlength=len(region) * columns)
        features: Ints = counts.reshape(len(region), columns)[:, :-1]
        return features

    def _feature_numbers_of(self, sources: Ints, row: Ints, region: Ints) -> Ints:
        """Return the numbers of the features of each cell of regions, (k, l, 2 * degree + 2).

        A cell has a pair of terrains and a pair of elevations at each side, one feature of clumps
        and one of openness. The parameters are those of ``features``. Flat ``take`` instead of
        indexing, and sums written into one array: this is where most of the time of all chains is
        spent.
        """
        original = self.original
        first = self._numbers
        degree = original.neighbours.shape[1]
        terrains = original.terrains[1]
        levels = original.levels[1]
        numbers = np.empty((*region.shape, 2 * degree + 2), np.intp)

        # From which cell of the original each cell of the regions, and each neighbour, came.
        row_starts = row * sources.shape[1]
        cell_sources = sources.take(region + row_starts)[..., None]
        neighbours = original.neighbours.take(region, axis=0)
        neighbour_sources = sources.take(neighbours + row_starts[:, :, None])

        # Pairs: the last terrain and the last level are those of cells off the map.
        terrain = terrains.take(cell_sources)
        neighbour_terrain = terrains.take(neighbour_sources)
        np.add(terrain * (int(terrains[-1]) + 1), neighbour_terrain, out=numbers[..., :degree])
        level_rows = first.level_pairs + levels.take(cell_sources) * (int(levels[-1]) + 1)
        np.add(level_rows, levels.take(neighbour_sources), out=numbers[..., degree:-2])

        # Cells by the number of neighbours like them.
        is_off_map = neighbour_sources == len(original.cells)
        like_terrain = ((terrain == neighbour_terrain) | is_off_map).sum(axis=2)
        numbers[..., -2] = first.clumps + terrain[..., 0] * (degree + 1) + like_terrain
        is_open = original.open.take(cell_sources)
        is_neighbour_open = original.open.take(neighbour_sources)
        like_openness = ((is_open == is_neighbour_open) | is_off_map).sum(axis=2)
        numbers[..., -1] = first.openness + is_open[..., 0] * (degree + 1) + like_openness
        return numbers

    @cached_property
    def goal(self) -> Ints:
        """How often each feature is on the original, (features,)."""
        cell_count = len(self.original.cells)
        itself = np.arange(cell_count + 1)[None]
        all_cells = np.arange(cell_count)[None]
        goal: Ints = self.features(itself, np.zeros((1, 1), np.intp), all_cells)[0]
        return goal

    @cached_property
    def _weights(self) -> NDArray[np.float64]:
        """The energies of features, (features, 4).

        Column 0 is for features that are there too often or too seldom. The others are only for
        those that are there too often: deep steps in column 1, steps deeper than any on the
        original in column 2, and lone cells in column 3.
        """
        first = self._numbers
        terrain_count = len(self.original.terrains[0])
        heights = self.original.levels[0]
        degree = self.original.neighbours.shape[1]
        deepest_step = self.original.steps(self.original.itself)[0, 1]
        weights = np.zeros((first.total, 4))
        weights[:, 0] = 0.5  # half of 1: a pair counts from both its cells
        # The last column of the pairs is "off the map".
        terrain_pairs = weights[: first.level_pairs, 0].reshape(terrain_count, -1)
        terrain_pairs[:, -1] = OUTLINE
        level_pairs = weights[first.level_pairs : first.clumps].reshape(len(heights), -1, 4)
        level_pairs[:, -1, 0] = OUTLINE
        drops = np.abs(heights[:, None] - heights)
        level_pairs[:, :-1, 1] = DEEP / 2 * (drops > 1)
        level_pairs[:, :-1, 2] = DEEPER / 2 * (drops > deepest_step)
        # A closed cell with no closed neighbour, and an open one with no open neighbour.
        weights[[first.openness, first.openness + degree + 1], 3] = ALONE
        return weights

    def of(self, counts: Ints, changed: Ints) -> NDArray[np.float64]:
        """Return the energies (n,) of variations.

        ``counts`` (n, features) says how often each feature is on them, ``changed`` (n, a) how many
        of their cells look different on each of the other maps, the first of which is the original.
        """
        differences = counts - self.goal
        energy = np.abs(differences) @ self._weights[:, 0]
        energy += np.maximum(differences @ self._weights[:, 1:], 0).sum(axis=1)
        missing = np.maximum(self.required_changes - changed, 0).sum(axis=1)
        # Column 0 is the original: only from it a variation can differ too much.
        changed_limit = self.required_changes + SPARE * len(self.original.cells)
        too_many = np.maximum(changed[:, 0] - changed_limit, 0)
        energy += TOO_FEW * missing + TOO_MANY * too_many
        return np.asarray(energy)
