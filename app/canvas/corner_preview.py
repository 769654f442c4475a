"""Draws the preview of a brush for corners: its edge, and a dot at each corner it would change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.canvas.map_widget import MapWidget
from app.render.viewport import Viewport
from randomizer.geometry.shapes import Cells
from randomizer.model.planes.corners import corner_points

if TYPE_CHECKING:
    from app.tools import Preview

DOTS_FROM = 9.0
"""From this scale on each corner has a dot; below, the edge of the brush is all there is."""

DOT = 0.11
"""The diameter of a dot in map units."""


def circle_box(viewport: Viewport, x: float, y: float, radius: float) -> QRectF:
    """Return the box in logical pixels that holds the preview of a round brush (map units)."""
    reach = radius * viewport.scale + 5
    at = viewport.to_screen(x, y)
    return QRectF(at.x() - reach, at.y() - reach, 2 * reach, 2 * reach)


def paint_corners(painter: QPainter, widget: MapWidget, dirty: QRectF, preview: Preview) -> None:
    """Draw the part in ``dirty`` (logical pixels): circles, changed and left out corners."""
    viewport = widget.viewport
    theme = widget.renderer.theme
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for circle in preview.circles:
        box = circle_box(viewport, *circle)
        if box.intersects(dirty):
            for pen in (QPen(theme.label_halo, 4.0), QPen(theme.cursor, 2.0)):
                painter.setPen(pen)
                painter.drawEllipse(box.adjusted(5, 5, -5, -5))
    if viewport.scale >= DOTS_FROM:
        _paint_dots(painter, widget, dirty, preview.corners, theme.cursor)
        _paint_dots(painter, widget, dirty, preview.left_out_corners, theme.problem_ring)


def _paint_dots(
    painter: QPainter, widget: MapWidget, dirty: QRectF, corners: Cells, colour: QColor
) -> None:
    viewport = widget.viewport
    theme = widget.renderer.theme
    at = corner_points(widget.document.battlemap.grid, corners)
    at = at * viewport.scale + (viewport.dx, viewport.dy)
    wide = max(3.0, DOT * viewport.scale)
    x, y = at.T
    seen = (x > dirty.left() - wide) & (x < dirty.right() + wide)
    seen &= (y > dirty.top() - wide) & (y < dirty.bottom() + wide)
    points = QPolygonF([QPointF(*point) for point in at[seen].tolist()])
    for ink, width in ((theme.label_halo, wide + 2), (colour, wide)):
        painter.setPen(QPen(ink, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPoints(points)
