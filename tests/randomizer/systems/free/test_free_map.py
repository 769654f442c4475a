"""Free maps: any layout and size, cells named as wargames print them."""

import pytest

from randomizer.catalog.systems import system_named, systems
from randomizer.model.grid.layouts import FLAT, LAYOUTS, OBLIQUE, POINTY, SQUARE
from randomizer.systems.free.system import SYSTEM, free_map


def test_the_catalogue_knows_every_system_by_name():
    names = [system.name for system in systems()]
    assert names == ["colossus", "free", "cordery", "xconq", "zeroad"]
    assert system_named("free") is SYSTEM
    assert system_named("chess") is None


def test_cells_are_named_by_column_and_row_from_1_on():
    grid = free_map(POINTY, 12, 9).grid
    assert SYSTEM.cell_name(grid, grid.cell(2, 3)) == "0304"
    large = free_map(FLAT, 200, 50).grid
    assert SYSTEM.cell_name(large, large.cell(2, 3)) == "003004"


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_every_name_finds_its_cell_again(layout):
    grid = free_map(layout, 7, 5, wrap=layout is OBLIQUE).grid
    for cell in grid.cells.tolist():
        assert SYSTEM.cell_of_name(grid, SYSTEM.cell_name(grid, cell)) == cell


@pytest.mark.parametrize(
    "name", ["", "4", "D4", "0001", "0100", "0801", "0106", "１２０１", "010101"]
)
def test_what_is_no_name_finds_no_cell(name):
    grid = free_map(SQUARE, 7, 5, wrap=True).grid
    assert SYSTEM.cell_of_name(grid, name) is None


def test_a_million_cells_and_not_one_more():
    assert free_map(FLAT, 1000, 1000).grid.size == 1_000_000
    with pytest.raises(ValueError, match="at most 1,000,000"):
        free_map(FLAT, 1001, 1000)
