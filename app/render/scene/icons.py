"""Icons: drawings of a fixed size on screens, such as a padlock or the number of an elevation."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

SIGN_SIZE, SIGN_RADIUS = 0.26, 0.16
"""The size of the picture of a sign and the radius of its disc, in map units."""

BADGE_RADIUS = 0.125
"""The radius of a badge in map units."""

LEAST_SIGN, LEAST_BADGE = 8, 12
"""The least size of signs and badges on a screen, in logical pixels."""


def font(pixels: float, *, bold: bool = False, italic: bool = False) -> QFont:
    """Return the application's font, ``pixels`` (logical) high, at least 7 to be readable."""
    result = QFont()
    result.setPixelSize(max(7, round(pixels)))
    result.setBold(bold)
    result.setItalic(italic)
    return result


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
