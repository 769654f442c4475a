"""The log of a table's dice: a line for everything they decided, with the page's step numbers."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QBrush, QGuiApplication, QKeyEvent, QKeySequence, QPalette
from PySide6.QtWidgets import QAbstractItemView, QListView, QListWidget

from app.qt_guard import connect, guarded
from app.widgets.lists.empty_state import EmptyState

MARKED_ALPHA = 70
"""How strong the colour is behind lines about the area under the mouse (255: wholly)."""


class DiceLog(QListWidget):
    """``pointed(int)``: the line under the mouse, -1 when it has left. ``chosen(int)``: a line was
    clicked, or taken with Enter."""

    pointed = Signal(int)
    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Dice log")
        self.setWordWrap(True)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)  # it would cut lines that wrap
        self.setSpacing(1)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setMouseTracking(True)
        self.viewport().installEventFilter(self)
        connect(self.itemEntered, lambda item: self.pointed.emit(self.row(item)))
        connect(self.itemClicked, lambda item: self.chosen.emit(self.row(item)))
        connect(self.itemActivated, lambda item: self.chosen.emit(self.row(item)))
        EmptyState(self, "What the dice decide is told here, line by line, once they are thrown.")

    def set_lines(self, lines: Sequence[str]) -> None:
        """Show these lines; the same ones stay as they are."""
        if list(lines) != self.lines():
            self.clear()
            self.addItems(list(lines))

    def lines(self) -> list[str]:
        """Return the lines shown."""
        return [self.item(row).text() for row in range(self.count())]

    def mark(self, rows: Collection[int]) -> None:
        """Colour these lines, and bring the last of them into view."""
        colour = self.palette().color(QPalette.ColorRole.Highlight)
        colour.setAlpha(MARKED_ALPHA)
        for row in range(self.count()):
            item = self.item(row)
            marked = row in rows
            if marked != (item.background().style() != Qt.BrushStyle.NoBrush):
                item.setBackground(QBrush(colour) if marked else QBrush())
        if rows:
            self.scrollToItem(self.item(max(rows)))

    def show_line(self, row: int) -> None:
        """Make this the current line."""
        self.setCurrentRow(row)

    def copy(self) -> None:
        """Put the selected lines on the clipboard, or all of them if none are."""
        rows = sorted(self.row(item) for item in self.selectedItems())
        lines = self.lines()
        QGuiApplication.clipboard().setText(
            "\n".join(lines[row] for row in rows or range(len(lines)))
        )

    def copy_all(self) -> None:
        """Put all lines on the clipboard."""
        QGuiApplication.clipboard().setText("\n".join(self.lines()))

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Keep the keys that copy for the log while it has the keyboard."""
        if event.type() == QEvent.Type.ShortcutOverride:
            assert isinstance(event, QKeyEvent)
            if event.matches(QKeySequence.StandardKey.Copy):
                event.accept()
                return True
        return super().event(event)

    @guarded
    def keyPressEvent(self, event):  # type: ignore[no-untyped-def]
        """Copy the selected lines."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Mark no area when the mouse has left the lines."""
        if event.type() == QEvent.Type.Leave and watched is self.viewport():
            self.pointed.emit(-1)
        return super().eventFilter(watched, event)
