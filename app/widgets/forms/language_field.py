"""A line of text in a language, such as a filter: it completes words and underlines a mistake."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QRect, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QPalette,
    QShortcut,
    QTextCharFormat,
)
from PySide6.QtWidgets import QLineEdit

from app.appearance.text_colours import inks
from app.qt_guard import connect, guarded
from app.widgets.forms.completer import Completer, CursorTexts
from app.widgets.forms.completion_list import CompletionList
from randomizer.languages.language import Completion, SourceText
from randomizer.model.problems import Problem


class LineCompleter(Completer):
    """Completion in a line of text, in which Enter has a meaning of its own."""

    min_letters = 0
    """Words are offered before any letter is written."""

    def __init__(self, field: QLineEdit) -> None:
        super().__init__(field, CompletionList(field, brief=True))
        self._field = field
        connect(field.cursorPositionChanged, self.cursor_moved)

    def cursor_texts(self) -> CursorTexts:
        """Return the text of the field."""
        text = self._field.text()
        position = self._field.cursorPosition()
        return CursorTexts(text[:position], text[position:])

    def caret(self) -> QRect:
        return self._field.cursorRect()

    def completions(self) -> Sequence[Completion]:
        column = self._field.cursorPosition() + 1
        return self.language.completions(SourceText(self._field.text()), 1, column)

    def write(self, text: str, replaces: int) -> None:
        self._field.setSelection(self._field.cursorPosition() - replaces, replaces)
        self._field.insert(text)


class LanguageField(QLineEdit):
    """A line of text with completion, and a wavy line below a mistake.

    Its language is ``completion.language``.
    """

    def __init__(self) -> None:
        super().__init__()
        self.completion = LineCompleter(self)
        complete_shortcut = QShortcut(QKeySequence("Ctrl+Space"), self)
        complete_shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
        connect(complete_shortcut.activated, self.completion.offer_all)

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Give the list of words its keys before menus and the line have them."""
        if isinstance(event, QKeyEvent) and self.completion.handle_key(event):
            return True
        return super().event(event)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Offer words that fit while letters are typed."""
        self.completion.begin_typing()
        super().keyPressEvent(event)
        self.completion.end_typing(event)

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Offer nothing any more when the keyboard goes elsewhere."""
        super().focusOutEvent(event)
        self.completion.close()

    def show_problem(self, problem: Problem | None) -> None:
        """Give the text the colour of errors, with a wavy line where the problem is; None: neither.

        A problem without a column has no line.
        """
        # The frame of the field cuts off a part of the wavy line. So all of the text also gets the
        # colour of errors.
        palette = QPalette()  # an empty one: the colours of the form
        if problem is not None:
            palette.setColor(QPalette.ColorRole.Text, inks(self.palette()).error)
        self.setPalette(palette)
        # Qt's lines have no formats but that of a text which an input method is still composing. So
        # an event of an input method is sent that composes nothing, and has the wavy line.
        formats = []
        if problem is not None and problem.column is not None:
            # Columns count from 1, positions from 0. At least one letter is underlined.
            start = problem.column - 1
            end = start + 1
            if problem.end_column is not None:
                end = max(end, problem.end_column - 1)
            wavy = QTextCharFormat()
            wavy.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            wavy.setUnderlineColor(inks(self.palette()).error)
            formats.append(
                QInputMethodEvent.Attribute(
                    QInputMethodEvent.AttributeType.TextFormat,
                    start - self.cursorPosition(),
                    end - start,
                    wavy,
                )
            )
        QCoreApplication.sendEvent(self, QInputMethodEvent("", formats))
