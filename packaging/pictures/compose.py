"""Compositions: which elements of a picture stand where, on boards and in landscapes.

On a board a cell shows one of the groups ``feature-1`` ... ``feature-4``, which keep clear of its
label above and its badge below. In a landscape (``app/render/scene/landscape/features.py``) it
shows groups whose names begin with the layout: ``flat-cell-1`` stands within a cell,
``flat-rim-1`` in one at the rim of a range,
``flat-side3-1`` on the side 3 between two cells of the same terrain, ``flat-stray3-1`` beyond the
side 3 in a cell of other land, ``flat-pair3-1`` in the cell
and the one beyond its side 3, ``flat-trio1-1`` in the three cells around corner 1.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pictures.pen import Pen, Point, around

VARIANTS = 4

_HALF3 = math.sqrt(3) * 50


class Cell(NamedTuple):
    """The corners of a cell, the sides and corners that it owns, and how large elements are."""

    corners: tuple[Point, ...]
    sides: tuple[int, ...]
    trios: tuple[int, ...]
    size: float


CELLS = {
    "flat": Cell(
        ((-50, -_HALF3), (50, -_HALF3), (100, 0), (50, _HALF3), (-50, _HALF3), (-100, 0)),
        (2, 3, 4),
        (2, 5),
        1.0,
    ),
    "pointy": Cell(
        ((0, -100), (_HALF3, -50), (_HALF3, 50), (0, 100), (-_HALF3, 50), (-_HALF3, -50)),
        (1, 2, 3),
        (0, 3),
        1.0,
    ),
    "square": Cell(((-50, -50), (50, -50), (50, 50), (-50, 50)), (1, 2), (), 0.6),
}

Place = Callable[[Pen, random.Random, float, float, float], None]
"""Draws one element at (x, y), so much larger."""


def one_of(names: Sequence[str], least: float = 0.88, most: float = 1.1) -> Place:
    """Any of these elements, about as large as it was drawn, mirrored or not."""

    def place(pen: Pen, rng: random.Random, x: float, y: float, size: float) -> None:
        pen.use(rng.choice(names), x, y, size * rng.uniform(least, most), False)

    return place


class Bag:
    """Draws names in rounds: none comes again before all have come, nor twice in a row."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = list(dict.fromkeys(names))
        self._left: list[str] = []
        self._last = ""

    def draw(self, rng: random.Random) -> str:
        """Return the next name."""
        if not self._left:
            self._left = rng.sample(self._names, len(self._names))
            if self._left[-1] == self._last:
                self._left.reverse()
        self._last = self._left.pop()
        return self._last


def each_of(names: Sequence[str], least: float = 0.88, most: float = 1.1) -> Place:
    """These elements by turns, so that alike ones do not stand beside each other."""
    bag = Bag(names)

    def place(pen: Pen, rng: random.Random, x: float, y: float, size: float) -> None:
        pen.use(bag.draw(rng), x, y, size * rng.uniform(least, most), False)

    return place


def inside(cell: Cell, x: float, y: float, share: float) -> bool:
    """Whether a point lies in the cell made smaller by ``share``."""
    count = len(cell.corners)
    for i in range(count):
        (ax, ay) = cell.corners[i]
        (bx, by) = cell.corners[(i + 1) % count]
        if (bx - ax) * (y - ay * share) - (by - ay) * (x - ax * share) < 0:
            return False
    return True


def points_in(cell: Cell, rng: random.Random, apart: float, share: float) -> list[Point]:
    """Points of a cell made smaller by ``share``, from the top down."""
    found: list[Point] = []
    for _ in range(500):
        x = rng.uniform(-100, 100)
        y = rng.uniform(-100, 100)
        if inside(cell, x, y, share) and all(
            (x - px) ** 2 + ((y - py) * 1.25) ** 2 >= apart * apart for px, py in found
        ):
            found.append((x, y))
    return sorted(found, key=lambda point: point[1])


def points_on_board(
    rng: random.Random, apart: float, wide: float, top: float, bottom: float, most: int
) -> list[Point]:
    """Points of an ellipse, from the top down."""
    found: list[Point] = []
    middle = (top + bottom) / 2
    half = (bottom - top) / 2
    for _ in range(500):
        x = rng.uniform(-wide, wide)
        y = rng.uniform(top, bottom)
        within = (x / wide) ** 2 + ((y - middle) / half) ** 2 <= 1
        if within and all((x - px) ** 2 + (y - py) ** 2 >= apart * apart for px, py in found):
            found.append((x, y))
            if len(found) == most:
                break
    return sorted(found, key=lambda point: point[1])


def _middle(cell: Cell, side: int) -> Point:
    (ax, ay) = cell.corners[side]
    (bx, by) = cell.corners[(side + 1) % len(cell.corners)]
    return (ax + bx) / 2, (ay + by) / 2


def grove(
    pen: Pen,
    seed: int,
    place: Place,
    apart: float,
    *,
    foot: float = 12,
    board_size: float = 0.95,
    board: tuple[float, float, float, int] = (62, -8, 58, 9),
    share: float = 0.8,
    other: Place | None = None,
) -> None:
    """Elements close together, which go on over the sides between cells of the same terrain.

    ``foot`` is how far below the middle of its room the origin of an element is. ``board`` are
    width, top, bottom and number of the elements on a board. ``other``: what stands in every other
    patch of the terrain, in as many variants more.
    """
    rng = random.Random(seed)
    wide, top, bottom, most = board
    for number in range(1, VARIANTS + 1):
        pen.group(f"feature-{number}")
        for x, y in points_on_board(rng, apart * board_size, wide, top, bottom, most):
            place(pen, rng, x, y, board_size)
    for name, cell in CELLS.items():
        gap = apart * cell.size
        down = foot * cell.size
        for number in range(1, VARIANTS + 1 if other is None else 2 * VARIANTS + 1):
            pen.group(f"{name}-cell-{number}")
            stand = place if other is None or number <= VARIANTS else other
            for x, y in points_in(cell, rng, gap, share):
                stand(pen, rng, x, y + down, cell.size)
    sides(pen, rng, place, apart, foot)
    strays(pen, random.Random(seed + 1000), place, foot)


def sides(pen: Pen, rng: random.Random, place: Place, apart: float, foot: float) -> None:
    """Elements that close the gap between cells of the same terrain."""
    for name, cell in CELLS.items():
        gap = apart * cell.size
        down = foot * cell.size
        for side in cell.sides:
            for number in (1, 2):
                pen.group(f"{name}-side{side}-{number}")
                (ax, ay) = cell.corners[side]
                (bx, by) = cell.corners[(side + 1) % len(cell.corners)]
                length = math.hypot(bx - ax, by - ay)
                count = max(2, round(length / (gap * 0.95)))
                row = []
                for i in range(count):
                    t = (i + 0.5 + rng.uniform(-0.22, 0.22)) / count
                    x = ax + (bx - ax) * t
                    y = ay + (by - ay) * t
                    row.append((x + rng.uniform(-7, 7), y + rng.uniform(-6, 6) + down))
                for x, y in sorted(row, key=lambda point: point[1]):
                    place(pen, rng, x, y, cell.size)


def strays(pen: Pen, rng: random.Random, place: Place, foot: float) -> None:
    """Single elements beyond each side of a cell, where a grove ends."""
    for name, cell in CELLS.items():
        for side in range(len(cell.corners)):
            pen.group(f"{name}-stray{side}-1")
            (ax, ay) = cell.corners[side]
            (bx, by) = cell.corners[(side + 1) % len(cell.corners)]
            middle_x = (ax + bx) / 2
            middle_y = (ay + by) / 2
            points = []
            share = rng.uniform(0.05, 0.4)
            for out in (rng.uniform(-0.1, 0.04), rng.uniform(0.06, 0.26)):
                x = ax + (bx - ax) * share + middle_x * out
                y = ay + (by - ay) * share + middle_y * out + foot * cell.size
                points.append((x, y))
                share += rng.uniform(0.35, 0.55)
            for x, y in sorted(points, key=lambda point: point[1]):
                place(pen, rng, x, y, cell.size * rng.uniform(0.75, 0.95))


def shoulders(pen: Pen, seed: int, names: Sequence[str], foot: float) -> None:
    """One of these elements on each side between cells of one terrain, so that ridges go on."""
    rng = random.Random(seed)
    for name, cell in CELLS.items():
        for side in cell.sides:
            for number in (1, 2):
                pen.group(f"{name}-side{side}-{number}")
                x, y = _middle(cell, side)
                scale = cell.size * rng.uniform(0.85, 1.1)
                down = (foot + rng.uniform(-6, 6)) * cell.size
                pen.use(rng.choice(names), x + rng.uniform(-8, 8) * cell.size, y + down, scale)


RIMS = 3
"""How many compositions there are of cells at the rim of a range: fewer than ``VARIANTS``, since
they have more different neighbours."""

Draw = Callable[[Pen, random.Random, float], None]
"""Draws a composition around (0, 0), so much larger."""


def single(
    pen: Pen,
    seed: int,
    draw: Draw,
    *,
    count: int = VARIANTS,
    board: Draw | None = None,
    other: Draw | None = None,
) -> None:
    """Cells that each show a composition of their own; ``other`` draws those after ``VARIANTS``."""
    rng = random.Random(seed)
    for number in range(1, VARIANTS + 1):
        pen.group(f"feature-{number}")
        (board or draw)(pen, rng, 1.0)
    for name, cell in CELLS.items():
        for number in range(1, count + 1):
            pen.group(f"{name}-cell-{number}")
            (draw if other is None or number <= VARIANTS else other)(pen, rng, cell.size)


def rims(pen: Pen, seed: int, draw: Draw) -> None:
    """Cells at the rim of a range: beyond two sides and more the land is lower."""
    rng = random.Random(seed)
    for name, cell in CELLS.items():
        for number in range(1, RIMS + 1):
            pen.group(f"{name}-rim-{number}")
            draw(pen, rng, cell.size)


Span = Callable[[Pen, random.Random, float, list[Point]], None]
"""Draws a composition over cells whose centres are given, elements so much larger."""


def spans(pen: Pen, seed: int, draw: Span) -> None:
    """Compositions over two and three cells."""
    rng = random.Random(seed)
    for name, cell in CELLS.items():
        for side in cell.sides:
            x, y = _middle(cell, side)
            for number in (1, 2):
                pen.group(f"{name}-pair{side}-{number}")
                draw(pen, rng, cell.size, [(0, 0), (2 * x, 2 * y)])
        for corner in cell.trios:
            first = _middle(cell, (corner - 1) % 6)
            second = _middle(cell, corner)
            for number in (1, 2):
                pen.group(f"{name}-trio{corner}-{number}")
                centres = [(0.0, 0.0), *((2 * x, 2 * y) for x, y in (first, second))]
                draw(pen, rng, cell.size, centres)


def ring(x: float, y: float, rx: float, ry: float, count: int, rng: random.Random) -> list[Point]:
    """Points around an ellipse, from the top down."""
    turn = rng.uniform(0, 360)
    found = [
        around(x, y, rx, ry, turn + 360 / count * (i + rng.uniform(-0.3, 0.3)))
        for i in range(count)
    ]
    return sorted(found, key=lambda point: point[1])
