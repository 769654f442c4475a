"""The hexsides of variations: which one lies between two cells, as it is on the original.

If on the original a slope mostly leads from level 1 down to level 0, a variation has one wherever a
cell of level 1 comes to lie beside one of level 0. Numbers of cells, looks and sources are those
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

    def __init__(self, hexsides: Ints, neighbours: Ints, looks: Ints, levels: Ints) -> None:
        """Learn from the original.

        ``hexsides`` are those of its cells, (m, degree), 0 for none. ``neighbours`` (m + 1, degree)
        are the neighbours of the cells, ``looks`` (m + 1,) their terrain and elevation as one
        number, ``levels`` (m + 1,) the ranks of their elevations.
        """
        self.hexsides_of_original = hexsides
        """The hexsides of the original, (m, degree)."""
        self._neighbours = neighbours[:-1]
        """The neighbours of each cell, (m, degree); m where there is none."""
        self._looks = looks
        self._levels = levels
        self._usual = _commonest(looks, self._neighbours, hexsides)
        """By the looks of a cell and of its neighbour: the commonest hexside on the cell's side.

        Shape (looks, looks); ``_NEVER_MET`` for cells that do not meet on the original.
        """
        self._usual_by_level = _usual_by_level(levels, self._neighbours, hexsides)
        """The same by elevation alone, (levels, levels); 0 for those that do not meet."""

    @cached_property
    def is_unusual(self) -> NDArray[np.bool_]:
        """Which sides of the original have a hexside that is not the usual one, (m, degree)."""
        usual = self._usual[self._looks[:-1, None], self._looks[self._neighbours]]
        return np.asarray((self.hexsides_of_original != usual) & (self.hexsides_of_original > 0))

    def for_variations(self, sources: Ints) -> Ints:
        """Return the hexsides (n, m, degree) of variations, by their sources (n, m + 1)."""
        looks = self._looks[sources]
        levels = self._levels[sources]

        # What most edges between two such cells have; if they do not meet on the original, what
        # most edges between two such heights have.
        by_look = self._usual[looks[:, :-1, None], looks[:, self._neighbours]]
        by_level = self._usual_by_level[levels[:, :-1, None], levels[:, self._neighbours]]
        usual = np.where(by_look == _NEVER_MET, by_level, by_look)

        # Where both cells of an edge look as on the original, it has what it has there.
        is_cell_same = looks[:, :-1] == self._looks[:-1]
        is_neighbour_same = looks[:, self._neighbours] == self._looks[self._neighbours]
        is_edge_same = is_cell_same[..., None] & is_neighbour_same
        return np.where(is_edge_same, self.hexsides_of_original, usual)


def _usual_by_level(levels: Ints, neighbours: Ints, hexsides: Ints) -> Ints:
    """Return the commonest hexside between elevations: (levels, levels), 0 if they do not meet.

    Between cells of one elevation it is 0: a hexside there has its reason in the terrains.
    """
    usual = _commonest(levels, neighbours, hexsides)
    usual[usual == _NEVER_MET] = 0
    np.fill_diagonal(usual, 0)
    return usual


def _commonest(kinds: Ints, neighbours: Ints, hexsides: Ints) -> Ints:
    """Return the commonest hexsides between kinds of cells, (kinds, kinds).

    The element [a, b] is the hexside that cells of kind a most often have towards cells of kind b.
    It is ``_NEVER_MET`` for kinds that do not meet. ``kinds`` (m + 1,) are the looks or the
    elevations of the cells, as numbers from 0 on, ``neighbours`` and ``hexsides`` (m, degree) those
    of each cell.
    """
    kind_count = int(kinds.max()) + 1
    counts = np.zeros((kind_count, kind_count, int(hexsides.max()) + 1), np.int64)
    kinds_of_cells = np.repeat(kinds[:-1, None], neighbours.shape[1], axis=1)
    np.add.at(counts, (kinds_of_cells, kinds[neighbours], hexsides), 1)
    return np.where(counts.any(axis=2), counts.argmax(axis=2), _NEVER_MET)
