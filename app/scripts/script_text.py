"""The text of a script with its own undo, places by line and column, fixes."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout

from app.qt_guard import connect
from randomizer.model.problems import Fix


def units(text: str) -> int:
    """Return how many UTF-16 code units ``text`` has: Qt counts them, not characters."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


class ScriptText(QTextDocument):
    """The text as it is now; it is modified if it was edited since it was opened or saved.

    Lines and columns count from 1, columns in characters; a *position* counts UTF-16 code units
    from 0, as Qt does. ``edited()``: the text is another one (``contentsChanged`` comes for new
    colours too). ``typed()``: the same, and it was the user who edited it.
    """

    edited = Signal()
    typed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setDocumentLayout(QPlainTextDocumentLayout(self))  # else no plain editor takes it
        self._last = ""
        self._is_replaced = False
        connect(self.contentsChanged, self._tell_edited)

    def text(self) -> str:
        """Return the text, lines ended by LF; no character is replaced by a likely one."""
        return self.toRawText().replace("\u2029", "\n")

    def show(self, text: str) -> None:
        """Begin with this text: unmodified, nothing to undo."""
        self._is_replaced = True
        self.setPlainText(text)
        self._is_replaced = False
        self.setModified(False)

    def replace(self, text: str) -> None:
        """Take what the script's file holds now: unmodified, one step of undo.

        Only what differs is replaced, so that cursors stay with their words.
        """
        old = self.text()
        start = _in_common(old, text)
        same = _in_common(old[start:][::-1], text[start:][::-1])
        cursor = QTextCursor(self)
        cursor.setPosition(units(old[:start]))
        cursor.setPosition(units(old[: len(old) - same]), QTextCursor.MoveMode.KeepAnchor)
        self._is_replaced = True
        cursor.insertText(text[start : len(text) - same])
        self._is_replaced = False
        self.setModified(False)

    def apply_fix(self, fix: Fix) -> None:
        """Make the fix's edits, as one step of undo."""
        spans = sorted(
            (
                self.position(edit.line, edit.column),
                self.position(edit.end_line, edit.end_column),
                edit.replacement,
            )
            for edit in fix.edits
        )
        cursor = QTextCursor(self)
        cursor.beginEditBlock()
        for start, end, replacement in reversed(spans):
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText(replacement)
        cursor.endEditBlock()

    def position(self, line: int, column: int) -> int:
        """Return the position of a line and column; places beyond the text become its end."""
        block = self.findBlockByNumber(line - 1)
        if not block.isValid():
            return self.characterCount() - 1
        return block.position() + units(block.text()[: column - 1])

    def place_of(self, position: int) -> tuple[int, int]:
        """Return the line and the column of a position."""
        block = self.findBlock(position)
        units_before = position - block.position()
        bytes_before = block.text().encode("utf-16-le", "surrogatepass")[: 2 * units_before]
        return block.blockNumber() + 1, len(bytes_before.decode("utf-16-le", "surrogatepass")) + 1

    def selection(
        self, line: int, column: int, end_line: int | None = None, end_column: int | None = None
    ) -> QTextCursor:
        """Return a cursor that selects a place of the text; without an end it selects nothing."""
        cursor = QTextCursor(self)
        start = self.position(line, column)
        end = start
        if end_line is not None and end_column is not None:
            end = max(start, self.position(end_line, end_column))
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _tell_edited(self) -> None:
        text = self.text()
        if text != self._last:
            self._last = text
            self.edited.emit()
            if not self._is_replaced:
                self.typed.emit()


def _in_common(one: str, other: str) -> int:
    """Return how many characters both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
