"""The icons of a thing besides its look: the number that it carries, and the leaves of a tree.

An icon (``icons.Icon``) is drawn around the point of the thing; whoever draws it restores the state
of the painter. ``things`` makes them.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QRadialGradient

from app.render.scene.things.looks import (
    BLACK,
    EDGE,
    LETTERED_ICON_FROM,
    WHITE,
    box_around,
    draw_letters,
)

BADGE_SHARE = 0.2
"""The radius of a badge, in widths of its thing."""

MIN_BADGE_RADIUS = 5.0
"""The least radius of a badge, in logical pixels: in a smaller one the number cannot be read."""

DIGIT_SHARE = 1.5
"""The type size of a number of one digit, in radii of its badge."""

TWO_DIGITS_SHARE = 1.1
"""The type size of a number of two digits, in radii of its badge."""

BADGE_INSET = 0.8
"""How far the middle of a badge lies within the corner of its thing, in radii of the badge."""

MAX_CARRIED = 99
"""The largest number on a badge: three digits would not fit."""

BADGE_LINES = 40
"""The line around a badge is a so manyth of the thing's width, at least ``MIN_BADGE_LINE``."""

MIN_BADGE_LINE = 0.8
"""The least width of this line, in logical pixels."""

CANOPY_COLOUR = "#1d3a17"
"""The colour of the leaves of trees."""

CANOPY_FADING = ((0.0, 1.0), (0.5, 0.7), (1.0, 0.0))
"""The share of its opacity that a canopy has at shares of the way from its middle to its edge."""


class LoadBadge(NamedTuple):
    """A badge at the upper right of a carrier."""

    number: int
    """The number of things that it carries."""

    def draw(self, painter: QPainter, size: float) -> None:
        """Draw the badge of a thing of this width, if it can be read."""
        if size < LETTERED_ICON_FROM:
            return
        radius = max(MIN_BADGE_RADIUS, size * BADGE_SHARE)
        type_size = radius * DIGIT_SHARE
        if self.number >= 10:
            type_size = radius * TWO_DIGITS_SHARE
        # In the upper right corner of the thing's square, and a little out of it.
        corner = size / 2 - radius * BADGE_INSET
        painter.translate(corner, -corner)
        painter.setPen(QPen(EDGE, max(MIN_BADGE_LINE, size / BADGE_LINES)))
        painter.setBrush(WHITE)
        painter.drawEllipse(QPointF(), radius, radius)
        text = str(min(self.number, MAX_CARRIED))
        draw_letters(painter, text, box_around(QPointF(), size), type_size, BLACK)


class Canopy(NamedTuple):
    """The leaves of a tree from above: from afar a wood is one dark green."""

    percent: int
    """The opacity in the middle, in percent: a whole number, so that few canopies differ."""

    def draw(self, painter: QPainter, size: float) -> None:
        """Draw a disc of this width that fades out towards its edge."""
        gradient = QRadialGradient(QPointF(), size / 2)
        for position, share in CANOPY_FADING:
            colour = QColor(CANOPY_COLOUR)
            colour.setAlphaF(self.percent / 100 * share)
            gradient.setColorAt(position, colour)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(gradient)
        painter.drawEllipse(QPointF(), size / 2, size / 2)
