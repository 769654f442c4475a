"""The text of a script: a Qt document with its own undo, positions by line and column, and fixes.

``ScriptDocument`` owns it, the editor shows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout

from app.qt_guard import connect
from randomizer.model.problems import Fix


def units(text: str) -> int:
    """Return the number of UTF-16 code units of a text: Qt counts them, not characters."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


class Place(NamedTuple):
    """A place in a text, before the character in this line and column; both count from 1."""

    line: int

    column: int


class ScriptText(QTextDocument):
    """The text as it is now; it is modified if it was edited since it was opened or saved.

    Lines and columns count from 1, columns in characters; a *position* counts UTF-16 code units
    from 0, as Qt does.
    """

    edited = Signal()
    """The text has changed. (``contentsChanged`` is emitted for new colours, too.)"""

    typed = Signal()
    """The text has changed, and it was the user who edited it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setDocumentLayout(QPlainTextDocumentLayout(self))  # QPlainTextEdit shows no other
        self._last_text = ""
        """The text for which ``edited`` was emitted last."""
        self._is_replaced = False
        """True while the program replaces the text: ``typed`` is not emitted then."""
        connect(self.contentsChanged, self._tell_edited)

    def text(self) -> str:
        """Return the text, its lines ended by LF."""
        # Not toPlainText, which makes other spaces of no-break spaces.
        return self.toRawText().replace("\u2029", "\n")

    def show(self, text: str) -> None:
        """Begin with this text: unmodified, without steps of undo."""
        with self._replacing():
            self.setPlainText(text)
        self.setModified(False)

    @contextmanager
    def _replacing(self) -> Iterator[None]:
        """Within the ``with`` the program replaces the text: ``typed`` is not emitted."""
        self._is_replaced = True
        try:
            yield
        finally:
            self._is_replaced = False

    def replace(self, text: str) -> None:
        """Replace the text by that of the script's file: unmodified, as one step of undo.

        A caller whose text is not that of the file calls ``setModified`` after this. Only the part
        that differs is replaced, so that cursors stay with their words.
        """
        old_text = self.text()
        start = _common_length(old_text, text)
        # The common end is searched behind the common beginning, so that they do not overlap.
        same_at_end = _common_length(old_text[start:][::-1], text[start:][::-1])
        old_end = len(old_text) - same_at_end
        cursor = QTextCursor(self)
        cursor.setPosition(units(old_text[:start]))
        cursor.setPosition(units(old_text[:old_end]), QTextCursor.MoveMode.KeepAnchor)
        with self._replacing():
            cursor.insertText(text[start : len(text) - same_at_end])
        self.setModified(False)

    def apply_fix(self, fix: Fix) -> None:
        """Make the fix's edits, as one step of undo."""
        replacements = []
        for edit in fix.edits:
            start = self.position(edit.line, edit.column)
            end = self.position(edit.end_line, edit.end_column)
            replacements.append((start, end, edit.replacement))
        cursor = QTextCursor(self)
        cursor.beginEditBlock()
        # From the last one on, so that the positions of the others stay right.
        for start, end, replacement in sorted(replacements, reverse=True):
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText(replacement)
        cursor.endEditBlock()

    def position(self, line: int, column: int) -> int:
        """Return the position of a line and column.

        A line beyond the last one gives the end of the text, a column beyond the end of its line
        that end.
        """
        block = self.findBlockByNumber(line - 1)
        if not block.isValid():
            return self.characterCount() - 1  # Qt counts a line end after the last line, too
        return block.position() + units(block.text()[: column - 1])

    def line_and_column(self, position: int) -> Place:
        """Return the line and the column of a position."""
        block = self.findBlock(position)
        units_before = position - block.position()
        # A code unit is two bytes. A position within a character of two units has half of it, which
        # "surrogatepass" lets through as one character.
        bytes_before = block.text().encode("utf-16-le", "surrogatepass")[: 2 * units_before]
        text_before = bytes_before.decode("utf-16-le", "surrogatepass")
        return Place(block.blockNumber() + 1, len(text_before) + 1)

    def selection(
        self, line: int, column: int, end_line: int | None = None, end_column: int | None = None
    ) -> QTextCursor:
        """Return a cursor that selects the text up to an end; without one it selects nothing.

        ``end_line`` and ``end_column`` are given together, or neither.
        """
        cursor = QTextCursor(self)
        start = self.position(line, column)
        end = start
        if end_line is not None and end_column is not None:
            end = max(start, self.position(end_line, end_column))
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _tell_edited(self) -> None:
        """Emit ``edited``, and ``typed`` if the user did it, unless only colours have changed."""
        text = self.text()
        if text == self._last_text:
            return
        self._last_text = text
        self.edited.emit()
        if not self._is_replaced:
            self.typed.emit()


def _common_length(first: str, second: str) -> int:
    """Return the length of the longest text with which both begin, in characters."""
    for index, (first_character, second_character) in enumerate(zip(first, second, strict=False)):
        if first_character != second_character:
            return index
    return min(len(first), len(second))
