"""What people do with whole layers. No hand work is lost by a re-roll, and all can be undone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from randomizer.model import layering
from randomizer.model.battlemap import BattleMap
from randomizer.model.edit import Compound, Edit, LayerProperty
from randomizer.model.edit_making import set_property, set_values
from randomizer.model.grid import Grid
from randomizer.model.layer import PROPERTIES, Layer, Roll, roll_name
from randomizer.model.layouts import SQUARE
from randomizer.model.planes import TOUCHED
from tests.randomizer.map_strategies import SHOWN, TOY, battlemaps, contents, layers

GRID = Grid(SQUARE, 3, 2)
UNSET = TOY.plane("terrain").unset


def ground(layer_id: int, *values: int, **fields: object) -> Layer:
    """A layer with terrains of the first cells; -1: not set there."""
    plane = TOY.plane("terrain").allocate(GRID)
    plane.flat[: len(values)] = [UNSET if value < 0 else value for value in values]
    return Layer(layer_id, f"Layer {layer_id}", planes={"terrain": plane}).copy(**fields)


def rolled(layer_id: int, *values: int, number: int = 0, **fields: object) -> Layer:
    """The same, rolled and named as a roll is."""
    roll = Roll("", "Moor.rnd", "AREA", {}, 7, number)
    layer = ground(layer_id, *values, roll=roll, **fields)
    return layer if "name" in fields else layer.copy(name=roll_name(layer))


def toy_map(*stack: Layer) -> BattleMap:
    return BattleMap.new(TOY, GRID, stack)


def done(battlemap: BattleMap, edit: Edit | None) -> Edit:
    assert edit is not None
    edit.apply(battlemap)
    return edit


def paint(battlemap: BattleMap, layer_id: int, cell: int, value: int) -> None:
    done(battlemap, set_values(battlemap, layer_id, "terrain", [cell], value))


def stack(battlemap: BattleMap) -> list[int]:
    return [layer.id for layer in battlemap.layers]


def shown(battlemap: BattleMap) -> list[int]:
    found: list[int] = battlemap.values("terrain").ravel().tolist()
    return found


def terrain(layer: Layer) -> list[int]:
    """The terrains of a layer, -1 where it sets none."""
    return [-1 if value == UNSET else value for value in layer.planes["terrain"].ravel().tolist()]


# --- rolling in -----------------------------------------------------------------------------------


def test_a_roll_comes_above_the_active_layer_with_an_id_of_its_own() -> None:
    battlemap = toy_map(ground(1), ground(4))
    made = rolled(0, 1, 2)
    step = layering.roll_in(battlemap, made, active=1)
    done(battlemap, step.edit)
    assert stack(battlemap) == [1, 5, 4]
    assert (step.layer_id, step.touch_ups) == (5, 0)
    assert battlemap.layer(5).roll == made.roll
    paint(battlemap, 5, 0, 3)
    assert terrain(made) == [1, 2, -1, -1, -1, -1]
    done(battlemap, layering.roll_in(battlemap, made, None).edit)
    assert stack(battlemap) == [1, 5, 4, 6]
    with pytest.raises(KeyError):
        layering.roll_in(battlemap, made, active=99)


# --- rolling again --------------------------------------------------------------------------------


def test_a_re_roll_keeps_id_position_and_visibility_and_takes_the_new_name() -> None:
    battlemap = toy_map(ground(1), rolled(2, 1, visible=False), ground(3))
    step = layering.roll_again(battlemap, 2, rolled(0, 2, number=1))
    done(battlemap, step.edit)
    layer = battlemap.layers[1]
    assert stack(battlemap) == [1, 2, 3]
    assert (layer.id, layer.visible, layer.name) == (2, False, "Moor, seed 7 no. 1")
    assert (terrain(layer)[0], step.layer_id, step.touch_ups) == (2, 2, 0)


def test_a_name_given_by_hand_survives() -> None:
    battlemap = toy_map(rolled(1, 1))
    done(battlemap, layering.rename(battlemap, 1, "My moor"))
    done(battlemap, layering.roll_again(battlemap, 1, rolled(0, 2, number=1)).edit)
    assert battlemap.layer(1).name == "My moor"
    drawn = toy_map(ground(1, 1))
    done(drawn, layering.roll_again(drawn, 1, rolled(0, 2)).edit)
    assert drawn.layer(1).name == "Layer 1"


def test_what_a_hand_painted_lies_above_the_new_roll() -> None:
    battlemap = toy_map(ground(1, 1, 1, 1, 1, 1, 1), rolled(2, 2, 2, 2), ground(3))
    paint(battlemap, 2, 0, 8)
    paint(battlemap, 2, 4, 9)
    step = layering.roll_again(battlemap, 2, rolled(0, 5, 5, 5, 5, 5, 5, number=1))
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
    done(battlemap, layering.roll_again(battlemap, 2, rolled(0, 5, 5, 5, number=1)).edit)
    assert shown(battlemap) == [3, 0, 5, 0, 0, 0]


def test_touch_ups_that_are_there_take_the_new_ones_and_keep_their_own() -> None:
    battlemap = toy_map(rolled(1, 2, 2, 2))
    paint(battlemap, 1, 0, 8)
    done(battlemap, layering.roll_again(battlemap, 1, rolled(0, 5, 5, 5, number=1)).edit)
    paint(battlemap, 1, 0, 4)
    paint(battlemap, 1, 1, 9)
    assert shown(battlemap) == [8, 9, 5, 0, 0, 0]
    step = layering.roll_again(battlemap, 1, rolled(0, 6, 6, 6, number=2))
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
    step = layering.roll_again(battlemap, 1, rolled(0, 5, number=1))
    assert step.touch_ups == 2 + 1 + 1


def test_a_hidden_layers_hand_work_stays_hidden() -> None:
    battlemap = toy_map(rolled(1, 2, 2), Layer(2, "Touch-ups"))
    paint(battlemap, 1, 0, 8)
    done(battlemap, layering.show(battlemap, 1, False))
    done(battlemap, layering.roll_again(battlemap, 1, rolled(0, 5, number=1)).edit)
    assert stack(battlemap) == [1, 3, 2]
    assert not battlemap.layer(3).visible
    assert shown(battlemap) == [0] * 6


def test_hand_work_does_not_go_into_hidden_touch_ups() -> None:
    battlemap = toy_map(rolled(1, 2, 2), Layer(2, "Touch-ups", visible=False))
    paint(battlemap, 1, 0, 8)
    done(battlemap, layering.roll_again(battlemap, 1, rolled(0, 5, number=1)).edit)
    assert stack(battlemap) == [1, 3, 2]
    assert shown(battlemap)[0] == 8


def test_a_rolled_layer_that_is_called_touch_ups_is_none() -> None:
    battlemap = toy_map(rolled(1, 2, 2), rolled(2, name="Touch-ups"))
    paint(battlemap, 1, 0, 8)
    done(battlemap, layering.roll_again(battlemap, 1, rolled(0, 5, number=1)).edit)
    assert stack(battlemap) == [1, 3, 2]


def test_properties_changed_by_hand_survive() -> None:
    battlemap = toy_map(rolled(1, title="Rolled", startlist=("D4",)))
    done(battlemap, set_property(battlemap, 1, "title", "Mine"))
    done(battlemap, set_property(battlemap, 1, "tower", True))
    step = layering.roll_again(
        battlemap, 1, rolled(0, number=1, title="New", subtitle="New", startlist=("C3",))
    )
    done(battlemap, step.edit)
    found = battlemap.composite()
    assert [getattr(found, name) for name in PROPERTIES] == ["Mine", "New", True, ("C3",)]
    assert step.touch_ups == 2


def test_properties_taken_away_by_hand_do_not_come_back() -> None:
    battlemap = toy_map(
        ground(1, title="Below"), rolled(2, title="Rolled", subtitle="Fog", startlist=("D4",))
    )
    for name in PROPERTIES:
        done(battlemap, set_property(battlemap, 2, name, ()))
        done(battlemap, set_property(battlemap, 2, name, None))
    new = rolled(0, number=1, title="New", subtitle="New", tower=True, startlist=("C3",))
    done(battlemap, layering.roll_again(battlemap, 2, new).edit)
    found = battlemap.composite()
    assert [getattr(found, name) for name in PROPERTIES] == ["Below", "", False, ()]


def test_what_a_file_knew_besides_survives() -> None:
    battlemap = toy_map(rolled(1, extras={"a": 1, "b": 1}))
    done(battlemap, layering.roll_again(battlemap, 1, rolled(0, extras={"b": 2})).edit)
    assert battlemap.composite().extras == {"a": 1, "b": 2}


@given(battlemaps(), st.data())
def test_hand_work_looks_the_same_after_any_re_roll(
    battlemap: BattleMap, data: st.DataObject
) -> None:
    old = data.draw(st.sampled_from(battlemap.layers))
    if old.roll is None:
        done(battlemap, LayerProperty(old.id, "roll", None, Roll("", "T", "", {}, 0, 0)))
    for _ in range(2):
        name = data.draw(st.sampled_from(SHOWN))
        values = data.draw(st.sampled_from([1, 7, TOY.plane(name).unset]))
        edit = set_values(battlemap, old.id, name, [0], values)
        if edit is not None:
            edit.apply(battlemap)
    before, first = battlemap.composite(), contents(battlemap)
    new = data.draw(layers(battlemap.grid, rolled=True))
    step = layering.roll_again(battlemap, old.id, new)
    step.edit.apply(battlemap)
    after = battlemap.composite()
    for name in SHOWN:
        touched = old.planes.get(TOUCHED + name)
        if touched is not None:
            where = touched.astype(bool)
            assert np.array_equal(before.planes[name][where], after.planes[name][where])
    for name in old.touched_properties:
        assert (getattr(before, name) or None) == (getattr(after, name) or None)
    untouched = contents(BattleMap.new(TOY, battlemap.grid, [battlemap.layer(old.id)]))
    wanted = new.copy(id=old.id, visible=old.visible, name=battlemap.layer(old.id).name)
    assert untouched == contents(BattleMap.new(TOY, battlemap.grid, [wanted]))
    step.edit.inverse().apply(battlemap)
    assert contents(battlemap) == first


# --- merging down ---------------------------------------------------------------------------------


@given(battlemaps(least=2), st.data())
def test_a_map_looks_the_same_after_merging_down(battlemap: BattleMap, data: st.DataObject) -> None:
    upper = data.draw(st.sampled_from(battlemap.layers[1:]))
    assume(layering.can_merge_down(battlemap, upper.id))
    index = battlemap.index_of(upper.id)
    lower = battlemap.layers[index - 1]
    before, first = battlemap.composite(), contents(battlemap)
    edit = done(battlemap, layering.merge_down(battlemap, upper.id))
    merged = battlemap.layers[index - 1]
    assert before.same_as(battlemap.composite())
    assert (merged.id, merged.name, merged.roll) == (lower.id, lower.name, lower.roll)
    for name in SHOWN:
        if name in upper.planes and lower.roll is not None:
            is_set = upper.planes[name] != TOY.plane(name).unset
            assert merged.planes[TOUCHED + name][is_set].all()
    origin = merged.planes.get("origin", TOY.plane("origin").allocate(battlemap.grid))
    below = lower.planes.get("origin", TOY.plane("origin").allocate(battlemap.grid))
    assert np.array_equal(origin, below)
    edit.inverse().apply(battlemap)
    assert contents(battlemap) == first


def test_what_is_merged_into_a_roll_survives_the_next_roll() -> None:
    battlemap = toy_map(rolled(1, 2, 2, title="Rolled"), ground(2, -1, 8, title="Mine"))
    done(battlemap, layering.merge_down(battlemap, 2))
    assert battlemap.layer(1).touched_properties == {"title"}
    assert battlemap.layer(1).planes[TOUCHED + "terrain"].ravel().tolist() == [0, 1, 0, 0, 0, 0]
    done(battlemap, layering.roll_again(battlemap, 1, rolled(0, 5, 5, title="New")).edit)
    assert shown(battlemap) == [5, 8, 0, 0, 0, 0]
    assert battlemap.composite().title == "Mine"


def test_a_roll_merged_into_a_drawing_becomes_a_drawing() -> None:
    roll = rolled(2, -1, 8)
    roll.planes["origin"] = np.full((2, 3), 4, np.int32)
    battlemap = toy_map(ground(1, 1, 1), roll)
    paint(battlemap, 2, 0, 9)
    done(battlemap, layering.merge_down(battlemap, 2))
    assert set(battlemap.layer(1).planes) == {"terrain"}
    assert terrain(battlemap.layer(1)) == [9, 8, -1, -1, -1, -1]


def test_only_a_visible_layer_on_a_visible_one_is_merged_down() -> None:
    battlemap = toy_map(ground(1, visible=False), ground(2), ground(3, visible=False), ground(4))
    assert not any(layering.can_merge_down(battlemap, layer) for layer in (1, 2, 3, 4))
    for layer in (1, 2):
        with pytest.raises(ValueError, match="visible layer"):
            layering.merge_down(battlemap, layer)
    with pytest.raises(KeyError):
        layering.can_merge_down(battlemap, 9)


# --- the stack ------------------------------------------------------------------------------------


def test_a_duplicate_lies_directly_above_and_is_a_layer_of_its_own() -> None:
    battlemap = toy_map(ground(1, 1, tower=True), ground(2))
    step = layering.duplicate(battlemap, 1)
    done(battlemap, step.edit)
    assert stack(battlemap) == [1, 3, 2]
    assert (step.layer_id, battlemap.layer(3).name) == (3, "Layer 1 (copy)")
    paint(battlemap, 3, 0, 2)
    assert (terrain(battlemap.layer(1))[0], battlemap.layer(3).tower) == (1, True)


def test_a_layer_goes_and_comes_back() -> None:
    battlemap = toy_map(ground(1), ground(2), ground(3))
    edit = done(battlemap, layering.remove(battlemap, 2))
    assert stack(battlemap) == [1, 3]
    edit.inverse().apply(battlemap)
    assert stack(battlemap) == [1, 2, 3]


@pytest.mark.parametrize(
    ("layer", "position", "order"),
    [(1, 2, [2, 3, 1]), (3, 0, [3, 1, 2]), (1, 99, [2, 3, 1]), (3, -4, [3, 1, 2])],
)
def test_a_layer_is_moved_within_the_stack(layer: int, position: int, order: list[int]) -> None:
    battlemap = toy_map(ground(1), ground(2), ground(3))
    edit = done(battlemap, layering.move(battlemap, layer, position))
    assert stack(battlemap) == order
    edit.inverse().apply(battlemap)
    assert stack(battlemap) == [1, 2, 3]


def test_what_is_so_already_is_no_edit() -> None:
    battlemap = toy_map(ground(1), ground(2))
    assert layering.move(battlemap, 2, 5) is None
    assert layering.rename(battlemap, 1, "Layer 1") is None
    assert layering.show(battlemap, 1, True) is None


def test_a_layer_is_renamed_and_hidden() -> None:
    battlemap = toy_map(ground(1, 1))
    edits = Compound(
        (
            done(battlemap, layering.rename(battlemap, 1, "Moor")),
            done(battlemap, layering.show(battlemap, 1, False)),
        )
    )
    assert (battlemap.layer(1).name, shown(battlemap)[0]) == ("Moor", 0)
    edits.inverse().apply(battlemap)
    assert (battlemap.layer(1).name, shown(battlemap)[0]) == ("Layer 1", 1)


# --- flatten, parts of layers, solo ---------------------------------------------------------------


@given(battlemaps(least=2))
def test_a_map_looks_the_same_when_it_is_flattened(battlemap: BattleMap) -> None:
    before, first = battlemap.composite(), contents(battlemap)
    hidden = [layer.id for layer in battlemap.layers if not layer.visible]
    step = layering.flatten(battlemap)
    assume(step is not None)
    assert step is not None
    step.edit.apply(battlemap)
    assert before.same_as(battlemap.composite())
    assert sorted(stack(battlemap)) == sorted([*hidden, step.layer_id])
    assert battlemap.layer(step.layer_id).roll is None
    step.edit.inverse().apply(battlemap)
    assert contents(battlemap) == first


def test_one_visible_layer_is_flat_already() -> None:
    assert layering.flatten(toy_map(ground(1, 1), ground(2, 2, visible=False))) is None


@given(battlemaps(), st.data())
def test_a_layer_made_of_selected_cells_changes_nothing_to_see(
    battlemap: BattleMap, data: st.DataObject
) -> None:
    layer = data.draw(st.sampled_from(battlemap.layers))
    chosen = data.draw(st.sets(st.integers(0, battlemap.grid.size - 1)))
    cells = np.array(sorted(chosen), np.intp)
    moved = data.draw(st.booleans())
    before, first = battlemap.composite(), contents(battlemap)
    step = layering.from_cells(battlemap, layer.id, cells, moved=moved)
    assume(step is not None)
    assert step is not None
    step.edit.apply(battlemap)
    assert stack(battlemap)[battlemap.index_of(layer.id) + 1] == step.layer_id
    assert before.same_as(battlemap.composite())
    if moved and "terrain" in layer.planes:
        assert (layer.planes["terrain"].flat[cells] == UNSET).all()
    step.edit.inverse().apply(battlemap)
    assert contents(battlemap) == first


def test_nothing_comes_of_cells_on_which_the_layer_sets_nothing() -> None:
    cells = np.array([1, 2], np.intp)
    assert layering.from_cells(toy_map(ground(1, 4)), 1, cells) is None


def test_solo_hides_all_others_in_one_step() -> None:
    battlemap = toy_map(ground(1), ground(2, visible=False), ground(3))
    edit = done(battlemap, layering.solo(battlemap, {2}))
    assert [layer.visible for layer in battlemap.layers] == [False, True, False]
    assert layering.solo(battlemap, {2}) is None
    edit.inverse().apply(battlemap)
    assert [layer.visible for layer in battlemap.layers] == [True, False, True]
