"""Draws the ends of a map: the seam of one that wraps, the edge of a round one.

Both are drawn over a finished picture. Where cells have sprites their sides at the edge and the
seam are drawn by ``edges.map_edges``.
"""

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
    outer_radius, inner_radius = (radius * viewport.scale for radius in radii)
    pixel = 1 / painter.deviceTransform().m11()

    # The usual case while a map is edited: all of the area lies within the circles.
    across = max(middle.x() - area.left(), area.right() - middle.x())
    down = max(middle.y() - area.top(), area.bottom() - middle.y())
    if hypot(across, down) < inner_radius - 2 * pixel:
        return

    # Only what lies in the map is dimmed: a legend may lie beside it.
    first = viewport.to_screen(left, top)
    last = viewport.to_screen(right, bottom)
    in_map = QPainterPath()
    in_map.addRect(area.intersected(QRectF(first, last)))
    circle = QPainterPath()
    circle.addEllipse(middle, outer_radius, outer_radius)
    dim = QColor(theme.background)
    dim.setAlpha(DIMMED)
    with saved_state(painter):
        painter.fillPath(in_map.subtracted(circle), dim)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        circles = [(outer_radius, Qt.PenStyle.SolidLine)]
        if outer_radius - inner_radius >= LEAST_APART * pixel:
            circles.append((inner_radius, Qt.PenStyle.DashLine))
        for radius, style in circles:
            pen = QPen(theme.board_outline, 1.0, style)
            pen.setCosmetic(True)
            painter.setPen(pen)
            painter.drawEllipse(middle, radius, radius)


def paint_seam(
    painter: QPainter, grid: Grid, viewport: Viewport, ratio: float, colour: QColor
) -> None:
    """Draw a line along both sides of the seam; the painter's unit is a device pixel.

    ``ratio`` is the number of device pixels in a logical one. Lines are two logical pixels wide.
    """
    half_width = QPointF(ratio, 0)
    with saved_state(painter):
        # Polygons, as a slanting line with a pen depends on the painter's clip.
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for first_point, last_point in _seam_lines(grid):
            first = viewport.to_screen(*first_point) * ratio
            last = viewport.to_screen(*last_point) * ratio
            corners = (first - half_width, first + half_width, last + half_width, last - half_width)
            painter.drawPolygon(QPolygonF(corners))


Line = tuple[tuple[float, float], tuple[float, float]]
"""Two points of a map, (x, y) each, in map units."""


def _seam_lines(grid: Grid) -> list[Line]:
    """Return the lines along the left and the right end of a grid, from the first row to the last.

    They are upright, but on oblique grids that are shown as in their file they lean.
    """
    last_row = grid.height - 1
    if grid.upright or grid.layout.shear != "oblique":
        left, _top, right, _bottom = grid.bounds
        _x, first_y = grid.centre(0)
        _x, last_y = grid.centre(last_row * grid.width)
        return [((x, first_y), (x, last_y)) for x in (left, right)]
    half_cell = max(x for x, _y in grid.layout.corners)
    lines: list[Line] = []
    for column, to_end in ((0, -half_cell), (grid.width - 1, half_cell)):
        first_x, first_y = grid.centre(column)
        last_x, last_y = grid.centre(last_row * grid.width + column)
        lines.append(((first_x + to_end, first_y), (last_x + to_end, last_y)))
    return lines
