"""Choosing one area by a click or Enter on the map, in place of a stroke of the tool."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent

from app.canvas.canvas import MapCanvas
from app.qt_guard import guarded


class AreaPick(QObject):
    """``picked(int)``: the cell that was clicked or at which Enter was pressed, -1 if none was
    (Escape, or a click outside the map)."""

    picked = Signal(int)

    def __init__(self, canvas: MapCanvas, parent: QObject) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._waiting = False

    def begin(self) -> None:
        """Take the next click or Enter on the map; the arrow keys go on moving the cursor."""
        self._waiting = True
        self._canvas.removeEventFilter(self)  # ``begin`` may be called twice
        self._canvas.installEventFilter(self)
        self._canvas.setCursor(Qt.CursorShape.PointingHandCursor)
        self._canvas.setFocus()

    def leave(self) -> None:
        """Stop waiting for a click; ``picked(-1)`` if one was awaited."""
        if self._waiting:
            self.end(-1)

    def end(self, cell: int) -> None:
        """End the picking with a cell, or with -1 for none."""
        self._waiting = False
        self._canvas.removeEventFilter(self)
        self._canvas.input.show_mouse_cursor()
        self.picked.emit(cell)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            hit = self._canvas.hit_at(event.position())
            self.end(-1 if hit is None else hit.cell)
            return True
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.KeyPress:
                self.end(-1)
            return True
        if isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.type() == QEvent.Type.KeyPress:
                pointer = self._canvas.active_tool.pointer
                self.end(-1 if pointer is None else pointer.cell)
            return True
        return super().eventFilter(watched, event)
