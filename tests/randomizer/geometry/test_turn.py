"""Turns and mirrors map every layout onto itself."""

from __future__ import annotations

import math

import numpy as np
import pytest

from randomizer.geometry.turn import Turn, axis_words, left_right, reflection, rotation, top_bottom
from randomizer.model.grid.layouts import LAYOUTS, Layout

every_turn = pytest.mark.parametrize(
    "turn",
    [
        Turn(layout, first, mirrors)
        for layout in LAYOUTS
        for mirrors in (False, True)
        for first in range(layout.degree)
    ],
    ids=lambda turn: f"{turn.layout.name}-{'mirror' if turn.mirrors else 'turn'}{turn.first}",
)
every_layout = pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)


def in_map_units(layout: Layout, q: int, r: int) -> tuple[float, float]:
    (qx, qy), (rx, ry) = layout.basis
    return q * qx + r * rx, q * qy + r * ry


@every_turn
def test_neighbours_stay_neighbours_across_the_side_that_turned_along(turn: Turn) -> None:
    for side, step in enumerate(turn.layout.steps):
        assert turn.apply(*step) == turn.layout.steps[turn.side(side)]


@every_turn
def test_points_and_directions_turn_as_cells_do(turn: Turn) -> None:
    for q, r in ((1, 0), (0, 1), (2, -3)):
        x, y = in_map_units(turn.layout, q, r)
        assert turn.point(x, y) == pytest.approx(in_map_units(turn.layout, *turn.apply(q, r)))
        angle = turn.angle(math.degrees(math.atan2(x, -y)))
        to_x, to_y = turn.point(x, y)
        assert math.cos(math.radians(angle - math.degrees(math.atan2(to_x, -to_y)))) > 1 - 1e-9
        assert 0 <= angle < 360


@every_turn
def test_values_of_sides_come_to_the_sides_that_they_belong_to(turn: Turn) -> None:
    values = np.arange(2 * turn.layout.degree).reshape(2, -1)
    moved = turn.turn_sides(values)
    for side in range(turn.layout.degree):
        assert moved[:, turn.side(side)].tolist() == values[:, side].tolist()


@every_layout
def test_left_and_right_or_top_and_bottom_change_places(layout: Layout) -> None:
    assert left_right(layout).point(3.0, 5.0) == pytest.approx((-3.0, 5.0))
    assert top_bottom(layout).point(3.0, 5.0) == pytest.approx((3.0, -5.0))
    assert rotation(layout, layout.degree + 1) == rotation(layout, 1)


@every_layout
def test_every_axis_has_words_and_stays_where_it_is(layout: Layout) -> None:
    words = {axis_words(layout, axis) for axis in range(layout.degree)}
    assert len(words) == layout.degree
    for axis in range(0, layout.degree, 2):
        assert reflection(layout, axis).side(axis // 2) == axis // 2
    assert axis_words(layout, 0).startswith(layout.side_names[0])


@every_turn
def test_no_turn_puts_a_text_upside_down_or_a_level_one_aslant(turn: Turn) -> None:
    assert turn.text_angle(0.0) == 0.0
    for degrees in (20.0, 75.0, 300.0):
        angle = turn.text_angle(degrees)
        assert angle <= 90 or angle >= 270
        off_line = (angle - turn.angle(degrees)) % 180
        assert min(off_line, 180 - off_line) < 1e-9
