"""Draws rivers through one cell: from a thin source, wider by what flows in, to the shore.

All is in map units around the cell's centre; sides are numbered clockwise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPainterPath, QPen

from app.appearance.painting import faint, mixed
from app.render.cell_geometry import apothem, side_middle
from app.render.scene.routes.ribbons import normals_of, points_along, ribbon, together
from app.render.scene.routes.rounded_areas import OVER, AreaPart
from app.render.scene.routes.route_lines import WIDTHS
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

QUARTERS = 4
"""The width of a river that is as wide as its way says."""

SOURCE = 0.3
"""The width of a river at its source, as a share of that where it leaves the cell."""

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
    """The course of a river in a cell: it crosses ``sides`` and flows ``out`` by some (bit masks).

    ``widths`` are those at each side, in quarters of its way's; 0 where it ends. ``asides`` say on
    which hand of the middle it crosses each side: 1 (clockwise), -1, or 0 in the middle.
    ``in_water``: the cell is one of water.
    """

    sides: int
    out: int
    widths: tuple[int, ...]
    asides: tuple[int, ...]
    in_water: bool = False

    def crossing(self, layout: Layout, side: int) -> QPointF:
        """Return where the river crosses a side."""
        middle = side_middle(layout, side)
        narrowing = min(1.0, ASIDE_UP_TO / max(1, self.widths[side]))
        return middle + _clockwise(middle) * (self.asides[side] * ASIDE * narrowing)


class Reach(NamedTuple):
    """A stretch of a river: its middle line, and its widths at both ends in quarters.

    ``begins``: it begins within the cell, round.
    """

    line: QPainterPath
    first: float
    last: float
    begins: bool = False


def _clockwise(middle: QPointF) -> QPointF:
    """Return the direction along a side, as long as the distance to its ``middle``."""
    return QPointF(-middle.y(), middle.x())


@registered(bytes_each=3 * KB)
@lru_cache(200)
def reaches(layout: Layout, river: River, over: float = OVER) -> tuple[Reach, ...]:
    """Return the stretches of a river: what flows in goes on to where it flows out.

    Where no direction is known they lead from the middle of the cell to its sides, or from one to
    the other. They reach over the sides by ``over``.
    """
    sides = range(layout.degree)
    outs = [side for side in sides if river.out >> side & 1]
    ins = [side for side in sides if (river.sides & ~river.out) >> side & 1]
    widths = river.widths
    if river.in_water:
        return tuple(
            Reach(_into_water(layout, river, side, over), widths[side], widths[side] * OPENS)
            for side in outs + ins
        )
    if outs and ins:
        pairs = [(side, outs[0]) for side in ins] + [(ins[0], side) for side in outs[1:]]
    else:
        pairs = [(ins[0], ins[1])] if len(ins) == 2 else []
    if pairs:
        return tuple(
            Reach(_through(layout, river, first, last, over), widths[first], widths[last])
            for first, last in map(sorted, pairs)
        )
    # A source, or where waters meet of which no direction is known.
    is_end = len(outs) + len(ins) == 1
    return tuple(
        Reach(
            _from_middle(layout, river, side, over, is_end=is_end),
            widths[side] * (SOURCE if is_end else 1.0),
            widths[side],
            begins=True,
        )
        for side in outs + ins
    )


def _into_water(layout: Layout, river: River, side: int, over: float) -> QPainterPath:
    start = river.crossing(layout, side)
    path = QPainterPath(start + side_middle(layout, side) * over)
    path.lineTo(start * (1 - INTO_WATER))
    return path


def _through(layout: Layout, river: River, first: int, last: int, over: float) -> QPainterPath:
    """Return the line from side to side; on a straight way it swings from hand to hand."""
    start = river.crossing(layout, first)
    end = river.crossing(layout, last)
    start_out = side_middle(layout, first)
    end_out = side_middle(layout, last)
    path = QPainterPath(start + start_out * over)
    path.lineTo(start)
    # The hands of opposite sides are opposite, too.
    same_hand = river.asides[first] - river.asides[last]
    if last - first == layout.degree // 2 and same_hand:
        swing = _clockwise(start_out) * (-MEANDER * same_hand / 2)
        along = (end - start) / 2
        path.cubicTo(start - start_out * 0.4, swing - along * 0.45, swing)
        path.cubicTo(swing + along * 0.45, end - end_out * 0.4, end)
    else:
        path.cubicTo(start - start_out * 0.62, end - end_out * 0.62, end)
    path.lineTo(end + end_out * over)
    return path


def _from_middle(
    layout: Layout, river: River, side: int, over: float, *, is_end: bool
) -> QPainterPath:
    """Return the line to a side from the middle, or from beyond it where a river ends there."""
    end = river.crossing(layout, side)
    out = side_middle(layout, side)
    hand = _clockwise(out) * (river.asides[side] or 1)
    start = out * -0.4 - hand * 0.26 if is_end else QPointF()
    bend = hand * 0.34 + out * 0.1 if is_end else start
    path = QPainterPath(start)
    path.cubicTo(bend, end - out * 0.5, end)
    path.lineTo(end + out * over)
    return path


def draw_river(
    painter: QPainter, layout: Layout, colour: QColor, river: River, width: float, least: float
) -> None:
    """Draw a river; ``width`` is that of its way, it is nowhere thinner than ``least``."""
    unit = apothem(layout)
    quarter = WIDTHS["water"] * unit * width / QUARTERS
    is_in_water = river.in_water
    reaches_of = partial(reaches, layout, river)
    draw_reaches(painter, layout, colour, reaches_of, quarter, least, is_in_water=is_in_water)
    if is_in_water:
        return
    if not river.sides:  # a spring from which nothing flows
        for more, paint in ((0.05 * unit, BANK), (0.0, colour)):
            spring = QPainterPath()
            radius = QUARTERS * quarter / 2 + more
            spring.addEllipse(QPointF(), radius, radius)
            painter.fillPath(spring, paint)


def draw_reaches(
    painter: QPainter,
    layout: Layout,
    colour: QColor,
    reaches_of: Callable[[float], Sequence[Reach]],
    quarter: float,
    least: float,
    *,
    is_in_water: bool = False,
) -> None:
    """Draw banks and water along reaches, which ``reaches_of`` gives by how far they reach over.

    ``quarter`` is the width of a quarter in map units, none is thinner than ``least``.
    """
    unit = apothem(layout)
    painter.setPen(Qt.PenStyle.NoPen)
    banks = [(1.0, 2 * far * unit, faint(BANK, opacity), ROUGH * 1.6) for far, opacity in BANKS]
    water = [(1.0, 0.0, shallow_water(colour), ROUGH), (DEEP, 0.0, colour, ROUGH * 1.8)]
    # Translucent ribbons hardly reach over the side: they would show twice there.
    for over, passes in ((OVER / 8, banks), (OVER, water)):
        lined = [(reach, points_along(reach.line)) for reach in reaches_of(over)]
        for share, more, paint, rough in passes:
            ribbons = []
            for reach, points in lined:
                first, last = (
                    max(quarters * quarter * share, least) + more if quarters else 0.0
                    for quarters in (reach.first, reach.last)
                )
                area = ribbon(points, first, last, begins=reach.begins, rough=rough)
                if is_in_water:
                    seen = 0.45 if more else 1.0
                    painter.fillPath(area, _fading(reach.line, paint, seen))
                else:
                    ribbons.append(area)
            painter.fillPath(together(ribbons), paint)
    for reach in () if is_in_water else reaches_of(OVER):
        if min(reach.first, reach.last) >= GLINT_FROM:
            _draw_glints(painter, reach.line, quarter)


def draw_banks(painter: QPainter, layout: Layout, area: AreaPart) -> None:
    """Draw the pale banks of a river that fills its cells, on both sides of its outline."""
    for far, opacity in BANKS:
        pen = QPen(faint(BANK, opacity), 2 * far * apothem(layout))
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.strokePath(area.outline, pen)


def shallow_water(colour: QColor) -> QColor:
    """Return the colour of the water at the banks."""
    return mixed(colour, SHORE_LIGHT, SHORE_SHARE)


def _fading(line: QPainterPath, colour: QColor, seen: float) -> QLinearGradient:
    """Return a paint that is gone after the share ``seen`` of a straight line."""
    points = points_along(line, 2)
    fading = QLinearGradient(points[0], points[1])
    fading.setColorAt(0.0, colour)
    fading.setColorAt(seen * 0.3, colour)
    fading.setColorAt(seen, faint(colour, 0.0))
    return fading


def _draw_glints(painter: QPainter, line: QPainterPath, quarter: float) -> None:
    """Draw two short light strokes along the water."""
    points = points_along(line)
    normals = normals_of(points)
    path = QPainterPath()
    for start, hand in ((3, 0.5), (10, -0.6)):
        for step in (start, start + 1, start + 2):
            point = points[step] + normals[step] * (hand * quarter)
            if step == start:
                path.moveTo(point)
            else:
                path.lineTo(point)
    pen = QPen(QColor(255, 255, 255, 105), math.sqrt(quarter) * 0.07)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.strokePath(path, pen)
