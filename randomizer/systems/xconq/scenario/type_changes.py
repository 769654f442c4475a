"""The changes of a map after its period has got, renamed or lost a unit type.

Some values of a map have a number for each unit type, in the order of the period::

    Condition.numbers   of units
    Side.counters       the numbers of the next unnamed units

Units have the name of their type. So a new, renamed or removed type changes all of these
(``follow_types``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from randomizer.model.edits.thing_edits import change_things
from randomizer.model.edits.value_edits import compound
from randomizer.systems.xconq.records import GLOBALS, SIDES, ConditionKind, globals_of, sides_of
from randomizer.systems.xconq.scenario.conditions import PLACE_NUMBERS, idle_number
from randomizer.systems.xconq.scenario.side_edits import change_value
from randomizer.systems.xconq.units.unit_kinds import kind_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.things.things import Thing
    from randomizer.systems.xconq.period.period import Period
    from randomizer.systems.xconq.records import Condition, Record, Side


def follow_types(battlemap: BattleMap, old_period: Period, new_period: Period) -> Edit | None:
    """Return the edit by which a map follows its period; None if nothing on the map changes.

    ``new_period`` has the types of ``old_period`` in their order, with other names or more at the
    end, or without one of them. Units of a removed type stay: they are a problem of the map.
    Statistics of a running game, which have lines for each type, are written as zeros from then on.
    """
    # Units get the new names of their types.
    old_count = len(old_period.units)
    new_count = len(new_period.units)
    removed = _removed_type(old_period, new_period)
    remaining_names = kind_names(old_period)
    if removed is not None:
        remaining_names = remaining_names[:removed] + remaining_names[removed + 1 :]
    # The new period may have more types at the end, which no unit has yet.
    new_names = dict(zip(remaining_names, kind_names(new_period), strict=False))
    edits = [change_things(battlemap, _renamed_units(battlemap, new_names))]

    # Conditions and counters get a number more or lose one.
    globals_ = globals_of(battlemap)
    sides = sides_of(battlemap)
    if removed is not None:
        conditions = tuple(_without_type(globals_.conditions, removed, old_count))
        followed_sides = tuple(_without_counter(side, removed, old_count) for side in sides.sides)
    else:
        conditions = tuple(
            _with_more_types(condition, old_count, new_count) for condition in globals_.conditions
        )
        followed_sides = tuple(
            _with_more_counters(side, old_count, new_count) for side in sides.sides
        )
    values: tuple[tuple[str, Record, Record], ...] = (
        (GLOBALS, globals_, replace(globals_, conditions=conditions)),
        (SIDES, sides, replace(sides, sides=followed_sides)),
    )
    for name, old_value, new_value in values:
        if new_value != old_value and not _comes_with_roll(battlemap, name):
            edits.append(change_value(battlemap, name, new_value))
    return compound(edits)


def _removed_type(old_period: Period, new_period: Period) -> int | None:
    """Return the number of the unit type that the new period lacks, None if it lacks none.

    Both periods are as for ``follow_types``: if one type was removed, no other was renamed.
    """
    if len(new_period.units) >= len(old_period.units):
        return None
    for index, unit_type in enumerate(new_period.units):
        if unit_type != old_period.units[index]:
            return index
    return len(new_period.units)


def _comes_with_roll(battlemap: BattleMap, name: str) -> bool:
    """Return whether a record is an untouched one of a roll, which the next roll replaces."""
    record = battlemap.records.get(name)
    return battlemap.source_layer is not None and record is not None and not record.touched


def _renamed_units(battlemap: BattleMap, new_names: dict[str, str]) -> Iterator[Thing]:
    """Yield the units whose type has another name now, with the new name.

    Untouched units of rolled layers are left out, as the layer is rolled again.
    """
    for layer in battlemap.layers:
        for thing in layer.things.values():
            new_kind = new_names.get(thing.kind, thing.kind)
            if new_kind != thing.kind and (layer.roll is None or thing.touched):
                yield replace(thing, kind=new_kind)


def _with_more_types(condition: Condition, old_count: int, new_count: int) -> Condition:
    """Return a condition in which the new unit types do not count."""
    numbers = condition.numbers
    if condition.kind is ConditionKind.UNITS and len(numbers) == old_count:
        numbers += (idle_number(condition),) * (new_count - old_count)
    return replace(condition, numbers=numbers)


def _with_more_counters(side: Side, old_count: int, new_count: int) -> Side:
    """Return a side whose unnamed units of the new types are numbered from 1."""
    if len(side.counters) != old_count:
        return side
    return replace(side, counters=side.counters + (1,) * (new_count - old_count))


def _without_type(
    conditions: Sequence[Condition], removed: int, old_count: int
) -> Iterator[Condition]:
    """Yield conditions without the number of a unit type, and without those about such a unit."""
    for condition in conditions:
        numbers = condition.numbers
        if condition.kind is ConditionKind.UNITS and len(numbers) == old_count:
            numbers = numbers[:removed] + numbers[removed + 1 :]
        elif condition.kind is ConditionKind.PLACE and len(numbers) == PLACE_NUMBERS:
            *place, unit_type = numbers
            if unit_type == removed:
                continue
            if unit_type > removed:
                unit_type -= 1
            numbers = (*place, unit_type)
        yield replace(condition, numbers=numbers)


def _without_counter(side: Side, removed: int, old_count: int) -> Side:
    """Return a side without the counter of a unit type."""
    if len(side.counters) != old_count:
        return side
    return replace(side, counters=side.counters[:removed] + side.counters[removed + 1 :])
