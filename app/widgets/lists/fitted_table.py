"""A read-only table as high as its rows: texts in the first column, numbers in the others."""

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

from app.qt_guard import connect
from app.widgets.layout.builders import plain_text

_LEAST_COLUMN = 20
"""The least width of a column, in logical pixels."""


class FittedTable(QTableWidget):
    """A table without scroll bars, whose first column takes the width that the others leave.

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
        """Set the columns: (title, tool tip) of each."""
        self.setColumnCount(len(titles))
        header = self.horizontalHeader()
        header.setMinimumSectionSize(_LEAST_COLUMN)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, (title, tip) in enumerate(titles):
            item = QTableWidgetItem(title)
            item.setToolTip(plain_text(tip))
            item.setTextAlignment(_alignment_of(column))
            self.setHorizontalHeaderItem(column, item)

    def fill(
        self,
        rows: Sequence[tuple[str, ...]],
        helps: Sequence[str] = (),
        role: int = Qt.ItemDataRole.UserRole,
        data: Sequence[object] = (),
    ) -> None:
        """Set the texts of all rows, column by column.

        ``helps`` are tool tips, ``data`` values of ``role`` for the last column; either has an
        entry for each row, or none at all.
        """
        self.setRowCount(len(rows))
        # The table is laid out once, at the end.
        with QSignalBlocker(self.model()):
            for row, texts in enumerate(rows):
                for column, text in enumerate(texts):
                    self._item(row, column).setText(text)
                if helps:
                    self._item(row, 0).setToolTip(plain_text(helps[row]))
                if data:
                    self._item(row, len(texts) - 1).setData(role, data[row])
        self.model().layoutChanged.emit()
        self._fit()

    def _item(self, row: int, column: int) -> QTableWidgetItem:
        """Return the item of a cell of the table, made if there is none."""
        result = self.item(row, column)
        if result is not None:
            return result
        item = QTableWidgetItem()
        item.setTextAlignment(_alignment_of(column))
        self.setItem(row, column, item)
        return item

    def _fit(self) -> None:
        """Give the table the height of its header and of all rows."""
        rows_height = self.verticalHeader().length()
        header_height = self.horizontalHeader().sizeHint().height()
        self.setFixedHeight(header_height + rows_height + 2 * self.frameWidth())


def _alignment_of(column: int) -> Qt.AlignmentFlag:
    """Return how the texts of a column are aligned: texts at the left, numbers at the right."""
    if column:
        side = Qt.AlignmentFlag.AlignRight
    else:
        side = Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
