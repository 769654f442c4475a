"""Draws the crossings of routes: bridges, fords and level crossings.

``crossing_points`` tells where the lines of two routes cross in a cell, and ``draw_crossings_at``
draws a crossing at each of these points::

    points = crossing_points(road_lines, river_lines)
    draw_crossings_at(painter, layout, "bridge", points, width=0.19, length=0.48)

A crossing is drawn around (0, 0) and turned, so that the upper route runs along the x axis::

         |   lower route   |
     ==============================   one line of a bridge, along the upper route
    - - - - - - - - - - - - - - - -
     ==============================
         |<--- length ---->|

Lengths of crossings are shares of the distance from a cell's centre to a side, as in
``route_lines``; points are map units around the cell's centre.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPainterPath, QTransform

from app.appearance.painting import saved_state
from app.render.cell_geometry import apothem
from app.render.scene.routes.courses import Course, lines
from app.render.scene.routes.route_lines import (
    EDGE,
    FLAT,
    SLEEPER_LENGTH,
    WIDTHS,
    draw_route,
    route_pen,
    stroke_lines,
)
from randomizer.model.grid.layouts import Layout

FLAT_FINE = 200.0
"""Curves are scaled by this before Qt flattens them: it does so to about one unit."""

SAME_POINT = 0.1
"""Crossings nearer to each other than this, in map units, are one."""

LONGEST = 1.25
"""The box of a crossing reaches so far from the centre of its cell.

Routes cross within the cell, and are not so wide that a crossing would reach farther.
"""

STONE = "#4a4238"
"""The colour of bridges."""

BRIDGE_LINE = 0.075
"""The width of the lines along both sides of a bridge."""

WING_LENGTH = 0.12
"""How far the ends of these lines reach along the route beyond the bridge."""

WING_SPREAD = 0.16
"""How far these ends turn away from the route. With more, bridges look like funnels."""

PALE_STONE = "#e9e4d8"
"""The colour of the stones of a ford, and of the bed of long bridges."""

FORD_COLUMNS = 0.34
"""How far apart the stones along a ford are, as a share of its length."""

FORD_BULGE = 0.03
"""How much nearer to the route its middle stones are than the others."""

FORD_RADII = (0.085, 0.07)
"""The radii of a stone along the route and across it."""

GATE_WHITE = "#fffdf5"
GATE_RED = "#b3392f"
"""The colour of the stripes of a level crossing's gates."""

GATE_LINE = 0.13
"""The width of a gate."""

GATE_DISTANCE = 0.16
"""How far a gate is from the edge of the upper route."""

GATE_OVERHANG = 0.1
"""How far a gate reaches beyond both edges of the lower route."""

PLANK = 0.075
"""The width of a plank of a wooden bridge, about: planks are spread evenly."""

PLANK_OVERHANG = 0.06
"""How far a wooden bridge reaches beyond its length, at either end."""

RAIL_OVERHANG = 0.04
"""How far the rails of a wooden bridge reach beyond its deck, at either end."""

DECK = "#c4a878"
"""The colour of planks."""

DECK_SHADOW = QColor(26, 30, 38, 90)
PLANK_GAP = QColor(92, 66, 38, 130)
"""The colour of the gaps between planks."""

LONG_BRIDGE_WALLS = 0.27
"""How much wider a long bridge is than its route, with its walls."""

LONG_BRIDGE_BED = 0.12
"""How much wider than its route the bed of a long bridge is, within its walls."""


FORD_OUTLINE = 0.03
"""The width of the line around a stone of a ford."""

GAP_WIDTH = 0.018
"""The width of the gaps between planks."""

RAIL_WIDTH = 0.055
"""The width of the rails of a wooden bridge."""

SHADOW_SHIFT = (0.05, 0.07)
"""How far the shadow of a wooden bridge lies to the right and down."""


class CrossingKind(Enum):
    """The looks of crossings; the values explain the names."""

    BRIDGE = "a bridge as on maps: two lines"
    PLANK_BRIDGE = "a bridge of planks"
    FORD = "stones beside the route"
    LEVEL_CROSSING = "two gates"

    @classmethod
    def of(cls, name: str) -> CrossingKind:
        """Return the look of a kind of crossing (``CrossingSpec.kinds``).

        "plank bridge" and "ford" have their own; what else has "bridge" in its name is a bridge,
        and all others are level crossings.
        """
        if name == "plank bridge":
            return cls.PLANK_BRIDGE
        if name == "ford":
            return cls.FORD
        if "bridge" in name:
            return cls.BRIDGE
        return cls.LEVEL_CROSSING


class CrossingPoint(NamedTuple):
    """A point at which a route crosses another one, in map units around the cell's centre."""

    point: QPointF

    angle_deg: float
    """The direction of the upper route, clockwise from the right."""


def crossing_points(
    upper: Sequence[QPainterPath], lower: Sequence[QPainterPath]
) -> list[CrossingPoint]:
    """Return where the lines of two routes cross.

    Curves are compared as chains of short straight segments. Lines that cross at the joint of two
    segments are found by both of them, so a point near an earlier one is left out.
    """
    result: list[CrossingPoint] = []
    for upper_segment in _segments(upper):
        for lower_segment in _segments(lower):
            intersection, scaled_point = upper_segment.intersects(lower_segment)
            if intersection != QLineF.IntersectionType.BoundedIntersection:
                continue
            point = scaled_point / FLAT_FINE
            if any(QLineF(point, earlier.point).length() < SAME_POINT for earlier in result):
                continue
            # QLineF counts angles anticlockwise.
            result.append(CrossingPoint(point, -upper_segment.angle()))
    return result


def _segments(paths: Sequence[QPainterPath]) -> list[QLineF]:
    """Return curves as chains of straight lines; all are scaled by ``FLAT_FINE``."""
    to_fine = QTransform.fromScale(FLAT_FINE, FLAT_FINE)
    segments = []
    for path in paths:
        for polygon in path.toSubpathPolygons(to_fine):
            for start, end in pairwise(polygon.toList()):
                segments.append(QLineF(start, end))
    return segments


def draw_crossings(
    painter: QPainter,
    layout: Layout,
    kind: str,
    upper: Course,
    lower: Course | None,
    width: float,
    length: float,
) -> None:
    """Draw bridges, fords or level crossings of two routes in a cell.

    They lie wherever the routes meet; without ``lower``, which then fills the cell, in its middle.
    ``width`` is that of the upper route and ``length`` how far the crossing leads along it, over
    the width of the lower one.
    """
    if lower is None:
        points = [CrossingPoint(QPointF(), _heading_deg(layout, upper))]
    else:
        points = crossing_points(lines(layout, upper, 0.0), lines(layout, lower, 0.0))
    draw_crossings_at(painter, layout, kind, points, width, length)


def draw_crossings_at(
    painter: QPainter,
    layout: Layout,
    kind: str,
    points: Sequence[CrossingPoint],
    width: float,
    length: float,
) -> None:
    """Draw a crossing at each point; the parameters are those of ``draw_crossings``."""
    unit = apothem(layout)
    for point, angle_deg in points:
        with saved_state(painter):
            painter.translate(point)
            painter.rotate(angle_deg)
            painter.scale(unit, unit)
            _draw_crossing(painter, kind, width, length)


def _heading_deg(layout: Layout, course: Course) -> float:
    """Return the direction of a route through a cell, in degrees clockwise from the right."""
    route_lines = lines(layout, course)
    if not route_lines:
        return 0.0
    first_line = route_lines[0]
    start = first_line.elementAt(0)
    end = first_line.elementAt(first_line.elementCount() - 1)
    return math.degrees(math.atan2(end.y - start.y, end.x - start.x))


def _draw_crossing(painter: QPainter, kind: str, width: float, length: float) -> None:
    """Draw a crossing at the origin; the upper route runs along the x axis."""
    look = CrossingKind.of(kind)
    if look is CrossingKind.PLANK_BRIDGE:
        _draw_planks(painter, width / 2 + EDGE / 2, length / 2 + PLANK_OVERHANG)
    elif look is CrossingKind.BRIDGE:
        _draw_bridge(painter, width / 2 + EDGE, length / 2)
    elif look is CrossingKind.FORD:
        _draw_ford(painter, width / 2 + EDGE, length)
    else:
        _draw_level_crossing(painter, width / 2 + EDGE, length / 2)


def _draw_bridge(painter: QPainter, half_width: float, half_length: float) -> None:
    """Draw a bridge as on maps: a line on both sides of the route, its ends turned outwards."""
    painter.setPen(route_pen(QColor(STONE), BRIDGE_LINE))
    wing_x = half_length + WING_LENGTH
    for y_sign in (-1, 1):
        line_y = y_sign * half_width
        wing_y = y_sign * (half_width + WING_SPREAD)
        points = (
            QPointF(-wing_x, wing_y),
            QPointF(-half_length, line_y),
            QPointF(half_length, line_y),
            QPointF(wing_x, wing_y),
        )
        painter.drawPolyline(points)


def _draw_ford(painter: QPainter, half_width: float, length: float) -> None:
    """Draw a ford: three stones on both sides of the route, the middle one nearest."""
    painter.setPen(route_pen(QColor(STONE), FORD_OUTLINE))
    painter.setBrush(QColor(PALE_STONE))
    for column in (-1, 0, 1):
        stone_y = half_width
        if column != 0:
            stone_y += FORD_BULGE
        stone_x = column * length * FORD_COLUMNS
        painter.drawEllipse(QPointF(stone_x, -stone_y), *FORD_RADII)
        painter.drawEllipse(QPointF(stone_x, stone_y), *FORD_RADII)


def _draw_level_crossing(painter: QPainter, half_width: float, half_length: float) -> None:
    """Draw the two gates of a level crossing, across the upper route, in red and white."""
    white = route_pen(QColor(GATE_WHITE), GATE_LINE, FLAT)
    red_stripes = route_pen(QColor(GATE_RED), GATE_LINE, FLAT)
    red_stripes.setDashPattern([1.0, 1.0])
    gate_x = half_width + GATE_DISTANCE
    gate_y = half_length + GATE_OVERHANG
    for pen in (white, red_stripes):
        painter.setPen(pen)
        painter.drawLine(QPointF(-gate_x, -gate_y), QPointF(-gate_x, gate_y))
        painter.drawLine(QPointF(gate_x, -gate_y), QPointF(gate_x, gate_y))


def _draw_planks(painter: QPainter, half_width: float, half_length: float) -> None:
    """Draw a bridge of planks with a shadow below it and a rail on both sides."""
    deck = QRectF(-half_length, -half_width, 2 * half_length, 2 * half_width)
    painter.fillRect(deck.translated(*SHADOW_SHIFT), DECK_SHADOW)
    painter.fillRect(deck, QColor(DECK))

    gaps = QPainterPath()
    plank_count = max(3, round(2 * half_length / PLANK))
    for number in range(1, plank_count):
        x = -half_length + 2 * half_length * number / plank_count
        gaps.moveTo(x, -half_width)
        gaps.lineTo(x, half_width)
    painter.strokePath(gaps, route_pen(PLANK_GAP, GAP_WIDTH, FLAT))

    rail_x = half_length + RAIL_OVERHANG
    for rail_y in (-half_width, half_width):
        rail = QPainterPath(QPointF(-rail_x, rail_y))
        rail.lineTo(rail_x, rail_y)
        painter.strokePath(rail, route_pen(QColor(STONE), RAIL_WIDTH))


def draw_long_bridge(
    painter: QPainter, layout: Layout, style: str, colour: QColor, course: Course
) -> None:
    """Draw a bridge over the whole cell, and the route of a ``style`` on it."""
    unit = apothem(layout)
    width = WIDTHS[style]
    if style == "rail":
        width = max(width, SLEEPER_LENGTH)
    bridge_lines = lines(layout, course)
    walls = route_pen(QColor(STONE), (width + LONG_BRIDGE_WALLS) * unit, FLAT)
    stroke_lines(painter, bridge_lines, walls)
    bed = route_pen(QColor(PALE_STONE), (width + LONG_BRIDGE_BED) * unit, FLAT)
    stroke_lines(painter, bridge_lines, bed)
    draw_route(painter, layout, style, colour, course)


def crossing_box(layout: Layout) -> QRectF:
    """Return the bounding box of any crossing, in map units."""
    reach = apothem(layout) * LONGEST
    return QRectF(-reach, -reach, 2 * reach, 2 * reach)
