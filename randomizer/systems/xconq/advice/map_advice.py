"""All checks of a map against the advice of the document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from randomizer.model.problems import Problem
from randomizer.systems.xconq.advice.countries import distance_problem
from randomizer.systems.xconq.advice.map_game import condition_advice, scale_advice, side_advice
from randomizer.systems.xconq.advice.map_terrain import terrain_advice
from randomizer.systems.xconq.advice.map_units import UnitsOnMap, unit_advice
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.records import (
    MAP,
    MISSING,
    globals_of,
    header_of,
    map_facts_of,
    record_problems,
    sides_of,
)
from randomizer.systems.xconq.units.unit_places import place_off_map

if TYPE_CHECKING:
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.composite import Composite
    from randomizer.systems.xconq.period.period import Period


def map_advice(battlemap: BattleMap, composite: Composite) -> tuple[Problem, ...]:
    """What is likely a mistake of a map, and the records that cannot be read.

    Without its period only the terrain is looked at.

    Quick enough to be asked for after every edit: a vector comparison of the terrain, and a pass
    over the units.
    """
    grid = battlemap.grid
    found = list(record_problems(battlemap))
    if header_of(battlemap).period_place != MISSING:
        found += _period_advice(battlemap, period_of(battlemap))
    terrain = composite.plane(battlemap.system.terrain)
    if terrain is not None:
        found += terrain_advice(terrain, composite.terrain_set, grid)
    return tuple(found)


def _period_advice(battlemap: BattleMap, period: Period) -> Iterator[Problem]:
    """What a map says that its period does not allow."""
    grid, sides = battlemap.grid, sides_of(battlemap)
    units = [unit for layer in battlemap.layers if layer.visible for unit in layer.things.values()]
    alive = [unit for unit in units if place_off_map(unit, grid) is None]
    yield from unit_advice(UnitsOnMap(alive, grid, period, sides))
    yield from condition_advice(globals_of(battlemap), period, sides, grid)
    yield from side_advice(sides)
    if MAP in battlemap.records:
        yield from scale_advice(map_facts_of(battlemap), period)
    if not units:  # its countries are still to be made
        problem = distance_problem(period, grid.width, grid.height)
        if problem is not None:  # without its place, which is none in the map's file
            yield Problem(problem.severity, problem.code, problem.message)
