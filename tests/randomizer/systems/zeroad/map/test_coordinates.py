"""Tile coordinates of scripts in map units, and back."""

import math

from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.systems.zeroad.map.coordinates import (
    map_angle,
    map_position,
    rounded,
    rounded_angle,
    script_angle,
    script_height,
    script_position,
)
from randomizer.systems.zeroad.map.planes import GROUND
from randomizer.systems.zeroad.system import SYSTEM

positions = st.floats(-2000, 2000).map(rounded)


@given(size=st.integers(1, 64).map(lambda patches: 16 * patches), x=positions, z=positions)
def test_a_position_is_the_same_after_the_way_to_the_map_and_back(size, x, z):
    assert script_position(size, *map_position(size, x, z)) == (x, z)


@given(angle=st.floats(-1000, 1000).map(rounded_angle))
def test_an_angle_is_the_same_after_the_way_to_the_map_and_back(angle):
    assert script_angle(map_angle(angle)) == angle
    assert abs(angle) < math.tau


def test_an_angle_a_little_below_a_full_turn_is_none() -> None:
    below = math.tau - 1e-12
    assert below < math.tau
    assert rounded_angle(below) == 0.0
    assert rounded_angle(-below) == 0.0


def test_the_lower_left_tile_is_in_the_last_row():
    assert map_position(128, 0.5, 0.5) == (0, 127)
    grid = SYSTEM.new_grid()
    assert SYSTEM.cell_name(grid, grid.cell(3, 127)) == "3,0"
    assert SYSTEM.cell_name(grid, grid.cell(3, 0)) == "3,127"


def test_corners_are_called_as_the_tiles_around_them():
    grid = Grid(SQUARE, 16, 16)
    assert SYSTEM.cell_name(grid, grid.cell(2, 13)) == "2,2"
    lower_left = 14 * 17 + 2
    assert SYSTEM.corner_name(grid, lower_left) == "corner 2,2"
    assert SYSTEM.corner_name(grid, 0) == "corner 0,16"


def test_every_name_finds_its_cell_again():
    grid = SYSTEM.new_grid()
    for cell in range(0, grid.size, 97):
        assert SYSTEM.cell_of_name(grid, SYSTEM.cell_name(grid, cell)) == cell
    for name in ("", "3", "128,0", "0,128", "-1,0", "a,b"):
        assert SYSTEM.cell_of_name(grid, name) is None


def test_a_new_map_lies_above_the_water():
    assert script_height(GROUND) == 3.0
