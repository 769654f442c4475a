"""Draws routes through one cell, and their crossings: bridges, fords and level crossings.

A route is given as a ``Course``; ``lines`` makes curves of it, which ``draw_route`` strokes in the
manner of a style. Coordinates are map units around the cell's centre, y runs down, sides are
numbered clockwise. Rivers and worn roads of landscapes are drawn by ``rivers`` and ``worn_roads``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QTransform

from app.appearance.painting import saved_state
from app.render.cell_geometry import apothem, side_middle
from app.render.scene.routes.ribbons import FINE
from app.render.scene.routes.rounded_areas import OVERLAP, AreaShape, area_part
from app.render.theme import ROADSIDE
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

FLAT = Qt.PenCapStyle.FlatCap
ROUND = Qt.PenCapStyle.RoundCap

WIDTHS = {"water": 0.38, "road": 0.19, "track": 0.13, "rail": 0.07}
"""The width of each style of route; as all lengths here a share of the distance from a cell's
centre to a side.
"""

EDGE = 0.045
"""The width of the lines along both sides of a river or road."""

BROAD = AreaShape(0.68, 0.58)
"""A river that fills neighbouring cells."""

SLEEPER_LENGTH = 0.26
"""How long a railway's sleepers are, across the rails."""

SLEEPER_THICKNESS = 0.06
SLEEPER_DISTANCE = 0.2
"""The distance between the middles of two sleepers."""

DASH_LENGTH = 0.26
DASH_DISTANCE = 0.4
"""The distance between the middles of two dashes of a track."""

STONE = "#4a4238"
"""The colour of bridges."""

FLAT_FINE = 200.0
"""Curves are scaled by this before Qt flattens them: it does so to about one unit."""

SAME_POINT = 0.1
"""Crossings nearer to each other than this, in map units, are one."""

BEND = 0.16
"""How far a straight river bends to one side within a cell."""


class Course(NamedTuple):
    """The course of a route in a cell."""

    sides: int
    """A bit mask of the sides that it crosses; 0 for a route that ends within the cell."""

    middle: bool = False
    """True if it goes through the cell's centre, as where routes cross."""

    bend: int = 0
    """To which hand a straight route bends (-1, 0, 1)."""

    offsets: tuple[float, ...] = ()
    """How far from the middle of each side it crosses it, clockwise; () if always in the middle."""

    meeting: tuple[float, float] | None = None
    """Where its lines meet, around the cell's centre; None: where the offsets tell (``hub``)."""

    def at(self, layout: Layout, side: int) -> tuple[QPointF, QPointF]:
        """Return where the route crosses a side, and the middle of that side."""
        middle = side_middle(layout, side)
        clockwise = QPointF(-middle.y(), middle.x())
        offset = 0.0
        if self.offsets:
            offset = self.offsets[side]
        return middle + clockwise * offset, middle

    def hub(self, layout: Layout) -> QPointF:
        """Return where the lines of the route meet.

        That is ``meeting``, else the cell's centre, moved by the mean offset. Only sides with an
        offset count for the mean.
        """
        if self.meeting is not None:
            return QPointF(*self.meeting)
        total = QPointF()
        moved_sides = 0
        for side in range(layout.degree):
            if self.sides >> side & 1 and self.offsets and self.offsets[side]:
                crossing, middle = self.at(layout, side)
                total += crossing - middle
                moved_sides += 1
        return total / max(1, moved_sides)


@registered(bytes_each=3 * KB)
@lru_cache(300)
def lines(layout: Layout, course: Course, overlap: float = OVERLAP) -> tuple[QPainterPath, ...]:
    """Return the lines of a route: from side to opposite side, or from a side to the hub.

    A route with two sides is one line. They reach over the sides by ``overlap``, a share of the
    distance from the centre to the middle of the side.
    """
    sides = [side for side in range(layout.degree) if course.sides >> side & 1]
    pairs = _joined_sides(layout, sides)
    is_junction = len(sides) > 2
    result = [_through(layout, pair, course, overlap, is_junction=is_junction) for pair in pairs]
    joined_sides = set(itertools.chain.from_iterable(pairs))
    for side in sides:
        if side not in joined_sides:
            start, middle = course.at(layout, side)
            path = QPainterPath(start + middle * overlap)
            path.lineTo(course.hub(layout))
            result.append(path)
    return tuple(result)


def _joined_sides(layout: Layout, sides: Sequence[int]) -> list[tuple[int, int]]:
    """Return which of a route's sides (ascending) are joined by one line: two sides always are.

    Of more sides those are that lie opposite each other: main roads go straight on at a junction.
    """
    if len(sides) == 2:
        return [(sides[0], sides[1])]
    half = layout.degree // 2
    return [(side, side + half) for side in sides if side < half and side + half in sides]


def _through(
    layout: Layout, sides: tuple[int, int], course: Course, overlap: float, *, is_junction: bool
) -> QPainterPath:
    """Return the line from one side to another; where others branch off it runs by the hub."""
    first_side, last_side = sides
    start, first_middle = course.at(layout, first_side)
    end, last_middle = course.at(layout, last_side)
    is_opposite = last_side - first_side == layout.degree // 2
    bend = course.bend
    if is_junction or course.middle or course.offsets:
        bend = 0

    path = QPainterPath(start + first_middle * overlap)
    path.lineTo(start)
    # Factors near 0.5 of control points: the nearer to 1, the tighter the curve at the sides.
    if is_junction and (course.offsets or course.meeting is not None):
        hub = course.hub(layout)
        along = (end - start) / 2
        path.cubicTo(start - first_middle * 0.4, hub - along * 0.4, hub)
        path.cubicTo(hub + along * 0.4, end - last_middle * 0.4, end)
    elif course.offsets:
        # Each end leaves its side at a right angle, wherever it crosses it.
        path.cubicTo(start - first_middle * 0.58, end - last_middle * 0.58, end)
    elif is_opposite and not bend:
        path.lineTo(end)
    elif course.middle or is_opposite:
        # Two curves that meet at the centre, or beside it where the line bends.
        along = (end - start) / 2
        turning_point = QPointF(-along.y(), along.x()) * (BEND * bend)
        path.cubicTo(start * 0.55, turning_point - along * 0.4, turning_point)
        path.cubicTo(turning_point + along * 0.4, end * 0.55, end)
    else:
        path.cubicTo(start * 0.42, end * 0.42, end)
    path.lineTo(end + last_middle * overlap)
    return path


def heading_deg(layout: Layout, course: Course) -> float:
    """Return the direction of a route through a cell, in degrees clockwise from the right."""
    line = lines(layout, course)
    if not line:
        return 0.0
    ends = (line[0].elementAt(0), line[0].elementAt(line[0].elementCount() - 1))
    return math.degrees(math.atan2(ends[1].y - ends[0].y, ends[1].x - ends[0].x))


def draw_route(
    painter: QPainter,
    layout: Layout,
    style: str,
    colour: QColor,
    course: Course,
    broad: int = 0,
    *,
    width: float = 1.0,
    least_width: float = 0.0,
) -> None:
    """Draw a route of one ``style`` (a key of ``WIDTHS``).

    ``broad`` is the join mask (``rounded_areas.join_masks``) of a river that fills its cells.
    ``width`` is a share of that of its style; it is at least ``least_width`` wide, in map units.
    """
    width = max(WIDTHS[style] * apothem(layout) * width, least_width)
    # The area of a broad river covers the sides over which it joins: there are no lines to them.
    course = course._replace(sides=course.sides & ~broad)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if broad:
        _draw_broad_river(painter, layout, colour, course, width, broad)
    elif style in ("water", "road"):
        _draw_edged_route(painter, layout, style, colour, course, width)
    elif style == "track":
        _draw_dashes(painter, layout, colour, course, width)
    else:
        _draw_railway(painter, layout, colour, course, width)
    if not course.sides and not broad:
        painter.setPen(_pen(_edge_colour(style, colour), EDGE * apothem(layout)))
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(), width, width)


def _edge_colour(style: str, colour: QColor) -> QColor:
    """Return the colour of the lines along both sides of a route of this style and colour."""
    if style == "water":
        return colour.darker(150)
    return QColor(ROADSIDE)


def _edge_lines(layout: Layout, course: Course) -> tuple[QPainterPath, ...]:
    """Return the lines along which the edges of a route are stroked, wider than the route itself.

    They reach less far over the side than the route: they would show on the line of the next cell.
    """
    return lines(layout, course, OVERLAP / 3)


def _draw_broad_river(
    painter: QPainter, layout: Layout, colour: QColor, course: Course, width: float, joins: int
) -> None:
    """Draw a river that fills its cell, and its ``course`` to the sides over which it is narrow.

    ``joins`` is the join mask of the area (``rounded_areas.join_masks``).
    """
    edge = _edge_colour("water", colour)
    edge_width = 2 * EDGE * apothem(layout)
    area = area_part(layout, BROAD, joins)
    painter.strokePath(area.outline, _pen(edge, edge_width, FLAT))
    _stroke(painter, _edge_lines(layout, course), _pen(edge, width + edge_width, FLAT))
    painter.fillPath(area.fill, colour)
    _stroke(painter, lines(layout, course), _pen(colour, width, FLAT))


def _draw_edged_route(
    painter: QPainter, layout: Layout, style: str, colour: QColor, course: Course, width: float
) -> None:
    """Draw a river or road with a line along both sides, and a round hub where lines meet."""
    edge = _edge_colour(style, colour)
    edge_width = 2 * EDGE * apothem(layout)
    side_count = course.sides.bit_count()
    cap = FLAT
    if side_count == 1:
        cap = ROUND  # the route ends within the cell
    hub = QPainterPath()
    if side_count > 2:
        hub.addEllipse(course.hub(layout), width / 2, width / 2)
    # All edges before all fills, so that no edge shows across another line of the route.
    painter.strokePath(hub, _pen(edge, edge_width))
    _stroke(painter, _edge_lines(layout, course), _pen(edge, width + edge_width, cap))
    _stroke(painter, lines(layout, course), _pen(colour, width, cap))
    painter.fillPath(hub, colour)


def _draw_dashes(
    painter: QPainter, layout: Layout, colour: QColor, course: Course, width: float
) -> None:
    """Draw a track."""
    unit = apothem(layout)
    pen = _pen(colour, width, FLAT)
    _stroke(painter, lines(layout, course, 0.0), pen, DASH_LENGTH * unit, DASH_DISTANCE * unit)


def _draw_railway(
    painter: QPainter, layout: Layout, colour: QColor, course: Course, width: float
) -> None:
    """Draw a railway: its sleepers are the dashes of a broad line."""
    unit = apothem(layout)
    sleepers = _pen(colour, SLEEPER_LENGTH * unit, FLAT)
    thickness = SLEEPER_THICKNESS * unit
    distance = SLEEPER_DISTANCE * unit
    _stroke(painter, lines(layout, course, 0.0), sleepers, thickness, distance)
    _stroke(painter, lines(layout, course), _pen(colour, width, FLAT))


def _pen(colour: QColor, width: float, cap: Qt.PenCapStyle = ROUND) -> QPen:
    return QPen(colour, width, Qt.PenStyle.SolidLine, cap, Qt.PenJoinStyle.RoundJoin)


def _stroke(
    painter: QPainter,
    paths: Sequence[QPainterPath],
    pen: QPen,
    dash: float = 0.0,
    period: float = 0.0,
) -> None:
    """Draw lines; with ``dash`` only that much of each ``period``, both in map units."""
    for path in paths:
        if dash:
            path = _dashes(path, dash, period)
        painter.strokePath(path, pen)


def _dashes(path: QPainterPath, dash: float, period: float) -> QPainterPath:
    """Return the dashes of a line, in whole periods, so that those of neighbouring cells fit
    together.

    The dash pattern of a pen would not, and is written too long into an SVG.
    """
    # Qt measures curves to a hundredth of a unit only.
    fine = QTransform.fromScale(FINE, FINE).map(path)
    length = fine.length()
    count = max(1, round(length / FINE / period))
    result = QPainterPath()
    for number in range(count):
        middle = length * (number + 0.5) / count
        start = fine.percentAtLength(middle - dash * FINE / 2)
        end = fine.percentAtLength(middle + dash * FINE / 2)
        result.moveTo(fine.pointAtPercent(start) / FINE)
        result.lineTo(fine.pointAtPercent(end) / FINE)
    return result


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

    They lie in the middle of the cell or, if ``lower`` is given, wherever the routes meet. The
    upper route is ``width`` wide, the lower one ``length``.
    """
    if lower is None:
        points = [CrossingPoint(QPointF(), heading_deg(layout, upper))]
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


def _draw_crossing(painter: QPainter, kind: str, width: float, length: float) -> None:
    """Draw a crossing at the origin; the upper route runs along the x axis."""
    if kind == "plank bridge":
        _draw_planks(painter, width / 2 + EDGE / 2, length / 2 + 0.06)
    elif "bridge" in kind:
        _draw_bridge(painter, width / 2 + EDGE, length / 2)
    elif kind == "ford":
        _draw_ford(painter, width / 2 + EDGE, length)
    else:
        _draw_level_crossing(painter, width / 2 + EDGE, length / 2)


def _draw_bridge(painter: QPainter, half_width: float, half_length: float) -> None:
    """Draw a bridge as on maps: a line on both sides of the route, its ends turned outwards."""
    painter.setPen(_pen(QColor(STONE), 0.075))
    wing_x = half_length + 0.12
    for hand in (-1, 1):
        line_y = hand * half_width
        wing_y = hand * (half_width + 0.16)
        points = (
            QPointF(-wing_x, wing_y),
            QPointF(-half_length, line_y),
            QPointF(half_length, line_y),
            QPointF(wing_x, wing_y),
        )
        painter.drawPolyline(points)


def _draw_ford(painter: QPainter, half_width: float, length: float) -> None:
    """Draw a ford: three stones on both sides of the route, the middle one nearest."""
    painter.setPen(_pen(QColor(STONE), 0.03))
    painter.setBrush(QColor("#e9e4d8"))
    for column in (-1, 0, 1):
        stone_y = half_width
        if column != 0:
            stone_y += 0.03
        for hand in (-1, 1):
            painter.drawEllipse(QPointF(column * length * 0.34, hand * stone_y), 0.085, 0.07)


def _draw_level_crossing(painter: QPainter, half_width: float, half_length: float) -> None:
    """Draw the two gates of a level crossing, across the upper route, in red and white."""
    white = _pen(QColor("#fffdf5"), 0.13, FLAT)
    red = _pen(QColor("#b3392f"), 0.13, FLAT)
    red.setDashPattern([1.0, 1.0])
    gate_x = half_width + 0.16
    gate_y = half_length + 0.1
    for pen in (white, red):
        painter.setPen(pen)
        for x in (-gate_x, gate_x):
            painter.drawLine(QPointF(x, -gate_y), QPointF(x, gate_y))


def _draw_planks(painter: QPainter, half_width: float, half_length: float) -> None:
    """Draw a bridge of planks with a shadow below it and a rail on both sides."""
    deck = QRectF(-half_length, -half_width, 2 * half_length, 2 * half_width)
    painter.fillRect(deck.translated(0.05, 0.07), QColor(26, 30, 38, 90))
    painter.fillRect(deck, QColor("#c4a878"))
    gaps = QPainterPath()
    plank_count = max(3, round(2 * half_length / 0.075))
    for number in range(1, plank_count):
        x = -half_length + 2 * half_length * number / plank_count
        gaps.moveTo(x, -half_width)
        gaps.lineTo(x, half_width)
    painter.strokePath(gaps, _pen(QColor(92, 66, 38, 130), 0.018, FLAT))
    for hand in (-1, 1):
        rail = QPainterPath(QPointF(-half_length - 0.04, hand * half_width))
        rail.lineTo(half_length + 0.04, hand * half_width)
        painter.strokePath(rail, _pen(QColor(STONE), 0.055))


def draw_long_bridge(
    painter: QPainter, layout: Layout, style: str, colour: QColor, course: Course
) -> None:
    """Draw a bridge over the whole cell, and the route on it."""
    unit = apothem(layout)
    width = WIDTHS[style]
    if style == "rail":
        width = max(width, SLEEPER_LENGTH)
    for paint, margin in ((STONE, 0.27), ("#e9e4d8", 0.12)):
        pen = _pen(QColor(paint), (width + margin) * unit, FLAT)
        _stroke(painter, lines(layout, course), pen)
    draw_route(painter, layout, style, colour, course)


def crossing_box(layout: Layout) -> QRectF:
    """Return the bounding box of any crossing."""
    unit = apothem(layout) * 1.25
    return QRectF(-unit, -unit, 2 * unit, 2 * unit)
