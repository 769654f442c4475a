"""The twelve hazards of Colossus as pictures of one hexagon.

Light comes from the top left. Every feature keeps clear of the top strip (the hex's label), of the
rim (hexside shapes) and of the bottom centre (the elevation badge).
"""

from __future__ import annotations

import math
import random

from pictures.pen import Pen, Point, around, blob, curve, outline, puffs

VIEW_BOX = "-1 -0.8660254 2 1.7320508"
_HEXAGON: list[Point] = [around(0, 0, 102, 102, 60 * i) for i in range(6)]


def _start(light: str, dark: str) -> Pen:
    """A picture whose ground goes from ``light`` (top left) to ``dark``."""
    pen = Pen(VIEW_BOX)
    pen.group("ground")
    pen.path(outline(_HEXAGON), pen.linear((-60, -80), (60, 80), (0, light), (1, dark)))
    return pen


def _blades(x: float, y: float, height: float, spread: float, count: int) -> str:
    """A tuft of grass or reeds as one path of narrow blades."""
    d = ""
    for i in range(count):
        lean = (i / (count - 1) - 0.5) * 2
        tip_x, tip_y = x + lean * spread, y - height * (1 - 0.35 * lean * lean)
        foot = x + lean * spread * 0.25
        half = height * 0.075
        mid_y = y - height * 0.55
        d += (
            f"M{foot - half:.1f} {y:.1f}Q{foot - half:.1f} {mid_y:.1f} {tip_x:.1f} {tip_y:.1f}"
            f"Q{foot + half * 1.6:.1f} {mid_y:.1f} {foot + half:.1f} {y:.1f}Z"
        )
    return d


def plains() -> Pen:
    pen = _start("#bfd788", "#adc874")
    pen.path(
        curve([(-78, -8), (-50, -42), (0, -58), (46, -50), (20, -32), (-28, -18), (-52, 8)]),
        "#c6dc92",
        opacity=0.75,
    )
    pen.path(
        curve([(-44, 60), (-6, 34), (44, 14), (82, -8), (66, 30), (34, 60), (-8, 72)]),
        "#a5c26b",
        opacity=0.55,
    )
    pen.group("feature")
    tufts = (
        (-50, -20, 1.0),
        (4, -32, 0.85),
        (50, -14, 1.0),
        (-14, 8, 1.1),
        (30, 24, 1.0),
        (-54, 30, 0.95),
        (62, 36, 0.7),
        (-34, 50, 0.7),
    )
    for x, y, size in tufts:
        pen.oval(x + 2, y + 0.5, 11 * size, 3 * size, "#8fae57", opacity=0.6)
        pen.path(_blades(x, y, 20 * size, 11 * size, 5), "#7c9d47")
        pen.path(_blades(x - 2, y, 14 * size, 7 * size, 3), "#94b45b")
    for x, y in ((-28, -28), (22, -4), (-40, 6), (50, 14), (-6, 36)):
        pen.oval(x, y, 2.1, 2.1, "#f6f1cf")
    return pen


def tree() -> Pen:
    pen = _start("#86b067", "#719d57")
    pen.path(blob(4, 6, 74, 50, random.Random(3), 0.1), "#628f4d", opacity=0.8)
    pen.group("feature")
    trees = (
        (4, -32, 18),
        (-38, -26, 20),
        (46, -22, 19),
        (-62, 8, 17),
        (20, -2, 21),
        (-18, 6, 20),
        (60, 14, 18),
        (-42, 36, 19),
        (38, 38, 19),
        (-1, 36, 15),
    )
    for i, (x, y, r) in enumerate(sorted(trees, key=lambda t: t[1])):
        turn = 17 * i
        pen.oval(x + r * 0.34, y + r * 0.5, r * 1.02, r * 0.8, "#2c5230", opacity=0.45)
        pen.path(puffs(x, y, r, r * 0.95, 9, turn), "#2f6a39", "#1f4a28", 1.5)
        pen.path(puffs(x - r * 0.14, y - r * 0.16, r * 0.76, r * 0.7, 8, turn + 20), "#438348")
        pen.path(puffs(x - r * 0.28, y - r * 0.32, r * 0.42, r * 0.36, 6, turn), "#66a45c")
    return pen


def brambles() -> Pen:
    rng = random.Random(11)
    pen = _start("#a9b96b", "#95a75a")
    pen.path(blob(2, 8, 76, 48, rng, 0.12), "#86994c", opacity=0.75)
    pen.group("feature")
    bushes = ((-32, -20, 27), (34, -18, 26), (0, 8, 30), (-46, 28, 22), (48, 28, 23))
    for x, y, r in bushes:
        pen.oval(x + 5, y + r * 0.55, r * 1.05, r * 0.45, "#4b5a2a", opacity=0.45)
        for far, colour, dx, dy in (
            (1.0, "#4f6330", 0, 0),
            (0.7, "#6c8440", -2, -3),
            (0.4, "#8da258", -5, -6),
        ):
            points = []
            for i in range(22):
                reach = far * r * (rng.uniform(0.95, 1.12) if i % 2 else rng.uniform(0.66, 0.78))
                points.append(
                    around(x + dx, y + dy, reach, reach * 0.78, i * 360 / 22 + rng.uniform(-5, 5))
                )
            pen.path(outline(points), colour, "#36451f" if far == 1 else "", 1.3)
    canes = (
        ((-66, 36), (-54, -34), (-12, -12)),
        ((-44, -4), (-14, -62), (16, -12)),
        ((10, -6), (38, -58), (62, -4)),
        ((-28, 34), (0, -34), (30, 30)),
        ((22, 34), (56, -22), (68, 40)),
        ((-58, 44), (-30, 0), (-10, 40)),
    )
    for a, b, c in canes:
        pen.path(f"M{a[0]} {a[1]}Q{b[0]} {b[1]} {c[0]} {c[1]}", line="#5e3540", width=2.6)
        thorns = ""
        for i in range(1, 8):
            t = i / 8
            x = (1 - t) ** 2 * a[0] + 2 * t * (1 - t) * b[0] + t * t * c[0]
            y = (1 - t) ** 2 * a[1] + 2 * t * (1 - t) * b[1] + t * t * c[1]
            dx = (1 - t) * (b[0] - a[0]) + t * (c[0] - b[0])
            dy = (1 - t) * (b[1] - a[1]) + t * (c[1] - b[1])
            length = math.hypot(dx, dy)
            dx, dy = dx / length, dy / length
            side = 1 if i % 2 else -1
            nx, ny = -dy * side, dx * side
            thorns += outline(
                [
                    (x - dx * 1.6, y - dy * 1.6),
                    (x + nx * 5 + dx * 2.4, y + ny * 5 + dy * 2.4),
                    (x + dx * 1.6, y + dy * 1.6),
                ]
            )
        pen.path(thorns, "#5e3540")
    for x, y in ((-22, -22), (24, -26), (8, 14), (-50, 18), (52, 14), (-6, -6)):
        pen.oval(x, y, 3, 3, "#a8324f", "#6a1c33", 0.8)
    return pen


def drift() -> Pen:
    pen = _start("#eaf1f6", "#d7e4ed")
    pen.path(
        curve([(-80, 0), (-40, -20), (10, -24), (70, -6), (78, 6), (20, 2), (-40, 8)]), "#f4f8fb"
    )
    pen.group("feature")
    # (left, crest x, right, foot y, height): long windward back on the left, steep lee on the right
    for left, top, right, foot, height in (
        (-56, 4, 44, -12, 34),
        (-6, 44, 78, 8, 28),
        (-80, -24, 18, 26, 40),
        (-20, 34, 72, 50, 36),
    ):
        crest = foot - height
        back = f"M{left} {foot}C{left + 22} {foot - 4} {top - 22} {crest} {top} {crest}"
        lee = f"C{top + 12} {crest} {right - 20} {foot - 8} {right} {foot}"
        under = f"C{right - 20} {foot + 6} {left + 30} {foot + 7} {left} {foot}Z"
        pen.path(
            back + lee + under,
            pen.linear(
                (left, crest),
                (left + 10, foot + 4),
                (0, "#ffffff"),
                (0.5, "#fbfdfe"),
                (1, "#dce8f0"),
            ),
        )
        pen.path(
            f"M{top} {crest}{lee}C{right - 16} {foot + 5} {top + 6} {foot + 7} {top - 14} {foot + 5}"
            f"C{top + 8} {foot - 6} {top + 12} {crest + 14} {top} {crest}Z",
            "#a9c3d8",
        )
        pen.path(
            f"M{top} {crest}C{top + 12} {crest + 14} {top + 8} {foot - 6} {top - 14} {foot + 5}"
            f"C{top - 14} {foot - 8} {top - 4} {crest + 12} {top} {crest}Z",
            "#cfdfea",
        )
        pen.path(back + lee, line="#86a6c0", width=1.4)
    return pen


def volcano() -> Pen:
    pen = _start("#a9604c", "#8d4738")
    pen.path(blob(4, 20, 80, 44, random.Random(5), 0.1), "#7f3f33", opacity=0.6)
    pen.group("feature")
    pen.oval(8, 44, 76, 13, "#4b211c", opacity=0.4)
    left = "M-28 -30C-36 -6 -52 22 -78 42"
    foot = "C-60 52 -36 47 -22 50C-4 54 14 48 28 51C46 54 62 50 78 42"
    right = "C54 22 38 -6 28 -30Z"
    pen.path(left + foot + right, "#74382d", "#3d1a16", 1.8)
    pen.path(left + "C-62 50 -48 48 -40 48C-26 20 -18 0 -16 -24Z", "#98503f")
    pen.path("M6 -22C10 4 14 28 22 50C46 54 62 50 78 42C54 22 38 -6 28 -30Z", "#58271f")
    pen.path("M20 -24C26 0 36 24 48 51C62 50 70 46 78 42C54 22 38 -6 28 -30Z", "#472019")
    pen.oval(0, -30, 29, 10.5, "#3a1713", "#3d1a16", 1.8)
    pen.oval(0, -30, 27, 9, "#b05c46")
    lava = pen.linear((0, -36), (0, 50), (0, "#ffe27a"), (0.3, "#ff9d2e"), (1, "#d8341c"))
    pen.oval(1, -28.5, 24, 7.2, lava)
    pen.path(
        "M-18 -26C-18 -8 -26 0 -24 12C-22 22 -32 26 -30 36C-27 41 -21 38 -20 30C-19 20 -12 14 -14 2"
        "C-15 -8 -6 -10 -5 -22C-2 -10 0 -6 1 6C2 16 -3 24 2 34C6 40 11 36 11 28C11 18 6 12 8 0"
        "C10 -8 13 -12 13 -23C19 -18 22 -12 25 -2C28 8 26 14 32 22C37 26 41 22 38 14C34 4 30 -8 23 -26Z",
        lava,
        "#8e1d12",
        1.1,
    )
    pen.path(
        "M-13 -20C-14 -6 -20 2 -19 10M4 -18C5 -6 5 0 5 8M20 -18C24 -10 26 -2 29 6",
        line="#ffe27a",
        width=2,
        opacity=0.8,
    )
    pen.oval(0, -30, 28.5, 10, line="#5d2a20", width=2.2)
    return pen


def bog() -> Pen:
    rng = random.Random(4)
    pen = _start("#77865a", "#636f47")
    pen.path(blob(-20, -14, 56, 32, rng, 0.15), "#6a774b", opacity=0.8)
    pen.path(blob(30, 30, 46, 26, rng, 0.15), "#58633f", opacity=0.8)
    pen.group("feature")
    for x, y, rx, ry in ((-26, -22, 38, 15), (38, 8, 34, 14), (-34, 32, 32, 13)):
        shape = random.Random(x)
        pen.path(blob(x, y + 1.5, rx * 1.08, ry * 1.2, shape, 0.08), "#4a5437")
        shape = random.Random(x)
        pen.path(
            blob(x, y, rx, ry, shape, 0.08),
            pen.linear(
                (x - rx, y - ry), (x + rx, y + ry), (0, "#6f8f92"), (0.5, "#43605f"), (1, "#2f4644")
            ),
            "#2c3a2c",
            1.2,
        )
        pen.path(
            f"M{x - rx * 0.6} {y - 2}h{rx * 0.5}M{x - rx * 0.3} {y + 4}h{rx * 0.75}",
            line="#a9c0bb",
            width=1.5,
            opacity=0.7,
        )
    for x, y, size in (
        (6, -10, 1.0),
        (-64, 0, 0.95),
        (58, -8, 0.85),
        (-4, 42, 0.9),
        (46, 40, 1.0),
        (14, 18, 0.7),
    ):
        pen.oval(x + 3, y, 13 * size, 3.5 * size, "#3d4730", opacity=0.6)
        pen.path(_blades(x, y, 36 * size, 15 * size, 5), "#3f5a2c")
        pen.path(_blades(x - 2, y, 26 * size, 9 * size, 4), "#93a85c")
        for dx, dy in ((-5, -34), (5, -29)):
            hx, hy = x + dx * size, y + dy * size
            pen.path(f"M{x + dx * 0.2} {y}L{hx} {hy + 8}", line="#3f5a2c", width=1.2)
            pen.path(f"M{hx} {hy}v{8 * size}", line="#5b3a22", width=4 * size)
    return pen


def sand() -> Pen:
    pen = _start("#ecdca3", "#dec88a")
    pen.path(
        curve([(-80, -6), (-30, -30), (30, -34), (72, -16), (40, -12), (-20, -6), (-50, 8)]),
        "#f2e5b4",
        opacity=0.8,
    )
    pen.group("feature")
    ripples = ""
    for x, y, w in (
        (-58, -36, 34),
        (22, -42, 34),
        (-66, -26, 26),
        (34, -32, 30),
        (-78, 14, 20),
        (-76, 23, 24),
        (-30, 44, 34),
        (-42, 53, 30),
        (44, 46, 24),
        (34, 55, 22),
    ):
        ripples += f"M{x} {y}q{w / 4} -5 {w / 2} 0t{w / 2} 0"
    pen.path(ripples, line="#c9af6b", width=1.8)
    for x, y, s in ((-14, -12, 1.0), (30, 26, 0.9), (-50, 22, 0.5)):
        # a barchan: the back to the wind (top left), the slip face between the horns
        back = f"M{x - 42 * s} {y + 6 * s}C{x - 34 * s} {y - 16 * s} {x - 10 * s} {y - 26 * s} {x + 8 * s} {y - 20 * s}C{x + 30 * s} {y - 14 * s} {x + 44 * s} {y + 2 * s} {x + 50 * s} {y + 20 * s}"
        crest = f"C{x + 36 * s} {y + 8 * s} {x + 26 * s} {y - 2 * s} {x + 10 * s} {y - 2 * s}C{x - 6 * s} {y - 3 * s} {x - 26 * s} {y + 4 * s} {x - 42 * s} {y + 6 * s}Z"
        pen.path(
            f"M{x - 42 * s} {y + 6 * s}C{x - 26 * s} {y + 4 * s} {x - 6 * s} {y - 3 * s} {x + 10 * s} {y - 2 * s}C{x + 26 * s} {y - 2 * s} {x + 36 * s} {y + 8 * s} {x + 50 * s} {y + 20 * s}C{x + 32 * s} {y + 18 * s} {x + 8 * s} {y + 20 * s} {x - 6 * s} {y + 16 * s}C{x - 18 * s} {y + 14 * s} {x - 30 * s} {y + 10 * s} {x - 42 * s} {y + 6 * s}Z",
            "#c19b52",
        )
        pen.path(
            back + crest,
            pen.linear(
                (x - 20 * s, y - 24 * s), (x + 20 * s, y + 12 * s), (0, "#faf0c8"), (1, "#e6d193")
            ),
            "#a98545",
            1.4,
        )
    return pen


def lake() -> Pen:
    pen = _start("#5f9ed0", "#4484ba")
    pen.path(
        curve([(-80, -4), (-40, -34), (20, -50), (50, -40), (10, -24), (-30, -4), (-60, 16)]),
        "#74aeda",
        opacity=0.55,
    )
    pen.path(
        curve([(-30, 54), (10, 40), (50, 10), (80, 0), (62, 34), (20, 62)]), "#3a78ae", opacity=0.6
    )
    pen.group("feature")
    for x, y, s in (
        (-54, -26, 1.0),
        (8, -36, 0.9),
        (28, -10, 1.1),
        (-40, 4, 1.1),
        (-66, 26, 0.7),
        (14, 18, 1.0),
        (50, 32, 0.9),
        (-36, 40, 1.0),
    ):
        for dy, line, width in ((2.6, "#2f6ba1", 2.2), (0, "#d3e9f7", 2.4)):
            pen.path(
                f"M{x - 4 * s} {y + dy}q{5 * s} {5 * s} {10 * s} 0q{5 * s} {5 * s} {10 * s} 0q{5 * s} {5 * s} {10 * s} 0q{5 * s} {5 * s} {10 * s} 0",
                line=line,
                width=width,
            )
    return pen


_LIGHT = (-0.55, -0.83)


def _mix(dark: tuple[int, int, int], light: tuple[int, int, int], share: float) -> str:
    return "#" + "".join(
        f"{round(a + (b - a) * share):02x}" for a, b in zip(dark, light, strict=True)
    )


def _boulder(pen: Pen, x: float, y: float, size: float, rng: random.Random) -> None:
    count = 7
    dark, light = (92, 90, 90), (196, 194, 190)
    pen.oval(x + size * 0.22, y + size * 0.55, size * 1.08, size * 0.5, "#4e4d4d", opacity=0.4)
    turn = rng.uniform(0, 50)
    rim = [
        around(
            x,
            y,
            size * rng.uniform(0.9, 1.08),
            size * rng.uniform(0.72, 0.88),
            turn + i * 360 / count + rng.uniform(-12, 12),
        )
        for i in range(count)
    ]
    top = [(x - size * 0.12 + (px - x) * 0.5, y - size * 0.24 + (py - y) * 0.46) for px, py in rim]
    pen.path(outline(rim), "#8b8a88", "#474646", 2)
    for i in range(count):
        j = (i + 1) % count
        mx, my = (rim[i][0] + rim[j][0]) / 2 - x, (rim[i][1] + rim[j][1]) / 2 - y
        far = math.hypot(mx, my)
        share = 0.42 + 0.42 * (mx * _LIGHT[0] + my * _LIGHT[1]) / far
        pen.path(outline([rim[i], rim[j], top[j], top[i]]), _mix(dark, light, share))
    pen.path(outline(top), "#c9c7c2")


def stone() -> Pen:
    rng = random.Random(21)
    pen = _start("#a8a59a", "#949186")
    pen.path(blob(0, 8, 74, 46, rng, 0.12), "#8a877d", opacity=0.6)
    pen.group("feature")
    for x, y, r in (
        (-60, -12, 4),
        (64, -6, 4),
        (8, 44, 5),
        (-10, -40, 4),
        (70, 8, 3),
        (-22, 48, 3.5),
        (-70, 12, 3),
    ):
        pen.oval(x + 1, y + 1.4, r * 1.15, r * 0.9, "#55534f")
        pen.oval(x, y, r, r * 0.75, "#bab7b0")
    for x, y, size in ((-34, -22, 21), (36, -22, 23), (2, 4, 26), (-48, 28, 18), (46, 28, 20)):
        _boulder(pen, x, y, size, rng)
    return pen


def spring() -> Pen:
    rng = random.Random(8)
    pen = _start("#9fcf9f", "#86bb8b")
    pen.path(blob(0, 4, 76, 50, rng, 0.08), "#7aae7f", opacity=0.7)
    pen.group("feature")
    bank = random.Random(2)
    pen.path(blob(0, 4, 66, 44, bank, 0.05, 12), "#d9cfa0", "#7d8b5c", 1.4)
    bank = random.Random(2)
    pen.path(
        blob(0, 4, 58, 37, bank, 0.05, 12),
        pen.radial((0, 2), 58, (0, "#e6fbf6"), (0.35, "#a5e2dc"), (1, "#3f9fa6")),
        "#2f7f88",
        1.4,
    )
    for rx, ry, opacity, width in ((46, 28, 0.55, 1.8), (32, 19, 0.75, 2.2), (18, 10.5, 0.95, 2.4)):
        pen.oval(0, 3, rx, ry, line="#ffffff", width=width, opacity=opacity)
    pen.oval(0, 1, 8, 5, "#ffffff")
    for x, y, r in ((-4, -6, 3), (6, -9, 2.3), (1, -15, 1.8)):
        pen.oval(x, y, r, r, "#ffffff", "#5fb9bb", 0.8)
    for angle, r in ((150, 6), (168, 7.5), (184, 5), (20, 7), (36, 5.5), (128, 4.5), (340, 4.5)):
        x, y = around(0, 5, 63, 42, angle)
        pen.oval(x + 1, y + 1.5, r * 1.1, r * 0.85, "#56695a", opacity=0.7)
        pen.oval(x, y, r, r * 0.75, "#a9a99f", "#66675f", 1)
        pen.oval(x - r * 0.25, y - r * 0.22, r * 0.5, r * 0.3, "#d2d2c8")
    for x, y in ((-52, -24), (52, -26), (58, 42), (-50, 44)):
        pen.path(_blades(x, y, 17, 10, 5), "#4e8a52")
    return pen


def tar_pit() -> Pen:
    pen = _start("#6b5d50", "#574a40")
    pen.path(blob(2, 6, 78, 50, random.Random(7), 0.08), "#4b4038", opacity=0.8)
    pen.group("feature")
    shape = random.Random(14)
    pen.path(blob(0, 4, 68, 43, shape, 0.16, 11), "#171413", "#8a7a69", 2)
    shape = random.Random(14)
    pen.path(
        blob(-1, 2, 60, 36, shape, 0.16, 11),
        pen.linear((-50, -30), (40, 40), (0, "#4a4341"), (0.5, "#252120"), (1, "#171413")),
    )
    pen.path(
        "M-48 -2C-44 -18 -28 -25 -14 -27M-34 4C-30 -6 -22 -11 -14 -13",
        line="#9a928e",
        width=2.4,
        opacity=0.75,
    )
    for x, y, r in (
        (-16, 8, 11),
        (22, -12, 13),
        (28, 20, 9),
        (4, 26, 6),
        (-38, 14, 6),
        (46, 2, 6),
        (0, -16, 5),
    ):
        pen.oval(x, y + 1, r * 1.15, r * 1.02, "#0c0a0a")
        pen.oval(
            x,
            y,
            r,
            r * 0.95,
            pen.radial(
                (x - r * 0.3, y - r * 0.35),
                r * 1.3,
                (0, "#7c7370"),
                (0.5, "#3d3735"),
                (1, "#221e1d"),
            ),
            "#0c0a0a",
            1,
        )
        pen.path(
            f"M{x - r * 0.62:.1f} {y - r * 0.1:.1f}C{x - r * 0.6:.1f} {y - r * 0.5:.1f} {x - r * 0.3:.1f} {y - r * 0.66:.1f} {x:.1f} {y - r * 0.66:.1f}",
            line="#efe9e4",
            width=1.8,
        )
    return pen


def tower() -> Pen:
    rng = random.Random(6)
    pen = _start("#c2bcb1", "#aca598")
    pen.group("feature")
    rows = ((-50, -31), (-31, -11), (-11, 10), (10, 30), (30, 50))
    for row, (top, bottom) in enumerate(rows):
        far = min(84 - max(abs(top), abs(bottom)) * 0.55, 80)
        x = -far
        while x < far - 1:
            width = rng.uniform(20, 34)
            if x + width > far - 14:
                width = far - x
            shade = rng.choice(("#c9c3b7", "#bdb6aa", "#d2cdc2", "#b1aa9e"))
            a, b, c, d = x + 1, x + width - 1, top + 1, bottom - 1
            pen.path(
                outline(
                    [
                        (a + 1, c),
                        (b - 1, c),
                        (b, c + 1),
                        (b, d - 1),
                        (b - 1, d),
                        (a + 1, d),
                        (a, d - 1),
                        (a, c + 1),
                    ]
                ),
                shade,
                "#857e72",
                1.4,
            )
            pen.path(f"M{a + 1.6} {d - 2}V{c + 1.6}H{b - 2}", line="#e9e5dc", width=1.3)
            x += width
    return pen


TERRAINS = {
    "Plains": plains,
    "Tree": tree,
    "Brambles": brambles,
    "Drift": drift,
    "Volcano": volcano,
    "Bog": bog,
    "Sand": sand,
    "Tower": tower,
    "Lake": lake,
    "Stone": stone,
    "Spring": spring,
    "TarPit": tar_pit,
}
