"""Advice about the countries of new worlds: room for their units, their terrain, their distances.

A new world has a *country* for each side: the hexes up to ``country-size`` from a centre, with the
units that the word ``in-country`` gives to it, on the terrain that ``favored`` says. The centres
are at least ``country-min-distance`` hexes apart, and each is nearer than ``country-max-distance``
to at least one other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from randomizer.model.basics.plurals import counted, many
from randomizer.model.problems import Problem, Severity
from randomizer.systems.xconq.advice.terrain import expected_shares
from randomizer.systems.xconq.advice.units import initial_types
from randomizer.systems.xconq.countries.country_centres import fewest_rows, rows_of_centres
from randomizer.systems.xconq.countries.rules import rules_of
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.value_problems import list_names, number_fix, problem_at

SCARCE_PERCENT = 2.0
"""The share of a new world, in percent, below which the most favored terrain of a type is scarce.

If it is larger, more periods get the hint that their countries may find no place.
"""


def country_advice(period: Period) -> Iterator[Problem]:
    """Yield the problems of the countries of a period that do not depend on the world's size."""
    yield from _check_favored_terrain(period)
    yield from _check_carriers(period)
    yield from _check_size(period)
    yield from _check_distances(period)


def _check_distances(period: Period) -> Iterator[Problem]:
    """Yield a warning if no distance of two countries is allowed."""
    min_distance = period.number("country-min-distance")
    max_distance = period.number("country-max-distance")
    # A least distance above the greatest one is a problem of the period itself (``checks``).
    if min_distance == max_distance:
        message = (
            "“country-max-distance” must be above “country-min-distance”: no two countries are "
            f"{min_distance} hexes or more apart and less than {max_distance}"
        )
        assignment = period.assigned("country-max-distance") or period.assigned(
            "country-min-distance"
        )
        fix = number_fix(period, "country-max-distance", max_distance + 1)
        yield problem_at(Severity.WARNING, "advice-distances", message, assignment, fix)


def _check_favored_terrain(period: Period) -> Iterator[Problem]:
    """Yield unit types whose favored terrain no rolled world has, or only little of."""
    shares = expected_shares(period)
    favored = period.table("favored")  # [unit, terrain]
    # Unit types by the terrain that they favor most, if that is scarce: they share a problem.
    units_by_scarce_terrain: dict[int, list[int]] = {}
    for unit in np.flatnonzero(initial_types(period)).tolist():
        terrains = np.flatnonzero(favored[unit] > 0).tolist()
        if not terrains:
            continue
        best = int(favored[unit].argmax())
        is_best = favored[unit] == favored[unit, best]  # several types can be favored as much
        if shares[terrains].sum() == 0:
            yield _missing_favored_terrain(period, unit, terrains)
        elif shares[is_best].sum() < SCARCE_PERCENT:
            units_by_scarce_terrain.setdefault(best, []).append(unit)
    for best, units in units_by_scarce_terrain.items():
        yield _scarce_favored_terrain(period, units, best, float(shares[best]))


def _missing_favored_terrain(period: Period, unit: int, terrains: Sequence[int]) -> Problem:
    """Return the warning about a unit type that favors ``terrains``, of which no world has any."""
    terrain_names = list_names([period.terrains[terrain].name for terrain in terrains])
    message = (
        f"New worlds put {period.units[unit].name} on {terrain_names} only (favored), "
        "which no rolled world has"
    )
    assignment = period.assigned("favored", unit, terrains[0])
    return problem_at(Severity.WARNING, "advice-favored", message, assignment)


def _scarce_favored_terrain(
    period: Period, units: Sequence[int], terrain: int, percent: float
) -> Problem:
    """Return the hint about unit types that favor a terrain which worlds have little of.

    ``percent`` is its share of a rolled world.
    """
    names = list_names([period.units[unit].name for unit in units])
    message = (
        f"New worlds put {names} on {period.terrains[terrain].name} above all (favored), about "
        f"{percent:.1f} % of a rolled world: countries may find no place"
    )
    assignment = period.assigned("favored", units[0], terrain)
    return problem_at(Severity.HINT, "advice-favored-scarce", message, assignment)


def _check_carriers(period: Period) -> Iterator[Problem]:
    """Yield unit types of new worlds that can stand nowhere, and that nothing there can carry."""
    is_initial = initial_types(period)
    has_terrain = (period.table("favored") > 0).any(axis=1)
    capacity_of_initial = period.table("capacity")[is_initial & has_terrain]
    can_be_carried = (capacity_of_initial > 0).any(axis=0)
    for unit in np.flatnonzero(is_initial & ~has_terrain & ~can_be_carried).tolist():
        message = (
            f"{period.units[unit].name} has no terrain where a new world puts it (favored), and no "
            "unit there can carry it (capacity), so it has no place"
        )
        assignment = period.assigned("in-country", unit) or period.assigned("density", unit)
        yield problem_at(Severity.WARNING, "advice-no-place", message, assignment)


def _hexes_within(radius: int) -> int:
    """Return the number of hexes that are at most ``radius`` hexes from one, itself included."""
    return 3 * radius * (radius + 1) + 1  # rings of 6, 12, 18 ... around it


def _check_size(period: Period) -> Iterator[Problem]:
    """Yield a warning if a country has fewer hexes than units."""
    radius = max(0, period.number("country-size"))
    hexes = _hexes_within(radius)
    total = int(rules_of(period).of_country.sum(dtype=np.int64))
    if total > hexes:
        needed_radius = radius
        while _hexes_within(needed_radius) < total:
            needed_radius += 1
        message = (
            f"A country of “country-size” {radius} has {counted(hexes, 'hex', 'hexes')}, but "
            f"{counted(total, 'unit')} {many(total, 'begins', 'begin')} there (in-country)"
        )
        assignment = period.assigned("country-size") or period.assigned("in-country")
        fix = number_fix(period, "country-size", needed_radius)
        yield problem_at(Severity.WARNING, "advice-crowded", message, assignment, fix)


def distance_problem(period: Period, width: int, height: int) -> Problem | None:
    """Return the hint that a world is too small for two countries; None if it is not.

    ``width`` and ``height`` are those of the world, in hexes.
    """
    radius = max(0, period.number("country-size"))
    min_distance = period.number("country-min-distance")
    rows = len(rows_of_centres(height, radius))
    size = f"{width}x{height}"
    if rows < 1:
        message = (
            f"Countries of “country-size” {radius} need {fewest_rows(radius)} rows; a world of "
            f"{size} has {height}"
        )
        assignment = period.assigned("country-size")
        return problem_at(Severity.HINT, "advice-world-size", message, assignment)
    # Half of the way round the world, and all the rows.
    farthest = width // 2 + rows - 1
    if min_distance > farthest:
        message = (
            f"On a world of {size} no two countries are {min_distance} hexes "
            f"apart (country-min-distance); the most is {farthest}"
        )
        assignment = period.assigned("country-min-distance")
        return problem_at(Severity.HINT, "advice-world-size", message, assignment)
    return None
