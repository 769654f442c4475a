"""Ribbons: areas along the middle line of a river or road, whose edges waver.

``rivers`` and ``worn_roads`` make the line of a route in a cell, and fill a ribbon along it::

    points = swaying_points(line, sway=0.05)          # or points_along(line), which does not sway
    painter.fillPath(ribbon(points, 0.2, 0.3, rough=0.1), blue)

All is in map units around the cell's centre.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainterPath, QPolygonF, QTransform

from app.render.piece import closed_path

FINE = 100.0
"""Paths are scaled by this to be measured: Qt measures them to a hundredth of a unit."""

POINTS = 13
"""A line is followed through so many points: more make smoother banks and slower sprites."""

RIGHT_HALF_WAVES = 3.0
"""The number of half waves along the right edge of a ribbon."""

LEFT_HALF_WAVES = 5.0
"""The number of half waves along the left edge: another one, so that both edges are not alike."""

PHASE_FACTOR = 3
"""Waves are shifted by three times the angle at which their line begins, seen from the centre.

So lines from different sides differ.
"""


def points_along(line: QPainterPath, count: int = POINTS) -> list[QPointF]:
    """Return points of a line at about equal distances, its ends included.

    They are only about equal: Qt's ``percentAtLength`` would make them equal, but takes half the
    time in which a sprite is drawn.
    """
    fine = QTransform.fromScale(FINE, FINE).map(line)
    return [fine.pointAtPercent(step / (count - 1)) / FINE for step in range(count)]


def normals_of(points: list[QPointF]) -> list[QPointF]:
    """Return the unit normals at the points of a line, to the right of its direction.

    The direction at a point is that from the point before it to the point after it.
    """
    return _points_of(_normals(_coordinates(points)))


def _normals(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the ``normals_of`` points as an array; both are arrays (n, 2) of x and y."""
    normals = np.empty_like(points)
    along = np.empty_like(points)
    along[1:-1] = points[2:] - points[:-2]
    along[0] = points[1] - points[0]
    along[-1] = points[-1] - points[-2]
    lengths = np.hypot(along[:, 0], along[:, 1])
    lengths[lengths == 0] = 1.0  # both points are the same: there is no direction, and no normal
    normals[:, 0] = -along[:, 1] / lengths
    normals[:, 1] = along[:, 0] / lengths
    return normals


def _coordinates(points: list[QPointF]) -> NDArray[np.float64]:
    """Return the x and y of n points, (n, 2)."""
    return np.array([point.toTuple() for point in points])


def _points_of(coordinates: NDArray[np.float64]) -> list[QPointF]:
    """Return n points by their x and y, (n, 2)."""
    return [QPointF(x, y) for x, y in coordinates.tolist()]


def swaying_points(line: QPainterPath, sway: float) -> list[QPointF]:
    """Return points of a line that swings once to the right and once to the left.

    It swings by at most ``sway``.

    The ends stay where they are, and so do the directions there: the line of the next cell joins.
    """
    points = points_along(line)
    if not sway:
        return points
    phase = _phase(points)
    result = []
    for step, (point, normal) in enumerate(zip(points, normals_of(points), strict=True)):
        share = step / (len(points) - 1)
        fade = math.sin(math.pi * share) ** 2  # 0 and without slope at both ends
        wave = math.sin(2 * math.pi * share + phase) * fade
        result.append(point + normal * (wave * sway))
    return result


def _phase(points: list[QPointF]) -> float:
    """Return the angle at which the waves of a line begin, by the side where the line begins."""
    return PHASE_FACTOR * math.atan2(points[0].y(), points[0].x())


def ribbon(
    points: list[QPointF],
    first_width: float,
    last_width: float,
    *,
    has_round_start: bool = False,
    rough: float = 0.0,
) -> QPainterPath:
    """Return the area along a line, whose width changes evenly from its begin to its end.

    ``points`` are ``points_along`` the line. With ``has_round_start`` the route begins there, and
    the ribbon has a round cap. ``rough`` is the share of the width by which the edges waver, except
    at the ends, where the ribbons of other cells go on.
    """
    line = _coordinates(points)
    shares = np.arange(len(points)) / (len(points) - 1)  # of the way to the end
    half_widths = (first_width + (last_width - first_width) * shares) / 2
    right_widths = half_widths
    left_widths = half_widths
    if rough:
        phase = _phase(points)
        heights_of_waves = np.sin(np.pi * shares) * rough  # 0 at both ends
        right_waves = np.sin(np.pi * RIGHT_HALF_WAVES * shares + phase) * heights_of_waves
        left_waves = np.sin(np.pi * LEFT_HALF_WAVES * shares + phase) * heights_of_waves
        right_widths = half_widths * (1 + right_waves)
        left_widths = half_widths * (1 + left_waves)
    normals = _normals(line)
    right_edge = line + normals * right_widths[:, None]
    left_edge = line - normals * left_widths[:, None]
    outline = np.concatenate((right_edge, left_edge[::-1]))
    result = closed_path(QPolygonF(_points_of(outline)))
    if has_round_start:
        result.addPath(disc(points[0], first_width / 2))
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
