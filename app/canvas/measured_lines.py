"""Draws the straight lines of a preview, with dots at their ends and a caption at the last one.

The measuring tool has such lines (``Preview.lines``), and the distance as its ``caption``.
``PreviewOverlay`` calls two functions: ``line_boxes`` tells what to repaint, ``paint_lines`` draws.
Captions elsewhere on the map look alike: ``CanvasOverlays`` uses ``caption_size`` and
``paint_caption`` for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.canvas.map_widget import MapWidget
from app.render.scene.icons import font, text_width

if TYPE_CHECKING:
    from app.tools import Preview

LINE_WIDTH = 2.5
"""The width of the lines, in logical pixels; a wider one hides the terrain of small cells."""

HALO_WIDTH = 5.5
"""The width of the light or dark line below, by which the line is seen on every ground."""

DOT_RADIUS = 4.0
"""The radius of the dots at the ends of lines, in logical pixels."""

TYPE_SIZE = 14.0
"""The size of the caption's letters, in logical pixels."""

PADDING = 6.0
"""The room around the caption's letters, in logical pixels."""

LINE_HEIGHT = 1.3
"""The height of a line of text, in sizes of its letters."""

BORDER_WIDTH = 1.5
"""The width of the line around a caption, in logical pixels."""

CORNER_RADIUS = 4.0
"""The radius of the corners of a caption's box, in logical pixels."""

CAPTION_DISTANCE = 16.0
"""How far the caption lies from the end of the line, in logical pixels: beyond the mouse cursor."""

BOX_MARGIN = 2.0
"""How far boxes to be repainted reach beyond lines and captions, for smooth edges, in pixels."""

VIEW_MARGIN = 2.0
"""The least distance of the caption from the edge of the view, in logical pixels."""


def line_boxes(widget: MapWidget, preview: Preview) -> list[QRectF]:
    """Return boxes in logical pixels that hold all that ``paint_lines`` draws."""
    reach = max(DOT_RADIUS, HALO_WIDTH) + BOX_MARGIN
    boxes = []
    for start, end in preview.lines:
        ends = QRectF(widget.viewport.to_screen(*start), widget.viewport.to_screen(*end))
        boxes.append(ends.normalized().adjusted(-reach, -reach, reach, reach))
    if preview.caption:
        caption_box = _caption_box(widget, preview)
        boxes.append(caption_box.adjusted(-BOX_MARGIN, -BOX_MARGIN, BOX_MARGIN, BOX_MARGIN))
    return boxes


def paint_lines(painter: QPainter, widget: MapWidget, preview: Preview) -> None:
    """Draw the lines with a halo, then a dot at each end, then the caption."""
    theme = widget.renderer.theme
    viewport = widget.viewport
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    halo = QPen(theme.label_halo, HALO_WIDTH)
    line = QPen(theme.cursor, LINE_WIDTH)
    for pen in (halo, line):  # all halos below all lines: they may cross
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        for start, end in preview.lines:
            painter.drawLine(viewport.to_screen(*start), viewport.to_screen(*end))
    painter.setPen(QPen(theme.label_halo, (HALO_WIDTH - LINE_WIDTH) / 2))
    painter.setBrush(theme.cursor)
    for start, end in preview.lines:
        for point in (start, end):
            painter.drawEllipse(viewport.to_screen(*point), DOT_RADIUS, DOT_RADIUS)
    if preview.caption:
        paint_caption(painter, widget, _caption_box(widget, preview), preview.caption)


def paint_caption(painter: QPainter, widget: MapWidget, box: QRectF, text: str) -> None:
    """Draw a caption in a box (logical pixels) of the colour of halos, but opaque."""
    theme = widget.renderer.theme
    opaque_halo_colour = QColor(theme.label_halo.rgb())
    painter.setPen(QPen(theme.cursor, BORDER_WIDTH))
    painter.setBrush(opaque_halo_colour)
    painter.drawRoundedRect(box, CORNER_RADIUS, CORNER_RADIUS)
    painter.setPen(theme.label_text)
    painter.setFont(font(TYPE_SIZE, bold=True))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def caption_size(text: str) -> QSizeF:
    """Return the size of the box of a caption, in logical pixels."""
    width = text_width(text, TYPE_SIZE, bold=True) + 2 * PADDING
    return QSizeF(width, TYPE_SIZE * LINE_HEIGHT + 2 * PADDING)


def _caption_box(widget: MapWidget, preview: Preview) -> QRectF:
    """Return the box of the caption, in logical pixels: at the end of the last line, in the view.

    A preview with a caption has a line. The box lies above the line's end, or below where there is
    no room, so that it never covers it.
    """
    _start, last_point = preview.lines[-1]
    end = widget.viewport.to_screen(*last_point)
    size = caption_size(preview.caption)
    rightmost_left = widget.width() - size.width() - VIEW_MARGIN
    left = min(end.x() + CAPTION_DISTANCE, rightmost_left)
    left = max(left, VIEW_MARGIN)
    top = end.y() - CAPTION_DISTANCE - size.height()
    if top < VIEW_MARGIN:
        top = end.y() + CAPTION_DISTANCE
    return QRectF(QPointF(left, top), size)
