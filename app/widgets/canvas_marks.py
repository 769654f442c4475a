"""What is painted over the map: the hover, the tool's preview, marked and asked-for places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPen

if TYPE_CHECKING:
    from app.widgets.canvas import MapCanvas
    from randomizer.grid import Hit

FLASH_MS = 1600
"""How long a place that was asked for stays ringed."""


class CanvasMarks(QObject):
    """Paints over the canvas' map whatever is not the map; says what has to be drawn again."""

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.flash: tuple[int, int | None] | None = None
        self._marked: frozenset[int] = frozenset()
        self._flash_timer = QTimer(self)
        self._flash_timer.setSingleShot(True)
        self._flash_timer.timeout.connect(self._end_flash)

    def show_place(self, cell: int, side: int | None = None) -> None:
        """Ring a place for a moment, and bring it into view."""
        canvas = self._canvas
        rect = canvas.view.cell_rect(canvas.document.battlemap.grid, cell)
        if not QRectF(canvas.rect()).contains(rect):
            middle = QPointF(canvas.rect().center())
            canvas.pan(*(middle - rect.center()).toPoint().toTuple())
        self.flash = (cell, side)
        self._flash_timer.start(FLASH_MS)
        canvas.update()

    def _end_flash(self) -> None:
        self.flash = None
        self._canvas.update()

    def mark_cells(self, cells: frozenset[int]) -> None:
        """Outline these cells until told otherwise (what a line of a script names)."""
        if cells != self._marked:
            self._marked = cells
            self._canvas.update()

    def paint(self, painter: QPainter, dirty: QRectF, ratio: float) -> None:
        """Draw everything that lies over the map in ``dirty`` (logical pixels)."""
        self._paint_marked(painter)
        self._paint_hover(painter, ratio)
        self._paint_flash(painter)

    def _paint_marked(self, painter: QPainter) -> None:
        if not self._marked:
            return
        canvas = self._canvas
        colour = QColor(canvas.renderer.theme.cursor)
        painter.setPen(QPen(colour, max(2.0, canvas.view.scale * 0.05), Qt.PenStyle.DotLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        battlemap = canvas.document.battlemap
        for cell in self._marked:
            painter.drawPolygon(canvas.renderer.cell_polygon(battlemap, canvas.view, cell, 0.82))

    def _paint_hover(self, painter: QPainter, ratio: float) -> None:
        canvas, hand = self._canvas, self._canvas.hand
        hit = hand.hit
        if hit is None or hand.panning or hand.tool_pans:
            return
        document, view, renderer = canvas.document, canvas.view, canvas.renderer
        battlemap = document.battlemap
        preview = None if canvas.tool is None else canvas.tool.side_preview(document, hit)
        wide = QPen(renderer.theme.cursor, max(2.5, view.scale * 0.06))
        wide.setCapStyle(Qt.PenCapStyle.RoundCap)
        if preview is not None:
            place, code = preview
            if code:
                painter.setOpacity(0.75)
                sprites = renderer.sprites(battlemap, view.scale, ratio)
                renderer.paint_side(painter, battlemap, view, sprites, *place, code)
                painter.setOpacity(1.0)
            painter.setPen(wide)
            painter.drawLine(renderer.side_line(battlemap, view, *place))
            self._outline(painter, place.cell, 1.5, 0.97)
        elif self._is_edge(hit):
            painter.setPen(wide)
            painter.drawLine(renderer.side_line(battlemap, view, hit.cell, hit.side))
        else:
            self._outline(painter, hit.cell, 2.5, 0.97)

    def _outline(self, painter: QPainter, cell: int, width: float, size: float) -> None:
        canvas = self._canvas
        painter.setPen(QPen(canvas.renderer.theme.cursor, width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolygon(
            canvas.renderer.cell_polygon(canvas.document.battlemap, canvas.view, cell, size)
        )

    def _is_edge(self, hit: Hit) -> bool:
        """Whether the tool means the side rather than the cell here."""
        canvas = self._canvas
        sides = canvas.tool is not None and canvas.tool.takes_sides
        return sides and hit.near_edge and canvas.document.battlemap.grid.twin(*hit[:2]) is not None

    def _paint_flash(self, painter: QPainter) -> None:
        if self.flash is None:
            return
        canvas = self._canvas
        cell, side = self.flash
        battlemap = canvas.document.battlemap
        pen = QPen(canvas.renderer.theme.problem_ring, max(3.0, canvas.view.scale * 0.08))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if side is not None:
            painter.drawLine(canvas.renderer.side_line(battlemap, canvas.view, cell, side))
        painter.drawPolygon(canvas.renderer.cell_polygon(battlemap, canvas.view, cell, 0.93))
