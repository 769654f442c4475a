"""The chip on the canvas that names the heat map, and takes it off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton

from app.qt_guard import connect, guarded
from app.widgets.builders import described, lay_out

if TYPE_CHECKING:
    from app.canvas.canvas import MapCanvas

GAP = 8
"""From the upper edge of the canvas, in logical pixels."""


class HeatChip(QFrame):
    """``say`` shows it with these words, "" hides it. ``closed()``: its button was pressed."""

    closed = Signal()

    def __init__(self, canvas: MapCanvas) -> None:
        # Beside the canvas, not in it: what scrolls the canvas leaves it alone.
        super().__init__(canvas.parentWidget() or canvas)
        self._canvas = canvas
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.words = QLabel()
        self.button = described(
            QToolButton(), "Take the colours off the map", "Take these colours off the map"
        )
        self.button.setText("\N{MULTIPLICATION SIGN}")
        self.button.setAutoRaise(True)
        connect(self.button.clicked, self.closed)
        lay_out(QHBoxLayout(self), self.words, self.button, margins=(8, 1, 2, 1), spacing=4)
        canvas.installEventFilter(self)
        self.hide()

    def say(self, words: str) -> None:
        """Name what is shown."""
        self.words.setText(words)
        self.setVisible(bool(words))
        self._place()

    def _place(self) -> None:
        if self.isHidden():
            return
        size, canvas = self.sizeHint(), self._canvas
        inside = self.parentWidget() is canvas
        corner = QPoint(0, 0) if inside else canvas.geometry().topLeft()
        width = min(size.width(), canvas.width() - 2 * GAP)
        self.setGeometry(
            corner.x() + (canvas.width() - width) // 2, corner.y() + GAP, width, size.height()
        )
        self.raise_()

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The chip follows the canvas."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        return super().eventFilter(watched, event)
