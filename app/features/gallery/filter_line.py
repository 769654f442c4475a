"""The line that filters the gallery's maps: completion, mistakes, examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QRect, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QShortcut,
    QTextCharFormat,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from app.appearance.text_colours import inks
from app.qt_guard import connect, guarded
from app.widgets.builders import lay_out, tool_button
from app.widgets.completer import Completer
from app.widgets.completion_list import CompletionList
from randomizer.languages.language import Completion, SourceText
from randomizer.model.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from randomizer.batches.batch import Measure
    from randomizer.batches.filters.language import FilterLanguage
    from randomizer.generator import Base

REST_MS = 400
"""A mistake is spoken of when the keys rest: an unfinished word is none."""


class LineCompleter(Completer):
    """Completion in a line of text, in which Enter has a meaning of its own."""

    least = 0

    def __init__(self, field: QLineEdit) -> None:
        super().__init__(field, CompletionList(field, brief=True))
        self._field = field
        connect(field.cursorPositionChanged, self.cursor_moved)

    def around_cursor(self) -> tuple[str, str]:
        text, position = self._field.text(), self._field.cursorPosition()
        return text[:position], text[position:]

    def caret(self) -> QRect:
        return self._field.cursorRect()

    def completions(self) -> Sequence[Completion]:
        before, _behind = self.around_cursor()
        return self.language.completions(SourceText(self._field.text()), 1, len(before) + 1)

    def write(self, text: str, replaces: int) -> None:
        self._field.setSelection(self._field.cursorPosition() - replaces, replaces)
        self._field.insert(text)


class FilterField(QLineEdit):
    """A line of text with completion."""

    def __init__(self) -> None:
        super().__init__()
        self.completion = LineCompleter(self)

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Give the list of words its keys before menus and the line have them."""
        is_taken = isinstance(event, QKeyEvent) and self.completion.takes(event)
        return is_taken or super().event(event)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Letters bring words that fit."""
        self.completion.begin_typing()
        super().keyPressEvent(event)
        self.completion.end_typing(event)

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Offer nothing any more."""
        super().focusOutEvent(event)
        self.completion.close()


class GalleryFilter(QWidget):
    """``wanted(str)``: Enter was pressed, an example chosen, or the line emptied.

    ``mistaken(Problem | None)``: the mistake in what is typed, None if there is none. ``examples``
    gives pairs of words and the filter they stand for.
    """

    requested = Signal(str)
    mistaken = Signal(object)

    def __init__(self, examples: Callable[[], Sequence[tuple[str, str]]]) -> None:
        super().__init__()
        self._examples = examples
        self._language: FilterLanguage | None = None
        self.field = FilterField()
        self.completer = self.field.completion
        self.field.setPlaceholderText("All maps; see Examples")
        self.field.setClearButtonEnabled(True)
        self.field.setAccessibleName("What maps are wanted")
        self.field.setToolTip(
            "What maps are wanted: Enter looks for them, an empty line shows all. "
            "Ctrl+Space lists what can be written"
        )
        self.field.setMinimumWidth(90)
        self.button = tool_button("Examples", "Filters to click, or to begin with")
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.button)
        connect(self.menu.aboutToShow, self._fill)
        self.button.setMenu(self.menu)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        lay_out(QHBoxLayout(self), (self.field, 1), self.button, margins=0, spacing=4)
        keys = QShortcut(QKeySequence("Ctrl+Space"), self.field)
        keys.setContext(Qt.ShortcutContext.WidgetShortcut)
        connect(keys.activated, self.completer.ask)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        connect(self._rest.timeout, self._on_rest)
        connect(self.field.textEdited, self._on_edited)
        connect(self.field.returnPressed, self._on_enter)

    def set_language(self, base: Base, measures: tuple[Measure, ...]) -> None:
        """Set what filters can be about: maps rolled onto ``base``."""
        from randomizer.batches.filters.language import (
            FilterLanguage,  # by now a job has imported it
        )

        self._language = FilterLanguage(base.system, measures, base.grid, base.terrain_set)
        self.completer.language = self._language

    def text(self) -> str:
        """Return what is typed, without spaces around it."""
        return self.field.text().strip()

    def cost(self) -> str:
        """Return what the filter costs for each map, "" if that is little."""
        return "" if self._language is None else self._language.cost(self.text())

    def want(self, text: str) -> None:
        """Type a filter and ask for it."""
        self.field.setText(text)
        self._on_enter()

    def forget(self) -> None:
        """Empty the line without asking for other maps."""
        with QSignalBlocker(self.field):
            self.field.clear()
        self._rest.stop()
        self._underline(None)

    # --- typing -----------------------------------------------------------------------------

    def _on_edited(self, text: str) -> None:
        if not text.strip():
            self._on_enter()
            return
        self._rest.start()
        self._underline(None)
        self.mistaken.emit(None)  # what was said is of another text

    def _on_rest(self) -> None:
        """While words are offered the one that is written is not finished."""
        if not self.completer.open:
            self.check()

    def _on_enter(self) -> None:
        self.completer.close()
        if self.check():
            self.requested.emit(self.text())

    def check(self) -> bool:
        """Return whether the filter can be read.

        A mistake is underlined and ``mistaken`` is emitted.
        """
        self._rest.stop()
        problem = next(iter(self.completer.language.check(SourceText(self.field.text()))), None)
        self._underline(problem)
        self.mistaken.emit(problem)
        return problem is None

    def _underline(self, problem: Problem | None) -> None:
        """Qt's line fields have no formats but those of an input method: this is one."""
        formats = []
        if problem is not None and problem.column is not None:
            start, end = problem.column - 1, (problem.end_column or problem.column + 1) - 1
            wavy = QTextCharFormat()
            wavy.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            wavy.setUnderlineColor(inks(self.palette()).error)
            formats.append(
                QInputMethodEvent.Attribute(
                    QInputMethodEvent.AttributeType.TextFormat,
                    start - self.field.cursorPosition(),
                    max(1, end - start),
                    wavy,
                )
            )
        QCoreApplication.sendEvent(self.field, QInputMethodEvent("", formats))

    def _fill(self) -> None:
        self.menu.clear()
        for title, text in self._examples():
            action = self.menu.addAction(f"{title}\t{text}".replace("&", "&&"))
            connect(action.triggered, lambda _checked=False, text=text: self.want(text))
        self.menu.addSeparator()
        everything = self.menu.addAction("All maps")
        connect(everything.triggered, lambda _checked=False: self.want(""))
