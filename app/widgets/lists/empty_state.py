"""A hint in an empty list: what to do to fill it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractItemView, QLabel

from app.qt_guard import connect, guarded

GAP = 12
"""The margin in logical pixels."""


class EmptyState(QLabel):
    """A greyed text below the rows of a list that has at most ``rows`` of them."""

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
        model = self._view.model()
        count = model.rowCount()
        self.setVisible(count <= self._rows)
        self._view.setAccessibleDescription(self.text() if count <= self._rows else "")
        if count > self._rows:
            return  # visualRect is slow while thousands of rows are added
        if count:
            last = self._view.visualRect(model.index(count - 1, 0)).bottom()
        else:
            last = 0
        room = self._view.viewport().rect().adjusted(GAP, last + GAP // 2, -GAP, 0)
        self.setGeometry(room)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._show()
        return super().eventFilter(watched, event)
