"""Draws the rows of a list of problems: severity, message, place and fix."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import (
    QListWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from app.appearance.icons import icon_pixmap
from app.appearance.text_colours import inks
from app.qt_guard import guarded
from randomizer.model.problems import Problem

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
        """The bounds of the message for a row of this width, placed at the origin."""
        room = QRect(0, 0, max(40, width - _ICON - 3 * _PAD), 10_000)
        return metrics.boundingRect(room, int(_WRAP), problem.message)

    @guarded(default=QSize())
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """The width of the list, and the height that the message needs at that width."""
        problem: Problem = index.data(PROBLEM)
        metrics = self._rows.fontMetrics()
        width = self._rows.viewport().width()
        height = self._message_rect(metrics, problem, width).height()
        if self._second_line(problem):
            height += metrics.height()
        return QSize(width, max(height, _ICON) + 2 * _PAD)

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one problem."""
        rows, problem = self._rows, index.data(PROBLEM)
        rect: QRect = option.rect
        palette: QPalette = option.palette
        state: QStyle.StateFlag = option.state
        rows.style().drawPrimitive(
            QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, rows
        )
        selected = bool(state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if selected else QPalette.ColorRole.Text
        text = palette.color(role)
        colour = text if selected else inks(palette).severity(problem.severity)
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
