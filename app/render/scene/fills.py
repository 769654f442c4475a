"""Fills polygons of equal colours together, so that files hold few shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainterPath

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QPainter, QPolygonF


def fill_together(painter: QPainter, parts: Iterable[tuple[QPolygonF, QColor]]) -> None:
    """Fill polygons that do not overlap, each in its colour."""
    paths: dict[int, QPainterPath] = {}
    for polygon, colour in parts:
        path = paths.get(colour.rgba())
        if path is None:
            path = paths[colour.rgba()] = QPainterPath()
            path.setFillRule(Qt.FillRule.WindingFill)
        path.addPolygon(polygon)
        path.closeSubpath()
    for rgba, path in paths.items():
        painter.fillPath(path, QColor.fromRgba(rgba))
