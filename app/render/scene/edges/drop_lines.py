"""Contours: the lines along which land drops, one along each side of a higher cell.

Not to be confused with the lines of equal height on a map (``contour_lines``). Rims of steps
(``rims``) and raised hexsides (``hexside_shapes``) are drawn along what ``contour`` returns, a
smooth line near one side of the higher cell. At both corners it goes on in one of three ways
(``End``), depending on where the land drops beyond the corner, so that the lines of neighbouring
sides and cells meet. Seen with the higher cell below the side::

      End.STRAIGHT             End.AROUND               End.AWAY

                                                               |
                                                               |  lower
    ---------+---------      --------.                --------'
      higher | higher         higher  |  lower          higher
             |                        |

All is in map units around the centre of the higher cell; y runs down.
"""

from __future__ import annotations

import math
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QPointF

from app.render.cell_values.relief import SUN
from app.render.scene.pieces import Pieces
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

KNOTS = 9
"""A contour is given by this many points. More make rounder corners, and slower sprites."""

SHORT_HANDLES = 1 / 5
"""The length of the Bezier handles of angular contours, as a share of the side."""

LONG_HANDLES = 1 / 3
"""The length of the Bezier handles of round contours, as a share of the side."""

ROUND_TURN = 0.5
"""Contours are round if their ``Bends.turn`` is larger than this, else angular."""

SWAYS = (1, -1, 0.6, -0.6)
"""The share of ``Bends.sway`` by which contours sway, by their variant; -: first to the other
side."""

TONES = 8
"""The cosine of ``Knot.facing`` is rounded to 1/``TONES``, so that few colours are made."""


class End(IntEnum):
    """The continuation of a contour beyond a corner; see the drawing at the top of the module."""

    STRAIGHT = 0
    """No turn: the line goes straight on, or ends here, or branches both ways."""
    AROUND = 1
    """Round the cell itself, along its next side."""
    AWAY = 2
    """Round the neighbour, along the side between the two other cells at the corner."""


class Bends(NamedTuple):
    """How contours look in a style of map: their shape, and the strength of light and shade."""

    rounding: float
    """The distance that they keep from a corner at which they turn, in map units."""

    turn: float
    """The share of the turn at a corner that they make smoothly, 0 to 1.

    The rest is a bend at the corner. With 0 all sides are straight.
    """

    sway: float
    """How far they sway, in map units: half as far to the one side of the straight line, and then
    half as far to the other."""

    strength: float = 1.0
    """The share of the usual light and shade that steps along them have."""


BOARD_BENDS = Bends(rounding=0.03, turn=0.25, sway=0.0)
"""The shape of contours on boards: they nearly follow the edges of cells."""

LANDSCAPE_BENDS = Bends(rounding=0.2, turn=0.95, sway=0.05, strength=0.62)
"""The shape of contours in landscapes (``Style.landscape``)."""


def bends_of(pieces: Pieces) -> Bends:
    """Return the shape of contours in the style of a scene."""
    if pieces.style.landscape:
        return LANDSCAPE_BENDS
    return BOARD_BENDS


class Knot(NamedTuple):
    """A point of a contour, and the normal there: the direction away from the higher cell.

    The normal is 1 long, or longer at a bend (a mitre): lines that are moved along the normals of
    both contours that meet there stay parallel to these, and meet, too.
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
        """Return the point ``out`` outside of the contour; within it if that is negative."""
        return QPointF(self.x + self.out_x * out, self.y + self.out_y * out)

    @property
    def facing(self) -> float:
        """The cosine of the angle between the slope and the light: 1 to -1, in ``TONES`` steps."""
        length = math.hypot(self.out_x, self.out_y)
        return round((self.out_x * SUN[0] + self.out_y * SUN[1]) / length * TONES) / TONES


class Contour(tuple[Knot, ...]):
    """The contour along one side, clockwise: ``KNOTS`` knots."""

    __slots__ = ()

    def at(self, along: float, out: float) -> QPointF:
        """Return the point ``out`` outside of the contour, at the share ``along`` (0 to 1) of it.

        Between two knots it lies on a straight line.
        """
        position = min(max(along, 0.0), 1.0) * (KNOTS - 1)
        index = min(int(position), KNOTS - 2)
        share = position - index
        x, y, out_x, out_y = self[index]
        next_x, next_y, next_out_x, next_out_y = self[index + 1]
        x += (next_x - x) * share
        y += (next_y - y) * share
        out_x += (next_out_x - out_x) * share
        out_y += (next_out_y - out_y) * share
        return QPointF(x + out_x * out, y + out_y * out)

    def facing(self, along: float) -> float:
        """Return the direction as ``Knot.facing``, at a share of the contour."""
        return self[round(min(max(along, 0.0), 1.0) * (KNOTS - 1))].facing


@registered(bytes_each=2 * KB)
@lru_cache(500)
def contour(
    layout: Layout, side: int, start: End, end: End, bends: Bends, variant: int = 0
) -> Contour:
    """Return the contour along ``side``, which goes on at its corners as ``start`` and ``end`` say.

    It is a Bezier curve from near the one corner to near the other. ``variant`` (0 to 3) chooses
    how it sways.
    """
    degree = layout.degree
    corners = layout.corners
    first = corners[side]
    last = corners[(side + 1) % degree]
    half_turn = math.pi / degree
    begin = _end_near(first, corners[side - 1], start, bends.rounding, -half_turn)
    finish = _end_near(last, corners[(side + 2) % degree], end, bends.rounding, half_turn)

    length = math.hypot(last[0] - first[0], last[1] - first[1])
    along = ((last[0] - first[0]) / length, (last[1] - first[1]) / length)
    normal = (along[1], -along[0])
    sway = bends.sway * SWAYS[variant % len(SWAYS)]
    first_handle, last_handle = _handles(begin, finish, bends, sway, along, length)
    points = (begin.point, first_handle, last_handle, finish.point)
    knots = [_knot(points, i / (KNOTS - 1)) for i in range(KNOTS)]

    # At its ends the contour has the same normal as the next one, so that no gap shows there. What
    # neither of the two turns is a bend between them. A mitre at a bend is longer than the normal
    # by the cosine of half the bend.
    for index, angle in ((0, begin.angle), (-1, finish.angle)):
        x, y = _turned(normal, angle)
        half_bend = angle * (1 - bends.turn)
        mitre = 1 / math.cos(half_bend)
        knots[index] = knots[index]._replace(out_x=x * mitre, out_y=y * mitre)
    return Contour(knots)


def _handles(
    begin: _ContourEnd,
    finish: _ContourEnd,
    bends: Bends,
    sway: float,
    along: tuple[float, float],
    length: float,
) -> list[tuple[float, float]]:
    """Return the two handles of the curve between two ends of a contour.

    They lie ahead of its ends, in the direction that it has there, and beside that: one on each
    side, so that the curve sways first out and then in. ``along`` is the direction of the side, of
    this ``length``.
    """
    reach = length * SHORT_HANDLES
    if bends.turn > ROUND_TURN:
        reach = length * LONG_HANDLES
    normal = (along[1], -along[0])
    handles = []
    for contour_end, forth in ((begin, 1), (finish, -1)):
        x, y = contour_end.point
        ahead = _turned(along, contour_end.angle * bends.turn)
        handle_x = x + forth * (ahead[0] * reach + normal[0] * 2 * sway)
        handle_y = y + forth * (ahead[1] * reach + normal[1] * 2 * sway)
        handles.append((handle_x, handle_y))
    return handles


class _ContourEnd(NamedTuple):
    """One end of a contour."""

    point: tuple[float, float]
    """Where it is, (x, y) in map units."""

    angle: float
    """By how much the contour has turned there from the direction of its side, in radians,
    clockwise."""


def _end_near(
    corner: tuple[float, float], beyond: tuple[float, float], end: End, rounding: float, turn: float
) -> _ContourEnd:
    """Return where a contour ends near a corner.

    ``beyond`` is the next corner of the cell, ``turn`` half the angle of a turn round the cell: the
    contour that goes on makes the other half.
    """
    x, y = corner
    if end == End.AROUND:  # on the line from the corner to the centre of the cell
        share = 1 - rounding / math.hypot(x, y)
        return _ContourEnd((x * share, y * share), turn)
    if end == End.AWAY:  # on the side that leads away from the cell
        away = (x - beyond[0], y - beyond[1])
        share = rounding / math.hypot(*away)
        return _ContourEnd((x + away[0] * share, y + away[1] * share), -turn)
    return _ContourEnd((x, y), 0.0)


def _turned(direction: tuple[float, float], angle: float) -> tuple[float, float]:
    """Return a direction turned clockwise on the screen, by radians."""
    x, y = direction
    cos = math.cos(angle)
    sin = math.sin(angle)
    return x * cos - y * sin, x * sin + y * cos


def _knot(points: tuple[tuple[float, float], ...], t: float) -> Knot:
    """Return the knot at ``t`` (0 to 1) of the cubic Bezier curve of four points."""
    u = 1 - t
    weights = (u**3, 3 * u * u * t, 3 * u * t * t, t**3)
    slopes = (-3 * u * u, 3 * u * u - 6 * u * t, 6 * u * t - 3 * t * t, 3 * t * t)
    x, y = _weighted_sum(points, weights)
    dx, dy = _weighted_sum(points, slopes)
    length = math.hypot(dx, dy)
    return Knot(x, y, dy / length, -dx / length)


def _weighted_sum(
    points: tuple[tuple[float, float], ...], weights: tuple[float, ...]
) -> tuple[float, float]:
    """Return the sum of points (x, y), each multiplied by its weight."""
    x = sum(weight * point[0] for weight, point in zip(weights, points, strict=True))
    y = sum(weight * point[1] for weight, point in zip(weights, points, strict=True))
    return x, y
