"""Stamps: cut, turned, flipped, placed, copied to the clipboard."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.geometry.areas import Cells
from randomizer.geometry.stamp import Stamp, StampPlane
from randomizer.geometry.stamp_cutting import anchor_of, cut
from randomizer.geometry.stamp_placing import cells_at, place
from randomizer.geometry.stamp_text import LIMIT, decode, encode
from randomizer.geometry.turn import Turn, rotation
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, OBLIQUE, POINTY, SQUARE, Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import PlaneRole
from randomizer.model.problems import ProblemError
from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import free_map
from tests.randomizer.map_strategies import battlemaps, contents

Piece = tuple[BattleMap, Cells]


@st.composite
def maps_and_cells(draw: st.DrawFn) -> tuple[BattleMap, Cells]:
    """A map with things, and some of its cells."""
    battlemap = draw(battlemaps())
    cells = draw(st.sets(st.sampled_from(battlemap.grid.cells.tolist()), min_size=1))
    return battlemap, np.array(sorted(cells), np.intp)


def turns(stamp: Stamp) -> st.SearchStrategy[Turn]:
    degree = stamp.layout.degree
    return st.builds(Turn, st.just(stamp.layout), st.integers(0, degree - 1), st.booleans())


@given(maps_and_cells(), st.data())
def test_turning_all_the_way_round_is_the_same_stamp(piece: Piece, data: st.DataObject) -> None:
    battlemap, cells = piece
    stamp = cut(battlemap, cells, battlemap.composite().planes)
    turn = data.draw(turns(stamp))
    moved = stamp
    for _ in range(2 if turn.mirrors else stamp.layout.degree):
        moved = moved.turned(turn)
    assert moved.same_as(stamp)
    assert stamp.turned(Turn(stamp.layout, 0)).same_as(stamp)


@given(maps_and_cells())
def test_laid_where_it_was_cut_a_stamp_changes_nothing(piece: Piece) -> None:
    battlemap, cells = piece
    layer = battlemap.layers[-1]  # no layer above covers it
    layer.roll = None
    stamp = cut(battlemap, cells, layer.planes, ())
    anchor = anchor_of(battlemap.grid, cells)
    assert cells_at(battlemap.grid, stamp, anchor).tolist() == cells.tolist()
    assert place(battlemap, stamp, anchor, layer.id) is None


@given(maps_and_cells(), st.data())
def test_what_shows_is_the_same_after_it_was_laid_where_it_was_cut(
    piece: Piece, data: st.DataObject
) -> None:
    battlemap, cells = piece
    shown = battlemap.composite().planes
    stamp = cut(battlemap, cells, shown, ())
    layer = data.draw(st.sampled_from(battlemap.layers))
    edit = place(battlemap, stamp, anchor_of(battlemap.grid, cells), layer.id)
    if edit is not None:
        edit.apply(battlemap)
    after = battlemap.composite().planes
    assert all((after[name] == values).all() for name, values in shown.items())


@given(maps_and_cells(), st.data())
def test_neighbours_on_a_stamp_stay_neighbours_wherever_it_lies(
    piece: Piece, data: st.DataObject
) -> None:
    battlemap, cells = piece
    grid = battlemap.grid
    stamp = cut(battlemap, cells, battlemap.composite().planes)
    turn = data.draw(turns(stamp))
    whole = Grid(grid.layout, 60, 60)
    middle = whole.cell(20 if grid.layout is OBLIQUE else 30, 30)
    lies = cells_at(whole, stamp.turned(turn), middle)
    assert len(set(lies.tolist())) == len(cells)
    assert (lies >= 0).all()
    order = {cell: number for number, cell in enumerate(cells.tolist())}
    for cell, number in order.items():
        for side in range(grid.degree):
            other = order.get(grid.neighbour(cell, side))
            if other is not None and not grid.wrap:
                assert whole.neighbour(int(lies[number]), turn.side(side)) == lies[other]


@given(maps_and_cells(), st.data())
def test_values_and_things_come_to_their_new_places(piece: Piece, data: st.DataObject) -> None:
    battlemap, cells = piece
    grid = battlemap.grid
    stamp = cut(battlemap, cells, battlemap.composite().planes)
    turn = data.draw(turns(stamp))
    target = BattleMap.new(battlemap.system, Grid(grid.layout, 40, 40), [Layer(7, "Ground")])
    middle = target.grid.cell(15 if grid.layout is OBLIQUE else 20, 20)
    edit = place(target, stamp.turned(turn), middle, 7)
    assert edit is not None
    empty = contents(target)
    edit.apply(target)
    lies = cells_at(target.grid, stamp.turned(turn), middle)
    shown = battlemap.composite().planes
    for cell, to in zip(cells.tolist(), lies.tolist(), strict=True):
        for name in ("terrain", "elevation"):
            assert target.layers[0].planes[name].flat[to] == shown[name].flat[cell]
        for side in range(grid.degree):
            here = shown["hexside"].reshape(-1, grid.degree)[cell, side]
            there = target.layers[0].planes["hexside"].reshape(-1, grid.degree)
            assert there[to, turn.side(side)] == here
    assert len(target.layers[0].things) == len(stamp.things)
    for thing in target.layers[0].things.values():
        assert target.grid.cell_at(thing.x, thing.y) >= 0
        assert 0 <= thing.angle < 360
    edit.inverse().apply(target)
    assert contents(target) == empty


@given(maps_and_cells())
def test_a_stamp_comes_back_from_the_clipboard_as_it_was(piece: Piece) -> None:
    battlemap, cells = piece
    stamp = cut(battlemap, cells, battlemap.layers[0].planes)
    assert decode(encode(stamp)).same_as(stamp)


# --- seams, rims, holes ---------------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_a_piece_across_the_seam_stays_in_one_piece(layout: Layout) -> None:
    grid = free_map(layout, 12, 6, wrap=True).grid
    cells = np.array(sorted(grid.cell(x, 2) for x in (10, 11, 12, 13)), np.intp)
    world = free_map(layout, 12, 6, wrap=True)
    stamp = cut(world, cells, world.composite().planes)
    assert abs(stamp.offsets).max() <= 2
    x, _y = grid.xy(anchor_of(grid, cells))
    assert cells_at(grid, stamp, grid.cell(x + 6, 2)).tolist() == [
        grid.cell(grid.xy(cell)[0] + 6, 2) for cell in cells.tolist()
    ]


def test_what_the_outline_breaks_is_left_out() -> None:
    battlemap = free_map(SQUARE, 3, 3)
    stamp = cut(battlemap, np.array([0, 1, 3, 4]), battlemap.composite().planes)
    assert cells_at(battlemap.grid, stamp, 8).tolist().count(-1) in (1, 2, 3)
    edit = place(battlemap, stamp, 8, 1)
    assert edit is not None
    edit.apply(battlemap)
    lies = cells_at(battlemap.grid, stamp, 8)
    assert np.flatnonzero(battlemap.layers[0].planes["terrain"] == 0).tolist() == sorted(
        lies[lies >= 0].tolist()
    )


def test_a_stamp_wider_than_the_world_lies_on_every_cell_once() -> None:
    wide = free_map(SQUARE, 9, 1)
    narrow = free_map(SQUARE, 4, 1, wrap=True)
    wide.layers[0].planes["terrain"] = np.arange(9, dtype="u2").reshape(1, 9)
    edit = place(narrow, cut(wide, wide.grid.cells, wide.layers[0].planes), 0, 1)
    assert edit is not None
    edit.apply(narrow)
    assert (narrow.layers[0].planes["terrain"] != 0xFFFF).all()


def test_a_thing_turns_with_its_stamp() -> None:
    battlemap = free_map(SQUARE, 5, 5)
    ThingsEdit(1, (), (Thing(4, "town", 2.25, 2.0, 90.0, 1, "Ys", {"men": [3, 4]}),)).apply(
        battlemap
    )
    stamp = cut(battlemap, np.array([12]), {})
    edit = place(battlemap, stamp.turned(rotation(SQUARE, 1)), 6, 1)
    assert edit is not None
    edit.apply(battlemap)
    assert battlemap.thing(5) == Thing(5, "town", 1.0, 1.25, 180.0, 1, "Ys", {"men": (3, 4)})


def test_of_two_equal_things_one_is_laid_beside_the_equal_that_is_there() -> None:
    battlemap = free_map(SQUARE, 5, 5)
    twins = [Thing(number, "town", 2.25, 2.0, 90.0, 1, "Ys") for number in (1, 2)]
    ThingsEdit(1, (), tuple(twins)).apply(battlemap)
    stamp = cut(battlemap, np.array([12]), battlemap.composite().planes)
    there = [
        Thing(3, "town", 1.25, 1.0, 90.0, 1, "Ys"),
        Thing(4, "town", 1.25, 1.0, 90.0, 2, "Ys"),
        Thing(5, "town", 1.25, 1.0, 80.0, 1, "Ys"),
        Thing(6, "town", 1.25, 1.0, 90.0, 1, "Is"),
        Thing(7, "town", 1.30, 1.0, 90.0, 1, "Ys"),
    ]
    ThingsEdit(1, (), tuple(there)).apply(battlemap)
    edit = place(battlemap, stamp, 6, 1)
    assert edit is not None
    edit.apply(battlemap)
    assert battlemap.thing(8) == Thing(8, "town", 1.25, 1.0, 90.0, 1, "Ys")
    assert place(battlemap, stamp, 6, 1) is None


def test_a_stamp_needs_a_cell() -> None:
    with pytest.raises(ValueError, match="at least one cell"):
        cut(free_map(FLAT, 2, 2), np.empty(0, np.intp), {})


# --- between maps ---------------------------------------------------------------------------------


def other_set(terrains: tuple[str, ...], hexsides: tuple[str, ...]) -> BattleMap:
    """A free map of other terrains."""
    known = TerrainSet(
        "Other",
        tuple(Terrain(name, "#000000") for name in terrains),
        tuple(Hexside(name, name[0].lower(), "#000000") for name in hexsides),
    )
    battlemap = free_map(FLAT, 4, 4)
    return replace(battlemap, terrain_set=known)


def swamp_with_a_slope() -> Stamp:
    battlemap = free_map(FLAT, 4, 4)
    known = battlemap.system.terrain_set
    planes = {
        "terrain": np.full((4, 4), known.terrain_code("Swamp"), "u2"),
        "hexside": np.zeros((4, 4, 6), "u1"),
    }
    planes["hexside"][0, 0, 2] = known.hexside_code("s")
    return cut(battlemap, np.array([0]), planes)


def test_terrains_and_hexsides_go_over_by_name() -> None:
    other = other_set(("Plains", "Swamp"), ("Slope",))
    edit = place(other, swamp_with_a_slope(), 5, 1)
    assert edit is not None
    edit.apply(other)
    assert other.layers[0].planes["terrain"].flat[5] == 1
    assert other.layers[0].planes["hexside"].reshape(-1, 6)[5].tolist() == [0, 0, 1, 0, 0, 0]


@pytest.mark.parametrize(
    ("terrains", "hexsides", "word"),
    [(("Plains",), ("Slope",), "Swamp"), (("Swamp",), (), "Slope")],
)
def test_a_stamp_of_unknown_terrains_is_refused_in_words(
    terrains: tuple[str, ...], hexsides: tuple[str, ...], word: str
) -> None:
    with pytest.raises(ProblemError, match=f"this map has no .* “{word}”"):
        place(other_set(terrains, hexsides), swamp_with_a_slope(), 5, 1)


def test_hexes_do_not_lie_on_squares_nor_flat_ones_on_pointed_ones() -> None:
    for layout, words in ((SQUARE, "has squares"), (POINTY, "has pointed hexes")):
        with pytest.raises(ProblemError, match=f"lies on flat-topped hexes, this map {words}"):
            place(free_map(layout, 4, 4), swamp_with_a_slope(), 5, 1)


def test_pointed_hexes_lie_on_oblique_ones() -> None:
    world = free_map(OBLIQUE, 8, 8)
    table = free_map(POINTY, 8, 8)
    stamp = cut(world, world.grid.cells, world.composite().planes)
    assert place(table, stamp, table.grid.cell(4, 4), 1) is not None


def test_values_that_the_map_has_no_place_for_are_refused() -> None:
    stamp = swamp_with_a_slope()
    heights = StampPlane(-1, np.array([9]))
    with pytest.raises(ProblemError, match="has values of “height”"):
        place(free_map(FLAT, 4, 4), replace(stamp, planes={"height": heights}), 5, 1)
    unset = StampPlane(-1, np.array([-1]))
    assert place(free_map(FLAT, 4, 4), replace(stamp, planes={"height": unset}), 5, 1) is None
    too_high = StampPlane(-1, np.array([70_000]), role=PlaneRole.HEIGHT)
    with pytest.raises(ProblemError, match="cannot hold what was copied"):
        place(free_map(FLAT, 4, 4), replace(stamp, planes={"elevation": too_high}), 5, 1)


# --- foreign and damaged bytes --------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"battlemap-stamp": 1}',
        b'{"battlemap-stamp": 1e999}',
    ],
)
def test_bytes_of_something_else_are_refused(data: bytes) -> None:
    with pytest.raises(ProblemError, match="clipboard"):
        decode(data)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["layout"], "triangles"),
        (["layout"], []),
        (["offsets"], ""),
        (["offsets"], "AAAA"),
        (["offsets"], "not base64"),
        (["offsets"], "AAAAAAAAAH8="),
        (["terrains"], [1]),
        (["terrains"], ["Plains"]),
        (["hexsides"], []),
        (["planes"], []),
        (["planes", "terrain", "type"], "O"),
        (["planes", "terrain", "type"], "f8"),
        (["planes", "terrain", "place"], "corner"),
        (["planes", "terrain", "role"], "ground"),
        (["planes", "terrain", "role"], "hexside"),
        (["planes", "terrain", "unset"], None),
        (["planes", "terrain", "unset"], 10**30),
        (["planes", "terrain", "values"], "AAAAAAAA"),
        (["things"], [["town", 0.5, 0, 0, 0, "", {}]]),
        (["things"], [["town", 0, 0, 0, 0, "", {"men": math.nan}]]),
        (["things"], [["town", 0, 0, 0, 0, "", []]]),
        (["things"], [["town"]]),
        (["things"], 5),
    ],
)
def test_damaged_stamps_are_refused(path: list[str], value: object) -> None:
    record = json.loads(encode(swamp_with_a_slope()))
    inner = record
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(ProblemError, match="damaged"):
        decode(json.dumps(record).encode())


def test_newer_and_huge_stamps_are_refused() -> None:
    record = json.loads(encode(swamp_with_a_slope()))
    with pytest.raises(ProblemError, match="another version"):
        decode(json.dumps({**record, "battlemap-stamp": 6}).encode())
    with pytest.raises(ProblemError, match="too large"):
        decode(b" " * (LIMIT + 1))


def test_the_anchor_of_an_area_of_squares_is_the_square_nearest_to_its_middle() -> None:
    grid = Grid(SQUARE, 3, 3)
    cells = np.array([2, 3, 5, 6])  # around the middle: two at corners of it, two at sides
    assert anchor_of(grid, cells) == 3
