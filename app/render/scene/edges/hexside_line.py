"""The line along which a hexside is drawn, and the shapes beside it.

A point of a shape is ``(along, out)``: the share of the way along the curve (0 to 1), and the
distance outside of it, in map units. Seen with the cell that owns the hexside below::

     out
      ^     outside, the lower land
      |
    0 +-------------------------+   the curve, a side of the cell that may bend
      |     inside, where out is negative: the higher land
     along 0                    along 1

At both ends of a side a shape is the same, so that those of neighbouring sides join. Where nothing
goes on, at an *open* end, it is tapered to a point.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPolygonF

from app.render.scene.edges.side_curves import SideCurve

TAPER = 0.16
"""The share of a side along which an open end is tapered."""

TIP = -0.03
"""The distance ``out`` of the tip of a tapered end: a little inside, where most of a drop lies."""

OUTWARDS = 0.115
"""How far hexsides reach outside of their curve, in map units: the boxes of pieces have room for
it."""

INWARDS = 0.21
"""How far hexsides reach inside of their curve, in map units."""

PIECES_PER_SIDE = 16
"""The straight pieces of a line along a side: with fewer, corners show where the curve bends."""

LIT_PIECES = 8
"""A strip along a side has so many parts, each of one tone."""

ALONGS = tuple(i / PIECES_PER_SIDE for i in range(PIECES_PER_SIDE + 1))
"""The shares of the way at which a line along a side has points."""


class HexsideLine(NamedTuple):
    """The line along which a hexside is drawn: one side of a cell."""

    curve: SideCurve
    """The smooth line near the side of the cell."""
    open_start: bool = False
    """True if no hexside goes on at its start: the shape is tapered there."""
    open_end: bool = False
    """True if no hexside goes on at its end: the shape is tapered there."""

    def at(self, along: float, out: float, tip: float = TIP) -> QPointF:
        """Return the point of the map at ``along`` and ``out``.

        Towards an open end all distances shrink to ``tip``, so that the shape ends in a point
        there: that is ``TIP`` for drops, and 0 for what lies on the edge itself.
        """
        width_share = 1.0
        if self.open_start:
            width_share = min(width_share, along / TAPER)
        if self.open_end:
            width_share = min(width_share, (1 - along) / TAPER)
        if width_share < 1:
            # By the sine the tip is round.
            width_share = math.sin(max(0.0, width_share) * math.pi / 2)
        return self.curve.point_at(along, tip + (out - tip) * width_share)

    def quad(
        self, start: float, end: float, inner: tuple[float, float], outer: tuple[float, float]
    ) -> QPolygonF:
        """Return the quadrangle from ``start`` to ``end`` along the curve.

        ``inner`` and ``outer`` are its two long sides: the distances ``out`` of both at the start
        and at the end.
        """
        return QPolygonF(
            [
                self.at(start, inner[0]),
                self.at(end, inner[1]),
                self.at(end, outer[1]),
                self.at(start, outer[0]),
            ]
        )

    def area_between(
        self, inner: Callable[[float], float], outer: Callable[[float], float]
    ) -> QPolygonF:
        """Return the area between two lines along the curve.

        Both are functions that return the distance ``out`` at a share ``along``.
        """
        points = [self.at(along, inner(along)) for along in ALONGS]
        points += [self.at(along, outer(along)) for along in reversed(ALONGS)]
        return QPolygonF(points)

    def strip(self, inner: float, outer: float) -> QPolygonF:
        """Return the area between two lines parallel to the curve, by their distances ``out``."""
        return self.area_between(lambda _: inner, lambda _: outer)

    def lit_pieces(
        self, inner: float, outer: float, count: int = LIT_PIECES
    ) -> Iterator[tuple[QPolygonF, float]]:
        """Yield the parts of a strip, ``count`` of them, each with its facing (``Knot.facing``).

        Each part gets one colour by its facing, so that a strip that bends is lit as it turns.
        """
        for start, end in pairwise(i / count for i in range(count + 1)):
            quad = self.quad(start, end, (inner, inner), (outer, outer))
            yield quad, self.curve.facing_at((start + end) / 2)

    def without_tapers(self) -> HexsideLine:
        """Return the line for a shape that ends straight where nothing goes on."""
        return HexsideLine(self.curve)

    def middle_strip(self, alongs: Sequence[float], half_width: float) -> QPolygonF:
        """Return a strip that reaches ``half_width`` to both sides of the curve.

        ``alongs`` are the shares of the way at which it has points. At open ends it is tapered
        towards the curve itself.
        """
        points = [self.at(along, -half_width, tip=0.0) for along in alongs]
        points += [self.at(along, half_width, tip=0.0) for along in reversed(alongs)]
        return QPolygonF(points)

    def points_along(self, out: Callable[[float], float]) -> list[QPointF]:
        """Return the points, at ``ALONGS``, of a line that is ``out(along)`` from the curve."""
        return [self.at(along, out(along)) for along in ALONGS]

    def points_at_distance(self, out: float) -> list[QPointF]:
        """Return the points, at ``ALONGS``, of a line parallel to the curve."""
        return self.points_along(lambda _along: out)
