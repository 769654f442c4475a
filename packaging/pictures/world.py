"""Pictures of the terrains of large worlds: few bold marks, in four variants, on any colour.

Most is drawn in black and white that let the colour of the ground through, and so take its tint.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial

from pictures.ground import VIEW_BOX, blades
from pictures.pen import Pen, Point, around, blob, curve, outline, placed, puffs

VARIANTS = 4
SCALE = 0.0118
"""These pictures fill more of their cell than others: their unit is larger."""

BLACK, WHITE = "#000000", "#ffffff"

Draw = Callable[[Pen, random.Random], None]


def _varied(draw: Draw, seed: int) -> Pen:
    """A picture whose four features are drawn with different dice."""
    pen = Pen(VIEW_BOX, "feature", SCALE)
    for variant in range(VARIANTS):
        if variant:
            pen.group(f"feature-{variant + 1}")
        draw(pen, random.Random(100 * seed + variant))
    return pen


def _spread(
    rng: random.Random, count: int, apart: float, wide: float = 66, high: float = 56
) -> list[Point]:
    """Up to ``count`` points in an ellipse, ``apart`` from each other, from the top down."""
    found: list[Point] = []
    for _ in range(400):
        x, y = rng.uniform(-wide, wide), rng.uniform(-high, high)
        inside = (x / wide) ** 2 + (y / high) ** 2 <= 1
        if inside and all((x - px) ** 2 + (y - py) ** 2 >= apart * apart for px, py in found):
            found.append((x, y))
            if len(found) == count:
                break
    return sorted(found, key=lambda point: point[1])


def _patch(pen: Pen, rng: random.Random, colour: str, opacity: float) -> None:
    """A wide soft patch, which makes every variant a little lighter or darker somewhere."""
    x, y = rng.uniform(-28, 28), rng.uniform(-22, 22)
    pen.path(blob(x, y, 48, 34, rng, 0.2), colour, opacity=opacity)


WAVE = "M-20 0Q-13 -9 -6 -1Q1 7 8 -1Q14 -7 20 -2"


def open_sea() -> Pen:
    """Deep water: a patch of another depth and one to three long waves."""

    def draw(pen: Pen, rng: random.Random) -> None:
        _patch(pen, rng, BLACK, 0.07)
        for x, y in _spread(rng, rng.choice((1, 2, 2, 3)), 44, 50, 46):
            size = rng.uniform(1.0, 1.35)
            pen.path(placed(WAVE, x, y + 5, size), line=BLACK, width=4, opacity=0.16)
            pen.path(placed(WAVE, x, y, size), line=WHITE, width=5, opacity=0.34)

    return _varied(draw, 1)


def shallows() -> Pen:
    """Clear shallow water: many short ripples over spots of sand."""

    def draw(pen: Pen, rng: random.Random) -> None:
        for x, y in _spread(rng, 2, 50, 46, 40):
            pen.path(blob(x, y, 25, 15, rng, 0.2), "#f6e6ae", opacity=0.36)
        for x, y in _spread(rng, 6, 32, 60, 52):
            pen.path(placed("M-11 0Q-5 -7 0 0Q5 7 11 0", x, y), line=WHITE, width=5, opacity=0.62)

    return _varied(draw, 2)


def river() -> Pen:
    """Flowing water: long lines side by side that bend together."""

    def draw(pen: Pen, rng: random.Random) -> None:
        bend, shift = rng.uniform(-24, 24), rng.uniform(-8, 8)
        for row, across in enumerate((-38, -12, 14, 40)):
            short = rng.uniform(0, 26)
            line = [(-76 + short, across + shift), (-24, across - bend), (28, across + bend)]
            line.append((78 - 20 * (row % 2) - short / 2, across + shift))
            pen.path(curve(line, closed=False), line=WHITE, width=5, opacity=0.42)

    return _varied(draw, 3)


def swamp() -> Pen:
    """Pools between reeds."""

    def draw(pen: Pen, rng: random.Random) -> None:
        for x, y in _spread(rng, 3, 46, 50, 42):
            pen.path(blob(x, y, 28, 12, rng, 0.15), "#27566b", opacity=0.55)
            pen.path(placed("M-12 0Q-4 -4 4 0Q9 3 13 0", x, y), line=WHITE, width=3, opacity=0.4)
        for x, y in _spread(rng, 5, 34, 60, 48):
            pen.path(blades(x, y + 12, 32, 13, 5), BLACK, opacity=0.55)

    return _varied(draw, 4)


def desert() -> Pen:
    """Dunes: the light side and the shadow of a few crests."""

    def draw(pen: Pen, rng: random.Random) -> None:
        for x, y in _spread(rng, rng.choice((2, 3, 3)), 46, 46, 40):
            size = rng.uniform(0.8, 1.15)
            pen.path(
                placed("M-40 8Q-14 -22 6 -12Q24 -2 40 10Q6 2 -40 8Z", x, y, size),
                WHITE,
                opacity=0.42,
            )
            pen.path(
                placed("M6 -12Q24 -2 40 10Q16 10 2 14Q10 0 6 -12Z", x, y, size),
                "#6b4310",
                opacity=0.34,
            )
        for x, y in _spread(rng, 6, 24):
            pen.oval(x, y, 3, 2.4, "#6b4310", opacity=0.4)

    return _varied(draw, 5)


def grassland() -> Pen:
    """Open country: a few tufts, wide apart."""

    def draw(pen: Pen, rng: random.Random) -> None:
        _patch(pen, rng, WHITE, 0.1)
        for x, y in _spread(rng, rng.choice((3, 4, 5)), 36, 58, 50):
            pen.path(blades(x, y + 8, rng.uniform(19, 25), 13, 5), "#1d3a08", opacity=0.42)

    return _varied(draw, 6)


def farmland() -> Pen:
    """Fields, each with its furrows in another direction."""

    def draw(pen: Pen, rng: random.Random) -> None:
        turn = rng.choice((-1, 1))
        for x, y, dx, dy in (
            (-36, -22, 30, 24),
            (32, -24, 28, 22),
            (-30, 28, 28, 22),
            (36, 26, 28, 24),
        ):
            x, y = x + rng.uniform(-5, 5), y + rng.uniform(-4, 4)
            corners = [
                (x - dx, y - dy + 5),
                (x + dx, y - dy - 4),
                (x + dx - 3, y + dy),
                (x - dx + 4, y + dy + 3),
            ]
            light = rng.random() < 0.5
            pen.path(outline(corners), WHITE if light else BLACK, opacity=0.2 if light else 0.1)
            for row in (-0.55, 0.0, 0.55):
                lean = turn * (6 if light else -6)
                line = f"M{x - dx + 8} {y + row * dy + lean}L{x + dx - 8} {y + row * dy - lean}"
                pen.path(line, line="#3f3006", width=4, opacity=0.36)

    return _varied(draw, 7)


def woods() -> Pen:
    """Round crowns with their shadows."""

    def draw(pen: Pen, rng: random.Random) -> None:
        for x, y in _spread(rng, 8, 30, 62, 54):
            r = rng.uniform(18, 22)
            pen.oval(x + 4, y + 7, r * 1.05, r * 0.9, BLACK, opacity=0.24)
            pen.path(puffs(x, y, r, r * 0.94, 7, rng.uniform(0, 50)), "#0f3a14", opacity=0.5)
            crown = puffs(x - 4, y - 5, r * 0.6, r * 0.55, 6, rng.uniform(0, 60))
            pen.path(crown, "#b9e58a", opacity=0.34)

    return _varied(draw, 8)


def conifers() -> Pen:
    """Pointed trees."""

    def draw(pen: Pen, rng: random.Random) -> None:
        for x, y in _spread(rng, 7, 30, 58, 46):
            size = rng.uniform(0.9, 1.15)
            pen.path(placed("M-16 22L0 -30L16 22Z", x + 4, y + 4, size), BLACK, opacity=0.26)
            pen.path(placed("M-16 22L0 -30L16 22Z", x, y, size), "#06231c", opacity=0.62)
            pen.path(placed("M-16 22L0 -30L-1 22Z", x, y, size), WHITE, opacity=0.16)

    return _varied(draw, 9)


def jungle() -> Pen:
    """Palms over dense growth."""

    def draw(pen: Pen, rng: random.Random) -> None:
        for x, y in _spread(rng, 6, 34, 60, 50):
            pen.path(puffs(x, y, 21, 17, 9, rng.uniform(0, 40)), "#06280c", opacity=0.42)
        for x, y in _spread(rng, 3, 46, 46, 34):
            pen.path(
                f"M{x} {y + 26}Q{x + 5} {y + 6} {x} {y - 8}", line="#2c1a06", width=5, opacity=0.75
            )
            fronds = ""
            for turn in range(6):
                ex, ey = around(x, y - 6, 25, 18, 60 * turn + rng.uniform(-12, 12))
                mx, my = around(x, y - 18, 14, 10, 60 * turn)
                fronds += f"M{x} {y - 8}Q{mx} {my} {ex} {ey}"
            pen.path(fronds, line="#0d4512", width=7)
            pen.path(fronds, line=WHITE, width=2, opacity=0.4)

    return _varied(draw, 10)


def hills() -> Pen:
    """Rounded heights, shaded on the right."""

    def draw(pen: Pen, rng: random.Random) -> None:
        for x, y in _spread(rng, rng.choice((2, 3, 3)), 44, 42, 34):
            size = rng.uniform(0.85, 1.15)
            pen.path(
                placed("M-38 20C-30 -8 -14 -22 0 -22C14 -22 30 -8 38 20Z", x, y, size),
                WHITE,
                opacity=0.24,
            )
            pen.path(
                placed("M2 -22C16 -20 30 -8 38 20L14 20C18 4 14 -12 2 -22Z", x, y, size),
                BLACK,
                opacity=0.3,
            )
            line = placed("M-38 20C-30 -8 -14 -22 0 -22C14 -22 30 -8 38 20", x, y, size)
            pen.path(line, line="#2b1c06", width=4, opacity=0.6)

    return _varied(draw, 11)


def mountains() -> Pen:
    """Peaks with snow, one before the other."""

    def draw(pen: Pen, rng: random.Random) -> None:
        count = rng.choice((1, 2, 2))
        places = [(-30, -6, 0.86), (22, 8, 1.1)] if count == 2 else [(0, 4, 1.34)]
        if rng.random() < 0.5:
            places = [(-x, y, size) for x, y, size in places]
        for x, y, size in places:
            x, size = x + rng.uniform(-7, 7), size * rng.uniform(0.93, 1.07)
            lean = rng.uniform(-7, 7)
            peak = [(-46, 38), (-24, 6), (lean, -46), (20, -2), (46, 38)]
            shade = [(lean, -46), (20, -2), (46, 38), (8, 38), (-4, 2), (lean + 5, -18)]
            snow = [
                (lean - 13, -20),
                (lean, -46),
                (lean + 12, -21),
                (lean + 4, -27),
                (lean - 3, -15),
            ]
            pen.path(placed(outline(peak), x, y, size), WHITE, opacity=0.3)
            pen.path(placed(outline(shade), x, y, size), "#1c1005", opacity=0.46)
            pen.path(placed(outline(snow), x, y, size), "#fbfbf8", opacity=0.95)
            pen.path(placed(outline(peak), x, y, size), line="#2a1a0c", width=4, opacity=0.75)

    return _varied(draw, 12)


def ice() -> Pen:
    """Floes: cracks and the shadows along them."""

    def draw(pen: Pen, rng: random.Random) -> None:
        x, y = rng.uniform(-14, 14), rng.uniform(-12, 12)
        pen.path(blob(x + 20, y + 16, 34, 24, rng, 0.25), "#6f9fc0", opacity=0.2)
        start = rng.uniform(0, 360)
        for arm in range(3):
            direction = start + 120 * arm + rng.uniform(-22, 22)
            mx, my = around(x, y, 34, 30, direction + rng.uniform(-16, 16))
            ex, ey = around(x, y, 72, 60, direction)
            pen.path(f"M{x} {y}L{mx} {my}L{ex} {ey}", line="#5d8dad", width=4.5, opacity=0.62)
            fx, fy = around(mx, my, 26, 22, direction + rng.choice((-52, 52)))
            pen.path(f"M{mx} {my}L{fx} {fy}", line="#5d8dad", width=3.5, opacity=0.45)

    return _varied(draw, 13)


def houses() -> Pen:
    """Roofs among streets."""

    def draw(pen: Pen, rng: random.Random) -> None:
        for x, y in _spread(rng, 6, 36, 56, 46):
            wide, high = rng.uniform(14, 19), rng.uniform(11, 14)
            pen.path(
                outline([(x - wide, y), (x + wide, y), (x + wide, y + high), (x - wide, y + high)]),
                "#f4ead8",
            )
            roof = [(x - wide - 3, y + 1), (x, y - high - 5), (x + wide + 3, y + 1)]
            pen.path(outline(roof), rng.choice(("#a4452f", "#8c3a2b", "#b5603f")), "#4a1f14", 2.5)

    return _varied(draw, 14)


def pavement() -> Pen:
    """Slabs."""

    def draw(pen: Pen, rng: random.Random) -> None:
        joints = "M-78 60L78 60"
        for row in range(-2, 2):
            y = row * 30
            joints += f"M-78 {y}L78 {y}"
            for column in range(-2, 2):
                x = column * 40 + (20 if row % 2 else 10) + rng.uniform(-5, 5)
                joints += f"M{x} {y}L{x} {y + 30}"
        pen.path(joints, line=BLACK, width=3, opacity=0.28)

    return _varied(draw, 15)


def void() -> Pen:
    """Nothing but a few stars."""

    def draw(pen: Pen, rng: random.Random) -> None:
        for x, y in _spread(rng, rng.choice((3, 4, 6)), 30, 76, 66):
            r = rng.choice((2.2, 2.6, 3.4, 4.4))
            pen.oval(x, y, r, r, WHITE, opacity=0.85 if r < 3 else 0.7)

    return _varied(draw, 16)


def mist() -> Pen:
    """Drifting wisps."""

    def draw(pen: Pen, rng: random.Random) -> None:
        for x, y in _spread(rng, 4, 34, 46, 50):
            wide = rng.uniform(34, 48)
            pen.path(blob(x, y, wide, 9, rng, 0.12), WHITE, opacity=0.34)
            pen.path(blob(x - 12, y - 6, wide * 0.5, 8, rng, 0.12), WHITE, opacity=0.26)

    return _varied(draw, 17)


def _pattern(lines: Sequence[str], width: float = 5) -> Pen:
    """Lines over the whole cell, dark and light side by side: seen on every colour."""
    pen = Pen(VIEW_BOX, "ground")
    pen.path("".join(placed(d, 3, 4) for d in lines), line=WHITE, width=width, opacity=0.42)
    pen.path("".join(lines), line=BLACK, width=width, opacity=0.42)
    return pen


def patterns() -> dict[str, Callable[[], Pen]]:
    """The twelve patterns by name."""
    far, steps = 110, range(-165, 166, 33)
    level = [f"M-{far} {at}L{far} {at}" for at in steps]
    upright = [f"M{at} -{far}L{at} {far}" for at in steps]
    falling = [f"M{at - far} -{far}L{at + far} {far}" for at in range(-220, 221, 44)]
    rising = [f"M{at - far} {far}L{at + far} -{far}" for at in range(-220, 221, 44)]
    dots = [
        f"M{x + 20 * (row % 2)} {y}L{x + 20 * (row % 2) + 0.1} {y}"
        for row, y in enumerate(range(-100, 101, 28))
        for x in range(-120, 121, 40)
    ]
    waves = [
        curve(
            [(x, y + (9 if at % 2 else -9)) for at, x in enumerate(range(-121, 122, 22))],
            closed=False,
        )
        for y in range(-99, 100, 33)
    ]
    zigzag = [
        "M"
        + "L".join(
            f"{x} {y + (11 if at % 2 else -11)}" for at, x in enumerate(range(-121, 122, 22))
        )
        for y in range(-99, 100, 36)
    ]
    rings = [
        curve([around(x, y, 12, 12, 60 * step) for step in range(6)])
        for x, y in [
            (x + 25 * (row % 2), y)
            for row, y in enumerate(range(-100, 101, 44))
            for x in range(-125, 126, 50)
        ]
    ]
    crosses = [
        f"M{x - 9} {y}L{x + 9} {y}M{x} {y - 9}L{x} {y + 9}"
        for x, y in [
            (x + 22 * (row % 2), y)
            for row, y in enumerate(range(-99, 100, 36))
            for x in range(-132, 133, 44)
        ]
    ]
    bricks = level + [
        f"M{x + 22 * (row % 2)} {y}L{x + 22 * (row % 2)} {y + 33}"
        for row, y in enumerate(steps)
        for x in range(-132, 133, 44)
    ]
    kinds = (
        (dots, 16),
        (level, 5),
        (rising, 5),
        (waves, 5),
        (falling, 5),
        (rings, 5),
        (upright, 5),
        (zigzag, 5),
        (rising + falling, 5),
        (crosses, 5),
        (level + upright, 5),
        (bricks, 5),
    )
    return {f"Pattern {number}": partial(_pattern, *kind) for number, kind in enumerate(kinds, 1)}


WORLD: dict[str, Callable[[], Pen]] = {
    "Open sea": open_sea,
    "Shallows": shallows,
    "River": river,
    "Swamp": swamp,
    "Desert": desert,
    "Grassland": grassland,
    "Farmland": farmland,
    "Woods": woods,
    "Conifers": conifers,
    "Jungle": jungle,
    "Hills": hills,
    "Mountains": mountains,
    "Ice": ice,
    "Houses": houses,
    "Pavement": pavement,
    "Void": void,
    "Mist": mist,
    **patterns(),
}
"""The pictures by name."""
