"""Advice about unit types: whether they can be had, move, and meet whom they repair."""

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


def initial_types(period: Period) -> Flags:
    """Return the unit types that a new world begins with: (units,)."""
    initial: Flags = (period.row("in-country") > 0) | (period.row("density") > 0)
    first = period.named_type("first-unit")
    if first is not None:
        initial[first] = True
    return initial


def movers(period: Period) -> Flags:
    """Return the unit types that can move on some terrain: (units,)."""
    moving: Flags = (period.row("speed") > 0) & (period.table("moves") >= 0).any(axis=1)
    return moving


def unit_type_advice(period: Period) -> Iterator[Problem]:
    """Yield the problems of unit types."""
    yield from _never_there(period)
    yield from _immobile(period)
    yield from _apart(period)
    yield from _nobody_moves(period)


def _never_there(period: Period) -> Iterator[Problem]:
    makeable = np.asarray((period.table("make") > 0).any(axis=0))
    first = period.named_type("first-product")
    if first is not None:
        makeable[first] = True
    never = np.flatnonzero(~makeable & ~initial_types(period)).tolist()
    if never and makeable.any():  # where nothing is made at all, units come from scenarios
        names = list_names([period.units[unit].name for unit in never])
        message = (
            f"Nobody can make {names}, and no world begins with such units (make, in-country, "
            "density, first-unit)"
        )
        yield Problem(Severity.HINT, "advice-unmakeable", message)


def _immobile(period: Period) -> Iterator[Problem]:
    for unit in np.flatnonzero((period.row("speed") > 0) & ~movers(period)).tolist():
        message = (
            f"{period.units[unit].name} has a “speed” but can move on no terrain: all of its "
            "“moves” are below 0"
        )
        yield problem_at(
            Severity.WARNING, "advice-immobile", message, period.assigned("speed", unit)
        )


def _apart(period: Period) -> Iterator[Problem]:
    """Statements of “repair” with no pair of types that can meet.

    A statement about many types at once may name some that never meet: that does no harm.
    """
    capacity = period.table("capacity") > 0
    meet = capacity | capacity.T | np.eye(len(period.units), dtype=np.bool_)
    pairs: dict[Assignment | None, list[tuple[int, int]]] = {}
    for unit, other in np.argwhere(period.table("repair") > 0).tolist():
        pairs.setdefault(period.assigned("repair", unit, other), []).append((unit, other))
    for assignment, named_pairs in pairs.items():
        if any(meet[pair] for pair in named_pairs):
            continue
        repairer, repaired = (period.units[unit].name for unit in named_pairs[0])
        further_pairs = len(named_pairs) - 1
        if further_pairs:
            more = f" ({counted(further_pairs, 'more pair')} like this)"
        else:
            more = ""
        message = (
            f"{repairer} can “repair” {repaired}, but neither can carry the other, so they never "
            f"meet (capacity){more}"
        )
        yield problem_at(Severity.HINT, "advice-repair", message, assignment)


def _nobody_moves(period: Period) -> Iterator[Problem]:
    initial = initial_types(period)
    active = movers(period) | ((period.row("maker") != 0) & (period.table("make") > 0).any(axis=1))
    if initial.any() and not (initial & active).any():
        message = "A new world has no unit that can move and no “maker”, so no side can do anything"
        yield Problem(Severity.WARNING, "advice-no-movers", message)
