"""What terrain types cover of altitude and moisture, and the edges that they share."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.systems.xconq.world.coverage import NO_TYPE, Box, coverage
from randomizer.systems.xconq.world.relief import PERCENTS
from randomizer.systems.xconq.world.shared_edges import (
    LIMITS,
    Edge,
    movable_range,
    move_edges,
    shared_edges,
)

ALL = Box(0, 100, 0, 100)
STANDARD = tuple(
    Box(*limits)
    for limits in zip(
        [0, 68, 69, 70, 70, 70, 93, 99],
        [68, 69, 71, 93, 93, 93, 99, 100],
        [0, 0, 50, 0, 20, 80, 0, 0],
        [100, 100, 100, 20, 80, 100, 100, 100],
        strict=True,
    )
)
SEA, SHALLOWS, SWAMP, DESERT, PLAINS, FOREST, MOUNTAINS, ICE = range(8)

percentages = st.one_of(st.integers(-5, 105), st.integers(0, 100))
any_boxes = st.lists(st.builds(Box, percentages, percentages, percentages, percentages), max_size=6)


def first_holding(boxes, alt, wet):
    return next((index for index, box in enumerate(boxes) if box.holds(alt, wet)), NO_TYPE)


@given(any_boxes)
@settings(max_examples=40)
def test_each_pair_goes_to_the_first_type_that_holds_it(boxes):
    winners = coverage(boxes).winners
    for alt in (0, 1, 50, 68, 99, 100):
        for wet in range(0, PERCENTS, 7):
            assert winners[alt, wet] == first_holding(boxes, alt, wet)


@given(any_boxes)
@settings(max_examples=40)
def test_gaps_hold_each_pair_that_no_type_takes_once(boxes):
    found = coverage(boxes)
    times = np.zeros((PERCENTS, PERCENTS), int)
    for gap in found.gaps:
        assert gap.size
        times[gap.min_alt : gap.max_alt + 1, gap.min_wet : gap.max_wet + 1] += 1
    assert (times == (found.winners == NO_TYPE)).all()


@given(any_boxes)
@settings(max_examples=40)
def test_overlaps_are_the_pairs_that_two_types_ask_for(boxes):
    found = {(overlap.first, overlap.second): overlap.box for overlap in coverage(boxes).overlaps}
    for second in range(len(boxes)):
        for first in range(second):
            box = found.get((first, second))
            for alt in range(0, PERCENTS, 9):
                for wet in range(0, PERCENTS, 9):
                    both = boxes[first].holds(alt, wet) and boxes[second].holds(alt, wet)
                    assert both == (box is not None and box.holds(alt, wet))


def test_a_type_without_limits_leaves_no_gap():
    assert coverage([ALL]).gaps == ()
    assert coverage([]).gaps == (ALL,)


def test_gaps_are_few():
    cross = [Box(0, 40, 0, 40), Box(60, 100, 0, 40), Box(0, 40, 60, 100), Box(60, 100, 60, 100)]
    assert len(coverage(cross).gaps) == 3


def test_the_standard_types_have_no_gap_and_meet_at_the_same_percentage():
    found = coverage(STANDARD)
    assert found.gaps == ()
    assert all(overlap.is_seam for overlap in found.overlaps if SWAMP not in overlap)
    swamp = next(overlap for overlap in found.overlaps if overlap[:2] == (SWAMP, FOREST))
    assert swamp.box == Box(70, 71, 80, 100)
    assert not swamp.is_seam


def test_an_edge_is_shared_with_all_types_along_its_line():
    edges = shared_edges(STANDARD, Edge(DESERT, LIMITS.index("max-alt")))
    assert edges[0] == (DESERT, 1)
    assert set(edges) == {(DESERT, 1), (PLAINS, 1), (FOREST, 1), (MOUNTAINS, 0)}


def test_limits_that_follow_one_another_are_shared_too():
    boxes = [Box(0, 49, 0, 100), Box(50, 100, 0, 60), Box(50, 100, 61, 100)]
    assert set(shared_edges(boxes, Edge(0, 1))) == {(0, 1), (1, 0), (2, 0)}
    assert set(shared_edges(boxes, Edge(1, 3))) == {(1, 3), (2, 2)}


def test_the_edge_of_the_chart_is_shared_with_nobody():
    assert shared_edges(STANDARD, Edge(SEA, 0)) == ((SEA, 0),)


def test_a_type_stops_where_another_would_be_turned_round():
    edges = shared_edges(STANDARD, Edge(SEA, 1))
    assert set(edges) == {(SEA, 1), (SHALLOWS, 0)}
    assert movable_range(STANDARD, edges) == (-68, 1)
    after = move_edges(STANDARD, edges, 20)
    assert (after[SEA].max_alt, after[SHALLOWS].min_alt, after[SHALLOWS].max_alt) == (69, 69, 69)


def test_a_type_that_is_the_other_way_round_is_left_alone():
    turned = [Box(60, 40, 0, 100)]
    assert move_edges(turned, [Edge(0, 0)], 5) == tuple(turned)
    assert shared_edges([*turned, ALL], Edge(0, 0)) == ((0, 0),)


@given(any_boxes.filter(bool), st.data())
@settings(max_examples=40)
def test_moving_shared_edges_keeps_the_others_and_can_be_taken_back(boxes, data):
    edge = Edge(data.draw(st.integers(0, len(boxes) - 1)), data.draw(st.integers(0, 3)))
    edges = shared_edges(boxes, edge)
    by = data.draw(st.integers(-30, 30))
    down, up = movable_range(boxes, edges)
    by = min(max(by, down), up)
    after = move_edges(boxes, edges, by)
    for terrain, (old, new) in enumerate(zip(boxes, after, strict=True)):
        for limit in range(4):
            expected = old[limit] + by * (Edge(terrain, limit) in edges)
            assert new[limit] == expected
        assert old.min_alt > old.max_alt or new.min_alt <= new.max_alt
    assert move_edges(after, edges, -by) == tuple(boxes)
