"""A list of problems of a script, map or file; a click goes to the position of one.

``ProblemList`` is what panels and dialogs use; ``ProblemRows`` draws its rows: an icon, the message
on as many lines as it needs, and below it where the problem is and what would fix it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QPainter, QPalette
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.appearance.icons import icon_pixmap
from app.appearance.text_colours import inks
from app.qt_guard import connect, guarded
from app.widgets.layout.builders import described, lay_out, plain_text, tool_button
from app.widgets.layout.elided_label import ElidedLabel
from app.widgets.lists.empty_state import EmptyState
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem, Severity

PROBLEM = Qt.ItemDataRole.UserRole
"""The role of an item's data that is its ``Problem``."""

_ICON = 16
"""The side of the icon of the severity, in logical pixels."""

_PAD = 4
"""The room around icon and message, in logical pixels."""

_LEAST_MESSAGE_WIDTH = 40
"""The width in which a message is wrapped in a list that is narrower still, in logical pixels."""

_MOST_HEIGHT = 10_000
"""No message is as high, in logical pixels."""

_WRAP = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap

Index = QModelIndex | QPersistentModelIndex


class ProblemRows(QStyledItemDelegate):
    """Draws rows as wide as the list, with messages that wrap.

    ``place_of`` returns the text for the position of a problem, "" if it has none.
    """

    def __init__(self, rows: QListWidget, place_of: Callable[[Problem], str]) -> None:
        super().__init__(rows)
        self._rows = rows
        self._place_of = place_of

    def _second_line(self, problem: Problem) -> str:
        """Return the line below the message: position and first fix; "" if it has neither."""
        texts = [self._place_of(problem)]
        if problem.fix is not None:
            texts.append(f"way out: {problem.fix.title}")
        return " \N{MIDDLE DOT} ".join(text for text in texts if text)

    def _message_rect(self, metrics: QFontMetrics, problem: Problem, width: int) -> QRect:
        """Return the bounds of the message for a row of this width, placed at the origin."""
        message_width = max(_LEAST_MESSAGE_WIDTH, width - _ICON - 3 * _PAD)
        bounds = QRect(0, 0, message_width, _MOST_HEIGHT)
        return metrics.boundingRect(bounds, int(_WRAP), problem.message)

    @guarded(default=QSize())
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the width of the list, and the height that the message needs at that width."""
        problem: Problem = index.data(PROBLEM)
        metrics = self._rows.fontMetrics()
        width = self._rows.viewport().width()
        height = self._message_rect(metrics, problem, width).height()
        if self._second_line(problem):
            height += metrics.height()
        return QSize(width, max(height, _ICON) + 2 * _PAD)

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rows = self._rows
        problem: Problem = index.data(PROBLEM)
        rect: QRect = option.rect
        palette: QPalette = option.palette
        state: QStyle.StateFlag = option.state
        rows.style().drawPrimitive(
            QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, rows
        )

        # On the highlight of a selected row only its own text colour can be read.
        if state & QStyle.StateFlag.State_Selected:
            message_colour = palette.color(QPalette.ColorRole.HighlightedText)
            icon_colour = message_colour
            second_line_colour = message_colour
        else:
            message_colour = palette.color(QPalette.ColorRole.Text)
            icon_colour = inks(palette).severity(problem.severity)
            second_line_colour = palette.color(QPalette.ColorRole.PlaceholderText)

        icon = icon_pixmap(problem.severity.value, _ICON, rows.devicePixelRatioF(), icon_colour)
        painter.drawPixmap(rect.left() + _PAD, rect.top() + _PAD, icon)

        metrics = rows.fontMetrics()
        message_rect = QRect(
            rect.left() + _ICON + 2 * _PAD,
            rect.top() + _PAD,
            rect.width() - _ICON - 3 * _PAD,
            self._message_rect(metrics, problem, rect.width()).height(),
        )
        painter.setFont(rows.font())
        painter.setPen(message_colour)
        painter.drawText(message_rect, int(_WRAP), problem.message)

        second_line_rect = QRect(
            message_rect.left(), message_rect.bottom() + 1, message_rect.width(), metrics.height()
        )
        second_line = metrics.elidedText(
            self._second_line(problem), Qt.TextElideMode.ElideRight, second_line_rect.width()
        )
        painter.setPen(second_line_colour)
        painter.drawText(second_line_rect, Qt.AlignmentFlag.AlignLeft, second_line)


def place_in_text(problem: Problem) -> str:
    """Return the line and column of a problem as text; "" if it has none."""
    if problem.line is None:
        return ""
    if problem.column is None:
        column = ""
    else:
        column = f", column {problem.column}"
    return f"line {problem.line}{column}"


def summary(problems: Iterable[Problem]) -> str:
    """Return how many problems there are of each severity, as text."""
    counts = Counter(problem.severity for problem in problems)
    texts = [
        counted(counts[severity], severity)
        for severity in (Severity.ERROR, Severity.WARNING, Severity.HINT)
        if counts[severity]
    ]
    return ", ".join(texts) or "No problems"


LISTED = 200
"""At most so many problems get a row: nobody reads more at once, and rows take time."""


class ProblemList(QWidget):
    """Problems in the order given, their number, and buttons for their fixes.

    ``place_of`` returns the text for the position of a problem, "" if it has none. ``counts``: the
    number of problems stands below the list; without it only while one has a fix.
    """

    activated = Signal(object)
    """Carries the problem (``Problem``) that was clicked, or on which Enter was pressed."""

    fix_requested = Signal(object, object)
    """Carries the problem and its fix (``Fix``) that the user has chosen."""

    all_fixes_requested = Signal()
    """The user wants the first fix of every problem that has one."""

    changed = Signal()
    """Other problems are listed."""

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        place_of: Callable[[Problem], str] = place_in_text,
        counts: bool = True,
    ) -> None:
        super().__init__(parent)
        self._problems: tuple[Problem, ...] = ()
        self._place_of = place_of
        self._counts = counts
        self.rows = _Rows()
        self.rows.setItemDelegate(ProblemRows(self.rows, place_of))
        self.rows.setAccessibleName("Problems")
        EmptyState(self.rows, "No problems")
        self.rows.setToolTip("A click or Enter shows the place of a problem")
        connect(self.rows.chosen, self._activate)
        # Both handlers look at the current row themselves.
        connect(self.rows.clicked, lambda _index: self._activate())
        connect(self.rows.currentRowChanged, lambda _row: self._offer_fix())
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
        """List these problems; the chosen one stays chosen if it is among them."""
        problems = tuple(problems)
        chosen_problem = self.chosen
        has_changed = problems != self._problems
        if has_changed:
            self._problems = problems
            self.rows.clear()
            for problem in problems[:LISTED]:
                self.rows.addItem(self._item(problem))
        if chosen_problem in problems[:LISTED]:
            self.rows.setCurrentRow(problems.index(chosen_problem))
        text = summary(problems)
        if len(problems) > LISTED:
            text += f"; the first {LISTED} are listed"
        self._summary.setText(text)
        self._offer_fix()
        if has_changed:
            self.changed.emit()

    def _item(self, problem: Problem) -> QListWidgetItem:
        """Return the item of a problem: its text is for screen readers, ``ProblemRows`` draws."""
        texts = (str(problem.severity), problem.message, self._place_of(problem))
        text = ", ".join(text for text in texts if text)
        item = QListWidgetItem(text)
        item.setData(PROBLEM, problem)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, text)
        tip = problem.message
        for fix in problem.fixes:
            tip += f"\nWay out: {fix.title}"
        item.setToolTip(plain_text(tip))
        return item

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems, with those beyond ``LISTED``."""
        return self._problems

    @property
    def chosen(self) -> Problem | None:
        """The problem of the current row."""
        row = self.rows.currentRow()
        listed = self._problems[:LISTED]
        if 0 <= row < len(listed):
            return listed[row]
        return None

    def choose(self, problem: Problem) -> None:
        """Make a listed problem the current row."""
        self.rows.setCurrentRow(self._problems.index(problem))

    @property
    def summary(self) -> str:
        """The number of problems in words, as shown."""
        return self._summary.text()

    def set_colours(self) -> None:
        """Repaint in the colours of the present palette."""
        self.rows.viewport().update()

    def _activate(self) -> None:
        """Tell that the problem of the current row was activated, if there is one."""
        if self.chosen is not None:
            self.activated.emit(self.chosen)

    @property
    def _fixable_problems(self) -> list[Problem]:
        """The problems that have a fix, with those beyond ``LISTED``."""
        return [problem for problem in self._problems if problem.fix is not None]

    def _problem_to_fix(self) -> Problem | None:
        """Return the problem that the button *Fix* fixes: the chosen one, else the only one with a
        fix.

        The chosen one can be without a fix.
        """
        if self.chosen is not None:
            return self.chosen
        fixable_problems = self._fixable_problems
        if len(fixable_problems) == 1:
            return fixable_problems[0]
        return None

    def _request_fix(self) -> None:
        """Ask for the fix that the button *Fix* offers."""
        problem = self._problem_to_fix()
        if problem is not None and problem.fix is not None:
            self.fix_requested.emit(problem, problem.fix)

    def _offer_fix(self) -> None:
        """Show the buttons for fixes, as the problems and the current row have them."""
        fix = None
        problem = self._problem_to_fix()
        if problem is not None:
            fix = problem.fix
        if fix is None:
            tip = "Choose a problem that says its way out"
        else:
            tip = f"Apply: {fix.title}"
        count = len(self._fixable_problems)
        self.fix_button.setEnabled(fix is not None)
        self.fix_button.setVisible(count > 0)
        self.fix_button.setToolTip(plain_text(tip))
        self.fix_all_button.setVisible(count > 1)
        self.fix_all_button.setToolTip(
            plain_text(f"Apply the fixes of {counted(count, 'problem')}: one step of undo")
        )
        self._summary.setVisible(self._counts or count > 0)

    def _show_menu(self, at: QPoint) -> None:
        """Show the context menu of the problem at a point of the rows, if one is there."""
        item = self.rows.itemAt(at)
        if item is None:
            return
        problem: Problem = item.data(PROBLEM)
        menu = self.menu_of(problem)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.rows.viewport().mapToGlobal(at))

    def menu_of(self, problem: Problem) -> QMenu:
        """Return the context menu of a problem."""
        menu = QMenu(self)
        connect(menu.addAction("Show the place").triggered, lambda: self.activated.emit(problem))
        for fix in problem.fixes:
            title = f"Apply fix: {fix.title}"
            connect(menu.addAction(title).triggered, partial(self.fix_requested.emit, problem, fix))
        connect(
            menu.addAction("Copy the message").triggered,
            lambda: QGuiApplication.clipboard().setText(problem.message),
        )
        return menu


class _Rows(QListWidget):
    """The rows of a ``ProblemList``, at least about two of them high."""

    chosen = Signal()
    """Enter was pressed."""

    def __init__(self) -> None:
        super().__init__()
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setMinimumHeight(self.fontMetrics().height() * 2 + 12)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit()
        else:
            super().keyPressEvent(event)
