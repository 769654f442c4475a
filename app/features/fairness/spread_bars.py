"""Cells of a table that show how many maps have which value, and where this map stands."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from app.appearance.painting import saved_state
from app.qt_guard import guarded

BARS = Qt.ItemDataRole.UserRole
"""The heights of the bars, and the place of the tick (0 at the left end, 1 at the right)."""

WIDTH = 48
WORDS = 44
"""Logical pixels for the bars at least, and for the words behind them."""

Index = QModelIndex | QPersistentModelIndex


class SpreadBars(QStyledItemDelegate):
    """Paints the bars left of the words."""

    @guarded(default=QSize())
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Wide enough to tell the bars apart."""
        return QSize(WIDTH + WORDS, super().sizeHint(option, index).height())

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the text as usual, then the bars."""
        super().paint(painter, option, index)
        bars = index.data(BARS)
        if bars is None:
            return
        heights, tick = bars
        box = QRectF(option.rect).adjusted(4, 3, -WORDS, -3)
        with saved_state(painter):
            ink = option.palette.color(QPalette.ColorRole.Text)
            ink.setAlphaF(0.35)
            _paint_bars(painter, box, heights, ink)
            mark = option.palette.color(QPalette.ColorRole.Highlight)
            painter.fillRect(
                QRectF(box.left() + tick * box.width() - 1.5, box.top(), 3, box.height()), mark
            )


def _paint_bars(painter: QPainter, box: QRectF, heights: Sequence[int], ink: QColor) -> None:
    wide = box.width() / len(heights)
    highest = max(heights)
    for i, height in enumerate(heights):
        if height:
            high = max(1.0, height / highest * box.height())
            bar = QRectF(box.left() + i * wide, box.bottom() - high, wide - 1, high)
            painter.fillRect(bar, ink)
