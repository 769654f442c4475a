"""All checks of a map against the advice of the document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.model.problems import Problem
from randomizer.systems.xconq.advice.countries import distance_problem
from randomizer.systems.xconq.advice.map_game import condition_advice, scale_advice, side_advice
from randomizer.systems.xconq.advice.map_terrain import terrain_advice
from randomizer.systems.xconq.advice.map_units import UnitsOnMap, unit_advice
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.records import (
    MAP,
    globals_of,
    map_facts_of,
    record_problems,
    sides_of,
)

if TYPE_CHECKING:
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.composite import Composite


def map_advice(battlemap: BattleMap, composite: Composite) -> tuple[Problem, ...]:
    """What is likely a mistake of a map, and the records that cannot be read.

    Quick enough to be asked for after every edit: a vector comparison of the terrain, and a pass
    over the units.
    """
    period, grid, sides = period_of(battlemap), battlemap.grid, sides_of(battlemap)
    units = [unit for layer in battlemap.layers if layer.visible for unit in layer.things.values()]
    found = [
        *record_problems(battlemap),
        *unit_advice(UnitsOnMap(units, grid, period, sides)),
        *condition_advice(globals_of(battlemap), period, sides, grid),
        *side_advice(sides),
    ]
    if MAP in battlemap.records:
        found += scale_advice(map_facts_of(battlemap), period)
    if not units:  # its countries are still to be made
        problem = distance_problem(period, grid.width, grid.height)
        found += [] if problem is None else [problem]
    terrain = composite.plane(battlemap.system.terrain)
    if terrain is not None:
        found += terrain_advice(terrain, composite.terrain_set, grid)
    return tuple(found)
