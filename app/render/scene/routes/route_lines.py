"""Draws routes through one cell in clear lines: rivers, roads, tracks and railways of plans.

``draw_route`` draws the lines of a ``Course`` in the manner of a style, around (0, 0)::

    course = Course(sides=0b001001)            # through the cell, from side 0 to side 3
    draw_route(painter, FLAT, "road", QColor("#f0e0c0"), course)

Rivers and worn roads of landscapes are drawn by ``rivers`` and ``worn_roads``, crossings by
``crossings``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QTransform

from app.render.cell_geometry import apothem
from app.render.scene.routes.courses import Course, lines
from app.render.scene.routes.ribbons import FINE
from app.render.scene.routes.rounded_areas import OVERLAP, AreaShape, area_part
from app.render.theme import ROADSIDE
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

EDGE_DARKNESS = 150
"""How much darker than the water the edge of a river is (``QColor.darker``)."""

EDGE_OVERLAP = OVERLAP / 3
"""How far the edges of a route reach over a side.

They are wider than the route: with its overlap they would cover its line in the next cell.
"""

SLEEPER_LENGTH = 0.26
"""How long a railway's sleepers are, across the rails."""

SLEEPER_THICKNESS = 0.06
"""How long a sleeper is along the rails."""

SLEEPER_DISTANCE = 0.2
"""The distance between the middles of two sleepers."""

DASH_LENGTH = 0.26
"""The length of a dash of a track."""

DASH_DISTANCE = 0.4
"""The distance between the middles of two dashes of a track."""


def draw_route(
    painter: QPainter,
    layout: Layout,
    style: str,
    colour: QColor,
    course: Course,
    broad_joins: int = 0,
    *,
    width: float = 1.0,
    min_width: float = 0.0,
) -> None:
    """Draw a route of one ``style`` (a key of ``WIDTHS``).

    ``broad_joins`` is the join mask (``rounded_areas.join_masks``) of a river that fills its cells,
    0 for any other route. The painter has another pen and brush afterwards.
    ``width`` is a share of that of its style; it is at least ``min_width`` wide, in map units.
    """
    route = _Route(
        layout=layout,
        style=style,
        colour=colour,
        # The area of a broad river covers the sides over which it joins: no lines lead to them.
        course=course._replace(sides=course.sides & ~broad_joins),
        width=max(WIDTHS[style] * apothem(layout) * width, min_width),
    )
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if broad_joins:
        _draw_broad_river(painter, route, broad_joins)
        return
    if style in ("water", "road"):
        _draw_edged_route(painter, route)
    elif style == "track":
        _draw_track(painter, route)
    else:
        assert style == "rail"
        _draw_railway(painter, route)
    if not route.course.sides:
        _draw_dot(painter, route)


class _Route(NamedTuple):
    """A route that is drawn in a cell."""

    layout: Layout

    style: str
    """A key of ``WIDTHS``."""

    colour: QColor

    course: Course

    width: float
    """Its width in map units, without the lines along its sides."""

    @property
    def edge_colour(self) -> QColor:
        """The colour of the lines along both sides, and of the rim of a route without sides."""
        if self.style == "water":
            return self.colour.darker(EDGE_DARKNESS)
        return QColor(ROADSIDE)

    @property
    def edge_width(self) -> float:
        """The width of the line along one side, in map units."""
        return EDGE * apothem(self.layout)

    def lines(self, overlap: float = OVERLAP) -> tuple[QPainterPath, ...]:
        """Return its lines, which reach over the sides by ``overlap``, as ``courses.lines``."""
        return lines(self.layout, self.course, overlap)

    def draw_edges(self, painter: QPainter, cap: Qt.PenCapStyle) -> None:
        """Draw the edges of all lines, as lines that are wider than the route by both edges."""
        pen = route_pen(self.edge_colour, self.width + 2 * self.edge_width, cap)
        stroke_lines(painter, self.lines(EDGE_OVERLAP), pen)

    def draw_lines(self, painter: QPainter, cap: Qt.PenCapStyle) -> None:
        """Draw all lines, over their edges."""
        stroke_lines(painter, self.lines(), route_pen(self.colour, self.width, cap))


def _draw_broad_river(painter: QPainter, river: _Route, joins: int) -> None:
    """Draw a river that fills its cell, and its lines to the sides over which it is narrow.

    ``joins`` is the join mask of the area (``rounded_areas.join_masks``).
    """
    area = area_part(river.layout, BROAD, joins)
    painter.strokePath(area.outline, route_pen(river.edge_colour, 2 * river.edge_width, FLAT))
    river.draw_edges(painter, FLAT)
    painter.fillPath(area.fill, river.colour)
    river.draw_lines(painter, FLAT)


def _draw_edged_route(painter: QPainter, route: _Route) -> None:
    """Draw a river or road with a line along both sides, and a round hub where lines meet."""
    side_count = route.course.sides.bit_count()
    cap = FLAT
    if side_count == 1:
        cap = ROUND  # the route ends within the cell
    hub = QPainterPath()
    if side_count > 2:
        radius = route.width / 2
        hub.addEllipse(route.course.hub(route.layout), radius, radius)
    # All edges before all fills, so that no edge shows across another line of the route.
    painter.strokePath(hub, route_pen(route.edge_colour, 2 * route.edge_width))
    route.draw_edges(painter, cap)
    route.draw_lines(painter, cap)
    painter.fillPath(hub, route.colour)


def _draw_track(painter: QPainter, track: _Route) -> None:
    """Draw a track: dashes, which end at the sides of the cell."""
    unit = apothem(track.layout)
    dashes = _dashes(track.lines(overlap=0.0), DASH_LENGTH * unit, DASH_DISTANCE * unit)
    stroke_lines(painter, dashes, route_pen(track.colour, track.width, FLAT))


def _draw_railway(painter: QPainter, railway: _Route) -> None:
    """Draw a railway: its sleepers are the dashes of a broad line."""
    unit = apothem(railway.layout)
    thickness = SLEEPER_THICKNESS * unit
    sleepers = _dashes(railway.lines(overlap=0.0), thickness, SLEEPER_DISTANCE * unit)
    stroke_lines(painter, sleepers, route_pen(railway.colour, SLEEPER_LENGTH * unit, FLAT))
    railway.draw_lines(painter, FLAT)


def _draw_dot(painter: QPainter, route: _Route) -> None:
    """Draw a route that lies in a single cell, without sides, as a dot twice as wide."""
    painter.setPen(route_pen(route.edge_colour, route.edge_width))
    painter.setBrush(route.colour)
    painter.drawEllipse(QPointF(), route.width, route.width)


def route_pen(colour: QColor, width: float, cap: Qt.PenCapStyle = ROUND) -> QPen:
    """Return a solid pen with round joins."""
    return QPen(colour, width, Qt.PenStyle.SolidLine, cap, Qt.PenJoinStyle.RoundJoin)


def stroke_lines(painter: QPainter, paths: Sequence[QPainterPath], pen: QPen) -> None:
    """Draw lines with a pen."""
    for path in paths:
        painter.strokePath(path, pen)


def _dashes(
    paths: Sequence[QPainterPath], dash_length: float, distance: float
) -> list[QPainterPath]:
    """Return the dashes of lines, in map units; ``distance`` is that of the middles of dashes.

    The distance is changed a little, so that each line has a whole number of dashes, and those of
    neighbouring cells fit together. The dash pattern of a pen would not, and is written too long
    into an SVG.
    """
    return [_dashes_of_line(path, dash_length, distance) for path in paths]


def _dashes_of_line(path: QPainterPath, dash_length: float, distance: float) -> QPainterPath:
    """Return the dashes of one line, as ``_dashes`` of several."""
    # Qt measures curves to a hundredth of a unit only.
    fine = QTransform.fromScale(FINE, FINE).map(path)
    fine_length = fine.length()
    count = max(1, round(fine_length / FINE / distance))
    result = QPainterPath()
    for number in range(count):
        middle = fine_length * (number + 0.5) / count
        start = fine.percentAtLength(middle - dash_length * FINE / 2)
        end = fine.percentAtLength(middle + dash_length * FINE / 2)
        result.moveTo(fine.pointAtPercent(start) / FINE)
        result.lineTo(fine.pointAtPercent(end) / FINE)
    return result
