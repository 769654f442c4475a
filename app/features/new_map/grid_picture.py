"""The picture of the empty map in the New map dialog: the shape and arrangement of its cells."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPalette, QPen, QPixmap, QPolygonF

from app.appearance.painting import painting
from app.render.viewport import fitting
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Shear

MAX_CELLS_DRAWN = 1500
"""A map of more cells is drawn with fewer and larger ones, in the same proportions.

With more of them a cell would have about two pixels of a thumbnail.
"""

OUTLINED_FROM_PX = 8.0
"""The least width of a cell that is outlined, in logical pixels: lines would fill smaller ones."""

LINE_PX = 1.2
"""The width of the outlines, in logical pixels."""

MARGIN = 0.4
"""The margin around the map, in map units."""

MARGIN_OF_WRAPPED = 2.0
"""The margin where the first columns are repeated behind the last ones, in map units."""

PALEST = 155
"""The opacity of the palest cells, of 255."""

TINT_COUNT = 3
"""The number of tints that alternate: with three, neighbours in a row and in a column differ."""

TINT_STEP = (255 - PALEST) // (TINT_COUNT - 1)
"""The difference in opacity from one tint to the next; the strongest is opaque."""


def coarse_grid(grid: Grid) -> Grid:
    """Return the grid as it is drawn: of the same shape, with few enough cells.

    They are ``MAX_CELLS_DRAWN`` or, since columns and rows are rounded, little more. A narrow grid
    becomes a single column or row of at most so many cells.
    """
    step = math.ceil(math.sqrt(grid.size / MAX_CELLS_DRAWN))
    if step == 1:
        return grid
    width = min(max(1, round(grid.width / step)), MAX_CELLS_DRAWN)
    height = min(max(1, round(grid.height / step)), MAX_CELLS_DRAWN)
    # Columns of hexes are pushed alternately, so only an even number of them goes round.
    if grid.wrap and grid.layout.shear is Shear.COLUMNS:
        width += width % 2
    return Grid(grid.layout, width, height, wrap=grid.wrap, lean=grid.lean)


def grid_picture(
    grid: Grid, cell_colour: str, size: QSize, palette: QPalette, ratio: float
) -> QPixmap:
    """Return a picture in ``size`` logical pixels, the cells tinted to show their pattern.

    ``cell_colour`` is their colour by name, such as "#8fbc5a". ``ratio`` is that of device pixels
    to logical ones. Where the grid wraps, the first columns are repeated behind the last ones,
    dotted.
    """
    grid = coarse_grid(grid)
    pixmap = QPixmap(size * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    margin = MARGIN
    if grid.wrap:
        margin = MARGIN_OF_WRAPPED
    viewport = fitting(grid, size.toSizeF(), margin)

    ink = palette.color(QPalette.ColorRole.WindowText)
    tint = QColor(cell_colour)
    outline_pen = QPen(Qt.PenStyle.NoPen)
    cell_width_px = 2 * viewport.scale  # a hex has a radius of one map unit
    if cell_width_px >= OUTLINED_FROM_PX:
        outline_pen = QPen(ink, LINE_PX)
    repeated_pen = QPen(ink, LINE_PX, Qt.PenStyle.DotLine)

    # The cells that are repeated behind the right rim: those whose copies, which lie a period to
    # the right, begin within one map unit (about half a cell) beyond it.
    _left, _top, right, _bottom = grid.bounds
    margin_of_repeated = 1.0
    repeated_up_to = right + margin_of_repeated - grid.period
    shift_of_repeated = QPointF(grid.period * viewport.scale, 0)

    with painting(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for cell in grid.cells.tolist():
            polygon = QPolygonF([viewport.to_screen(x, y) for x, y in grid.outline(cell)])
            column, row = grid.xy(cell)
            tint.setAlpha(PALEST + TINT_STEP * ((column + row) % TINT_COUNT))
            painter.setPen(outline_pen)
            painter.setBrush(tint)
            painter.drawPolygon(polygon)
            centre_x, _centre_y = grid.centre(cell)
            if grid.wrap and centre_x < repeated_up_to:
                painter.setPen(repeated_pen)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawPolygon(polygon.translated(shift_of_repeated))
    return pixmap
