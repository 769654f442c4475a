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
from pictures.ground import PERIOD, begin_ground, mottle, torus_points
from pictures.pen import Pen, Point, around, blob, outline
from pictures.rock import boulder, mix
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


def _ledges(
    pen: Pen, rng: random.Random, upper: list[Point], lower: list[Point], depths: tuple[float, ...]
) -> None:
    """Broken ledges in the rock between two lines, at shares of the way from the upper one: light
    above a shade.
    """
    lights = ""
    shades = ""
    for depth in depths:
        for i in range(len(upper) - 1):
            if rng.random() < 0.3:
                continue
            start = _towards(upper[i], lower[i], depth + rng.uniform(-0.08, 0.08))
            end = _towards(upper[i + 1], lower[i + 1], depth + rng.uniform(-0.08, 0.08))
            lights += _polyline([start, end])
            shades += _polyline([(x, y + 1.8) for x, y in (start, end)])
    if lights:
        pen.path(shades, line="#15110e", width=1.5, opacity=0.5)
        pen.path(lights, line="#c9b89d", width=1.4, opacity=0.45)


_TONES = 5
"""Facets of rock have so many tones: with more, pictures would be larger and look the same."""


_FILLS = 8
"""Fills of cliffs come in so many steps of light and one more, so that facets share them."""


def _in_steps(light: float) -> float:
    """Return the nearest step of light from 0 to 1."""
    return round(min(1.0, max(0.0, light)) * _FILLS) / _FILLS


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


# --- the rock of caves ----------------------------------------------------------------------------

_ROCK_HIGH = 44
"""So high rock stands over the floors of caves. With more it would hide the cells in the north."""

_DEPTH = "#2c251f"
"""The colour of rock in the shade: so dark that nobody takes it for a floor."""

_GROUND_ROWS = 5
"""The facets of the ground are drawn in so many rows, the southern ones over the northern ones."""

_TOP_LIGHT = "#b09d84"
"""The colour of the lightest facets on top of rock."""

_TOP_DARK = "#362e27"
"""The colour of the darkest ones at its rim: darker ones are spots where cells are small."""

_CRAGS = 6
"""So many different crags stand on rock."""


def cave_wall() -> Pen:
    """The rock around caves: broken cliffs, and behind their rim the dark."""
    rng = random.Random(251)
    pen = Pen("#4b433b")
    _rock_ground(pen, rng)
    for i in range(_CRAGS):
        _crag(pen, f"crag{i}", rng, ("#362e28", "#a89780"))
    for i, radius in enumerate((4, 6, 9)):
        boulder(pen, f"rock{i}", rng, radius, "#362f29", "#a39480")

    def stand_on_board(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 34, 66, -20, 56, rng.choice((4, 5, 6))):
            pen.use(f"crag{rng.randrange(_CRAGS)}", x * size, y * size, size)

    single(pen, 252, _rock_inside, board=stand_on_board)
    rims(pen, 254, _summits)
    _enclose_bent(pen, 253, _rock_face)
    return pen


def _rock_ground(pen: Pen, rng: random.Random) -> None:
    """The top of rock: facets that go on from cell to cell."""
    begin_ground(pen, _DEPTH)
    shapes: list[list[_Facet]] = [[] for _ in range(_GROUND_ROWS)]
    for x, y in sorted(torus_points(rng, 22), key=lambda point: point[1]):
        shapes[int(y / PERIOD * _GROUND_ROWS)].append(
            _Facet(_slab(rng, x, y, rng.uniform(20, 32)), rng.uniform(0.05, 0.6))
        )
    for facets in shapes:
        _facets(pen, facets, _DEPTH, _TOP_LIGHT)
    mottle(pen, rng, 90, (50, 110), (("#17120f", 0.4), ("#6b5e50", 0.2)))


def _slab(rng: random.Random, x: float, y: float, wide: float) -> list[Point]:
    """Return the corners of a flat piece of rock around a point, of half the width ``wide``."""
    count = rng.choice((4, 5, 5))
    turn = rng.uniform(0, 360)
    corners = []
    for i in range(count):
        direction = turn + 360 / count * i + rng.uniform(-22, 22)
        corners.append(around(x, y, wide, wide * 0.7, direction))
    return corners


def _rock_inside(pen: Pen, _rng: random.Random, size: float) -> None:
    """The dark over the top of rock far from its rim, which fades out over the cells around."""
    radius = 180 * size
    dark = "#130f0c"
    fill = pen.radial((0, 0), radius, (0, dark, 0.6), (0.45, dark, 0.4), (1, dark, 0))
    pen.oval(0, 0, radius, radius, fill)


def _summits(pen: Pen, rng: random.Random, size: float) -> None:
    """The crags on top of a cell at the rim of rock."""
    for x, y in points_on_board(rng, 24, 54, -84, -40, rng.choice((2, 3, 4))):
        name = f"crag{rng.randrange(_CRAGS)}"
        pen.use(name, x * size, y * size, size * rng.uniform(0.7, 1.4))


def _crag(pen: Pen, name: str, rng: random.Random, tones: tuple[str, str]) -> None:
    """A block of broken rock whose foot is at (0, 0), in tones from dark to light."""
    dark, light = tones
    pen.element(name)
    wide = rng.uniform(15, 24)
    high = rng.uniform(32, 56)
    lean = rng.uniform(-0.3, 0.2)

    def at(across: float, up: float) -> Point:
        """A point at shares of the half width and of the height, moved a little by chance."""
        x = (across + lean * up) * wide + rng.uniform(-1.5, 1.5)
        return x, -up * high + rng.uniform(-1.5, 1.5)

    left = [at(-1.1, 0.0), at(-0.85, rng.uniform(0.25, 0.4)), at(-0.5, rng.uniform(0.5, 0.8))]
    top = [at(-0.22, 1.0), at(0.14, rng.uniform(0.82, 1.0)), at(0.4, rng.uniform(0.5, 0.75))]
    right = [at(0.85, rng.uniform(0.2, 0.45)), at(1.1, 0.0)]
    ridge_top = at(0.02, rng.uniform(0.62, 0.78))
    ridge = at(rng.uniform(-0.15, 0.15), rng.uniform(0.25, 0.4))
    foot = (rng.uniform(-0.15, 0.2) * wide, wide * 0.24)

    def shaded(share: float) -> str:
        """A fill of a tone that is darker at the foot."""
        tone = mix(dark, light, share)
        return pen.linear((0, -high), (0, wide * 0.24), (0, tone), (1, mix(tone, dark, 0.75)))

    pen.path(outline([*left, *top, *right, foot]), mix(dark, light, 0.3))
    pen.path(outline([*left, ridge_top, ridge, foot]), shaded(0.72))
    pen.path(outline([left[0], left[1], ridge, foot]), shaded(0.52))
    pen.path(outline([ridge_top, top[2], *right, foot, ridge]), shaded(0.24))
    pen.path(outline([ridge_top, top[2], right[0], ridge]), shaded(0.36))
    pen.path(outline([left[2], *top, ridge_top]), mix(dark, light, 0.98))
    pen.path(outline([top[1], top[2], ridge_top]), mix(dark, light, 0.68))
    cracks = _polyline([left[1], ridge, at(0.5, 0.2)]) + _polyline([ridge_top, at(0.4, 0.4)])
    pen.path(cracks, line=dark, width=1.2, opacity=0.55)


def _rock_face(pen: Pen, rng: random.Random, side: _Side, size: float) -> None:
    """A side of rock that stands on the ground: its top, and in the south the cliff below."""
    shares = _shares(rng, side, 21 * size)
    foot = _line(rng, side, shares, 13 * size, 5 * size)
    high = _ROCK_HIGH * size
    rises = _wander(rng, shares, 0.2, 0.2)
    edge = [(x, y - high * (1 + rise)) for (x, y), rise in zip(foot, rises, strict=True)]
    is_near = side.outward[1] > -0.1
    if is_near:
        for far, opacity in ((20, 0.16), (12, 0.26)):
            shade = [(x + far * 0.8 * size, y + far * size) for x, y in foot[::-1]]
            pen.path(outline([*foot, *shade]), "#0f0c09", opacity=opacity)
    for line in (foot, edge):
        _cover(pen, line, _border(side, side.start), _border(side, side.end), _DEPTH)
    _rock_top(pen, rng, side, edge, size)
    if is_near:
        _cliff(pen, rng, foot, edge)
    light = 0.5 - 0.3 * side.outward[0] - 0.2 * side.outward[1]
    pen.path(_polyline(edge), line=mix("#75685a", "#d0bfa5", light), width=1.4, opacity=0.6)
    for x, y in edge[1:-1]:
        if rng.random() < 0.22:
            x, y = _moved((x, y), side.outward, rng.uniform(-26, -13) * size)
            pen.use(f"crag{rng.randrange(_CRAGS)}", x, y, size * rng.uniform(0.5, 1.0))
    if is_near:
        for x, y in foot[1:-1]:
            if rng.random() < 0.35:
                pen.use(f"rock{rng.randrange(3)}", x, y + 4 * size, size * rng.uniform(0.7, 1.2))


class _TopRow(NamedTuple):
    """A row of facets on top of rock."""

    far: float
    """How far from the edge of the rock it ends."""

    rise: float
    """How much higher than the edge it ends: rock is highest in its middle."""

    light: float
    """How light it is, from 0 to 1. Without the dark of the last rows large rock would look like a
    floor."""


_TOP_ROWS = (
    _TopRow(17, 8, 0.95),
    _TopRow(38, 16, 0.75),
    _TopRow(62, 22, 0.5),
    _TopRow(96, 24, 0.28),
)


def _rock_top(pen: Pen, rng: random.Random, side: _Side, edge: list[Point], size: float) -> None:
    """The top of rock from its edge to where it is dark: facets that rise to the middle."""
    rows = _TOP_ROWS
    if _is_hollow(side):
        rows = _TOP_ROWS[:2]  # around a hollow facets become the larger the farther they lie
    facing = 0.75 - 0.2 * side.outward[0] - 0.2 * side.outward[1]
    facets: list[_Facet] = []
    outer = edge
    for row in rows:
        inner = _end_of_row(rng, side, edge, row, size)
        facets += _facets_between(rng, outer, inner, facing, row.light)
        outer = inner
    _facets(pen, facets, _TOP_DARK, _TOP_LIGHT)


def _end_of_row(
    rng: random.Random, side: _Side, edge: list[Point], row: _TopRow, size: float
) -> list[Point]:
    """Return the line where a row of facets ends, a point for each of ``edge``.

    At both ends of a side it lies where that of the next side begins.
    """
    points = []
    for i, point in enumerate(edge):
        share = i / (len(edge) - 1)
        reach = size
        if 0 < share < 1:
            reach *= rng.uniform(0.7, 1.3)
        direction = _direction(side, share)
        # Rock in the south is seen more from the side: there the top is nearer to the edge.
        far = row.far * (1 - 0.35 * direction[1])
        x, y = _moved(point, direction, -far * reach)
        points.append((x, y - row.rise * reach))
    return points


def _facets_between(
    rng: random.Random, outer: list[Point], inner: list[Point], facing: float, light: float
) -> list[_Facet]:
    """Return facets between two lines of as many points, of which some are broken in two.

    ``facing`` is how much light comes from where they face to, from 0 to 1, and ``light`` how light
    the row is.
    """
    facets = []
    last = len(outer) - 1
    i = 0
    while i < last:
        end = min(i + rng.choice((1, 1, 2)), last)
        corners = [*outer[i : end + 1], *inner[i : end + 1][::-1]]
        facets.append(_Facet(corners, light * (facing + rng.uniform(-0.3, 0.3))))
        if rng.random() < 0.3:
            tone = light * (facing + rng.uniform(-0.35, 0.35))
            facets.append(_Facet([outer[i], outer[end], inner[i]], tone))
        i = end
    return facets


def _is_hollow(side: _Side) -> bool:
    """Return whether rock goes on at both ends of a side, and bends around the cell beyond it."""
    if side.start.beyond is None or side.end.beyond is None:
        return False
    start = side.start.outward
    end = side.end.outward
    # Along a straight edge of squares both are the same.
    return start[0] * end[0] + start[1] * end[1] < 0.9


def _cliff(pen: Pen, rng: random.Random, foot: list[Point], edge: list[Point]) -> None:
    """The cliff of rock from its foot up to its edge, in facets."""
    lit = []
    for i in range(len(foot) - 1):
        # The rock faces to the left of the way along its line; light comes from the west.
        along = _unit(foot[i + 1][0] - foot[i][0], foot[i + 1][1] - foot[i][1])
        light = 0.5 - 0.42 * along[1] + rng.uniform(-0.15, 0.15)
        tone = _in_steps(light)
        top = mix("#51473d", "#bba990", tone)
        face = [foot[i], foot[i + 1], edge[i + 1], edge[i]]
        pen.path(outline(face), pen.fall(0, 1, (0, top), (1, mix(top, "#2a231d", 0.75))))
        if rng.random() < 0.5:
            tip = _towards(_towards(edge[i], edge[i + 1], 0.5), foot[i], rng.uniform(0.4, 0.8))
            lit.append(_Facet([edge[i], edge[i + 1], tip], tone))
    _facets(pen, lit, "#6b5f52", "#cdbda4")
    _ledges(pen, rng, edge, foot, (0.34, 0.68))


# --- chasms ---------------------------------------------------------------------------------------

_ABYSS = "#0f0d0c"
"""The colour of a chasm, of which no ground is seen."""

_PIT_DEEP = 92
"""So far down the rock below the northern rim of a chasm is seen. With more it would show over the
southern rim of a single cell."""

_PIT_SLOPE = 24
"""So far the rock of a chasm slopes inwards: that is seen in the east and west."""


def chasm() -> Pen:
    """A hole without a ground: from a broken rim rock goes down into the dark."""
    rng = random.Random(281)
    pen = Pen("#2a2520")
    begin_ground(pen, _ABYSS)
    mottle(pen, rng, 90, (70, 150), (("#0a0908", 0.5), ("#171412", 0.5)))
    for i, radius in enumerate((4, 6, 9)):
        boulder(pen, f"rock{i}", rng, radius, "#453c34", "#b7a992")

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 50, 60, -36, 54, 1):
            shape = blob(x * size, y * size, 16 * size, 7 * size, rng, 0.3)
            pen.path(shape, "#1b1714", opacity=0.35)

    single(pen, 282, draw)
    _enclose_bent(pen, 283, _pit_face)
    return pen


def _pit_face(pen: Pen, rng: random.Random, side: _Side, size: float) -> None:
    """A side of a chasm: its rim of broken slabs, and below it the rock that goes down."""
    shares = _shares(rng, side, 17 * size)
    line = _line(rng, side, shares, 14 * size, 6 * size)
    _cover(
        pen, line, _pit_border(side, side.start, size), _pit_border(side, side.end, size), _ABYSS
    )
    _pit_rock(pen, rng, side, shares, line, size)
    _pit_rim(pen, rng, side, shares, line, size)


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


def _pit_rock(
    pen: Pen,
    rng: random.Random,
    side: _Side,
    shares: list[float],
    line: list[Point],
    size: float,
) -> None:
    """The rock below a side of a chasm, in facets that are dark at the bottom."""
    deep = []
    for share, (x, y) in zip(shares, line, strict=True):
        down_x, down_y = _down(_direction(side, share), size)
        reach = 1.0
        if 0 < share < 1:
            reach = rng.uniform(0.75, 1.1)
        deep.append((x + down_x * reach, y + down_y * reach))
    for i in range(len(line) - 1):
        # The rock faces to the right of the way along its line; light comes from the west.
        along_x, along_y = _unit(line[i + 1][0] - line[i][0], line[i + 1][1] - line[i][1])
        light = 0.42 + 0.42 * along_y + 0.12 * along_x + rng.uniform(-0.08, 0.08)
        tone = _in_steps(light)
        top = mix("#4a4037", "#c2b198", tone)
        shades = ((0, top), (0.4, mix(top, _ABYSS, 0.5)), (1, _ABYSS, 0))
        down_x = deep[i][0] - line[i][0]
        down_y = deep[i][1] - line[i][1]
        if abs(down_x) > abs(down_y):
            fill = pen.fall(round(math.copysign(1, down_x)), 0, *shades)
        else:
            fill = pen.fall(0, round(math.copysign(1, down_y)), *shades)
        pen.path(outline([line[i], line[i + 1], deep[i + 1], deep[i]]), fill)
    _ledges(pen, rng, line, deep, (0.2, 0.42))


_RIM_AT_ENDS = 7
"""The rim of a chasm is so wide where two sides meet."""


def _pit_rim(
    pen: Pen,
    rng: random.Random,
    side: _Side,
    shares: list[float],
    line: list[Point],
    size: float,
) -> None:
    """The broken rim of a chasm: slabs of rock of different width, and stones beside them."""
    rim = []
    stain = []
    wide = float(_RIM_AT_ENDS)
    for share, point in zip(shares, line, strict=True):
        direction = _direction(side, share)
        if share in (0, 1):
            wide = _RIM_AT_ENDS
        else:
            wide = min(20.0, max(0.5, wide + rng.uniform(-11, 11)))
        rim.append(_moved(point, direction, wide * size))
        stain.append(_moved(point, direction, (wide * 0.7 + rng.uniform(4, 16)) * size))
    pen.path(outline([*line, *stain[::-1]]), "#3b3128", opacity=0.2)
    slabs = []
    for i in range(len(line) - 1):
        slabs.append(_Facet([line[i], line[i + 1], rim[i + 1], rim[i]], rng.random()))
    _facets(pen, slabs, "#6a5e52", "#ab9b85")
    joints = "".join(_polyline([line[i], rim[i]]) for i in range(1, len(line) - 1))
    pen.path(joints, line="#3a3028", width=1.2, opacity=0.6)
    # The rim stands a little above the ground: lit in the north-west, in the shade elsewhere.
    light = -0.6 * side.outward[0] - 0.8 * side.outward[1]
    edge_colour = "#3a3028"
    if light > 0.2:
        edge_colour = "#cdbda4"
    pen.path(_polyline(rim), line=edge_colour, width=1.4, opacity=0.4)
    lip_light = min(1.0, max(0.0, 0.5 - 0.5 * light))
    pen.path(_polyline(line), line=mix("#4b4238", "#c9b99f", lip_light), width=1.4, opacity=0.7)
    for i in range(1, len(rim) - 1):
        if rng.random() < 0.3:
            x, y = _moved(rim[i], side.outward, rng.uniform(1, 9) * size)
            pen.use(f"rock{rng.randrange(3)}", x, y + 3 * size, size * rng.uniform(0.6, 1.1))


# --- floors ---------------------------------------------------------------------------------------


def cave_floor() -> Pen:
    """The floor of a cave: dark earth, stones, a few stalagmites."""
    return _floor(
        "#6f6458",
        seed=261,
        area=(44, 66, -36, 58),
        counts=(0, 1, 1, 2),
        names=("rock0", "rock1", "rock2", "pebbles", "pebbles", "drip0"),
        sizes=(0.7, 1.0),
        stray_sizes=(0.7, 1.0),
    )


def rocky_cave() -> Pen:
    """The floor of a cave between stalagmites and boulders."""
    return _floor(
        "#675c51",
        seed=271,
        area=(28, 74, -44, 62),
        counts=(5, 6, 7),
        names=("rock0", "rock1", "rock2", "drip0", "drip1", "drip1", "pebbles"),
        sizes=(0.8, 1.15),
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
    stray = one_of(("rock0", "rock1", "pebbles", "pebbles"), *stray_sizes)
    strays(pen, random.Random(seed + 2), stray, 0)
    return pen


def _cave_ground(pen: Pen, rng: random.Random) -> None:
    """Uneven rock: slabs, terraces a step high, and rubble that lies in heaps."""
    begin_ground(pen, "#6b6055")
    mottle(pen, rng, 120, (70, 140), (("#4b4138", 0.55), ("#867a6d", 0.45)))
    slabs: list[_Facet] = []
    for x, y in torus_points(rng, 46):
        slabs.append(_Facet(_slab(rng, x, y, rng.uniform(16, 44)), rng.random()))
    _facets(pen, slabs, "#63584d", "#766a5e")
    for x, y in sorted(torus_points(rng, 66), key=lambda point: point[1]):
        _terrace(pen, rng, x, y)
    mottle(pen, rng, 56, (18, 44), (("#463d35", 0.4), ("#8d8073", 0.32), ("#5d6660", 0.2)))
    for x, y in torus_points(rng, 118):
        _rubble(pen, rng, x, y)


def _terrace(pen: Pen, rng: random.Random, x: float, y: float) -> None:
    """A piece of the floor that lies a step higher: lit at its north-western edge, with a shade in
    the south-east.
    """
    count = rng.choice((8, 9, 11))
    wide = rng.choice((9, 14, 22, 40, 70, 96))
    turn = rng.uniform(0, 360)
    edge = []
    for i in range(count):
        far = wide * rng.uniform(0.62, 1.15)
        direction = turn + 360 / count * i + rng.uniform(-14, 14)
        edge.append(around(x, y, far, far * 0.62, direction))
    pen.path(outline([(a + 3, b + 5) for a, b in edge]), "#2f2720", opacity=0.22)
    pen.path(outline([(a + 1.2, b + 2.4) for a, b in edge]), "#3a3129", opacity=0.5)
    pen.path(outline(edge), pen.slant("#7d7164", "#665b50"), opacity=0.8)
    lit = ""
    for i in range(count):
        (ax, ay) = edge[i - 1]
        (bx, by) = edge[i]
        if (ax + bx) / 2 - x + ((ay + by) / 2 - y) * 1.6 < 0:
            lit += _polyline([edge[i - 1], edge[i]])
    pen.path(lit, line="#a89b8a", width=1.5, opacity=0.45)


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


def _cave_things(pen: Pen, rng: random.Random) -> None:
    for i in range(3):
        boulder(pen, f"rock{i}", rng, (7, 11, 15)[i], "#332c26", "#a09180")
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


def lava() -> Pen:
    """Molten rock that glows through the cracks of a dark crust."""
    rng = random.Random(291)
    pen = Pen("#8a3a22")
    begin_ground(pen, "#c8431a")
    mottle(pen, rng, 80, (40, 90), (("#ff9a32", 0.7), ("#8f2410", 0.6)))
    for x, y in torus_points(rng, 30):
        seed = rng.randrange(1000)
        wide = rng.uniform(22, 27)
        high = rng.uniform(16, 21)
        pen.path(blob(x, y, wide, high, random.Random(seed), 0.22, 7), "#5a1d10")
        crust = blob(x, y, wide * 0.86, high * 0.84, random.Random(seed), 0.22, 7)
        pen.path(crust, rng.choice(("#2a1713", "#331c16", "#3a221b")))
        pen.path(blob(x - 3, y - 3, 10, 6, rng, 0.3, 7), "#5b3a30", opacity=0.35)
    mottle(pen, rng, 120, (50, 90), (("#ff8a2c", 0.4), ("#120a08", 0.55), ("#120a08", 0.4)))

    def draw(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 50, 60, -36, 54, 2):
            pen.oval(x * size, y * size, 12 * size, 6 * size, pen.soft("#ffe08a", 0.7))

    single(pen, 292, draw)
    return pen
