"""The checks of a whole period that the original program makes before it plays it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from randomizer.model.problems import Problem
from randomizer.systems.xconq.period.colours import x11_colour
from randomizer.systems.xconq.period.faults import problem
from randomizer.systems.xconq.period.objects import Assignment, PeriodFile
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.tokens import Token
from randomizer.systems.xconq.period.words import NOTHING, TERRAINS, UNITS, Shape, words_of_shape

TypePlaces = dict[str, list[tuple[PeriodFile, Token]]]
"""By kind, where each type was defined."""


def check(period: Period, type_places: TypePlaces) -> Iterator[Problem]:
    """Yield the problems of the period as a whole: without types or movers, with impossible
    values.
    """
    file = period.files[-1]
    if not period.units:
        yield problem("period-no-units", file, None)
    if not period.terrains:
        yield problem("period-no-terrains", file, None)
    yield from _characters(period, type_places)
    yield from _colours(period, type_places)
    yield from _hit_points(period, type_places)
    yield from _products(period, type_places)
    yield from _type_values(period)
    makes = (period.row("maker") != 0) & (period.table("make") != 0).any(axis=1)
    if period.units and not (period.row("speed") > 0).any() and not makes.any():
        yield problem("period-idle", file, None)
    least, most = (period.number(f"country-{end}-distance") for end in ("min", "max"))
    if least > most:
        assignment = period.assigned("country-min-distance") or period.assigned(
            "country-max-distance"
        )
        yield _at(assignment, "period-distances", file, {"least": least, "most": most})


def _characters(period: Period, type_places: TypePlaces) -> Iterator[Problem]:
    first: dict[str, str] = {}
    for terrain, type_place in zip(period.terrains, type_places[TERRAINS], strict=True):
        if terrain.char in first:
            named = {"first": first[terrain.char], "second": terrain.name, "char": terrain.char}
            yield problem("period-terrain-chars", type_place[0], type_place[1].span, named)
        first.setdefault(terrain.char, terrain.name)


def _colours(period: Period, type_places: TypePlaces) -> Iterator[Problem]:
    for terrain, type_place in zip(period.terrains, type_places[TERRAINS], strict=True):
        if x11_colour(terrain.colour) is None:
            named = {"colour": terrain.colour, "terrain": terrain.name}
            yield problem("period-colour", type_place[0], type_place[1].span, named)


def _hit_points(period: Period, type_places: TypePlaces) -> Iterator[Problem]:
    hits = period.row("hp")
    for unit in np.flatnonzero(hits <= 0).tolist():
        named = {"unit": period.units[unit].name, "value": int(hits[unit])}
        yield _of_unit(period.assigned("hp", unit), "period-hp", type_places, unit, named)


def _products(period: Period, type_places: TypePlaces) -> Iterator[Problem]:
    capacity = period.table("capacity")
    apart = (period.table("make") > 0) & (capacity <= 0) & (capacity.T <= 0)
    for unit, product in np.argwhere(apart)[:20].tolist():
        named = {"unit": period.units[unit].name, "product": period.units[product].name}
        assignment = period.assigned("make", unit, product)
        yield _of_unit(assignment, "period-product", type_places, unit, named)


def _type_values(period: Period) -> Iterator[Problem]:
    """Values that must be types: of one word, and of a word over terrain."""
    for word in words_of_shape(Shape.NUMBER, Shape.ROW):
        kind = word.arguments[0]
        if kind not in (UNITS, TERRAINS):
            continue
        none = NOTHING if kind == UNITS else -1
        many = len(period.types(kind))
        row = word.shape is Shape.ROW
        if row:
            values = period.row(word.name).tolist()
        else:
            values = [period.number(word.name)]
        for index, value in enumerate(values):
            if not (0 <= value < many or value == none):
                assignment = period.assigned(word.name, index if row else None)
                named = {"value": value, "kind": f"{kind} type", "word": word.title.lower()}
                yield _at(assignment, "period-value-type", period.files[-1], named)


def _at(
    assignment: Assignment | None, code: str, file: PeriodFile, named: Mapping[str, object]
) -> Problem:
    if assignment is None:
        return problem(code, file, None, named)
    return problem(code, assignment.file, assignment.token.span, named)


def _of_unit(
    assignment: Assignment | None,
    code: str,
    type_places: TypePlaces,
    unit: int,
    named: Mapping[str, object],
) -> Problem:
    file, token = (assignment.file, assignment.token) if assignment else type_places[UNITS][unit]
    return problem(code, file, token.span, named)
