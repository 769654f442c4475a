"""Arms of a road that forks beside a river meet on a bank; each that crosses has its bridge."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from app.render.cell_geometry import apothem
from app.render.scene.routes.courses import Course, lines
from app.render.scene.routes.crossings import crossing_points
from app.render.scene.routes.ribbons import points_along
from app.systems.cordery.table.forks import FORK_SIDES, meeting_on_bank
from randomizer.model.planes.routes import PRESENT
from randomizer.systems.cordery.system import table_grid
from tests.app.cordery_tables import table_with
from tests.app.systems.cordery.table.test_landscape import drawn

WATER_SIDES = [
    (first, last) for first, last in combinations(range(6), 2) if last - first in (2, 3, 4)
]


def arms_by_bank(river: tuple[int, int], road: int) -> tuple[int, int]:
    """The numbers of a road's arms between both sides of a river, and beyond them."""
    arms = [side for side in range(6) if road >> side & 1]
    between = sum(river[0] < side < river[1] for side in arms)
    return between, len(arms) - between


@pytest.mark.parametrize("river", WATER_SIDES)
def test_all_arms_meet_and_those_of_the_other_bank_cross_the_river_once(qapp, river):
    layout = table_grid("hex", 9, 8).layout
    river_course = Course(1 << river[0] | 1 << river[1], middle=True)
    river_lines = lines(layout, river_course, 0.0)
    for sides in range(1 << 6):
        if sides & river_course.sides or sides.bit_count() < FORK_SIDES:
            continue
        road = Course(sides, middle=True)
        road = road._replace(meeting=meeting_on_bank(layout, road, river_course, "road"))
        road_lines = lines(layout, road, 0.0)
        hub = road.hub(layout)
        for line in road_lines:
            distances = [
                np.hypot(point.x() - hub.x(), point.y() - hub.y())
                for point in points_along(line, 101)
            ]
            assert min(distances) < 0.02 * apothem(layout)
        crossings = crossing_points(road_lines, river_lines)
        assert len(crossings) == min(arms_by_bank(river, sides)), bin(sides)


def test_a_river_that_ends_has_a_round_end_and_no_ring(qapp):
    """The water of its last area has one colour from the side on, where the ring was."""
    east = PRESENT | 1 << 1
    west = PRESENT | 1 << 4
    river = {(1, 2): east, (2, 2): west | east, (3, 2): west}
    battlemap = table_with("hex", {"river": river})
    picture = drawn(battlemap)
    bare = drawn(table_with("hex", {}))
    is_water = np.abs(picture - bare).max(axis=2) > 40
    rows, columns = np.nonzero(is_water)
    middle_row = int(np.median(rows))
    along = is_water[middle_row, columns.min() + 4 : columns.max() - 4]
    assert along.mean() > 0.97, "no ground shows in the middle of the water"
    ends = is_water[:, columns.min() + 1].sum()
    assert 0 < ends < is_water[:, int(np.median(columns))].sum(), "the end is round"
