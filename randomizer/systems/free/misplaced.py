"""Finds what is out of place on a free map: rivers without a mouth, and towns at sea.

``FreeSystem.check`` calls these functions for the list of problems of a map. They return warnings
with the cell, since a user may mean it. Roads in water are found on all maps
(``routes_in_water``); a road or track may end anywhere else.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from randomizer.geometry.cheapest_path import StepCosts, path_to_nearest
from randomizer.model.planes.planes import TOUCHED
from randomizer.model.planes.routes import PRESENT, SIDES
from randomizer.model.problems import Fix, Problem, Severity, ValueChange
from randomizer.model.system.routes_in_water import water_cells, without_piece
from randomizer.systems.free.things import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite
    from randomizer.model.planes.routes import RouteSpec

MOST_WARNINGS = 20
"""The most warnings of one kind: further ones would hide other problems."""

_SETTLEMENTS = {kind.name: kind.title for kind in KINDS if kind.group == "Settlements"}
"""The titles of the kinds of settlements, by name."""


def rivers_without_mouth(battlemap: BattleMap, composite: Composite) -> tuple[Problem, ...]:
    """Return a warning for each river that neither reaches water nor leaves the map.

    A river system, which is a river with all rivers that flow into it, gets one warning: at the
    lowest of its ends, where the mouth should be. The fix leads it on to the nearest water, or to a
    river that comes to water; one that cannot come to any is taken away.
    """
    is_water = water_cells(battlemap, composite)
    if is_water is None:
        return ()
    grid = battlemap.grid
    height = battlemap.system.height
    assert height is not None, "free maps have elevations"
    heights = composite.planes[height.name].reshape(-1)
    problems = []
    for route in battlemap.system.routes_of(composite.terrain_set):
        if route.style != "water":
            continue
        values = composite.planes[route.plane].reshape(-1)
        links = np.where(route.runs(values), values & SIDES, 0)
        is_goal = is_water.copy()
        changed_cells: set[int] = set()
        systems_without_mouth = []
        for cells in _systems(grid, links):
            if _reaches_water(grid, cells, links, is_water):
                is_goal[cells] = True
            else:
                systems_without_mouth.append(cells)
        for cells in systems_without_mouth[:MOST_WARNINGS]:
            # An end is linked by one side at most; a river in a circle has no end.
            ends = [cell for cell in cells if int(links[cell]).bit_count() < 2] or cells
            end = min(ends, key=lambda cell: (int(heights[cell]), cell))
            cell_name = battlemap.system.cell_name(grid, end)
            river = route.name
            if _is_by_hand(battlemap, route.plane, end):
                river = f"Your {route.name.lower()}"
            message = f"{river} ends on dry land at {cell_name}: it comes to no water."
            # *Fix all* applies all fixes, of which no two must change one cell. A problem without
            # a fix gets one once the other is applied.
            fix: Fix | None = None
            fix_of_river = _fix_of_river(battlemap, route, values, cells, end, is_goal)
            fixed_cells = {change.index for change in fix_of_river.values}
            if changed_cells.isdisjoint(fixed_cells):
                changed_cells |= fixed_cells
                fix = fix_of_river
            problem = Problem(Severity.WARNING, "river-without-mouth", message, cell=end, fix=fix)
            problems.append(problem)
    return tuple(problems[:MOST_WARNINGS])


def _is_by_hand(battlemap: BattleMap, plane: str, cell: int) -> bool:
    """Return whether a hand has set the visible value of a cell, not a roll or a file."""
    layer = battlemap.owner(plane, cell)
    if layer is None or layer.from_file:
        return False
    if layer.roll is None:
        return True
    touched = layer.planes.get(TOUCHED + plane)
    return touched is not None and bool(touched.flat[cell])


def _fix_of_river(
    battlemap: BattleMap,
    route: RouteSpec,
    values: NDArray[np.uint8],
    cells: Sequence[int],
    end: int,
    is_goal: NDArray[np.bool_],
) -> Fix:
    """Return the fix that leads a river on from its end to the nearest cell of ``is_goal``.

    ``values`` (cells,) are those of the river's plane, ``cells`` those of the river: it does not
    run through these again. If it can come to no goal, the fix takes it away.
    """
    grid = battlemap.grid
    river = route.name.lower()
    costs = np.ones(grid.size)
    costs[list(cells)] = np.inf
    goals = np.flatnonzero(is_goal).tolist()
    path = path_to_nearest(grid, StepCosts(costs), end, goals)
    if not path:
        first_name = battlemap.system.cell_name(grid, cells[0])
        last_name = battlemap.system.cell_name(grid, cells[-1])
        changes = without_piece(grid, route.plane, values, cells)
        return Fix(f"take away the {river} between {first_name} and {last_name}", values=changes)

    new_values = {}
    for cell in path:
        value = int(values[cell])
        if not value & SIDES:
            value = PRESENT  # it may be the value of a cell that sets none
        new_values[cell] = value
    for cell, next_cell in pairwise(path):
        side = grid.neighbour_table[cell].tolist().index(next_cell)
        new_values[cell] |= 1 << side
        new_values[next_cell] |= 1 << grid.opposite(side)
    changes = tuple(ValueChange(route.plane, cell, value) for cell, value in new_values.items())
    end_name = battlemap.system.cell_name(grid, path[-1])
    return Fix(f"lead the {river} on to the water at {end_name}", values=changes)


def settlements_at_sea(battlemap: BattleMap, composite: Composite) -> tuple[Problem, ...]:
    """Return a warning for each settlement on a cell of water that has no land beside it."""
    is_water = water_cells(battlemap, composite)
    if is_water is None:
        return ()
    grid = battlemap.grid
    problems = []
    for layer in battlemap.layers:
        if not layer.visible or _SETTLEMENTS.keys().isdisjoint(layer.things.kinds):
            continue
        for thing in layer.things.values():
            cell = grid.cell_at(thing.x, thing.y)
            if thing.kind not in _SETTLEMENTS or cell < 0:
                continue
            if is_water[[cell, *grid.neighbours(cell)]].all():
                name = thing.label or _SETTLEMENTS[thing.kind]
                cell_name = battlemap.system.cell_name(grid, cell)
                message = f"{name} stands in the water at {cell_name}."
                problem = Problem(Severity.WARNING, "settlement-at-sea", message, cell=cell)
                problems.append(problem)
    return tuple(problems[:MOST_WARNINGS])


def _systems(grid: Grid, links: NDArray[np.uint8]) -> list[list[int]]:
    """Return the river systems of a map, each as the sorted list of its cells.

    ``links`` (cells,) are the sides by which rivers leave cells, as bits. A system has all cells to
    which links lead from one of them.
    """
    waiting = set(np.flatnonzero(links).tolist())
    systems = []
    while waiting:
        system = [waiting.pop()]
        for cell in system:  # it grows while it is gone through
            for side in range(grid.degree):
                neighbour = int(grid.neighbour_table[cell, side])
                if links[cell] >> side & 1 and neighbour in waiting:
                    waiting.remove(neighbour)
                    system.append(neighbour)
        systems.append(sorted(system))
    return sorted(systems)


def _reaches_water(
    grid: Grid, cells: list[int], links: NDArray[np.uint8], is_water: NDArray[np.bool_]
) -> bool:
    """Return whether one of the cells of a river is water, is beside water, or leaves the map."""
    for cell in cells:
        if is_water[[cell, *grid.neighbours(cell)]].any():
            return True
        for side in range(grid.degree):
            if links[cell] >> side & 1 and grid.neighbour_table[cell, side] < 0:
                return True
    return False
