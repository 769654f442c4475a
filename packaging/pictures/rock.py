"""Rocks and heights: Stone, Cliff, Volcano, and hills and mountains of worlds."""

from __future__ import annotations

import math
import random
from typing import NamedTuple

from pictures.compose import grove, one_of, points_on_board, rims, shoulders, single, spans
from pictures.ground import begin_ground, blades, grass, marks, mottle, torus_points
from pictures.pen import Pen, Point, around, blob, commands, curve, outline
from pictures.vegetation import FIRS, bush, conifer, shadow

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


def _above(points: list[Point], level: float) -> list[Point]:
    """What of an outline lies above a level (y runs down)."""
    result: list[Point] = []
    for i, (x, y) in enumerate(points):
        (px, py) = points[i - 1]
        if (y < level) != (py < level):
            share = (level - py) / (y - py)
            result.append((px + (x - px) * share, level))
        if y < level:
            result.append((x, y))
    return result


def _snow(points: list[Point], level: float, depth: float, rng: random.Random) -> str:
    """The snow on a face above a level: its lower edge runs down in tongues of ``depth``."""
    covered = _above(points, level)
    result: list[Point] = []
    for i, (x, y) in enumerate(covered):
        (px, py) = covered[i - 1]
        if abs(y - level) < 0.01 and abs(py - level) < 0.01:
            count = max(2, round(abs(x - px) / (depth * 0.5)))
            for step in range(1, count):
                down = depth * rng.uniform(0.35, 1.0) * (1 if step % 2 else -0.4)
                result.append((px + (x - px) * step / count, level + down))
        result.append((x, y))
    return outline(result) if len(result) > 2 else ""


class Spur(NamedTuple):
    """A ridge that runs down from the skyline, and the edge of the face to the right of it."""

    line: list[Point]
    face: list[Point]


def _spur(rng: random.Random, top: Point, base: Point, right_top: Point, right_base: Point) -> Spur:
    """A ridge from ``top`` to ``base``, whose shady face ends at the other two points."""
    steps = 5
    line = [top]
    for i in range(1, steps):
        t = i / steps
        sway = (0.07 if i % 2 else -0.05) * abs(base[1] - top[1]) * rng.uniform(0.5, 1.1)
        line.append((top[0] + (base[0] - top[0]) * t + sway, top[1] + (base[1] - top[1]) * t**0.94))
    line.append(base)
    valley = [right_base]
    for i in range(1, 4):
        t = i / 4
        x = right_base[0] + (right_top[0] - right_base[0]) * t
        y = right_base[1] + (right_top[1] - right_base[1]) * t**1.15
        valley.append((x + rng.uniform(-0.03, 0.03) * abs(base[1] - top[1]), y))
    return Spur(line, [*line, *valley, right_top])


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
    """A mountain whose middle foot is at (0, 0); ``snow`` is the share of it that is white.

    From its skyline spurs run down to the front, each with a face in the light and one in the
    shade; its foot fades into the ground.
    """
    pen.element(name)
    pen.oval(wide * 0.3, wide * 0.06, wide * 1.12, wide * 0.36, pen.soft("#1a1712", 0.7))
    summit = (rng.uniform(-0.16, 0.1) * wide, -high)
    left_top = (summit[0] - wide * rng.uniform(0.36, 0.5), -high * rng.uniform(0.56, 0.74))
    right_top = (summit[0] + wide * rng.uniform(0.34, 0.5), -high * rng.uniform(0.52, 0.72))
    left_end = (-wide, rng.uniform(-2, 3))
    right_end = (wide, rng.uniform(-2, 3))

    def skyline(start: Point, end: Point, sag: float) -> list[Point]:
        found = []
        for i in range(1, 4):
            t = i / 4
            x = start[0] + (end[0] - start[0]) * t + rng.uniform(-0.025, 0.025) * wide
            y = start[1] + (end[1] - start[1]) * t + sag * high * math.sin(math.pi * t)
            found.append((x, y + rng.uniform(-0.03, 0.03) * high))
        return found

    left = [*skyline(summit, left_top, 0.06), left_top, *skyline(left_top, left_end, -0.01)]
    right = [*skyline(summit, right_top, 0.06), right_top, *skyline(right_top, right_end, -0.01)]
    base = [(-wide * 0.55, wide * 0.14), (0.0, wide * 0.2), (wide * 0.55, wide * 0.15)]
    body = [summit, *right, right_end, *base[::-1], left_end, *left[::-1]]
    lit = pen.linear(
        (-wide * 0.1, -high),
        (0, wide * 0.2),
        (0, rocks["lit"]),
        (0.62, rocks["middle"]),
        (0.88, foot),
        (1, foot, 0),
    )
    pen.path(outline(body), lit)
    shade = pen.linear(
        (0, -high),
        (wide * 0.1, wide * 0.2),
        (0, rocks["shade"]),
        (0.66, rocks["deep"]),
        (0.86, mix(rocks["deep"], foot, 0.4)),
        (1, foot, 0),
    )
    half_shade = pen.linear(
        (0, -high),
        (wide * 0.1, wide * 0.2),
        (0, mix(rocks["lit"], rocks["middle"], 0.9)),
        (0.66, mix(rocks["middle"], rocks["shade"], 0.6)),
        (0.86, mix(rocks["shade"], foot, 0.55)),
        (1, foot, 0),
    )
    middle = (summit[0] + wide * rng.uniform(0.02, 0.16), wide * 0.2)
    main = Spur(
        _spur(rng, summit, middle, right_top, base[2]).line,
        [],
    )
    dark_face = [*main.line, base[2], right_end, *right[::-1], summit]
    pen.path(outline(dark_face), shade)
    lit_face = [*main.line, base[0], left_end, *left[::-1], summit]
    # A spur on each side breaks the great faces.
    saddle = left[1]
    on_left = _spur(
        rng,
        left_top,
        (left_top[0] - wide * 0.06, wide * 0.12),
        saddle,
        (left_top[0] + wide * rng.uniform(0.2, 0.3), wide * 0.12),
    )
    pen.path(outline(on_left.face), half_shade)
    on_right = _spur(
        rng,
        right_top,
        (right_top[0] + wide * 0.04, wide * 0.13),
        right[1],
        (right_top[0] - wide * rng.uniform(0.12, 0.2), wide * 0.16),
    )
    pen.path(outline(on_right.face), half_shade)
    ribs_dark = ""
    ribs_light = ""
    for _ in range(6):
        t = rng.uniform(0.2, 0.8)
        down = rng.uniform(0.15, 0.6)
        for start, end, is_light in ((left_end, summit, False), (summit, right_end, True)):
            x = start[0] + (end[0] - start[0]) * t
            y = (start[1] + (end[1] - start[1]) * t) * (1 - down)
            x += (0.3 * wide if not is_light else -0.3 * wide) * down
            drop = high * rng.uniform(0.1, 0.2)
            lean = wide * (0.05 if is_light else -0.03)
            wedge = [(x, y), (x + wide * 0.045 + lean, y + drop * 0.6), (x + lean, y + drop)]
            if is_light:
                ribs_light += outline(wedge)
            else:
                ribs_dark += outline(wedge)
    pen.path(ribs_dark, rocks["shade"], opacity=0.26)
    pen.path(ribs_light, rocks["middle"], opacity=0.3)
    if snow:
        level = -high * (1 - snow)
        depth = high * 0.13
        for face, colour in (
            (lit_face, "#f8f7f3"),
            (dark_face, "#a5b3c5"),
            (on_left.face, "#d3dbe4"),
            (on_right.face, "#c6d0dc"),
        ):
            white = _snow(face, level, depth, rng)
            if white:
                pen.path(white, colour)
    pen.path(
        "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in main.line[:5]),
        line="#f4ede0",
        width=1.2,
        opacity=0.5,
    )
    _scree(pen, random.Random(name), wide, foot, rocks)


def _scree(pen: Pen, rng: random.Random, wide: float, foot: str, rocks: dict[str, str]) -> None:
    """Rubble along the foot of a mountain of half the width ``wide``, which hides its even edge.

    Fans of rubble lie over both ends of the foot and before it, with stones on them.
    """

    def foot_at(share: float) -> Point:
        return share * wide, wide * (0.18 - 0.16 * share * share)

    for share in (-1.0, -0.78, -0.5, -0.16, 0.2, 0.5, 0.78, 1.02):
        x, y = foot_at(share + rng.uniform(-0.06, 0.06))
        fan = wide * rng.uniform(0.24, 0.4)
        pen.oval(x, y + rng.uniform(-1, 2), fan, fan * rng.uniform(0.26, 0.4), pen.soft(foot, 1.0))

    shadows = ""
    stones = ""
    lights = ""
    for _ in range(round(4 + wide / 11)):
        x, y = foot_at(rng.uniform(-1.12, 1.12))
        y += rng.uniform(-0.06, 0.09) * wide
        radius = rng.choice((1.8, 2.4, 3.2, 4.4)) * rng.uniform(0.9, 1.2)
        turn = rng.uniform(0, 72)
        corners = [around(0, 0, radius, radius * 0.75, turn + 72 * i) for i in range(5)]
        shadows += outline([(x + a + radius * 0.4, y + b + radius * 0.3) for a, b in corners])
        stones += outline([(x + a, y + b) for a, b in corners])
        lights += outline([(x + a * 0.6 - 0.6, y + b * 0.5 - 0.7) for a, b in corners])
    pen.path(shadows, rocks["deep"], opacity=0.5)
    pen.path(stones, mix(rocks["deep"], rocks["shade"], 0.7))
    pen.path(lights, rocks["middle"], opacity=0.9)


def _spread(
    rng: random.Random, size: float, centres: list[Point], clear: float, apart: float
) -> list[Point]:
    """Places for lesser heights all over cells, but not before one in their middle."""
    x, y = (sum(each) / len(centres) for each in zip(*centres, strict=True))
    found: list[Point] = []
    for cx, cy in centres:
        for dx, dy in ((-44, -30), (44, -30), (-62, 20), (62, 20), (-30, 58), (34, 58)):
            px = cx + (dx + rng.uniform(-14, 14)) * size
            py = cy + (dy + rng.uniform(-10, 10)) * size
            near = any((px - fx) ** 2 + (py - fy) ** 2 < (apart * size) ** 2 for fx, fy in found)
            before = abs(px - x) < clear * size and -10 < py - y < 0.62 * clear * size
            if not near and not before:
                found.append((px, py))
    return found


def _range(pen: Pen, rng: random.Random, size: float, centres: list[Point]) -> None:
    """One large mountain over several cells, between shoulders and foothills."""
    x, y = (sum(each) / len(centres) for each in zip(*centres, strict=True))
    great = len(centres) > 2
    things = [(x + rng.uniform(-12, 12) * size, y + (62 if great else 50) * size, "great", 3)]
    for px, py in _spread(rng, size, centres, 100 if great else 76, 92):
        if py < y:
            things.append((px, py, "peak", 4))
        else:
            things.append((px, py, *(("small", 4) if rng.random() < 0.45 else ("crag", 4))))
    for px, py, name, count in sorted(things, key=lambda each: each[1]):
        scale = rng.uniform(0.85, 1.12) * size
        if name == "great":
            scale = (1.2 if great else 0.94) * size
        pen.use(f"{name}{rng.randrange(count)}", px, py, scale)


def mountains() -> Pen:
    """Snowy ranges: peaks of several sizes, some over three cells."""
    rng = random.Random(23)
    pen = Pen("#98785a")
    # Earth between grass: a single mountain would stand on a patch of its own else.
    begin_ground(pen, "#a3a26b")
    mottle(pen, rng, 66, (50, 95), (("#857d5a", 0.26), ("#b3ac80", 0.26), ("#859658", 0.4)))
    mottle(pen, rng, 34, (12, 28), (("#776f52", 0.24), ("#bab48e", 0.22)))
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
    for i in range(4):
        snow = (0.3, 0.36, 0.42, 0.34)[i]
        peak(pen, f"summit{i}", rng, rng.uniform(102, 116), rng.uniform(114, 132), snow, foot)
        peak(pen, f"peak{i}", rng, rng.uniform(84, 96), rng.uniform(84, 100), 0.24, foot)
        peak(pen, f"small{i}", rng, rng.uniform(64, 78), rng.uniform(60, 74), 0, foot)
        peak(pen, f"crag{i}", rng, rng.uniform(40, 54), rng.uniform(26, 36), 0, foot)
    for i in range(3):
        peak(pen, f"great{i}", rng, rng.uniform(118, 134), rng.uniform(146, 166), 0.42, foot)

    ranges(pen, 24, 32, 25)
    return pen


LONE_PEAKS = 1.16
"""Peaks of cells at the rim are so much larger than they were drawn: single mountains stand alone.
"""


def ranges(pen: Pen, seed: int, seed_of_sides: int, seed_of_spans: int) -> None:
    """Compose ranges of the elements ``summit0-3``, ``peak0-3``, ``small0-3``, ``crag0-3`` and
    ``great0-2``.

    A cell within a range has a summit, one at its rim a lower peak with foothills; over the side
    between two cells a shoulder goes on.
    """

    def lay(pen: Pen, things: list[tuple[float, float, str]], size: float) -> None:
        for x, y, name in sorted(things, key=lambda thing: thing[1]):
            scale = size * rng.uniform(0.9, 1.1)
            if name == "peak":
                scale *= LONE_PEAKS
            pen.use(f"{name}{rng.randrange(4)}", x * size, y * size, scale)

    def inside(pen: Pen, rng: random.Random, size: float) -> None:
        lean = rng.choice((-1, 1))
        things = [
            (-lean * rng.uniform(44, 60), rng.uniform(-14, 6), "small"),
            (lean * rng.uniform(2, 14), rng.uniform(38, 50), "summit"),
        ]
        if rng.random() < 0.6:
            things.append((-lean * rng.uniform(40, 56), rng.uniform(52, 64), "crag"))
        lay(pen, things, size)

    def at_rim(pen: Pen, rng: random.Random, size: float) -> None:
        lean = rng.choice((-1, 1))
        things = [
            (lean * rng.uniform(4, 18), rng.uniform(18, 30), "peak"),
            (-lean * rng.uniform(46, 60), rng.uniform(14, 34), "crag"),
            (lean * rng.uniform(34, 54), rng.uniform(48, 60), "crag"),
        ]
        if rng.random() < 0.6:
            things.append((-lean * rng.uniform(20, 36), rng.uniform(56, 66), "crag"))
        lay(pen, things, size)

    rng = random.Random(seed)
    single(pen, seed, inside, board=at_rim)
    rims(pen, seed + 1, at_rim)
    shoulders(pen, seed_of_sides, [f"small{i}" for i in range(4)], 24)
    spans(pen, seed_of_spans, _range)


def hill(
    pen: Pen, name: str, rng: random.Random, wide: float, high: float, tones: tuple[str, str, str]
) -> None:
    """A rounded hill whose middle foot is at (0, 0); its foot fades into the ground."""
    light, middle, dark = tones
    pen.element(name)
    # Its foot spreads over the ground, so that a lone hill is no lump.
    pen.oval(0, wide * 0.06, wide * 1.4, wide * 0.46, pen.soft(middle, 0.85))
    pen.oval(wide * 0.3, wide * 0.05, wide * 1.04, wide * 0.3, pen.soft("#20200f", 0.5))
    lean = rng.uniform(-0.26, 0.2)
    brow = rng.uniform(0.0, 0.3)  # a lower one to one side
    side = rng.choice((-0.5, 0.48))
    skyline = []
    for i in range(9):
        u = -1 + i / 4
        across = (u - lean) / (1 - lean if u > lean else 1 + lean)
        rise = math.cos(math.pi / 2 * abs(across) ** 1.15) ** 1.25
        rise += brow * math.exp(-(((u - side) / 0.24) ** 2)) * (1 - rise)
        skyline.append((u * wide, 4 - high * rise))
    low = [(wide * 0.55, wide * 0.17), (0.0, wide * 0.22), (-wide * 0.55, wide * 0.16)]
    body = pen.linear(
        (-wide * 0.1, -high),
        (0, wide * 0.2),
        (0, light),
        (0.5, middle),
        (0.8, middle),
        (1, middle, 0),
    )
    pen.path(curve([*skyline, *low], tension=0.9), body)
    crest = lean * wide
    shaded = pen.linear(
        (crest - wide * 0.1, -high * 0.4),
        (wide * 0.95, 0),
        (0, dark, 0),
        (0.34, dark, 0.72),
        (0.8, dark, 0.6),
        (1, dark, 0),
    )
    foot = [(wide * 0.5, wide * 0.1), (crest, wide * 0.12)]
    top = [point for point in skyline if point[0] > crest - wide * 0.12]
    pen.path(curve([*top, *foot], tension=0.8), shaded)
    pen.oval(crest - wide * 0.3, -high * 0.55, wide * 0.36, high * 0.3, pen.soft("#f8f6d4", 0.5))
    strokes = ""
    lights = ""
    folds = ""
    for u in (rng.uniform(-0.5, -0.3), rng.uniform(-0.05, 0.1), rng.uniform(0.34, 0.55)):
        # A hollow runs from below the skyline down to the foot.
        x = (lean + (u - lean) * 0.5) * wide
        y = -high * (0.74 - 0.5 * abs(u - lean))
        foot_x = u * wide * 1.25
        folds += commands("M", x, y, "Q", x + wide * 0.02, y * 0.45, foot_x, wide * 0.08)
        folds += commands("Q", x + wide * 0.13, y * 0.4, x, y, "Z")
    pen.path(folds, dark, opacity=0.26)
    for i in range(34):
        u = rng.uniform(-0.8, 0.78)
        x = u * wide
        y = 6 - high * rng.uniform(0.0, 0.84) * (1 - abs(u - lean) ** 1.3)
        stroke = commands("M", x, y, "q", wide * 0.03, high * 0.06, wide * 0.02, high * 0.13)
        if i % 3:
            strokes += stroke
        else:
            lights += stroke
    pen.path(strokes, line=dark, width=1.6, opacity=0.5)
    pen.path(lights, line=light, width=1.6, opacity=0.7)


def hills() -> Pen:
    """Rolling heights of grass, some over two and three cells."""
    rng = random.Random(26)
    pen = Pen("#b5a768")
    # Nearly the grass of a meadow: a single hill would stand on a patch of its own else.
    grass(pen, rng, "#a5b969", "#859c50", "#c0cf87")
    mottle(pen, rng, 60, (40, 80), (("#93a659", 0.3), ("#b9ad6e", 0.16)))
    tones = (
        ("#ccca86", "#9ba05b", "#464d2a"),
        ("#c4c980", "#909a56", "#3f4a29"),
        ("#d0c488", "#a2995d", "#54492b"),
    )
    _rolling(pen, rng, tones)
    return pen


def snowy_hills() -> Pen:
    """Rolling heights under snow."""
    rng = random.Random(26)
    pen = Pen("#e3eaef")
    begin_ground(pen, "#e6edf2")
    mottle(pen, rng, 80, (50, 100), (("#c3d1de", 0.5), ("#ffffff", 0.6)))
    tones = (
        ("#ffffff", "#dde7ee", "#8296a8"),
        ("#fbfdfe", "#d3dfe8", "#7b8fa3"),
        ("#ffffff", "#e1e9ef", "#8c9dae"),
    )
    _rolling(pen, rng, tones)
    return pen


def _rolling(pen: Pen, rng: random.Random, tones: tuple[tuple[str, str, str], ...]) -> None:
    """Draw hills in these tones, and compose them in cells, at rims and over several cells."""
    for i in range(4):
        hill(pen, f"hill{i}", rng, rng.uniform(86, 108), rng.uniform(56, 76), tones[i % 3])
        hill(pen, f"knoll{i}", rng, rng.uniform(60, 80), rng.uniform(36, 50), tones[(i + 1) % 3])
    for i in range(3):
        hill(pen, f"down{i}", rng, rng.uniform(118, 142), rng.uniform(70, 92), tones[i % 3])
    conifer(pen, "fir0", rng, 26, FIRS[1])
    boulder(pen, "rock0", rng, 7, "#6b6250", "#d8d0b8")
    boulder(pen, "rock1", rng, 5, "#6b6250", "#d2c9ad")
    bush(pen, "shrub0", rng, 9, ("#40552b", "#61753a", "#93a058"))
    bush(pen, "shrub1", rng, 7, ("#4b5a2d", "#6d7b3e", "#a0a660"))
    pen.element("tuft0")
    pen.path(blades(0, 0, 12, 9, 7), "#6f7c42")
    pen.path(blades(-3, 1, 8, 6, 5), tones[0][1])

    def lay(pen: Pen, places: list[tuple[float, float, str]], size: float) -> None:
        for x, y, name in sorted(places, key=lambda each: each[1]):
            pen.use(name, x * size, y * size, size)

    def small_things(rng: random.Random) -> list[tuple[float, float, str]]:
        return [
            (x, y, rng.choice(("fir0", "rock0", "rock1")))
            for x, y in points_on_board(rng, 60, 60, -20, 66, rng.choice((1, 1, 2)))
        ]

    def at_foot(rng: random.Random) -> list[tuple[float, float, str]]:
        names = ("fir0", "rock0", "rock1", "shrub0", "shrub1", "tuft0", "tuft0")
        places = []
        for turn in (-8, 22, 55, 90, 130, 165, 190):
            x, y = around(0, 24, 88, 50, turn + rng.uniform(-14, 14))
            places.append((x, y, rng.choice(names)))
        return places

    def inside(pen: Pen, rng: random.Random, size: float) -> None:
        lean = rng.choice((-1, 1))
        places = [
            (-lean * rng.uniform(30, 56), rng.uniform(-30, -8), f"knoll{rng.randrange(4)}"),
            (lean * rng.uniform(4, 24), rng.uniform(18, 40), f"hill{rng.randrange(4)}"),
            *small_things(rng),
        ]
        lay(pen, places, size)

    def at_rim(pen: Pen, rng: random.Random, size: float) -> None:
        lean = rng.choice((-1, 1))
        places = [
            (-lean * rng.uniform(30, 48), rng.uniform(-12, 4), f"knoll{rng.randrange(4)}"),
            (lean * rng.uniform(2, 20), rng.uniform(22, 34), f"hill{rng.randrange(4)}"),
            (-lean * rng.uniform(24, 44), rng.uniform(44, 58), f"knoll{rng.randrange(4)}"),
            *at_foot(rng),
        ]
        lay(pen, places, size)

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
        for px, py in _spread(rng, size, centres, 90, 84):
            kind = rng.choice(("knoll", "knoll", "hill"))
            places.append((px, py, f"{kind}{rng.randrange(4)}", rng.uniform(0.75, 1.05)))
        for px, py, name, scale in sorted(places, key=lambda each: each[1]):
            pen.use(name, px, py, scale * size)

    single(pen, 27, inside)
    rims(pen, 35, at_rim)
    shoulders(pen, 33, [f"knoll{i}" for i in range(4)], 14)
    spans(pen, 28, span)


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
