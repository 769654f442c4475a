"""Choosing a cell by a click or Enter on the map, in place of a stroke of the tool.

Panels that ask for an area of the map use it: ``pick.begin()``, and ``picked`` tells the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent

from app.canvas.canvas import MapCanvas
from app.qt_guard import guarded

if TYPE_CHECKING:
    from app.tools.pointer import Pointer
    from randomizer.model.grid.grid import Hit


NO_CELL = -1
"""The value of ``AreaPick.picked`` if no cell was picked."""


class AreaPick(QObject):
    """Waits for one click of any button, or Enter, on a canvas; the tool does not get it."""

    picked = Signal(int)
    """The cell that was clicked, or at which Enter was pressed; ``NO_CELL`` for none.

    There is none after Escape, after a click outside the map, and after ``cancel``.
    """

    def __init__(self, canvas: MapCanvas, parent: QObject) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._is_waiting = False
        """True from ``begin`` until something is picked."""

    def begin(self) -> None:
        """Take the next click or Enter on the map; arrow keys still move the keyboard cursor."""
        self._is_waiting = True
        self._canvas.removeEventFilter(self)  # ``begin`` may be called twice
        self._canvas.installEventFilter(self)
        self._canvas.setCursor(Qt.CursorShape.PointingHandCursor)
        self._canvas.setFocus()

    def cancel(self) -> None:
        """Stop waiting for a click, and emit ``NO_CELL``; nothing if none was awaited."""
        if self._is_waiting:
            self.end(NO_CELL)

    def end(self, cell: int) -> None:
        """End the picking with a cell, or with ``NO_CELL``."""
        self._is_waiting = False
        self._canvas.removeEventFilter(self)
        self._canvas.input.update_cursor_shape()
        self.picked.emit(cell)

    def _end_at(self, target: Hit | Pointer | None) -> None:
        """End the picking with the cell that was clicked or pointed at, None for none."""
        if target is None:
            self.end(NO_CELL)
        else:
            self.end(target.cell)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take presses of the mouse, and of Escape and Enter, away from the canvas."""
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            hit = self._canvas.hit_at(event.position())
            self._end_at(hit)
            return True
        if isinstance(event, QKeyEvent):
            is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            is_escape = event.key() == Qt.Key.Key_Escape
            # Taken are the releases, too, and ShortcutOverride, by which Qt asks whether the key
            # is a shortcut: accepted, it is none.
            is_press = event.type() == QEvent.Type.KeyPress
            if is_press and is_escape:
                self.end(NO_CELL)
            elif is_press and is_enter:
                pointer = self._canvas.active_tool.pointer
                self._end_at(pointer)
            if is_enter or is_escape:
                event.accept()
                return True
        return super().eventFilter(watched, event)
