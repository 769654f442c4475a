"""The canvas: shows the map in front, repainting only what changed; its view can be moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.drawing.renderer import MARGIN, Renderer
from app.drawing.sprites import SIDE_REACH
from app.drawing.view import View, fitting
from app.widgets.canvas_hand import CanvasHand
from app.widgets.canvas_marks import CanvasMarks
from app.widgets.canvas_wheel import CanvasWheel

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


class MapCanvas(QWidget):
    """One opaque widget that paints only what changed.

    ``hovered(object)``: the ``Hit`` under the mouse, or None. ``menu_requested(Hit, QPoint)``: a
    right click on the map, with the global position. ``view_changed()``: pan or zoom.
    ``stroke_done(bool)``: a stroke ended, and whether it changed the map. ``painted()``: the first
    frame is drawn. ``hand`` and ``wheel`` take the events, ``marks`` paints what lies over the map.
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
        self.hand = CanvasHand(self)
        self.wheel = CanvasWheel(self)
        self.marks = CanvasMarks(self)
        self._fitted = True
        self._shown = False
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Map")
        self.setMinimumSize(320, 240)  # narrow windows take from the panels, not from the map
        document.changed.connect(self._on_changed)
        document.map_replaced.connect(self._on_replaced)

    def sizeHint(self):  # type: ignore[no-untyped-def]
        """A comfortable size for a battleland."""
        return QRect(0, 0, 720, 640).size()

    # --- the view ---------------------------------------------------------------------------

    @property
    def fitted(self) -> bool:
        """Whether the whole map is shown and stays so when the window is resized."""
        return self._fitted

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
        self._keep_view(self.view.panned(dx, dy))
        self.scroll(dx, dy)
        self.view_changed.emit()

    def centre_on(self, x: float, y: float) -> None:
        """Bring a point of the map (map units) to the middle."""
        at, middle = self.view.to_screen(x, y), QPointF(self.rect().center())
        self.pan(*(middle - at).toPoint().toTuple())

    def _set_view(self, view: View) -> None:
        self._keep_view(view)
        self.update()
        self.view_changed.emit()

    def _keep_view(self, view: View) -> None:
        self.view = view
        self.document.front.view = None if self._fitted else view

    def _on_replaced(self) -> None:
        """Show a map as it was left, or the whole of it."""
        left = self.document.front.view
        if left is None:
            self.fit()
        else:
            self._fitted = False
            self._set_view(left)

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

    # --- painting ---------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the map in the dirty rectangle, then what lies over it."""
        painter = QPainter(self)
        dirty = QRectF(event.rect())
        painter.setClipRect(dirty)
        ratio = self.devicePixelRatioF()
        document = self.document
        self.renderer.paint(
            painter, document.battlemap, document.composite, self.view, dirty, ratio
        )
        self.marks.paint(painter, dirty, ratio)
        painter.end()
        if not self._shown:
            self._shown = True
            self.painted.emit()

    def _on_changed(self, region: Region) -> None:
        if region.reshaped:
            self.fit()
        elif region.everything:
            self.update()
        else:
            for cell in region.cells.tolist():
                self.update_cell(cell)

    def update_cell(self, cell: int) -> None:
        """Repaint a cell and what it may show beyond its edges."""
        rect = self.view.cell_rect(self.document.battlemap.grid, cell, SIDE_REACH + 0.05)
        self.update(rect.toAlignedRect().adjusted(-2, -2, 2, 2))

    # --- events -----------------------------------------------------------------------------

    def hit_at(self, point: QPointF) -> Hit | None:
        """The cell, side and depth under a point of the widget."""
        grid = self.document.battlemap.grid
        at = self.view.to_map(point)
        hit = grid.hit(*at)
        if hit is not None and grid.wrap and abs(grid.centre(hit.cell)[0] - at[0]) > 1.5:
            return None  # beyond the seam, where that cell is not drawn
        return hit

    def set_tool(self, tool: Tool) -> None:
        """Use another tool from now on; a stroke under way ends."""
        self.hand.end_stroke()
        self.tool = tool
        self.hand.show_cursor()
        self.update()

    def refresh_hover(self) -> None:
        """Draw the preview again (the tool or its options changed)."""
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The hand's."""
        self.hand.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The hand's."""
        self.hand.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The hand's."""
        self.hand.release(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The hand's."""
        self.hand.context_menu(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zooms or moves the view."""
        self.wheel.turn(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the mouse any more."""
        self.hand.hover(None)
        super().leaveEvent(event)

    def event(self, event: QEvent) -> bool:
        """Gestures of a touchpad zoom."""
        if event.type() == QEvent.Type.NativeGesture:
            from PySide6.QtGui import QNativeGestureEvent

            assert isinstance(event, QNativeGestureEvent)
            if self.wheel.gesture(event):
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The hand's, else the window's."""
        if not self.hand.key_press(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """The hand's, else the window's."""
        if not self.hand.key_release(event):
            super().keyReleaseEvent(event)

    def focusOutEvent(self, event):  # type: ignore[no-untyped-def]
        """A held Space is forgotten when the keyboard goes elsewhere."""
        self.hand.let_go()
        super().focusOutEvent(event)
