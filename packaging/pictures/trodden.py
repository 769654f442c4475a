"""Ground that feet and wheels have worn, and bridges: Dirt, Cobbles, and what leads over water."""

from __future__ import annotations

import math
import random

from pictures.compose import CELLS, VARIANTS, points_on_board, single
from pictures.ground import begin_ground, blades, marks, mottle
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
        ({"line": "#8d6e49", "width": 1.4, "opacity": 0.4}, {"line": "#d8c09a", "width": 1.3, "opacity": 0.4}),
    )
    marks(
        pen,
        rng,
        30,
        lambda x, y: outline([around(x, y, 2, 1.5, 72 * i + rng.uniform(-12, 12)) for i in range(5)]),
        ({"fill": "#8a7354"}, {"fill": "#d9c7a5"}, {"fill": "#74604a"}),
    )
    pen.element("tuft0")
    pen.path(blades(0, 0, 9, 6, 5), "#8a9350")
    pen.element("tuft1")
    pen.path(blades(0, 0, 7, 5, 4), "#a3a866")
    boulder(pen, "rock0", rng, 4.5, "#6d5b45", "#d6c7ac")

    def stand(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 44, 66, -40, 58, rng.choice((0, 1, 2))):
            pen.use(rng.choice(("tuft0", "tuft1", "rock0")), x * size, y * size, size)

    single(pen, 402, stand, count=8)
    return pen


def cobbles() -> Pen:
    """A road of round stones in earth, with grass between."""
    rng = random.Random(411)
    pen = Pen("#a59a86")
    begin_ground(pen, "#978a72")
    mottle(pen, rng, 80, (40, 90), (("#7f735c", 0.4), ("#aca088", 0.4), ("#8a8f5c", 0.3)))
    cobble_stones(pen, rng, 17, ("#b2a998", "#a49b8a", "#bfb7a7", "#988f80", "#aca08a"), "#655b4a", 0.82)
    mottle(pen, rng, 70, (20, 44), (("#8a8f5c", 0.3), ("#6d6350", 0.24)))
    pen.element("tuft0")
    pen.path(blades(0, 0, 8, 5, 5), "#7f8f4c")

    def stand(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 44, 66, -40, 58, rng.choice((0, 0, 1, 2))):
            pen.use("tuft0", x * size, y * size, size)

    single(pen, 412, stand, count=8)
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
    wide = 21 * size
    thick = 9 * size

    def at(far: float, aside: float, up: float = 0.0) -> Point:
        return far * along[0] + aside * across[0], far * along[1] + aside * across[1] * 0.92 - up

    ends = (-half - over, half + over)
    rise = 5 * size
    cast = [at(ends[0], wide), at(ends[1], wide), at(ends[1], wide + 14 * size), at(ends[0], wide + 14 * size)]
    pen.path(outline([(x + 6 * size, y + 6 * size) for x, y in cast]), "#0f2a35", opacity=0.32)
    if is_stone:
        deck = ("#bdb3a1", "#8f8677", "#d8cfbd", "#5b5449")
    else:
        deck = ("#b08a5b", "#6f4f31", "#caa676", "#46321f")
    light, dark, rail, line = deck
    side = [at(ends[0], wide, rise), at(ends[1], wide, rise), at(ends[1], wide, rise - thick), at(ends[0], wide, rise - thick)]
    pen.path(outline(side), dark, line, 0.8)
    if is_stone:
        for far in (-half * 0.5, half * 0.5):
            arch = [at(far - 26 * size, wide, rise - thick), at(far - 15 * size, wide, rise - thick * 0.35), at(far + 15 * size, wide, rise - thick * 0.35), at(far + 26 * size, wide, rise - thick)]
            pen.path(outline(arch), "#2a3d44")
    else:
        posts = ""
        for far in (-half * 0.66, 0.0, half * 0.66):
            x, y = at(far, wide, rise - thick)
            posts += f"M{x:.1f} {y - 3 * size:.1f}v{13 * size:.1f}"
        pen.path(posts, line=line, width=4.4 * size)
    top = [at(ends[0], -wide, rise), at(ends[1], -wide, rise), at(ends[1], wide, rise), at(ends[0], wide, rise)]
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
            tones[tone] = tones.get(tone, "") + outline([at(far, -wide, rise), at(far + step, -wide, rise), at(far + step, wide, rise), at(far, wide, rise)])
    for tone, d in tones.items():
        pen.path(d, tone, opacity=0.6)
    pen.path(planks, line=line, width=1.0 * size, opacity=0.65)
    for aside in (-wide, wide):
        if is_stone:
            edge = [at(ends[0], aside - 3 * size, rise + 3), at(ends[1], aside - 3 * size, rise + 3), at(ends[1], aside + 3 * size, rise + 3), at(ends[0], aside + 3 * size, rise + 3)]
            pen.path(outline([at(ends[0], aside + 3 * size, rise - 2), at(ends[1], aside + 3 * size, rise - 2), edge[2], edge[3]]), dark, line, 0.6)
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
