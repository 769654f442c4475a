"""What people made: Tower, and pavements, houses and fields of worlds; and what nobody did."""

from __future__ import annotations

import random

from pictures.compose import grove, one_of, points_on_board, single
from pictures.ground import PERIOD, begin_ground, blades, grass, mottle, torus_points
from pictures.pen import Pen, Point, around, blob, outline
from pictures.vegetation import GREENS, bush, leafy, shadow


def _slabs(pen: Pen, rng: random.Random, tones: tuple[str, ...], joint: str, module: float) -> None:
    """Slabs of several sizes over the whole torus, laid so that no joint runs through."""
    count = round(PERIOD / module)
    size = PERIOD / count
    free = {(c, r) for c in range(count) for r in range(count)}
    begin_ground(pen, joint)
    for row in range(count):
        for column in range(count):
            shapes = [(2, 2), (2, 1), (1, 2), (2, 1)]
            rng.shuffle(shapes)
            for wide, high in [*shapes, (1, 1)]:
                cells = {
                    ((column + i) % count, (row + j) % count)
                    for i in range(wide)
                    for j in range(high)
                }
                if cells <= free:
                    free -= cells
                    a, b = column * size + 0.9, (column + wide) * size - 0.9
                    c, d = row * size + 0.9, (row + high) * size - 0.9
                    corners: list[Point] = []
                    for x, y, cut_x, cut_y in (
                        (a, c, 2, 2),
                        (b, c, -2, 2),
                        (b, d, -2, -2),
                        (a, d, 2, -2),
                    ):
                        x, y = x + rng.uniform(-0.6, 0.6), y + rng.uniform(-0.6, 0.6)
                        ends = [(x, y + cut_y), (x + cut_x, y)]
                        corners += ends if cut_x * cut_y > 0 else ends[::-1]
                    pen.path(outline(corners), rng.choice(tones))
                    pen.path(
                        f"M{a + 1.6} {d - 3}V{c + 1.8}H{b - 3}",
                        line="#f3efe6",
                        width=1,
                        opacity=0.6,
                    )
                    break
    mottle(pen, rng, 90, (50, 90), (("#5f584c", 0.22), ("#f0eadc", 0.2)))


def tower() -> Pen:
    """The flagstones of a tower, worn and cracked here and there."""
    rng = random.Random(81)
    pen = Pen("#b9b3a9")
    _slabs(pen, rng, ("#b9b2a5", "#c2bbae", "#b0a99b", "#bdb4a3", "#aba596"), "#837b6e", 27)

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 40, 60, -36, 54, 4):
            x, y, kind = x * size, y * size, rng.random()
            if kind < 0.4:
                d, turn = f"M{x:.1f} {y:.1f}", rng.uniform(0, 360)
                for _ in range(4):
                    x, y = around(x, y, 9 * size, 7 * size, turn + rng.uniform(-55, 55))
                    d += f"L{x:.1f} {y:.1f}"
                pen.path(d, line="#655d51", width=1.4 * size)
            elif kind < 0.65:
                pen.path(blob(x, y, 11 * size, 6 * size, rng, 0.3), "#8b9468", opacity=0.5)
                pen.path(blades(x, y, 8 * size, 5 * size, 4), "#6f7f46")
            else:
                for _ in range(3):
                    px, py, r = (
                        x + rng.uniform(-9, 9) * size,
                        y + rng.uniform(-5, 5) * size,
                        rng.uniform(2, 4) * size,
                    )
                    pen.oval(px + r * 0.4, py + r * 0.5, r, r * 0.7, "#4c463d", opacity=0.5)
                    pen.oval(px, py, r, r * 0.75, "#cfc9bd")

    single(pen, 82, draw)
    return pen


def pavement() -> Pen:
    """Slabs."""
    rng = random.Random(83)
    pen = Pen("#b4b0a8")
    _slabs(pen, rng, ("#b4afa6", "#bcb8af", "#aaa69d", "#b6b0a4"), "#8a867e", 22)

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 46, 60, -36, 54, 3):
            pen.path(
                blob(x * size, y * size, 12 * size, 7 * size, rng, 0.3), "#6f6b63", opacity=0.22
            )

    single(pen, 84, draw)
    return pen


def house(pen: Pen, name: str, rng: random.Random) -> None:
    """A house seen from the south-west, its roof lit on the left."""
    pen.element(name)
    wide, deep, high = rng.uniform(13, 17), rng.uniform(9, 12), rng.uniform(9, 12)
    roof, dark = rng.choice(
        (
            ("#b0573c", "#7d3828"),
            ("#9c4a36", "#6c3025"),
            ("#a9764a", "#765030"),
            ("#8d8578", "#5f594f"),
        )
    )
    shadow(pen, 4, 1, wide * 1.5, deep * 0.8, 0.8)
    pen.path(outline([(-wide, -high), (-wide, 0), (2, 4), (2, -high + 4)]), "#e7dcc4")
    pen.path(
        outline(
            [
                (2, -high + 4),
                (2, 4),
                (wide, -1),
                (wide, -high - 1),
                ((wide + 2) / 2, -high - deep - 2),
            ]
        ),
        "#b3a68c",
    )
    pen.path(
        outline(
            [
                (-wide - 2, -high + 1),
                (2, -high + 5.5),
                ((wide + 2) / 2, -high - deep - 3),
                (-wide / 2, -high - deep - 6),
            ]
        ),
        pen.slant(roof, dark),
    )
    pen.path(
        outline(
            [
                ((wide + 2) / 2, -high - deep - 3),
                (wide + 2, -high),
                (wide, -high + 0.5),
                ((wide + 2) / 2, -high - deep + 0.5),
                (3, -high + 5.5),
                (1.4, -high + 5),
            ]
        ),
        dark,
    )
    pen.path(
        outline(
            [(-wide * 0.62, -1.4), (-wide * 0.62, -6), (-wide * 0.36, -5.4), (-wide * 0.36, -0.6)]
        ),
        "#5d4630",
    )
    pen.path(outline([(-wide * 0.16, -4), (-wide * 0.16, -7), (-2, -6), (-2, -3)]), "#6d7680")


def houses() -> Pen:
    """Houses and gardens on trodden ground."""
    rng = random.Random(85)
    pen = Pen("#b9a08a")
    begin_ground(pen, "#b5a283")
    mottle(pen, rng, 70, (50, 90), (("#938062", 0.34), ("#cbbb9c", 0.36), ("#93a066", 0.36)))
    mottle(pen, rng, 36, (12, 26), (("#8d7b5f", 0.26), ("#d3c5a8", 0.26)))
    names = []
    for i in range(7):
        names.append(f"house{i}")
        house(pen, names[-1], rng)
    leafy(pen, "tree0", rng, 12, GREENS[2])
    leafy(pen, "tree1", rng, 11, GREENS[0])
    grove(
        pen, 86, one_of([*names, "tree0", "tree1"], 0.9, 1.05), 38, foot=10, board=(58, -6, 56, 7)
    )
    return pen


def farmland() -> Pen:
    """Fields of several crops, with furrows and hedges."""
    rng = random.Random(87)
    pen = Pen("#c2c06a")
    grass(pen, rng, "#b5b468", "#8b9150", "#cfcd8a")
    bush(pen, "bush0", rng, 7, ("#48672f", "#688742", "#93ae5e"))
    leafy(pen, "tree0", rng, 10, GREENS[2])
    crops = (
        ("#d3bd62", "#a98f3c"),
        ("#a3b556", "#788a3c"),
        ("#b89a68", "#8a6d43"),
        ("#c9c678", "#9d9a4e"),
        ("#8fa652", "#667c38"),
    )

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        lean = rng.uniform(-0.25, 0.25)
        things = []
        for x, y, wide, high in (
            (-34, -20, 28, 21),
            (30, -24, 27, 20),
            (-28, 30, 29, 20),
            (36, 26, 25, 23),
        ):
            base, dark = rng.choice(crops)
            x, y = x + rng.uniform(-3, 3), y + rng.uniform(-3, 3)

            def at(
                u: float,
                v: float,
                x: float = x,
                y: float = y,
                wide: float = wide,
                high: float = high,
            ) -> Point:
                return (x + u * wide + v * high * lean) * size, (
                    y + v * high - u * wide * lean
                ) * size

            corners = [
                at(u + rng.uniform(-0.06, 0.06), v + rng.uniform(-0.06, 0.06))
                for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))
            ]
            pen.path(outline(corners), pen.slant(base, dark), opacity=0.9)
            d = ""
            along = rng.random() < 0.5
            for i in range(-3, 4):
                a, b = (
                    (at(i / 3.7, -0.88), at(i / 3.7, 0.88))
                    if along
                    else (at(-0.9, i / 3.7), at(0.9, i / 3.7))
                )
                d += f"M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}"
            pen.path(d, line=dark, width=1.5 * size, opacity=0.75)
            for u in (-0.7, 0.0, 0.7):
                if rng.random() < 0.45:
                    things.append((*at(u, 1.1), rng.choice(("bush0", "bush0", "tree0"))))
        for px, py, name in sorted(things, key=lambda each: each[1]):
            pen.use(name, px, py, size * 0.9)

    single(pen, 88, draw)
    return pen


def void() -> Pen:
    """Nothing but stars."""
    rng = random.Random(89)
    pen = Pen("#17181f")
    begin_ground(pen, "#17181f")
    mottle(pen, rng, 110, (80, 140), (("#2b2d45", 0.5), ("#0b0c11", 0.6), ("#33293f", 0.36)))
    for i, (x, y) in enumerate(torus_points(rng, 34)):
        r = (1.0, 1.4, 1.9, 2.6)[i * 7 % 4]
        pen.oval(x, y, r, r, ("#ffffff", "#cfd8ff", "#fff0d6")[i % 3], opacity=0.5 + 0.12 * (i % 4))

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 50, 60, -40, 56, 2):
            r = rng.uniform(2, 3.4) * size
            pen.oval(x * size, y * size, r * 3.4, r * 3.4, pen.soft("#aebcff", 0.5))
            pen.oval(x * size, y * size, r, r, "#ffffff")

    single(pen, 90, draw)
    return pen


def mist() -> Pen:
    """Drifting wisps."""
    rng = random.Random(91)
    pen = Pen("#8d8a9c")
    begin_ground(pen, "#8d8a9c")
    mottle(pen, rng, 80, (70, 130), (("#b9b7c4", 0.5), ("#6b687b", 0.42)))

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 36, 40, -34, 50, 4):
            wide = rng.uniform(34, 52) * size
            pen.oval(x * size, y * size, wide, wide * 0.3, pen.soft("#f1f0f5", 0.62))

    single(pen, 92, draw)
    return pen
