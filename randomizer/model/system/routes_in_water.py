"""The check for roads and railways in water; the tools for routes use parts of it.

``System.check`` calls ``routes_in_water`` for the problems of a map. A *piece* is a stretch of a
route whose cells are water; it may step over one cell of land (``.`` land, ``~`` water)::

    . ~ ~ . ~ .
    o-o-o-o-o        one piece of three cells, which ends in water

``battlemap`` is a BattleMap, which cannot be imported here: it imports ``System``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.model.grid.cell_words import cell_words
from randomizer.model.planes.routes import SIDES, sides_of, without_bare_mark
from randomizer.model.problems import Fix, Problem, Severity, ValueChange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.model.planes.composite import Composite

MAX_WARNINGS = 20
"""The most warnings about one kind of route: further ones would hide other problems."""


def routes_in_water(battlemap: Any, composite: Composite) -> tuple[Problem, ...]:
    """Return a warning for each piece of a road, track or railway that lies in water.

    After a roll the sea may lie where a road was drawn by hand. The fix takes the piece away. A
    route that crosses one cell of water has a bridge there.
    """
    is_water = water_cells(battlemap, composite)
    terrain_plane = composite.plane(battlemap.system.terrain)
    if is_water is None or terrain_plane is None:
        return ()
    terrain_codes = terrain_plane.reshape(-1)
    grid = battlemap.grid
    water = f"{cell_words(grid.layout).cells} of water"
    problems = []
    for route in battlemap.system.routes_of(composite.terrain_set):
        if route.is_river:
            continue
        values = composite.planes[route.plane].reshape(-1)
        is_in_water = is_water & route.runs(values)
        warning_count = 0
        for cells in _pieces(grid, values, is_in_water):
            ends = [cell for cell in cells if _is_end(int(values[cell]))]
            is_bridge = len(cells) == 1 and not ends
            if is_bridge:
                continue
            warning_count += 1
            if warning_count > MAX_WARNINGS:
                break
            if ends:
                cell = ends[0]
                terrain = composite.terrain_set.terrains[int(terrain_codes[cell])]
                fault = f"ends in water ({terrain.name})"
            else:
                cell = cells[0]
                fault = f"crosses {len(cells):,} {water}"
            message = f"{route.name} {fault} at {battlemap.system.cell_name(grid, cell)}."
            changes = without_piece(grid, route.plane, values, cells)
            fix = Fix(f"take the {route.name.lower()} in the water away", values=changes)
            problem = Problem(Severity.WARNING, "route-in-water", message, cell=cell, fix=fix)
            problems.append(problem)
    return tuple(problems)


def _is_end(value: int) -> bool:
    """Return whether a route ends in a cell of this value: it has one side there, or none."""
    return (value & SIDES).bit_count() < 2


def water_cells(battlemap: Any, composite: Composite) -> NDArray[np.bool_] | None:
    """Return which cells are water, (cells,), as the map shows them; None without terrains."""
    terrain_plane = composite.plane(battlemap.system.terrain)
    if terrain_plane is None:
        return None
    is_water = np.array([terrain.water for terrain in composite.terrain_set.terrains])
    marks: NDArray[np.bool_] = is_water[terrain_plane.reshape(-1)]
    return marks


def _pieces(
    grid: Grid, values: NDArray[np.uint8], is_in_water: NDArray[np.bool_]
) -> list[list[int]]:
    """Return the pieces of a route in water, each as the sorted list of its cells in water.

    ``values`` (cells,) are those of the route's plane, ``is_in_water`` (cells,) says where the
    route is in water. Pieces with one cell of land between them are one: the fixes of two would
    both change that cell.
    """
    remaining = set(np.flatnonzero(is_in_water).tolist())
    pieces = []
    while remaining:
        start = remaining.pop()
        piece = [start]
        cells_to_visit = [start]
        while cells_to_visit:
            cell = cells_to_visit.pop()
            for near_cell in _cells_in_reach(grid, values, is_in_water, cell):
                if near_cell in remaining:
                    remaining.remove(near_cell)
                    piece.append(near_cell)
                    cells_to_visit.append(near_cell)
        pieces.append(sorted(piece))
    return sorted(pieces)


def _cells_in_reach(
    grid: Grid, values: NDArray[np.uint8], is_in_water: NDArray[np.bool_], cell: int
) -> list[int]:
    """Return the cells to which a route leads from a cell, and those beyond one cell of land."""
    cells = []
    for linked_cell in _linked_cells(grid, values, cell):
        cells.append(linked_cell)
        if not is_in_water[linked_cell]:
            cells += _linked_cells(grid, values, linked_cell)
    return cells


def _linked_cells(grid: Grid, values: NDArray[np.uint8], cell: int) -> list[int]:
    """Return the cells to which a route leads from a cell, by the values of its plane, (cells,)."""
    linked_cells = []
    for side in sides_of(int(values[cell]), grid.degree):
        neighbour = int(grid.neighbour_table[cell, side])
        if neighbour >= 0:
            linked_cells.append(neighbour)
    return linked_cells


def without_piece(
    grid: Grid, plane: str, values: NDArray[np.uint8], cells: Sequence[int]
) -> tuple[ValueChange, ...]:
    """Return the changes that take a route out of cells, and the links to them out of others.

    ``values`` (cells,) are those of the route's plane.
    """
    new_values = dict.fromkeys(cells, 0)
    for cell in cells:
        for linked_cell in _linked_cells(grid, values, cell):
            value = new_values.get(linked_cell, int(values[linked_cell]))
            for side in range(grid.degree):
                if int(grid.neighbour_table[linked_cell, side]) == cell:
                    value &= ~(1 << side)
            new_values[linked_cell] = without_bare_mark(value)
    return tuple(ValueChange(plane, cell, value) for cell, value in new_values.items())
