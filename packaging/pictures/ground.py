"""Seamless grounds: marks on a torus of ``PERIOD``, and the plants that grow on them.

A ground is the group ``ground`` of a picture. The desk repeats it over the map (stretched a little,
so that a period is a whole number of cells of a layout) and shows of it what lies in each cell.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Sequence

from pictures.pen import Pen, Point

PERIOD = 650.0
"""The width and height of a ground, in hundredths of a map unit."""

BUCKETS = 5
"""Small marks of one look are one path in each of so many columns and rows."""


def torus_points(rng: random.Random, apart: float) -> list[Point]:
    """Points at least ``apart`` from each other, also across the edges of the torus."""
    count = max(1, int(PERIOD / apart))
    size = PERIOD / count
    near: defaultdict[tuple[int, int], list[Point]] = defaultdict(list)
    for _ in range(6 * count * count):
        x = rng.uniform(0, PERIOD)
        y = rng.uniform(0, PERIOD)
        column = int(x / size)
        row = int(y / size)
        around = (
            point
            for i in (-1, 0, 1)
            for j in (-1, 0, 1)
            for point in near[(column + i) % count, (row + j) % count]
        )
        if all(_apart(x - px) ** 2 + _apart(y - py) ** 2 >= apart * apart for px, py in around):
            near[column, row].append((x, y))
    return [point for points in near.values() for point in points]


def _apart(distance: float) -> float:
    distance = abs(distance)
    return min(distance, PERIOD - distance)


def begin_ground(pen: Pen, base: str) -> None:
    """Begin the ground with its even colour."""
    pen.group("ground")
    # copies overlap, so that no gap shows between them
    low = -9
    high = PERIOD + 9
    pen.path(f"M{low} {low}H{high:g}V{high:g}H{low}Z", base)


def mottle(
    pen: Pen,
    rng: random.Random,
    apart: float,
    radius: tuple[float, float],
    colours: Sequence[tuple[str, float]],
) -> None:
    """Soft spots, each in one of ``colours`` with their opacities."""
    for x, y in torus_points(rng, apart):
        colour, opacity = rng.choice(colours)
        wide = rng.uniform(*radius)
        pen.oval(x, y, wide, wide * rng.uniform(0.55, 0.85), pen.soft(colour, opacity))


def marks(
    pen: Pen,
    rng: random.Random,
    apart: float,
    draw: Callable[[float, float], str],
    looks: Sequence[dict[str, object]],
) -> None:
    """Small marks, the path of each made by ``draw`` at its point, in one of ``looks``."""
    paths: defaultdict[tuple[int, int, int], str] = defaultdict(str)
    for x, y in torus_points(rng, apart):
        size = PERIOD / BUCKETS
        paths[int(y // size), int(x // size), rng.randrange(len(looks))] += draw(x, y)
    for (_, _, look), d in sorted(paths.items()):
        pen.path(d, **looks[look])  # type: ignore[arg-type]


def blades(x: float, y: float, height: float, spread: float, count: int) -> str:
    """A tuft of grass or reeds with its foot at (x, y): narrow blades that lean outward."""
    d = ""
    for i in range(count):
        lean = (i / (count - 1) - 0.5) * 2
        tip_x = x + lean * spread
        tip_y = y - height * (1 - 0.35 * lean * lean)
        foot = x + lean * spread * 0.25
        half = height * 0.075
        middle = y - height * 0.55
        d += (
            f"M{foot - half:.1f} {y:.1f}Q{foot - half:.1f} {middle:.1f} {tip_x:.1f} {tip_y:.1f}"
            f"Q{foot + half * 1.6:.1f} {middle:.1f} {foot + half:.1f} {y:.1f}Z"
        )
    return d


def grass(
    pen: Pen, rng: random.Random, base: str, dark: str, light: str, apart: float = 21
) -> None:
    """A ground of grass: soft spots, and short blades in two tones."""
    begin_ground(pen, base)
    mottle(pen, rng, 74, (60, 105), ((dark, 0.2), (light, 0.26), (dark, 0.14), (light, 0.2)))
    mottle(pen, rng, 40, (16, 32), ((dark, 0.16), (light, 0.2)))

    def tuft(x: float, y: float) -> str:
        d = ""
        for i in range(rng.choice((2, 3, 3))):
            lean = rng.uniform(-3, 3)
            high = rng.uniform(5, 9)
            d += f"M{x + i * 3} {y}l{lean} {-high}"
        return d

    marks(
        pen,
        rng,
        apart,
        tuft,
        (
            {"line": dark, "width": 1.5, "opacity": 0.5},
            {"line": light, "width": 1.5, "opacity": 0.7},
        ),
    )
