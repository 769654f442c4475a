"""Draws where a round map ends: what lies beyond is dimmed."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainterPath, QPen

from app.appearance.painting import saved_state

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from app.render.theme import Theme
    from app.render.viewport import Viewport
    from randomizer.model.battlemap import BattleMap

DIMMED = 130
"""The opacity (0 .. 255) of the background's colour over what lies outside."""

LEAST_APART = 6.0
"""The inner circle is drawn if it is at least so far from the outer one, in device pixels."""


def paint_round_edge(
    painter: QPainter, battlemap: BattleMap, viewport: Viewport, area: QRectF, theme: Theme
) -> None:
    """Draw the edge of a map that has a round one in ``area`` (the painter's unit).

    The outer circle ends the map; units keep inside the dashed one.
    """
    radii = battlemap.system.round_edge(battlemap)
    if radii is None:
        return
    left, top, right, bottom = battlemap.grid.bounds
    middle = viewport.to_screen((left + right) / 2, (top + bottom) / 2)
    outer, inner = (radius * viewport.scale for radius in radii)
    pixel = 1 / painter.deviceTransform().m11()
    across = max(middle.x() - area.left(), area.right() - middle.x())
    down = max(middle.y() - area.top(), area.bottom() - middle.y())
    if hypot(across, down) < inner - 2 * pixel:  # the usual case while a map is edited
        return
    outside, circle = QPainterPath(), QPainterPath()
    outside.addRect(area)
    circle.addEllipse(middle, outer, outer)
    dim = QColor(theme.background)
    dim.setAlpha(DIMMED)
    with saved_state(painter):
        painter.fillPath(outside.subtracted(circle), dim)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        circles = [(outer, Qt.PenStyle.SolidLine)]
        if outer - inner >= LEAST_APART * pixel:
            circles.append((inner, Qt.PenStyle.DashLine))
        for radius, style in circles:
            pen = QPen(theme.board_outline, 1.0, style)
            pen.setCosmetic(True)
            painter.setPen(pen)
            painter.drawEllipse(middle, radius, radius)
