"""Draws a cell's part of a hill: its shadow on the land below, and its slope in the light.

The light comes from the north-west (``relief.SUN``); all is in map units around the cell's centre.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF, QTransform

from app.render.cell_values.relief import LIGHT_COLOUR, SUN
from app.render.scene.routes.rounded_areas import AreaPart

SHADOW = 0.09
"""How far the shadow falls; lengths are shares of the distance from a cell's centre to a side."""

SHADOW_OPACITY = 0.20

SLOPE = 0.19
SLOPE_OPACITY = 0.30
"""How wide the slope along the contour is, as a share of the reach of the hill, and the opacity of
its light and shade.
"""

NESTED = 3
"""A soft edge is this many translucent shapes, one in the other."""

FINE = 60.0
"""Curves are scaled by this before Qt flattens them: it does so to about one unit."""


def draw_hill_shadow(painter: QPainter, part: AreaPart, unit: float) -> None:
    """Draw the shadow; ``unit`` is the distance from the cell's centre to a side."""
    painter.setPen(Qt.PenStyle.NoPen)
    for start, end, facing, _ in _segments(part):
        if facing < 0:
            for step in range(1, NESTED + 1):
                far = QPointF(*SUN) * (-SHADOW * unit * step / NESTED)
                shade = QColor(20, 16, 24)
                shade.setAlphaF(SHADOW_OPACITY / NESTED * 1.5)
                painter.setBrush(shade)
                painter.drawPolygon(QPolygonF([start, end, end + far, start + far]))


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

    ``reach`` is how far the hill reaches from the cell's centre, ``width`` that of its slope as
    ``SLOPE``; its edge is ``steps`` translucent shapes.
    """
    painter.setPen(Qt.PenStyle.NoPen)
    for start, end, facing, inwards in _segments(part):
        if facing > 0:
            shade = QColor(LIGHT_COLOUR)
        else:
            shade = colour.darker(220)
        shade.setAlphaF(SLOPE_OPACITY * abs(facing) / steps * 1.6)
        painter.setBrush(shade)
        for step in range(1, steps + 1):
            deep = width * reach * step / steps
            inner = [end + inwards[1] * deep, start + inwards[0] * deep]
            painter.drawPolygon(QPolygonF([start, end, *inner]))


def _segments(
    part: AreaPart,
) -> Iterator[tuple[QPointF, QPointF, float, tuple[QPointF, QPointF]]]:
    """Yield the straight pieces of the contour within the cell, clockwise: where they start and
    end.

    Each with how it faces the light (1 towards it, -1 away from it), and the inward unit normals at
    its ends.
    """
    for line in part.outline.toSubpathPolygons(QTransform.fromScale(FINE, FINE)):
        points = [point / FINE for point in line.toList()]
        closed = (points[0] - points[-1]).manhattanLength() < 1e-6
        if not closed:
            points = points[1:-1]  # the ends reach into the neighbours
        points = [points[0], *(b for a, b in pairwise(points) if (b - a).manhattanLength() > 1e-6)]
        ways = [_unit(b - a) for a, b in pairwise(points)]
        before, after = (ways[-1], ways[0]) if closed else (ways[0], ways[-1])
        turns = [_unit(a + b) for a, b in pairwise([before, *ways, after])]
        inwards = [QPointF(-turn.y(), turn.x()) for turn in turns]
        for i, way in enumerate(ways):
            facing = way.y() * SUN[0] - way.x() * SUN[1]
            yield points[i], points[i + 1], facing, (inwards[i], inwards[i + 1])


def _unit(way: QPointF) -> QPointF:
    return way / math.hypot(way.x(), way.y())
