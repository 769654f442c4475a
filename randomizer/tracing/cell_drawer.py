"""Draws the cells of a map that is traced, as the kinds that they may be of.

How a cell is drawn depends on its neighbours (shores, shadows), so that other cells are drawn, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.grid.grid import Grid
from randomizer.tracing.appearance import View
from randomizer.tracing.kinds import Draw, Kinds

if TYPE_CHECKING:
    from numpy.typing import NDArray

DRAWING_REACH = 3
"""The number of steps up to which other cells have an effect on the drawing of a cell."""

WHOLE_MAP_SHARE = 1 / 20
"""If a smaller share of the cells is drawn, only the part of the map around these is drawn."""

STAND_IN_TERRAIN = 0
"""The terrain of cells that are neither known nor traced. Any will do: they are not compared."""


@dataclass(frozen=True, eq=False)
class Drawing:
    """The program's drawing of maps, and the picture that drawings are compared with."""

    draw: Draw

    view: View
    """The view of the picture at the scale of drawings."""

    is_placed: bool = False
    """True if the grid of ``view`` lies exactly in place, as in a picture that the program wrote.

    Otherwise ``trace`` corrects it.
    """


class CellDrawer:
    """Draws cells of one map as kinds.

    A *row* is the index of a cell among the cells that are traced.
    """

    def __init__(
        self,
        drawing: Drawing,
        cells: NDArray[np.intp],
        kinds: Kinds,
        known_terrains: NDArray[np.intp],
    ) -> None:
        """Draw ``cells`` (cells,) as some of ``kinds``.

        ``known_terrains`` (size,) are those of the cells that are not traced; -1 if unknown.
        """
        self._draw_map = drawing.draw
        self.view = drawing.view
        """The picture, and the grid in it."""
        self.cells = cells
        """The cells that are traced, (cells,)."""
        self._kinds = kinds
        self._other_terrains = np.where(known_terrains >= 0, known_terrains, STAND_IN_TERRAIN)
        """The terrain of each cell of the grid, (size,), as far as it is not traced."""

    def picture_colours(self, rows: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the colours of cells in the picture, (n, points, 3)."""
        return self.view.colours(self.cells[rows])

    def drawn_colours(
        self, rows: NDArray[np.intp], kinds_of_cells: NDArray[np.intp]
    ) -> NDArray[np.float32]:
        """Return the colours of the cells in ``rows`` (n,) on a drawn map, (n, points, 3).

        ``kinds_of_cells`` (cells,) are the kinds of all traced cells, as indices of kinds.
        """
        grid = self.view.grid
        terrains = self._other_terrains.copy()
        elevations = np.zeros(grid.size, np.intp)
        terrains[self.cells] = self._kinds.terrains[kinds_of_cells]
        elevations[self.cells] = self._kinds.elevations[kinds_of_cells]
        cells = self.cells[rows]
        if len(cells) < WHOLE_MAP_SHARE * grid.size:
            grid = _part_of_grid(grid, is_near(grid, cells))
        return self._draw_map(grid, terrains, elevations, cells).colours(cells)


def is_near(grid: Grid, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return whether each cell (size,) is within ``DRAWING_REACH`` steps of one of ``cells``."""
    result = np.zeros(grid.size, np.bool_)
    result[cells] = True
    for _ in range(DRAWING_REACH):
        neighbours = grid.neighbour_table[result]
        result[neighbours[neighbours >= 0]] = True
    return result


def _part_of_grid(grid: Grid, is_part: NDArray[np.bool_]) -> Grid:
    """Return a grid of the same size, of which only the cells of a part exist: (size,)."""
    mask = is_part.reshape(grid.height, grid.width)
    return Grid(grid.layout, grid.width, grid.height, mask, wrap=grid.wrap, lean=grid.lean)
