"""Areas of cells: what their names promise, on every layout, across seams and round holes."""

from __future__ import annotations

import itertools
from collections import deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.geometry import areas, flood, neighbourhoods, shapes
from randomizer.geometry.lasso import lasso
from randomizer.geometry.swept_area import swept_disc
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, OBLIQUE, POINTY, SQUARE, Layout
from tests.randomizer.grid_strategies import grids, grids_and_cells

every_layout = pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)


@st.composite
def grids_and_areas(draw: st.DrawFn) -> tuple[Grid, areas.Cells]:
    """A grid and any of its cells, perhaps none or all."""
    grid = draw(grids())
    marks = np.resize(np.frombuffer(draw(st.binary(min_size=1, max_size=9)), "u1") & 1, grid.size)
    return grid, grid.cells[marks[grid.cells] == 1]


def is_area(grid: Grid, cells: areas.Cells) -> bool:
    found = cells.tolist()
    return (
        cells.dtype == np.intp
        and found == sorted(set(found))
        and all(grid.exists(cell) for cell in found)
    )


def within(grid: Grid, cell: int, radius: int) -> set[int]:
    """The cells that lie at most ``radius`` steps away; holes may be stepped over."""
    whole = Grid(grid.layout, grid.width, grid.height, None, grid.wrap)
    found = {cell}
    for _ in range(radius):
        found |= {near for here in found for near in whole.neighbours(here)}
    return {here for here in found if grid.exists(here)}


@every_layout
@pytest.mark.parametrize("radius", range(6))
def test_a_disc_is_a_filled_hexagon(layout: Layout, radius: int) -> None:
    grid = Grid(layout, 40, 40)
    x = 20 if layout is not OBLIQUE else 10
    cells = shapes.disc(grid, grid.cell(x, 20), radius)
    assert len(cells) == (
        (2 * radius + 1) ** 2 if layout is SQUARE else 1 + 3 * radius * (radius + 1)
    )


@given(grids_and_cells(), st.integers(0, 4))
def test_a_disc_of_hexes_holds_what_is_near_enough(place: tuple[Grid, int], radius: int) -> None:
    grid, cell = place
    disc = shapes.disc(grid, cell, radius)
    assert is_area(grid, disc)
    near = set(disc.tolist())
    if grid.degree == 6:
        # On a narrow board the way round a corner of it may be longer than over the lattice.
        assert within(grid, cell, radius) <= near
    else:
        x, y = grid.xy(cell)
        assert grid.cell(x, y) in near


@given(grids_and_cells(), st.integers(0, 4))
def test_a_bar_lies_in_one_row(place: tuple[Grid, int], half: int) -> None:
    grid, cell = place
    x, y = grid.xy(cell)
    bar = shapes.bar(grid, cell, half)
    assert is_area(grid, bar)
    expected = {grid.cell(column, y) for column in range(x - half, x + half + 1)} - {-1}
    assert set(bar.tolist()) == expected


@given(grids(), st.data())
def test_a_line_has_no_gaps_and_both_ends(grid: Grid, data: st.DataObject) -> None:
    start, end = (data.draw(st.sampled_from(grid.cells.tolist())) for _ in range(2))
    line = shapes.line(grid, start, end)
    assert is_area(grid, line)
    path = shapes.path(grid, start, end).tolist()
    assert set(path) == set(line.tolist())
    assert (path[0], path[-1]) == (start, end)
    if grid.mask is None and grid.layout is not OBLIQUE:  # a slanting rim takes its pieces out
        for here, there in itertools.pairwise(path):
            near = [here, *grid.neighbours(here)]
            if grid.layout is SQUARE:  # squares may meet at a corner
                near += [far for cell in near for far in grid.neighbours(cell)]
            assert there in near


@every_layout
def test_a_line_takes_the_shorter_way_round_the_world(layout: Layout) -> None:
    grid = Grid(layout, 20, 6, None, True)
    west = grid.cell(1, 2)
    east = grid.cell(18, 2)
    assert len(shapes.line(grid, west, east)) == 4
    assert len(shapes.line(Grid(layout, 20, 6), west, east)) == 18


@every_layout
def test_a_line_of_hexes_is_as_long_as_the_way(layout: Layout) -> None:
    grid = Grid(layout, 30, 30)
    path = shapes.path(grid, grid.cell(14, 3), grid.cell(16, 20)).tolist()
    for here, there in itertools.pairwise(path):
        near = grid.neighbours(here)
        assert there in near or layout is SQUARE
    assert len(set(path)) == len(path)


@pytest.mark.parametrize("layout", [FLAT, POINTY, SQUARE], ids=lambda layout: layout.name)
def test_a_rectangle_covers_columns_and_rows(layout: Layout) -> None:
    grid = Grid(layout, 9, 8)
    cells = shapes.rectangle(grid, grid.cell(6, 1), grid.cell(3, 5))
    assert sorted(grid.xy(cell) for cell in cells.tolist()) == [
        (x, y) for x in range(3, 7) for y in range(1, 6)
    ]


@pytest.mark.parametrize("wrap", [False, True])
def test_a_rectangle_of_an_oblique_world_stands_upright(wrap: bool) -> None:
    grid = Grid(OBLIQUE, 20, 12, None, wrap)
    a = grid.cell_at(*grid.centre(grid.cell(3, 8)))
    b = grid.cell(10, 2)
    cells = shapes.rectangle(grid, a, b)
    assert is_area(grid, cells)
    at = grid.centres_of(cells)
    ends = sorted(grid.centre(cell)[0] for cell in (a, b))
    assert len(np.unique(at[:, 1])) == 7
    assert at[:, 0].min() >= ends[0] - 1
    assert at[:, 0].max() <= ends[1] + 1


@every_layout
def test_a_parallelogram_runs_along_the_axes(layout: Layout) -> None:
    grid = Grid(layout, 20, 20)
    a = grid.cell(9, 7)
    b = grid.cell(11, 9)
    cells = shapes.parallelogram(grid, a, b)
    assert is_area(grid, cells)
    q, r = areas.axial_of(grid, cells)
    (aq, ar) = grid.axial(9, 7)
    (bq, br) = grid.axial(11, 9)
    assert len(cells) == (abs(aq - bq) + 1) * (abs(ar - br) + 1)
    assert {q.min(), q.max()} == {aq, bq}
    assert {r.min(), r.max()} == {ar, br}


corners = st.tuples(st.floats(-4, 16), st.floats(-12, 12))


@given(grids(), st.lists(corners, min_size=0, max_size=7))
def test_a_lasso_holds_the_centres_inside_it(grid: Grid, points: list[tuple[float, float]]) -> None:
    cells = lasso(grid, points)
    assert is_area(grid, cells)
    chosen = set(cells.tolist())
    for cell in grid.cells.tolist():
        x, y = grid.centre(cell)
        inside = False
        near = False
        for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1], strict=True):
            reach = abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1))
            near |= reach < 1e-6 or any(
                abs(one - other) < 1e-6 for one, other in ((x1, x), (x2, x), (y1, y), (y2, y))
            )
            if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
                inside = not inside
        if not near:  # on an edge either is right
            assert (cell in chosen) == (inside and len(points) > 2)


@given(grids_and_areas())
def test_an_area_grows_by_its_neighbours(place: tuple[Grid, areas.Cells]) -> None:
    grid, cells = place
    grown = neighbourhoods.grow(grid, cells)
    assert is_area(grid, grown)
    around = {near for cell in cells.tolist() for near in grid.neighbours(cell)}
    assert set(grown.tolist()) == around | set(cells.tolist())


@given(grids_and_areas())
def test_an_area_shrinks_where_something_is_outside(place: tuple[Grid, areas.Cells]) -> None:
    grid, cells = place
    inside = set(cells.tolist())
    kept = {cell for cell in inside if set(grid.neighbours(cell)) <= inside}
    assert set(neighbourhoods.shrink(grid, cells).tolist()) == kept


@given(grids_and_areas())
def test_inverting_twice_changes_nothing(place: tuple[Grid, areas.Cells]) -> None:
    grid, cells = place
    others = neighbourhoods.invert(grid, cells)
    assert sorted([*cells.tolist(), *others.tolist()]) == grid.cells.tolist()
    assert neighbourhoods.invert(grid, others).tolist() == cells.tolist()


@given(grids_and_areas())
def test_the_border_is_where_an_area_ends(place: tuple[Grid, areas.Cells]) -> None:
    grid, cells = place
    inside = set(cells.tolist())
    expected = [
        [cell, side]
        for cell in cells.tolist()
        for side in range(grid.degree)
        if grid.neighbour(cell, side) not in inside
    ]
    assert sorted(neighbourhoods.border(grid, cells).tolist()) == expected


# --- flood fill -----------------------------------------------------------------------------------


def reached(
    grid: Grid, values: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], cell: int
) -> list[int]:
    found = {cell}
    ahead = deque([cell])
    while ahead:
        for near in grid.neighbours(ahead.popleft()):
            if near not in found and values.flat[near] == values.flat[cell]:
                found.add(near)
                ahead.append(near)
    return sorted(found)


@given(grids_and_cells(), st.binary(min_size=1, max_size=40))
def test_a_fill_reaches_what_a_walk_reaches(place: tuple[Grid, int], pattern: bytes) -> None:
    grid, cell = place
    values = (np.resize(np.frombuffer(pattern, "u1"), grid.size) & 1).reshape(grid.height, -1)
    expected = reached(grid, values, cell)
    assert flood.contiguous(grid, values, cell).tolist() == expected
    same = values == values.flat[cell]
    if grid.mask is not None:
        same &= grid.mask
    assert flood.connected_runs(grid, same, cell).tolist() == expected


@every_layout
@pytest.mark.parametrize("wrap", [False, True])
def test_a_fill_of_many_cells_reaches_what_a_walk_reaches(layout: Layout, wrap: bool) -> None:
    mask = np.random.default_rng(2).random((90, 120)) < 0.9
    grid = Grid(layout, 120, 90, mask, wrap)
    values = (np.random.default_rng(1).random((90, 120)) < 0.25).astype("u1")
    cell = int(np.flatnonzero(mask & (values == 0))[4000])
    found = flood.contiguous(grid, values, cell)
    assert len(found) > flood.SMALL_AREA
    assert found.tolist() == reached(grid, values, cell)


@given(grids_and_cells())
def test_all_of_the_same_are_found_everywhere(place: tuple[Grid, int]) -> None:
    grid, cell = place
    values = np.arange(grid.size) % 3
    assert flood.same_value(grid, values, cell).tolist() == [
        other_cell for other_cell in grid.cells.tolist() if values[other_cell] == values[cell]
    ]


def test_a_brush_swept_over_a_hole_of_the_map_covers_both_sides_of_it() -> None:
    mask = np.ones((20, 5), np.bool_)
    mask[5:15] = False
    grid = Grid(SQUARE, 5, 20, wrap=True, mask=mask)
    line = shapes.path(grid, grid.cell(2, 1), grid.cell(2, 18))
    rows = {grid.xy(cell)[1] for cell in swept_disc(grid, line, 1).tolist()}
    assert rows == {0, 1, 2, 3, 4, 15, 16, 17, 18, 19}
