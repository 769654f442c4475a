"""Sand and snow: Sand, Drift, and deserts and ice of worlds."""

from __future__ import annotations

import math
import random

from pictures.compose import CELLS, points_on_board, single, spans
from pictures.ground import begin_ground, marks, mottle, torus_points
from pictures.pen import Pen, Point, around, outline, placed
from pictures.rock import boulder
from pictures.vegetation import conifer, shadow

_DUNE = "M-52 15C-34 10 -22 -18 0 -19C16 -19 36 2 54 14C30 21 -26 22 -52 15Z"
_LEE = "M0 -19C16 -19 36 2 54 14C40 18 22 19.5 4 20C18 12 22 4 12 -3C2 -9 -6 -13 0 -19Z"


def _dunes(colour: str, base: str, dark: str, light: str, seed: int) -> Pen:
    rng = random.Random(seed)
    pen = Pen(colour)
    begin_ground(pen, base)
    mottle(pen, rng, 80, (60, 115), ((dark, 0.34), (light, 0.44)))
    mottle(pen, rng, 46, (18, 36), ((dark, 0.22), (light, 0.3)))
    marks(
        pen,
        rng,
        32,
        lambda x, y: f"M{x - 9} {y}q4.5 -3.4 9 0t9 0",
        (
            {"line": dark, "width": 1.6, "opacity": 0.65},
            {"line": light, "width": 1.6, "opacity": 0.75},
        ),
    )
    for i in range(3):
        pen.element(f"dune{i}")
        wide = rng.uniform(0.85, 1.05)
        high = rng.uniform(0.8, 1.0)
        pen.oval(14, 10, 56, 16, pen.soft("#5b441c", 0.42))
        pen.path(
            placed(_DUNE, 0, 0, wide * high),
            pen.linear((-28, -18), (10, 20), (0, "#f7ebc4"), (0.6, light), (1, base)),
        )
        pen.path(
            placed(_LEE, 0, 0, wide * high),
            pen.linear((6, -16), (40, 18), (0, "#b18d52"), (1, "#cfae70")),
            opacity=0.9,
        )
        folds = "M-30 9C-22 6 -16 0 -12 -6M-18 13C-10 10 -4 4 -2 -4"
        pen.path(placed(folds, 0, 0, wide * high), line=dark, width=1.3, opacity=0.8)
    boulder(pen, "rock0", rng, 6, "#7b6442", "#e6d4a8")
    pen.element("scrub")
    shadow(pen, 0, 0, 7, 3, 0.5)
    pen.path(
        "M0 0l-6 -8M0 0l-2 -11M0 0l3 -10M0 0l7 -6M-3 -4l-5 -1M2 -5l5 -4", line="#7d7440", width=1.3
    )

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 54, 40, -20, 44, rng.choice((1, 2, 2, 3))):
            pen.use(f"dune{rng.randrange(3)}", x * size, y * size, size * rng.uniform(0.55, 1.05))
        for x, y in points_on_board(rng, 50, 64, -34, 56, 2):
            if rng.random() < 0.5:
                pen.use(rng.choice(("rock0", "scrub", "scrub")), x * size, y * size, size)

    def erg(pen: Pen, rng: random.Random, size: float, centres: list[Point]) -> None:
        x, y = (sum(each) / len(centres) for each in zip(*centres, strict=True))
        great = 1.5 if len(centres) > 2 else 1.15
        things = [(x, y, great)]
        for cx, cy in centres:
            px = cx + (cx - x) * 0.4
            py = cy + (cy - y) * 0.4
            things.append((px + rng.uniform(-20, 20) * size, py, rng.uniform(0.4, 0.75)))
        for px, py, scale in sorted(things, key=lambda each: each[1]):
            pen.use(f"dune{rng.randrange(3)}", px, py + rng.uniform(-6, 6) * size, size * scale)

    single(pen, seed + 1, draw, count=8)
    spans(pen, seed + 20, erg)
    return pen


def sand() -> Pen:
    """Dunes with a winding crest, and the ripples of the wind."""
    return _dunes("#e3cf8f", "#e0cb92", "#c2a566", "#efe0b2", 71)


def desert() -> Pen:
    """Dunes."""
    return _dunes("#e4cf8d", "#dfc88d", "#bf9f60", "#efdfae", 73)


def snow_ground(pen: Pen, rng: random.Random, base: str) -> None:
    """A ground of snow with blue shades."""
    begin_ground(pen, base)
    mottle(pen, rng, 80, (60, 115), (("#bfd0de", 0.5), ("#ffffff", 0.7), ("#cfdce6", 0.4)))
    mottle(pen, rng, 46, (18, 36), (("#b7cad9", 0.36), ("#ffffff", 0.6)))
    marks(
        pen,
        rng,
        38,
        lambda x, y: f"M{x - 8} {y}q8 -4.4 16 0.6",
        ({"line": "#adc2d2", "width": 1.5, "opacity": 0.7}, {"line": "#ffffff", "width": 1.7}),
    )


def drift() -> Pen:
    """Snow drifts with blue shade, rocks and firs that still show."""
    rng = random.Random(75)
    pen = Pen("#dbe8f0")
    snow_ground(pen, rng, "#e6edf1")
    body = "M-50 14C-42 6 -36 -14 -8 -15C16 -16 26 -2 50 13C30 20 -28 21 -50 14Z"
    lee = "M-8 -15C16 -16 26 -2 50 13C34 18 12 19 -8 18.6C8 14 16 6 9 -2C4 -8 -2 -11 -8 -15Z"
    for i in range(3):
        pen.element(f"drift{i}")
        size = rng.uniform(0.85, 1.05)
        pen.oval(12, 10, 54, 15, pen.soft("#5d7f9c", 0.5))
        pen.path(
            placed(body, 0, 0, size),
            pen.linear((-20, -15), (6, 20), (0, "#ffffff"), (0.6, "#f8fbfc"), (1, "#dfe8ee")),
        )
        pen.path(
            placed(lee, 0, 0, size),
            pen.linear((0, -12), (30, 18), (0, "#a9c0d3"), (1, "#cbdae5")),
            opacity=0.9,
        )
    boulder(pen, "rock0", rng, 8, "#5c646c", "#f4f6f7")
    boulder(pen, "rock1", rng, 6, "#666b70", "#f0f3f5")
    conifer(pen, "fir0", rng, 34, ("#3d5a55", "#7b9a92", "#eef4f5"))
    conifer(pen, "fir1", rng, 28, ("#45605a", "#86a39b", "#f2f7f8"))

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        things = [
            (x, y, f"drift{rng.randrange(3)}", rng.uniform(0.6, 0.9))
            for x, y in points_on_board(rng, 44, 44, -24, 46, rng.choice((2, 3)))
        ]
        for x, y in points_on_board(rng, 46, 60, -16, 56, 3):
            if rng.random() < 0.4:
                things.append((x, y, rng.choice(("rock0", "rock1", "fir0", "fir1")), 1.0))
        for x, y, name, scale in sorted(things, key=lambda each: each[1]):
            pen.use(name, x * size, y * size, size * scale)

    single(pen, 76, draw, count=8)
    return pen


def ice() -> Pen:
    """Ice in plates between cracks, with blue depths; before its coasts floes drift."""
    rng = random.Random(77)
    pen = Pen("#eef4f8")
    _ice_ground(pen, rng)
    for i in range(3):
        pen.element(f"hummock{i}")
        shadow(pen, 0, 0, 15, 6, 0.36)
        w = rng.uniform(11, 15)
        h = rng.uniform(10, 15)
        pen.path(
            outline([(-w, 1), (-w * 0.5, -h * 0.7), (-1, -h), (2, -h * 0.4), (0, 3)]), "#fbfdfe"
        )
        pen.path(outline([(-1, -h), (w * 0.5, -h * 0.6), (w, 1), (0, 3), (2, -h * 0.4)]), "#9cbdd2")
    for i in range(_FLOES):
        _floe(pen, f"floe{i}", rng)

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        x, y = around(0, 0, rng.uniform(10, 50), rng.uniform(10, 40), rng.uniform(0, 360))
        if rng.random() < 0.4:
            _pressure_ridge(pen, rng, x, y, size)
        else:
            pen.use(f"hummock{rng.randrange(3)}", x * size, y * size, size * rng.uniform(0.3, 0.6))

    single(pen, 78, draw, count=8, board=_ice_on_board)
    _floes(pen, random.Random(79))
    return pen


def _ice_ground(pen: Pen, rng: random.Random) -> None:
    """Plates of ice in different tones, and long cracks that fork."""
    begin_ground(pen, "#dbe8f0")
    mottle(pen, rng, 120, (60, 120), (("#8fb9d4", 0.45), ("#a8cbdf", 0.4), ("#f4f9fc", 0.5)))
    marks(
        pen,
        rng,
        76,
        lambda x, y: outline(_broken_plate(rng, x, y, rng.uniform(44, 92))),
        (
            {"fill": "#ffffff", "opacity": 0.2},
            {"fill": "#9fc3d9", "opacity": 0.2},
            {"fill": "#f4f9fc", "opacity": 0.2},
        ),
    )
    mottle(pen, rng, 70, (16, 40), (("#ffffff", 0.5), ("#b7cfdf", 0.3)))
    for x, y in torus_points(rng, 108):
        _crack(pen, rng, x, y)


def _broken_plate(rng: random.Random, x: float, y: float, radius: float) -> list[Point]:
    """Return the corners of a piece of ice around a point."""
    count = rng.choice((5, 6, 7))
    turn = rng.uniform(0, 360)
    corners = []
    for i in range(count):
        far = radius * rng.uniform(0.75, 1.1)
        direction = turn + 360 / count * i + rng.uniform(-16, 16)
        corners.append(around(x, y, far, far * 0.66, direction))
    return corners


def _crack(pen: Pen, rng: random.Random, x: float, y: float) -> None:
    """A crack through ice, which forks: a blue line that is lit in the south-east."""
    turn = rng.uniform(0, 360)
    line = [(x, y)]
    branches = []
    for _ in range(rng.choice((3, 4, 5))):
        turn += rng.uniform(-42, 42)
        x, y = around(x, y, rng.uniform(20, 42), rng.uniform(14, 30), turn)
        line.append((x, y))
        if rng.random() < 0.5:
            fork = turn + rng.choice((-1, 1)) * rng.uniform(40, 75)
            branches.append([(x, y), around(x, y, 26, 18, fork)])
    lines = [line, *branches]
    for offset, colour, width, opacity in ((1.3, "#ffffff", 1.8, 0.9), (0, "#6e9bb8", 1.5, 0.8)):
        d = ""
        for points in lines:
            d += "M" + "L".join(f"{a + offset:.1f} {b + offset:.1f}" for a, b in points)
        pen.path(d, line=colour, width=width, opacity=opacity)


def _pressure_ridge(pen: Pen, rng: random.Random, x: float, y: float, size: float) -> None:
    """Hummocks in a row, where plates of ice were pressed together."""
    turn = rng.uniform(-40, 40)
    hummocks = []
    for i in range(rng.choice((1, 2, 5))):
        along_x, along_y = around(0, 0, 13 * i, 9 * i, turn)
        hummock_x = x + along_x + rng.uniform(-5, 5)
        hummock_y = y + along_y + rng.uniform(-5, 5)
        hummocks.append((hummock_x, hummock_y, rng.uniform(0.4, 1.2)))
    for hummock_x, hummock_y, scale in sorted(hummocks, key=lambda hummock: hummock[1]):
        name = f"hummock{rng.randrange(3)}"
        pen.use(name, hummock_x * size, hummock_y * size, size * scale)


def _ice_on_board(pen: Pen, rng: random.Random, size: float) -> None:
    """A crack and a ridge, for cells on boards."""
    _crack(pen, rng, rng.uniform(-30, 0) * size, rng.uniform(-20, 10) * size)
    _pressure_ridge(pen, rng, rng.uniform(-20, 10), rng.uniform(0, 30), size)


_FLOES = 6
"""So many different floes drift before coasts."""


def _floe(pen: Pen, name: str, rng: random.Random) -> None:
    """A floe around (0, 0): its edge in the south, its top, and the water that it darkens."""
    pen.element(name)
    corners = _broken_plate(rng, 0, 0, 20)
    pen.path(outline([(x * 1.12 + 2, y * 1.12 + 4.5) for x, y in corners]), "#1f4c6e", opacity=0.4)
    pen.path(outline([(x, y + 3) for x, y in corners]), "#7fb0cc")
    pen.path(outline(corners), pen.slant("#eaf3f8", "#b9d6e6"))
    split = rng.randrange(3)
    half = [corners[split], *corners[split + 2 :]]
    pen.path(outline(half), "#ffffff", opacity=0.4)


def _floes(pen: Pen, rng: random.Random) -> None:
    """Floes beyond each side of a cell of ice, the smaller the farther they drift."""
    for name, cell in CELLS.items():
        for side in range(len(cell.corners)):
            start = cell.corners[side]
            end = cell.corners[(side + 1) % len(cell.corners)]
            for number in (1, 2):
                pen.group(f"{name}-stray{side}-{number}")
                _floes_beyond(pen, rng, start, end, cell.size)


def _floes_beyond(pen: Pen, rng: random.Random, start: Point, end: Point, size: float) -> None:
    """Floes beyond the side of a cell between two corners, none over another, and clefts in the ice
    there.
    """
    middle_x = (start[0] + end[0]) / 2
    middle_y = (start[1] + end[1]) / 2

    def at(share: float, out: float) -> Point:
        """The point at a share of the side, so far beyond it."""
        x = start[0] + (end[0] - start[0]) * share + middle_x * out
        return x, start[1] + (end[1] - start[1]) * share + middle_y * out

    clefts = ""
    for share in rng.sample((0.15, 0.35, 0.65, 0.85), rng.choice((0, 1, 1, 2))):
        mouth = rng.uniform(0.04, 0.09)
        turn = rng.uniform(-0.15, 0.15)
        bend = at(share + turn, -0.05)
        tip = at(share + rng.uniform(-0.2, 0.2), rng.uniform(-0.45, -0.2))
        clefts += outline([at(share - mouth, 0.24), bend, tip, at(share + turn + 0.03, -0.05)])
        clefts += outline([at(share - mouth, 0.24), bend, at(share + mouth, 0.24)])
    if clefts:
        pen.path(clefts, "#3d7ba6", opacity=0.75)
    floes: list[tuple[float, float, float]] = []
    count = rng.choice((4, 5, 7, 8))
    for _ in range(120):
        out = rng.uniform(0.12, 1.0)
        x, y = at(rng.uniform(-0.15, 1.15), out)
        scale = size * rng.choice((0.25, 0.4, 0.8, 1.3, 1.7)) * (1.15 - 0.6 * out)
        is_free = True
        for other_x, other_y, other_scale in floes:
            apart = 19 * (scale + other_scale)
            is_free &= math.hypot(x - other_x, (y - other_y) * 1.4) > apart
        if is_free and len(floes) < count:
            floes.append((x, y, scale))
    for x, y, scale in sorted(floes, key=lambda floe: floe[1]):
        pen.use(f"floe{rng.randrange(_FLOES)}", x, y, scale)
