"""The list that shows the log of a table's dice: a line for everything they decided.

    1 Hills and mountains                          the heading of a part of the page
    1.1  Hilly country: D6 = 3 + 4: 7 hills        a line: the number of its step, and its text
    1.2  Hill 1: 3D6 = 9 along from row 2
    2 Rivers and water
    2.1  River 1 entry: D6 = 4: ...

``DiceLog`` is the list. ``LogController`` gives it the log of each table (``set_lines``), and marks
the lines about the area under the mouse. ``_LineDelegate`` draws a line in its two columns, with
the heading above the first line of a part.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import Enum, auto

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QBrush,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QHideEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPalette,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from app.appearance.painting import saved_state
from app.qt_guard import connect, guarded
from app.widgets.lists.empty_state import EmptyState
from randomizer.systems.cordery.page_parts import HEADINGS, part_of_step

MARKED_ALPHA = 70
"""The opacity, of 255, of the colour behind lines about the area under the mouse."""

HEADING = Qt.ItemDataRole.UserRole
"""The role of a line's heading; "" for all lines but the first one of a part of the page."""

NO_ROW = -1
"""Stands for the row of a line where there is none."""

GAP = 2
"""Logical pixels above, below and beside a line."""

HEADING_GAP = 6
"""Logical pixels above a heading."""

FIRST_LINES = 3
"""The number of first lines that must be equal in two logs of one table.

With fewer of them the logs of two tables would often be taken for one.
"""

MAX_POSITIONS = 8
"""The number of logs whose scroll positions are remembered, for when Undo or Redo show them again.

With more of them each throw takes a few kilobytes more.
"""

Index = QModelIndex | QPersistentModelIndex
"""The index of a line in the model of the list: Qt passes either to a delegate."""


class _LogChange(Enum):
    """The relation of a new log to the one that is shown."""

    OTHER_TABLE = auto()
    """It is the log of another table."""

    SAME_TABLE = auto()
    """It has the same first lines: the table was laid again, and later lines are other ones."""

    ONLY_LENGTH = auto()
    """It is the same log with lines more, or fewer, at its end: dice were entered or taken back."""


class _LineDelegate(QStyledItemDelegate):
    """Draws a line with the number of its step in a column of its own, and the heading above it."""

    def __init__(self, log: QListWidget) -> None:
        super().__init__(log)
        self._log = log

    @guarded(default=QSize())
    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the size of a line with its text wrapped at the width of the list."""
        width = self._log.viewport().width() - 2 * self._log.spacing()
        _step, text = _split_line(index)
        metrics = self._log.fontMetrics()
        text_column = QRect(0, 0, self._text_width(), 0)
        height = metrics.boundingRect(text_column, Qt.TextFlag.TextWordWrap, text).height()
        return QSize(width, self._heading_height(index) + height + 2 * GAP)

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a line: its heading, the background that the style gives an item, and its text."""
        self.initStyleOption(option, index)
        rect = QRect(option.rect)
        heading_height = self._heading_height(index)
        line = rect.adjusted(0, heading_height, 0, 0)
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.Text
        if is_selected:
            role = QPalette.ColorRole.HighlightedText
        with saved_state(painter):
            if heading_height:
                painter.setFont(self._heading_font())
                painter.setPen(option.palette.color(QPalette.ColorRole.Text))
                heading = rect.adjusted(GAP, HEADING_GAP, 0, 0)
                painter.drawText(heading, Qt.AlignmentFlag.AlignTop, str(index.data(HEADING)))

            # The style draws the item without a text, which is drawn here in two columns.
            option.rect = line
            option.text = ""
            style = self._log.style()
            style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, self._log)

            step, text = _split_line(index)
            painter.setFont(self._log.font())
            painter.setPen(option.palette.color(role))
            inner = line.adjusted(GAP, GAP, 0, 0)
            painter.drawText(inner, Qt.AlignmentFlag.AlignTop, step)
            inner.setLeft(line.left() + self._step_width())
            # Not up to the end of the item, which is wider: a text that needs fewer lines there
            # than ``sizeHint`` has measured would leave an empty one.
            inner.setWidth(self._text_width())
            painter.drawText(inner, Qt.TextFlag.TextWordWrap, text)

    def _heading_font(self) -> QFont:
        font = QFont(self._log.font())
        font.setBold(True)
        return font

    def _heading_height(self, index: Index) -> int:
        """Return the height of the heading above a line, with the gap above it; 0 without one."""
        if not index.data(HEADING):
            return 0
        return QFontMetrics(self._heading_font()).height() + HEADING_GAP

    def _text_width(self) -> int:
        """Return the width in which the text of a line is wrapped, without the step's number."""
        width = self._log.viewport().width() - 2 * self._log.spacing()
        return max(1, width - self._step_width() - GAP)

    def _step_width(self) -> int:
        """Return the width of the column of the numbers of steps: two digits, and two spaces."""
        return self._log.fontMetrics().horizontalAdvance("0.0  ") + GAP


def _split_line(index: Index) -> tuple[str, str]:
    """Return the number of the step of a line, and the text after it."""
    step, _space, text = str(index.data()).partition(" ")
    return step, text


class DiceLog(QListWidget):
    """The list of the lines of the log."""

    pointed = Signal(int)
    """The mouse is over another line, whose row this is; ``NO_ROW``: it has left the lines."""

    chosen = Signal(int)
    """The line of this row was clicked, or Enter was pressed on it."""

    def __init__(self) -> None:
        super().__init__()
        self._pointed_row = NO_ROW
        """The row of the line under the mouse, or ``NO_ROW``."""
        self._keeps_end_in_view = False
        """True from ``show_end`` until the user scrolls: the last line then stays in view."""
        self._positions: dict[tuple[str, ...], int] = {}
        """The values that the scroll bar had in the last ``MAX_POSITIONS`` logs, by their lines.

        The log that was left first is the first item.
        """
        scroll_bar = self.verticalScrollBar()
        connect(scroll_bar.rangeChanged, self._on_range_changed)
        connect(scroll_bar.valueChanged, self._leave_end)
        self.setAccessibleName("Dice log")
        self.setItemDelegate(_LineDelegate(self))
        self.setWordWrap(True)  # only then Qt lays the lines out again when the width changes
        self.setSpacing(1)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Lower than Qt has it: in a small window the question for a die needs the height.
        self.setMinimumHeight(2 * self.fontMetrics().lineSpacing() + 2 * self.frameWidth())
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setMouseTracking(True)
        self.viewport().installEventFilter(self)
        connect(self.itemClicked, self._choose)
        connect(self.itemActivated, self._choose)
        EmptyState(self, "What the dice decide is told here, line by line, once they are thrown.")

    def _choose(self, item: QListWidgetItem) -> None:
        self.chosen.emit(self.row(item))

    def set_lines(self, lines: Sequence[str]) -> None:
        """Show these lines, and scroll to where the user is likely to read on."""
        previous_lines = self.lines()
        if list(lines) == previous_lines:
            return
        change = _change_of_log(previous_lines, lines)
        scroll_bar = self.verticalScrollBar()
        previous_position = scroll_bar.value()
        was_at_end = previous_position == scroll_bar.maximum()
        # While the program keeps the last line in view, the position is not the user's choice.
        has_chosen_position = not self._keeps_end_in_view
        if previous_lines and has_chosen_position:
            self._remember_position(previous_lines, previous_position)

        self._list_lines(lines)
        remembered_position = self._positions.get(tuple(lines))
        is_reading_same_log = change is _LogChange.ONLY_LENGTH and has_chosen_position
        if is_reading_same_log:
            remembered_position = None  # whoever reads stays where the eye is
        if remembered_position is not None:
            # Undo or Redo shows a log again that was shown before.
            self._show_position(remembered_position)
        elif change is _LogChange.OTHER_TABLE:
            self._show_position(0)
        elif was_at_end:
            self.show_end()  # whoever watches the last line sees each new one
        else:
            self._show_position(previous_position)

    def _remember_position(self, lines: Sequence[str], position: int) -> None:
        """Remember where the user was in a log; the one that was left first is forgotten."""
        self._positions.pop(tuple(lines), None)
        self._positions[tuple(lines)] = position
        if len(self._positions) > MAX_POSITIONS:
            del self._positions[next(iter(self._positions))]

    def _show_position(self, position: int) -> None:
        """Scroll to a value of the scroll bar, and stay there while the log grows."""
        self._keeps_end_in_view = False
        self.doItemsLayout()  # sets the range of the scroll bar, which may end below the value yet
        self.verticalScrollBar().setValue(position)

    def show_end(self) -> None:
        """Bring the last line into view; it stays there until the user scrolls."""
        self._keeps_end_in_view = True
        self.scrollToBottom()

    def _on_range_changed(self, _lowest: int, highest: int) -> None:
        """Scroll to the end if it is to stay in view, as the range of the scroll bar changed."""
        if self._keeps_end_in_view:
            self.verticalScrollBar().setValue(highest)

    def _leave_end(self, value: int) -> None:
        """End ``show_end`` if the scroll bar was moved away from its end."""
        if value < self.verticalScrollBar().maximum():
            self._keeps_end_in_view = False

    def _list_lines(self, lines: Sequence[str]) -> None:
        """Replace the lines of the list; the first one of every part gets the part's heading."""
        self._point_at(NO_ROW)
        self.clear()
        previous_part = ""
        for line in lines:
            item = QListWidgetItem(line)
            step, _space, _text = line.partition(" ")
            part = part_of_step(step)
            heading = ""
            if part != previous_part:
                heading = HEADINGS.get(part, "")
            item.setData(HEADING, heading)
            previous_part = part
            self.addItem(item)

    def lines(self) -> list[str]:
        """Return the texts of all lines."""
        return [self.item(row).text() for row in range(self.count())]

    def mark_lines(self, rows: Collection[int]) -> None:
        """Colour the background of these rows and of no other, and bring the last into view."""
        colour = self.palette().color(QPalette.ColorRole.Highlight)
        colour.setAlpha(MARKED_ALPHA)
        for row in range(self.count()):
            item = self.item(row)
            is_marked = item.background().style() != Qt.BrushStyle.NoBrush
            if row in rows and not is_marked:
                item.setBackground(QBrush(colour))
            elif is_marked and row not in rows:
                item.setBackground(QBrush())
        if rows:
            self.scrollToItem(self.item(max(rows)))

    def select_line(self, row: int) -> None:
        """Make the line of this row the current one, and the only one that is selected."""
        self.setCurrentRow(row)

    def copy_selected(self) -> None:
        """Put the selected lines on the clipboard, or all of them if none are."""
        rows = sorted(self.row(item) for item in self.selectedItems())
        if not rows:
            self.copy_all()
            return
        lines = self.lines()
        QGuiApplication.clipboard().setText("\n".join(lines[row] for row in rows))

    def copy_all(self) -> None:
        """Put all lines on the clipboard."""
        QGuiApplication.clipboard().setText("\n".join(self.lines()))

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Claim the keys that copy, while the log has the keyboard, before commands get them."""
        if event.type() == QEvent.Type.ShortcutOverride:
            assert isinstance(event, QKeyEvent)
            if event.matches(QKeySequence.StandardKey.Copy):
                event.accept()
                return True
        return super().event(event)

    @guarded
    def keyPressEvent(self, event):  # type: ignore[no-untyped-def]
        """Copy the selected lines with the keys for that."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selected()
        else:
            super().keyPressEvent(event)

    def forget_pointed_line(self) -> None:
        """Point at no line until the mouse moves: another line may lie under it by now."""
        self._point_at(NO_ROW)

    @guarded
    def hideEvent(self, event: QHideEvent) -> None:
        """Point at no line: Qt sends no leave event when the lines below the mouse are hidden."""
        self._point_at(NO_ROW)
        super().hideEvent(event)

    def _point_at(self, row: int) -> None:
        """Remember the row under the mouse, and emit it if it is another one."""
        if row != self._pointed_row:
            self._pointed_row = row
            self.pointed.emit(row)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Emit the line to which the mouse was moved, and ``NO_ROW`` when it has left the lines.

        ``itemEntered`` of Qt would not do: it is also emitted for a line that comes to lie under a
        mouse at rest, as when the strip above the log is hidden. The user does not point at it.
        """
        if watched is self.viewport():
            if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseMove:
                index = self.indexAt(event.position().toPoint())
                self._point_at(index.row())  # Qt's row of no item is -1, which is ``NO_ROW``
            elif event.type() == QEvent.Type.Leave:
                self._point_at(NO_ROW)
        return super().eventFilter(watched, event)


def _change_of_log(previous_lines: Sequence[str], lines: Sequence[str]) -> _LogChange:
    """Return the relation of a log to the previous one; the arguments are all of their lines."""
    length = min(len(previous_lines), len(lines))
    first_count = min(FIRST_LINES, length)
    has_same_first_lines = list(lines[:first_count]) == list(previous_lines[:first_count])
    if first_count == 0 or not has_same_first_lines:
        return _LogChange.OTHER_TABLE
    if list(lines[:length]) == list(previous_lines[:length]):
        return _LogChange.ONLY_LENGTH
    return _LogChange.SAME_TABLE
