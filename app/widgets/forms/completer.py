"""When words that fit are offered while one types, and which keys take one.

While one types, words are offered that begin with what is written, until it is one of them: so
Enter does what it always does whenever a word is complete. On request (Ctrl+Space) everything that
fits is offered, also words that hold what is written somewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.qt_guard import connect
from app.widgets.forms.completion_list import CompletionList
from randomizer.languages.language import PLAIN_TEXT, Completion

_STEPS = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -7,
    Qt.Key.Key_PageDown: 7,
}
_TAKING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)
_DELETING = (Qt.Key.Key_Backspace, Qt.Key.Key_Delete)


class Completer(QObject):
    """Offers words of ``language`` in one editor, which asks it about every key.

    A subclass is of one kind of editor: it says what stands around the cursor and writes. Words
    are offered unasked from ``least`` written letters on. The editor asks ``takes`` about each
    event of a key; around the handling of a key that was not taken stand ``begin_typing`` and
    ``end_typing``.
    """

    reported = Signal(str)
    """A message for the status bar."""
    least = 2

    def __init__(self, editor: QWidget, completion_list: CompletionList) -> None:
        super().__init__(editor)
        self.language = PLAIN_TEXT
        self.list = completion_list
        self._editor = editor
        self._asked = False
        self._typing = False
        self._before_key = ("", "")
        connect(self.list.chosen, self.take)

    # --- what a kind of editor says ---------------------------------------------------------

    def around_cursor(self) -> tuple[str, str]:
        """Return the text of the cursor's line before and behind it."""
        raise NotImplementedError

    def caret(self) -> QRect:
        """Return where the cursor is on the editor."""
        raise NotImplementedError

    def completions(self) -> Sequence[Completion]:
        """Return what can stand before the cursor, the best first."""
        raise NotImplementedError

    def write(self, text: str, replaces: int) -> None:
        """Write a text in the place of so many characters before the cursor; one step of Undo."""
        raise NotImplementedError

    # --- keys -------------------------------------------------------------------------------

    @property
    def open(self) -> bool:
        """True if words are offered now."""
        return self.list.isVisible()

    def wants(self, event: QKeyEvent) -> bool:
        """Return whether a key is about the list, so that no menu may have it."""
        plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        )
        keys = (*_STEPS, *(_TAKING if self.list.current else ()), Qt.Key.Key_Escape)
        return self.open and plain and event.key() in keys

    def takes(self, event: QKeyEvent) -> bool:
        """Give the list its keys before menus and the editor have them; whether it took one."""
        if not self.wants(event):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
        elif event.type() == QEvent.Type.KeyPress:
            self._press(event)
        else:
            return False
        return True

    def _press(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()))
        if step is not None:
            self.list.step(step)
        elif event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            self.take()

    def begin_typing(self) -> None:
        """A key goes to the text: the cursor moves because of it."""
        self._typing = True
        self._before_key = self.around_cursor()

    def end_typing(self, event: QKeyEvent) -> None:
        """The key has been written: offer what fits now."""
        self._typing = False
        written = event.text()
        if written and (written.isalnum() or written in self.language.completion_signs):
            self._offer(asked=self.open and self._asked)
        elif self.open and event.key() in _DELETING:
            self._offer(asked=self._asked)
        elif written or self._before_key != self.around_cursor():
            self.close()

    def cursor_moved(self) -> None:
        """The cursor is elsewhere: offer nothing any more, unless a key is being written."""
        if not self._typing:
            self.close()

    # --- offering ---------------------------------------------------------------------------

    def ask(self) -> None:
        """Offer everything that fits, or say that nothing is known to."""
        self._offer(asked=True)
        if not self.open:
            self.reported.emit("No word is known to fit here")

    def _offer(self, *, asked: bool) -> None:
        fitting = self._fitting(asked=asked)
        self._asked = asked
        if not fitting:
            self.close()
            return
        caret = self.caret()
        self.list.offer(fitting, QRect(self._editor.mapToGlobal(caret.topLeft()), caret.size()))

    def _fitting(self, *, asked: bool) -> Sequence[Completion]:
        completions = self.completions()
        if asked or not completions:
            return completions
        count = completions[0].replaces
        text_before, _behind = self.around_cursor()
        written = text_before[len(text_before) - count :]
        if count < self.least or any(completion.word == written for completion in completions):
            return ()
        return [completion for completion in completions if completion.begins_with(written)]

    def take(self) -> None:
        """Write the chosen word in the place of what is written of it."""
        chosen = self.list.current
        self.close()
        if chosen is None:
            return
        text = chosen.text
        _before, text_behind = self.around_cursor()
        if text[-1] in " (" and text_behind.startswith(text[-1]):
            text = text[:-1]
        self.write(text, chosen.replaces)

    def close(self) -> None:
        """Offer nothing any more."""
        self.list.hide()
