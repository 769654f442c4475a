"""Draws rivers through one cell: from a thin source, wider by what flows in, to the shore.

All is in map units around the cell's centre; sides are numbered clockwise.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPainterPath, QPolygonF, QTransform

from app.render.cell_geometry import apothem, side_middle
from app.render.piece import closed_path
from app.render.scene.routes.rounded_areas import OVER
from app.render.scene.routes.route_lines import EDGE, FINE, WIDTHS, Course, lines
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

QUARTERS = 4
"""The width of a river that is as wide as its way says."""

SOURCE = 0.2
"""The width of a river at its source, as a share of that where it leaves the cell."""

INTO_WATER = 0.5
"""How far a river is seen in a cell of water, as a share of the way to the centre."""

POINTS = 10
"""A curve is drawn through so many points."""


class River(NamedTuple):
    """How a river runs through a cell: it crosses ``sides`` and flows ``out`` by some (bit masks).

    ``widths`` are those at each side, in quarters of its way's. ``bend`` is as in ``Course``.
    ``in_water``: the cell is one of water.
    """

    sides: int
    out: int
    widths: tuple[int, ...]
    bend: int = 0
    in_water: bool = False


class Reach(NamedTuple):
    """A stretch of a river: its middle line, and its widths at both ends in quarters.

    ``begins``: it begins within the cell, round.
    """

    line: QPainterPath
    first: float
    last: float
    begins: bool = False


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
    shores = [side_middle(layout, side) * (1 + over) for side in sides]
    if river.in_water:
        return tuple(
            Reach(_straight(shores[side], shores[side] * (1 - INTO_WATER)), width, width * 1.2)
            for side in outs + ins
            for width in [widths[side]]
        )
    if outs and ins:
        pairs = [(side, outs[0]) for side in ins] + [(ins[0], side) for side in outs[1:]]
    else:
        pairs = [(ins[0], ins[1])] if len(ins) == 2 else []
    if pairs:
        return tuple(
            Reach(line, widths[first], widths[last])
            for first, last in map(sorted, pairs)
            for line in lines(layout, Course(1 << first | 1 << last, bend=river.bend), over)
        )
    # A source, or where waters meet of which no direction is known.
    middle = shores[outs[0]] * -0.15 if outs else QPointF()
    thin = SOURCE if outs else 1.0
    return tuple(
        Reach(_straight(middle, shores[side]), widths[side] * thin, widths[side], begins=True)
        for side in outs + ins
    )


def _straight(start: QPointF, end: QPointF) -> QPainterPath:
    path = QPainterPath(start)
    path.lineTo(end)
    return path


def draw_river(
    painter: QPainter, layout: Layout, colour: QColor, river: River, width: float, least: float
) -> None:
    """Draw a river; ``width`` is that of its way, it is nowhere thinner than ``least``."""
    unit = apothem(layout)
    quarter = WIDTHS["water"] * unit * width / QUARTERS
    dark = colour.darker(150)
    for over, more, paint in ((OVER / 3, EDGE * unit, dark), (OVER, 0.0, colour)):
        for reach in reaches(layout, river, over):
            ends = [max(each * quarter, least) + 2 * more for each in (reach.first, reach.last)]
            ribbon = _ribbon(reach.line, *ends, begins=reach.begins)
            if river.in_water:
                bounds = reach.line.elementAt(0), reach.line.elementAt(1)
                fading = QLinearGradient(*(QPointF(at.x, at.y) for at in bounds))
                clear = paint.toRgb()
                clear.setAlpha(0)
                fading.setColorAt(0.25, paint)
                fading.setColorAt(1.0, clear)
                painter.fillPath(ribbon, fading)
            else:
                painter.fillPath(ribbon, paint)
    if not river.sides and not river.in_water:  # a spring from which nothing flows
        spring = QPainterPath()
        spring.addEllipse(QPointF(), QUARTERS * quarter / 2, QUARTERS * quarter / 2)
        painter.fillPath(spring, colour)


def _ribbon(line: QPainterPath, first: float, last: float, *, begins: bool) -> QPainterPath:
    """The area along a line that is ``first`` wide where it begins (``begins``: round) and ``last``
    at its end.
    """
    fine = QTransform.fromScale(FINE, FINE).map(line)
    length = fine.length()
    places = [length * step / (POINTS - 1) for step in range(POINTS)]
    points = [fine.pointAtPercent(fine.percentAtLength(place)) / FINE for place in places]
    left = []
    right = []
    for step, point in enumerate(points):
        along = points[min(step + 1, POINTS - 1)] - points[max(step - 1, 0)]
        aside = QPointF(-along.y(), along.x()) / (math.hypot(along.x(), along.y()) or 1.0)
        half = (first + (last - first) * step / (POINTS - 1)) / 2
        left.append(point + aside * half)
        right.append(point - aside * half)
    result = closed_path(QPolygonF([*left, *reversed(right)]))
    if begins:
        result.addEllipse(points[0], first / 2, first / 2)
    result.setFillRule(Qt.FillRule.WindingFill)
    return result
