"""What stands in a list where there is nothing yet: words that say what to do."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractItemView, QLabel

GAP = 12
"""From the edge, in logical pixels."""


class EmptyState(QLabel):
    """Greyed words in a list with at most ``rows`` rows, below them."""

    def __init__(self, view: QAbstractItemView, words: str, rows: int = 0) -> None:
        super().__init__(words, view.viewport())
        self._view, self._rows = view, rows
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        view.viewport().installEventFilter(self)
        model = view.model()
        for signal in (model.rowsInserted, model.rowsRemoved, model.modelReset):
            signal.connect(self._show)
        self._show()

    def _show(self) -> None:
        model = self._view.model()
        count = model.rowCount()
        self.setVisible(count <= self._rows)
        self._view.setAccessibleDescription(self.text() if count <= self._rows else "")
        if count > self._rows:
            return  # where a row lies is dear to ask while thousands are added
        last = self._view.visualRect(model.index(count - 1, 0)).bottom() if count else 0
        room = self._view.viewport().rect().adjusted(GAP, last + GAP // 2, -GAP, 0)
        self.setGeometry(room)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The words follow the size of the list."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._show()
        return super().eventFilter(watched, event)
