"""Stones painted with soft shading: the boulders of cave rock.

A stone is an element around (0, 0). Its outline is irregular but round at all corners; light from
the north-west falls on its top, its other side fades into the shade, and cracks and pits give it
a surface. ``STONE_COLOURS`` are those of a stone in full light; ``Tones.darkened`` are those of
stones in the shade and deep within rock.
"""

from __future__ import annotations

import math
import random
from typing import NamedTuple

from pictures.pen import Pen, Point, around, curve
from pictures.rock import mix


class Tones(NamedTuple):
    """The colours of a stone, each as "#rrggbb"."""

    light: str
    """That of edges and tops towards the light."""

    middle: str
    """That of its body."""

    dark: str
    """That of its side away from the light."""

    gap: str
    """That of cracks, and of what lies between stones."""

    def darkened(self, share: float) -> Tones:
        """Return the colours moved by ``share`` of the way, from 0 to 1, to that of the gaps."""
        return Tones(
            mix(self.light, self.gap, share),
            mix(self.middle, self.gap, share),
            mix(self.dark, self.gap, share),
            self.gap,
        )


STONE_COLOURS = Tones(light="#d8c8ae", middle="#8d7e6d", dark="#3d332b", gap="#15100c")
"""The colours of a stone in full light."""

_CORNERS = 8
"""The outline of a stone has so many corners. With more it would be round like a pebble."""

_ROUNDING = 0.24
"""How round the corners of outlines are: 0 are straight lines, 0.5 is a smooth curve."""

_SOFT = 0.5
"""How round the corners of what is painted on a stone are."""


def painted_stone(
    pen: Pen, name: str, rng: random.Random, half_width: float, half_height: float, tones: Tones
) -> None:
    """Draw the element ``name``: a stone whose middle is at (0, 0)."""
    plain_stone(pen, name, rng, half_width, half_height, tones)
    _cracks(pen, rng, half_width, half_height, tones)
    _pits(pen, rng, half_width, half_height, tones)


def plain_stone(
    pen: Pen,
    name: str,
    rng: random.Random,
    half_width: float,
    half_height: float,
    tones: Tones,
    *,
    taper: float = 0.0,
) -> None:
    """Draw the element ``name``: the same without cracks and pits, which nobody sees in the shade.

    By the share ``taper`` it is narrower at its top than at its foot.
    """
    pen.element(name)
    rim = []
    for x, y in _rim(rng, half_width, half_height):
        narrower = taper * (1 - y / half_height) / 2
        rim.append((x * (1 - narrower), y))
    shade = [(x + 3.0, y + 4.5) for x, y in rim]
    pen.path(_closed(shade), tones.gap, opacity=0.6)
    upper_left = (-0.62 * half_width, -0.85 * half_height)
    lower_right = (0.6 * half_width, 0.9 * half_height)
    body = ((0, mix(tones.middle, tones.light, 0.55)), (0.45, tones.middle), (1, tones.dark))
    pen.path(_closed(rim), pen.linear(upper_left, lower_right, *body))
    _planes(pen, rng, rim, half_width, half_height, tones)
    _lit_edge(pen, rim, tones)


def deep_stone(
    pen: Pen, name: str, rng: random.Random, half_width: float, half_height: float, tones: Tones
) -> None:
    """Draw the element ``name``: a stone in the dark, which has no surface."""
    pen.element(name)
    rim = _rim(rng, half_width, half_height)
    shade = [(x + 2.5, y + 3.5) for x, y in rim]
    pen.path(curve(shade, tension=_SOFT), tones.gap, opacity=0.5)
    body = pen.slant(mix(tones.middle, tones.light, 0.25), mix(tones.dark, tones.gap, 0.3))
    pen.path(curve(rim, tension=_SOFT), body)


def _rim(rng: random.Random, half_width: float, half_height: float) -> list[Point]:
    """Return the corners of a stone, clockwise."""
    turn = rng.uniform(0, 360)
    step = 360 / _CORNERS
    corners = []
    for i in range(_CORNERS):
        direction = turn + step * (i + rng.uniform(-0.36, 0.36))
        far = rng.uniform(0.8, 1.14)
        corners.append(around(0, 0, half_width * far, half_height * far, direction))
    return corners


def _closed(points: list[Point]) -> str:
    return curve(points, tension=_ROUNDING)


def _planes(
    pen: Pen,
    rng: random.Random,
    rim: list[Point],
    half_width: float,
    half_height: float,
    tones: Tones,
) -> None:
    """Shade the side of a stone away from the light, and light its top: both fade into its body."""
    ridge = (rng.uniform(-0.15, 0.15) * half_width, rng.uniform(-0.2, 0.1) * half_height)
    lee = [ridge]
    for x, y in rim:
        if x / half_width + y / half_height > 0.2:
            lee.append((x, y))
    shade = ((0, tones.dark, 0), (0.35, tones.dark, 0.55), (1, tones.gap, 0.8))
    fill = pen.linear(ridge, (half_width * 0.85, half_height * 0.85), *shade)
    pen.path(curve(lee, tension=_SOFT), fill)
    top = []
    for x, y in rim:
        nearer = rng.uniform(0.66, 0.8)
        top.append((x * nearer - half_width * 0.15, y * nearer * 0.85 - half_height * 0.22))
    lit = ((0, tones.light, 0.9), (0.5, tones.light, 0.42), (1, tones.light, 0))
    upper_left = (-half_width * 0.55, -half_height * 0.8)
    pen.path(
        curve(top, tension=_SOFT),
        pen.linear(upper_left, (half_width * 0.3, half_height * 0.35), *lit),
    )


def _cracks(
    pen: Pen, rng: random.Random, half_width: float, half_height: float, tones: Tones
) -> None:
    """Draw cracks from the top down."""
    cracks = ""
    for _ in range(rng.choice((1, 2, 2))):
        x = rng.uniform(-0.5, 0.5) * half_width
        y = rng.uniform(-0.75, -0.2) * half_height
        points = [(x, y)]
        for _ in range(3):
            x += rng.uniform(-0.2, 0.26) * half_width
            y += rng.uniform(0.18, 0.4) * half_height
            points.append((x, y))
        cracks += curve(points, closed=False)
    pen.path(cracks, line=tones.gap, width=1.3, opacity=0.6)


def _pits(
    pen: Pen, rng: random.Random, half_width: float, half_height: float, tones: Tones
) -> None:
    """Draw small pits all over a stone."""
    pits = ""
    for _ in range(7):
        far = math.sqrt(rng.random()) * 0.78
        x, y = around(0, 0, half_width * far, half_height * far, rng.uniform(0, 360))
        pits += f"M{x:.1f} {y:.1f}L{x + rng.uniform(1, 3.4):.1f} {y + rng.uniform(-0.8, 1.2):.1f}"
    pen.path(pits, line=tones.gap, width=1.6, opacity=0.4)


def _lit_edge(pen: Pen, rim: list[Point], tones: Tones) -> None:
    """Draw the edge of a stone towards the light."""
    middle = min(range(len(rim)), key=lambda i: rim[i][0] + rim[i][1])
    count = len(rim)
    edge = []
    for i in range(middle - 2, middle + 3):
        x, y = rim[i % count]
        edge.append((x * 0.95, y * 0.95))
    pen.path(curve(edge, closed=False, tension=_ROUNDING), line=tones.light, width=1.6, opacity=0.5)
