"""What of a map follows its period's types: names of units, conditions and counters."""

from __future__ import annotations

from randomizer.model.things.things import Thing
from randomizer.systems.xconq.period.changed_types import TypeTexts
from randomizer.systems.xconq.period.reading import read_period
from randomizer.systems.xconq.period.type_changes import change_type
from randomizer.systems.xconq.period.type_copies import copy_type
from randomizer.systems.xconq.period.words import UNITS
from randomizer.systems.xconq.records import (
    GLOBALS,
    SIDES,
    Condition,
    ConditionKind,
    Globals,
    Side,
    Sides,
    globals_of,
    sides_of,
)
from randomizer.systems.xconq.scenario.conditions import IDLE_TO_LOSE
from randomizer.systems.xconq.scenario.side_edits import change_value
from randomizer.systems.xconq.scenario.type_changes import follow_types
from tests.randomizer.systems.xconq.tiny_period import TEXT, period, world


def changed(text):
    return read_period(text).period


def test_units_get_the_new_name_of_their_type_and_back():
    battlemap = world(12, 8, Thing(1, "men", 4, 4), Thing(2, "town", 6, 4, label="Rome"))
    after = changed(change_type(TEXT, UNITS, 2, TypeTexts("@", "city", "stands")))
    edit = follow_types(battlemap, period(), after)
    inverse = edit.inverse()
    edit.apply(battlemap)
    assert [
        (visible_thing.kind, visible_thing.label) for visible_thing in battlemap.visible_things()
    ] == [
        ("men", ""),
        ("city", "Rome"),
    ]
    inverse.apply(battlemap)
    assert [visible_thing.kind for visible_thing in battlemap.visible_things()] == ["men", "town"]


def test_conditions_and_counters_get_a_number_for_the_new_type():
    battlemap = world(12, 8)
    kind = ConditionKind.UNITS
    wins = Condition(True, kind, 0, 9, -1, (1, 2, 3))
    loses = Condition(False, kind, 0, 9, 0, (1, 2, 3))
    other = Condition(True, kind, 0, 9, 0, (5,))
    game = Globals(conditions=(wins, loses, other))
    change_value(battlemap, GLOBALS, game).apply(battlemap)
    sides = Sides((Side("Red", counters=(4, 5, 6)), Side("Blue")), detail=2)
    change_value(battlemap, SIDES, sides).apply(battlemap)
    after = changed(copy_type(TEXT, UNITS, 0, TypeTexts("h", "heroes", "walk")))
    follow_types(battlemap, period(), after).apply(battlemap)
    numbers = [condition.numbers for condition in globals_of(battlemap).conditions]
    assert numbers == [(1, 2, 3, 0), (1, 2, 3, IDLE_TO_LOSE), (5,)]
    assert [side.counters for side in sides_of(battlemap).sides] == [(4, 5, 6, 1), ()]


def test_nothing_follows_where_only_a_value_changes():
    battlemap = world(12, 8, Thing(1, "men", 4, 4))
    assert (
        follow_types(battlemap, period(), changed(TEXT.replace("1 m speed", "3 m speed"))) is None
    )
