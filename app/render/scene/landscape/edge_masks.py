"""Edge masks: the part of a cell that the terrain beyond some of its sides covers.

The lines come from ``resources/edge_masks.json``, which ``packaging/pictures/edge_masks.py`` makes.
A *mask* is a bit mask: bit i for side i, on squares also bit 4 + i for corner i alone.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPolygonF

from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

VARIANTS = 4
"""How many variants there are of every mask."""

LEVELS = 7
"""The lines of a mask, from the middle of the cell outwards: level 0 covers the most."""

OVER = 0.05
"""Masks reach over the sides beyond which the terrain lies by this share of the way there."""

BESIDE = 0.015
"""They reach over the sides next to these by this much (map units)."""

STEPS = 4
"""Points of a polygon between two points of a line."""

Point = tuple[float, float]


@registered(count=1, bytes_each=300 * KB)
@cache
def _lines() -> dict[str, dict[str, list[list[list[float]]]]]:
    text = files("app.resources").joinpath("edge_masks.json").read_text("ascii")
    return dict(json.loads(text))


def runs(mask: int, degree: int) -> list[tuple[int, int]]:
    """Return the runs of neighbouring sides in the lower bits of a mask: first side, number of
    sides.
    """
    sides = [bool(mask >> side & 1) for side in range(degree)]
    if all(sides):
        return [(0, degree)]
    result = []
    for first in range(degree):
        if sides[first] and not sides[first - 1]:
            count = 1
            while sides[(first + count) % degree]:
                count += 1
            result.append((first, count))
    return result


@registered(bytes_each=2 * KB)
@lru_cache(600)
def region(layout: Layout, mask: int, variant: int, level: int) -> QPolygonF:
    """Return what a mask covers, as one polygon, in map units around the cell's centre.

    Parts that do not touch are joined by two lines at the same place, which cover nothing.
    """
    degree = layout.degree
    parts = [_run(layout, first, count, variant, level) for first, count in runs(mask, degree)]
    for corner in range(degree if degree == 4 else 0):
        if mask >> degree + corner & 1:
            parts.append(_corner(layout, corner, variant, level))
    points = list(parts[0])
    for part in parts[1:]:
        points += [*part, points[0]]
    return QPolygonF(points)


def lines(layout: Layout, mask: int, variant: int, level: int) -> Iterator[QPolygonF]:
    """Yield the lines within the cell at which what a mask covers ends."""
    degree = layout.degree
    for first, count in runs(mask, degree):
        line = _line(layout, str(count), first, variant, level)
        yield QPolygonF(_points(line, line[:1] if count == degree else ()))
    for corner in range(degree if degree == 4 else 0):
        if mask >> degree + corner & 1:
            yield QPolygonF(_points(_line(layout, "corner", corner, variant, level)))


@registered(bytes_each=4 * KB)
@lru_cache(250)
def _run(layout: Layout, first: int, count: int, variant: int, level: int) -> list[QPointF]:
    """Return the closed outline of what a run of sides covers."""
    degree = layout.degree
    corners = [layout.corners[(first + step) % degree] for step in range(count, -1, -1)]
    line = _line(layout, str(count), first, variant, level)
    if count == degree:
        return _points([_scaled(corner) for corner in corners], line, line[:1])
    begin = _beside(layout, first - 1, line[0])
    end = _beside(layout, first + count, line[-1])
    return _points([begin], line, [end], [_scaled(corner) for corner in corners], [begin])


@registered(bytes_each=3 * KB)
@lru_cache(100)
def _corner(layout: Layout, corner: int, variant: int, level: int) -> list[QPointF]:
    """Return the closed outline of what a corner alone covers."""
    line = _line(layout, "corner", corner, variant, level)
    begin = _beside(layout, corner - 1, line[0])
    end = _beside(layout, corner, line[-1])
    return _points([begin], line, [end, _scaled(layout.corners[corner]), begin])


def _points(*lines: Sequence[Point]) -> list[QPointF]:
    return [QPointF(x, y) for line in lines for x, y in line]


def _scaled(corner: Point) -> Point:
    return corner[0] * (1 + OVER), corner[1] * (1 + OVER)


def _beside(layout: Layout, side: int, point: Point) -> Point:
    """Return a point on a side, moved over it."""
    degree = layout.degree
    (ax, ay) = layout.corners[side % degree]
    (bx, by) = layout.corners[(side + 1) % degree]
    x = (ax + bx) / 2
    y = (ay + by) / 2
    share = BESIDE / math.hypot(x, y)
    return point[0] + x * share, point[1] + y * share


def _line(layout: Layout, run: str, first: int, variant: int, level: int) -> list[Point]:
    """Return the smooth line of a run that begins at side ``first``."""
    shape = "square" if layout.degree == 4 else "hex"
    if layout.degree == 4:
        start = (-0.5, -0.5)
    else:
        start = (-0.5, -math.sqrt(3) / 2)
    x, y = layout.corners[first % layout.degree]
    turn = math.atan2(y, x) - math.atan2(start[1], start[0])
    cos = math.cos(turn)
    sin = math.sin(turn)
    turned = _smooth(shape, run, variant, level) @ np.array(((cos, sin), (-sin, cos)))
    return [(x, y) for x, y in turned.tolist()]


@registered(count=200, bytes_each=1.1 * KB)
@cache
def _smooth(shape: str, run: str, variant: int, level: int) -> NDArray[np.float64]:
    """Return a smooth curve (Catmull-Rom) through the points of a line, (n, 2)."""
    points = np.array(_lines()[shape][run][variant][level]).reshape(-1, 2)
    closed = run == ("4" if shape == "square" else "6")
    if closed:
        points = np.concatenate([points[-1:], points, points[:2]])
    else:
        points = np.concatenate([points[:1], points, points[-1:]])
    t = np.arange(STEPS)[:, None, None] / STEPS
    two_before = points[:-3]
    start = points[1:-2]
    end = points[2:-1]
    two_after = points[3:]
    curve = (
        (-t + 2 * t**2 - t**3) / 2 * two_before
        + (2 - 5 * t**2 + 3 * t**3) / 2 * start
        + (t + 4 * t**2 - 3 * t**3) / 2 * end
        + (t**3 - t**2) / 2 * two_after
    )
    result = curve.transpose(1, 0, 2).reshape(-1, 2)
    return result if closed else np.concatenate([result, points[-1:]])
