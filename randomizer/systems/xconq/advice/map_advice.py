"""All checks of a map against the advice of Xconq's document, for the list of problems.

The document is Xconq's manual for designers. ``map_advice`` calls all checks, most of which compare
the map with its *period*, the rules of the game for which it is made::

    map_units           units: where they stand, what they carry
    condition_advice    conditions of victory
    map_terrain         terrain
    this module         sides with the same name, and the scale
    countries           the size of a world without units, on which countries are to be made
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from randomizer.model.problems import Problem, Severity
from randomizer.systems.xconq.advice.condition_advice import condition_advice
from randomizer.systems.xconq.advice.countries import distance_problem
from randomizer.systems.xconq.advice.map_terrain import Codes, terrain_advice
from randomizer.systems.xconq.advice.map_units import unit_advice
from randomizer.systems.xconq.advice.units_on_map import UnitsOnMap
from randomizer.systems.xconq.map_period import definition_of_unit, period_of, rolled_period
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.records import (
    MAP,
    MapFacts,
    PeriodPlace,
    Sides,
    globals_of,
    header_of,
    map_facts_of,
    record_problems,
    sides_of,
)
from randomizer.systems.xconq.units.unit_state import position_off_map

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite
    from randomizer.model.things.things import Thing


def map_advice(battlemap: BattleMap, composite: Composite) -> tuple[Problem, ...]:
    """Return the problems of a map that are likely mistakes, and the records that cannot be read.

    If the map's period is missing, only the terrain is checked. It is quick enough to be called
    after every edit: a vector comparison of the terrain, and a pass over the units.
    """
    grid = battlemap.grid
    problems = list(record_problems(battlemap))
    terrain = composite.plane(battlemap.system.terrain)
    if header_of(battlemap).period_place is not PeriodPlace.MISSING:
        problems += _period_advice(battlemap, period_of(battlemap), terrain)
    if terrain is not None:
        problems += terrain_advice(terrain, composite.terrain_set, grid)
    return tuple(problems)


def _period_advice(
    battlemap: BattleMap, period: Period, terrain: Codes | None
) -> Iterator[Problem]:
    """Yield the problems of a map with its period."""
    grid = battlemap.grid
    sides = sides_of(battlemap)
    units: list[Thing] = []
    for layer in battlemap.layers:
        if layer.visible:
            units += layer.things.values()
    # A unit that a file puts off the map is dead for Xconq, and has a problem of its own.
    alive_units = [unit for unit in units if position_off_map(unit, grid) is None]
    is_from_file = bool(header_of(battlemap).sections)  # a map that was made here has none
    units_on_map = UnitsOnMap(
        alive_units,
        grid,
        period,
        sides,
        terrain,
        is_terrain_chosen=MAP in battlemap.records or not is_from_file,
        find_definition=partial(definition_of_unit, battlemap),
        read_rolled_period=partial(rolled_period, battlemap),
    )
    yield from unit_advice(units_on_map)
    yield from condition_advice(globals_of(battlemap), period, sides, grid)
    yield from side_advice(sides)
    if MAP in battlemap.records:
        yield from scale_advice(map_facts_of(battlemap), period)
    if not units:
        # The countries of this world are still to be made.
        problem = distance_problem(period, grid.width, grid.height)
        if problem is not None:
            # The line of the problem is left out: it is one of the period, not of the map's file.
            yield Problem(problem.severity, problem.code, problem.message)


def side_advice(sides: Sides) -> Iterator[Problem]:
    """Yield a hint for each name that several sides have, and for several sides without one."""
    counts_by_name = Counter(side.name for side in sides.sides)
    for name, count in counts_by_name.items():
        if count < 2:
            continue
        if name:
            message = f"{count} sides are called “{name}”"
        else:
            message = f"{count} sides have no name"
        yield Problem(Severity.HINT, "advice-side-names", message)


def scale_advice(facts: MapFacts, period: Period) -> Iterator[Problem]:
    """Yield the problem of a map that is drawn for another scale than its period.

    A map that says no scale has the scale 0, and suits any period.
    """
    scale = period.number("scale")
    assignment = period.assigned("scale")
    if assignment is not None and facts.scale > 0 and scale != facts.scale:
        message = f"The map has {facts.scale} km a hex, its period {scale} (scale)"
        yield Problem(Severity.HINT, "advice-scale", message)
