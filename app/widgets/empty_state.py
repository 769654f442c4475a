"""What stands where there is nothing yet: words that say what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractItemView, QFrame, QLabel, QVBoxLayout

from app.commands import commands, keys_in_words
from randomizer.battlemap import is_blank

if TYPE_CHECKING:
    from app.main_window import MainWindow

GAP = 12
"""From the edge, in logical pixels."""

WIDTH = 280
"""Of the words about an empty map, in logical pixels."""


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
        last = self._view.visualRect(model.index(count - 1, 0)).bottom() if count else 0
        room = self._view.viewport().rect().adjusted(GAP, last + GAP // 2, -GAP, 0)
        self.setGeometry(room)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The words follow the size of the list."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._show()
        return super().eventFilter(watched, event)


class EmptyMap(QFrame):
    """A card in the corner of an empty map: how to begin. Clicks go through it."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window.canvas.parentWidget())  # what scrolls the canvas leaves it alone
        self._window, self._canvas = window, window.canvas
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._label = QLabel()
        self._label.setWordWrap(True)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._label)
        self._canvas.installEventFilter(self)
        document = window.document
        document.map_replaced.connect(self._show)
        document.changed.connect(lambda _region: self._show() if self.isVisible() else None)
        self._show()

    def _show(self) -> None:
        document = self._window.document
        empty = all(is_blank(plane) for plane in document.composite.planes.values())
        self.setVisible(empty and len(document.battlemap.layers) == 1)
        if not self.isVisible():
            return
        keys = {command.name: keys_in_words(command.action) for command in commands(self._window)}
        self._label.setText(
            "This map is empty. Choose a terrain in the Palette and paint with the left button, "
            f"press {keys['script.roll'] or 'Roll'} to let the script roll a map, or drop a map "
            "or a script here."
        )
        self._place()

    def _place(self) -> None:
        canvas = self._canvas
        width = min(WIDTH, canvas.width() - 2 * GAP)
        height = self._column.heightForWidth(width)
        corner = canvas.geometry().bottomLeft() + QPoint(GAP, -height - GAP)
        self.setGeometry(QRect(corner, QSize(width, height)))
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The card follows the canvas."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)
