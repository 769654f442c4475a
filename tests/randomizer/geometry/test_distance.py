"""Distances between cells, also around the seam of a world."""

from __future__ import annotations

import pytest

from randomizer.geometry.distance import distance, steps_to, straight_lines
from randomizer.geometry.shapes import path
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, OBLIQUE, SQUARE


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
@pytest.mark.parametrize("wrap", [False, True])
def test_steps_are_those_of_a_walk_over_all_neighbours(layout, wrap):
    grid = Grid(layout, 8, 6, wrap=wrap)
    goal = grid.cell(1, 4)
    walked = {goal: 0}
    ring = [goal]
    while ring:
        nearest = ring.pop(0)
        for neighbour in grid.neighbours(nearest):
            if neighbour not in walked:
                walked[neighbour] = walked[nearest] + 1
                ring.append(neighbour)
    steps = steps_to(grid, goal)
    assert {cell: steps(cell) for cell in walked} == walked


@pytest.mark.parametrize("wrap", [False, True])
def test_a_straight_line_of_hexes_passes_as_many_as_there_are_steps(wrap):
    grid = Grid(OBLIQUE, 12, 9, wrap=wrap)
    for start, end in ((0, 40), (3, 100), (13, 11), (50, 57)):
        assert len(path(grid, start, end)) == distance(grid, start, end).steps + 1


def test_squares_have_diagonals_and_a_straight_line():
    grid = Grid(SQUARE, 10, 10)
    measured = distance(grid, grid.cell(1, 1), grid.cell(4, 5))
    assert (measured.steps, measured.moves, measured.straight) == (7, 4, 5.0)


def test_a_straight_row_of_hexes_is_as_long_as_its_steps():
    grid = Grid(FLAT, 10, 10)
    measured = distance(grid, grid.cell(2, 1), grid.cell(2, 8))
    assert measured.steps == 7
    assert measured.straight == pytest.approx(7)


def test_a_line_across_the_seam_leaves_the_map_at_both_ends():
    grid = Grid(SQUARE, 10, 4, wrap=True)
    start = grid.cell(1, 2)
    end = grid.cell(9, 2)
    assert distance(grid, start, end) == (2, 2, 2.0)
    assert straight_lines(grid, start, end) == [((1, 2), (-1, 2)), ((11, 2), (9, 2))]
