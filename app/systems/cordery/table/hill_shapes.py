"""Draws a cell's part of a hill: its shadow on the land below, its slope in the light, its edge.

``features`` (a plan) and ``landscape`` draw hills with it. The light comes from the north-west
(``relief.SUN``). Positions are in map units, with the cell's centre as origin.

Shadow and slope have soft edges: they are drawn as translucent shapes, each within the next wider
one, so that the colour is strongest where all of them lie::

    1111            shape 1
    22222222        shape 2, from the contour (left) twice as far
    333333333333    shape 3
    ^ dense         ^ faint

The contour within a cell is cut into straight pieces (``Segment``); the angle of each to the sun
decides whether it is light or in shade.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF, QTransform

from app.render.cell_values.relief import LIGHT_COLOUR, SUN
from app.render.scene.routes.rounded_areas import AreaPart

SHADOW = 0.09
"""The length of the shadow, as a share of the distance from a cell's centre to a side."""

SHADOW_COLOUR = (20, 16, 24)
"""Red, green and blue of the shadow."""

SHADOW_OPACITY = 0.20
"""The mean opacity of the shadow over its length, about."""

SHADOW_GAIN = 1.5
"""The factor of the opacity of each shape of a shadow.

Of the ``NESTED`` = 3 shapes, 3, 2 and 1 lie over its thirds, which is 2 on the mean and not 3. With
3 / 2 = 1.5 the mean opacity is that of ``SHADOW_OPACITY``.
"""

SLOPE = 0.19
"""The width of the slope along the contour, as a share of the reach of the hill."""

SLOPE_OPACITY = 0.30
"""The mean opacity of light or shade over the width of a slope that faces the sun, about."""

SLOPE_GAIN = 1.6
"""The factor of the opacity of each shape of a slope, as ``SHADOW_GAIN``."""

SHADE_DARKNESS = 220
"""How dark the shade of a slope is: ``QColor.darker`` of the colour of the hill."""

NESTED = 3
"""The number of translucent shapes of a soft edge."""

# The *edge* of a hill is drawn over trees and houses (``draw_hill_edge``).

EDGE_LIGHT = (255, 244, 190)
"""Red, green and blue of an edge that faces the sun."""

EDGE_SHADE = (24, 16, 4)
"""Red, green and blue of an edge that faces away from the sun."""

EDGE_OPACITY = 0.55
"""The mean opacity of an edge that faces the sun or faces away from it, about."""

EDGE_OBLIQUE = 0.5
"""The share of ``EDGE_OPACITY`` of an edge that the light only grazes; with 0 it would vanish."""

EDGE_WIDTH = 0.2
"""The width of an edge, as a share of the distance from a cell's centre to a side."""

EDGE_LINE = (60, 40, 10, 225)
"""Red, green, blue and opacity, up to 255, of the line along the contour at the foot of an edge."""

EDGE_LINE_WIDTH = 0.04
"""The width of this line, as a share of the distance from a cell's centre to a side."""

FLATTENING_SCALE = 60.0
"""The factor by which curves are enlarged while Qt makes straight pieces of them.

Qt is exact to about one unit, and a whole cell is about one unit wide.
"""

SHORTEST = 1e-6
"""Two points of a contour that are nearer than this, in map units, are one."""


class Segment(NamedTuple):
    """A straight piece of the contour of a hill within a cell."""

    start: QPointF
    end: QPointF

    facing: float
    """The cosine of the angle between its outward direction and the sun: 1 faces the sun."""

    inwards_at_start: QPointF
    """The unit vector into the hill at the start; at a bend halfway between both segments."""

    inwards_at_end: QPointF


def draw_hill_shadow(painter: QPainter, part: AreaPart, unit: float) -> None:
    """Draw the shadow; ``unit`` is the distance from the cell's centre to a side."""
    painter.setPen(Qt.PenStyle.NoPen)
    shade = QColor(*SHADOW_COLOUR)
    shade.setAlphaF(SHADOW_OPACITY / NESTED * SHADOW_GAIN)
    painter.setBrush(shade)
    for segment in _segments(part):
        if segment.facing >= 0:
            continue  # it is in the light
        for step in range(1, NESTED + 1):
            # SUN points to the sun: the shadow falls the other way.
            fall = QPointF(*SUN) * (-SHADOW * unit * step / NESTED)
            far_end = [segment.end + fall, segment.start + fall]
            painter.drawPolygon(QPolygonF([segment.start, segment.end, *far_end]))


def draw_hill_slope(
    painter: QPainter,
    part: AreaPart,
    colour: QColor,
    reach: float,
    *,
    width: float = SLOPE,
    steps: int = NESTED,
) -> None:
    """Draw light and shade inside the contour of a hill of this colour.

    ``reach`` is the distance from the cell's centre to the contour. ``width`` is that of the slope,
    as a share of ``reach``, ``steps`` the number of its translucent shapes.
    """
    painter.setPen(Qt.PenStyle.NoPen)
    for segment in _segments(part):
        if segment.facing > 0:
            shade = QColor(LIGHT_COLOUR)
        else:
            shade = colour.darker(SHADE_DARKNESS)
        shade.setAlphaF(SLOPE_OPACITY * abs(segment.facing) / steps * SLOPE_GAIN)
        painter.setBrush(shade)
        _draw_slope_of(painter, segment, width * reach, steps)


def draw_hill_edge(painter: QPainter, part: AreaPart, unit: float) -> None:
    """Draw the edge of a hill over trees and houses, which hide its slope.

    It is a narrow slope with stronger light and shade, and a line at its foot. ``unit`` is the
    distance from the cell's centre to a side.
    """
    painter.setPen(Qt.PenStyle.NoPen)
    for segment in _segments(part):
        if segment.facing > 0:
            rim = QColor(*EDGE_LIGHT)
        else:
            rim = QColor(*EDGE_SHADE)
        strength = EDGE_OBLIQUE + (1 - EDGE_OBLIQUE) * abs(segment.facing)
        rim.setAlphaF(EDGE_OPACITY * strength / NESTED * SLOPE_GAIN)
        painter.setBrush(rim)
        _draw_slope_of(painter, segment, EDGE_WIDTH * unit, NESTED)
    painter.strokePath(part.outline, QPen(QColor(*EDGE_LINE), EDGE_LINE_WIDTH * unit))


def _draw_slope_of(painter: QPainter, segment: Segment, width: float, steps: int) -> None:
    """Draw the translucent shapes of the slope inside a segment, ``steps`` of them."""
    for step in range(1, steps + 1):
        depth = width * step / steps
        inner_end = segment.end + segment.inwards_at_end * depth
        inner_start = segment.start + segment.inwards_at_start * depth
        polygon = QPolygonF([segment.start, segment.end, inner_end, inner_start])
        painter.drawPolygon(polygon)


def _segments(part: AreaPart) -> Iterator[Segment]:
    """Yield the straight pieces of the contour within the cell, clockwise around the hill."""
    enlarged = QTransform.fromScale(FLATTENING_SCALE, FLATTENING_SCALE)
    for line in part.outline.toSubpathPolygons(enlarged):
        points = [point / FLATTENING_SCALE for point in line.toList()]
        is_closed = not _is_apart(points[0], points[-1])
        if not is_closed:
            points = points[1:-1]  # the ends reach into the neighbours
        # At least two points are left: outlines have a curve in each cell.
        points = _without_repeats(points)
        directions = [_unit(end - start) for start, end in pairwise(points)]
        inwards = _inward_vectors(directions, is_closed=is_closed)
        for index, direction in enumerate(directions):
            # The outward direction (y, -x) is a left turn from the contour, as y runs down; its
            # scalar product with the direction to the sun is the cosine.
            facing = direction.y() * SUN[0] - direction.x() * SUN[1]
            yield Segment(
                start=points[index],
                end=points[index + 1],
                facing=facing,
                inwards_at_start=inwards[index],
                inwards_at_end=inwards[index + 1],
            )


def _inward_vectors(directions: list[QPointF], *, is_closed: bool) -> list[QPointF]:
    """Return the unit vectors into the hill at all points of a contour, one more than segments.

    ``directions`` are the unit vectors of its segments. As the contour runs clockwise and y runs
    down, the vector at a point is a right turn from the mean of the two segments that meet there.
    At an end of an open contour it is one from the only segment.
    """
    first_direction = directions[0]
    last_direction = directions[-1]
    if is_closed:
        around_points = [last_direction, *directions, first_direction]
    else:
        around_points = [first_direction, *directions, last_direction]
    inwards = []
    for direction, next_direction in pairwise(around_points):
        mean = _unit(direction + next_direction)
        inwards.append(QPointF(-mean.y(), mean.x()))
    return inwards


def _is_apart(point: QPointF, next_point: QPointF) -> bool:
    """Return whether two points are at different positions, but for rounding."""
    return (next_point - point).manhattanLength() > SHORTEST


def _without_repeats(points: list[QPointF]) -> list[QPointF]:
    """Return the points without those at the same position as the last one before them."""
    result = [points[0]]
    for point in points[1:]:
        if _is_apart(result[-1], point):
            result.append(point)
    return result


def _unit(vector: QPointF) -> QPointF:
    """Return the vector of length 1 in the same direction."""
    return vector / math.hypot(vector.x(), vector.y())
