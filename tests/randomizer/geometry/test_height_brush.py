"""Height brushes: what they do to single corners, at edges and limits, and on any way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from randomizer.geometry.bumps import FULL_HEIGHT, bumps
from randomizer.geometry.cell_elevations import roughen_elevations
from randomizer.geometry.height_brush import (
    FINE,
    HeightBrush,
    HeightMode,
    HeightStroke,
    SlopeEnd,
    slope,
)
from randomizer.geometry.symmetry import best_centre, kinds
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.planes.corners import corners_of, existing_corners

LIMITS = (0, 0xFFFE)
RAISE, LOWER, SMOOTH, FLATTEN, LEVEL, ROUGHEN = HeightMode

brushes = st.builds(
    HeightBrush,
    st.sampled_from(list(HeightMode)),
    st.integers(0, 4),
    st.integers(0, 100),
    st.integers(1, 70_000),
    st.integers(1, 100),
    level=st.integers(0, 0xFFFE),
)


def flat(width: int, height: int, value: int = 100) -> np.ndarray:
    return np.full((height + 1, width + 1), value, "u2")


@st.composite
def lands(draw: st.DrawFn) -> tuple[Grid, np.ndarray]:
    """A grid of squares, perhaps with holes, and heights over the whole range."""
    width = draw(st.integers(1, 6))
    height = draw(st.integers(1, 6))
    size = width * height
    exist = draw(st.lists(st.booleans(), min_size=size, max_size=size).filter(any))
    mask = np.array(exist).reshape(height, width) if draw(st.booleans()) else None
    few = st.sampled_from([0, 1, 99, 5000, 0xFFFD, 0xFFFE])
    count = (width + 1) * (height + 1)
    heights = draw(st.lists(few, min_size=count, max_size=count))
    return Grid(SQUARE, width, height, mask), np.array(heights, "u2").reshape(height + 1, -1)


def stroked(
    grid: Grid, heights: np.ndarray, brush: HeightBrush, *ways: tuple[int, int]
) -> np.ndarray:
    """The heights after a stroke that goes from corner to corner."""
    stroke = HeightStroke(grid, heights, brush, LIMITS)
    result = heights.astype(np.int64)
    for start, end in ways:
        change = stroke.preview_change(start, end)
        result.flat[change.corners] = change.heights
        stroke.apply_change(change)
    return result


def test_one_corner_is_raised_and_lowered() -> None:
    grid = Grid(SQUARE, 2, 2)
    middle = (4, 4)
    raised = stroked(grid, flat(2, 2), HeightBrush(RAISE, 0, amount=7), middle)
    assert raised.tolist() == [[100, 100, 100], [100, 107, 100], [100, 100, 100]]
    lowered = stroked(grid, flat(2, 2), HeightBrush(LOWER, 0, amount=7), middle)
    assert lowered[1, 1] == 93


def test_a_hard_brush_is_round_and_a_soft_one_fades() -> None:
    grid = Grid(SQUARE, 6, 6)
    middle = (24, 24)
    hard = stroked(grid, flat(6, 6, 0), HeightBrush(RAISE, 3, 0, 8), middle)
    assert hard[3].tolist() == [8] * 7
    assert hard[0].tolist() == [0, 0, 0, 8, 0, 0, 0]
    soft = stroked(grid, flat(6, 6, 0), HeightBrush(RAISE, 3, 100, 800), middle)
    row = soft[3].tolist()
    assert row[3] == 800
    assert row[:4] == sorted(row[:4])
    assert row == row[::-1]
    assert 0 < row[0] < 200


def test_smoothing_leads_to_the_mean_of_the_neighbours_that_there_are() -> None:
    grid = Grid(SQUARE, 2, 2)
    heights = flat(2, 2, 0)
    heights[0, 0] = 400
    smooth = HeightBrush(SMOOTH, 0)
    assert stroked(grid, heights, smooth, (0, 0))[0, 0] == 100  # three neighbours
    assert stroked(grid, heights, smooth, (4, 4))[1, 1] == 44  # eight: 400 / 9
    assert stroked(grid, heights, HeightBrush(SMOOTH, 0, strength=50), (0, 0))[0, 0] == 250
    mask = np.array([[True, False], [False, False]])
    assert stroked(Grid(SQUARE, 2, 2, mask), heights, smooth, (0, 0))[0, 0] == 100


def test_flattening_and_levelling_lead_to_the_level() -> None:
    grid = Grid(SQUARE, 3, 1)
    heights = np.array([[10, 20, 30, 40], [50, 60, 70, 80]], "u2")
    flattened = stroked(grid, heights, HeightBrush(FLATTEN, 0, level=20), (1, 1), (1, 3))
    assert flattened.tolist() == [[10, 20, 20, 20], [50, 60, 70, 80]]
    half_way = HeightBrush(LEVEL, 0, strength=50, level=100)
    half = stroked(grid, heights, half_way, (0, 0), (0, 3))
    assert half.tolist() == [[55, 60, 65, 70], [50, 60, 70, 80]]


@given(lands(), brushes, st.data())
@settings(max_examples=40)
def test_heights_stay_within_the_limits_and_only_existing_corners_change(
    land: tuple[Grid, np.ndarray], brush: HeightBrush, data: st.DataObject
) -> None:
    grid, heights = land
    some = st.integers(0, heights.size - 1)
    way = data.draw(some), data.draw(some)
    stroke = HeightStroke(grid, heights, brush, LIMITS)
    fine = heights.astype(np.int64) * FINE
    for _ in range(3):
        change = stroke.preview_change(*way)
        assert ((change.heights >= LIMITS[0]) & (change.heights <= LIMITS[1])).all()
        assert (np.diff(change.corners) > 0).all()
        assert existing_corners(grid).flat[change.corners].all()
        assert ((change.weights > 0) & (change.weights <= FINE)).all()
        if brush.mode is RAISE:
            assert (change.fine >= fine.flat[change.corners]).all()
        if brush.mode is LOWER:
            assert (change.fine <= fine.flat[change.corners]).all()
        fine.flat[change.corners] = change.fine
        stroke.apply_change(change)
        stroke.begin_next_round()


@given(lands(), brushes, st.data())
@settings(max_examples=40)
def test_a_way_has_the_same_result_however_it_is_divided(
    land: tuple[Grid, np.ndarray], brush: HeightBrush, data: st.DataObject
) -> None:
    grid, heights = land
    length = data.draw(st.integers(1, grid.width))
    whole = stroked(grid, heights, brush, (0, 0), (0, length))
    steps = [(x, x + 1) for x in range(length)]
    assert np.array_equal(stroked(grid, heights, brush, (0, 0), *steps), whole)
    again = [(x + 1, x) for x in reversed(range(length))]
    assert np.array_equal(stroked(grid, heights, brush, (0, 0), *steps, *again), whole)


@given(brushes, st.data(), st.integers(1, 6), st.integers(1, 6))
@settings(max_examples=40)
def test_symmetric_strokes_on_symmetric_heights_are_symmetric(
    brush: HeightBrush, data: st.DataObject, width: int, height: int
) -> None:
    grid = Grid(SQUARE, width, height)
    symmetry = best_centre(grid, data.draw(st.sampled_from([kind for kind, _ in kinds(grid)[1:]])))
    everywhere = np.arange((width + 1) * (height + 1))
    images = symmetry.corner_images(grid, everywhere)
    groups = np.where(images < 0, everywhere.size, images).min(axis=0)
    values = data.draw(st.lists(st.integers(0, 400), min_size=groups.size, max_size=groups.size))
    heights = np.array(values, "u2")[groups].reshape(height + 1, width + 1)
    whole = (images >= 0).all()
    some = st.integers(0, heights.size - 1)
    stroke = HeightStroke(grid, heights, brush, LIMITS, symmetry)
    result = heights.astype(np.int64).ravel()
    for _ in range(2):
        change = stroke.preview_change(data.draw(some), data.draw(some))
        result[change.corners] = change.heights
        stroke.apply_change(change)
        if whole:
            for image in images:
                assert np.array_equal(result[image], result)
        else:
            assert change.missing or (symmetry.corner_images(grid, change.corners) >= 0).all()


@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_twins_of_corners_are_the_corners_of_twins(
    width: int, height: int, data: st.DataObject
) -> None:
    grid = Grid(SQUARE, width, height)
    symmetry = best_centre(grid, data.draw(st.sampled_from([kind for kind, _ in kinds(grid)[1:]])))
    cells = grid.cells
    for row, images in enumerate(symmetry.images(grid, cells)):
        for cell, image in zip(cells.tolist(), images.tolist(), strict=True):
            if image >= 0:
                corners = corners_of(grid, np.array([cell]))[0]
                twins = symmetry.corner_images(grid, corners)[row]
                assert set(twins.tolist()) == set(corners_of(grid, np.array([image]))[0].tolist())


@pytest.mark.parametrize("mode", list(HeightMode))
def test_rounds_of_one_unit_add_up_at_the_soft_edge(mode: HeightMode) -> None:
    grid = Grid(SQUARE, 4, 4)
    brush = HeightBrush(mode, 2, 100, 1, 1, level=500)
    heights = flat(4, 4, 100)
    heights[2, 2] = 300
    stroke = HeightStroke(grid, heights, brush, LIMITS)
    result = heights.astype(np.int64)
    for _ in range(40):
        change = stroke.preview_change(12, 12)
        result.flat[change.corners] = change.heights
        stroke.apply_change(change)
        stroke.begin_next_round()
    assert len(np.unique(result[2, :3])) == 3  # a slope, no step


def test_rough_land_is_the_same_for_the_same_key_and_has_bumps_not_spikes() -> None:
    grid = Grid(SQUARE, 40, 40)
    heights = flat(40, 40, 5000)
    middle = (20 * 41 + 20,) * 2
    brush = HeightBrush(ROUGHEN, 18, soft=0, amount=100, key=7)
    rough = stroked(grid, heights, brush, middle)
    assert np.array_equal(rough, stroked(grid, heights, brush, middle))
    other = HeightBrush(ROUGHEN, 18, soft=0, amount=100, key=8)
    assert not np.array_equal(rough, stroked(grid, heights, other, middle))
    part = rough[10:31, 10:31]
    assert 4900 <= part.min() < 4970
    assert 5030 < part.max() <= 5100
    beside, apart = (np.abs(np.diff(part[:, ::step], axis=1)).mean() for step in (1, 6))
    assert beside < 0.7 * apart


@given(st.integers(0, 2**32), st.lists(st.integers(0, 5000), min_size=1, max_size=20))
def test_bumps_are_at_most_as_high_as_they_may_be(key: int, places: list[int]) -> None:
    columns = np.array(places, np.intp)
    assert (np.abs(bumps(key, columns, columns[::-1])) <= FULL_HEIGHT).all()


@given(
    st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(0, 900)),
    st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(0, 900)),
    st.integers(0, 4),
    st.integers(0, 100),
)
def test_a_slope_is_straight_between_its_ends_and_reaches_no_farther(one, other, radius, soft):
    assume(one[:2] != other[:2])
    points = np.stack(np.meshgrid(np.arange(13.0), np.arange(13.0)), axis=-1).reshape(-1, 2)
    before = np.full(len(points), 450, np.int64)
    brush = HeightBrush(LEVEL, radius, soft)
    after, on_slope = slope(points, before, SlopeEnd(*one), SlopeEnd(*other), brush)
    low, _, high = sorted((one[2], other[2], 450))
    assert ((after >= low) & (after <= high)).all()
    assert (after[~on_slope] == 450).all()
    back, _ = slope(points, before, SlopeEnd(*other), SlopeEnd(*one), brush)
    assert (np.abs(after - back) <= 1).all()
    x, y = (points - one[:2]).T
    dx = other[0] - one[0]
    dy = other[1] - one[1]
    shares = (x * dx + y * dy) / (dx * dx + dy * dy)
    between = (x * dy == y * dx) & (shares >= 0) & (shares <= 1)
    expected = one[2] + shares * (other[2] - one[2])
    assert np.allclose(after[between], expected[between], atol=0.51)


def test_rough_elevations_stay_within_the_step_and_follow_their_keys() -> None:
    cells = np.arange(200)
    elevation = np.full((10, 20), 5, "i2")
    rough = roughen_elevations(elevation, cells, cells, 2)
    assert set(rough.tolist()) == {3, 4, 5, 6, 7}
    assert len(set(roughen_elevations(elevation, cells, cells * 0 + 9, 2).tolist())) == 1
