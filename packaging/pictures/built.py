"""What people made: Tower, and pavements and houses of worlds; and what nobody did."""

from __future__ import annotations

import random

from pictures.compose import each_of, grove, points_on_board, single, spans
from pictures.ground import PERIOD, begin_ground, blades, mottle, torus_points
from pictures.pen import Pen, Point, around, blob, commands, outline
from pictures.vegetation import GREENS, leafy, shadow


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
                    a = column * size + 0.9
                    b = (column + wide) * size - 0.9
                    c = row * size + 0.9
                    d = (row + high) * size - 0.9
                    corners: list[Point] = []
                    for x, y, cut_x, cut_y in (
                        (a, c, 2, 2),
                        (b, c, -2, 2),
                        (b, d, -2, -2),
                        (a, d, 2, -2),
                    ):
                        x = x + rng.uniform(-0.6, 0.6)
                        y = y + rng.uniform(-0.6, 0.6)
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
            x = x * size
            y = y * size
            kind = rng.random()
            if kind < 0.4:
                d = f"M{x:.1f} {y:.1f}"
                turn = rng.uniform(0, 360)
                for _ in range(4):
                    x, y = around(x, y, 9 * size, 7 * size, turn + rng.uniform(-55, 55))
                    d += f"L{x:.1f} {y:.1f}"
                pen.path(d, line="#655d51", width=1.4 * size)
            elif kind < 0.65:
                pen.path(blob(x, y, 11 * size, 6 * size, rng, 0.3), "#8b9468", opacity=0.5)
                pen.path(blades(x, y, 8 * size, 5 * size, 4), "#6f7f46")
            else:
                for _ in range(3):
                    px = x + rng.uniform(-9, 9) * size
                    py = y + rng.uniform(-5, 5) * size
                    r = rng.uniform(2, 4) * size
                    pen.oval(px + r * 0.4, py + r * 0.5, r, r * 0.7, "#4c463d", opacity=0.5)
                    pen.oval(px, py, r, r * 0.75, "#cfc9bd")

    for i in range(3):
        turret(pen, f"turret{i}", rng, (15, 15, 21)[i], (34, 40, 52)[i])

    def keep(pen: Pen, rng: random.Random, size: float) -> None:
        draw(pen, rng, size)
        if rng.random() < 0.3:
            x = rng.uniform(-24, 24) * size
            y = rng.uniform(24, 38) * size
            pen.use(f"turret{rng.randrange(2)}", x, y, size)

    def castle(pen: Pen, rng: random.Random, size: float, centres: list[Point]) -> None:
        x, y = (sum(each) / len(centres) for each in zip(*centres, strict=True))
        corners = sorted(
            ((x + (cx - x) * 0.9, y + (cy - y) * 0.8 + 26 * size) for cx, cy in centres),
            key=lambda each: each[1],
        )
        things = [(px, py, rng.randrange(2)) for px, py in corners]
        if len(centres) > 2:
            things.append((x, y + 30 * size, 2))
        walls = [(a, b) for i, a in enumerate(corners) for b in corners[i + 1 :]]
        middle = y + 26 * size
        for a, b in walls:
            if a[1] + b[1] <= 2 * middle:
                wall(pen, a, b, size)
        for px, py, number in sorted(things, key=lambda each: each[1]):
            pen.use(f"turret{number}", px, py, size)
            for a, b in walls:
                if a[1] + b[1] > 2 * middle and (px, py) == max(a, b, key=lambda each: each[1]):
                    wall(pen, a, b, size)
        for px, py, number in things:
            if py > middle and number < 2:
                pen.use(f"turret{number}", px, py, size)

    single(pen, 82, keep, count=8, board=draw)
    spans(pen, 93, castle)
    return pen


def wall(pen: Pen, a: Point, b: Point, size: float) -> None:
    """A wall with battlements between the feet of two turrets."""
    (ax, ay), (bx, by) = sorted((a, b))
    high = 17 * size
    pen.path(
        outline([(ax, ay), (bx, by), (bx + 6, by + 7 * size), (ax + 6, ay + 7 * size)]),
        "#2b2620",
        opacity=0.35,
    )
    front = [(ax, ay), (bx, by), (bx, by - high), (ax, ay - high)]
    pen.path(outline(front), "#a79f91" if by <= ay else "#8d8578", "#5b5449", 1)
    deep = 4 * size
    top = [(ax, ay - high), (bx, by - high), (bx, by - high - deep), (ax, ay - high - deep)]
    pen.path(outline(top), "#d2cabb", "#6a6256", 0.8)
    d = ""
    count = max(
        3,
        round(abs(bx - ax) / (9 * size))
        if abs(bx - ax) > abs(by - ay)
        else round(abs(by - ay) / (9 * size)),
    )
    for i in range(count):
        t = (i + 0.25) / count
        x = ax + (bx - ax) * t
        y = ay + (by - ay) * t - high
        w = (bx - ax) * 0.5 / count
        rise = (by - ay) * 0.5 / count
        d += outline([(x, y), (x + w, y + rise), (x + w, y + rise - 4 * size), (x, y - 4 * size)])
    pen.path(d, "#bdb5a6", "#6a6256", 0.7)


def turret(pen: Pen, name: str, rng: random.Random, r: float, high: float) -> None:
    """A round tower whose middle foot is at (0, 0), with battlements."""
    pen.element(name)
    shadow(pen, r * 0.5, 0, r * 1.7, r * 0.8, 0.85)
    flat = 0.36
    bow = r * flat
    body = commands("M", -r, -high, "L", -r, 0, "Q", -r, bow, 0, bow, "Q", r, bow, r, 0)
    body += commands("L", r, -high, "Z")
    stone = pen.linear((-r, 0), (r, 0), (0, "#cdc5b5"), (0.35, "#b9b0a0"), (1, "#6d665b"))
    pen.path(body, stone, "#5b5449", 1)
    courses = ""
    for i in range(1, int(high / 7)):
        y = -i * 7
        courses += f"M{-r * 0.95:.1f} {y}Q0 {y + r * flat:.1f} {r * 0.95:.1f} {y}"
    pen.path(courses, line="#7d7569", width=0.8, opacity=0.6)
    out = r * 1.16
    top = -high - 5
    low = -high + 1
    rim = commands(
        "M", -out, top, "V", low, "Q", 0, low + out * flat * 1.9, out, low, "V", top, "Z"
    )
    pen.path(rim, stone, "#5b5449", 1)
    pen.oval(0, -high - 5, out, out * flat, "#d6cfc1", "#5b5449", 1)
    pen.oval(0, -high - 5, out * 0.76, out * flat * 0.72, "#8d8578")
    teeth = ""
    for i in range(9):
        x, y = around(0, -high - 5, out * 0.9, out * flat * 0.9, 40 * i + 12)
        teeth += outline([(x - 2.2, y), (x + 2.2, y), (x + 2.2, y - 4.5), (x - 2.2, y - 4.5)])
    pen.path(teeth, "#c9c1b1", "#6a6256", 0.7)
    slits = commands("M", -r * 0.35, -high * 0.5, "v", -6, "M", r * 0.2, -high * 0.28, "v", -6)
    pen.path(slits, line="#3c362f", width=2)


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


ROOFS = (
    ("#b0573c", "#7d3828"),
    ("#9c4a36", "#6c3025"),
    ("#a9764a", "#765030"),
    ("#8d8578", "#5f594f"),
)


def house(
    pen: Pen,
    name: str,
    rng: random.Random,
    roofs: tuple[tuple[str, str], ...] = ROOFS,
    floors: int = 0,
) -> None:
    """A house seen from the south-west, its roof lit on the left, with ``floors`` above."""
    pen.element(name)
    wide = rng.uniform(13, 17)
    deep = rng.uniform(9, 12)
    high = rng.uniform(9, 12)
    roof, dark = rng.choice(roofs)
    high += 8 * floors
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
    panes = "".join(
        f"M{x * wide:.1f} {-4.5 - 8 * floor + x * 3:.1f}v-3.4"
        for floor in range(1, floors + 1)
        for x in (-0.75, -0.42, -0.1, 0.55)
    )
    if panes:
        pen.path(panes, line="#6d6656", width=2.2)


def houses() -> Pen:
    """Houses and gardens on trodden ground."""
    rng = random.Random(85)
    pen = Pen("#b9a08a")
    begin_ground(pen, "#b5a283")
    mottle(pen, rng, 70, (50, 90), (("#938062", 0.34), ("#cbbb9c", 0.36), ("#93a066", 0.36)))
    mottle(pen, rng, 36, (12, 26), (("#8d7b5f", 0.26), ("#d3c5a8", 0.26)))
    names = []
    for i in range(10):
        names.append(f"house{i}")
        house(pen, names[-1], rng, ROOFS[i % 4 :] + ROOFS[: i % 4], (0, 0, 1, 0, 0)[i % 5])
    leafy(pen, "tree0", rng, 12, GREENS[2])
    leafy(pen, "tree1", rng, 11, GREENS[0])
    grove(
        pen, 86, each_of([*names, "tree0", "tree1"], 0.95, 1.15), 45, foot=10, board=(58, -6, 56, 7)
    )
    return pen


def void() -> Pen:
    """Nothing but stars."""
    rng = random.Random(89)
    pen = Pen("#17181f")
    begin_ground(pen, "#17181f")
    mottle(pen, rng, 110, (80, 140), (("#2b2d45", 0.5), ("#0b0c11", 0.6), ("#33293f", 0.36)))
    for i, (x, y) in enumerate(torus_points(rng, 62)):
        r = (0.9, 1.1, 1.4, 1.8)[i * 7 % 4]
        pen.oval(x, y, r, r, ("#ffffff", "#cfd8ff", "#fff0d6")[i % 3], opacity=0.3 + 0.1 * (i % 4))

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 50, 60, -40, 56, 1):
            r = rng.uniform(1.0, 1.8) * size
            pen.oval(x * size, y * size, r * 3, r * 3, pen.soft("#aebcff", 0.4))
            pen.oval(x * size, y * size, r, r, "#ffffff", opacity=0.7)

    single(pen, 90, draw)
    return pen


def mist() -> Pen:
    """Drifting wisps."""
    rng = random.Random(91)
    pen = Pen("#8d8a9c")
    begin_ground(pen, "#8d8a9c")
    mottle(pen, rng, 80, (70, 130), (("#b9b7c4", 0.5), ("#6b687b", 0.42)))
    mottle(pen, rng, 60, (50, 80), (("#cccad5", 0.36),))

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 40, 44, -34, 50, 3):
            wide = rng.uniform(46, 84) * size
            pen.oval(x * size, y * size, wide, wide * 0.34, pen.soft("#f1f0f5", 0.34))

    single(pen, 92, draw)
    return pen
