"""Rows of widgets, and words, that go on in another line where the panel is too narrow for one."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLayout, QLayoutItem, QSizePolicy, QWidget

_GROWING = QSizePolicy.Policy.Expanding


class WrappingRow(QLayout):
    """Lays out as ``QHBoxLayout`` does while there is room, else in several lines.

    Widgets that like to expand may be narrowed to their least for the next one to fit in a line,
    and get what is left of it, up to their greatest width. Others are as they like, and narrower
    only where they are wider than a line.
    """

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(4)
        for widget in widgets:
            self.addWidget(widget)

    # --- what Qt asks of a layout -----------------------------------------------------------

    def addItem(self, item: QLayoutItem) -> None:
        """Put an item behind the others."""
        self._items.append(item)

    def count(self) -> int:
        """How many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """The item with this index, None beyond the last."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Give an item away."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """As wide as it may be, and no higher than it must."""
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        """The narrower, the more lines."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of all lines."""
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def minimumSize(self) -> QSize:
        """The widest item's least width, one line high."""
        sizes = [item.minimumSize() for item in self._seen()]
        return QSize(
            max((size.width() for size in sizes), default=0),
            max((size.height() for size in sizes), default=0),
        )

    def sizeHint(self) -> QSize:
        """All in one line."""
        sizes = [item.sizeHint() for item in self._seen()]
        gaps = self.spacing() * max(0, len(sizes) - 1)
        return QSize(
            sum(size.width() for size in sizes) + gaps,
            max((size.height() for size in sizes), default=0),
        )

    def setGeometry(self, rect: QRect) -> None:
        """Move the widgets to their places."""
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    # --- lines ------------------------------------------------------------------------------

    def _seen(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        room = 0
        for item in self._seen():
            needed = _needed(item)
            if not lines or needed > room:
                lines.append([])
                room = width
            lines[-1].append(item)
            room -= needed + self.spacing()
        return lines

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        """The height of all lines in ``rect``, where their widgets are moved if ``move``."""
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
        """Of the widgets of a line: as they like, and what is left to those that expand."""
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


class WrappingWords(QLabel):
    """Words that like to stand in one line, and take several where there is no room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setWordWrap(True)

    def sizeHint(self) -> QSize:
        """One line; Qt's own would be a square."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 2, metrics.height())


def side_by_side(*widgets: QWidget, right: bool = False) -> QWidget:
    """These beside each other; ``right``: at the right end of whatever room there is."""
    box = QWidget()
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(4)
    if right:
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row.addStretch(1)
    for widget in widgets:
        row.addWidget(widget)
    return box
