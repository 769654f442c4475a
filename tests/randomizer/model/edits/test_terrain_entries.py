"""Terrains of one's own are added, renamed, sorted and removed; what is painted is never lost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.model.edits.edit import PlaneEdit
from randomizer.model.edits.terrain_entries import (
    EntryList,
    add_entries,
    change_entry,
    move_terrain,
    remove_entry,
    shown_order,
    sort_terrains,
)
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet
from randomizer.model.terrain.terrain_check import LONGEST_WORD
from randomizer.systems.free.system import free_map

KNOWN = TerrainSet(
    "Mine",
    (Terrain("Sea", "#0000ff"), Terrain("Bog", "#556b2f"), Terrain("Ash", "#404040")),
    (Hexside("Dune", "d", "#c9a54e", ground="Bog", beside="Sea"),),
)


@pytest.fixture
def world() -> BattleMap:
    """A map with a cell of each terrain and a dune."""
    return painted(KNOWN)


def painted(known: TerrainSet) -> BattleMap:
    battlemap = free_map(FLAT, 3, 2, terrain_set=known)
    for spec, codes in ((battlemap.system.terrain, (0, 1, 2)), (battlemap.system.hexside, (1,))):
        values = np.array(codes, spec.dtype)
        index = np.arange(len(codes))
        before = np.full_like(values, spec.unset)
        PlaneEdit(1, spec.name, index, before, values).apply(battlemap)
    return battlemap


def names(battlemap: BattleMap) -> list[str]:
    known = battlemap.terrain_set.terrains
    return [known[code].name for code in battlemap.values("terrain").flat[:3]]


def test_painted_cells_and_hexsides_follow_a_terrain_to_its_new_name(world) -> None:
    edit = change_entry(world, EntryList.TERRAINS, 1, name="Mire", cost=None)
    edit.apply(world)
    assert names(world) == ["Sea", "Mire", "Ash"]
    assert world.terrain_set.hexsides[0].ground == "Mire"
    edit.inverse().apply(world)
    assert (names(world), world.terrain_set) == (["Sea", "Bog", "Ash"], KNOWN)


def test_what_is_painted_of_a_removed_terrain_is_missing_until_it_is_defined_again(world) -> None:
    remove_entry(world, EntryList.TERRAINS, 1).apply(world)
    assert names(world) == ["Sea", "Bog", "Ash"]
    assert [terrain.missing for terrain in world.terrain_set.terrains] == [False, False, True]
    assert world.terrain_set.hexsides[0].ground == ""
    assert remove_entry(world, EntryList.TERRAINS, 2) is None  # the map still shows it
    change_entry(world, EntryList.TERRAINS, 2, colour="#111111").apply(world)
    assert not world.terrain_set.terrains[2].missing


def test_a_name_in_use_gets_a_number_when_added_and_is_refused_when_given(world) -> None:
    add_entries(
        world, EntryList.TERRAINS, [Terrain("Bog", "#000000"), Terrain("Bog", "#000000")]
    ).apply(world)
    assert [terrain.name for terrain in world.terrain_set.terrains[3:]] == ["Bog 2", "Bog 3"]
    with pytest.raises(ValueError, match="same name"):
        change_entry(world, EntryList.TERRAINS, 0, name="Bog")


def test_what_is_added_is_shown_below_all_others(world) -> None:
    sort_terrains(world).apply(world)
    add_entries(
        world, EntryList.TERRAINS, [Terrain("Aa", "#000000"), Terrain("Ab", "#000000")]
    ).apply(world)
    known = world.terrain_set.terrains
    assert [known[code].name for code in shown_order(known)] == ["Ash", "Bog", "Sea", "Aa", "Ab"]


def test_lists_are_sorted_and_no_code_changes(world) -> None:
    before = world.layers[0].planes["terrain"].copy()
    for edit, order in (
        (sort_terrains, ["Ash", "Bog", "Sea"]),
        (lambda battlemap: move_terrain(battlemap, 0, -1), ["Ash", "Sea", "Bog"]),
        (lambda battlemap: move_terrain(battlemap, 2, 99), ["Sea", "Bog", "Ash"]),
    ):
        edit(world).apply(world)
        known = world.terrain_set.terrains
        assert [known[code].name for code in shown_order(known)] == order
    assert np.array_equal(world.layers[0].planes["terrain"], before)


_STEPS = st.one_of(
    st.tuples(st.just("change"), st.integers(0, 9), st.sampled_from("ABCabc")),
    st.tuples(st.just("add"), st.integers(0, 9), st.sampled_from("ABCabc")),
    st.tuples(st.just("remove"), st.integers(0, 9), st.just("")),
    st.tuples(st.just("move"), st.integers(0, 9), st.just("")),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(_STEPS, max_size=12))
def test_any_steps_are_undone_to_the_map_as_it_was(steps) -> None:
    world = painted(KNOWN)
    edits = []
    before = world.layers[0].planes["terrain"].copy()
    for kind, at, text in steps:
        known = world.terrain_set.terrains
        at %= len(known)
        shown = names(world)
        try:
            if kind == "change":
                edit = change_entry(world, EntryList.TERRAINS, at, name=text)
                shown = [text if each == known[at].name else each for each in shown]
            elif kind == "add":
                edit = add_entries(world, EntryList.TERRAINS, [Terrain(text, "#123456")])
            elif kind == "remove":
                edit = remove_entry(world, EntryList.TERRAINS, at)
            else:
                edit = move_terrain(world, at, 1)
        except ValueError:
            continue  # a name in use, or the last terrain
        if edit is not None:
            edit.apply(world)
            edits.append(edit)
            assert names(world) == shown
    for edit in reversed(edits):
        edit.inverse().apply(world)
    assert world.terrain_set == KNOWN
    assert np.array_equal(world.layers[0].planes["terrain"], before)


def test_a_copy_of_an_entry_with_the_longest_name_still_has_a_name_that_fits() -> None:
    longest = Terrain("B" * LONGEST_WORD, "#556b2f")
    world = painted(KNOWN)
    add_entries(world, EntryList.TERRAINS, [longest, longest]).apply(world)
    *_others, first, second = world.terrain_set.terrains
    assert first.name == longest.name
    assert second.name == "B" * 90 + " 2"


def names_in_lists(battlemap: BattleMap) -> list[str]:
    terrains = battlemap.terrain_set.terrains
    return [terrains[code].name for code in shown_order(terrains)]


def test_a_missing_terrain_keeps_its_place_in_lists_when_others_move(world: BattleMap) -> None:
    edit = remove_entry(world, EntryList.TERRAINS, 1)
    assert edit is not None
    edit.apply(world)
    assert names_in_lists(world) == ["Sea", "Ash", "Bog"]
    move = move_terrain(world, world.terrain_set.terrain_code("Sea"), 1)
    assert move is not None
    move.apply(world)
    assert names_in_lists(world) == ["Ash", "Sea", "Bog"]
