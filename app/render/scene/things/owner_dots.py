"""Dots in the colours of owners, for pictures in which the icons of things are too small.

A picture has a ``Dots`` for each colour, and draws all of them at once::

    dots = [Dots("#1f5fbf", QPolygonF([QPointF(10, 12)]))]
    paint_dots(painter, dots, theme.label_halo, width_px=6.0)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

DOT_EDGE_PX = 1.0
"""The width of the edge around dots, which sets them off from the ground."""


class Dots(NamedTuple):
    """The dots of all things of one colour."""

    colour: str
    """The colour of their owner, as #rrggbb."""

    points: QPolygonF
    """Their positions, in the logical pixels of the picture."""


def paint_dots(
    painter: QPainter, dots: Sequence[Dots], edge_colour: QColor, width_px: float
) -> None:
    """Draw dots that are ``width_px`` wide, all edges first: so near ones join to one spot."""
    pen = QPen(edge_colour, width_px + 2 * DOT_EDGE_PX)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    for dots_of_colour in dots:
        painter.drawPoints(dots_of_colour.points)
    for dots_of_colour in dots:
        pen.setColor(QColor(dots_of_colour.colour))
        pen.setWidthF(width_px)
        painter.setPen(pen)
        painter.drawPoints(dots_of_colour.points)
