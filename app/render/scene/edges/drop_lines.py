"""The line along which land drops at the side of a cell: steps and hexsides are drawn along it.

At a corner it turns round the higher cell or round the lower one, depending on where the land drops
beyond the corner, so that the lines of neighbouring sides and cells meet. All is in map units
around the centre of the higher cell (y runs down).
"""

from __future__ import annotations

import math
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QPointF

from app.render.cell_values.relief import SUN
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

KNOTS = 9
"""A contour is given by this many points."""


TONES = 8
"""How many different tones there are on the way from the light to where it does not count."""


class End(IntEnum):
    """The continuation of a contour beyond a corner."""

    STRAIGHT = 0
    """Straight on, or not at all, or both other ways."""
    AROUND = 1
    """Round the cell itself, along its next side."""
    AWAY = 2
    """Round the neighbour, along the side between the two other cells at the corner."""


class Bends(NamedTuple):
    """The shape of contours: they keep ``rounding`` from a corner at which they turn.

    ``turn`` is the share of the turn that the sides make (0: they are straight), the rest is a bend
    at the corner. Between corners they sway by ``sway``. ``strength`` is that of the light and
    shade of steps along them.
    """

    rounding: float
    turn: float
    sway: float
    strength: float = 1.0


class Knot(NamedTuple):
    """A point of a contour and the normal there, which points away from the higher cell.

    The normal is 1 long, at a bend longer: moved along it, both contours stay parallel and meet.
    """

    x: float
    y: float
    out_x: float
    out_y: float

    def offset(self, out: float) -> QPointF:
        """Return the place ``out`` outside of the contour."""
        return QPointF(self.x + self.out_x * out, self.y + self.out_y * out)

    @property
    def facing(self) -> float:
        """From 1 (turned to the light) to -1, in ``TONES`` steps."""
        length = math.hypot(self.out_x, self.out_y)
        return round((self.out_x * SUN[0] + self.out_y * SUN[1]) / length * TONES) / TONES


class Contour(tuple[Knot, ...]):
    """The contour along one side, clockwise: ``KNOTS`` knots."""

    __slots__ = ()

    def at(self, along: float, out: float) -> QPointF:
        """Return point at the share ``along`` (0 to 1) of the contour, ``out`` outside of it."""
        position = min(max(along, 0.0), 1.0) * (KNOTS - 1)
        index = min(int(position), KNOTS - 2)
        share = position - index
        ax, ay, a_out_x, a_out_y = self[index]
        bx, by, b_out_x, b_out_y = self[index + 1]
        return QPointF(
            ax + (bx - ax) * share + (a_out_x + (b_out_x - a_out_x) * share) * out,
            ay + (by - ay) * share + (a_out_y + (b_out_y - a_out_y) * share) * out,
        )

    def facing(self, along: float) -> float:
        """Return the direction as ``Knot.facing``, at a share of the contour."""
        return self[round(min(max(along, 0.0), 1.0) * (KNOTS - 1))].facing


@registered(bytes_each=2 * KB)
@lru_cache(500)
def contour(
    layout: Layout, side: int, start: End, end: End, bends: Bends, variant: int = 0
) -> Contour:
    """Return the contour along ``side``; ``variant`` (0 to 3) is how it sways."""
    degree = layout.degree
    first = layout.corners[side]
    last = layout.corners[(side + 1) % degree]
    length = math.hypot(last[0] - first[0], last[1] - first[1])
    along = ((last[0] - first[0]) / length, (last[1] - first[1]) / length)
    previous_corner = layout.corners[side - 1]
    next_corner = layout.corners[(side + 2) % degree]
    a, turned = _corner(first, previous_corner, start, bends.rounding, -math.pi / degree)
    b, turning = _corner(last, next_corner, end, bends.rounding, math.pi / degree)
    sway = bends.sway * (1, -1, 0.6, -0.6)[variant % 4]
    normal = (along[1], -along[0])
    handles = []
    reach = length / 3 if bends.turn > 0.5 else length / 5
    for (x, y), angle, forth in ((a, turned, 1), (b, turning, -1)):
        ahead = _turned(along, angle * bends.turn)
        handles.append(
            (
                x + forth * (ahead[0] * reach + normal[0] * 2 * sway),
                y + forth * (ahead[1] * reach + normal[1] * 2 * sway),
            )
        )
    points = (a, *handles, b)
    knots = [_knot(points, i / (KNOTS - 1)) for i in range(KNOTS)]
    # At its ends the contour has the same normal as the next one, so that no gap shows there.
    for position, angle in ((0, turned), (-1, turning)):
        x, y = _turned(normal, angle)
        mitre = 1 / math.cos(angle * (1 - bends.turn))
        knots[position] = knots[position]._replace(out_x=x * mitre, out_y=y * mitre)
    return Contour(knots)


def _turned(direction: tuple[float, float], angle: float) -> tuple[float, float]:
    """Return a direction turned clockwise on the screen, by radians."""
    c = math.cos(angle)
    s = math.sin(angle)
    return direction[0] * c - direction[1] * s, direction[0] * s + direction[1] * c


def _corner(
    corner: tuple[float, float], beyond: tuple[float, float], end: End, rounding: float, turn: float
) -> tuple[tuple[float, float], float]:
    """Return where a contour ends near a corner, and by which angle it has turned there.

    ``beyond`` is the next corner of the cell, ``turn`` half the angle of a turn round the cell.
    """
    x, y = corner
    if end == End.AROUND:
        share = 1 - rounding / math.hypot(x, y)
        return (x * share, y * share), turn
    if end == End.AWAY:
        away = (x - beyond[0], y - beyond[1])
        share = rounding / math.hypot(*away)
        return (x + away[0] * share, y + away[1] * share), -turn
    return (x, y), 0.0


def _knot(points: tuple[tuple[float, float], ...], t: float) -> Knot:
    """Return the knot at ``t`` (0 to 1) of a Bezier curve."""
    u = 1 - t
    weights = (u**3, 3 * u * u * t, 3 * u * t * t, t**3)
    slopes = (-3 * u * u, 3 * u * u - 6 * u * t, 6 * u * t - 3 * t * t, 3 * t * t)
    x, y = (sum(w * p[i] for w, p in zip(weights, points, strict=True)) for i in (0, 1))
    dx, dy = (sum(w * p[i] for w, p in zip(slopes, points, strict=True)) for i in (0, 1))
    size = math.hypot(dx, dy)
    return Knot(x, y, dy / size, -dx / size)
