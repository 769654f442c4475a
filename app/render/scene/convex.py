"""Convex polygons: their hull, area and what of one lies in another.

Points are in map units, y runs down.
"""

from __future__ import annotations

from collections.abc import Sequence

Point = tuple[float, float]


def area(polygon: Sequence[Point]) -> float:
    """Return the area of a polygon."""
    pairs = zip(polygon, [*polygon[1:], polygon[0]], strict=True)
    return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in pairs)) / 2


def hull(points: Sequence[Point]) -> list[Point]:
    """Return the convex hull, clockwise on the screen."""
    ordered = sorted(set(points))

    def half(some: Sequence[Point]) -> list[Point]:
        line: list[Point] = []
        for point in some:
            while len(line) > 1 and _turn(line[-2], line[-1], point) <= 1e-12:
                line.pop()
            line.append(point)
        return line[:-1]

    return half(ordered) + half(ordered[::-1])


def _turn(a: Point, b: Point, c: Point) -> float:
    """Above 0 if the way from a over b to c turns clockwise on the screen."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def clip(polygon: Sequence[Point], window: Sequence[Point]) -> list[Point]:
    """Return what of a convex polygon lies in the convex ``window``; both run clockwise on the
    screen.
    """
    result = list(polygon)
    for a, b in zip(window, [*window[1:], window[0]], strict=True):
        sides = [_turn(a, b, point) for point in result]
        cut: list[Point] = []
        for i, (point, inside) in enumerate(zip(result, sides, strict=True)):
            next_point = result[(i + 1) % len(result)]
            beyond = sides[(i + 1) % len(result)]
            if inside >= 0:
                cut.append(point)
            if (inside >= 0) != (beyond >= 0):
                t = inside / (inside - beyond)
                cut.append(
                    (
                        point[0] + (next_point[0] - point[0]) * t,
                        point[1] + (next_point[1] - point[1]) * t,
                    )
                )
        result = cut
    return result
