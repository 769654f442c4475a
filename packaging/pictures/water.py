"""Water and wet land: Lake, Bog, Spring, TarPit, and seas, rivers and swamps of worlds."""

from __future__ import annotations

import math
import random

from pictures.compose import Bag, each_of, points_on_board, single, spans, strays
from pictures.ground import begin_ground, blades, grass, marks, mottle, torus_points
from pictures.pen import Pen, Point, around, blob, commands, placed
from pictures.rock import boulder
from pictures.vegetation import shadow

WAVE = "M-13 0Q-8 -4 -3 -1Q2 2 6 -1Q10 -3.4 13 -0.6"


SEA = 43
"""The seed of the ground of all open water: where one fades into another their spots agree."""


def _open_ground(pen: Pen, base: str, deep: str, light: str) -> None:
    """Soft depths and ripples."""
    rng = random.Random(SEA)
    begin_ground(pen, base)
    mottle(pen, rng, 96, (80, 140), ((deep, 0.2), (light, 0.15), (deep, 0.13)))
    mottle(pen, rng, 60, (26, 50), ((deep, 0.1), (light, 0.12)))
    for x, y in torus_points(rng, 40):  # the swell: long and flat, across the wind
        colour = rng.choice((deep, light))
        pen.oval(x, y, rng.uniform(40, 86), rng.uniform(4, 8), pen.soft(colour, 0.3))
    marks(
        pen,
        rng,
        62,
        lambda x, y: placed(WAVE, x, y, rng.uniform(0.45, 0.85)),
        (
            {"line": light, "width": 1.5, "opacity": 0.45},
            {"line": deep, "width": 1.7, "opacity": 0.35},
        ),
    )


def _waves(pen: Pen, rng: random.Random, size: float, foam: str, deep: str, count: int) -> None:
    """So many waves in a cell, bold or faint; instead of none one that is hardly seen.

    A picture without anything would be left out, and the others be shown the more often.
    """
    bold = rng.choice((0.25, 0.5, 0.5))
    if count == 0:
        bold = 0.07
    for x, y in points_on_board(rng, 44, 66, -50, 60, max(1, count)):
        wave = placed(WAVE, x * size, y * size, size * rng.uniform(0.7, 1.5))
        pen.path(placed(wave, 0, 3 * size), line=deep, width=2.2 * size, opacity=bold * 0.6)
        pen.path(wave, line=foam, width=1.9 * size, opacity=bold)


def _open_water(colour: str, base: str, deep: str, light: str, foam: str, seed: int) -> Pen:
    """Water with soft depths and short waves."""
    pen = Pen(colour)
    _open_ground(pen, base, deep, light)

    calm = Bag(tuple(CALM_WATERS))
    lively = Bag(tuple(LIVELY_WATERS))

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        _waves(pen, rng, size, foam, deep, CALM_WATERS[calm.draw(rng)])

    def draw_lively(pen: Pen, rng: random.Random, size: float) -> None:
        _waves(pen, rng, size, foam, deep, LIVELY_WATERS[lively.draw(rng)])

    def draw_board(pen: Pen, rng: random.Random, size: float) -> None:
        _waves(pen, rng, size, foam, deep, rng.choice((2, 3)))

    # The first compositions and the last ones are shown in different parts of a map.
    single(pen, seed + 1, draw, count=8, board=draw_board, other=draw_lively)
    return pen


CALM_WATERS = {"smooth": 0, "still": 0, "bare": 0, "one": 1}
"""How many waves there are in each cell of calm water. With one in every cell they would stand in
rows."""

LIVELY_WATERS = {"smooth": 0, "one": 1, "two": 2, "group": 3}
"""The same where the wind blows."""


def lake() -> Pen:
    """Open water."""
    return _open_water("#4f8fc4", "#5590b8", "#3a749f", "#86b7d2", "#dcecf2", 41)


def open_sea() -> Pen:
    """Deep water."""
    return _open_water("#2f6ea5", "#33709f", "#235782", "#5590b6", "#bcd6e2", 43)


def deep_sea() -> Pen:
    """The sea far from any coast."""
    return _open_water("#2b608f", "#2c6290", "#1f4c77", "#417aa6", "#9dc0d6", 97)


def sea() -> Pen:
    """The sea before a coast."""
    return _open_water("#3d7fae", "#4183b1", "#2f6a99", "#66a2c6", "#cfe3ec", 99)


def river() -> Pen:
    """Flowing water."""
    return _open_water("#4f93c4", "#4f93bd", "#37799f", "#84b9d4", "#dcecf2", 45)


def shallows() -> Pen:
    """Clear shallow water over sand banks."""
    rng = random.Random(47)
    pen = Pen("#72b4cf")
    _open_ground(pen, "#74b2c8", "#5c9fb8", "#a9d6dc")
    mottle(pen, rng, 110, (50, 95), (("#d9d6a4", 0.15), ("#a9d6dc", 0.1)))
    for i, radius in enumerate((3.5, 6, 10)):
        boulder(pen, f"rock{i}", rng, radius, "#55605c", "#c9c6b2")
    rocky = Bag(("none", "pair", "bare", "empty"))
    reefs = Bag(("none", "reef", "bare", "pair", "large", "empty", "lone"))

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        _waves(pen, rng, size, "#f2faf8", "#5c9fb8", rng.choice((0, 0, 1, 1)))

    def draw_rocky(pen: Pen, rng: random.Random, size: float) -> None:
        draw(pen, rng, size)
        around_middle = around(0, 0, rng.uniform(30, 58), rng.uniform(24, 46), rng.uniform(0, 360))
        _reef(pen, rng, around_middle, size, ROCKS.get(rocky.draw(rng), 0))

    def span(pen: Pen, rng: random.Random, size: float, centres: list[Point]) -> None:
        x, y = (sum(values) / len(centres) for values in zip(*centres, strict=True))
        wave = placed(WAVE, x, y, size * rng.uniform(0.9, 1.4))
        pen.path(wave, line="#f2faf8", width=1.9 * size, opacity=0.4)
        far = 70 * size
        at = ((x + rng.uniform(-far, far)) / size, (y + rng.uniform(-far, far) * 0.8) / size)
        _reef(pen, rng, at, size, ROCKS.get(reefs.draw(rng), 0))

    single(pen, 48, draw, count=8, other=draw_rocky)
    # Rocks in single cells would stand in rows: most stand between two or three of them.
    spans(pen, 49, span)
    return pen


ROCKS = {"lone": 1, "pair": 2, "reef": 5, "large": 8}
"""How many rocks stand close together in shallow water."""


def _reef(pen: Pen, rng: random.Random, middle: Point, size: float, count: int) -> None:
    """So many rocks close together in foam, around a point of a cell of shallow water."""
    turn = rng.uniform(0, 360)
    x, y = middle
    rocks = []
    for number in range(count):
        far = rng.uniform(0.5, 1.0) * 7.0 * number**0.8
        rock_x, rock_y = around(x, y, far * 1.5, far * 0.8, 137.5 * number + turn)
        kind = 0
        if count > 2:
            kind = 2 if number == 0 else rng.randrange(2)
        rocks.append((rock_x, rock_y, kind))
    for rock_x, rock_y, kind in sorted(rocks, key=lambda rock: rock[1]):
        wide = (6, 9, 15)[kind] * size
        pen.oval(rock_x * size, (rock_y + 1) * size, wide, wide * 0.45, "#eaf6f4", opacity=0.4)
        pen.use(f"rock{kind}", rock_x * size, rock_y * size, size * rng.uniform(0.8, 1.15))


POOLS = 6
"""So many shapes of pools, half as high as they are wide."""


def pools(pen: Pen, rng: random.Random, tones: tuple[str, str, str, str]) -> None:
    """The elements ``pool0`` ...; ``tones`` are bank, dark and light water, and gleam."""
    bank, dark, light, gleam = tones
    fill = pen.linear((-30, -24), (30, 24), (0, dark), (0.6, light), (1, dark))
    for i in range(POOLS):
        pen.element(f"pool{i}")
        seed = rng.randrange(1000)
        pen.path(blob(0, 0, 54, 28, random.Random(seed), 0.24, 12), bank, opacity=0.55)
        pen.path(blob(0, 0, 50, 25, random.Random(seed), 0.24, 12), fill)
        d = ""
        for _ in range(4):
            d += f"M{rng.uniform(-28, 16):.1f} {rng.uniform(-12, 12):.1f}h{rng.uniform(8, 16):.1f}"
        pen.path(d, line=gleam, width=1.5, opacity=0.7)


def pool(pen: Pen, rng: random.Random, x: float, y: float, wide: float) -> None:
    """One of the pools, of half the width ``wide``, around (x, y)."""
    pen.use(f"pool{rng.randrange(POOLS)}", x, y, wide / 50, rng.random() < 0.5)


def _reeds(pen: Pen, rng: random.Random) -> None:
    for i in range(4):
        pen.element(f"reeds{i}")
        shadow(pen, 0, 0, 18, 5.4, 0.75)
        for count, tone, width in ((10, "#33492a", 3.2), (10, "#6f8a3e", 2.6), (7, "#c2c468", 2)):
            stalks = ""
            for _ in range(count):
                x = rng.uniform(-15, 15)
                lean = x * rng.uniform(0.1, 0.5)
                high = rng.uniform(16, 34) * (1 - 0.4 * abs(x) / 15)
                stalks += commands("M", x, rng.uniform(-1, 4), "q", lean * 0.2, -high * 0.6)
                stalks += commands("", lean, -high)
            pen.path(stalks, line=tone, width=width)
        if i % 2:
            for x in (-7, 1, 8):
                high = rng.uniform(26, 36)
                pen.path(f"M{x} 0L{x * 1.3:.1f} {-high:.1f}", line="#43552b", width=1.4)
                pen.path(f"M{x * 1.3:.1f} {-high - 6:.1f}v8", line="#5e3f26", width=3.6)


def _still_waters(
    pen: Pen, rng: random.Random, tones: tuple[str, str, str, str], apart: float
) -> None:
    """Draw shallow water between grass on the ground: it goes on from cell to cell.

    ``tones`` are those of ``pools``.
    """
    bank, dark, light, gleam = tones
    waters = []
    for x, y in sorted(torus_points(rng, apart), key=lambda point: point[1]):
        wide = rng.uniform(0.34, 0.62) * apart
        waters.append((x, y, wide, wide * rng.uniform(0.42, 0.6), rng.randrange(1000)))
    for x, y, wide, high, seed in waters:
        pen.oval(x, y, wide * 1.7, high * 1.8, pen.soft(bank, 0.55))
        pen.path(blob(x, y, wide * 1.1, high * 1.14, random.Random(seed), 0.26, 9), bank)
    for x, y, wide, high, seed in waters:
        pen.path(blob(x, y, wide, high, random.Random(seed), 0.26, 9), dark)
        pen.oval(x - wide * 0.1, y + high * 0.15, wide * 0.7, high * 0.6, pen.soft(light, 0.9))
        glints = ""
        for _ in range(3):
            glint_x = x + rng.uniform(-0.6, 0.3) * wide
            glint_y = y + rng.uniform(-0.5, 0.6) * high
            glints += f"M{glint_x:.0f} {glint_y:.0f}h{rng.uniform(8, 18):.0f}"
        pen.path(glints, line=gleam, width=1.4, opacity=0.6)


def _islets(
    pen: Pen, rng: random.Random, base: tuple[str, str, str], tones: tuple[str, str, str, str]
) -> None:
    """Draw the ground of a fen: islets of grass in shallow water that goes on from cell to cell.

    ``base`` are the tones of grass, as of ``grass``; ``tones`` are those of ``pools``.
    """
    middle, dark_grass, light_grass = base
    bank, dark, light, gleam = tones
    begin_ground(pen, dark)
    mottle(pen, rng, 70, (50, 100), ((light, 0.5), (light, 0.35), (bank, 0.3)))
    mottle(pen, rng, 46, (18, 36), ((light, 0.3), (bank, 0.25)))
    glint = {"line": gleam, "width": 1.4, "opacity": 0.5}
    marks(pen, rng, 58, lambda x, y: f"M{x:.1f} {y:.1f}h{rng.uniform(8, 20):.1f}", (glint,))
    islets = []
    for x, y in sorted(torus_points(rng, 56), key=lambda point: point[1]):
        wide = rng.choice((12, 18, 26, 34, 44)) * rng.uniform(0.85, 1.15)
        islets.append((x, y, wide, wide * rng.uniform(0.42, 0.6), rng.randrange(1000)))
    for x, y, wide, high, _seed in islets:
        pen.oval(x + 3, y + 4, wide * 1.5, high * 1.7, pen.soft(bank, 0.75))
    for x, y, wide, high, seed in islets:
        pen.path(blob(x, y, wide * 1.06, high * 1.1, random.Random(seed), 0.3, 8), dark_grass)
        pen.path(blob(x - 1, y - 2, wide, high, random.Random(seed), 0.3, 8), middle)
        pen.oval(
            x - wide * 0.2, y - high * 0.25, wide * 0.6, high * 0.5, pen.soft(light_grass, 0.9)
        )
        tufts = ""
        for _ in range(max(3, round(wide / 5))):
            tuft_x, tuft_y = around(
                x, y, wide * rng.random(), high * rng.random(), rng.uniform(0, 360)
            )
            tufts += f"M{tuft_x:.0f} {tuft_y:.0f}l{rng.uniform(-3, 3):.0f} {-rng.uniform(5, 9):.0f}"
        pen.path(tufts, line=dark_grass, width=1.5, opacity=0.7)


def _marsh(
    colour: str,
    base: tuple[str, str, str],
    tones: tuple[str, str, str, str],
    seed: int,
    *,
    is_fen: bool = False,
) -> Pen:
    rng = random.Random(seed)
    pen = Pen(colour)
    if is_fen:
        _islets(pen, rng, base, tones)
    else:
        grass(pen, rng, *base, 24)
        _still_waters(pen, rng, tones, 77)
    _reeds(pen, rng)
    for i in range(3):
        pen.element(f"tussock{i}")
        shadow(pen, 0, 0, 12, 4.6, 0.6)
        pen.path(blades(0, 1, 15, 12, 9), "#4f6233")
        pen.path(blades(-1, 0.5, 11, 8, 6), "#8f9f55")

    if not is_fen:
        pools(pen, rng, tones)

    def edged(pen: Pen, rng: random.Random, x: float, y: float, wide: float, size: float) -> None:
        if not is_fen:
            pool(pen, rng, x, y, wide)
        for _ in range(max(2, round(wide / size / 13))):
            reach = 1.0
            if is_fen:  # reeds grow in shallow water, too
                reach = math.sqrt(rng.random())
            far_x = wide * 1.04 * reach
            far_y = wide * 0.55 * reach
            reed_x, reed_y = around(x, y, far_x, far_y, rng.uniform(-20, 200))
            name = f"reeds{rng.randrange(4)}"
            pen.use(name, reed_x, reed_y + 3 * size, size * rng.uniform(0.8, 1.05))

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        plants = []
        for x, y in points_on_board(rng, 27, 78, -52, 66, rng.choice((8, 9, 10, 11))):
            name = rng.choice(("reeds0", "reeds1", "reeds2", "reeds3", "tussock0", "tussock1"))
            plants.append((x, y, name))
        wide = rng.uniform(26, 44)
        edged(pen, rng, rng.uniform(-24, 24) * size, rng.uniform(-24, 20) * size, wide * size, size)
        for x, y, name in sorted(plants, key=lambda plant: plant[1]):
            pen.use(name, x * size, y * size, size * rng.uniform(0.8, 1.1))

    def draw_board(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 46, 44, -18, 40, rng.choice((2, 3))):
            edged(pen, rng, x * size, y * size, rng.uniform(16, 34) * size, size * 0.8)
        for x, y in points_on_board(rng, 40, 62, -26, 54, 4):
            pen.use(f"tussock{rng.randrange(3)}", x * size, y * size, size)

    def span(pen: Pen, rng: random.Random, size: float, centres: list[Point]) -> None:
        x, y = (sum(values) / len(centres) for values in zip(*centres, strict=True))
        wide = (100 if len(centres) > 2 else 72) * rng.uniform(0.75, 1.1) * size
        for turn in (rng.uniform(150, 200), rng.uniform(330, 390), rng.uniform(60, 120)):
            pool_x, pool_y = around(x, y, wide * 1.4, wide * 0.9, turn)
            edged(pen, rng, pool_x, pool_y, rng.uniform(12, 26) * size, size)
        edged(pen, rng, x, y, wide, size)
        for centre_x, centre_y in centres:
            for _ in range(4):
                plant_x = centre_x + (centre_x - x) * 0.5 + rng.uniform(-46, 46) * size
                plant_y = centre_y + (centre_y - y) * 0.5 + rng.uniform(-20, 34) * size
                is_in_pool = math.hypot(plant_x - x, (plant_y - y) * 2) < wide
                if is_in_pool and not is_fen:
                    continue
                name = rng.choice(("tussock0", "tussock1", "reeds0", "reeds1", "reeds3"))
                pen.use(name, plant_x, plant_y, size)

    single(pen, seed + 1, draw, board=draw_board)
    spans(pen, seed + 2, span)
    beyond = ("reeds0", "tussock0", "reeds2", "tussock1", "tussock2", "reeds3")
    strays(pen, random.Random(seed + 3), each_of(beyond), 3)
    return pen


def bog() -> Pen:
    """Dark wet ground with pools and bulrushes."""
    return _marsh(
        "#6d7b4d",
        ("#75804f", "#535f3a", "#919a63"),
        ("#3f4a30", "#2f4446", "#5b7674", "#bcd0c8"),
        51,
    )


def swamp() -> Pen:
    """Pools between reeds."""
    return _marsh(
        "#7f9b66",
        ("#829c5a", "#5a7042", "#a3b86c"),
        ("#4a664f", "#5f8064", "#88aa8a", "#dfeadc"),
        54,
        is_fen=True,
    )


def spring() -> Pen:
    """A clear pool that wells up in rings, with stones and flowers on its bank."""
    rng = random.Random(57)
    pen = Pen("#69b7a5")
    grass(pen, rng, "#92bd8a", "#6f9c6c", "#b4d6a4")
    for i in range(3):
        boulder(pen, f"rock{i}", rng, rng.uniform(5.5, 8.5), "#5a5d55", "#d4d2c6")
    pen.element("reeds")
    pen.path(blades(0, 0, 17, 9, 6), "#4e8650")
    pen.path(blades(-1, 0, 11, 5, 4), "#8dbb73")

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        seed = rng.randrange(1000)
        x = rng.uniform(-4, 4) * size
        y = rng.uniform(4, 10) * size
        pen.path(
            blob(x, y, 58 * size, 40 * size, random.Random(seed), 0.09, 12), "#d8cfa2", opacity=0.85
        )
        pen.path(
            blob(x, y, 51 * size, 34 * size, random.Random(seed), 0.09, 12),
            pen.radial(
                (x, y),
                52 * size,
                (0, "#e4faf4"),
                (0.3, "#a6dfdb"),
                (0.75, "#57aeb4"),
                (1, "#3f8f9c"),
            ),
        )
        for r, opacity in ((38, 0.45), (25, 0.65), (13, 0.9)):
            pen.oval(
                x, y, r * size, r * 0.6 * size, line="#ffffff", width=1.7 * size, opacity=opacity
            )
        pen.oval(x, y - size, 5 * size, 3.2 * size, "#ffffff")
        for _ in range(6):
            px, py = around(x, y, 57 * size, 38 * size, rng.uniform(0, 360))
            pen.use(f"rock{rng.randrange(3)}", px, py + 4 * size, size)
        for _ in range(3):
            px, py = around(x, y, 60 * size, 41 * size, rng.uniform(0, 360))
            pen.use("reeds", px, py + 5 * size, size)

    single(pen, 58, draw)
    return pen


def tar_pit() -> Pen:
    """Black tar that throws bubbles."""
    rng = random.Random(59)
    pen = Pen("#3c3633")
    begin_ground(pen, "#74685a")
    mottle(pen, rng, 66, (50, 95), (("#524840", 0.42), ("#8f8270", 0.34)))
    mottle(pen, rng, 36, (12, 26), (("#48403a", 0.34), ("#9a8d7a", 0.26)))
    marks(
        pen,
        rng,
        30,
        lambda x, y: f"M{x} {y}l{rng.uniform(3, 7)} {rng.uniform(-2, 2)}",
        (
            {"line": "#4a423b", "width": 2, "opacity": 0.6},
            {"line": "#9d907c", "width": 1.6, "opacity": 0.6},
        ),
    )
    pools(pen, rng, ("#3d342d", "#131010", "#37302d", "#a79f99"))
    for i, r in enumerate((9.0, 6.0, 4.2)):
        pen.element(f"bubble{i}")
        pen.oval(0.6, 1, r * 1.15, r, "#0a0808", opacity=0.7)
        pen.oval(
            0,
            0,
            r,
            r * 0.88,
            pen.radial(
                (-r * 0.35, -r * 0.4), r * 1.3, (0, "#8a817c"), (0.5, "#3d3633"), (1, "#1a1615")
            ),
        )
        pen.path(
            f"M{-r * 0.6:.1f} {-r * 0.1:.1f}Q{-r * 0.5:.1f} {-r * 0.62:.1f} 0 {-r * 0.6:.1f}",
            line="#efe9e4",
            width=1.3,
        )
    pen.element("stump")
    shadow(pen, 0, 0, 9, 4, 0.6)
    pen.path(
        "M-3 1L-2 -12L-8 -20L-6 -21L-1 -15L1 -26L3 -26L2.6 -14L8 -19L9 -18L4 -9L4 1Z",
        pen.slant("#8d7a66", "#443830"),
    )

    def pit(pen: Pen, rng: random.Random, x: float, y: float, wide: float, size: float) -> None:
        pool(pen, rng, x, y, wide)
        for _ in range(max(3, round(wide / size / 9))):
            far = rng.uniform(0, 0.7) * wide
            px, py = around(x, y, far, far / 2, rng.uniform(0, 360))
            pen.use(f"bubble{rng.randrange(3)}", px, py, size)

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        x = rng.uniform(-6, 6) * size
        y = rng.uniform(4, 12) * size
        pit(pen, rng, x, y, rng.uniform(52, 62) * size, size)
        if rng.random() < 0.6:
            pen.use("stump", rng.choice((-58, 56)) * size, rng.uniform(-6, 18) * size, size)

    def span(pen: Pen, rng: random.Random, size: float, centres: list[Point]) -> None:
        x, y = (sum(each) / len(centres) for each in zip(*centres, strict=True))
        wide = (112 if len(centres) > 2 else 84) * rng.uniform(0.85, 1.05) * size
        for cx, cy in centres:
            px = cx + (cx - x) * 0.6
            py = cy + (cy - y) * 0.6
            pit(pen, rng, px, py, rng.uniform(16, 28) * size, size)
        pit(pen, rng, x, y, wide, size)
        pen.use("stump", x - wide * 0.9, y + wide * 0.4, size)

    single(pen, 60, draw)
    spans(pen, 61, span)
    return pen
