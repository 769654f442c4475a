"""The canvas of a compared map: only for looking, with the differences marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPoint, QRect
from PySide6.QtGui import QColor, QContextMenuEvent, QImage, QPainter, QPaintEvent, QPen

from app.appearance.painting import painting
from app.canvas.canvas import MapCanvas
from app.document.document import MapDocument
from app.document.selection import Selection
from app.qt_guard import guarded
from app.render.renderer import Renderer
from app.render.viewport import Viewport
from app.tools.options import ToolOptions
from app.tools.picking import PanTool
from randomizer.model.edits.edit import Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite

if TYPE_CHECKING:
    from randomizer.model.comparison.comparison import Comparison

OUTLINES_FROM = 5.0
"""At this scale (hex radius in logical pixels) and above, cells are outlined; below, dotted."""


class CompareCanvas(MapCanvas):
    """Shows a map that another document edits; ``map_changed`` reports those edits."""

    def __init__(self, battlemap: BattleMap, renderer: Renderer, name: str) -> None:
        viewer = MapDocument(battlemap)
        super().__init__(viewer, renderer)
        viewer.setParent(self)
        self.setMinimumSize(160, 160)
        self.setAccessibleName(name)
        self.set_tool(PanTool(ToolOptions(self)))
        self._comparison: Comparison | None = None
        self._are_marks_shown = True
        self._marked = Selection()
        self._centres = np.empty((0, 2), np.float32)

    def map_changed(self, composite: Composite | None, region: Region) -> None:
        """Show a map that was edited elsewhere as ``composite`` is now."""
        self.document.current_map.composite = composite
        self.document.changed.emit(region)

    def show_differences(self, comparison: Comparison | None) -> None:
        """Mark these differences (None: none) from now on."""
        self._comparison = comparison
        if comparison is None:
            cells = np.empty(0, np.intp)
        else:
            cells = comparison.cells
        self._marked = Selection(cells)
        self._centres = self.document.battlemap.grid.centres_of(cells).astype(np.float32)
        self.update()

    def show_marks(self, shown: bool) -> None:
        """Mark the differences, or show the map alone."""
        self._are_marks_shown = shown
        self.update()

    def follow(self, viewport: Viewport, *, fitted: bool) -> None:
        """Use the view of the other canvas."""
        dx = viewport.dx - self.viewport.dx
        dy = viewport.dy - self.viewport.dy
        same_scale = viewport.scale == self.viewport.scale
        self._fitted = fitted
        if same_scale and dx == round(dx) and dy == round(dy):
            self._keep_viewport(viewport)
            self.scroll(round(dx), round(dy))
            self.viewport_changed.emit()
        else:
            self._set_viewport(viewport)

    @guarded
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show no menu."""
        event.accept()

    # --- painting ---------------------------------------------------------------------------

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the map, then the marks of the differences."""
        super().paintEvent(event)
        if self._comparison is None or not self._are_marks_shown:
            return
        with painting(self) as painter:
            painter.setClipRect(event.rect())
            if self.viewport.scale < OUTLINES_FROM:
                self._paint_dots(painter, event.rect())
            else:
                self._paint_outlines(painter, event.rect(), self._comparison)

    def _paint_dots(self, painter: QPainter, dirty: QRect) -> None:
        """Mark each cell by 3 x 3 pixels, on an image: fast for any number of cells."""
        colour = np.uint32(self.renderer.theme.problem_ring.rgba())
        viewport = self.viewport
        width = dirty.width()
        height = dirty.height()
        at = self._centres * np.float32(viewport.scale)
        at += np.array([viewport.dx - dirty.left(), viewport.dy - dirty.top()], np.float32)
        x, y = np.floor(at).astype(np.int32).T
        near = (x >= -1) & (x <= width) & (y >= -1) & (y <= height)
        dots = np.zeros((height + 4, width + 4), np.bool_)
        dots[y[near] + 2, x[near] + 2] = True
        dots[:, 1:-1] |= dots[:, :-2] | dots[:, 2:]
        dots[1:-1] |= dots[:-2] | dots[2:]
        pixels = np.where(dots[2:-2, 2:-2], colour, np.uint32(0))
        image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_ARGB32)
        painter.drawImage(dirty.topLeft(), image)

    def _paint_outlines(self, painter: QPainter, dirty: QRect, comparison: Comparison) -> None:
        battlemap = self.document.battlemap
        viewport = self.viewport
        grid = battlemap.grid
        left, top = viewport.to_map(dirty.topLeft().toPointF())
        right, bottom = viewport.to_map((dirty.bottomRight() + QPoint(1, 1)).toPointF())
        seen = grid.cells_in(left - 1, top - 1, right + 1, bottom + 1)
        seen = seen[self._marked.contains(seen)]
        colour = QColor(self.renderer.theme.problem_ring)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour, max(1.5, viewport.scale * 0.05)))
        for cell in seen.tolist():
            painter.drawPolygon(viewport.cell_polygon(battlemap.grid, cell, 0.9))
        painter.setPen(QPen(colour, max(2.5, viewport.scale * 0.1)))
        sides = (seen[:, None] * grid.degree + np.arange(grid.degree)).ravel()
        unlike = sides[Selection(comparison.sides).contains(sides)]
        lines: list[QLineF] = [
            viewport.side_line(battlemap.grid, *divmod(side, grid.degree))
            for side in unlike.tolist()
        ]
        painter.drawLines(lines)
