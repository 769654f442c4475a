"""Completion of words in a text: when words are offered, and which keys write one.

While a person types, the words are offered that begin with what is written, until it is one of
them: so Enter does what it always does whenever a word is complete. On request (Ctrl+Space) all
words that fit are offered, also those that have what is written in their middle.

The words are shown by a ``CompletionList``. ``Completer`` is the base of one for each kind of
editor: ``features/script/completer.py`` and ``language_field.py`` beside this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.qt_guard import connect
from app.widgets.forms.completion_list import ROWS, CompletionList
from randomizer.languages.language import PLAIN_TEXT, Completion

_PAGE_ROWS = ROWS - 1
"""The rows of a page of the list: one stays in sight when a key goes to the next page."""

_STEPS = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -_PAGE_ROWS,
    Qt.Key.Key_PageDown: _PAGE_ROWS,
}
"""The keys that go through the list, and by how many rows."""

_FOLLOWING_SIGNS = (" ", "(")
"""The signs that a completion may write after its word."""

_WRITING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)
"""The keys that write the current word of the list."""

_DELETING = (Qt.Key.Key_Backspace, Qt.Key.Key_Delete)
"""The keys after which the list is made anew for what is still written."""


class CursorTexts(NamedTuple):
    """The text of the line in which the cursor stands."""

    before: str
    """The text before the cursor."""

    after: str
    """The text after it."""


class Completer(QObject):
    """Offers words of ``language`` in one editor.

    The editor hands each event of a key to ``handle_key``. If the key was not for the list, the
    editor calls ``begin_typing``, handles the key itself, and calls ``end_typing``; briefly::

        def event(self, event):
            return completer.handle_key(event) or super().event(event)

        def keyPressEvent(self, event):
            completer.begin_typing()
            super().keyPressEvent(event)
            completer.end_typing(event)

    A subclass for a kind of editor implements the methods about its text.
    """

    reported = Signal(str)
    """A message for the status bar."""

    min_letters = 2
    """The number of written letters from which on words are offered without a request."""

    def __init__(self, editor: QWidget, completion_list: CompletionList) -> None:
        super().__init__(editor)
        self.language = PLAIN_TEXT
        self.list = completion_list
        self._editor = editor
        self._is_requested = False
        """True if the words of the list were requested, so that all that fit are offered."""
        self._is_typing = False
        """True while the editor handles a key."""
        self._texts_before_key = CursorTexts("", "")
        """The line of the cursor when the editor began to handle a key."""
        connect(self.list.chosen, self.write_current)

    # --- implemented by subclasses ----------------------------------------------------------

    def cursor_texts(self) -> CursorTexts:
        """Return the line of the cursor."""
        raise NotImplementedError

    def caret(self) -> QRect:
        """Return the rectangle of the cursor, in the coordinates of the editor."""
        raise NotImplementedError

    def completions(self) -> Sequence[Completion]:
        """Return what can stand before the cursor, the best first.

        All of them replace the same number of characters: the letters that are written of the word.
        """
        raise NotImplementedError

    def write(self, text: str, replaces: int) -> None:
        """Write a text in place of ``replaces`` characters before the cursor, as one undo step."""
        raise NotImplementedError

    # --- keys -------------------------------------------------------------------------------

    @property
    def open(self) -> bool:
        """True if words are offered now."""
        return self.list.isVisible()

    def _is_for_list(self, event: QKeyEvent) -> bool:
        """Return whether a key is one for the open list: then no menu may have it."""
        if not self.open:
            return False
        if event.modifiers() not in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        ):
            return False
        key = event.key()
        if key in _WRITING:
            return self.list.current is not None
        return key in (*_STEPS, Qt.Key.Key_Escape)

    def handle_key(self, event: QKeyEvent) -> bool:
        """Do what a key does in the list; return False if the key is not for the list.

        Call this for each event of a key, before menus and the editor have it.
        """
        if not self._is_for_list(event):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # so that the key comes as a KeyPress and is no shortcut of a menu
        elif event.type() == QEvent.Type.KeyPress:
            self._press(event)
        else:
            return False
        return True

    def _press(self, event: QKeyEvent) -> None:
        """Go through the list, close it, or write its current word."""
        step = _STEPS.get(Qt.Key(event.key()))
        if step is not None:
            self.list.step(step)
        elif event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            self.write_current()

    def begin_typing(self) -> None:
        """Note that the editor begins to handle a key: the cursor will move because of it."""
        self._is_typing = True
        self._texts_before_key = self.cursor_texts()

    def end_typing(self, event: QKeyEvent) -> None:
        """Offer what fits after the editor has handled a key."""
        self._is_typing = False
        typed = event.text()
        # Some languages have words with other signs than letters and digits.
        continues_word = typed.isalnum() or (
            typed != "" and typed in self.language.completion_signs
        )
        if continues_word:
            self._offer(is_requested=self.open and self._is_requested)
        elif self.open and event.key() in _DELETING:
            self._offer(is_requested=self._is_requested)
        elif typed or self._texts_before_key != self.cursor_texts():
            self.close()

    def cursor_moved(self) -> None:
        """Close the list if the cursor was moved otherwise than by typing."""
        if not self._is_typing:
            self.close()

    # --- offering ---------------------------------------------------------------------------

    def offer_all(self) -> None:
        """Offer all words that fit, as the user requests, or say that none is known."""
        self._offer(is_requested=True)
        if not self.open:
            self.reported.emit("No word is known to fit here")

    def _offer(self, *, is_requested: bool) -> None:
        """Show the words that fit below the cursor; close the list if there are none."""
        fitting = self._fitting(is_requested=is_requested)
        self._is_requested = is_requested
        if not fitting:
            self.close()
            return
        caret = self.caret()
        self.list.offer(fitting, QRect(self._editor.mapToGlobal(caret.topLeft()), caret.size()))

    def _fitting(self, *, is_requested: bool) -> Sequence[Completion]:
        """Return the completions to offer.

        Without a request these begin with the written letters, and there are none if too few
        letters are written or they are a whole word already.
        """
        completions = self.completions()
        if is_requested or not completions:
            return completions
        letter_count = completions[0].replaces
        text_before = self.cursor_texts().before
        letters = text_before[len(text_before) - letter_count :]
        is_whole_word = any(completion.word == letters for completion in completions)
        if letter_count < self.min_letters or is_whole_word:
            return ()
        return [completion for completion in completions if completion.begins_with(letters)]

    def write_current(self) -> None:
        """Write the current word of the list in place of the letters that are written of it."""
        chosen = self.list.current
        self.close()
        if chosen is None:
            return
        text = chosen.text
        # The space or bracket that follows the word may be there already.
        text_after = self.cursor_texts().after
        last_sign = text[-1:]
        if last_sign in _FOLLOWING_SIGNS and text_after.startswith(last_sign):
            text = text[:-1]
        self.write(text, chosen.replaces)

    def close(self) -> None:
        """Offer nothing any more."""
        self.list.hide()
