"""Draws the rivers of a cell: water between pale banks, springs, and glints on wide water.

``reaches`` (river_courses.py) gives the lines of a river. Along each line several *ribbons* are
laid over each other, the widest first: banks, shallow water, and deeper water in its middle::

    draw_river(painter, layout, QColor("#70a8d8"), river, width=1.0, min_width=0.05)

The banks of all reaches are drawn before any water, so that no bank lies on the water of another
reach. Rivers of a few pixels, as from *afar*, have less detail. Lengths are as in river_courses.py:
constants are shares of the distance from a cell's centre to a side, here called the *unit*, and
widths of rivers are counted in quarters.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPainterPath, QPen

from app.appearance.painting import faint
from app.render.cell_geometry import apothem
from app.render.scene.routes.ribbons import POINTS, joined_path, normals_of, points_along, ribbon
from app.render.scene.routes.river_courses import QUARTERS, Reach, River, reaches
from app.render.scene.routes.river_looks import BANK, BANKS, RiverScale, river_scale, shallow_water
from app.render.scene.routes.rounded_areas import AreaPart
from app.render.scene.routes.springs import (
    draw_damp_ground,
    draw_spring,
    draw_still_spring,
    spring_of,
)
from randomizer.model.grid.layouts import Layout

DEEP = 0.62
"""The width of the deeper water in the middle, as a share of the river's."""

ROUGHNESS = 0.16
"""By which share of its width the edges of the water waver."""

BANK_ROUGHNESS = 1.6 * ROUGHNESS
"""The same of banks: more, so that they are wider here and narrower there."""

DEEP_ROUGHNESS = 1.8 * ROUGHNESS
"""The same of the deeper water."""

AFAR_BELOW = 4.0
"""Below this width of a whole river, in pixels, rivers are drawn as from afar.

Their edges would waver by less than a pixel.
"""

AFAR_POINTS = 7
"""Lines of rivers from afar are followed through so many points."""

BANK_IN_WATER = 0.45
"""How far a bank is seen along a reach into a cell of water, as a share of the reach."""

FADING_FROM = 0.3
"""Where the paint of such a reach begins to fade, as a share of what is seen of it."""

GLINTS_FROM = 3
"""Rivers of so many quarters have glints, like the waves of the sea."""


class _Glint(NamedTuple):
    """A short light stroke on the water."""

    first_point: int
    """The index of the point of ``points_along`` the river at which it begins."""

    to_right: float
    """How far it lies to the right of the line, in quarters."""


GLINT_POINTS = 3
"""A glint leads along so many points of ``points_along`` the river."""

GLINTS = (_Glint(3, 0.5), _Glint(POINTS - GLINT_POINTS, -0.6))
"""The glints of a reach, one near its start and one at its end."""

GLINT_COLOUR = QColor(255, 255, 255, 105)

GLINT_WIDTH = 0.07
"""The width of a glint where a quarter is one map unit; it grows with the root of a quarter."""


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
        return max(quarters * scale.quarter * self.share, scale.min_width) + self.margin

    def area(self, reach: Reach, points: list[QPointF], scale: RiverScale) -> QPainterPath:
        """Return the area that it covers along the ``points`` of a reach."""
        first_width = self.width(reach.first_width, scale)
        last_width = self.width(reach.last_width, scale)
        roughness = self.roughness
        if _is_afar(scale):
            roughness = 0.0
        return ribbon(
            points, first_width, last_width, has_round_start=reach.begins, rough=roughness
        )


# --- a river of a cell ------------------------------------------------------------------------


def draw_river(
    painter: QPainter,
    layout: Layout,
    colour: QColor,
    river: River,
    width: float,
    min_width: float,
) -> None:
    """Draw a river, nowhere thinner than ``min_width``, in map units.

    ``width`` is the factor of the usual width that rivers of its kind have (``RouteSpec.width``).
    """
    scale = river_scale(layout, width, min_width)
    river_reaches = reaches(layout, river)
    if river.in_water:
        draw_mouths(painter, colour, river_reaches, scale)
        return
    side_count = river.sides.bit_count()
    if side_count == 0:  # there are no reaches
        draw_still_spring(painter, colour, scale)
    elif side_count == 1 and river_reaches[0].begins:
        # The river rises in the cell: the damp ground lies below it, the spring above.
        spring = spring_of(river_reaches[0], scale)
        draw_damp_ground(painter, spring)
        draw_reaches(painter, colour, river_reaches, scale)
        draw_spring(painter, colour, spring, scale)
    else:
        draw_reaches(painter, colour, river_reaches, scale)


def draw_reaches(
    painter: QPainter, colour: QColor, river_reaches: Sequence[Reach], scale: RiverScale
) -> None:
    """Draw the banks, the water and the glints of reaches that meet each other."""
    painter.setPen(Qt.PenStyle.NoPen)
    points_of_water = [_points_along(reach.line, scale) for reach in river_reaches]
    points_of_banks = points_of_water
    if not _is_afar(scale):  # else the lines differ by less than a pixel
        points_of_banks = [points_along(reach.bank_line) for reach in river_reaches]
    for bank in _banks(scale):
        _fill_joined(painter, bank, river_reaches, points_of_banks, scale)
    for water in _waters(colour):
        _fill_joined(painter, water, river_reaches, points_of_water, scale)
    if _is_afar(scale):
        return  # glints would be finer than pixels
    for reach, points in zip(river_reaches, points_of_water, strict=True):
        if min(reach.first_width, reach.last_width) >= GLINTS_FROM:
            _draw_glints(painter, points, scale)


def draw_mouths(
    painter: QPainter, colour: QColor, river_reaches: Sequence[Reach], scale: RiverScale
) -> None:
    """Draw reaches that lead from sides into a cell of water, and fade out in it."""
    painter.setPen(Qt.PenStyle.NoPen)
    for bank in _banks(scale):
        for reach in river_reaches:
            area = bank.area(reach, _points_along(reach.bank_line, scale), scale)
            painter.fillPath(area, _fading(reach.bank_line, bank.colour, BANK_IN_WATER))
    for water in _waters(colour):
        for reach in river_reaches:
            area = water.area(reach, _points_along(reach.line, scale), scale)
            painter.fillPath(area, _fading(reach.line, water.colour, visible_share=1.0))


def _is_afar(scale: RiverScale) -> bool:
    """Return whether rivers are drawn as from afar."""
    return scale.quarter * QUARTERS < AFAR_BELOW * scale.min_width


def _points_along(line: QPainterPath, scale: RiverScale) -> list[QPointF]:
    """Return the points through which a line of a river is followed."""
    if _is_afar(scale):
        return points_along(line, AFAR_POINTS)
    return points_along(line)


def _banks(scale: RiverScale) -> list[_Ribbon]:
    """Return the ribbons of the banks, the widest first."""
    banks = []
    for reach_beyond_water, opacity in BANKS:
        margin = 2 * reach_beyond_water * scale.unit
        colour = faint(BANK, opacity)
        banks.append(_Ribbon(colour, share=1.0, margin=margin, roughness=BANK_ROUGHNESS))
    return banks


def _waters(colour: QColor) -> list[_Ribbon]:
    """Return the ribbons of the water, the widest first."""
    shallow = _Ribbon(shallow_water(colour), share=1.0, margin=0.0, roughness=ROUGHNESS)
    deep = _Ribbon(colour, share=DEEP, margin=0.0, roughness=DEEP_ROUGHNESS)
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
    """Return a paint that fades out along a straight line, and is gone at ``visible_share``."""
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
    for glint in GLINTS:
        first = glint.first_point
        for number in range(first, first + GLINT_POINTS):
            point = points[number] + normals[number] * (glint.to_right * scale.quarter)
            if number == first:
                path.moveTo(point)
            else:
                path.lineTo(point)
    pen = QPen(GLINT_COLOUR, math.sqrt(scale.quarter) * GLINT_WIDTH)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.strokePath(path, pen)


# --- rivers that fill their cells ---------------------------------------------------------------


def draw_banks(painter: QPainter, layout: Layout, area: AreaPart) -> None:
    """Draw the pale banks of a river that fills its cells, on both sides of its outline."""
    for reach_beyond_water, opacity in BANKS:
        pen = QPen(faint(BANK, opacity), 2 * reach_beyond_water * apothem(layout))
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.strokePath(area.outline, pen)
