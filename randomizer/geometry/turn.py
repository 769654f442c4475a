"""The turns and mirrors that map a layout onto itself, in integer axial coordinates.

A ``Turn`` fixes the axial origin. It is defined by its effect on sides: side ``s`` becomes side
``first + s``, or ``first - s`` if it mirrors (modulo the degree).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from randomizer.model.grid.layouts import Layout


INWARD = 1 - 1e-9
"""A factor that keeps offsets from a cell's centre in that cell, whatever a turn rounds."""


@dataclass(frozen=True)
class Turn:
    """A turn by ``first`` sides, or a mirror."""

    layout: Layout
    first: int
    mirrors: bool = False

    def side(self, side: int) -> int:
        """Return the image of a side."""
        return (self.first - side if self.mirrors else self.first + side) % self.layout.degree

    @cached_property
    def matrix(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The images of the axial steps (1, 0) and (0, 1)."""
        steps = self.layout.steps
        one, other = (steps[self.side(steps.index(step))] for step in ((1, 0), (0, 1)))
        return one, other

    def apply(self, q: Any, r: Any) -> tuple[Any, Any]:
        """Return the images of axial coordinates, single ones or arrays."""
        (qq, qr), (rq, rr) = self.matrix
        return q * qq + r * rq, q * qr + r * rr

    def turn_sides(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values of sides, shape (n, degree), each moved to the image of its side."""
        degree = self.layout.degree
        came_from = np.argsort([self.side(side) for side in range(degree)])
        turned: NDArray[Any] = values[:, came_from]
        return turned

    def corner(self, corner: int) -> int:
        """Return the image of a corner; corner ``i`` is between the sides ``i - 1`` and ``i``."""
        return (self.side(corner) + self.mirrors) % self.layout.degree

    def turn_corners(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values of corners, shape (n, degree), each moved to the image of its corner."""
        came_from = np.argsort([self.corner(corner) for corner in range(self.layout.degree)])
        turned: NDArray[Any] = values[:, came_from]
        return turned

    def turn_links(self, values: NDArray[Any], unset: int) -> NDArray[Any]:
        """Return bit masks of sides (uint8, any shape), each bit moved to the image of its side.

        ``MARKS`` are kept.
        """
        degree = self.layout.degree
        turned = values & ~np.uint8((1 << degree) - 1)
        for side in range(degree):
            turned |= (values >> side & 1) << self.side(side)
        result: NDArray[Any] = np.where(values == unset, values, turned)
        return result

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return the image of a point, in map units from the origin."""
        angle = math.radians(self.degrees)
        if self.mirrors:
            x = -x  # mirrored about north and south; adding the angle gives the axis
        cos = math.cos(angle)
        sin = math.sin(angle)
        return x * cos - y * sin, x * sin + y * cos

    def angle(self, degrees: float) -> float:
        """Return the image of a direction, in degrees clockwise from north, 0 to below 360."""
        return ((self.degrees - degrees) if self.mirrors else (self.degrees + degrees)) % 360

    def text_angle(self, degrees: float) -> float:
        """Return the angle of a text after the turn, such that nobody has to read it upside down.

        A level text stays level. The angle is from 0 to below 360.
        """
        stays = self.first == 0 and not self.mirrors
        if stays or degrees % 360 == 0:
            return degrees % 360
        angle = self.angle(degrees)
        is_upside_down = 90 < angle < 270
        if is_upside_down:
            angle = (angle + 180) % 360
        return angle

    @cached_property
    def degrees(self) -> float:
        """The image of north, in degrees clockwise."""
        step = 360 / self.layout.degree
        if not self.mirrors:
            return self.first * step
        # Side s looks to north + s * step: the first of pointy hexes half a step on.
        (qx, qy), (rx, ry) = self.layout.basis
        q, r = self.layout.steps[0]
        north = math.degrees(math.atan2(q * qx + r * rx, -(q * qy + r * ry)))
        return 2 * round(north) + self.first * step


def rotation(layout: Layout, steps: int) -> Turn:
    """Return the turn by ``steps`` sides clockwise: 60 degrees each, 90 on squares."""
    return Turn(layout, steps % layout.degree)


def reflection(layout: Layout, axis: int) -> Turn:
    """Return the mirror that maps side ``s`` to ``axis - s``; every layout has ``degree`` axes."""
    return Turn(layout, axis % layout.degree, mirrors=True)


def left_right(layout: Layout) -> Turn:
    """Return the mirror that exchanges left and right."""
    return reflection(layout, -1 if layout.side_names[0] == "north-east" else 0)


def top_bottom(layout: Layout) -> Turn:
    """Return the mirror that exchanges top and bottom."""
    return reflection(layout, 2 if layout.side_names[0] == "north-east" else layout.degree // 2)


def axis_words(layout: Layout, axis: int) -> str:
    """Return the axis of a mirror in words: the sides or corners that it runs through."""
    names = layout.side_names
    degree = layout.degree
    if axis % 2 == 0:
        side = axis // 2
        return f"{names[side]} and {names[side + degree // 2]}"
    side = axis // 2
    ends = (_corner_word(names, side), _corner_word(names, side + degree // 2))
    return " and ".join(ends)


def _corner_word(names: tuple[str, ...], side: int) -> str:
    """Return the corner between a side and the next, named by both."""
    return f"{names[side % len(names)]}/{names[(side + 1) % len(names)]}"
