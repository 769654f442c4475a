"""The changes of a map that follow where its period gets a unit type more, or renames one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from randomizer.model.edits.thing_edits import change_things
from randomizer.model.edits.value_edits import compound
from randomizer.systems.xconq.records import GLOBALS, SIDES, ConditionKind, globals_of, sides_of
from randomizer.systems.xconq.scenario.conditions import idle_number
from randomizer.systems.xconq.scenario.side_edits import change_value
from randomizer.systems.xconq.units.unit_kinds import kind_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.things.things import Thing
    from randomizer.systems.xconq.period.period import Period
    from randomizer.systems.xconq.records import Condition, Record, Side


def follow_types(battlemap: BattleMap, old_period: Period, new_period: Period) -> Edit | None:
    """Return the edit by which a map follows its period: None if nothing else changes.

    ``new_period`` has the types of ``old_period`` in their order, with other names or more at the
    end. Units get the new names of their types; of rolled layers only what was touched, since the
    rest is rolled again. Conditions and counters that have a number for each unit type get one
    more; those of a rolled world that nobody touched come with the roll. Statistics of a running
    game, which have lines for each type, are written as zeros from then on.
    """
    old_count = len(old_period.units)
    new_count = len(new_period.units)
    new_names = dict(zip(kind_names(old_period), kind_names(new_period), strict=False))
    edits = [change_things(battlemap, _renamed_units(battlemap, new_names))]

    game = globals_of(battlemap)
    conditions = tuple(
        _with_more_types(condition, old_count, new_count) for condition in game.conditions
    )
    sides = sides_of(battlemap)
    longer_sides = tuple(_with_more_counters(side, old_count, new_count) for side in sides.sides)
    values: tuple[tuple[str, Record, Record], ...] = (
        (GLOBALS, game, replace(game, conditions=conditions)),
        (SIDES, sides, replace(sides, sides=longer_sides)),
    )
    for name, old_value, new_value in values:
        if new_value != old_value and not _comes_with_roll(battlemap, name):
            edits.append(change_value(battlemap, name, new_value))
    return compound(edits)


def _comes_with_roll(battlemap: BattleMap, name: str) -> bool:
    """Return whether a record is that of a rolled world, untouched: the next roll replaces it."""
    record = battlemap.records.get(name)
    return battlemap.source_layer is not None and record is not None and not record.touched


def _renamed_units(battlemap: BattleMap, new_names: dict[str, str]) -> Iterator[Thing]:
    """Yield the units whose type has another name, with that; of rolled layers the touched ones."""
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
