"""A hint in an empty list: what to do to fill it, also read aloud by screen readers."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractItemView, QLabel

from app.qt_guard import connect, guarded

GAP = 12
"""The margin in logical pixels."""


class EmptyState(QLabel):
    """A greyed text below the rows of a list that has at most ``most_rows`` of them."""

    def __init__(self, view: QAbstractItemView, text: str, most_rows: int = 0) -> None:
        super().__init__(text, view.viewport())
        self._view = view
        self._most_rows = most_rows
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        view.viewport().installEventFilter(self)
        model = view.model()
        for signal in (model.rowsInserted, model.rowsRemoved, model.modelReset):
            connect(signal, self._show)
        self._show()

    def _show(self) -> None:
        """Show the text below the last row, or hide it if there are too many rows."""
        model = self._view.model()
        count = model.rowCount()
        if count > self._most_rows:
            self.hide()
            self._view.setAccessibleDescription("")
            return  # visualRect is slow while thousands of rows are added
        self.show()
        self._view.setAccessibleDescription(self.text())
        top = 0
        if count:
            top = self._view.visualRect(model.index(count - 1, 0)).bottom()
        room = self._view.viewport().rect().adjusted(GAP, top + GAP // 2, -GAP, 0)
        self.setGeometry(room)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._show()
        return super().eventFilter(watched, event)
