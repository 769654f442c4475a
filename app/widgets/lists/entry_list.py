"""The list of an ``EntryEditor``: its looks, and the height that it needs for all of its rows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QHeaderView, QStyleOptionViewItem, QTreeView

from app.qt_guard import connect, guarded
from app.widgets.lists.entry_model import EntryModel, Index
from app.widgets.lists.picture_items import PictureItems

MIN_ROWS = 3
"""The list keeps the height of so many rows, so that there is room for what an empty one says."""

MAX_HEIGHT = 10_000
"""No row is as high, in logical pixels."""

LAST_ROW_GAP = 2
"""The room below the last row, in logical pixels."""


class EntryList(QTreeView):
    """Lists entries, one below the other, in one or several columns."""

    def __init__(
        self, model: EntryModel, columns: Sequence[str], *, wraps: bool, picture_width: int
    ) -> None:
        """Make the list of a model.

        ``columns`` are the headings, () for one column without. With ``wraps`` a name can take
        several lines. ``picture_width`` is that of the pictures beside names, in logical pixels.
        """
        super().__init__()
        self._model = model
        self.setModel(model)
        self.setItemDelegate(_EntryItems(self))
        self.setIconSize(QSize(picture_width, picture_width))
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(not wraps)
        self.setWordWrap(wraps)
        self.setAlternatingRowColors(wraps)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.header()
        header.setHidden(not columns)
        header.setStretchLastSection(False)
        header.setSectionsMovable(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        if wraps:  # rows of another width have another height
            connect(header.sectionResized, self._on_section_resized)

    def _on_section_resized(self, _section: int, _old_width: int, _new_width: int) -> None:
        self.doItemsLayout()

    def needed_height(self) -> int:
        """Return the height in which all rows can be seen, in logical pixels."""
        if self.wordWrap():
            indexes = [self._model.index(row, 0) for row in range(self._model.rowCount())]
            rows_height = sum(self.sizeHintForIndex(index).height() for index in indexes)
        else:
            rows_height = self._model.rowCount() * self.sizeHintForRow(0)
        min_height = MIN_ROWS * self.fontMetrics().lineSpacing()
        height = max(rows_height, min_height) + 2 * self.frameWidth() + LAST_ROW_GAP
        if not self.header().isHidden():
            height += self.header().sizeHint().height()
        return height


class _EntryItems(PictureItems):
    """Draws the rows; in a list that wraps words, a row is as high as its texts need."""

    def __init__(self, view: QTreeView) -> None:
        super().__init__(view)
        self._view = view

    @guarded(default=QSize())
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        if not self._view.wordWrap():
            return super().sizeHint(option, index)
        fitted = QStyleOptionViewItem(option)
        fitted.rect = QRect(0, 0, self._view.columnWidth(index.column()), MAX_HEIGHT)
        return super().sizeHint(fitted, index)
