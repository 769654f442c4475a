"""The whole of a message for which the status bar has no room."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QLabel, QStatusBar, QWidget

from app.qt_guard import connect, guarded

MARGINS = 18
"""What the bar leaves free at both ends of its message, in logical pixels."""


class WholeMessage(QLabel):
    """Shows a message of the status bar in several lines, over it, while that cuts it off.

    ``permanent`` are the widgets at the right end of the bar.
    """

    def __init__(self, bar: QStatusBar, permanent: Sequence[QWidget]) -> None:
        super().__init__(bar.window())
        self._bar = bar
        self._permanent = tuple(permanent)
        self.setObjectName("whole-message")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setMargin(4)
        self.setAutoFillBackground(True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        connect(bar.messageChanged, self._show_message)
        bar.installEventFilter(self)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The bar has another width, or stands elsewhere."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._show_message(self._bar.currentMessage())
        return super().eventFilter(watched, event)

    def _show_message(self, text: str) -> None:
        ends = [widget.x() for widget in self._permanent if widget.isVisible()]
        width = min([self._bar.width(), *ends])
        fits = self._bar.fontMetrics().horizontalAdvance(text) <= width - MARGINS
        self.setVisible(not fits)
        if fits:
            return
        self.setText(text)
        height = self.heightForWidth(width)
        bar = self._bar.geometry()
        self.setGeometry(bar.x(), bar.bottom() + 1 - height, width, height)
        self.raise_()
