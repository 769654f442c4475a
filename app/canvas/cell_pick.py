"""One click, or Enter, on the map that names an area, instead of being a stroke of the tool."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent

from app.canvas.canvas import MapCanvas


class AreaPick(QObject):
    """``picked(int)``: the area that was clicked or at which Enter was pressed, -1 if none was
    (Escape, a click beside)."""

    picked = Signal(int)

    def __init__(self, canvas: MapCanvas, parent: QObject) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._wanted = False

    def begin(self) -> None:
        """The next click on the map is ours, and Enter; the arrow keys go on choosing."""
        self._wanted = True
        self._canvas.removeEventFilter(self)  # it may be asked for twice
        self._canvas.installEventFilter(self)
        self._canvas.setCursor(Qt.CursorShape.PointingHandCursor)
        self._canvas.setFocus()

    def leave(self) -> None:
        """No area is wanted any more."""
        if self._wanted:
            self._end(-1)

    def _end(self, cell: int) -> None:
        self._wanted = False
        self._canvas.removeEventFilter(self)
        self._canvas.hand.show_cursor()
        self.picked.emit(cell)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The click, Enter, or Escape."""
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            hit = self._canvas.hit_at(event.position())
            self._end(-1 if hit is None else hit.cell)
            return True
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.KeyPress:
                self._end(-1)
            return True
        if isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.type() == QEvent.Type.KeyPress:
                aim = self._canvas.hand.aim
                self._end(-1 if aim is None else aim.cell)
            return True
        return super().eventFilter(watched, event)
