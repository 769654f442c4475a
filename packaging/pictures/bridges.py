"""Bridges and rails: ways that lead through a cell, from one of its sides to another.

On hexes with flat sides a way bends where another one ends at the cell. The groups ``flat-way0-1``
... ``flat-way0-9`` are those of a way from side 0 to side 3: 1 is the straight one. Each end may
lead to the side before or after its own instead (``app/render/scene/landscape/features.py``).
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Sequence
from functools import partial

from pictures.compose import CELLS, Cell
from pictures.ground import begin_ground, mottle
from pictures.pen import Pen, Point, outline
from pictures.rock import mix

DIRECTIONS = {"north": (90.0, 0), "north-east": (150.0, 1), "south-east": (30.0, 2)}
"""The angle of a way by its name (degrees below east), and its first side on flat hexes."""

TURNS = (0, -1, 1)
"""By how many sides an end of a way is moved, in the order of the groups."""

HALF = 86.6
"""From the centre of a hex to the middle of a side."""

OVER = 20.0
"""A way goes on so far beyond the sides of its cell, onto the bank."""

STATIONS = 9
"""The curve of a way that bends has so many points."""


def straight_course(angle_deg: float, size: float) -> list[Point]:
    """Return both ends of a straight way through the centre of a cell."""
    angle = math.radians(angle_deg)
    x = (HALF + OVER) * size * math.cos(angle)
    y = (HALF + OVER) * size * math.sin(angle)
    return [(-x, -y), (x, y)]


def bent_course(cell: Cell, first: int, last: int) -> list[Point]:
    """Return the points of a way from the middle of one side of a cell to that of another."""
    start = _side_middle(cell, first)
    end = _side_middle(cell, last)
    beyond = (HALF + OVER) / HALF
    points = [(start[0] * beyond, start[1] * beyond)]
    for step in range(STATIONS):
        t = step / (STATIONS - 1)
        # A cubic curve that meets both sides at a right angle.
        shares = ((1 - t) ** 3 + 1.5 * (1 - t) ** 2 * t, 1.5 * (1 - t) * t**2 + t**3)
        x = shares[0] * start[0] + shares[1] * end[0]
        y = shares[0] * start[1] + shares[1] * end[1]
        points.append((x, y))
    points.append((end[0] * beyond, end[1] * beyond))
    return points


def _side_middle(cell: Cell, side: int) -> Point:
    count = len(cell.corners)
    (ax, ay) = cell.corners[side % count]
    (bx, by) = cell.corners[(side + 1) % count]
    return (ax + bx) / 2, (ay + by) / 2


def beside(course: Sequence[Point], aside: float, up: float = 0.0) -> list[Point]:
    """Return the line that lies ``aside`` of a course, to its right if it is positive."""
    line = []
    last = len(course) - 1
    for index, (x, y) in enumerate(course):
        before = course[max(index - 1, 0)]
        after = course[min(index + 1, last)]
        dx = after[0] - before[0]
        dy = after[1] - before[1]
        length = math.hypot(dx, dy)
        line.append((x - dy / length * aside, y + dx / length * aside * 0.92 - up))
    return line


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _band(one: Sequence[Point], other: Sequence[Point]) -> str:
    """Return the outline of what lies between two lines."""
    return outline([*one, *reversed(other)])


def _dropped(line: Sequence[Point], depth: float) -> list[Point]:
    return [(x, y + depth) for x, y in line]


def _every(distance: float, line: Sequence[Point]) -> list[Point]:
    """Return points of a line that lie so far apart, around its middle."""
    length = sum(math.dist(a, b) for a, b in itertools.pairwise(line))
    count = max(2, round(length / distance))
    return [_at(line, (number + 0.5) / count) for number in range(count)]


def _at(line: Sequence[Point], share: float) -> Point:
    """Return the point of a line at a share of its length."""
    lengths = [math.dist(a, b) for a, b in itertools.pairwise(line)]
    rest = share * sum(lengths)
    for length, (ax, ay), (bx, by) in zip(lengths, line, line[1:], strict=False):
        if rest <= length:
            return ax + (bx - ax) * rest / length, ay + (by - ay) * rest / length
        rest -= length
    return line[-1]


def _edges(course: Sequence[Point], half: float, up: float) -> tuple[list[Point], list[Point]]:
    """Return the two edges of a way, that which lies farther north first."""
    edges = [beside(course, -half, up), beside(course, half, up)]
    edges.sort(key=lambda edge: sum(y for _x, y in edge))
    return edges[0], edges[1]


def wooden_bridge(pen: Pen, rng: random.Random, course: Sequence[Point], size: float) -> None:
    """Draw planks on piles, between two rails."""
    light = "#a98255"
    dark = "#5d4128"
    line = "#3a2817"
    half = 25 * size
    up = 8 * size
    far, near = _edges(course, half, up)
    shade = _band(_dropped(far, 22 * size), _dropped(near, 24 * size))
    pen.path(shade, "#0c2530", opacity=0.34)
    piles = ""
    lit_piles = ""
    for edge in (far, near):
        for x, y in _every(44 * size, edge):
            piles += f"M{x:.1f} {y:.1f}v{22 * size:.1f}"
            lit_piles += f"M{x - 1.6 * size:.1f} {y:.1f}v{20 * size:.1f}"
    pen.path(piles, line=line, width=7 * size)
    pen.path(lit_piles, line="#7d5c3a", width=2.4 * size)
    for edge in (far, near):
        pen.path(_band(edge, _dropped(edge, 9 * size)), dark, line, 0.8)
    pen.path(_band(far, near), light, line, 1)
    _planks(pen, rng, far, near, 7.4 * size, (mix(light, "#ffffff", 0.22), mix(light, dark, 0.45)))
    for edge in (far, near):
        posts = ""
        for x, y in _every(30 * size, edge):
            posts += f"M{x:.1f} {y:.1f}v{-11 * size:.1f}"
        pen.path(posts, line=line, width=4.6 * size)
        rail = _dropped(edge, -9 * size)
        pen.path(_path(rail), line=line, width=4.6 * size)
        pen.path(_path(_dropped(rail, -0.8 * size)), line="#c39a69", width=2.2 * size)


def _planks(
    pen: Pen,
    rng: random.Random,
    far: Sequence[Point],
    near: Sequence[Point],
    wide: float,
    tones: tuple[str, str],
) -> None:
    """Draw the joints of planks of about this width, and some planks lighter or darker."""
    joints = ""
    by_tone: dict[str, str] = {}
    middle = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in zip(far, near, strict=True)]
    length = sum(math.dist(a, b) for a, b in itertools.pairwise(middle))
    count = round(length / wide)
    for number in range(count):
        start = _at(far, number / count), _at(near, number / count)
        end = _at(far, (number + 1) / count), _at(near, (number + 1) / count)
        joints += _path(start)
        if rng.random() < 0.4:
            tone = rng.choice(tones)
            by_tone[tone] = by_tone.get(tone, "") + outline([*start, *reversed(end)])
    for tone, d in by_tone.items():
        pen.path(d, tone, opacity=0.6)
    pen.path(joints, line="#3a2817", width=1.1, opacity=0.75)


def stone_bridge(pen: Pen, rng: random.Random, course: Sequence[Point], size: float) -> None:
    """Draw a paved way between parapets, over arches."""
    light = "#bfb6a5"
    dark = "#7d7567"
    line = "#4a443b"
    half = 28 * size
    up = 12 * size
    thick = 24 * size
    far, near = _edges(course, half, up)
    shade = _band(_dropped(far, 28 * size), _dropped(near, 34 * size))
    pen.path(shade, "#0c2530", opacity=0.34)
    for edge in (far, near):
        pen.path(_band(edge, _dropped(edge, thick)), dark, line, 0.9)
        pen.path(_path(_dropped(edge, thick * 0.42)), line=line, width=0.8, opacity=0.5)
    if abs(near[-1][0] - near[0][0]) > half:
        arches = ""
        for share in (0.3, 0.7):
            arches += _arch(near, share, thick)
        pen.path(arches, "#22363d")
        pen.path(arches, line="#a39a8a", width=2 * size, opacity=0.8)
    pen.path(_band(far, near), light, line, 0.9)
    _planks(pen, rng, far, near, 15 * size, (mix(light, "#ffffff", 0.25), mix(light, dark, 0.4)))
    for share in (0.33, 0.66):
        joints = []
        for (ax, ay), (bx, by) in zip(far, near, strict=True):
            joints.append((ax + (bx - ax) * share, ay + (by - ay) * share))
        pen.path(_path(joints), line=line, width=0.8, opacity=0.5)
    for edge in (far, near):
        wall = _dropped(edge, -9 * size)
        pen.path(_band(wall, edge), mix(dark, light, 0.35), line, 0.7)
        pen.path(_path(wall), line=line, width=6.4 * size)
        pen.path(_path(wall), line="#ddd5c4", width=4.6 * size)


def _arch(edge: Sequence[Point], share: float, thick: float) -> str:
    """Return an opening in the wall below an edge."""
    left = _at(edge, share - 0.15)
    right = _at(edge, share + 0.15)
    d = f"M{left[0]:.1f} {left[1] + thick:.1f}"
    rise = thick * 0.1
    d += f"C{left[0]:.1f} {left[1] + rise:.1f} {right[0]:.1f} {right[1] + rise:.1f}"
    return d + f" {right[0]:.1f} {right[1] + thick:.1f}Z"


def rails(pen: Pen, _rng: random.Random, course: Sequence[Point], size: float) -> None:
    """Draw two rails on sleepers in gravel."""
    for half, opacity in ((30, 0.3), (24, 0.5)):
        bed = _band(beside(course, -half * size), beside(course, half * size))
        pen.path(bed, "#7a6a54", opacity=opacity)
    far = beside(course, -18 * size)
    near = beside(course, 18 * size)
    sleepers = "".join(
        _path([_at(far, (number + 0.5) / 14), _at(near, (number + 0.5) / 14)])
        for number in range(14)
    )
    pen.path(sleepers, line="#2f2015", width=7 * size)
    pen.path(sleepers, line="#6d4f33", width=4.6 * size)
    for aside in (-10 * size, 10 * size):
        rail = beside(course, aside)
        pen.path(_path(rail), line="#2a2725", width=4.4 * size)
        pen.path(_path(_dropped(rail, -0.7 * size)), line="#aaa59d", width=1.8 * size)


Way = Callable[[Pen, random.Random, Sequence[Point], float], None]
"""Draws a way along a course, so much larger."""


def _way(draw: Way, direction: str, ground: tuple[str, str, str]) -> Pen:
    """Return the picture of a way in one of ``DIRECTIONS`` over a ground of three tones."""
    base, dark, light = ground
    angle, first = DIRECTIONS[direction]
    rng = random.Random(421 + first)
    pen = Pen(base)
    begin_ground(pen, base)
    mottle(pen, rng, 100, (60, 120), ((dark, 0.4), (light, 0.4)))
    pen.group("feature-1")
    draw(pen, rng, straight_course(angle, 0.8), 0.8)
    for name, cell in CELLS.items():
        pen.group(f"{name}-cell-1")
        draw(pen, rng, straight_course(angle, cell.size), cell.size)
    number = 0
    for first_turn in TURNS:
        for last_turn in TURNS:
            number += 1
            pen.group(f"flat-way{first}-{number}")
            if first_turn == last_turn == 0:
                course = straight_course(angle, 1.0)
            else:
                course = bent_course(CELLS["flat"], first + first_turn, first + 3 + last_turn)
            draw(pen, rng, course, 1.0)
    return pen


WATER = ("#72b4cf", "#5b9fbd", "#8cc6db")
EARTH = ("#b3946a", "#977750", "#c7aa80")


def ways() -> dict[str, Callable[[], Pen]]:
    """Return what draws each picture of a way, by its name."""
    kinds: dict[str, tuple[Way, tuple[str, str, str]]] = {
        "Wooden bridge": (wooden_bridge, WATER),
        "Stone bridge": (stone_bridge, WATER),
        "Rails": (rails, EARTH),
    }
    result: dict[str, Callable[[], Pen]] = {}
    for kind, (draw, ground) in kinds.items():
        for direction in DIRECTIONS:
            result[f"{kind} {direction}"] = partial(_way, draw, direction, ground)
    return result
