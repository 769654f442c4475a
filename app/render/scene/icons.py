"""Icons, drawings of a fixed size on screens such as a padlock; the ground that things cover."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple, Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from randomizer.model.basics.caches import registered
from randomizer.model.things.thing_kind import Footprint, ThingKind

SIGN_SIZE = 0.26
"""The size of the picture of a sign, in map units."""

SIGN_RADIUS = 0.16
"""The radius of the disc of a sign, in map units."""

BADGE_RADIUS = 0.125
"""The radius of a badge in map units."""

LEAST_SIGN = 8
"""The least size of signs on a screen, in logical pixels."""

LEAST_BADGE = 12
"""The least size of badges on a screen, in logical pixels."""


def font(pixels: float, *, bold: bool = False, italic: bool = False) -> QFont:
    """Return the application's font, ``pixels`` (logical) high, at least 7 to be readable."""
    result = QFont()
    result.setPixelSize(max(7, round(pixels)))
    result.setBold(bold)
    result.setItalic(italic)
    return result


@registered(bytes_each=300)
@lru_cache(512)
def text_width(text: str, pixels: float, *, bold: bool = False) -> float:
    """Return the width of a text in type of this size; both in logical pixels."""
    return QFontMetricsF(font(pixels, bold=bold)).horizontalAdvance(text)


class Icon(Protocol):
    """A drawing around (0, 0); equal icons look the same.

    Sizes are logical pixels: what is too small to be seen may be left out. Painters of other units
    draw an icon in a size that shows everything, and scale it.
    """

    def draw(self, painter: QPainter, size: float) -> None:
        """Draw the icon in a square of ``size``; some reach out of it."""


class Sign(NamedTuple):
    """The picture ``name`` of the desk's icons on a disc; colours are 0xAARRGGBB."""

    name: str
    colour: int
    disc: int

    def draw(self, painter: QPainter, size: float) -> None:
        """Draw the disc, and the picture in the square."""
        from PySide6.QtSvg import QSvgRenderer

        from app.appearance.icons import icon_svg  # the first frame seldom needs it

        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor.fromRgba(self.disc))
        radius = size * SIGN_RADIUS / SIGN_SIZE
        painter.drawEllipse(QPointF(), radius, radius)
        picture = QSvgRenderer(icon_svg(self.name, QColor.fromRgba(self.colour)))
        picture.render(painter, QRectF(-size / 2, -size / 2, size, size))


class Badge(NamedTuple):
    """A number on a disc; colours are 0xAARRGGBB."""

    number: int
    ink: int
    disc: int

    def draw(self, painter: QPainter, size: float) -> None:
        """Draw the disc as wide as the square, and the number."""
        radius = size / 2
        painter.setPen(QPen(QColor.fromRgba(self.ink), max(1.0, radius * 0.12)))
        painter.setBrush(QColor.fromRgba(self.disc))
        painter.drawEllipse(QPointF(), radius, radius)
        painter.setFont(font(radius * 1.35, bold=True))
        box = QRectF(-size, -size, 2 * size, 2 * size)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(self.number))


FILL = 120
"""The opacity of covered ground, of 255: what lies below is seen."""

EDGE = QColor(20, 20, 20, 230)
RIM = QColor(255, 255, 255, 150)

LEAST = 2.0
"""Covered ground is drawn at least so wide, in logical pixels."""

RIM_FROM = 8.0
"""Covered ground wider than this, in logical pixels, has a light rim around its dark edge."""


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
        has_rim = min(box.width(), box.height()) > RIM_FROM * pixel
        colour = QColor(self.colour)
        colour.setAlpha(FILL)
        if has_rim:
            painter.setPen(QPen(RIM, 3 * line))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            self._draw_shape(painter, box)
        painter.setPen(QPen(EDGE, line))
        painter.setBrush(colour)
        self._draw_shape(painter, box)

    def _draw_shape(self, painter: QPainter, box: QRectF) -> None:
        """Draw the ellipse or rectangle of the footprint with the pen and brush of a painter."""
        if self.footprint.round:
            painter.drawEllipse(box)
        else:
            painter.drawRect(box)


def box_of(footprint: Footprint, least_side: float = 0.0) -> QRectF:
    """Return the box of a footprint that is not turned, around (0, 0), at least so wide."""
    width = max(footprint.width, least_side)
    depth = max(footprint.depth, least_side)
    return QRectF(-width / 2, -depth / 2, width, depth)


def reach_of(kinds: tuple[ThingKind, ...]) -> float:
    """Return how far from its point a thing of these kinds covers the ground, in map units."""
    sizes = [kind.footprint for kind in kinds if kind.footprint is not None]
    return max((math.hypot(*size[:2]) / 2 for size in sizes), default=0.0)
