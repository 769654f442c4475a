"""All checks of a map against the advice of Xconq's document, for the list of problems.

The document is Xconq's manual for designers. ``map_advice`` collects the checks: of units
(``map_units``), of the conditions of victory, of sides, scale and terrain. Most of them compare the
map with its *period*, the rules of the game for which it is made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.plurals import counted, there_are
from randomizer.model.grid.grid import Grid
from randomizer.model.problems import Problem, Severity
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.systems.xconq.advice.countries import distance_problem
from randomizer.systems.xconq.advice.map_units import unit_advice
from randomizer.systems.xconq.advice.units_on_map import UnitsOnMap
from randomizer.systems.xconq.map_period import definition_of_unit, period_of, rolled_period
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.records import (
    MAP,
    MISSING,
    Condition,
    ConditionKind,
    Globals,
    MapFacts,
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

    If the map's period is not here, only the terrain is checked. It is quick enough to be called
    after every edit: a vector comparison of the terrain, and a pass over the units.
    """
    grid = battlemap.grid
    problems = list(record_problems(battlemap))
    terrain = composite.plane(battlemap.system.terrain)
    if header_of(battlemap).period_place != MISSING:
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
    # What a file puts off the map is dead for Xconq, and has a problem of its own.
    alive_units = [unit for unit in units if position_off_map(unit, grid) is None]
    is_from_file = bool(header_of(battlemap).sections)  # "" for a map that was made here
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
        # Its countries are still to be made.
        problem = distance_problem(period, grid.width, grid.height)
        if problem is not None:
            # Without its line, which is one of the period, not of the map's file.
            yield Problem(problem.severity, problem.code, problem.message)


def condition_advice(rules: Globals, period: Period, sides: Sides, grid: Grid) -> Iterator[Problem]:
    """Yield the problems of the conditions of a map, which are counted from 1."""
    for number, condition in enumerate(rules.conditions, 1):
        for fault in _faults(condition, rules, period, sides, grid):
            message = f"Condition {number} {fault}"
            yield Problem(Severity.WARNING, "advice-condition", message)


def _faults(
    condition: Condition, rules: Globals, period: Period, sides: Sides, grid: Grid
) -> Iterator[str]:
    """Yield the faults of a condition's turns, side and numbers, each as the end of a sentence."""
    if condition.start > condition.end:
        yield f"holds from turn {condition.start} to turn {condition.end}, so never"
    elif condition.start > rules.end_time:
        yield f"begins on turn {condition.start}, but the game ends on turn {rules.end_time}"
    if condition.side >= len(sides.sides):
        number_of_sides = there_are(len(sides.sides), "side")
        yield f"is of side {condition.side}, but {number_of_sides}, counted from 0"
    numbers = condition.numbers
    match condition.kind:
        case ConditionKind.TERRITORY:
            if not (period.row("territory") > 0).any():
                yield "counts “territory”, but no unit type has any"
        case ConditionKind.PLACE:
            yield from _faults_of_place(numbers, period, grid)
        case ConditionKind.UNITS:
            yield from _faults_of_amounts(numbers, len(period.units), "unit type")
        case _:
            yield from _faults_of_amounts(numbers, len(period.resources), "resource type")


def _faults_of_amounts(numbers: tuple[int, ...], type_count: int, type_noun: str) -> Iterator[str]:
    """Yield the fault of the numbers of a condition if there is not one for each type."""
    if len(numbers) != type_count:
        numbers_given = counted(len(numbers), "number")
        yield f"has {numbers_given}, but the period has {counted(type_count, type_noun)}"


def _faults_of_place(numbers: tuple[int, ...], period: Period, grid: Grid) -> Iterator[str]:
    """Yield the faults of the numbers of a condition about a hex: its x, y and a unit type.

    The unit type can be -1, for units of any type.
    """
    if len(numbers) != 3:
        yield "names no hex and unit type"
        return
    x, y, unit = numbers
    if not (0 <= x < grid.width and 0 <= y < grid.height):
        yield f"is about {x},{y}, which is not on the map"
    elif y in (0, grid.height - 1):
        yield f"is about {x},{y} at a pole, where no unit can stand"
    if not -1 <= unit < len(period.units):
        number_of_types = there_are(len(period.units), "type")
        yield f"is about unit type {unit}, but {number_of_types}, counted from 0"


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


# --- terrain ------------------------------------------------------------------------------------

PLENTIFUL = 0.25
"""The share of the inner rows above which the terrain of the poles cannot be told from the rest."""

LEAST_SEAM = 0.2
"""The *seam* is where a map that goes round the world has its first column beside the last one.

It is smooth, whatever the rest of the map is like, if at most this share of the hexes differ from
their neighbours across it.
"""

ROUGHER = 1.3
"""The seam is rough if so many times as many hexes differ there as from column to column elsewhere.

Of rolled worlds of 60 x 30 one in sixty is rougher there by chance.
"""

SMOOTHER_COLUMNS = 90
"""The percentage of columns that are compared with the seam; the roughest ones do not count."""

Codes = NDArray[np.uint8]
"""The terrain codes of a map, (h, w)."""


def terrain_advice(codes: Codes, terrain_set: TerrainSet, grid: Grid) -> Iterator[Problem]:
    """Yield the problems of the terrain of a map; none if it is all of one terrain."""
    if (codes == codes[0, 0]).all():
        return
    yield from _check_poles(codes, terrain_set, grid)
    if grid.wrap:
        yield from _check_seam(codes, grid)


def _check_poles(codes: Codes, terrain_set: TerrainSet, grid: Grid) -> Iterator[Problem]:
    """Yield a hint if a row at a pole has no terrain of its own, by which players would know it."""
    height = len(codes)
    has_inner_rows = height > 2
    if not has_inner_rows:
        return
    faults = []
    faulty_rows = []
    inner = codes[1:-1]
    for y in (height - 1, 0):
        row = codes[y]
        terrain = row[0]
        fault = ""
        if (row != terrain).any():
            fault = "is of several terrains"
        elif np.count_nonzero(inner == terrain) > PLENTIFUL * inner.size:
            fault = f"is {terrain_set.terrains[terrain].name}, common elsewhere, too"
        if fault:
            faults.append(f"y = {y} {fault}")
            faulty_rows.append(y)
    if faults:
        message = (
            "The rows at the poles, where no unit can stand, should have a terrain of their own "
            f"(edge-terrain): {', '.join(faults)}"
        )
        cell = faulty_rows[0] * grid.width
        yield Problem(Severity.HINT, "advice-poles", message, cell=cell)


def _check_seam(codes: Codes, grid: Grid) -> Iterator[Problem]:
    """Yield a hint if more hexes differ from their eastern neighbours at the seam than elsewhere.

    A column of one terrain beside the seam is a wall, and meant. The rows at the poles do not
    count.
    """
    if grid.width < 3:  # no columns would be left to compare the seam with
        return
    first_row = 0
    has_inner_rows = len(codes) > 2
    if has_inner_rows:
        first_row = 1
    inner = codes[first_row : len(codes) - first_row]
    for column in (inner[:, 0], inner[:, -1]):
        is_wall = (column == column[0]).all()
        if is_wall:
            return

    # Whether each hex differs from its eastern neighbour, which for the last column, across the
    # seam, is in the first; and the share of such hexes by columns.
    differs = np.empty(inner.shape, np.bool_)
    np.not_equal(inner[:, :-1], inner[:, 1:], out=differs[:, :-1])
    np.not_equal(inner[:, -1], inner[:, 0], out=differs[:, -1])
    # Adding narrow numbers is many times as fast as the mean of truth values.
    shares = np.add.reduce(differs, axis=0, dtype=np.uint32) / len(inner)

    share_at_seam = shares[-1]
    usual_share = np.percentile(shares[:-1], SMOOTHER_COLUMNS)
    if share_at_seam <= max(LEAST_SEAM, ROUGHER * usual_share):
        return
    first_difference = int(differs[:, -1].argmax()) + first_row
    cell = first_difference * grid.width + grid.width - 1
    message = (
        f"Landforms do not match where the map goes round: {share_at_seam:.0%} of the hexes of the "
        f"last column (x = {grid.width - 1}) differ from their neighbours in the first. A stripe "
        "of a terrain that nobody can enter would be a wall there"
    )
    yield Problem(Severity.HINT, "advice-seam", message, cell=cell)
