"""Ground that feet and wheels have worn, and bridges: Dirt, Cobbles, and what leads over water."""

from __future__ import annotations

import math
import random

from pictures.compose import CELLS, VARIANTS, Bag, one_of, points_on_board, single, strays
from pictures.ground import begin_ground, blades, grass, marks, mottle
from pictures.pen import Pen, Point, around, outline
from pictures.rock import boulder, mix
from pictures.strongholds import cobble_stones


def dirt() -> Pen:
    """Bare earth with pebbles, ruts and tufts."""
    rng = random.Random(401)
    pen = Pen("#b08d62")
    begin_ground(pen, "#b3946a")
    mottle(pen, rng, 110, (60, 130), (("#977750", 0.42), ("#c7aa80", 0.42)))
    mottle(pen, rng, 42, (12, 30), (("#8d6e49", 0.28), ("#d0b48a", 0.28), ("#9a9760", 0.2)))
    marks(
        pen,
        rng,
        34,
        lambda x, y: f"M{x - 10} {y}q5 {rng.uniform(-3, 3)} 10 0t10 {rng.uniform(-2, 2)}",
        (
            {"line": "#8d6e49", "width": 1.4, "opacity": 0.4},
            {"line": "#d8c09a", "width": 1.3, "opacity": 0.4},
        ),
    )
    marks(
        pen,
        rng,
        30,
        lambda x, y: outline(
            [around(x, y, 2, 1.5, 72 * i + rng.uniform(-12, 12)) for i in range(5)]
        ),
        ({"fill": "#8a7354"}, {"fill": "#d9c7a5"}, {"fill": "#74604a"}),
    )
    pen.element("tuft0")
    pen.path(blades(0, 0, 9, 6, 5), "#8a9350")
    pen.element("tuft1")
    pen.path(blades(0, 0, 7, 5, 4), "#a3a866")
    boulder(pen, "rock0", rng, 4.5, "#6d5b45", "#d6c7ac")
    boulder(pen, "rock1", rng, 7, "#6d5b45", "#d0c0a4")
    pen.element("tuft2")
    pen.path(blades(0, 0, 12, 9, 8), "#7f8a4a")
    pen.path(blades(-2, 1, 8, 6, 5), "#a5a865")
    pen.element("crack0")
    pen.path("M-16 -3L-7 0L-2 -4L6 -1L15 -5M-2 -4L0 -10M6 -1L9 5", line="#7d6040", width=1.5)
    pen.path("M-16 -1.6L-7 1.4L-2 -2.6L6 0.4L15 -3.6", line="#d8bf98", width=1, opacity=0.7)
    small = Bag(("tuft0", "tuft1", "rock0", "tuft2", "crack0", "rock1", "tuft2", "crack1"))
    pen.element("crack1")
    pen.path("M-12 4L-4 1L1 4L10 -2M-4 1L-6 -6M1 4L5 9", line="#7d6040", width=1.4)

    def stand(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 36, 70, -44, 60, rng.choice((2, 3, 4))):
            pen.use(small.draw(rng), x * size, y * size, size)

    single(pen, 402, stand, count=8)
    strays(pen, random.Random(403), one_of(("tuft0", "tuft1", "rock0", "tuft1")), 0)
    return pen


def cobbles() -> Pen:
    """A road of round stones in earth, with grass between."""
    rng = random.Random(411)
    pen = Pen("#a59a86")
    begin_ground(pen, "#978a72")
    mottle(pen, rng, 80, (40, 90), (("#7f735c", 0.4), ("#aca088", 0.4), ("#8a8f5c", 0.3)))
    cobble_stones(pen, rng, 19, ("#a89d89", "#9d9380", "#b1a794", "#968b79"), "#574d3c")
    mottle(pen, rng, 70, (24, 50), (("#8a8f5c", 0.34), ("#6d6350", 0.3)))
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


# --- bridges --------------------------------------------------------------------------------------

DIRECTIONS = (90.0, 150.0, 30.0)
"""The angles of bridges, to the south, the south-west and the south-east: degrees below east."""


def bridge(number: int, *, is_stone: bool) -> Pen:
    """Water under a bridge in one of ``DIRECTIONS``; it reaches over the sides of its cell."""
    rng = random.Random(421 + number)
    pen = Pen("#72b4cf")
    begin_ground(pen, "#72b4cf")
    mottle(pen, rng, 100, (60, 120), (("#5b9fbd", 0.4), ("#8cc6db", 0.4)))
    angle = math.radians(DIRECTIONS[number])
    for variant in range(1, VARIANTS + 1):
        pen.group(f"feature-{variant}")
        _span(pen, rng, angle, 0.8, is_stone=is_stone)
    for name, cell in CELLS.items():
        for variant in range(1, VARIANTS + 1):
            pen.group(f"{name}-cell-{variant}")
            _span(pen, rng, angle, cell.size, is_stone=is_stone)
    return pen


def _span(pen: Pen, rng: random.Random, angle: float, size: float, *, is_stone: bool) -> None:
    """Draw a bridge over a cell, from bank to bank."""
    along = (math.cos(angle), math.sin(angle))
    across = (-along[1], along[0])
    if across[1] < 0 or (abs(across[1]) < 0.01 and across[0] < 0):
        across = (-across[0], -across[1])
    half = 86.6 * size
    over = 20 * size
    wide = (25 if is_stone else 21) * size
    thick = (15 if is_stone else 9) * size

    def at(far: float, aside: float, up: float = 0.0) -> Point:
        return far * along[0] + aside * across[0], far * along[1] + aside * across[1] * 0.92 - up

    ends = (-half - over, half + over)
    rise = 5 * size
    cast = [
        at(ends[0], wide),
        at(ends[1], wide),
        at(ends[1], wide + 14 * size),
        at(ends[0], wide + 14 * size),
    ]
    pen.path(outline([(x + 6 * size, y + 6 * size) for x, y in cast]), "#0f2a35", opacity=0.32)
    if is_stone:
        deck = ("#bdb3a1", "#8f8677", "#d8cfbd", "#5b5449")
    else:
        deck = ("#b08a5b", "#6f4f31", "#caa676", "#46321f")
    light, dark, rail, line = deck
    side = [
        at(ends[0], wide, rise),
        at(ends[1], wide, rise),
        at(ends[1], wide, rise - thick),
        at(ends[0], wide, rise - thick),
    ]
    pen.path(outline(side), dark, line, 0.8)
    if is_stone:
        for far in (-half * 0.5, half * 0.5):
            arch = [
                at(far - 26 * size, wide, rise - thick),
                at(far - 15 * size, wide, rise - thick * 0.35),
                at(far + 15 * size, wide, rise - thick * 0.35),
                at(far + 26 * size, wide, rise - thick),
            ]
            pen.path(outline(arch), "#2a3d44")
    else:
        posts = ""
        for far in (-half * 0.66, 0.0, half * 0.66):
            x, y = at(far, wide, rise - thick)
            posts += f"M{x:.1f} {y - 3 * size:.1f}v{13 * size:.1f}"
        pen.path(posts, line=line, width=4.4 * size)
    top = [
        at(ends[0], -wide, rise),
        at(ends[1], -wide, rise),
        at(ends[1], wide, rise),
        at(ends[0], wide, rise),
    ]
    pen.path(outline(top), light, line, 0.9)
    count = 14
    step = 2 * half / count
    planks = ""
    first = -count // 2 - 2
    tones: dict[str, str] = {}
    for i in range(first, count // 2 + 3):
        far = i * step
        if not ends[0] < far < ends[1]:
            continue
        (ax, ay) = at(far, -wide, rise)
        (bx, by) = at(far, wide, rise)
        planks += f"M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}"
        if i % 3 == 1 and far + step < ends[1]:
            tone = rng.choice((mix(light, "#ffffff", 0.2), mix(light, dark, 0.35)))
            tones[tone] = tones.get(tone, "") + outline(
                [
                    at(far, -wide, rise),
                    at(far + step, -wide, rise),
                    at(far + step, wide, rise),
                    at(far, wide, rise),
                ]
            )
    for tone, d in tones.items():
        pen.path(d, tone, opacity=0.6)
    pen.path(planks, line=line, width=1.0 * size, opacity=0.65)
    for aside in (-wide, wide):
        if is_stone:
            edge = [
                at(ends[0], aside - 3 * size, rise + 3),
                at(ends[1], aside - 3 * size, rise + 3),
                at(ends[1], aside + 3 * size, rise + 3),
                at(ends[0], aside + 3 * size, rise + 3),
            ]
            pen.path(
                outline(
                    [
                        at(ends[0], aside + 3 * size, rise - 2),
                        at(ends[1], aside + 3 * size, rise - 2),
                        edge[2],
                        edge[3],
                    ]
                ),
                dark,
                line,
                0.6,
            )
            pen.path(outline(edge), rail, line, 0.7)
            continue
        posts = ""
        for i in range(-3, 4):
            x, y = at(i * half / 3, aside, rise)
            posts += f"M{x:.1f} {y:.1f}v{-9 * size:.1f}"
        pen.path(posts, line=line, width=2.8 * size)
        (ax, ay) = at(ends[0], aside, rise + 8 * size)
        (bx, by) = at(ends[1], aside, rise + 8 * size)
        pen.path(f"M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}", line=line, width=3.4 * size)
        pen.path(f"M{ax:.1f} {ay - 0.6:.1f}L{bx:.1f} {by - 0.6:.1f}", line=rail, width=1.9 * size)


def bridges() -> dict[str, object]:
    """Return what draws each picture of a bridge, by its name."""
    result: dict[str, object] = {}
    for kind, is_stone in (("Wooden", False), ("Stone", True)):
        for number, direction in enumerate(("north", "north-east", "south-east")):
            result[f"{kind} bridge {direction}"] = _drawing(number, is_stone=is_stone)
    return result


def _drawing(number: int, *, is_stone: bool) -> object:
    def draw() -> Pen:
        return bridge(number, is_stone=is_stone)

    return draw
