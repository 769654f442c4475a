"""Cheapest paths over costs of cells, on every layout, across the seam and along ways."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.geometry.cheapest_path import (
    StepCosts,
    cheapest_path,
    path_to_nearest,
    paths_from,
)
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, SQUARE


def plain_totals(grid, costs, start):
    """Bellman and Ford's algorithm, as in a textbook."""
    totals = [np.inf] * grid.size
    totals[start] = 0.0
    for _round in range(grid.size):
        for cell in range(grid.size):
            for neighbour in grid.neighbours(cell):
                totals[neighbour] = min(totals[neighbour], totals[cell] + costs[neighbour])
    return totals


@given(
    st.sampled_from(LAYOUTS),
    st.booleans(),
    st.lists(st.sampled_from([0.0, 1.0, 2.5, 7.0, np.inf]), min_size=24, max_size=24),
    st.integers(0, 23),
    st.integers(0, 23),
)
def test_paths_are_as_cheap_as_those_of_a_textbook(layout, wrap, costs, start, goal):
    grid = Grid(layout, 6, 4, wrap=wrap)
    costs = np.array(costs)
    expected = plain_totals(grid, costs, start)
    tree = paths_from(grid, StepCosts(costs), (start,))
    assert [tree.totals.get(cell, np.inf) for cell in range(grid.size)] == pytest.approx(expected)
    path = cheapest_path(grid, StepCosts(costs), start, goal)
    if np.isinf(expected[goal]):
        assert path == []
        return
    assert (path[0], path[-1]) == (start, goal)
    assert all(there in grid.neighbours(here) for here, there in itertools.pairwise(path))
    assert sum(costs[cell] for cell in path[1:]) == pytest.approx(expected[goal])


def test_a_path_stays_within_a_corridor():
    grid = Grid(SQUARE, 4, 3)
    within = np.ones(12, np.bool_)
    within[[1, 5]] = False
    costs = StepCosts(np.ones(12), within=within)
    assert cheapest_path(grid, costs, 0, 3) == [0, 4, 8, 9, 10, 6, 2, 3]
    within[9] = False
    assert cheapest_path(grid, costs, 0, 3) == []


def test_a_path_follows_a_road_that_is_cheaper_than_the_ground():
    grid = Grid(SQUARE, 5, 2)
    links = np.zeros(grid.size, np.uint8)
    for cell in range(5, 9):  # along the lower row
        links[cell] |= 1 << 1
        links[cell + 1] |= 1 << 3
    ground = np.full(grid.size, 4.0)
    assert cheapest_path(grid, StepCosts(ground), 0, 4) == [0, 1, 2, 3, 4]
    assert cheapest_path(grid, StepCosts(ground, links, 0.5), 0, 4) == [0, 5, 6, 7, 8, 9, 4]


def test_a_path_ends_at_the_nearest_of_several_goals():
    grid = Grid(FLAT, 9, 1)
    costs = StepCosts(np.ones(9))
    assert path_to_nearest(grid, costs, 4, (0, 7)) == [4, 5, 6, 7]
    assert path_to_nearest(grid, costs, 4, ()) == []


def test_negative_costs_are_refused():
    with pytest.raises(ValueError, match="must not be below 0"):
        StepCosts(np.array([1.0, -1.0]))
