"""The checks of a whole period that Xconq itself makes before it plays it.

``read_traced`` calls ``check`` for a period that was read without errors. A problem is marked at
the word that set the value, if any word did, or else at the definition of the type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from randomizer.model.problems import Problem
from randomizer.systems.xconq.period.colours import x11_colour
from randomizer.systems.xconq.period.faults import problem
from randomizer.systems.xconq.period.objects import Assignment, PeriodFile, TypeDefinition
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.words import NOTHING, TERRAINS, UNITS, Shape, words_of_shape

TypeDefinitions = dict[str, list[TypeDefinition]]
"""The definitions of all types, by kind (``unit`` ...), in their order."""

_MOST_PRODUCTS = 20
"""The most problems about units that have no room for what they make."""


def check(period: Period, definitions: TypeDefinitions) -> Iterator[Problem]:
    """Yield the problems of a period as a whole: missing types and movers, impossible values."""
    file = period.files[-1]
    if not period.units:
        yield problem("period-no-units", file, None)
    if not period.terrains:
        yield problem("period-no-terrains", file, None)
    yield from _characters(period, definitions)
    yield from _colours(period, definitions)
    yield from _hit_points(period, definitions)
    yield from _products(period, definitions)
    yield from _type_values(period)
    yield from _idleness(period)
    yield from _distances(period)


def _idleness(period: Period) -> Iterator[Problem]:
    """Yield the problem of a period in which no unit type can move or make anything."""
    can_make = (period.row("maker") != 0) & (period.table("make") != 0).any(axis=1)
    if period.units and not (period.row("speed") > 0).any() and not can_make.any():
        yield problem("period-idle", period.files[-1], None)


def _distances(period: Period) -> Iterator[Problem]:
    """Yield the problem of a least distance of countries that is above the greatest one."""
    least_distance = period.number("country-min-distance")
    most_distance = period.number("country-max-distance")
    if least_distance > most_distance:
        assignment = period.assigned("country-min-distance") or period.assigned(
            "country-max-distance"
        )
        named = {"least": least_distance, "most": most_distance}
        yield _at(assignment, "period-distances", period.files[-1], named)


def _characters(period: Period, definitions: TypeDefinitions) -> Iterator[Problem]:
    """Yield the terrain types whose character an earlier one has."""
    name_of_character: dict[str, str] = {}
    for terrain, definition in zip(period.terrains, definitions[TERRAINS], strict=True):
        if terrain.char in name_of_character:
            first_name = name_of_character[terrain.char]
            named = {"first": first_name, "second": terrain.name, "char": terrain.char}
            yield problem("period-terrain-chars", definition.file, definition.token.span, named)
        name_of_character.setdefault(terrain.char, terrain.name)


def _colours(period: Period, definitions: TypeDefinitions) -> Iterator[Problem]:
    """Yield the terrain types whose colour is none."""
    for terrain, definition in zip(period.terrains, definitions[TERRAINS], strict=True):
        if x11_colour(terrain.colour) is None:
            named = {"colour": terrain.colour, "terrain": terrain.name}
            yield problem("period-colour", definition.file, definition.token.span, named)


def _hit_points(period: Period, definitions: TypeDefinitions) -> Iterator[Problem]:
    """Yield the unit types that begin without hit points."""
    hits = period.row("hp")
    for unit in np.flatnonzero(hits <= 0).tolist():
        named = {"unit": period.units[unit].name, "value": int(hits[unit])}
        yield _of_unit(period.assigned("hp", unit), "period-hp", definitions, unit, named)


def _products(period: Period, definitions: TypeDefinitions) -> Iterator[Problem]:
    """Yield the types that a unit can make, though the new unit would have no place to stand.

    A new unit appears inside its maker, or around it, so one of the two must be able to carry the
    other. A period of many types can have thousands of such pairs: only the first are told.
    """
    capacity = period.table("capacity")  # [carrier, carried]
    has_no_room = (capacity <= 0) & (capacity.T <= 0)
    is_faulty = (period.table("make") > 0) & has_no_room
    for unit, product in np.argwhere(is_faulty)[:_MOST_PRODUCTS].tolist():
        named = {"unit": period.units[unit].name, "product": period.units[product].name}
        assignment = period.assigned("make", unit, product)
        yield _of_unit(assignment, "period-product", definitions, unit, named)


def _type_values(period: Period) -> Iterator[Problem]:
    """Yield values that should be types and are none: of the period, or of each terrain type."""
    for word in words_of_shape(Shape.NUMBER, Shape.ROW):
        kind = word.arguments[0]
        if kind not in (UNITS, TERRAINS):
            continue
        # The value that stands for no type at all is none of the faulty ones.
        value_of_none = -1
        if kind == UNITS:
            value_of_none = NOTHING
        type_count = len(period.types(kind))
        values: list[int]
        indices: Sequence[int | None]
        if word.shape is Shape.ROW:
            values = period.row(word.name).tolist()
            indices = range(len(values))
        else:
            values = [period.number(word.name)]
            indices = [None]
        for index, value in zip(indices, values, strict=True):
            if not 0 <= value < type_count and value != value_of_none:
                assignment = period.assigned(word.name, index)
                named = {"value": value, "kind": f"{kind} type", "word": word.title.lower()}
                yield _at(assignment, "period-value-type", period.files[-1], named)


def _at(
    assignment: Assignment | None, code: str, file: PeriodFile, named: Mapping[str, object]
) -> Problem:
    """Return a problem at the word of an assignment; without an assignment, of the whole file.

    ``named`` are the values of the names in its message.
    """
    if assignment is None:
        return problem(code, file, None, named)
    return problem(code, assignment.file, assignment.token.span, named)


def _of_unit(
    assignment: Assignment | None,
    code: str,
    definitions: TypeDefinitions,
    unit: int,
    named: Mapping[str, object],
) -> Problem:
    """Return a problem of a unit type at the word that set its value, or else at its definition.

    ``unit`` is the number of the type, ``named`` are the values of the names in the message.
    """
    if assignment is not None:
        return problem(code, assignment.file, assignment.token.span, named)
    definition = definitions[UNITS][unit]
    return problem(code, definition.file, definition.token.span, named)
