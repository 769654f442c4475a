"""The base of dialogs that find something by a few letters: a line with a list below it.

*Find a command* and *Go to* are made from it. The letters are typed in the line; Up and Down choose
a row of the list, and Enter runs it.
"""

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
"""The number of rows that are seen at once."""

LINE_ROWS = 3
"""The height of the line and the margins, in rows of the list."""

WIDTH = 620
"""The width of the dialog in logical pixels; a narrower window has a dialog of its own width."""

TOP_SHARE = 0.1
"""The distance of the dialog from the top of the window, as a share of the window's height."""

_LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
"""The keys that go through the list while the line has the keyboard."""


class QuickList(QDialog):
    """A line to type letters in, and a list of the rows that fit them.

    A subclass implements ``items``, which returns these rows, and ``run``, which does what the
    chosen row says. After it is made ``place`` fills it and moves it to the window. The dialog
    closes when a click goes elsewhere, and deletes itself.
    """

    def __init__(self, parent: QWidget, *, title: str, hint: str, line: str, rows: str) -> None:
        """Make the dialog of the window ``parent``.

        ``hint`` is the text in the empty line. ``line`` and ``rows`` are the names that screen
        readers say for the line and for the list.
        """
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

    # --- what a subclass implements --------------------------------------------------------

    def items(self, letters: str) -> list[QTreeWidgetItem]:
        """Return the rows that fit the letters, the best first."""
        raise NotImplementedError

    def run(self) -> None:
        """Close (``accept``), and do what the chosen row says."""
        raise NotImplementedError

    # --- what it does itself ----------------------------------------------------------------

    def fill(self, letters: str) -> None:
        """Show the rows that fit the letters, and choose the first that can be chosen."""
        self.list.clear()
        items = self.items(letters)
        self.list.addTopLevelItems(items)
        for item in items:
            if not item.isDisabled():
                self.list.setCurrentItem(item)
                return

    def place(self) -> None:
        """Fill the list, and move near the top of the window, in the middle of its width.

        The last call when the dialog is made: its height depends on that of the first row.
        """
        self.fill("")
        parent = self._parent
        row_height = max(self.list.sizeHintForRow(0), self.fontMetrics().height())
        width = min(WIDTH, parent.width())
        self.resize(width, (ROWS + LINE_ROWS) * row_height)
        corner = parent.mapToGlobal(parent.rect().topLeft())
        left = corner.x() + (parent.width() - width) // 2
        top = corner.y() + int(parent.height() * TOP_SHARE)
        self.move(left, top)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Give the list its keys while the line has the keyboard, and run a row by Enter."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in _LIST_KEYS:
                self.list.keyPressEvent(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.run()
                return True
        return super().eventFilter(watched, event)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Close when another window becomes active: a click went elsewhere."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow():
            self.reject()
