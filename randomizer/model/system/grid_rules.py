"""The subject of ``System`` that tells which grids maps have, and how cells are named.

    battlemap.system.why_not_grid(grid)          # "" if a map can have it
    battlemap.system.cell_name(grid, 0)          # "A1" on one game's maps, "0101" on another's

The class of a game sets and overrides what is different there (``System``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, final

from randomizer.model.basics.plurals import with_article
from randomizer.model.grid.cell_naming import NEUTRAL
from randomizer.model.planes.corners import corner_words
from randomizer.model.system.cell_width import SCALE, CellWidth, read_cell_width
from randomizer.model.system.system_base import AnyMap, SystemBase

if TYPE_CHECKING:
    from randomizer.model.grid.grid import Grid
    from randomizer.model.system.edges import EdgeFill, EntrySide, RoundEdge


class GridRules(SystemBase):
    """The grids of maps, the border of the board, and the names of cells."""

    # --- grids ------------------------------------------------------------------------------------
    # Which grids maps can have, how large a cell is, and the border of the board.

    fixed_grid = False
    """True if every map has the grid of ``new_grid``."""
    layouts: tuple[str, ...] = ()
    """The names of the layouts of its grids; () means any layout, wrapped or not.

    A system with a plane of corners has squares only.
    """
    wraps = False
    """True if grids of the ``layouts`` can wrap; grids of any layout always can (``can_wrap``)."""
    usual_sizes: tuple[tuple[int, int], ...] = ()
    """The usual (width, height) for each of the ``layouts``."""
    max_along: int | None = None
    """The most columns, and also the most rows, that a grid can have; None for no limit."""
    entry_sides: tuple[EntrySide, ...] = ()
    """The sides of the board from which armies enter it."""
    edge_fills: tuple[EdgeFill, ...] = ()
    """The commands that fill edges by the rules of hexsides, in the order of the menu."""

    def new_grid(self) -> Grid:
        """Return the grid of a new map."""
        raise NotImplementedError

    def why_not_size(self, width: int, height: int) -> str:
        """Return why no map can have this width and height, in words; "" if one can."""
        return ""

    def cell_width(self, battlemap: AnyMap, properties: Mapping[str, Any]) -> CellWidth | None:
        """Return how wide a cell is in the world; None if a map does not say.

        ``properties`` are those of the map's composite; here it is the one called ``scale``.
        Distances, scale bars and files of other programs all use this width.
        """
        return read_cell_width(str(properties.get(SCALE, "")))

    def round_edge(self, battlemap: AnyMap) -> RoundEdge | None:
        """Return the edge of a round map; None for other maps."""
        return None

    @final
    def why_not_grid(self, grid: Grid) -> str:
        """Return why a map cannot have this grid, in words; "" if it can.

        It is not compared with the one grid of a system with a ``fixed_grid``.
        """
        if grid.wrap and not self.can_wrap:
            return f"no {self.title} has such a grid"
        if self.layouts and grid.layout.name not in self.layouts:
            return f"no {self.title} has such a grid"
        if self.max_along is not None and max(grid.width, grid.height) > self.max_along:
            return f"{with_article(self.title)} has at most {self.max_along} columns and rows"
        return self.why_not_size(grid.width, grid.height)

    @final
    @property
    def can_wrap(self) -> bool:
        """True if its grids can wrap."""
        return self.wraps or not self.layouts

    # --- names of cells ---------------------------------------------------------------------------
    # How a person calls a cell. A game that names cells in its own way overrides ``cell_name`` and
    # ``cell_of_name`` together, and ``coordinates`` if its names have a column and a row.

    own_cell_names = False
    """True if its maps say how their cells are named (``Grid.naming``)."""

    def cell_name(self, grid: Grid, cell: int) -> str:
        """Return the name of a cell in the style of the game; here column and row."""
        return grid.naming.text(*grid.xy(cell), _digits_of_names(grid))

    def coordinates(self, grid: Grid, x: int, y: int) -> tuple[str, str] | None:
        """Return column and row of a cell as its name has them; None if it has no such parts."""
        if self.offers(GridRules.cell_name):  # its names may be no coordinates at all
            return None
        return grid.naming.coordinates(x, y, _digits_of_names(grid))

    def cell_of_name(self, grid: Grid, name: str) -> int | None:
        """Return the cell of a name, None if no cell has it.

        Whatever the naming of the grid, the neutral names of cells (0304) are understood, too.
        """
        for naming in (grid.naming, NEUTRAL):
            position = naming.xy(name)
            if position is None:
                continue
            x, y = position
            if not 0 <= x < grid.width:  # a wrapped grid has cells beyond its seam, without names
                continue
            cell = grid.cell(x, y)
            # A number can be written in several ways ("3" and "03"); only one is the name.
            if cell >= 0 and naming.text(*grid.xy(cell), _digits_of_names(grid)) == name:
                return cell
        return None

    def corner_name(self, grid: Grid, corner: int) -> str:
        """Return the name of a corner."""
        return corner_words(grid, corner)


def _digits_of_names(grid: Grid) -> int:
    """Return how many digits column and row have in the name of a cell: two at least."""
    digits_needed = len(str(max(grid.width, grid.height)))
    return max(2, digits_needed)
