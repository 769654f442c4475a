"""A hint in an empty list, which says what to do to fill it.

EmptyState(self.rows, "No problems")        # it lives as long as the list
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractItemView, QLabel

from app.qt_guard import connect, guarded

GAP = 12
"""The margin of the text, in logical pixels."""


class EmptyState(QLabel):
    """A greyed text below the rows of a list, while it has at most ``rows`` of them."""

    def __init__(self, view: QAbstractItemView, words: str, rows: int = 0) -> None:
        super().__init__(words, view.viewport())
        self._view = view
        self._rows = rows
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
        """Show the text below the last row, or hide it if the list has more rows."""
        model = self._view.model()
        count = model.rowCount()
        if count > self._rows:
            self.hide()
            self._view.setAccessibleDescription("")
            return  # visualRect is slow while thousands of rows are added
        self.show()
        self._view.setAccessibleDescription(self.text())
        bottom_of_rows = 0
        if count:
            bottom_of_rows = self._view.visualRect(model.index(count - 1, 0)).bottom()
        viewport = self._view.viewport().rect()
        self.setGeometry(viewport.adjusted(GAP, bottom_of_rows + GAP // 2, -GAP, 0))

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the list."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._show()
        return super().eventFilter(watched, event)
