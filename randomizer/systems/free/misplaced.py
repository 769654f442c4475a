"""Finds what is out of place on a free map: rivers without a mouth, and towns at sea.

    rivers_without_mouth(battlemap, composite)      # "River ends on dry land at 0304 ..."
    settlements_at_sea(battlemap, composite)        # "Brandenmouth stands in the water at 0506."

``FreeSystem.check`` calls these functions for the list of problems of a map. They return warnings
with the cell, since a user may mean it. Roads in water are found on all maps
(``routes_in_water``); a road or track may end anywhere else.

A *river system* is a river with all rivers that flow into it: all cells that are linked to one
another.
"""

from __future__ import annotations

from dataclasses import dataclass
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
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite
    from randomizer.model.planes.routes import RouteSpec

MAX_WARNINGS = 20
"""The most warnings of one kind: further ones would hide other problems."""

_SETTLEMENTS = {kind.name: kind.title for kind in KINDS if kind.group == "Settlements"}
"""The titles of the kinds of settlements, by name."""


@dataclass(frozen=True, eq=False)
class _Rivers:
    """One kind of rivers on a map, such as all canals."""

    battlemap: BattleMap

    route: RouteSpec
    """The kind."""

    values: NDArray[np.uint8]
    """(cells,): the values of its plane, which can have other kinds in other cells."""

    links: NDArray[np.uint8]
    """(cells,): the bits of the sides by which such a river leaves each cell; 0 without one."""

    def goes_over(self, cell: int, side: int) -> bool:
        """Return whether a river leaves a cell by a side: by 1 and 2 if its links are 0b0110."""
        return int(self.links[cell]) & (1 << side) != 0


def rivers_without_mouth(battlemap: BattleMap, composite: Composite) -> tuple[Problem, ...]:
    """Return a warning for each river that neither reaches water nor leaves the map.

    A river system gets one warning: at the lowest of its ends, where the mouth should be. The fix
    leads it on to the nearest water, or to a river that comes to water; one that cannot come to any
    is taken away.
    """
    is_water = water_cells(battlemap, composite)
    if is_water is None:
        return ()
    height = battlemap.system.height
    assert height is not None, "free maps have elevations"
    heights = composite.planes[height.name].reshape(-1)
    problems: list[Problem] = []
    for route in battlemap.system.routes_of(composite.terrain_set):
        if route.is_river:
            values = composite.planes[route.plane].reshape(-1)
            links = np.where(route.runs(values), values & SIDES, 0)
            rivers = _Rivers(battlemap, route, values, links)
            problems += _problems_of_rivers(rivers, heights, is_water)
    return tuple(problems[:MAX_WARNINGS])


def _problems_of_rivers(
    rivers: _Rivers, heights: NDArray[np.int_], is_water: NDArray[np.bool_]
) -> Iterator[Problem]:
    """Yield the warnings about rivers of a kind that come to no water, ``MAX_WARNINGS`` at most.

    ``heights`` and ``is_water`` are (cells,).
    """
    # A river without a mouth can be led into water, or into a river that comes to water.
    is_goal = is_water.copy()
    systems_without_mouth = []
    for cells in _systems(rivers):
        if _reaches_water(rivers, cells, is_water):
            is_goal[cells] = True
        else:
            systems_without_mouth.append(cells)

    # *Fix all* applies all fixes, of which no two may change one cell. A problem that has no fix
    # for that reason gets it when the map is checked the next time.
    changed_cells: set[int] = set()
    for cells in systems_without_mouth[:MAX_WARNINGS]:
        end = _lowest_end(rivers, cells, heights)
        possible_fix = _fix_of_river(rivers, cells, end, is_goal)
        fixed_cells = {change.index for change in possible_fix.values}
        fix: Fix | None = None
        if changed_cells.isdisjoint(fixed_cells):
            changed_cells |= fixed_cells
            fix = possible_fix
        yield Problem(
            Severity.WARNING, "river-without-mouth", _message(rivers, end), cell=end, fix=fix
        )


def _systems(rivers: _Rivers) -> list[list[int]]:
    """Return the river systems of a map, each as the sorted list of its cells."""
    grid = rivers.battlemap.grid
    waiting = set(np.flatnonzero(rivers.links).tolist())
    systems = []
    while waiting:
        system = [waiting.pop()]
        for cell in system:  # a queue: the loop goes on to the cells that it adds
            for side in range(grid.degree):
                neighbour = int(grid.neighbour_table[cell, side])
                if rivers.goes_over(cell, side) and neighbour in waiting:
                    waiting.remove(neighbour)
                    system.append(neighbour)
        systems.append(sorted(system))
    return sorted(systems)


def _reaches_water(rivers: _Rivers, cells: list[int], is_water: NDArray[np.bool_]) -> bool:
    """Return whether one of the cells of a river is water, is beside water, or leaves the map."""
    grid = rivers.battlemap.grid
    for cell in cells:
        if is_water[[cell, *grid.neighbours(cell)]].any():
            return True
        for side in range(grid.degree):
            is_edge = grid.neighbour_table[cell, side] < 0
            if is_edge and rivers.goes_over(cell, side):
                return True
    return False


def _lowest_end(rivers: _Rivers, cells: list[int], heights: NDArray[np.int_]) -> int:
    """Return the cell where the mouth of a river system should be."""
    # An end is linked by one side at most; a river in a circle has no end.
    ends = [cell for cell in cells if int(rivers.links[cell]).bit_count() < 2] or cells
    return min(ends, key=lambda cell: (int(heights[cell]), cell))


def _message(rivers: _Rivers, end: int) -> str:
    """Return the message about a river that ends in a cell."""
    name = rivers.route.name
    if _is_by_hand(rivers.battlemap, rivers.route.plane, end):
        name = f"Your {name.lower()}"
    cell_name = rivers.battlemap.system.cell_name(rivers.battlemap.grid, end)
    return f"{name} ends on dry land at {cell_name}: it comes to no water."


def _fix_of_river(
    rivers: _Rivers, cells: Sequence[int], end: int, is_goal: NDArray[np.bool_]
) -> Fix:
    """Return the fix that leads a river on from its end to the nearest cell of ``is_goal``.

    ``cells`` are those of the river: it does not run through these again. If it can come to no
    goal, the fix takes it away.
    """
    battlemap = rivers.battlemap
    grid = battlemap.grid
    river = rivers.route.name.lower()
    plane = rivers.route.plane
    costs = np.ones(grid.size)
    costs[list(cells)] = np.inf
    goals = np.flatnonzero(is_goal).tolist()
    path = path_to_nearest(grid, StepCosts(costs), end, goals)
    if not path:
        first_name = battlemap.system.cell_name(grid, cells[0])
        last_name = battlemap.system.cell_name(grid, cells[-1])
        changes = without_piece(grid, plane, rivers.values, cells)
        return Fix(f"take away the {river} between {first_name} and {last_name}", values=changes)

    new_values: dict[int, int] = {}
    for cell in path:
        value = int(rivers.values[cell])
        if not value & SIDES:
            value = PRESENT  # without other bits, such as those of "not set here"
        new_values[cell] = value
    for cell, next_cell in pairwise(path):
        side = grid.neighbour_table[cell].tolist().index(next_cell)
        new_values[cell] |= 1 << side
        new_values[next_cell] |= 1 << grid.opposite(side)
    changes = tuple(ValueChange(plane, cell, value) for cell, value in new_values.items())
    end_name = battlemap.system.cell_name(grid, path[-1])
    return Fix(f"lead the {river} on to the water at {end_name}", values=changes)


def _is_by_hand(battlemap: BattleMap, plane: str, cell: int) -> bool:
    """Return whether a person has painted the visible value of a cell, not a roll or a file."""
    layer = battlemap.owner(plane, cell)
    if layer is None or layer.from_file:
        return False
    if layer.roll is None:
        return True
    touched = layer.planes.get(TOUCHED + plane)
    return touched is not None and bool(touched.flat[cell])


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
    return tuple(problems[:MAX_WARNINGS])
