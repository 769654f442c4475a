"""The line that filters the gallery's maps: completion, mistakes, examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from app.qt_guard import connect, guarded
from app.widgets.forms.language_field import LanguageField
from app.widgets.layout.builders import lay_out, tool_button
from randomizer.languages.language import SourceText

if TYPE_CHECKING:
    from randomizer.batches.batch import Measure
    from randomizer.batches.filters.language import FilterLanguage
    from randomizer.model.problems import Problem
    from randomizer.roll_base import Base

REST_MS = 400
"""Maps are looked for when the keys have rested for so long."""


class _FilterField(LanguageField):
    """The field for a filter: Escape takes back what was typed since maps were looked for.

    With nothing to take back Escape leaves the field, as everywhere: who closes a list of words by
    one Escape too many is still in the field.
    """

    def __init__(self) -> None:
        super().__init__()
        self.entered_text = ""
        """The filter by which maps were looked for last, "" for all maps."""

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take back what was typed by Escape."""
        if event.key() == Qt.Key.Key_Escape and self.text() != self.entered_text:
            self.selectAll()
            self.insert(self.entered_text)  # unlike setText it can be undone
            return
        super().keyPressEvent(event)


class GalleryFilter(QWidget):
    """A line for the condition that the maps of the gallery must meet.

    ``examples`` gives pairs of words and the filter they stand for.
    """

    requested = Signal(str)
    """Maps are to be looked for by this condition.

    A readable filter was typed, Enter pressed, an example chosen, or the line emptied.
    """
    mistaken = Signal(object)
    """The mistake in the filter, as a Problem, when it was entered or no key was pressed for a
    moment; None if there is none, or while another one is typed."""

    def __init__(self, examples: Callable[[], Sequence[tuple[str, str]]]) -> None:
        super().__init__()
        self._examples = examples
        self._language: FilterLanguage | None = None
        self.field = _FilterField()
        self.completer = self.field.completion
        self.field.setPlaceholderText("All maps; see Examples")
        self.field.setClearButtonEnabled(True)
        self.field.setAccessibleName("What maps are wanted")
        self.field.setToolTip(
            "What maps are wanted, such as share(water) < 40 %; an empty line shows all. "
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
        if self._language is None:
            return ""
        return self._language.cost(self.text())

    def want(self, text: str) -> None:
        """Type a filter and ask for it."""
        self.field.setText(text)
        self._on_enter()

    def forget(self) -> None:
        """Empty the line without asking for other maps."""
        with QSignalBlocker(self.field):
            self.field.clear()
        self.field.entered_text = ""
        self._rest.stop()
        self.field.underline(None)

    # --- typing -----------------------------------------------------------------------------

    def _on_edited(self, text: str) -> None:
        if text.strip() == self.field.entered_text:  # its maps are shown
            self.check()
            return
        if not text.strip():
            self._on_enter()
            return
        self._rest.start()
        self.field.underline(None)
        self.mistaken.emit(None)  # what was said is of another text

    def _on_rest(self) -> None:
        """Look for maps by what is typed, if it can be read and costs little.

        A mistake is underlined and told. While words are offered, the one that is written is not
        finished, and nothing is done.
        """
        problem = self._problem()
        if problem is None and not self.cost():
            self._request()
        elif not self.completer.open:
            self.field.underline(problem)
            self.mistaken.emit(problem)

    def _on_enter(self) -> None:
        self.completer.close()
        if self.check():
            self._request()

    def _request(self) -> None:
        """Ask for the maps that pass the filter."""
        self.field.entered_text = self.text()
        self.requested.emit(self.text())

    def check(self) -> bool:
        """Return whether the filter can be read.

        A mistake is underlined and ``mistaken`` is emitted.
        """
        self._rest.stop()
        problem = self._problem()
        self.field.underline(problem)
        self.mistaken.emit(problem)
        return problem is None

    def _problem(self) -> Problem | None:
        """Return the mistake in what is typed, None if there is none."""
        return next(iter(self.completer.language.check(SourceText(self.field.text()))), None)

    def _fill(self) -> None:
        self.menu.clear()
        for title, text in self._examples():
            action = self.menu.addAction(f"{title}\t{text}".replace("&", "&&"))
            connect(action.triggered, lambda _checked=False, text=text: self.want(text))
        self.menu.addSeparator()
        everything = self.menu.addAction("All maps")
        connect(everything.triggered, lambda _checked=False: self.want(""))
