"""Draws the rivers of a cell: water between pale banks, stones at a spring, glints on wide water.

``reaches`` (river_courses.py) gives the lines of a river. Along each line several *ribbons* are
laid over each other, the widest first: banks, shallow water, and deeper water in its middle::

    draw_river(painter, layout, QColor("#70a8d8"), river, width=1.0, least_width=0.05)

The banks of all reaches are drawn before any water, so that no bank lies on the water of another
reach. Lengths are as in river_courses.py: constants are shares of the distance from a cell's centre
to a side, here called the *unit*, and widths of rivers are counted in quarters.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPainterPath, QPen

from app.appearance.painting import faint, mixed
from app.render.cell_geometry import apothem
from app.render.scene.routes.ribbons import joined_path, normals_of, points_along, ribbon
from app.render.scene.routes.river_courses import QUARTERS, Reach, River, reaches
from app.render.scene.routes.rounded_areas import AreaPart
from app.render.scene.routes.route_lines import WIDTHS
from randomizer.model.grid.layouts import Layout

BANK = QColor("#e9dcae")
"""The colour of banks."""

BANKS = ((0.13, 0.32), (0.07, 0.62))
"""The pale banks, the wider first: how far they reach beyond the water, and their opacities."""

SHORE_LIGHT = QColor("#d8eef2")
"""The colour towards which water gets lighter at the banks."""

SHORE_SHARE = 0.36
"""How much of that colour is in it: as much as in the sea at its shores."""

DEEP = 0.62
"""The width of the deeper water in the middle, as a share of the river's."""

ROUGHNESS = 0.16
"""By which share of its width the edges of the water waver."""

BANK_ROUGHNESS = 1.6 * ROUGHNESS
"""The same of banks: more, so that they are wider here and narrower there."""

DEEP_ROUGHNESS = 1.8 * ROUGHNESS
"""The same of the deeper water."""

BANK_IN_WATER = 0.45
"""How far a bank is seen along a reach into a cell of water, as a share of the reach."""

FADING_FROM = 0.3
"""Where the paint of such a reach begins to fade, as a share of what is seen of it."""

SPRING_BANK = 0.05
"""How far the bank reaches around a spring from which nothing flows."""

GLINTS_FROM = 3
"""Rivers of so many quarters have glints, like the waves of the sea."""

GLINTS = ((3, 0.5), (10, -0.6))
"""The glints, one near the start and one near the end: the point of ``points_along`` the river at
which each begins, and how far it lies to the right of the line, in quarters."""

GLINT_POINTS = 3
"""A glint leads along so many of these points."""

GLINT_COLOUR = QColor(255, 255, 255, 105)

GLINT_WIDTH = 0.07
"""The width of a glint where a quarter is one map unit; it grows with the root of a quarter."""


class Stone(NamedTuple):
    """A stone at a spring."""

    point: int
    """The point of ``points_along`` the river beside which it lies, 0 at the spring."""

    hand: int
    """On which hand of the river it lies: 1 to the right of its direction, -1 to the left."""

    radius: float

    distance: float
    """How far its middle lies from the edge of the water."""


STONES = (
    Stone(point=0, hand=-1, radius=0.05, distance=0.06),
    Stone(point=0, hand=1, radius=0.06, distance=0.03),
    Stone(point=1, hand=-1, radius=0.06, distance=0.1),
    Stone(point=1, hand=1, radius=0.043, distance=0.08),
    Stone(point=2, hand=1, radius=0.05, distance=0.11),
    Stone(point=3, hand=-1, radius=0.04, distance=0.09),
)

STONE_HEIGHT = 0.72
"""The height of a stone as a share of its width."""

STONE_LAYERS = (
    (0.03, 1.12, QColor(40, 48, 40, 90)),
    (0.0, 1.0, QColor("#7b7a70")),
    (-0.015, 0.72, QColor("#a9a698")),
    (-0.023, 0.36, QColor("#d2cfc0")),
)
"""The discs of a stone in the light from the north-west, the shadow first: how far each lies to the
south-east, its share of the radius, and its colour."""


class RiverScale(NamedTuple):
    """The lengths by which the rivers of a route are drawn, in map units."""

    unit: float
    """The distance from a cell's centre to a side."""

    quarter: float
    """A quarter of the width of the route."""

    least_width: float
    """No river is thinner than this, so that it is still seen from afar."""


def river_scale(layout: Layout, width: float, least_width: float) -> RiverScale:
    """Return the scale of a route that is ``width`` times as wide as water usually is."""
    unit = apothem(layout)
    return RiverScale(unit, WIDTHS["water"] * unit * width / QUARTERS, least_width)


class _Ribbon(NamedTuple):
    """One of the ribbons that are laid over each other along a reach."""

    colour: QColor

    share: float
    """Its width as a share of the river's."""

    margin: float
    """How much wider it is than that, in map units; 0 for water."""

    roughness: float
    """By which share of its width its edges waver."""

    def width(self, quarters: float, scale: RiverScale) -> float:
        """Return how wide it is, in map units, where the river is ``quarters`` wide."""
        if not quarters:  # the river begins as a point
            return 0.0
        return max(quarters * scale.quarter * self.share, scale.least_width) + self.margin

    def area(self, reach: Reach, points: list[QPointF], scale: RiverScale) -> QPainterPath:
        """Return the area that it covers along the ``points`` of a reach."""
        first_width = self.width(reach.first, scale)
        last_width = self.width(reach.last, scale)
        return ribbon(points, first_width, last_width, begins=reach.begins, rough=self.roughness)


# --- a river of a cell ------------------------------------------------------------------------


def draw_river(
    painter: QPainter,
    layout: Layout,
    colour: QColor,
    river: River,
    width: float,
    least_width: float,
) -> None:
    """Draw a river; ``width`` is that of its way, it is nowhere thinner than ``least_width``."""
    scale = river_scale(layout, width, least_width)
    river_reaches = reaches(layout, river)
    if river.in_water:
        draw_mouths(painter, colour, river_reaches, scale)
        return
    draw_reaches(painter, colour, river_reaches, scale)
    has_one_side = river.sides.bit_count() == 1
    if has_one_side and river_reaches[0].begins:
        _draw_stones(painter, river_reaches[0], scale)
    if not river.sides:
        _draw_pool(painter, colour, scale)


def draw_reaches(
    painter: QPainter, colour: QColor, river_reaches: Sequence[Reach], scale: RiverScale
) -> None:
    """Draw the banks, the water and the glints of reaches that meet each other."""
    painter.setPen(Qt.PenStyle.NoPen)
    points_of_banks = [points_along(reach.bank_line) for reach in river_reaches]
    for bank in _banks(scale):
        _fill_joined(painter, bank, river_reaches, points_of_banks, scale)
    points_of_water = [points_along(reach.line) for reach in river_reaches]
    for water in _waters(colour):
        _fill_joined(painter, water, river_reaches, points_of_water, scale)
    for reach, points in zip(river_reaches, points_of_water, strict=True):
        if min(reach.first, reach.last) >= GLINTS_FROM:
            _draw_glints(painter, points, scale)


def draw_mouths(
    painter: QPainter, colour: QColor, river_reaches: Sequence[Reach], scale: RiverScale
) -> None:
    """Draw reaches that lead from sides into a cell of water, and fade out in it."""
    painter.setPen(Qt.PenStyle.NoPen)
    for bank in _banks(scale):
        for reach in river_reaches:
            area = bank.area(reach, points_along(reach.bank_line), scale)
            painter.fillPath(area, _fading(reach.bank_line, bank.colour, BANK_IN_WATER))
    for water in _waters(colour):
        for reach in river_reaches:
            area = water.area(reach, points_along(reach.line), scale)
            painter.fillPath(area, _fading(reach.line, water.colour, visible_share=1.0))


def _banks(scale: RiverScale) -> list[_Ribbon]:
    """Return the ribbons of the banks, the widest first."""
    banks = []
    for reach_beyond_water, opacity in BANKS:
        margin = 2 * reach_beyond_water * scale.unit
        banks.append(_Ribbon(faint(BANK, opacity), 1.0, margin, BANK_ROUGHNESS))
    return banks


def _waters(colour: QColor) -> list[_Ribbon]:
    """Return the ribbons of the water, the widest first."""
    shallow = _Ribbon(shallow_water(colour), 1.0, 0.0, ROUGHNESS)
    deep = _Ribbon(colour, DEEP, 0.0, DEEP_ROUGHNESS)
    return [shallow, deep]


def _fill_joined(
    painter: QPainter,
    layer: _Ribbon,
    river_reaches: Sequence[Reach],
    points_of_reaches: list[list[QPointF]],
    scale: RiverScale,
) -> None:
    """Fill a ribbon along all reaches, as one path.

    As several, a translucent colour would be laid twice where reaches meet.
    """
    areas = [
        layer.area(reach, points, scale)
        for reach, points in zip(river_reaches, points_of_reaches, strict=True)
    ]
    painter.fillPath(joined_path(areas), layer.colour)


def _fading(line: QPainterPath, colour: QColor, visible_share: float) -> QLinearGradient:
    """Return a paint that fades out along a straight line; nothing is left beyond that share."""
    start, end = points_along(line, 2)
    fading = QLinearGradient(start, end)
    fading.setColorAt(0.0, colour)
    fading.setColorAt(visible_share * FADING_FROM, colour)
    fading.setColorAt(visible_share, faint(colour, 0.0))
    return fading


def _draw_glints(painter: QPainter, points: list[QPointF], scale: RiverScale) -> None:
    """Draw short light strokes along the water, whose line leads through ``points``."""
    normals = normals_of(points)
    path = QPainterPath()
    for first, offset in GLINTS:
        for number in range(first, first + GLINT_POINTS):
            point = points[number] + normals[number] * (offset * scale.quarter)
            if number == first:
                path.moveTo(point)
            else:
                path.lineTo(point)
    pen = QPen(GLINT_COLOUR, math.sqrt(scale.quarter) * GLINT_WIDTH)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.strokePath(path, pen)


def _draw_stones(painter: QPainter, reach: Reach, scale: RiverScale) -> None:
    """Draw the stones between which a river wells up where its first reach starts."""
    half_width = max(reach.first * scale.quarter, scale.least_width) / 2
    points = points_along(reach.line)
    normals = normals_of(points)
    painter.setPen(Qt.PenStyle.NoPen)
    for stone in STONES:
        offset = stone.hand * (half_width + stone.distance * scale.unit)
        middle = points[stone.point] + normals[stone.point] * offset
        for shift, share, colour in STONE_LAYERS:
            painter.setBrush(colour)
            radius = stone.radius * share * scale.unit
            disc_middle = middle + QPointF(shift, shift) * scale.unit
            painter.drawEllipse(disc_middle, radius, radius * STONE_HEIGHT)


def _draw_pool(painter: QPainter, colour: QColor, scale: RiverScale) -> None:
    """Draw a spring from which nothing flows: a disc of water with a bank around it."""
    water_radius = QUARTERS * scale.quarter / 2
    bank_radius = water_radius + SPRING_BANK * scale.unit
    for radius, paint in ((bank_radius, BANK), (water_radius, colour)):
        spring = QPainterPath()
        spring.addEllipse(QPointF(), radius, radius)
        painter.fillPath(spring, paint)


# --- rivers that fill their cells ---------------------------------------------------------------


def draw_banks(painter: QPainter, layout: Layout, area: AreaPart) -> None:
    """Draw the pale banks of a river that fills its cells, on both sides of its outline."""
    for reach_beyond_water, opacity in BANKS:
        pen = QPen(faint(BANK, opacity), 2 * reach_beyond_water * apothem(layout))
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.strokePath(area.outline, pen)


def shallow_water(colour: QColor) -> QColor:
    """Return the colour of the water at the banks."""
    return mixed(colour, SHORE_LIGHT, SHORE_SHARE)
