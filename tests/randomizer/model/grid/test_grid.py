"""Grids of every layout: neighbours, places and points agree with one another and the sources."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from randomizer.model.grid.box import Box
from randomizer.model.grid.cells_in_box import cells_in_box
from randomizer.model.grid.grid import FAR, Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, OBLIQUE, POINTY, ROOT3, SQUARE, Layout
from tests.counting import calls_of
from tests.randomizer.grid_strategies import grids, grids_and_cells, near, points

every_layout = pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)


def area(corners: list[tuple[float, float]]) -> float:
    """The area of a polygon, positive if it runs clockwise on a screen (y down)."""
    pairs = zip(corners, corners[1:] + corners[:1], strict=True)
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs) / 2


def midpoint(grid: Grid, cell: int, side: int) -> tuple[float, float]:
    (x1, y1) = grid.corner(cell, side)
    (x2, y2) = grid.corner(cell, side + 1)
    return (x1 + x2) / 2, (y1 + y2) / 2


def towards(a: tuple[float, float], b: tuple[float, float], share: float) -> tuple[float, float]:
    """The point that lies ``share`` of the way from ``a`` to ``b``."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


# --- neighbours ---------------------------------------------------------------------------------


@given(grids())
def test_the_neighbour_across_a_side_sees_the_same_edge(grid: Grid) -> None:
    for cell in grid.cells.tolist():
        for side in range(grid.degree):
            other = grid.neighbour(cell, side)
            if other < 0:
                assert grid.twin(cell, side) is None
                continue
            assert grid.exists(other)
            assert grid.twin(cell, side) == (other, grid.opposite(side))
            assert grid.neighbour(other, grid.opposite(side)) == cell
            assert grid.opposite(grid.opposite(side)) == side
        around = [grid.neighbour(cell, side) for side in range(grid.degree)]
        assert grid.neighbours(cell) == [other for other in around if other >= 0]


@given(grids())
def test_the_table_of_neighbours_holds_what_each_is_alone(grid: Grid) -> None:
    table = grid.neighbour_table
    assert table.shape == (grid.size, grid.degree)
    assert table.dtype == np.int32
    alone = [[grid.neighbour(cell, s) for s in range(grid.degree)] for cell in range(grid.size)]
    assert table.tolist() == alone


@given(grids(), st.integers(0, 5))
def test_no_cell_has_no_neighbours(grid: Grid, side: int) -> None:
    masked = [cell for cell in range(grid.size) if not grid.exists(cell)]
    for cell in (-1, grid.size, *masked):
        assert grid.neighbour(cell, side % grid.degree) == -1
        assert grid.neighbours(cell) == []
        assert not grid.exists(cell)


@given(grids(wraps=False))
def test_neighbours_share_an_edge_and_no_other_cell_is_as_near(grid: Grid) -> None:
    apart = 1.0 if grid.degree == 4 else ROOT3
    centres = {cell: grid.centre(cell) for cell in grid.cells.tolist()}
    for cell, centre in centres.items():
        near = [
            c for c, at in centres.items() if c != cell and math.dist(centre, at) < 1.01 * apart
        ]
        assert sorted(near) == sorted(grid.neighbours(cell))
        for side in range(grid.degree):
            other = grid.neighbour(cell, side)
            if other >= 0:
                back = grid.opposite(side)
                assert grid.corner(cell, side) == pytest.approx(grid.corner(other, back + 1))
                assert grid.corner(cell, side + 1) == pytest.approx(grid.corner(other, back))


@every_layout
def test_a_side_lies_where_its_name_says(layout: Layout) -> None:
    grid = Grid(layout, 1, 1)
    cx, cy = grid.centre(0)
    for side, name in enumerate(layout.side_names):
        x, y = midpoint(grid, 0, side)
        assert ("east" in name, "west" in name) == (x > cx + 0.1, x < cx - 0.1)
        assert ("south" in name, "north" in name) == (y > cy + 0.1, y < cy - 0.1)


def test_squares_have_sides_north_east_south_west() -> None:
    grid = Grid(SQUARE, 3, 3)
    assert SQUARE.side_names == ("north", "east", "south", "west")
    assert [grid.neighbour(4, side) for side in range(4)] == [1, 5, 7, 3]


def test_oblique_hexes_have_xconqs_neighbours() -> None:
    """Steps in (x, y) as the project's fact sheet on Xconq records them."""
    grid = Grid(OBLIQUE, 9, 9)
    steps = {
        "north-east": (0, 1),
        "east": (1, 0),
        "south-east": (1, -1),
        "south-west": (0, -1),
        "west": (-1, 0),
        "north-west": (-1, 1),
    }
    assert tuple(steps) == OBLIQUE.side_names
    for side, (dx, dy) in enumerate(steps.values()):
        assert grid.xy(grid.neighbour(grid.cell(4, 4), side)) == (4 + dx, 4 + dy)


def test_oblique_rows_climb_and_lean_to_the_right() -> None:
    grid = Grid(OBLIQUE, 4, 4)
    for x in range(4):
        for y in range(3):
            (x0, y0) = grid.centre(grid.cell(x, y))
            (x1, y1) = grid.centre(grid.cell(x, y + 1))
            assert (x1 - x0, y1 - y0) == pytest.approx((ROOT3 / 2, -1.5))


def test_odd_rows_of_pointy_hexes_lie_half_a_hex_to_the_right() -> None:
    grid = Grid(POINTY, 4, 5)
    for y in range(5):
        for x in range(4):
            shift = ROOT3 / 2 if y % 2 else 0
            assert grid.centre(grid.cell(x, y)) == pytest.approx((x * ROOT3 + shift, y * 1.5))


def test_odd_columns_of_flat_hexes_lie_half_a_hex_lower() -> None:
    grid = Grid(FLAT, 5, 4)
    for y in range(4):
        for x in range(5):
            shift = ROOT3 / 2 if x % 2 else 0
            assert grid.centre(grid.cell(x, y)) == pytest.approx((x * 1.5, y * ROOT3 + shift))


@given(grids_and_cells(wraps=True))
def test_a_row_that_wraps_has_no_rim_to_the_side(place: tuple[Grid, int]) -> None:
    grid, cell = place
    x, y = grid.xy(cell)
    assert grid.cell(x + grid.width, y) == grid.cell(x - 3 * grid.width, y) == cell
    assert grid.cell(x, grid.height) == grid.cell(x, -1) == -1
    if grid.mask is None:
        for side, name in enumerate(grid.layout.side_names):
            if name in ("east", "west"):
                assert grid.neighbour(cell, side) >= 0


# --- coordinates --------------------------------------------------------------------------------


@given(grids(), st.integers(-1000, 1000), st.integers(-1000, 1000))
def test_axial_and_file_coordinates_are_inverse(grid: Grid, x: int, y: int) -> None:
    assert grid.offset(*grid.axial(x, y)) == (x, y)
    assert grid.axial(*grid.offset(x, y)) == (x, y)
    arrays = grid.axial(np.array([x, y]), np.array([y, x]))
    assert [array.tolist() for array in arrays] == [
        [grid.axial(x, y)[0], grid.axial(y, x)[0]],
        [grid.axial(x, y)[1], grid.axial(y, x)[1]],
    ]
    back = grid.offset(*arrays)
    assert [array.tolist() for array in back] == [[x, y], [y, x]]


@given(grids())
def test_cells_are_the_existing_indices_in_order(grid: Grid) -> None:
    found = [cell for cell in range(grid.size) if grid.exists(cell)]
    assert grid.cells.tolist() == found
    for cell in range(grid.size):
        assert grid.cell(*grid.xy(cell)) == (cell if grid.exists(cell) else -1)


@pytest.mark.parametrize(("width", "height"), [(0, 3), (3, 0), (-1, 1)])
def test_a_grid_has_at_least_one_cell(width: int, height: int) -> None:
    with pytest.raises(ValueError, match="at least one cell"):
        Grid(FLAT, width, height)


def test_a_mask_has_the_shape_of_its_grid() -> None:
    with pytest.raises(ValueError, match=r"the mask has shape \(3, 2\), the grid \(2, 3\)"):
        Grid(FLAT, 3, 2, np.ones((3, 2), np.bool_))


def test_a_mask_belongs_to_its_grid_alone() -> None:
    mask = np.ones((2, 3), np.bool_)
    grid = Grid(SQUARE, 3, 2, mask)
    mask[0, 0] = False
    assert grid.exists(0)
    assert grid.mask is not None
    with pytest.raises(ValueError, match="read-only"):
        grid.mask[0, 0] = False


def test_columns_wrap_only_where_the_seam_fits() -> None:
    with pytest.raises(ValueError, match="even in number"):
        Grid(FLAT, 3, 3, wrap=True)
    Grid(POINTY, 3, 3, wrap=True)


# --- shapes -------------------------------------------------------------------------------------


@every_layout
def test_corners_run_clockwise_around_a_cell_of_the_right_size(layout: Layout) -> None:
    grid = Grid(layout, 1, 1)
    corners = grid.outline(0)
    assert len(corners) == layout.degree
    assert area(corners) == pytest.approx(1.0 if layout.degree == 4 else 1.5 * ROOT3)
    assert grid.corner(0, layout.degree) == grid.corner(0, 0)


@given(grids())
def test_bounds_enclose_every_outline_and_touch_them(grid: Grid) -> None:
    corners = np.array([grid.outline(cell) for cell in grid.cells.tolist()]).reshape(-1, 2)
    assert grid.bounds == pytest.approx((*corners.min(axis=0), *corners.max(axis=0)))


def test_a_grid_that_is_masked_away_has_no_bounds() -> None:
    grid = Grid(FLAT, 2, 2, np.zeros((2, 2), np.bool_))
    assert grid.cells.tolist() == []
    with pytest.raises(ValueError, match="no bounds"):
        _ = grid.bounds


@given(grids())
def test_all_centres_are_each_cells_centre(grid: Grid) -> None:
    assert grid.centres() == pytest.approx(np.array([grid.centre(c) for c in range(grid.size)]))


# --- points -------------------------------------------------------------------------------------


@given(grids(), st.lists(points, max_size=30))
@example(Grid(FLAT, 2, 2, wrap=True), [(1e300, -1e300), (math.nan, 0), (0, math.inf), (FAR, 0)])
def test_many_points_find_what_each_finds_alone(
    grid: Grid, places: list[tuple[float, float]]
) -> None:
    found = grid.cells_at(np.array(places, np.float64).reshape(-1, 2))
    assert found.tolist() == [grid.cell_at(*place) for place in places]
    assert found.dtype == np.intp


@given(grids(wraps=False), st.tuples(near, near))
def test_a_point_lies_on_the_cell_with_the_nearest_centre(
    grid: Grid, point: tuple[float, float]
) -> None:
    found = grid.cell_at(*point)
    distances = {cell: math.dist(point, grid.centre(cell)) for cell in grid.cells.tolist()}
    if found >= 0:
        assert distances[found] <= min(distances.values()) + 1e-9
    else:
        inner = 0.5 if grid.degree == 4 else ROOT3 / 2
        assert min(distances.values()) >= inner - 1e-9


@given(grids_and_cells())
def test_the_centre_of_a_cell_lies_on_it(place: tuple[Grid, int]) -> None:
    grid, cell = place
    x, y = grid.centre(cell)
    hit = grid.hit(x, y)
    assert hit is not None
    assert hit.cell == cell
    assert hit.depth == pytest.approx(0, abs=1e-9)


@given(grids_and_cells(), st.floats(0.02, 0.98), st.floats(0.5, 0.999))
def test_a_point_just_inside_a_side_hits_it(
    place: tuple[Grid, int], along: float, out: float
) -> None:
    grid, cell = place
    for side in range(grid.degree):
        edge = towards(grid.corner(cell, side), grid.corner(cell, side + 1), along)
        hit = grid.hit(*towards(grid.centre(cell), edge, out))
        assert hit is not None
        assert (hit.cell, hit.side) == (cell, side)
        assert hit.depth == pytest.approx(out)


@given(grids_and_cells(), st.floats(0.02, 0.98))
def test_a_point_just_across_a_side_hits_its_twin(place: tuple[Grid, int], along: float) -> None:
    grid, cell = place
    for side in range(grid.degree):
        edge = towards(grid.corner(cell, side), grid.corner(cell, side + 1), along)
        hit = grid.hit(*towards(grid.centre(cell), edge, 1.001))
        twin = grid.twin(cell, side)
        assert (None if hit is None else (hit.cell, hit.side)) == twin
        if hit is not None:
            assert hit.depth == pytest.approx(1, abs=0.01)


@given(grids_and_cells(), st.floats(0.02, 0.98))
def test_a_point_on_an_edge_goes_to_either_cell(place: tuple[Grid, int], along: float) -> None:
    grid, cell = place
    for side in range(grid.degree):
        edge = towards(grid.corner(cell, side), grid.corner(cell, side + 1), along)
        assert grid.cell_at(*edge) in (cell, grid.neighbour(cell, side))


@given(grids_and_cells(wraps=True), st.integers(-3, 3), st.floats(0.1, 0.9))
def test_a_map_that_wraps_looks_the_same_one_turn_on(
    place: tuple[Grid, int], turns: int, out: float
) -> None:
    grid, cell = place
    round_once = grid.width * (1.5 if grid.layout is FLAT else ROOT3 if grid.degree == 6 else 1.0)
    for side in range(grid.degree):
        x, y = towards(grid.centre(cell), midpoint(grid, cell, side), out)
        hit = grid.hit(x + turns * round_once, y)
        assert hit is not None
        assert (hit.cell, hit.side) == (cell, side)
        assert hit.depth == pytest.approx(out)


@every_layout
def test_the_inner_part_of_a_cell_means_the_cell_and_the_rest_a_side(layout: Layout) -> None:
    grid = Grid(layout, 1, 1)
    for side in range(layout.degree):
        for out, near_edge in ((0.79, False), (0.81, True)):
            hit = grid.hit(*towards(grid.centre(0), midpoint(grid, 0, side), out))
            assert hit is not None
            assert hit.near_edge is near_edge


def test_points_off_the_map_hit_nothing() -> None:
    grid = Grid(FLAT, 2, 2, np.array([[True, False], [True, True]]))
    assert grid.hit(-5, 0) is None
    assert grid.hit(*Grid(FLAT, 2, 2).centre(1)) is None
    assert grid.hit(math.nan, 0) is None


def test_a_million_cells_are_worked_on_at_once() -> None:
    grid = Grid(FLAT, 1000, 1000)
    assert calls_of(lambda: grid.neighbour_table) < 1000
    assert calls_of(lambda: grid.cells_at(grid.centres())) < 1000
    assert grid.neighbour_table.nbytes == 24_000_000
    assert np.array_equal(grid.cells_at(grid.centres()), np.arange(1_000_000))


# --- what large maps need: parts of a grid, by cost of the part -----------------------------------


def _some_grids() -> list[Grid]:
    mask = np.ones((5, 6), np.bool_)
    mask[0, :2] = mask[4, 5] = False
    plain = [Grid(layout, 6, 5) for layout in LAYOUTS]
    masked = [Grid(layout, 6, 5, mask) for layout in LAYOUTS]
    wrapped = [Grid(layout, 6, 5, wrap=True) for layout in LAYOUTS]
    return [*plain, *masked, *wrapped, Grid(OBLIQUE, 6, 5, wrap=True, lean=True)]


def _words(grid: Grid) -> str:
    return f"{grid.layout.name}-{'m' if grid.mask is not None else ''}{'w' if grid.wrap else ''}"


@pytest.mark.parametrize("grid", _some_grids(), ids=_words)
@given(
    left=st.floats(-12, 22), top=st.floats(-14, 14), width=st.floats(0, 20), height=st.floats(0, 20)
)
def test_the_cells_in_a_box_are_those_whose_centres_lie_there(grid, left, top, width, height):
    centres = {cell: grid.centre(cell) for cell in grid.cells.tolist()}
    expected = [
        cell
        for cell, (x, y) in centres.items()
        if left <= x <= left + width and top <= y <= top + height
    ]
    cells, points = cells_in_box(grid, Box(left, top, left + width, top + height))
    assert cells.tolist() == expected
    assert np.array_equal(points, grid.centres_of(cells))


@pytest.mark.parametrize("grid", _some_grids(), ids=_words)
def test_many_centres_and_neighbours_at_once_are_those_one_by_one(grid):
    cells = grid.cells
    assert grid.centres_of(cells) == pytest.approx(np.array([grid.centre(c) for c in cells]))
    for side in range(grid.degree):
        expected = [grid.neighbour(cell, side) for cell in cells.tolist()]
        assert grid.neighbours_of(cells, side).tolist() == expected
        assert grid.all_neighbours_of(cells)[side].tolist() == expected


@pytest.mark.parametrize("grid", _some_grids(), ids=_words)
def test_bounds_hold_every_corner_and_no_more(grid):
    corners = [point for cell in grid.cells.tolist() for point in grid.outline(cell)]
    xs, ys = zip(*corners, strict=True)
    assert grid.bounds == pytest.approx((min(xs), min(ys), max(xs), max(ys)))


@given(width=st.integers(1, 9), height=st.integers(1, 9))
def test_an_oblique_world_that_wraps_stands_upright_and_leans_on_demand(width, height):
    grid = Grid(OBLIQUE, width, height, wrap=True)
    left, _, right, _ = grid.bounds
    assert right - left <= (width + 0.5) * ROOT3 + 1e-9
    leaning = Grid(OBLIQUE, width, height, wrap=True, lean=True)
    for cell in grid.cells.tolist():
        here = grid.centre(cell)
        there = leaning.centre(cell)
        assert here[1] == there[1]
        turns = (there[0] - here[0]) / grid.period
        assert turns == pytest.approx(round(turns))
        assert grid.cell_at(*here) == cell == leaning.cell_at(*there)


def test_a_mask_without_holes_has_the_cells_of_no_mask() -> None:
    whole = Grid(FLAT, 4, 3)
    masked = Grid(FLAT, 4, 3, mask=np.ones((3, 4), np.bool_))
    with_hole = Grid(FLAT, 4, 3, mask=np.eye(3, 4) == 0)
    assert whole.same_as(masked)
    assert masked.same_as(whole)
    assert not whole.same_as(with_hole)
    assert not with_hole.same_as(masked)
