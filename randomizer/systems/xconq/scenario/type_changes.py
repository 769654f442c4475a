"""What of a map follows when its period gets a unit type more, or gives one another name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from randomizer.model.edits.thing_edits import change_things
from randomizer.model.edits.value_edits import compound
from randomizer.systems.xconq.mapfile.sides_section import NUMBERS_OF_ALL
from randomizer.systems.xconq.records import GLOBALS, SIDES, ConditionKind, globals_of, sides_of
from randomizer.systems.xconq.scenario.conditions import idle_number
from randomizer.systems.xconq.scenario.side_edits import change_value
from randomizer.systems.xconq.units.unit_kinds import kind_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from randomizer.model.battlemap import BattleMap
    from randomizer.model.edits.edit import Edit
    from randomizer.model.things.things import Thing
    from randomizer.systems.xconq.period.period import Period
    from randomizer.systems.xconq.records import Condition, Record, Side


def follow_types(battlemap: BattleMap, before: Period, after: Period) -> Edit | None:
    """Return the edit by which a map follows its period: None if nothing else changes.

    ``after`` has the types of ``before`` in their order, with other names or more at the end. Units
    get the new names of their types; of rolled layers only what was touched, since the rest is
    rolled again. Conditions, counters and statistics that have a number for each unit type get one
    more; those of a rolled world that nobody touched come with the roll.
    """
    old, new = len(before.units), len(after.units)
    names = dict(zip(kind_names(before), kind_names(after), strict=False))
    edits = [change_things(battlemap, _renamed(battlemap, names))]
    game, sides = globals_of(battlemap), sides_of(battlemap)
    conditions = tuple(_longer(each, old, new) for each in game.conditions)
    longer = tuple(_with_types(each, old, new) for each in sides.sides)
    values: tuple[tuple[str, Record, Record], ...] = (
        (GLOBALS, game, replace(game, conditions=conditions)),
        (SIDES, sides, replace(sides, sides=longer)),
    )
    for name, value, changed in values:
        record = battlemap.records.get(name)
        rolled = battlemap.source_layer is not None and record is not None and not record.touched
        if changed != value and not rolled:
            edits.append(change_value(battlemap, name, changed))
    return compound(edits)


def _renamed(battlemap: BattleMap, names: dict[str, str]) -> Iterator[Thing]:
    for layer in battlemap.layers:
        for thing in layer.things.values():
            renamed = names.get(thing.kind, thing.kind) != thing.kind
            if renamed and (layer.roll is None or thing.touched):
                yield replace(thing, kind=names[thing.kind])


def _longer(condition: Condition, old: int, new: int) -> Condition:
    if condition.kind is not ConditionKind.UNITS or len(condition.numbers) != old:
        return condition
    return replace(
        condition, numbers=(*condition.numbers, *(idle_number(condition),) * (new - old))
    )


def _with_types(side: Side, old: int, new: int) -> Side:
    """The side with counters and statistics of as many types, none of the new ones used."""
    if len(side.counters) != old:
        return side
    statistics = side.statistics
    if len(statistics) == 3 * old:
        more = " 0" * (new - old)
        lines = [line + more if at % 3 else line for at, line in enumerate(statistics)]
        of_type = (("0 " * NUMBERS_OF_ALL).strip(), *(("0 " * new).strip(),) * 2)
        statistics = (*lines, *of_type * (new - old))
    return replace(side, counters=(*side.counters, *(1,) * (new - old)), statistics=statistics)
