"""Cells of a table that show a small histogram, with a tick at the value of one map.

The panel *Fairness* has them in its table of measures, left of a text such as "63 %"::

    |   ▂ ▅ ▇|▄ ▂      63 %  |        the tick stands between the third and the fourth bar

A table paints them in the column that has the delegate, in cells whose item has the data::

    table.setItemDelegateForColumn(2, HistogramDelegate(table))
    item.setData(BARS_ROLE, Bars(heights=[3, 20, 41, 18, 2], tick=0.55))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from app.appearance.painting import saved_state
from app.qt_guard import guarded

BARS_ROLE = Qt.ItemDataRole.UserRole
"""The role of the data of a cell that holds its ``Bars``."""

MIN_BARS_WIDTH_PX = 48
"""The bars have at least this width, in logical pixels."""

TEXT_WIDTH_PX = 44
"""The width that the text right of the bars has, in logical pixels: that of "100 % yes"."""

LEFT_MARGIN_PX = 4
"""The margin left of the bars, in logical pixels."""

VERTICAL_MARGIN_PX = 3
"""The margins above and below the bars, in logical pixels."""

TICK_WIDTH_PX = 3.0
"""The width of the tick, in logical pixels."""

MIN_BAR_HEIGHT_PX = 1.0
"""A bar of few maps has at least this height, so that it is seen."""

GAP_PX = 1
"""The gap between two bars, in logical pixels."""

BAR_OPACITY = 0.35
"""The bars are paler than the text, from 0 to 1."""

Index = QModelIndex | QPersistentModelIndex


class Bars(NamedTuple):
    """A histogram of maps, and the position of one map in it."""

    heights: Sequence[int]
    """The number of maps of each bar, from the lowest values to the highest."""

    tick: float
    """The position of the map, from 0 at the left end to 1 at the right."""


class HistogramDelegate(QStyledItemDelegate):
    """Paints the bars of a cell left of its text; a cell without ``Bars`` has its text only."""

    @guarded(default=QSize())
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return a size that is wide enough to tell the bars apart."""
        height = super().sizeHint(option, index).height()
        return QSize(MIN_BARS_WIDTH_PX + TEXT_WIDTH_PX, height)

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the text as usual, then the bars and the tick."""
        super().paint(painter, option, index)
        bars: Bars | None = index.data(BARS_ROLE)
        if bars is None:
            return
        box = QRectF(option.rect).adjusted(
            LEFT_MARGIN_PX, VERTICAL_MARGIN_PX, -TEXT_WIDTH_PX, -VERTICAL_MARGIN_PX
        )
        with saved_state(painter):
            bar_colour = option.palette.color(QPalette.ColorRole.Text)
            bar_colour.setAlphaF(BAR_OPACITY)
            _paint_bars(painter, box, bars.heights, bar_colour)
            tick_colour = option.palette.color(QPalette.ColorRole.Highlight)
            tick_left = box.left() + bars.tick * box.width() - TICK_WIDTH_PX / 2
            tick = QRectF(tick_left, box.top(), TICK_WIDTH_PX, box.height())
            painter.fillRect(tick, tick_colour)


def _paint_bars(painter: QPainter, box: QRectF, heights: Sequence[int], colour: QColor) -> None:
    """Paint the bars side by side in a box; the highest one fills its height.

    At least one height is above 0, since a histogram has at least one map.
    """
    bar_width = box.width() / len(heights)
    highest = max(heights)
    for index, height in enumerate(heights):
        if not height:
            continue
        height_px = max(MIN_BAR_HEIGHT_PX, height / highest * box.height())
        left = box.left() + index * bar_width
        bar = QRectF(left, box.bottom() - height_px, bar_width - GAP_PX, height_px)
        painter.fillRect(bar, colour)
