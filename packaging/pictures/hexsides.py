"""Pictures of the hexsides: the edge runs from (-50, 0) to (50, 0), the owner lies above it.

Shapes stay inside |x| <= 50 - |y| / tan 60, so that two sides of one hex meet but do not overlap.
"""

from __future__ import annotations

import math
import random

from pictures.pen import Pen, Point, curve, outline, placed

VIEW_BOX = "-0.5 -0.3 1 0.4"
_TAN60 = math.sqrt(3)


def _reach(y: float) -> float:
    """How far a shape may go to the left and right at ``y``."""
    return 50 - abs(y) / _TAN60


def slope() -> Pen:
    """Hachures, as on a map: thick on the high side, running out to a point downhill."""
    pen = Pen(VIEW_BOX, "side")
    top, foot = -16.0, 9.0
    face = [(-_reach(top), top), (_reach(top), top), (_reach(foot), foot), (-_reach(foot), foot)]
    shade = pen.linear(
        (0, top), (0, foot), (0, "#7a5630", 0.65), (0.6, "#8a6b43", 0.25), (1, "#8a6b43", 0)
    )
    pen.path(outline(face), shade)
    hachure = "M-2.2 -16L2.2 -16C1.9 -9 .8 -1 .3 8L-.3 8C-.8 -1 -1.9 -9 -2.2 -16Z"
    ticks = ""
    for i in range(-5, 6):
        long = i % 2 == 0
        ticks += placed(hachure, i * 7.2, 0 if long else -5.6, 1.0 if long else 0.66)
    pen.path(ticks, "#6b4824")
    rim = [(-_reach(top), top), (_reach(top), top), (_reach(top) + 1.2, top + 2.2)]
    pen.path(outline([*rim, (-_reach(top) - 1.2, top + 2.2)]), "#6b4824")
    pen.path(f"M{-_reach(top)} {top - 0.8}H{_reach(top)}", line="#f7ead0", width=1.5)
    return pen


def cliff() -> Pen:
    """A rock face: a light rim above, jagged teeth falling outward."""
    rng = random.Random(12)
    pen = Pen(VIEW_BOX, "side")
    rim: list[Point] = [
        (-40, -16),
        (-30, -18.5),
        (-18, -16.5),
        (-6, -19),
        (5, -17),
        (17, -19),
        (29, -16.8),
        (40, -16),
    ]
    feet: list[Point] = [(48.5, -1)]
    for i in range(1, 12):
        x = 48.5 - i * 97 / 12
        feet.append((x, (-5.5 if i % 2 == 0 else 4) + rng.uniform(-1.6, 1)))
    feet.append((-48.5, -1))
    pen.path(outline([(x, y + 3.2) for x, y in rim + feet]), "#1d1512", opacity=0.3)
    pen.path(outline(rim + feet), "#5f4a3d", "#2e211a", 1.4)
    light, dark = "", ""
    for x, y in feet[1:-1:2]:
        light += outline([(x * 0.9 - 5, -14), (x * 0.9 - 1, -14), (x - 0.8, y - 1.5)])
        dark += outline([(x * 0.9 - 1, -14), (x * 0.9 + 3.6, -14), (x - 0.8, y - 1.5)])
    pen.path(light, "#8b705e")
    pen.path(dark, "#3f2f27")
    lower = [
        (39, -12.6),
        (28, -13.4),
        (17, -15),
        (5, -12.8),
        (-6, -15),
        (-18, -12.4),
        (-30, -14.4),
        (-39, -12.6),
    ]
    pen.path(outline(rim + lower), "#e0cdb0", "#2e211a", 1)
    return pen


def dune() -> Pen:
    """A ridge of sand: it rises gently in the sand hex and slips steeply outward."""
    pen = Pen(VIEW_BOX, "side")
    crest = (
        "M-47 -5C-41 -9 -34 -11 -27 -9C-21 -7 -17 -4 -13 -5C-8 -9 0 -13 9 -11"
        "C16 -9 19 -5 24 -5C29 -8 33 -10 38 -8C41 -7 44 -6 47 -5"
    )
    rise = pen.linear((0, -21), (0, -4), (0, "#fbf1c8", 0.1), (0.5, "#f8e9b8", 0.9), (1, "#fdf4d2"))
    pen.path(crest + "L38 -21L-38 -21Z", rise)
    slip = (
        crest
        + "L49.5 0C43 4 36 5.5 30 4C26 3 24 2 20 3"
        + "C12 6.5 2 7.5 -6 5C-10 3 -13 2 -17 4C-26 6.5 -40 5 -49.5 0Z"
    )
    pen.path(placed(slip, 0, 1.6), "#3b2a0c", opacity=0.25)
    pen.path(slip, pen.linear((0, -10), (0, 7), (0, "#8f6524"), (1, "#c4964a")), "#76531d", 1.0)
    pen.path(crest, line="#fffae3", width=1.8)
    return pen


def wall() -> Pen:
    """Masonry in the owner's hex, its merlons outward."""
    pen = Pen(VIEW_BOX, "side")
    pen.path(outline([(-40, -16), (40, -16), (49, 3.5), (-49, 3.5)]), "#1b1918", opacity=0.35)
    pen.path(outline([(-39, -18), (39, -18), (44, -7), (-44, -7)]), "#b9b3aa", "#45413d", 1.4)
    joints = "M-41 -12.5H41"
    for x in range(-26, 30, 16):
        joints += f"M{x} -18V-12.5M{x - 8} -12.5V-7"
    pen.path(joints + "M30 -12.5V-7", line="#7a746c", width=1)
    for i in range(5):
        x = -44 + 18.4 * i
        merlon = [(x, -7.5), (x + 14.4, -7.5), (x + 14.4, 1), (x, 1)]
        pen.path(outline(merlon), "#8b857d", "#45413d", 1.4)
        lit = [(x + 0.8, -7), (x + 13.6, -7), (x + 13.6, -3.4), (x + 0.8, -3.4)]
        pen.path(outline(lit), "#dcd7cf")
    return pen


def river() -> Pen:
    """Water along the edge itself, alike on both sides; mitred so that rivers join at a corner."""
    pen = Pen(VIEW_BOX, "side")
    bank: list[Point] = [
        (-_reach(6.4), -6.4),
        (-30, -7.4),
        (-14, -6),
        (2, -7.4),
        (18, -6),
        (32, -7.2),
        (_reach(6.4), -6.4),
    ]
    other = [(-x, -y) for x, y in bank]
    upper, lower = curve(bank, closed=False), curve(other, closed=False)
    joined = upper + "L50 0" + "L" + lower[1:] + "L-50 0Z"
    pen.path(joined, "#4b8fcb")
    pen.path(
        "M-46 0C-34 -3.5 -20 -2 -6 -3.5C10 -4.6 30 -2 46 0C34 4 20 2 6 3.6C-10 5 -30 2.4 -46 0Z",
        "#74b4e4",
    )
    pen.path(upper + lower, line="#235382", width=1.8)
    pen.path(
        "M-38 -2q4 -3 8 0t8 0M-6 2q4 -3 8 0t8 0M22 -1.5q4 -3 8 0t8 0"
        "M-22 3.4q3 -2 6 0M10 -3q3 -2 6 0",
        line="#eef8fe",
        width=1.4,
    )
    return pen


HEXSIDES = {"Dune": dune, "Cliff": cliff, "Slope": slope, "Wall": wall, "River": river}
