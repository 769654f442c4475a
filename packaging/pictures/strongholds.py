"""Ground with walls around it: castles and their keeps, camps behind stakes.

Walls are groups of a side, towers of a corner: ``flat-wall0-1`` stands on the side from corner 0 to
corner 1, ``flat-tower0-1`` on corner 0. Which of them a cell shows follows from its neighbours
(``app/render/scene/landscape/walls.py``), so that one wall goes around all cells of a castle.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from pictures.built import house, turret
from pictures.compose import CELLS, single
from pictures.ground import begin_ground, blades, marks, mottle, torus_points
from pictures.pen import Pen, Point, around, commands, outline
from pictures.rock import mix
from pictures.stonework import paving
from pictures.vegetation import shadow

Side = Callable[[Pen, random.Random, Point, Point, bool, float], None]
"""Draws what stands on a side between two corners; the bool says that it is a far one, in the
north, which is seen from within. The number is the size of the cell."""

Corner = Callable[[Pen, random.Random, Point, float], None]
"""Draws what stands on a corner."""


def _enclose(pen: Pen, seed: int, wall: Side, tower: Corner) -> None:
    """Draw the walls of all sides and the towers of all corners, in every layout."""
    rng = random.Random(seed)
    for name, cell in CELLS.items():
        count = len(cell.corners)
        for side in range(count):
            start = cell.corners[side]
            end = cell.corners[(side + 1) % count]
            pen.group(f"{name}-wall{side}-1")
            wall(pen, rng, start, end, start[1] + end[1] < -1, cell.size)
        for corner in range(count):
            pen.group(f"{name}-tower{corner}-1")
            tower(pen, rng, cell.corners[corner], cell.size)


def _southward(start: Point, end: Point) -> tuple[Point, Point, Point]:
    """Return the ends of a side, the western first, and the direction across it, to the south."""
    west, east = sorted((start, end))
    length = math.dist(west, east)
    return west, east, (-(east[1] - west[1]) / length, (east[0] - west[0]) / length)


def _along(west: Point, east: Point, share: float, across: Point, far: float) -> Point:
    """Return the point at a share of the way from west to east, ``far`` to the south of it."""
    return (
        west[0] + (east[0] - west[0]) * share + across[0] * far,
        west[1] + (east[1] - west[1]) * share + across[1] * far,
    )


def _lit(across: Point) -> float:
    """Return how light a face is that looks southward: from 0 (to the east) to 1 (to the west)."""
    return 0.5 - across[0] * 0.62


def _raised(points: list[Point], high: float) -> list[Point]:
    return [(x, y - high) for x, y in points]


def _worn_earth(pen: Pen, rng: random.Random, west: Point, east: Point, size: float) -> None:
    """Bare earth on both sides of a wall, where no grass grows any more, with a few stones."""
    # Also right in water, where it is the shade of the foot.
    earth = pen.soft("#3d3729", 0.34)
    count = max(3, round(math.dist(west, east) / (26 * size)))
    for i in range(count):
        x, y = _along(west, east, (i + rng.uniform(0.2, 0.8)) / count, (0, 0), 0)
        wide = rng.uniform(26, 44) * size
        pen.oval(x + rng.uniform(-6, 6) * size, y + 4 * size, wide, wide * 0.62, earth)
    stones = ""
    for _ in range(count):
        x, y = _along(west, east, rng.random(), (0, 0), 0)
        x += rng.uniform(-26, 26) * size
        y += rng.uniform(-16, 22) * size
        radius = rng.uniform(1.4, 3) * size
        stones += outline([around(x, y, radius, radius * 0.7, 72 * i) for i in range(5)])
    pen.path(stones, "#8d8473", opacity=0.8)


def _shade(pen: Pen, foot: list[Point], far: float) -> None:
    """The shade of a wall to the south-east, softer and lighter the farther it falls."""
    for share, opacity in ((1.0, 0.13), (0.7, 0.15), (0.4, 0.2)):
        shifted = [(x + far * share, y + far * share * 0.8) for x, y in foot[::-1]]
        pen.path(outline([*foot, *shifted]), "#16130f", opacity=opacity)


# --- stone ----------------------------------------------------------------------------------------

_WALL_HIGH = 37
_WALL_WIDE = 15


def _stone_wall(
    pen: Pen, rng: random.Random, start: Point, end: Point, is_far: bool, size: float
) -> None:
    """A wall of stone with a walk behind its battlements."""
    west, east, across = _southward(start, end)
    half = _WALL_WIDE / 2 * size
    high = _WALL_HIGH * size
    foot = [_along(west, east, share, across, half) for share in (0, 1)]
    _worn_earth(pen, rng, west, east, size)
    _shade(pen, foot, high * 0.62)
    lit = _lit(across)
    stone = mix("#6f685e", "#cbc2b2", lit)
    dark = mix("#544e46", "#a69d8e", lit)
    face = [*foot, *_raised(foot[::-1], high)]
    pen.path(
        outline(face), pen.linear((0, foot[0][1] - high), (0, foot[0][1]), (0, stone), (1, dark))
    )
    length = math.dist(west, east)
    courses = ""
    joints = ""
    for row in range(1, 4):
        level = high * row / 4
        (ax, ay), (bx, by) = _raised(foot, level)
        courses += f"M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}"
        count = max(3, round(length / (13 * size)))
        for i in range(count):
            share = (i + 0.5 * (row % 2) + rng.uniform(0.1, 0.3)) / count
            if share < 0.98:
                x, y = _along(foot[0], foot[1], share, (0, 0), 0)
                joints += f"M{x:.1f} {y - level:.1f}v{-high / 4:.1f}"
    blocks = {stone: "", dark: ""}
    for _ in range(round(length / (9 * size))):
        share = rng.uniform(0, 0.9)
        level = high * rng.randrange(4) / 4
        ends = [_along(foot[0], foot[1], share + more, (0, 0), 0) for more in (0, 0.09)]
        tone = rng.choice((stone, dark))
        blocks[tone] += outline([*_raised(ends, level), *_raised(ends[::-1], level + high / 4)])
    pen.path(blocks[stone], mix(stone, "#ffffff", 0.3), opacity=0.5)
    pen.path(blocks[dark], mix(dark, "#2c2620", 0.4), opacity=0.5)
    pen.path(courses, line="#4d463d", width=0.8, opacity=0.5)
    pen.path(joints, line="#4d463d", width=0.8, opacity=0.4)
    walk = [
        *(_along(west, east, share, across, half) for share in (0, 1)),
        *(_along(west, east, share, across, -half) for share in (1, 0)),
    ]
    outer = -half if is_far else half
    battlements = ""
    fronts = ""
    count = max(4, round(length / (15 * size)))
    for i in range(count):
        ends = [(i + 0.22) / count, (i + 0.78) / count]
        base = _raised([_along(west, east, share, across, outer) for share in ends], high)
        back = _raised([_along(west, east, share, across, outer * 0.35) for share in ends], high)
        tooth = 6.5 * size
        near = back if is_far else base
        distant = base if is_far else back
        fronts += outline([*near, *_raised(near[::-1], tooth)])
        battlements += outline([*_raised(near, tooth), *_raised(distant[::-1], tooth)])
    pen.path(outline(_raised(walk, high)), "#b9b0a0", "#5f584d", 0.8)
    pen.path(fronts, mix(dark, stone, 0.6), "#5f584d", 0.6)
    pen.path(battlements, "#e2dacb", "#6f675b", 0.6)


def _roofed_tower(name: str, roof: tuple[str, str]) -> Callable[[Pen, random.Random], None]:
    """Return what draws the element ``name``: a round tower under a pointed roof."""

    def draw(pen: Pen, rng: random.Random) -> None:
        r = 16.0
        high = 47.0
        turret(pen, name, rng, r, high)
        light, dark = roof
        top = -high - 5
        wide = r * 1.22
        tip = top - 33
        cone = commands("M", -wide, top, "Q", 0, top + wide * 0.62, wide, top, "L", 0, tip, "Z")
        shades = ((0, light), (0.42, mix(light, dark, 0.25)), (1, dark))
        pen.path(cone, pen.linear((-wide, 0), (wide, 0), *shades), mix(dark, "#000000", 0.35), 0.8)
        pen.path(
            commands("M", -wide * 0.5, top + 3, "L", 0, tip),
            line=mix(light, "#ffffff", 0.4),
            width=1,
            opacity=0.5,
        )
        pen.oval(0, tip, 1.3, 1.6, "#d9c27a")

    return draw


_SLATE = ("#7f93a8", "#3f4c5e")


def _courtyard(pen: Pen) -> None:
    """Worn paving of small stones, with earth between, which goes on from castle to keep."""
    rng = random.Random(210)
    begin_ground(pen, "#857660")
    mottle(pen, rng, 80, (50, 100), (("#74664f", 0.4), ("#96876e", 0.4), ("#7f7a56", 0.3)))
    paving(
        pen,
        rng,
        (16, 11.5, 8),
        ("#a3957d", "#a99c86", "#9c8e77", "#a09073", "#958974"),
        joint=3,
        light="#d8ccb4",
        dark="#5a4d3b",
    )
    # Earth lies on the stones, and they are pale where feet go.
    mottle(pen, rng, 90, (40, 80), (("#5c4f3d", 0.3), ("#c8ba9e", 0.25), ("#7d6c52", 0.5)))


def castle() -> Pen:
    """The yards of a castle, behind walls and towers of stone."""
    rng = random.Random(211)
    pen = Pen("#b0a797")
    _courtyard(pen)
    _yard_things(pen, rng)
    _roofed_tower("tower0", _SLATE)(pen, rng)
    single(pen, 212, _yard, count=8, board=_castle_on_board)
    _enclose(
        pen,
        213,
        _stone_wall,
        lambda pen, _rng, at, size: pen.use("tower0", at[0], at[1] + 5 * size, size),
    )
    return pen


def _yard_things(pen: Pen, rng: random.Random) -> None:
    """The elements of a yard: a well, barrels, a cart, stables, a flag."""
    pen.element("well")
    shadow(pen, 2, 0, 12, 6, 0.6)
    pen.oval(0, -3, 9, 6, "#8d8578", "#5b5449", 1)
    pen.oval(0, -6, 9, 5.6, "#c9c1b1", "#5b5449", 1)
    pen.oval(0, -6, 6, 3.6, "#37434d")
    pen.path("M-8 -6V-18M8 -6V-18", line="#5d4630", width=2)
    pen.path("M-12 -17L0 -25L12 -17Z", pen.slant("#a9764a", "#6c4a2c"), "#4c3521", 0.8)
    pen.element("barrels")
    shadow(pen, 2, 0, 12, 5, 0.6)
    for x, y in ((-4, -4), (6, -2), (0, 1)):
        pen.path(
            commands("M", x - 4, y, "L", x - 4, y - 8, "L", x + 4, y - 8, "L", x + 4, y, "Z"),
            pen.slant("#b98a55", "#6f4b2b"),
            "#4c3521",
            0.7,
        )
        pen.oval(x, y - 8, 4, 1.8, "#c79c68", "#4c3521", 0.7)
    pen.element("banner")
    shadow(pen, 2, 0, 6, 2.4, 0.6)
    pen.path("M0 0V-40", line="#5d4630", width=2)
    pen.path(
        "M1 -40Q9 -43 15 -39Q20 -36 25 -39L24 -27Q18 -24 13 -27Q7 -30 1 -27Z",
        pen.slant("#c8503f", "#8a2c25"),
        "#6d231d",
        0.7,
    )
    pen.element("cart")
    shadow(pen, 3, 0, 14, 5, 0.6)
    pen.path("M-12 -9L11 -7L11 -2L-12 -4Z", pen.slant("#b58a58", "#7a5735"), "#4c3521", 0.8)
    pen.path("M-10 -9Q0 -19 9 -7.5Z", "#d7bd6a")
    for x in (-7, 6):
        pen.oval(x, -1.5, 4, 4, "none", "#4c3521", 1.4)
    for i in range(2):
        house(pen, f"stable{i}", rng, (("#8f97a0", "#565f69"), ("#a0765a", "#694632")))


def _yard(pen: Pen, rng: random.Random, size: float) -> None:
    """Three to five things of a yard around its middle, and the tracks of carts through it."""
    _tracks(pen, rng, size)
    names = ["well", "barrels", "cart", "stable0", "stable1", "stable0"]
    if rng.random() < 0.3:  # with one in every yard banners would stand at even distances
        names.append("banner")
    rng.shuffle(names)
    places = [(-34, -8), (30, -14), (-26, 30), (30, 32), (2, 40), (0, -28)]
    rng.shuffle(places)
    stood = sorted(places[: rng.choice((3, 4, 4, 5))], key=lambda place: place[1])
    for (x, y), name in zip(stood, names, strict=False):
        scale = size * rng.uniform(1.15, 1.35)
        pen.use(name, (x + rng.uniform(-5, 5)) * size, (y + rng.uniform(-5, 5)) * size, scale)


def _tracks(pen: Pen, rng: random.Random, size: float) -> None:
    """The two tracks of a cart through a yard, in earth that is worn."""
    turn = rng.uniform(-35, 35)
    start = around(0, 6, 62, 44, 180 + turn)
    bend = around(0, 6, 30, 30, rng.uniform(0, 360))
    end = around(0, 6, 62, 44, turn + rng.uniform(-30, 30))

    def track(lower: float) -> str:
        (ax, ay) = start
        (bx, by) = bend
        (cx, cy) = end
        places = [ax, ay + lower, bx, by + lower, cx, cy + lower]
        scaled = [place * size for place in places]
        return commands("M", *scaled[:2], "Q", *scaled[2:])

    pen.path(track(0), line="#8c7a5f", width=17 * size, opacity=0.28)
    for lower in (-5, 5):
        pen.path(track(lower), line="#5f5140", width=2.6 * size, opacity=0.45)


def _castle_on_board(pen: Pen, rng: random.Random, _size: float) -> None:
    """A small castle for cells that show no walls."""
    corners = [(-38, -6), (38, -6), (38, 40), (-38, 40)]
    for i, is_far in ((0, True), (2, False)):
        _stone_wall(pen, rng, corners[i], corners[(i + 1) % 4], is_far, 0.8)
        for x, y in corners[i : i + 2]:
            pen.use("tower0", x, y, 0.8)
    pen.use("banner", 4, 18, 0.9)


def keep() -> Pen:
    """The yard of a castle around its keep."""
    rng = random.Random(221)
    pen = Pen("#b0a797")
    _courtyard(pen)
    _yard_things(pen, rng)
    _roofed_tower("tower0", _SLATE)(pen, rng)
    for i in range(2):
        _donjon(pen, f"keep{i}", rng, 36 + 2 * i, 78 - 6 * i, is_roofed=i == 0)

    def stand(pen: Pen, rng: random.Random, size: float) -> None:
        x = rng.uniform(-4, 4) * size
        pen.use(f"keep{rng.randrange(2)}", x, 36 * size, size)
        for name in rng.sample(("barrels", "well", "cart"), 1):
            pen.use(name, (x + rng.choice((-56, 54))) * size, rng.uniform(26, 40) * size, size)

    single(pen, 222, stand)
    _enclose(
        pen,
        223,
        _stone_wall,
        lambda pen, _rng, at, size: pen.use("tower0", at[0], at[1] + 5 * size, size),
    )
    return pen


def _donjon(
    pen: Pen, name: str, rng: random.Random, wide: float, high: float, *, is_roofed: bool
) -> None:
    """A great square tower seen over its edge, a turret on it, and a banner."""
    pen.element(name)
    shadow(pen, wide * 0.5, -3, wide * 1.6, wide * 0.62, 0.6)
    depth = wide * 0.5
    left = outline([(-wide, -depth), (0, 0), (0, -high), (-wide, -high - depth)])
    right = outline([(wide, -depth), (0, 0), (0, -high), (wide, -high - depth)])
    pen.path(left, pen.linear((0, -high), (0, 0), (0, "#d3cab9"), (1, "#a79d8d")), "#544d43", 1)
    pen.path(right, pen.linear((0, -high), (0, 0), (0, "#8f8678"), (1, "#675f54")), "#4a443b", 1)
    courses = ""
    for i in range(1, int(high / 8)):
        y = -8 * i
        courses += f"M{-wide:.1f} {y - depth:.1f}L0 {y}L{wide:.1f} {y - depth:.1f}"
    pen.path(courses, line="#574f44", width=0.8, opacity=0.4)
    slits = ""
    for share, level in ((0.32, 0.55), (0.68, 0.55), (0.5, 0.82), (0.3, 0.28)):
        for hand in (-1, 1):
            x = hand * wide * share
            y = -high * level - depth * share
            slits += f"M{x:.1f} {y:.1f}v-6"
    pen.path(slits, line="#39332b", width=2.2)
    pen.path(
        outline(
            [
                (-wide * 0.62, -depth * 0.62),
                (-wide * 0.38, -depth * 0.38),
                (-wide * 0.38, -depth * 0.38 - 12),
                (-wide * 0.5, -depth * 0.5 - 16),
                (-wide * 0.62, -depth * 0.62 - 12),
            ]
        ),
        "#4b3622",
        "#35261a",
        0.8,
    )
    top = [(-wide, -high - depth), (0, -high), (wide, -high - depth), (0, -high - 2 * depth)]
    wider = [(x * 1.1, y - 1) for x, y in top]
    for hand, tone in ((-1, "#d9d0bf"), (1, "#958c7e")):
        edge = [wider[1], wider[0] if hand < 0 else wider[2]]
        pen.path(outline([*edge, *_raised(edge[::-1], 7)]), tone, "#544d43", 0.8)
    rim = _raised(wider, 7)
    pen.path(outline(rim), "#c6bdac", "#544d43", 0.8)
    teeth = ""
    shaded = ""
    for start, end in ((rim[0], rim[1]), (rim[2], rim[1]), (rim[0], rim[3]), (rim[2], rim[3])):
        for i in range(4):
            ends = [
                _along(start, end, share, (0, 0), 0) for share in ((i + 0.1) / 4, (i + 0.6) / 4)
            ]
            tooth = outline([*ends, *_raised(ends[::-1], 6)])
            if start is rim[2] and end is rim[1]:
                shaded += tooth
            else:
                teeth += tooth
    pen.path(shaded, "#9c9384", "#544d43", 0.6)
    pen.path(teeth, "#e4dccd", "#5f584d", 0.6)
    middle = -high - depth - 7
    if is_roofed:
        eaves = [(x * 0.72, middle + (y - middle + 7) * 0.72) for x, y in rim]
        tip = (0.0, middle - wide * 1.05)
        pen.path(
            outline([eaves[0], eaves[1], tip]), pen.slant("#8fa2b6", "#5c6c80"), "#333e4c", 0.8
        )
        pen.path(
            outline([eaves[2], eaves[1], tip]), pen.slant("#56667a", "#38434f"), "#333e4c", 0.8
        )
    else:
        tip = (0.0, middle)
    pole = tip[1] - 26
    pen.path(commands("M", tip[0], tip[1], "V", pole), line="#4c3a28", width=1.8)
    flag = commands("M", 0.8, pole, "Q", 9, pole - 3, 15, pole + 1, "Q", 20, pole + 4, 26, pole + 1)
    flag += commands(
        "L", 25, pole + 12, "Q", 19, pole + 15, 13, pole + 12, "Q", 7, pole + 9, 0.8, pole + 12, "Z"
    )
    pen.path(flag, pen.slant("#cf5444", "#8f2d27"), "#6d231d", 0.7)


# --- wood -----------------------------------------------------------------------------------------


def _palisade(
    pen: Pen, rng: random.Random, start: Point, end: Point, is_far: bool, size: float
) -> None:
    """A row of pointed stakes."""
    west, east, across = _southward(start, end)
    length = math.dist(west, east)
    foot = [west, east]
    _worn_earth(pen, rng, west, east, size)
    _shade(pen, foot, 18 * size)
    count = max(6, round(length / (7.4 * size)))
    lit = _lit(across)
    light = ""
    dark = ""
    tips = ""
    step = length / count
    for i in range(count + 1):
        x, y = _along(west, east, i / count, across, rng.uniform(-1, 1) * size)
        high = rng.uniform(24, 34) * size
        half = max(2.6 * size, step * 0.5)
        shoulder = y - high + 6 * size
        light += outline([(x - half, y + 1), (x - half, shoulder), (x, y - high), (x, y + 2)])
        dark += outline([(x + half, y + 1), (x + half, shoulder), (x, y - high), (x, y + 2)])
        tips += f"M{x:.1f} {y - high:.1f}L{x - half:.1f} {shoulder:.1f}"
    pen.path(light, mix("#7d5a36", "#c39763", lit), "#4a3420", 0.6)
    pen.path(dark, mix("#54391f", "#8d663d", lit), "#4a3420", 0.6)
    pen.path(tips, line="#e6c999", width=1.1, opacity=0.8)
    for level in (8, 18):
        (ax, ay), (bx, by) = _raised(foot, level * size)
        pen.path(
            f"M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}", line="#4a3420", width=2.2 * size, opacity=0.75
        )
    _weeds_at_foot(pen, rng, west, east, size)


def _weeds_at_foot(pen: Pen, rng: random.Random, west: Point, east: Point, size: float) -> None:
    """Grass in patches before stakes, where nobody walks: it hides how straight they stand."""
    for share in sorted(rng.random() for _ in range(3)):
        middle_x, middle_y = _along(west, east, share, (0, 0), 0)
        for _ in range(rng.choice((1, 2, 3))):
            name = f"weeds{rng.randrange(len(WEEDS))}"
            x = middle_x + rng.uniform(-12, 12) * size
            pen.use(name, x, middle_y + rng.uniform(3, 11) * size, size * rng.uniform(0.7, 1.1))


WEEDS = ("#6c7b3f", "#7d8a4a", "#62723c")
"""The colours of the elements ``weeds0`` ..., which grow at the foot of stakes."""


def _weeds(pen: Pen, rng: random.Random) -> None:
    """The elements ``weeds0`` ...: tufts of grass."""
    for number, colour in enumerate(WEEDS):
        pen.element(f"weeds{number}")
        tufts = ""
        for _ in range(3):
            tufts += blades(rng.uniform(-9, 9), rng.uniform(-2, 3), rng.uniform(7, 12), 5, 4)
        pen.path(tufts, colour)


def _watch_post(pen: Pen, name: str) -> None:
    """A stout post of three stakes with a small platform."""
    pen.element(name)
    shadow(pen, 3, 0, 13, 5.5, 0.7)
    for x, high in ((-5, 36), (5, 35), (0, 41)):
        pen.path(
            outline([(x - 4, 1), (x - 4, -high + 7), (x, -high), (x, 3)]), "#b98d5a", "#4a3420", 0.7
        )
        pen.path(
            outline([(x + 4, 1), (x + 4, -high + 7), (x, -high), (x, 3)]), "#6f4c2b", "#4a3420", 0.7
        )
    pen.path("M-9 -11H9M-9 -24H9", line="#3f2c1a", width=2.6)


def _trodden(pen: Pen) -> None:
    """Bare earth with grass that feet have left, which goes on from camp to camp."""
    rng = random.Random(230)
    begin_ground(pen, "#a88c63")
    mottle(pen, rng, 90, (50, 110), (("#80663f", 0.45), ("#c4aa80", 0.42), ("#7f8450", 0.45)))
    for x, y in torus_points(rng, 92):
        wide = rng.uniform(20, 40)
        pen.oval(x, y, wide, wide * 0.6, pen.soft("#7d8449", rng.uniform(0.4, 0.8)))
        tuft = ""
        for _ in range(round(wide / 3)):
            way = rng.uniform(0, wide * 0.7)
            tuft_x, tuft_y = around(x, y, way, way * 0.6, rng.uniform(0, 360))
            tuft += f"M{tuft_x:.0f} {tuft_y:.0f}l{rng.randint(-3, 3)} {-rng.randint(5, 8)}"
        pen.path(tuft, line="#727e41", width=1.7, opacity=0.8)
    mottle(pen, rng, 38, (10, 24), (("#7d6340", 0.36), ("#cdb78f", 0.3)))
    tufts = ""
    for x, y in torus_points(rng, 58):
        if rng.random() < 0.6:
            for lean in (-3, 0, 3):
                tufts += f"M{x + lean:.1f} {y:.1f}l{lean} {rng.uniform(-8, -4):.1f}"
    pen.path(tufts, line="#6f7a3c", width=1.7, opacity=0.75)
    marks(
        pen,
        rng,
        24,
        lambda x, y: outline(
            [around(x, y, 1.7, 1.3, 72 * i + rng.uniform(-12, 12)) for i in range(5)]
        ),
        ({"fill": "#8a7556"}, {"fill": "#d8c6a4"}, {"fill": "#77644a"}),
    )


def tent(pen: Pen, name: str, wide: float, high: float, tones: tuple[str, str]) -> None:
    """A tent of canvas with its flap open."""
    light, dark = tones
    pen.element(name)
    shadow(pen, wide * 0.4, 0, wide * 1.35, wide * 0.5, 0.8)
    ridge = (-wide * 0.35, -high)
    front = (wide * 0.3, -high * 0.96)
    pen.path(
        outline([(-wide, -wide * 0.2), ridge, front, (-wide * 0.2, wide * 0.24)]),
        pen.slant(light, mix(light, dark, 0.5)),
        "#5d4f3a",
        0.8,
    )
    pen.path(
        outline([(-wide * 0.2, wide * 0.24), front, (wide, 0)]),
        pen.slant(mix(light, dark, 0.55), dark),
        "#5d4f3a",
        0.8,
    )
    pen.path(
        outline(
            [(wide * 0.22, wide * 0.13), (front[0] + 1, -high * 0.6), (wide * 0.55, wide * 0.08)]
        ),
        "#3b2e20",
    )
    pen.path(commands("M", *front, "l", 0, -6, "M", *ridge, "l", 0, -5), line="#5d4630", width=1.6)


def _camp_things(pen: Pen) -> None:
    """The elements of a camp: tents, a fire, stores, a standard."""
    tent(pen, "tent0", 28, 37, ("#efe4c8", "#a8946c"))
    tent(pen, "tent1", 24, 31, ("#e3d2ac", "#94794f"))
    tent(pen, "tent2", 44, 58, ("#f0e6cd", "#a58f66"))
    pen.element("fire")
    shadow(pen, 0, 0, 10, 5, 0.5)
    for i in range(7):
        x, y = around(0, 0, 8, 4.6, 51 * i)
        pen.oval(x, y, 2.4, 1.8, "#8d8578", "#5b5449", 0.6)
    pen.path("M-5 1Q-6 -5 -2 -8Q-1 -12 1 -15Q2 -9 5 -6Q6 -2 4 1Z", "#e2853a")
    pen.path("M-2 1Q-3 -3 0 -8Q3 -3 2 1Z", "#f6d25e")
    pen.element("stores")
    shadow(pen, 2, 0, 12, 5, 0.6)
    pen.path("M-11 0V-8L-2 -10L7 -8V0L-2 3Z", pen.slant("#c49c67", "#7a5735"), "#4c3521", 0.8)
    pen.path("M-2 3V-5M-11 -8L-2 -5L7 -8", line="#4c3521", width=0.8)
    pen.oval(10, -2, 4, 5, "#c7b083", "#6f5c3c", 0.7)
    pen.element("standard")
    shadow(pen, 2, 0, 6, 2.4, 0.6)
    pen.path("M0 0V-42M-8 -38H8", line="#4c3521", width=2)
    pen.path("M-7 -38H7V-22L0 -17L-7 -22Z", pen.slant("#b8483a", "#7c2922"), "#5f211b", 0.7)


def encampment() -> Pen:
    """The yard of a camp behind a palisade."""
    rng = random.Random(231)
    pen = Pen("#b59a72")
    _trodden(pen)
    _camp_things(pen)
    _weeds(pen, rng)
    _watch_post(pen, "post0")

    def stand(pen: Pen, rng: random.Random, size: float) -> None:
        _tracks(pen, rng, size)
        names = ["tent0", "tent1", "fire", "stores", "stores", "tent1", "tent0"]
        rng.shuffle(names)
        places = [(-34, -12), (34, -18), (-28, 32), (32, 30), (0, 10)]
        rng.shuffle(places)
        stood = sorted(places[: rng.choice((2, 3, 4))], key=lambda place: place[1])
        for (x, y), name in zip(stood, names, strict=False):
            pen.use(name, (x + rng.uniform(-5, 5)) * size, (y + rng.uniform(-4, 4)) * size, size)

    single(pen, 232, stand, count=8, board=_camp_on_board)
    _enclose(pen, 233, _palisade, _post)
    return pen


def _camp_on_board(pen: Pen, rng: random.Random, _size: float) -> None:
    """A small camp for cells that show no walls."""
    _palisade(pen, rng, (-44, -14), (44, -14), True, 0.8)
    pen.use("tent2", -8, 24, 0.8)
    pen.use("fire", 32, 28, 0.8)
    _palisade(pen, rng, (-44, 46), (44, 46), False, 0.8)


def _post(pen: Pen, _rng: random.Random, at: Point, size: float) -> None:
    pen.use("post0", at[0], at[1] + 3 * size, size)


def chiefs_camp() -> Pen:
    """The yard of a camp around the tent of its leader."""
    rng = random.Random(241)
    pen = Pen("#b59a72")
    _trodden(pen)
    _camp_things(pen)
    _weeds(pen, rng)
    _watch_post(pen, "post0")

    def stand(pen: Pen, rng: random.Random, size: float) -> None:
        x = rng.uniform(-8, 4) * size
        pen.use("standard", x + 36 * size, 2 * size, size)
        pen.use("tent2", x, 18 * size, size)
        for name in rng.sample(("fire", "stores"), 1):
            pen.use(name, x + rng.uniform(16, 34) * size, rng.uniform(36, 46) * size, size)

    single(pen, 242, stand)
    _enclose(pen, 243, _palisade, _post)
    return pen
