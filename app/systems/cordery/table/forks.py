"""Finds where the arms of a road meet in a cell through which a river runs: on one of its banks.

An *arm* is the piece of the road from the meeting point to a side of the cell. On the bank that has
most of the arms, these join each other on dry land, and only the others cross the river.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF

from app.render.cell_geometry import apothem
from app.render.scene.routes.courses import Course, lines
from app.render.scene.routes.ribbons import POINTS, normals_of, points_along
from app.render.scene.routes.route_lines import WIDTHS
from randomizer.model.grid.layouts import Layout

FORK_SIDES = 3
"""The fewest sides of a road that forks."""

SHORE = 0.1
"""The distance between the edges of the river and of the road where its arms meet.

It is a share of the distance from a cell's centre to a side.
"""


def meeting_on_bank(layout: Layout, road: Course, river: Course, style: str) -> tuple[float, float]:
    """Return where the arms of a road of this ``style`` meet: on the bank with most of its arms.

    The result is x and y in map units from the cell's centre. ``river`` crosses two sides of the
    cell, so that it is a single line from one to the other.

    To find the bank of an arm, go clockwise round the cell from where the river comes in: all sides
    before the one where it goes out are on its left.
    """
    (line,) = lines(layout, river, 0.0)
    points = points_along(line)
    start_deg = _direction_deg(points[0])
    end_deg = _direction_deg(points[-1])
    arms_on_left = 0
    arms_on_right = 0
    for side in range(layout.degree):
        if road.sides >> side & 1:
            arm_deg = _direction_deg(road.crossing(layout, side))
            if (arm_deg - start_deg) % 360 < (end_deg - start_deg) % 360:
                arms_on_left += 1
            else:
                arms_on_right += 1

    middle = POINTS // 2
    to_bank = normals_of(points)[middle]  # normals point to the right of the line
    if arms_on_left > arms_on_right:
        to_bank = -to_bank
    from_river = ((WIDTHS["water"] + WIDTHS[style]) / 2 + SHORE) * apothem(layout)
    meeting = points[middle] + to_bank * from_river
    return meeting.x(), meeting.y()


def _direction_deg(point: QPointF) -> float:
    """Return the direction from the cell's centre to a point, in degrees clockwise."""
    return math.degrees(math.atan2(point.y(), point.x()))
