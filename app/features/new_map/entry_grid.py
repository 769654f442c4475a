"""The entries of the New map dialog as pictures, with their names below them.

A list of Qt in its icon mode: the pictures stand in rows, as many in each as the width holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QListView,
    QListWidget,
    QSizePolicy,
    QStyle,
)

from app.features.new_map.catalogue import entry_item
from app.widgets.layout.builders import described
from app.widgets.lists.empty_state import EmptyState
from app.widgets.lists.picture_items import PictureItems
from randomizer.catalog.catalog_entry import CatalogEntry

THUMBNAIL = QSize(104, 78)
"""The size of the picture of a script, in logical pixels."""

GAP_PX = 22
"""The least gap between the pictures of two scripts, in logical pixels."""

LINES_OF_NAME = 2
"""The name of a script below its picture has room for so many lines."""

MARGIN_OF_NAME_PX = 10
"""The margin around the name, in logical pixels."""

MARGIN_OF_LIST_PX = 24
"""The list has at least the height of one picture with its name, and this, in logical pixels."""

QWIDGETSIZE_MAX = (1 << 24) - 1
"""Qt's name for the height of a widget that may be of any height."""


class EntryGrid(QListWidget):
    """A list of entries; None among them is the empty map, which needs no script."""

    def __init__(self) -> None:
        super().__init__()
        described(self, "Scripts")
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMovement(QListView.Movement.Static)
        self.setIconSize(THUMBNAIL)
        self.setItemDelegate(PictureItems(self))
        name_height = LINES_OF_NAME * self.fontMetrics().height()
        self.setGridSize(THUMBNAIL + QSize(GAP_PX, name_height + MARGIN_OF_NAME_PX))
        self.setWordWrap(True)
        self.setMinimumHeight(THUMBNAIL.height() + name_height + MARGIN_OF_LIST_PX)
        # While the banner with its wrapped text is visible, Qt would take the height that the list
        # asks for as its least height, and the form below would move.
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        EmptyState(self, "No script has these words and this keyword.")

    def show_entries(
        self, entries: Sequence[CatalogEntry | None], chosen_row: int, scroll_position: int
    ) -> None:
        """List these entries in place of those before, without a signal and without pictures.

        ``scroll_position`` is that of the scroll bar, in pixels.
        """
        with QSignalBlocker(self):
            self.clear()
            for entry in entries:
                item = entry_item(entry)
                item.setSizeHint(self.gridSize())
                self.addItem(item)
            self.setCurrentRow(chosen_row)
            self.verticalScrollBar().setValue(scroll_position)

    def entry_of(self, row: int) -> CatalogEntry | None:
        """Return the entry of a row; None for the empty map."""
        entry: CatalogEntry | None = self.item(row).data(Qt.ItemDataRole.UserRole)
        return entry

    def update_icons(self, icon_of: Callable[[CatalogEntry | None], QIcon]) -> None:
        """Show the icons that the function returns for the entries."""
        for row in range(self.count()):
            self.item(row).setIcon(icon_of(self.entry_of(row)))

    def set_icon(self, key: object, icon: QIcon) -> None:
        """Show an icon for the entry with this key (``CatalogEntry.key``), if it is listed."""
        for row in range(self.count()):
            entry = self.entry_of(row)
            if entry is not None and entry.key == key:
                self.item(row).setIcon(icon)

    def fit_to_width(self, width: int, entry_count: int | None) -> None:
        """Spread the pictures over a width, in logical pixels, and limit the height.

        The list gets no higher than the rows of ``entry_count`` entries; None for any height.
        """
        scroll_bar_width = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        frame_width = 2 * self.frameWidth()
        inner_width = width - scroll_bar_width - frame_width
        columns = max(1, inner_width // (THUMBNAIL.width() + GAP_PX))
        grid_size = QSize(inner_width // columns, self.gridSize().height())
        if grid_size != self.gridSize():
            self.setGridSize(grid_size)
            for row in range(self.count()):
                self.item(row).setSizeHint(grid_size)
        height = QWIDGETSIZE_MAX
        if entry_count is not None:
            row_count = math.ceil(entry_count / columns)
            height = row_count * grid_size.height() + frame_width
        self.setMaximumHeight(max(height, self.minimumHeight()))
