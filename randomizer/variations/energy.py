"""The energy of variations: it is low if they look as the original does, but differ from others.

A *variation* of a map has the same cells in another arrangement: ``sources`` says from which cell
of the original the content of each cell came (``original.py``). Cells are numbered 0 .. m-1; m
stands for everything off the map.

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
from randomizer.variations.relief import DEEP_DROP, Relief

# The unit of energy is that of a pair of neighbours that is there once too often, or too seldom.

TOO_FEW = 5.0
"""The energy of each cell by which a variation is still too much like another map."""

TOO_MANY = 1.5
"""The energy of each cell by which a variation differs from the original too much.

That is more than the required changes and ``SPARE``.
"""

DEEP = 8.0
"""The energy of an edge with a drop of two elevations or more that the original does not have."""

ALONE = 3.0
"""The energy of an open cell without open neighbours, or a closed one without closed neighbours.

Open cells are those that creatures can enter on foot.
"""

DEEPER = 1000.0
"""The energy of an edge with a drop deeper than any on the original: no move makes one.

With less, one of them would be left somewhere on a large map, and the whole variation thrown away.
"""

OUTLINE = 0.1
"""The energy of a terrain or elevation that is at an edge of the map once too often or too seldom.
"""

SPARE = 0.15
"""The share of the map in which a variation may differ beyond the required changes."""


# The columns of ``Energy._weights``: each is for one thing that can be wrong with a feature.

_MISCOUNTED = 0
"""The feature is there too often or too seldom.

Of each of the other columns the surplus of all features is added up, and costs if it is above 0:
one deep step less makes up for one more elsewhere.
"""

_DEEP_STEP = 1
"""The feature is a pair of elevations two or more apart."""

_DEEPER_STEP = 2
"""The feature is a pair of elevations farther apart than any pair of the original."""

_ALONE = 3
"""The feature is a cell with no neighbour of its own openness."""

_COLUMN_COUNT = 4
"""The number of these columns."""


class _FeatureOffsets(NamedTuple):
    """The number of the first feature of each kind.

    Pairs of terrains come first, from 0: the pair (a, b) has the number a * (terrains + 1) + b, and
    the last b means "off the map". Pairs of elevations are numbered likewise. The features of
    clumps are, for each terrain, that a cell has 0, 1, ... neighbours of its own terrain, up to the
    number of sides of a cell; those of openness are the same for closed and for open cells.
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
    """The energy of variations of a map."""

    original: Original
    """The map of which they are variations."""

    required_changes: int
    """The number of cells in which a variation must differ from each of the other maps."""

    @cached_property
    def _offsets(self) -> _FeatureOffsets:
        """The number of the first feature of each kind on the original."""
        terrain_count = len(self.original.terrains.values)
        level_count = len(self.original.levels.values)
        degree = self.original.neighbours.shape[1]
        level_pairs = terrain_count * (terrain_count + 1)
        clumps = level_pairs + level_count * (level_count + 1)
        openness = clumps + terrain_count * (degree + 1)
        return _FeatureOffsets(level_pairs, clumps, openness, total=openness + 2 * (degree + 1))

    def features(self, sources: Ints, map_of_region: Ints, region: Ints) -> Ints:
        """Return how often each feature is in regions of maps: (k, features).

        ``sources`` (n, m + 1) are the maps, ``region`` (k, l) the l cells of each region,
        ``map_of_region`` (k, 1) the index of the map that each region is of. In pairs of
        neighbours, off the map is a terrain and an elevation of its own. As a neighbour in a clump
        it is like the cell itself.
        """
        numbers = self._feature_numbers_of(sources, map_of_region, region)

        # One ``bincount`` counts the features of all regions: each region has a row of numbers of
        # its own. Cells of a region that are off the map count in an additional last column, which
        # is dropped.
        feature_count = self._offsets.total
        columns = feature_count + 1
        numbers[region == len(self.original.cells)] = feature_count
        numbers += np.arange(0, len(region) * columns, columns)[:, None, None]
        counts = np.bincount(numbers.ravel(), minlength=len(region) * columns)
        features: Ints = counts.reshape(len(region), columns)[:, :-1]
        return features

    def _feature_numbers_of(self, sources: Ints, map_of_region: Ints, region: Ints) -> Ints:
        """Return the numbers of the features of each cell of regions, (k, l, 2 * degree + 2).

        A cell has a pair of terrains and a pair of elevations at each side, one feature of clumps
        and one of openness, in this order. The parameters are those of ``features``.

        Most of the time of a search is spent here. Therefore cells are looked up by flat ``take``,
        which is faster than indexing, and sums are written into one array.
        """
        original = self.original
        offsets = self._offsets
        degree = original.neighbours.shape[1]
        terrains = original.terrains.of_cells
        levels = original.levels.of_cells
        # The result, and views of its columns for each kind of feature.
        numbers = np.empty((*region.shape, 2 * degree + 2), np.intp)
        terrain_pairs = numbers[..., :degree]
        level_pairs = numbers[..., degree : 2 * degree]
        clumps = numbers[..., 2 * degree]
        openness = numbers[..., 2 * degree + 1]

        # The cell of the original from which each cell of the regions, and each neighbour, came:
        # (k, l, 1) and (k, l, degree). ``map_starts`` are the flat indices of the first cells.
        map_starts = map_of_region * sources.shape[1]
        cell_sources = sources.take(region + map_starts)[..., None]
        neighbours = original.neighbours.take(region, axis=0)
        neighbour_sources = sources.take(neighbours + map_starts[:, :, None])

        # Pairs of terrains, and of elevations, with one more of each for everything off the map.
        terrain = terrains.take(cell_sources)
        neighbour_terrain = terrains.take(neighbour_sources)
        terrains_and_off_map = len(original.terrains.values) + 1
        np.add(terrain * terrains_and_off_map, neighbour_terrain, out=terrain_pairs)
        levels_and_off_map = len(original.levels.values) + 1
        first_of_level = offsets.level_pairs + levels.take(cell_sources) * levels_and_off_map
        np.add(first_of_level, levels.take(neighbour_sources), out=level_pairs)

        # Clumps and openness: the number of neighbours that are like the cell.
        is_off_map = neighbour_sources == len(original.cells)
        like_terrain = ((terrain == neighbour_terrain) | is_off_map).sum(axis=2)
        clumps[:] = offsets.clumps + terrain[..., 0] * (degree + 1) + like_terrain
        is_open = original.is_open.take(cell_sources)
        is_neighbour_open = original.is_open.take(neighbour_sources)
        like_openness = ((is_open == is_neighbour_open) | is_off_map).sum(axis=2)
        openness[:] = offsets.openness + is_open[..., 0] * (degree + 1) + like_openness
        return numbers

    @cached_property
    def goal(self) -> Ints:
        """The number of times that each feature is on the original, (features,)."""
        all_cells = np.arange(len(self.original.cells))[None]
        only_map = np.zeros((1, 1), np.intp)
        goal: Ints = self.features(self.original.itself, only_map, all_cells)[0]
        return goal

    @cached_property
    def _weights(self) -> NDArray[np.float64]:
        """The energy that each feature costs, by what is wrong with it.

        Shape (features, ``_COLUMN_COUNT``).
        """
        offsets = self._offsets
        terrain_count = len(self.original.terrains.values)
        heights = self.original.levels.values
        degree = self.original.neighbours.shape[1]
        deepest_drop = Relief(self.original).drops_of_original.deepest
        weights = np.zeros((offsets.total, _COLUMN_COUNT))
        # A pair within the map is counted twice, from both its cells: hence halves, here and below.
        weights[:, _MISCOUNTED] = 0.5
        # Pairs as tables: a row for the cell, a column for the neighbour, the last for off the map.
        # They are views, so that writing into them changes ``weights``.
        terrain_pairs = weights[: offsets.level_pairs, _MISCOUNTED].reshape(terrain_count, -1)
        terrain_pairs[:, -1] = OUTLINE
        level_weights = weights[offsets.level_pairs : offsets.clumps]
        level_pairs = level_weights.reshape(len(heights), -1, _COLUMN_COUNT)
        level_pairs[:, -1, _MISCOUNTED] = OUTLINE
        drops = np.abs(heights[:, None] - heights)
        level_pairs[:, :-1, _DEEP_STEP] = DEEP / 2 * (drops >= DEEP_DROP)
        level_pairs[:, :-1, _DEEPER_STEP] = DEEPER / 2 * (drops > deepest_drop)
        # The first features of openness: a closed cell with 0 closed neighbours, and an open one
        # with 0 open neighbours.
        lone_cells = [offsets.openness, offsets.openness + degree + 1]
        weights[lone_cells, _ALONE] = ALONE
        return weights

    def of(self, counts: Ints, changed: Ints) -> NDArray[np.float64]:
        """Return the energies of variations, (n,).

        ``counts`` (n, features) are the numbers of their features. ``changed`` (n, a) are the
        numbers of cells that look different on each of a other maps, of which the first is the
        original.
        """
        # The look: features that are there too often or too seldom.
        differences = counts - self.goal
        energy = np.abs(differences) @ self._weights[:, _MISCOUNTED]
        energy += np.maximum(differences @ self._weights[:, _DEEP_STEP:], 0).sum(axis=1)

        # The difference from other maps. Only from the original it can be too large.
        missing_changes = np.maximum(self.required_changes - changed, 0).sum(axis=1)
        changed_limit = self.required_changes + SPARE * len(self.original.cells)
        changed_from_original = changed[:, 0]
        surplus_changes = np.maximum(changed_from_original - changed_limit, 0)
        energy += TOO_FEW * missing_changes + TOO_MANY * surplus_changes
        return np.asarray(energy)
