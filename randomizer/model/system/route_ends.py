"""The check for roads and railways that end in water.

``System.check`` calls it for the problems of a map: after a roll the land may lie elsewhere than
when the roads were drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.model.planes.routes import SIDES, without_lowest_bit
from randomizer.model.problems import Problem, Severity

if TYPE_CHECKING:
    from randomizer.model.planes.composite import Composite

MOST_ENDS = 20
"""The most warnings about one kind of route: further ones would hide other problems."""


def routes_ending_in_water(battlemap: Any, composite: Composite) -> tuple[Problem, ...]:
    """Return a warning, with its cell, for each road, track or railway that ends in water.

    A route ends where it leaves a cell by one side or by none. ``battlemap`` is a BattleMap, which
    cannot be imported here: it knows its system.
    """
    system = battlemap.system
    terrain_plane = composite.plane(system.terrain)
    if terrain_plane is None:
        return ()
    terrains = composite.terrain_set.terrains
    is_water = np.array([terrain.water for terrain in terrains])
    codes = terrain_plane.reshape(-1)
    problems = []
    for route in system.routes_of(composite.terrain_set):
        if route.style == "water":
            continue
        values = composite.planes[route.plane].reshape(-1)
        cells = np.flatnonzero(route.runs(values))
        cells = cells[is_water[codes[cells]]]
        has_one_side_at_most = without_lowest_bit(values[cells] & SIDES) == 0
        for cell in cells[has_one_side_at_most][:MOST_ENDS].tolist():
            cell_name = system.cell_name(battlemap.grid, cell)
            terrain = terrains[int(codes[cell])].name
            message = f"{route.name} ends in water ({terrain}) at {cell_name}."
            problems.append(Problem(Severity.WARNING, "route-in-water", message, cell=cell))
    return tuple(problems)
