"""Which things are found where, and the kinds of things of a map: as a plain search finds them."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from randomizer.model.grid.box import Box
from randomizer.model.grid.layouts import POINTY, Shear
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.kinds_on_map import counts, kinds_of
from randomizer.model.map.layer import Layer
from randomizer.model.map.things_at import (
    free_point,
    thing_text,
    things_in_box,
    things_of_kinds,
    things_on_cell,
    topmost_thing_at,
)
from randomizer.model.things.thing_kind import Footprint, ThingKind, initial
from randomizer.model.things.things import Thing, Things
from randomizer.systems.colossus.system import SYSTEM as BARE
from randomizer.systems.free.system import SYSTEM, free_map
from tests.randomizer.grid_strategies import grids
from tests.systems import system_like

ARCHER = ThingKind("archer", "Archer", owners=((0, "Nobody"), (1, "Red")))
WITH_KINDS = system_like(SYSTEM, thing_kinds=lambda _battlemap: (ARCHER,))


@st.composite
def maps(draw):
    """A map of any grid with up to three layers, some hidden, and things on and off it."""
    grid = draw(grids())
    left, top, right, bottom = grid.bounds
    numbers = iter(range(1, 1000))
    xs = st.floats(left - 1, right + 1)
    ys = st.floats(top - 1, bottom + 1)
    things = st.builds(
        lambda kind, x, y: Thing(next(numbers), kind, x, y), st.sampled_from("ab"), xs, ys
    )
    layers = [
        Layer(number, "", visible=draw(st.booleans()), things=Things(draw(st.lists(things))))
        for number in range(1, draw(st.integers(1, 3)) + 1)
    ]
    return BattleMap.new(WITH_KINDS, grid, layers)


def shown(grid, thing) -> float:
    """The x of the copy of a thing that is nearest to the centre of its cell."""
    cell = grid.cell_at(thing.x, thing.y)
    if not grid.wrap or cell < 0:
        return thing.x
    return thing.x + round((grid.centre(cell)[0] - thing.x) / grid.period) * grid.period


@settings(max_examples=40, deadline=None)
@given(battlemap=maps(), data=st.data())
def test_things_are_found_as_a_search_of_all_finds_them(battlemap, data):
    grid = battlemap.grid
    seen = list(battlemap.visible_things())
    cell = int(data.draw(st.sampled_from(grid.cells.tolist())))
    assert things_on_cell(battlemap, cell) == [t for t in seen if grid.cell_at(t.x, t.y) == cell]
    assert things_of_kinds(battlemap, ["b"]) == [t for t in seen if t.kind == "b"]
    x, y = grid.centre(cell)
    reach = data.draw(st.floats(0, 3))
    if grid.wrap and grid.layout.shear is Shear.OBLIQUE:  # where they are shown, not where they lie
        battlemap.grid = grid = replace(grid, lean=data.draw(st.booleans()))
        x, y = grid.centre(cell)
    found = [replace(t, x=shown(grid, t)) for t in seen]
    box = Box(x - reach, y - reach, x + reach, y + reach)
    inside = [
        seen[n] for n, t in enumerate(found) if box[0] <= t.x <= box[2] and box[1] <= t.y <= box[3]
    ]
    assert things_in_box(battlemap, box) == inside
    ways = [(t.x - x) ** 2 + (t.y - y) ** 2 for t in found]  # tiny ones are 0
    near = [each for each in inside if ways[seen.index(each)] <= reach**2]
    assert topmost_thing_at(battlemap, x, y, reach) == (near[-1] if near else None)
    assert sum(counts(battlemap).values()) == sum(len(layer.things) for layer in battlemap.layers)


def test_unknown_kinds_of_hidden_layers_are_kinds_of_the_map_too():
    layers = [
        Layer(1, "", things=Things([Thing(1, "archer", 0, 0), Thing(2, "gaia/oak", 0, 0)])),
        Layer(2, "", visible=False, things=Things([Thing(3, "elf", 0, 0)])),
    ]
    battlemap = BattleMap.new(WITH_KINDS, layers=layers)
    found = kinds_of(battlemap)
    assert [(kind.name, kind.symbol) for kind in found] == [
        ("archer", ""),
        ("elf", "E"),
        ("gaia/oak", "O"),
    ]
    assert counts(battlemap) == {"archer": 1, "gaia/oak": 1, "elf": 1}
    assert kinds_of(BattleMap.new(BARE, layers=[Layer(1, "")])) == ()


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        (Thing(1, "archer", 0, 0), "Archer"),
        (Thing(1, "archer", 0, 0, owner=1, label="Robin"), "Archer “Robin” (Red)"),
        (Thing(1, "archer", 0, 0, owner=5), "Archer (owner 5)"),
        (Thing(1, "gaia/oak", 0, 0, owner=2), "gaia/oak (owner 2)"),
    ],
)
def test_a_thing_in_words(thing, text):
    assert thing_text(thing, {"archer": ARCHER}) == text


@pytest.mark.parametrize(
    ("kind", "letter"), [("gaia/tree/oak", "O"), ("units|horse", "H"), ("tent/", "T"), ("", "")]
)
def test_the_symbol_of_an_unknown_kind(kind, letter):
    assert initial(kind) == letter


@given(
    st.floats(0, 360),
    st.floats(0.5, 9),
    st.floats(0.5, 9),
    st.booleans(),
    st.floats(-1.4, 1.4),
    st.floats(-1.4, 1.4),
)
def test_a_thing_is_hit_where_it_covers_the_ground(angle, width, depth, is_round, across, along):
    """A point is given in the footprint's own frame, -1 to 1 within its box, and turned with it."""
    kind = ThingKind("wall", "Wall", footprint=Footprint(width, depth, is_round))
    system = system_like(SYSTEM, thing_kinds=lambda _map: (kind,))
    battlemap = BattleMap.new(system, layers=[Layer(1, "Ground")])
    wall = Thing(1, "wall", 8.0, 6.0, angle)
    tree = Thing(2, "tree", 50.0, 50.0)
    battlemap.layers[0].things = Things((wall, tree))
    turn = math.radians(angle)
    right = across * width / 2
    down = along * depth / 2
    x = 8 + right * math.cos(turn) - down * math.sin(turn)
    y = 6 + right * math.sin(turn) + down * math.cos(turn)
    inside = math.hypot(across, along) if is_round else max(abs(across), abs(along))
    assume(abs(inside - 1) > 1e-6)
    assert (topmost_thing_at(battlemap, x, y, 0.0) is not None) == (inside < 1)


def test_a_thing_that_stands_on_covered_ground_is_hit_before_what_covers_it():
    kind = ThingKind("field", "Field", footprint=Footprint(8, 8))
    system = system_like(SYSTEM, thing_kinds=lambda _map: (kind,))
    battlemap = BattleMap.new(system, layers=[Layer(1, "Ground")])
    battlemap.layers[0].things = Things((Thing(1, "tree", 6.0, 6.0), Thing(2, "field", 5.0, 5.0)))
    assert topmost_thing_at(battlemap, 6.2, 6.0, 0.5).id == 1
    assert topmost_thing_at(battlemap, 8.0, 2.0, 0.5).id == 2


def test_a_new_icon_beside_one_at_another_copy_of_the_cell_hides_nothing():
    battlemap = free_map(POINTY, 6, 4, wrap=True)
    grid = battlemap.grid
    cell = grid.cell(0, 0)
    x, y = grid.centre(cell)
    battlemap.layers[0].things = Things([Thing(1, "unit", x + grid.period, y)])
    assert free_point(battlemap, cell) != (x, y)
