"""A row of widgets and a label that wrap where a panel is too narrow for one line."""

from __future__ import annotations

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

_GROWING = QSizePolicy.Policy.Expanding


class WrappingRow(QLayout):
    """Lays widgets out as ``QHBoxLayout`` does while there is room, else in several lines.

    Expanding widgets count with their minimum width when a line is filled and then share what is
    left of it, up to their maximum width. Others get the width of their size hint, at most that of
    the line.
    """

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
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
        return self._arrange(QRect(0, 0, width, 0), move=False)

    @guarded(default=QSize())
    def minimumSize(self) -> QSize:
        """Return the minimum of the widest and of the highest item."""
        sizes = [item.minimumSize() for item in self._shown()]
        return QSize(
            max((size.width() for size in sizes), default=0),
            max((size.height() for size in sizes), default=0),
        )

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """Return the size of all items in one line."""
        sizes = [item.sizeHint() for item in self._shown()]
        gaps = self.spacing() * max(0, len(sizes) - 1)
        return QSize(
            sum(size.width() for size in sizes) + gaps,
            max((size.height() for size in sizes), default=0),
        )

    @guarded
    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    # --- lines ------------------------------------------------------------------------------

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        room = 0
        for item in self._shown():
            needed = _needed(item)
            if not lines or needed > room:
                lines.append([])
                room = width
            lines[-1].append(item)
            room -= needed + self.spacing()
        return lines

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        """Return the height of all lines in ``rect``; with ``move`` the items are placed there."""
        top = rect.top()
        for line in self._lines(rect.width()):
            widths = self._widths(line, rect.width())
            heights = [
                item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()
                for item, width in zip(line, widths, strict=True)
            ]
            left = rect.left()
            for item, width in zip(line, widths, strict=True):
                if move:
                    item.setGeometry(QRect(QPoint(left, top), QSize(width, max(heights))))
                left += width + self.spacing()
            top += max(heights) + self.spacing()
        return max(0, top - self.spacing() - rect.top())

    def _widths(self, line: list[QLayoutItem], room: int) -> list[int]:
        """Return the widths of the items of a line that is ``room`` wide."""
        widths = [min(_needed(item), room) for item in line]
        left = room - sum(widths) - self.spacing() * (len(line) - 1)
        growing = [at for at, item in enumerate(line) if _expands(item)]
        for rank, at in enumerate(growing):
            most = line[at].maximumSize().width()
            share = min(left // (len(growing) - rank), most - widths[at])
            widths[at] += max(0, share)
            left -= max(0, share)
        return widths


def _needed(item: QLayoutItem) -> int:
    return (item.minimumSize() if _expands(item) else item.sizeHint()).width()


def _expands(item: QLayoutItem) -> bool:
    widget = item.widget()
    return widget is not None and widget.sizePolicy().horizontalPolicy() == _GROWING


class WrappingLabel(QLabel):
    """A label whose text prefers one line and wraps where there is no room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setWordWrap(True)

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """Return the size of one line; Qt's own hint is about a square."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 2, metrics.height())


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
