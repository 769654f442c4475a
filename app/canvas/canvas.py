"""The canvas: a map that is painted on with tools, by mouse and keyboard.

``MapCanvas`` only puts the parts of the canvas together and hands them their events. Each knows
only those to its right::

    CanvasInput (mouse) -> KeyboardCursor (keys) -> ActiveTool -> the document
    CanvasOverlays reads all of these and paints over the map; CanvasWheel zooms the view
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from app.canvas.active_tool import ActiveTool
from app.canvas.input import CanvasInput
from app.canvas.keyboard_cursor import KeyboardCursor
from app.canvas.map_widget import MapWidget
from app.canvas.overlays import CanvasOverlays
from app.canvas.wheel import CanvasWheel
from app.qt_guard import connect, guarded
from app.render.renderer import Renderer

if TYPE_CHECKING:
    from PySide6.QtGui import (
        QContextMenuEvent,
        QFocusEvent,
        QKeyEvent,
        QMouseEvent,
        QWheelEvent,
    )

    from app.document.document import MapDocument
    from app.tools import Tool


class MapCanvas(MapWidget):
    """The map widget of the desk, on which the tool in use paints."""

    hovered = Signal(object)
    """Another ``Hit`` is pointed at, or None for none."""

    menu_requested = Signal(object, QPoint)
    """A context menu is asked for: the ``Hit`` that it is for, and the menu's global position."""

    double_clicked = Signal()
    """The left button was pressed a second time, soon after the first."""

    def __init__(
        self, document: MapDocument, renderer: Renderer, parent: QWidget | None = None
    ) -> None:
        super().__init__(document, renderer, parent)
        self.active_tool = ActiveTool(document, self)
        self.keyboard_cursor = KeyboardCursor(self, self.active_tool)
        self.input = CanvasInput(self, self.active_tool, self.keyboard_cursor)
        self.wheel = CanvasWheel(self)
        self.overlays = CanvasOverlays(self, self.active_tool, self.keyboard_cursor)
        connect(self.active_tool.hovered, self.hovered)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def tool(self) -> Tool | None:
        """The chosen tool."""
        return self.active_tool.chosen

    def set_tool(self, tool: Tool) -> None:
        """Use another tool from now on; a stroke under way ends."""
        self.active_tool.choose(tool)
        self.input.update_cursor_shape()
        self.overlays.refresh_preview()

    def refresh_preview(self) -> None:
        """Show the preview again, because the tool or its options have changed."""
        self.active_tool.show_preview()

    def paint_overlays(self, painter: QPainter, dirty: QRectF, ratio: float) -> None:
        """Draw the overlays in ``dirty`` (logical pixels).

        ``ratio`` is how many pixels of the device one logical pixel has.
        """
        self.overlays.paint(painter, dirty, ratio)

    # --- events -----------------------------------------------------------------------------

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.input.handle_press(event)

    @guarded
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.input.handle_double_click(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.double_clicked.emit()

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.input.handle_move(event)

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.input.handle_release(event)

    @guarded
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        request = self.input.menu_request(event)
        if request is not None:
            self.menu_requested.emit(request.hit, request.position)

    @guarded
    def wheelEvent(self, event: QWheelEvent) -> None:
        self.wheel.handle_wheel(event)

    @guarded
    def leaveEvent(self, event: QEvent) -> None:
        self.input.handle_leave()
        super().leaveEvent(event)

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.NativeGesture:
            from PySide6.QtGui import QNativeGestureEvent

            assert isinstance(event, QNativeGestureEvent)
            if self.wheel.handle_gesture(event):
                return True
        return super().event(event)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.input.key_press(event):
            super().keyPressEvent(event)

    @guarded
    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if not self.input.key_release(event):
            super().keyReleaseEvent(event)

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Forget a held Space and a held button: another widget gets their release."""
        self.input.forget_space()
        self.active_tool.stop_repeating()
        super().focusOutEvent(event)
