"""Context managers for QPainter, which end it or restore its state, and helpers for colours.

Qt ends the process, or draws nothing any more, where a painter is active on a widget after its
``paintEvent``. So a painter is made only by ``painting``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPaintDevice, QPainter, QPainterPath, QPolygonF


class painting:  # noqa: N801 - it reads as a verb: ``with painting(device) as painter``
    """A context with a painter on ``device`` that is ended at the end.

    Contexts of the painting are classes: a frame enters fifty, and each ``contextmanager`` takes
    three times as long.
    """

    def __init__(self, device: QPaintDevice) -> None:
        self._device = device  # a QPainter does not keep it alive
        self._painter = QPainter()  # active only within the ``with``

    def __enter__(self) -> QPainter:
        self._painter.begin(self._device)
        return self._painter

    def __exit__(self, *_fault: object) -> None:
        self._painter.end()


class saved_state:  # noqa: N801 - as ``painting``
    """A context that restores the painter's state at the end, also after an exception."""

    def __init__(self, painter: QPainter) -> None:
        self._painter = painter

    def __enter__(self) -> None:
        self._painter.save()

    def __exit__(self, *_fault: object) -> None:
        self._painter.restore()


class Fill(NamedTuple):
    """A path that is filled with a colour."""

    path: QPainterPath
    colour: QColor


def fills_together(parts: Iterable[tuple[QPolygonF, QColor]]) -> list[Fill]:
    """Return how to fill polygons that do not overlap, each in its colour.

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
    return [Fill(path, QColor.fromRgba(rgba)) for rgba, path in paths.items()]


def fill_together(painter: QPainter, parts: Iterable[tuple[QPolygonF, QColor]]) -> None:
    """Fill polygons that do not overlap, each in its colour, as ``fills_together`` says."""
    for path, colour in fills_together(parts):
        painter.fillPath(path, colour)


def faint(colour: QColor, opacity: float) -> QColor:
    """Return a colour with an opacity from 0 to 1."""
    result = QColor(colour)
    result.setAlphaF(opacity)
    return result


def mixed(colour: QColor, other_colour: QColor, share: float) -> QColor:
    """Return an opaque colour between two: ``colour`` for a ``share`` of 0, the other one for 1."""
    red = colour.redF() + (other_colour.redF() - colour.redF()) * share
    green = colour.greenF() + (other_colour.greenF() - colour.greenF()) * share
    blue = colour.blueF() + (other_colour.blueF() - colour.blueF()) * share
    return QColor.fromRgbF(red, green, blue)
