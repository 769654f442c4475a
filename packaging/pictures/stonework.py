"""Paving of worn stones: irregular, of several sizes, fitted to each other with mortar between.

The stones are the cells of a power diagram on the torus of the ground: each has a radius, larger
stones are set first and smaller ones fill the gaps between, and the joint between two stones lies
where both are equally near, measured by their radii.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from pictures.ground import BUCKETS, PERIOD
from pictures.pen import Pen, Point

FLATNESS = 1.3
"""How much wider than high stones are: one looks down at them at a slant."""

TIGHTNESS = 0.86
"""The least distance of two stones as a share of the sum of their radii. With less, stones of the
same round are unequal in size; with more, there are holes between them."""

TRIES = 7000
"""So many places are tried for the stones of each size, which fills the ground."""

REACH = 1.9
"""The corners of a stone lie at most so many radii from its middle, where it has no neighbours."""


SHORTEST_SIDE = 2.6
"""Sides of stones are not shorter than this: they would hardly be seen, and files would be larger.
"""


class Stone(NamedTuple):
    """A stone: its middle, and its corners seen from there, clockwise."""

    x: float
    y: float
    corners: list[Point]


def paving(
    pen: Pen,
    rng: random.Random,
    radii: Sequence[float],
    tones: Sequence[str],
    *,
    joint: float,
    light: str,
    dark: str,
) -> None:
    """Draw worn stones on the ground, which shows between them.

    ``radii`` are the sizes of the stones, the largest first, in hundredths of a map unit; ``joint``
    is how wide the mortar between two of them is. Each stone has one of ``tones``, an edge in
    ``light`` to the north-west and one in ``dark`` to the south-east.
    """
    faces: defaultdict[tuple[int, int, int], str] = defaultdict(str)
    lit_edges: defaultdict[tuple[int, int], str] = defaultdict(str)
    dark_edges: defaultdict[tuple[int, int], str] = defaultdict(str)
    size = PERIOD / BUCKETS
    for stone in _stones(rng, radii):
        tone = rng.randrange(len(tones))
        corners = _without_short_sides(_inset(stone.corners, joint / 2))
        if len(corners) < 3:
            continue
        bucket = int(stone.y // size), int(stone.x // size)
        faces[(*bucket, tone)] += _rounded(stone, corners)
        lit_edges[bucket] += _edge(stone, corners, -1)
        dark_edges[bucket] += _edge(stone, corners, 1)
    for (*_bucket, tone), path in sorted(faces.items()):
        pen.path(path, tones[tone])
    for _place, path in sorted(dark_edges.items()):
        pen.path(path, line=dark, width=1.8, opacity=0.42)
    for _place, path in sorted(lit_edges.items()):
        pen.path(path, line=light, width=1.5, opacity=0.4)


def _stones(rng: random.Random, radii: Sequence[float]) -> list[Stone]:
    """Return the stones of the whole torus, in the order of their rows and columns."""
    placed = _placed(rng, radii)
    near = _Neighbours(placed, 2 * REACH * max(radii))
    stones = []
    for x, y, radius in placed:
        corners = _corners(near.around(x, y), radius)
        if len(corners) >= 3:
            unstretched = [(corner_x, corner_y / FLATNESS) for corner_x, corner_y in corners]
            stones.append(Stone(x, y / FLATNESS, unstretched))
    return sorted(stones, key=lambda stone: (stone.y, stone.x))


def _placed(rng: random.Random, radii: Sequence[float]) -> list[tuple[float, float, float]]:
    """Return middles and radii of stones: x, y and radius, with y stretched by ``FLATNESS``."""
    placed: list[tuple[float, float, float]] = []
    near = _Neighbours(placed, 2 * max(radii))
    for radius in radii:
        # Large stones are fewer than would fit, so that they do not lie in rows.
        tries = TRIES
        if radius != radii[-1]:
            tries = round(PERIOD * PERIOD * FLATNESS / (radius * radius) / 7)
        for _ in range(tries):
            x = rng.uniform(0, PERIOD)
            y = rng.uniform(0, PERIOD * FLATNESS)
            own_radius = radius * rng.uniform(0.9, 1.1)
            is_free = all(
                math.hypot(way_x, way_y) >= TIGHTNESS * (own_radius + other_radius)
                for way_x, way_y, other_radius in near.around(x, y)
            )
            if is_free:
                near.add(x, y, own_radius)
    return placed


class _Neighbours:
    """Finds the stones near a point of the torus, whose height is stretched by ``FLATNESS``."""

    def __init__(self, placed: list[tuple[float, float, float]], distance: float) -> None:
        """Sort ``placed``, to which ``add`` adds, into squares that are as wide as ``distance``."""
        self._placed = placed
        self._columns = int(PERIOD / distance)
        self._rows = int(PERIOD * FLATNESS / distance)
        self._squares: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for number, (x, y, _radius) in enumerate(placed):
            self._squares[self._square(x, y)].append(number)

    def add(self, x: float, y: float, radius: float) -> None:
        """Add a stone."""
        self._squares[self._square(x, y)].append(len(self._placed))
        self._placed.append((x, y, radius))

    def around(self, x: float, y: float) -> list[tuple[float, float, float]]:
        """Return the ways to the stones near a point, and their radii; not the one at the point."""
        column, row = self._square(x, y)
        ways = []
        for square_x in (column - 1, column, column + 1):
            for square_y in (row - 1, row, row + 1):
                square = square_x % self._columns, square_y % self._rows
                for number in self._squares[square]:
                    other_x, other_y, radius = self._placed[number]
                    way_x = _shortest(other_x - x, PERIOD)
                    way_y = _shortest(other_y - y, PERIOD * FLATNESS)
                    if way_x or way_y:
                        ways.append((way_x, way_y, radius))
        return ways

    def _square(self, x: float, y: float) -> tuple[int, int]:
        column = int(x / PERIOD * self._columns)
        row = int(y / (PERIOD * FLATNESS) * self._rows)
        return column % self._columns, row % self._rows


def _shortest(way: float, period: float) -> float:
    """Return the shorter way in one direction on the torus."""
    return (way + period / 2) % period - period / 2


def _corners(ways: Sequence[tuple[float, float, float]], radius: float) -> list[Point]:
    """Return the corners of a stone with so large a radius among its neighbours, from its middle.

    ``ways`` are the ways to the neighbours and their radii.
    """
    far = REACH * radius
    corners = [(-far, -far), (far, -far), (far, far), (-far, far)]
    for way_x, way_y, other_radius in ways:
        distance = math.hypot(way_x, way_y)
        share = (distance * distance + radius * radius - other_radius * other_radius) / distance / 2
        if share < 2 * far:
            corners = _clipped(corners, (way_x / distance, way_y / distance), share)
    return corners


def _clipped(corners: Sequence[Point], normal: Point, distance: float) -> list[Point]:
    """Return the part of a polygon whose points lie less than ``distance`` along ``normal``."""
    kept: list[Point] = []
    for index, (x, y) in enumerate(corners):
        previous_x, previous_y = corners[index - 1]
        depth = distance - x * normal[0] - y * normal[1]
        previous_depth = distance - previous_x * normal[0] - previous_y * normal[1]
        if depth * previous_depth < 0:
            share = previous_depth / (previous_depth - depth)
            kept.append(
                (previous_x + share * (x - previous_x), previous_y + share * (y - previous_y))
            )
        if depth >= 0:
            kept.append((x, y))
    return kept


def _inset(corners: Sequence[Point], width: float) -> list[Point]:
    """Return a polygon around (0, 0) whose sides lie nearer to the middle by ``width``."""
    result = list(corners)
    for index, (x, y) in enumerate(corners):
        previous_x, previous_y = corners[index - 1]
        length = math.hypot(x - previous_x, y - previous_y)
        if length < 0.1:
            continue
        # The corners run clockwise, with y downwards, so this points outwards.
        normal = (y - previous_y) / length, (previous_x - x) / length
        result = _clipped(result, normal, x * normal[0] + y * normal[1] - width)
    return result


def _without_short_sides(corners: Sequence[Point]) -> list[Point]:
    """Return the corners of a polygon that lie ``SHORTEST_SIDE`` or more from the one before."""
    kept: list[Point] = []
    for corner in corners:
        if not kept or math.dist(corner, kept[-1]) >= SHORTEST_SIDE:
            kept.append(corner)
    return kept


def _rounded(stone: Stone, corners: Sequence[Point]) -> str:
    """Return the outline of a stone with worn corners: curves from the middle of side to side."""
    path = ""
    for index, (x, y) in enumerate(corners):
        previous_x, previous_y = corners[index - 1]
        next_x, next_y = corners[(index + 1) % len(corners)]
        if not path:
            path = _at(stone, "M", (previous_x + x) / 2, (previous_y + y) / 2)
        path += _at(stone, "Q", x, y) + _at(stone, " ", (x + next_x) / 2, (y + next_y) / 2)
    return path + "Z"


def _edge(stone: Stone, corners: Sequence[Point], towards: int) -> str:
    """Return the edge of a stone to the south-east (``towards`` 1) or to the north-west (-1).

    It leads along the worn corners that lie there, in two lines.
    """
    count = len(corners)
    far_corner = max(range(count), key=lambda index: towards * sum(corners[index]))
    points = []
    for step in (-1, 0, 1):
        x, y = corners[(far_corner + step) % count]
        points.append((x * 0.86, y * 0.86))
    (first_x, first_y), (x, y), (last_x, last_y) = points
    path = _at(stone, "M", (first_x + x) / 2, (first_y + y) / 2)
    path += _at(stone, "Q", x, y)
    return path + _at(stone, " ", (last_x + x) / 2, (last_y + y) / 2)


def _at(stone: Stone, letter: str, x: float, y: float) -> str:
    """Return a command of a path to a point seen from the middle of a stone, in whole numbers.

    Stones are rough, and there are many of them.
    """
    return f"{letter}{stone.x + x:.0f} {stone.y + y:.0f}"
