"""Draws the preview of a brush for corners: its edge, and a dot at each corner it would change.

``PreviewOverlay`` calls it for tools that change heights at corners, as maps of 0 A.D. have them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.canvas.map_widget import MapWidget
from app.render.viewport import Viewport
from randomizer.geometry.areas import Cells
from randomizer.model.planes.corners import corner_points

if TYPE_CHECKING:
    from app.tools import Preview
    from app.tools.preview import Circle

DOTS_FROM = 9.0
"""The least scale at which corners have dots, in logical pixels a map unit.

At a smaller one only the edge of the brush is drawn.
"""

DOT_DIAMETER = 0.11
"""The diameter of a dot in map units."""

MIN_DOT_DIAMETER = 3.0
"""The least diameter of a dot in logical pixels."""

EDGE_WIDTH = 2.0
"""The width of the line along the edge of the brush, in logical pixels."""

EDGE_HALO_WIDTH = 4.0
"""The width of the halo below that line, in logical pixels."""

DOT_HALO = 2
"""How much wider the halo around a dot is, in logical pixels."""

BOX_MARGIN = 5
"""How far the box of a circle reaches beyond it, for its pens, in logical pixels."""


def circle_box(viewport: Viewport, circle: Circle) -> QRectF:
    """Return the box in logical pixels that holds the preview of a round brush, and its pens."""
    return _edge_box(viewport, circle).adjusted(-BOX_MARGIN, -BOX_MARGIN, BOX_MARGIN, BOX_MARGIN)


def _edge_box(viewport: Viewport, circle: Circle) -> QRectF:
    """Return the box of the edge of a round brush, in logical pixels."""
    radius = circle.radius * viewport.scale
    centre = viewport.to_screen(circle.x, circle.y)
    return QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)


def paint_corners(painter: QPainter, widget: MapWidget, dirty: QRectF, preview: Preview) -> None:
    """Draw the part of a preview in ``dirty`` (logical pixels): brushes, then dots at corners.

    Corners that would stay, since a locked layer sets them, have dots of another colour. Seen from
    afar (``DOTS_FROM``) there are no dots.
    """
    viewport = widget.viewport
    theme = widget.renderer.theme
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    edge_pens = (QPen(theme.label_halo, EDGE_HALO_WIDTH), QPen(theme.cursor, EDGE_WIDTH))
    for circle in preview.circles:
        if not circle_box(viewport, circle).intersects(dirty):
            continue
        for pen in edge_pens:
            painter.setPen(pen)
            painter.drawEllipse(_edge_box(viewport, circle))
    if viewport.scale >= DOTS_FROM:
        _paint_dots(painter, widget, dirty, preview.corners, theme.cursor)
        _paint_dots(painter, widget, dirty, preview.left_out_corners, theme.problem_ring)


def _paint_dots(
    painter: QPainter, widget: MapWidget, dirty: QRectF, corners: Cells, colour: QColor
) -> None:
    """Draw a dot with a halo at each of ``corners`` (flat indices) that is in ``dirty``."""
    viewport = widget.viewport
    diameter = max(MIN_DOT_DIAMETER, DOT_DIAMETER * viewport.scale)
    points = corner_points(widget.document.battlemap.grid, corners)
    x, y = (points * viewport.scale + (viewport.dx, viewport.dy)).T
    is_in_view = (x > dirty.left() - diameter) & (x < dirty.right() + diameter)
    is_in_view &= (y > dirty.top() - diameter) & (y < dirty.bottom() + diameter)
    centres = zip(x[is_in_view].tolist(), y[is_in_view].tolist(), strict=True)
    dots = QPolygonF([QPointF(*centre) for centre in centres])

    # Qt draws a point as wide as the pen, and round if the cap is. All halos are drawn first: they
    # would cover dots beside them.
    halo_colour = widget.renderer.theme.label_halo
    for dot_colour, width in ((halo_colour, diameter + DOT_HALO), (colour, diameter)):
        painter.setPen(QPen(dot_colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPoints(dots)
