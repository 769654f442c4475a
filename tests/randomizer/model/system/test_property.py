"""Properties of a map: values from outside are checked, *not set* and *none* are told apart."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from randomizer.model.comparison.comparison import ShownMap, compare
from randomizer.model.comparison.difference_texts import difference_text
from randomizer.model.comparison.take_over import take_over
from randomizer.model.edits.edit import PropertyEdit
from randomizer.model.edits.layer_edits import flatten, merge_down
from randomizer.model.edits.value_edits import set_property
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.system.property import UNSET
from randomizer.storage.records.edit_reading import read_edit
from randomizer.storage.records.edit_writing import edit_record
from randomizer.storage.records.records import layer_record, read_layer
from tests.randomizer.map_strategies import TOY

GRID = Grid(SQUARE, 3, 2)
NO_PARTS = SimpleNamespace(array=None, text=None)
"""Of records that leave nothing out."""

TITLE, SUBTITLE, TOWER, LIST = TOY.properties


def toy(*layers: dict[str, object]) -> BattleMap:
    """A map with a layer for each dict of properties, from the bottom to the top."""
    made = [
        Layer(number, f"Layer {number}", properties=dict(properties))
        for number, properties in enumerate(layers, 1)
    ]
    return BattleMap.new(TOY, GRID, made)


@pytest.mark.parametrize(
    ("known", "value"), [(TITLE, "Moor"), (TITLE, ""), (TOWER, True), (TOWER, False)]
)
def test_a_fitting_value_is_read_as_it_is(known, value) -> None:
    assert known.read(value) == value


def test_a_list_of_names_is_read_as_a_tuple() -> None:
    assert LIST.read(["D4", "C3"]) == LIST.read(("D4", "C3")) == ("D4", "C3")


@pytest.mark.parametrize(
    ("known", "value"),
    [
        *((TITLE, value) for value in (None, 3, ["Moor"], "half \ud800")),
        *((TOWER, value) for value in (None, 1, 0, "yes")),
        *((LIST, value) for value in (None, "D4", [4], ["\udfff"], {"D4": 1})),
    ],
)
def test_other_values_are_refused(known, value) -> None:
    with pytest.raises(ValueError, match=r"is expected, not|half a character"):
        known.read(value)
    with pytest.raises(ValueError, match=r"is expected, not|half a character"):
        set_property(toy({}), 1, known.name, value)
    record = layer_record(Layer(1, "A", properties={known.name: value}), NO_PARTS)
    with pytest.raises(ValueError, match=f"“{known.name}”"):
        read_layer(record, TOY, TOY.terrain_set, GRID, NO_PARTS)


def test_a_layer_with_an_unknown_property_is_refused() -> None:
    record = layer_record(Layer(1, "A", properties={"colour": "red"}), NO_PARTS)
    with pytest.raises(ValueError, match="no property 'colour'"):
        read_layer(record, TOY, TOY.terrain_set, GRID, NO_PARTS)


@pytest.mark.parametrize("known", TOY.properties, ids=lambda known: known.name)
def test_not_set_and_none_are_two_values(known) -> None:
    battlemap = toy({known.name: known.read("ab" if known is TITLE else known.none)}, {})
    none = set_property(battlemap, 2, known.name, known.none)
    assert none is not None
    none.apply(battlemap)
    assert battlemap.composite().properties == {known.name: known.none}
    assert set_property(battlemap, 2, known.name, known.none) is None
    unset = set_property(battlemap, 2, known.name, UNSET)
    assert unset is not None
    unset.apply(battlemap)
    assert battlemap.layer(2).properties == {}
    unset.inverse().apply(battlemap)
    none.inverse().apply(battlemap)
    assert battlemap.layer(2).properties == {}
    assert known.words(UNSET) == "not set"
    assert known.words(known.none) in ("none", "no")


@pytest.mark.parametrize("known", TOY.properties, ids=lambda known: known.name)
def test_the_journal_tells_not_set_and_none_apart(known) -> None:
    battlemap = toy({})
    for before, after in ((UNSET, known.none), (known.none, UNSET)):
        edit = PropertyEdit(1, known.name, before, after)
        record = edit_record(edit, NO_PARTS)
        assert read_edit(record, battlemap, NO_PARTS, done=False) == edit


def test_a_none_above_hides_what_is_below_when_layers_are_joined() -> None:
    below = {"title": "Moor", "subtitle": "Fog"}
    above = {"title": ""}
    merged = toy(below, above)
    merge_down(merged, 2).apply(merged)
    flat = toy(below, above)
    step = flatten(flat)
    assert step is not None
    step.edit.apply(flat)
    for battlemap in (merged, flat):
        assert battlemap.layers[0].properties == {"title": "", "subtitle": "Fog"}


def test_what_is_not_set_there_is_unset_in_every_layer_that_shows_it_here() -> None:
    ours = toy({"title": "Moor"}, {"title": ""}, {})
    theirs = toy({})
    comparison = compare(ShownMap.of(ours), ShownMap.of(theirs))
    assert [difference_text(comparison, each) for each in comparison.listed()] == [
        "title: none | not set"
    ]
    edit = take_over(comparison, ours, 3)
    assert edit is not None
    edit.apply(ours)
    assert ours.composite().properties == {}


def test_a_flag_that_is_not_set_shows_its_default() -> None:
    comparison = compare(ShownMap.of(toy({})), ShownMap.of(toy({"tower": False})))
    assert comparison.count == 0


def test_the_title_of_a_map_is_the_property_that_its_system_names() -> None:
    assert TOY.map_title({"title": "Moor", "subtitle": "Fog"}) == "Moor"
    assert TOY.map_title({}) == ""


def test_the_live_composite_follows_a_property() -> None:
    battlemap = toy({"title": "Moor"}, {"title": "Fen"})
    live = battlemap.composite(live=True)
    for value, shown in ((UNSET, "Moor"), ("", "")):
        edit = set_property(battlemap, 2, "title", value)
        assert edit is not None
        edit.apply(battlemap)
        assert edit.refresh(battlemap, live)
        assert live.properties == battlemap.composite().properties == {"title": shown}
