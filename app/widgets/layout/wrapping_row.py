"""A row of widgets and a label that wrap where a panel is too narrow for one line.

Panels use ``WrappingRow`` for their buttons. A *line* is one of the lines that its widgets take::

    [New] [Copy] [ Search........ ]      a wide panel: one line, which the expanding field fills

    [New] [Copy]                         a narrow panel: two lines
    [ Search....... ]
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QSizePolicy,
    QWidget,
)

from app.qt_guard import guarded
from app.widgets.layout.builders import lay_out

_EXPANDING = QSizePolicy.Policy.Expanding
"""The policy of widgets that take the width that is left in a line."""

_ROUNDING = 2
"""The width of a label in addition to that of its text, in logical pixels.

Qt rounds widths of texts: without this the last word of a label could wrap.
"""


class _Line(NamedTuple):
    """One line of a row, in a given width."""

    items: list[QLayoutItem]

    widths: list[int]
    """The widths of the items, in their order."""

    height: int
    """The height of the highest item."""


class WrappingRow(QLayout):
    """Lays widgets out as ``QHBoxLayout`` does while there is room, else in several lines.

    First the items are put into lines (``_items_by_line``): an expanding widget counts with its
    minimum width, another one with that of its size hint. Then the expanding widgets of each line
    share the rest of its width, up to their maximum widths (``_widths``).
    """

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        """All items, in their order; empty ones, such as hidden widgets, take no room."""
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(4)
        for widget in widgets:
            self.addWidget(widget)

    # --- what Qt asks of a layout -----------------------------------------------------------

    @guarded
    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    @guarded(default=0)
    def count(self) -> int:
        return len(self._items)

    @guarded(default=None)
    def itemAt(self, index: int) -> QLayoutItem | None:
        if 0 <= index < len(self._items):
            return self._items[index]
        return None

    @guarded(default=None)
    def takeAt(self, index: int) -> QLayoutItem | None:
        if 0 <= index < len(self._items):
            return self._items.pop(index)
        return None

    @guarded(default=Qt.Orientation(0))
    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal

    @guarded(default=False)
    def hasHeightForWidth(self) -> bool:
        """True: the height follows from the number of lines."""
        return True

    @guarded(default=0)
    def heightForWidth(self, width: int) -> int:
        lines = self._lines(width)
        gaps = self.spacing() * max(0, len(lines) - 1)
        return sum(line.height for line in lines) + gaps

    @guarded(default=QSize())
    def minimumSize(self) -> QSize:
        """Return the minimum of the widest and of the highest item."""
        sizes = [item.minimumSize() for item in self._visible_items()]
        return QSize(
            max((size.width() for size in sizes), default=0),
            max((size.height() for size in sizes), default=0),
        )

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """Return the size of all items in one line."""
        sizes = [item.sizeHint() for item in self._visible_items()]
        gaps = self.spacing() * max(0, len(sizes) - 1)
        return QSize(
            sum(size.width() for size in sizes) + gaps,
            max((size.height() for size in sizes), default=0),
        )

    @guarded
    def setGeometry(self, rect: QRect) -> None:
        """Place the items line by line, from the upper left of ``rect``."""
        super().setGeometry(rect)
        top = rect.top()
        for line in self._lines(rect.width()):
            left = rect.left()
            for item, width in zip(line.items, line.widths, strict=True):
                item.setGeometry(QRect(QPoint(left, top), QSize(width, line.height)))
                left += width + self.spacing()
            top += line.height + self.spacing()

    # --- lines ------------------------------------------------------------------------------

    def _visible_items(self) -> list[QLayoutItem]:
        """Return the items that take room."""
        return [item for item in self._items if not item.isEmpty()]

    def _lines(self, width: int) -> list[_Line]:
        """Return the lines of the row in a width, with the sizes of their items."""
        lines = []
        for items in self._items_by_line(width):
            widths = self._widths(items, width)
            heights = [_height(item, width) for item, width in zip(items, widths, strict=True)]
            lines.append(_Line(items, widths, max(heights)))
        return lines

    def _items_by_line(self, width: int) -> list[list[QLayoutItem]]:
        """Return the items line by line; an item wider than ``width`` has a line of its own."""
        lines: list[list[QLayoutItem]] = []
        width_left = 0
        for item in self._visible_items():
            needed_width = _needed_width(item)
            if not lines or needed_width > width_left:
                lines.append([])
                width_left = width
            lines[-1].append(item)
            width_left -= needed_width + self.spacing()
        return lines

    def _widths(self, items: list[QLayoutItem], line_width: int) -> list[int]:
        """Return the widths of the items of a line, which together have ``line_width`` at most.

        For example, 100 pixels are left for three expanding items, of which the first may grow by
        10 only: it grows by 10, the others by 45 each.
        """
        widths = [min(_needed_width(item), line_width) for item in items]
        width_left = line_width - sum(widths) - self.spacing() * (len(items) - 1)
        # Each expanding item gets an equal share of what the ones before it have left: so nothing
        # of it is lost where one cannot grow as far as its share, or where shares are not whole.
        expanding_indices = [index for index, item in enumerate(items) if _is_expanding(item)]
        for rank, index in enumerate(expanding_indices):
            items_left = len(expanding_indices) - rank
            growth_limit = items[index].maximumSize().width() - widths[index]
            growth = max(0, min(width_left // items_left, growth_limit))
            widths[index] += growth
            width_left -= growth
        return widths


def _needed_width(item: QLayoutItem) -> int:
    """Return the width with which an item counts when a line is filled."""
    if _is_expanding(item):
        return item.minimumSize().width()
    return item.sizeHint().width()


def _height(item: QLayoutItem, width: int) -> int:
    """Return the height that an item needs at this width."""
    if item.hasHeightForWidth():
        return item.heightForWidth(width)
    return item.sizeHint().height()


def _is_expanding(item: QLayoutItem) -> bool:
    """Return whether an item is a widget that grows beyond its size hint."""
    widget = item.widget()
    return widget is not None and widget.sizePolicy().horizontalPolicy() == _EXPANDING


class WrappingLabel(QLabel):
    """A label whose text has one line while there is room, else wraps."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setWordWrap(True)

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """Return the size of one line; Qt's own hint is about a square."""
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(self.text()) + _ROUNDING
        return QSize(width, metrics.height())


def side_by_side(*widgets: QWidget, right: bool = False) -> QWidget:
    """Return a widget with these side by side; ``right``: at the right end of its width."""
    box = QWidget()
    row = lay_out(QHBoxLayout(box), margins=0, spacing=4)
    if right:
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row.addStretch(1)
    for widget in widgets:
        row.addWidget(widget)
    return box
