"""Pictures of growing land: Plains, Tree, Brambles, Bog."""

from __future__ import annotations

import math
import random

from pictures.ground import blades, ground
from pictures.pen import Pen, Point, around, blob, curve, outline, puffs

_CANE = "#5e3540"


def plains() -> Pen:
    """Open grass: two swaths, a few tufts and flowers; the calmest of all, as the commonest."""
    pen = ground("#bfd788", "#adc874")
    pen.path(
        curve([(-78, -8), (-50, -42), (0, -58), (46, -50), (20, -32), (-28, -18), (-52, 8)]),
        "#c6dc92",
        opacity=0.75,
    )
    pen.path(
        curve([(-44, 60), (-6, 34), (44, 14), (80, -8), (66, 30), (34, 60), (-8, 72)]),
        "#a5c26b",
        opacity=0.55,
    )
    pen.group("feature")
    for x, y, size in (
        (-50, -18, 1.0),
        (4, -30, 0.85),
        (50, -12, 1.0),
        (-14, 10, 1.1),
        (30, 26, 1.0),
        (-54, 32, 0.95),
        (62, 34, 0.7),
        (-34, 52, 0.7),
    ):
        pen.oval(x + 2, y + 0.5, 11 * size, 3 * size, "#8fae57", opacity=0.6)
        pen.path(blades(x, y, 20 * size, 11 * size, 5), "#7c9d47")
        pen.path(blades(x - 2, y, 14 * size, 7 * size, 3), "#94b45b")
    for x, y in ((-28, -26), (22, -2), (-40, 8), (50, 16), (-6, 38)):
        pen.oval(x, y, 2.1, 2.1, "#f6f1cf")
    return pen


def tree() -> Pen:
    """A stand of trees seen slightly from above."""
    pen = ground("#86b067", "#719d57")
    pen.path(blob(2, 4, 74, 50, random.Random(3), 0.1), "#628f4d", opacity=0.8)
    pen.group("feature")
    trees = (
        (4, -32, 18),
        (46, -22, 19),
        (-38, -26, 20),
        (20, -2, 21),
        (-18, 6, 20),
        (-62, 8, 17),
        (60, 14, 18),
        (-1, 36, 15),
        (-42, 36, 19),
        (38, 38, 19),
    )
    for i, (x, y, r) in enumerate(sorted(trees, key=lambda place: place[1])):
        turn = 17 * i
        pen.oval(x + r * 0.34, y + r * 0.5, r * 1.02, r * 0.8, "#2c5230", opacity=0.45)
        pen.path(puffs(x, y, r, r * 0.95, 9, turn), "#2f6a39", "#1f4a28", 1.5)
        pen.path(puffs(x - r * 0.14, y - r * 0.16, r * 0.76, r * 0.7, 8, turn + 20), "#438348")
        pen.path(puffs(x - r * 0.28, y - r * 0.32, r * 0.42, r * 0.36, 6, turn), "#66a45c")
    return pen


def brambles() -> Pen:
    """Spiky bushes under arching canes with thorns and a few berries."""
    rng = random.Random(11)
    pen = ground("#b0bf70", "#9cad5e")
    pen.path(blob(2, 6, 76, 48, rng, 0.1), "#8a9c4f", opacity=0.75)
    pen.group("feature")
    for x, y, r in ((-34, -20, 27), (34, -18, 26), (0, 10, 30), (-48, 28, 22), (48, 28, 23)):
        pen.oval(x + 5, y + r * 0.55, r * 1.05, r * 0.45, "#4b5a2a", opacity=0.45)
        for far, colour, shift in ((1.0, "#4f6330", 0), (0.7, "#6c8440", 3), (0.4, "#8da258", 6)):
            points = []
            for i in range(18):
                reach = far * r * (rng.uniform(0.98, 1.14) if i % 2 else rng.uniform(0.66, 0.78))
                turn = i * 20 + rng.uniform(-4, 4)
                points.append(around(x - shift, y - shift, reach, reach * 0.78, turn))
            pen.path(outline(points), colour, "#36451f" if far == 1 else "", 1.3)
    for bow in (
        ((-70, 34), (-56, -36), (-12, -10)),
        ((-46, -2), (-14, -62), (16, -10)),
        ((10, -4), (38, -58), (64, 0)),
        ((-28, 36), (0, -34), (30, 32)),
        ((22, 36), (56, -22), (70, 42)),
    ):
        a, b, c = bow
        pen.path(f"M{a[0]} {a[1]}Q{b[0]} {b[1]} {c[0]} {c[1]}", line=_CANE, width=2.8)
        pen.path(_thorns(*bow), _CANE)
    for x, y in ((-24, -22), (24, -26), (8, 16), (-52, 18), (52, 14), (-6, -6)):
        pen.oval(x, y, 3.2, 3.2, "#b33453", "#6a1c33", 0.8)
    return pen


def _thorns(a: Point, b: Point, c: Point) -> str:
    """Seven thorns along the quadratic bow a, b, c, left and right by turns."""
    d = ""
    for i in range(1, 8):
        t = i / 8
        x, y = (
            (1 - t) ** 2 * p + 2 * t * (1 - t) * q + t * t * r
            for p, q, r in zip(a, b, c, strict=True)
        )
        dx, dy = ((1 - t) * (q - p) + t * (r - q) for p, q, r in zip(a, b, c, strict=True))
        length = math.hypot(dx, dy)
        dx, dy = dx / length, dy / length
        side = 1 if i % 2 else -1
        tip = (x - dy * side * 5.5 + dx * 2.4, y + dx * side * 5.5 + dy * 2.4)
        d += outline([(x - dx * 1.8, y - dy * 1.8), tip, (x + dx * 1.8, y + dy * 1.8)])
    return d


def bog() -> Pen:
    """Dark wet ground with pools and bulrushes."""
    rng = random.Random(4)
    pen = ground("#77865a", "#636f47")
    pen.path(blob(-20, -14, 56, 32, rng, 0.12), "#6a774b", opacity=0.8)
    pen.path(blob(26, 28, 44, 26, rng, 0.12), "#58633f", opacity=0.8)
    pen.group("feature")
    water = pen.linear(
        (-60, -40), (70, 50), (0, "#7d9c9d"), (0.35, "#4d6b6a"), (0.65, "#3d5856"), (1, "#2c4240")
    )
    for seed, x, y, rx, ry in ((1, -24, -20, 40, 16), (5, 36, 10, 36, 15), (3, -30, 34, 36, 14)):
        pen.path(blob(x + 1, y + 2, rx * 1.07, ry * 1.15, random.Random(seed), 0.13), "#4a5437")
        pen.path(blob(x, y, rx, ry, random.Random(seed), 0.13), water, "#2c3a2c", 1.2)
        pen.path(
            f"M{x - rx * 0.55} {y - 3}h{rx * 0.5}M{x - rx * 0.25} {y + 4}h{rx * 0.7}",
            line="#b7ccc6",
            width=1.6,
            opacity=0.7,
        )
    for x, y, size in (
        (62, -8, 0.85),
        (10, -6, 1.0),
        (-66, 6, 0.95),
        (2, 46, 0.95),
        (50, 38, 1.0),
    ):
        pen.oval(x + 3, y, 13 * size, 3.5 * size, "#3d4730", opacity=0.6)
        pen.path(blades(x, y, 36 * size, 15 * size, 5), "#3f5a2c")
        pen.path(blades(x - 2, y, 26 * size, 9 * size, 4), "#9bb062")
        for dx, dy in ((-5, -35), (5, -29)):
            head_x, head_y = x + dx * size, y + dy * size
            pen.path(f"M{x + dx * 0.2} {y}L{head_x} {head_y + 8}", line="#3f5a2c", width=1.3)
            pen.path(f"M{head_x} {head_y}v{8 * size}", line="#5b3a22", width=4.4 * size)
    return pen
