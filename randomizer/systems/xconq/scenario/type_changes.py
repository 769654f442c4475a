"""What of a map follows when its period gets a unit type more, or gives one another name."""

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
    from randomizer.systems.xconq.records import Condition, Record


def follow_types(battlemap: BattleMap, old_period: Period, new_period: Period) -> Edit | None:
    """Return the edit by which a map follows its period: None if nothing else changes.

    ``new_period`` has the types of ``old_period`` in their order, with other names or more at the
    end. Units get the new names of their types; of rolled layers only what was touched, since the
    rest is rolled again. Conditions and counters that have a number for each unit type get one
    more; those of a rolled world that nobody touched come with the roll. Statistics of a running
    game, which have lines for each type, are written as zeros from then on.
    """
    old = len(old_period.units)
    new = len(new_period.units)
    names = dict(zip(kind_names(old_period), kind_names(new_period), strict=False))
    edits = [change_things(battlemap, _renamed(battlemap, names))]
    game = globals_of(battlemap)
    sides = sides_of(battlemap)
    conditions = tuple(_longer(condition, old, new) for condition in game.conditions)
    longer = tuple(
        replace(side, counters=side.counters + (1,) * (new - old))
        if len(side.counters) == old
        else side
        for side in sides.sides
    )
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
    numbers = condition.numbers
    if condition.kind is ConditionKind.UNITS and len(numbers) == old:
        numbers += (idle_number(condition),) * (new - old)
    return replace(condition, numbers=numbers)
