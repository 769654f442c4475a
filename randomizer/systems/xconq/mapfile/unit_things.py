"""Units of files as things of a map, and things as lines of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from typing import Any

from randomizer.model.grid import Grid
from randomizer.model.plurals import counted
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.texts import fault_in_line
from randomizer.model.thing_state import State
from randomizer.model.things import Thing, Things
from randomizer.systems.xconq.mapfile.names import token_of
from randomizer.systems.xconq.mapfile.provisional import character_of, type_name
from randomizer.systems.xconq.mapfile.units_section import (
    Attributes,
    FileUnit,
    FileUnits,
    unit_lines,
)
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.records import MOST_SIDES, NEUTRAL, UnitsFacts
from randomizer.systems.xconq.unit_kinds import kind_names, kind_numbers
from randomizer.systems.xconq.unit_places import PLACE, nearest_cell, place_off_map
from randomizer.systems.xconq.unit_state import HP, MORE, QUALITY, TRANSPORT, more_of, supply_entry

_LARGEST_ID = 2**31 - 1
_MOST_PLACES = 3
"""So many problems of a kind are listed one by one."""

_DEFAULTS = Attributes(0, 0, 0, 0, 0)
_KEPT = ("number", "morale", "fatigue", "product", "schedule", "built")
"""Attributes that ``more`` holds where they are not as for a new unit."""


def _is_neutral(side: int, sides: int | None) -> bool:
    return not 0 <= side < (MOST_SIDES if sides is None else sides)


def unit_problems(
    units: FileUnits, period: Period, grid: Grid, sides: int | None, path: str | None
) -> Iterator[Problem]:
    """What is wrong with units beside their form: types, places, sides, transports.

    ``sides`` is the number of sides, None if the file has none. Of each kind of problem the first
    three have their place; of the others the number is said.
    """
    by_code: dict[str, list[Problem]] = {}
    for problem in _all_problems(units, period, grid, sides, path):
        by_code.setdefault(problem.code, []).append(problem)
    for alike in by_code.values():
        yield from alike[:_MOST_PLACES]
        more = len(alike) - _MOST_PLACES
        if more > 0:
            message = f"The same is true of {counted(more, 'unit')} more"
            yield replace(alike[_MOST_PLACES], message=message)


def _all_problems(
    units: FileUnits, period: Period, grid: Grid, sides: int | None, path: str | None
) -> Iterator[Problem]:
    known = {unit.char for unit in period.units}
    ids = {unit.attributes.id for unit in units.units if unit.attributes is not None}
    for unit in units.units:
        place = (path, unit.line, 1)
        if unit.character not in known:
            message = f"“{unit.character}” is no unit type of the period"
            yield Problem(Severity.ERROR, "unknown-unit", message, *place)
        cell = nearest_cell(unit.x, unit.y, grid)
        if grid.xy(cell) != (unit.x, unit.y):
            message = (
                f"{unit.x},{unit.y} is not on the map of {grid.width} x {grid.height}: Xconq takes "
                "this unit as dead; it is shown on the nearest hex and keeps its place in the file"
            )
            yield Problem(Severity.WARNING, "unit-off-map", message, *place, cell=cell)
        elif unit.y in (0, grid.height - 1):
            message = f"{unit.x},{unit.y} is on the edge, where Xconq takes units as dead"
            yield Problem(Severity.WARNING, "unit-on-edge", message, *place, cell=cell)
        if _is_neutral(unit.side, sides) and unit.side not in (NEUTRAL, MOST_SIDES):
            message = f"There is no side {unit.side}, so this unit is neutral"
            yield Problem(Severity.WARNING, "unit-side", message, *place)
        if unit.attributes is None:
            continue
        if unit.attributes.transport >= 0 and unit.attributes.transport not in ids:
            message = f"No unit has the id {unit.attributes.transport}, which carries this one"
            yield Problem(Severity.WARNING, "unit-transport", message, *place)


def things_of(
    units: FileUnits, period: Period, grid: Grid, sides: int | None, path: str | None = None
) -> tuple[Things, UnitsFacts]:
    """The units of a file as things with ids from 1 on in its order, and the section's facts.

    Raises ProblemError for a unit with a name or with numbers that no thing can hold.
    """
    names = kind_names(period)
    indices = {unit.char: index for index, unit in reversed(list(enumerate(period.units)))}
    thing_ids = {
        unit.attributes.id: number
        for number, unit in enumerate(units.units, 1)
        if unit.attributes is not None
    }
    things, first_on = [], dict[int, int]()
    for number, unit in enumerate(units.units, 1):
        index = indices.get(unit.character)
        kind = type_name("unit", unit.character) if index is None else names[index]
        cell = nearest_cell(unit.x, unit.y, grid)
        more = {} if grid.xy(cell) == (unit.x, unit.y) else {PLACE: (unit.x, unit.y)}
        state = _state(unit, index, period, thing_ids, more)
        if not more:  # what is not on the map carries nothing
            first = first_on.setdefault(cell, number)
            if unit.attributes is None and first != number:
                state[TRANSPORT] = first  # the game loads it into the unit that stands there
        owner = 0 if _is_neutral(unit.side, sides) else unit.side + 1
        fault = fault_in_line(unit.name)
        if fault:
            raise _refused("unit-name", f"the name of this unit {fault}", unit, path)
        try:
            held = State(state)
        except ValueError:
            message = "this unit has more numbers and orders than can be kept"
            raise _refused("unit-long", message, unit, path) from None
        things.append(Thing(number, kind, *grid.centre(cell), 0.0, owner, unit.name, held))
    neutral = next((unit.side for unit in units.units if _is_neutral(unit.side, sides)), NEUTRAL)
    return Things(things), UnitsFacts(min(units.detail, 4), units.extension, neutral)


def _refused(code: str, message: str, unit: FileUnit, path: str | None) -> ProblemError:
    message = f"{message[:1].upper()}{message[1:]}"
    return ProblemError(Problem(Severity.ERROR, code, message, path, unit.line, 1))


def _state(
    unit: FileUnit,
    index: int | None,
    period: Period,
    thing_ids: dict[int, int],
    more: dict[str, Any],
) -> dict[str, Any]:
    """What a thing keeps of a unit; what is as for a new unit is left out.

    ``more`` is what its entry of that name has anyway.
    """
    numbers = unit.attributes
    if numbers is None:
        return {MORE: more} if more else {}
    state: dict[str, Any] = {}
    if index is None or numbers.hp != period.row("hp")[index]:
        state[HP] = numbers.hp
    if numbers.quality:
        state[QUALITY] = numbers.quality
    if numbers.transport in thing_ids:
        state[TRANSPORT] = thing_ids[numbers.transport]
    more["id"] = numbers.id
    for name in _KEPT:
        if getattr(numbers, name) != getattr(_DEFAULTS, name):
            more[name] = getattr(numbers, name)
    if numbers.true_side != unit.side:
        more["true side"] = numbers.true_side
    if index is not None and len(unit.supplies) == len(period.resources):
        full = period.table("storage")[index].tolist()
        for resource, supply, most in zip(period.resources, unit.supplies, full, strict=True):
            if supply != most:
                state[supply_entry(resource.name)] = supply
    else:
        more["supplies"] = unit.supplies
    if unit.orders:
        more["orders"] = unit.orders
    if unit.moves:
        more["moves"] = unit.moves
    state[MORE] = more
    return state


def kind_character(kind: str, period: Period) -> str | None:
    """The character of a kind of unit; None for one that the period does not have."""
    unit = kind_numbers(period).get(kind)
    return character_of(kind) if unit is None else period.units[unit].char


def lines_of(
    things: Iterable[Thing], period: Period, grid: Grid, detail: int, neutral: int
) -> list[list[str]]:
    """The lines of things as units of a file, in their order.

    Each thing stands on a cell and has a kind with a character (``kind_character``).
    """
    given = list(things)
    ids = _file_ids(given)
    return [_lines(thing, period, grid, detail, neutral, ids) for thing in given]


def _file_ids(things: list[Thing]) -> dict[int, int]:
    """The id in the file of each thing: that of the file it was read from, else a free one."""
    ids: dict[int, int] = {}
    used: set[int] = set()
    for thing in things:
        found = more_of(thing.state).get("id")
        if type(found) is int and 0 <= found <= _LARGEST_ID and found not in used:
            ids[thing.id] = found
            used.add(found)
    largest = max(used, default=-1)
    first = largest + 1 if largest <= _LARGEST_ID - len(things) else 0
    free = (number for number in count(first) if number not in used)
    for thing in things:
        if thing.id not in ids:
            ids[thing.id] = next(free)
    return ids


def _several(more: State, name: str) -> tuple[object, ...]:
    """An entry that is a list of values; () for anything else."""
    found = more.get(name)
    return found if isinstance(found, tuple) else ()


def _place(thing: Thing, grid: Grid) -> tuple[int, int]:
    """The place in the file: one that is not on the map as long as the thing was not moved."""
    return place_off_map(thing, grid) or grid.xy(grid.cell_at(thing.x, thing.y))


def _number(value: object, default: int) -> int:
    return value if type(value) is int else default


def _lines(
    thing: Thing,
    period: Period,
    grid: Grid,
    detail: int,
    neutral: int,
    ids: dict[int, int],
) -> list[str]:
    index = kind_numbers(period).get(thing.kind)
    side = neutral if thing.owner == 0 else thing.owner - 1
    more, state = more_of(thing.state), thing.state
    full = 0 if index is None else int(period.row("hp")[index])
    attributes = Attributes(
        ids[thing.id],
        _number(more.get("number"), 0),
        _number(more.get("true side"), side),
        _number(state.get(HP), full),
        _number(state.get(QUALITY), 0),
        **{
            name: _number(more.get(name), getattr(_DEFAULTS, name))
            for name in _KEPT
            if name != "number"
        },
        transport=ids.get(_number(state.get(TRANSPORT), -1), -1),
    )
    supplies: tuple[int, ...]
    if index is None or "supplies" in more:
        supplies = tuple(each for each in _several(more, "supplies") if type(each) is int)
    else:
        storage = period.table("storage")[index].tolist()
        supplies = tuple(
            _number(state.get(supply_entry(resource.name)), most)
            for resource, most in zip(period.resources, storage, strict=True)
        )
    return unit_lines(
        kind_character(thing.kind, period) or "?",
        token_of(thing.label),
        _place(thing, grid),
        side,
        attributes,
        supplies,
        tuple(str(line) for line in _several(more, "orders")),
        str(more.get("moves", "")),
        detail,
    )
