"""A table to read, as high as its rows: words in the first column, numbers in the others."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)


class FittedTable(QTableWidget):
    """The first column takes the room that the others leave."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.verticalHeader().sectionResized.connect(lambda *_sizes: self._fit())
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def set_titles(self, titles: Sequence[tuple[str, str]]) -> None:
        """The columns: title, and what is said of it under the mouse."""
        self.setColumnCount(len(titles))
        header = self.horizontalHeader()
        header.setMinimumSectionSize(20)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, (title, help_) in enumerate(titles):
            item = QTableWidgetItem(title)
            item.setToolTip(help_)
            item.setTextAlignment(_side(column))
            self.setHorizontalHeaderItem(column, item)

    def fill(
        self,
        rows: Sequence[tuple[str, ...]],
        helps: Sequence[str] = (),
        role: int = Qt.ItemDataRole.UserRole,
        data: Sequence[object] = (),
    ) -> None:
        """Set the words of all rows; what is said of each, and ``data`` of its last column.

        The table is measured once, at the end.
        """
        self.setRowCount(len(rows))
        with QSignalBlocker(self.model()):
            for row, texts in enumerate(rows):
                for column, text in enumerate(texts):
                    self._item(row, column).setText(text)
                if helps:
                    self._item(row, 0).setToolTip(helps[row])
                if data:
                    self._item(row, len(texts) - 1).setData(role, data[row])
        self.model().layoutChanged.emit()
        self._fit()

    def _item(self, row: int, column: int) -> QTableWidgetItem:
        """What stands at a place, made if there is nothing yet."""
        found = self.item(row, column)
        if found is not None:
            return found
        item = QTableWidgetItem()
        item.setTextAlignment(_side(column))
        self.setItem(row, column, item)
        return item

    def _fit(self) -> None:
        high = self.horizontalHeader().sizeHint().height() + 2 * self.frameWidth()
        self.setFixedHeight(high + self.verticalHeader().length())


def _side(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
