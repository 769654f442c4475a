"""What is worked out from the things of a map is kept as long as nothing happens to them."""

from __future__ import annotations

from app.render.scene.things.things_state import ThingsState
from randomizer.model.edits.thing_edits import change_things
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.things.things import Thing, Things
from tests.systems import tile_map

CITY = Thing(1, "city", 3.0, 3.0, owner=1)


def map_with(*things: Thing) -> BattleMap:
    battlemap = tile_map(8)
    battlemap.layers[0].things = Things(things)
    return battlemap


def test_a_state_equals_another_one_until_a_thing_changes() -> None:
    battlemap = map_with(CITY)
    before = ThingsState(battlemap)
    assert ThingsState(battlemap) == before
    change_things(battlemap, [Thing(1, "city", 5.0, 5.0)]).apply(battlemap)
    assert ThingsState(battlemap) != before


def test_equal_things_of_another_map_are_another_state() -> None:
    assert ThingsState(map_with(CITY)) != ThingsState(map_with(CITY))


def test_hidden_and_empty_layers_do_not_count() -> None:
    battlemap = map_with(CITY)
    assert ThingsState(battlemap).has_things
    battlemap.layers[0].visible = False
    assert not ThingsState(battlemap).has_things
    assert ThingsState(battlemap) == ThingsState(map_with())
