"""The canvas: shows the document's map, turns mouse and keys into strokes of the tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.drawing.renderer import MARGIN, Renderer
from app.drawing.sprites import SIDE_REACH
from app.drawing.view import View, fitting

if TYPE_CHECKING:
    from PySide6.QtGui import (
        QContextMenuEvent,
        QKeyEvent,
        QMouseEvent,
        QPaintEvent,
        QResizeEvent,
        QWheelEvent,
    )

    from app.document import MapDocument
    from app.tools import Tool
    from randomizer.edit import Region
    from randomizer.grid import Hit

WHEEL_STEP = 1.2
"""How much one notch of the wheel zooms."""

PICK_KEYS = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ControlModifier
"""Held, every tool picks. Many window systems keep Alt with the mouse for themselves."""

FLASH_MS = 1600
"""How long a place that was asked for stays ringed."""


class MapCanvas(QWidget):
    """One opaque widget that paints only what changed.

    ``hovered(object)``: the ``Hit`` under the mouse, or None. ``menu_requested(Hit, QPoint)``: a
    right click on the map, with the global position. ``view_changed()``: pan or zoom.
    ``stroke_done(bool)``: a stroke ended, and whether it changed the map. ``painted()``: the first
    frame is drawn.
    """

    hovered = Signal(object)
    menu_requested = Signal(object, QPoint)
    view_changed = Signal()
    stroke_done = Signal(bool)
    painted = Signal()

    def __init__(
        self, document: MapDocument, renderer: Renderer, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.document = document
        self.renderer = renderer
        self.view = View(40.0, 0.0, 0.0)
        self.tool: Tool | None = None
        self._fitted = True
        self._hit: Hit | None = None
        self._stroke_tool: Tool | None = None
        self._stroke_places: set[tuple[int, ...]] = set()
        self._last_point = QPointF()
        self._shown = False
        self._panning = False
        self._space_held = False
        self._flash: tuple[int, int | None] | None = None
        self._marked: frozenset[int] = frozenset()
        self._flash_timer = QTimer(self)
        self._flash_timer.setSingleShot(True)
        self._flash_timer.timeout.connect(self._end_flash)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Map")
        self.setMinimumSize(320, 240)  # narrow windows take from the panels, not from the map
        document.changed.connect(self._on_changed)
        document.map_replaced.connect(self.fit)

    def sizeHint(self):  # type: ignore[no-untyped-def]
        """A comfortable size for a battleland."""
        return QRect(0, 0, 720, 640).size()

    # --- the view ---------------------------------------------------------------------------

    def fit(self) -> None:
        """Show the whole map, and keep doing so when the window is resized."""
        self._fitted = True
        self._set_view(fitting(self.document.battlemap.grid, QSizeF(self.size()), MARGIN))

    def zoom(self, factor: float, anchor: QPointF | None = None) -> None:
        """Zoom by ``factor`` around a point of the widget (the middle if None)."""
        self._fitted = False
        middle = QPointF(self.rect().center())
        self._set_view(self.view.zoomed(factor, middle if anchor is None else anchor))

    def pan(self, dx: int, dy: int) -> None:
        """Move the picture by whole logical pixels; only the strips that come in are drawn."""
        if not dx and not dy:
            return
        self._fitted = False
        self.view = self.view.panned(dx, dy)
        self.scroll(dx, dy)
        self.view_changed.emit()

    def _set_view(self, view: View) -> None:
        self.view = view
        self.update()
        self.view_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the map fitted until the user zooms or pans."""
        if self._fitted:
            self.fit()
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Another screen may have another pixel ratio."""
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.update()
        super().changeEvent(event)

    def look_changed(self) -> None:
        """The theme, the pictures or the overlays are others now."""
        self.update()

    def show_place(self, cell: int, side: int | None = None) -> None:
        """Ring a place for a moment, and bring it into view."""
        rect = self.view.cell_rect(self.document.battlemap.grid, cell)
        if not QRectF(self.rect()).contains(rect):
            middle = QPointF(self.rect().center())
            self.pan(*(middle - rect.center()).toPoint().toTuple())
        self._flash = (cell, side)
        self._flash_timer.start(FLASH_MS)
        self.update()

    def _end_flash(self) -> None:
        self._flash = None
        self.update()

    def mark_cells(self, cells: frozenset[int]) -> None:
        """Outline these cells until told otherwise (what a line of a script names)."""
        if cells != self._marked:
            self._marked = cells
            self.update()

    # --- painting ---------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the map in the dirty rectangle, then what lies over it."""
        painter = QPainter(self)
        dirty = event.rect()
        painter.setClipRect(dirty)
        ratio = self.devicePixelRatioF()
        document = self.document
        self.renderer.paint(
            painter, document.battlemap, document.composite, self.view, QRectF(dirty), ratio
        )
        self._paint_marked(painter)
        self._paint_hover(painter, ratio)
        self._paint_flash(painter)
        painter.end()
        if not self._shown:
            self._shown = True
            self.painted.emit()

    def _paint_marked(self, painter: QPainter) -> None:
        if not self._marked:
            return
        colour = QColor(self.renderer.theme.cursor)
        painter.setPen(QPen(colour, max(2.0, self.view.scale * 0.05), Qt.PenStyle.DotLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        battlemap = self.document.battlemap
        for cell in self._marked:
            painter.drawPolygon(self.renderer.cell_polygon(battlemap, self.view, cell, 0.82))

    def _paint_hover(self, painter: QPainter, ratio: float) -> None:
        if self._hit is None or self._panning or self._tool_pans:
            return
        battlemap, view, theme = self.document.battlemap, self.view, self.renderer.theme
        preview = None if self.tool is None else self.tool.side_preview(self.document, self._hit)
        wide = QPen(theme.cursor, max(2.5, view.scale * 0.06))
        wide.setCapStyle(Qt.PenCapStyle.RoundCap)
        if preview is not None:
            place, code = preview
            if code:
                painter.setOpacity(0.75)
                sprites = self.renderer.sprites(battlemap, view.scale, ratio)
                self.renderer.paint_side(painter, battlemap, view, sprites, *place, code)
                painter.setOpacity(1.0)
            painter.setPen(wide)
            painter.drawLine(self.renderer.side_line(battlemap, view, *place))
            self._outline(painter, place.cell, 1.5, 0.97)
        elif self._is_edge(self._hit):
            painter.setPen(wide)
            line = self.renderer.side_line(battlemap, view, self._hit.cell, self._hit.side)
            painter.drawLine(line)
        else:
            self._outline(painter, self._hit.cell, 2.5, 0.97)

    def _outline(self, painter: QPainter, cell: int, width: float, size: float) -> None:
        painter.setPen(QPen(self.renderer.theme.cursor, width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolygon(
            self.renderer.cell_polygon(self.document.battlemap, self.view, cell, size)
        )

    def _is_edge(self, hit: Hit) -> bool:
        """Whether the tool means the side rather than the cell here."""
        sides = self.tool is not None and self.tool.takes_sides
        return sides and hit.near_edge and self.document.battlemap.grid.twin(*hit[:2]) is not None

    def _paint_flash(self, painter: QPainter) -> None:
        if self._flash is None:
            return
        cell, side = self._flash
        battlemap = self.document.battlemap
        pen = QPen(self.renderer.theme.problem_ring, max(3.0, self.view.scale * 0.08))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if side is not None:
            painter.drawLine(self.renderer.side_line(battlemap, self.view, cell, side))
        painter.drawPolygon(self.renderer.cell_polygon(battlemap, self.view, cell, 0.93))

    def _on_changed(self, region: Region) -> None:
        if region.everything:
            self.update()
            return
        for cell in region.cells.tolist():
            self._update_cell(cell)

    def _update_cell(self, cell: int) -> None:
        """Repaint a cell and what it may show beyond its edges."""
        rect = self.view.cell_rect(self.document.battlemap.grid, cell, SIDE_REACH + 0.05)
        self.update(rect.toAlignedRect().adjusted(-2, -2, 2, 2))

    # --- the mouse --------------------------------------------------------------------------

    @property
    def _tool_pans(self) -> bool:
        return self.tool is not None and self.tool.pans

    def hit_at(self, point: QPointF) -> Hit | None:
        """The cell, side and depth under a point of the widget."""
        return self.document.battlemap.grid.hit(*self.view.to_map(point))

    def _hover(self, hit: Hit | None) -> None:
        before, self._hit = self._hit, hit
        if (
            before is not None
            and hit is not None
            and (before[:2], before.near_edge) == (hit[:2], hit.near_edge)
        ):
            return
        for place in (before, hit):
            if place is not None:
                self._update_cell(place.cell)
                other = self.document.battlemap.grid.neighbour(place.cell, place.side)
                if other >= 0:
                    self._update_cell(other)
        self.hovered.emit(hit)

    def refresh_hover(self) -> None:
        """Draw the preview again (the tool or its options changed)."""
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a stroke, or a pan."""
        self._last_point = event.position()
        left = event.button() == Qt.MouseButton.LeftButton
        if event.button() == Qt.MouseButton.MiddleButton or (
            left and (self._space_held or self._tool_pans)
        ):
            self._panning = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif left and self.tool is not None:
            self._begin_stroke(event)

    def _begin_stroke(self, event: QMouseEvent) -> None:
        assert self.tool is not None
        hit = self.hit_at(event.position())
        if hit is None:
            return
        tool = self.tool
        if event.modifiers() & PICK_KEYS:
            from app.tools import EyedropperTool

            tool = EyedropperTool(tool.options)
        self._stroke_tool = tool
        self._stroke_places = set()
        tool.start(self.document, hit)
        self.document.begin_stroke(tool.text)
        self._touch(hit)

    def _touch(self, hit: Hit) -> None:
        tool = self._stroke_tool
        assert tool is not None
        place = tool.place(self.document.battlemap, hit)
        if place not in self._stroke_places:
            self._stroke_places.add(place)
            self.document.stroke(tool.edit(self.document, hit))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with the stroke or the pan; a fast drag misses no cell on its way."""
        point = event.position()
        if self._panning:
            step = (point - self._last_point).toPoint()
            self._last_point += QPointF(step)
            self.pan(step.x(), step.y())
            return
        self._hover(self.hit_at(point))
        if self._stroke_tool is not None and self.document.in_stroke:
            for between in self._way_to(point):
                hit = self.hit_at(between)
                if hit is not None:
                    self._touch(hit)
        self._last_point = point

    def _way_to(self, point: QPointF) -> list[QPointF]:
        way = point - self._last_point
        steps = max(1, int(way.manhattanLength() / max(1.0, self.view.scale * 0.3)))
        return [self._last_point + way * (step / steps) for step in range(1, steps + 1)]

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the stroke (one undo step) or the pan."""
        if self._panning and event.button() in (
            Qt.MouseButton.MiddleButton,
            Qt.MouseButton.LeftButton,
        ):
            self._panning = False
            self._show_cursor()
        elif event.button() == Qt.MouseButton.LeftButton and self._stroke_tool is not None:
            self._stroke_tool = None
            if self.document.in_stroke:
                self.stroke_done.emit(self.document.end_stroke())

    def cancel_stroke(self) -> bool:
        """Take back the stroke under way; False if there is none."""
        if not self.document.in_stroke:
            return False
        self._stroke_tool = None
        self.document.cancel_stroke()
        return True

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the hex menu or the border menu of this place."""
        hit = self.hit_at(QPointF(event.pos()))
        if hit is not None and not self.document.in_stroke:
            self.menu_requested.emit(hit, event.globalPos())

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the mouse any more."""
        self._hover(None)
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """A wheel zooms to the cursor; two fingers on a touchpad pan, with Ctrl they zoom."""
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        pixels = event.pixelDelta()
        if not pixels.isNull() and not control:
            self.pan(pixels.x(), pixels.y())
        else:
            notches = event.angleDelta().y() / 120
            if notches:
                self.zoom(WHEEL_STEP**notches, event.position())
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Pinching on a touchpad zooms."""
        if event.type() == QEvent.Type.NativeGesture:
            from PySide6.QtGui import QNativeGestureEvent

            assert isinstance(event, QNativeGestureEvent)
            if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
                self.zoom(1 + event.value(), event.position())
                return True
        return super().event(event)

    # --- the keyboard -----------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape takes the stroke back, Space holds the hand, arrows move the view."""
        key = event.key()
        step = max(24, self.width() // 12)
        ways = {
            Qt.Key.Key_Left: (step, 0),
            Qt.Key.Key_Right: (-step, 0),
            Qt.Key.Key_Up: (0, step),
            Qt.Key.Key_Down: (0, -step),
        }
        if key == Qt.Key.Key_Escape and self.cancel_stroke():
            return
        if key == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space_held = True
            self._show_cursor()
        elif key in ways:
            self.pan(*ways[Qt.Key(key)])
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Space lets the hand go."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space_held = False
            self._show_cursor()
        else:
            super().keyReleaseEvent(event)

    def focusOutEvent(self, event):  # type: ignore[no-untyped-def]
        """A held Space is forgotten when the keyboard goes elsewhere."""
        self._space_held = False
        self._show_cursor()
        super().focusOutEvent(event)

    def set_tool(self, tool: Tool) -> None:
        """Use another tool from now on; a stroke under way ends."""
        if self.document.in_stroke:
            self._stroke_tool = None
            self.stroke_done.emit(self.document.end_stroke())
        self.tool = tool
        self._show_cursor()
        self.update()

    def _show_cursor(self) -> None:
        if self._space_held or self._tool_pans:
            self.setCursor(Qt.CursorShape.OpenHandCursor)
        elif self.tool is not None:
            self.setCursor(Qt.CursorShape.CrossCursor)
        else:
            self.unsetCursor()
