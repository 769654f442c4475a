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


class FittedTable(QTableWidget):
    """The first column takes the width that the others leave. ``name``: the accessible name."""

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
        header.setMinimumSectionSize(20)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, (title, help_) in enumerate(titles):
            item = QTableWidgetItem(title)
            item.setToolTip(plain_text(help_))
            item.setTextAlignment(_side(column))
            self.setHorizontalHeaderItem(column, item)

    def fill(
        self,
        rows: Sequence[tuple[str, ...]],
        helps: Sequence[str] = (),
        role: int = Qt.ItemDataRole.UserRole,
        data: Sequence[object] = (),
    ) -> None:
        """Set the texts of all rows, a tool tip for each (``helps``), and ``data`` of ``role`` in
        the last column of each. The table is laid out once, at the end."""
        self.setRowCount(len(rows))
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
        item.setTextAlignment(_side(column))
        self.setItem(row, column, item)
        return item

    def _fit(self) -> None:
        high = self.horizontalHeader().sizeHint().height() + 2 * self.frameWidth()
        self.setFixedHeight(high + self.verticalHeader().length())


def _side(column: int) -> Qt.AlignmentFlag:
    if column:
        side = Qt.AlignmentFlag.AlignRight
    else:
        side = Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
