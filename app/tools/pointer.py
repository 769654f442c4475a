"""The position at which a tool is pointed, and the cells and hexsides that it reaches from there.

Tools get a ``Pointer`` from the canvas and turn it into the cells to change in two steps: ``brush``
gives the cells under the brush, ``reach`` adds their symmetric twins and keeps to the selection.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.areas import Cells, area
from randomizer.geometry.shapes import bar, disc
from randomizer.model.grid.grid import Grid, Hit
from randomizer.model.grid.indices import Indices as Corners
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.corners import cells_around
from randomizer.model.planes.planes import Element

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions

NO_CELLS: Cells = np.empty(0, np.intp)
"""An empty array of cells, shared: nobody writes into it."""


USUAL_SCALE = 40.0
"""The scale of a view in which cells can be hit well; for pointers that come from no view."""


class CellSide(NamedTuple):
    """A side of a cell: an edge between two cells as it is seen from one of them.

    Of a hexside that is painted it is the cell that owns the edge.
    """

    cell: int

    side: int
    """The number of the side, 0 for the first."""


class Pointer(NamedTuple):
    """The position of mouse or keyboard on the map, with the keys that are held."""

    hit: Hit
    """The cell under the point, and the side and the corner nearest to it."""

    x: float
    """The exact point: how far it is to the right of the map's origin, in map units."""

    y: float
    """How far the exact point is below the origin, in map units."""

    shift: bool = False
    """True while Shift is held."""

    ctrl_or_alt: bool = False
    """True while Ctrl or Alt is held."""

    scale: float = USUAL_SCALE
    """The scale of the view, in logical pixels a map unit: by it things have a size to hit."""

    @property
    def cell(self) -> int:
        """The cell under the point."""
        return self.hit.cell

    @property
    def side(self) -> int:
        """The nearest side of that cell."""
        return self.hit.side

    @property
    def corner(self) -> int:
        """The nearest corner of that cell, -1 on a grid without corners."""
        return self.hit.corner


def side_index(battlemap: BattleMap, cell_side: CellSide) -> int:
    """Return the flat index of a hexside in side planes and locks."""
    return cell_side.cell * battlemap.grid.degree + cell_side.side


def means_edge(battlemap: BattleMap, hit: Hit) -> bool:
    """Return whether a hit means an edge rather than a cell.

    It does near an edge that two cells share, on a map that has a plane of sides.
    """
    on_edges = any(spec.element is Element.SIDE for spec in battlemap.system.shown_planes)
    return hit.near_edge and on_edges and battlemap.grid.neighbour(hit.cell, hit.side) >= 0


MIN_SIDE = 14.0
"""The shortest side that can be aimed at, in logical pixels: on smaller cells a cell is meant."""


def sides_can_be_aimed_at(grid: Grid, scale: float) -> bool:
    """Return whether a point near a side means the side, at a scale in pixels a map unit."""
    first_corner, second_corner = grid.layout.corners[:2]
    return math.dist(first_corner, second_corner) * scale >= MIN_SIDE


class Reach(NamedTuple):
    """The cells that a tool would change, with their symmetric twins."""

    cells: Cells
    """The cells that the tool would change, shape (n,), ascending."""

    lost: Cells
    """The cells under the brush that have a symmetric twin outside the map, shape (n,)."""

    note: str
    """A remark about ``lost`` for the user; "" if nothing is lost."""


def brush(document: MapDocument, options: ToolOptions, cell: int) -> Cells:
    """Return the cells under the brush with its middle on ``cell``: ascending, shape (n,)."""
    grid = document.battlemap.grid
    if not options.radius:
        return np.array([cell], np.intp)
    if options.bar:
        return bar(grid, cell, options.radius)
    return disc(grid, cell, options.radius)


def reach(document: MapDocument, options: ToolOptions, cells: Cells) -> Reach:
    """Return cells (n,) with their symmetric twins, those of them that can be painted.

    While cells are selected, only these can be painted.
    """
    grid = document.battlemap.grid
    symmetry = options.symmetry(grid)
    lost = NO_CELLS
    words = ""
    if symmetry is not None:
        images = symmetry.images(grid, cells)  # (twins, n), -1 where one is outside the map
        missing = images < 0
        if missing.any():
            lost = cells[missing.any(axis=0)]
            words = symmetry.warning(grid, cells)
        cells = area(images)
    return Reach(selected(document, cells), lost, words)


def selected(document: MapDocument, cells: Cells) -> Cells:
    """Return those of the cells that are selected; all of them if nothing is."""
    selection = document.selection
    if len(selection):
        return cells[selection.contains(cells)]
    return cells


def selected_corners(document: MapDocument, corners: Corners) -> NDArray[np.bool_]:
    """Return for each corner (n,) whether it belongs to a selected cell.

    All are True if nothing is selected.
    """
    selection = document.selection
    if not len(selection):
        return np.ones(len(corners), np.bool_)
    corner_cells = cells_around(document.battlemap.grid, corners)
    inside = selection.contains(corner_cells.ravel()).reshape(corner_cells.shape)
    return np.asarray(inside.any(axis=1))


def side_twins(document: MapDocument, options: ToolOptions, cell_side: CellSide) -> list[CellSide]:
    """Return a side and its symmetric twins.

    If any cells are selected, they are only the sides of which at least one of the two cells is
    selected.
    """
    grid = document.battlemap.grid
    symmetry = options.symmetry(grid)
    twins = [cell_side]
    if symmetry is not None:
        twins += [CellSide(*twin) for twin in symmetry.twin_sides(grid, *cell_side)]
    selection = document.selection
    if not len(selection):
        return twins
    selected_sides = []
    for twin in twins:
        # -1 for a neighbour outside the map, which is in no selection.
        cells_of_edge = np.array([twin.cell, grid.neighbour(*twin)], np.intp)
        if selection.contains(cells_of_edge).any():
            selected_sides.append(twin)
    return selected_sides


def all_sides(grid: Grid, cells: Cells) -> NDArray[np.intp]:
    """Return the flat indices of all sides of some cells, shape (n * degree,)."""
    return (cells[:, None] * grid.degree + np.arange(grid.degree)).ravel()
