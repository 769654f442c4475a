"""Which cells are selected: a sorted array, whatever the size of the map."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.indices import ascending

MANY = 20_000
"""More cells than these are looked up in a table of booleans, made once for a selection."""


@dataclass(frozen=True, eq=False)
class Selection:
    """Selected cells, immutable: ``cells`` has shape (n,), ascending, each cell once."""

    cells: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, np.intp))

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
        if cells.size > MANY:  # the last place of the table is False: for cells below and above
            return np.asarray(self._table[np.clip(cells, -1, len(self._table) - 1)])
        at = np.minimum(np.searchsorted(self.cells, cells), len(self.cells) - 1)
        return np.asarray(self.cells[at] == cells)

    @cached_property
    def _table(self) -> NDArray[np.bool_]:
        table = np.zeros(int(self.cells[-1]) + 2, np.bool_)
        table[self.cells] = True
        return table

    def same_as(self, other: Selection) -> bool:
        """Return whether both select the same cells."""
        return np.array_equal(self.cells, other.cells)
