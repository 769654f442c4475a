"""Edge masks: their lines meet from cell to cell, lie within one another and cover their sides."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt

from app.render.cell_geometry import side_ends, side_middle
from app.render.pictures.ground_phase import phases_at
from app.render.scene.landscape import edge_masks
from app.render.scene.landscape.edge_masks import EdgeMask, lines, region, runs
from app.render.scene.landscape.edge_patches import patches
from app.render.scene.landscape.edge_shapes import (
    PLAIN,
    SHAPES,
    phase_of_shape,
    shapes_at,
)
from app.render.scene.landscape.stored_lines import LEVELS
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, SQUARE
from tests.counting import watched_calls

LAYOUT = st.sampled_from(LAYOUTS)
SHAPE = st.integers(PLAIN, 32)
LEVEL = st.integers(0, LEVELS - 1)


@st.composite
def masks(draw):
    """A layout and a mask of it: any sides, and corners of squares beside none of them."""
    layout = draw(LAYOUT)
    mask = draw(st.integers(0 if layout is SQUARE else 1, (1 << layout.degree) - 1))
    if layout is SQUARE:
        free = [c for c in range(4) if not (mask >> c & 1 or mask >> (c - 1) % 4 & 1)]
        for corner in free:
            mask |= draw(st.booleans()) << 4 + corner
        mask = mask or 1
    return layout, mask


def holds(polygon, point):
    return polygon.containsPoint(point, Qt.FillRule.WindingFill)


@given(masks(), SHAPE, LEVEL)
@settings(max_examples=40)
def test_a_mask_covers_its_sides_and_not_the_others_nor_the_middle(case, shape, level):
    layout, mask = case
    covered = region(EdgeMask(layout, mask, shape), level)
    innermost = region(EdgeMask(layout, mask, shape), LEVELS - 1)
    assert not holds(innermost, QPointF(0, 0))
    for side in range(layout.degree):
        (ax, ay), (bx, by) = side_ends(layout, side)
        for share in (0.05, 0.5, 0.95):
            # Just within the side: of some shapes the innermost strip is very thin at its middle.
            point = QPointF(ax + (bx - ax) * share, ay + (by - ay) * share) * 0.999
            if mask >> side & 1:
                assert holds(covered, point), (side, share)
        if not mask >> side & 1:
            assert not holds(covered, side_middle(layout, side) * 0.98)


@given(masks(), SHAPE, LEVEL)
@settings(max_examples=40)
def test_foam_lies_where_a_mask_ends_and_never_between_its_parts(case, shape, level):
    layout, mask = case
    outline = region(EdgeMask(layout, mask, shape), level).toList()
    drawn = [line.toList() for line in lines(EdgeMask(layout, mask, shape), level)]
    assert len(drawn) == len(runs(mask, layout.degree)) + (mask >> layout.degree).bit_count()
    for line in drawn:
        assert all(point in outline for point in line)
        steps = [math.hypot(b.x() - a.x(), b.y() - a.y()) for a, b in pairwise(line)]
        assert max(steps) < 0.3


@given(masks(), SHAPE)
@settings(max_examples=40)
def test_the_lines_of_one_shape_lie_within_one_another(case, shape):
    layout, mask = case

    def area(level):
        points = region(EdgeMask(layout, mask, shape), level).toList()
        pairs = zip(points, points[1:] + points[:1], strict=True)
        return abs(sum(p.x() * q.y() - q.x() * p.y() for p, q in pairs)) / 2

    areas = [area(level) for level in range(LEVELS)]
    assert areas == sorted(areas, reverse=True)
    assert areas[-1] > 0


def reach_on_side(layout, mask, shape, level, side, corner):
    """How far along ``side`` from one of its corners (0 or 1) a mask covers it."""
    ends = side_ends(layout, side)
    (ax, ay), (bx, by) = ends if not corner else ends[::-1]
    covered = region(EdgeMask(layout, mask, shape), level)
    length = math.hypot(bx - ax, by - ay)
    steps = 400
    for step in range(1, steps):
        share = step / steps
        point = QPointF(ax + (bx - ax) * share, ay + (by - ay) * share)
        if not holds(covered, point):
            return share * length
    return length


def shapes_of(grid):
    """The shape of every cell of a grid."""
    return shapes_at(grid.layout, grid.centres_of(grid.cells))


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
@pytest.mark.parametrize("level", [0, LEVELS - 1])
def test_the_lines_of_two_cells_meet_on_the_side_between_them(layout, level):
    """Land lies beyond the next side of one of them, at either end; all cross it elsewhere."""
    grid = Grid(layout, 5, 5)
    shapes = shapes_of(grid)
    degree = layout.degree
    reaches = []
    for cell in grid.cells.tolist():
        for side in range(degree):
            neighbour = grid.neighbour(cell, side)
            if neighbour < 0:
                continue
            opposite = (side + degree // 2) % degree
            land = 1 << (side - 1) % degree
            reach = reach_on_side(layout, land, shapes[cell], level, side, 0)
            land = 1 << (opposite + 1) % degree
            other = reach_on_side(layout, land, shapes[neighbour], level, opposite, 1)
            assert abs(reach - other) <= 0.011
            reaches.append(reach)
    assert max(reaches) - min(reaches) > 0.12


def test_lines_around_corners_of_squares_meet_those_of_sides():
    grid = Grid(SQUARE, 4, 4)
    shapes = shapes_of(grid)
    for cell in grid.cells.tolist():
        below = grid.neighbour(cell, 2)
        if below < 0:
            continue
        # Land lies at the lower left: at a corner of the cell, and beyond a side of the one below.
        at_corner = reach_on_side(SQUARE, 1 << 4 + 3, shapes[cell], LEVELS - 1, 2, 1)
        at_side = reach_on_side(SQUARE, 1 << 3, shapes[below], LEVELS - 1, 0, 0)
        assert abs(at_corner - at_side) <= 0.011


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_a_shape_shows_one_phase_of_the_grounds(layout):
    grid = Grid(layout, 30, 30)
    centres = grid.centres_of(grid.cells)
    shapes = shapes_at(layout, centres)
    assert [phase_of_shape(layout, shape) for shape in shapes.tolist()] == (
        phases_at(layout, centres).tolist()
    )
    assert PLAIN < shapes.min() <= shapes.max() < SHAPES


def turns_of(line):
    """How far a line turns at each of its points, in degrees."""
    points = line.toList()
    directions = [math.atan2(b.y() - a.y(), b.x() - a.x()) for a, b in pairwise(points)]
    return [abs(math.degrees(math.remainder(b - a, math.tau))) for a, b in pairwise(directions)]


def test_a_lone_pond_is_round():
    for shape in {PLAIN, *shapes_of(Grid(FLAT, 16, 16)).tolist()}:
        (line,) = lines(EdgeMask(FLAT, 0b111111, shape), LEVELS - 1)
        distances = [math.hypot(point.x(), point.y()) for point in line.toList()]
        assert max(distances) < 1.8 * min(distances), "no star"
        assert max(turns_of(line)) < 45


@pytest.mark.parametrize("mask", [0b1, 0b11, 0b1111, 0b11111])
def test_coasts_have_no_thorns(mask):
    for shape in {PLAIN, *shapes_of(Grid(FLAT, 16, 16)).tolist()}:
        for line in lines(EdgeMask(FLAT, mask, shape), LEVELS - 1):
            assert max(turns_of(line)) < 90


def test_a_coast_fills_bays_more_than_it_leaves_straight_sides():
    """Else it would follow the zigzag of hexes."""

    def depth(count, shape):
        """How far into the cell the ground beyond ``count`` sides reaches, in their middle."""
        covered = region(EdgeMask(FLAT, (1 << count) - 1, shape), LEVELS - 1)
        ax, ay = FLAT.corners[0]
        bx, by = FLAT.corners[count]
        angle = math.atan2(ay + by, ax + bx)
        steps = [step / 200 for step in range(200)]
        inside = [
            far
            for far in steps
            if holds(covered, QPointF(far * math.cos(angle), far * math.sin(angle)))
        ]
        return 1 - min(inside)

    shapes = range(1, 17)
    side, two_sides, three_sides = (
        sum(depth(count, shape) for shape in shapes) / len(shapes) for count in (1, 2, 3)
    )
    beyond_corners = 1 - math.sqrt(3) / 2
    assert two_sides > side - beyond_corners + 0.1
    assert three_sides > side + 0.1


def test_the_lines_of_sides_are_not_alike_in_all_shapes():
    rows = [region(EdgeMask(FLAT, 1, shape), LEVELS - 1).boundingRect() for shape in range(1, 17)]
    depths = [box.height() for box in rows]
    assert max(depths) - min(depths) > 0.2


def test_a_mask_reaches_over_its_own_sides_only():
    """Over the cell of a higher ground, below which it goes on, a line would show."""
    covered = region(EdgeMask(FLAT, 0b11, 5, overlapped_sides=0b01), LEVELS - 1)
    assert holds(covered, side_middle(FLAT, 0) * 1.02)
    assert not holds(covered, side_middle(FLAT, 1) * 1.03)


def test_patches_of_a_ground_are_scattered_beyond_its_line():
    beyond = 0
    for shape in range(1, 33):
        covered = region(EdgeMask(FLAT, 0b1, shape), LEVELS - 1)
        scattered = patches(EdgeMask(FLAT, 0b1, shape))
        beyond += any(not holds(covered, patch.boundingRect().center()) for patch in scattered)
    assert 10 < beyond < 32, "in many cells, but not in all"
    assert not patches(EdgeMask(FLAT, 0b1001, 5)), "none in a narrow way"
    assert not patches(EdgeMask(FLAT, 0b1, PLAIN)), "none from afar"


def test_only_levels_that_are_drawn_become_polygons_and_terrains_share_patches():
    with watched_calls(edge_masks._to_polygon) as polygons:  # nothing public tells what is made
        for level in (2, LEVELS - 1):
            region(EdgeMask(FLAT, 0b111, 17), level)
    assert len(polygons) == 2
    assert patches(EdgeMask(FLAT, 0b1, 17)) is patches(EdgeMask(FLAT, 0b1, 17))


def test_a_narrow_way_between_two_lands_stays_open():
    for shape in shapes_of(Grid(FLAT, 16, 16)).tolist():
        covered = region(EdgeMask(FLAT, 0b110110, shape), LEVELS - 1)
        for x, y in ((0, 0), (0.16, 0), (-0.16, 0), (0, 0.4), (0, -0.4), (0, 0.8), (0, -0.8)):
            assert not holds(covered, QPointF(x, y))


def test_runs_of_sides():
    assert runs(0b000111, 6) == [(0, 3)]
    assert runs(0b100001, 6) == [(5, 2)]
    assert runs(0b010101, 6) == [(0, 1), (2, 1), (4, 1)]
    assert runs(0b1111, 4) == [(0, 4)]
    assert runs(0b1110000, 4) == []


@pytest.mark.parametrize("shape", [PLAIN, 3, 40, 77])
def test_a_slanting_edge_of_squares_cuts_them_along_their_diagonal(shape):
    """Beyond the north and the west lies land: the line goes from the north-east to the south-west
    and is nowhere as deep as the middle, nor far from the diagonal.
    """
    north_and_west = 1 << 0 | 1 << 3
    (line,) = lines(EdgeMask(SQUARE, north_and_west, shape), LEVELS - 1)
    away = [(point.x() + point.y()) / math.sqrt(2) for point in line.toList()]
    middle = away[len(away) // 2]
    assert -0.33 < middle < 0, "negative is towards the corner between both sides, which is at -0.7"
