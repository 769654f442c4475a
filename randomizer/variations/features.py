"""Counts the features of maps: what the look of a map is made of.

*Features* are what can be counted about the cells of a map and their neighbours. There are four
kinds of them, for example on this map of 2 x 2 squares, a wood (w) beside three meadows (m)::

    w m      terrain pairs   (w, m) 2 times, (m, w) 2, (m, m) 4, and (w, off the map) 2 ...
    m m      level pairs     the same of elevations
             clumps          a wood with 2 neighbours like it (those off the map): 1 time ...
             openness        the same of open and closed cells

A pair is counted from both of its cells. Off the map is a terrain and an elevation of its own in
pairs; in clumps and openness it counts as like the cell.

    counter = FeatureCounter(original)
    counter.count(sources, map_of_region, region)        # (regions, features)

``sources`` are variations of a map, as in ``original.py``: cells are numbered 0 .. m-1, and m
stands for everything off the map.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from randomizer.variations.original import Ints, Marks, Original


@dataclass(frozen=True)
class FeatureNumbers:
    """The numbers of all features, kind after kind.

    With 3 terrains, 2 elevations and 4 sides the terrain pairs have the numbers 0 to 11, the level
    pairs 12 to 17, clumps 18 to 32, openness 33 to 42.
    """

    terrain_count: int
    """The number of terrains on the map; off the map has this as its number in a pair."""

    level_count: int
    """The number of elevations on the map; off the map has this as its number in a pair."""

    degree: int
    """The number of sides of a cell."""

    @property
    def first_level_pair(self) -> int:
        """The number of the first level pair, behind all terrain pairs."""
        return self.terrain_count * (self.terrain_count + 1)

    @property
    def first_clump(self) -> int:
        """The number of the first feature of clumps."""
        return self.first_level_pair + self.level_count * (self.level_count + 1)

    @property
    def first_openness(self) -> int:
        """The number of the first feature of openness."""
        return self.first_clump + self.terrain_count * (self.degree + 1)

    @property
    def total(self) -> int:
        """The number of all features."""
        return self.first_openness + 2 * (self.degree + 1)

    # Arrays are written to ``out``: a new array for each kind would take longer than the sums.

    def write_terrain_pairs(self, terrains: Ints, neighbour_terrains: Ints, out: Ints) -> None:
        """Write the numbers of pairs of terrains, each given by its number on the map."""
        np.add(terrains * (self.terrain_count + 1), neighbour_terrains, out=out)

    def write_level_pairs(self, levels: Ints, neighbour_levels: Ints, out: Ints) -> None:
        """Write the numbers of pairs of elevations, each given by its number on the map."""
        first_of_levels = self.first_level_pair + levels * (self.level_count + 1)
        np.add(first_of_levels, neighbour_levels, out=out)

    def write_clumps(self, terrains: Ints, like_counts: Ints, out: Ints) -> None:
        """Write the numbers for cells with so many neighbours of the same terrain."""
        np.add(self.first_clump + terrains * (self.degree + 1), like_counts, out=out)

    def openness(self, is_open: bool, like_count: int) -> int:
        """Return the number for an open, or closed, cell with so many neighbours like it."""
        return self.first_openness + int(is_open) * (self.degree + 1) + like_count

    def write_openness(self, is_open: Marks, like_counts: Ints, out: Ints) -> None:
        """Write the numbers of ``openness`` for many cells."""
        np.add(self.first_openness + is_open * (self.degree + 1), like_counts, out=out)


@dataclass(frozen=True, eq=False)
class FeatureCounter:
    """Counts the features of variations of a map."""

    original: Original
    """The map of which they are variations."""

    @cached_property
    def numbers(self) -> FeatureNumbers:
        """The numbers of the features."""
        return FeatureNumbers(
            terrain_count=len(self.original.terrains.values),
            level_count=len(self.original.levels.values),
            degree=self.original.neighbours.shape[1],
        )

    @cached_property
    def goal(self) -> Ints:
        """The number of times that each feature is on the original, (features,)."""
        all_cells = np.arange(len(self.original.cells))[None]
        only_map = np.zeros((1, 1), np.intp)
        goal: Ints = self.count(self.original.itself, only_map, all_cells)[0]
        return goal

    def count(self, sources: Ints, map_of_region: Ints, region: Ints) -> Ints:
        """Return how often each feature is in regions of maps: (k, features).

        ``sources`` (n, m + 1) are the maps, ``region`` (k, l) the l cells of each region, which can
        be m for none, ``map_of_region`` (k, 1) the index of the map that each region is of. The
        features of a cell count where the cell is in the region, wherever its neighbours are::

            counter.count(sources, [[0], [5]], [[3, 4], [3, 4]])   # cells 3 and 4 of two maps
        """
        feature_numbers = self._numbers_of_cells(sources, map_of_region, region)

        # One ``bincount`` counts the features of all regions: each region has a row of numbers of
        # its own. Cells of a region that are off the map count in an additional last column, which
        # is dropped.
        feature_count = self.numbers.total
        columns = feature_count + 1
        feature_numbers[region == len(self.original.cells)] = feature_count
        feature_numbers += np.arange(0, len(region) * columns, columns)[:, None, None]
        counts = np.bincount(feature_numbers.ravel(), minlength=len(region) * columns)
        features: Ints = counts.reshape(len(region), columns)[:, :-1]
        return features

    def _numbers_of_cells(self, sources: Ints, map_of_region: Ints, region: Ints) -> Ints:
        """Return the numbers of the features of each cell of regions, (k, l, 2 * degree + 2).

        A cell has a terrain pair and a level pair at each side, one feature of clumps and one of
        openness, in this order. The parameters are those of ``count``.

        Most of the time of a search is spent here. Therefore cells are looked up by flat ``take``,
        which is faster than indexing, and sums are written into one array.
        """
        original = self.original
        numbers = self.numbers
        degree = numbers.degree
        result = np.empty((*region.shape, 2 * degree + 2), np.intp)

        # The cell of the original from which each cell of the regions, and each neighbour, came:
        # (k, l, 1) and (k, l, degree). ``map_starts`` are the flat indices of the first cells.
        map_starts = map_of_region * sources.shape[1]
        cell_sources = sources.take(region + map_starts)[..., None]
        neighbours = original.neighbours.take(region, axis=0)
        neighbour_sources = sources.take(neighbours + map_starts[:, :, None])

        # Pairs, at each side.
        terrains = original.terrains.of_cells.take(cell_sources)
        neighbour_terrains = original.terrains.of_cells.take(neighbour_sources)
        numbers.write_terrain_pairs(terrains, neighbour_terrains, out=result[..., :degree])
        levels = original.levels.of_cells.take(cell_sources)
        neighbour_levels = original.levels.of_cells.take(neighbour_sources)
        numbers.write_level_pairs(levels, neighbour_levels, out=result[..., degree : 2 * degree])

        # Clumps and openness: the number of neighbours that are like the cell.
        is_off_map = neighbour_sources == len(original.cells)
        like_terrain = ((terrains == neighbour_terrains) | is_off_map).sum(axis=2)
        numbers.write_clumps(terrains[..., 0], like_terrain, out=result[..., 2 * degree])
        is_open = original.is_open.take(cell_sources)
        is_neighbour_open = original.is_open.take(neighbour_sources)
        like_openness = ((is_open == is_neighbour_open) | is_off_map).sum(axis=2)
        numbers.write_openness(is_open[..., 0], like_openness, out=result[..., 2 * degree + 1])
        return result
