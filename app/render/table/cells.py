"""The cells of a wargame table that are to be drawn, and the planes that say what lies on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.planes import blank

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from randomizer.model.grid import Grid
    from randomizer.model.planes import Plane, PlaneSpec
    from randomizer.model.system import System


class TableCells(NamedTuple):
    """The ``cells`` (n,) of a table that shows ``planes``.

    ``grid_lines``: areas that join over several cells show faint grid lines.
    """

    system: System
    grid: Grid
    planes: Mapping[str, Plane]
    cells: NDArray[np.intp]
    grid_lines: bool = False

    def everywhere(self, plane: PlaneSpec | str | None) -> Plane:
        """The values of a plane in all cells of the grid, shape (size,); 0 for None."""
        if plane is None:
            return blank((self.grid.size,), 0, np.intp)
        name = plane if isinstance(plane, str) else plane.name
        return self.planes[name].reshape(-1)

    def here(self, plane: PlaneSpec | str | None) -> Plane:
        """The values of a plane in ``cells``, shape (n,); 0 for None."""
        return np.asarray(self.everywhere(plane)[self.cells])
