"""Hexsides by the rules: owners of edges, missing hexsides, edges along a drag."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.geometry.auto_edges import EdgePlanes, fitting_edges, owner_of_edge
from randomizer.geometry.edge_paths import along_path
from randomizer.geometry.shapes import disc
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, OBLIQUE, POINTY, SQUARE, Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.terrain.terrain import Hexside
from randomizer.systems.colossus.terrain_set import COLOSSUS
from randomizer.systems.free.system import free_map
from tests.randomizer.grid_strategies import grids

SLOPE, CLIFF, DUNE, RIVER = (COLOSSUS.hexside_code(letter) for letter in "scdr")
SAND = COLOSSUS.terrain_code("Sand")

every_layout = pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)


def hill(layout: Layout, height: int) -> tuple[BattleMap, int]:
    """A map with one raised cell in its middle."""
    battlemap = free_map(layout, 7, 7)
    cell = battlemap.grid.cell(3, 3)
    battlemap.layers[0].planes["elevation"] = np.zeros((7, 7), "i2")
    battlemap.layers[0].planes["elevation"].flat[cell] = height
    return battlemap, cell


def edge_planes(battlemap: BattleMap) -> EdgePlanes:
    """What the rules look at."""
    return EdgePlanes.of(battlemap.system, battlemap.composite())


@every_layout
@pytest.mark.parametrize("code", [SLOPE, CLIFF])
def test_slopes_and_cliffs_belong_to_the_higher_cell(layout: Layout, code: int) -> None:
    battlemap, cell = hill(layout, 2)
    planes = edge_planes(battlemap)
    grid = battlemap.grid
    for side in range(grid.degree):
        other = grid.neighbour(cell, side)
        back = grid.opposite(side)
        for here in ((cell, side), (other, back)):
            assert owner_of_edge(planes, COLOSSUS, grid, *here, code) == (cell, side)
            assert owner_of_edge(planes, COLOSSUS, grid, *here, RIVER) == here
            assert owner_of_edge(planes, COLOSSUS, grid, *here, 0) == here


def test_a_dune_belongs_to_the_sand_whatever_the_heights() -> None:
    battlemap, cell = hill(FLAT, 2)
    other = battlemap.grid.neighbour(cell, 1)
    battlemap.layers[0].planes["terrain"] = np.zeros((7, 7), "u2")
    battlemap.layers[0].planes["terrain"].flat[other] = SAND
    planes = edge_planes(battlemap)
    assert owner_of_edge(planes, COLOSSUS, battlemap.grid, cell, 1, DUNE) == (other, 4)
    assert owner_of_edge(planes, COLOSSUS, battlemap.grid, other, 4, DUNE) == (other, 4)


def test_at_the_rim_there_is_no_other_cell() -> None:
    battlemap, _cell = hill(FLAT, 2)
    planes = edge_planes(battlemap)
    assert owner_of_edge(planes, COLOSSUS, battlemap.grid, 0, 0, SLOPE) == (0, 0)


@every_layout
def test_a_hill_gets_slopes_or_cliffs_all_round_from_either_side(layout: Layout) -> None:
    for height, code in ((1, SLOPE), (2, CLIFF)):
        battlemap, cell = hill(layout, height)
        planes = edge_planes(battlemap)
        grid = battlemap.grid
        expected = [cell * grid.degree + side for side in range(grid.degree)]
        for cells in (grid.cells, np.array([cell]), disc(grid, cell, 2)):
            index, codes = fitting_edges(grid, planes, COLOSSUS, cells)
            assert index.tolist() == expected
            assert codes.tolist() == [code] * grid.degree
        others = np.array(sorted(set(disc(grid, cell, 1).tolist()) - {cell}))
        found = fitting_edges(grid, planes, COLOSSUS, others, [code])[0].tolist()
        assert set(found) == {
            cell * grid.degree + side
            for side in range(grid.degree)
            if grid.neighbour(cell, side) in others
        }
        assert fitting_edges(grid, planes, COLOSSUS, grid.cells, [DUNE])[0].tolist() == []


def test_edges_that_have_a_hexside_are_left_alone() -> None:
    battlemap, cell = hill(FLAT, 1)
    other = battlemap.grid.neighbour(cell, 2)
    hexside = np.zeros((7, 7, 6), "u1")
    hexside.reshape(-1, 6)[other, 5] = hexside.reshape(-1, 6)[cell, 0] = RIVER
    battlemap.layers[0].planes["hexside"] = hexside
    index, _codes = fitting_edges(
        battlemap.grid, edge_planes(battlemap), COLOSSUS, np.array([cell])
    )
    assert (index % 6).tolist() == [1, 3, 4, 5]


# --- along a path ---------------------------------------------------------------------------------


def ends(grid: Grid, edge: tuple[int, int]) -> set[tuple[float, float]]:
    cell, side = edge
    corners = (grid.corner(cell, side), grid.corner(cell, side + 1))
    return {(round(x, 4), round(y, 4)) for x, y in corners}


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_edges_along_a_path_hang_together_from_end_to_end(layout: Layout) -> None:
    grid = Grid(layout, 20, 20)
    a = grid.cell(6, 6)
    b = grid.cell(9, 12)
    start = grid.corner(a, 0)
    end = grid.corner(b, 2)
    near = 0.99  # a little inside the cells
    (ax, ay) = grid.centre(a)
    (bx, by) = grid.centre(b)
    path = [
        (ax + (start[0] - ax) * near, ay + (start[1] - ay) * near),
        (bx + (end[0] - bx) * near, by + (end[1] - by) * near),
    ]
    edges = along_path(grid, path)
    assert len(edges) == len(set(edges))
    assert (round(start[0], 4), round(start[1], 4)) in ends(grid, edges[0])
    assert (round(end[0], 4), round(end[1], 4)) in ends(grid, edges[-1])
    for one, other in itertools.pairwise(edges):
        assert len(ends(grid, one) & ends(grid, other)) == 1
    assert len(edges) < 2 * math.dist(start, end) + 2


@given(grids(), st.lists(st.tuples(st.floats(-3, 14), st.floats(-9, 14)), max_size=6))
def test_every_edge_of_a_path_is_one_that_two_cells_share(
    grid: Grid, points: list[tuple[float, float]]
) -> None:
    edges = along_path(grid, points)
    for edge in edges:
        twin = grid.twin(*edge)
        assert twin is not None
        assert edge <= twin
    assert len(edges) == len(set(edges))


@pytest.mark.parametrize("layout", [FLAT, POINTY, OBLIQUE], ids=lambda layout: layout.name)
def test_a_path_goes_on_across_the_seam(layout: Layout) -> None:
    grid = Grid(layout, 8, 6, None, True)
    y = grid.centre(grid.cell(0, 3))[1]
    path = [(grid.period * share, y) for share in (0.85, 0.95, 0.999, 0.05, 0.15)]
    edges = along_path(grid, path)
    assert 3 <= len(edges) <= 9


def test_a_hole_of_the_board_ends_the_way() -> None:
    mask = np.zeros((1, 9), np.bool_)
    mask[0, [0, 8]] = True
    grid = Grid(SQUARE, 9, 1, mask)
    assert along_path(grid, [(0.0, 0.1), (8.0, 0.1)]) == []


def test_an_edge_at_which_a_rule_fits_from_both_cells_gets_one_hexside() -> None:
    step = Hexside("Step", "s", "#808080", drops=(-1, 1))
    level = replace(COLOSSUS, hexsides=(step,))
    battlemap, cell = hill(FLAT, 0)
    fitting = fitting_edges(battlemap.grid, edge_planes(battlemap), level, np.array([cell]))
    assert len(fitting.sides) == battlemap.grid.degree
