"""Draws the shadows that higher neighbours cast on a cell, at the feet of steps.

``draw_shadow`` draws them around (0, 0), in map units::

    draw_shadow(painter, FLAT, height=1, neighbours=0b000011)     # of the neighbours at 0 and 1

Neighbours are told by bit masks: bit ``n`` is the one beyond side ``n``, on squares bit ``4 + n``
the one beyond corner ``n``. A shadow is what a neighbour would cover if it were moved away from the
sun: the area that its outline sweeps over, cut to the cell.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPolygonF

from app.appearance.painting import faint
from app.render.cell_geometry import neighbour_centres, side_ends
from app.render.cell_values.relief import SUN
from app.render.scene.convex import Point, area, clip, hull
from randomizer.model.basics.caches import registered
from randomizer.model.grid.layouts import Layout

SHADOW_LENGTHS = (0.26, 0.44, 0.60)
"""How far shadows fall, of steps of the heights 1 to 3."""

SHADOW_COLOUR = QColor(26, 20, 30)
"""The colour of the shadow on the lower land."""

SHADOW_OPACITY = (0.44, 0.26, 0.20)
"""The opacity of shadows at the foot of the step, of the heights 1 to 3. A high step has the
shadows of lower ones, too."""

NESTED = 4
"""A shadow is this many translucent shapes, one in the other, so that its edge is soft."""

NESTED_TOGETHER = 1.2
"""How much more opaque each of them is than its share: they do not add up fully."""

FOOT = 0.07
"""How far the darkness at the foot of a step reaches, on all sides."""

FOOT_OPACITY = 0.10
"""The opacity of the darkness at the foot of a step."""

MIN_AREA = 1e-6
"""Parts of shadows that are smaller than this are errors of rounding."""


def draw_shadow(
    painter: QPainter, layout: Layout, height: int, neighbours: int, strength: float = 1.0
) -> None:
    """Draw the shadow of ``neighbours`` (a bit mask) that are at least ``height`` higher.

    ``height`` is that of the step, 1 to 3; ``strength`` the share of the usual darkness, 0 to 1.
    """
    painter.setPen(Qt.PenStyle.NoPen)
    colour = faint(SHADOW_COLOUR, SHADOW_OPACITY[height - 1] / NESTED * NESTED_TOGETHER * strength)
    for number in range(1, NESTED + 1):
        length = SHADOW_LENGTHS[height - 1] * number / NESTED
        painter.fillPath(_swept(layout, neighbours, length), colour)
    if height == 1:  # once: higher steps have the shadows of lower ones, too
        foot_colour = faint(SHADOW_COLOUR, FOOT_OPACITY * strength)
        for width in (FOOT / 2, FOOT):
            painter.fillPath(_strips_at_steps(layout, neighbours, width), foot_colour)


def shadow_box(layout: Layout, height: int, neighbours: int) -> QRectF:
    """Return the box of what ``draw_shadow`` draws."""
    box = _swept(layout, neighbours, SHADOW_LENGTHS[height - 1]).boundingRect()
    if height == 1:
        box = box.united(_strips_at_steps(layout, neighbours, FOOT).boundingRect())
    return box


def _swept(layout: Layout, neighbours: int, length: float) -> QPainterPath:
    """Return what neighbours cover of the cell on their way from the sun, ``length`` far."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for index in range(len(neighbour_centres(layout))):
        if neighbours >> index & 1:
            path.addPath(_swept_by(layout, index, length))
    return path


@registered(bytes_each=500)
@lru_cache(1000)
def _swept_by(layout: Layout, number: int, length: float) -> QPainterPath:
    """Return what one neighbour covers, by its number as in ``neighbour_centres``."""
    dx = -SUN[0] * length
    dy = -SUN[1] * length
    centre_x, centre_y = neighbour_centres(layout)[number]
    # What a convex shape sweeps over is the hull of where it starts and where it ends.
    corners = [(x + centre_x, y + centre_y) for x, y in layout.corners]
    moved_corners = [(x + dx, y + dy) for x, y in corners]
    return _parts_in_cell([hull(corners + moved_corners)], layout)


def _strips_at_steps(layout: Layout, neighbours: int, width: float) -> QPainterPath:
    """Return the strips of the cell, of this width, along its sides to ``neighbours``."""
    strips = []
    for side in range(layout.degree):
        if not neighbours >> side & 1:
            continue
        (ax, ay), (bx, by) = side_ends(layout, side)
        length = math.hypot(bx - ax, by - ay)
        in_x = (ay - by) / length * width
        in_y = (bx - ax) / length * width
        strips.append([(ax, ay), (bx, by), (bx + in_x, by + in_y), (ax + in_x, ay + in_y)])
    return _parts_in_cell(strips, layout)


def _parts_in_cell(polygons: Sequence[Sequence[Point]], layout: Layout) -> QPainterPath:
    """Return what of convex polygons, clockwise on the screen, lies in the cell."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for polygon in polygons:
        inside = clip(polygon, layout.corners)
        if len(inside) > 2 and area(inside) > MIN_AREA:
            path.addPolygon(QPolygonF([QPointF(x, y) for x, y in inside]))
            path.closeSubpath()
    return path
