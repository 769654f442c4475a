"""The turns and mirrors that map a layout onto itself, in integer axial coordinates.

    turn = rotation(layout, 1)        # by 60 degrees on hexes, 90 on squares
    q, r = turn.apply(q, r)           # of cells
    side = turn.side(side)            # of their sides

A ``Turn`` leaves the axial origin where it is. It is defined by its effect on the sides of the cell
there, which are numbered clockwise. On squares (north is 0)::

    rotation(SQUARE, 1): 0 1 2 3 become 1 2 3 0          the first image is 1
    left_right(SQUARE):  0 1 2 3 become 0 3 2 1          the first image is 0, and they count down

Stamps, symmetries and whole maps are turned with it.
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
"""A factor for the offset of a point from the centre of its cell, by those who turn such points.

A turn rounds: without the factor a point on the edge of its cell could come to the next one.
"""


@dataclass(frozen=True)
class Turn:
    """A turn about the origin by ``first`` sides clockwise, or a mirror at a line through it.

    The *image* of something is what it becomes; ``side``, ``corner``, ``point`` and ``angle``
    return those.
    """

    layout: Layout
    """The layout that it maps onto itself."""

    first: int
    """The image of side 0, from which all others follow."""

    mirrors: bool = False
    """True for a mirror: side ``s`` becomes side ``first - s``, else ``first + s`` (modulo 4 or 6).
    """

    def side(self, side: int) -> int:
        """Return the image of a side."""
        if self.mirrors:
            return (self.first - side) % self.layout.degree
        return (self.first + side) % self.layout.degree

    @cached_property
    def matrix(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The images of the axial steps (1, 0) and (0, 1)."""
        # Both steps lead across a side, so that their images are the steps across its image.
        steps = self.layout.steps
        image_of_q_step = steps[self.side(steps.index((1, 0)))]
        image_of_r_step = steps[self.side(steps.index((0, 1)))]
        return image_of_q_step, image_of_r_step

    def apply(self, q: Any, r: Any) -> tuple[Any, Any]:
        """Return the images (q, r) of axial coordinates, single ones or arrays."""
        # A cell at (q, r) is q steps along the first axis and r along the second: so is its image,
        # along the images of these axes.
        (q_of_q_step, r_of_q_step), (q_of_r_step, r_of_r_step) = self.matrix
        image_q = q * q_of_q_step + r * q_of_r_step
        image_r = q * r_of_q_step + r * r_of_r_step
        return image_q, image_r

    def turn_sides(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values of sides, shape (n, degree), each moved to the image of its side."""
        # ``argsort`` of the images is the inverse of the turn: where each side came from.
        images = [self.side(side) for side in range(self.layout.degree)]
        turned: NDArray[Any] = values[:, np.argsort(images)]
        return turned

    def corner(self, corner: int) -> int:
        """Return the image of a corner; corner ``i`` is between the sides ``i - 1`` and ``i``."""
        image = self.side(corner)
        if self.mirrors:
            # Sides i - 1 and i become first - i + 1 and first - i: the corner between these.
            image = (image + 1) % self.layout.degree
        return image

    def turn_corners(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values of corners, shape (n, degree), each moved to the image of its corner."""
        images = [self.corner(corner) for corner in range(self.layout.degree)]
        turned: NDArray[Any] = values[:, np.argsort(images)]
        return turned

    def turn_links(self, values: NDArray[Any], unset: int) -> NDArray[Any]:
        """Return bit masks of sides (uint8, any shape), each bit moved to the image of its side.

        Example: turned by one side, 0b000101 (sides 0 and 2) becomes 0b001010. The other bits
        (``MARKS``) stay, and so does a value ``unset``.
        """
        degree = self.layout.degree
        all_sides = np.uint8((1 << degree) - 1)
        turned = values & ~all_sides
        for side in range(degree):
            link_bit = values >> side & 1  # not ``has_side``: a bit is moved faster than a bool
            turned |= link_bit << self.side(side)
        result: NDArray[Any] = np.where(values == unset, values, turned)
        return result

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return the image of a point, in map units from the origin."""
        angle = math.radians(self.degrees)
        if self.mirrors:
            x = -x  # left and right exchanged; the turn that follows brings north to its image
        cos = math.cos(angle)
        sin = math.sin(angle)
        return x * cos - y * sin, x * sin + y * cos

    def angle(self, degrees: float) -> float:
        """Return the image of a direction, in degrees clockwise from north, 0 to below 360."""
        if self.mirrors:
            return (self.degrees - degrees) % 360
        return (self.degrees + degrees) % 360

    def text_angle(self, degrees: float) -> float:
        """Return the angle of a text after the turn, such that nobody has to read it upside down.

        A level text stays level. The angle is from 0 to below 360.
        """
        is_identity = self.first == 0 and not self.mirrors
        is_level = degrees % 360 == 0
        if is_identity or is_level:
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
        # Side s looks in the direction ``first_direction + s * step``: 0 for side 0 of most
        # layouts, 30 for that of pointy hexes. A mirror maps side s to ``first - s``, and so the
        # direction d to ``2 * first_direction + first * step - d``; north is d = 0.
        x, y = self.layout.point(*self.layout.steps[0])
        first_direction = math.degrees(math.atan2(x, -y))
        # Rounded, since it is whole degrees but for rounding errors.
        return 2 * round(first_direction) + self.first * step


def rotation(layout: Layout, steps: int) -> Turn:
    """Return the turn by ``steps`` sides clockwise: 60 degrees each, 90 on squares."""
    return Turn(layout, steps % layout.degree)


def reflection(layout: Layout, axis: int) -> Turn:
    """Return the mirror that maps side ``s`` to ``axis - s``; every layout has ``degree`` axes."""
    return Turn(layout, axis % layout.degree, mirrors=True)


def left_right(layout: Layout) -> Turn:
    """Return the mirror that exchanges left and right."""
    if _has_side_at_north_east(layout):  # it becomes the last side, the north-west
        return reflection(layout, -1)
    return reflection(layout, 0)  # the north stays


def top_bottom(layout: Layout) -> Turn:
    """Return the mirror that exchanges top and bottom."""
    if _has_side_at_north_east(layout):  # it becomes side 2, the south-east
        return reflection(layout, 2)
    return reflection(layout, layout.degree // 2)  # the north becomes the south


def _has_side_at_north_east(layout: Layout) -> bool:
    """Return whether side 0 looks north-east: that of pointy hexes does, all others look north."""
    return layout.side_names[0] == "north-east"


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
