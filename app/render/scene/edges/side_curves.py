"""The smooth curves along the sides of cells: one along each side at which the land drops.

Rims of steps (``rims``) and hexsides (``hexside_shapes``) are drawn along what ``side_curve``
returns: a curve near one side of a cell, which is the higher one if they lie at different heights.
At both corners it goes on in one of three ways (``End``), depending on where the land drops beyond
the corner, so that the curves of neighbouring sides and cells meet. Seen with the higher cell below
the side::

      End.STRAIGHT             End.AROUND               End.AWAY

                                                               |
                                                               |  lower
    ---------+---------      --------.                --------'
      higher | higher         higher  |  lower          higher
             |                        |

A curve is a cubic Bezier curve: it leaves each end towards a *handle* there. With a sway the
handles lie beside the side, one outside and one inside, so that the curve swings out and in::

        . handle of the start                 normal
       /                                         |
      /                                          |
    start - - - - the side - - - - end           +---- along
                                  /
                                 /
              handle of the end .

All is in map units around the centre of the higher cell; y runs down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QPointF

from app.render.cell_values.relief import SUN
from app.render.scene.pieces import Pieces
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

KNOTS = 9
"""A curve is given by this many points. More make rounder corners, and slower sprites."""

SHORT_HANDLES = 1 / 5
"""The distance of the handles of angular curves from the ends, as a share of the side."""

LONG_HANDLES = 1 / 3
"""The distance of the handles of round curves from the ends, as a share of the side.

If both are longer curves leave the corners straighter, and bend more in between.
"""

ROUND_SMOOTHNESS = 0.5
"""Curves are round if their ``Bends.smoothness`` is larger than this, else angular."""

HANDLE_SWAY = 2
"""How far beside the side a handle lies, as a multiple of the sway.

A Bezier curve comes 0.29 of the way to two such handles: so it swings by some 0.58 of the sway.
"""

SWAYS = (1, -1, 0.6, -0.6)
"""The factors of ``Bends.sway``, by the variant of a curve: one with a negative factor swings in
first, and then out."""

TONES = 8
"""The cosine of ``Knot.facing`` is rounded to 1/``TONES``, so that few colours are made."""


class End(IntEnum):
    """The continuation of a curve beyond a corner; see the drawing at the top of the module."""

    STRAIGHT = 0
    """No turn: the line goes straight on, or ends here, or branches both ways."""
    AROUND = 1
    """Round the cell itself, along its next side."""
    AWAY = 2
    """Round the neighbour, along the side between the two other cells at the corner."""


class Bends(NamedTuple):
    """How curves look in a style of map: their shape, and the strength of light and shade."""

    corner_distance: float
    """The distance that they keep from a corner at which they turn, in map units."""

    smoothness: float
    """The share of the turn at a corner that they make smoothly, 0 to 1.

    The rest is a bend at the corner. With 0 all sides are straight.
    """

    sway: float
    """How far they sway, in map units: they swing about half of this out, then half in."""

    strength: float = 1.0
    """The share of the usual light and shade that steps along them have."""


BOARD_BENDS = Bends(corner_distance=0.03, smoothness=0.25, sway=0.0)
"""The shape of curves on boards: they nearly follow the edges of cells."""

LANDSCAPE_BENDS = Bends(corner_distance=0.2, smoothness=0.95, sway=0.05, strength=0.62)
"""The shape of curves in landscapes (``Style.landscape``)."""


def bends_of(pieces: Pieces) -> Bends:
    """Return the shape of curves in the style of a scene."""
    if pieces.style.landscape:
        return LANDSCAPE_BENDS
    return BOARD_BENDS


class Knot(NamedTuple):
    """A point of a curve, and the normal there: the direction away from the higher cell.

    The normal is 1 long, or longer at the ends of a curve (``_normal_at_end``).
    """

    x: float
    """How far the point lies to the right."""
    y: float
    """How far the point lies down."""
    out_x: float
    """How far the normal leads to the right."""
    out_y: float
    """How far the normal leads down."""

    def offset(self, out: float) -> QPointF:
        """Return the point ``out`` outside of the curve; within it if that is negative."""
        return QPointF(self.x + self.out_x * out, self.y + self.out_y * out)

    def on_way_to(self, other: Knot, share: float) -> Knot:
        """Return what lies between this knot and another one: 0 is this one, 1 the other."""
        return Knot(
            self.x + (other.x - self.x) * share,
            self.y + (other.y - self.y) * share,
            self.out_x + (other.out_x - self.out_x) * share,
            self.out_y + (other.out_y - self.out_y) * share,
        )

    @property
    def facing(self) -> float:
        """The cosine of the angle between the slope and the light: 1 to -1, in ``TONES`` steps."""
        length = math.hypot(self.out_x, self.out_y)
        return round((self.out_x * SUN[0] + self.out_y * SUN[1]) / length * TONES) / TONES


@dataclass(frozen=True)
class SideCurve:
    """The curve along one side, clockwise.

    A *share* of it is that of its knots, from 0 at the first to 1 at the last. It is not quite that
    of its length: knots lie closer where the curve bends.
    """

    knots: tuple[Knot, ...]
    """``KNOTS`` points; between two of them the curve is a straight line."""

    def point_at(self, share: float, out: float) -> QPointF:
        """Return the point ``out`` outside of the curve, at a share of it."""
        position = self._position(share)
        index = min(int(position), KNOTS - 2)
        knot = self.knots[index].on_way_to(self.knots[index + 1], position - index)
        return knot.offset(out)

    def facing_at(self, share: float) -> float:
        """Return the ``Knot.facing`` of the nearest knot at a share of the curve."""
        return self.knots[round(self._position(share))].facing

    @staticmethod
    def _position(share: float) -> float:
        """Return where a share is among the knots: 0 at the first, ``KNOTS`` - 1 at the last."""
        return min(max(share, 0.0), 1.0) * (KNOTS - 1)


@registered(bytes_each=2 * KB)
@lru_cache(100)
def side_curve(
    layout: Layout, side: int, start: End, end: End, bends: Bends, variant: int = 0
) -> SideCurve:
    """Return the curve along ``side``, which goes on at its corners as ``start`` and ``end`` say.

    ``variant`` (0 to 3) chooses how it sways.
    """
    # The corners at the side, clockwise, and the directions along it and away from the cell.
    previous_corner = _Vector(*layout.corners[side - 1])
    first_corner = _Vector(*layout.corners[side])
    last_corner = _Vector(*layout.corners[(side + 1) % layout.degree])
    next_corner = _Vector(*layout.corners[(side + 2) % layout.degree])
    side_length = (last_corner - first_corner).length
    along = (last_corner - first_corner) / side_length
    normal = _Vector(along.y, -along.x)

    # Where the curve begins and ends. At a corner it makes half of the turn round the cell, and the
    # curve that goes on there the other half.
    distance = bends.corner_distance
    half_turn = math.pi / layout.degree
    start_point = _end_point(start, first_corner, previous_corner, distance)
    end_point = _end_point(end, last_corner, next_corner, distance)
    start_angle = -_end_angle(start, half_turn)
    end_angle = _end_angle(end, half_turn)

    # Each handle lies ahead of its end, in the direction of the curve there, and beside that.
    reach = side_length * SHORT_HANDLES
    if bends.smoothness > ROUND_SMOOTHNESS:
        reach = side_length * LONG_HANDLES
    beside = normal * (HANDLE_SWAY * bends.sway * SWAYS[variant % len(SWAYS)])
    direction_at_start = along.turned(start_angle * bends.smoothness)
    direction_at_end = along.turned(end_angle * bends.smoothness)
    start_handle = start_point + (direction_at_start * reach + beside)
    end_handle = end_point - (direction_at_end * reach + beside)

    bezier = _Bezier(start_point, start_handle, end_handle, end_point)
    start_normal = _normal_at_end(normal, start_angle, bends.smoothness)
    end_normal = _normal_at_end(normal, end_angle, bends.smoothness)
    knots_between = [bezier.knot(number / (KNOTS - 1)) for number in range(1, KNOTS - 1)]
    return SideCurve(
        (
            Knot(start_point.x, start_point.y, start_normal.x, start_normal.y),
            *knots_between,
            Knot(end_point.x, end_point.y, end_normal.x, end_normal.y),
        )
    )


# --- the ends of a curve --------------------------------------------------------------------------


def _end_point(kind: End, corner: _Vector, corner_beyond: _Vector, distance: float) -> _Vector:
    """Return where a curve ends near a corner, at this distance from it if it turns there.

    ``corner_beyond`` is the next corner of the cell.
    """
    if kind == End.AROUND:  # on the line from the corner to the centre of the cell
        return corner * (1 - distance / corner.length)
    if kind == End.AWAY:  # on the side that leads away from the cell
        away = corner - corner_beyond
        return corner + away * (distance / away.length)
    return corner


def _end_angle(kind: End, half_turn: float) -> float:
    """Return the angle between a side and its curve at an end, if the whole turn is smooth.

    It is in radians, positive for a turn round the cell itself: at the last corner that is
    clockwise, at the first one counterclockwise.
    """
    if kind == End.AROUND:
        return half_turn
    if kind == End.AWAY:
        return -half_turn
    return 0.0


def _normal_at_end(normal: _Vector, angle: float, smoothness: float) -> _Vector:
    """Return the normal at the end of a curve, which that of the next curve has in common with it.

    ``normal`` is that of the side. Both curves turn by ``angle`` to meet: by the share
    ``smoothness`` of it on their way, and by the rest in a bend between them. If both are moved out
    by 1, they meet at 1 / cos(half of the bend) from where they met before: so long is the normal
    (a mitre), and no gap shows between lines that are drawn outside of both.
    """
    half_bend = angle * (1 - smoothness)
    return normal.turned(angle) * (1 / math.cos(half_bend))


# --- geometry -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Vector:
    """A point or a direction, in map units."""

    x: float
    """To the right."""
    y: float
    """Down."""

    def __add__(self, other: _Vector) -> _Vector:
        return _Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other: _Vector) -> _Vector:
        return _Vector(self.x - other.x, self.y - other.y)

    def __mul__(self, factor: float) -> _Vector:
        return _Vector(self.x * factor, self.y * factor)

    def __truediv__(self, divisor: float) -> _Vector:
        return _Vector(self.x / divisor, self.y / divisor)

    @property
    def length(self) -> float:
        """The length, not negative."""
        return math.hypot(self.x, self.y)

    def turned(self, angle: float) -> _Vector:
        """Return the direction turned clockwise on the screen, by radians."""
        cos = math.cos(angle)
        sin = math.sin(angle)
        return _Vector(self.x * cos - self.y * sin, self.x * sin + self.y * cos)


class _Bezier(NamedTuple):
    """A cubic Bezier curve, of two ends and the handle of each."""

    start: _Vector
    start_handle: _Vector
    end_handle: _Vector
    end: _Vector

    def knot(self, t: float) -> Knot:
        """Return the knot at ``t``, from 0 at the start to 1 at the end."""
        # The weights are the Bernstein polynomials, the slopes their derivatives.
        u = 1 - t
        point = self._weighted_sum(u**3, 3 * u * u * t, 3 * u * t * t, t**3)
        tangent = self._weighted_sum(
            -3 * u * u, 3 * u * u - 6 * u * t, 6 * u * t - 3 * t * t, 3 * t * t
        )
        along = tangent / tangent.length
        return Knot(point.x, point.y, along.y, -along.x)

    def _weighted_sum(
        self, start: float, start_handle: float, end_handle: float, end: float
    ) -> _Vector:
        """Return the sum of the four points, each multiplied by its weight."""
        return (
            self.start * start
            + self.start_handle * start_handle
            + self.end_handle * end_handle
            + self.end * end
        )
