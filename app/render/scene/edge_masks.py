"""Edge masks: the part of a cell that the terrain beyond some of its sides covers.

The lines come from ``resources/edge_masks.json``, which ``packaging/pictures/edge_masks.py`` makes.
A *mask* is a bit mask: bit i for side i, on squares also bit 4 + i for corner i alone.
"""

from __future__ import annotations

import json
import math
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPolygonF

if TYPE_CHECKING:
    from randomizer.model.layouts import Layout

VARIANTS = 4
"""How many variants there are of every mask."""

LEVELS = 6
"""The lines of a mask, from the middle of the cell outwards: level 0 covers the most."""

OVER = 0.05
"""Masks reach over the sides beyond which the terrain lies by this share of the way there."""

BESIDE = 0.015
"""They reach over the sides next to these by this much (map units)."""

STEPS = 4
"""Points of a polygon between two points of a line."""

Point = tuple[float, float]


@cache
def _lines() -> dict[str, dict[str, list[list[list[float]]]]]:
    text = files("app.resources").joinpath("edge_masks.json").read_text("ascii")
    return dict(json.loads(text))


def runs(mask: int, degree: int) -> list[tuple[int, int]]:
    """The runs of neighbouring sides in the lower bits of a mask: first side, number of sides."""
    sides = [bool(mask >> side & 1) for side in range(degree)]
    if all(sides):
        return [(0, degree)]
    found = []
    for first in range(degree):
        if sides[first] and not sides[first - 1]:
            count = 1
            while sides[(first + count) % degree]:
                count += 1
            found.append((first, count))
    return found


@cache
def region(layout: Layout, mask: int, variant: int, level: int) -> QPolygonF:
    """What a mask covers, as one polygon, in map units around the cell's centre.

    Parts that do not touch are joined by two lines at the same place, which cover nothing.
    """
    found = QPolygonF()
    for part in _parts(layout, mask, variant, level):
        for x, y in (*part, part[0]):
            found.append(QPointF(x, y))
        if found.count() > len(part) + 1:
            found.append(found.at(0))
    return found


def _parts(layout: Layout, mask: int, variant: int, level: int) -> list[list[Point]]:
    degree = layout.degree
    table = _lines()["square" if degree == 4 else "hex"]
    found = []
    for first, count in runs(mask, degree):
        line = _turned(layout, _smooth(table[str(count)][variant][level], count == degree), first)
        if count == degree:
            outer = [_scaled(corner) for corner in layout.corners]
            found.append([*outer, outer[0], *line[::-1], line[-1]])
            continue
        corners = [layout.corners[(first + each) % degree] for each in range(count, -1, -1)]
        begin = _beside(layout, first - 1, line[0])
        end = _beside(layout, first + count, line[-1])
        found.append([begin, *line, end, *(_scaled(corner) for corner in corners)])
    for corner in range(degree if degree == 4 else 0):
        if mask >> degree + corner & 1:
            line = _turned(layout, _smooth(table["corner"][variant][level], False), corner)
            begin, end = _beside(layout, corner - 1, line[0]), _beside(layout, corner, line[-1])
            found.append([begin, *line, end, _scaled(layout.corners[corner])])
    return found


def _scaled(corner: Point) -> Point:
    return corner[0] * (1 + OVER), corner[1] * (1 + OVER)


def _beside(layout: Layout, side: int, point: Point) -> Point:
    """A point on a side, moved over it."""
    degree = layout.degree
    (ax, ay), (bx, by) = layout.corners[side % degree], layout.corners[(side + 1) % degree]
    x, y = (ax + bx) / 2, (ay + by) / 2
    share = BESIDE / math.hypot(x, y)
    return point[0] + x * share, point[1] + y * share


def _turned(layout: Layout, line: list[Point], first: int) -> list[Point]:
    """A line of the first sides, turned so that it begins at side ``first`` of a layout."""
    x, y = layout.corners[first % layout.degree]
    kept = (-0.5, -0.5) if layout.degree == 4 else (-0.5, -math.sqrt(3) / 2)
    turn = math.atan2(y, x) - math.atan2(kept[1], kept[0])
    cos, sin = math.cos(turn), math.sin(turn)
    return [(px * cos - py * sin, px * sin + py * cos) for px, py in line]


def _smooth(values: list[float], closed: bool) -> list[Point]:
    """A smooth curve (Catmull-Rom) through the points of a line."""
    points = list(zip(values[::2], values[1::2], strict=True))
    count = len(points)

    def at(index: int) -> Point:
        if closed:
            return points[index % count]
        return points[min(max(index, 0), count - 1)]

    found = []
    for index in range(count if closed else count - 1):
        before, start, end, after = (at(index + each) for each in (-1, 0, 1, 2))
        for step in range(STEPS):
            t = step / STEPS
            weights = (
                (-t + 2 * t * t - t**3) / 2,
                (2 - 5 * t * t + 3 * t**3) / 2,
                (t + 4 * t * t - 3 * t**3) / 2,
                (t**3 - t * t) / 2,
            )
            x, y = (
                sum(weight * point[axis] for weight, point in zip(weights, four, strict=True))
                for axis, four in (
                    (0, (before, start, end, after)),
                    (1, (before, start, end, after)),
                )
            )
            found.append((x, y))
    if not closed:
        found.append(points[-1])
    return found
