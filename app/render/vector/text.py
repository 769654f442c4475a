"""Text that stays text in an SVG or PDF."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPaintEngine, QPainter, QPainterPath, QPen

HALO = 0.2
"""How wide the stroke of a halo is, as a part of the size of the text."""

TYPE_SIZE = 32
"""Text is set in this pixel size and scaled, so that it has the same shape at every size."""


def draw_text(
    painter: QPainter,
    text: str,
    size: float,
    ink: QColor,
    halo: QColor | None = None,
    *,
    bold: bool = False,
    italic: bool = False,
) -> None:
    """Draw a text centred on (0, 0), ``size`` of the painter's units high; it stays scaled.

    In an SVG a halo is the same text in its colour, below; app.paper.svg strokes it. Outlines of
    the letters would make files seven times as large.
    """
    font = QFont()
    font.setPixelSize(TYPE_SIZE)
    font.setBold(bold)
    font.setItalic(italic)
    metrics = QFontMetricsF(font)
    left = -metrics.horizontalAdvance(text) / 2
    baseline = (metrics.ascent() - metrics.descent()) / 2
    painter.scale(size / TYPE_SIZE, size / TYPE_SIZE)
    engine = painter.paintEngine().type()
    painter.setFont(font)
    if halo is not None and engine == QPaintEngine.Type.SVG:
        painter.setPen(halo)
        painter.drawText(QPointF(left, baseline), text)
    elif halo is not None:
        path = QPainterPath()
        path.addText(left, baseline, font, text)
        if engine == QPaintEngine.Type.Pdf:
            # Opaque: else Qt computes the outline of the stroke, and pages are four times as large.
            halo = QColor(halo.rgb())
        pen = QPen(halo, TYPE_SIZE * HALO)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(path, pen)
    painter.setPen(ink)
    painter.drawText(QPointF(left, baseline), text)
