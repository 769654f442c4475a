"""A field for a text of several lines, such as that of a note."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QPlainTextEdit

from app.qt_guard import connect, guarded

LONG_TEXT_MARGIN = 10
"""The height of a field of several lines without these and its frame, in logical pixels."""


class LongText(QPlainTextEdit):
    """A field for a text of several lines, of ``most`` characters at most; Tab leaves it."""

    editingFinished = Signal()
    """The field has lost the keyboard, but not to its own menu; as that of a ``QLineEdit``."""

    def __init__(self, lines: int, most: int) -> None:
        super().__init__()
        self._most = most
        self.setTabChangesFocus(True)
        text_height = lines * self.fontMetrics().lineSpacing()
        self.setFixedHeight(text_height + 2 * self.frameWidth() + LONG_TEXT_MARGIN)
        connect(self.textChanged, self._cut)

    def is_modified(self) -> bool:
        """Return whether something was typed since the text was set or committed."""
        return self.document().isModified()

    def commit(self) -> None:
        """Report what was typed, as if the field were left; nothing if nothing was typed."""
        if self.is_modified():
            self.editingFinished.emit()
            self.document().setModified(False)

    def _cut(self) -> None:
        """Remove what is beyond the most characters."""
        if len(self.toPlainText()) > self._most:
            cursor = self.textCursor()
            cursor.setPosition(self._most)
            cursor.movePosition(cursor.MoveOperation.End, cursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.editingFinished.emit()
