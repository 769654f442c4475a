"""What is painted over the map: selection, the tool's preview, keyboard cursor, marked places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QObject, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

if TYPE_CHECKING:
    from app.canvas.areas import CellArea
    from app.canvas.canvas import MapCanvas
    from app.tools import Preview, SidePlace, Tool
    from randomizer.geometry.symmetry import Symmetry
    from randomizer.model.edit import Region

FLASH_MS = 1600
"""How long a place that was asked for stays ringed."""

SEE_THROUGH = 84
"""How opaque a terrain is shown that would be painted (255: wholly)."""


class CanvasMarks(QObject):
    """Paints over the canvas' map whatever is not the map; says what has to be drawn again."""

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.flash: tuple[int, int | None] | None = None
        self._marked: frozenset[int] = frozenset()
        self._flash_timer = QTimer(self, singleShot=True)
        self._flash_timer.timeout.connect(self._end_flash)
        self.preview: Preview | None = None
        self._area: CellArea | None = None
        self._lost: CellArea | None = None
        self._selection: CellArea | None = None
        self._focus: int | None = None
        self._symmetry: Symmetry | None = None
        self._renew_timer = QTimer(self, singleShot=True)
        self._renew_timer.timeout.connect(self.renew_preview)
        canvas.document.changed.connect(self._on_changed)
        canvas.document.selection_changed.connect(self.show_selection)
        canvas.document.map_replaced.connect(self._on_replaced)

    # --- what has to be drawn again ---------------------------------------------------------

    def _on_changed(self, region: Region) -> None:
        """The map is another under a preview that was made for it."""
        hand = self._canvas.hand
        if hand.tool is not None:
            hand.tool.map_changed()
        if region.reshaped:
            hand.point_at(None)
        elif not hand.in_stroke and self.preview is not None:
            self._renew_timer.start(0)

    def _on_replaced(self) -> None:
        if self._canvas.tool is not None:
            self._canvas.tool.map_changed()
        self.show_selection()

    def show_selection(self) -> None:
        """Draw another selection from now on."""
        from app.canvas.areas import CellArea

        canvas, before = self._canvas, self._selection
        cells = canvas.document.selection.cells
        self._selection = CellArea(canvas.document.battlemap.grid, cells) if len(cells) else None
        for area in (before, self._selection):
            if area is not None:
                canvas.update(area.box(canvas.view).toAlignedRect())
        self._renew_timer.start(0)

    def renew_preview(self) -> None:
        """What the tool would do has changed: draw it again, and the keyboard cursor."""
        canvas, hand = self._canvas, self._canvas.hand
        before = self._boxes()
        self.preview = None
        self._focus = hand.keys.cell
        tool, aim = hand.tool, hand.aim
        symmetry = None
        if tool is not None and aim is not None and self._can(tool):
            self._set_preview(tool.preview(canvas.document, aim))
            if "symmetry" in tool.heeds:
                symmetry = tool.options.symmetry(canvas.document.battlemap.grid)
        if symmetry is not self._symmetry:
            self._symmetry = symmetry
            canvas.update()  # its line goes across the whole view
        for box in (*before, *self._boxes()):
            canvas.update(box.toAlignedRect())

    def _can(self, tool: Tool) -> bool:
        """Whether a click would do something with the tool on this kind of map."""
        idle = self._canvas.hand.panning or tool.pans
        return not idle and not tool.why_not(self._canvas.document.battlemap.system)

    def _set_preview(self, preview: Preview) -> None:
        from app.canvas.areas import CellArea

        grid = self._canvas.document.battlemap.grid
        self.preview = preview
        self._area = CellArea(grid, preview.cells)
        self._lost = CellArea(grid, preview.lost)

    def _boxes(self) -> list[QRectF]:
        """What the preview and the keyboard cursor cover, in logical pixels."""
        canvas = self._canvas
        view, grid = canvas.view, canvas.document.battlemap.grid
        boxes = []
        if self._focus is not None and self._focus < grid.size:
            boxes.append(view.cell_rect(grid, self._focus, 0.3))
        if self.preview is None:
            return boxes
        for area in (self._area, self._lost):
            if area is not None and len(area.cells):
                boxes.append(area.box(view))
        for place, _code in self.preview.sides:
            boxes.append(view.cell_rect(grid, place.cell, 0.5))
        if self.preview.points:
            line = QPolygonF([view.to_screen(*point) for point in self.preview.points])
            boxes.append(line.boundingRect().adjusted(-4, -4, 4, 4))
        return boxes

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

    # --- painting ---------------------------------------------------------------------------

    def paint(self, painter: QPainter, dirty: QRectF, ratio: float) -> None:
        """Draw everything that lies over the map in ``dirty`` (logical pixels)."""
        self._paint_marked(painter)
        self._paint_selection(painter, dirty)
        hand = self._canvas.hand
        if self.preview is not None and not hand.panning and not hand.tool_pans:
            self._paint_symmetry(painter)
            self._paint_preview(painter, dirty, self.preview)
            self._paint_sides(painter, self.preview, ratio)
        self._paint_focus(painter)
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

    def _paint_selection(self, painter: QPainter, dirty: QRectF) -> None:
        """Dashes of two colours: they are seen on every ground."""
        if self._selection is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        width = 2 if self._canvas.view.scale > 8 else 1
        dark, light = QPen(Qt.GlobalColor.black, width), QPen(Qt.GlobalColor.white, width)
        light.setDashPattern([3, 3])
        pens = (dark, light) if self._canvas.view.scale > 4 else (dark,)
        self._selection.outline(painter, self._canvas.view, dirty, pens)

    def _paint_preview(self, painter: QPainter, dirty: QRectF, preview: Preview) -> None:
        canvas = self._canvas
        view, theme = canvas.view, canvas.renderer.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setPen(Qt.PenStyle.NoPen)
        if self._area is not None:
            self._area.fill(painter, view, dirty, self._brushes(preview))
        if self._lost is not None:
            hatch = QBrush(theme.problem_ring, Qt.BrushStyle.BDiagPattern)
            self._lost.fill(painter, view, dirty, [hatch])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._area is not None and len(preview.cells):
            pen = QPen(theme.cursor, 2.5 if view.scale > 8 else 1.5)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            self._area.outline(painter, view, dirty, [pen])
        if preview.points:
            painter.setPen(QPen(theme.cursor, 1.5, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline([view.to_screen(*point) for point in preview.points])

    def _brushes(self, preview: Preview) -> list[QBrush]:
        """One brush a cell, or a single one; none if the cells keep their terrain, or are many."""
        from app.canvas.areas import LARGE

        if preview.terrains is None or not 0 < len(preview.cells) <= LARGE:
            return []
        brushes = {-1: QBrush()}
        for code, terrain in enumerate(self._canvas.document.battlemap.system.terrain_set.terrains):
            colour = QColor(terrain.colour)
            colour.setAlpha(SEE_THROUGH)
            brushes[code] = QBrush(colour)
        codes = preview.terrains
        shown = codes[:1] if (codes == codes[0]).all() else codes
        return [brushes[code] for code in shown.tolist()]

    def _paint_sides(self, painter: QPainter, preview: Preview, ratio: float) -> None:
        canvas = self._canvas
        view, renderer, battlemap = canvas.view, canvas.renderer, canvas.document.battlemap
        wide = QPen(renderer.theme.cursor, max(2.5, view.scale * 0.06))
        wide.setCapStyle(Qt.PenCapStyle.RoundCap)
        laid = len(preview.cells) > 0
        for place, code in preview.sides:
            if code:
                painter.setOpacity(0.75)
                sprites = renderer.sprites(battlemap, view.scale, ratio)
                renderer.paint_side(painter, battlemap, view, sprites, *place, code)
                painter.setOpacity(1.0)
            if not laid:
                painter.setPen(wide)
                painter.drawLine(renderer.side_line(battlemap, view, *place))
            if code is not None and not laid:
                self._ring(painter, place, 1.5)

    def _ring(self, painter: QPainter, place: SidePlace, width: float) -> None:
        """Outline the hex that will own a hexside."""
        canvas = self._canvas
        painter.setPen(QPen(canvas.renderer.theme.cursor, width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        battlemap = canvas.document.battlemap
        painter.drawPolygon(canvas.renderer.cell_polygon(battlemap, canvas.view, place.cell, 0.97))

    def _paint_symmetry(self, painter: QPainter) -> None:
        """The centre about which painting is repeated, or the line in which it is mirrored."""
        canvas = self._canvas
        if self._symmetry is None:
            return
        pen = QPen(canvas.renderer.theme.problem_ring, 2.0, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        middle, ways = axes(self._symmetry)
        at = canvas.view.to_screen(*middle)
        reach = canvas.width() + canvas.height()
        for x, y in ways:
            away = QPointF(x, y) * reach
            painter.drawLine(QLineF(at - away, at + away))
        if not ways:
            size = max(6.0, canvas.view.scale * 0.2)
            painter.drawEllipse(at, size, size)
            painter.drawLine(QLineF(at.x() - size, at.y(), at.x() + size, at.y()))
            painter.drawLine(QLineF(at.x(), at.y() - size, at.x(), at.y() + size))

    def _paint_focus(self, painter: QPainter) -> None:
        """The ring of the keyboard cursor."""
        canvas, keys = self._canvas, self._canvas.hand.keys
        if keys.cell is None:
            return
        battlemap, view, renderer = canvas.document.battlemap, canvas.view, canvas.renderer
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        wide = max(4.0, view.scale * 0.1)
        for pen in (QPen(renderer.theme.cursor, wide), QPen(Qt.GlobalColor.white, wide / 3)):
            painter.setPen(pen)
            painter.drawPolygon(renderer.cell_polygon(battlemap, view, keys.cell, 0.86))
            if keys.side is not None:
                painter.drawLine(renderer.side_line(battlemap, view, keys.cell, keys.side))

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


def axes(symmetry: Symmetry) -> tuple[tuple[float, float], list[tuple[float, float]]]:
    """The centre in map units, and the direction of the mirror's line (a vector of length 1)."""
    from randomizer.geometry.turn import mirrored

    q, r = np.array(symmetry.centre) / 6
    (qx, qy), (rx, ry) = symmetry.layout.basis
    middle = (float(q * qx + r * rx), float(q * qy + r * ry))
    ways = []
    if symmetry.kind.startswith("mirror"):
        mirror = mirrored(symmetry.layout, int(symmetry.kind.removeprefix("mirror")))
        # The way from a point to its image, halved, ends on the line.
        seen = np.add(mirror.point(1.0, 0.3), (1.0, 0.3))
        length = float(np.hypot(*seen))
        ways.append((float(seen[0]) / length, float(seen[1]) / length))
    return middle, ways
