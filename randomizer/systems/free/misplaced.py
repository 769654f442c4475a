"""Finds what is out of place on a free map: routes in water, rivers without a mouth, towns at sea.

``FreeSystem.check`` calls these functions for the list of problems of a map. They return warnings
with the cell, since a user may mean it. A road or track may end anywhere.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from randomizer.geometry.cheapest_path import PathTree, cheapest_paths
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.planes.planes import TOUCHED
from randomizer.model.planes.routes import PRESENT, SIDES
from randomizer.model.problems import Fix, Problem, Severity, ValueChange
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


def routes_in_water(battlemap: BattleMap, composite: Composite) -> tuple[Problem, ...]:
    """Return a warning for each piece of a road, track or railway that lies in water.

    After a roll the sea may lie where a road was drawn by hand. The fix takes the piece away. A
    route that crosses one cell of water has a bridge there.
    """
    is_water = _water(battlemap, composite)
    terrain_plane = composite.plane(battlemap.system.terrain)
    if is_water is None or terrain_plane is None:
        return ()
    terrain_codes = terrain_plane.reshape(-1)
    grid = battlemap.grid
    water = f"{cell_words(grid.layout).cells} of water"
    problems = []
    for route in battlemap.system.routes_of(composite.terrain_set):
        if route.style == "water":
            continue
        values = composite.planes[route.plane].reshape(-1)
        is_in_water = is_water & route.runs(values)
        for cells in _pieces(grid, values, is_in_water)[:MOST_WARNINGS]:
            ends = [cell for cell in cells if int(values[cell] & SIDES).bit_count() < 2]
            if len(cells) == 1 and not ends:
                continue
            cell = min(ends or cells)
            cell_name = battlemap.system.cell_name(grid, cell)
            if ends:
                terrain = composite.terrain_set.terrains[int(terrain_codes[cell])]
                message = f"{route.name} ends in water ({terrain.name}) at {cell_name}."
            else:
                message = f"{route.name} crosses {len(cells):,} {water} at {cell_name}."
            changes = _without_piece(grid, route.plane, values, cells)
            fix = Fix(f"take the {route.name.lower()} in the water away", values=changes)
            problem = Problem(Severity.WARNING, "route-in-water", message, cell=cell, fix=fix)
            problems.append(problem)
    return tuple(problems)


def rivers_without_mouth(battlemap: BattleMap, composite: Composite) -> tuple[Problem, ...]:
    """Return a warning for each river that neither reaches water nor leaves the map.

    A river system, which is a river with all rivers that flow into it, gets one warning: at the
    lowest of its ends, where the mouth should be. The fix leads it on to the nearest water, or to a
    river that comes to water; one that cannot come to any is taken away.
    """
    is_water = _water(battlemap, composite)
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
    tree = PathTree({}, {})
    if goals:  # else the search would go through the whole map
        tree = cheapest_paths(grid, costs, (end,), goals)
    if tree.end < 0:
        first_name = battlemap.system.cell_name(grid, cells[0])
        last_name = battlemap.system.cell_name(grid, cells[-1])
        changes = _without_piece(grid, route.plane, values, cells)
        return Fix(f"take away the {river} between {first_name} and {last_name}", values=changes)

    path = tree.path_to(tree.end)
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
    end_name = battlemap.system.cell_name(grid, tree.end)
    return Fix(f"lead the {river} on to the water at {end_name}", values=changes)


def settlements_at_sea(battlemap: BattleMap, composite: Composite) -> tuple[Problem, ...]:
    """Return a warning for each settlement on a cell of water that has no land beside it."""
    is_water = _water(battlemap, composite)
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


def _water(battlemap: BattleMap, composite: Composite) -> NDArray[np.bool_] | None:
    """Return which cells are water, (cells,); None for a map without terrain."""
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
    waiting = set(np.flatnonzero(is_in_water).tolist())
    pieces = []
    while waiting:
        piece = [waiting.pop()]
        for cell in piece:  # it grows while it is gone through
            linked_cells = _linked_cells(grid, values, cell)
            for linked_cell in tuple(linked_cells):
                if not is_in_water[linked_cell]:
                    linked_cells += _linked_cells(grid, values, linked_cell)
            for linked_cell in linked_cells:
                if linked_cell in waiting:
                    waiting.remove(linked_cell)
                    piece.append(linked_cell)
        pieces.append(sorted(piece))
    return sorted(pieces)


def _linked_cells(grid: Grid, values: NDArray[np.uint8], cell: int) -> list[int]:
    """Return the cells to which a route leads from a cell, by the values of its plane, (cells,)."""
    linked_cells = []
    for side in range(grid.degree):
        neighbour = int(grid.neighbour_table[cell, side])
        if values[cell] >> side & 1 and neighbour >= 0:
            linked_cells.append(neighbour)
    return linked_cells


def _without_piece(
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
            if not value & SIDES:
                value = 0  # no bare mark stays
            new_values[linked_cell] = value
    return tuple(ValueChange(plane, cell, value) for cell, value in new_values.items())


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
