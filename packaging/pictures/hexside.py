"""The five hexsides: the edge runs from (-50, 0) to (50, 0), the owner lies above it.

Shapes stay inside |x| <= 50 - |y| / tan 60, so that two sides of one hex never touch.
"""

from __future__ import annotations

import math
import random

from pictures.pen import Pen, Point, curve, outline

VIEW_BOX = "-0.5 -0.3 1 0.4"
_TAN60 = math.sqrt(3)


def slope() -> Pen:
    pen = Pen(VIEW_BOX)
    shapes = []
    for i in range(-4, 5):
        x = i * 10.2
        long = i % 2 == 0
        top = -18 if long else -16
        tip = 9 if long else 2
        top_x = x * (1 - 18 / 50 / _TAN60)
        half = 4.1
        tip_x = x * (1 - max(tip, 0) / 50 / _TAN60)
        shapes.append(
            [
                (top_x - half, top),
                (top_x, top - 1.6),
                (top_x + half, top),
                (tip_x + 0.5, tip),
                (tip_x - 0.5, tip),
            ]
        )
    for points in shapes:
        pen.path(outline(points), "#f3e6c8", "#f3e6c8", 3, 0.55)
    for points in shapes:
        pen.path(outline(points), "#7b5630", "#54381c", 0.8)
        (ax, ay), (tx, ty), _, _, (px, py) = points
        pen.path(outline([(ax, ay), (tx, ty), (px, py)]), "#a67c4c")
    return pen


def cliff() -> Pen:
    rng = random.Random(12)
    pen = Pen(VIEW_BOX)
    rim: list[Point] = [
        (-38, -16),
        (-29, -18.5),
        (-17, -16.5),
        (-6, -19),
        (5, -17),
        (17, -19),
        (28, -16.8),
        (38, -16),
    ]
    teeth: list[Point] = []
    xs = [46, 39, 32, 24.5, 17, 9, 1, -7, -14.5, -22, -29.5, -37, -46]
    for i, x in enumerate(xs):
        y = -5 + rng.uniform(-2, 1) if i % 2 else 4 + rng.uniform(-1.5, 1)
        if i in (0, len(xs) - 1):
            y = -1
        teeth.append((x, y))
    face = rim + teeth
    pen.path(outline([(x, y + 3) for x, y in face]), "#1d1512", opacity=0.3)
    pen.path(outline(face), "#5b463a", "#2e211a", 1.4)
    for i, x in enumerate((-34, -24, -11, 0, 11, 23, 33)):
        foot = -3 if i % 2 else -6
        pen.path(outline([(x - 2.2, -14), (x + 3.4, -14.5), (x + 1, foot)]), "#3f2f27")
        pen.path(outline([(x - 7, -14), (x - 2.8, -14), (x - 3, foot - 1)]), "#846a59")
    pen.path(
        outline(
            [
                *rim,
                (36, -12.5),
                (27, -13.5),
                (16, -14.5),
                (5, -12.6),
                (-6, -14.6),
                (-17, -12.4),
                (-29, -14),
                (-36, -12.5),
            ]
        ),
        "#d8c3a5",
        "#2e211a",
        1,
    )
    return pen


def dune() -> Pen:
    pen = Pen(VIEW_BOX)
    for x, s in ((-25, 0.92), (25, 0.92), (0, 1.0)):
        a, b = x - 21 * s, x + 21 * s
        y = -2.0
        pen.path(
            f"M{a} {y}C{x - 12 * s} {y - 21 * s} {x + 12 * s} {y - 21 * s} {b} {y}C{x + 10 * s} {y + 8} {x - 10 * s} {y + 8} {a} {y}Z",
            "#a67c35",
            "#7f5c22",
            1.2,
        )
        pen.path(
            f"M{a} {y}C{x - 12 * s} {y - 21 * s} {x + 12 * s} {y - 21 * s} {b} {y}C{x + 10 * s} {y - 8} {x - 10 * s} {y - 8} {a} {y}Z",
            "#f0dca0",
            "#7f5c22",
            1.0,
        )
    return pen


def wall() -> Pen:
    pen = Pen(VIEW_BOX)
    pen.path(outline([(-40, -16), (40, -16), (49, 3.5), (-49, 3.5)]), "#1b1918", opacity=0.35)
    pen.path(outline([(-39, -18), (39, -18), (44, -7), (-44, -7)]), "#b3ada5", "#45413d", 1.4)
    pen.path(
        "M-40 -12.5H40M-26 -18V-12.5M-10 -18V-12.5M6 -18V-12.5M22 -18V-12.5M-34 -12.5V-7M-18 -12.5V-7M-2 -12.5V-7M14 -12.5V-7M30 -12.5V-7",
        line="#7a746c",
        width=1,
    )
    for i in range(5):
        x = -44 + 18.4 * i
        pen.path(
            outline([(x, -7.5), (x + 14.4, -7.5), (x + 14.4, 1), (x, 1)]), "#8b857d", "#45413d", 1.4
        )
        pen.path(
            outline([(x + 0.8, -7), (x + 13.6, -7), (x + 13.6, -3.4), (x + 0.8, -3.4)]), "#d4cfc7"
        )
    return pen


def river() -> Pen:
    pen = Pen(VIEW_BOX)

    def band(half: float) -> list[Point]:
        waves = [(-36, 0.9), (-20, 1.1), (-4, 0.9), (12, 1.1), (28, 0.92)]
        upper = [(x, -half * k) for x, k in waves]
        lower = [(x, half * k) for x, k in reversed(waves)]
        return [
            (-50, 0),
            (-46.5, -half * 0.85),
            *upper,
            (46.5, -half * 0.85),
            (50, 0),
            (46.5, half * 0.85),
            *lower,
            (-46.5, half * 0.85),
        ]

    pen.path(curve(band(7.6)), "#27598c")
    pen.path(curve(band(6.2)), "#4b8fcb")
    pen.path(curve(band(3.2)), "#6bacdf", opacity=0.8)
    pen.path(
        "M-38 -2q4 -3 8 0t8 0M-6 2q4 -3 8 0t8 0M22 -1.5q4 -3 8 0t8 0M-22 3q3 -2 6 0M10 -3q3 -2 6 0",
        line="#e8f5fd",
        width=1.4,
    )
    return pen


HEXSIDES = {"Dune": dune, "Cliff": cliff, "Slope": slope, "Wall": wall, "River": river}
