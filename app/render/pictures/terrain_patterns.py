"""Patterns of lines and dots that tell terrains apart, in place of pictures."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QColor, QPainter, QPen

DISTANCE = 0.25
"""The distance of neighbouring lines and dots, in map units."""

LINES_EACH_WAY = 8
"""There are so many lines, or columns of dots, on each side of the middle one.

So many are needed that slanting lines cover a cell and its edges.
"""

DOTS_EACH_WAY = 4
"""There are so many dots of a column on each side of the middle one."""

LINE_END = 1.1
"""How far lines reach from the centre of a cell, in map units."""

DIAGONAL_END = 1
"""How far a slanting line reaches to the left and right of its middle, and up and down."""

DOT_RADIUS = 0.02
"""The radius of a dot, in map units; the pen makes it larger."""

LINE_WIDTH = 0.05
"""The width of a line, in map units."""

DARK_BELOW = 110
"""Colours up to this lightness (of 255) are written on in white, lighter ones in black."""


class Pattern(StrEnum):
    """A pattern, by the text that ``Terrain.pattern`` has for it."""

    PLAIN = "plain"
    """Nothing but the colour."""
    LINES = "lines"
    """Horizontal lines."""
    COLUMNS = "columns"
    """Vertical lines."""
    RISING = "rising"
    """Lines that rise to the right."""
    FALLING = "falling"
    """Lines that fall to the right."""
    DOTS = "dots"
    """Columns of dots, every other one moved down by half a distance."""


PATTERNS = tuple(pattern.value for pattern in Pattern)
"""The texts of all patterns, in the order in which people choose among them."""


def draw_pattern(painter: QPainter, pattern: Pattern, ink: QColor) -> None:
    """Draw a pattern around (0, 0), over a cell and its edges, in map units.

    Dots are filled with the painter's brush, if it has one: they are hardly larger than the pen.
    """
    painter.setPen(QPen(ink, LINE_WIDTH))
    if pattern is Pattern.PLAIN:
        return
    for number in range(-LINES_EACH_WAY, LINES_EACH_WAY + 1):
        position = number * DISTANCE
        if pattern is Pattern.LINES:
            painter.drawLine(QLineF(-LINE_END, position, LINE_END, position))
        elif pattern is Pattern.COLUMNS:
            painter.drawLine(QLineF(position, -LINE_END, position, LINE_END))
        elif pattern is Pattern.RISING:
            left = position - DIAGONAL_END
            right = position + DIAGONAL_END
            painter.drawLine(QLineF(left, DIAGONAL_END, right, -DIAGONAL_END))
        elif pattern is Pattern.FALLING:
            left = position - DIAGONAL_END
            right = position + DIAGONAL_END
            painter.drawLine(QLineF(left, -DIAGONAL_END, right, DIAGONAL_END))
        else:
            _draw_column_of_dots(painter, number)


def _draw_column_of_dots(painter: QPainter, column: int) -> None:
    """Draw the dots of a column, counted from the middle; odd columns are moved down."""
    moved_down = 0.0
    if column % 2:
        moved_down = DISTANCE / 2
    for row in range(-DOTS_EACH_WAY, DOTS_EACH_WAY + 1):
        centre = QPointF(column * DISTANCE, row * DISTANCE + moved_down)
        painter.drawEllipse(centre, DOT_RADIUS, DOT_RADIUS)


def ink_on(colour: QColor, alpha: int) -> QColor:
    """Return black or white, whichever can be read on a colour, with an opacity of 0 to 255."""
    if colour.lightness() > DARK_BELOW:
        ink = QColor(0, 0, 0)
    else:
        ink = QColor(255, 255, 255)
    ink.setAlpha(alpha)
    return ink
