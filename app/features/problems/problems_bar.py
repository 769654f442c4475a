"""The one place of all problems: a line below the map, and above it the lists when it is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from app.qt_guard import connect, guarded
from app.widgets.dialogs.dialog_status import SeverityIcon
from app.widgets.layout.builders import described, lay_out, plain_label, plain_text
from app.widgets.layout.elided_label import ElidedLabel
from app.widgets.lists.problem_list import summary
from randomizer.model.problems import Problem, Severity

if TYPE_CHECKING:
    from app.desk.problem_sources import ProblemSource, ProblemSources

SHARE = 4
"""The open lists take one part in so many of the height of what is beside them: however many
problems there are, the map keeps its size."""

CLOSE_MS = 600
"""Lists that opened by themselves close when there were no problems for so long."""

LEAST_HEIGHT = 70
"""Of each open list, in logical pixels."""

WORST_FIRST = (Severity.ERROR, Severity.WARNING, Severity.HINT)


class ProblemsBar(QWidget):
    """Shows the number of problems of each source and the worst one; opened, it lists all."""

    opened = Signal(bool)
    """The lists are shown from now on, or not."""

    presence_changed = Signal()
    """There are problems now and were none before, or the last one has gone."""

    def __init__(self, sources: ProblemSources) -> None:
        super().__init__()
        self.setObjectName("problems")
        self.setAccessibleName("Problems")
        self._shown: list[tuple[ProblemSource, QWidget]] = []
        self._open = self._by_user = False
        self._had_problems = False
        self._close_timer = QTimer(self, singleShot=True, interval=CLOSE_MS)
        connect(self._close_timer.timeout, self._close_if_empty)
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
        connect(sources.open_wanted, self._open_for_source)
        self.look()

    def _add(self, source: ProblemSource) -> None:
        heading = plain_label(source.title)
        font = heading.font()
        font.setBold(True)
        heading.setFont(font)
        part = QWidget()
        lay_out(QVBoxLayout(part), heading, (source.problems, 1), margins=(4, 2, 4, 0), spacing=0)
        self._lists.addWidget(part)
        self._shown.append((source, part))
        source.problems.show()
        connect(source.problems.changed, self.look)
        self.look()

    @property
    def by_source(self) -> list[tuple[str, tuple[Problem, ...]]]:
        """The titles of the sources that have problems, and these."""
        return [
            (source.title, source.problems.problems)
            for source, _part in self._shown
            if source.problems.problems and source.offered()
        ]

    @property
    def is_open(self) -> bool:
        """True if the lists are shown as soon as there are problems."""
        return self._open

    def open(self, is_open: bool) -> None:
        """Show the lists, until there are no problems any more; or the line alone."""
        was_open = self._open
        self._open = is_open
        self._by_user = is_open and self._by_user
        self.look()
        if is_open != was_open:
            self.opened.emit(is_open)

    def _open_for_source(self) -> None:
        self.open(True)

    def _toggle(self) -> None:
        """Show the lists until they are closed by hand, folded while empty; or close them."""
        self._by_user = not self._open
        self.open(self._by_user)

    def _close_if_empty(self) -> None:
        if any(source.works() for source, _part in self._shown):
            self._close_timer.start()  # what it finds may be what was there before
        elif not self.by_source:
            self.area.hide()  # an empty list would keep the window high
            self.open(self._by_user)

    def look(self) -> None:
        """Show the problems as they are now."""
        by_source = self.by_source
        titles = {title for title, _problems in by_source}
        for source, part in self._shown:
            part.setVisible(source.title in titles)
        is_folded = self.area.isHidden() and not by_source
        if self._open and not (by_source or is_folded):
            self._close_timer.start()
        self.area.setVisible(self._open and not is_folded)
        self.button.setEnabled(bool(by_source) or self._open)
        self.button.setArrowType(Qt.ArrowType.DownArrow if self._open else Qt.ArrowType.UpArrow)
        everything = [problem for _title, problems in by_source for problem in problems]
        worst = min(
            everything, key=lambda problem: WORST_FIRST.index(problem.severity), default=None
        )
        counts = "; ".join(f"{title}: {summary(problems)}" for title, problems in by_source)
        if worst is None:
            text = "No problems"
        else:
            text = f"{counts} - {worst.message}"
        self.message.setText(text)
        self.line.setToolTip(plain_text("" if worst is None else f"{counts}. A click shows them"))
        self._icon.show_severity(None if worst is None else worst.severity)
        has_problems = bool(by_source)
        if has_problems != self._had_problems:
            self._had_problems = has_problems
            self.presence_changed.emit()

    def draw_icons(self) -> None:
        """Draw in the colours of the present palette."""
        for source, _part in self._shown:
            source.problems.set_colours()
        self.look()

    def _fit(self) -> None:
        """Give the open lists a height of their own, and the map most of the room."""
        parent = self.parentWidget()
        room = parent.height() if parent is not None else 400
        self.area.setFixedHeight(max(LEAST_HEIGHT, room // SHARE))

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Let the height of the lists follow that of the widget that holds the map and them."""
        parent = self.parentWidget()
        if event.type() == QEvent.Type.ParentChange and parent is not None:
            parent.installEventFilter(self)
            self._fit()
        return super().event(event)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Open the lists at a click anywhere on the line, or close them."""
        if watched is not self.line:
            if event.type() == QEvent.Type.Resize:
                self._fit()
            return False
        if event.type() == QEvent.Type.MouseButtonRelease and self.button.isEnabled():
            self._toggle()
            return True
        return super().eventFilter(watched, event)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the lists."""
        if event.key() == Qt.Key.Key_Escape and self._open:
            self.open(False)
        else:
            super().keyPressEvent(event)
