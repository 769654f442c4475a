"""Advice about what is said of the game on a map: conditions, sides, scale."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from randomizer.model.grid import Grid
from randomizer.model.plurals import counted
from randomizer.model.problems import Problem, Severity
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.records import (
    Condition,
    ConditionKind,
    Globals,
    MapFacts,
    Sides,
)


def condition_advice(known: Globals, period: Period, sides: Sides, grid: Grid) -> Iterator[Problem]:
    """The problems of the conditions of a map, which are counted from 1."""
    for number, condition in enumerate(known.conditions, 1):
        for fault in _faults(condition, known, period, sides, grid):
            message = f"Condition {number} {fault}"
            yield Problem(Severity.WARNING, "advice-condition", message)


def _faults(
    condition: Condition, known: Globals, period: Period, sides: Sides, grid: Grid
) -> Iterator[str]:
    """What is wrong with a condition, as ends of sentences."""
    if condition.start > condition.end:
        yield f"holds from turn {condition.start} to turn {condition.end}, so never"
    elif condition.start > known.end_time:
        yield f"begins on turn {condition.start}, but the game ends on turn {known.end_time}"
    if condition.side >= len(sides.sides):
        yield f"is of side {condition.side}, but there are {counted(len(sides.sides), 'side')}"
    numbers = condition.numbers
    if condition.kind is ConditionKind.TERRITORY:
        if not (period.row("territory") > 0).any():
            yield "counts “territory”, but no unit type has any"
    elif condition.kind is ConditionKind.PLACE:
        yield from _faults_of_place(numbers, period, grid)
    else:
        units = condition.kind is ConditionKind.UNITS
        what = "unit type" if units else "resource type"
        wanted = len(period.units if units else period.resources)
        if len(numbers) != wanted:
            found = counted(len(numbers), "number")
            yield f"has {found}, but the period has {counted(wanted, what)}"


def _faults_of_place(numbers: tuple[int, ...], period: Period, grid: Grid) -> Iterator[str]:
    if len(numbers) != 3:
        yield "names no hex and unit type"
        return
    x, y, unit = numbers
    if not (0 <= x < grid.width and 0 <= y < grid.height):
        yield f"is about {x},{y}, which is not on the map"
    elif y in (0, grid.height - 1):
        yield f"is about {x},{y} at a pole, where no unit can stand"
    if not -1 <= unit < len(period.units):
        yield f"is about unit type {unit}, but there are {len(period.units)}, counted from 0"


def side_advice(sides: Sides) -> Iterator[Problem]:
    """Sides that have one name."""
    names = Counter(side.name for side in sides.sides)
    for name, number in names.items():
        if number > 1:
            message = (
                f"{number} sides are called “{name}”" if name else f"{number} sides have no name"
            )
            yield Problem(Severity.HINT, "advice-side-names", message)


def scale_advice(facts: MapFacts, period: Period) -> Iterator[Problem]:
    """A map that is drawn for another scale than its period."""
    scale, place = period.number("scale"), period.assigned("scale")
    if place is not None and facts.scale > 0 and scale != facts.scale:
        message = f"The map has {facts.scale} km a hex, its period {scale} (scale)"
        yield Problem(Severity.HINT, "advice-scale", message)
