"""Sand and snow: Sand, Drift, and deserts and ice of worlds."""

from __future__ import annotations

import random

from pictures.compose import points_on_board, single, spans
from pictures.ground import begin_ground, marks, mottle
from pictures.pen import Pen, Point, around, commands, outline, placed
from pictures.rock import boulder
from pictures.vegetation import conifer, shadow

_DUNE = "M-52 15C-34 10 -22 -18 0 -19C16 -19 36 2 54 14C30 21 -26 22 -52 15Z"
_LEE = "M0 -19C16 -19 36 2 54 14C40 18 22 19.5 4 20C18 12 22 4 12 -3C2 -9 -6 -13 0 -19Z"


def _dunes(colour: str, base: str, dark: str, light: str, seed: int) -> Pen:
    rng = random.Random(seed)
    pen = Pen(colour)
    begin_ground(pen, base)
    mottle(pen, rng, 80, (60, 115), ((dark, 0.34), (light, 0.44)))
    mottle(pen, rng, 46, (18, 36), ((dark, 0.22), (light, 0.3)))
    marks(
        pen,
        rng,
        32,
        lambda x, y: f"M{x - 9} {y}q4.5 -3.4 9 0t9 0",
        (
            {"line": dark, "width": 1.6, "opacity": 0.65},
            {"line": light, "width": 1.6, "opacity": 0.75},
        ),
    )
    for i in range(3):
        pen.element(f"dune{i}")
        wide = rng.uniform(0.85, 1.05)
        high = rng.uniform(0.8, 1.0)
        pen.oval(14, 10, 56, 16, pen.soft("#5b441c", 0.42))
        pen.path(
            placed(_DUNE, 0, 0, wide * high),
            pen.linear((-28, -18), (10, 20), (0, "#f7ebc4"), (0.6, light), (1, base)),
        )
        pen.path(
            placed(_LEE, 0, 0, wide * high),
            pen.linear((6, -16), (40, 18), (0, "#b18d52"), (1, "#cfae70")),
            opacity=0.9,
        )
        folds = "M-30 9C-22 6 -16 0 -12 -6M-18 13C-10 10 -4 4 -2 -4"
        pen.path(placed(folds, 0, 0, wide * high), line=dark, width=1.3, opacity=0.8)
    boulder(pen, "rock0", rng, 6, "#7b6442", "#e6d4a8")
    pen.element("scrub")
    shadow(pen, 0, 0, 7, 3, 0.5)
    pen.path(
        "M0 0l-6 -8M0 0l-2 -11M0 0l3 -10M0 0l7 -6M-3 -4l-5 -1M2 -5l5 -4", line="#7d7440", width=1.3
    )

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 54, 40, -20, 44, rng.choice((1, 2, 2, 3))):
            pen.use(f"dune{rng.randrange(3)}", x * size, y * size, size * rng.uniform(0.55, 1.05))
        for x, y in points_on_board(rng, 50, 64, -34, 56, 2):
            if rng.random() < 0.5:
                pen.use(rng.choice(("rock0", "scrub", "scrub")), x * size, y * size, size)

    def erg(pen: Pen, rng: random.Random, size: float, centres: list[Point]) -> None:
        x, y = (sum(each) / len(centres) for each in zip(*centres, strict=True))
        great = 1.5 if len(centres) > 2 else 1.15
        things = [(x, y, great)]
        for cx, cy in centres:
            px = cx + (cx - x) * 0.4
            py = cy + (cy - y) * 0.4
            things.append((px + rng.uniform(-20, 20) * size, py, rng.uniform(0.4, 0.75)))
        for px, py, scale in sorted(things, key=lambda each: each[1]):
            pen.use(f"dune{rng.randrange(3)}", px, py + rng.uniform(-6, 6) * size, size * scale)

    single(pen, seed + 1, draw, count=8)
    spans(pen, seed + 20, erg)
    return pen


def sand() -> Pen:
    """Dunes with a winding crest, and the ripples of the wind."""
    return _dunes("#e3cf8f", "#e0cb92", "#c2a566", "#efe0b2", 71)


def desert() -> Pen:
    """Dunes."""
    return _dunes("#e4cf8d", "#dfc88d", "#bf9f60", "#efdfae", 73)


def snow_ground(pen: Pen, rng: random.Random, base: str) -> None:
    """A ground of snow with blue shades."""
    begin_ground(pen, base)
    mottle(pen, rng, 80, (60, 115), (("#bfd0de", 0.5), ("#ffffff", 0.7), ("#cfdce6", 0.4)))
    mottle(pen, rng, 46, (18, 36), (("#b7cad9", 0.36), ("#ffffff", 0.6)))
    marks(
        pen,
        rng,
        38,
        lambda x, y: f"M{x - 8} {y}q8 -4.4 16 0.6",
        ({"line": "#adc2d2", "width": 1.5, "opacity": 0.7}, {"line": "#ffffff", "width": 1.7}),
    )


def drift() -> Pen:
    """Snow drifts with blue shade, rocks and firs that still show."""
    rng = random.Random(75)
    pen = Pen("#dbe8f0")
    snow_ground(pen, rng, "#e6edf1")
    body = "M-50 14C-42 6 -36 -14 -8 -15C16 -16 26 -2 50 13C30 20 -28 21 -50 14Z"
    lee = "M-8 -15C16 -16 26 -2 50 13C34 18 12 19 -8 18.6C8 14 16 6 9 -2C4 -8 -2 -11 -8 -15Z"
    for i in range(3):
        pen.element(f"drift{i}")
        size = rng.uniform(0.85, 1.05)
        pen.oval(12, 10, 54, 15, pen.soft("#5d7f9c", 0.5))
        pen.path(
            placed(body, 0, 0, size),
            pen.linear((-20, -15), (6, 20), (0, "#ffffff"), (0.6, "#f8fbfc"), (1, "#dfe8ee")),
        )
        pen.path(
            placed(lee, 0, 0, size),
            pen.linear((0, -12), (30, 18), (0, "#a9c0d3"), (1, "#cbdae5")),
            opacity=0.9,
        )
    boulder(pen, "rock0", rng, 8, "#5c646c", "#f4f6f7")
    boulder(pen, "rock1", rng, 6, "#666b70", "#f0f3f5")
    conifer(pen, "fir0", rng, 34, ("#3d5a55", "#7b9a92", "#eef4f5"))
    conifer(pen, "fir1", rng, 28, ("#45605a", "#86a39b", "#f2f7f8"))

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        things = [
            (x, y, f"drift{rng.randrange(3)}", rng.uniform(0.6, 0.9))
            for x, y in points_on_board(rng, 44, 44, -24, 46, rng.choice((2, 3)))
        ]
        for x, y in points_on_board(rng, 46, 60, -16, 56, 3):
            if rng.random() < 0.4:
                things.append((x, y, rng.choice(("rock0", "rock1", "fir0", "fir1")), 1.0))
        for x, y, name, scale in sorted(things, key=lambda each: each[1]):
            pen.use(name, x * size, y * size, size * scale)

    single(pen, 76, draw, count=8)
    return pen


def ice() -> Pen:
    """Ice with cracks and blue depths."""
    rng = random.Random(77)
    pen = Pen("#eef4f8")
    snow_ground(pen, rng, "#e4eef4")
    mottle(pen, rng, 110, (40, 80), (("#8fb9d4", 0.4), ("#a8cbdf", 0.4)))
    for i in range(3):
        pen.element(f"hummock{i}")
        shadow(pen, 0, 0, 15, 6, 0.36)
        w = rng.uniform(11, 15)
        h = rng.uniform(10, 15)
        pen.path(
            outline([(-w, 1), (-w * 0.5, -h * 0.7), (-1, -h), (2, -h * 0.4), (0, 3)]), "#fbfdfe"
        )
        pen.path(outline([(-1, -h), (w * 0.5, -h * 0.6), (w, 1), (0, 3), (2, -h * 0.4)]), "#9cbdd2")

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        x = rng.uniform(-16, 16)
        y = rng.uniform(-6, 22)
        start = rng.uniform(0, 360)
        d = ""
        for arm in range(3):
            turn = start + 120 * arm + rng.uniform(-24, 24)
            mx, my = around(x, y, 26, 20, turn + rng.uniform(-18, 18))
            ex, ey = around(x, y, 52, 38, turn)
            ends = (place * size for place in (x, y, mx, my, ex, ey))
            d += commands("M", *ends)
        pen.path(placed(d, size, 1.4 * size), line="#ffffff", width=2 * size)
        pen.path(d, line="#7fa6c0", width=1.8 * size, opacity=0.75)
        for px, py in points_on_board(rng, 50, 58, -22, 54, rng.choice((0, 1, 2)) + 1)[1:]:
            pen.use(f"hummock{rng.randrange(3)}", px * size, py * size, size)

    single(pen, 78, draw, count=8)
    return pen
