"""The line above the gallery in which a filter for its maps is typed, such as "D4 = Lake".

``GalleryFilter`` asks the gallery for maps (``requested``) as soon as what is typed is a complete
filter. Begin with ``_on_edited``: each key stroke starts a timer again; when the keys have rested
(``_on_rest``) the filter is read, and either requested or its mistake told. Enter does not wait
(``_on_enter``).
"""

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
"""Maps are looked for when the keys have rested for so long, in milliseconds."""

LEAST_WIDTH = 90
"""The least width of the field, in logical pixels."""


class _FilterField(LanguageField):
    """The field for a filter, in which Escape first restores the filter of the maps now shown.

    If the field has that filter already, Escape leaves the field, as in every other one.
    """

    def __init__(self) -> None:
        super().__init__()
        self.entered_text = ""
        """The filter by which maps were looked for last, "" for all maps."""

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """On Escape restore ``entered_text``, if something else was typed."""
        if event.key() == Qt.Key.Key_Escape and self.text() != self.entered_text:
            self.selectAll()
            self.insert(self.entered_text)  # unlike setText it can be undone
            return
        super().keyPressEvent(event)


class GalleryFilter(QWidget):
    """The field for the filter, and a button with a menu of examples.

    ``examples`` is called each time the menu opens. It returns pairs of a title and a filter, such
    as ("Much water", "share(water) > 40 %").
    """

    requested = Signal(str)
    """The gallery should look for maps that pass this filter; "" for all maps.

    It is emitted when a readable filter was typed or entered, an example chosen, or the line
    emptied.
    """
    mistaken = Signal(object)
    """The first mistake in the filter, a Problem. None: the last mistake told is out of date."""

    def __init__(self, examples: Callable[[], Sequence[tuple[str, str]]]) -> None:
        super().__init__()
        self._examples = examples
        self._language: FilterLanguage | None = None
        """The words that a filter can have; None until ``set_language``."""
        self._make_widgets()
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        connect(self._rest.timeout, self._on_rest)
        connect(self.field.textEdited, self._on_edited)
        connect(self.field.returnPressed, self._on_enter)

    def _make_widgets(self) -> None:
        """Make the field, and the button with its menu beside it."""
        self.field = _FilterField()
        self.completer = self.field.completion
        self.field.setPlaceholderText("All maps; see Examples")
        self.field.setClearButtonEnabled(True)
        self.field.setAccessibleName("What maps are wanted")
        self.field.setToolTip(
            "What maps are wanted, such as share(water) < 40 %; an empty line shows all. "
            "Ctrl+Space lists what can be written"
        )
        self.field.setMinimumWidth(LEAST_WIDTH)
        self.button = tool_button("Examples", "Filters to click, or to begin with")
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.button)
        connect(self.menu.aboutToShow, self._fill)
        self.button.setMenu(self.menu)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        lay_out(QHBoxLayout(self), (self.field, 1), self.button, margins=0, spacing=4)

    def set_language(self, base: Base, measures: tuple[Measure, ...]) -> None:
        """Set what filters can be about: cells and terrains of ``base``, and these measures."""
        # Not imported at the start, as it takes long: by now a job on another thread has done it.
        from randomizer.batches.filters.language import FilterLanguage

        self._language = FilterLanguage(base.system, measures, base.grid, base.terrain_set)
        self.completer.language = self._language

    def text(self) -> str:
        """Return the typed filter, without spaces around it."""
        return self.field.text().strip()

    def cost(self) -> str:
        """Return a text on what makes the typed filter slow, "" if it is fast."""
        if self._language is None:
            return ""
        return self._language.cost(self.text())

    def want(self, text: str) -> None:
        """Put a filter into the line, and request its maps."""
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
        """Follow a key stroke: wait for the keys to rest, unless the text asks for nothing new."""
        if text.strip() == self.field.entered_text:
            self.check()  # the maps of this filter are shown already
        elif not text.strip():
            self._on_enter()
        else:
            self._rest.start()
            self.field.underline(None)
            self.mistaken.emit(None)

    def _on_rest(self) -> None:
        """Request maps by what is typed, if it can be read and is fast.

        A mistake is underlined and told. It is not told while the field offers words that complete
        the last one: that word is not finished.
        """
        problem = self._problem()
        if problem is None and not self.cost():
            self._request()
        elif not self.completer.open:
            self.field.underline(problem)
            self.mistaken.emit(problem)

    def _on_enter(self) -> None:
        """Request maps by what is typed, also by a slow filter, if it can be read."""
        self.completer.close()
        if self.check():
            self._request()

    def _request(self) -> None:
        """Ask for the maps that pass the filter."""
        self.field.entered_text = self.text()
        self.requested.emit(self.text())

    def check(self) -> bool:
        """Return whether the filter can be read; a mistake is underlined and told by ``mistaken``.

        After that the keys are not waited for any more.
        """
        self._rest.stop()
        problem = self._problem()
        self.field.underline(problem)
        self.mistaken.emit(problem)
        return problem is None

    def _problem(self) -> Problem | None:
        """Return the first mistake in what is typed, None if there is none."""
        problems = self.completer.language.check(SourceText(self.field.text()))
        return next(iter(problems), None)

    def _fill(self) -> None:
        """Fill the menu with the present examples, and a last entry that shows all maps."""
        self.menu.clear()
        for title, text in self._examples():
            entry = f"{title}\t{text}"  # a menu puts what follows a tab at the right
            action = self.menu.addAction(entry.replace("&", "&&"))
            connect(action.triggered, lambda _checked=False, text=text: self.want(text))
        self.menu.addSeparator()
        everything = self.menu.addAction("All maps")
        connect(everything.triggered, lambda _checked=False: self.want(""))
