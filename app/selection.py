"""Which cells are selected: a sorted array, whatever the size of the map."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from randomizer.shapes import ascending

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Selection:
    """Selected cells: ``cells`` has shape (n,), ascending, each cell once."""

    cells: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, np.intp))

    @classmethod
    def of(cls, cells: Iterable[int]) -> Selection:
        """The selection of these cells."""
        if not isinstance(cells, np.ndarray):
            cells = np.fromiter(cells, np.intp)
        return cls(ascending(cells))

    def __len__(self) -> int:
        return len(self.cells)

    def contains(self, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which of ``cells`` are selected; an array of their shape."""
        if not len(self.cells):
            return np.zeros(cells.shape, np.bool_)
        at = np.minimum(np.searchsorted(self.cells, cells), len(self.cells) - 1)
        return np.asarray(self.cells[at] == cells)

    def same_as(self, other: Selection) -> bool:
        """Whether both select the same cells."""
        return np.array_equal(self.cells, other.cells)
