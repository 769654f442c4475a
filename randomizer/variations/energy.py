"""The energy of variations: it is low if they look as the original does, but differ from others.

*Features* are what the look of a map is made of, as numbers that can be counted: pairs of
neighbours by terrain, pairs by elevation, cells by how many neighbours are like them. A feature
that a variation has more or less often than the original costs energy, and so does each cell that
must still come to differ from another map. ``Annealing`` lowers the energy; begin with
``Energy.of``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from randomizer.variations.original import Ints, Original

# The energy of a pair of neighbours that is there once too often, or too seldom, is 1.

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


@dataclass(frozen=True, eq=False)
class Energy:
    """The energy of variations in which at least ``least`` cells differ from each other map."""

    original: Original
    least: int

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        """The number of the first feature of each kind, and the number of features.

        The kinds are pairs of terrains, pairs of elevations, neighbours of the same terrain, and
        neighbours that are open or closed alike.
        """
        terrain_count = len(self.original.terrains[0])
        level_count = len(self.original.levels[0])
        degree = self.original.around.shape[1]
        sizes = (
            terrain_count * (terrain_count + 1),
            level_count * (level_count + 1),
            terrain_count * (degree + 1),
            2 * (degree + 1),
        )
        return (0, *np.cumsum(sizes).tolist())

    def features(self, sources: Ints, row: Ints, region: Ints) -> Ints:
        """Return how often each feature is in regions (k, l) of maps: (k, features).

        ``row`` (k, 1) says which of the maps in ``sources`` (n, m + 1) each region is of. Features
        are pairs of neighbours by terrain, pairs by elevation, for each terrain how many neighbours
        have it too, and the same for open and closed cells. In pairs what is off the map is a
        terrain and an elevation, else it is like the cell.
        """
        # Each cell has 2 * degree + 2 features: numbers, all counted by one ``bincount``. Flat
        # ``take`` instead of indexing, and sums written into one array: this is where most of the
        # time of all chains is spent.
        original = self.original
        degree = original.around.shape[1]
        terrains = original.terrains[1]
        levels = original.levels[1]
        _, first_level_pair, first_clump, first_open, feature_count = self._starts
        row_starts = row * sources.shape[1]
        cell_sources = sources.take(region + row_starts)[..., None]
        neighbours = original.around.take(region, axis=0)
        neighbour_sources = sources.take(neighbours + row_starts[:, :, None])
        off_map = neighbour_sources == len(original.cells)
        terrain = terrains.take(cell_sources)
        neighbour_terrain = terrains.take(neighbour_sources)
        is_open = original.open.take(cell_sources)
        numbers = np.empty((*region.shape, 2 * degree + 2), np.intp)
        np.add(terrain * (int(terrains[-1]) + 1), neighbour_terrain, out=numbers[..., :degree])
        level_rows = first_level_pair + levels.take(cell_sources) * (int(levels[-1]) + 1)
        np.add(level_rows, levels.take(neighbour_sources), out=numbers[..., degree:-2])
        alike = ((terrain == neighbour_terrain) | off_map).sum(axis=2)
        numbers[..., -2] = first_clump + terrain[..., 0] * (degree + 1) + alike
        alike = ((is_open == original.open.take(neighbour_sources)) | off_map).sum(axis=2)
        numbers[..., -1] = first_open + is_open[..., 0] * (degree + 1) + alike
        # Cells of a region that are off the map count into one column more, which is cut off.
        numbers[region == len(original.cells)] = feature_count
        columns = feature_count + 1
        numbers += np.arange(0, len(region) * columns, columns)[:, None, None]
        counts = np.bincount(numbers.ravel(), minlength=len(region) * columns)
        features: Ints = counts.reshape(len(region), columns)[:, :-1]
        return features

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

        Column 0: for each that is there too often or too seldom. The others, only for those that
        are there too often: deep steps, steps deeper than any on the original, and lone cells.
        """
        _, first_level_pair, first_clump, first_open, feature_count = self._starts
        terrain_count = len(self.original.terrains[0])
        heights = self.original.levels[0]
        degree = self.original.around.shape[1]
        deepest_step = self.original.steps(self.original.itself)[0, 1]
        weights = np.zeros((feature_count, 4))
        weights[:, 0] = 0.5  # half of 1: a pair counts from both its cells
        # The last column of the pairs is "off the map".
        terrain_pairs = weights[:first_level_pair, 0].reshape(terrain_count, -1)
        terrain_pairs[:, -1] = OUTLINE
        level_pairs = weights[first_level_pair:first_clump].reshape(len(heights), -1, 4)
        level_pairs[:, -1, 0] = OUTLINE
        drops = np.abs(heights[:, None] - heights)
        level_pairs[:, :-1, 1] = DEEP / 2 * (drops > 1)
        level_pairs[:, :-1, 2] = DEEPER / 2 * (drops > deepest_step)
        # A closed cell with no closed neighbour, and an open one with no open neighbour.
        weights[[first_open, first_open + degree + 1], 3] = ALONE
        return weights

    def of(self, counts: Ints, changed: Ints) -> NDArray[np.float64]:
        """Return the energies (n,) of variations.

        ``counts`` (n, features) says how often each feature is on them, ``changed`` (n, a) how many
        of their cells look different on each of the other maps, the first of which is the original.
        """
        differences = counts - self.goal
        energy = np.abs(differences) @ self._weights[:, 0]
        energy += np.maximum(differences @ self._weights[:, 1:], 0).sum(axis=1)
        missing = np.maximum(self.least - changed, 0).sum(axis=1)
        # Column 0 is the original: only from it a variation can differ too much.
        changed_limit = self.least + SPARE * len(self.original.cells)
        too_many = np.maximum(changed[:, 0] - changed_limit, 0)
        energy += TOO_FEW * missing + TOO_MANY * too_many
        return np.asarray(energy)
