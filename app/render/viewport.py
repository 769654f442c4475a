"""The transform between map units and logical pixels; nothing else in the program computes it.

A *map unit* is the radius of a hex, a *logical pixel* the unit of widgets. For instance, the point
of the map under the mouse, in a widget that shows the whole map::

    viewport = fitting(grid, QSizeF(widget.size()))
    x, y = viewport.to_map(event.position())

A point of the map is seen at ``scale`` times its coordinates, moved by ``(dx, dy)``::

    widget (0, 0) +-----------------+
                  |  dx             |
                  |<---> map (0, 0) |     x to the right, y down, for both
                  |                 |
                  +-----------------+
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF
from PySide6.QtGui import QPolygonF

from app.render.cell_geometry import cell_box, map_box
from randomizer.model.grid.grid import Grid

MIN_SCALE = 0.1
"""No viewport has a smaller scale: a map of a thousand columns is as wide as a word."""

MAX_SCALE = 600.0
"""No viewport has a larger scale: a cell fills a screen."""


@dataclass(frozen=True, slots=True)
class Viewport:
    """The part of a map that is shown: ``pixel = map * scale + (dx, dy)``."""

    scale: float
    """The logical pixels in a map unit."""

    dx: float
    """Where the origin of the map is seen: logical pixels right of the widget's left edge."""

    dy: float
    """Where the origin of the map is seen: logical pixels below the widget's upper edge."""

    def to_screen(self, x: float, y: float) -> QPointF:
        """Return where a point of the map (map units) is seen, in logical pixels."""
        return QPointF(x * self.scale + self.dx, y * self.scale + self.dy)

    def to_map(self, point: QPointF) -> tuple[float, float]:
        """Return the point of the map at a logical pixel, in map units."""
        return (point.x() - self.dx) / self.scale, (point.y() - self.dy) / self.scale

    def zoomed(self, factor: float, anchor: QPointF) -> Viewport:
        """Return the viewport with ``factor`` times the scale, within the limits.

        The point of the map at ``anchor``, in logical pixels, stays there.
        """
        scale = min(max(self.scale * factor, MIN_SCALE), MAX_SCALE)
        x, y = self.to_map(anchor)
        return Viewport(scale, anchor.x() - x * scale, anchor.y() - y * scale)

    def panned(self, dx: float, dy: float) -> Viewport:
        """Return the viewport after the picture moved by logical pixels to the right and down."""
        return Viewport(self.scale, self.dx + dx, self.dy + dy)

    def in_device_pixels(self, ratio: float) -> Viewport:
        """Return the viewport in device pixels, of which ``ratio`` are a logical pixel."""
        return Viewport(self.scale * ratio, self.dx * ratio, self.dy * ratio)

    def cell_rect(self, grid: Grid, cell: int, margin: float = 0.0) -> QRectF:
        """Return the bounding box of a cell, grown by ``margin`` map units, in logical pixels."""
        x, y = grid.centre(cell)
        box = cell_box(grid.layout, margin)
        return QRectF(self.to_screen(x + box.left(), y + box.top()), box.size() * self.scale)

    def cell_polygon(self, grid: Grid, cell: int, factor: float = 1.0) -> QPolygonF:
        """Return the outline of a cell in logical pixels, ``factor`` times as large as the cell."""
        x, y = grid.centre(cell)
        polygon = QPolygonF()
        for corner_x, corner_y in grid.layout.corners:
            polygon.append(self.to_screen(x + corner_x * factor, y + corner_y * factor))
        return polygon

    def side_line(self, grid: Grid, cell: int, side: int) -> QLineF:
        """Return a side of a cell in logical pixels, from its first to its second corner."""
        start = self.to_screen(*grid.corner(cell, side))
        end = self.to_screen(*grid.corner(cell, side + 1))
        return QLineF(start, end)


def fitting(grid: Grid, size: QSizeF, margin: float = 0.0) -> Viewport:
    """Return the viewport in which the whole map fills ``size`` logical pixels.

    ``margin`` map units are left free around it, more on two sides if the shapes differ.
    """
    box = map_box(grid)
    width = box.width() + 2 * margin
    height = box.height() + 2 * margin
    scale = min(size.width() / width, size.height() / height)
    scale = min(max(scale, MIN_SCALE), MAX_SCALE)
    return centred(grid, scale, size)


def centred(grid: Grid, scale: float, size: QSizeF) -> Viewport:
    """Return the viewport of this scale with the middle of the map in the middle of ``size``."""
    left, top, right, bottom = grid.bounds
    middle_x = (left + right) / 2
    middle_y = (top + bottom) / 2
    dx = size.width() / 2 - middle_x * scale
    dy = size.height() / 2 - middle_y * scale
    return Viewport(scale, dx, dy)
