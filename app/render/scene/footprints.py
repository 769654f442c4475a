"""The ground that things cover (``ThingKind.footprint``), in the colours of their owners."""

from __future__ import annotations

import math
from typing import NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from randomizer.model.things.thing_kind import Footprint, ThingKind

FILL = 120
"""The opacity of covered ground, of 255: what lies below is seen."""

EDGE, RIM = QColor(20, 20, 20, 230), QColor(255, 255, 255, 150)

LEAST = 2.0
"""Covered ground is drawn at least so wide, in logical pixels."""


class Covered(NamedTuple):
    """A footprint in a colour."""

    footprint: Footprint
    colour: str

    def draw(self, painter: QPainter, pixel: float) -> None:
        """Draw it around (0, 0) with a painter whose unit is the map unit.

        ``pixel`` is the width of a logical pixel, in map units.
        """
        box = box_of(self.footprint, LEAST * pixel)
        line = min(1.2 * pixel, 0.2)
        wide = min(box.width(), box.height()) > 8 * pixel
        colour = QColor(self.colour)
        colour.setAlpha(FILL)
        for pen, brush in (
            (QPen(RIM, 3 * line) if wide else Qt.PenStyle.NoPen, Qt.BrushStyle.NoBrush),
            (QPen(EDGE, line), colour),
        ):
            painter.setPen(pen)
            painter.setBrush(brush)
            if self.footprint.round:
                painter.drawEllipse(box)
            else:
                painter.drawRect(box)


def box_of(footprint: Footprint, least: float = 0.0) -> QRectF:
    """Return the box of a footprint that is not turned, around (0, 0), at least so wide."""
    width, depth = max(footprint.width, least), max(footprint.depth, least)
    return QRectF(-width / 2, -depth / 2, width, depth)


def reach_of(kinds: tuple[ThingKind, ...]) -> float:
    """Return how far from its point a thing of these kinds covers the ground, in map units."""
    sizes = [kind.footprint for kind in kinds if kind.footprint is not None]
    return max((math.hypot(*each[:2]) / 2 for each in sizes), default=0.0)
