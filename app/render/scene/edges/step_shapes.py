"""Draws steps between elevations: the lit or dark rim of the higher cell, the shadow on the lower.

The light comes from the north-west (``relief.SUN``). All lengths are map units around the centre of
the cell (y runs down).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPolygonF

from app.appearance.painting import fill_together
from app.render.cell_geometry import neighbour_centres, side_ends
from app.render.cell_values.relief import SUN
from app.render.scene.convex import Point, area, clip, hull
from app.render.scene.edges.contours import KNOTS, Bends, Contour, End, Knot, contour
from randomizer.model.grid.layouts import Layout

HIGHEST_STEP = 3
"""Steps of more units than this are drawn like these."""

RIMS = (0.14, 0.22, 0.30)
"""How wide the rim of a step is, by its height."""

SHADOWS = (0.26, 0.44, 0.60)
"""How far the shadow of a step falls, by its height."""

NESTED = 4
"""A soft edge is this many translucent shapes, one in the other."""

LIGHT, DARK, SHADOW = QColor(255, 251, 232), QColor(48, 30, 12), QColor(26, 20, 30)

RIM_OPACITY = (0.46, 0.34, 0.28)
"""Of the rims at the contour, where they face the light or are turned from it, by the height."""

SHADOW_OPACITY = (0.44, 0.26, 0.20)
"""Of the shadow at the foot of the step, by the height: a high step has all that lower ones have.
"""

FOOT, FOOT_OPACITY = 0.07, 0.10
"""How far the darkness at the foot of a step reaches on all sides, and its opacity."""

LINE = 0.03
"""The width of the line along a step."""

REACH = 0.15
"""How far rims may reach over the sides of the cell."""


def draw_rim(
    painter: QPainter,
    layout: Layout,
    bends: Bends,
    height: int,
    sides: int,
    drops: int,
    ends: int,
    variant: int,
) -> None:
    """Draw the rim of steps of ``height`` at ``sides`` (a bit mask) of the higher cell.

    ``drops`` are all sides at which the land drops. At the corners ``ends`` (a bit mask) a contour
    that leaves the cell turns round the lower neighbour; at others it goes straight on.
    """
    for side in range(layout.degree):
        if sides >> side & 1:
            line = contour(layout, side, *_ends(layout, side, drops, ends), bends, variant)
            _draw_rim_of(painter, line, height)
            if height == 1:
                _draw_outside(painter, layout, side, line)
                _draw_line(painter, line)


def rim_box(layout: Layout, sides: int, height: int) -> QRectF:
    """Return the box of what ``draw_rim`` draws."""
    box = QRectF()
    for side in range(layout.degree):
        if sides >> side & 1:
            (ax, ay), (bx, by) = side_ends(layout, side)
            in_x, in_y = (ay - by) * RIMS[height - 1], (bx - ax) * RIMS[height - 1]
            corners = ((ax, ay), (bx, by), (ax + in_x, ay + in_y), (bx + in_x, by + in_y))
            box = box.united(QPolygonF([QPointF(*each) for each in corners]).boundingRect())
    return box.adjusted(-REACH, -REACH, REACH, REACH)


def shadow_box(layout: Layout, height: int, around: int) -> QRectF:
    """Return the box of what ``draw_shadow`` draws."""
    box = _swept(layout, around, SHADOWS[height - 1]).boundingRect()
    return box.united(_feet(layout, around, FOOT).boundingRect() if height == 1 else box)


def _ends(layout: Layout, side: int, drops: int, ends: int) -> tuple[End, End]:
    """How the contour of a side goes on beyond its two corners."""
    degree = layout.degree
    result = []
    for corner, other in ((side, side - 1), ((side + 1) % degree, side + 1)):
        if drops >> other % degree & 1:
            result.append(End.AROUND)
        else:
            result.append(End.AWAY if ends >> corner & 1 else End.STRAIGHT)
    return result[0], result[1]


def _draw_rim_of(painter: QPainter, line: Contour, height: int) -> None:
    for step in range(1, NESTED + 1):
        deep = RIMS[height - 1] * (step / NESTED) ** 1.5
        quads = []
        for a, b in pairwise(line):
            facing = (a.facing + b.facing) / 2
            colour = QColor(LIGHT if facing > 0 else DARK)
            colour.setAlphaF(RIM_OPACITY[height - 1] * (0.12 + 0.88 * abs(facing)) / NESTED * 1.6)
            quad = QPolygonF((a.offset(0), b.offset(0), b.offset(-deep), a.offset(-deep)))
            quads.append((quad, colour))
        fill_together(painter, quads)


def _draw_outside(painter: QPainter, layout: Layout, side: int, line: Contour) -> None:
    """What of the cell lies outside its contour, at rounded corners, belongs to the lower land."""
    (ax, ay), (bx, by) = (layout.corners[side], layout.corners[(side + 1) % layout.degree])
    length = math.hypot(bx - ax, by - ay)
    ex, ey = (bx - ax) / length, (by - ay) / length
    outside = []
    for i in range(KNOTS - 1):
        knots, feet, deep = (line[i], line[i + 1]), [], 0.0
        for knot in knots:
            along = min(max((knot.x - ax) * ex + (knot.y - ay) * ey, 0.0), length)
            foot = QPointF(ax + ex * along, ay + ey * along)
            deep = max(deep, (foot.x() - knot.x) * ey - (foot.y() - knot.y) * ex)
            feet.append(foot)
        if i == 0:
            feet[0] = QPointF(ax, ay)
        elif i == KNOTS - 2:
            feet[1] = QPointF(bx, by)
        if deep < 1e-3:
            continue
        facing = (knots[0].facing + knots[1].facing) / 2
        colour = QColor(SHADOW)
        colour.setAlphaF(0.16 + 0.34 * max(0.0, -facing))
        quad = QPolygonF((knots[0].offset(0), knots[1].offset(0), feet[1], feet[0]))
        outside.append((quad, colour))
    fill_together(painter, outside)


def _draw_line(painter: QPainter, line: Contour) -> None:
    dark, light = [], []
    for a, b in pairwise(line):
        facing = (a.facing + b.facing) / 2
        if facing > 0:  # a dark hair outside of the light one: else it would be lost on snow
            dark.append((_strip(a, b, LINE * 0.45, LINE * 1.15), _ink(DARK, 0.30)))
            light.append((_strip(a, b, -LINE / 2, LINE / 2), _ink(LIGHT, 0.25 + 0.6 * facing)))
        else:
            dark.append((_strip(a, b, -LINE / 2, LINE / 2), _ink(DARK, 0.35 - 0.45 * facing)))
    fill_together(painter, dark)
    fill_together(painter, light)


def _strip(a: Knot, b: Knot, inner: float, outer: float) -> QPolygonF:
    """What lies between two knots, from ``inner`` to ``outer`` outside of the contour."""
    return QPolygonF((a.offset(inner), b.offset(inner), b.offset(outer), a.offset(outer)))


def _ink(colour: QColor, opacity: float) -> QColor:
    ink = QColor(colour)
    ink.setAlphaF(opacity)
    return ink


def draw_shadow(painter: QPainter, layout: Layout, height: int, around: int) -> None:
    """Draw the shadow of neighbours that are at least ``height`` higher on the lower cell.

    ``around`` are the sides where they lie; on squares the bits from 4 on are the corners.
    """
    painter.setPen(Qt.PenStyle.NoPen)
    colour = QColor(SHADOW)
    colour.setAlphaF(SHADOW_OPACITY[height - 1] / NESTED * 1.2)
    for step in range(1, NESTED + 1):
        far = SHADOWS[height - 1] * step / NESTED
        painter.fillPath(_swept(layout, around, far), colour)
    if height == 1:
        colour.setAlphaF(FOOT_OPACITY)
        for width in (FOOT / 2, FOOT):
            painter.fillPath(_feet(layout, around, width), colour)


def _swept(layout: Layout, around: int, far: float) -> QPainterPath:
    """What neighbours would cover of the cell, moved away from the sun by ``far``."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for bit in range(len(neighbour_centres(layout))):
        if around >> bit & 1:
            path.addPath(_swept_by(layout, bit, far))
    return path


@lru_cache(1000)
def _swept_by(layout: Layout, bit: int, far: float) -> QPainterPath:
    """What one neighbour would cover."""
    dx, dy = -SUN[0] * far, -SUN[1] * far
    cx, cy = neighbour_centres(layout)[bit]
    corners = [(x + cx, y + cy) for x, y in layout.corners]
    return _union([hull([*corners, *((x + dx, y + dy) for x, y in corners)])], layout)


def _feet(layout: Layout, around: int, width: float) -> QPainterPath:
    """Strips of the cell along its sides ``around``."""
    parts = []
    for side in range(layout.degree):
        if around >> side & 1:
            (ax, ay), (bx, by) = layout.corners[side], layout.corners[(side + 1) % layout.degree]
            length = math.hypot(bx - ax, by - ay)
            nx, ny = (ay - by) / length * width, (bx - ax) / length * width
            parts.append([(ax, ay), (bx, by), (bx + nx, by + ny), (ax + nx, ay + ny)])
    return _union(parts, layout)


def _union(polygons: Sequence[Sequence[Point]], layout: Layout) -> QPainterPath:
    """What of convex polygons, clockwise on the screen, lies in the cell."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for polygon in polygons:
        part = clip(polygon, layout.corners)
        if len(part) > 2 and area(part) > 1e-6:
            path.addPolygon(QPolygonF([QPointF(x, y) for x, y in part]))
            path.closeSubpath()
    return path
