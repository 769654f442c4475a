"""Areas along the middle line of a river or road, of a width that varies.

All is in map units around the cell's centre.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainterPath, QPolygonF, QTransform

from app.render.piece import closed_path

FINE = 100.0
"""Paths are scaled by this to be measured: Qt measures them to a hundredth of a unit."""

POINTS = 13
"""A line is followed through so many points: more make smoother banks and slower sprites."""

WAVES = (3.0, 5.0)
"""How many half waves the two edges of a ribbon have, which are not alike."""


def points_along(line: QPainterPath, count: int = POINTS) -> list[QPointF]:
    """Return points of a line at about equal distances, its ends included.

    ``percentAtLength`` would make the distances equal, and takes half the time of a sprite.
    """
    fine = QTransform.fromScale(FINE, FINE).map(line)
    return [fine.pointAtPercent(step / (count - 1)) / FINE for step in range(count)]


def normals_of(points: list[QPointF]) -> list[QPointF]:
    """Return the unit normals at the points of a line, to the right of its direction."""
    last = len(points) - 1
    result = []
    for step in range(len(points)):
        along = points[min(step + 1, last)] - points[max(step - 1, 0)]
        length = math.hypot(along.x(), along.y()) or 1.0
        result.append(QPointF(-along.y(), along.x()) / length)
    return result


def swaying_points(line: QPainterPath, sway: float) -> list[QPointF]:
    """Return ``points_along`` a line that swings to both hands by ``sway``, but not at its ends."""
    points = points_along(line)
    if not sway:
        return points
    phase = _phase(points)
    result = []
    for step, (point, normal) in enumerate(zip(points, normals_of(points), strict=True)):
        share = step / (len(points) - 1)
        wave = math.sin(2 * math.pi * share + phase) * math.sin(math.pi * share) ** 2
        result.append(point + normal * (wave * sway))
    return result


def _phase(points: list[QPointF]) -> float:
    """Return where the waves of a line begin: lines from different sides differ."""
    return 3 * math.atan2(points[0].y(), points[0].x())


def ribbon(
    points: list[QPointF], first: float, last: float, *, begins: bool = False, rough: float = 0.0
) -> QPainterPath:
    """Return the area along a line that is ``first`` wide where it begins and ``last`` at its end.

    ``points`` are ``points_along`` it. ``begins``: it begins round. ``rough`` is by which share of
    the width its edges waver; at the ends, where the ribbons of other cells go on, they do not.
    """
    phase = _phase(points)
    steps = len(points) - 1
    right_edge = []
    left_edge = []
    for step, (point, normal) in enumerate(zip(points, normals_of(points), strict=True)):
        share = step / steps
        half = (first + (last - first) * share) / 2
        fades = math.sin(math.pi * share) * rough
        right_wave, left_wave = (
            math.sin(math.pi * waves * share + phase) * fades for waves in WAVES
        )
        right_edge.append(point + normal * half * (1 + right_wave))
        left_edge.append(point - normal * half * (1 + left_wave))
    result = closed_path(QPolygonF([*right_edge, *reversed(left_edge)]))
    if begins:
        result.addPath(disc(points[0], first / 2))
    result.setFillRule(Qt.FillRule.WindingFill)
    return result


def disc(middle: QPointF, radius: float) -> QPainterPath:
    """Return a disc that can be joined with ribbons.

    It winds as they do: else both would cancel each other, and leave a hole where they overlap.
    """
    path = QPainterPath()
    path.addEllipse(middle, radius, radius)
    return path.toReversed()


def joined_path(paths: list[QPainterPath]) -> QPainterPath:
    """Return paths as one, which is filled once where they cover each other."""
    result = QPainterPath()
    result.setFillRule(Qt.FillRule.WindingFill)
    for path in paths:
        result.addPath(path)
    return result
