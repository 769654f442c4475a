"""The bar of all problems: a line below the map, and above the line the lists when it is open.

    +------------------------------------------+
    | Map                                      |   the lists (``area``): one for each source that
    |   ! D4 has no terrain                    |   has problems
    | Script                                   |
    |   x line 3: unknown word                 |
    +------------------------------------------+
    | v  x  Map: 1 warning; Script: 1 error    |   the line, always shown
    +------------------------------------------+

The user can open the lists, and so can a *failed roll*: the script was to make a map, and could not
because of errors. ``Opening`` says which of these has opened them; on it depends how long they are
needed. What is seen of them is then one of three ``Display``::

             opened                 not needed any more             for ``CLOSE_MS``
    HIDDEN ----------->  NEEDED  ------------------------> CLOSING ------------------> HIDDEN
                            ^                                 |
                            +---------------------------------+
                                  problems have come again

Begin with ``show_problems``, which is called whenever problems come or go.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from app.appearance.quotes import with_quotes
from app.qt_guard import connect, guarded
from app.widgets.dialogs.dialog_status import SeverityIcon
from app.widgets.layout.builders import described, lay_out, plain_label, plain_text
from app.widgets.layout.elided_label import ElidedLabel
from app.widgets.lists.problem_list import summary
from randomizer.model.problems import Problem, Severity, causes, first_cause, has_errors

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.desk.problem_sources import ProblemSource, ProblemSources

HEIGHT_DIVISOR = 4
"""The open lists get a quarter of the height of the map and the bar together.

However many problems there are, the map keeps its size.
"""

CLOSE_MS = 600
"""The time without any problem after which open lists close, in milliseconds."""

MIN_HEIGHT = 70
"""The least height of the open lists together, in logical pixels."""

LOW_ROWS = 2
"""The rows of each list that are seen when a failed roll has opened them."""

WORST_FIRST = (Severity.ERROR, Severity.WARNING, Severity.HINT)
"""The severities, the worst one first."""


class Opening(Enum):
    """The way in which the lists were opened, on which it depends when they close."""

    CLOSED = auto()
    """They are not open."""

    UNTIL_SOLVED = auto()
    """By the command: they close when there are no problems any more."""

    FOR_FAILURE = auto()
    """By a roll that failed: they are low, and close when there are no errors any more."""

    BY_HAND = auto()
    """By a click on the line: they are hidden while there are no problems, and come again."""


class Display(Enum):
    """What is seen of the lists now."""

    HIDDEN = auto()
    """Nothing: the bar is closed, or it is open and waits for the next problems."""

    NEEDED = auto()
    """They are shown, for the problems that are in them."""

    CLOSING = auto()
    """They are shown though not needed any more, and ``_close_timer`` runs.

    The map is not to change its size for problems that come back with the next check.
    """


class SourceProblems(NamedTuple):
    """The problems of one source."""

    title: str
    """The name of the source."""

    problems: tuple[Problem, ...]


class _Section(NamedTuple):
    """A source, and the part of the bar with its title and its list."""

    source: ProblemSource
    widget: QWidget

    @property
    def has_problems(self) -> bool:
        """True if the source is about the current map and has problems."""
        return bool(self.source.problems.problems) and self.source.offered()


class ProblemsBar(QWidget):
    """A line with the number of problems of each source and the worst one; opened, it lists all."""

    opened = Signal(bool)
    """The lists are shown from now on, or not."""

    lists_shown = Signal(bool)
    """The lists are about to take room from the map, or to give it back."""

    presence_changed = Signal()
    """The first problems have come, or the last ones have gone."""

    def __init__(
        self, sources: ProblemSources, no_problems: Callable[[], str] = lambda: "No problems"
    ) -> None:
        """Show the problems of these sources, and of those that are added to them.

        ``no_problems`` returns the text of the line while there are no problems.
        """
        super().__init__()
        self._no_problems = no_problems
        self.setObjectName("problems")
        self.setAccessibleName("Problems")
        self._sections: list[_Section] = []
        """A section for each source, in the order in which the sources were added."""
        self._opening = Opening.CLOSED
        self._had_problems = False
        """True if there were problems when ``show_problems`` was called last."""
        self._close_timer = QTimer(self, singleShot=True, interval=CLOSE_MS)
        """Runs while the lists are ``Display.CLOSING``; they close when it ends."""
        connect(self._close_timer.timeout, self._close_if_not_needed)
        self.button = described(QToolButton(), "Show or hide the problems")
        self.button.setAutoRaise(True)
        connect(self.button.clicked, self._toggle)
        self._icon = SeverityIcon()
        self.message = described(ElidedLabel(), "How many problems there are")
        self._lists = QVBoxLayout()
        self._lists.setContentsMargins(0, 0, 0, 0)
        self._lists.setSpacing(2)
        self.area = QWidget()
        self.area.setLayout(self._lists)
        self.line = QWidget()
        self.line.installEventFilter(self)
        lay_out(
            QHBoxLayout(self.line),
            self.button,
            self._icon,
            (self.message, 1),
            margins=(4, 0, 4, 0),
            spacing=4,
        )
        lay_out(QVBoxLayout(self), (self.area, 1), self.line, margins=0, spacing=0)
        for source in sources.all:
            self._add(source)
        connect(sources.added, self._add)
        connect(sources.open_requested, self._open_for_failure)
        self.show_problems()

    def _add(self, source: ProblemSource) -> None:
        """Add a section for a source."""
        heading = plain_label(source.title)
        font = heading.font()
        font.setBold(True)
        heading.setFont(font)
        widget = QWidget()
        column = QVBoxLayout(widget)
        lay_out(column, heading, (source.problems, 1), margins=(4, 2, 4, 0), spacing=0)
        self._lists.addWidget(widget)
        self._sections.append(_Section(source, widget))
        source.problems.show()
        connect(source.problems.changed, self.show_problems)
        self.show_problems()

    @property
    def sources_with_problems(self) -> list[SourceProblems]:
        """The present problems, source by source; sources without problems are left out."""
        sources_with_problems = []
        for section in self._sections:
            if section.has_problems:
                source = section.source
                sources_with_problems.append(SourceProblems(source.title, source.problems.problems))
        return sources_with_problems

    # --- opening and closing ----------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """True if the lists are shown as soon as there are problems."""
        return self._opening is not Opening.CLOSED

    def open(self) -> None:
        """Show the lists until there are no problems any more."""
        self._set_opening(Opening.UNTIL_SOLVED)

    def close_lists(self) -> None:
        """Close the lists."""
        self._set_opening(Opening.CLOSED)

    def _set_opening(self, opening: Opening) -> None:
        """Open the lists in some way, or close them."""
        was_open = self.is_open
        self._opening = opening
        self._fit_height()
        self.show_problems()
        if self.is_open != was_open:
            self.opened.emit(self.is_open)

    def _open_for_failure(self) -> None:
        """Show the first problems; the map, at which somebody looks, keeps most of its size."""
        if not self.is_open:
            self._set_opening(Opening.FOR_FAILURE)
        # Once more, now that the lists are shown: before, ``sizeHint`` left out the headings of
        # those that had never been shown, so that the low height was too small.
        self._fit_height()

    def _toggle(self) -> None:
        """Open the lists by hand, or close them."""
        if self.is_open:
            self._set_opening(Opening.CLOSED)
        else:
            self._set_opening(Opening.BY_HAND)

    def _close_if_not_needed(self) -> None:
        """Close the lists if they are still not needed; those opened by hand are only hidden."""
        if any(section.source.works() for section in self._sections):
            # A check is going on, which may find the same problems again.
            self._close_timer.start()
            return
        if self._is_needed(self.sources_with_problems):
            return
        self._show_area(False)  # an empty list would keep the window high
        if self._opening is Opening.BY_HAND:
            self.show_problems()  # they stay hidden until there are problems again
        else:
            self._set_opening(Opening.CLOSED)

    def _is_needed(self, sources_with_problems: list[SourceProblems]) -> bool:
        """Return whether open lists stay: those that a failed roll has opened only for errors."""
        if self._opening is not Opening.FOR_FAILURE:
            return bool(sources_with_problems)
        return any(
            has_errors(source_problems.problems) for source_problems in sources_with_problems
        )

    # --- showing ----------------------------------------------------------------------------

    def show_problems(self) -> None:
        """Show the problems as they are now."""
        sources_with_problems = self.sources_with_problems
        self._show_lists(sources_with_problems)
        self._show_line(sources_with_problems)
        has_problems = bool(sources_with_problems)
        if has_problems != self._had_problems:
            self._had_problems = has_problems
            self.presence_changed.emit()

    def _show_lists(self, sources_with_problems: list[SourceProblems]) -> None:
        """Show the lists that have problems, if the bar is open; close them soon if it has none."""
        for section in self._sections:
            section.widget.setVisible(section.has_problems)
        display = self._display_for(sources_with_problems)
        if display is Display.CLOSING:
            self._close_timer.start()
        else:
            self._close_timer.stop()
        self._show_area(display is not Display.HIDDEN)
        self.button.setEnabled(bool(sources_with_problems) or self.is_open)
        if self.is_open:
            self.button.setArrowType(Qt.ArrowType.DownArrow)
        else:
            self.button.setArrowType(Qt.ArrowType.UpArrow)

    def _display_for(self, sources_with_problems: list[SourceProblems]) -> Display:
        """Return what is to be seen of the lists with these problems."""
        if not self.is_open:
            return Display.HIDDEN
        if self._is_needed(sources_with_problems):
            return Display.NEEDED
        if not sources_with_problems and not self._is_area_shown:
            # Empty lists are never opened; those that were hidden stay so.
            return Display.HIDDEN
        return Display.CLOSING

    @property
    def _is_area_shown(self) -> bool:
        """True if the lists take room from the map now."""
        return not self.area.isHidden()

    def _show_area(self, is_shown: bool) -> None:
        """Show or hide the lists; ``lists_shown`` is emitted before the map changes its size."""
        if is_shown != self._is_area_shown:
            self.lists_shown.emit(is_shown)
        self.area.setVisible(is_shown)

    def _show_line(self, sources_with_problems: list[SourceProblems]) -> None:
        """Show the number of problems of each source, and the message of the first one to mend."""
        if not sources_with_problems:
            self.message.setText(self._no_problems())
            self.line.setToolTip("")
            self.message.setToolTip("")
            self._icon.show_severity(None)
            return
        worst_severity = Severity.HINT
        first_message = ""
        counts = []
        for title, problems in sources_with_problems:
            counts.append(f"{title}: {summary(problems)}")
            # What only follows from others is mended with them, so that it counts for nothing here.
            problem_causes = causes(problems)
            severities = [problem.severity for problem in problem_causes]
            severity = min(severities, key=WORST_FIRST.index)
            is_worse = WORST_FIRST.index(severity) < WORST_FIRST.index(worst_severity)
            if is_worse or not first_message:
                worst_severity = severity
                first_message = first_cause(problem_causes).message
        text = f"{'; '.join(counts)} - {with_quotes(first_message)}"
        self.message.setText(text)
        tip = f"{text}\nA click shows the list"
        self.line.setToolTip(plain_text(tip))
        self.message.setToolTip(plain_text(tip))
        self._icon.show_severity(worst_severity)

    def draw_icons(self) -> None:
        """Draw lists and icons in the colours of the present palette."""
        for section in self._sections:
            section.source.problems.update_colours()
        self.show_problems()

    # --- height and input -------------------------------------------------------------------

    def _fit_height(self) -> None:
        """Give the open lists their share of the height of the parent, and the map the rest."""
        parent = self.parentWidget()
        if parent is None:
            return
        height = max(MIN_HEIGHT, parent.height() // HEIGHT_DIVISOR)
        if self._opening is Opening.FOR_FAILURE:
            height = min(height, self._low_height())
        self.area.setFixedHeight(height)

    def _low_height(self) -> int:
        """Return the height in which each list shows its first rows, in logical pixels."""
        height = 0
        for section in self._sections:
            if section.has_problems:
                problem_list = section.source.problems
                rows_height = problem_list.rows.sizeHint().height()
                around_rows = section.widget.sizeHint().height() - rows_height
                height += around_rows + problem_list.height_of_rows(LOW_ROWS)
        return max(MIN_HEIGHT, height)

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Let the height of the lists follow that of the widget that holds the map and them."""
        parent = self.parentWidget()
        if event.type() == QEvent.Type.ParentChange and parent is not None:
            parent.installEventFilter(self)
            self._fit_height()
        return super().event(event)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Toggle the lists at a click anywhere on the line; fit their height to the parent's."""
        if watched is not self.line:  # it is the parent
            if event.type() == QEvent.Type.Resize:
                self._fit_height()
            return False
        is_click = (
            isinstance(event, QMouseEvent)
            and event.type() == QEvent.Type.MouseButtonRelease
            and event.button() == Qt.MouseButton.LeftButton
        )
        if is_click and self.button.isEnabled():
            self._toggle()
            return True
        return super().eventFilter(watched, event)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close the lists by Escape."""
        if event.key() == Qt.Key.Key_Escape and self.is_open:
            self.close_lists()
        else:
            super().keyPressEvent(event)
