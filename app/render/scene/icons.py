"""Icons on a map, such as padlocks and numbers, and the ground that things cover.

An *icon* keeps a readable size on a screen, whatever the scale of the map: ``Sign`` is a small
picture on a disc, ``Badge`` a number on a disc. *Covered* ground, such as the floor of a house, has
the true size of the thing. ``font`` and ``text_width`` are for all texts of the map.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple, Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from randomizer.model.basics.caches import registered
from randomizer.model.things.thing_kind import Footprint, ThingKind

SIGN_SIZE = 0.26
"""The width and height of the picture of a sign, in map units."""

SIGN_RADIUS = 0.16
"""The radius of the disc of a sign, in map units: the corners of the picture reach beyond it."""

BADGE_RADIUS = 0.125
"""The radius of a badge, in map units."""

BADGE_LINE = 0.12
"""The width of the line around a badge, as a share of its radius; at least a pixel."""

BADGE_TYPE_SIZE = 1.35
"""The type size of the number of a badge, as a share of its radius."""

MIN_SIGN_PX = 8
"""The least size of signs on a screen, in logical pixels."""

MIN_BADGE_PX = 12
"""The least size of badges on a screen, in logical pixels."""

MIN_TYPE_SIZE = 7
"""The least type size, in logical pixels: smaller letters could not be read."""


def font(pixels: float, *, bold: bool = False, italic: bool = False) -> QFont:
    """Return the application's font in a type size, in logical pixels.

    It is rounded to whole pixels, and at least ``MIN_TYPE_SIZE``.
    """
    result = QFont()
    result.setPixelSize(max(MIN_TYPE_SIZE, round(pixels)))
    result.setBold(bold)
    result.setItalic(italic)
    return result


@registered(bytes_each=300)
@lru_cache(512)
def text_width(text: str, pixels: float, *, bold: bool = False) -> float:
    """Return the width of a text in a type size; both are in logical pixels.

    The font of the application does not change while it runs.
    """
    return QFontMetricsF(font(pixels, bold=bold)).horizontalAdvance(text)


class Icon(Protocol):
    """A drawing that keeps its size on screens; icons that are equal look the same."""

    def draw(self, painter: QPainter, size: float) -> None:
        """Draw the icon in a square of ``size`` x ``size`` around (0, 0); some reach out of it.

        The painter's unit is the logical pixel, and what is too small to be seen may be left out.
        To draw an icon at another scale, scale the painter, and choose a size at which all is seen.
        """


class Sign(NamedTuple):
    """One of the icons of the desk on a disc."""

    name: str
    """The name of the icon (``app.appearance.icons``)."""

    colour: int
    """The colour of the icon, 0xAARRGGBB."""

    disc: int
    """The colour of the disc, 0xAARRGGBB."""

    def draw(self, painter: QPainter, size: float) -> None:
        """Draw the picture in the square, on a disc of a proportional size."""
        # Imported here, since the first frame of the program seldom has a sign.
        from PySide6.QtSvg import QSvgRenderer

        from app.appearance.icons import icon_svg

        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor.fromRgba(self.disc))
        radius = size * SIGN_RADIUS / SIGN_SIZE
        painter.drawEllipse(QPointF(), radius, radius)
        picture = QSvgRenderer(icon_svg(self.name, QColor.fromRgba(self.colour)))
        picture.render(painter, QRectF(-size / 2, -size / 2, size, size))


class Badge(NamedTuple):
    """A number on a disc."""

    number: int
    """The number on the disc."""

    ink: int
    """The colour of the number and of the line around the disc, 0xAARRGGBB."""

    disc: int
    """The colour of the disc, 0xAARRGGBB."""

    def draw(self, painter: QPainter, size: float) -> None:
        """Draw the disc as wide as the square, and the number in its middle."""
        radius = size / 2
        painter.setPen(QPen(QColor.fromRgba(self.ink), max(1.0, radius * BADGE_LINE)))
        painter.setBrush(QColor.fromRgba(self.disc))
        painter.drawEllipse(QPointF(), radius, radius)
        painter.setFont(font(radius * BADGE_TYPE_SIZE, bold=True))
        # Twice as wide as the square: a long number is not cut off.
        box = QRectF(-size, -size, 2 * size, 2 * size)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(self.number))


COVERED_ALPHA = 120
"""The opacity of the colour over covered ground, of 255: what lies below is seen."""

EDGE_COLOUR = QColor(20, 20, 20, 230)
"""The colour of the dark edge of covered ground."""

RIM_COLOUR = QColor(255, 255, 255, 150)
"""The colour of the light rim around that edge."""

EDGE_PIXELS = 1.2
"""The width of the dark edge of covered ground, in logical pixels."""

MAX_EDGE = 0.2
"""The greatest width of the edge, in map units: where cells are small it would hide the ground."""

RIM_WIDTH = 3
"""The width of the light rim below the edge, in widths of the edge: it is seen at both sides."""

RIM_FROM = 8.0
"""Covered ground wider than this, in logical pixels, has a light rim."""

MIN_COVERED = 2.0
"""Covered ground is drawn at least so wide, in logical pixels."""


class Covered(NamedTuple):
    """Ground that a thing covers: its footprint, an ellipse or a rectangle, in a colour."""

    footprint: Footprint
    """The form and size of the ground."""

    colour: str
    """The colour that is laid over it, as #rrggbb."""

    def draw(self, painter: QPainter, pixel: float) -> None:
        """Draw the footprint around (0, 0) with a painter whose unit is the map unit.

        ``pixel`` is the width of a logical pixel, in map units.
        """
        box = box_of(self.footprint, MIN_COVERED * pixel)
        edge_width = min(EDGE_PIXELS * pixel, MAX_EDGE)
        has_rim = min(box.width(), box.height()) > RIM_FROM * pixel
        colour = QColor(self.colour)
        colour.setAlpha(COVERED_ALPHA)
        if has_rim:
            painter.setPen(QPen(RIM_COLOUR, RIM_WIDTH * edge_width))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            self._draw_shape(painter, box)
        painter.setPen(QPen(EDGE_COLOUR, edge_width))
        painter.setBrush(colour)
        self._draw_shape(painter, box)

    def _draw_shape(self, painter: QPainter, box: QRectF) -> None:
        """Draw the shape of the footprint in ``box`` with the pen and brush of the painter."""
        if self.footprint.round:
            painter.drawEllipse(box)
        else:
            painter.drawRect(box)


def box_of(footprint: Footprint, min_side: float = 0.0) -> QRectF:
    """Return the box around (0, 0) of a footprint that is not turned, in map units.

    It is at least ``min_side`` wide and high.
    """
    width = max(footprint.width, min_side)
    depth = max(footprint.depth, min_side)
    return QRectF(-width / 2, -depth / 2, width, depth)


def reach_of(kinds: tuple[ThingKind, ...]) -> float:
    """Return how far from its point any thing of these kinds covers ground, in map units.

    That is half the diagonal of the largest footprint, since things can be turned.
    """
    reach = 0.0
    for kind in kinds:
        if kind.footprint is not None:
            diagonal = math.hypot(kind.footprint.width, kind.footprint.depth)
            reach = max(reach, diagonal / 2)
    return reach
