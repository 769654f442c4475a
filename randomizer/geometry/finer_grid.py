"""The geometry of cutting the cells of a grid into smaller ones.

Both grids are laid over each other with their middles on one point; a new cell then belongs to the
old one in which its centre lies. Two squares, A and B, cut by the factor 2::

    old   A B       new   a a b b
                          a a b b
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid

    Cells = NDArray[np.intp]

_NUDGE = 1e-6
"""Points between cells are moved by so much (map units), so that all fall to the same side.

Without it the rounding of coordinates would decide between two cells. If it came near the size of a
cell, it would move centres into other cells.
"""


class FinerGrid:
    """The finer grid of one map, and which old cell each of its cells lies in.

    It lives as long as ``finer_map`` runs, and does not change.
    """

    def __init__(self, old: Grid, factor: int) -> None:
        self.old = old
        """The grid of the map as it is."""
        self.factor = factor
        """The number of columns of the finer grid for each of the old one; so with rows."""
        whole_grid = replace(old, width=old.width * factor, height=old.height * factor, mask=None)
        self._old_middle = _middle_of(old)
        """The point (x, y) in the middle of the old grid, which lies on that of the new one."""
        self._new_middle = _middle_of(whole_grid)
        """The point (x, y) in the middle of the finer grid."""

        old_cells = self._cells_below(whole_grid)
        exists = old_cells >= 0
        mask = None
        if not exists.all():
            mask = exists.reshape(whole_grid.height, -1)
        self.new = replace(whole_grid, mask=mask)
        """The finer grid. Its cells without an old one below them do not exist."""
        self.old_cells = np.where(exists, old_cells, 0)
        """The old cell of each new one, shape (size of ``new``,); 0 for those that do not exist."""
        self.middles: Cells = self.new.cells_at(self.to_new(old.centres()) + _NUDGE)
        """The new cell at the centre of each old one, shape (size of ``old``,)."""

    def _cells_below(self, whole_grid: Grid) -> Cells:
        """Return the old cell in which each cell of the finer grid lies, -1 for none."""
        centres = self.to_old(whole_grid.centres())
        cells = self.old.cells_at(centres + _NUDGE)
        if self.old.mask is not None:
            return cells
        # The rim of hexes is jagged, so small cells at it can lie outside all old ones. Without a
        # mask the finer grid has no holes either: such a cell gets the first old cell that is met
        # on the way from it to the middle of the map, in tenths of that way.
        for share in np.linspace(0.1, 0.9, 9):
            outside = np.flatnonzero(cells < 0)
            way_to_middle = self._old_middle - centres[outside]
            cells[outside] = self.old.cells_at(centres[outside] + way_to_middle * share)
        return cells

    def to_new(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where points of the old map lie on the new one, shape (n, 2)."""
        return np.asarray((points - self._old_middle) * self.factor + self._new_middle)

    def to_old(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where points of the new map lie on the old one, shape (n, 2)."""
        return np.asarray((points - self._new_middle) / self.factor + self._old_middle)


def _middle_of(grid: Grid) -> NDArray[np.float64]:
    """Return the point (x, y) in the middle of a grid's bounds, in map units."""
    left, top, right, bottom = grid.bounds
    return np.array(((left + right) / 2, (top + bottom) / 2))
