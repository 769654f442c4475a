"""Regions: whatever is done to them is undone, stored, turned, stamped and merged by name."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.geometry.stamp_cutting import cut
from randomizer.geometry.stamp_placing import place
from randomizer.geometry.stamp_text import decode, encode
from randomizer.geometry.transform import turn_map
from randomizer.geometry.turn import reflection, rotation
from randomizer.model.comparison.comparison import ShownMap, compare
from randomizer.model.comparison.difference_texts import difference_text
from randomizer.model.comparison.take_over import take_over
from randomizer.model.edits.record_edits import set_record
from randomizer.model.edits.region_edits import add_region, change_region, remove_region
from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.model.hand.targets import erase, paint
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.regions import (
    MAX_REGIONS,
    NO_REGION,
    RECORD,
    MapRegion,
    cells_by_region,
    free_name,
    regions_of,
)
from randomizer.model.problems import ProblemError
from randomizer.model.records.map_records import MapRecord
from randomizer.storage.files.project import read_project, write_project
from randomizer.storage.records.encoding import decode_edit, decode_map, encode_edit, encode_map
from randomizer.systems.free.system import free_map
from tests.randomizer.map_strategies import contents

WIDTH = 5
HEIGHT = 4
CELLS = WIDTH * HEIGHT

names = st.text("abc é", min_size=1, max_size=6)
colours = st.sampled_from(("#123456", "#abcdef", "#00ff00"))
cells = st.sets(st.integers(0, CELLS - 1), min_size=1, max_size=8).map(sorted)
steps = st.one_of(
    st.tuples(st.just("add"), names, colours, cells),
    st.tuples(st.just("paint"), st.integers(0, 5), cells),
    st.tuples(st.just("erase"), cells),
    st.tuples(st.just("change"), st.integers(0, 5), names, colours),
    st.tuples(st.just("remove"), st.integers(0, 5)),
)


def edits_of(battlemap: BattleMap, step: tuple):
    """The edits of one step, each made for the map as it is then."""
    what, *rest = step
    known = [code for code, each in enumerate(regions_of(battlemap.records)) if each]
    if what == "add":
        yield add_region(battlemap, MapRegion(rest[0], rest[1]))
        yield paint(battlemap, 1, "region", rest[2], len(regions_of(battlemap.records)) - 1)
    elif what == "erase":
        yield erase(battlemap, 1, "region", np.array(rest[0]))
    elif known:
        code = known[rest[0] % len(known)]
        if what == "paint":
            yield paint(battlemap, 1, "region", rest[1], code)
        elif what == "change":
            yield change_region(battlemap, code, MapRegion(rest[1], rest[2]))
        else:
            yield remove_region(battlemap, code)


def names_of_regions(battlemap: BattleMap) -> list[str]:
    """The name of the region of each cell, "" for none."""
    regions = regions_of(battlemap.records)
    codes = battlemap.composite().planes["region"].ravel().tolist()
    return [regions[code].name if code < len(regions) and regions[code] else "" for code in codes]


def map_with_regions(*names_and_cells: tuple[str, list[int]], layout=FLAT) -> BattleMap:
    """A map with these regions."""
    battlemap = free_map(layout, WIDTH, HEIGHT)
    for code, (name, where) in enumerate(names_and_cells):
        add_region(battlemap, MapRegion(name, "#336699")).apply(battlemap)
        paint(battlemap, 1, "region", where, code).apply(battlemap)
    return battlemap


@settings(max_examples=40, deadline=None)
@given(st.lists(steps, max_size=7))
def test_every_step_is_journalled_saved_and_undone(chosen) -> None:
    battlemap = free_map(FLAT, WIDTH, HEIGHT)
    before = contents(battlemap)
    done = []
    for step in chosen:
        for edit in edits_of(battlemap, step):
            if edit is None:
                continue
            elsewhere = decode_map(encode_map(battlemap))
            decode_edit(encode_edit(edit), elsewhere).apply(elsewhere)
            edit.apply(battlemap)
            assert contents(elsewhere) == contents(battlemap)
            done.append(edit)
    again = read_project(write_project(battlemap)).battlemap
    assert contents(again) == contents(battlemap)
    count = cells_by_region(battlemap, battlemap.composite())
    assert count.sum() == sum(map(bool, names_of_regions(battlemap)))
    for edit in reversed(done):
        edit.inverse().apply(battlemap)
    assert contents(battlemap) == before


@settings(max_examples=30, deadline=None)
@given(st.sampled_from((FLAT, SQUARE)), cells, cells, st.data())
def test_a_turned_map_has_the_same_regions(layout, first, second, data) -> None:
    battlemap = map_with_regions(("North", first), ("South", second), layout=layout)
    make = data.draw(st.sampled_from((rotation, reflection)))
    turn = make(layout, data.draw(st.integers(0, layout.degree - 1)))
    turned = turn_map(battlemap, turn)
    turned.edit.apply(battlemap)
    expected = map_with_regions(("North", first), ("South", second), layout=layout)
    there = cells_by_region(battlemap, battlemap.composite())
    assert there.tolist() == cells_by_region(expected, expected.composite()).tolist()


@settings(max_examples=30, deadline=None)
@given(cells)
def test_a_stamp_finds_its_regions_by_name_and_leaves_out_unknown_ones(where) -> None:
    source = map_with_regions(("North", list(range(CELLS))), ("South", where))
    stamp = decode(encode(cut(source, source.grid.cells, source.composite().planes)))
    target = map_with_regions(("West", [0]), ("South", [1]))
    anchor = int(np.flatnonzero((stamp.offsets == 0).all(axis=1))[0])
    place(target, stamp, anchor, 1).apply(target)
    names_there = names_of_regions(target)
    assert {cell for cell, name in enumerate(names_there) if name == "South"} == {*where, 1}
    assert "North" not in names_there
    assert names_there[0] == ("South" if 0 in where else "West")


def test_maps_are_compared_by_the_names_of_their_regions() -> None:
    ours = map_with_regions(("North", [1, 2]))
    theirs = map_with_regions(("South", [3]), ("North", [1]))
    found = compare(ShownMap.of(ours), ShownMap.of(theirs))
    assert [difference_text(found, each) for each in found.listed()] == [
        "0301: Grassland 0 North | Grassland 0",
        "0401: Grassland 0 | Grassland 0 South",
    ]
    with pytest.raises(ProblemError, match="no region “South”"):
        take_over(found, ours, 1)
    same = compare(ShownMap.of(ours), ShownMap.of(map_with_regions(("X", [9]), ("North", [1, 2]))))
    assert {name for name in names_of_regions(ours) if name} == {"North"}
    assert same.cells.tolist() == [9]


def test_the_code_of_a_region_that_is_gone_is_not_used_again() -> None:
    battlemap = map_with_regions(("North", [1]), ("South", [2]))
    battlemap.layers[0].locked = True
    remove_region(battlemap, 1).apply(battlemap)
    add_region(battlemap, MapRegion("East", "#112233")).apply(battlemap)
    assert names_of_regions(battlemap)[:3] == [
        "",
        "North",
        "",
    ]  # the locked layer still has the code
    assert battlemap.values("region").flat[2] == 1


@pytest.mark.parametrize(
    "region", [MapRegion("", "#112233"), MapRegion("a\x00", "#112233"), MapRegion("A", "red")]
)
def test_what_is_no_region_is_refused_in_words(region) -> None:
    battlemap = map_with_regions(("North", [1]))
    with pytest.raises(ValueError, match=r"region|colour"):
        change_region(battlemap, 0, region)


def test_a_damaged_table_is_no_table() -> None:
    for entries in ({"a": 1}, [1, None, {"name": 3}, {"name": "A", "colour": "#12"}], "x"):
        battlemap = free_map(FLAT, WIDTH, HEIGHT)
        set_record(battlemap, RECORD, MapRecord(json.dumps(entries), is_json=True)).apply(battlemap)
        assert not any(regions_of(battlemap.records))
        paint(battlemap, 1, "region", [0], 3).apply(battlemap)
        assert not cells_by_region(battlemap, battlemap.composite()).any()


def test_there_is_an_end_to_the_number_of_regions() -> None:
    battlemap = free_map(FLAT, WIDTH, HEIGHT)
    entries = [{"name": f"R{number}", "colour": "#112233"} for number in range(MAX_REGIONS)]
    set_record(battlemap, RECORD, MapRecord(json.dumps(entries), is_json=True)).apply(battlemap)
    with pytest.raises(ValueError, match="at most"):
        add_region(battlemap, MapRegion("One more", "#112233"))
    assert free_name(regions_of(battlemap.records)) == f"Region {MAX_REGIONS + 1}"
    assert battlemap.values("region").flat[0] == NO_REGION
