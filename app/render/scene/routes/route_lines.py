"""Draws rivers, roads and railways through one cell, and their bridges, fords and level crossings.

All is in map units around the cell's centre; sides are numbered clockwise.
"""

from __future__ import annotations

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
from app.render.scene.routes.rounded_areas import OVER, AreaShape, area_part
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

SLEEPERS = (0.26, 0.06, 0.2)
"""Length and thickness of a railway's sleepers, and the distance of their middles."""

DASHES = (0.26, 0.4)
"""The length of a track's dashes, and the distance of their middles."""

STONE = "#4a4238"
"""The colour of bridges."""

FLAT_FINE = 200.0
"""Curves are scaled by this before Qt flattens them: it does so to about one unit."""

BEND = 0.16
"""How far a straight river bends to one side within a cell."""


class Course(NamedTuple):
    """The course of a route in a cell: it crosses the ``sides`` (a bit mask).

    ``middle``: it goes through the cell's centre, as where routes cross. ``bend``: to which side a
    straight one bends (-1, 0, 1). ``offsets``: see ``parallel_routes.offsets``; () for none.
    """

    sides: int
    middle: bool = False
    bend: int = 0
    offsets: tuple[float, ...] = ()

    def at(self, layout: Layout, side: int) -> tuple[QPointF, QPointF]:
        """Return where the route crosses a side, and the middle of that side."""
        middle = side_middle(layout, side)
        aside = self.offsets[side] if self.offsets else 0.0
        return middle + QPointF(-middle.y(), middle.x()) * aside, middle

    def hub(self, layout: Layout) -> QPointF:
        """Return where the lines of the route meet: the cell's centre, moved by the mean offset."""
        aside = [
            end - middle
            for side in range(layout.degree)
            if self.sides >> side & 1 and self.offsets and self.offsets[side]
            for end, middle in [self.at(layout, side)]
        ]
        return sum(aside, QPointF()) / max(1, len(aside))


@registered(bytes_each=3 * KB)
@lru_cache(300)
def lines(layout: Layout, course: Course, over: float = OVER) -> tuple[QPainterPath, ...]:
    """Return the lines of a route: from side to opposite side, or from a side to the hub.

    A route with two sides is one line. They reach over the sides by ``over``, a share of the
    distance from the centre to the middle of the side.
    """
    degree = layout.degree
    sides = [side for side in range(degree) if course.sides >> side & 1]
    half = degree // 2
    through = [(side, side + half) for side in sides if side + half in sides and side < half]
    if len(sides) == 2:
        through = [(sides[0], sides[1])]
    result = [_through(layout, pair, course, over, straight=len(sides) > 2) for pair in through]
    ended = {side for pair in through for side in pair}
    for side in sides:
        if side not in ended:
            start, middle = course.at(layout, side)
            path = QPainterPath(start + middle * over)
            path.lineTo(course.hub(layout))
            result.append(path)
    return tuple(result)


def _through(
    layout: Layout, pair: tuple[int, int], course: Course, over: float, *, straight: bool
) -> QPainterPath:
    (start, first), (end, last) = (course.at(layout, side) for side in pair)
    opposite = pair[1] - pair[0] == layout.degree // 2
    path = QPainterPath(start + first * over)
    path.lineTo(start)
    along = (end - start) / 2
    bend = 0 if straight or course.middle or course.offsets else course.bend
    if course.offsets:
        path.cubicTo(start - first * 0.58, end - last * 0.58, end)
    elif opposite and not bend:
        path.lineTo(end)
    elif course.middle or opposite:
        aside = QPointF(-along.y(), along.x()) * (BEND * bend)
        path.cubicTo(start * 0.55, aside - along * 0.4, aside)
        path.cubicTo(aside + along * 0.4, end * 0.55, end)
    else:
        path.cubicTo(start * 0.42, end * 0.42, end)
    path.lineTo(end + last * over)
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
    least: float = 0.0,
) -> None:
    """Draw a route of one ``style`` (a key of ``WIDTHS``).

    ``broad`` is the join mask (``rounded_areas.join_masks``) of a river that fills its cells.
    ``width`` is a share of that of its style; it is at least ``least`` wide, in map units.
    """
    unit = apothem(layout)
    width = max(WIDTHS[style] * unit * width, least)
    course = course._replace(sides=course.sides & ~broad)
    paths = lines(layout, course)
    # The edges reach less far over the side: they would show on the line of the next cell.
    edges = lines(layout, course, OVER / 3)
    if style == "water":
        edge = colour.darker(150)
    else:
        edge = QColor(ROADSIDE)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if broad:
        area = area_part(layout, BROAD, broad)
        painter.strokePath(area.outline, _pen(edge, 2 * EDGE * unit, FLAT))
        _stroke(painter, edges, _pen(edge, width + 2 * EDGE * unit, FLAT))
        painter.fillPath(area.fill, colour)
        _stroke(painter, paths, _pen(colour, width, FLAT))
    elif style in ("water", "road"):
        if len(paths) == 1 and course.sides.bit_count() == 1:
            ends = ROUND
        else:
            ends = FLAT
        hub = QPainterPath()  # where lines meet
        if course.sides.bit_count() > 2:
            hub.addEllipse(course.hub(layout), width / 2, width / 2)
        painter.strokePath(hub, _pen(edge, 2 * EDGE * unit))
        _stroke(painter, edges, _pen(edge, width + 2 * EDGE * unit, ends))
        _stroke(painter, paths, _pen(colour, width, ends))
        painter.fillPath(hub, colour)
    elif style == "track":
        _stroke(
            painter,
            lines(layout, course, 0.0),
            _pen(colour, width, FLAT),
            DASHES[0] * unit,
            DASHES[1] * unit,
        )
    else:
        long, thick, apart = (length * unit for length in SLEEPERS)
        _stroke(painter, lines(layout, course, 0.0), _pen(colour, long, FLAT), thick, apart)
        _stroke(painter, paths, _pen(colour, width, FLAT))
    if not course.sides and not broad:  # a route that crosses no side
        painter.setPen(_pen(edge, EDGE * unit))
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(), width, width)


def _pen(colour: QColor, width: float, cap: Qt.PenCapStyle = ROUND) -> QPen:
    return QPen(colour, width, Qt.PenStyle.SolidLine, cap, Qt.PenJoinStyle.RoundJoin)


def _stroke(
    painter: QPainter,
    paths: Sequence[QPainterPath],
    line: QPen,
    dash: float = 0.0,
    period: float = 0.0,
) -> None:
    """Draw lines; with ``dash`` only that much of each ``period``."""
    for path in paths:
        painter.strokePath(_dashes(path, dash, period) if dash else path, line)


def _dashes(path: QPainterPath, dash: float, period: float) -> QPainterPath:
    """Return the dashes of a line, in whole periods, so that those of neighbouring cells fit
    together.

    The dash pattern of a pen would not, and is written too long into an SVG.
    """
    fine = QTransform.fromScale(FINE, FINE).map(path)
    length = fine.length()
    count = max(1, round(length / FINE / period))
    result = QPainterPath()
    for place in range(count):
        middle = length * (place + 0.5) / count
        ends = (middle - dash * FINE / 2, middle + dash * FINE / 2)
        start, end = (fine.pointAtPercent(fine.percentAtLength(each)) / FINE for each in ends)
        result.moveTo(start)
        result.lineTo(end)
    return result


def crossing_points(
    over: Sequence[QPainterPath], under: Sequence[QPainterPath]
) -> list[tuple[QPointF, float]]:
    """Return where the lines of two routes cross, and the direction of the upper one there, in
    degrees.

    Clockwise from the right, since y runs down.
    """
    result: list[tuple[QPointF, float]] = []
    for one in _segments(over):
        for other_segment in _segments(under):
            kind, point = one.intersects(other_segment)
            if kind == QLineF.IntersectionType.BoundedIntersection and not any(
                QLineF(point, before).length() < FLAT_FINE / 10 for before, _angle in result
            ):
                result.append((point, -one.angle()))
    return [(point / FLAT_FINE, angle) for point, angle in result]


def _segments(paths: Sequence[QPainterPath]) -> list[QLineF]:
    """Return the paths, scaled by ``FLAT_FINE``, as straight lines."""
    finer = QTransform.fromScale(FLAT_FINE, FLAT_FINE)
    return [
        QLineF(a, b)
        for path in paths
        for line in path.toSubpathPolygons(finer)
        for a, b in pairwise(line.toList())
    ]


def draw_crossings(
    painter: QPainter,
    layout: Layout,
    kind: str,
    over: Course,
    under: Course | None,
    width: float,
    length: float,
) -> None:
    """Draw bridges, fords or level crossings of two routes in a cell.

    They lie in the middle of the cell or, if ``under`` is given, wherever the routes meet. The
    upper route is ``width`` wide, the lower one ``length``.
    """
    spots = [(QPointF(), heading_deg(layout, over))]
    if under is not None:
        spots = crossing_points(lines(layout, over, 0.0), lines(layout, under, 0.0))
    draw_crossings_at(painter, layout, kind, spots, width, length)


def draw_crossings_at(
    painter: QPainter,
    layout: Layout,
    kind: str,
    spots: Sequence[tuple[QPointF, float]],
    width: float,
    length: float,
) -> None:
    """Draw crossings at points where the upper route has a direction in degrees."""
    unit = apothem(layout)
    for at, angle_deg in spots:
        with saved_state(painter):
            painter.translate(at)
            painter.rotate(angle_deg)
            painter.scale(unit, unit)
            _draw_crossing(painter, kind, width, length)


def _draw_crossing(painter: QPainter, kind: str, width: float, length: float) -> None:
    half = length / 2
    over = width / 2 + EDGE
    if kind == "plank bridge":
        _draw_planks(painter, width / 2 + EDGE / 2, half + 0.06)
    elif "bridge" in kind:
        painter.setPen(_pen(QColor(STONE), 0.075))
        for side in (-1, 1):
            wing = side * (over + 0.16)
            points = ((-half - 0.12, wing), (-half, side * over), (half, side * over))
            painter.drawPolyline([QPointF(x, y) for x, y in (*points, (half + 0.12, wing))])
    elif kind == "ford":
        painter.setPen(_pen(QColor(STONE), 0.03))
        painter.setBrush(QColor("#e9e4d8"))
        for column in (-1, 0, 1):
            for side in (-1, 1):
                at = QPointF(column * length * 0.34, side * (over + 0.03 * (column & 1)))
                painter.drawEllipse(at, 0.085, 0.07)
    else:
        painter.setPen(_pen(QColor("#fffdf5"), 0.13, FLAT))
        gates = [(x, -half - 0.1, x, half + 0.1) for x in (-over - 0.16, over + 0.16)]
        for x, top, _, bottom in gates:
            painter.drawLine(QPointF(x, top), QPointF(x, bottom))
        red = _pen(QColor("#b3392f"), 0.13, FLAT)
        red.setDashPattern([1.0, 1.0])
        painter.setPen(red)
        for x, top, _, bottom in gates:
            painter.drawLine(QPointF(x, top), QPointF(x, bottom))


def _draw_planks(painter: QPainter, over: float, half: float) -> None:
    """Draw a bridge of planks, ``half`` long and ``over`` wide to both hands of its middle."""
    deck = QRectF(-half, -over, 2 * half, 2 * over)
    painter.fillRect(deck.translated(0.05, 0.07), QColor(26, 30, 38, 90))
    painter.fillRect(deck, QColor("#c4a878"))
    planks = QPainterPath()
    count = max(3, round(2 * half / 0.075))
    for number in range(1, count):
        x = -half + 2 * half * number / count
        planks.moveTo(x, -over)
        planks.lineTo(x, over)
    painter.strokePath(planks, _pen(QColor(92, 66, 38, 130), 0.018, FLAT))
    for side in (-1, 1):
        rail = QPainterPath(QPointF(-half - 0.04, side * over))
        rail.lineTo(half + 0.04, side * over)
        painter.strokePath(rail, _pen(QColor(STONE), 0.055))


def draw_long_bridge(
    painter: QPainter, layout: Layout, style: str, colour: QColor, course: Course
) -> None:
    """Draw a bridge over the whole cell, and the route on it."""
    unit = apothem(layout)
    width = max(WIDTHS[style], SLEEPERS[0] if style == "rail" else 0.0) * unit
    for paint, wider in ((STONE, 0.27), ("#e9e4d8", 0.12)):
        _stroke(painter, lines(layout, course), _pen(QColor(paint), width + wider * unit, FLAT))
    draw_route(painter, layout, style, colour, course)


def crossing_box(layout: Layout) -> QRectF:
    """Return the bounding box of any crossing."""
    unit = apothem(layout) * 1.25
    return QRectF(-unit, -unit, 2 * unit, 2 * unit)
