"""Convex polygons: their hull, their area, and the common part of two.

The shadows of steps (``edges.step_shadows``) and the lit facets of slopes (``relief_light``) are
cut to the outline of a cell with them. Points are in map units, y runs down; a polygon is the list
of its corners, of which the last is joined to the first.
"""

from __future__ import annotations

from collections.abc import Sequence

Point = tuple[float, float]

STRAIGHT_TURN = 1e-12
"""A turn (``_turn``) of no more than this is straight: so much is an error of rounding."""


def area(polygon: Sequence[Point]) -> float:
    """Return the area of a polygon, 0 if it has no corners.

    By the shoelace formula: half the sum of the cross products of all corners with the next ones.
    """
    next_points = [*polygon[1:], *polygon[:1]]
    twice_area = 0.0
    for point, next_point in zip(polygon, next_points, strict=True):
        twice_area += point[0] * next_point[1] - next_point[0] * point[1]
    return abs(twice_area) / 2


def hull(points: Sequence[Point]) -> list[Point]:
    """Return the convex hull, clockwise on the screen, without points within its sides.

    Of points in one line it has two corners, of a single point none.

    By Andrew's monotone chain: one half of the hull goes through the points from left to right,
    the other one back.
    """
    from_left = sorted(set(points))
    return _half_hull(from_left) + _half_hull(from_left[::-1])


def _half_hull(points: Sequence[Point]) -> list[Point]:
    """Return the corners of a hull from the first of ordered points to the last, without the last.

    A point stays as long as the way over it to the next one turns clockwise.
    """
    corners: list[Point] = []
    for point in points:
        while len(corners) > 1 and _turn(corners[-2], corners[-1], point) <= STRAIGHT_TURN:
            corners.pop()
        corners.append(point)
    return corners[:-1]  # the other half begins with it


def _turn(start: Point, corner: Point, end: Point) -> float:
    """Return how the way from ``start`` over ``corner`` to ``end`` turns.

    It is twice the area of their triangle, above 0 if the turn is clockwise on the screen.
    """
    return (corner[0] - start[0]) * (end[1] - start[1]) - (corner[1] - start[1]) * (
        end[0] - start[0]
    )


def clip(polygon: Sequence[Point], window: Sequence[Point]) -> list[Point]:
    """Return the part of a convex polygon that lies in the convex ``window``, empty for none.

    Both run clockwise on the screen. By the algorithm of Sutherland and Hodgman: each side of the
    window cuts off what lies beyond the line through it.
    """
    result = list(polygon)
    next_corners = [*window[1:], *window[:1]]
    for start, end in zip(window, next_corners, strict=True):
        result = _cut_off(result, start, end)
    return result


def _cut_off(polygon: Sequence[Point], start: Point, end: Point) -> list[Point]:
    """Return the part of a convex polygon to the right of the line from ``start`` to ``end``."""
    # Above 0 inside, and proportional to how far each corner lies to the right of the line.
    insides = [_turn(start, end, point) for point in polygon]
    result: list[Point] = []
    for i, (point, inside) in enumerate(zip(polygon, insides, strict=True)):
        if inside >= 0:
            result.append(point)
        next_index = (i + 1) % len(polygon)
        next_inside = insides[next_index]
        crosses_line = (inside >= 0) != (next_inside >= 0)
        if crosses_line:
            next_point = polygon[next_index]
            share = inside / (inside - next_inside)
            x = point[0] + (next_point[0] - point[0]) * share
            y = point[1] + (next_point[1] - point[1]) * share
            result.append((x, y))
    return result
