"""A picture of an empty map: the shape of its cells."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPalette, QPen, QPixmap, QPolygonF

from app.appearance.painting import painting
from app.render.viewport import fitting
from randomizer.model.grid.grid import Grid

MOST_SHOWN = 1500
"""A map of more cells is drawn with fewer and larger ones, in the same proportions."""

OUTLINED = 8.0
"""Cells of at least so many logical pixels are outlined."""


def shown_grid(grid: Grid) -> Grid:
    """Return the grid as it is drawn.

    Of the same shape, with ``MOST_SHOWN`` cells or little more.
    """
    step = math.ceil(math.sqrt(grid.size / MOST_SHOWN))
    if step == 1:
        return grid
    width = max(1, round(grid.width / step))
    height = max(1, round(grid.height / step))
    if grid.wrap and grid.layout.shear == "columns":
        width += width % 2
    return Grid(grid.layout, width, height, wrap=grid.wrap, lean=grid.lean)


def grid_picture(
    grid: Grid, ground: str | None, size: QSize, palette: QPalette, ratio: float
) -> QPixmap:
    """Return a picture in ``size`` logical pixels, the cells tinted to show their pattern.

    ``ground`` is their colour, None for that of a selection. Where the grid wraps the first columns
    are repeated, dotted.
    """
    grid = shown_grid(grid)
    pixmap = QPixmap(size * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    viewport = fitting(grid, size.toSizeF(), 2.0 if grid.wrap else 0.4)
    rim = grid.bounds[2] + 1
    ink = palette.color(QPalette.ColorRole.WindowText)
    tint = QColor(palette.color(QPalette.ColorRole.Highlight) if ground is None else ground)
    if viewport.scale * 2 >= OUTLINED:
        pen = QPen(ink, 1.2)
    else:
        pen = QPen(Qt.PenStyle.NoPen)
    with painting(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for cell in grid.cells.tolist():
            polygon = QPolygonF([viewport.to_screen(x, y) for x, y in grid.outline(cell)])
            x, y = grid.xy(cell)
            tint.setAlpha(155 + 50 * ((x + y) % 3))
            painter.setPen(pen)
            painter.setBrush(tint)
            painter.drawPolygon(polygon)
            if grid.wrap and grid.centre(cell)[0] + grid.period < rim:
                painter.setPen(QPen(ink, 1.2, Qt.PenStyle.DotLine))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawPolygon(polygon.translated(QPointF(grid.period * viewport.scale, 0)))
    return pixmap
