"""Things of rolled layers: what a re-roll replaces, and what stays as the hand left it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.edits.thing_edits import add_things, change_things, remove_things
from randomizer.model.map.carriers import carriers_on
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.rolls.put_layers import put_layers
from randomizer.model.things.thing_rules import ThingRules
from randomizer.model.things.things import Thing, Things
from tests.randomizer.map_strategies import battlemaps, contents, layers
from tests.systems import system_like, tile_map

NOTE = "may be back"


def rolled(*things, part=""):
    """A layer as a generator makes it, with things at (number, 0)."""
    made = [Thing(n, "unit", float(n), 0.0, key=key) for n, key in enumerate(things)]
    return Layer(0, "Roll", things=Things(made), roll=Roll("", "a", "", {}, 1, 0, part=part))


def with_roll(*things):
    """A map whose topmost layer was rolled with things of these keys, and that layer."""
    battlemap = tile_map(5)
    step = put_layers(battlemap, 1, [rolled(*things)], replaces=False)
    step.edit.apply(battlemap)
    return battlemap, battlemap.layer(step.layer_id)


def again(battlemap, layer, *things):
    """Roll the layer again; the step."""
    step = put_layers(battlemap, layer.id, [rolled(*things)], replaces=True)
    before = contents(battlemap)
    step.edit.apply(battlemap)
    step.edit.inverse().apply(battlemap)
    assert contents(battlemap) == before
    step.edit.apply(battlemap)
    return step


def keys(battlemap, layer_id):
    return [thing.key for thing in battlemap.layer(layer_id).things.values()]


def test_a_roll_brings_its_things_and_the_map_numbers_them():
    battlemap, layer = with_roll("gate", "")
    assert [(thing.id, thing.key) for thing in layer.things.values()] == [(1, "gate"), (2, "")]
    step = again(battlemap, layer, "gate", "tower")
    assert list(battlemap.layer(layer.id).things) == [1, 3], "with its key it is the same thing"
    assert (step.touch_ups, step.note) == (0, "")


def test_moved_and_placed_ones_go_to_touch_ups_and_their_keys_do_not_come_twice():
    battlemap, layer = with_roll("gate", "tower")
    change_things(battlemap, [replace(battlemap.thing(1), x=4.0)]).apply(battlemap)
    add_things(battlemap, layer.id, [Thing(0, "tent", 2.0, 2.0)]).apply(battlemap)
    step = again(battlemap, layer, "gate", "tower")
    assert (step.touch_ups, step.note) == (2, "")
    assert keys(battlemap, layer.id) == ["tower"]
    touch_ups = battlemap.layers[2]
    assert touch_ups.touch_ups_of == layer.id
    assert list(touch_ups.things.values()) == [
        Thing(1, "unit", 4.0, 0.0, key="gate"),
        Thing(3, "tent", 2.0, 2.0),
    ]
    again(battlemap, layer, "gate", "tower")
    assert keys(battlemap, layer.id) == ["tower"]
    assert len(battlemap.layers) == 3


def test_a_deleted_one_stays_away_from_touch_ups_too():
    battlemap, layer = with_roll("gate", "tower", "wall")
    remove_things(battlemap, [1]).apply(battlemap)
    change_things(battlemap, [replace(battlemap.thing(2), x=4.0)]).apply(battlemap)
    again(battlemap, layer, "gate", "tower", "wall")
    assert keys(battlemap, layer.id) == ["wall"]
    remove_things(battlemap, [2]).apply(battlemap)
    again(battlemap, layer, "gate", "tower", "wall")
    assert keys(battlemap, layer.id) == ["wall"]
    assert len(battlemap.layers[2].things) == 0


def test_ones_deleted_at_once_from_a_roll_and_its_touch_ups_stay_away():
    battlemap, layer = with_roll("gate", "tower", "wall")
    change_things(battlemap, [replace(battlemap.thing(1), x=4.0)]).apply(battlemap)
    again(battlemap, layer, "gate", "tower", "wall")
    ids = {thing.key: thing.id for each in battlemap.layers for thing in each.things.values()}
    edit = remove_things(battlemap, [ids["gate"], ids["tower"]])
    edit.apply(battlemap)
    assert battlemap.layer(layer.id).removed_keys == {"gate", "tower"}
    edit.inverse().apply(battlemap)
    assert battlemap.layer(layer.id).removed_keys == set()
    edit.apply(battlemap)
    again(battlemap, layer, "gate", "tower", "wall")
    assert keys(battlemap, layer.id) == ["wall"]


def test_what_is_changed_and_deleted_in_one_step_is_noted_together():
    battlemap, layer = with_roll("gate", "")
    edit = change_things(battlemap, [replace(battlemap.thing(2), x=4.0)], [1])
    assert edit is not None
    edit.apply(battlemap)
    assert battlemap.layer(layer.id).removed_keys == {"gate", ""}
    assert NOTE in again(battlemap, layer, "gate", "").note
    assert keys(battlemap, layer.id) == [""]


@pytest.mark.parametrize(
    "change",
    [
        lambda battlemap: remove_things(battlemap, [1]),
        lambda battlemap: change_things(battlemap, [Thing(1, "unit", 4.0, 4.0)]),
    ],
)
def test_without_keys_it_is_said_once_that_they_may_be_there_again(change):
    battlemap, layer = with_roll("", "")
    change(battlemap).apply(battlemap)
    assert NOTE in again(battlemap, layer, "", "").note
    assert len(battlemap.layer(layer.id).things) == 2
    assert again(battlemap, layer, "", "").note == ""


def test_what_was_put_aboard_a_rolled_thing_stays_aboard():
    battlemap, layer = with_roll("ship", "tower")
    battlemap.system = system_like(battlemap.system, thing_rules=ThingRules(carrier="on"))
    ship = next(thing for thing in layer.things.values() if thing.key == "ship")
    crew = Thing(0, "crew", ship.x, ship.y, state={"on": ship.id})
    add_things(battlemap, layer.id, [crew]).apply(battlemap)
    (carried,) = carriers_on(battlemap)
    again(battlemap, battlemap.layer(layer.id), "ship", "gate")
    assert carriers_on(battlemap) == {carried: ship.id}
    again(battlemap, battlemap.layer(layer.id), "gate")
    assert carriers_on(battlemap) == {}, "there is no ship any more"


def test_a_lock_holds_the_things_on_its_cell():
    battlemap, layer = with_roll("a", "b", "c")
    battlemap.locked_cells[0, 0] = True
    held = battlemap.thing(1)
    again(battlemap, layer, "new", "a", "b")
    assert list(battlemap.layer(layer.id).things.values()) == [
        held,
        Thing(2, "unit", 2.0, 0.0, key="b"),
    ]
    battlemap.locked_cells[0, 0] = False
    again(battlemap, layer, "new", "a", "b")
    assert keys(battlemap, layer.id) == ["a", "b", "new"]


def test_a_lock_keeps_the_things_of_a_new_roll_off_its_cell():
    battlemap = tile_map(5)
    battlemap.locked_cells[0, 1] = True
    put_layers(battlemap, 1, [rolled("a", "b")], replaces=False).edit.apply(battlemap)
    assert keys(battlemap, 2) == ["a"]


def test_a_lock_does_not_hold_what_is_hidden():
    battlemap, layer = with_roll("a")
    battlemap.locked_cells[:] = True
    layer.visible = False
    again(battlemap, layer, "b")
    assert keys(battlemap, layer.id) == ["b"]


def test_things_of_several_parts_stay_in_their_parts():
    battlemap = tile_map(5)
    parts = [rolled("a", "b", part="low"), rolled("c", "d", part="high")]
    put_layers(battlemap, 1, parts, replaces=False).edit.apply(battlemap)
    low, high = battlemap.layers[1:]
    battlemap.locked_cells[0, 0] = True
    change_things(battlemap, [replace(low.things[2], x=4.0)]).apply(battlemap)
    before = contents(battlemap)
    step = put_layers(battlemap, low.id, parts, replaces=True)
    step.edit.apply(battlemap)
    assert keys(battlemap, low.id) == ["a"]
    assert keys(battlemap, high.id) == ["c", "d"]
    assert [thing.id for thing in battlemap.layers[3].things.values()] == [2]
    assert step.touch_ups == 1
    step.edit.inverse().apply(battlemap)
    assert contents(battlemap) == before
    only_low = put_layers(battlemap, low.id, [rolled("x", part="low")] * 1, replaces=True)
    only_low.edit.apply(battlemap)
    assert keys(battlemap, low.id) == ["a"]


@given(battlemaps(), st.data())
def test_after_a_re_roll_every_touched_or_locked_thing_is_where_it_was(battlemap, data):
    old = data.draw(st.sampled_from(battlemap.layers))
    if old.roll is None:
        old.roll = Roll("", "T", "", {}, 0, 0)
    kept = {}
    for thing in old.things.values():
        cell = battlemap.grid.cell_at(thing.x, thing.y)
        if thing.touched or (cell >= 0 and battlemap.locked_cells.flat[cell] and old.visible):
            kept[thing.id] = replace(thing, touched=False)
    others = {
        thing.id: thing
        for layer in battlemap.layers
        if layer is not old
        for thing in layer.things.values()
    }
    counter = battlemap.next_thing_id
    first = contents(battlemap)
    new = data.draw(layers(battlemap.grid, rolled=True))
    new_keys = {thing.key for thing in new.things.values()} - {""}
    with_key = {t.id for t in old.things.values() if t.id not in kept and t.key in new_keys}
    step = put_layers(battlemap, old.id, [new], replaces=True)
    step.edit.apply(battlemap)
    now = {t.id: t for layer in battlemap.layers for t in layer.things.values()}
    assert sum(len(layer.things) for layer in battlemap.layers) == len(now)
    before = {i: t for i, t in now.items() if i < counter and i not in with_key}
    assert before == kept | others
    fresh = [thing for thing in now.values() if thing.id not in before]
    named = [thing.key for thing in kept.values() if thing.key]
    assert not any(thing.key in named for thing in fresh)
    looks = [replace(thing, id=0, touched=False) for thing in new.things.values()]
    assert all(replace(thing, id=0) in looks for thing in fresh)
    step.edit.inverse().apply(battlemap)
    assert contents(battlemap) == first
