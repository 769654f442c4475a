"""How far one gets on foot on variations of a map, which must not be less far than on the map.

*Open* cells are those that strangers enter on foot. An *entry side* is a list of cells from which
creatures come onto the map, such as the left side of a battleland. Numbers of cells and sources are
those of ``original.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from randomizer.variations.connected_areas import area_counts, area_labels
from randomizer.variations.original import Ints, Marks, Original
from randomizer.variations.relief import DEEP_DROP

CELLS_PER_LOST_CELL = 100
"""A variation may lose one cell that can be reached, for each so many cells of the map.

That holds from each entry side. With fewer a part of a large map can be cut off; with more hardly
any variation of it is found.
"""

CELLS_PER_NEW_AREA = 1000
"""There may be one separate area more for so many cells of the map."""


class Connections(NamedTuple):
    """The connections among the open cells of n maps."""

    reached: Ints
    """The number of open cells that can be reached from each entry side, (n, entry sides)."""

    joined: Marks
    """Whether one can walk from one entry side to another, (n, entry sides, entry sides)."""

    area_count: Ints
    """The number of separate areas of open cells, (n,)."""


@dataclass(frozen=True, eq=False)
class Walking:
    """The connections on variations of a map."""

    original: Original

    def keeps_connections(self, sources: Ints) -> Marks:
        """Return for each variation whether one gets as far as on the original, (n,)."""
        connections = self._connections(sources)
        on_original = self._connections_of_original
        cell_count = len(self.original.cells)
        least_reached = on_original.reached - cell_count // CELLS_PER_LOST_CELL
        max_areas = on_original.area_count + cell_count // CELLS_PER_NEW_AREA
        return (
            (connections.reached >= least_reached).all(axis=1)
            & (connections.joined >= on_original.joined).all(axis=(1, 2))
            & (connections.area_count <= max_areas)
        )

    @cached_property
    def _connections_of_original(self) -> Connections:
        return self._connections(self.original.itself)

    def _connections(self, sources: Ints) -> Connections:
        """Return the connections on variations, by their sources (n, m + 1)."""
        is_open = self.original.is_open[sources]
        labels = area_labels(is_open, self.original.neighbours, self._barred_sides(sources))

        # For each entry side a table of all labels: True for those of areas that it leads into. The
        # last label is that of cells that are not open, and so of no area.
        entry_sides = self._entry_sides
        leads_into = np.zeros((len(sources), len(entry_sides), labels.shape[1]), np.bool_)
        maps = np.arange(len(sources))[:, None]
        for entry, cells in enumerate(entry_sides):
            leads_into[maps, entry, labels[:, cells]] = True
        leads_into[:, :, -1] = False

        # Each cell looks its own label up in each table: an open cell that is reached has True.
        labels_for_entries = np.repeat(labels[:, None], len(entry_sides), 1)
        is_reached = np.take_along_axis(leads_into, labels_for_entries, 2)
        # Two sides are joined if they lead into one area.
        joined = (leads_into[:, :, None] & leads_into[:, None]).any(axis=3)
        return Connections(is_reached.sum(axis=2), np.asarray(joined), area_counts(labels))

    @cached_property
    def _entry_sides(self) -> tuple[Ints, ...]:
        """The cells of each entry side; on maps without such sides those along each edge."""
        original = self.original
        grid = original.base.grid
        entry_sides = original.base.system.entry_sides
        if entry_sides:
            return tuple(original.number_of_grid_cell[list(cells)] for _name, cells in entry_sides)
        ys, xs = np.divmod(original.cells, grid.width)
        return (
            np.flatnonzero(ys == 0),
            np.flatnonzero(xs == grid.width - 1),
            np.flatnonzero(ys == grid.height - 1),
            np.flatnonzero(xs == 0),
        )

    def _barred_sides(self, sources: Ints) -> Marks | None:
        """Return the sides (n, m, degree) across which nobody walks; None if there are none.

        A hexside that stands for a deep drop (a cliff) bars the way from both its cells.
        """
        original = self.original
        if original.hexsides is None:
            return None
        is_deep = [False]  # code 0 is no hexside
        for hexside in original.base.terrain_set.hexsides:
            min_drop = 0
            if hexside.drops is not None:
                min_drop, _greatest_drop = hexside.drops
            is_deep.append(min_drop >= DEEP_DROP)
        barred_by_cell = np.array(is_deep)[original.hexsides.for_variations(sources)]

        # A hexside is stored at one of its cells: bar the side of the neighbour as well. A row more
        # is for everything off the map, where nothing is barred.
        barred = barred_by_cell.copy()
        padded = np.pad(barred_by_cell, ((0, 0), (0, 1), (0, 0)))
        for side in range(barred.shape[2]):
            opposite_side = original.base.grid.opposite(side)
            barred[:, :, side] |= padded[:, original.neighbours[:-1, side], opposite_side]
        return barred
