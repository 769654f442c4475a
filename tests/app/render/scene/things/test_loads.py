"""What is carried is not drawn; the picture of its carrier says how much it carries."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.render.scene.things.loads import NO_LOADS, LoadsCache, loads_of
from randomizer.model.things.thing_rules import ThingRules
from randomizer.model.things.things import Thing, Things
from tests.app.render.drawing import paint_things
from tests.counting import watched_calls
from tests.systems import system_like, tile_map

CITY = Thing(1, "city", 3.0, 3.0, owner=1)
WIZARD = Thing(2, "wizard", 3.0, 3.0, owner=2)
INSIDE = replace(WIZARD, state={"in": 1})


def map_with(*things):
    plain = tile_map(8)
    battlemap = replace(
        plain, system=system_like(plain.system, thing_rules=ThingRules(carrier="in"))
    )
    battlemap.layers[0].things = Things(things)
    return battlemap


def test_a_carrier_counts_also_what_is_in_what_it_carries():
    ring = Thing(3, "ring", 3.0, 3.0, state={"in": 2})
    loads = loads_of(map_with(CITY, INSIDE, ring, Thing(4, "city", 5.0, 5.0)))
    assert loads.carried == {2, 3}
    assert loads.count_of_carrier == {1: 2}


@pytest.mark.parametrize("left", [replace(INSIDE, x=5.0), replace(INSIDE, state={"in": 7}), WIZARD])
def test_who_is_left_behind_or_lost_its_carrier_is_drawn(left):
    assert loads_of(map_with(CITY, left)).carried == frozenset()


def test_where_nothing_can_be_carried_nothing_is():
    battlemap = tile_map(8)
    battlemap.layers[0].things = Things((CITY, INSIDE))
    assert loads_of(battlemap) is NO_LOADS


def test_what_a_hidden_layer_carries_is_not_hidden_with_it():
    battlemap = map_with(CITY)
    other = replace(battlemap.layers[0], id=2, things=Things((INSIDE,)))
    battlemap.layers.append(other)
    assert loads_of(battlemap).carried == {2}
    battlemap.layers[0].visible = False
    assert loads_of(battlemap).carried == frozenset()


def test_loads_are_worked_out_again_only_after_a_change():
    battlemap = map_with(CITY, INSIDE)
    kept = LoadsCache()
    with watched_calls(loads_of) as calls:
        assert kept.of(battlemap).carried == kept.of(battlemap).carried == {2}
    assert len(calls) == 1
    battlemap.layers[0].things.exchange((INSIDE,), (replace(INSIDE, x=5.0),))
    assert kept.of(battlemap).carried == frozenset()
    assert kept.of(map_with(CITY, INSIDE)).carried == {2}
    battlemap.layers[0].visible = False
    assert kept.of(battlemap) == NO_LOADS


def test_the_carrier_is_seen_with_a_badge_instead_of_what_it_carries(qapp):
    carrier = map_with(CITY)
    both = map_with(CITY, INSIDE)
    alone = paint_things(carrier, 30.0)
    together = paint_things(both, 30.0)
    assert together != alone
    assert together != paint_things(map_with(CITY, WIZARD), 30.0)
    middle = (20 + 3 * 30 - 6, 20 + 3 * 30)
    assert together.pixelColor(*middle) == alone.pixelColor(*middle)
    assert paint_things(both, 8.0) == paint_things(carrier, 8.0), "too small to read"
