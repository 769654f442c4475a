"""Draws roads and tracks of landscapes: ground that is worn bare, without lines along it.

``RoutePieces`` calls ``draw_worn_road`` for the part of a road that lies in one cell; its course is
given by the sides that it crosses. From below, a road consists of soft verges, the worn ground, a
lighter middle where most feet go, and two ruts. Far away it is one light line with a dark rim. All
is in map units around the cell's centre.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from app.appearance.painting import faint, mixed
from app.render.cell_geometry import apothem
from app.render.scene.routes.courses import Course, lines
from app.render.scene.routes.ribbons import (
    disc,
    joined_path,
    normals_of,
    ribbon,
    swaying_points,
)
from app.render.scene.routes.rounded_areas import OVERLAP
from randomizer.model.grid.layouts import Layout

WORN_WIDTHS = {"road": 0.21, "track": 0.15}
"""The width of the worn ground, as a share of the distance from a cell's centre to a side.

Usual routes have the ``route_lines.WIDTHS``, in the same measure.
"""

SOIL = QColor("#b39768")
"""The colour of the bare soil, which shows in the verges."""

COLOUR_SHARES = {"road": 0.52, "track": 0.2}
"""How much of the route's own colour is mixed into the soil of the worn ground, 0 to 1."""


class _Verge(NamedTuple):
    """A soft edge of a road: a translucent band of soil below it that is wider than the road."""

    width: float
    """In widths of the road."""

    opacity: float
    """The opacity of the band, 0 to 1."""


VERGES = (_Verge(2.0, 0.16), _Verge(1.5, 0.3), _Verge(1.2, 0.4))
"""The verges from the outermost on: they lie on one another, so that the road fades out."""

TRODDEN_WIDTH = 0.72
"""The width of the lighter middle of a road, in widths of the road."""

TRODDEN_COLOUR = QColor("#fff6dc")
"""A light sand, of which the middle of a road has ``TRODDEN_SHARE``."""

TRODDEN_SHARE = 0.35
"""How much of that colour is mixed into the worn ground, 0 to 1."""

TRODDEN_OPACITY = 0.7
"""The opacity of the lighter middle of a road."""

TRACK_OPACITY = 0.55
"""The opacity of the worn ground of a track: what grows there shows through."""

RUT_DISTANCE = 0.24
"""How far a rut lies from the middle of the road, in widths of the road."""

RUT_WIDTH = 0.055
"""The width of a rut, in widths of the road."""

RUT_DARKNESS = 140
"""How much darker than the ground a rut is (``QColor.darker``)."""

RUT_OPACITY = 0.5
"""The opacity of a rut."""

RUT_PERIOD = 7
"""A rut is drawn and interrupted anew after so many of the steps of ``points_along``."""

RUT_DRAWN = 5
"""The steps of each period in which the rut is drawn; in the rest it has a gap."""

RUT_SHIFT = 3
"""By so many steps the gaps of one rut are shifted against those of the other."""

MIN_WIDTHS = {"road": 2.0, "track": 1.2}
"""The least width of roads, in pixels."""

AFAR_BELOW = 4.0
"""Below this width, in pixels, roads are drawn as from afar: light, with a dark rim.

Their verges and ruts would be finer than pixels.
"""

AFAR_RIM = 165
"""How much darker than its ground the rim of a road from afar is (``QColor.darker``)."""

AFAR_LIGHT = 118
"""How much lighter than its ground a road from afar is (``QColor.lighter``)."""

RIM_OVERLAP = OVERLAP / 3
"""How far the rim of a road from afar reaches over the cell's side, as a share of the way to it.

The rim reaches less far than the road (``OVERLAP``): else it would cover the end of the road in the
next cell.
"""

TRANSLUCENT_OVERLAP = OVERLAP / 8
"""How far translucent ground reaches over the cell's side: where it does it shows twice."""

ROUGHNESS = 0.3
"""By which share of their width the edges of roads waver."""

SWAY = 0.07
"""How far roads swing aside within a cell, as a share of the distance from its centre to a side."""


def is_worn(style: str) -> bool:
    """Return whether a style of route is worn ground."""
    return style in WORN_WIDTHS


def draw_worn_road(
    painter: QPainter,
    layout: Layout,
    style: str,
    colour: QColor,
    course: Course,
    *,
    width: float = 1.0,
    min_width: float,
) -> None:
    """Draw a road or track through the cell around (0, 0).

    ``style`` is "road" or "track", ``colour`` that of the route. ``width`` is a factor of the usual
    width of the style. ``min_width`` is the width of a pixel, in map units: a road is never
    thinner, and has as much detail as its pixels can show.
    """
    pixel = min_width
    road_width = max(WORN_WIDTHS[style] * apothem(layout) * width, MIN_WIDTHS[style] * pixel)
    ground = mixed(SOIL, colour, COLOUR_SHARES[style])
    painter.setPen(Qt.PenStyle.NoPen)

    # Verges finer than pixels would leave nothing that differs from the land beside the road.
    if road_width < AFAR_BELOW * pixel:
        rim_width = road_width + 2 * pixel
        rim = _RouteGround(layout, course, RIM_OVERLAP)
        rim.fill(painter, rim_width, ground.darker(AFAR_RIM))
        road = _RouteGround(layout, course, OVERLAP)
        road.fill(painter, road_width, ground.lighter(AFAR_LIGHT))
        return

    translucent = _RouteGround(layout, course, TRANSLUCENT_OVERLAP)
    for verge in VERGES:
        translucent.fill(painter, road_width * verge.width, faint(SOIL, verge.opacity))
    if style == "road":
        _RouteGround(layout, course, OVERLAP).fill(painter, road_width, ground)
        trodden = mixed(ground, TRODDEN_COLOUR, TRODDEN_SHARE)
        trodden_width = road_width * TRODDEN_WIDTH
        translucent.fill(painter, trodden_width, faint(trodden, TRODDEN_OPACITY))
    else:
        translucent.fill(painter, road_width, faint(ground, TRACK_OPACITY))
    _draw_ruts(painter, layout, course, road_width, ground.darker(RUT_DARKNESS))


class _RouteGround:
    """The ground along the lines of a route in a cell, to be filled in several widths.

    The lines reach over the cell's sides by ``overlap``, a share of the way to the side.
    """

    def __init__(self, layout: Layout, course: Course, overlap: float) -> None:
        sway = SWAY * apothem(layout)
        self._lines = [swaying_points(line, sway) for line in lines(layout, course, overlap)]
        """The points of each line, from the side of the cell inwards or to another side."""
        side_count = course.sides.bit_count()  # a bit for each side that the route crosses
        self._is_dead_end = side_count == 1
        """True if the route ends in the cell: its end is rounded."""
        self._hub: QPointF | None = None
        """The middle of the round patch where lines meet; None where only one line runs."""
        if side_count == 0:
            self._hub = QPointF()  # a route without sides is a patch in the cell's middle
        elif side_count > 2:
            self._hub = course.hub(layout)

    def fill(self, painter: QPainter, width: float, colour: QColor) -> None:
        """Fill the ground along all lines at once, so that it is even where they overlap."""
        areas = []
        for points in self._lines:
            area = ribbon(points, width, width, rough=ROUGHNESS)
            if self._is_dead_end:
                area.addPath(disc(points[-1], width / 2))
            areas.append(area)
        if self._hub is not None:
            radius = width / 2
            if not self._lines:
                radius = width  # a patch by itself is larger
            areas.append(disc(self._hub, radius))
        painter.fillPath(joined_path(areas), colour)


def _draw_ruts(
    painter: QPainter, layout: Layout, course: Course, width: float, colour: QColor
) -> None:
    """Draw the two ruts of a route that is ``width`` wide: fine lines with gaps."""
    ruts = QPainterPath()
    for line in lines(layout, course, 0.0):
        points = swaying_points(line, SWAY * apothem(layout))
        _add_rut(ruts, points, RUT_DISTANCE * width, shift=0)
        _add_rut(ruts, points, -RUT_DISTANCE * width, shift=RUT_SHIFT)
    pen = QPen(faint(colour, RUT_OPACITY), RUT_WIDTH * width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.strokePath(ruts, pen)


def _add_rut(path: QPainterPath, points: list[QPointF], distance: float, shift: int) -> None:
    """Add the dashes of one rut to a path.

    The rut runs beside the ``points`` of the road's middle, at a ``distance`` to the right of it,
    or to the left if that is negative. Its gaps are moved by ``shift`` steps between points.
    """
    rut_points = []
    for point, normal in zip(points, normals_of(points), strict=True):
        rut_points.append(point + normal * distance)
    for step, (start, end) in enumerate(pairwise(rut_points)):
        if (step + shift) % RUT_PERIOD < RUT_DRAWN:
            path.moveTo(start)
            path.lineTo(end)
