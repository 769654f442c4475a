"""The hexsides of variations: which one lies between two cells, as it is on the original.

If on the original a slope mostly leads from level 1 down to level 0, a variation has one wherever a
cell of level 1 comes to lie beside one of level 0. Numbers of cells, states and sources are those
of ``original.py``: m cells, and m + 1 values for them and for everything off the map.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]

_NEVER_MET = -1
"""In a table of hexsides: two such cells do not meet on the original."""


class HexsideRules:
    """The hexsides of a map, and what hexsides its variations have."""

    def __init__(self, hexsides: Ints, neighbours: Ints, states: Ints, levels: Ints) -> None:
        """Learn from the original.

        ``hexsides`` are those of its cells, (m, degree), 0 for none; ``neighbours`` (m + 1, degree)
        are the neighbours, ``states`` (m + 1,) the looks and ``levels`` (m + 1,) the ranks of the
        elevations of the cells.
        """
        self.original = hexsides
        """The hexsides of the original, (m, degree)."""
        self._neighbours = neighbours[:-1]
        """The neighbours of each cell, (m, degree); m where there is none."""
        self._states = states
        self._levels = levels
        self._usual = _commonest(states, self._neighbours, hexsides)
        """By the states of a cell and of its neighbour: the commonest hexside on the cell's side.

        Shape (states, states); ``_NEVER_MET`` for cells that do not meet on the original.
        """
        self._usual_by_level = _commonest(levels, self._neighbours, hexsides)
        """The same by elevation alone, (levels, levels); 0 for those that do not meet."""
        self._usual_by_level[self._usual_by_level == _NEVER_MET] = 0
        # Without a reason in the terrains there is nothing between cells of one height.
        np.fill_diagonal(self._usual_by_level, 0)

    @cached_property
    def is_unusual(self) -> NDArray[np.bool_]:
        """Which sides of the original have a hexside that is not the usual one, (m, degree)."""
        usual = self._usual[self._states[:-1, None], self._states[self._neighbours]]
        return np.asarray((self.original != usual) & (self.original > 0))

    def of(self, sources: Ints) -> Ints:
        """Return the hexsides (n, m, degree) of variations, by their sources (n, m + 1)."""
        states = self._states[sources]
        levels = self._levels[sources]

        # What most edges between two such cells have; if they do not meet on the original, what
        # most edges between two such heights have.
        by_state = self._usual[states[:, :-1, None], states[:, self._neighbours]]
        by_level = self._usual_by_level[levels[:, :-1, None], levels[:, self._neighbours]]
        usual = np.where(by_state == _NEVER_MET, by_level, by_state)

        # Where both cells of an edge look as on the original, it has what it has there.
        is_cell_same = states[:, :-1] == self._states[:-1]
        is_neighbour_same = states[:, self._neighbours] == self._states[self._neighbours]
        is_edge_same = is_cell_same[..., None] & is_neighbour_same
        return np.where(is_edge_same, self.original, usual)


def _commonest(kinds: Ints, neighbours: Ints, hexsides: Ints) -> Ints:
    """Return the commonest hexside on the side of each kind of cells to each kind: (kinds, kinds).

    ``kinds`` (m + 1,) are numbers from 0 on, ``neighbours`` and ``hexsides`` (m, degree) those of
    each cell. ``_NEVER_MET`` for kinds that do not meet.
    """
    kind_count = int(kinds.max()) + 1
    counts = np.zeros((kind_count, kind_count, int(hexsides.max()) + 1), np.int64)
    kinds_of_cells = np.repeat(kinds[:-1, None], neighbours.shape[1], axis=1)
    np.add.at(counts, (kinds_of_cells, kinds[neighbours], hexsides), 1)
    return np.where(counts.any(axis=2), counts.argmax(axis=2), _NEVER_MET)
