"""The checks of a whole period that Xconq itself makes before it plays it.

``read_traced`` calls ``check`` for a period that was read without errors. A problem is marked at
the word that set the value. If no word did, it is marked at the definition of the type, or stands
for the whole file if it is of no single type. The texts of problems are in a table (``faults``),
by the codes here; ``named`` are the values for the names in a text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from randomizer.model.problems import Problem
from randomizer.systems.xconq.period.colours import x11_colour
from randomizer.systems.xconq.period.faults import make_problem
from randomizer.systems.xconq.period.objects import Assignment, TypeDefinition
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.words import (
    NOTHING,
    TERRAINS,
    UNITS,
    Shape,
    Word,
    words_of_shape,
)

TypeDefinitions = dict[str, list[TypeDefinition]]
"""The definitions of all types, by kind (``unit`` ...), in their order."""

_MAX_PRODUCTS = 20
"""The most problems about units that have no room for what they make."""

_NO_TYPE = {UNITS: NOTHING, TERRAINS: -1}
"""The value that stands for no type at all, by the kind of the types, as in the original program.

For unit types that is the word ``nothing``; terrain types have no such word.
"""


def check(period: Period, definitions: TypeDefinitions) -> Iterator[Problem]:
    """Yield the problems of a period as a whole: missing types and movers, impossible values."""
    file = period.files[-1]
    if not period.units:
        yield make_problem("period-no-units", file, None)
    if not period.terrains:
        yield make_problem("period-no-terrains", file, None)
    yield from _check_characters(period, definitions)
    yield from _check_colours(period, definitions)
    yield from _check_hit_points(period, definitions)
    yield from _check_products(period, definitions)
    yield from _check_values_of_types(period)
    yield from _check_idleness(period)
    yield from _check_distances(period)


# --- types --------------------------------------------------------------------------------------


def _check_characters(period: Period, definitions: TypeDefinitions) -> Iterator[Problem]:
    """Yield the terrain types whose character an earlier one has."""
    name_of_character: dict[str, str] = {}
    for terrain, definition in zip(period.terrains, definitions[TERRAINS], strict=True):
        if terrain.char in name_of_character:
            first_name = name_of_character[terrain.char]
            named = {"first": first_name, "second": terrain.name, "char": terrain.char}
            yield make_problem(
                "period-terrain-chars", definition.file, definition.token.span, named
            )
        name_of_character.setdefault(terrain.char, terrain.name)


def _check_colours(period: Period, definitions: TypeDefinitions) -> Iterator[Problem]:
    """Yield the terrain types whose colour is no colour of X11."""
    for terrain, definition in zip(period.terrains, definitions[TERRAINS], strict=True):
        if x11_colour(terrain.colour) is None:
            named = {"colour": terrain.colour, "terrain": terrain.name}
            yield make_problem("period-colour", definition.file, definition.token.span, named)


def _check_hit_points(period: Period, definitions: TypeDefinitions) -> Iterator[Problem]:
    """Yield the unit types that begin without hit points."""
    hits = period.row("hp")
    for unit in np.flatnonzero(hits <= 0).tolist():
        named = {"unit": period.units[unit].name, "value": int(hits[unit])}
        assignment = period.assigned("hp", unit)
        yield _problem_of_unit(definitions[UNITS][unit], assignment, "period-hp", named)


def _check_products(period: Period, definitions: TypeDefinitions) -> Iterator[Problem]:
    """Yield the types that a unit can make, though the new unit would have no place to stand.

    A new unit appears inside its maker, or around it, so one of the two must be able to carry the
    other. A period of many types can have thousands of such pairs: only the first are told.
    """
    capacity = period.table("capacity")  # [carrier, carried]
    has_no_room = (capacity <= 0) & (capacity.T <= 0)
    is_faulty = (period.table("make") > 0) & has_no_room
    for unit, product in np.argwhere(is_faulty)[:_MAX_PRODUCTS].tolist():
        named = {"unit": period.units[unit].name, "product": period.units[product].name}
        assignment = period.assigned("make", unit, product)
        yield _problem_of_unit(definitions[UNITS][unit], assignment, "period-product", named)


def _check_values_of_types(period: Period) -> Iterator[Problem]:
    """Yield values that should be types and are none: of the period, or of each terrain type."""
    for word in words_of_shape(Shape.NUMBER, Shape.ROW):
        kind = word.arguments[0]
        if kind not in (UNITS, TERRAINS):
            continue
        type_count = len(period.types(kind))
        for index, value in _values_of_word(period, word):
            is_type = 0 <= value < type_count
            if is_type or value == _NO_TYPE[kind]:
                continue
            assignment = period.assigned(word.name, index)
            named = {"value": value, "kind": f"{kind} type", "word": word.title.lower()}
            yield _problem_of_period(period, assignment, "period-value-type", named)


def _values_of_word(period: Period, word: Word) -> Iterator[tuple[int | None, int]]:
    """Yield the values of a word, each behind the number of its type.

    A word of the period, not of its types, has one value, whose number is None.
    """
    if word.shape is Shape.ROW:
        yield from enumerate(period.row(word.name).tolist())
    else:
        yield None, period.number(word.name)


# --- the period ---------------------------------------------------------------------------------


def _check_idleness(period: Period) -> Iterator[Problem]:
    """Yield the problem of a period in which no unit type can move or make anything."""
    can_move = period.row("speed") > 0
    can_make = (period.row("maker") != 0) & (period.table("make") != 0).any(axis=1)
    if period.units and not can_move.any() and not can_make.any():
        yield make_problem("period-idle", period.files[-1], None)


def _check_distances(period: Period) -> Iterator[Problem]:
    """Yield the problem of a least distance of countries that is above the greatest one."""
    min_distance = period.number("country-min-distance")
    max_distance = period.number("country-max-distance")
    if min_distance > max_distance:
        assignment = period.assigned("country-min-distance")
        if assignment is None:
            assignment = period.assigned("country-max-distance")
        named = {"least": min_distance, "most": max_distance}
        yield _problem_of_period(period, assignment, "period-distances", named)


# --- where a problem is marked ------------------------------------------------------------------


def _problem_of_period(
    period: Period, assignment: Assignment | None, code: str, named: Mapping[str, object]
) -> Problem:
    """Return a problem at the word of an assignment; without one, of the whole file."""
    if assignment is None:
        return make_problem(code, period.files[-1], None, named)
    return make_problem(code, assignment.file, assignment.token.span, named)


def _problem_of_unit(
    definition: TypeDefinition,
    assignment: Assignment | None,
    code: str,
    named: Mapping[str, object],
) -> Problem:
    """Return a problem of a unit type at the word of an assignment, or else at its definition."""
    if assignment is None:
        return make_problem(code, definition.file, definition.token.span, named)
    return make_problem(code, assignment.file, assignment.token.span, named)
