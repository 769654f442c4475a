"""The selected cells of a map, which are also looked up quickly.

``MapDocument`` has one for the current map. A selection of the cells 3 and 7::

    selection = Selection.of([7, 3, 3])
    selection.cells                             # array([3, 7])
    selection.contains(np.array([3, 4]))        # array([True, False])
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.indices import ascending

MANY = 20_000
"""If more cells than these are looked up, it is in a table of booleans, made once for a selection.

For fewer cells bisection is quicker than making the table.
"""


@dataclass(frozen=True, eq=False)
class Selection:
    """Selected cells; it does not change: another selection is another object."""

    cells: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, np.intp))
    """The cells, ascending, each once, shape (n,)."""

    @classmethod
    def of(cls, cells: Iterable[int]) -> Selection:
        """Return the selection of these cells, in any order, repeated or not."""
        if not isinstance(cells, np.ndarray):
            cells = np.fromiter(cells, np.intp)
        return cls(ascending(cells))

    def __len__(self) -> int:
        return len(self.cells)

    def contains(self, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return which of ``cells`` are selected; an array of their shape."""
        if not len(self.cells):
            return np.zeros(cells.shape, np.bool_)
        if cells.size > MANY:
            # -1 and all cells beyond the table stand for its last element, which is False.
            return np.asarray(self._table[np.clip(cells, -1, len(self._table) - 1)])
        positions = np.minimum(np.searchsorted(self.cells, cells), len(self.cells) - 1)
        return np.asarray(self.cells[positions] == cells)

    @cached_property
    def _table(self) -> NDArray[np.bool_]:
        """A boolean for each cell up to the last selected one, True if selected; then a False."""
        table = np.zeros(int(self.cells[-1]) + 2, np.bool_)
        table[self.cells] = True
        return table

    def same_as(self, other: Selection) -> bool:
        """Return whether both select the same cells."""
        return np.array_equal(self.cells, other.cells)
