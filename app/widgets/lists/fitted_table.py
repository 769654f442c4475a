"""A read-only table as high as its rows: texts in the first column, numbers in the others.

Panels show their statistics in one::

    table.set_titles([("Feature", "What is counted"), ("Share", "Of all maps")])
    table.fill([("Bog", "12 %"), ("Sand", "3 %")])

``fill_rows`` also gives the rows tool tips, and values for a delegate that draws a column.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.qt_guard import connect
from app.widgets.layout.builders import plain_text

MIN_COLUMN = 20
"""The least width of a column, in logical pixels: numbers can be narrower than Qt's own least."""


class TableRow(NamedTuple):
    """A row of a table."""

    texts: tuple[str, ...]
    """The texts of its columns."""

    tip: str = ""
    """The tool tip of its first column."""

    data: object = None
    """A value for the delegate of the last column."""


class FittedTable(QTableWidget):
    """A table whose first column gets the width that the others leave.

    ``name`` is its accessible name.
    """

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
        connect(self.verticalHeader().sectionResized, self._fit)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def set_titles(self, titles: Sequence[tuple[str, str]]) -> None:
        """Set the columns, given as pairs of a title and its tool tip."""
        self.setColumnCount(len(titles))
        header = self.horizontalHeader()
        header.setMinimumSectionSize(MIN_COLUMN)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, (title, tip) in enumerate(titles):
            item = QTableWidgetItem(title)
            item.setToolTip(plain_text(tip))
            item.setTextAlignment(_alignment_of(column))
            self.setHorizontalHeaderItem(column, item)

    def fill(self, rows: Sequence[tuple[str, ...]]) -> None:
        """Set the texts of all rows, one for each column."""
        self.fill_rows([TableRow(texts) for texts in rows])

    def fill_rows(
        self, rows: Sequence[TableRow], data_role: int = Qt.ItemDataRole.UserRole
    ) -> None:
        """Set all rows; their ``data`` get the role ``data_role`` in the last column."""
        self.setRowCount(len(rows))
        # Without the signals of the model the table is laid out once, at the end.
        with QSignalBlocker(self.model()):
            for index, row in enumerate(rows):
                for column, text in enumerate(row.texts):
                    self._item(index, column).setText(text)
                self._item(index, 0).setToolTip(plain_text(row.tip))
                self._item(index, len(row.texts) - 1).setData(data_role, row.data)
        self.model().layoutChanged.emit()
        self._fit()

    def _item(self, row: int, column: int) -> QTableWidgetItem:
        """Return the item of a cell of the table, which is made if there is none."""
        existing_item = self.item(row, column)
        if existing_item is not None:
            return existing_item
        item = QTableWidgetItem()
        item.setTextAlignment(_alignment_of(column))
        self.setItem(row, column, item)
        return item

    def _fit(self) -> None:
        """Make the table as high as its titles and its rows."""
        height_without_rows = self.horizontalHeader().sizeHint().height() + 2 * self.frameWidth()
        self.setFixedHeight(height_without_rows + self.verticalHeader().length())


def _alignment_of(column: int) -> Qt.AlignmentFlag:
    """Return the alignment of a column: texts are at the left, numbers at the right."""
    if column:
        side = Qt.AlignmentFlag.AlignRight
    else:
        side = Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
