"""Filling edges: which hex owns the hexside, and that nothing that stands is touched."""

from __future__ import annotations

from functools import partial

from hypothesis import given

from randomizer.geometry.auto_edges import EdgePlanes, fitting_edges
from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.colossus.board import GRID, cell_of_label
from randomizer.systems.colossus.terrain_set import COLOSSUS
from tests.randomizer.systems.colossus.battleland_strategies import battlelands, plain_map, set_hex

D4 = cell_of_label("D4")
E3 = cell_of_label("E3")
"""South-east of D4."""


def _fill(letter, planes):
    """(cell, side, hexside code) of every side that one of the board's fills would set."""
    code = COLOSSUS.hexside_code(letter)
    places, _codes = fitting_edges(
        GRID,
        EdgePlanes(planes["terrain"], planes["elevation"], planes["hexside"]),
        COLOSSUS,
        GRID.cells,
        [code],
    )
    return [(*divmod(place, 6), code) for place in places.tolist()]


fill_slopes, fill_cliffs, fill_dunes = (partial(_fill, letter) for letter in "scd")


def test_slopes_belong_to_the_higher_hex() -> None:
    battleland = plain_map()
    set_hex(battleland, "D4", elevation=1)
    found = fill_slopes(battleland.composite().planes)
    assert found == [(D4, side, COLOSSUS.hexside_code("s")) for side in range(6)]


def test_a_difference_of_two_or_more_is_a_cliff_and_no_slope() -> None:
    battleland = plain_map()
    set_hex(battleland, "D4", elevation=-2)
    planes = battleland.composite().planes
    assert fill_slopes(planes) == []
    cliffs = fill_cliffs(planes)
    assert len(cliffs) == 6
    assert D4 not in [cell for cell, _, _ in cliffs]


def test_dunes_belong_to_the_sand_beside_plains() -> None:
    battleland = plain_map()
    set_hex(battleland, "D4", "Sand")
    set_hex(battleland, "E3", "Bog")
    dune = COLOSSUS.hexside_code("d")
    found = fill_dunes(battleland.composite().planes)
    assert found == [(D4, side, dune) for side in (0, 1, 3, 4, 5)]


def test_an_edge_marked_on_either_side_is_left_alone() -> None:
    battleland = plain_map()
    set_hex(battleland, "D4", "Sand", 1, "r")
    set_hex(battleland, "E3", "Plains", 0, "     c")
    planes = battleland.composite().planes
    sides = [1, 3, 4, 5]
    assert [side for cell, side, _ in fill_slopes(planes) if cell == D4] == sides
    assert [side for cell, side, _ in fill_dunes(planes) if cell == D4] == sides
    assert E3 not in [cell for cell, _, _ in fill_slopes(planes)]


def test_the_rim_of_the_board_is_left_alone() -> None:
    battleland = plain_map()
    set_hex(battleland, "A1", elevation=2)
    a1 = cell_of_label("A1")
    assert [side for cell, side, _ in fill_cliffs(battleland.composite().planes) if cell == a1] == [
        0,
        1,
        2,
    ][: len(battleland.grid.neighbours(a1 or 0))]


@given(battlelands())
def test_every_edge_is_filled_at_most_once_and_only_once(battleland: BattleMap) -> None:
    planes = dict(battleland.composite().planes)
    grid = battleland.grid
    for fill in (fill_slopes, fill_cliffs, fill_dunes):
        found = fill(planes)
        edges = {frozenset([(cell, side), grid.twin(cell, side)]) for cell, side, _ in found}
        assert len(edges) == len(found)
        hexside = planes["hexside"].copy()
        for cell, side, code in found:
            assert hexside.reshape(-1, 6)[cell, side] == 0
            hexside.reshape(-1, 6)[cell, side] = code
        planes["hexside"] = hexside
        assert fill(planes) == []
