"""Units of files as things of a map, and things as units of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from randomizer.model.basics.plurals import counted
from randomizer.model.basics.texts import fault_in_line
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.carriers import carriers_first
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing, Things
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.mapfile.placeholder_types import character_of, type_name
from randomizer.systems.xconq.mapfile.units_section import Attributes, FileUnit, FileUnits
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.records import MOST_SIDES, NEUTRAL, UnitsFacts, units_facts_of
from randomizer.systems.xconq.units.unit_kinds import kind_names, kind_numbers
from randomizer.systems.xconq.units.unit_state import (
    HP,
    MORE,
    PLACE,
    QUALITY,
    TRANSPORT,
    more_of,
    nearest_cell,
    place_off_map,
    supply_entry,
)

_LARGEST_ID = 2**31 - 1
_MOST_PLACES = 3
"""So many problems of a kind are listed one by one."""

_ENTRIES = {"hit_points": HP, "quality": QUALITY}
_MORE_ENTRIES = {
    name: name.replace("_", " ")
    for name in ("number", "morale", "fatigue", "product", "schedule", "built", "true_side")
}
"""The attributes that a thing's state holds, and its entry ``more``, where they are not as for a
new unit: each with its entry there. Ids and transports are those of things."""


def _new_unit(index: int | None, period: Period, side: int) -> Attributes:
    """Return the numbers of a new unit of a type (None: one that the period does not have) and
    side.
    """
    full = 0 if index is None else int(period.row("hp")[index])
    return Attributes(true_side=side, hit_points=full)


def _is_neutral(side: int, sides: int | None) -> bool:
    return not 0 <= side < (MOST_SIDES if sides is None else sides)


def unit_problems(
    units: FileUnits, period: Period, grid: Grid, sides: int | None, path: str | None
) -> Iterator[Problem]:
    """Yield what is wrong with units beside their form: types, places, sides, transports.

    ``sides`` is the number of sides, None if the file has none. Of each kind of problem the first
    three have their place; of the others the number is said.
    """
    by_code: dict[str, list[Problem]] = {}
    for problem in _all_problems(units, period, grid, sides, path):
        by_code.setdefault(problem.code, []).append(problem)
    for problems_of_code in by_code.values():
        yield from problems_of_code[:_MOST_PLACES]
        more = len(problems_of_code) - _MOST_PLACES
        if more > 0:
            message = f"The same is true of {counted(more, 'unit')} more"
            yield replace(problems_of_code[_MOST_PLACES], message=message)


def _all_problems(
    units: FileUnits, period: Period, grid: Grid, sides: int | None, path: str | None
) -> Iterator[Problem]:
    letters = {unit.char for unit in period.units}
    ids = {unit.attributes.id for unit in units.units if unit.attributes is not None}
    for unit in units.units:
        position = (path, unit.line, 1)
        if unit.character not in letters:
            message = f"“{unit.character}” is no unit type of the period"
            yield Problem(Severity.ERROR, "unknown-unit", message, *position)
        cell = nearest_cell(unit.x, unit.y, grid)
        if grid.xy(cell) != (unit.x, unit.y):
            message = (
                f"{unit.x},{unit.y} is not on the map of {grid.width} x {grid.height}: Xconq takes "
                "this unit as dead; it is shown on the nearest hex and keeps its place in the file"
            )
            yield Problem(Severity.WARNING, "unit-off-map", message, *position, cell=cell)
        elif unit.y in (0, grid.height - 1):
            message = f"{unit.x},{unit.y} is on the edge, where Xconq takes units as dead"
            yield Problem(Severity.WARNING, "unit-on-edge", message, *position, cell=cell)
        if _is_neutral(unit.side, sides) and unit.side not in (NEUTRAL, MOST_SIDES):
            message = f"There is no side {unit.side}, so this unit is neutral"
            yield Problem(Severity.WARNING, "unit-side", message, *position)
        if unit.attributes is None:
            continue
        if unit.attributes.transport >= 0 and unit.attributes.transport not in ids:
            message = f"No unit has the id {unit.attributes.transport}, which carries this one"
            yield Problem(Severity.WARNING, "unit-transport", message, *position)


def things_of(
    units: FileUnits, period: Period, grid: Grid, sides: int | None, path: str | None = None
) -> tuple[Things, UnitsFacts]:
    """Return the units of a file as things with ids from 1 on in its order, and the section's
    facts.

    Raises ProblemError for a unit with a name or with numbers that no thing can hold.
    """
    names = kind_names(period)
    indices = {unit.char: index for index, unit in reversed(list(enumerate(period.units)))}
    thing_ids = {
        unit.attributes.id: number
        for number, unit in enumerate(units.units, 1)
        if unit.attributes is not None
    }
    things = []
    first_on = dict[int, int]()
    for number, unit in enumerate(units.units, 1):
        index = indices.get(unit.character)
        if index is None:
            kind = type_name("unit", unit.character)
        else:
            kind = names[index]
        cell = nearest_cell(unit.x, unit.y, grid)
        if grid.xy(cell) == (unit.x, unit.y):
            more = {}
        else:
            more = {PLACE: (unit.x, unit.y)}
        state = _state(unit, index, period, thing_ids, more)
        if not more:  # what is not on the map carries nothing
            first = first_on.setdefault(cell, number)
            if unit.attributes is None and first != number:
                state[TRANSPORT] = first  # the game loads it into the unit that stands there
        if _is_neutral(unit.side, sides):
            owner = 0
        else:
            owner = unit.side + 1
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
    """Return what a thing keeps of a unit; what is as for a new unit is left out.

    ``more`` is what its entry of that name has anyway.
    """
    numbers = unit.attributes
    if numbers is None:
        if more:
            return {MORE: more}
        return {}
    new = _new_unit(index, period, unit.side)
    state = _differing(numbers, new, _ENTRIES)
    if index is None:  # how many it has at first is not known
        state[HP] = numbers.hit_points
    if numbers.transport in thing_ids:
        state[TRANSPORT] = thing_ids[numbers.transport]
    more |= {"id": numbers.id, **_differing(numbers, new, _MORE_ENTRIES)}
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


def _differing(
    numbers: Attributes, new: Attributes, entries: Mapping[str, str]
) -> dict[str, object]:
    """Return the entries of the numbers that are not as for a new unit."""
    return {
        entry: getattr(numbers, name)
        for name, entry in entries.items()
        if getattr(numbers, name) != getattr(new, name)
    }


def kind_character(kind: str, period: Period) -> str | None:
    """Return the character of a kind of unit; None for one that the period does not have."""
    unit = kind_numbers(period).get(kind)
    if unit is None:
        return character_of(kind)
    return period.units[unit].char


def units_of(battlemap: BattleMap) -> list[Thing]:
    """Return the units of the visible layers that stand on the map, what carries before the
    carried.
    """
    grid = battlemap.grid
    standing = [
        visible_thing
        for visible_thing in battlemap.visible_things()
        if grid.cell_at(visible_thing.x, visible_thing.y) >= 0
    ]
    return carriers_first(grid, TRANSPORT, standing)[0]


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
    kinds = {unit.kind for unit in units}
    unknown = sorted(kind for kind in kinds if kind_character(kind, period) is None)
    if unknown:
        message = (
            f"The period has no unit type {', '.join(f'“{kind}”' for kind in unknown)}, so no file "
            "can hold such units: change their type, or save a project"
        )
        raise ProblemError(Problem(Severity.ERROR, "unit-without-character", message))


def _file_ids(things: list[Thing]) -> dict[int, int]:
    """Return the id in the file of each thing: that of the file it was read from, else a free
    one.
    """
    ids: dict[int, int] = {}
    used: set[int] = set()
    for thing in things:
        file_id = more_of(thing.state).get("id")
        if type(file_id) is int and 0 <= file_id <= _LARGEST_ID and file_id not in used:
            ids[thing.id] = file_id
            used.add(file_id)
    largest = max(used, default=-1)
    if largest <= _LARGEST_ID - len(things):
        first = largest + 1
    else:
        first = 0
    free = (number for number in count(first) if number not in used)
    for thing in things:
        if thing.id not in ids:
            ids[thing.id] = next(free)
    return ids


def _several(more: State, name: str) -> tuple[object, ...]:
    """Return an entry that is a list of values; () for anything else."""
    values = more.get(name)
    return values if isinstance(values, tuple) else ()


def _number(value: object, default: int) -> int:
    return value if type(value) is int else default


def _unit_of(
    thing: Thing, period: Period, grid: Grid, neutral: int, ids: Mapping[int, int]
) -> FileUnit:
    """Return the unit of a file that a thing is; ``ids`` are those of all units by the things' ids.

    One that a file put off the map is there again as long as it was not moved.
    """
    index = kind_numbers(period).get(thing.kind)
    x, y = place_off_map(thing, grid) or grid.xy(grid.cell_at(thing.x, thing.y))
    side = neutral if thing.owner == 0 else thing.owner - 1
    more = more_of(thing.state)
    state = thing.state
    new = _new_unit(index, period, side)
    attributes = new._replace(
        id=ids[thing.id],
        transport=ids.get(_number(state.get(TRANSPORT), -1), new.transport),
        **{
            name: holder[entry]
            for holder, entries in ((state, _ENTRIES), (more, _MORE_ENTRIES))
            for name, entry in entries.items()
            if type(holder.get(entry)) is int
        },
    )
    supplies: tuple[int, ...]
    if index is None or "supplies" in more:
        supplies = tuple(supply for supply in _several(more, "supplies") if type(supply) is int)
    else:
        storage = period.table("storage")[index].tolist()
        supplies = tuple(
            _number(state.get(supply_entry(resource.name)), most)
            for resource, most in zip(period.resources, storage, strict=True)
        )
    return FileUnit(
        0,
        kind_character(thing.kind, period) or "?",
        thing.label,
        x,
        y,
        side,
        attributes,
        supplies,
        tuple(str(line) for line in _several(more, "orders")),
        str(more.get("moves", "")),
    )
