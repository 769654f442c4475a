"""The look of a row in a list of problems: ``ProblemDelegate`` paints it.

    (!)  "HAZARD" is no word of this language: the
         message is wrapped in the width of the list
         line 1, column 9 . way out: write "Hazard"          in grey, not wrapped

A row is as high as its message needs.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QListWidget, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.appearance.icons import icon_pixmap
from app.appearance.quotes import with_quotes
from app.appearance.text_colours import inks
from app.qt_guard import guarded
from randomizer.model.problems import Problem

PROBLEM = Qt.ItemDataRole.UserRole
"""The role of the ``Problem`` of a row."""

_ICON = 16
"""The width of the icon of a severity, in logical pixels."""

PAD = 4
"""The margin of a row and the gap between icon and message, in logical pixels."""

_BESIDE_MESSAGE = _ICON + 3 * PAD
"""The width of a row minus that of its message: the icon, a gap, and a margin on either side."""

_MIN_MESSAGE = 40
"""The least width in which a message is wrapped, in logical pixels."""

_UNBOUNDED = 10_000
"""A height that no message has, in logical pixels."""

_WRAP = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
"""The flags of messages: they are wrapped, and begin at the upper left."""

Index = QModelIndex | QPersistentModelIndex
"""The types in which Qt hands a row to a delegate."""


class ProblemDelegate(QStyledItemDelegate):
    """Paints rows as wide as the list: an icon, the message, wrapped, and a second line below it.

    ``place_of`` returns the text for the position of a problem, "" for none.
    """

    def __init__(self, rows: QListWidget, place_of: Callable[[Problem], str]) -> None:
        super().__init__(rows)
        self._rows = rows
        self._place_of = place_of

    def _second_line(self, problem: Problem) -> str:
        """Return the position of a problem and its fix as a line; "" if it has neither."""
        parts = [self._place_of(problem)]
        if problem.fix is not None:
            parts.append(f"way out: {with_quotes(problem.fix.title)}")
        return " \N{MIDDLE DOT} ".join(part for part in parts if part)

    def _message_rect(self, metrics: QFontMetrics, problem: Problem, width: int) -> QRect:
        """Return the bounds of the message for a row of this width, placed at the origin."""
        available_rect = QRect(0, 0, _message_width(width), _UNBOUNDED)
        return metrics.boundingRect(available_rect, int(_WRAP), with_quotes(problem.message))

    @guarded(default=QSize())
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the width of the list, and the height that the message needs at that width."""
        problem: Problem = index.data(PROBLEM)
        metrics = self._rows.fontMetrics()
        width = self._rows.viewport().width()
        height = self._message_rect(metrics, problem, width).height()
        if self._second_line(problem):
            height += metrics.height()
        return QSize(width, max(height, _ICON) + 2 * PAD)

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a row: its background, the icon, the message, and the second line in grey."""
        rows = self._rows
        problem: Problem = index.data(PROBLEM)
        rect: QRect = option.rect
        palette: QPalette = option.palette
        state: QStyle.StateFlag = option.state
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        panel = QStyle.PrimitiveElement.PE_PanelItemViewItem
        rows.style().drawPrimitive(panel, option, painter, rows)

        # On the colour of a selected row all of it has the colour of selected text.
        if is_selected:
            text_colour = palette.color(QPalette.ColorRole.HighlightedText)
            icon_colour = text_colour
            second_colour = text_colour
        else:
            text_colour = palette.color(QPalette.ColorRole.Text)
            icon_colour = inks(palette).of_severity(problem.severity)
            second_colour = palette.color(QPalette.ColorRole.PlaceholderText)

        corner = rect.topLeft()
        pixmap = icon_pixmap(problem.severity.value, _ICON, rows.devicePixelRatioF(), icon_colour)
        painter.drawPixmap(corner.x() + PAD, corner.y() + PAD, pixmap)

        metrics = rows.fontMetrics()
        message_height = self._message_rect(metrics, problem, rect.width()).height()
        left = corner.x() + _ICON + 2 * PAD
        width = _message_width(rect.width())
        message_rect = QRect(left, corner.y() + PAD, width, message_height)
        painter.setFont(rows.font())
        painter.setPen(text_colour)
        painter.drawText(message_rect, int(_WRAP), with_quotes(problem.message))

        second_rect = QRect(left, message_rect.bottom() + 1, width, metrics.height())
        line = self._second_line(problem)
        elided_line = metrics.elidedText(line, Qt.TextElideMode.ElideRight, width)
        painter.setPen(second_colour)
        painter.drawText(second_rect, Qt.AlignmentFlag.AlignLeft, elided_line)


def _message_width(row_width: int) -> int:
    """Return the width in which the message of a row is wrapped, in logical pixels."""
    return max(_MIN_MESSAGE, row_width - _BESIDE_MESSAGE)
