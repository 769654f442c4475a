"""What steps cost on a battleland, and how far it is from the entry sides to the hexes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.systems.colossus.battle_terrain import OUTSIDE, Battleland, hazard_cost
from randomizer.systems.colossus.board import HEX_COUNT, HEX_OF_LABEL, NEIGHBOURS
from randomizer.systems.colossus.creatures import Creature
from randomizer.systems.colossus.fairness.movement import (
    BARRED,
    ENTRY_HEXES,
    EVERYTHING,
    entry_costs,
    travel_costs,
)
from randomizer.systems.colossus.terrain_set import COLOSSUS
from tests.randomizer.systems.colossus.movement_strategies import (
    CREATURES,
    battlelands,
    maps_of,
    together,
)

NON_NATIVE = Creature()
NATIVE = Creature(native_to=EVERYTHING)
FLIER = Creature(flies=True)


def native(name: str) -> Creature:
    return Creature(native_to=frozenset({name}))


def step(creature, *, into="Plains", rise=0, carries="", facing="") -> int | None:
    """What entering D4 from D3, its southern neighbour, costs; None: it cannot be entered.

    ``carries`` is the hexside of D4, ``facing`` that of D3, ``rise`` how much higher D4 lies.
    """
    code = {h.name: i for i, h in enumerate(COLOSSUS.hexsides, 1)} | {"": 0}
    d4 = HEX_OF_LABEL["D4"]
    d3 = HEX_OF_LABEL["D3"]
    assert NEIGHBOURS[d4][3] == d3
    terrain = np.zeros(HEX_COUNT, int)
    elevation = np.ones(HEX_COUNT, int)
    hexside = np.zeros((HEX_COUNT, 6), np.uint8)
    terrain[d4] = COLOSSUS.terrain_code(into)
    elevation[d4] = 1 + rise
    hexside[d4, 3] = code[carries]
    hexside[d3, 0] = code[facing]
    cost = int(entry_costs(maps_of(terrain, elevation, hexside), creature)[d4, 3, 0])
    return None if cost == BARRED else cost


@pytest.mark.parametrize(
    ("into", "stranger", "native_", "flier", "native_flier"),
    [
        ("Plains", 1, 1, 1, 1),
        ("Tower", 1, 1, 1, 1),
        ("Brambles", 2, 1, 2, 1),
        ("Tree", None, 1, None, 1),
        ("Drift", 2, 1, 2, 1),
        ("Volcano", None, 1, None, 1),
        ("Bog", None, 1, None, 1),
        ("Lake", None, 1, None, 1),
        ("Sand", 2, 1, 1, 1),
        ("Stone", None, 1, None, 1),
        ("Spring", 2, 1, 2, 1),
        ("TarPit", 2, 2, 2, 2),
    ],
)
def test_entering_a_hazard_and_stopping_there(into, stranger, native_, flier, native_flier):
    assert step(NON_NATIVE, into=into) == stranger
    assert step(native(into), into=into) == native_
    assert step(FLIER, into=into) == flier
    assert step(Creature(flies=True, native_to=frozenset({into})), into=into) == native_flier


@pytest.mark.parametrize("carries", ["Slope", "Wall"])
def test_slopes_and_walls_slow_uphill_only(carries):
    assert step(NON_NATIVE, carries=carries, rise=1) == 2
    assert step(NON_NATIVE, carries=carries, rise=0) == 1
    assert step(NON_NATIVE, facing=carries, rise=-1) == 1, "downhill"
    assert step(NON_NATIVE, facing=carries, rise=1) == 1, "the lower hex carries it"
    assert step(FLIER, carries=carries, rise=1) == 1


def test_natives_climb_slopes_freely_but_nobody_a_wall():
    assert step(native("Slope"), carries="Slope", rise=1) == 1
    assert step(NATIVE, carries="Wall", rise=1) == 2


@pytest.mark.parametrize("sides", [{"carries": "River"}, {"facing": "River"}])
def test_a_river_on_either_side_slows_all_but_fliers_natives_and_water_dwellers(sides):
    assert step(NON_NATIVE, **sides) == 2
    assert step(FLIER, **sides) == step(native("River"), **sides) == 1
    assert step(native("Lake"), **sides) == 1


@pytest.mark.parametrize("sides", [{"carries": "Cliff"}, {"facing": "Cliff"}])
@pytest.mark.parametrize("rise", [-1, 0, 2])
def test_a_cliff_on_either_side_bars_everyone_who_does_not_fly(sides, rise):
    assert step(NATIVE, rise=rise, **sides) is None
    assert step(FLIER, rise=rise, **sides) == 1


def test_a_dune_slows_nobody():
    assert step(NON_NATIVE, carries="Dune", rise=1) == step(NON_NATIVE, facing="Dune") == 1


def test_slowing_does_not_add_up_and_what_bars_goes_before_it():
    assert step(NON_NATIVE, into="Sand", carries="Slope", rise=1, facing="River") == 2
    assert step(NON_NATIVE, into="Bog", carries="River") is None
    assert step(NON_NATIVE, into="Sand", carries="Cliff") is None


def test_the_first_hex_is_paid_for_as_well():
    maps = maps_of(np.zeros(27, int), np.zeros(27, int), np.zeros((27, 6)))
    costs = travel_costs(maps, NON_NATIVE)[:, :, 0]
    for side, hexes in enumerate(ENTRY_HEXES):
        assert set(costs[side, list(hexes)].tolist()) == {1}
        assert np.flatnonzero(costs[side] == 1).tolist() == sorted(hexes)
    assert costs[:6].max() == 6
    assert (costs[6] == BARRED).all(), "nobody stands on a start list"


@given(battlelands(), st.sampled_from(CREATURES))
def test_travel_costs_are_the_movement_points_that_battles_ask_for(maps, creature):
    hazards = tuple(COLOSSUS.terrains[code].name for code in maps.terrain[:, 0])
    names = ("", *(hexside.name for hexside in COLOSSUS.hexsides))
    hexsides = tuple(tuple(names[code] for code in codes) for codes in maps.hexside[..., 0])
    land = Battleland(hazards, tuple(maps.elevation[:, 0].tolist()), hexsides)
    costs = travel_costs(maps, creature)[:, :, 0]
    starts = [] if maps.start is None else np.flatnonzero(maps.start[:, 0]).tolist()
    standing = {number for number in starts if hazard_cost(creature, hazards[number]) < BARRED}
    assert set(np.flatnonzero(costs[6] == 0).tolist()) == standing
    for points in (1, 2, 3, 4, 12):
        reached = [set(np.flatnonzero(row <= points).tolist()) for row in costs]
        for side in range(6):
            assert land.reachable_hexes(creature, OUTSIDE, side, points) == reached[side]
        moves = [land.reachable_hexes(creature, number, 0, points) for number in standing]
        assert standing.union(*moves) == reached[6]


@given(st.lists(battlelands(), min_size=2, max_size=4), st.sampled_from(CREATURES))
def test_many_maps_cost_what_each_costs(maps, creature):
    costs = travel_costs(together(maps), creature)
    for column, one in enumerate(maps):
        assert np.array_equal(costs[:, :, column], travel_costs(one, creature)[:, :, 0])


def test_the_size_of_the_pieces_changes_nothing():
    rng = np.random.default_rng(4)
    maps = together(
        [
            maps_of(rng.integers(0, 12, 27), rng.integers(0, 3, 27), rng.integers(0, 6, (27, 6)))
            for _ in range(11)
        ]
    )
    whole = travel_costs(maps, NON_NATIVE)
    assert np.array_equal(travel_costs(maps, NON_NATIVE, chunk=4), whole)
