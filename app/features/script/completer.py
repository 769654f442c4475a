"""Completion in the editor of a script: offers the words that fit at the cursor.

``Completer`` decides when to offer and handles the list of words; here is what it needs to know of
the editor, and what it writes there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRect
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from app.qt_guard import connect
from app.widgets.forms.completer import Completer, CursorTexts
from app.widgets.forms.completion_list import CompletionList
from randomizer.languages.language import Completion, SourceText


class ScriptCompleter(Completer):
    """The completer of one editor.

    ``line_and_column`` returns those of the cursor, from 1; ``source`` returns the text, with those
    of further files that it uses.
    """

    def __init__(
        self,
        editor: QPlainTextEdit,
        line_and_column: Callable[[], tuple[int, int]],
        source: Callable[[], SourceText],
    ) -> None:
        super().__init__(editor.viewport(), CompletionList(editor))
        self._view = editor
        self._line_and_column = line_and_column
        self._source = source
        connect(editor.cursorPositionChanged, self.cursor_moved)
        connect(editor.verticalScrollBar().valueChanged, self.close)

    def cursor_texts(self) -> CursorTexts:
        """Return the line of the cursor."""
        cursor = self._view.textCursor()
        line = cursor.block().text()
        _line_number, column = self._line_and_column()
        return CursorTexts(line[: column - 1], line[column - 1 :])

    def caret(self) -> QRect:
        """Return the box of the cursor, below which the list of words opens."""
        return self._view.cursorRect()

    def completions(self) -> Sequence[Completion]:
        """Return what the language offers at the cursor; nothing while text is selected."""
        if self._view.textCursor().hasSelection():
            return ()
        return self.language.completions(self._source(), *self._line_and_column())

    def write(self, text: str, replaces: int) -> None:
        """Write a word at the cursor; it replaces so many letters before the cursor."""
        cursor = self._view.textCursor()
        keep_anchor = QTextCursor.MoveMode.KeepAnchor
        cursor.movePosition(QTextCursor.MoveOperation.Left, keep_anchor, replaces)
        cursor.insertText(text)
        self._view.setTextCursor(cursor)
