"""Units of files as things of a map, and things as units of a file.

``things_of`` makes things of the units of a file, ``section_of`` makes the units section of a map.
The state of a thing holds only what is not as for a new unit of its type::

    {"hp": 3, "transport": 17,                      what a user can change: hit points, supplies,
                                                    and the thing that carries it
     "more": {"id": 4, "morale": 2, "orders": ...}} all else that the file says (``FILE_ENTRIES``)

So a file is written again as it was read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

from randomizer.model.basics.texts import fault_in_line
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.carriers import carriers_first
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing, Things
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.mapfile.placeholder_types import character_of, type_name
from randomizer.systems.xconq.mapfile.unit_problems import is_neutral
from randomizer.systems.xconq.mapfile.units_section import Attributes, FileUnit, FileUnits
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.records import NEUTRAL, UnitsFacts, units_facts_of
from randomizer.systems.xconq.units.unit_kinds import kind_names, kind_numbers
from randomizer.systems.xconq.units.unit_state import (
    FILE_ENTRIES,
    HP,
    OFF_MAP,
    QUALITY,
    TRANSPORT,
    file_entries,
    nearest_cell,
    position_off_map,
    supply_entry,
)

_LARGEST_ID = 2**31 - 1
"""The largest number of 32 bits: no id of a unit can be greater."""

_ENTRIES = {"hit_points": HP, "quality": QUALITY}
"""The attributes that a thing's state holds, each with the name of its entry."""

_MORE_ENTRIES = {
    name: name.replace("_", " ")
    for name in ("number", "morale", "fatigue", "product", "schedule", "built", "true_side")
}
"""The attributes that the entry ``FILE_ENTRIES`` of a state holds, and the names of them there.

The transport and the id are not among them: they are told by the ids of things.
"""


def _new_unit(type_number: int | None, period: Period, side: int) -> Attributes:
    """Return the numbers of a new unit of a side.

    ``type_number`` is None for a unit type that the period does not have.
    """
    full_hit_points = 0
    if type_number is not None:
        full_hit_points = int(period.row("hp")[type_number])
    return Attributes(true_side=side, hit_points=full_hit_points)


def things_of(
    units: FileUnits, period: Period, grid: Grid, side_count: int | None, path: str | None = None
) -> tuple[Things, UnitsFacts]:
    """Return the units of a file as things, and the facts of their section.

    The ids of the things are 1 and so on in the order of the file. ``side_count`` is as for
    ``unit_problems``. Raises ProblemError for a unit with a name or with numbers that no thing can
    hold.
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
    new = _new_unit(type_number, period, unit.side)
    state = _differing(numbers, new, _ENTRIES)
    if type_number is None:
        # How many hit points a new unit of an unknown type has is not known: none is left out.
        state[HP] = numbers.hit_points
    if numbers.transport in thing_ids:
        state[TRANSPORT] = thing_ids[numbers.transport]
    in_file["id"] = numbers.id
    in_file |= _differing(numbers, new, _MORE_ENTRIES)

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


def kind_character(kind: str, period: Period) -> str | None:
    """Return the character of a kind of unit; None for one that the period does not have."""
    unit = kind_numbers(period).get(kind)
    if unit is None:
        return character_of(kind)
    return period.units[unit].char


def units_of(battlemap: BattleMap) -> list[Thing]:
    """Return the units of the visible layers that stand on the map, carriers before the carried."""
    grid = battlemap.grid
    units = [thing for thing in battlemap.visible_things() if grid.cell_at(thing.x, thing.y) >= 0]
    return carriers_first(grid, TRANSPORT, units)[0]


def section_of(battlemap: BattleMap, detail: int) -> FileUnits:
    """Return the units section of a map with a detail.

    Raises ProblemError if the period has no character for the type of a unit.
    """
    period = period_of(battlemap)
    things = units_of(battlemap)
    facts = units_facts_of(battlemap)
    _refuse_unknown(period, things)
    ids = _file_ids(things)
    units = tuple(_unit_of(thing, period, battlemap.grid, facts.neutral, ids) for thing in things)
    return FileUnits(units, detail, facts.extension)


def _refuse_unknown(period: Period, units: Iterable[Thing]) -> None:
    """Raise ProblemError if units are of kinds that the period has no character for."""
    kinds = {unit.kind for unit in units}
    unknown = sorted(kind for kind in kinds if kind_character(kind, period) is None)
    if unknown:
        message = (
            f"The period has no unit type {', '.join(f'“{kind}”' for kind in unknown)}, so no file "
            "can hold such units: change their type, or save a project"
        )
        raise ProblemError(Problem(Severity.ERROR, "unit-without-character", message))


def _file_ids(things: list[Thing]) -> dict[int, int]:
    """Return the id in the file of each thing, by the things' ids.

    It is that of the file it was read from, else a free one. Of things with the same id, which are
    copies of one, the first keeps it.
    """
    ids: dict[int, int] = {}
    used_ids: set[int] = set()
    for thing in things:
        file_id = file_entries(thing.state).get("id")
        if type(file_id) is int and 0 <= file_id <= _LARGEST_ID and file_id not in used_ids:
            ids[thing.id] = file_id
            used_ids.add(file_id)

    # Free ids are those above all used ones, or from 0 on if there may be too few.
    first_free_id = max(used_ids, default=-1) + 1
    if first_free_id > _LARGEST_ID - len(things) + 1:
        first_free_id = 0
    free_ids = (number for number in count(first_free_id) if number not in used_ids)
    for thing in things:
        if thing.id not in ids:
            ids[thing.id] = next(free_ids)
    return ids


def _unit_of(
    thing: Thing, period: Period, grid: Grid, neutral: int, ids: Mapping[int, int]
) -> FileUnit:
    """Return the unit of a file that is written for a thing.

    ``neutral`` is the side that neutral units are written with, ``ids`` are the ids in the file by
    those of things. What a file put off the map is there again as long as it was not moved.
    """
    type_number = kind_numbers(period).get(thing.kind)
    x, y = position_off_map(thing, grid) or grid.xy(grid.cell_at(thing.x, thing.y))
    if thing.owner == 0:
        side = neutral
    else:
        side = thing.owner - 1
    more = file_entries(thing.state)
    return FileUnit(
        line=0,
        character=kind_character(thing.kind, period) or "?",
        name=thing.label,
        x=x,
        y=y,
        side=side,
        attributes=_attributes(thing, _new_unit(type_number, period, side), ids),
        supplies=_supplies(thing, type_number, period),
        orders=tuple(str(line) for line in _list_entry(more, "orders")),
        moves=str(more.get("moves", "")),
    )


def _attributes(thing: Thing, new: Attributes, ids: Mapping[int, int]) -> Attributes:
    """Return the numbers of a thing; those that its state does not have are those of a new unit.

    States come from files and hands, so an entry counts only if it is a whole number.
    """
    numbers = {"id": ids[thing.id]}
    carrier = _number(thing.state.get(TRANSPORT), -1)
    if carrier in ids:
        numbers["transport"] = ids[carrier]
    for holder, entries in ((thing.state, _ENTRIES), (file_entries(thing.state), _MORE_ENTRIES)):
        for name, entry in entries.items():
            value = holder.get(entry)
            if type(value) is int:
                numbers[name] = value
    return new._replace(**numbers)


def _supplies(thing: Thing, type_number: int | None, period: Period) -> tuple[int, ...]:
    """Return the supplies of a thing, one for each resource; a new unit's stores are full.

    They are as the file had them where they could not be told by resources, see ``_state``.
    """
    more = file_entries(thing.state)
    if type_number is None or "supplies" in more:
        return tuple(supply for supply in _list_entry(more, "supplies") if type(supply) is int)
    capacities = period.table("storage")[type_number].tolist()
    return tuple(
        _number(thing.state.get(supply_entry(resource.name)), capacity)
        for resource, capacity in zip(period.resources, capacities, strict=True)
    )


def _list_entry(more: State, name: str) -> tuple[object, ...]:
    """Return an entry that is a list of values; () for anything else."""
    values = more.get(name)
    if isinstance(values, tuple):
        return values
    return ()


def _number(value: object, default: int) -> int:
    """Return a value that is a whole number (no bool); the default for anything else."""
    if type(value) is int:
        return value
    return default
