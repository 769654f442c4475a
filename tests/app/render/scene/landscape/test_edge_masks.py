"""Edge masks: their lines meet from cell to cell, lie within one another and cover their sides."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt

from app.render.cell_geometry import side_ends, side_middle
from app.render.scene.landscape.edge_masks import LEVELS, VARIANTS, lines, region, runs
from randomizer.model.grid.layouts import FLAT, LAYOUTS, SQUARE

LAYOUT = st.sampled_from(LAYOUTS)
VARIANT = st.integers(0, VARIANTS - 1)
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


@given(masks(), VARIANT, LEVEL)
@settings(max_examples=40)
def test_a_mask_covers_its_sides_and_not_the_others_nor_the_middle(case, variant, level):
    layout, mask = case
    covered = region(layout, mask, variant, level)
    assert not holds(covered, QPointF(0, 0))
    for side in range(layout.degree):
        (ax, ay), (bx, by) = side_ends(layout, side)
        for share in (0.05, 0.5, 0.95):
            point = QPointF(ax + (bx - ax) * share, ay + (by - ay) * share) * 0.995
            if mask >> side & 1:
                assert holds(covered, point), (side, share)
        if not mask >> side & 1:
            assert not holds(covered, side_middle(layout, side) * 0.98)


@given(masks(), VARIANT, LEVEL)
@settings(max_examples=40)
def test_foam_lies_where_a_mask_ends_and_never_between_its_parts(case, variant, level):
    layout, mask = case
    outline = region(layout, mask, variant, level).toList()
    drawn = [line.toList() for line in lines(layout, mask, variant, level)]
    assert len(drawn) == len(runs(mask, layout.degree)) + (mask >> layout.degree).bit_count()
    for line in drawn:
        assert all(point in outline for point in line)
        steps = [math.hypot(b.x() - a.x(), b.y() - a.y()) for a, b in pairwise(line)]
        assert max(steps) < 0.3


@given(masks(), VARIANT)
@settings(max_examples=40)
def test_the_lines_of_one_variant_lie_within_one_another(case, variant):
    layout, mask = case

    def area(level):
        points = region(layout, mask, variant, level).toList()
        pairs = zip(points, points[1:] + points[:1], strict=True)
        return abs(sum(p.x() * q.y() - q.x() * p.y() for p, q in pairs)) / 2

    areas = [area(level) for level in range(LEVELS)]
    assert areas == sorted(areas, reverse=True)
    assert areas[-1] > 0


def reach_on_side(layout, mask, variant, level, side, corner):
    """How far along ``side`` from one of its corners (0 or 1) a mask covers it."""
    ends = side_ends(layout, side)
    (ax, ay), (bx, by) = ends if not corner else ends[::-1]
    covered = region(layout, mask, variant, level)
    length = math.hypot(bx - ax, by - ay)
    steps = 400
    for step in range(1, steps):
        share = step / steps
        point = QPointF(ax + (bx - ax) * share, ay + (by - ay) * share)
        if not holds(covered, point):
            return share * length
    return length


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
@pytest.mark.parametrize("level", [0, LEVELS - 1])
def test_the_lines_of_two_cells_meet_on_the_side_between_them(layout, level):
    """Whatever lies beyond the other sides, and in whichever variants."""
    reaches = set()
    for count in range(1, layout.degree - 1):
        for variant in range(VARIANTS):
            mask = (1 << count) - 1
            last = reach_on_side(layout, mask, variant, level, count, 0)
            first = reach_on_side(layout, mask, variant, level, layout.degree - 1, 1)
            reaches |= {round(last, 2), round(first, 2)}
    if layout is SQUARE:
        for variant in range(VARIANTS):
            reaches.add(round(reach_on_side(layout, 1 << 4, variant, level, 0, 0), 2))
            reaches.add(round(reach_on_side(layout, 1 << 4, variant, level, 3, 1), 2))
    assert max(reaches) - min(reaches) <= 0.011


@pytest.mark.parametrize("variant", range(VARIANTS))
def test_a_coast_fills_bays_more_than_it_leaves_straight_sides(variant):
    """Else it would follow the zigzag of hexes."""

    def depth(count):
        """How far into the cell the ground beyond ``count`` sides reaches, in their middle."""
        covered = region(FLAT, (1 << count) - 1, variant, LEVELS - 1)
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

    side = depth(1) - (1 - math.sqrt(3) / 2)
    assert depth(2) > side
    assert depth(3) - (1 - math.sqrt(3) / 2) > side


def test_the_lines_of_sides_are_not_alike_in_all_variants():
    rows = [region(FLAT, 1, variant, LEVELS - 1).boundingRect() for variant in range(VARIANTS)]
    depths = [box.height() for box in rows]
    assert max(depths) - min(depths) > 0.08


def test_runs_of_sides():
    assert runs(0b000111, 6) == [(0, 3)]
    assert runs(0b100001, 6) == [(5, 2)]
    assert runs(0b010101, 6) == [(0, 1), (2, 1), (4, 1)]
    assert runs(0b1111, 4) == [(0, 4)]
    assert runs(0b1110000, 4) == []


@pytest.mark.parametrize("variant", range(VARIANTS))
def test_a_slanting_edge_of_squares_cuts_them_along_their_diagonal(variant):
    """Beyond the north and the west lies land: the line goes from the north-east to the south-west
    and is nowhere as deep as the middle, nor far from the diagonal.
    """
    north_and_west = 1 << 0 | 1 << 3
    (line,) = lines(SQUARE, north_and_west, variant, LEVELS - 1)
    away = [(point.x() + point.y()) / math.sqrt(2) for point in line.toList()]
    middle = away[len(away) // 2]
    assert -0.33 < middle < 0, "negative is towards the corner between both sides, which is at -0.7"
