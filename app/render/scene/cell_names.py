"""The names of cells, such as "B4", stored: to make one takes longer than to draw it.

cell_names(system, grid, [0, 1])        # ["A1", "B1"]
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

from randomizer.model.grid.grid import Grid
from randomizer.model.system.system import System

MAX_NAMES = 20_000
"""Of a grid with more stored names all are forgotten, so that memory is bounded."""


class _StoredNames(NamedTuple):
    """The names of cells of one grid that were asked for."""

    system: System
    """The system that has named the cells."""

    name_of_cell: dict[int, str]
    """The names so far."""


_stored_names: WeakKeyDictionary[Grid, _StoredNames] = WeakKeyDictionary()
"""The stored names of each grid, by the system that was asked last."""


def cell_names(system: System, grid: Grid, cells: list[int]) -> list[str]:
    """Return the names that a system has for some cells of a grid."""
    stored = _stored_names.get(grid)
    if stored is None or stored.system is not system or len(stored.name_of_cell) > MAX_NAMES:
        stored = _StoredNames(system, {})
        _stored_names[grid] = stored
    name_of_cell = stored.name_of_cell
    for cell in cells:
        if cell not in name_of_cell:
            name_of_cell[cell] = system.cell_name(grid, cell)
    return [name_of_cell[cell] for cell in cells]
