"""Ground that feet and wheels have worn: Dirt and Cobbles; and small things on the ground."""

from __future__ import annotations

import random

from pictures.compose import Bag, one_of, points_on_board, single, strays
from pictures.ground import begin_ground, blades, grass, marks, mottle, torus_points
from pictures.pen import Pen, around, outline
from pictures.rock import boulder
from pictures.stonework import paving
from pictures.vegetation import bush


def dirt() -> Pen:
    """Bare earth with ruts, cracks, pebbles and grass that comes up again."""
    rng = random.Random(401)
    pen = Pen("#b08d62")
    begin_ground(pen, "#b09168")
    mottle(pen, rng, 120, (70, 140), (("#8f7049", 0.5), ("#c9ae86", 0.5), ("#a08a58", 0.4)))
    mottle(pen, rng, 54, (20, 44), (("#86683f", 0.3), ("#d0b68e", 0.34), ("#8f9358", 0.34)))
    _ruts(pen, rng)
    marks(
        pen,
        rng,
        15,
        lambda x, y: f"M{x} {y}l{rng.uniform(1.5, 4)} {rng.uniform(-1, 1)}",
        (
            {"line": "#7d6140", "width": 1.6, "opacity": 0.45},
            {"line": "#e0caa4", "width": 1.5, "opacity": 0.5},
        ),
    )
    marks(
        pen,
        rng,
        34,
        lambda x, y: outline(
            [around(x, y, 2.3, 1.7, 72 * i + rng.uniform(-12, 12)) for i in range(5)]
        ),
        ({"fill": "#80694a"}, {"fill": "#dccbab"}, {"fill": "#6d5a44"}),
    )
    for i, (high, spread, tones) in enumerate(TUFTS):
        pen.element(f"tuft{i}")
        pen.oval(1, 1, spread * 1.4, spread * 0.5, pen.soft("#5f4a2c", 0.5))
        pen.path(blades(0, 0, high, spread, 8), tones[0])
        pen.path(blades(-spread * 0.4, 1, high * 0.7, spread * 0.6, 5), tones[1])
        pen.path(blades(spread * 0.8, 2.5, high * 0.55, spread * 0.5, 4), tones[1])
    boulder(pen, "rock0", rng, 4.5, "#6d5b45", "#d6c7ac")
    boulder(pen, "rock1", rng, 7.5, "#6d5b45", "#d0c0a4")
    boulder(pen, "rock2", rng, 10.5, "#675744", "#cdbfa6")
    bush(pen, "bush0", rng, 11, ("#4e6230", "#6f803f", "#a0a65c"))
    bush(pen, "bush1", rng, 8, ("#5c6430", "#7f8242", "#b0a862"))
    pen.element("crack0")
    pen.path("M-16 -3L-7 0L-2 -4L6 -1L15 -5M-2 -4L0 -10M6 -1L9 5", line="#745838", width=1.6)
    pen.path("M-16 -1.6L-7 1.4L-2 -2.6L6 0.4L15 -3.6", line="#dcc49e", width=1, opacity=0.7)
    pen.element("crack1")
    pen.path("M-12 4L-4 1L1 4L10 -2M-4 1L-6 -6M1 4L5 9", line="#745838", width=1.5)
    small = Bag(
        (
            *("tuft0", "rock0", "tuft1", "crack0", "tuft2", "rock1", "bush0", "tuft3", "crack1"),
            *("rock2", "patch", "bush1", "patch"),
        )
    )

    def stand(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 30, 76, -50, 64, rng.choice((4, 5, 6, 8))):
            name = small.draw(rng)
            if name != "patch":
                pen.use(name, x * size, y * size, size)
                continue
            # Grass grows in patches.
            for _ in range(7):
                far = rng.uniform(2, 24)
                tuft_x, tuft_y = around(x, y, far, far * 0.6, rng.uniform(0, 360))
                pen.use(f"tuft{rng.randrange(4)}", tuft_x * size, tuft_y * size, size)

    single(pen, 402, stand, count=8)
    strays(pen, random.Random(403), one_of(("tuft0", "tuft1", "rock0", "tuft3")), 0)
    return pen


TUFTS = (
    (10, 7, ("#7f8a48", "#a6aa62")),
    (13, 9, ("#74844a", "#9ba85e")),
    (16, 10, ("#8a8f4c", "#b6b26a")),
    (9, 11, ("#6f8244", "#96a458")),
)
"""The tufts on earth: height, spread, and the tones of their blades."""


def _ruts(pen: Pen, rng: random.Random) -> None:
    """Draw the tracks of carts on the ground: soft furrows side by side, in any direction."""
    for x, y in torus_points(rng, 130):
        turn = rng.choice((0, 25, 60, 120, 155)) + rng.uniform(-14, 14)
        bend = rng.uniform(-26, 26)
        half = rng.uniform(50, 84)
        furrows = ""
        for aside in (-6, 6):
            aside_x, aside_y = around(x, y, aside, aside * 0.8, turn + 90)
            start = around(aside_x, aside_y, half, half * 0.85, turn)
            end = around(aside_x, aside_y, half, half * 0.85, turn + 180)
            middle = around(aside_x, aside_y, bend, bend, turn + 90)
            furrows += f"M{start[0]} {start[1]}Q{middle[0]} {middle[1]} {end[0]} {end[1]}"
        pen.path(furrows, line="#7d5f3b", width=5, opacity=0.16)
        pen.path(furrows, line="#6f5433", width=2.2, opacity=0.3)


def cobbles() -> Pen:
    """A road of worn stones, here and there under earth and grass."""
    rng = random.Random(411)
    pen = Pen("#a59a86")
    begin_ground(pen, "#8f836d")
    mottle(pen, rng, 80, (40, 90), (("#7f735c", 0.4), ("#9c907a", 0.4), ("#848458", 0.35)))
    paving(
        pen,
        rng,
        (17.5, 12.5, 8.5),
        ("#a89d89", "#a19682", "#aea391", "#9a8f7c", "#a59a8a"),
        joint=3.2,
        light="#d3c9b6",
        dark="#5f5544",
    )
    _washed_over(pen, rng)
    pen.element("tuft0")
    pen.path(blades(0, 0, 8, 5, 5), "#7f8f4c")
    boulder(pen, "rock0", rng, 5, "#6d6353", "#c3b8a4")
    boulder(pen, "rock1", rng, 3.6, "#6d6353", "#b8ad98")

    def stand(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 44, 66, -40, 58, rng.choice((0, 0, 1, 2))):
            pen.use("tuft0", x * size, y * size, size)

    single(pen, 412, stand, count=8)
    names = ("rock0", "rock1", "tuft0", "rock1")
    strays(pen, random.Random(413), one_of(names), 0)
    return pen


def _washed_over(pen: Pen, rng: random.Random) -> None:
    """Draw the earth that lies on a road of stones, and the grass that grows there."""
    earth = (("#8d7f66", 0.62), ("#857a5c", 0.5), ("#bdb29e", 0.25))
    mottle(pen, rng, 84, (22, 52), earth)
    for x, y in torus_points(rng, 150):
        wide = rng.uniform(24, 46)
        pen.oval(x, y, wide, wide * 0.6, pen.soft("#84894f", 0.55))
        tufts = ""
        for _ in range(7):
            way = rng.uniform(0, wide * 0.6)
            tuft_x, tuft_y = around(x, y, way, way * 0.6, rng.uniform(0, 360))
            tufts += blades(tuft_x, tuft_y, rng.uniform(5, 8), rng.uniform(3, 5), 3)
        pen.path(tufts, "#77834a", opacity=0.8)


# --- small things ---------------------------------------------------------------------------------


def flowers() -> Pen:
    """A meadow in flower."""
    rng = random.Random(431)
    pen = Pen("#9bb265")
    grass(pen, rng, "#9fb46a", "#7f9a4e", "#b8c986")
    for i, petals in enumerate(("#f6f0da", "#ecd063", "#c88fc0", "#e58f7e", "#8f9fdc")):
        pen.element(f"flowers{i}")
        pen.path(blades(0, 2, 9, 11, 7), "#6f8d43")
        for _ in range(9):
            x, y = around(0, -3, rng.uniform(1, 13), rng.uniform(1, 8), rng.uniform(0, 360))
            pen.oval(x + 0.5, y + 0.8, 2, 1.6, "#4f6a30", opacity=0.5)
            pen.oval(x, y, 1.9, 1.6, petals)
    pen.element("tuft0")
    pen.path(blades(0, 0, 14, 9, 7), "#7d9a4b")

    def stand(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 24, 76, -46, 64, rng.choice((9, 11, 13))):
            name = rng.choice(("flowers0", "flowers1", "flowers2", "flowers3", "flowers4", "tuft0"))
            pen.use(name, x * size, y * size, size * rng.uniform(0.9, 1.3))

    single(pen, 432, stand, count=8)
    return pen


def scattered_stones() -> Pen:
    """Stones on open ground."""
    rng = random.Random(435)
    pen = Pen("#a8ad66")
    grass(pen, rng, "#a9ae6c", "#87904e", "#c2c486")
    for i in range(5):
        boulder(pen, f"rock{i}", rng, (5, 8, 11, 6, 14)[i], "#5f5a50", "#cfc8b8")
    pen.element("tuft0")
    pen.path(blades(0, 0, 11, 8, 6), "#86914c")

    def stand(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 30, 68, -38, 58, rng.choice((4, 5, 6))):
            name = rng.choice(("rock0", "rock1", "rock2", "rock3", "rock4", "tuft0"))
            pen.use(name, x * size, y * size, size)

    single(pen, 436, stand, count=8)
    return pen


def water_lilies() -> Pen:
    """Still water under lilies."""
    rng = random.Random(439)
    pen = Pen("#5e9fc0")
    begin_ground(pen, "#5e9fc0")
    mottle(pen, rng, 100, (60, 120), (("#4d8cae", 0.4), ("#78b3cf", 0.4)))
    for i in range(3):
        pen.element(f"lily{i}")
        r = 8 + 2 * i
        pen.oval(1, 1.4, r, r * 0.6, "#1f4a54", opacity=0.4)
        rim = [around(0, 0, r, r * 0.6, 20 + 32 * step) for step in range(11)]
        pen.path(outline([(0, 0), *rim]), pen.slant("#8fb868", "#4f7d45"), "#3c6638", 0.7)
        if i:
            pen.oval(-1, -2.4, 3.4, 2.6, ("#f3e9ee", "#e7b4c6")[i - 1])
            pen.oval(-1, -2.8, 1.3, 1, "#ecd063")

    def stand(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 22, 66, -38, 54, rng.choice((5, 7, 9))):
            pen.use(f"lily{rng.randrange(3)}", x * size, y * size, size)

    single(pen, 440, stand, count=8)
    return pen
