"""When words that fit are offered while one types, and which keys take one.

While one types, words are offered that begin with what is written (two letters at least), until it
is one of them: so Enter ends a line whenever a word is complete. On request (Ctrl+Space) everything
that fits is offered, also words that hold what is written somewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from app.features.script.completion_list import CompletionList
from app.qt_guard import connect
from app.scripts.script_text import ScriptText
from randomizer.languages.language import PLAIN_TEXT, Completion

LEAST = 2
"""So many letters are written before words are offered unasked."""

_STEPS = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -7,
    Qt.Key.Key_PageDown: 7,
}
_TAKING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)
_DELETING = (Qt.Key.Key_Backspace, Qt.Key.Key_Delete)


class ScriptCompleter(QObject):
    """Offers words of ``language`` in one editor, which asks it about every key.

    ``said(str)``: something to say in passing.
    """

    said = Signal(str)

    def __init__(
        self,
        editor: QPlainTextEdit,
        text: ScriptText,
        further_texts: Callable[[], Mapping[str, str]],
    ) -> None:
        """``further_texts`` gives those of the script's further files by name."""
        super().__init__(editor)
        self._further_texts = further_texts
        self._editor, self._text = editor, text
        self.language = PLAIN_TEXT
        self._asked = False
        self._typing = False
        self._before = 0
        self.list = CompletionList(editor)
        connect(self.list.chosen, self.take)
        connect(editor.cursorPositionChanged, self._on_moved)
        connect(editor.verticalScrollBar().valueChanged, self.close)

    @property
    def open(self) -> bool:
        """Whether words are offered now."""
        return self.list.isVisible()

    def wants(self, event: QKeyEvent) -> bool:
        """Whether a key is about the list, so that no menu may have it."""
        plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        )
        known = (*_STEPS, *_TAKING, Qt.Key.Key_Escape)
        return self.open and plain and event.key() in known

    def press(self, event: QKeyEvent) -> bool:
        """Let the list have a key; whether it took it."""
        if not self.wants(event):
            return False
        step = _STEPS.get(Qt.Key(event.key()))
        if step is not None:
            self.list.step(step)
        elif event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            self.take()
        return True

    def begin_typing(self) -> None:
        """A key goes to the text: the cursor moves because of it."""
        self._typing = True
        self._before = self._editor.textCursor().position()

    def end_typing(self, event: QKeyEvent) -> None:
        """The key has been written: offer what fits now."""
        self._typing = False
        written = event.text()
        if written and (written.isalnum() or written in "._-*"):
            self._offer(asked=self.open and self._asked)
        elif self.open and event.key() in _DELETING:
            self._offer(asked=self._asked)
        elif written or self._before != self._editor.textCursor().position():
            self.close()

    def ask(self) -> None:
        """Offer everything that fits, or say that nothing is known to."""
        self._offer(asked=True)
        if not self.open:
            self.said.emit("No word is known to fit here")

    def _offer(self, *, asked: bool) -> None:
        found = self._fitting(asked=asked)
        self._asked = asked
        if not found:
            self.close()
            return
        editor = self._editor
        caret = editor.cursorRect()
        corner = editor.viewport().mapToGlobal(caret.topLeft())
        self.list.offer(found, QRect(corner, caret.size()))

    def _fitting(self, *, asked: bool) -> tuple[Completion, ...]:
        cursor = self._editor.textCursor()
        if cursor.hasSelection():
            return ()
        text, place = self._text.text(), self._text.place_of(cursor.position())
        found = self.language.completions(text, *place, self._further_texts())
        if asked or not found:
            return found
        count = found[0].replaces
        if count < LEAST:
            return ()
        written = cursor.block().text()[: cursor.positionInBlock()][-count:]
        if any(completion.word == written for completion in found):
            return ()
        begun = written.casefold()
        return tuple(found for found in found if found.word.casefold().startswith(begun))

    def take(self) -> None:
        """Write the chosen word in the place of what is written of it; one step of Undo."""
        chosen = self.list.current
        self.close()
        if chosen is None:
            return
        cursor = self._editor.textCursor()
        keep = QTextCursor.MoveMode.KeepAnchor
        cursor.movePosition(QTextCursor.MoveOperation.Left, keep, chosen.replaces)
        text = chosen.text
        behind = cursor.block().text()[cursor.selectionEnd() - cursor.block().position() :]
        if text[-1] in " (" and behind.startswith(text[-1]):
            text = text[:-1]
        cursor.insertText(text)
        self._editor.setTextCursor(cursor)

    def close(self) -> None:
        """Offer nothing any more."""
        self.list.hide()

    def _on_moved(self) -> None:
        if not self._typing:
            self.close()
