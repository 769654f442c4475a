"""Advice about the unit types of a period: which can be made, can move, and can repair others.

``unit_type_advice`` is called by ``period_advice``. Values of unit types are rows of a period, such
as ``speed``, and tables, such as ``make`` [maker, product] and ``capacity`` [carrier, carried].
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem, Severity
from randomizer.systems.xconq.period.objects import Assignment
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.value_problems import list_names, problem_at

Flags = NDArray[np.bool_]
"""A truth value for each unit type, (units,)."""


def initial_types(period: Period) -> Flags:
    """Return the unit types of which a new world has units, as flags (units,).

    They stand in countries (``in-country``) or anywhere (``density``), and each side has one of
    the type ``first-unit``.
    """
    is_initial: Flags = (period.row("in-country") > 0) | (period.row("density") > 0)
    first_unit = period.type_number_of("first-unit")
    if first_unit is not None:
        is_initial[first_unit] = True
    return is_initial


def movers(period: Period) -> Flags:
    """Return the unit types that can move on some terrain, as flags (units,)."""
    # ``moves`` is what entering a terrain costs, in addition to 1; below 0 it cannot be entered.
    can_move: Flags = (period.row("speed") > 0) & (period.table("moves") >= 0).any(axis=1)
    return can_move


def unit_type_advice(period: Period) -> Iterator[Problem]:
    """Yield the problems of the unit types of a period."""
    yield from _check_unmakeable(period)
    yield from _check_immobile(period)
    yield from _check_repairs(period)
    yield from _check_new_world(period)


def _check_unmakeable(period: Period) -> Iterator[Problem]:
    """Yield a hint about the types that no game has: nobody makes them, no world begins with them.

    A period in which nothing is made at all gets none: there all units come from scenarios.
    """
    is_makeable = np.asarray((period.table("make") > 0).any(axis=0))
    first_product = period.type_number_of("first-product")
    if first_product is not None:
        is_makeable[first_product] = True
    unmakeable = np.flatnonzero(~is_makeable & ~initial_types(period)).tolist()
    if unmakeable and is_makeable.any():
        names = list_names([period.units[unit].name for unit in unmakeable])
        message = (
            f"Nobody can make {names}, and no world begins with such units (make, in-country, "
            "density, first-unit)"
        )
        yield Problem(Severity.HINT, "advice-unmakeable", message)


def _check_immobile(period: Period) -> Iterator[Problem]:
    """Yield the types with a speed that can move nowhere."""
    for unit in np.flatnonzero((period.row("speed") > 0) & ~movers(period)).tolist():
        message = (
            f"{period.units[unit].name} has a “speed” but can move on no terrain: all of its "
            "“moves” are below 0"
        )
        yield problem_at(
            Severity.WARNING, "advice-immobile", message, period.assigned("speed", unit)
        )


def _check_repairs(period: Period) -> Iterator[Problem]:
    """Yield problems about statements of “repair” with no pair of types that can meet.

    Units meet if one carries the other. A statement about many types at once may name some that
    never meet: it has a problem only if no pair of it can meet.
    """
    can_carry = period.table("capacity") > 0
    # The pair of a type with itself is no mistake, either.
    can_meet = can_carry | can_carry.T | np.eye(len(period.units), dtype=np.bool_)
    pairs_by_assignment: dict[Assignment | None, list[tuple[int, int]]] = {}
    for repairer, repaired in np.argwhere(period.table("repair") > 0).tolist():
        assignment = period.assigned("repair", repairer, repaired)
        pairs_by_assignment.setdefault(assignment, []).append((repairer, repaired))
    for assignment, pairs in pairs_by_assignment.items():
        if any(can_meet[pair] for pair in pairs):
            continue
        repairer_name, repaired_name = (period.units[unit].name for unit in pairs[0])
        more = ""
        if len(pairs) > 1:
            more = f" ({counted(len(pairs) - 1, 'more pair')} like this)"
        message = (
            f"{repairer_name} can “repair” {repaired_name}, but neither can carry the other, so "
            f"they never meet (capacity){more}"
        )
        yield problem_at(Severity.HINT, "advice-repair", message, assignment)


def _check_new_world(period: Period) -> Iterator[Problem]:
    """Yield a warning if no unit of a new world can do anything."""
    is_initial = initial_types(period)
    can_make = (period.row("maker") != 0) & (period.table("make") > 0).any(axis=1)
    can_act = movers(period) | can_make
    if is_initial.any() and not (is_initial & can_act).any():
        message = "A new world has no unit that can move and no “maker”, so no side can do anything"
        yield Problem(Severity.WARNING, "advice-no-movers", message)
