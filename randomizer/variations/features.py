"""Counts the features of maps: what the look of a map is made of.

*Features* are what can be counted about the cells of a map and their neighbours. There are four
kinds of them, for example on this map of 2 x 2 squares, a wood (w) beside three meadows (m)::

    w m      terrain pairs   (w, m) 2 times, (m, w) 2, (m, m) 4, and (w, off the map) 2 ...
    m m      level pairs     the same of elevations
             clumps          a wood with 2 neighbours like it (those off the map): 1 time ...
             openness        the same of open and closed cells

A pair is counted from both of its cells. Off the map is a terrain and an elevation of its own in
pairs; in clumps and openness it counts as like the cell.

Each feature has a number, so that a map's features are an array of counts::

    counter = FeatureCounter(original)
    counts = counter.count(sources, Regions(maps, cells))     # (regions, features)
    counter.tables.clumps.part_of(counts[0])                  # (terrains, neighbours like it)

``sources`` are variations of a map, as in ``original.py``: cells are numbered 0 .. m-1, and m
stands for everything off the map.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.variations.original import Ints, Original


class FeatureTable(NamedTuple):
    """The features of one kind as a table, whose entries are numbered row after row.

    The row says what a cell is, the column what its neighbour or neighbours are. With 3 terrains
    and 4 sides, clumps are the features 18 to 32::

        row    column 0 (no neighbour like it)    1    2    3    4
        wood                  18                 19   20   21   22
        meadow                23                 24   25   26   27
        lake                  28                 29   30   31   32
    """

    first: int
    """The number of the feature in row 0 and column 0."""

    row_count: int

    column_count: int

    @property
    def end(self) -> int:
        """The number behind that of the last feature."""
        return self.first + self.row_count * self.column_count

    def number(self, row: int, column: int) -> int:
        """Return the number of a feature."""
        return self.first + row * self.column_count + column

    def write_numbers(self, rows: NDArray[Any], columns: Ints, out: Ints) -> None:
        """Write the numbers of features of many cells into ``out``.

        ``rows`` and ``columns`` are of the shape of ``out``, or numpy repeats them to that.
        """
        np.add(self.first + rows * self.column_count, columns, out=out)

    def part_of(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return those of some values of all features that are of this kind, as a table.

        It is a view: what is written into it is written into ``values``.
        """
        return values[self.first : self.end].reshape(self.row_count, self.column_count)


class FeatureTables(NamedTuple):
    """The features of all kinds, numbered kind after kind."""

    terrain_pairs: FeatureTable
    """By the terrain of the cell and that of a neighbour; the last column is for off the map."""

    level_pairs: FeatureTable
    """By the elevation of the cell and that of a neighbour; the last column is for off the map."""

    clumps: FeatureTable
    """By the terrain of the cell and the number of its neighbours of the same terrain."""

    openness: FeatureTable
    """By whether the cell is open (0 or 1), and the number of its neighbours that are like it."""

    @property
    def total(self) -> int:
        """The number of all features."""
        return self.openness.end

    @classmethod
    def of_map(cls, terrain_count: int, level_count: int, degree: int) -> FeatureTables:
        """Return the features of maps with so many terrains, elevations, and sides of a cell."""
        terrain_pairs = FeatureTable(0, terrain_count, terrain_count + 1)
        level_pairs = FeatureTable(terrain_pairs.end, level_count, level_count + 1)
        clumps = FeatureTable(level_pairs.end, terrain_count, degree + 1)
        openness = FeatureTable(clumps.end, 2, degree + 1)
        return cls(terrain_pairs, level_pairs, clumps, openness)


class Regions(NamedTuple):
    """k regions of maps, each of up to l cells."""

    maps: Ints
    """The index of the map that each region is of, (k,)."""

    cells: Ints
    """The cells of each region, (k, l); ``Original.off_map`` for none."""


@dataclass(frozen=True, eq=False)
class FeatureCounter:
    """Counts the features of variations of a map."""

    original: Original
    """The map of which they are variations."""

    @cached_property
    def tables(self) -> FeatureTables:
        """The features that its variations can have."""
        return FeatureTables.of_map(
            terrain_count=len(self.original.terrains.values),
            level_count=len(self.original.levels.values),
            degree=self.original.neighbours.shape[1],
        )

    @cached_property
    def goal(self) -> Ints:
        """The number of times that each feature is on the original, (features,)."""
        all_cells = np.arange(len(self.original.cells))[None]
        whole_map = Regions(maps=np.zeros(1, np.intp), cells=all_cells)
        goal: Ints = self.count(self.original.itself, whole_map)[0]
        return goal

    def count(self, sources: Ints, regions: Regions) -> Ints:
        """Return how often each feature is in regions of maps: (k, features).

        ``sources`` (n, m + 1) are the maps. The features of a cell count where the cell is in the
        region, wherever its neighbours are. Cells 3 and 4 of the maps 0 and 5::

            counter.count(sources, Regions(maps=[0, 5], cells=[[3, 4], [3, 4]]))
        """
        numbers = self._numbers_of_cells(sources, regions)
        # Cells off the map get a number behind those of all features, whose count is dropped.
        number_off_map = self.tables.total
        numbers[regions.cells == self.original.off_map] = number_off_map
        counts = _count_by_region(numbers, number_off_map + 1)
        return counts[:, :number_off_map]

    def _numbers_of_cells(self, sources: Ints, regions: Regions) -> Ints:
        """Return the numbers of the features of each cell of regions, (k, l, 2 * degree + 2).

        A cell has a terrain pair and a level pair at each side, one feature of clumps and one of
        openness, in this order. Cells off the map have numbers, too, which mean nothing.

        Most of the time of a search is spent here. Therefore cells are looked up by flat ``take``,
        which is faster than indexing, and sums are written into one array.
        """
        original = self.original
        tables = self.tables
        degree = original.neighbours.shape[1]
        result = np.empty((*regions.cells.shape, 2 * degree + 2), np.intp)

        # The cell of the original from which each cell of the regions, and each neighbour, came:
        # (k, l, 1) and (k, l, degree). ``map_starts`` are the flat indices of the first cells.
        # (Sources, neighbours and looks of the original have an entry for off the map as well.)
        map_starts = regions.maps[:, None] * sources.shape[1]
        cell_sources = sources.take(regions.cells + map_starts)[..., None]
        neighbours = original.neighbours.take(regions.cells, axis=0)
        neighbour_sources = sources.take(neighbours + map_starts[:, :, None])

        # Pairs, at each side.
        terrains = original.terrains.of_cells.take(cell_sources)
        neighbour_terrains = original.terrains.of_cells.take(neighbour_sources)
        tables.terrain_pairs.write_numbers(terrains, neighbour_terrains, out=result[..., :degree])
        levels = original.levels.of_cells.take(cell_sources)
        neighbour_levels = original.levels.of_cells.take(neighbour_sources)
        tables.level_pairs.write_numbers(
            levels, neighbour_levels, out=result[..., degree : 2 * degree]
        )

        # Clumps and openness: the number of neighbours that are like the cell.
        is_off_map = neighbour_sources == original.off_map
        like_terrain = ((terrains == neighbour_terrains) | is_off_map).sum(axis=2)
        tables.clumps.write_numbers(terrains[..., 0], like_terrain, out=result[..., 2 * degree])
        is_open = original.is_open.take(cell_sources)
        is_neighbour_open = original.is_open.take(neighbour_sources)
        like_openness = ((is_open == is_neighbour_open) | is_off_map).sum(axis=2)
        tables.openness.write_numbers(is_open[..., 0], like_openness, out=result[..., -1])
        return result


def _count_by_region(numbers: Ints, number_count: int) -> Ints:
    """Return how often each number below ``number_count`` is in each region, (k, number_count).

    ``numbers`` (k, l, features of a cell) are changed: one ``bincount`` counts all regions, so the
    numbers of each are moved to a range of its own. There can be no regions, so that k is 0.
    """
    region_count = len(numbers)
    range_starts = np.arange(region_count) * number_count
    numbers += range_starts[:, None, None]
    counts: Ints = np.bincount(numbers.ravel(), minlength=region_count * number_count)
    return counts.reshape(region_count, number_count)
