"""Rolled layers: rolled in, rolled again, and what was touched by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.edits import layer_edits
from randomizer.model.edits.stack_edits import LayerField
from randomizer.model.edits.value_edits import set_property, set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.planes.planes import TOUCHED
from randomizer.model.rolls.painted_layer import painted_layer
from randomizer.model.rolls.put_layers import put_layers
from randomizer.model.system.property import UNSET as NOT_SET
from tests.randomizer.map_strategies import PROPERTIES, TOY, battlemaps, contents, layers
from tests.randomizer.model.toy_layers import (
    UNSET,
    done,
    ground,
    paint,
    rolled,
    shown,
    stack,
    terrain,
    toy_map,
)

# --- rolling in -----------------------------------------------------------------------------------


def test_a_roll_comes_above_the_active_layer_with_an_id_of_its_own() -> None:
    battlemap = toy_map(ground(1), ground(4))
    made = rolled(0, 1, 2)
    step = put_layers(battlemap, 1, [made], replaces=False)
    done(battlemap, step.edit)
    assert stack(battlemap) == [1, 5, 4]
    assert (step.layer_id, step.touch_ups) == (5, 0)
    assert battlemap.layer(5).roll == made.roll
    paint(battlemap, 5, 0, 3)
    assert terrain(made) == [1, 2, -1, -1, -1, -1]
    done(battlemap, put_layers(battlemap, battlemap.layers[-1].id, [made], replaces=False).edit)
    assert stack(battlemap) == [1, 5, 4, 6, 7], "what was painted into layer 5 is copied above"
    assert battlemap.layer(7).touch_ups_of == 6
    with pytest.raises(KeyError):
        put_layers(battlemap, 99, [made], replaces=False)


def test_what_was_painted_below_shows_above_a_new_roll_and_all_its_re_rolls() -> None:
    battlemap = toy_map(ground(1, 3, 4), ground(2, -1, -1, 5, visible=False))
    done(battlemap, set_property(battlemap, 1, "title", "Mine"))
    before = contents(battlemap)
    made = rolled(0, *[1] * 6, properties={"title": "Rolled"})
    step = put_layers(battlemap, 2, [made], replaces=False)
    done(battlemap, step.edit)
    assert shown(battlemap) == [3, 4, 1, 1, 1, 1]
    assert battlemap.composite().properties["title"] == "Mine", "a title of a hand stays"
    assert (stack(battlemap), step.layer_id, step.touch_ups) == ([1, 2, 3, 4], 3, 2)
    assert battlemap.layers[3].name == "Touch-ups"
    again = rolled(0, *[2] * 6, number=1)
    done(battlemap, put_layers(battlemap, 3, [again], replaces=True).edit)
    assert shown(battlemap) == [3, 4, 2, 2, 2, 2]
    assert before != contents(battlemap)


def test_a_whole_map_lies_below_a_new_roll_but_what_was_painted_on_it_does_not() -> None:
    battlemap = toy_map(ground(1, *[7] * 6), ground(2, 3))
    step = put_layers(battlemap, 2, [rolled(0, *[1] * 6)], replaces=False)
    done(battlemap, step.edit)
    assert shown(battlemap) == [3, 1, 1, 1, 1, 1]
    assert step.touch_ups == 1


def test_a_map_from_a_file_lies_below_a_new_roll() -> None:
    battlemap = toy_map(ground(1, 7, 7, from_file=True), ground(2, 3))
    done(battlemap, put_layers(battlemap, 2, [rolled(0, *[1] * 6)], replaces=False).edit)
    assert shown(battlemap) == [3, 1, 1, 1, 1, 1]


def test_what_was_touched_in_a_roll_below_shows_above_a_new_roll() -> None:
    battlemap = toy_map(ground(1, 3, 4), rolled(2, *[1] * 6))
    paint(battlemap, 2, 5, 6)
    step = put_layers(battlemap, 2, [rolled(0, *[2] * 6)], replaces=False)
    done(battlemap, step.edit)
    assert shown(battlemap) == [2, 2, 2, 2, 2, 6], "the roll below had covered the ground"


def test_what_layers_above_set_is_not_copied_for_a_new_roll() -> None:
    battlemap = toy_map(ground(1, 3), ground(2, 4))
    step = put_layers(battlemap, 1, [rolled(0, *[2] * 6)], replaces=False)
    done(battlemap, step.edit)
    assert stack(battlemap) == [1, 3, 2]
    assert shown(battlemap)[0] == 4


def test_a_locked_cell_that_the_roll_has_as_painted_is_not_copied() -> None:
    battlemap = toy_map(ground(1, 3, 4))
    battlemap.locked_cells.flat[:2] = True
    step = put_layers(battlemap, 1, [rolled(0, 3, *[2] * 5)], replaces=False)
    assert step.touch_ups == 1
    done(battlemap, step.edit)
    assert shown(battlemap)[:2] == [3, 4]


def test_a_locked_cell_that_the_roll_has_as_painted_is_still_painted_once_it_is_unlocked() -> None:
    battlemap = toy_map(ground(1), rolled(2, 3))
    done(battlemap, set_values(battlemap, 2, "terrain", [0], 4))
    battlemap.locked_cells.flat[0] = True
    step = put_layers(battlemap, 2, [rolled(0, 4, number=1)], replaces=True)
    assert step.touch_ups == 0
    done(battlemap, step.edit)
    battlemap.locked_cells.flat[0] = False
    step = put_layers(battlemap, 2, [rolled(0, 5, number=2)], replaces=True)
    assert step.touch_ups == 1
    done(battlemap, step.edit)
    assert shown(battlemap)[0] == 4


def test_what_a_secret_layer_shows_stays_secret_above_a_new_roll() -> None:
    battlemap = toy_map(ground(1, 3, secret=True))
    done(battlemap, put_layers(battlemap, 1, [rolled(0, 1)], replaces=False).edit)
    assert battlemap.layers[-1].secret


def test_a_property_of_a_secret_layer_stays_secret_above_a_new_roll() -> None:
    title = Layer(2, "Title", properties={PROPERTIES[0]: "Ambush"}, secret=True)
    battlemap = toy_map(ground(1), title)
    assert painted_layer(battlemap, 2).secret


# --- rolling again --------------------------------------------------------------------------------


def test_a_re_roll_keeps_id_position_and_visibility_and_takes_the_new_name() -> None:
    battlemap = toy_map(ground(1), rolled(2, 1, visible=False), ground(3))
    step = put_layers(battlemap, 2, [rolled(0, 2, number=1)], replaces=True)
    done(battlemap, step.edit)
    layer = battlemap.layers[1]
    assert stack(battlemap) == [1, 2, 3]
    assert (layer.id, layer.visible, layer.name) == (2, False, "Moor, seed 7 no. 1")
    assert (terrain(layer)[0], step.layer_id, step.touch_ups) == (2, 2, 0)


def test_a_name_given_by_hand_survives() -> None:
    battlemap = toy_map(rolled(1, 1))
    done(battlemap, layer_edits.rename(battlemap, 1, "My moor"))
    done(battlemap, put_layers(battlemap, 1, [rolled(0, 2, number=1)], replaces=True).edit)
    assert battlemap.layer(1).name == "My moor"
    drawn = toy_map(ground(1, 1))
    done(drawn, put_layers(drawn, 1, [rolled(0, 2)], replaces=True).edit)
    assert drawn.layer(1).name == "Layer 1"


def test_what_a_hand_painted_lies_above_the_new_roll() -> None:
    battlemap = toy_map(ground(1, 1, 1, 1, 1, 1, 1), rolled(2, 2, 2, 2), ground(3))
    paint(battlemap, 2, 0, 8)
    paint(battlemap, 2, 4, 9)
    step = put_layers(battlemap, 2, [rolled(0, 5, 5, 5, 5, 5, 5, number=1)], replaces=True)
    edit = done(battlemap, step.edit)
    assert step.touch_ups == 2
    assert stack(battlemap) == [1, 2, 4, 3]
    touch_ups = battlemap.layer(4)
    assert (touch_ups.name, touch_ups.roll) == ("Touch-ups", None)
    assert terrain(touch_ups) == [8, -1, -1, -1, 9, -1]
    assert shown(battlemap) == [8, 5, 5, 5, 9, 5]
    assert TOUCHED + "terrain" not in battlemap.layer(2).planes
    edit.inverse().apply(battlemap)
    assert shown(battlemap) == [8, 2, 2, 1, 9, 1]


def test_what_a_hand_erased_stays_as_it_looked() -> None:
    battlemap = toy_map(ground(1, 3), rolled(2, 2, 2))
    paint(battlemap, 2, 0, UNSET)
    paint(battlemap, 2, 1, UNSET)
    assert shown(battlemap) == [3, 0, 0, 0, 0, 0]
    done(battlemap, put_layers(battlemap, 2, [rolled(0, 5, 5, 5, number=1)], replaces=True).edit)
    assert shown(battlemap) == [3, 0, 5, 0, 0, 0]


def test_touch_ups_that_are_there_take_the_new_ones_and_keep_their_own() -> None:
    battlemap = toy_map(rolled(1, 2, 2, 2))
    paint(battlemap, 1, 0, 8)
    done(battlemap, put_layers(battlemap, 1, [rolled(0, 5, 5, 5, number=1)], replaces=True).edit)
    paint(battlemap, 1, 0, 4)
    paint(battlemap, 1, 1, 9)
    assert shown(battlemap) == [8, 9, 5, 0, 0, 0]
    step = put_layers(battlemap, 1, [rolled(0, 6, 6, 6, number=2)], replaces=True)
    edit = done(battlemap, step.edit)
    assert stack(battlemap) == [1, 2]
    assert shown(battlemap) == [8, 9, 6, 0, 0, 0]
    edit.inverse().apply(battlemap)
    assert terrain(battlemap.layer(2)) == [8, -1, -1, -1, -1, -1]


def test_a_cell_touched_in_two_ways_is_one_touch_up() -> None:
    battlemap = toy_map(rolled(1, 2, 2))
    paint(battlemap, 1, 0, 8)
    done(battlemap, set_values(battlemap, 1, "elevation", [0, 1], 2))
    done(battlemap, set_values(battlemap, 1, "hexside", [0], 1))
    done(battlemap, set_property(battlemap, 1, "title", "Mine"))
    step = put_layers(battlemap, 1, [rolled(0, 5, number=1)], replaces=True)
    assert step.touch_ups == 2 + 1 + 1


def test_a_hidden_layers_hand_work_stays_hidden() -> None:
    battlemap = toy_map(rolled(1, 2, 2), Layer(2, "Touch-ups"))
    paint(battlemap, 1, 0, 8)
    done(battlemap, layer_edits.set_visible(battlemap, 1, visible=False))
    done(battlemap, put_layers(battlemap, 1, [rolled(0, 5, number=1)], replaces=True).edit)
    assert stack(battlemap) == [1, 3, 2]
    assert not battlemap.layer(3).visible
    assert shown(battlemap) == [0] * 6


def test_hand_work_does_not_go_into_hidden_touch_ups() -> None:
    battlemap = toy_map(rolled(1, 2, 2), Layer(2, "Touch-ups", visible=False))
    paint(battlemap, 1, 0, 8)
    done(battlemap, put_layers(battlemap, 1, [rolled(0, 5, number=1)], replaces=True).edit)
    assert stack(battlemap) == [1, 3, 2]
    assert shown(battlemap)[0] == 8


def test_a_rolled_layer_that_is_called_touch_ups_is_none() -> None:
    battlemap = toy_map(rolled(1, 2, 2), rolled(2, name="Touch-ups"))
    paint(battlemap, 1, 0, 8)
    done(battlemap, put_layers(battlemap, 1, [rolled(0, 5, number=1)], replaces=True).edit)
    assert stack(battlemap) == [1, 3, 2]


def test_properties_changed_by_hand_survive() -> None:
    battlemap = toy_map(rolled(1, properties={"title": "Rolled", "startlist": ("D4",)}))
    done(battlemap, set_property(battlemap, 1, "title", "Mine"))
    done(battlemap, set_property(battlemap, 1, "tower", True))
    step = put_layers(
        battlemap,
        1,
        [rolled(0, number=1, properties={"title": "New", "subtitle": "New", "startlist": ("C3",)})],
        replaces=True,
    )
    done(battlemap, step.edit)
    found = battlemap.composite()
    assert [found.properties[name] for name in PROPERTIES] == ["Mine", "New", True, ("C3",)]
    assert step.touch_ups == 2


def test_properties_taken_away_by_hand_do_not_come_back() -> None:
    battlemap = toy_map(
        ground(1, properties={"title": "Below"}),
        rolled(2, properties={"title": "Rolled", "subtitle": "Fog", "startlist": ("D4",)}),
    )
    for name in PROPERTIES:
        done(battlemap, set_property(battlemap, 2, name, TOY.property_named(name).none))
        done(battlemap, set_property(battlemap, 2, name, NOT_SET))
    new = rolled(
        0,
        number=1,
        properties={"title": "New", "subtitle": "New", "tower": True, "startlist": ("C3",)},
    )
    done(battlemap, put_layers(battlemap, 2, [new], replaces=True).edit)
    found = battlemap.composite()
    assert [found.properties[name] for name in PROPERTIES] == ["Below", "", False, ()]


def test_what_a_file_knew_besides_survives() -> None:
    battlemap = toy_map(rolled(1, extras={"a": 1, "b": 1}))
    done(battlemap, put_layers(battlemap, 1, [rolled(0, extras={"b": 2})], replaces=True).edit)
    assert battlemap.composite().extras == {"a": 1, "b": 2}


def _take_locked_paint(battlemap: BattleMap, name: str, again: Layer, wanted: Layer) -> None:
    """Take over what a re-rolled layer has as touched that the roll did not: all of it locked."""
    spec = TOY.plane(name)
    marks_spec = TOY.plane(TOUCHED + name)
    marks = again.planes.get(marks_spec.name)
    if marks is None:
        return
    wanted_marks = wanted.planes.get(marks_spec.name, marks_spec.allocate(battlemap.grid))
    values = again.planes.get(name, spec.allocate(battlemap.grid))
    wanted_values = wanted.planes.get(name, spec.allocate(battlemap.grid))
    is_kept = (marks != 0) & ((wanted_marks == 0) | (values != wanted_values))
    if not is_kept.any():
        return
    assert battlemap.locks(spec.element)[is_kept].all()
    for plane in (spec, marks_spec):
        target = wanted.planes.setdefault(plane.name, plane.allocate(battlemap.grid))
        target[is_kept] = again.planes[plane.name][is_kept]


@given(battlemaps(), st.data())
def test_hand_work_looks_the_same_after_any_re_roll(
    battlemap: BattleMap, data: st.DataObject
) -> None:
    old = data.draw(st.sampled_from(battlemap.layers))
    if old.roll is None:
        done(battlemap, LayerField(old.id, "roll", None, Roll("", "T", "", {}, 0, 0)))
    names = [spec.name for spec in battlemap.system.shown_planes]
    for _ in range(2):
        name = data.draw(st.sampled_from(names))
        values = data.draw(st.sampled_from([1, 7, TOY.plane(name).unset]))
        edit = set_values(battlemap, old.id, name, [0], values)
        if edit is not None:
            edit.apply(battlemap)
    before = battlemap.composite()
    first = contents(battlemap)
    new = data.draw(layers(battlemap.grid, rolled=True))
    step = put_layers(battlemap, old.id, [new], replaces=True)
    step.edit.apply(battlemap)
    after = battlemap.composite()
    for name in names:
        touched = old.planes.get(TOUCHED + name)
        if touched is not None:
            where = touched.astype(bool)
            assert np.array_equal(before.planes[name][where], after.planes[name][where])
    for name in old.touched_properties:
        known = TOY.property_named(name)
        assert known.of(before.properties) == known.of(after.properties)
    untouched = contents(BattleMap.new(battlemap.system, battlemap.grid, [battlemap.layer(old.id)]))
    kept = {name: getattr(old, name) for name in ("id", "visible", "opacity", "locked", "secret")}
    again = battlemap.layer(old.id)
    kept |= {"things": again.things, "removed_keys": again.removed_keys}
    wanted = new.copy(**kept, name=again.name)
    for name in names:
        _take_locked_paint(battlemap, name, again, wanted)
    assert untouched == contents(BattleMap.new(battlemap.system, battlemap.grid, [wanted]))
    step.edit.inverse().apply(battlemap)
    assert contents(battlemap) == first


def test_a_locked_part_keeps_what_it_set_also_where_another_part_has_it_now() -> None:
    def part(layer: Layer, name: str) -> Layer:
        assert layer.roll is not None
        return layer.copy(roll=replace(layer.roll, part=name))

    hills = part(rolled(1, 1, -1, visible=False), "hills")
    trees = part(rolled(2, -1, 2, locked=True), "trees")
    battlemap = toy_map(hills, trees)
    fresh = [part(rolled(0, -1, 2, number=1), "hills"), part(rolled(0, 3, number=1), "trees")]
    done(battlemap, put_layers(battlemap, 1, fresh, replaces=True).edit)
    assert terrain(battlemap.layer(2))[:2] == [3, 2]
    assert shown(battlemap)[:2] == [3, 2]
