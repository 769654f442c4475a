"""Where units and ships can go by the ground: slopes, depths, clearances, the rim of the map."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.zeroad.map.passability import (
    DEEP,
    FREE,
    HEMMED_IN,
    KINDS,
    NARROW,
    RIM,
    SHIPS,
    STEEP,
    passability,
)
from randomizer.systems.zeroad.map.records import SETTINGS, as_record
from randomizer.systems.zeroad.system import SYSTEM

SIZE = 32
WATER = 20.0


def land(metres: np.ndarray, *, is_round: bool = False) -> BattleMap:
    """A map with these heights, (33, 33), in metres of the world; the water stands at 20."""
    heights = np.rint(metres * 92).astype("u4")
    battlemap = BattleMap.new(SYSTEM, Grid(SQUARE, SIZE, SIZE), [Layer(1, "Land")])
    battlemap.layers[0].planes["height"] = heights
    battlemap.records[SETTINGS] = as_record({"CircularMap": is_round})
    return battlemap


def kinds_at(battlemap: BattleMap, cells: slice | np.ndarray | None = None) -> np.ndarray:
    planes = battlemap.composite().planes
    whole = slice(0, SIZE * SIZE) if cells is None else cells
    kinds, codes = passability(battlemap, planes, whole)
    assert kinds is KINDS
    return codes.reshape(SIZE, SIZE) if cells is None else codes


def flat(metres: float) -> np.ndarray:
    return np.full((SIZE + 1, SIZE + 1), metres)


@pytest.mark.parametrize(
    ("metres", "kind"),
    [(30.0, FREE), (18.1, FREE), (17.9, SHIPS), (5.0, SHIPS)],
    ids=["land", "a ford of 1.9 m", "2.1 m", "15 m"],
)
def test_flat_ground_is_for_units_down_to_two_metres_and_for_ships_below(metres, kind) -> None:
    codes = kinds_at(land(flat(metres)))
    assert (codes[6:-6, 6:-6] == KINDS.index(kind)).all()
    assert (codes[0] == KINDS.index(RIM)).all()
    assert (codes[:, 2] == KINDS.index(RIM)).all()
    assert codes[3, 16] != KINDS.index(RIM)


@pytest.mark.parametrize(("rise", "kind"), [(3.9, FREE), (4.1, STEEP)])
def test_a_tile_is_too_steep_from_four_metres_on(rise, kind) -> None:
    metres = flat(30.0)
    metres[:, 17:] += rise
    codes = kinds_at(land(metres))
    assert (codes[8:24, 16] == KINDS.index(kind)).all()
    beside = FREE if kind == FREE else NARROW
    assert (codes[8:24, [15, 17]] == KINDS.index(beside)).all(), "large units keep away"
    assert (codes[8:24, [14, 18]] == KINDS.index(FREE)).all()


def test_ships_keep_ten_metres_away_from_what_is_too_shallow_for_them() -> None:
    metres = flat(5.0)
    metres[:, :11] = 40.0
    row = kinds_at(land(metres))[16]
    assert set(row[4:9]) == {KINDS.index(FREE)}
    assert row[10] == KINDS.index(STEEP), "the bank"
    assert row[11] == row[12] == KINDS.index(DEEP)
    assert (row[14:20] == KINDS.index(SHIPS)).all()


def test_a_shallow_tile_in_deep_water_is_too_narrow_and_not_too_steep() -> None:
    metres = flat(14.6)
    metres[16:18, 16:18] = 18.4  # the corners of one tile, 1.6 m below the water
    metres[16:18, 13:15] = 22.0  # an island beside it, so that ships keep away
    assert kinds_at(land(metres))[16, 16] == KINDS.index(HEMMED_IN)


def test_on_a_round_map_the_corners_are_out_of_reach() -> None:
    square, circle = (kinds_at(land(flat(30.0), is_round=each)) for each in (False, True))
    assert square[5, 5] == KINDS.index(FREE)
    assert circle[5, 5] == KINDS.index(RIM)
    assert circle[16, 16] == KINDS.index(FREE)


@given(st.integers(0, 2**32 - 1), st.lists(st.integers(0, SIZE * SIZE - 1), max_size=9))
def test_a_tile_is_the_same_whatever_is_asked_with_it(seed, some) -> None:
    """Also far from the others, and in whole rows: nothing farther than its reach counts."""
    noise = np.random.default_rng(seed)
    battlemap = land(noise.uniform(14, 30, (SIZE + 1, SIZE + 1)).round() // 4 * 4)
    whole = kinds_at(battlemap).ravel()
    cells = np.array(sorted(set(some)), np.intp)
    assert np.array_equal(kinds_at(battlemap, cells), whole[cells])
    rows = slice(5 * SIZE, 9 * SIZE)
    assert np.array_equal(kinds_at(battlemap, rows), whole[rows])
    assert SYSTEM.passability_reach == 3


def test_the_status_bar_says_it() -> None:
    metres = flat(30.0)
    metres[:, 17:] += 9
    battlemap = land(metres)
    cell = battlemap.grid.cell(16, 16)
    text = SYSTEM.describe(battlemap, battlemap.composite().planes, cell)
    assert "height 14.5, too steep, priority 0" in text
