"""Caves and holes: the rock around caves, their floors, chasms, lava.

The sides of rock and of chasms bend where their cells meet: ``flat-wall0-1`` to ``-4`` are those of
a side (``_enclose_bent``). Which of them a cell shows follows from its neighbours
(``app/render/scene/landscape/walls.py``).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import NamedTuple

from pictures.compose import CELLS, Cell, one_of, points_on_board, rims, single, strays
from pictures.ground import PERIOD, begin_ground, marks, mottle, torus_points
from pictures.pen import Pen, Point, around, blob, curve, outline
from pictures.rock import mix
from pictures.stones import STONE_COLOURS, deep_stone, painted_stone, plain_stone
from pictures.vegetation import shadow

# --- sides that bend ------------------------------------------------------------------------------

_CUT = 0.2
"""The corners of rock are cut off by this share of the way from the middle. With less a band of
single cells bulges from cell to cell."""

_FILLED = 0.2
"""The notches between cells of rock are filled by this share of a side."""

_COVERED = 0.04
"""To this share of the way from the middle a side covers what reaches into its cell. With more, the
ground beside a single cell would show in its middle."""

_COVERED_SIDE = 0.5
"""The same from a notch, as a share of the side beyond which the rock goes on."""

_COVERED_OVER = 1.05
"""It covers a little beyond that side: else the ground would show there in a thin line."""

_COVER_OVERLAP = 2.0
"""What two sides that meet cover overlaps by this much."""


class _End(NamedTuple):
    """An end of a side, where the next side begins: of the same cell, or in a notch of another."""

    point: Point
    """Where the line of the side ends."""

    corner: Point
    """The corner of the cell there."""

    beyond: Point | None
    """The next corner, if the same ground goes on beyond the side that leads to it."""

    outward: Point
    """The direction out of the ground, of length 1: the same for both sides that meet there."""


class _Side(NamedTuple):
    """A side of rock or of a chasm."""

    start: _End
    end: _End
    """The later end, clockwise."""

    outward: Point
    """The direction to the cell beyond, of length 1."""

    bulge: float
    """How far the middle of the side stands out, in hundredths of a map unit."""


Face = Callable[[Pen, random.Random, _Side, float], None]
"""Draws a side. The number is the size of the cell."""

_BULGES = (8, 2, 2, -5)
"""How far the middle of a side stands out, by whether the ground goes on at its ends: at none, the
start, the end, both. Between two tips it is round, in a notch it is hollow."""


_SHAPES = 2
"""So many shapes of each side are drawn: with one alone long edges would repeat it."""


def _enclose_bent(pen: Pen, seed: int, face: Face) -> None:
    """Draw all sides: ``flat-wall0-1`` to ``-4`` are those of a side, by what lies beyond the sides
    before and after it, and ``-5`` to ``-8`` the same in another shape. The lowest bits of their
    number less 1 say that the same ground goes on there.
    """
    rng = random.Random(seed)
    for name, cell in CELLS.items():
        count = len(cell.corners)
        for side in range(count):
            for number in range(4 * _SHAPES):
                pen.group(f"{name}-wall{side}-{number + 1}")
                face(pen, rng, _side(cell, side, number % 4), cell.size)


def _side(cell: Cell, number: int, bends: int) -> _Side:
    """Return a side of a cell; the bits of ``bends`` say at which ends its ground goes on."""
    corners = cell.corners
    after = (number + 1) % len(corners)
    start = _end(corners[number], corners[number - 1], goes_on=bool(bends & 1))
    beyond = corners[(number + 2) % len(corners)]
    end = _end(corners[after], beyond, goes_on=bool(bends & 2))
    middle_x = (start.corner[0] + end.corner[0]) / 2
    middle_y = (start.corner[1] + end.corner[1]) / 2
    return _Side(start, end, _unit(middle_x, middle_y), _BULGES[bends] * cell.size)


def _end(corner: Point, beyond: Point, *, goes_on: bool) -> _End:
    """Return the end of a side at a corner; ``beyond`` is the next corner after it."""
    x, y = corner
    if not goes_on:
        point = (x * (1 - _CUT), y * (1 - _CUT))
        return _End(point, corner, None, _unit(x, y))
    along_x = x - beyond[0]
    along_y = y - beyond[1]
    point = (x + along_x * _FILLED, y + along_y * _FILLED)
    return _End(point, corner, beyond, _unit(along_x, along_y))


def _unit(x: float, y: float) -> Point:
    length = math.hypot(x, y)
    return x / length, y / length


def _moved(point: Point, direction: Point, far: float) -> Point:
    return point[0] + direction[0] * far, point[1] + direction[1] * far


def _towards(point: Point, goal: Point, share: float) -> Point:
    return point[0] + (goal[0] - point[0]) * share, point[1] + (goal[1] - point[1]) * share


def _shares(rng: random.Random, side: _Side, apart: float) -> list[float]:
    """Return shares of the line of a side, from 0 to 1, whose points lie about ``apart``."""
    count = max(4, round(math.dist(side.start.point, side.end.point) / apart))
    inner = [(i + rng.uniform(-0.3, 0.3)) / count for i in range(1, count)]
    return [0.0, *inner, 1.0]


def _wander(rng: random.Random, shares: list[float], far: float, rough: float) -> list[float]:
    """Return values at ``shares`` of a side that wander by ``far`` in a long wave, and by ``rough``
    from one to the next; at both ends they are 0, so that sides meet.
    """
    phase = rng.uniform(0, 2 * math.pi)
    waves = rng.uniform(0.7, 1.5)
    values = []
    for share in shares:
        wave = far * math.sin(phase + 2 * math.pi * waves * share)
        freedom = min(1.0, 4 * share, 4 * (1 - share))
        values.append((wave + rng.uniform(-rough, rough)) * freedom)
    return values


def _line(
    rng: random.Random, side: _Side, shares: list[float], far: float, rough: float
) -> list[Point]:
    """Return the line of a side at ``shares`` of it, which wanders as ``_wander`` says."""
    points = []
    for share, out in zip(shares, _wander(rng, shares, far, rough), strict=True):
        at_share = _towards(side.start.point, side.end.point, share)
        points.append(_moved(at_share, side.outward, out + side.bulge * math.sin(math.pi * share)))
    return points


def _cover(pen: Pen, line: list[Point], start: list[Point], end: list[Point], colour: str) -> None:
    """Cover what reaches into a cell with a colour, from a line along a side. ``start`` and ``end``
    are the borders of the covered area at its ends, from the line inwards.
    """
    pen.path(outline([*line, *end, *start[::-1]]), colour)


def _border(side: _Side, end: _End) -> list[Point]:
    """Return the border of what a side covers at one of its ends."""
    inside = (end.corner[0] * _COVERED, end.corner[1] * _COVERED)
    if end.beyond is None:
        # Below the line it overlaps the next side: no ground shows between the two.
        across = _across(side, end)
        below_line = _towards(end.point, inside, 0.3)
        return [_moved(below_line, across, _COVER_OVERLAP), _moved(inside, across, _COVER_OVERLAP)]
    over_corner = (end.corner[0] * _COVERED_OVER, end.corner[1] * _COVERED_OVER)
    x, y = _towards(end.corner, end.beyond, _COVERED_SIDE)
    return [over_corner, (x * _COVERED_OVER, y * _COVERED_OVER), inside]


def _across(side: _Side, end: _End) -> Point:
    """Return the direction from a side over one of its ends to the next side, of length 1."""
    x, y = end.outward
    if end is side.start:
        return y, -x
    return -y, x


def _polyline(points: list[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _direction(side: _Side, share: float) -> Point:
    """Return the outward direction at a share of a side: between those of its ends and its own."""
    if share < 0.5:
        x, y = _towards(side.start.outward, side.outward, 2 * share)
    else:
        x, y = _towards(side.outward, side.end.outward, 2 * share - 1)
    return _unit(x, y)


# --- the rock of caves ----------------------------------------------------------------------------

_ROCK_HIGH = 46
"""So high rock stands over the floors of caves. With more it would hide the cells in the north."""

_DEPTH = "#15100d"
"""The colour within rock: so dark that nobody takes it for a floor."""

_STONES = 5
"""So many stones of each kind there are."""

_TOPS_AND_FACES = (("lit", 0.0), ("lee", 0.24))
"""The stones at the edge of rock: those towards the light, and those away from it with how much
darker they are."""

_STONES_APART = 31
"""So far the stones at the edge of rock lie from each other, in hundredths of a map unit."""

_SHADOW_STEPS = ((36, 0.18), (22, 0.24), (10, 0.3))
"""The shadow of rock is drawn as shades over one another: how far each reaches, in hundredths of a
map unit, and its opacity."""


def cave_wall() -> Pen:
    """The rock around caves: boulders in heaps, and within large rock the dark."""
    rng = random.Random(251)
    pen = Pen("#4b433b")
    _rock_ground(pen, rng)
    for i in range(_STONES):
        for kind, shade in _TOPS_AND_FACES:
            colours = STONE_COLOURS.darkened(shade)
            wide = rng.uniform(17, 23)
            painted_stone(pen, f"top-{kind}{i}", rng, wide, wide * rng.uniform(0.7, 1.0), colours)
            wide = rng.uniform(15, 21)
            face_colours = STONE_COLOURS.darkened(shade + 0.12)
            painted_stone(pen, f"face-{kind}{i}", rng, wide, rng.uniform(25, 34), face_colours)
        wide = rng.uniform(7, 13)
        plain_stone(pen, f"foot{i}", rng, wide, wide * 0.75, STONE_COLOURS.darkened(0.2))
        wide = rng.uniform(20, 28)
        high = wide * rng.uniform(0.7, 1.05)
        plain_stone(pen, f"second{i}", rng, wide, high, STONE_COLOURS.darkened(0.5))
        wide = rng.uniform(20, 28)
        deep_stone(pen, f"third{i}", rng, wide, wide * 0.85, STONE_COLOURS.darkened(0.7))
        deep_stone(pen, f"deep{i}", rng, wide, wide * 0.75, STONE_COLOURS.darkened(0.9))

    def stand_on_board(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 26, 66, -34, 56, rng.choice((8, 9, 10))):
            kind = rng.choice(("top-lit", "top-lee", "face-lit"))
            pen.use(f"{kind}{rng.randrange(_STONES)}", x * size, y * size, size)

    single(pen, 252, _rock_inside, board=stand_on_board)
    rims(pen, 254, _rock_summit)
    _enclose_bent(pen, 253, _rock_face)
    return pen


def _rock_ground(pen: Pen, rng: random.Random) -> None:
    """The dark within rock, with a trace of stones in it."""
    begin_ground(pen, _DEPTH)
    mottle(pen, rng, 90, (60, 120), (("#0d0a08", 0.5), ("#2a221b", 0.35)))
    for x, y in sorted(torus_points(rng, 58), key=lambda point: point[1]):
        wide = rng.uniform(18, 42)
        shape = blob(x, y, wide, wide * rng.uniform(0.5, 0.75), rng, 0.22, 8)
        pen.path(shape, pen.slant("#241d17", "#15100d"), opacity=0.7)


def _rock_inside(pen: Pen, rng: random.Random, size: float) -> None:
    """Stones in the dark within rock."""
    for x, y in points_on_board(rng, 40, 76, -90, 30, rng.choice((2, 3, 4))):
        name = f"deep{rng.randrange(_STONES)}"
        pen.use(name, x * size, y * size, size * rng.uniform(0.7, 1.2))


def _rock_summit(pen: Pen, rng: random.Random, size: float) -> None:
    """The stones within a cell at the rim of rock."""
    for x, y in points_on_board(rng, 30, 50, -92, -30, 5):
        name = f"third{rng.randrange(_STONES)}"
        pen.use(name, x * size, y * size, size * rng.uniform(0.9, 1.35))


_TO_LIGHT = (-0.8, -0.6)
"""The direction to the light, of length 1."""

_SCALES = (0.8, 0.95, 1.1, 1.35)
"""The sizes of stones on top of rock. If they were alike, rock would look like a built wall."""

_END_SEED = 7000
"""Added to the angles of ends, in degrees, as the seed of the stones there."""


class _Row(NamedTuple):
    """Stones on top of rock, along its edge."""

    kind: str
    """The name of their elements without the number."""

    inward: float
    """How far they lie from the edge, in hundredths of a map unit."""

    rise: float
    """How much higher than the edge they lie, in the same unit: rock is highest in its middle."""

    share: float
    """Which share of them is drawn, from 0 to 1."""


_INNER_ROWS = (
    _Row("third", 56, 16, 0.7),
    _Row("second", 30, 11, 1.0),
)
"""The rows behind the edge of rock, from the dark on. With further ones narrow rock would have no
dark middle."""


class _Stone(NamedTuple):
    """A stone of a side of rock or of a chasm."""

    name: str
    """The name of its element."""

    x: int
    y: int
    """The position of its middle, in hundredths of a map unit: whole numbers make small files."""

    scale: float


def _rock_face(pen: Pen, rng: random.Random, side: _Side, size: float) -> None:
    """A side of rock that stands on the ground: stones around its top, and a cliff in the south."""
    shares = _shares(rng, side, _STONES_APART * size)
    foot = _line(rng, side, shares, 17 * size, 5 * size)
    high = _ROCK_HIGH * size
    edge = [(x, y - high) for x, y in foot]
    is_near = side.outward[1] > -0.1
    if side.outward[0] + side.outward[1] > 0:
        _rock_shadow(pen, foot, size)
    # The dark ends within the stones: their outlines are those of the rock.
    for line in (foot, edge):
        inner = []
        for share, point in zip(shares, line, strict=True):
            inner.append(_moved(point, _direction(side, share), -7 * size))
        _cover(pen, inner, _border(side, side.start), _border(side, side.end), _DEPTH)

    stones = _stones_at_end(side.start, size) + _stones_at_end(side.end, size)
    for i in range(1, len(shares) - 1):
        direction = _direction(side, shares[i])
        stones += _stones_across(rng, foot[i], direction, size, is_near=is_near)
    for stone in sorted(stones, key=lambda stone: stone.y):
        pen.use(stone.name, stone.x, stone.y, stone.scale)


def _rock_shadow(pen: Pen, foot: list[Point], size: float) -> None:
    """The shadow of rock on the ground in the south-east of the line of its foot."""
    # Few points make the end of the shadow smooth, whatever the foot of the rock is like.
    points = [foot[-1], foot[len(foot) // 2], foot[0]]
    for far, opacity in _SHADOW_STEPS:
        end = [(x + far * 0.85 * size, y + far * size) for x, y in points]
        line = curve(end, closed=False)
        pen.path(f"{_polyline(foot)}L{line[1:]}Z", "#0c0907", opacity=opacity)


def _stones_at_end(side_end: _End, size: float) -> list[_Stone]:
    """Return the stones where a side meets the next one: the same for both, since whichever is
    drawn later covers those of the other.
    """
    is_near = side_end.outward[1] > -0.3
    rng = _random_of_end(side_end)
    return _stones_across(rng, side_end.point, side_end.outward, size, is_near=is_near)


def _random_of_end(side_end: _End) -> random.Random:
    """Return dice that are the same for both sides that meet at an end."""
    x, y = side_end.outward
    angle_deg = round(math.degrees(math.atan2(y, x)))
    return random.Random(angle_deg + _END_SEED)


def _stones_across(
    rng: random.Random, foot: Point, outward: Point, size: float, *, is_near: bool
) -> list[_Stone]:
    """Return the stones from the dark within rock over its edge to a point at its foot.

    ``outward`` is the direction out of the rock. If it is near, its cliff is seen.
    """
    facing = "lee"
    if outward[0] * _TO_LIGHT[0] + outward[1] * _TO_LIGHT[1] > 0:
        facing = "lit"
    edge = (foot[0], foot[1] - _ROCK_HIGH * size)
    stones = []
    for row in (*_INNER_ROWS, _Row(f"top-{facing}", 5, 0, 1.0)):
        if rng.random() > row.share:
            continue
        x, y = _moved(edge, outward, -(row.inward + rng.uniform(-7, 7)) * size)
        scale = rng.choice(_SCALES) * size
        stones.append(_any_stone(rng, row.kind, x, y - row.rise * size, scale))
    if is_near:
        stones += _cliff_stones(rng, foot, outward, facing, size)
    return stones


def _cliff_stones(
    rng: random.Random, foot: Point, outward: Point, facing: str, size: float
) -> list[_Stone]:
    """Return the stones of a cliff above a point at its foot, and the rubble there.

    They are one high stone or two boulders, whose kinds end in ``facing``.
    """
    stones = []
    scale = rng.uniform(0.75, 1.25)
    x, y = _moved(foot, outward, rng.uniform(-7, 5) * size)
    if rng.random() < 0.7:
        high_y = y - 20 * scale * size
        stones.append(_any_stone(rng, f"face-{facing}", x, high_y, scale * size))
    else:
        stones.append(_any_stone(rng, f"top-{facing}", x, y - 32 * size, scale * size))
        lower_x = x + rng.uniform(-8, 8) * size
        stones.append(_any_stone(rng, f"top-{facing}", lower_x, y - 12 * size, scale * size))
    for _ in range(rng.choice((1, 1, 2))):
        rubble_x = foot[0] + rng.uniform(-16, 16) * size
        rubble_y = foot[1] + rng.uniform(-3, 8) * size
        stones.append(_any_stone(rng, "foot", rubble_x, rubble_y, rng.uniform(0.5, 1.2) * size))
    return stones


def _any_stone(rng: random.Random, kind: str, x: float, y: float, scale: float) -> _Stone:
    """Return one of the stones of a kind at a position."""
    return _Stone(f"{kind}{rng.randrange(_STONES)}", round(x), round(y), scale)


# --- chasms ---------------------------------------------------------------------------------------

_ABYSS = "#0f0d0c"
"""The colour of a chasm, of which no ground is seen."""

_PIT_DEEP = 92
"""So far down the rock below the northern rim of a chasm is seen. With more it would show over the
southern rim of a single cell."""

_PIT_SLOPE = 24
"""So far the rock of a chasm slopes inwards: that is seen in the east and west."""


_PIT_STONES_APART = 15
"""So far the stones at the rim of a chasm lie from each other, in hundredths of a map unit."""

_PIT_COLOURS = STONE_COLOURS.darkened(0.1)
"""The colours of stones at the rim of a chasm."""


class _PitRow(NamedTuple):
    """Stones of the rock below the rim of a chasm."""

    kind: str
    """The name of their elements without the number."""

    down: float
    """At which share of the way from the rim to the dark they lie."""

    shade: float
    """How much darker they are than those of the rim, from 0 to 1."""


_PIT_ROWS = (
    _PitRow("deepest", 0.78, 0.86),
    _PitRow("deep", 0.5, 0.66),
    _PitRow("upper", 0.2, 0.36),
)
"""The rows of rock in a chasm, from the deepest up."""


def chasm() -> Pen:
    """A hole without a ground: from a broken rim rock goes down into the dark."""
    rng = random.Random(281)
    pen = Pen("#2a2520")
    begin_ground(pen, _ABYSS)
    mottle(pen, rng, 90, (70, 150), (("#0a0908", 0.5), ("#171412", 0.5)))
    for i in range(_STONES):
        wide = rng.uniform(9, 14)
        painted_stone(pen, f"rim{i}", rng, wide, wide * rng.uniform(0.6, 0.8), _PIT_COLOURS)
        for row in _PIT_ROWS:
            wide = rng.uniform(12, 19)
            high = rng.uniform(20, 30)
            plain_stone(pen, f"{row.kind}{i}", rng, wide, high, _PIT_COLOURS.darkened(row.shade))

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 50, 60, -36, 54, 1):
            shape = blob(x * size, y * size, 16 * size, 7 * size, rng, 0.3)
            pen.path(shape, "#1b1714", opacity=0.35)

    single(pen, 282, draw)
    _enclose_bent(pen, 283, _pit_face)
    return pen


def _pit_face(pen: Pen, rng: random.Random, side: _Side, size: float) -> None:
    """A side of a chasm: the stones of its rim, and below them the rock that goes down."""
    shares = _shares(rng, side, _PIT_STONES_APART * size)
    line = _line(rng, side, shares, 14 * size, 6 * size)
    _cover(
        pen, line, _pit_border(side, side.start, size), _pit_border(side, side.end, size), _ABYSS
    )
    # The rows of all points are drawn from the deepest up, the last is the rim.
    rows: list[list[_Stone]] = [[] for _ in range(len(_PIT_ROWS) + 1)]
    for end in (side.start, side.end):
        _add_pit_stones(rows, _random_of_end(end), end.point, end.outward, size)
    for i in range(1, len(shares) - 1):
        _add_pit_stones(rows, rng, line[i], _direction(side, shares[i]), size)
    for row in rows:
        for stone in row:
            pen.use(stone.name, stone.x, stone.y, stone.scale)


def _add_pit_stones(
    rows: list[list[_Stone]], rng: random.Random, point: Point, outward: Point, size: float
) -> None:
    """Add the stones at and below a point of the rim of a chasm: those of each of ``_PIT_ROWS`` to
    one of ``rows``, those of the rim to the last.
    """
    *rows_below, rim = rows
    down_x, down_y = _down(outward, size)
    is_seen = outward[1] <= 0.3  # in the south the ground hides the rock below its rim
    if is_seen:
        for stones, row in zip(rows_below, _PIT_ROWS, strict=True):
            x = point[0] + down_x * row.down + rng.uniform(-4, 4) * size
            y = point[1] + down_y * row.down * rng.uniform(0.9, 1.1)
            stones.append(_any_stone(rng, row.kind, x, y, rng.uniform(0.85, 1.25) * size))
    for _ in range(rng.choice((1, 1, 2))):
        x, y = _moved(point, outward, rng.uniform(-3, 8) * size)
        x += rng.uniform(-6, 6) * size
        scale = rng.choice((0.5, 0.7, 0.9, 1.2)) * size
        rim.append(_any_stone(rng, "rim", x, y, scale))


def _pit_border(side: _Side, end: _End, size: float) -> list[Point]:
    """Return the border of what a side of a chasm covers at one of its ends.

    In a northern notch it leaves the rock of the next cell, which goes down there.
    """
    border = _border(side, end)
    if end.beyond is None or end.outward[1] > -0.1:
        return border
    x, y = _down(end.outward, size)
    bottom = (end.point[0] + x, end.point[1] + y)
    # The ground beyond reaches a little over the side to the next cell.
    across = _across(side, end)
    below_line = _moved(_towards(end.point, bottom, 0.2), across, _COVER_OVERLAP)
    return [below_line, _moved(bottom, across, _COVER_OVERLAP), border[-1]]


def _down(outward: Point, size: float) -> Point:
    """Return the way down from the rim of a chasm to where its rock is dark."""
    x, y = outward
    down_y = _PIT_DEEP * max(0.0, -y) + 8 - 12 * max(0.0, y)
    return -x * _PIT_SLOPE * size, down_y * size


# --- floors ---------------------------------------------------------------------------------------


def cave_floor() -> Pen:
    """The floor of a cave: dark earth, stones, a few stalagmites."""
    return _floor(
        "#6f6458",
        seed=261,
        area=(40, 70, -44, 60),
        counts=(0, 1, 1, 2),
        names=("rock0", "rock1", "rock2", "pebbles", "pebbles", "drip0"),
        sizes=(0.7, 1.05),
        stray_sizes=(0.7, 1.0),
    )


def rocky_cave() -> Pen:
    """The floor of a cave between stalagmites and boulders."""
    return _floor(
        "#675c51",
        seed=271,
        area=(38, 80, -56, 72),
        counts=(4, 5, 6),
        names=("outcrop0", "outcrop1", "outcrop2", "outcrop0", "outcrop1", "rock2", "drip1"),
        sizes=(0.8, 1.45),
        stray_sizes=(0.8, 1.1),
    )


def _floor(
    colour: str,
    *,
    seed: int,
    area: tuple[float, float, float, float],
    counts: tuple[int, ...],
    names: tuple[str, ...],
    sizes: tuple[float, float],
    stray_sizes: tuple[float, float],
) -> Pen:
    """Draw a cave's ground with things on it: in each cell one of ``counts``, of these ``names``.

    ``area`` are the arguments of ``points_on_board``; sizes are the smallest and the largest. A
    name that is given twice is drawn twice as often.
    """
    rng = random.Random(seed)
    pen = Pen(colour)
    _cave_ground(pen, rng)
    _cave_things(pen, rng)

    def stand(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, *area, rng.choice(counts)):
            name = rng.choice(names)
            pen.use(name, x * size, y * size, size * rng.uniform(*sizes))

    single(pen, seed + 1, stand, count=8)
    stray = one_of(("rock0", "pebbles", "pebbles", "pebbles"), *stray_sizes)
    strays(pen, random.Random(seed + 2), stray, 0)
    return pen


def _cave_ground(pen: Pen, rng: random.Random) -> None:
    """Uneven rock: soft hollows, ledges, pits, and rubble that lies in heaps."""
    begin_ground(pen, "#716353")
    mottle(pen, rng, 120, (70, 140), (("#483d33", 0.55), ("#94836d", 0.55)))
    mottle(pen, rng, 48, (20, 46), (("#443a31", 0.4), ("#978872", 0.36), ("#80694f", 0.3)))
    for x, y in torus_points(rng, 42):
        _ledge(pen, rng, x, y)
    mottle(pen, rng, 56, (18, 44), (("#463d35", 0.3), ("#948677", 0.3), ("#5d6660", 0.2)))

    def pits(x: float, y: float) -> str:
        d = ""
        for _ in range(rng.choice((3, 4, 6))):
            pit_x, pit_y = around(x, y, 9, 6, rng.uniform(0, 360))
            d += f"M{pit_x:.1f} {pit_y:.1f}l{rng.uniform(1, 4):.1f} {rng.uniform(-1, 1):.1f}"
        return d

    looks = (
        {"line": "#3f362e", "width": 2.0, "opacity": 0.5},
        {"line": "#a89a88", "width": 1.8, "opacity": 0.45},
    )
    marks(pen, rng, 26, pits, looks)
    for x, y in torus_points(rng, 118):
        _rubble(pen, rng, x, y)


def _ledge(pen: Pen, rng: random.Random, x: float, y: float) -> None:
    """An edge of the floor, a small step high: a lit line above a shade that fades out."""
    wide = rng.choice((9, 14, 20, 28, 42))
    lean = rng.uniform(-0.45, 0.4)
    edge = []
    for i in range(5):
        across = (i / 4 - 0.5) * 2 * wide
        rough = wide * 0.2
        edge.append((x + across, y + across * lean + rng.uniform(-rough, rough)))
    deep = min(13.0, wide * 0.55)
    below = []
    for i in (3, 1):
        a, b = edge[i]
        below.append((a + 3, b + deep * rng.uniform(0.5, 1.1)))
    dark = "#2f2720"
    shade = pen.fall(0, 1, (0, dark, 0.5), (0.5, dark, 0.26), (1, dark, 0))
    pen.path(curve([*edge, *below], tension=0.35), shade)
    lip = [(a - 0.6, b - 1.4) for a, b in edge]
    pen.path(curve(lip, closed=False), line="#b5a793", width=1.7, opacity=0.32)


_TONES = 5
"""Facets of rubble have so many tones: with more, pictures would be larger and look the same."""


class _Facet(NamedTuple):
    """A flat piece of rock."""

    corners: list[Point]

    light: float
    """From 0 to 1, which may be exceeded."""


def _facets(pen: Pen, facets: list[_Facet], dark: str, light: str) -> None:
    """Draw facets in tones between two colours, those of one tone as one shape."""
    shapes = [""] * _TONES
    for facet in facets:
        share = min(1.0, max(0.0, facet.light))
        shapes[round(share * (_TONES - 1))] += outline(facet.corners)
    for tone, shape in enumerate(shapes):
        if shape:
            pen.path(shape, mix(dark, light, tone / (_TONES - 1)))


def _rubble(pen: Pen, rng: random.Random, x: float, y: float) -> None:
    """A heap of small stones, close together in its middle."""
    stones: list[_Facet] = []
    shadows = ""
    for _ in range(rng.choice((3, 6, 11, 16))):
        far = abs(rng.gauss(0, 20))
        stone_x, stone_y = around(x, y, far, far * 0.6, rng.uniform(0, 360))
        radius = rng.uniform(1.6, 4.6)
        corners = []
        for i in range(5):
            direction = 72 * i + rng.uniform(-16, 16)
            corners.append(around(stone_x, stone_y, radius, radius * 0.74, direction))
        shadows += outline([(a + 1.2, b + 1.4) for a, b in corners])
        stones.append(_Facet(corners, rng.random()))
    pen.path(shadows, "#2c251f", opacity=0.7)
    _facets(pen, stones, "#5f554a", "#a29584")


def _outcrop(pen: Pen, element: str, rng: random.Random) -> None:
    """Draw ``element``: broken rock that rises from the floor, whose foot is at (0, 0)."""
    pen.element(element)
    shadow(pen, 6, 2, 32, 13, 0.7)
    stones = []
    for x in (-20, -8, 3, 14, 24):
        scale = rng.uniform(0.65, 1.1) * (1 - abs(x) / 50)
        stones.append(
            (x + rng.uniform(-3, 3), rng.uniform(-5, 6), f"crag{rng.randrange(4)}", scale)
        )
    for _ in range(3):
        scale = rng.uniform(0.5, 0.9)
        stones.append((rng.uniform(-22, 24), rng.uniform(2, 9), f"rock{rng.randrange(2)}", scale))
    for x, y, stone, scale in sorted(stones, key=lambda stone: stone[1]):
        rise = 0
        if stone.startswith("crag"):
            rise = 12 * scale
        pen.use(stone, x, y - rise, scale)


def _cave_things(pen: Pen, rng: random.Random) -> None:
    colours = STONE_COLOURS.darkened(0.22)
    for i, wide in enumerate((7, 10, 14)):
        plain_stone(pen, f"rock{i}", rng, wide, wide * rng.uniform(0.62, 0.8), colours)
    for i in range(4):
        high = rng.uniform(14, 20)
        plain_stone(pen, f"crag{i}", rng, rng.uniform(13, 17), high, colours, taper=0.8)
    for i in range(3):
        _outcrop(pen, f"outcrop{i}", rng)
    pen.element("pebbles")
    for x, y in ((-9, 0), (-2, 3), (5, -2), (10, 3)):
        r = rng.uniform(2.4, 4.4)
        pen.oval(x + 1.5, y + 1.5, r, r * 0.7, "#2a241f", opacity=0.5)
        pen.oval(x, y, r, r * 0.75, pen.slant("#a39585", "#5d5248"))
    for i, high in enumerate((26, 36)):
        pen.element(f"drip{i}")
        shadow(pen, 3, 0, 12, 5, 0.8)
        for x, tall, wide in ((-7, high * 0.62, 5), (8, high * 0.5, 4.5), (0, high, 7)):
            pen.path(outline([(x - wide, 1), (x, -tall), (x + wide * 0.2, 3)]), "#a19281")
            pen.path(outline([(x + wide * 0.2, 3), (x, -tall), (x + wide, 1)]), "#51473d")


_PLATES_APART = 30
"""So far the middles of plates of crust on lava lie from each other."""


def lava() -> Pen:
    """Molten rock that glows through the cracks of a dark crust."""
    rng = random.Random(291)
    pen = Pen("#8a3a22")
    begin_ground(pen, "#e0521a")
    mottle(pen, rng, 70, (40, 90), (("#ffb53e", 0.8), ("#a82408", 0.85)))
    middles = torus_points(rng, _PLATES_APART)
    for middle in middles:
        _plate(pen, rng, middle, middles)
    mottle(pen, rng, 75, (50, 100), (("#ff7a1c", 0.3), ("#160805", 0.6), ("#160805", 0.5)))

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 50, 60, -36, 54, 2):
            pen.oval(x * size, y * size, 14 * size, 6 * size, pen.soft("#ffd873", 0.6))

    single(pen, 292, draw)
    return pen


def _plate(pen: Pen, rng: random.Random, middle: Point, middles: list[Point]) -> None:
    """A plate of crust on lava: what is nearer to its middle than to other ones, but for cracks.

    Its edge glows. By waves over the torus the crust is closed in some places, and in others open
    or without a plate.
    """
    x, y = middle
    corners: list[Point] = [(-60.0, -60.0), (60.0, -60.0), (60.0, 60.0), (-60.0, 60.0)]
    for other_x, other_y in middles:
        dx = _shortest(other_x - x)
        dy = _shortest(other_y - y)
        if 0 < math.hypot(dx, dy) < 4 * _PLATES_APART:
            corners = _nearer(corners, dx, dy)
    turn = 2 * math.pi / PERIOD
    closed = math.sin(turn * (x + 2 * y)) + math.sin(turn * (2 * x - y) + 1)  # from -2 to 2
    if rng.random() < -0.3 * closed - 0.1:
        return
    share = 0.85 + 0.075 * closed + rng.uniform(-0.12, 0.03)
    rim = []
    for i, (corner_x, corner_y) in enumerate(corners):
        next_x, next_y = corners[(i + 1) % len(corners)]
        rough = rng.uniform(-2, 2)
        rim.append((x + corner_x * share, y + corner_y * share))
        middle_x = (corner_x + next_x) / 2 * share
        middle_y = (corner_y + next_y) / 2 * share
        rim.append((x + middle_x + rough, y + middle_y - rough))
    shape = curve(rim, tension=0.35)
    pen.path(shape, mix("#a93210", "#64200f", min(1.0, max(0.0, closed / 3 + 0.5))))
    dark = rng.choice(("#1f100c", "#29140e", "#331a12"))
    inner = [(x + (a - x) * 0.86, y + (b - y) * 0.86) for a, b in rim]
    pen.path(curve(inner, tension=0.4), pen.slant("#4a281c", dark), opacity=0.85)


def _shortest(distance: float) -> float:
    """Return a distance on the torus as the shortest way, which may be negative."""
    return (distance + PERIOD / 2) % PERIOD - PERIOD / 2


def _nearer(corners: list[Point], dx: float, dy: float) -> list[Point]:
    """Return the part of a convex outline that is nearer to (0, 0) than to (dx, dy)."""
    half = (dx * dx + dy * dy) / 2
    result: list[Point] = []
    for i, (x, y) in enumerate(corners):
        before_x, before_y = corners[i - 1]
        beyond = x * dx + y * dy - half
        beyond_before = before_x * dx + before_y * dy - half
        if (beyond > 0) != (beyond_before > 0):
            share = beyond_before / (beyond_before - beyond)
            result.append(_towards((before_x, before_y), (x, y), share))
        if beyond <= 0:
            result.append((x, y))
    return result
