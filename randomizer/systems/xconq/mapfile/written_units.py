"""Makes the units section of a map from its things: ``section_of``.

It is the way back from ``unit_things``, which says what the state of a thing holds. What a state
does not have is as for a new unit of its type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from typing import TypeGuard

from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.carriers import carriers_first
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.mapfile.placeholder_types import character_of
from randomizer.systems.xconq.mapfile.unit_numbers import (
    ENTRIES_OF_FILE_ENTRIES,
    ENTRIES_OF_STATE,
    new_unit,
)
from randomizer.systems.xconq.mapfile.units_section import Attributes, FileUnit, FileUnits
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.records import units_facts_of
from randomizer.systems.xconq.units.unit_kinds import kind_numbers
from randomizer.systems.xconq.units.unit_state import (
    TRANSPORT,
    file_entries,
    position_off_map,
    supply_entry,
)

_LARGEST_ID = 2**31 - 1
"""The largest number of 32 bits: no id of a unit can be greater."""


def units_of(battlemap: BattleMap) -> list[Thing]:
    """Return the units of the visible layers that stand on the map, carriers before the carried."""
    grid = battlemap.grid
    units = [thing for thing in battlemap.visible_things() if grid.cell_at(thing.x, thing.y) >= 0]
    return carriers_first(grid, TRANSPORT, units)


def section_of(battlemap: BattleMap, detail: int) -> FileUnits:
    """Return the units section of a map with a detail.

    Raises ProblemError if the period has no character for the type of a unit.
    """
    period = period_of(battlemap)
    things = units_of(battlemap)
    _refuse_unknown(period, things)
    facts = units_facts_of(battlemap)
    ids = _file_ids(things)
    neutral_side = facts.neutral
    units = tuple(_unit_of(thing, period, battlemap.grid, neutral_side, ids) for thing in things)
    return FileUnits(units, detail, facts.extension)


def _refuse_unknown(period: Period, units: Iterable[Thing]) -> None:
    """Raise ProblemError if units are of kinds that the period has no character for."""
    kinds = {unit.kind for unit in units}
    unknown = sorted(kind for kind in kinds if _kind_character(kind, period) is None)
    if unknown:
        message = (
            f"The period has no unit type {', '.join(f'“{kind}”' for kind in unknown)}, so no file "
            "can hold such units: change their type, or save a project"
        )
        raise ProblemError(Problem(Severity.ERROR, "unit-without-character", message))


def _kind_character(kind: str, period: Period) -> str | None:
    """Return the character of a kind of unit; None if no character stands for it.

    The kinds of a period that is missing have their character in their name (``type_name``).
    """
    unit = kind_numbers(period).get(kind)
    if unit is None:
        return character_of(kind)
    return period.units[unit].char


def _file_ids(things: list[Thing]) -> dict[int, int]:
    """Return the id in the file of each thing, by the things' ids.

    It is that of the file it was read from, else a free one. Of things with the same id, which are
    copies of one, the first keeps it.
    """
    ids: dict[int, int] = {}
    used_ids: set[int] = set()
    for thing in things:
        file_id = file_entries(thing.state).get("id")
        if not _is_whole_number(file_id) or file_id in used_ids:
            continue
        if 0 <= file_id <= _LARGEST_ID:
            ids[thing.id] = file_id
            used_ids.add(file_id)

    # Free ids are those above all used ones, or from 0 on if there may be too few.
    first_free_id = max(used_ids, default=-1) + 1
    ids_above = _LARGEST_ID - first_free_id + 1
    if ids_above < len(things):
        first_free_id = 0
    free_ids = (number for number in count(first_free_id) if number not in used_ids)
    for thing in things:
        if thing.id not in ids:
            ids[thing.id] = next(free_ids)
    return ids


def _unit_of(
    thing: Thing, period: Period, grid: Grid, neutral_side: int, ids: Mapping[int, int]
) -> FileUnit:
    """Return the unit of a file that is written for a thing.

    ``neutral_side`` is the number that neutral units are written with, ``ids`` are the ids in the
    file by those of things. What a file put off the map is there again as long as it was not moved.
    """
    type_number = kind_numbers(period).get(thing.kind)
    x, y = position_off_map(thing, grid) or grid.xy(grid.cell_at(thing.x, thing.y))
    if thing.owner == 0:
        side = neutral_side
    else:
        side = thing.owner - 1
    file_state = file_entries(thing.state)
    character = _kind_character(thing.kind, period)
    assert character is not None, "_refuse_unknown has refused such kinds"
    return FileUnit(
        line=0,
        character=character,
        name=thing.label,
        x=x,
        y=y,
        side=side,
        attributes=_attributes(thing, new_unit(type_number, period, side), ids),
        supplies=_supplies(thing, type_number, period),
        orders=tuple(str(line) for line in _list_entry(file_state, "orders")),
        moves=str(file_state.get("moves", "")),
    )


def _attributes(thing: Thing, defaults: Attributes, ids: Mapping[int, int]) -> Attributes:
    """Return the numbers of a thing; those that its state does not have are those of a new unit.

    A project can have anything in a state, so an entry counts only if it is a whole number.
    """
    numbers = {"id": ids[thing.id]}
    carrier = _number(thing.state.get(TRANSPORT), -1)
    if carrier in ids:
        numbers["transport"] = ids[carrier]
    numbers |= _whole_numbers(thing.state, ENTRIES_OF_STATE)
    numbers |= _whole_numbers(file_entries(thing.state), ENTRIES_OF_FILE_ENTRIES)
    return defaults._replace(**numbers)


def _whole_numbers(state: State, entries: Mapping[str, str]) -> dict[str, int]:
    """Return the attributes that a state has, by their names.

    ``entries`` maps the name of each attribute to that of the state's entry which holds it.
    """
    numbers = {}
    for name, entry in entries.items():
        value = state.get(entry)
        if _is_whole_number(value):
            numbers[name] = value
    return numbers


def _is_whole_number(value: object) -> TypeGuard[int]:
    """Return whether a value is a whole number; True and False are none, though Python's ints."""
    return type(value) is int


def _supplies(thing: Thing, type_number: int | None, period: Period) -> tuple[int, ...]:
    """Return the supplies of a thing, one for each resource; a new unit's stores are full.

    Where the file's could not be told by resources, the state has them as a list, as they were.
    """
    file_state = file_entries(thing.state)
    if type_number is None or "supplies" in file_state:
        supplies = _list_entry(file_state, "supplies")
        return tuple(supply for supply in supplies if _is_whole_number(supply))
    capacities = period.table("storage")[type_number].tolist()
    return tuple(
        _number(thing.state.get(supply_entry(resource.name)), capacity)
        for resource, capacity in zip(period.resources, capacities, strict=True)
    )


def _list_entry(state: State, name: str) -> tuple[object, ...]:
    """Return an entry that is a list of values; () for anything else."""
    values = state.get(name)
    if isinstance(values, tuple):
        return values
    return ()


def _number(value: object, default: int) -> int:
    """Return a value that is a whole number; the default for anything else."""
    if _is_whole_number(value):
        return value
    return default
