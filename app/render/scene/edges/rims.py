"""Draws the rims of steps: the edges of higher land, light where they face the sun, else dark.

A ``Rim`` says at which sides of a cell the land drops, and ``draw_rim`` draws it around (0, 0)::

    rim = Rim(height=1, sides=0b000111, drops=0b000111, corners_away=0b111111)
    draw_rim(painter, FLAT, rim, BOARD_BENDS)         # at the sides 0, 1 and 2

Across each side, from the higher land outwards, lie a soft band that fades inwards, a thin line
along the curve (``side_curves``), and a dark sliver where the curve cuts a corner of the cell::

      higher land . : : : | # # side of the cell          :  band    |  line    #  sliver

Bit masks tell sides and corners: bit ``n`` is side ``n``, clockwise; corner ``n`` lies between the
sides ``n - 1`` and ``n``. Lengths are map units.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPolygonF

from app.appearance.painting import Fill, faint, fills_together
from app.render.cell_geometry import side_ends
from app.render.scene.edges.side_curves import KNOTS, Bends, End, Knot, SideCurve, side_curve
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

RIM_WIDTHS = (0.14, 0.22, 0.30)
"""The widths of rims, of the heights 1 to 3."""

LIGHT = QColor(255, 251, 232)
"""The colour of rims that face the light."""

DARK = QColor(48, 30, 12)
"""The colour of rims that are turned from the light."""

SLIVER = QColor(26, 20, 30)
"""The colour of what is cut off from the cell at a rounded corner, which is lower land."""

RIM_OPACITY = (0.46, 0.34, 0.28)
"""The opacity of bands at the curve, of the heights 1 to 3, where they face the light or are
turned from it. A high step has the rims of lower ones, too."""

BANDS = 4
"""A soft band is this many translucent ones, each wider than the one before. More fade more evenly,
and take longer."""

BAND_GROWTH = 1.5
"""The widths of these bands grow with this power of their number: the larger it is, the more of
the darkness lies at the curve."""

LINE_WIDTH = 0.03
"""The width of the line along a step."""

REACH = 0.22
"""How far rims may reach over the sides of the cell."""

MIN_BAND_SHARE = 0.12
"""The share of ``RIM_OPACITY`` on slopes along the light: they are hardly seen, but not quite
lost."""

BANDS_TOGETHER = 1.6
"""How much more opaque bands are than if their opacities were added: they lie over one another."""

SLIVER_OPACITY = 0.16
"""The opacity of slivers on slopes that face the light or lie along it."""

SLIVER_OPACITY_IN_SHADE = 0.34
"""How much more opaque they are on slopes that are turned from it."""

HAIR = (0.45, 1.15)
"""From where to where the dark hair outside of a light line reaches, in widths of the line."""

HAIR_OPACITY = 0.30
"""The opacity of this hair."""

LIGHT_LINE_OPACITY = (0.25, 0.6)
"""The opacity of a line along the light, and how much more it is towards the light."""

DARK_LINE_OPACITY = (0.35, 0.45)
"""The opacity of a line along the light, and how much more it is away from the light."""

MIN_SLIVER = 1e-3
"""Where a curve lies less than this within its side, nothing is darkened beside it."""


class Rim(NamedTuple):
    """All that the drawing of the rims of a cell depends on, besides the style of the map."""

    height: int
    """The height of the step, 1 to 3. A drop of 2 is drawn as the rims of height 1 and 2."""

    sides: int
    """The sides that get a rim, a bit mask."""

    drops: int
    """All sides at which the land drops, a bit mask: there the curves of ``sides`` go on."""

    corners_away: int
    """The corners at which a curve that leaves the cell turns round the lower neighbour, a bit
    mask; at others it goes straight on.

    All corners of hexes: only three cells meet there, and the curve always goes between two.
    """

    variant: int = 0
    """Which of four ways curves sway, 0 to 3."""


def draw_rim(painter: QPainter, layout: Layout, rim: Rim, bends: Bends) -> None:
    """Draw the rims of a cell; ``bends`` is the shape of curves on the map."""
    for side in range(layout.degree):
        if not has_bit(rim.sides, side):
            continue
        # Corner ``n`` lies between the sides ``n - 1`` and ``n``.
        next_side = (side + 1) % layout.degree
        start = _end_at(rim, corner=side, side_beyond=(side - 1) % layout.degree)
        end = _end_at(rim, corner=next_side, side_beyond=next_side)
        for path, colour in _fills(layout, side, start, end, bends, rim.variant, rim.height):
            painter.fillPath(path, colour)


def has_bit(mask: int, number: int) -> bool:
    """Return whether a bit mask has a bit: True for 0b0100 and 2."""
    return (mask >> number) & 1 == 1


def rim_box(layout: Layout, rim: Rim) -> QRectF:
    """Return the box of what ``draw_rim`` draws."""
    box = QRectF()
    width = RIM_WIDTHS[rim.height - 1]
    for side in range(layout.degree):
        if not has_bit(rim.sides, side):
            continue
        (ax, ay), (bx, by) = side_ends(layout, side)
        # All sides are 1 long: this leads from the side into the cell, at a right angle.
        in_x = (ay - by) * width
        in_y = (bx - ax) * width
        corners = ((ax, ay), (bx, by), (ax + in_x, ay + in_y), (bx + in_x, by + in_y))
        box = box.united(QPolygonF([QPointF(*corner) for corner in corners]).boundingRect())
    return box.adjusted(-REACH, -REACH, REACH, REACH)


def _end_at(rim: Rim, corner: int, side_beyond: int) -> End:
    """Return how a curve goes on at a corner, beyond which the cell has ``side_beyond``."""
    if has_bit(rim.drops, side_beyond):
        return End.AROUND
    if has_bit(rim.corners_away, corner):
        return End.AWAY
    return End.STRAIGHT


@registered(bytes_each=8 * KB)
@lru_cache(130)
def _fills(
    layout: Layout, side: int, start: End, end: End, bends: Bends, variant: int, height: int
) -> tuple[Fill, ...]:
    """Return what is filled for the rim at one side, in this order.

    ``start``, ``end`` and ``variant`` are those of ``side_curve``. A map of hexes has up to 648
    such rims, most of them at the sides of several cells.
    """
    curve = side_curve(layout, side, start, end, bends, variant)
    fills = _band(curve, height, bends.strength)
    if height == 1:  # once: higher steps have the rims of lower ones, too
        fills += _sliver(layout, side, curve, bends.strength)
        fills += _line(curve, bends.strength)
    return tuple(fills)


def _band(curve: SideCurve, height: int, strength: float) -> list[Fill]:
    """Return the soft band inside of a curve: light where it faces the sun, else dark.

    It is made of ``BANDS`` bands of growing width, so that it fades inwards.
    """
    opacity = RIM_OPACITY[height - 1] * strength
    slopes = _slopes(curve)
    fills = []
    for number in range(1, BANDS + 1):
        width = RIM_WIDTHS[height - 1] * (number / BANDS) ** BAND_GROWTH
        strips = []
        for knots, facing in slopes:
            colour = DARK
            if facing > 0:
                colour = LIGHT
            share = MIN_BAND_SHARE + (1 - MIN_BAND_SHARE) * abs(facing)
            ink = faint(colour, opacity * share / BANDS * BANDS_TOGETHER)
            strips.append((_strip(knots, 0, -width), ink))
        fills += fills_together(strips)
    return fills


class _Slope(NamedTuple):
    """A part of a curve that faces the light in the same way from its first knot to its last."""

    knots: tuple[Knot, ...]
    facing: float
    """How much it faces the light (``Knot.facing``)."""


def _slopes(curve: SideCurve) -> list[_Slope]:
    """Return the slopes of a curve; where two of them meet, both have the knot."""
    facings = [_facing_between(knot, next_knot) for knot, next_knot in pairwise(curve.knots)]
    slopes = []
    first = 0
    for index, facing in enumerate(facings, 1):
        if index == len(facings) or facings[index] != facing:
            slopes.append(_Slope(curve.knots[first : index + 1], facing))
            first = index
    return slopes


def _sliver(layout: Layout, side: int, curve: SideCurve, strength: float) -> list[Fill]:
    """Return what darkens the cell outside its curve, at rounded corners, as the lower land.

    Each piece of the curve and its foot, the nearest piece of the straight side, make a
    quadrangle; where the curve runs along the side or outside of it there is nothing to darken.
    """
    (ax, ay), (bx, by) = side_ends(layout, side)
    length = math.hypot(bx - ax, by - ay)
    # The direction of the side.
    along_x = (bx - ax) / length
    along_y = (by - ay) / length

    feet = []
    distances = []
    for knot in curve.knots:
        # The knot projected on the side, and how far it lies inside of that.
        along = min(max((knot.x - ax) * along_x + (knot.y - ay) * along_y, 0.0), length)
        foot = QPointF(ax + along_x * along, ay + along_y * along)
        feet.append(foot)
        distances.append((foot.x() - knot.x) * along_y - (foot.y() - knot.y) * along_x)
    # At its ends the curve is rounded, and the whole corner lies outside of it.
    feet[0] = QPointF(ax, ay)
    feet[-1] = QPointF(bx, by)

    quads = []
    for index in range(KNOTS - 1):
        if max(distances[index], distances[index + 1]) < MIN_SLIVER:
            continue
        knot = curve.knots[index]
        next_knot = curve.knots[index + 1]
        # The darkest slivers lie on the slopes that are turned from the light.
        facing = _facing_between(knot, next_knot)
        opacity = SLIVER_OPACITY + SLIVER_OPACITY_IN_SHADE * max(0.0, -facing)
        ink = faint(SLIVER, opacity * strength)
        corners = (knot.offset(0), next_knot.offset(0), feet[index + 1], feet[index])
        quads.append((QPolygonF(corners), ink))
    return fills_together(quads)


def _line(curve: SideCurve, strength: float) -> list[Fill]:
    """Return the thin line along a curve: light where it faces the sun, else dark."""
    dark = []
    light = []
    for knot, next_knot in pairwise(curve.knots):
        facing = _facing_between(knot, next_knot)
        middle_strip = _strip((knot, next_knot), -LINE_WIDTH / 2, LINE_WIDTH / 2)
        if facing > 0:  # a dark hair outside of the light one: else it would be lost on snow
            hair = _strip((knot, next_knot), LINE_WIDTH * HAIR[0], LINE_WIDTH * HAIR[1])
            dark.append((hair, faint(DARK, HAIR_OPACITY * strength)))
            along_light, towards_light = LIGHT_LINE_OPACITY
            opacity = along_light + towards_light * facing
            light.append((middle_strip, faint(LIGHT, opacity * strength)))
        else:
            along_light, away_from_light = DARK_LINE_OPACITY
            opacity = along_light - away_from_light * facing
            dark.append((middle_strip, faint(DARK, opacity * strength)))
    return fills_together(dark) + fills_together(light)


def _facing_between(knot: Knot, next_knot: Knot) -> float:
    """Return how much the slope between two knots faces the light (``Knot.facing``)."""
    return (knot.facing + next_knot.facing) / 2


def _strip(knots: Sequence[Knot], inner: float, outer: float) -> QPolygonF:
    """Return what lies along successive knots, from ``inner`` to ``outer`` outside of the curve."""
    inner_line = [knot.offset(inner) for knot in knots]
    outer_line = [knot.offset(outer) for knot in knots]
    return QPolygonF([*inner_line, *reversed(outer_line)])
