"""Completion in the editor of a script."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRect
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from app.qt_guard import connect
from app.widgets.forms.completer import Completer
from app.widgets.forms.completion_list import CompletionList
from randomizer.languages.language import Completion, SourceText


class ScriptCompleter(Completer):
    """``source`` gives the text with its further texts, ``place`` line and column of the cursor."""

    def __init__(
        self,
        editor: QPlainTextEdit,
        place: Callable[[], tuple[int, int]],
        source: Callable[[], SourceText],
    ) -> None:
        super().__init__(editor.viewport(), CompletionList(editor))
        self._view = editor
        self._place = place
        self._source = source
        connect(editor.cursorPositionChanged, self.cursor_moved)
        connect(editor.verticalScrollBar().valueChanged, self.close)

    def around_cursor(self) -> tuple[str, str]:
        cursor = self._view.textCursor()
        line = cursor.block().text()
        column = self._place()[1]
        return line[: column - 1], line[column - 1 :]

    def caret(self) -> QRect:
        return self._view.cursorRect()

    def completions(self) -> Sequence[Completion]:
        if self._view.textCursor().hasSelection():
            return ()
        return self.language.completions(self._source(), *self._place())

    def write(self, text: str, replaces: int) -> None:
        cursor = self._view.textCursor()
        keep = QTextCursor.MoveMode.KeepAnchor
        cursor.movePosition(QTextCursor.MoveOperation.Left, keep, replaces)
        cursor.insertText(text)
        self._view.setTextCursor(cursor)
