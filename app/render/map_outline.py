"""Draws where a map ends, over its finished picture: the edge of a round map, and the seam.

A map of a world that goes round is cut open along the *seam*: what is beyond its right end is seen
at its left end. ``paint_seam`` draws it on pictures in which cells have one colour each; where
cells have sprites the seam follows their sides (``edges.map_edges``). ``paint_round_edge`` draws
the edge of maps that are disks, as in 0 A.D., whose grid is a square all the same.
"""

from __future__ import annotations

from math import hypot
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from app.appearance.painting import saved_state
from app.render.theme import Theme
from app.render.viewport import Viewport
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Shear
from randomizer.model.map.battlemap import BattleMap

DIMMED = 130
"""The opacity (0 .. 255) of the background's colour over the cells outside of a round map."""

MIN_APART = 6.0
"""The inner circle is drawn if it is at least so far from the outer one, in device pixels.

Nearer ones would run together.
"""

CIRCLE_WIDTH = 1.0
"""The width of the circles, in device pixels."""

LINE_REACH = 2
"""Half the width of a drawn circle, rounded up, in device pixels."""

SEAM_HALF_WIDTH = 1
"""Half the width of the line along the seam, in logical pixels."""


class _SeamLine(NamedTuple):
    """A line along one side of the seam; its ends are (x, y), in map units."""

    first: tuple[float, float]
    """Its end in the first row of cells."""

    last: tuple[float, float]
    """Its end in the last row."""


def paint_round_edge(
    painter: QPainter, battlemap: BattleMap, viewport: Viewport, area: QRectF, theme: Theme
) -> None:
    """Draw the edge of a round map in ``area``; nothing for maps that are not round.

    Two circles are drawn: the map ends at the outer one, units keep inside the dashed inner one.
    Cells outside of the map are dimmed. ``area`` is in the painter's unit, which is the logical
    pixel of ``viewport``.
    """
    edge = battlemap.system.round_edge(battlemap)
    if edge is None:
        return
    left, top, right, bottom = battlemap.grid.bounds
    middle = viewport.to_screen((left + right) / 2, (top + bottom) / 2)
    outer_radius = edge.map_radius * viewport.scale
    inner_radius = edge.unit_radius * viewport.scale
    # In the painter's unit. The painter is scaled alike in both directions, and not turned.
    device_pixel = 1 / painter.deviceTransform().m11()

    # The usual case while a map is edited: all of the area lies within the circles, even its
    # farthest corner.
    across = max(middle.x() - area.left(), area.right() - middle.x())
    down = max(middle.y() - area.top(), area.bottom() - middle.y())
    if hypot(across, down) < inner_radius - LINE_REACH * device_pixel:
        return

    with saved_state(painter):
        # Only cells are dimmed, not what lies beside the map, such as a legend.
        map_box = QRectF(viewport.to_screen(left, top), viewport.to_screen(right, bottom))
        outside = QPainterPath()
        outside.addRect(area.intersected(map_box))
        disk = QPainterPath()
        disk.addEllipse(middle, outer_radius, outer_radius)
        veil = QColor(theme.background)
        veil.setAlpha(DIMMED)
        painter.fillPath(outside.subtracted(disk), veil)

        painter.setBrush(Qt.BrushStyle.NoBrush)
        circles = [(outer_radius, Qt.PenStyle.SolidLine)]
        if outer_radius - inner_radius >= MIN_APART * device_pixel:
            circles.append((inner_radius, Qt.PenStyle.DashLine))
        for radius, style in circles:
            pen = QPen(theme.board_outline, CIRCLE_WIDTH, style)
            pen.setCosmetic(True)  # a pixel wide, however the painter is scaled
            painter.setPen(pen)
            painter.drawEllipse(middle, radius, radius)


def paint_seam(
    painter: QPainter, grid: Grid, viewport: Viewport, ratio: float, colour: QColor
) -> None:
    """Draw a line along both sides of the seam: at the left and at the right end of the map.

    Unlike for ``paint_round_edge``, the painter's unit is the device pixel, of which a logical
    pixel has ``ratio``; the viewport counts logical ones.
    """
    half_width = QPointF(SEAM_HALF_WIDTH * ratio, 0)
    with saved_state(painter):
        # Polygons: how Qt draws a slanting line with a pen depends on the painter's clip, so that
        # parts of a line that are drawn one after another would not fit together.
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for line in _seam_lines(grid):
            first = viewport.to_screen(*line.first) * ratio
            last = viewport.to_screen(*line.last) * ratio
            corners = (first - half_width, first + half_width, last + half_width, last - half_width)
            painter.drawPolygon(QPolygonF(corners))


def _seam_lines(grid: Grid) -> list[_SeamLine]:
    """Return the lines along the left and the right end of a grid, from the first row to the last.

    They begin and end at the centres of these rows, not at their outer edges.

    The lines are upright, except on an oblique grid. There each row begins half a cell further to
    the right than the row above, so that the lines lean, unless the grid is shown ``upright``.
    """
    first_cell_of_last_row = (grid.height - 1) * grid.width
    if grid.upright or grid.layout.shear is not Shear.OBLIQUE:
        left, _top, right, _bottom = grid.bounds
        _x, first_y = grid.centre(0)
        _x, last_y = grid.centre(first_cell_of_last_row)
        return [
            _SeamLine((left, first_y), (left, last_y)),
            _SeamLine((right, first_y), (right, last_y)),
        ]

    half_cell = max(x for x, _y in grid.layout.corners)
    lines = []
    for column, from_centre in ((0, -half_cell), (grid.width - 1, half_cell)):
        first_x, first_y = grid.centre(column)
        last_x, last_y = grid.centre(first_cell_of_last_row + column)
        first = (first_x + from_centre, first_y)
        last = (last_x + from_centre, last_y)
        lines.append(_SeamLine(first, last))
    return lines
