"""Advice about the conditions of victory of a map.

A *condition* ends the game for a side that has, between two turns, as much of something as its
numbers say: territory, units, resources, or a unit at a place. ``condition_advice`` compares them
with the map, its sides and its period. Its problems count conditions from 1::

    Condition 2 begins on turn 400, but the game ends on turn 300
"""

from __future__ import annotations

from collections.abc import Iterator

from randomizer.model.basics.plurals import counted, there_are
from randomizer.model.grid.grid import Grid
from randomizer.model.problems import Problem, Severity
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.records import Condition, ConditionKind, Globals, Sides


def condition_advice(rules: Globals, period: Period, sides: Sides, grid: Grid) -> Iterator[Problem]:
    """Yield a warning for each fault of the conditions of a map."""
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
    if condition.side >= len(sides.sides):  # one of all sides has -1
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
        case ConditionKind.RESOURCES:
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
