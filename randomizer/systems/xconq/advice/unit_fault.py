"""A fault of a unit, with the fixes that its problem offers.

Making fixes is slow: they look for free hexes, or read other periods. Of many like faults only the
first ones are listed, so a fault has a function that makes its fixes once they are asked for::

    UnitFault(unit, "advice-neutral", "...", make_fixes=partial(_give_to_nearest, units, unit))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from randomizer.languages.language import TextPlace
from randomizer.model.problems import Fix, Problem, Severity
from randomizer.model.things.things import Thing
from randomizer.systems.xconq.advice.units_on_map import OFF_MAP, UnitsOnMap


class Fixes(NamedTuple):
    """The fixes that a problem offers."""

    likeliest: Fix | None = None
    """The fix that is offered first; None if none is likely."""

    further: tuple[Fix, ...] = ()

    cause: TextPlace | None = None
    """What made the fault in the period's own text, such as a new name of a type; None if nothing.

    The problem leads there.
    """

    @property
    def all(self) -> tuple[Fix, ...]:
        """All fixes, the likeliest first."""
        if self.likeliest is None:
            return self.further
        return (self.likeliest, *self.further)


class UnitFault(NamedTuple):
    """A fault of a unit."""

    unit: Thing

    code: str
    """The code of its problem."""

    message: str

    severity: Severity = Severity.WARNING

    make_fixes: Callable[[], Fixes] = Fixes
    """Makes the fixes of its problem; none by default."""

    def problem(self, units: UnitsOnMap) -> Problem:
        """Return the problem of the fault, with its fixes, and its cell if it is on the map."""
        cell: int | None = units.cells[self.unit.id]
        if cell == OFF_MAP:
            cell = None
        fixes = self.make_fixes()
        problem = Problem(
            self.severity,
            self.code,
            self.message,
            cell=cell,
            fix=fixes.likeliest,
            other_fixes=fixes.further,
        )
        if fixes.cause is None:
            return problem
        line, column, end_line, end_column = fixes.cause
        return replace(problem, line=line, column=column, end_line=end_line, end_column=end_column)
