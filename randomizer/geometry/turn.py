"""The turns and mirrors that map a layout onto itself, in whole axial numbers: nothing tears.

A ``Turn`` leaves the axial origin where it is. It is fully said by where it takes the sides: side
``s`` becomes side ``first + s``, or ``first - s`` if it mirrors (modulo the degree).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from randomizer.model.layouts import Layout


@dataclass(frozen=True)
class Turn:
    """One way to lay a layout onto itself: a turn by ``first`` sides, or a mirror."""

    layout: Layout
    first: int
    mirrors: bool = False

    @property
    def still(self) -> bool:
        """Whether everything stays where it is."""
        return not self.mirrors and self.first % self.layout.degree == 0

    def side(self, side: int) -> int:
        """Where a side goes."""
        return (self.first - side if self.mirrors else self.first + side) % self.layout.degree

    @cached_property
    def matrix(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """What becomes of the axial steps (1, 0) and (0, 1)."""
        steps = self.layout.steps
        one, other = (steps[self.side(steps.index(step))] for step in ((1, 0), (0, 1)))
        return one, other

    def apply(self, q: Any, r: Any) -> tuple[Any, Any]:
        """Where axial coordinates go: single ones or arrays of them."""
        (qq, qr), (rq, rr) = self.matrix
        return q * qq + r * rq, q * qr + r * rr

    def turn_sides(self, values: NDArray[Any]) -> NDArray[Any]:
        """Values of sides, shape (n, degree), each at the side where it goes: owners turn along."""
        degree = self.layout.degree
        came_from = np.argsort([self.side(side) for side in range(degree)])
        turned: NDArray[Any] = values[:, came_from]
        return turned

    def turn_links(self, values: NDArray[Any], unset: int) -> NDArray[Any]:
        """Bit masks of sides (uint8, any shape), each bit where its side goes; ``MARKS`` stay."""
        degree = self.layout.degree
        turned = values & ~np.uint8((1 << degree) - 1)
        for side in range(degree):
            turned |= (values >> side & 1) << self.side(side)
        found: NDArray[Any] = np.where(values == unset, values, turned)
        return found

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Where a point goes, in map units about the origin."""
        angle = math.radians(self.degrees)
        if self.mirrors:
            x = -x  # about north and south, which the angle then turns to where it belongs
        cos, sin = math.cos(angle), math.sin(angle)
        return x * cos - y * sin, x * sin + y * cos

    def angle(self, degrees: float) -> float:
        """Where a direction goes, in degrees clockwise from north, at least 0 and below 360."""
        return ((self.degrees - degrees) if self.mirrors else (self.degrees + degrees)) % 360

    @cached_property
    def degrees(self) -> float:
        """Where north goes, clockwise."""
        step = 360 / self.layout.degree
        if not self.mirrors:
            return self.first * step
        # Side s looks to north + s * step: the first of pointy hexes half a step on.
        (qx, qy), (rx, ry) = self.layout.basis
        q, r = self.layout.steps[0]
        north = math.degrees(math.atan2(q * qx + r * rx, -(q * qy + r * ry)))
        return 2 * round(north) + self.first * step


def turned(layout: Layout, steps: int) -> Turn:
    """The turn by ``steps`` sides clockwise: 60 degrees each, 90 on squares."""
    return Turn(layout, steps % layout.degree)


def mirrored(layout: Layout, axis: int) -> Turn:
    """The mirror in which side ``s`` sees side ``axis - s``; every layout has ``degree`` axes."""
    return Turn(layout, axis % layout.degree, mirrors=True)


def left_right(layout: Layout) -> Turn:
    """The mirror that exchanges left and right."""
    return mirrored(layout, -1 if layout.side_names[0] == "north-east" else 0)


def top_bottom(layout: Layout) -> Turn:
    """The mirror that exchanges top and bottom."""
    return mirrored(layout, 2 if layout.side_names[0] == "north-east" else layout.degree // 2)


def axis_words(layout: Layout, axis: int) -> str:
    """The line of a mirror in words: along which sides or corners it runs ("north and south")."""
    names, degree = layout.side_names, layout.degree
    if axis % 2 == 0:
        side = axis // 2
        return f"{names[side]} and {names[side + degree // 2]}"
    side = axis // 2
    ends = (_corner_word(names, side), _corner_word(names, side + degree // 2))
    return " and ".join(ends)


def _corner_word(names: tuple[str, ...], side: int) -> str:
    """The corner between a side and the next, by the sides it joins."""
    return f"{names[side % len(names)]}/{names[(side + 1) % len(names)]}"
