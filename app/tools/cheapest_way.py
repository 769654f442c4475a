"""The cheapest way of a route between two cells, by the costs of the terrains that it enters.

    way = cheapest_way(document, road, start, end)
    way.cells             # [] if no way leads there
    way.water_cells       # the number of cells of water that the road would bridge

Roads keep out of water and rivers do not run uphill, as long as another way leads there: the search
is made first without such cells, and with them only if it finds nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.cheapest_path import StepCosts, cheapest_path
from randomizer.model.planes.routes import SIDES, RouteSpec
from randomizer.model.system.routes_in_water import water_cells

if TYPE_CHECKING:
    from app.document.document import MapDocument


class Way(NamedTuple):
    """The way that a route would take between two cells."""

    cells: list[int]
    """Its cells from the start to the end, both included; [] if no way leads there."""

    bridged_count: int
    """The number of cells of water that a new road, track or railway crosses on it."""


def cheapest_way(document: MapDocument, route: RouteSpec, start: int, end: int) -> Way:
    """Return the cheapest way for a new route.

    Both ends may be cells that cannot be entered, such as a lake.
    """
    is_avoided = _avoided_cells(document, route, start)
    is_avoided[end] = False
    cells = _cheapest_without(document, route, start, end, is_avoided)
    if not cells:  # none that avoids them
        none_avoided = np.zeros_like(is_avoided)
        cells = _cheapest_without(document, route, start, end, none_avoided)
    return Way(cells, _count_new_in_water(document, route, cells))


def shortest_along_links(
    document: MapDocument, route: RouteSpec, start: int, end: int
) -> list[int]:
    """Return the cells of the shortest way along existing links of the route, to remove these.

    [] if they do not lead there.
    """
    battlemap = document.battlemap
    no_entry = np.full(battlemap.grid.size, np.inf)  # no cell can be entered but along a link
    costs = StepCosts(no_entry, _links_of(document, route), link_cost=1.0)
    return cheapest_path(battlemap.grid, costs, start, end)


def _avoided_cells(document: MapDocument, route: RouteSpec, start: int) -> NDArray[np.bool_]:
    """Return which cells (size,) the route from ``start`` avoids where another way leads.

    A road, track or railway avoids water, even if people can wade in it; a river avoids what lies
    higher than its source. The array is a new one, which the caller may change.
    """
    battlemap = document.battlemap
    composite = document.composite
    none_avoided = np.zeros(battlemap.grid.size, np.bool_)
    if not route.is_river:
        is_water = water_cells(battlemap, composite)
        if is_water is None:
            return none_avoided
        return is_water
    elevation = None
    if battlemap.system.elevation is not None:
        elevation = composite.plane(battlemap.system.elevation)
    if elevation is None:
        return none_avoided
    elevations = elevation.reshape(-1)
    return np.asarray(elevations > elevations[start])


def _cheapest_without(
    document: MapDocument,
    route: RouteSpec,
    start: int,
    end: int,
    is_avoided: NDArray[np.bool_],
) -> list[int]:
    """Return the cells of the cheapest way that enters no avoided cell; [] if there is none.

    It may still follow a link of the route through them, such as a bridge.
    """
    entry_costs = _entry_costs(document)
    entry_costs[is_avoided] = np.inf
    if np.isinf(entry_costs[end]):
        entry_costs[end] = 1.0  # any finite cost: each way to the cell pays it once
    costs = StepCosts(entry_costs)
    link_cost = _link_cost(document, route)
    if link_cost is not None:
        # It may be cheaper to follow the route where it exists than to enter any terrain.
        costs = StepCosts(entry_costs, _links_of(document, route), link_cost)
    return cheapest_path(document.battlemap.grid, costs, start, end)


def _entry_costs(document: MapDocument) -> NDArray[np.float64]:
    """Return the costs of entering the cells (size,): infinity for a barred one."""
    battlemap = document.battlemap
    terrain = document.composite.plane(battlemap.system.terrain)
    if terrain is None:
        return np.ones(battlemap.grid.size)
    cost_by_code: list[float] = []  # a code is an index into the terrains of the set
    for entry in battlemap.terrain_set.terrains:
        if entry.cost is None:
            cost_by_code.append(np.inf)
        else:
            cost_by_code.append(entry.cost)
    return np.array(cost_by_code)[terrain.reshape(-1)]


def _link_cost(document: MapDocument, route: RouteSpec) -> float | None:
    """Return the cost of a step along the route, None if its terrain set does not name one."""
    # A way of a terrain set is a kind of route in it, with the cost of a step.
    for kind_of_way in document.battlemap.terrain_set.ways:
        if kind_of_way.name == route.name:
            return kind_of_way.cost
    return None


def _links_of(document: MapDocument, route: RouteSpec) -> NDArray[np.uint8]:
    """Return the sides (size,) by which the route leaves each cell, as bit masks."""
    return document.composite.planes[route.plane].reshape(-1) & np.uint8(SIDES)


def _count_new_in_water(document: MapDocument, route: RouteSpec, cells: Sequence[int]) -> int:
    """Return how many cells of water a new road, track or railway along ``cells`` crosses.

    Its ends do not count, nor do cells that have the route already, such as a bridge.
    """
    is_water = water_cells(document.battlemap, document.composite)
    if route.is_river or is_water is None:
        return 0
    cells_between = np.array(cells[1:-1], np.intp)
    values = document.composite.planes[route.plane].reshape(-1)
    is_new = ~route.runs(values[cells_between])
    return int((is_new & is_water[cells_between]).sum())
