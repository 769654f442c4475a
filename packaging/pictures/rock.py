"""Rocks and heights: Stone, Cliff, Volcano, and hills and mountains of worlds."""

from __future__ import annotations

import math
import random

from pictures.compose import grove, one_of, points_on_board, sides, single, spans
from pictures.ground import begin_ground, grass, marks, mottle, torus_points
from pictures.pen import Pen, Point, around, blob, commands, curve, outline
from pictures.vegetation import FIRS, conifer, shadow

_TO_LIGHT: Point = (-0.55, -0.83)


def mix(dark: str, light: str, share: float) -> str:
    """A colour between two."""
    pairs = zip(bytes.fromhex(dark[1:]), bytes.fromhex(light[1:]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def boulder(pen: Pen, name: str, rng: random.Random, r: float, dark: str, light: str) -> None:
    """A boulder with flat faces; its foot is at (0, 0)."""
    pen.element(name)
    shadow(pen, r * 0.2, 0, r * 1.45, r * 0.72, 0.8)
    count = 7
    x = 0.0
    y = -r * 0.5
    turn = rng.uniform(0, 50)
    rim = []
    for i in range(count):
        rx = r * rng.uniform(0.88, 1.1)
        ry = r * rng.uniform(0.66, 0.86)
        rim.append(around(x, y, rx, ry, turn + i * 360 / count + rng.uniform(-12, 12)))
    top = [(x - r * 0.14 + (a - x) * 0.5, y - r * 0.24 + (b - y) * 0.46) for a, b in rim]
    pen.path(outline(rim), mix(dark, light, 0.3))
    for i in range(count):
        j = (i + 1) % count
        out_x = (rim[i][0] + rim[j][0]) / 2 - x
        out_y = (rim[i][1] + rim[j][1]) / 2 - y
        facing = (out_x * _TO_LIGHT[0] + out_y * _TO_LIGHT[1]) / math.hypot(out_x, out_y)
        pen.path(outline([rim[i], rim[j], top[j], top[i]]), mix(dark, light, 0.42 + 0.42 * facing))
    pen.path(outline(top), mix(dark, light, 0.95))


def stone() -> Pen:
    """Boulders and pebbles on gravel."""
    rng = random.Random(21)
    pen = Pen("#8b8a88")
    begin_ground(pen, "#a9a493")
    mottle(pen, rng, 70, (50, 95), (("#7c7869", 0.34), ("#c4bfae", 0.3)))
    mottle(pen, rng, 36, (12, 28), (("#78756a", 0.28), ("#8d9168", 0.3), ("#c9c5b6", 0.26)))

    def pebble(x: float, y: float) -> str:
        r = rng.uniform(1.6, 3.6)
        return outline([around(x, y, r, r * 0.72, 60 * i + rng.uniform(-14, 14)) for i in range(6)])

    marks(pen, rng, 25, pebble, ({"fill": "#7f7b70"}, {"fill": "#c3bfb3"}, {"fill": "#959184"}))
    tones = (("#54514c", "#d6d2c7"), ("#5a5650", "#cbc5b7"))
    names = []
    for i in range(7):
        names.append(f"rock{i}")
        boulder(pen, names[-1], rng, (8, 11, 13, 16, 19, 22, 10)[i], *tones[i % 2])
    for i in range(4):
        boulder(pen, f"crag{i}", rng, rng.uniform(34, 42), *tones[i % 2])

    def crags(pen: Pen, rng: random.Random, size: float, centres: list[Point]) -> None:
        x, y = (sum(each) / len(centres) for each in zip(*centres, strict=True))
        things = []
        for _ in range(3 if len(centres) > 2 else 2):
            px = x + rng.uniform(-44, 44) * size
            py = y + rng.uniform(-14, 40) * size
            things.append((px, py, f"crag{rng.randrange(4)}", rng.uniform(0.7, 1.15)))
        for cx, cy in centres:
            for px, py in points_on_board(rng, 30, 66, -40, 60, rng.choice((2, 4, 6))):
                place = cx + px * size, cy + py * size
                if abs(place[0] - x) > 40 * size or not 0 < place[1] - y < 60 * size:
                    things.append((*place, rng.choice(names), 1.0))
        for px, py, name, scale in sorted(things, key=lambda each: each[1]):
            pen.use(name, px, py, size * scale)

    grove(pen, 22, one_of(names, 0.8, 1.2), 44, foot=7, board=(62, -16, 56, 8))
    spans(pen, 34, crags)
    return pen


def cliff() -> Pen:
    """Bare rock in flat slabs with clefts between them, seen from above."""
    rng = random.Random(64)
    pen = Pen("#8a8480")
    begin_ground(pen, "#8d8780")
    mottle(pen, rng, 80, (60, 105), (("#6b655f", 0.3), ("#aaa49b", 0.3)))
    for x, y in sorted(torus_points(rng, 44), key=lambda point: point[1]):
        count = rng.choice((5, 6, 6, 7))
        wide = rng.uniform(20, 33)
        high = wide * rng.uniform(0.5, 0.7)
        turn = rng.uniform(0, 60)
        rim = [
            around(x, y, wide, high * rng.uniform(0.8, 1.15), turn + i * 360 / count)
            for i in range(count)
        ]
        foot = [(a + wide * 0.16, b + high * 0.34) for a, b in rim]
        top = [(x + (a - x) * 0.74 - wide * 0.06, y + (b - y) * 0.7 - high * 0.12) for a, b in rim]
        tone = rng.uniform(-0.12, 0.12)
        pen.path(outline(foot), "#4f4a45", opacity=0.55)
        pen.path(outline(rim), mix("#6f6963", "#c9c2b8", 0.28 + tone))
        pen.path(outline(top), mix("#6f6963", "#c9c2b8", 0.62 + tone))

    def cleft(x: float, y: float) -> str:
        dx = rng.uniform(8, 15)
        dy = rng.uniform(-5, 6)
        return f"M{x:.1f} {y:.1f}l{dx:.1f} {dy:.1f}l{dx * 0.7:.1f} {-dy:.1f}"

    marks(pen, rng, 52, cleft, ({"line": "#4a4540", "width": 1.6, "opacity": 0.6},))
    return pen


ROCKS = {"lit": "#d8cab2", "middle": "#b29f86", "shade": "#75695f", "deep": "#574d47"}


def peak(
    pen: Pen,
    name: str,
    rng: random.Random,
    wide: float,
    high: float,
    snow: float,
    foot: str,
    rocks: dict[str, str] = ROCKS,
) -> None:
    """A mountain whose middle foot is at (0, 0); ``snow`` is the share of it that is white."""
    pen.element(name)
    pen.oval(wide * 0.34, wide * 0.04, wide * 1.15, wide * 0.36, pen.soft("#1a1712", 0.75))
    summit = (rng.uniform(-0.12, 0.08) * wide, -high)
    steps = 6

    def edge(side: float) -> list[Point]:
        found = []
        for i in range(1, steps):
            t = i / steps
            x = summit[0] + (side * wide - summit[0]) * t ** rng.uniform(1.0, 1.16)
            found.append(
                (
                    x + rng.uniform(-0.05, 0.05) * wide,
                    -high * (1 - t) ** 1.12 + rng.uniform(-0.035, 0.035) * high,
                )
            )
        return [*found, (side * wide, rng.uniform(-2, 2))]

    left = edge(-1)
    right = edge(1)
    ridge: list[Point] = []
    for i in range(1, steps + 1):
        t = i / steps
        sway = (0.1 if i % 2 else -0.08) * wide * (0.5 + t)
        ridge.append((summit[0] + 0.16 * wide * t + sway, -high * (1 - t) + wide * 0.16 * t))
    base_left = [(-wide * 0.62, wide * 0.12), (-wide * 0.24, wide * 0.14)]
    base_right = [(wide * 0.66, wide * 0.13), (wide * 0.32, wide * 0.17)]
    lit = [summit, *left, *base_left, *ridge[::-1]]
    dark = [summit, *right, *base_right, *ridge[::-1]]
    pen.path(
        outline(lit),
        pen.linear(
            (0, -high),
            (-wide * 0.2, wide * 0.15),
            (0, rocks["lit"]),
            (0.72, rocks["middle"]),
            (1, foot),
        ),
    )
    pen.path(
        outline(dark),
        pen.linear(
            (0, -high),
            (wide * 0.2, wide * 0.18),
            (0, rocks["shade"]),
            (0.7, rocks["deep"]),
            (1, mix(rocks["deep"], foot, 0.45)),
        ),
    )
    ribs_dark = ""
    ribs_light = ""
    for i in range(1, steps):
        (lx, ly) = left[i - 1]
        (mx, my) = ridge[i - 1]
        (rx, ry) = right[i - 1]
        t = rng.uniform(0.3, 0.7)
        x = lx + (mx - lx) * t
        y = ly + (my - ly) * t
        drop = high * rng.uniform(0.16, 0.26)
        ribs_dark += outline(
            [
                (x, y),
                (x + wide * 0.09, y + drop * 0.5),
                (x + wide * 0.05, y + drop),
                (x - wide * 0.02, y + drop * 0.55),
            ]
        )
        t = rng.uniform(0.3, 0.75)
        x = mx + (rx - mx) * t
        y = my + (ry - my) * t
        ribs_light += outline(
            [
                (x, y),
                (x + wide * 0.02, y + drop * 0.6),
                (x - wide * 0.04, y + drop * 0.9),
                (x - wide * 0.08, y + drop * 0.45),
            ]
        )
    pen.path(ribs_dark, rocks["shade"], opacity=0.55)
    pen.path(ribs_light, rocks["middle"], opacity=0.6)
    if snow:
        cut = max(1, round(snow * steps))
        low_left = left[:cut]
        low_right = right[:cut]
        low_ridge = ridge[:cut]

        def hem(a: Point, b: Point) -> list[Point]:
            found = []
            for i in range(1, 6):
                t = i / 6
                x = a[0] + (b[0] - a[0]) * t
                y = a[1] + (b[1] - a[1]) * t
                found.append((x, y + (0.1 if i % 2 else -0.07) * high * rng.uniform(0.6, 1.1)))
            return found

        pen.path(
            outline([summit, *low_left, *hem(low_left[-1], low_ridge[-1]), *low_ridge[::-1]]),
            "#f6f5f0",
        )
        pen.path(
            outline([summit, *low_right, *hem(low_right[-1], low_ridge[-1]), *low_ridge[::-1]]),
            "#a9b6c6",
        )
    pen.path(
        "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in [summit, *ridge[:4]]),
        line="#efe6d6",
        width=1.1,
        opacity=0.45,
    )


def _heights(rng: random.Random, size: float, centres: list[Point], clear: float) -> list[Point]:
    """Places for lesser heights all over cells, but not before one in their middle."""
    x, y = (sum(each) / len(centres) for each in zip(*centres, strict=True))
    found: list[Point] = []
    for cx, cy in centres:
        for dx, dy in ((-48, -34), (0, -46), (48, -34), (-64, 14), (64, 14), (-36, 56), (36, 56)):
            px = cx + (dx + rng.uniform(-12, 12)) * size
            py = cy + (dy + rng.uniform(-10, 10)) * size
            near = any((px - fx) ** 2 + (py - fy) ** 2 < (56 * size) ** 2 for fx, fy in found)
            before = abs(px - x) < clear * size and 0 < py - y < 0.62 * clear * size
            if not near and not before:
                found.append((px, py))
    return found


def _range(pen: Pen, rng: random.Random, size: float, centres: list[Point]) -> None:
    """One large mountain over several cells, with lesser ones around it."""
    x, y = (sum(each) / len(centres) for each in zip(*centres, strict=True))
    great = len(centres) > 2
    things = [(x + rng.uniform(-12, 12) * size, y + (58 if great else 46) * size, "great", 3)]
    for px, py in _heights(rng, size, centres, 84 if great else 66):
        things.append((px, py, *(("peak", 5) if rng.random() < 0.25 else ("small", 5))))
    for px, py, name, count in sorted(things, key=lambda each: each[1]):
        scale = rng.uniform(0.85, 1.12) * size
        if name == "great":
            scale = (1.16 if great else 0.9) * size
        elif name == "peak":
            scale *= 0.8
        pen.use(f"{name}{rng.randrange(count)}", px, py, scale)


def mountains() -> Pen:
    """Snowy ranges: peaks of several sizes, some over three cells."""
    rng = random.Random(23)
    pen = Pen("#98785a")
    begin_ground(pen, "#a09370")
    mottle(pen, rng, 66, (50, 95), (("#7f7058", 0.3), ("#b7a88c", 0.3), ("#83875c", 0.34)))
    mottle(pen, rng, 34, (12, 28), (("#6c5f4d", 0.3), ("#bfb298", 0.26)))
    marks(
        pen,
        rng,
        28,
        lambda x, y: f"M{x} {y}l{rng.uniform(3, 6)} {rng.uniform(1, 4)}",
        (
            {"line": "#6b5d4b", "width": 1.6, "opacity": 0.6},
            {"line": "#c3b69d", "width": 1.6, "opacity": 0.6},
        ),
    )
    foot = "#8d7d66"
    for i in range(5):
        snow = rng.choice((0.34, 0.34, 0.5))
        peak(pen, f"peak{i}", rng, rng.uniform(60, 70), rng.uniform(72, 86), snow, foot)
        peak(pen, f"small{i}", rng, rng.uniform(50, 62), rng.uniform(44, 58), 0, foot)
    for i in range(3):
        peak(pen, f"great{i}", rng, rng.uniform(112, 126), rng.uniform(132, 150), 0.5, foot)

    ranges(pen, 24, 32, 25)
    return pen


def ranges(pen: Pen, seed: int, seed_of_sides: int, seed_of_spans: int) -> None:
    """Compose ranges of the elements ``peak0-4``, ``small0-4`` and ``great0-2``."""

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        lean = rng.choice((-1, 1))
        things = [
            (-lean * rng.uniform(38, 52), rng.uniform(-22, -6), "small"),
            (lean * rng.uniform(22, 44), rng.uniform(-30, -14), "small"),
            (lean * rng.uniform(42, 56), rng.uniform(12, 30), "small"),
            (-lean * rng.uniform(4, 16), rng.uniform(30, 40), "peak"),
            (-lean * rng.uniform(30, 44), rng.uniform(48, 62), "small"),
        ]
        for x, y, name in sorted(things, key=lambda each: each[1]):
            scale = size * rng.uniform(0.85, 1.08)
            pen.use(f"{name}{rng.randrange(5)}", x * size, y * size, scale)

    single(pen, seed, draw)
    small = one_of([f"small{i}" for i in range(5)])
    sides(pen, random.Random(seed_of_sides), small, 80, 16)
    spans(pen, seed_of_spans, _range)


def hill(
    pen: Pen, name: str, rng: random.Random, wide: float, high: float, tones: tuple[str, str, str]
) -> None:
    """A rounded hill whose middle foot is at (0, 0); it fades into the ground."""
    light, middle, dark = tones
    pen.element(name)
    pen.oval(wide * 0.36, wide * 0.02, wide * 1.06, wide * 0.34, pen.soft("#20200f", 0.6))
    lean = rng.uniform(-0.16, 0.1) * wide
    left = [(-wide, 3.0), (-wide * 0.66, -high * 0.5), (-wide * 0.3 + lean * 0.5, -high * 0.88)]
    right = [(wide * 0.36 + lean, -high * 0.8), (wide * 0.72, -high * 0.36), (wide, 4.0)]
    top = (lean, -high)
    low = [(wide * 0.5, wide * 0.13), (0.0, wide * 0.17), (-wide * 0.5, wide * 0.12)]
    pen.path(
        curve([*left, top, *right, *low], tension=0.8),
        pen.linear(
            (-wide * 0.5, -high),
            (wide * 0.62, wide * 0.14),
            (0, light),
            (0.46, middle),
            (0.85, dark),
            (1, middle),
        ),
    )
    crease = [
        top,
        (lean + wide * 0.2, -high * 0.55),
        (lean + wide * 0.12, -high * 0.1),
        (wide * 0.3, wide * 0.12),
    ]
    shade = [*crease, *low[:1], *right[::-1]]
    pen.path(curve(shade, tension=0.7), dark, opacity=0.42)
    pen.oval(-wide * 0.36, -high * 0.5, wide * 0.36, high * 0.3, pen.soft("#f6f0cf", 0.5))
    strokes = ""
    for _ in range(7):
        x = rng.uniform(-0.7, 0.6) * wide
        y = -high * rng.uniform(0.05, 0.6)
        strokes += commands("M", x, y, "q", wide * 0.03, high * 0.1, wide * 0.02, high * 0.2)
    pen.path(strokes, line=dark, width=1.5, opacity=0.55)


def hills() -> Pen:
    """Rolling heights of grass, some over two and three cells."""
    rng = random.Random(26)
    pen = Pen("#b5a768")
    grass(pen, rng, "#abb768", "#8b9550", "#c6ce88")
    tones = (("#d4ca90", "#aea465", "#77713f"), ("#cbc587", "#a49f60", "#6d6b3d"))
    for i in range(5):
        hill(pen, f"hill{i}", rng, rng.uniform(66, 78), rng.uniform(38, 48), tones[i % 2])
        hill(pen, f"knoll{i}", rng, rng.uniform(50, 62), rng.uniform(27, 35), tones[(i + 1) % 2])
    for i in range(3):
        hill(pen, f"down{i}", rng, rng.uniform(98, 116), rng.uniform(58, 70), tones[i % 2])
    conifer(pen, "fir0", rng, 26, FIRS[1])

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        places = [
            (rng.uniform(-46, -26), rng.uniform(-26, -8), f"knoll{rng.randrange(5)}"),
            (rng.uniform(20, 42), rng.uniform(-24, 2), f"hill{rng.randrange(5)}"),
            (rng.uniform(-36, -10), rng.uniform(24, 42), f"hill{rng.randrange(5)}"),
            (rng.uniform(28, 48), rng.uniform(34, 56), f"knoll{rng.randrange(5)}"),
        ]
        for x, y, name in sorted(places, key=lambda each: each[1]):
            pen.use(name, x * size, y * size, size)

    def span(pen: Pen, rng: random.Random, size: float, centres: list[Point]) -> None:
        x, y = (sum(each) / len(centres) for each in zip(*centres, strict=True))
        places = [
            (
                x + rng.uniform(-8, 8) * size,
                y + 34 * size,
                f"down{rng.randrange(3)}",
                1.15 if len(centres) > 2 else 0.95,
            )
        ]
        for px, py in _heights(rng, size, centres, 80):
            kind = rng.choice(("knoll", "knoll", "hill"))
            places.append((px, py, f"{kind}{rng.randrange(5)}", rng.uniform(0.85, 1.1)))
        for px, py, name, scale in sorted(places, key=lambda each: each[1]):
            pen.use(name, px, py, scale * size)

    single(pen, 27, draw)
    knoll = one_of([f"knoll{i}" for i in range(5)])
    sides(pen, random.Random(33), knoll, 80, 12)
    spans(pen, 28, span)
    return pen


def cone(
    pen: Pen, name: str, rng: random.Random, wide: float, high: float, *, burns: bool = True
) -> None:
    """A volcano whose middle foot is at (0, 0), with a crater; it runs over if it ``burns``."""
    pen.element(name)
    pen.oval(wide * 0.34, wide * 0.04, wide * 1.15, wide * 0.34, pen.soft("#120807", 0.8))
    rim = wide * 0.3
    left = [(-rim, -high), (-rim * 1.25, -high * 0.66), (-wide * 0.62, -high * 0.24), (-wide, 0.0)]
    right = [(wide, 1.0), (wide * 0.64, -high * 0.26), (rim * 1.3, -high * 0.68), (rim, -high)]
    foot = [(-wide * 0.5, wide * 0.13), (0.0, wide * 0.16), (wide * 0.5, wide * 0.14)]
    pen.path(
        curve([*left, *foot, *right], tension=0.55),
        pen.linear(
            (-wide * 0.6, -high * 0.6),
            (wide * 0.6, 0),
            (0, "#9a6b57"),
            (0.45, "#71483b"),
            (1, "#3a2421"),
        ),
    )
    shade = [
        (rim * 0.2, -high),
        (rim * 0.5, -high * 0.5),
        (wide * 0.3, wide * 0.15),
        *foot[2:],
        *right,
    ]
    pen.path(curve(shade, tension=0.4), "#2c1a19", opacity=0.5)
    gullies = ""
    for i in range(7):
        x = -rim + 2 * rim * i / 6
        end = x * rng.uniform(2.1, 2.9)
        low = -high * rng.uniform(0.02, 0.2)
        gullies += commands("M", x, -high * 0.86, "Q", x * 1.15, -high * 0.45, end, low)
    pen.path(gullies, line="#3d2522", width=1.6, opacity=0.55)
    pen.oval(0, -high, rim, rim * 0.36, "#4a2a24")
    if not burns:
        pen.oval(0, -high + rim * 0.03, rim * 0.84, rim * 0.26, pen.slant("#2a1917", "#5e3b34"))
        return
    pen.oval(
        0,
        -high + rim * 0.03,
        rim * 0.84,
        rim * 0.26,
        pen.linear(
            (0, -high - rim * 0.2),
            (0, -high + rim * 0.3),
            (0, "#fff0a0"),
            (0.5, "#ffab3a"),
            (1, "#d9431f"),
        ),
    )
    lava = ""
    for x, end, width in (
        (-rim * 0.5, rng.uniform(0.2, 0.5), 0.1),
        (rim * 0.1, rng.uniform(0.5, 0.95), 0.13),
        (rim * 0.55, rng.uniform(0.3, 0.6), 0.08),
    ):
        half = wide * width * 0.5
        y = -high + rim * 0.16
        low = -high * (1 - end)
        bend = rng.uniform(-0.1, 0.1) * wide
        middle = (y + low) / 2
        lava += commands("M", x - half, y)
        lava += commands("C", x - half + bend, middle, x * 1.6 - half * 1.4, middle)
        lava += commands("", x * 1.9 - half, low, "Q", x * 1.9, low + half * 2)
        lava += commands("", x * 1.9 + half, low, "C", x * 1.6 + half, middle)
        lava += commands("", x + half + bend, middle, x + half, y, "Z")
    pen.path(
        lava,
        pen.linear((0, -high), (0, 0), (0, "#ffc247"), (0.45, "#f0712a"), (1, "#a82b1b")),
        "#5c1912",
        1,
    )
    for x, y, r in (
        (-rim * 0.2, -high - rim * 0.55, rim * 0.55),
        (rim * 0.25, -high - rim * 1.1, rim * 0.75),
        (rim * 0.9, -high - rim * 1.7, rim * 0.95),
    ):
        pen.oval(x, y, r * 1.3, r, pen.soft("#d8cfc8", 0.6))


def volcano() -> Pen:
    """Cones that run over, on dark ash."""
    rng = random.Random(29)
    pen = Pen("#a4432f")
    begin_ground(pen, "#6b4a43")
    mottle(pen, rng, 66, (50, 95), (("#4a302d", 0.42), ("#86594c", 0.36), ("#5a3a36", 0.3)))
    mottle(pen, rng, 36, (12, 26), (("#3c2626", 0.34), ("#92665a", 0.3), ("#b2543a", 0.22)))

    def crack(x: float, y: float) -> str:
        d = f"M{x} {y}"
        turn = rng.uniform(0, 360)
        for _ in range(3):
            x, y = around(x, y, rng.uniform(7, 13), rng.uniform(5, 9), turn + rng.uniform(-50, 50))
            d += f"L{x} {y}"
        return d

    marks(
        pen,
        rng,
        56,
        crack,
        (
            {"line": "#33201f", "width": 2, "opacity": 0.8},
            {"line": "#33201f", "width": 2, "opacity": 0.8},
            {"line": "#e2713a", "width": 1.8, "opacity": 0.85},
        ),
    )
    for i in range(4):
        cone(pen, f"cone{i}", rng, rng.uniform(54, 62), rng.uniform(62, 72))
        cone(pen, f"vent{i}", rng, rng.uniform(24, 30), rng.uniform(22, 28))
        cone(pen, f"ash{i}", rng, rng.uniform(36, 50), rng.uniform(28, 38), burns=False)
        cone(pen, f"cinder{i}", rng, rng.uniform(20, 28), rng.uniform(14, 20), burns=False)
        boulder(pen, f"rock{i}", rng, rng.uniform(6, 10), "#2b1b1b", "#8d6a60")
    for i in range(2):
        cone(pen, f"great{i}", rng, rng.uniform(108, 116), rng.uniform(104, 118))
        cone(pen, f"dead{i}", rng, rng.uniform(84, 98), rng.uniform(58, 70), burns=False)

    def burning(pen: Pen, rng: random.Random, size: float) -> None:
        places = [(rng.uniform(-8, 8), 42.0, f"cone{rng.randrange(4)}")]
        for _ in range(3):
            x = rng.choice((-1, 1)) * rng.uniform(42, 62)
            places.append((x, rng.uniform(-26, 46) * (1 - abs(x) / 130), f"rock{rng.randrange(4)}"))
        for x, y, name in sorted(places, key=lambda each: each[1]):
            pen.use(name, x * size, y * size, size)

    def pool(pen: Pen, rng: random.Random, x: float, y: float, wide: float) -> None:
        seed = rng.randrange(1000)
        pen.oval(x, y, wide * 1.7, wide * 0.95, pen.soft("#ff8a3a", 0.5))
        pen.path(blob(x, y, wide * 1.14, wide * 0.56, random.Random(seed), 0.2), "#2f1b1a")
        glow = pen.radial((x, y), wide, (0, "#ffd869"), (0.5, "#f58a30"), (1, "#c23a1c"))
        pen.path(blob(x, y, wide, wide * 0.46, random.Random(seed), 0.2), glow)
        crust = "".join(
            blob(x + rng.uniform(-0.5, 0.5) * wide, y + rng.uniform(-0.2, 0.2) * wide, *r, rng, 0.3)
            for r in ((wide * 0.2, wide * 0.07), (wide * 0.14, wide * 0.06))
        )
        pen.path(crust, "#5a2a20", opacity=0.85)

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        kind = rng.randrange(8)
        if not kind:
            burning(pen, rng, size)
            return
        if kind < 5:
            x = rng.uniform(-28, 28) * size
            y = rng.uniform(-16, 36) * size
            pool(pen, rng, x, y, rng.uniform(20, 34) * size)
        things = []
        for x, y in points_on_board(rng, 44, 62, -20, 56, rng.choice((2, 3, 4))):
            name = rng.choice(("ash", "cinder", "cinder", "rock", "rock", "rock"))
            things.append((x, y, f"{name}{rng.randrange(4)}"))
        for x, y, name in sorted(things, key=lambda each: each[1]):
            pen.use(name, x * size, y * size, size)

    def span(pen: Pen, rng: random.Random, size: float, centres: list[Point]) -> None:
        x, y = (sum(each) / len(centres) for each in zip(*centres, strict=True))
        name = "great" if len(centres) > 2 and rng.random() < 0.6 else "dead"
        places = [(x, y + 46 * size, f"{name}{rng.randrange(2)}", 1.0)]
        for cx, cy in centres:
            places.append(
                (
                    cx + (cx - x) * 0.5 + rng.uniform(-12, 12) * size,
                    cy + (cy - y) * 0.3 + 36 * size,
                    rng.choice(("vent", "ash", "cinder", "cinder")) + str(rng.randrange(4)),
                    1.0,
                )
            )
        for px, py, name, scale in sorted(places, key=lambda each: each[1]):
            pen.use(name, px, py, scale * size)

    single(pen, 30, draw, count=8, board=burning)
    spans(pen, 31, span)
    return pen
