"""The line that filters the gallery's maps: completion, mistakes, examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import (
    QInputMethodEvent,
    QKeySequence,
    QShortcut,
    QStandardItem,
    QStandardItemModel,
    QTextCharFormat,
)
from PySide6.QtWidgets import (
    QCompleter,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from app.appearance.text_colours import inks
from app.qt_guard import connect
from app.widgets.builders import lay_out, tool_button
from randomizer.model.problems import Problem, ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from randomizer.batches.batch import Measure
    from randomizer.batches.filters.filter import Suggestions
    from randomizer.generator import Base

REST_MS = 400
"""A mistake is spoken of when the keys rest: an unfinished word is none."""

WORD = Qt.ItemDataRole.UserRole
"""What an offer would write; what is read is that, and what it means."""


class GalleryFilter(QWidget):
    """``wanted(str)``: Enter was pressed, an example chosen, or the line emptied.

    ``mistaken(Problem | None)``: the mistake in what is typed, None if there is none. ``examples``
    gives pairs of words and the filter they stand for.
    """

    wanted = Signal(str)
    mistaken = Signal(object)

    def __init__(
        self, examples: Callable[[], Sequence[tuple[str, str]]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._examples = examples
        self._base: Base | None = None
        self._measures: tuple[Measure, ...] = ()
        self._offered: Suggestions | None = None
        self.field = QLineEdit()
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
        self._offers = QStandardItemModel(self)
        self.completer = QCompleter(self._offers, self)
        self.completer.setCompletionRole(WORD)
        self.completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.completer.setWidget(self.field)
        connect(self.completer.activated[str], self._complete)  # type: ignore[index] # overloaded
        popup = self.completer.popup()
        assert popup is not None, "Qt makes it"
        self._popup = popup
        keys = QShortcut(QKeySequence("Ctrl+Space"), self.field)
        keys.setContext(Qt.ShortcutContext.WidgetShortcut)
        connect(keys.activated, self.offer)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        connect(self._rest.timeout, self._on_rest)
        connect(self.field.textEdited, self._on_edited)
        connect(self.field.returnPressed, self._on_enter)

    def set_language(self, base: Base, measures: tuple[Measure, ...]) -> None:
        """Set what filters can be about: maps rolled onto ``base``."""
        self._base, self._measures = base, measures

    def text(self) -> str:
        """What is typed, without spaces around it."""
        return self.field.text().strip()

    def want(self, words: str) -> None:
        """Type a filter and ask for it."""
        self.field.setText(words)
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
        begun = (
            self.field.cursorPosition() > 0 and not text[: self.field.cursorPosition()].isspace()
        )
        last = text[self.field.cursorPosition() - 1]
        if begun and (last.isalpha() or last == ":"):  # nobody knows the sides by their numbers
            self.offer()
        else:
            self._popup.hide()

    def _on_rest(self) -> None:
        """While words are offered the one that is written is not finished."""
        if not self._popup.isVisible():
            self.check()

    def _on_enter(self) -> None:
        if self._popup.isVisible() and self._popup.currentIndex().isValid():
            return  # Enter takes the offer
        self._popup.hide()
        if self.check():
            self.wanted.emit(self.text())

    def check(self) -> bool:
        """Whether the filter can be read; a mistake is underlined and ``mistaken`` is emitted."""
        self._rest.stop()
        problem = self._mistake()
        self._underline(problem)
        self.mistaken.emit(problem)
        return problem is None

    def _mistake(self) -> Problem | None:
        from randomizer.batches.filters.filter import parse_filter  # by now a job has imported it

        base = self._base
        if base is None:
            return None
        try:
            parse_filter(
                self.field.text(), base.system, self._measures, base.grid, base.terrain_set
            )
        except ProblemError as reason:
            return reason.problems[0]
        return None

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

    # --- offers -----------------------------------------------------------------------------

    def offer(self) -> None:
        """List what can be written at the cursor."""
        from randomizer.batches.filters.filter import suggestions

        base = self._base
        if base is None:
            return
        text, place = self.field.text(), self.field.cursorPosition()
        offered = suggestions(text, place, base.system, self._measures, base.grid, base.terrain_set)
        self._offered = offered
        words = [offer.text for offer in offered.offers]
        typed = text[offered.start : offered.end]
        self._offers.clear()
        for offer in offered.offers:
            item = QStandardItem(f"{offer.text}   {offer.help}".rstrip())
            item.setData(offer.text, WORD)
            self._offers.appendRow(item)
        if words and words != [typed]:
            self.completer.complete()
        else:
            self._popup.hide()

    def _complete(self, word: str) -> None:
        assert self._offered is not None, "it was offered"
        text, (start, end, _) = self.field.text(), self._offered
        self.field.setText(text[:start] + word + text[end:])
        self.field.setCursorPosition(start + len(word))
        self._rest.start()

    def _fill(self) -> None:
        self.menu.clear()
        for words, text in self._examples():
            action = self.menu.addAction(f"{words}\t{text}".replace("&", "&&"))
            connect(action.triggered, lambda _checked=False, text=text: self.want(text))
        self.menu.addSeparator()
        everything = self.menu.addAction("All maps")
        connect(everything.triggered, lambda _checked=False: self.want(""))
