"""Pictures of open liquids: Lake, Spring, TarPit."""

from __future__ import annotations

import random

from pictures.ground import blades, ground
from pictures.pen import Pen, around, blob, curve, placed


def lake() -> Pen:
    """Open water with short rows of waves."""
    pen = ground("#5f9ed0", "#4484ba")
    pen.path(
        curve([(-80, -4), (-40, -34), (20, -50), (50, -40), (10, -24), (-30, -4), (-60, 16)]),
        "#74aeda",
        opacity=0.55,
    )
    pen.path(
        curve([(-30, 54), (10, 40), (50, 10), (80, 0), (62, 34), (20, 62)]), "#3a78ae", opacity=0.6
    )
    pen.group("feature")
    row = "M-18 0Q-12 7 -6 0Q0 7 6 0Q12 7 18 0"
    for x, y, size in (
        (-38, -28, 1.0),
        (24, -34, 0.9),
        (52, -8, 1.0),
        (-2, -8, 1.15),
        (-56, 4, 0.9),
        (26, 16, 1.05),
        (-28, 26, 1.1),
        (54, 38, 0.75),
        (-46, 48, 0.7),
        (8, 44, 0.8),
    ):
        pen.path(placed(row, x, y + 3.2, size), line="#2f6ba1", width=2.6)
        pen.path(placed(row, x, y, size), line="#dceefa", width=2.8)
    return pen


def spring() -> Pen:
    """A clear pool that wells up in rings, a few stones on its bank."""
    pen = ground("#a3d2a2", "#8abe8e")
    pen.path(blob(1, 5, 76, 50, random.Random(8), 0.06), "#7aae7f", opacity=0.7)
    pen.group("feature")
    pen.path(blob(0, 4, 66, 44, random.Random(2), 0.05, 12), "#e2d8ab", "#7d8b5c", 1.4)
    pen.path(
        blob(0, 4, 58, 37, random.Random(2), 0.05, 12),
        pen.radial((0, 2), 58, (0, "#e6fbf6"), (0.35, "#a5e2dc"), (1, "#3f9fa6")),
        "#2f7f88",
        1.4,
    )
    for rx, ry, opacity, width in (
        (46, 28, 0.55, 1.8),
        (32, 19, 0.75, 2.2),
        (18, 10.5, 0.95, 2.4),
    ):
        pen.oval(0, 3, rx, ry, line="#ffffff", width=width, opacity=opacity)
    pen.oval(0, 1, 8, 5, "#ffffff")
    for x, y, r in ((-4, -6, 3), (6, -9, 2.3), (1, -15, 1.8)):
        pen.oval(x, y, r, r, "#ffffff", "#5fb9bb", 0.8)
    for angle_deg, r in (
        (150, 6),
        (168, 7.5),
        (184, 5),
        (20, 7),
        (36, 5.5),
        (128, 4.5),
        (340, 4.5),
    ):
        x, y = around(0, 5, 63, 42, angle_deg)
        pen.oval(x + 1, y + 1.5, r * 1.1, r * 0.85, "#56695a", opacity=0.7)
        pen.oval(x, y, r, r * 0.75, "#a9a99f", "#66675f", 1)
        pen.oval(x - r * 0.25, y - r * 0.22, r * 0.5, r * 0.3, "#d2d2c8")
    for x, y in ((-52, -26), (54, -24), (56, 44), (-50, 46)):
        pen.path(blades(x, y, 17, 10, 5), "#4e8a52")
    return pen


def tar_pit() -> Pen:
    """Black tar that throws bubbles."""
    pen = ground("#75675a", "#605247")
    pen.path(blob(0, 5, 78, 50, random.Random(7), 0.07), "#50443b", opacity=0.8)
    pen.group("feature")
    pen.path(blob(0, 4, 68, 44, random.Random(14), 0.13, 11), "#171413", "#9a8a78", 2)
    pen.path(
        blob(-1, 2, 60, 37, random.Random(14), 0.13, 11),
        pen.linear((-50, -30), (40, 40), (0, "#4f4846"), (0.5, "#282322"), (1, "#171413")),
    )
    pen.path(
        "M-46 0C-42 -16 -28 -24 -14 -26M-33 5C-29 -5 -22 -10 -14 -12",
        line="#a39b97",
        width=2.6,
        opacity=0.75,
    )
    for x, y, r in (
        (-16, 8, 11),
        (22, -12, 13),
        (28, 20, 9),
        (4, 28, 6),
        (-38, 16, 6),
        (48, 2, 6),
        (0, -16, 5),
    ):
        gleam = pen.radial(
            (x - r * 0.3, y - r * 0.35), r * 1.3, (0, "#7c7370"), (0.5, "#3d3735"), (1, "#221e1d")
        )
        pen.oval(x, y + 1, r * 1.15, r * 1.02, "#0c0a0a")
        pen.oval(x, y, r, r * 0.95, gleam, "#0c0a0a", 1)
        pen.path(placed("M-.62 -.1C-.6 -.5 -.3 -.66 0 -.66", x, y, r), line="#efe9e4", width=1.8)
    return pen
