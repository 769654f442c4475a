"""The transform between map units and logical pixels. The only place that knows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSizeF

if TYPE_CHECKING:
    from randomizer.model.grid import Grid

MIN_SCALE = 0.1
MAX_SCALE = 600.0


@dataclass(frozen=True, slots=True)
class Viewport:
    """``pixel = map * scale + (dx, dy)``; ``scale`` is a hex's radius in logical pixels."""

    scale: float
    dx: float
    dy: float

    def to_screen(self, x: float, y: float) -> QPointF:
        """Map units to logical pixels."""
        return QPointF(x * self.scale + self.dx, y * self.scale + self.dy)

    def to_map(self, point: QPointF) -> tuple[float, float]:
        """Logical pixels to map units."""
        return (point.x() - self.dx) / self.scale, (point.y() - self.dy) / self.scale

    def zoomed(self, factor: float, anchor: QPointF) -> Viewport:
        """The view with the scale times ``factor``, the map point at ``anchor`` staying there."""
        scale = min(max(self.scale * factor, MIN_SCALE), MAX_SCALE)
        x, y = self.to_map(anchor)
        return Viewport(scale, anchor.x() - x * scale, anchor.y() - y * scale)

    def panned(self, dx: float, dy: float) -> Viewport:
        """The view moved by logical pixels."""
        return Viewport(self.scale, self.dx + dx, self.dy + dy)

    def cell_rect(self, grid: Grid, cell: int, margin: float = 0.0) -> QRectF:
        """The box around a cell, grown by ``margin`` map units, in logical pixels."""
        x, y = grid.centre(cell)
        xs = [corner[0] for corner in grid.layout.corners]
        ys = [corner[1] for corner in grid.layout.corners]
        left_top = self.to_screen(x + min(xs) - margin, y + min(ys) - margin)
        size = QSizeF(max(xs) - min(xs) + 2 * margin, max(ys) - min(ys) + 2 * margin) * self.scale
        return QRectF(left_top, size)


def fitting(grid: Grid, size: QSizeF, margin: float = 0.0) -> Viewport:
    """The view that shows the whole map, ``margin`` map units around it, centred in ``size``."""
    left, top, right, bottom = grid.bounds
    width, height = right - left + 2 * margin, bottom - top + 2 * margin
    scale = min(size.width() / width, size.height() / height)
    scale = min(max(scale, MIN_SCALE), MAX_SCALE)
    return Viewport(
        scale,
        size.width() / 2 - (left + right) / 2 * scale,
        size.height() / 2 - (top + bottom) / 2 * scale,
    )
