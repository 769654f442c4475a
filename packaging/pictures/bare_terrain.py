"""Pictures of bare land: Drift, Sand, Stone, Tower, Volcano."""

from __future__ import annotations

import math
import random

from pictures.ground import ground
from pictures.pen import Pen, Point, around, blob, curve, outline, placed

_TO_LIGHT: Point = (-0.55, -0.83)


def drift() -> Pen:
    """Rounded snow drifts with blue shade, dead stalks that still show, a few glints."""
    pen = ground("#eef4f8", "#dce7f0")
    pen.path(
        curve([(-80, 2), (-46, -30), (10, -44), (60, -28), (78, 4), (30, 46), (-40, 48)]),
        "#f6f9fc",
        opacity=0.8,
    )
    pen.group("feature")
    body = "M-50 14C-42 6 -36 -17 -8 -18C16 -19 26 -2 50 13C30 20 -28 21 -50 14Z"
    shade = "M-8 -18C16 -19 26 -2 50 13C34 18 12 19 -8 18.6C8 14 16 6 9 -2C4 -8 -2 -11 -8 -18Z"
    deep = "M12 1C16 8 10 14 -8 18.6C12 19 34 18 50 13C36 14 24 10 12 1Z"
    for x, y, size in (
        (10, -34, 0.7),
        (-38, -16, 0.72),
        (34, -8, 0.84),
        (-14, 12, 0.96),
        (36, 34, 0.7),
        (-38, 40, 0.6),
    ):
        pen.path(placed("M-52 15C-20 10 40 8 62 15C40 24 -30 25 -52 15Z", x, y, size), "#c4d6e4")
        pen.path(
            placed(body, x, y, size),
            pen.linear(
                (x - 20 * size, y - 18 * size),
                (x, y + 19 * size),
                (0, "#ffffff"),
                (0.6, "#fbfdfe"),
                (1, "#dfe9f1"),
            ),
        )
        pen.path(placed(shade, x, y, size), "#c3d5e4")
        pen.path(placed(deep, x, y, size), "#a3bfd6")
        pen.path(placed(body.split("C30 20")[0], x, y, size), line="#93b1c9", width=1.4)
    stalks = ""
    for x, y in ((-62, 6), (58, 10)):
        stalks += f"M{x} {y}q1 -9 -3 -17M{x} {y - 7}q5 -3 7 -9M{x - 1} {y - 10}q-4 -2 -6 -6"
    pen.path(stalks, line="#7a6a5c", width=1.5)
    sparks = ""
    for x, y in ((-52, -36), (54, -32), (-66, 26), (4, 44)):
        sparks += (
            f"M{x - 4} {y}h8M{x} {y - 4}v8M{x - 2.6} {y - 2.6}l5.2 5.2M{x - 2.6} {y + 2.6}l5.2 -5.2"
        )
    pen.path(sparks, line="#8fb0ca", width=1.1)
    return pen


def sand() -> Pen:
    """Two dunes with a winding crest between light and shade, and the ripples of the wind."""
    pen = ground("#efe0a9", "#dfca8c")
    pen.path(
        curve([(-80, -6), (-30, -30), (30, -38), (72, -16), (40, -12), (-20, -6), (-50, 8)]),
        "#f4e8b9",
        opacity=0.8,
    )
    pen.group("feature")
    ripples = ""
    for x, y, w in (
        (-64, -24, 30),
        (-54, -33, 26),
        (-46, -42, 22),
        (34, -30, 38),
        (46, -21, 30),
        (-78, 4, 26),
        (-64, 44, 40),
        (-52, 53, 36),
        (-40, 62, 20),
        (30, 52, 22),
        (58, 2, 22),
    ):
        ripples += f"M{x} {y}q{w / 4} -5 {w / 2} 0t{w / 2} 0"
    pen.path(ripples, line="#c9af6b", width=2)
    body = "M-52 15C-34 10 -22 -20 0 -21C16 -21 36 2 54 14C30 21 -26 22 -52 15Z"
    shade = "M0 -21C16 -21 36 2 54 14C40 18 22 19.5 4 20C20 12 24 4 12 -3C2 -9 -6 -14 0 -21Z"
    for x, y, size in ((-12, -14, 1.0), (22, 22, 0.92), (-46, 26, 0.5)):
        pen.path(
            placed(body, x, y, size),
            pen.linear(
                (x - 30 * size, y - 20 * size),
                (x, y + 20 * size),
                (0, "#fdf5d3"),
                (1, "#ead699"),
            ),
            "#a98545",
            1.4,
        )
        pen.path(placed(shade, x, y, size), "#c49d57")
        folds = "M-30 9C-22 6 -16 0 -12 -6M-18 13C-10 10 -4 4 -2 -4"
        pen.path(placed(folds, x, y, size), line="#d8bf7c", width=1.6)
    return pen


def _mix(dark: tuple[int, int, int], light: tuple[int, int, int], share: float) -> str:
    pairs = zip(dark, light, strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _boulder(pen: Pen, x: float, y: float, size: float, rng: random.Random) -> None:
    count = 7
    dark, light = (92, 90, 90), (200, 198, 193)
    pen.oval(x + size * 0.22, y + size * 0.55, size * 1.08, size * 0.5, "#4e4d4d", opacity=0.4)
    turn = rng.uniform(0, 50)
    rim = []
    for i in range(count):
        rx, ry = size * rng.uniform(0.9, 1.08), size * rng.uniform(0.72, 0.88)
        rim.append(around(x, y, rx, ry, turn + i * 360 / count + rng.uniform(-12, 12)))
    top = [(x - size * 0.12 + (a - x) * 0.5, y - size * 0.24 + (b - y) * 0.46) for a, b in rim]
    pen.path(outline(rim), "#8b8a88", "#474646", 2)
    for i in range(count):
        j = (i + 1) % count
        out_x, out_y = (rim[i][0] + rim[j][0]) / 2 - x, (rim[i][1] + rim[j][1]) / 2 - y
        facing = (out_x * _TO_LIGHT[0] + out_y * _TO_LIGHT[1]) / math.hypot(out_x, out_y)
        pen.path(outline([rim[i], rim[j], top[j], top[i]]), _mix(dark, light, 0.42 + 0.42 * facing))
    pen.path(outline(top), "#cfcdc8")


def stone() -> Pen:
    """Boulders with flat faces, and pebbles."""
    rng = random.Random(21)
    pen = ground("#aaa79b", "#969387")
    pen.path(blob(0, 8, 74, 46, rng, 0.1), "#8a877d", opacity=0.6)
    pen.group("feature")
    for x, y, r in (
        (-62, -8, 4),
        (66, -4, 4),
        (10, 46, 5),
        (-6, -42, 4),
        (72, 8, 3),
        (-20, 50, 3.5),
        (-72, 12, 3),
    ):
        pen.oval(x + 1, y + 1.4, r * 1.15, r * 0.9, "#55534f")
        pen.oval(x, y, r, r * 0.75, "#bab7b0")
    for x, y, size in ((-36, -22, 22), (38, -22, 24), (2, 6, 27), (-48, 30, 19), (48, 30, 21)):
        _boulder(pen, x, y, size, rng)
    return pen


_MODULE = 17.0


def _inside(column: int, row: int) -> bool:
    """Whether the floor of the tower covers this cell of its module."""
    far_x = max(abs(column), abs(column + 1)) * _MODULE
    far_y = max(abs(row), abs(row + 1)) * _MODULE
    return far_x + far_y / math.sqrt(3) < 98


def _slabs(seed: int) -> list[tuple[int, int, int, int]]:
    """Slabs (column, row, width, height in modules) that cover the floor of the tower."""
    rng = random.Random(seed)
    free = {(c, r) for r in range(-3, 3) for c in range(-5, 5) if _inside(c, r)}
    slabs = []
    for row in range(-3, 3):
        for column in range(-5, 5):
            shapes = [(2, 2), (2, 1), (1, 2)]
            rng.shuffle(shapes)
            for wide, high in [*shapes, (1, 1)]:
                cells = {(column + i, row + j) for i in range(wide) for j in range(high)}
                if cells <= free:
                    free -= cells
                    slabs.append((column, row, wide, high))
                    break
    return slabs


def tower() -> Pen:
    """A floor of flagstones in four sizes, laid so that no joint runs through."""
    rng = random.Random(9)
    pen = ground("#b8b1a4", "#a29b8d")
    pen.group("feature")
    lit = ""
    shades = ("#c9c3b7", "#beb7ab", "#d4cfc4", "#b4ada0", "#c7bca8")
    # 14156: of thirty thousand seeds the one with the shortest straight joints
    for column, row, wide, high in _slabs(14156):
        a, b = column * _MODULE + 0.9, (column + wide) * _MODULE - 0.9
        c, d = row * _MODULE + 0.9, (row + high) * _MODULE - 0.9
        corners = []
        for x, y, cut_x, cut_y in ((a, c, 2, 2), (b, c, -2, 2), (b, d, -2, -2), (a, d, 2, -2)):
            x, y = x + rng.uniform(-0.6, 0.6), y + rng.uniform(-0.6, 0.6)
            ends = [(x, y + cut_y), (x + cut_x, y)]
            corners += ends if cut_x * cut_y > 0 else ends[::-1]
        pen.path(outline(corners), rng.choice(shades), "#746d61", 1.6)
        lit += f"M{a + 2} {d - 3.5}V{c + 2}H{b - 3.5}"
    pen.path(lit, line="#efebe3", width=1.3)
    pen.path("M-12 -47L-8 -38L-10 -32L-5 -27M44 22L38 27L39 32L33 38", line="#7d766a", width=1.2)
    return pen


def volcano() -> Pen:
    """A cone, lit from the left, whose crater runs over."""
    pen = ground("#ad6650", "#924c3c")
    pen.path(blob(0, 16, 72, 42, random.Random(5), 0.08), "#834435", opacity=0.6)
    pen.group("feature")
    pen.oval(4, 42, 68, 11, "#4b211c", opacity=0.45)
    left = "M-30 -28C-36 -6 -48 20 -66 40"
    foot = "C-52 49 -36 45 -22 48C-4 52 14 46 28 49C42 52 56 48 66 40"
    pen.path(left + foot + "C48 20 36 -6 30 -28Z", "#77392d", "#3d1a16", 1.8)
    pen.path(left + "C-56 47 -46 46 -38 46C-28 20 -20 0 -18 -22Z", "#9d5543")
    pen.path("M6 -22C10 4 14 28 22 48C38 52 54 50 66 40C48 20 36 -6 30 -28Z", "#5b2a21")
    pen.path("M20 -24C24 0 32 22 42 50C54 50 60 46 66 40C48 20 36 -6 30 -28Z", "#481f19")
    lava = pen.linear((0, -38), (0, 46), (0, "#ffe783"), (0.35, "#ffa432"), (1, "#d8341c"))
    streams = (
        "M-22 -26C-20 -10 -28 0 -27 12C-26 22 -37 26 -35 36C-32 42 -25 39 -24 31"
        "C-23 20 -14 12 -15 2C-16 -8 -8 -12 -7 -22C-3 -12 -3 -8 -2 0C-1 8 -4 12 -1 17"
        "C2 22 8 20 8 13C8 6 6 2 8 -4C10 -8 14 -12 14 -22C19 -16 21 -10 24 0C27 10 27 17 32 25"
        "C37 31 43 26 40 17C36 6 30 -8 23 -27Z"
    )
    pen.oval(0, -30, 31, 11.5, "#9d5543", "#3d1a16", 1.8)
    pen.oval(0, -29.5, 26.5, 8.6, "#6d1f14")
    pen.path(streams, line="#8e1d12", width=2.4)
    pen.oval(0, -28.6, 24.5, 7, lava)
    pen.path(streams, lava)
    pen.path(
        "M-15 -20C-16 -6 -22 2 -21 10M3 -18C4 -6 4 0 4 8M19 -18C24 -10 26 -2 29 6",
        line="#fff0a8",
        width=2,
        opacity=0.8,
    )
    pen.path("M-16 -31C-8 -34 8 -34 16 -31", line="#fff6c4", width=1.8, opacity=0.8)
    return pen
