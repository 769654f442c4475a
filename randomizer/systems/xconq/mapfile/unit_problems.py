"""Finds what is odd about the units of a file: types, positions, sides and transports.

    unit_problems(units, period, grid, side_count=2, path="naval.map")

The form of their lines is checked when these are read (``units_section``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from randomizer.model.basics.plurals import counted
from randomizer.model.grid.grid import Grid
from randomizer.model.problems import Problem, Severity
from randomizer.systems.xconq.mapfile.units_section import FileUnits, is_neutral
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.records import MAX_SIDES, NEUTRAL
from randomizer.systems.xconq.units.unit_state import nearest_cell

_LISTED_PROBLEMS = 3
"""The problems of a kind that are listed one by one; the others are counted."""


def unit_problems(
    units: FileUnits, period: Period, grid: Grid, side_count: int | None, path: str | None
) -> Iterator[Problem]:
    """Yield what is wrong with units beside their form.

    ``side_count`` is the number of sides, None if the file has none. Of each kind of problem the
    first three are told one by one; of the others the number is.
    """
    by_code: dict[str, list[Problem]] = {}
    for problem in _all_problems(units, period, grid, side_count, path):
        by_code.setdefault(problem.code, []).append(problem)
    for problems_of_code in by_code.values():
        yield from problems_of_code[:_LISTED_PROBLEMS]
        further_count = len(problems_of_code) - _LISTED_PROBLEMS
        if further_count > 0:
            message = f"The same is true of {counted(further_count, 'unit')} more"
            # It stands at the first unit that is not listed.
            yield replace(problems_of_code[_LISTED_PROBLEMS], message=message)


def _all_problems(
    units: FileUnits, period: Period, grid: Grid, side_count: int | None, path: str | None
) -> Iterator[Problem]:
    """Yield the problems of each unit in the order of the file."""
    letters = {unit.char for unit in period.units}
    ids = {unit.attributes.id for unit in units.units if unit.attributes is not None}
    for unit in units.units:
        if unit.character not in letters:
            message = f"“{unit.character}” is no unit type of the period"
            yield Problem(Severity.ERROR, "unknown-unit", message, path, unit.line, column=1)
        cell = nearest_cell(unit.x, unit.y, grid)
        if grid.xy(cell) != (unit.x, unit.y):
            message = (
                f"{unit.x},{unit.y} is not on the map of {grid.width} x {grid.height}: Xconq takes "
                "this unit as dead; it is shown on the nearest hex and keeps its place in the file"
            )
            yield Problem(
                Severity.WARNING, "unit-off-map", message, path, unit.line, column=1, cell=cell
            )
        elif unit.y in (0, grid.height - 1):
            message = f"{unit.x},{unit.y} is on the edge, where Xconq takes units as dead"
            yield Problem(
                Severity.WARNING, "unit-on-edge", message, path, unit.line, column=1, cell=cell
            )
        # Both numbers mean neutral: the document's, and that of Xconq 5.5.
        is_meant_neutral = unit.side in (NEUTRAL, MAX_SIDES)
        if is_neutral(unit.side, side_count) and not is_meant_neutral:
            message = f"There is no side {unit.side}, so this unit is neutral"
            yield Problem(Severity.WARNING, "unit-side", message, path, unit.line, column=1)
        if unit.attributes is None:
            continue
        if unit.attributes.transport >= 0 and unit.attributes.transport not in ids:
            message = f"No unit has the id {unit.attributes.transport}, which carries this one"
            yield Problem(Severity.WARNING, "unit-transport", message, path, unit.line, column=1)
