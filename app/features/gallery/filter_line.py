"""The line above the gallery in which a filter for its maps is typed, such as "D4 = Lake".

``GalleryFilter`` asks the gallery for maps (``requested``) as soon as what is typed is a complete
filter. Begin with ``_on_edited``: each key stroke starts a timer again. When it runs out
(``_on_pause``) the filter is read; its maps are requested, or its mistake is told. Enter does not
wait for the timer (``_on_enter``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
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
from randomizer.model.problems import apply_fix

if TYPE_CHECKING:
    from app.features.gallery.example_filters import Example
    from randomizer.batches.batch import Measure
    from randomizer.batches.filters.language import FilterLanguage
    from randomizer.model.problems import Problem
    from randomizer.roll_base import Base

PAUSE_MS = 400
"""Maps are looked for when no key was pressed for so long, in milliseconds."""

MIN_WIDTH = 90
"""The least width of the field, in logical pixels."""


class _FilterField(LanguageField):
    """The field for a filter, in which Escape first restores the filter of the maps now shown.

    If the field has that filter already, Escape leaves the field, as in every other one.
    """

    fix_wanted = Signal()
    """Alt+Return was pressed: the fix of the mistake is to be applied, as in a script."""

    def __init__(self) -> None:
        super().__init__()
        self.text_of_maps = ""
        """The filter for whose maps the field has asked last; "" for all maps."""

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """On Escape restore ``text_of_maps``, if something else was typed; Alt+Return asks to fix.

        Enter of the numeric keypad does the same.
        """
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.fix_wanted.emit()
            return
        if event.key() == Qt.Key.Key_Escape and self.text() != self.text_of_maps:
            self.replace_text(self.text_of_maps)
            return
        super().keyPressEvent(event)

    def replace_text(self, text: str) -> None:
        """Replace what is typed; unlike ``setText`` it can be undone."""
        self.selectAll()
        self.insert(text)


class GalleryFilter(QWidget):
    """The field for the filter, and a button with a menu of examples.

    ``examples`` is called each time the menu opens.
    """

    requested = Signal(str)
    """The gallery should look for maps that pass this filter; "" for all maps.

    It is emitted when a readable filter was typed or entered, an example chosen, or the line
    emptied.
    """
    mistake_changed = Signal(object)
    """The first mistake in the typed filter, a Problem, is another one now; None if there is none.

    None, too, while more is typed.
    """

    def __init__(self, examples: Callable[[], Sequence[Example]]) -> None:
        super().__init__()
        self._examples = examples
        self._language: FilterLanguage | None = None
        """The words that a filter can have; None until ``set_language``.

        Until then the field has a language in which any text is right.
        """
        self._make_widgets()
        self.pause_timer = QTimer(self, singleShot=True, interval=PAUSE_MS)
        connect(self.pause_timer.timeout, self._on_pause)
        connect(self.field.textEdited, self._on_edited)
        connect(self.field.returnPressed, self._on_enter)
        connect(self.field.fix_wanted, self.apply_fix)

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
        self.field.setMinimumWidth(MIN_WIDTH)
        self.button = tool_button("Examples", "Filters to click, or to begin with")
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.button)
        connect(self.menu.aboutToShow, self._fill_menu)
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
        """Return a sentence that tells why the typed filter is slow; "" if it is fast."""
        if self._language is None:
            return ""
        return self._language.cost(self.text())

    def request_maps(self, text: str) -> None:
        """Put a filter into the line, and request its maps."""
        self.field.setText(text)
        self._on_enter()

    def apply_fix(self) -> None:
        """Apply the fix of the first mistake, if it has one, and request the maps."""
        problem = self._first_problem()
        if problem is None or problem.fix is None:
            return
        self.field.replace_text(apply_fix(self.field.text(), problem.fix))
        self.field.setFocus()
        self._on_enter()

    def clear(self) -> None:
        """Empty the line without requesting other maps, or telling of mistakes."""
        with QSignalBlocker(self.field):
            self.field.clear()
        self.field.text_of_maps = ""
        self.pause_timer.stop()
        self.field.show_problem(None)

    # --- typing -----------------------------------------------------------------------------

    def _on_edited(self, text: str) -> None:
        """Follow a key stroke: wait for a pause, unless the text asks for nothing new."""
        if text.strip() == self.field.text_of_maps:
            self._check()  # the maps of this filter are shown already
        elif not text.strip():
            self._on_enter()
        else:
            self.pause_timer.start()
            self.field.show_problem(None)
            self.mistake_changed.emit(None)

    def _on_pause(self) -> None:
        """Request the maps of the typed filter, if it can be read and is fast.

        Of a slow one the gallery tells that Enter requests its maps, when it hears that there is no
        mistake.
        """
        problem = self._first_problem()
        if problem is None and not self.cost():
            self._request()
        elif not self.completer.open:
            # While the field offers words, the last word is not finished: it is no mistake yet.
            self._tell_mistake(problem)

    def _on_enter(self) -> None:
        """Request the maps of the typed filter, also of a slow one, if it can be read."""
        self.completer.close()
        if self._check() is None:
            self._request()

    def _check(self) -> Problem | None:
        """Tell of a mistake in the typed filter now, without waiting for a pause; return it."""
        self.pause_timer.stop()
        problem = self._first_problem()
        self._tell_mistake(problem)
        return problem

    def _first_problem(self) -> Problem | None:
        """Return the first mistake in the typed filter, None if there is none."""
        problems = self.completer.language.check(SourceText(self.field.text()))
        return next(iter(problems), None)

    def _tell_mistake(self, problem: Problem | None) -> None:
        """Underline a mistake in the field and emit it; None: there is none any more."""
        self.field.show_problem(problem)
        self.mistake_changed.emit(problem)

    def _request(self) -> None:
        """Ask for the maps that pass the filter."""
        self.field.text_of_maps = self.text()
        self.requested.emit(self.text())

    def _fill_menu(self) -> None:
        """Fill the menu with the present examples, and a last entry that shows all maps."""
        self.menu.clear()
        for example in self._examples():
            # A menu shows at its right side what follows a tab, and takes a single & for a key.
            entry = f"{example.title}\t{example.filter}".replace("&", "&&")
            action = self.menu.addAction(entry)
            connect(action.triggered, partial(self._request_example, example.filter))
        self.menu.addSeparator()
        everything = self.menu.addAction("All maps")
        connect(everything.triggered, partial(self._request_example, ""))

    def _request_example(self, text: str, _checked: bool = False) -> None:
        """Request the maps of an entry of the menu."""
        self.request_maps(text)
