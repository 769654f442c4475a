"""Where a change made by hand goes: what is seen changes, locked layers never do."""

from __future__ import annotations

import numpy as np
import pytest

from randomizer.model.edits.edit import Edit
from randomizer.model.edits.value_edits import set_values
from randomizer.model.hand import targets
from randomizer.model.hand.targets import change_property, left_out, paint, property_target, why_not
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.planes.planes import TOUCHED
from randomizer.model.rolls.put_layers import put_layers
from randomizer.model.rolls.touch_ups import TOUCH_UPS
from tests.randomizer.map_strategies import contents
from tests.randomizer.model.toy_layers import done, ground, rolled, shown, stack, terrain, toy_map

ROCK = 7


def painted(battlemap: BattleMap, active: int, *cells: int, value: int = ROCK) -> Edit | None:
    edit = paint(battlemap, active, "terrain", cells, value)
    if edit is not None:
        edit.apply(battlemap)
    return edit


def erased(battlemap: BattleMap, active: int, *cells: int) -> Edit | None:
    edit = targets.erase(battlemap, active, "terrain", np.array(cells, np.intp))
    if edit is not None:
        edit.apply(battlemap)
    return edit


def marks(layer: Layer) -> list[int]:
    plane = layer.planes.get(TOUCHED + "terrain")
    return [] if plane is None else np.flatnonzero(plane).tolist()


def part(layer_id: int, name: str, *values: int, **fields: object) -> Layer:
    roll = Roll("dice", "", "", {}, 1, 1, part=name)
    return ground(layer_id, *values, roll=roll, **fields)


# --- painting -------------------------------------------------------------------------------------


def test_the_topmost_visible_layer_that_sets_a_place_is_painted() -> None:
    battlemap = toy_map(ground(1, 1, 1, 1), ground(2, -1, 2, 2), ground(3, -1, -1, 3))
    painted(battlemap, 1, 0, 1, 2)
    assert [terrain(layer)[:3] for layer in battlemap.layers] == [
        [7, 1, 1],
        [-1, 7, 2],
        [-1, -1, 7],
    ]
    assert shown(battlemap)[:3] == [ROCK, ROCK, ROCK]


def test_layers_below_the_active_one_are_left_alone() -> None:
    battlemap = toy_map(ground(1, 1), ground(2, -1))
    painted(battlemap, 2, 0)
    assert [terrain(layer)[0] for layer in battlemap.layers] == [1, ROCK]


def test_hidden_layers_above_are_no_targets() -> None:
    battlemap = toy_map(ground(1, 1), ground(2, 2, visible=False))
    painted(battlemap, 1, 0)
    assert [terrain(layer)[0] for layer in battlemap.layers] == [ROCK, 2]


@pytest.mark.parametrize(("field", "word"), [("visible", "hidden"), ("locked", "locked")])
def test_a_hidden_or_locked_active_layer_refuses_and_is_named(field: str, word: str) -> None:
    battlemap = toy_map(ground(1, 1), ground(2, 2), ground(3, 3))
    setattr(battlemap.layer(2), field, field == "locked")
    first = contents(battlemap)
    for erasing in (False, True):
        assert f"The layer Layer 2 is {word}" in why_not(battlemap, 2, erasing=erasing)
    assert painted(battlemap, 2, 0, 1) is None
    assert erased(battlemap, 2, 0, 1) is None
    assert change_property(battlemap, 2, "title", "Mine") is None
    assert contents(battlemap) == first


def test_what_a_locked_layer_sets_is_left_out_and_the_layer_named() -> None:
    battlemap = toy_map(ground(1, 1, 1), ground(2, -1, 2, locked=True))
    found = left_out(battlemap, 1, "terrain", np.array([0, 1]))
    assert (found.elements.tolist(), found.layers) == ([1], ("Layer 2",))
    assert targets.left_out_words(found.layers) == (
        "The layer Layer 2 is locked: what it sets is left out"
    )
    painted(battlemap, 1, 0, 1)
    assert [terrain(layer)[:2] for layer in battlemap.layers] == [[ROCK, 1], [-1, 2]]


def test_a_locked_layer_that_another_one_covers_leaves_nothing_out() -> None:
    battlemap = toy_map(ground(1, 1), ground(2, 2, locked=True), ground(3, 3))
    assert not left_out(battlemap, 1, "terrain", np.array([0])).layers
    painted(battlemap, 1, 0)
    assert [terrain(layer)[0] for layer in battlemap.layers] == [1, 2, ROCK]


def test_a_rolled_target_is_marked_as_touched() -> None:
    battlemap = toy_map(ground(1, 1, 1), rolled(2, -1, 2))
    painted(battlemap, 1, 0, 1)
    assert marks(battlemap.layer(2)) == [1]


def test_of_the_parts_of_a_roll_the_topmost_is_painted() -> None:
    battlemap = toy_map(ground(1), part(2, "hills", 2, 2), part(3, "trees", -1, 3), ground(4))
    painted(battlemap, 2, 0)
    assert [terrain(layer)[0] for layer in battlemap.layers] == [-1, 2, ROCK, -1]
    battlemap.layer(3).locked = True
    assert "Layer 3 is locked" in why_not(battlemap, 2)
    assert not why_not(battlemap, 2, erasing=True)


def test_each_value_goes_to_the_target_of_its_own_place() -> None:
    battlemap = toy_map(ground(1), ground(2, -1, 2, -1, 2))
    edit = paint(battlemap, 1, "terrain", [3, 0, 1], [5, 6, 8])
    done(battlemap, edit)
    assert shown(battlemap) == [6, 8, 0, 5, 0, 0]
    assert terrain(battlemap.layer(1))[:4] == [6, -1, -1, -1]


# --- erasing --------------------------------------------------------------------------------------


def test_an_erased_touch_up_gives_the_scripts_value_back_unmarked() -> None:
    battlemap = toy_map(rolled(1, 2), ground(2, 8, touch_ups_of=1, name=TOUCH_UPS))
    erased(battlemap, 1, 0)
    assert shown(battlemap)[0] == 2
    assert marks(battlemap.layer(1)) == []
    done(battlemap, put_layers(battlemap, 1, [rolled(0, 5, number=1)], replaces=True).edit)
    assert shown(battlemap)[0] == 5


def test_an_erased_rolled_value_keeps_its_look_when_rolled_again() -> None:
    battlemap = toy_map(ground(1, 3), rolled(2, 2))
    erased(battlemap, 2, 0)
    assert marks(battlemap.layer(2)) == [0]
    done(battlemap, put_layers(battlemap, 2, [rolled(0, 5, number=1)], replaces=True).edit)
    assert shown(battlemap)[0] == 3


def test_where_no_layer_from_the_active_one_on_sets_anything_nothing_is_erased_or_marked() -> None:
    battlemap = toy_map(ground(1, 1), rolled(2, -1, 2))
    assert erased(battlemap, 2, 0) is None
    assert marks(battlemap.layer(2)) == []


def test_a_value_of_any_part_of_a_roll_can_be_erased() -> None:
    battlemap = toy_map(ground(1, 1), part(2, "hills", 2), part(3, "trees", -1))
    erased(battlemap, 2, 0)
    assert [terrain(layer)[0] for layer in battlemap.layers] == [1, -1, -1]


# --- properties -----------------------------------------------------------------------------------


def test_a_property_is_changed_where_it_shows() -> None:
    battlemap = toy_map(
        ground(1),
        ground(2, properties={"title": "Above"}),
        ground(3, properties={"title": ""}, visible=False),
    )
    assert property_target(battlemap, 1, "title").id == 2
    assert property_target(battlemap, 1, "subtitle").id == 1
    battlemap.layer(2).locked = True
    assert "Layer 2 is locked" in targets.why_not_property(battlemap, 1, "title")
    assert change_property(battlemap, 1, "title", "Mine") is None
    done(battlemap, change_property(battlemap, 1, "subtitle", "Mine"))
    assert battlemap.composite().properties["subtitle"] == "Mine"


# --- what is told ---------------------------------------------------------------------------------


def test_a_rolled_layer_above_can_cover_what_is_painted_when_it_is_rolled_again() -> None:
    battlemap = toy_map(ground(1), rolled(2, -1, 2), rolled(3, visible=False), ground(4))
    edit = paint(battlemap, 1, "terrain", [0], ROCK)
    assert edit is not None
    assert [layer.id for layer in targets.rolls_that_may_cover(battlemap, edit)] == [2]
    into_roll = paint(battlemap, 1, "terrain", [1], ROCK)
    assert into_roll is not None
    assert not targets.rolls_that_may_cover(battlemap, into_roll)


def test_parts_of_a_roll_do_not_cover_what_is_painted_with_one_of_them_active() -> None:
    battlemap = toy_map(part(1, "hills", 2), part(2, "trees", 3))
    edit = paint(battlemap, 1, "terrain", [0], ROCK)
    assert edit is not None
    assert not targets.rolls_that_may_cover(battlemap, edit)


# --- Touch-ups ------------------------------------------------------------------------------------


def again(battlemap: BattleMap, layer_id: int = 1, *values: int) -> None:
    done(
        battlemap,
        put_layers(battlemap, layer_id, [rolled(0, *values, number=1)], replaces=True).edit,
    )


def test_touch_ups_are_found_by_their_link_and_not_by_their_name() -> None:
    battlemap = toy_map(rolled(1, 2, 2), ground(2, name="My fixes", touch_ups_of=1))
    painted(battlemap, 1, 0)
    again(battlemap, 1, 5, 5)
    assert stack(battlemap) == [1, 2]
    assert terrain(battlemap.layer(2))[:2] == [ROCK, -1]
    other = toy_map(rolled(1, 2, 2), ground(2, name=TOUCH_UPS))
    painted(other, 1, 0)
    again(other, 1, 5, 5)
    assert stack(other) == [1, 3, 2]
    assert other.layer(3).touch_ups_of == 1


@pytest.mark.parametrize("field", ["visible", "locked"])
def test_where_the_touch_ups_are_hidden_or_locked_a_new_layer_takes_the_values(field: str) -> None:
    touch_ups = ground(2, 9, 9, touch_ups_of=1)
    setattr(touch_ups, field, field == "locked")
    battlemap = toy_map(rolled(1, 2, 2, 2), touch_ups)
    painted(battlemap, 1, 2)
    kept = terrain(touch_ups)
    again(battlemap, 1, 5, 5, 5)
    assert stack(battlemap) == [1, 3, 2]
    assert terrain(battlemap.layer(2)) == kept
    assert shown(battlemap)[2] == ROCK


def test_a_layer_between_that_covers_a_touched_value_still_covers_it() -> None:
    battlemap = toy_map(rolled(1, 2), ground(2, 6), ground(3, -1, touch_ups_of=1))
    battlemap.layer(2).visible = False
    painted(battlemap, 1, 0)
    battlemap.layer(2).visible = True
    again(battlemap, 1, 5)
    assert shown(battlemap)[0] == 6
    assert terrain(battlemap.layer(3))[0] == -1


def test_a_single_roll_keeps_name_opacity_lock_and_visibility() -> None:
    battlemap = toy_map(rolled(1, 2, name="Moor", opacity=0.5, locked=True, visible=False))
    again(battlemap, 1, 5)
    layer = battlemap.layer(1)
    assert (layer.name, layer.opacity, layer.locked, layer.visible) == ("Moor", 0.5, True, False)


def test_a_touched_value_that_another_part_covers_stays_below_it() -> None:
    battlemap = toy_map(part(1, "hills", 2, 2), part(2, "trees", -1, -1, visible=False))
    trees = battlemap.layer(2)
    trees.planes["terrain"].flat[0] = 3
    done(battlemap, set_values(battlemap, 1, "terrain", [0], ROCK))
    trees.visible = True
    assert shown(battlemap)[0] == 3
    fresh = [part(0, "hills", 2, 2), part(0, "trees", 3, -1)]
    done(battlemap, put_layers(battlemap, 1, fresh, replaces=True).edit)
    assert stack(battlemap) == [1, 2]
    assert shown(battlemap)[0] == 3
    assert terrain(battlemap.layer(1))[0] == ROCK
    assert marks(battlemap.layer(1)) == [0]


def test_ids_of_layers_that_touch_ups_were_made_for_are_not_used_again() -> None:
    battlemap = toy_map(ground(1), ground(2, touch_ups_of=5))
    assert battlemap.free_layer_id() == 6
