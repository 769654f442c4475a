"""A list of problems of a script, map or file, with buttons for their fixes.

``ProblemList`` is the widget; it emits what the user asks for, and its owner shows the position of
a problem or applies a fix. ``ProblemDelegate`` paints the rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.appearance.quotes import with_quotes
from app.qt_guard import connect, guarded
from app.widgets.layout.builders import described, lay_out, plain_text, tool_button
from app.widgets.layout.elided_label import ElidedLabel
from app.widgets.lists.empty_state import EmptyState
from app.widgets.lists.problem_delegate import PAD, PROBLEM, ProblemDelegate
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem, Severity, causes

LISTED = 200
"""The most problems that get a row: nobody reads more at once, and rows take time."""

SEVERITIES = (Severity.ERROR, Severity.WARNING, Severity.HINT)
"""The severities, the worst one first."""


def place_in_text(problem: Problem) -> str:
    """Return the line and column of a problem as text; "" if it has none."""
    if problem.line is None:
        return ""
    if problem.column is None:
        return f"line {problem.line}"
    return f"line {problem.line}, column {problem.column}"


def summary(problems: Iterable[Problem]) -> str:
    """Return the number of problems of each severity as text: "1 error, 3 warnings".

    Those that only follow from others are counted apart: "1 error and 95 that follow".
    """
    problems = list(problems)
    causes_of_problems = causes(problems)
    counts = Counter(problem.severity for problem in causes_of_problems)
    texts = [counted(counts[severity], severity) for severity in SEVERITIES if counts[severity]]
    if not texts:
        return "No problems"
    text = ", ".join(texts)
    count_of_following = len(problems) - len(causes_of_problems)
    if count_of_following == 1:
        return f"{text} and 1 that follows"
    if count_of_following:
        return f"{text} and {count_of_following:,} that follow"
    return text


class ProblemList(QWidget):
    """Problems in the order given, their number, and buttons for their fixes.

    Those that only follow from others are counted and not listed.

    ``place_of`` returns the text for the position of a problem, "" for none. With
    ``always_counts`` the number of problems is always shown below the list; without, only if there
    is a button for fixes.
    """

    activated = Signal(object)
    """The user asks for the position of this ``Problem``, by a click, Enter or the menu."""

    fix_requested = Signal(object, object)
    """The user has chosen a fix: the ``Problem``, and the ``Fix``."""

    all_fixes_requested = Signal()
    """The user asks for the likeliest fix of every problem."""

    changed = Signal()
    """``problems`` has changed."""

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        place_of: Callable[[Problem], str] = place_in_text,
        always_counts: bool = True,
    ) -> None:
        super().__init__(parent)
        self._problems: tuple[Problem, ...] = ()
        """All problems (``problems``)."""
        self._listed: tuple[Problem, ...] = ()
        """The problems that have a row, in the order of the rows."""
        self._place_of = place_of
        self._always_counts = always_counts
        self.rows = _RowList()
        self.rows.setItemDelegate(ProblemDelegate(self.rows, place_of))
        self.rows.setAccessibleName("Problems")
        EmptyState(self.rows, "No problems")
        self.rows.setToolTip("A click shows the place of a problem, Enter goes there")
        connect(self.rows.chosen, self._activate)
        connect(self.rows.clicked, self._show_clicked)
        connect(self.rows.currentRowChanged, self._offer_fix)
        self.rows.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        connect(self.rows.customContextMenuRequested, self._show_menu)
        self._summary = described(ElidedLabel(), "Number of problems")
        self.fix_button = tool_button("Fix", name="Apply the fix of the chosen problem")
        connect(self.fix_button.clicked, self._request_fix)
        self.fix_all_button = tool_button("Fix all", name="Apply the fixes of all problems")
        connect(self.fix_all_button.clicked, self.all_fixes_requested)
        for button in (self.fix_button, self.fix_all_button):
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        line = lay_out(
            QHBoxLayout(),
            (self._summary, 1),
            self.fix_button,
            self.fix_all_button,
            margins=(4, 0, 4, 0),
        )
        lay_out(QVBoxLayout(self), (self.rows, 1), line, margins=0, spacing=2)
        self.set_problems(())

    def set_problems(self, problems: Iterable[Problem]) -> None:
        """List these problems, and choose one of them, which the button *Fix* is for."""
        problems = tuple(problems)
        chosen = self.chosen
        previous_row = self.rows.currentRow()
        is_changed = problems != self._problems
        if is_changed:
            self._problems = problems
            self._listed = tuple(causes(problems)[:LISTED])
            self.rows.clear()
            for problem in self._listed:
                self.rows.addItem(self._item(problem))
        self.rows.setCurrentRow(self._row_to_choose(chosen, previous_row))
        self._summary.setText(self._summary_of_problems())
        self._offer_fix()
        if is_changed:
            self.changed.emit()

    def _row_to_choose(self, chosen: Problem | None, previous_row: int) -> int:
        """Return the row of the problem that is to be chosen; -1 if none is listed.

        ``chosen`` and ``previous_row`` are the problem that was chosen, and its row; None and -1
        for no problem. The first of these rules that fits counts:

        1. The problem that was chosen stays chosen.
        2. Its row has another problem with a fix now: it was fixed, and the next one moved up.
        3. The first problem with a fix is chosen, else the first one.
        """
        if chosen in self._listed:
            return self._listed.index(chosen)
        if previous_row >= 0:
            next_row = min(previous_row, len(self._listed) - 1)
            if next_row >= 0 and self._listed[next_row].fix is not None:
                return next_row
        for row, problem in enumerate(self._listed):
            if problem.fix is not None:
                return row
        if not self._listed:
            return -1
        return 0

    def _summary_of_problems(self) -> str:
        """Return how many problems there are, and which of them are not listed."""
        text = summary(self._problems)
        if len(self._listed) < len(causes(self._problems)):
            text += f"; the first {LISTED} are listed"
        return text

    def _item(self, problem: Problem) -> QListWidgetItem:
        """Return the row of a problem; its text is for screen readers, and not painted."""
        message = with_quotes(problem.message)
        texts = [str(problem.severity), message, self._place_of(problem)]
        text = ", ".join(filter(None, texts))
        item = QListWidgetItem(text)
        item.setData(PROBLEM, problem)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, text)
        tip = message
        for fix in problem.fixes:
            tip += f"\nWay out: {with_quotes(fix.title)}"
        item.setToolTip(plain_text(tip))
        return item

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems, with those beyond ``LISTED`` and those that only follow from others."""
        return self._problems

    @property
    def chosen(self) -> Problem | None:
        """The problem of the current row."""
        row = self.rows.currentRow()
        if 0 <= row < len(self._listed):
            return self._listed[row]
        return None

    def choose(self, problem: Problem) -> None:
        """Make a problem the current row, if it is listed."""
        if problem in self._listed:
            self.rows.setCurrentRow(self._listed.index(problem))

    @property
    def summary(self) -> str:
        """The text that is shown on the number of problems."""
        return self._summary.text()

    def height_of_rows(self, count: int) -> int:
        """Return the height of the list with its first rows, in logical pixels."""
        height = 2 * self.rows.frameWidth()
        for row in range(min(count, self.rows.count())):
            height += self.rows.sizeHintForRow(row)
        return height

    def update_colours(self) -> None:
        """Repaint in the colours of the present palette."""
        self.rows.viewport().update()

    def _activate(self) -> None:
        """Ask for the position of the chosen problem."""
        if self.chosen is not None:
            self.activated.emit(self.chosen)

    def _show_clicked(self) -> None:
        """Ask for the position of the clicked problem; the list keeps the keyboard.

        A person who looks at one problem after the other goes on with the arrow keys, and types
        nothing into the text that is shown. Enter goes there with the keyboard.
        """
        self._activate()
        self.rows.setFocus()

    @property
    def _fixable(self) -> list[Problem]:
        """The problems that have a fix, listed or not."""
        return [problem for problem in self._problems if problem.fix is not None]

    def _request_fix(self) -> None:
        """Ask for the likeliest fix of the chosen problem."""
        problem = self.chosen
        if problem is not None and problem.fix is not None:
            self.fix_requested.emit(problem, problem.fix)

    def _offer_fix(self) -> None:
        """Show the buttons for fixes as far as there are any, and what they would do."""
        count = len(self._fixable)
        self._summary.setVisible(self._always_counts or count > 0)

        problem = self.chosen
        tip = "Choose a problem that says its way out"
        has_fix = problem is not None and problem.fix is not None
        if problem is not None and problem.fix is not None:
            tip = f"Apply: {with_quotes(problem.fix.title)}"
        self.fix_button.setEnabled(has_fix)
        self.fix_button.setVisible(count > 0)
        self.fix_button.setToolTip(plain_text(tip))
        self._offer_other_fixes(problem)

        tip_of_all = f"Apply the fixes of {counted(count, 'problem')}: one step of undo"
        self.fix_all_button.setVisible(count > 1)
        self.fix_all_button.setToolTip(plain_text(tip_of_all))

    def _offer_other_fixes(self, problem: Problem | None) -> None:
        """Give the button *Fix* an arrow with a menu of all fixes of a problem if it has several.

        Else it has no menu: styles draw an arrow even for one that is empty.
        """
        old_menu = self.fix_button.menu()
        mode = QToolButton.ToolButtonPopupMode.DelayedPopup
        menu: QMenu | None = None
        if problem is not None and problem.fix is not None and problem.other_fixes:
            mode = QToolButton.ToolButtonPopupMode.MenuButtonPopup
            menu = QMenu(self)
            for fix in problem.fixes:
                title = with_quotes(f"{fix.title[:1].upper()}{fix.title[1:]}")
                action = menu.addAction(title.replace("&", "&&"))
                connect(action.triggered, partial(self.fix_requested.emit, problem, fix))
        self.fix_button.setMenu(menu)  # type: ignore[arg-type] # None takes the menu away
        self.fix_button.setPopupMode(mode)
        if old_menu is not None:
            old_menu.deleteLater()

    def _show_menu(self, position: QPoint) -> None:
        """Open the context menu of the problem at a position in the list."""
        item = self.rows.itemAt(position)
        if item is None:
            return
        problem: Problem = item.data(PROBLEM)
        menu = self.menu_of(problem)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.rows.viewport().mapToGlobal(position))

    def menu_of(self, problem: Problem) -> QMenu:
        """Return the context menu of a problem."""

        def copy_message() -> None:
            QGuiApplication.clipboard().setText(with_quotes(problem.message))

        menu = QMenu(self)
        show_action = menu.addAction("Show the place")
        connect(show_action.triggered, lambda: self.activated.emit(problem))
        for fix in problem.fixes:
            title = f"Apply fix: {with_quotes(fix.title)}"
            fix_action = menu.addAction(title.replace("&", "&&"))
            connect(fix_action.triggered, partial(self.fix_requested.emit, problem, fix))
        copy_action = menu.addAction("Copy the message")
        connect(copy_action.triggered, copy_message)
        return menu


class _RowList(QListWidget):
    """The list of problems, in which Enter chooses the current row."""

    chosen = Signal()
    """Enter was pressed on the current row."""

    def __init__(self) -> None:
        super().__init__()
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        # Two lines: the message of a problem, and its second line.
        self.setMinimumHeight(self.fontMetrics().height() * 2 + 3 * PAD)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose the current row by Enter."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit()
        else:
            super().keyPressEvent(event)
