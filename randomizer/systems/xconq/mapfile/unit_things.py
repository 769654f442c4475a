"""Makes things of the units of a file: ``things_of``. ``written_units`` is the way back.

The state of a thing holds only what is not as for a new unit of its type, so that a file can be
written again as it was read. The unit with the id 4 that the unit 9 carries, with 3 hit points::

    FileUnit(character="i", x=12, y=5, attributes=Attributes(id=4, hit_points=3, transport=9), ...)

    {"hp": 3, "transport": 17,       what a user can change: hit points, supplies, and the id of the
                                     thing that carries it
     "more": {"id": 4}}              all else that the file says (``FILE_ENTRIES``)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from randomizer.model.basics.texts import fault_in_line
from randomizer.model.grid.grid import Grid
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing, Things
from randomizer.systems.xconq.mapfile.placeholder_types import type_name
from randomizer.systems.xconq.mapfile.unit_numbers import (
    ENTRIES_OF_FILE_ENTRIES,
    ENTRIES_OF_STATE,
    new_unit,
)
from randomizer.systems.xconq.mapfile.unit_problems import is_neutral
from randomizer.systems.xconq.mapfile.units_section import Attributes, FileUnit, FileUnits
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.records import NEUTRAL, UnitsFacts
from randomizer.systems.xconq.units.unit_kinds import kind_names
from randomizer.systems.xconq.units.unit_state import (
    FILE_ENTRIES,
    HP,
    OFF_MAP,
    TRANSPORT,
    nearest_cell,
    supply_entry,
)


def things_of(
    units: FileUnits, period: Period, grid: Grid, side_count: int | None, path: str | None = None
) -> tuple[Things, UnitsFacts]:
    """Return the units of a file as things, and the facts of their section.

    The ids of the things are 1 and so on in the order of the file. ``side_count`` is the number of
    sides that the file has, None for a file without sides. Raises ProblemError, with ``path`` as
    the file's, for a unit with a name or with numbers that no thing can hold.
    """
    names = kind_names(period)
    # Reversed: the first of several types with one character counts.
    type_of_character = {
        unit_type.char: number for number, unit_type in reversed(list(enumerate(period.units)))
    }
    thing_ids = {
        unit.attributes.id: thing_id
        for thing_id, unit in enumerate(units.units, 1)
        if unit.attributes is not None
    }

    things = []
    first_thing_on_cell: dict[int, int] = {}
    for thing_id, unit in enumerate(units.units, 1):
        type_number = type_of_character.get(unit.character)
        if type_number is None:
            kind = type_name("unit", unit.character)
        else:
            kind = names[type_number]
        cell = nearest_cell(unit.x, unit.y, grid)
        is_on_map = grid.xy(cell) == (unit.x, unit.y)
        off_map = None
        if not is_on_map:
            off_map = (unit.x, unit.y)
        state = _state(unit, type_number, period, thing_ids, off_map)
        if is_on_map:
            # Details above 1 name the transport. Without, the game loads a unit into the one that
            # stands there already. What is off the map carries nothing.
            first_thing = first_thing_on_cell.setdefault(cell, thing_id)
            if unit.attributes is None and first_thing != thing_id:
                state[TRANSPORT] = first_thing
        # Owner 0 is nobody, the first side is owner 1.
        owner = 0
        if not is_neutral(unit.side, side_count):
            owner = unit.side + 1
        thing_state = _checked_state(unit, state, path)
        things.append(Thing(thing_id, kind, *grid.centre(cell), 0.0, owner, unit.name, thing_state))
    facts = UnitsFacts(min(units.detail, 4), units.extension, _number_of_neutral(units, side_count))
    return Things(things), facts


def _number_of_neutral(units: FileUnits, side_count: int | None) -> int:
    """Return the number of the side that the first neutral unit of a file has."""
    for unit in units.units:
        if is_neutral(unit.side, side_count):
            return unit.side
    return NEUTRAL


def _checked_state(unit: FileUnit, entries: dict[str, Any], path: str | None) -> State:
    """Return the state of a unit's thing. Raises ProblemError for what a thing cannot hold."""
    fault = fault_in_line(unit.name)
    if fault:
        raise _refused("unit-name", f"the name of this unit {fault}", unit, path)
    try:
        return State(entries)
    except ValueError:
        message = "this unit has more numbers and orders than can be kept"
        raise _refused("unit-long", message, unit, path) from None


def _refused(code: str, message: str, unit: FileUnit, path: str | None) -> ProblemError:
    """Return the error about the line of a unit; the message begins with a small letter."""
    message = f"{message[:1].upper()}{message[1:]}"
    return ProblemError(Problem(Severity.ERROR, code, message, path, unit.line, 1))


def _state(
    unit: FileUnit,
    type_number: int | None,
    period: Period,
    thing_ids: dict[int, int],
    off_map: tuple[int, int] | None,
) -> dict[str, Any]:
    """Return the entries of the state of a unit's thing: what is not as for a new unit.

    ``type_number`` is None for a type that the period does not have, ``thing_ids`` are those of all
    units by their ids in the file. ``off_map`` is the position (x, y) of a unit that is not on the
    map, None for one that is.
    """
    in_file: dict[str, Any] = {}
    if off_map is not None:
        in_file[OFF_MAP] = off_map
    numbers = unit.attributes
    if numbers is None:
        if in_file:
            return {FILE_ENTRIES: in_file}
        return {}

    # The numbers.
    new = new_unit(type_number, period, unit.side)
    state = _differing(numbers, new, ENTRIES_OF_STATE)
    if type_number is None:
        # How many hit points a new unit of an unknown type has is not known: none is left out.
        state[HP] = numbers.hit_points
    if numbers.transport in thing_ids:
        state[TRANSPORT] = thing_ids[numbers.transport]
    in_file["id"] = numbers.id
    in_file |= _differing(numbers, new, ENTRIES_OF_FILE_ENTRIES)

    # The supplies: those that are not full, by resource.
    if type_number is not None and len(unit.supplies) == len(period.resources):
        capacities = period.table("storage")[type_number].tolist()
        for resource, supply, capacity in zip(
            period.resources, unit.supplies, capacities, strict=True
        ):
            if supply != capacity:
                state[supply_entry(resource.name)] = supply
    else:
        # They cannot be told by resources: they stay a list.
        in_file["supplies"] = unit.supplies

    if unit.orders:
        in_file["orders"] = unit.orders
    if unit.moves:
        in_file["moves"] = unit.moves
    state[FILE_ENTRIES] = in_file
    return state


def _differing(
    numbers: Attributes, new: Attributes, entries: Mapping[str, str]
) -> dict[str, object]:
    """Return the entries of the numbers that are not as for a new unit."""
    result: dict[str, object] = {}
    for name, entry in entries.items():
        value = getattr(numbers, name)
        if value != getattr(new, name):
            result[entry] = value
    return result
