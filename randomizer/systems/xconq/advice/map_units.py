"""Advice about the units of a map: their types and sides, where they stand and what carries them.

``unit_advice`` asks one check after the other. A check is a function that gets the ``UnitsOnMap``
and yields a ``UnitFault`` for each unit that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from randomizer.model.basics.plurals import there_are
from randomizer.model.problems import Problem
from randomizer.systems.xconq.advice.carrying_checks import (
    check_crowded_hexes,
    check_loads,
    check_lost_carriers,
)
from randomizer.systems.xconq.advice.owner_checks import (
    check_idle_sides,
    check_neutral_units,
    check_owners,
    check_sides_of_carriers,
)
from randomizer.systems.xconq.advice.position_checks import check_edge_rows, check_stranded_units
from randomizer.systems.xconq.advice.unit_type_check import check_types
from randomizer.systems.xconq.advice.units_on_map import UnitsOnMap

MAX_LISTED = 10
"""So many faults that one check finds are listed; the others are counted in one problem."""

_CHECKS = (
    check_types,
    check_edge_rows,
    check_owners,
    check_neutral_units,
    check_crowded_hexes,
    check_lost_carriers,
    check_sides_of_carriers,
    check_loads,
    check_stranded_units,
)


def unit_advice(units: UnitsOnMap) -> Iterator[Problem]:
    """Yield the problems of the units of a map."""
    if not units.units:
        return
    for check in _CHECKS:
        faults = list(check(units))
        for fault in faults[:MAX_LISTED]:
            yield fault.problem(units)
        if len(faults) > MAX_LISTED:
            more = there_are(len(faults) - MAX_LISTED, "more problem")
            next_fault = faults[MAX_LISTED]
            message = f"{more.capitalize()} like the last"
            yield Problem(next_fault.severity, next_fault.code, message)
    yield from check_idle_sides(units)
