"""The system of Xconq's worlds: grid, names of cells, colours."""

from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE
from randomizer.systems.xconq.period.colours import terrain_colour, x11_colour
from randomizer.systems.xconq.system import SYSTEM


def test_a_new_world_goes_round_and_stands_upright():
    grid = SYSTEM.new_grid()
    assert (grid.width, grid.height, grid.wrap, grid.upright) == (60, 30, True, True)
    assert SYSTEM.why_not_grid(grid) == ""


def test_y_counts_from_the_south_as_in_files():
    grid = SYSTEM.new_grid()
    south, north = (SYSTEM.cell_of_name(grid, name) for name in ("0,0", "0,29"))
    assert south is not None
    assert north is not None
    assert grid.centre(south)[1] > grid.centre(north)[1]  # down on the screen


@given(st.integers(1, 40), st.integers(1, 40), st.data())
def test_every_cell_has_one_name(width: int, height: int, data: st.DataObject):
    grid = Grid(OBLIQUE, width, height, wrap=True)
    cell = data.draw(st.integers(0, grid.size - 1))
    assert SYSTEM.cell_of_name(grid, SYSTEM.cell_name(grid, cell)) == cell


def test_no_other_words_are_a_cell():
    grid = SYSTEM.new_grid()
    for name in ("", "3", "3,", "60,3", "3,30", "-1,3", "3,4,5", "a,b", "٣,٤", "99999,1"):
        assert SYSTEM.cell_of_name(grid, name) is None, name


def test_colours_are_those_of_x11():
    assert x11_colour("forest green") == x11_colour("ForestGreen") == "#228b22"
    assert x11_colour("Light Slate Grey") == "#778899"
    assert x11_colour("gray50") == "#7f7f7f"
    assert x11_colour("wheat2") == "#eed8ae"
    assert x11_colour("#334455") == "#334455"
    assert x11_colour("#345") == "#304050"
    assert x11_colour("#111122223333") == "#112233"
    assert x11_colour("rgb:f/80/0000") == "#ff8000"
    for wrong in ("", "mauvish", "#33", "#3344", "rgb:1/2", "gray101"):
        assert x11_colour(wrong) is None, wrong


def test_an_unknown_colour_is_always_the_same_and_none_too_dark_or_light():
    assert terrain_colour("mauvish", "moss") == terrain_colour("mauvish", "moss")
    assert terrain_colour("mauvish", "moss") != terrain_colour("mauvish", "bog")
    assert all(60 < max(bytes.fromhex(terrain_colour("?", f"n{i}")[1:])) < 250 for i in range(99))
