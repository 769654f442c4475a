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
"""The length of the Bezier handles of angular curves, as a share of the side."""

LONG_HANDLES = 1 / 3
"""The length of the Bezier handles of round curves, as a share of the side."""

ROUND_SMOOTHNESS = 0.5
"""Curves are round if their ``Bends.smoothness`` is larger than this, else angular."""

SWAYS = (1, -1, 0.6, -0.6)
"""The factors of ``Bends.sway``, by the variant of a curve: one with a negative factor swings in
first, and then out."""

TONES = 8
"""The cosine of ``Knot.facing`` is rounded to 1/``TONES``, so that few colours are made."""

Point = tuple[float, float]
"""x and y in map units: a point, or a direction."""


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
    """How far they sway, in map units: they swing sway / 2 out, then sway / 2 in."""

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

    The normal is 1 long, or longer at a bend (a mitre): lines that are moved along the normals of
    both curves that meet there stay parallel to these, and meet, too (``_mitre``).
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
        position = min(max(share, 0.0), 1.0) * (KNOTS - 1)
        index = min(int(position), KNOTS - 2)
        share_of_piece = position - index
        x, y, out_x, out_y = self.knots[index]
        next_x, next_y, next_out_x, next_out_y = self.knots[index + 1]
        x += (next_x - x) * share_of_piece
        y += (next_y - y) * share_of_piece
        out_x += (next_out_x - out_x) * share_of_piece
        out_y += (next_out_y - out_y) * share_of_piece
        return QPointF(x + out_x * out, y + out_y * out)

    def facing_at(self, share: float) -> float:
        """Return the ``Knot.facing`` of the nearest knot at a share of the curve."""
        return self.knots[round(min(max(share, 0.0), 1.0) * (KNOTS - 1))].facing


@registered(bytes_each=2 * KB)
@lru_cache(500)
def side_curve(
    layout: Layout, side: int, start: End, end: End, bends: Bends, variant: int = 0
) -> SideCurve:
    """Return the curve along ``side``, which goes on at its corners as ``start`` and ``end`` say.

    It is a Bezier curve from near the one corner to near the other. ``variant`` (0 to 3) chooses
    how it sways.
    """
    # The side, and the direction along it.
    first = layout.corners[side]
    last = layout.corners[(side + 1) % layout.degree]
    length = math.hypot(last[0] - first[0], last[1] - first[1])
    along = ((last[0] - first[0]) / length, (last[1] - first[1]) / length)
    normal = (along[1], -along[0])

    # Where the curve begins and ends. At a corner it makes half of the turn round the cell, and the
    # curve that goes on there the other half.
    corner_before = layout.corners[side - 1]
    corner_behind = layout.corners[(side + 2) % layout.degree]
    half_turn = math.pi / layout.degree
    begin = _curve_end(first, corner_before, start, bends.corner_distance, -half_turn)
    finish = _curve_end(last, corner_behind, end, bends.corner_distance, half_turn)

    # The knots between them.
    sway = bends.sway * SWAYS[variant % len(SWAYS)]
    first_handle, last_handle = _handles(begin, finish, bends, sway, along, length)
    points = (begin.point, first_handle, last_handle, finish.point)
    knots = [_knot(points, i / (KNOTS - 1)) for i in range(KNOTS)]

    # At its ends the curve has the same normal as the next one, so that no gap shows there.
    for index, curve_end in ((0, begin), (-1, finish)):
        out_x, out_y = _mitre(normal, curve_end.angle, bends.smoothness)
        knots[index] = knots[index]._replace(out_x=out_x, out_y=out_y)
    return SideCurve(tuple(knots))


class _CurveEnd(NamedTuple):
    """One end of a curve."""

    point: Point
    """Where it is."""

    angle: float
    """By how much the curve has turned there from the direction of its side, in radians,
    clockwise, if it makes the whole turn smoothly."""


def _curve_end(
    corner: Point, corner_beyond: Point, end: End, corner_distance: float, half_turn: float
) -> _CurveEnd:
    """Return where a curve ends near a corner.

    ``corner_beyond`` is the next corner of the cell, ``half_turn`` half the angle of a turn round
    the cell.
    """
    x, y = corner
    if end == End.AROUND:  # on the line from the corner to the centre of the cell
        share = 1 - corner_distance / math.hypot(x, y)
        return _CurveEnd((x * share, y * share), half_turn)
    if end == End.AWAY:  # on the side that leads away from the cell
        away = (x - corner_beyond[0], y - corner_beyond[1])
        share = corner_distance / math.hypot(*away)
        return _CurveEnd((x + away[0] * share, y + away[1] * share), -half_turn)
    return _CurveEnd((x, y), 0.0)


def _handles(
    begin: _CurveEnd,
    finish: _CurveEnd,
    bends: Bends,
    sway: float,
    along: Point,
    length: float,
) -> list[Point]:
    """Return the two handles of the Bezier curve between two ends.

    They lie ahead of the ends, in the direction that the curve has there, and beside that: one on
    each side, so that the curve swings first out and then in. ``along`` is the direction of the
    side, of this ``length``.
    """
    reach = length * SHORT_HANDLES
    if bends.smoothness > ROUND_SMOOTHNESS:
        reach = length * LONG_HANDLES
    normal = (along[1], -along[0])
    handles = []
    for curve_end, forth in ((begin, 1), (finish, -1)):
        x, y = curve_end.point
        ahead = _turned(along, curve_end.angle * bends.smoothness)
        handle_x = x + forth * (ahead[0] * reach + normal[0] * 2 * sway)
        handle_y = y + forth * (ahead[1] * reach + normal[1] * 2 * sway)
        handles.append((handle_x, handle_y))
    return handles


def _mitre(normal: Point, angle: float, smoothness: float) -> Point:
    """Return the normal at the end of a curve, where it meets the next one.

    ``normal`` is that of the side. Both curves turn by ``angle`` to meet: by the share
    ``smoothness`` of it on their way, and by the rest in a bend between them. If both are moved out
    by 1, they meet at 1 / cos(half of the bend) from where they met before, which is the length of
    the normal that they have in common.
    """
    half_bend = angle * (1 - smoothness)
    length = 1 / math.cos(half_bend)
    x, y = _turned(normal, angle)
    return x * length, y * length


# --- geometry -------------------------------------------------------------------------------------


def _turned(direction: Point, angle: float) -> Point:
    """Return a direction turned clockwise on the screen, by radians."""
    x, y = direction
    cos = math.cos(angle)
    sin = math.sin(angle)
    return x * cos - y * sin, x * sin + y * cos


def _knot(points: tuple[Point, ...], t: float) -> Knot:
    """Return the knot at ``t`` (0 to 1) of the cubic Bezier curve of four points.

    The weights are the Bernstein polynomials, the slopes their derivatives.
    """
    u = 1 - t
    weights = (u**3, 3 * u * u * t, 3 * u * t * t, t**3)
    slopes = (-3 * u * u, 3 * u * u - 6 * u * t, 6 * u * t - 3 * t * t, 3 * t * t)
    x, y = _weighted_sum(points, weights)
    dx, dy = _weighted_sum(points, slopes)
    length = math.hypot(dx, dy)
    return Knot(x, y, dy / length, -dx / length)


def _weighted_sum(points: tuple[Point, ...], weights: tuple[float, ...]) -> Point:
    """Return the sum of points (x, y), each multiplied by its weight."""
    x = sum(weight * point[0] for weight, point in zip(weights, points, strict=True))
    y = sum(weight * point[1] for weight, point in zip(weights, points, strict=True))
    return x, y
