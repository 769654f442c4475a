"""Things in layers: their ids, states, and the edits that change them."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.edits.edit import Compound, ThingsEdit
from randomizer.model.edits.layer_edits import duplicate, remove, set_visible
from randomizer.model.edits.locked_layers import blocking_layer
from randomizer.model.edits.merged_edits import squash
from randomizer.model.edits.stack_edits import LayerInsert, LayerReplace
from randomizer.model.edits.thing_edits import add_things, change_things, remove_things
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.things.thing_state import LARGEST_STATE, State
from randomizer.model.things.things import Thing, Things
from tests.randomizer.map_strategies import battlemaps, contents, edits
from tests.systems import tile_map

TENT = Thing(1, "tent", 0.5, 0.25)
TREE = Thing(2, "tree", 2.0, 2.0, angle=90.0, owner=1, label="Old oak")


def camp():
    """Two layers with a tent in the lower and a tree in the upper one."""
    battlemap = tile_map(4)
    battlemap.layers[0].things = Things([TENT])
    LayerInsert(1, Layer(2, "Woods", things=Things([TREE]))).apply(battlemap)
    return battlemap


def rolled(*things, **fields):
    """A map of one rolled layer with these things."""
    battlemap = tile_map(4)
    LayerInsert(
        1, Layer(7, "Roll", things=Things(things), roll=Roll("", "a", "", {}, 1, 0), **fields)
    ).apply(battlemap)
    return battlemap


# --- state ----------------------------------------------------------------------------------------


def test_a_state_is_immutable_and_has_an_order_of_its_own():
    given_values = {"men": 3, "orders": [{"go": "north"}], "flag": None}
    thing = Thing(1, "unit", 0, 0, state=given_values)
    given_values["men"] = 4
    assert thing.state == {"men": 3, "orders": ({"go": "north"},), "flag": None}
    assert list(thing.state) == ["flag", "men", "orders"]
    same = Thing(1, "unit", 0, 0, state={"flag": None, "orders": [{"go": "north"}], "men": 3})
    assert {thing, same} == {thing}
    assert json.dumps(thing.state.plain()) == json.dumps(same.state.plain())
    with pytest.raises(TypeError):
        thing.state["men"] = 5


def nested(levels):
    return [nested(levels - 1)] if levels else 0


@pytest.mark.parametrize(
    "values",
    [
        {"a": math.nan},
        {"a": 2**63},
        {"a": "\ud800"},
        {"a": {1, 2}},
        {"a": b"x"},
        {1: 2},
        {"a": {1: 2}},
        {"a": nested(21)},
        {"a": "x" * LARGEST_STATE},
        {"a": "é" * (LARGEST_STATE // 2)},
    ],
)
def test_what_json_cannot_hold_or_is_too_large_is_no_state(values):
    with pytest.raises(ValueError):
        State(values)


# --- layers and edits -----------------------------------------------------------------------------


def test_things_of_hidden_layers_are_not_seen():
    battlemap = camp()
    assert [thing.id for thing in battlemap.visible_things()] == [1, 2]
    set_visible(battlemap, 1, visible=False).apply(battlemap)
    assert [thing.id for thing in battlemap.visible_things()] == [2]


def test_one_id_is_only_in_one_layer():
    battlemap = camp()
    before = contents(battlemap)
    with pytest.raises(KeyError, match="another layer"):
        ThingsEdit(1, (), (TREE,)).apply(battlemap)
    with pytest.raises(ValueError, match="a thing 1 already"):
        LayerInsert(0, Layer(3, "", things=Things([TENT]))).apply(battlemap)
    woods = battlemap.layers[1]
    replaced = LayerReplace(1, woods, woods.copy(things=Things([TENT])))
    with pytest.raises(ValueError, match="a thing 1 already"):
        replaced.apply(battlemap)
    assert contents(battlemap) == before


def test_a_thing_can_change_its_layer():
    battlemap = camp()
    edit = Compound((ThingsEdit(2, (TREE,), ()), ThingsEdit(1, (), (TREE,))))
    edit.apply(battlemap)
    assert battlemap.thing_layer(2).id == 1
    edit.inverse().apply(battlemap)
    assert battlemap.thing_layer(2).id == 2
    assert battlemap.thing_layer(3) is None


def test_the_region_is_where_things_are_and_were():
    battlemap = camp()
    edit = change_things(battlemap, [Thing(2, "tree", 3.0, 1.0)])
    region = edit.region(battlemap)
    assert (region.things, region.everything, len(region.cells)) == (True, False, 0)
    assert region.points.tolist() == [[2.0, 2.0], [3.0, 1.0]]
    assert region.union(region).points.shape == (4, 2)


def test_edits_go_to_the_layer_of_each_thing():
    battlemap = camp()
    before = contents(battlemap)
    edit = change_things(
        battlemap, [Thing(1, "tent", 1, 1), Thing(2, "tree", 1, 1, state={"age": 9})]
    )
    edit.apply(battlemap)
    assert battlemap.layers[0].things[1].x == 1
    assert battlemap.layers[1].things[2].state == {"age": 9}
    edit.inverse().apply(battlemap)
    assert contents(battlemap) == before
    assert change_things(battlemap, [TENT, TREE]) is None
    assert remove_things(battlemap, []) is None
    with pytest.raises(KeyError):
        change_things(battlemap, [Thing(99, "", 0, 0)])
    with pytest.raises(KeyError):
        remove_things(battlemap, [1, 99])


def test_things_of_a_locked_layer_stay():
    battlemap = camp()
    battlemap.layers[1].locked = True
    assert blocking_layer(battlemap, remove_things(battlemap, [1])) is None
    assert blocking_layer(battlemap, remove_things(battlemap, [1, 2])) is battlemap.layers[1]
    assert blocking_layer(battlemap, add_things(battlemap, 2, [TENT])) is battlemap.layers[1]


def test_in_a_rolled_layer_what_the_hand_did_is_marked():
    gate = Thing(5, "gate", 0, 0, key="gate")
    battlemap = rolled(gate, Thing(6, "wall", 1, 1, key="wall"), Thing(7, "stone", 2, 2))
    change_things(battlemap, [Thing(5, "gate", 3, 3)]).apply(battlemap)
    assert battlemap.thing(5) == Thing(5, "gate", 3, 3, key="gate", touched=True)
    add_things(battlemap, 7, [gate]).apply(battlemap)
    assert battlemap.thing(8) == Thing(8, "gate", 0, 0, touched=True)
    edit = remove_things(battlemap, [6, 7])
    edit.apply(battlemap)
    assert battlemap.layer(7).removed_keys == {"wall", ""}
    edit.inverse().apply(battlemap)
    assert battlemap.layer(7).removed_keys == set()


# --- ids ------------------------------------------------------------------------------------------


def test_no_id_is_used_again():
    battlemap = camp()
    assert battlemap.next_thing_id == 3
    edit = add_things(battlemap, 1, [TENT, TREE])
    edit.apply(battlemap)
    assert list(battlemap.layers[0].things) == [1, 3, 4]
    edit.inverse().apply(battlemap)
    assert battlemap.next_thing_id == 5
    duplicate(battlemap, 1).edit.apply(battlemap)
    assert list(battlemap.layers[1].things) == [5]
    remove(battlemap, battlemap.layers[1].id).apply(battlemap)
    assert battlemap.snapshot().next_thing_id == 6


@given(battlemaps(), st.data())
def test_ids_are_unique_and_never_used_again(battlemap, data):
    known = {i: thing for layer in battlemap.layers for i, thing in layer.things.items()}
    for _ in range(4):
        edit = data.draw(edits(battlemap))
        if edit is None:
            continue
        counter = battlemap.next_thing_id
        before = contents(battlemap)
        edit.apply(battlemap)
        if data.draw(st.booleans()):
            edit.inverse().apply(battlemap)
            assert contents(battlemap) == before
        now = [thing_id for layer in battlemap.layers for thing_id in layer.things]
        assert len(set(now)) == len(now)
        assert all(i in known or i >= counter for i in now)
        assert battlemap.next_thing_id > max(now, default=0)
        assert battlemap.next_thing_id >= counter
        known |= dict.fromkeys(now)


# --- a drag ---------------------------------------------------------------------------------------


def test_the_steps_of_a_drag_become_one_edit():
    battlemap = camp()
    before = contents(battlemap)
    steps = []
    for x in (1.0, 2.0, 3.0):
        steps.append(change_things(battlemap, [Thing(1, "tent", x, x)]))
        steps[-1].apply(battlemap)
    edit = squash(steps)
    assert edit == ThingsEdit(1, (TENT,), (Thing(1, "tent", 3.0, 3.0),))
    edit.inverse().apply(battlemap)
    assert contents(battlemap) == before
    assert squash([steps[0], steps[0].inverse()]) is None


def test_a_drag_across_layers_can_be_undone():
    battlemap = camp()
    steps = [
        ThingsEdit(1, (), (Thing(3, "tree", 0, 0),)),
        ThingsEdit(2, (TREE,), ()),
        ThingsEdit(1, (), (TREE,)),
        ThingsEdit(1, (TENT,), ()),
        ThingsEdit(2, (), (TENT,)),
    ]
    before = contents(battlemap)
    for step in steps:
        step.apply(battlemap)
    after = contents(battlemap)
    edit = squash(steps)
    edit.inverse().apply(battlemap)
    assert contents(battlemap) == before
    edit.apply(battlemap)
    assert contents(battlemap) == after
