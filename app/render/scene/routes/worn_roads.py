"""Draws roads and tracks of landscapes: ground that is worn, without lines along it.

All is in map units around the cell's centre.
"""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from app.appearance.painting import faint, mixed
from app.render.cell_geometry import apothem
from app.render.scene.routes.ribbons import (
    disc,
    joined_path,
    normals_of,
    ribbon,
    swaying_points,
)
from app.render.scene.routes.rounded_areas import OVERLAP
from app.render.scene.routes.route_lines import Course, lines
from randomizer.model.grid.layouts import Layout

WORN = {"road": 0.21, "track": 0.15}
"""The width of the ground that is worn bare, as ``route_lines.WIDTHS``."""

SOIL = QColor("#b39768")
"""What shows of the ground beside the road."""

VERGES = ((2.0, 0.16), (1.5, 0.3), (1.2, 0.4))
"""The soft edges of a road: widths as shares of its own, and opacities."""

LIGHT_SHARE = {"road": 0.52, "track": 0.2}
"""How much of the colour of its way worn ground has."""

TRODDEN = 0.72
"""The width of the lighter middle of a road, as a share of its own."""

RUTS = (0.24, 0.055)
"""How far the ruts lie from the middle of the road, and how wide they are, as shares of its own."""

AFAR = {"road": 2.0, "track": 1.2}
"""The least width of roads, in pixels."""

AFAR_BELOW = 4.0
"""Below this width, in pixels, roads are drawn as from afar: light, with a dark rim."""

RIM = 165
"""How much darker than its ground the rim of a road from afar is (``QColor.darker``)."""

FILLED = 118
"""How much lighter than its ground a road from afar is (``QColor.lighter``)."""

ROUGH = 0.3
"""By which share of their width the edges waver."""

SWAY = 0.07
"""How far roads swing aside on their way through a cell, as ``WORN``."""


def is_worn(style: str) -> bool:
    """Return whether a style of route is worn ground."""
    return style in WORN


def draw_worn_road(
    painter: QPainter,
    layout: Layout,
    style: str,
    colour: QColor,
    course: Course,
    *,
    width: float = 1.0,
    least_width: float = 0.0,
) -> None:
    """Draw a road or track; the parameters are those of ``route_lines.draw_route``."""
    unit = apothem(layout)
    worn = max(WORN[style] * unit * width, AFAR[style] * least_width)
    share = LIGHT_SHARE[style]
    ground = mixed(SOIL, colour, share)
    painter.setPen(Qt.PenStyle.NoPen)
    if worn < AFAR_BELOW * least_width:
        # Soft edges, finer than pixels, would leave nothing that differs from the land beside it.
        _Ground(layout, course, OVERLAP / 3).fill(
            painter, worn + 2 * least_width, ground.darker(RIM)
        )
        _Ground(layout, course, OVERLAP).fill(painter, worn, ground.lighter(FILLED))
        return
    # Translucent ground does not reach over the side: it would show twice there.
    inner = _Ground(layout, course, OVERLAP / 8)
    for wider, opacity in VERGES:
        inner.fill(painter, worn * wider, faint(SOIL, opacity))
    if style == "road":
        _Ground(layout, course, OVERLAP).fill(painter, worn, ground)
        light = faint(mixed(ground, QColor("#fff6dc"), 0.35), 0.7)
        inner.fill(painter, worn * TRODDEN, light)
    else:
        inner.fill(painter, worn, faint(ground, 0.55))
    if worn > 4 * least_width:  # else ruts would be finer than pixels
        _draw_ruts(painter, layout, course, worn, ground.darker(140))


class _Ground:
    """The worn ground along the lines of a route, which reach over the sides by ``overlap``."""

    def __init__(self, layout: Layout, course: Course, overlap: float) -> None:
        sway = SWAY * apothem(layout)
        self._lines = [swaying_points(line, sway) for line in lines(layout, course, overlap)]
        self._is_end = course.sides.bit_count() == 1
        self._hub: QPointF | None = None
        """The middle of the round patch where lines meet; None where only one line runs."""
        if not self._lines:
            self._hub = QPointF()  # a route without sides is a patch in the cell's middle
        elif course.sides.bit_count() != 2 and not self._is_end:
            self._hub = course.hub(layout)

    def fill(self, painter: QPainter, width: float, colour: QColor) -> None:
        """Fill it once, and where the lines meet."""
        areas = []
        for points in self._lines:
            area = ribbon(points, width, width, rough=ROUGH)
            if self._is_end:
                area.addPath(disc(points[-1], width / 2))
            areas.append(area)
        if self._hub is not None:
            radius = width
            if self._lines:
                radius = width / 2
            areas.append(disc(self._hub, radius))
        painter.fillPath(joined_path(areas), colour)


def _draw_ruts(
    painter: QPainter, layout: Layout, course: Course, width: float, colour: QColor
) -> None:
    """Draw two fine lines along a route, with gaps."""
    aside, thickness = RUTS
    path = QPainterPath()
    for line in lines(layout, course, 0.0):
        points = swaying_points(line, SWAY * apothem(layout))
        normals = normals_of(points)
        for number, hand in enumerate((1, -1)):
            edge = [
                point + normal * (hand * aside * width)
                for point, normal in zip(points, normals, strict=True)
            ]
            for step, (start, end) in enumerate(pairwise(edge)):
                if (step + 3 * number) % 7 < 5:
                    path.moveTo(start)
                    path.lineTo(end)
    pen = QPen(faint(colour, 0.5), thickness * width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.strokePath(path, pen)
