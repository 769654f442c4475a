"""Edge masks: the part of a cell that the terrain beyond some of its sides covers.

A *mask* is a number: bit i stands for side i, on squares also bit 4 + i for corner i alone. Sides
of a mask that meet form a *run*; a run covers the cell up to a wavy line. There are ``VARIANTS`` of
each line, and of each variant ``LEVELS`` that lie beside each other. For example
``region(FLAT, 0b000011, variant=0, level=6)`` is a thin strip along sides 0 and 1.

``transitions`` draws with ``region`` and ``lines``, where reading begins. The lines come from
``resources/edge_masks.json``, which ``packaging/pictures/edge_masks.py`` makes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPolygonF

from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

VARIANTS = 4
"""How many variants there are of every line."""

LEVELS = 7
"""How many lines a variant has, from the middle of the cell outwards: level 0 covers the most."""

OVER = 0.05
"""Masks reach over the sides beyond which the terrain lies by this share of the way from the
centre, so that no gap shows there."""

BESIDE = 0.015
"""They reach over the sides next to these by this much (map units)."""

POINTS_PER_STEP = 4
"""How many points of a smooth line stand for the way from one stored point to the next."""

Point = tuple[float, float]
"""x and y from the centre of the cell, in map units."""


class Run(NamedTuple):
    """Sides of a mask that meet, clockwise."""

    first: int
    """The number of the first side."""

    side_count: int
    """How many sides there are: up to all sides of the cell."""


@registered(count=1, bytes_each=300 * KB)
@cache
def _stored_lines() -> dict[str, dict[str, list[list[list[float]]]]]:
    """Return the stored lines by shape ("hex" or "square"), number of sides or "corner", variant
    and level.

    A line is a list of x, y, x, y ...; it begins at side 0 (or lies at corner 0) of a cell whose
    first corner is that of ``_FIRST_CORNER``.
    """
    text = files("app.resources").joinpath("edge_masks.json").read_text("ascii")
    return dict(json.loads(text))


_FIRST_CORNER = {"square": (-0.5, -0.5), "hex": (-0.5, -math.sqrt(3) / 2)}
"""The corner 0 of the cells for which lines are stored: at the upper left."""


def _shape_of(layout: Layout) -> str:
    """Return the name of the cells' shape in the stored lines."""
    if layout.degree == 4:
        return "square"
    return "hex"


def runs(mask: int, degree: int) -> list[Run]:
    """Return the runs of a mask of sides; bits from ``degree`` on, those of corners, are ignored.

    Six sides with the mask 0b100011 have one run, ``Run(first=5, side_count=3)``.
    """
    is_set = [bool(mask >> side & 1) for side in range(degree)]
    if all(is_set):
        return [Run(0, degree)]
    result = []
    for first in range(degree):
        # For side 0 this looks at the last side.
        begins_run = is_set[first] and not is_set[first - 1]
        if not begins_run:
            continue
        count = 1
        while is_set[(first + count) % degree]:
            count += 1
        result.append(Run(first, count))
    return result


def _corners(mask: int, layout: Layout) -> list[int]:
    """Return the corners that a mask covers alone.

    Hexes have none: whatever meets a hex at a corner has a side in common with it.
    """
    if layout.degree != 4:
        return []
    return [corner for corner in range(layout.degree) if mask >> layout.degree + corner & 1]


@registered(bytes_each=2 * KB)
@lru_cache(600)
def region(layout: Layout, mask: int, variant: int, level: int, over: float = OVER) -> QPolygonF:
    """Return what a mask covers, as one polygon, in map units around the cell's centre.

    It reaches over its sides by ``over``, a share as ``OVER``.
    Areas that do not touch are joined by two lines at the same place, which cover nothing. ``mask``
    is not 0.
    """
    outlines = []
    for run in runs(mask, layout.degree):
        outlines.append(_outline_of_run(layout, run, variant, level, over))
    for corner in _corners(mask, layout):
        outlines.append(_outline_of_corner(layout, corner, variant, level, over))
    points = list(outlines[0])
    for outline in outlines[1:]:
        # There and back again: each outline is closed.
        points += [*outline, points[0]]
    return QPolygonF(points)


def lines(layout: Layout, mask: int, variant: int, level: int) -> Iterator[QPolygonF]:
    """Yield the lines within the cell at which what a mask covers ends, in map units."""
    for run in runs(mask, layout.degree):
        line = _line_of_run(layout, run, variant, level)
        if run.side_count == layout.degree:
            line = [*line, line[0]]
        yield QPolygonF(_to_qt(line))
    for corner in _corners(mask, layout):
        yield QPolygonF(_to_qt(_line_of_corner(layout, corner, variant, level)))


@registered(bytes_each=4 * KB)
@lru_cache(250)
def _outline_of_run(
    layout: Layout, run: Run, variant: int, level: int, over: float
) -> list[QPointF]:
    """Return the closed outline of what a run of sides covers.

    It follows the line, and then the corners of the run back to its beginning. A run of all sides
    covers a ring: once around outside, once around the line inside.
    """
    corners_back = []
    for step in range(run.side_count, -1, -1):
        corner = layout.corners[(run.first + step) % layout.degree]
        corners_back.append(_moved_outwards(corner, over))
    line = _line_of_run(layout, run, variant, level)
    if run.side_count == layout.degree:
        return _to_qt([*corners_back, *line, line[0]])
    begin = _moved_over_side(layout, run.first - 1, line[0])
    end = _moved_over_side(layout, run.first + run.side_count, line[-1])
    return _to_qt([begin, *line, end, *corners_back, begin])


@registered(bytes_each=3 * KB)
@lru_cache(100)
def _outline_of_corner(
    layout: Layout, corner: int, variant: int, level: int, over: float
) -> list[QPointF]:
    """Return the closed outline of what a corner alone covers."""
    line = _line_of_corner(layout, corner, variant, level)
    # A corner lies between the side before it and the side of its own number.
    begin = _moved_over_side(layout, corner - 1, line[0])
    end = _moved_over_side(layout, corner, line[-1])
    return _to_qt([begin, *line, end, _moved_outwards(layout.corners[corner], over), begin])


def _to_qt(points: Iterable[Point]) -> list[QPointF]:
    return [QPointF(x, y) for x, y in points]


def _moved_outwards(corner: Point, over: float) -> Point:
    """Return a corner moved away from the centre by a share, over the sides of its run."""
    x, y = corner
    return x * (1 + over), y * (1 + over)


def _moved_over_side(layout: Layout, side: int, point: Point) -> Point:
    """Return a point on a side, moved over it at a right angle (``BESIDE``).

    ``side`` may be -1 for the last side, or the number of sides for the first.
    """
    ax, ay = layout.corners[side % layout.degree]
    bx, by = layout.corners[(side + 1) % layout.degree]
    # The way from the centre to the middle of a side is perpendicular to it.
    middle_x = (ax + bx) / 2
    middle_y = (ay + by) / 2
    share = BESIDE / math.hypot(middle_x, middle_y)
    return point[0] + middle_x * share, point[1] + middle_y * share


def _line_of_run(layout: Layout, run: Run, variant: int, level: int) -> list[Point]:
    """Return the smooth line of a run, from the side before it to the side after it."""
    line = _smooth_line(_shape_of(layout), str(run.side_count), variant, level)
    return _turned_to_corner(layout, run.first, line)


def _line_of_corner(layout: Layout, corner: int, variant: int, level: int) -> list[Point]:
    """Return the smooth line around a corner of a square."""
    line = _smooth_line(_shape_of(layout), "corner", variant, level)
    return _turned_to_corner(layout, corner, line)


def _turned_to_corner(layout: Layout, corner: int, line: NDArray[np.float64]) -> list[Point]:
    """Return a stored line (n, 2) turned around the centre, so that corner 0 becomes ``corner``."""
    stored_x, stored_y = _FIRST_CORNER[_shape_of(layout)]
    x, y = layout.corners[corner % layout.degree]
    angle = math.atan2(y, x) - math.atan2(stored_y, stored_x)
    cos = math.cos(angle)
    sin = math.sin(angle)
    turned = line @ np.array(((cos, sin), (-sin, cos)))
    return [(x, y) for x, y in turned.tolist()]


@registered(count=200, bytes_each=1.1 * KB)
@cache
def _smooth_line(shape: str, kind: str, variant: int, level: int) -> NDArray[np.float64]:
    """Return a smooth curve through the points of a stored line, (n, 2).

    ``kind`` is the number of sides of its run, or "corner". The curve is a Catmull-Rom spline: from
    one point to the next it is a cubic whose tangent at each point is parallel to the line between
    that point's neighbours. A line along all sides is closed: its last point is followed by its
    first; others have their end points twice, as their own neighbours.
    """
    points = np.array(_stored_lines()[shape][kind][variant][level]).reshape(-1, 2)
    is_closed = (shape, kind) in (("square", "4"), ("hex", "6"))
    if is_closed:
        points = np.concatenate([points[-1:], points, points[:2]])
    else:
        points = np.concatenate([points[:1], points, points[-1:]])

    # The curve runs from ``start`` to ``end``; t (steps, 1, 1) is the share of that way.
    t = np.arange(POINTS_PER_STEP)[:, None, None] / POINTS_PER_STEP
    point_before_start = points[:-3]
    start = points[1:-2]
    end = points[2:-1]
    point_after_end = points[3:]
    curve = (
        (-t + 2 * t**2 - t**3) / 2 * point_before_start
        + (2 - 5 * t**2 + 3 * t**3) / 2 * start
        + (t + 4 * t**2 - 3 * t**3) / 2 * end
        + (t**3 - t**2) / 2 * point_after_end
    )
    # From (steps, points, 2) to the order of the line.
    result: NDArray[np.float64] = curve.transpose(1, 0, 2).reshape(-1, 2)
    if not is_closed:
        # Pieces of the curve leave out their end, which is the start of the next one.
        result = np.concatenate([result, points[-1:]])
    return result
