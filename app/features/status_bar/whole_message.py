"""The label for a message that is too long for the status bar.

Qt cuts such a message off without a sign, so that its end cannot be read.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QStatusBar, QWidget

from app.qt_guard import connect, guarded
from app.widgets.layout.elided_label import ElidedLabel

MARGIN = 6
"""The space that the bar leaves at each end of its message, in logical pixels."""

MARGINS = 3
"""A message is elided if fewer margins than these are left: one more than its two ends need."""


class WholeMessage(ElidedLabel):
    """Shows a message that the status bar would cut off: elided, and whole as the tool tip.

    It lies over the message that the bar shows itself, and over nothing else: the widgets at the
    right end of the bar stay in sight.
    """

    def __init__(self, bar: QStatusBar) -> None:
        super().__init__(parent=bar)
        self._bar = bar
        self.setObjectName("whole-message")
        self.setContentsMargins(MARGIN, 0, MARGIN, 0)
        self.setAutoFillBackground(True)
        self.hide()
        connect(bar.messageChanged, self._show_message)
        bar.installEventFilter(self)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the message to another width of the bar."""
        if event.type() == QEvent.Type.Resize:
            self._show_message(self._bar.currentMessage())
        return super().eventFilter(watched, event)

    def _show_message(self, text: str) -> None:
        """Show a message of the bar elided if the bar would cut it off, else hide this label."""
        width = self._width_for_messages()
        text_width = self._bar.fontMetrics().horizontalAdvance(text)
        has_room = text_width <= width - MARGINS * MARGIN
        self.setVisible(not has_room)
        if has_room:
            return
        self.setText(text)
        self.setGeometry(0, 0, width, self._bar.height())
        self.raise_()

    def _width_for_messages(self) -> int:
        """Return how far a message can reach: as far as the leftmost of the permanent widgets.

        Qt hides the other widgets of the bar while it shows a message.
        """
        width = self._bar.width()
        direct_only = Qt.FindChildOption.FindDirectChildrenOnly
        for widget in self._bar.findChildren(QWidget, options=direct_only):
            if widget is not self and widget.isVisible():
                width = min(width, widget.x())
        return width
