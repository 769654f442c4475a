"""Edits of whole layers: what they do to the look of a map, and that they can be undone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from randomizer.model.edits import layer_edits
from randomizer.model.edits.edit import Compound
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import TOUCHED
from randomizer.model.rolls.put_layers import put_layers
from tests.randomizer.map_strategies import SHOWN, TOY, battlemaps, contents
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

# --- merging down ---------------------------------------------------------------------------------


@given(battlemaps(least=2), st.data())
def test_a_map_looks_the_same_after_merging_down(battlemap: BattleMap, data: st.DataObject) -> None:
    upper = data.draw(st.sampled_from(battlemap.layers[1:]))
    assume(layer_edits.can_merge_down(battlemap, upper.id))
    index = battlemap.index_of(upper.id)
    lower = battlemap.layers[index - 1]
    before = battlemap.composite()
    first = contents(battlemap)
    edit = done(battlemap, layer_edits.merge_down(battlemap, upper.id))
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
    battlemap = toy_map(
        rolled(1, 2, 2, properties={"title": "Rolled"}),
        ground(2, -1, 8, properties={"title": "Mine"}),
    )
    done(battlemap, layer_edits.merge_down(battlemap, 2))
    assert battlemap.layer(1).touched_properties == {"title"}
    assert battlemap.layer(1).planes[TOUCHED + "terrain"].ravel().tolist() == [0, 1, 0, 0, 0, 0]
    done(
        battlemap,
        put_layers(
            battlemap, 1, [rolled(0, 5, 5, properties={"title": "New"})], replaces=True
        ).edit,
    )
    assert shown(battlemap) == [5, 8, 0, 0, 0, 0]
    assert battlemap.composite().properties.get("title") == "Mine"


def test_a_roll_merged_into_a_drawing_becomes_a_drawing() -> None:
    roll = rolled(2, -1, 8)
    roll.planes["origin"] = np.full((2, 3), 4, np.int32)
    battlemap = toy_map(ground(1, 1, 1), roll)
    paint(battlemap, 2, 0, 9)
    done(battlemap, layer_edits.merge_down(battlemap, 2))
    assert set(battlemap.layer(1).planes) == {"terrain"}
    assert terrain(battlemap.layer(1)) == [9, 8, -1, -1, -1, -1]


def test_only_a_visible_layer_on_a_visible_one_is_merged_down() -> None:
    battlemap = toy_map(ground(1, visible=False), ground(2), ground(3, visible=False), ground(4))
    assert not any(layer_edits.can_merge_down(battlemap, layer) for layer in (1, 2, 3, 4))
    for layer in (1, 2):
        with pytest.raises(ValueError, match="visible layer"):
            layer_edits.merge_down(battlemap, layer)
    with pytest.raises(KeyError):
        layer_edits.can_merge_down(battlemap, 9)


# --- the stack ------------------------------------------------------------------------------------


def test_a_duplicate_lies_directly_above_and_is_a_layer_of_its_own() -> None:
    battlemap = toy_map(ground(1, 1, properties={"tower": True}), ground(2))
    step = layer_edits.duplicate(battlemap, 1)
    done(battlemap, step.edit)
    assert stack(battlemap) == [1, 3, 2]
    assert (step.layer_id, battlemap.layer(3).name) == (3, "Layer 1 (copy)")
    paint(battlemap, 3, 0, 2)
    assert (terrain(battlemap.layer(1))[0], battlemap.layer(3).properties.get("tower")) == (1, True)


def test_a_layer_goes_and_comes_back() -> None:
    battlemap = toy_map(ground(1), ground(2), ground(3))
    edit = done(battlemap, layer_edits.remove(battlemap, 2))
    assert stack(battlemap) == [1, 3]
    edit.inverse().apply(battlemap)
    assert stack(battlemap) == [1, 2, 3]


@pytest.mark.parametrize(
    ("layer", "position", "order"),
    [(1, 2, [2, 3, 1]), (3, 0, [3, 1, 2]), (1, 99, [2, 3, 1]), (3, -4, [3, 1, 2])],
)
def test_a_layer_is_moved_within_the_stack(layer: int, position: int, order: list[int]) -> None:
    battlemap = toy_map(ground(1), ground(2), ground(3))
    edit = done(battlemap, layer_edits.move(battlemap, layer, position))
    assert stack(battlemap) == order
    edit.inverse().apply(battlemap)
    assert stack(battlemap) == [1, 2, 3]


def test_what_is_so_already_is_no_edit() -> None:
    battlemap = toy_map(ground(1), ground(2))
    assert layer_edits.move(battlemap, 2, 5) is None
    assert layer_edits.rename(battlemap, 1, "Layer 1") is None
    assert layer_edits.set_visible(battlemap, 1, visible=True) is None


def test_a_layer_is_renamed_and_hidden() -> None:
    battlemap = toy_map(ground(1, 1))
    edits = Compound(
        (
            done(battlemap, layer_edits.rename(battlemap, 1, "Moor")),
            done(battlemap, layer_edits.set_visible(battlemap, 1, visible=False)),
        )
    )
    assert (battlemap.layer(1).name, shown(battlemap)[0]) == ("Moor", 0)
    edits.inverse().apply(battlemap)
    assert (battlemap.layer(1).name, shown(battlemap)[0]) == ("Layer 1", 1)


# --- flatten, parts of layers, solo ---------------------------------------------------------------


@given(battlemaps(least=2))
def test_a_map_looks_the_same_when_it_is_flattened(battlemap: BattleMap) -> None:
    before = battlemap.composite()
    first = contents(battlemap)
    hidden = [layer.id for layer in battlemap.layers if not layer.visible]
    step = layer_edits.flatten(battlemap)
    assume(step is not None)
    assert step is not None
    step.edit.apply(battlemap)
    assert before.same_as(battlemap.composite())
    assert sorted(stack(battlemap)) == sorted([*hidden, step.layer_id])
    assert battlemap.layer(step.layer_id).roll is None
    step.edit.inverse().apply(battlemap)
    assert contents(battlemap) == first


def test_one_visible_layer_is_flat_already() -> None:
    assert layer_edits.flatten(toy_map(ground(1, 1), ground(2, 2, visible=False))) is None


@given(battlemaps(), st.data())
def test_a_layer_made_of_selected_cells_changes_nothing_to_see(
    battlemap: BattleMap, data: st.DataObject
) -> None:
    layer = data.draw(st.sampled_from(battlemap.layers))
    chosen = data.draw(st.sets(st.integers(0, battlemap.grid.size - 1)))
    cells = np.array(sorted(chosen), np.intp)
    moved = data.draw(st.booleans())
    before = battlemap.composite()
    first = contents(battlemap)
    step = layer_edits.from_cells(battlemap, layer.id, cells, moved=moved)
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
    assert layer_edits.from_cells(toy_map(ground(1, 4)), 1, cells) is None


def test_solo_hides_all_others_in_one_step() -> None:
    battlemap = toy_map(ground(1), ground(2, visible=False), ground(3))
    edit = done(battlemap, layer_edits.solo(battlemap, {2}))
    assert [layer.visible for layer in battlemap.layers] == [False, True, False]
    assert layer_edits.solo(battlemap, {2}) is None
    edit.inverse().apply(battlemap)
    assert [layer.visible for layer in battlemap.layers] == [True, False, True]
