"""Comparison of two maps: differences are found and worded, and can be taken over."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.comparison.comparison import ShownMap, compare
from randomizer.model.comparison.difference_texts import difference_text, difference_values
from randomizer.model.comparison.map_differences import compare_maps
from randomizer.model.comparison.part_differences import part_text
from randomizer.model.comparison.take_over import take_over
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.value_edits import parts, set_locks, set_property, set_values
from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.model.hand.targets import why_not
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.routes import PRESENT
from randomizer.model.problems import ProblemError
from randomizer.model.records.map_records import MapRecord
from randomizer.model.terrain.terrain import Way
from randomizer.model.things.things import Thing, Things
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_OF_LABEL
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.cordery import system as cordery
from randomizer.systems.free.system import free_map
from randomizer.systems.zeroad import system as zeroad
from tests.counting import calls_of
from tests.randomizer.map_strategies import battlemaps, contents, layers


def cell(label: str) -> int:
    return CELL_OF_HEX[HEX_OF_LABEL[label]]


def battleland(*changes) -> BattleMap:
    """A battleland with (plane, index, value) painted."""
    battlemap = BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")])
    for plane, index, value in changes:
        set_values(battlemap, 1, plane, [index], value).apply(battlemap)
    return battlemap


def compared(ours: BattleMap, theirs: BattleMap):
    return compare(ShownMap.of(ours), ShownMap.of(theirs))


def said(ours: BattleMap, theirs: BattleMap) -> list[str]:
    comparison = compared(ours, theirs)
    return [difference_text(comparison, difference) for difference in comparison.listed()]


def test_a_hex_is_told_with_what_stands_here_and_there():
    tree = SYSTEM.terrain_set.terrain_code("Tree")
    brambles = SYSTEM.terrain_set.terrain_code("Brambles")
    ours = battleland(("terrain", cell("D4"), brambles))
    theirs = battleland(("terrain", cell("D4"), tree), ("elevation", cell("D4"), 1))
    assert said(ours, theirs) == ["D4: Brambles 0 | Tree 1"]
    assert compared(ours, theirs).cells.tolist() == [cell("D4")]
    assert said(ours, ours) == []


def test_a_hexside_is_told_with_its_side():
    cliff = SYSTEM.terrain_set.hexside_code("c")
    ours = battleland(("hexside", cell("C3") * 6, cliff))
    comparison = compared(ours, battleland())
    (difference,) = comparison.listed()
    side = ours.grid.layout.side_names[0]
    assert difference_text(comparison, difference) == f"C3 {side}: Cliff | none"
    assert comparison.position(difference) == (cell("C3"), 0)
    assert comparison.sides.tolist() == [cell("C3") * 6]


def test_start_lists_titles_and_towers_are_told():
    ours = battleland()
    theirs = battleland()
    for battlemap, name, value in (
        (ours, "startlist", ("E5", "D4")),
        (theirs, "startlist", ("D4", "C2", "C3")),
        (theirs, "title", "Fog"),
        (theirs, "tower", True),
        (ours, "subtitle", ""),
    ):
        set_property(battlemap, 1, name, value).apply(battlemap)
    assert said(ours, theirs) == [
        "title: not set | Fog",
        "subtitle: none | not set",
        "tower: no | yes",
        "start list: only here E5; only there C2, C3",
    ]
    assert compared(ours, theirs).cells.tolist() == sorted(cell(h) for h in ("E5", "C2", "C3"))
    set_property(ours, 1, "startlist", ("C3", "C2", "D4")).apply(ours)
    assert said(ours, theirs)[-1] == "start list: another order"


def test_locks_and_placed_things_are_told():
    ours = battleland()
    theirs = battleland()
    set_locks(ours, [cell("D4")], True).apply(ours)
    set_locks(theirs, [cell("D4") * 6 + 1], True, sides=True).apply(theirs)
    x, y = ours.grid.centre(cell("E3"))
    ThingsEdit(1, (), (Thing(4, "town", x, y, label="Ux"),)).apply(theirs)
    side = ours.grid.layout.side_names[1]
    assert said(ours, theirs) == [
        "D4: locked | not locked",
        f"D4 {side}: not locked | locked",
        f"thing 4: none | town “Ux” of 0 at {x:.1f}, {y:.1f}",
    ]
    assert compared(ours, theirs).cells.tolist() == sorted([cell("D4"), cell("E3")])


def test_maps_of_other_kinds_and_sizes_are_refused_in_words():
    with pytest.raises(ProblemError, match="Colossus battleland and a Free map"):
        compared(battleland(), free_map(FLAT, 4, 4))
    with pytest.raises(ProblemError, match=r"here 4 x 4 .*, there 5 x 4"):
        compared(free_map(FLAT, 4, 4), free_map(FLAT, 5, 4))


@st.composite
def pairs(draw):
    """Two maps on one grid, and an active layer of the first."""
    ours = draw(battlemaps())
    for layer in ours.layers:
        layer.locked = False
    made = [draw(layers(ours.grid, n, first_thing_id=4 * n)) for n in (1, 2)]
    theirs = BattleMap.new(ours.system, ours.grid, made)
    some = st.lists(st.integers(0, ours.grid.size - 1), max_size=3)
    theirs.locked_cells.flat[draw(some)] = True
    return ours, theirs, draw(st.sampled_from([layer.id for layer in ours.layers]))


@given(pairs())
def test_when_everything_is_taken_over_nothing_differs(pair):
    ours, theirs, active = pair
    first = contents(ours)
    other = contents(theirs)
    comparison = compared(ours, theirs)
    if why_not(ours, active):
        with pytest.raises(ProblemError, match="hidden"):
            take_over(comparison, ours, active)
        return
    edit = take_over(comparison, ours, active)
    assert (edit is None) == (comparison.count == 0)
    if edit is not None:
        edit.apply(ours)
        assert compared(ours, theirs).count == 0
        edit.inverse().apply(ours)
    assert (contents(ours), contents(theirs)) == (first, other)


@given(pairs(), st.data())
def test_what_is_taken_over_alone_leaves_the_other_differences(pair, data):
    ours, theirs, active = pair
    comparison = compared(ours, theirs)
    if not comparison.count or why_not(ours, active):
        return
    listed = comparison.listed()
    assert len(listed) == comparison.count
    chosen = data.draw(st.sampled_from(listed))
    assert difference_text(comparison, chosen)
    take_over(comparison, ours, active, [chosen]).apply(ours)
    assert set(compared(ours, theirs).listed()) == set(listed) - {chosen}


def test_a_million_hexes_are_compared_at_once_and_a_thousand_differences_listed():
    ours = free_map(FLAT, 1000, 1000)
    theirs = free_map(FLAT, 1000, 1000)
    set_values(theirs, 1, "terrain", np.arange(1_000_000), 3).apply(theirs)
    faces = ShownMap.of(ours), ShownMap.of(theirs)
    assert calls_of(lambda: compare(*faces).listed()) < 20_000
    comparison = compare(*faces)
    listed = comparison.listed()
    assert (comparison.count, len(listed)) == (1_000_000, 1000)
    edit = take_over(comparison, ours, 1, listed[:2])
    assert [part.index.tolist() for part in parts(edit)] == [[0, 1]]


def test_angles_count_and_are_told_within_one_turn_and_how_a_file_had_a_thing_does_not_count():
    maps = []
    for angle, number in ((-90.0, 150), (270.0, 151), (450.0, 152)):
        thing = Thing(1, "oak", 3.0, 4.0, angle, state={"file": [number, 60.4, 1.0, 2.0]})
        ground = Layer(1, "Ground", things=Things([thing]))
        maps.append(BattleMap.new(zeroad.SYSTEM, layers=[ground]))
    assert said(maps[0], maps[1]) == []
    assert said(maps[0], maps[2]) == [
        "thing 1: oak of 0 at 3.0, 4.0 at 270° | oak of 0 at 3.0, 4.0 at 90°"
    ]


def test_ways_are_told_by_name_and_sides_and_no_half_of_one_is_taken_over():
    ours = free_map(SQUARE, 3, 1)
    theirs = free_map(SQUARE, 3, 1)
    for battlemap in (ours, theirs):
        ways = (Way("Road", "road", "#806040"),)
        battlemap.terrain_set = replace(battlemap.terrain_set, ways=ways)
    set_values(theirs, 1, "way1", [0, 1], [PRESENT | 2, PRESENT | 8]).apply(theirs)
    assert said(ours, theirs) == [
        "0101: Grassland 0 | Grassland 0 Road (east)",
        "0201: Grassland 0 | Grassland 0 Road (west)",
    ]
    comparison = compared(ours, theirs)
    take_over(comparison, ours, 1, comparison.listed()[:1]).apply(ours)
    assert not ours.values("way1").any(), "half a road"
    take_over(comparison, ours, 1).apply(ours)
    assert said(ours, theirs) == []


def test_the_flow_of_water_is_told():
    ours = free_map(FLAT, 3, 3)
    theirs = free_map(FLAT, 3, 3)
    for battlemap, side, width in ((ours, 0, 1), (theirs, 3, 2)):
        layer_id = battlemap.layers[0].id
        set_values(battlemap, layer_id, "flow", [4], PRESENT | 1 << side).apply(battlemap)
        set_values(battlemap, layer_id, "flow_width", [4], width).apply(battlemap)
    sides = ours.grid.layout.side_names
    (line,) = said(ours, theirs)
    assert line.endswith(f"flow ({sides[0]}) width 1 | Grassland 0 flow ({sides[3]}) width 2")


def test_kinds_of_ways_that_share_a_plane_are_told_by_their_names():
    track = next(route for route in cordery.SYSTEM.routes if route.name == "Track")
    ours = BattleMap.new(cordery.SYSTEM, layers=[Layer(1, "Table")])
    theirs = BattleMap.new(cordery.SYSTEM, layers=[Layer(1, "Table")])
    set_values(theirs, 1, track.plane, [4], track.mark | 1).apply(theirs)
    (line,) = said(ours, theirs)
    assert f"Track ({ours.grid.layout.side_names[0]})" in line
    comparison = compared(ours, theirs)
    values = difference_values(comparison, comparison.listed()[0])
    assert values == ({"Track": None}, {"Track": [ours.grid.layout.side_names[0]]})


def test_a_map_of_all_cells_is_compared_whether_it_says_so_or_not():
    whole = free_map(FLAT, 4, 3)
    grid = replace(whole.grid, mask=np.ones((3, 4), np.bool_))
    assert said(whole, replace(whole, grid=grid)) == []


def part_texts(ours: BattleMap, theirs: BattleMap) -> list[str]:
    return [part_text(part) for part in compare_maps(ours, theirs).parts]


@pytest.mark.parametrize(
    ("ours", "theirs", "told"),
    [
        (MapRecord("a\nb", is_json=False), MapRecord("a\nb\n", is_json=False), "3 bytes | 4 bytes"),
        (MapRecord("[1]", is_json=True), MapRecord("[true]", is_json=True), "1 | true"),
    ],
)
def test_records_with_the_same_lines_or_numbers_like_truths_are_told_apart(ours, theirs, told):
    our_map = free_map(FLAT, 4, 3)
    their_map = free_map(FLAT, 4, 3)
    our_map.records = {"plan": ours}
    their_map.records = {"plan": theirs}
    (line,) = part_texts(our_map, their_map)
    assert line.endswith(told)
