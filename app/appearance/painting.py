"""Painters that end however the painting ends, and states of painters that are restored; fills.

Qt ends the process, or draws nothing any more, where a painter is active on a widget after its
``paintEvent``. So a painter is made only by ``painting``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPaintDevice, QPainter, QPainterPath, QPolygonF


@contextmanager
def painting(device: QPaintDevice) -> Iterator[QPainter]:
    """Yield a painter on ``device`` that is ended at the end."""
    painter = QPainter(device)
    try:
        yield painter
    finally:
        painter.end()


@contextmanager
def saved_state(painter: QPainter) -> Iterator[None]:
    """Restore the painter's state at the end, also if a generator is closed in between."""
    painter.save()
    try:
        yield
    finally:
        painter.restore()


def fill_together(painter: QPainter, parts: Iterable[tuple[QPolygonF, QColor]]) -> None:
    """Fill polygons that do not overlap, each in its colour.

    Those of one colour are filled as one path, so that a file of them holds few shapes.
    """
    paths: dict[int, QPainterPath] = {}
    for polygon, colour in parts:
        path = paths.get(colour.rgba())
        if path is None:
            path = QPainterPath()
            path.setFillRule(Qt.FillRule.WindingFill)
            paths[colour.rgba()] = path
        path.addPolygon(polygon)
        path.closeSubpath()
    for rgba, path in paths.items():
        painter.fillPath(path, QColor.fromRgba(rgba))


def faint(colour: QColor, opacity: float) -> QColor:
    """Return a colour with an opacity from 0 to 1."""
    result = QColor(colour)
    result.setAlphaF(opacity)
    return result


def mixed(colour: QColor, other_colour: QColor, share: float) -> QColor:
    """Return a colour with the ``share`` of another one, opaque."""
    red = colour.redF() + (other_colour.redF() - colour.redF()) * share
    green = colour.greenF() + (other_colour.greenF() - colour.greenF()) * share
    blue = colour.blueF() + (other_colour.blueF() - colour.blueF()) * share
    return QColor.fromRgbF(red, green, blue)
