"""A list of problems of a script, map or file; a click goes to the place of one."""

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
    QToolButton,
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

_ICON = 16
_PAD = 4
_WRAP = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap

Index = QModelIndex | QPersistentModelIndex


class ProblemRows(QStyledItemDelegate):
    """Rows as wide as the list, with messages that wrap."""

    def __init__(self, rows: QListWidget, place_of: Callable[[Problem], str]) -> None:
        super().__init__(rows)
        self._rows = rows
        self._place_of = place_of

    def _second_line(self, problem: Problem) -> str:
        parts = [self._place_of(problem)]
        if problem.fix is not None:
            parts.append(f"way out: {problem.fix.title}")
        return " \N{MIDDLE DOT} ".join(part for part in parts if part)

    def _message_rect(self, metrics: QFontMetrics, problem: Problem, width: int) -> QRect:
        """Return the bounds of the message for a row of this width, placed at the origin."""
        room = QRect(0, 0, max(40, width - _ICON - 3 * _PAD), 10_000)
        return metrics.boundingRect(room, int(_WRAP), problem.message)

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
        problem = index.data(PROBLEM)
        rect: QRect = option.rect
        palette: QPalette = option.palette
        state: QStyle.StateFlag = option.state
        rows.style().drawPrimitive(
            QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, rows
        )
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected:
            role = QPalette.ColorRole.HighlightedText
        else:
            role = QPalette.ColorRole.Text
        text = palette.color(role)
        if selected:
            colour = text
        else:
            colour = inks(palette).severity(problem.severity)
        ratio = rows.devicePixelRatioF()
        corner = rect.topLeft()
        pixmap = icon_pixmap(problem.severity.value, _ICON, ratio, colour)
        painter.drawPixmap(corner.x() + _PAD, corner.y() + _PAD, pixmap)
        metrics = rows.fontMetrics()
        room = self._message_rect(metrics, problem, rect.width())
        left = corner.x() + _ICON + 2 * _PAD
        painter.setFont(rows.font())
        painter.setPen(text)
        where = QRect(left, corner.y() + _PAD, rect.width() - _ICON - 3 * _PAD, room.height())
        painter.drawText(where, int(_WRAP), problem.message)
        if not selected:
            painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
        below = QRect(left, where.bottom() + 1, where.width(), metrics.height())
        line = metrics.elidedText(
            self._second_line(problem), Qt.TextElideMode.ElideRight, below.width()
        )
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, line)


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

    ``activated(Problem)``: a click, or Enter. ``fix_requested(Problem, Fix)``: a fix was chosen.
    ``all_fixes_requested()``: the likeliest fixes of all. ``changed()``: others are listed.
    ``place_of`` gives the text for the place of a problem.
    ``counts``: show the number of problems below the list.
    """

    activated = Signal(object)
    fix_requested = Signal(object, object)
    all_fixes_requested = Signal()
    changed = Signal()

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
        chosen = self.chosen
        another = problems != self._problems
        if another:
            self._problems = problems
            self.rows.clear()
            for problem in problems[:LISTED]:
                self.rows.addItem(self._item(problem))
        if chosen in problems[:LISTED]:
            self.rows.setCurrentRow(problems.index(chosen))
        if len(problems) > LISTED:
            listed = f"; the first {LISTED} are listed"
        else:
            listed = ""
        self._summary.setText(summary(problems) + listed)
        self._offer_fix()
        if another:
            self.changed.emit()

    def _item(self, problem: Problem) -> QListWidgetItem:
        position = self._place_of(problem)
        text = ", ".join(
            part for part in (str(problem.severity), problem.message, position) if part
        )
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
        if self.chosen is not None:
            self.activated.emit(self.chosen)

    @property
    def _fixable(self) -> list[Problem]:
        return [problem for problem in self._problems if problem.fix is not None]

    def _problem_to_fix(self) -> Problem | None:
        """Return the problem that the button *Fix* fixes: the chosen one, else the only one with a
        fix.
        """
        if self.chosen is not None:
            return self.chosen
        fixable = self._fixable
        if len(fixable) == 1:
            return fixable[0]
        return None

    def _request_fix(self) -> None:
        problem = self._problem_to_fix()
        if problem is not None and problem.fix is not None:
            self.fix_requested.emit(problem, problem.fix)

    def _offer_fix(self) -> None:
        problem = self._problem_to_fix()
        fix = None if problem is None else problem.fix
        self.fix_button.setEnabled(fix is not None)
        self._offer_other_fixes(problem)
        count = len(self._fixable)
        self.fix_button.setVisible(count > 0)
        self.fix_all_button.setVisible(count > 1)
        self.fix_all_button.setToolTip(
            plain_text(f"Apply the fixes of {counted(count, 'problem')}: one step of undo")
        )
        self._summary.setVisible(self._counts or count > 0)
        self.fix_button.setToolTip(
            plain_text(
                "Choose a problem that says its way out" if fix is None else f"Apply: {fix.title}"
            )
        )

    def _offer_other_fixes(self, problem: Problem | None) -> None:
        """Give the button *Fix* an arrow with a menu of all fixes of a problem if it has several.

        Else the menu is empty, and does not come.
        """
        old_menu = self.fix_button.menu()
        mode = QToolButton.ToolButtonPopupMode.DelayedPopup
        menu = QMenu(self)
        if problem is not None and problem.fix is not None and problem.other_fixes:
            mode = QToolButton.ToolButtonPopupMode.MenuButtonPopup
            for fix in problem.fixes:
                title = f"{fix.title[:1].upper()}{fix.title[1:]}"
                action = menu.addAction(title.replace("&", "&&"))
                connect(action.triggered, partial(self.fix_requested.emit, problem, fix))
        self.fix_button.setMenu(menu)
        self.fix_button.setPopupMode(mode)
        if old_menu is not None:
            old_menu.deleteLater()

    def _show_menu(self, at: QPoint) -> None:
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
    """The rows; ``chosen()``: Enter was pressed on the current one."""

    chosen = Signal()

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
