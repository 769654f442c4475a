"""Draws rivers through one cell: from a spring, wider by what flows in, to the shore.

A ``River`` is split into ``reaches``, stretches from side to side with a width at both ends, along
which ``draw_reaches`` lays ribbons of banks and water. Coordinates are map units around the cell's
centre, y runs down, sides are numbered clockwise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import (
    QColor,
    QLinearGradient,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
    QRadialGradient,
)

from app.appearance.painting import faint, mixed
from app.render.cell_geometry import apothem, side_middle
from app.render.piece import closed_path
from app.render.scene.routes.ribbons import joined_path, normals_of, points_along, ribbon
from app.render.scene.routes.rounded_areas import OVERLAP, AreaPart
from app.render.scene.routes.route_lines import WIDTHS
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

QUARTERS = 4
"""The width of a river that is as wide as its way says."""

SOURCE_BEHIND = 0.2
"""How far beyond the middle of its cell a river begins, as ``ASIDE``: the farther, the longer
is its first reach."""

SOURCE_AT_FOOT = 0.3
"""How far from the middle of its cell, towards the side, a river begins at the foot of a mountain.
With less it begins on the mountain."""

SOURCE_BEND = 0.14
"""How far a river swings aside where it begins, as ``ASIDE``. With more it begins in a hook."""

SPRING_WIDTH = 0.5
"""The width of a river where it leaves its spring, as a share of that at the side of its first
cell. With more it does not seem to grow."""

POOL = 1.1
"""The radius of the pool in which a river wells up, as a multiple of the river's width there and
at the side of its first cell, of which it is the mean."""

LEAST_POOL = 0.115
"""The least radius of a pool, as ``ASIDE``. A smaller one would be hidden by its stones."""

POOL_HEIGHT = 0.72
"""The height of a pool as a share of its width: it is seen at a slant."""

POOL_WAVES = ((2, 0.12), (3, 0.1), (5, 0.04))
"""How a pool differs from an ellipse: the number of waves around it, and their height as a share
of its radius."""

POOL_CORNERS = 24
"""The outline of a pool has so many corners: with fewer they show in large prints."""

POOL_LAYERS = ((1.3, -0.05), (1.0, 0.0), (0.68, 0.12))
"""The bank of a pool, its shallow water and the deeper one within: the share of its radius, and how
far it lies down the river, as a multiple of the radius."""

SEEPS = ((-38.0, 2.6), (6.0, 3.4), (48.0, 2.8))
"""The runlets that come out of the ground and gather in a pool: the angle of each to the river's
line, in degrees, and how far from the pool's middle it begins, in radii of the pool."""

SEEP_WIDTH = 0.6
"""The width of a runlet at the pool as a share of the pool's radius; it begins as a point."""

SEEP_OPACITY = 0.75

DAMP = QColor(38, 66, 50)
"""The colour of the wet ground around a spring."""

DAMP_OPACITY = 0.4
"""The opacity of the wet ground at the middle of a spring. With more it looks like a hole."""

DAMP_RADIUS = 3.0
"""How far wet ground reaches from the middle of a pool, in radii of the pool."""

STONES = (
    (206, 1.25, 0.058),
    (238, 1.4, 0.036),
    (152, 1.35, 0.045),
    (84, 1.3, 0.05),
    (62, 1.6, 0.034),
    (-82, 1.35, 0.044),
)
"""The stones of a spring: the angle to the river's line at which each lies, in degrees, how far
from the pool's middle, in radii of the pool, and its radius as ``ASIDE``."""

STONE_HEIGHT = 0.72
"""The height of a stone as a share of its width."""

STONE_LAYERS = (
    (0.03, 1.12, QColor(40, 48, 40, 90)),
    (0.0, 1.0, QColor("#7b7a70")),
    (-0.015, 0.72, QColor("#a9a698")),
    (-0.023, 0.36, QColor("#d2cfc0")),
)
"""The discs of a stone in the light from the north-west, the shadow first: how far each lies to the
south-east, as ``ASIDE``, its share of the radius, and its colour."""

ESTUARY = 1.6
"""How much wider a river is at the shore than where it comes from."""

INTO_WATER = 0.8
"""How far a river is seen in a cell of water, as a share of the way to the centre."""

OPENS = 2.0
"""How much wider a river is where it is no longer seen in the water than at the shore."""

ASIDE = 0.2
"""How far from the middle of a side a river crosses it, as a share of the distance from a cell's
centre to a side; wide rivers keep nearer, since they would run over the corners of their cells."""

ASIDE_UP_TO = 5
"""Rivers of more quarters keep nearer to the middle of a side."""

MEANDER = 0.34
"""How far a river that crosses two opposite sides on one hand swings to the other hand between."""

BANK = QColor("#e9dcae")
BANKS = ((0.13, 0.32), (0.07, 0.62))
"""The pale banks: how far they reach beyond the water, as ``ASIDE``, and their opacities."""

SHORE_LIGHT = QColor("#d8eef2")
SHORE_SHARE = 0.36
"""The water at the banks is as much lighter, as that of the sea at its shores is."""

DEEP = 0.62
"""The width of the deeper water in the middle, as a share of the river's."""

ROUGH = 0.16
"""By which share of their width banks waver."""

GLINT_FROM = 3
"""Rivers of so many quarters have glints, like the waves of the sea."""


class River(NamedTuple):
    """The course of a river in a cell."""

    sides: int
    """A bit mask of the sides that it crosses."""

    out: int
    """A bit mask of the sides by which water flows out of the cell."""

    widths: tuple[int, ...]
    """The width at each side, in quarters of that of its way; 0 where the river ends."""

    asides: tuple[int, ...]
    """On which hand of the middle it crosses each side: 1 (clockwise), -1, or 0 in the middle."""

    in_water: bool = False
    """True if the cell is one of water, in which only the mouth of the river is seen."""

    on_height: bool = False
    """True if the cell is one of hills or mountains, at whose foot a river begins."""

    def crossing(self, layout: Layout, side: int) -> QPointF:
        """Return where the river crosses a side."""
        middle = side_middle(layout, side)
        narrowing = min(1.0, ASIDE_UP_TO / max(1, self.widths[side]))
        return middle + _clockwise(middle) * (self.asides[side] * ASIDE * narrowing)


class Reach(NamedTuple):
    """A stretch of a river."""

    line: QPainterPath
    """The middle of the water."""

    first: float
    """The width at the start of the line, in quarters; 0 where the river gets thin and ends."""

    last: float
    """The width at the end of the line, in quarters."""

    begins: bool = False
    """True if it begins within the cell, with a round end."""


class _Ribbon(NamedTuple):
    """One of the ribbons that are laid over each other along a reach, the widest first."""

    share: float
    """Its width as a share of the river's."""

    margin: float
    """How much wider it is than that, in map units."""

    colour: QColor

    roughness: float
    """By which share of its width its edges waver."""


def _clockwise(middle: QPointF) -> QPointF:
    """Return the direction along a side, as long as the distance to its ``middle``."""
    return QPointF(-middle.y(), middle.x())


@registered(bytes_each=3 * KB)
@lru_cache(200)
def reaches(layout: Layout, river: River, overlap: float = OVERLAP) -> tuple[Reach, ...]:
    """Return the stretches of a river: what flows in goes on to where it flows out.

    Where no direction is known they lead from the middle of the cell to its sides, or from one to
    the other. They reach over the sides by ``overlap``.
    """
    sides = range(layout.degree)
    outs = [side for side in sides if river.out >> side & 1]
    ins = [side for side in sides if (river.sides & ~river.out) >> side & 1]
    pairs = _joined_sides(ins, outs)
    result = []
    if river.in_water:
        for side in outs + ins:
            line = _into_water(layout, river, side, overlap)
            width = river.widths[side]
            result.append(Reach(line, width, width * OPENS))
    elif pairs:
        for first, last in pairs:
            line = _through(layout, river, first, last, overlap)
            result.append(Reach(line, river.widths[first], river.widths[last]))
    else:
        # A source, the end of a river, or where waters meet of which no direction is known.
        is_end = len(outs) + len(ins) == 1
        for side in outs + ins:
            line = _from_middle(layout, river, side, overlap, is_end=is_end)
            width = river.widths[side]
            first_width: float = width
            if is_end and river.on_height:
                first_width = 0
            elif is_end:
                first_width = SPRING_WIDTH * width
            result.append(Reach(line, first_width, width, begins=first_width > 0))
    return tuple(result)


def _joined_sides(ins: list[int], outs: list[int]) -> list[tuple[int, int]]:
    """Return the pairs of sides, the lower one first, that are joined by a reach of their own.

    All that flows in goes on to the first side by which water flows out; where it flows out by
    several, those begin where the first water comes in. Without an outflow only two sides are
    joined.
    """
    if outs and ins:
        pairs = [(side, outs[0]) for side in ins]
        pairs += [(ins[0], side) for side in outs[1:]]
    elif len(ins) == 2:
        pairs = [(ins[0], ins[1])]
    else:
        pairs = []
    return [(min(pair), max(pair)) for pair in pairs]


def _into_water(layout: Layout, river: River, side: int, overlap: float) -> QPainterPath:
    """Return the line from a side into a cell of water, where the river is lost in it."""
    start = river.crossing(layout, side)
    path = QPainterPath(start + side_middle(layout, side) * overlap)
    path.lineTo(start * (1 - INTO_WATER))
    return path


def _through(layout: Layout, river: River, first: int, last: int, overlap: float) -> QPainterPath:
    """Return the line from side to side; on a straight way it swings from hand to hand."""
    start = river.crossing(layout, first)
    end = river.crossing(layout, last)
    start_out = side_middle(layout, first)
    end_out = side_middle(layout, last)
    path = QPainterPath(start + start_out * overlap)
    path.lineTo(start)
    # Clockwise at one side is anticlockwise at the opposite one: there 1 and -1 are the same hand.
    same_hand = river.asides[first] - river.asides[last]
    is_straight = last - first == layout.degree // 2
    if is_straight and same_hand:
        swing = _clockwise(start_out) * (-MEANDER * same_hand / 2)
        along = (end - start) / 2
        path.cubicTo(start - start_out * 0.4, swing - along * 0.45, swing)
        path.cubicTo(swing + along * 0.45, end - end_out * 0.4, end)
    else:
        path.cubicTo(start - start_out * 0.62, end - end_out * 0.62, end)
    path.lineTo(end + end_out * overlap)
    return path


def _from_middle(
    layout: Layout, river: River, side: int, overlap: float, *, is_end: bool
) -> QPainterPath:
    """Return the line to a side from the middle.

    Where a river ends (``is_end``) it comes from beyond the middle, in a gentle bend.
    """
    end = river.crossing(layout, side)
    out = side_middle(layout, side)
    start = QPointF()
    bend = start
    if is_end:
        hand = _clockwise(out) * (river.asides[side] or 1)  # a river in the middle bends anyhow
        if river.on_height:
            start = out * SOURCE_AT_FOOT
        else:
            start = out * -SOURCE_BEHIND - hand * SOURCE_BEND
        bend = start * 0.5 + hand * SOURCE_BEND + out * 0.2
    path = QPainterPath(start)
    path.cubicTo(bend, end - out * 0.5, end)
    path.lineTo(end + out * overlap)
    return path


def draw_river(
    painter: QPainter,
    layout: Layout,
    colour: QColor,
    river: River,
    width: float,
    least_width: float,
) -> None:
    """Draw a river; ``width`` is that of its way, it is nowhere thinner than ``least_width``."""
    unit = apothem(layout)
    quarter = WIDTHS["water"] * unit * width / QUARTERS
    is_in_water = river.in_water
    spring = _spring_of(layout, river, quarter, least_width)
    if spring is not None:
        _draw_damp_ground(painter, spring)
    reaches_of = partial(reaches, layout, river)
    draw_reaches(painter, layout, colour, reaches_of, quarter, least_width, is_in_water=is_in_water)
    if is_in_water:
        return
    if spring is not None:
        _draw_pool(painter, spring, colour)
        _draw_stones(painter, spring, unit)
    if not river.sides:  # a spring from which nothing flows
        for margin, paint in ((0.05 * unit, BANK), (0.0, colour)):
            pool = QPainterPath()
            radius = QUARTERS * quarter / 2 + margin
            pool.addEllipse(QPointF(), radius, radius)
            painter.fillPath(pool, paint)


def draw_reaches(
    painter: QPainter,
    layout: Layout,
    colour: QColor,
    reaches_of: Callable[[float], Sequence[Reach]],
    quarter: float,
    least_width: float,
    *,
    is_in_water: bool = False,
) -> None:
    """Draw banks and water along reaches, which ``reaches_of`` gives by how far they reach over.

    ``quarter`` is the width of a quarter in map units, none is thinner than ``least_width``.
    """
    unit = apothem(layout)
    painter.setPen(Qt.PenStyle.NoPen)
    banks = [
        _Ribbon(1.0, 2 * reach_of_bank * unit, faint(BANK, opacity), ROUGH * 1.6)
        for reach_of_bank, opacity in BANKS
    ]
    water = [
        _Ribbon(1.0, 0.0, shallow_water(colour), ROUGH),
        _Ribbon(DEEP, 0.0, colour, ROUGH * 1.8),
    ]
    # Translucent ribbons hardly reach over the side: they would show twice there.
    for overlap, ribbons in ((OVERLAP / 8, banks), (OVERLAP, water)):
        courses = [(reach, points_along(reach.line)) for reach in reaches_of(overlap)]
        for layer in ribbons:
            areas = [
                (reach, _ribbon_area(reach, points, layer, quarter, least_width))
                for reach, points in courses
            ]
            if is_in_water:
                for reach, area in areas:
                    visible_share = 1.0
                    if layer.margin:  # a bank
                        visible_share = 0.45
                    painter.fillPath(area, _fading(reach.line, layer.colour, visible_share))
            else:
                # Joined, so that a translucent colour is not laid twice where reaches meet.
                painter.fillPath(joined_path([area for _reach, area in areas]), layer.colour)
    if not is_in_water:
        for reach in reaches_of(OVERLAP):
            if min(reach.first, reach.last) >= GLINT_FROM:
                _draw_glints(painter, reach.line, quarter)


def _ribbon_area(
    reach: Reach, points: list[QPointF], layer: _Ribbon, quarter: float, least_width: float
) -> QPainterPath:
    """Return the area of a ribbon along the ``points`` of a reach."""
    first_width = _ribbon_width(reach.first, layer, quarter, least_width)
    last_width = _ribbon_width(reach.last, layer, quarter, least_width)
    return ribbon(points, first_width, last_width, begins=reach.begins, rough=layer.roughness)


def _ribbon_width(quarters: float, layer: _Ribbon, quarter: float, least_width: float) -> float:
    """Return how wide a ribbon is, in map units, where the river is ``quarters`` wide."""
    if not quarters:  # the river ends in a point
        return 0.0
    return max(quarters * quarter * layer.share, least_width) + layer.margin


def draw_banks(painter: QPainter, layout: Layout, area: AreaPart) -> None:
    """Draw the pale banks of a river that fills its cells, on both sides of its outline."""
    for far, opacity in BANKS:
        pen = QPen(faint(BANK, opacity), 2 * far * apothem(layout))
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.strokePath(area.outline, pen)


def shallow_water(colour: QColor) -> QColor:
    """Return the colour of the water at the banks."""
    return mixed(colour, SHORE_LIGHT, SHORE_SHARE)


def _fading(line: QPainterPath, colour: QColor, visible_share: float) -> QLinearGradient:
    """Return a paint that fades out along a straight line; nothing is left beyond that share."""
    points = points_along(line, 2)
    fading = QLinearGradient(points[0], points[1])
    fading.setColorAt(0.0, colour)
    fading.setColorAt(visible_share * 0.3, colour)
    fading.setColorAt(visible_share, faint(colour, 0.0))
    return fading


class _Spring(NamedTuple):
    """Where a river wells up: a pool, around which ground is wet."""

    middle: QPointF
    direction: float
    """The angle in radians at which the river leaves it, clockwise from the right."""
    radius: float
    """The radius of the pool, in map units."""

    def at(self, angle_deg: float, radii: float) -> QPointF:
        """Return the point that lies so many radii from the middle, at an angle to the river."""
        angle = self.direction + math.radians(angle_deg)
        way = QPointF(math.cos(angle), math.sin(angle) * POOL_HEIGHT)
        return self.middle + way * (radii * self.radius)


def _spring_of(layout: Layout, river: River, quarter: float, least_width: float) -> _Spring | None:
    """Return the spring of a river that begins in its cell, away from heights; None without one."""
    if river.in_water or river.sides.bit_count() != 1:
        return None
    reach = reaches(layout, river)[0]
    if not reach.begins:
        return None
    points = points_along(reach.line)
    along = points[1] - points[0]
    width = (reach.first + reach.last) / 2 * quarter
    return _Spring(
        middle=points[0],
        direction=math.atan2(along.y(), along.x()),
        radius=max(width * POOL, least_width * POOL, LEAST_POOL * apothem(layout)),
    )


def _draw_damp_ground(painter: QPainter, spring: _Spring) -> None:
    """Darken the ground around a spring, which is wet there."""
    radius = spring.radius * DAMP_RADIUS
    # A gradient is round: the painter is made flat for it, as the pool is.
    painter.save()
    painter.translate(spring.middle)
    painter.scale(1.0, POOL_HEIGHT)
    gradient = QRadialGradient(QPointF(), radius)
    gradient.setColorAt(0.0, faint(DAMP, DAMP_OPACITY))
    gradient.setColorAt(0.4, faint(DAMP, DAMP_OPACITY * 0.6))
    gradient.setColorAt(1.0, faint(DAMP, 0.0))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(gradient)
    painter.drawEllipse(QPointF(), radius, radius)
    painter.restore()


def _draw_pool(painter: QPainter, spring: _Spring, colour: QColor) -> None:
    """Draw the pool of a spring, and the runlets that gather in it."""
    painter.setPen(Qt.PenStyle.NoPen)
    shallow = shallow_water(colour)
    runlets = []
    for angle_deg, radii in SEEPS:
        start = spring.at(180 + angle_deg, radii)
        bend = spring.at(180 + angle_deg * 0.4, radii * 0.6)
        line = QPainterPath(start)
        line.quadTo(bend, spring.middle)
        runlets.append(ribbon(points_along(line), 0.0, SEEP_WIDTH * spring.radius))
    painter.fillPath(joined_path(runlets), faint(shallow, SEEP_OPACITY))
    bank = faint(BANK, BANKS[1][1])
    for (share, way), paint in zip(POOL_LAYERS, (bank, shallow, colour), strict=True):
        middle = spring.at(0, way)
        corners = []
        for corner in range(POOL_CORNERS):
            angle = corner * 2 * math.pi / POOL_CORNERS
            radius = spring.radius * share
            for count, height in POOL_WAVES:
                radius *= 1 + height * math.sin(count * angle + spring.direction * count)
            step = QPointF(math.cos(angle), math.sin(angle) * POOL_HEIGHT)
            corners.append(middle + step * radius)
        painter.fillPath(closed_path(QPolygonF(corners)), paint)


def _draw_stones(painter: QPainter, spring: _Spring, unit: float) -> None:
    """Draw the stones around the pool of a spring; ``unit`` is that of ``ASIDE``."""
    painter.setPen(Qt.PenStyle.NoPen)
    for angle_deg, radii, radius in STONES:
        middle = spring.at(angle_deg, radii)
        for shift, share, colour in STONE_LAYERS:
            painter.setBrush(colour)
            disc_radius = radius * share * unit
            disc_middle = middle + QPointF(shift, shift) * unit
            painter.drawEllipse(disc_middle, disc_radius, disc_radius * STONE_HEIGHT)


def _draw_glints(painter: QPainter, line: QPainterPath, quarter: float) -> None:
    """Draw two short light strokes along the water."""
    points = points_along(line)
    normals = normals_of(points)
    path = QPainterPath()
    # Each goes along three of the points, one near the start and one near the end of the line.
    for first, offset in ((3, 0.5), (10, -0.6)):
        for number in range(first, first + 3):
            point = points[number] + normals[number] * (offset * quarter)
            if number == first:
                path.moveTo(point)
            else:
                path.lineTo(point)
    pen = QPen(QColor(255, 255, 255, 105), math.sqrt(quarter) * 0.07)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.strokePath(path, pen)
