"""Terrains of landscapes and battlefields: beaches, heaths, badlands, high mountains, towns."""

from __future__ import annotations

import math
import random

from pictures.built import house, turret
from pictures.compose import (
    CELLS,
    VARIANTS,
    Bag,
    each_of,
    grove,
    inside,
    one_of,
    points_in,
    points_on_board,
    sides,
    single,
    spans,
)
from pictures.dry import snow_ground
from pictures.ground import PERIOD, begin_ground, blades, grass, marks, mottle
from pictures.pen import Pen, Point, around, blob, commands, curve, outline, placed, puffs
from pictures.rock import boulder, mix, peak, ranges
from pictures.vegetation import GREENS, bush, conifer, leafy, shadow


def _stand(pen: Pen, things: list[tuple[float, float, str, float]]) -> None:
    """Draw elements (x, y, name, scale) from the north to the south."""
    for x, y, name, scale in sorted(things, key=lambda each: each[1]):
        pen.use(name, x, y, scale)


# --- sand, heath, snow ----------------------------------------------------------------------------


def beach() -> Pen:
    """Sand with the lines of the tide, pebbles, driftwood and marram grass."""
    rng = random.Random(101)
    pen = Pen("#e6d6a0")
    begin_ground(pen, "#e8d9a8")
    mottle(pen, rng, 150, (110, 190), (("#d3bf88", 0.4), ("#f4ebc8", 0.55)))
    mottle(pen, rng, 60, (20, 46), (("#cdb67f", 0.26), ("#f6eed0", 0.4)))
    marks(
        pen,
        rng,
        34,
        lambda x, y: f"M{x - 13} {y}q6.5 -3 13 0t13 0.6",
        (
            {"line": "#cbb482", "width": 1.3, "opacity": 0.55},
            {"line": "#fbf5dd", "width": 1.5, "opacity": 0.7},
        ),
    )
    marks(
        pen,
        rng,
        44,
        lambda x, y: outline([around(x, y, 1.7, 1.2, 60 * i) for i in range(6)]),
        ({"fill": "#a99a78"}, {"fill": "#8f8878"}, {"fill": "#f7f3e6"}),
    )
    pen.element("grass0")
    shadow(pen, 0, 0, 9, 3.4, 0.4)
    pen.path(blades(0, 0, 15, 9, 7), "#8f9a55")
    pen.path(blades(-1, 0.5, 11, 6, 5), "#b6bd78")
    pen.element("wood0")
    shadow(pen, 0, 1, 13, 3, 0.5)
    pen.path("M-13 1Q-4 -4 12 -2.6L13 0.4Q0 -0.4 -12 3.4Z", pen.slant("#b7a68a", "#7d6c53"))
    for i in range(2):
        boulder(pen, f"rock{i}", rng, 4.5 + 2 * i, "#77705f", "#dcd5c0")

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        names = ("grass0", "grass0", "rock0", "rock0", "rock1", "wood0")
        points = points_on_board(rng, 44, 64, -40, 58, rng.choice((1, 2, 3)))
        _stand(pen, [(x * size, y * size, rng.choice(names), size) for x, y in points])

    single(pen, 102, draw, count=8)
    return pen


def heath() -> Pen:
    """Heather in flower, gorse and poor grass."""
    rng = random.Random(103)
    pen = Pen("#a39a68")
    grass(pen, rng, "#a9ab66", "#84874d", "#c2c083", 24)
    mottle(pen, rng, 130, (80, 150), (("#94738c", 0.26), ("#8b8a4e", 0.24)))
    mottle(pen, rng, 46, (14, 30), (("#8f6a8e", 0.3), ("#b7ad70", 0.3)))
    heathers = (("#5d5a3a", "#80607c", "#b08fb0"), ("#56573a", "#8a5f80", "#c39abf"))
    for i in range(4):
        pen.element(f"heather{i}")
        r = rng.uniform(8, 11)
        dark, middle, light = heathers[i % 2]
        shadow(pen, 0, 0, r * 1.3, r * 0.55, 0.5)
        pen.path(puffs(0, -r * 0.34, r, r * 0.5, 9, rng.uniform(0, 40)), dark)
        pen.path(puffs(-1, -r * 0.52, r * 0.8, r * 0.4, 8, rng.uniform(0, 40)), middle)
        d = ""
        for _ in range(9):
            x, y = around(-1.5, -r * 0.6, rng.uniform(0, 0.68) * r, r * 0.32, rng.uniform(0, 360))
            d += f"M{x:.1f} {y:.1f}v-2"
        pen.path(d, line=light, width=1.7)
    for i in range(2):
        bush(pen, f"gorse{i}", rng, 9.5 - i, ("#46542a", "#67763a", "#8d9650"))
        for _ in range(8):
            x, y = around(-1, -6, rng.uniform(1, 7), 4, rng.uniform(0, 360))
            pen.oval(x, y, 1.3, 1.2, "#f0cf4c")
    for i in range(2):
        pen.element(f"tuft{i}")
        pen.path(blades(0, 0, 12, 8, 6), "#7c7d45")
        pen.path(blades(-1, 0.5, 8, 5, 4), "#c9c388")
    boulder(pen, "rock0", rng, 7, "#5f5d55", "#cfcabb")
    heather = [f"heather{i}" for i in range(4)]
    grove(
        pen,
        104,
        one_of([*heather, *heather, *heather, "gorse0", "tuft0", "rock0"], 1.0, 1.6),
        34,
        foot=4,
        board=(62, -16, 56, 10),
        other=one_of([*heather, "gorse0", "gorse1", "gorse1", "tuft0", "tuft1", "rock0"], 0.9, 1.4),
    )
    return pen


def snow() -> Pen:
    """Land under snow: firs and rocks still show."""
    rng = random.Random(105)
    pen = Pen("#eaf0f4")
    snow_ground(pen, rng, "#edf2f5")
    mottle(pen, rng, 150, (100, 170), (("#c6d6e2", 0.5), ("#ffffff", 0.7)))
    for i in range(3):
        high = rng.uniform(28, 38)
        conifer(pen, f"fir{i}", rng, high, ("#3a5650", "#7f9c95", "#f4f8f9"))
        pen.element(f"mound{i}")
        w = rng.uniform(20, 30)
        pen.oval(6, 2, w * 1.1, w * 0.3, pen.soft("#7f9cb6", 0.55))
        points = [(-w, 2.0), (-w * 0.4, -w * 0.3), (w * 0.2, -w * 0.34), (w, 2.0), (0.0, 5.0)]
        pen.path(
            curve(points, tension=0.7),
            pen.linear((-w * 0.4, -w * 0.4), (w * 0.8, 6), (0, "#ffffff"), (1, "#cbdae6")),
        )
    for i in range(2):
        boulder(pen, f"rock{i}", rng, 6 + 2 * i, "#5c646c", "#f4f6f7")
        pen.element(f"tuft{i}")
        pen.path(blades(0, 0, 9, 7, 5), "#a49c78")

    def bare(pen: Pen, rng: random.Random, size: float) -> None:
        names = ("mound0", "mound1", "mound2", "mound2", "rock0", "rock1", "tuft0", "tuft1")
        points = points_on_board(rng, 34, 66, -34, 58, rng.choice((2, 3, 4)))
        _stand(pen, [(x * size, y * size, rng.choice(names), size) for x, y in points])

    def wooded(pen: Pen, rng: random.Random, size: float) -> None:
        names = ("fir0", "fir1", "fir2", "fir0", "fir1", "mound0", "rock0")
        points = points_on_board(rng, 25, 70, -40, 66, rng.choice((5, 7, 9)))
        _stand(pen, [(x * size, y * size, rng.choice(names), size) for x, y in points])

    single(pen, 106, bare, count=8, other=wooded)
    return pen


# --- rock -----------------------------------------------------------------------------------------

STRATA = ("#b5683f", "#d39a63", "#a55b3a", "#c98450", "#8f4d35")


def _mesa(pen: Pen, name: str, rng: random.Random, wide: float, high: float) -> None:
    """A table hill in layers of rock whose middle foot is at (0, 0)."""
    pen.element(name)
    pen.oval(wide * 0.35, wide * 0.04, wide * 1.15, wide * 0.34, pen.soft("#2a140b", 0.7))
    count = 9
    top = [
        around(0, -high, wide * rng.uniform(0.6, 0.74), wide * rng.uniform(0.2, 0.27), 40 * i)
        for i in range(count)
    ]
    foot = [around(0, 0, wide * rng.uniform(0.92, 1.06), wide * 0.3, 40 * i) for i in range(count)]
    front = [i for i in range(count) if 0 <= 40 * i <= 200]
    layers = 5

    def at(i: int, share: float) -> Point:
        (ax, ay) = top[i % count]
        (bx, by) = foot[i % count]
        slope = share**1.7 if i % 2 else share**1.35  # steep above, with a skirt of scree
        return ax + (bx - ax) * slope, ay + (by - ay) * share

    for i in (8, *front):
        middle = math.radians(40 * i + 20)
        lit = -math.cos(middle) * 0.55 + 0.25
        for layer in range(layers):
            a = layer / layers
            b = (layer + 1) / layers
            face = [at(i, a), at(i + 1, a), at(i + 1, b), at(i, b)]
            tone = STRATA[(layer + len(name)) % len(STRATA)]
            dark = mix(tone, "#3a1d14", 0.52)
            light = mix(tone, "#f3d3a0", 0.4)
            pen.path(outline(face), mix(dark, light, min(1.0, max(0.0, 0.5 + lit))))
    pen.path(outline(top), pen.slant("#eac795", "#c98f5c"))
    pen.path(outline(top[5:] + top[:1]), line="#f8e2ba", width=1.3, opacity=0.8)


def badlands() -> Pen:
    """Furrowed red earth under table hills."""
    rng = random.Random(107)
    pen = Pen("#b98a63")
    begin_ground(pen, "#c4935f")
    mottle(pen, rng, 140, (90, 160), (("#a9673f", 0.42), ("#dcb880", 0.46)))
    mottle(pen, rng, 46, (16, 36), (("#a4633f", 0.3), ("#e0bd88", 0.34), ("#9b9560", 0.2)))

    def gully(x: float, y: float) -> str:
        d = f"M{x:.1f} {y:.1f}"
        turn = rng.choice((20, 160)) + rng.uniform(-25, 25)
        for _ in range(3):
            x, y = around(x, y, rng.uniform(6, 12), rng.uniform(4, 8), turn + rng.uniform(-40, 40))
            d += f"L{x:.1f} {y:.1f}"
        return d

    marks(
        pen,
        rng,
        38,
        gully,
        (
            {"line": "#8a5233", "width": 1.7, "opacity": 0.6},
            {"line": "#e9cb98", "width": 1.6, "opacity": 0.6},
        ),
    )
    for i in range(4):
        _mesa(pen, f"mesa{i}", rng, rng.uniform(40, 50), rng.uniform(26, 38))
        _mesa(pen, f"butte{i}", rng, rng.uniform(17, 24), rng.uniform(22, 38))
    for i in range(3):
        _mesa(pen, f"great{i}", rng, rng.uniform(84, 98), rng.uniform(46, 58))
    boulder(pen, "rock0", rng, 7, "#6b4029", "#e3b987")
    bush(pen, "scrub0", rng, 6, ("#5f5f35", "#7d7b48", "#a3a066"))
    small = ("butte0", "butte1", "butte2", "butte3", "rock0", "rock0", "scrub0", "scrub0")

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        things = [
            (x * size, y * size, rng.choice(small), size * rng.uniform(0.8, 1.1))
            for x, y in points_on_board(rng, 40, 66, -36, 58, 5)
        ]
        if rng.random() < 0.6:
            place = rng.uniform(-22, 22) * size, rng.uniform(0, 34) * size
            things = [thing for thing in things if math.dist(thing[:2], place) > 50 * size]
            things.append((*place, f"mesa{rng.randrange(4)}", size * rng.uniform(0.8, 1.0)))
        _stand(pen, things)

    def span(pen: Pen, rng: random.Random, size: float, centres: list[Point]) -> None:
        x, y = (sum(each) / len(centres) for each in zip(*centres, strict=True))
        scale = (1.05 if len(centres) > 2 else 0.8) * size
        things = [(x, y + 34 * size, f"great{rng.randrange(3)}", scale)]
        for cx, cy in centres:
            px = x + (cx - x) * 1.35
            py = y + (cy - y) * 1.35 + 34 * size
            for _ in range(2):
                near = px + rng.uniform(-34, 34) * size, py + rng.uniform(-26, 12) * size
                things.append((*near, rng.choice(small), size * rng.uniform(0.8, 1.15)))
        _stand(pen, things)

    single(pen, 108, draw, count=8)
    spans(pen, 109, span)
    return pen


ALPS = {"lit": "#cfccc6", "middle": "#a3a09c", "shade": "#6d7079", "deep": "#4c515c"}


def high_mountains() -> Pen:
    """Sharp peaks under snow between glaciers."""
    rng = random.Random(110)
    pen = Pen("#a9a39c")
    begin_ground(pen, "#aca290")
    mottle(pen, rng, 76, (50, 95), (("#857c6f", 0.4), ("#eef1f1", 0.5), ("#938a7b", 0.3)))
    mottle(pen, rng, 36, (12, 28), (("#7d756a", 0.3), ("#f4f7f8", 0.55)))
    marks(
        pen,
        rng,
        30,
        lambda x, y: f"M{x} {y}l{rng.uniform(4, 8)} {rng.uniform(1, 5)}",
        (
            {"line": "#6f675d", "width": 1.6, "opacity": 0.55},
            {"line": "#f2f6f8", "width": 1.8, "opacity": 0.8},
        ),
    )
    foot = "#a69c8c"
    for i in range(4):
        snow = (0.62, 0.74, 0.86, 0.68)[i]
        peak(pen, f"summit{i}", rng, rng.uniform(100, 114), rng.uniform(128, 150), snow, foot, ALPS)
        peak(pen, f"peak{i}", rng, rng.uniform(84, 96), rng.uniform(96, 114), 0.56, foot, ALPS)
        peak(pen, f"small{i}", rng, rng.uniform(64, 76), rng.uniform(66, 82), 0.46, foot, ALPS)
        peak(pen, f"crag{i}", rng, rng.uniform(40, 52), rng.uniform(28, 40), 0.2, foot, ALPS)
    for i in range(3):
        peak(pen, f"great{i}", rng, rng.uniform(116, 130), rng.uniform(164, 186), 0.7, foot, ALPS)
    ranges(pen, 111, 112, 126)
    return pen


def rough() -> Pen:
    """Broken ground: rocks, scrub and poor grass."""
    rng = random.Random(113)
    pen = Pen("#a8a08a")
    grass(pen, rng, "#a9a578", "#7f7c58", "#c6c198", 26)
    mottle(pen, rng, 60, (30, 60), (("#94876a", 0.42), ("#bdb494", 0.36)))

    def pebble(x: float, y: float) -> str:
        r = rng.uniform(1.6, 3.4)
        return outline([around(x, y, r, r * 0.72, 60 * i + rng.uniform(-14, 14)) for i in range(6)])

    marks(pen, rng, 34, pebble, ({"fill": "#7f7b70"}, {"fill": "#cbc7ba"}))
    names = []
    for i in range(6):
        names.append(f"rock{i}")
        boulder(pen, names[-1], rng, (6, 9, 12, 16, 20, 9)[i], "#57524b", "#d2ccbf")
    for i in range(3):
        names += [f"scrub{i}"] * 2
        tones = (("#4c5a30", "#6d7a42", "#98a362"), ("#5a5c34", "#7c7b46", "#a8a468"))[i % 2]
        bush(pen, f"scrub{i}", rng, 7 + 2 * i, tones)
    grove(pen, 114, one_of(names, 0.85, 1.15), 40, foot=7, board=(62, -16, 56, 9))
    return pen


# --- fields ---------------------------------------------------------------------------------------

CROPS = (
    ("#d9c163", "#b0953f"),
    ("#a8ba58", "#7d9040"),
    ("#bda878", "#937f54"),
    ("#cbc97a", "#a09d50"),
    ("#93ab5c", "#6d8342"),
    ("#b5c46c", "#8b9c4a"),
)
GRAIN = (("#dcc263", "#ad8f38"), ("#d3b658", "#a58735"), ("#e2cd78", "#b59a48"))
ROWS = 11
"""Rows of fields in a ground."""


def _fields(pen: Pen, rng: random.Random, crops: tuple[tuple[str, str], ...], hedge: str) -> None:
    """A mosaic of fields over the whole torus, with furrows and with hedges between them."""
    begin_ground(pen, mix(hedge, crops[0][0], 0.45))

    def bent(x: float, y: float) -> Point:
        turn = 2 * math.pi / PERIOD
        return (
            x + 30 * math.sin(turn * y + 0.6) + 10 * math.sin(turn * (2 * x + y)),
            y + 26 * math.sin(turn * x) + 12 * math.sin(turn * (x - 2 * y) + 2),
        )

    hedges = ""
    trees = []
    for row in range(ROWS):
        count = rng.choice((7, 8, 9))
        start = rng.uniform(0, 80)
        top = PERIOD / ROWS * row
        bottom = PERIOD / ROWS * (row + 1)
        steps = [start + PERIOD / count * (i + rng.uniform(-0.18, 0.18)) for i in range(count)]
        for left, right in zip(steps, [*steps[1:], steps[0] + PERIOD], strict=True):
            corners = [bent(left, top), bent(right, top), bent(right, bottom), bent(left, bottom)]
            (ax, ay), (bx, by), (_cx, _cy), (dx, dy) = corners

            def at(u: float, v: float, corners: list[Point] = corners) -> Point:
                a, b, c, d = corners
                return (
                    (a[0] * (1 - u) + b[0] * u) * (1 - v) + (d[0] * (1 - u) + c[0] * u) * v,
                    (a[1] * (1 - u) + b[1] * u) * (1 - v) + (d[1] * (1 - u) + c[1] * u) * v,
                )

            base, dark = rng.choice(crops)
            field = [at(0.03, 0.04), at(0.97, 0.04), at(0.97, 0.96), at(0.03, 0.96)]
            pen.path(outline(field), pen.slant(mix(base, "#fff8d8", 0.16), base))
            along = rng.random() < 0.5
            lines = ""
            for i in range(1, 8 if along else 6):
                t = i / (8 if along else 6)
                (x, y), (z, w) = (at(t, 0.07), at(t, 0.93)) if along else (at(0.05, t), at(0.95, t))
                lines += f"M{x:.1f} {y:.1f}L{z:.1f} {w:.1f}"
            pen.path(lines, line=dark, width=1.5, opacity=0.6)
            hedges += f"M{dx:.1f} {dy:.1f}L{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}"
            trees += [at(rng.choice((0.0, 0.3, 0.6)), 0.0) for _ in range(rng.choice((0, 1, 2)))]
    pen.path(hedges, line=hedge, width=2.6, opacity=0.75)
    shade = "".join(blob(x + 1.6, y + 1.2, 4.2, 2.6, rng, 0.2, 6) for x, y in trees)
    pen.path(shade, "#2c3a1c", opacity=0.5)
    for tone, part in ((hedge, trees[::2]), (mix(hedge, "#9cb564", 0.4), trees[1::2])):
        pen.path("".join(blob(x, y - 1.5, 3.6, 2.8, rng, 0.2, 6) for x, y in part), tone)
    mottle(pen, rng, 190, (110, 190), (("#6f7a38", 0.2), ("#f4e9b0", 0.22)))


def farmland() -> Pen:
    """Fields of several crops between hedges, with farmsteads and trees."""
    rng = random.Random(87)
    pen = Pen("#c2c06a")
    _fields(pen, rng, CROPS, "#5c7538")
    bush(pen, "bush0", rng, 7, ("#48672f", "#688742", "#93ae5e"))
    leafy(pen, "tree0", rng, 11, GREENS[2])
    leafy(pen, "tree1", rng, 9, GREENS[0])
    for i in range(3):
        house(pen, f"house{i}", rng)
    for i in range(2):
        pen.element(f"stack{i}")
        shadow(pen, 2, 0, 8, 3.4, 0.6)
        pen.path("M-6 0Q-6.5 -8 0 -11Q6.5 -8 6 0Q0 2.6 -6 0Z", pen.slant("#ecd48a", "#a98a42"))

    def fields(pen: Pen, rng: random.Random, size: float) -> None:
        names = ("bush0", "tree0", "tree0", "tree1", "stack0", "stack1")
        points = points_on_board(rng, 36, 66, -38, 58, rng.choice((1, 2, 3)))
        _stand(pen, [(x * size, y * size, rng.choice(names), size) for x, y in points])

    def farms(pen: Pen, rng: random.Random, size: float) -> None:
        names = ("bush0", "tree0", "tree1", "stack0")
        things = []
        for x, y in points_on_board(rng, 40, 66, -38, 58, rng.choice((1, 2))):
            things.append((x * size, y * size, rng.choice(names), size))
        if rng.random() < 0.6:
            x = rng.uniform(-30, 30) * size
            y = rng.uniform(-10, 34) * size
            things.append((x, y, f"house{rng.randrange(3)}", 0.9 * size))
            things.append((x + 25 * size, y + 7 * size, f"house{rng.randrange(3)}", 0.75 * size))
            things.append((x - 20 * size, y + 2 * size, "tree0", size))
        _stand(pen, things)

    single(pen, 88, fields, count=8, other=farms)
    plots = [_plot(pen, rng, number) for number in range(6)]
    _outlying_plots(pen, random.Random(89), plots)
    return pen


def _outlying_plots(pen: Pen, rng: random.Random, plots: list[str]) -> None:
    """Draw single fields, each in hedges of its own, where grass reaches into the last cells."""
    for name, cell in CELLS.items():
        for side in range(len(cell.corners)):
            pen.group(f"{name}-stray{side}-1")
            (ax, ay) = cell.corners[side]
            (bx, by) = cell.corners[(side + 1) % len(cell.corners)]
            things = []
            for share in (0.12, 0.5, 0.88):
                along = share + rng.uniform(-0.1, 0.1)
                inwards = 1 - rng.uniform(0.1, 0.4)
                x = (ax + (bx - ax) * along) * inwards
                y = (ay + (by - ay) * along) * inwards
                if rng.random() < 0.66:
                    things.append((x, y, rng.choice(plots), cell.size * rng.uniform(0.85, 1.1)))
                bush_x = x * 1.15 + rng.uniform(-14, 14) * cell.size
                bush_y = y * 1.15 + rng.uniform(-8, 8) * cell.size
                things.append((bush_x, bush_y, rng.choice(("bush0", "bush0", "tree1")), cell.size))
            _stand(pen, things)


def _plot(pen: Pen, rng: random.Random, number: int) -> str:
    """A single small field within hedges, at the rim of the others; returns its name."""
    name = f"plot{number}"
    pen.element(name)
    base, dark = CROPS[number % len(CROPS)]
    high = rng.uniform(13, 18)
    wide = rng.uniform(21, 31)
    lean = rng.uniform(-7, 7)
    corners = [(-wide + lean, -high), (wide + lean, -high + 3), (wide - lean, high), (-wide, high)]
    pen.path(outline(corners), pen.slant(mix(base, "#fff8d8", 0.16), base), "#5c7538", 2.2)
    furrows = ""
    for step in range(1, 6):
        share = step / 6
        furrow_y = -high + 2 * high * share
        furrows += f"M{-wide + 3:.1f} {furrow_y:.1f}L{wide - 4:.1f} {furrow_y + 1:.1f}"
    pen.path(furrows, line=dark, width=1.4, opacity=0.6)
    for bush_x, bush_y in (corners[0], corners[2]):
        pen.path(blob(bush_x, bush_y - 1, 4, 3.2, rng, 0.2, 6), "#587438")
    return name


def crops() -> Pen:
    """Standing grain."""
    rng = random.Random(115)
    pen = Pen("#d0bb62")
    _fields(pen, rng, GRAIN, "#8b8a3e")
    pen.element("sheaf0")
    shadow(pen, 1, 0, 6, 2.6, 0.6)
    pen.path(blades(0, 1, 13, 7, 7), "#b8973c")
    pen.path(blades(-1, 1, 10, 4, 5), "#f0dc94")

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        points = points_on_board(rng, 24, 62, -36, 56, rng.choice((0, 0, 5, 8)) or 1)
        _stand(pen, [(x * size, y * size, "sheaf0", size) for x, y in points])

    single(pen, 116, draw, count=8)
    return pen


def fruit_trees() -> Pen:
    """An orchard whose rows go on from cell to cell."""
    rng = random.Random(117)
    pen = Pen("#8fae5a")
    grass(pen, rng, "#a3bb68", "#7c9a4e", "#bfd084")
    for i in range(4):
        leafy(pen, f"tree{i}", rng, rng.uniform(11, 12.5), GREENS[(2, 0, 2, 1)[i]])
        for _ in range(5):
            x, y = around(-1, -13, rng.uniform(2, 9), 7, rng.uniform(0, 360))
            pen.oval(x, y, 1.3, 1.3, ("#d8503a", "#e9b23f")[i % 2])
    quarter = 25 * math.sqrt(3)  # of the way from cell to cell
    steps = {
        "flat": ((37.5, quarter / 2), (0.0, quarter)),
        "pointy": ((quarter / 2, 37.5), (quarter, 0.0)),
        "square": ((25.0, 0.0), (0.0, 25.0)),
    }

    def rows(name: str, rng: random.Random, size: float) -> list[tuple[float, float, str, float]]:
        (ax, ay), (bx, by) = steps[name]
        things = []
        for i in range(-5, 6):
            for j in range(-5, 6):
                x = ax * i + bx * j + 3.7
                y = ay * i + by * j + 2.3
                if inside(CELLS[name], x, y, 1.0):
                    x = x + rng.uniform(-2, 2)
                    y = y + rng.uniform(-2, 2) + 10 * size
                    things.append((x, y, f"tree{rng.randrange(4)}", size * rng.uniform(0.95, 1.1)))
        return things

    rng = random.Random(118)
    for number in range(1, VARIANTS + 1):
        pen.group(f"feature-{number}")
        _stand(pen, [(x * 0.8, y * 0.72 + 8, *rest) for x, y, *rest in rows("flat", rng, 0.9)])
        for name, cell in CELLS.items():
            pen.group(f"{name}-cell-{number}")
            _stand(pen, rows(name, rng, cell.size))
    return pen


# --- what people built ----------------------------------------------------------------------------


def _church(pen: Pen, name: str, spire: float, roof: str) -> None:
    """A church with a tower at its western end; its middle foot is at (0, 0)."""
    pen.element(name)
    shadow(pen, 8, 1, 30, 9, 0.8)
    pen.path(outline([(-8, -13), (24, -13), (24, -2), (-8, 3)]), "#cfc3ab")
    pen.path(outline([(-9, -12), (25, -14), (20, -25), (-6, -24)]), pen.slant(roof, "#4f3a34"))
    pen.path("M0 -4v-5M7 -5v-5M14 -6v-5", line="#5b5044", width=1.8)
    pen.path(outline([(-20, -30), (-12, -28), (-12, 4), (-20, 1)]), "#e9dfca")
    pen.path(outline([(-12, -28), (-5, -30), (-5, 1), (-12, 4)]), "#a99d86")
    pen.path(outline([(-21, -29), (-12, -27), (-12.5, -30 - spire)]), mix(roof, "#ffffff", 0.16))
    pen.path(outline([(-12, -27), (-4, -29), (-12.5, -30 - spire)]), mix(roof, "#000000", 0.35))
    pen.path("M-16 -18v-4", line="#5b5044", width=2)


def country_town() -> Pen:
    """Houses and gardens around a church; neighbouring towns grow into one."""
    rng = random.Random(119)
    pen = Pen("#b9a08a")
    grass(pen, rng, "#b0b873", "#8c9556", "#cbcf94", 30)
    mottle(pen, rng, 56, (36, 70), (("#bda580", 0.5), ("#c9b48e", 0.45), ("#95a362", 0.36)))
    names = []
    for i in range(8):
        names.append(f"house{i}")
        house(pen, names[-1], rng)
    _church(pen, "church0", 16, "#7c6f78")
    _church(pen, "church1", 24, "#93503f")
    leafy(pen, "tree0", rng, 12, GREENS[2])
    leafy(pen, "tree1", rng, 10, GREENS[0])
    any_house = each_of([*names, "tree0", "tree1"], 1.05, 1.3)
    houses = Bag(names)

    def built(
        pen: Pen, rng: random.Random, size: float, points: list[Point], church: Point | None
    ) -> None:
        things = []
        for x, y in points:
            if church is not None and math.dist((x, y), church) < 36 * size:
                continue
            name = rng.choice(("tree0", "tree1")) if rng.random() < 0.2 else houses.draw(rng)
            things.append((x, y + 10 * size, name, size * rng.uniform(1.05, 1.25)))
        if church is not None:
            things.append(
                (church[0], church[1] + 12 * size, f"church{rng.randrange(2)}", 1.15 * size)
            )
        _stand(pen, things)

    rng = random.Random(120)
    for number in range(1, VARIANTS + 1):
        pen.group(f"feature-{number}")
        points = points_on_board(rng, 30, 60, -22, 44, 8)
        built(pen, rng, 0.8, points, (0.0, 8.0) if number < 3 else None)
        for name, cell in CELLS.items():
            pen.group(f"{name}-cell-{number}")
            points = points_in(cell, rng, 35 * cell.size, 0.84)
            church = (rng.uniform(-12, 12) * cell.size, rng.uniform(-10, 14) * cell.size)
            built(pen, rng, cell.size, points, church if number % 2 else None)
    sides(pen, rng, any_house, 36, 10)
    return pen


CITY_ROOFS = (
    ("#a8523c", "#743528"),
    ("#94473a", "#652f27"),
    ("#b5653f", "#7d4229"),
    ("#6f7684", "#4b505c"),
    ("#9b6a48", "#694730"),
)


def streets() -> Pen:
    """A city: tall houses wall to wall, with its churches, halls and towers."""
    rng = random.Random(121)
    pen = Pen("#a8968a")
    begin_ground(pen, "#b3a284")
    mottle(pen, rng, 70, (40, 80), (("#8f8064", 0.4), ("#cbbd9c", 0.4), ("#96955f", 0.35)))
    mottle(pen, rng, 60, (14, 34), (("#8a9455", 0.5), ("#a58f6a", 0.4)))
    marks(
        pen,
        rng,
        17,
        lambda x, y: f"M{x:.1f} {y:.1f}h{rng.uniform(3, 5):.1f}",
        (
            {"line": "#8c7d64", "width": 2.2, "opacity": 0.5},
            {"line": "#d3c7ac", "width": 2.2, "opacity": 0.5},
        ),
    )
    names = []
    for i in range(11):
        names.append(f"house{i}")
        house(pen, names[-1], rng, CITY_ROOFS, (0, 1, 1, 2, 1, 0, 1, 2, 1, 1, 0)[i])
    _church(pen, "church0", 30, "#5f6f78")
    _church(pen, "church1", 22, "#4f7f74")
    turret(pen, "turret0", rng, 12, 34)
    turret(pen, "turret1", rng, 15, 46)
    block = each_of(names, 0.95, 1.12)
    houses = Bag(names)

    def draw(pen: Pen, rng: random.Random, size: float, points: list[Point]) -> None:
        things = []
        for x, y in points:
            name = houses.draw(rng)
            things.append((x, y + 10 * size, name, size * rng.uniform(0.95, 1.12)))
        if things and rng.random() < 0.5:
            i = rng.randrange(len(things))
            special = rng.choice(("church0", "church1", "turret0"))
            things[i] = (*things[i][:2], special, size * 1.05)
        _stand(pen, things)

    def span(pen: Pen, rng: random.Random, size: float, centres: list[Point]) -> None:
        x, y = (sum(each) / len(centres) for each in zip(*centres, strict=True))
        things = [(x - 8 * size, y + 24 * size, f"church{rng.randrange(2)}", 1.9 * size)]
        for px, py in ((-46, 4), (44, 10)) if len(centres) > 2 else ():
            things.append((x + px * size, y + (py + 8) * size, "turret1", size))
        for cx, cy in centres:
            for px, py in points_on_board(rng, 25, 78, -62, 74, 24):
                there = cx + px * size, cy + py * size
                if abs(there[0] - x) > 52 * size or not -46 * size < there[1] - y < 44 * size:
                    things.append((*there, houses.draw(rng), size * rng.uniform(0.95, 1.12)))
        _stand(pen, things)

    rng = random.Random(122)
    for number in range(1, VARIANTS + 1):
        pen.group(f"feature-{number}")
        draw(pen, rng, 0.8, points_on_board(rng, 23, 60, -22, 44, 14))
        for name, cell in CELLS.items():
            pen.group(f"{name}-cell-{number}")
            draw(pen, rng, cell.size, points_in(cell, rng, 26 * cell.size, 0.88))
    sides(pen, rng, block, 27, 10)
    spans(pen, 123, span)
    return pen


def _redoubt(pen: Pen, name: str, rng: random.Random, far: float, count: int, bend: float) -> None:
    """A ditch and a bank with stakes; its inner corners are nearer to the middle by ``bend``."""
    pen.element(name)
    turn = rng.uniform(0, 90)
    reach = [(1.0, bend)[i % 2] * far for i in range(2 * count)]
    ring = [around(0, 0, r, r * 0.72, turn + 180 / count * i) for i, r in enumerate(reach)]
    pen.path(outline(ring), line="#6a5836", width=12, opacity=0.6)
    pen.path(outline(ring), line="#41331f", width=5, opacity=0.75)
    inner = outline([(x * 0.86, y * 0.86) for x, y in ring])
    pen.path(inner, pen.slant("#b6aa76", "#8f8553"), "#c6b685", 6)
    pen.path(placed(inner, 0, -2), line="#eadfb8", width=1.8)
    stakes = ""
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        for t in (0.15, 0.4, 0.65, 0.9):
            stakes += commands("M", ax + (bx - ax) * t, ay + (by - ay) * t, "l", 0.6, -7)
    pen.path(stakes, line="#4a3720", width=2)


def _trench(pen: Pen, name: str, rng: random.Random) -> None:
    """A trench in zigzag with its earth thrown up before it, and sandbags on that."""
    pen.element(name)
    x = -68.0
    y = 0.0
    turn = rng.choice((-1, 1))
    points = [(x, y)]
    while x < 64:
        x = x + rng.uniform(14, 22)
        y = y + turn * rng.uniform(8, 16)
        turn = -turn
        points.append((x, y))
    d = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    pen.path(placed(d, 0, -5), line="#c6b685", width=9)
    pen.path(placed(d, 0, -7), line="#eadfb8", width=2)
    pen.path(d, line="#41331f", width=5, opacity=0.85)
    bags = "".join(blob(x, y - 9, 4, 2.6, rng, 0.2, 6) for x, y in points)
    pen.path(bags, "#d8cba4", "#8a7a54", 0.8)


def earthworks() -> Pen:
    """Redoubts with tents and guns, and trenches."""
    rng = random.Random(124)
    pen = Pen("#a89a82")
    grass(pen, rng, "#a9a273", "#837c54", "#c4bc92", 28)
    mottle(pen, rng, 60, (36, 70), (("#a08a62", 0.5), ("#bda882", 0.45)))
    pen.element("tent0")
    shadow(pen, 4, 0, 14, 5, 0.7)
    pen.path("M-10 2L-2 -13L4 3Z", "#f2ead6")
    pen.path("M-2 -13L9 -16L14 -1L4 3Z", "#b9ad92")
    pen.path("M-4 2.4L-2 -8L0.4 2.8Z", "#6b5f4c")
    pen.element("gun0")
    shadow(pen, 2, 0, 10, 4, 0.7)
    pen.path("M-9 -5L10 -8L10 -4.4L-9 -1.6Z", pen.slant("#6d6f70", "#2c2d2e"))
    pen.oval(0, -1.4, 4, 4.4, "#7a5a36", "#3f2d1a", 1.2)
    for i in range(4):
        bend = (0.72, 0.8, math.cos(math.pi / 4), 0.76)[i]
        _redoubt(pen, f"fort{i}", rng, 54, (5, 6, 4, 5)[i], bend)
        _redoubt(pen, f"great{i}", rng, 96, (6, 5, 4, 6)[i], bend + 0.04)
        _trench(pen, f"trench{i}", rng)

    def camp(pen: Pen, rng: random.Random, size: float, x: float, y: float, wide: float) -> None:
        places = ((0, 0.1), (-0.4, 0.06), (0.36, 0.16), (0.1, -0.2))
        things = [
            (x + a * wide, y + b * wide, rng.choice(("tent0", "gun0")), size) for a, b in places
        ]
        _stand(pen, things)

    def fort(pen: Pen, rng: random.Random, size: float) -> None:
        x = rng.uniform(-12, 12) * size
        y = rng.uniform(-2, 14) * size
        pen.use(f"fort{rng.randrange(4)}", x, y, size)
        camp(pen, rng, size, x, y, 54 * size)

    def trench(pen: Pen, rng: random.Random, size: float) -> None:
        y = rng.uniform(-16, 20) * size
        pen.use(f"trench{rng.randrange(4)}", 0, y, size)
        _stand(pen, [(rng.uniform(-40, 40) * size, y + 30 * size, "gun0", size)])

    def span(pen: Pen, rng: random.Random, size: float, centres: list[Point]) -> None:
        x, y = (sum(each) / len(centres) for each in zip(*centres, strict=True))
        scale = (1.08 if len(centres) > 2 else 0.88) * size
        pen.use(f"great{rng.randrange(4)}", x, y, scale)
        camp(pen, rng, size, x, y, 96 * scale)

    single(pen, 125, fort, count=8, board=fort, other=trench)
    spans(pen, 127, span)
    return pen
