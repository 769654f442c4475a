"""What the pieces of routes depend on in each cell, beside the sides by which they leave it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.render.drawn_cells import DrawnCells
from app.systems.cordery.table.broad_rivers import broad_joins
from app.systems.cordery.table.forks import FORK_SIDES
from app.systems.cordery.table.parallel_routes import parallel_codes
from randomizer.model.planes.routes import SIDES, CrossingSpec, RouteSpec
from randomizer.model.system.system import System


@dataclass(frozen=True, eq=False)
class RouteCells:
    """What is the same for all routes of a table; arrays have a value for each drawn cell, (n,)."""

    is_crossed: NDArray[np.bool_]
    """True where routes cross, and where a road forks beside a river."""

    rivers_at_forks: NDArray[np.int64]
    """The two sides (bits) of the river beside which a road forks; 0 where none does."""

    parallel_codes: NDArray[np.int64]
    """The parallel codes (parallel_routes.py): which routes share sides, and in what order."""

    crossings: tuple[tuple[CrossingSpec, NDArray[np.int64]], ...]
    """Each kind of crossing with the number of its kind in each cell, 0 for none."""


def route_cells(table: DrawnCells) -> RouteCells:
    """Return what the routes of a table depend on."""
    rivers_at_forks = _rivers_at_forks(table)
    is_crossed = rivers_at_forks > 0
    crossings = []
    for crossing in table.system.crossings:
        kinds = crossing.at(table.planes, table.cells)
        is_crossed = is_crossed | (kinds > 0)
        crossings.append((crossing, kinds))
    return RouteCells(is_crossed, rivers_at_forks, _parallel_codes(table), tuple(crossings))


def river_of(system: System) -> RouteSpec | None:
    """Return the river among the routes, None without one."""
    return next((route for route in system.routes if route.is_river), None)


def _rivers_at_forks(table: DrawnCells) -> NDArray[np.int64]:
    """Return the two sides (bits) of the river in ``table.cells`` where a road or railway forks.

    The shape is (n,); 0 where none forks, and where the river is broad, ends or forks itself.
    """
    river = river_of(table.system)
    if river is None:
        return np.zeros(len(table.cells), np.int64)
    river_sides = _narrow_sides(table, river.plane)[table.cells]
    has_fork = np.zeros(len(table.cells), np.bool_)
    for plane in styles_of_planes(table.system):
        if plane != river.plane:
            sides = table.here(plane).astype(np.int64) & SIDES
            has_fork |= np.bitwise_count(sides) >= FORK_SIDES
    is_line = np.bitwise_count(river_sides) == 2
    return np.where(has_fork & is_line, river_sides, 0)


def styles_of_planes(system: System) -> dict[str, str]:
    """Return the planes of the routes, each with the style of its first route."""
    styles: dict[str, str] = {}
    for route in system.routes:
        styles.setdefault(route.plane, route.style)
    return styles


def _parallel_codes(table: DrawnCells) -> NDArray[np.int64]:
    """Return the parallel codes of ``table.cells`` (n,); broad rivers share no sides."""
    planes = list(styles_of_planes(table.system))
    if not planes:
        return np.zeros(len(table.cells), np.int64)
    linked = []
    for plane in planes:
        sides = _narrow_sides(table, plane)
        linked.append(sides[:, None] >> np.arange(table.grid.degree) & 1 > 0)
    crossed = {}
    for crossing in table.system.crossings:
        if crossing.plane:
            lower_first = (planes.index(crossing.under), planes.index(crossing.over))
            crossed[lower_first] = table.everywhere(crossing.plane) > 0
    return parallel_codes(table.grid, linked, crossed)[table.cells]


def _narrow_sides(table: DrawnCells, plane: str) -> NDArray[np.int64]:
    """Return the sides (bits) by which routes of a plane leave each cell of the map: (size,).

    The sides that a broad river fills are left out.
    """
    values = table.everywhere(plane)
    sides = np.zeros(table.grid.size, np.int64)
    for route in table.system.routes:
        if route.plane == plane:
            sides |= np.where(route.runs(values), values & SIDES, 0)
            if route.is_river:
                sides &= ~broad_joins(table, route)
    return sides
