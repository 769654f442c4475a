"""A line with a list below it: a few letters find a row, Enter takes it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.qt_guard import connect, guarded
from app.widgets.layout.builders import described, lay_out

ROWS = 14
"""How many rows are seen at once."""

_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class QuickList(QDialog):
    """A subclass gives the rows that fit the letters (``items``) and takes the chosen one."""

    def __init__(self, parent: QWidget, title: str, hint: str, line: str, rows: str) -> None:
        """``line`` and ``rows`` are the names of the line and the list for screen readers."""
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self._parent = parent
        self.line = described(QLineEdit(), line)
        self.line.setPlaceholderText(hint)
        connect(self.line.textChanged, self.fill)
        self.line.installEventFilter(self)
        self.list = described(QTreeWidget(), rows)
        self.list.setHeaderHidden(True)
        self.list.setColumnCount(2)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        connect(self.list.itemClicked, lambda _item: self.run())
        lay_out(QVBoxLayout(self), self.line, self.list)

    def items(self, letters: str) -> list[QTreeWidgetItem]:
        """Return the rows that fit the letters, the best first."""
        raise NotImplementedError

    def run(self) -> None:
        """Close, and do what the chosen row says."""
        raise NotImplementedError

    def fill(self, letters: str) -> None:
        """Show the rows that fit the letters; the first that can be chosen is."""
        self.list.clear()
        items = self.items(letters)
        self.list.addTopLevelItems(items)
        for item in items:
            if not item.isDisabled():
                self.list.setCurrentItem(item)
                return

    def place(self) -> None:
        """Fill the list and lie at the top of the window, in its middle."""
        self.fill("")
        parent = self._parent
        row = max(self.list.sizeHintForRow(0), self.fontMetrics().height())
        width = min(620, parent.width())
        self.resize(width, (ROWS + 3) * row)
        self.move(parent.mapToGlobal(parent.rect().topLeft()))
        self.move(self.x() + (parent.width() - width) // 2, self.y() + parent.height() // 10)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and down move in the list while the letters are written; Enter runs."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in _MOVES:
                self.list.keyPressEvent(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.run()
                return True
        return super().eventFilter(watched, event)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """A click elsewhere closes it."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow():
            self.reject()
