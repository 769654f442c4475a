"""Draws where a map ends: the seam of one that wraps, the edge of a round one."""

from __future__ import annotations

from math import hypot

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from app.appearance.painting import saved_state
from app.render.theme import Theme
from app.render.viewport import Viewport
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap

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
    outside = QPainterPath()
    circle = QPainterPath()
    first = viewport.to_screen(left, top)
    last = viewport.to_screen(right, bottom)
    outside.addRect(area.intersected(QRectF(first, last)))  # a legend may lie beside the map
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


def paint_seam(
    painter: QPainter, grid: Grid, viewport: Viewport, ratio: float, colour: QColor
) -> None:
    """Draw a line along both sides of the seam; the painter's unit is a device pixel."""
    half = max(x for x, _ in grid.layout.corners)
    (left, _, right, _) = grid.bounds
    rows = (0, grid.height - 1)
    if grid.upright or grid.layout.shear != "oblique":
        ends = [[(x, grid.centre(row * grid.width)[1]) for row in rows] for x in (left, right)]
    else:
        ends = []
        for column, side in ((0, -half), (grid.width - 1, half)):
            centres = [grid.centre(row * grid.width + column) for row in rows]
            ends.append([(x + side, y) for x, y in centres])
    with saved_state(painter):
        # A slanting line with a pen depends on the painter's clip.
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for line in ends:
            first, last = (viewport.to_screen(x, y) * ratio for x, y in line)
            wide = QPointF(ratio, 0)
            painter.drawPolygon(QPolygonF([first - wide, first + wide, last + wide, last - wide]))
