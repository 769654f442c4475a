"""The rows of an editor of entries: names in columns, under headings, with colours or pictures."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
)
from PySide6.QtGui import QColor, QPainter, QPixmap

from app.appearance.painting import painting
from app.qt_guard import connect, guarded
from app.widgets.layout.builders import plain_text

SWATCH = 14
"""The width of the colour beside a name, in logical pixels."""

SHARPNESS = 2.0
"""Pixels of a swatch for each logical one; screens of a lower ratio shrink it."""

HEADING_FLAGS = Qt.ItemFlag.NoItemFlags
ENTRY_FLAGS = (
    Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
)

Index = QModelIndex | QPersistentModelIndex


class Entry(NamedTuple):
    """A row of an editor.

    ``code`` is what the editor calls the entry by: an index, a number. ``texts`` are those of its
    columns, the name first. Rows of the same ``group`` follow one another, under that heading
    unless it is empty. ``colour`` (``#rrggbb``, empty for none) stands beside the name.
    ``picture_key`` is what the picture of the entry depends on; None for an entry without one.
    """

    code: Hashable
    texts: Sequence[str]
    colour: str = ""
    tip: str = ""
    group: str = ""
    picture_key: Hashable = None

    @property
    def name(self) -> str:
        """The text of the first column."""
        return self.texts[0]


class EntryModel(QAbstractItemModel):
    """The entries whose names hold what is searched for.

    A picture is drawn after its row was painted, one in a turn of the event loop, by
    ``draw_picture(code)``; until then the row shows the colour of its entry. It is stored as long
    as an entry has its ``picture_key``.
    """

    def __init__(
        self, columns: Sequence[str], draw_picture: Callable[[Any], QPixmap], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._columns = columns
        self._draw_picture = draw_picture
        self.all_entries: tuple[Entry, ...] = ()
        self.entries: tuple[Entry, ...] = ()
        """Those that are listed."""
        self._groups: list[tuple[str, int]] = []
        """Heading and number of rows of each group; empty for a list without groups."""
        self._starts: list[int] = []
        """The position in ``entries`` of the first row of each group."""
        self._pictures: dict[Hashable, QPixmap] = {}
        self._missing_pictures: dict[int, None] = {}
        """Positions of the entries that were painted without their picture."""
        self._timer = QTimer(self, interval=0)
        connect(self._timer.timeout, self._draw_next)

    def show_entries(self, entries: Iterable[Entry], search: str) -> None:
        """List the entries whose names hold ``search``, in any case of its letters."""
        all_entries = tuple(entries)
        self.beginResetModel()
        self.all_entries = all_entries
        self.entries = all_entries
        word = search.casefold()
        if word:
            self.entries = tuple(each for each in self.entries if word in each.name.casefold())
        self._groups = []
        self._starts = []
        start = 0
        for heading, group in groupby(self.entries, lambda entry: entry.group):
            count = len(tuple(group))
            if heading:
                self._groups.append((heading, count))
                self._starts.append(start)
            start += count
        keys = {entry.picture_key for entry in self.all_entries}
        self._pictures = {key: self._pictures[key] for key in self._pictures.keys() & keys}
        self._missing_pictures.clear()
        self.endResetModel()

    def forget_pictures(self) -> None:
        """Draw all pictures again, when they are painted."""
        self._pictures.clear()

    @property
    def headings(self) -> list[str]:
        """The headings of the groups that are listed; none for a list without groups."""
        return [heading for heading, _count in self._groups]

    def position_of(self, code: Hashable) -> int:
        """Return where an entry stands among ``entries``, -1 if it is not listed."""
        codes = (entry.code for entry in self.entries)
        return next((position for position, each in enumerate(codes) if each == code), -1)

    def index_at(self, position: int) -> QModelIndex:
        """Return the index of the entry at a position among ``entries``."""
        if not self._groups:
            return self.index(position, 0)
        group = max(number for number, start in enumerate(self._starts) if start <= position)
        return self.index(position - self._starts[group], 0, self.index(group, 0))

    def position_at(self, index: Index) -> int:
        """Return the position of the entry of a row among ``entries``, -1 for a heading."""
        if not index.isValid():
            return -1
        if not self._groups:
            return index.row()
        group = index.internalId() - 1
        return self._starts[group] + index.row() if group >= 0 else -1

    # --- what Qt asks of a model ------------------------------------------------------------

    # The id of an index is 0 for the rows of the top, else 1 more than the number of its group.

    @guarded(default=QModelIndex())
    def index(self, row: int, column: int = 0, parent: Index | None = None) -> QModelIndex:
        if not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        if parent is None or not parent.isValid():
            return self.createIndex(row, column, 0)
        return self.createIndex(row, column, parent.row() + 1)

    @guarded(default=QModelIndex())
    def parent(self, index: Index | None = None) -> Any:  # type: ignore[override] # two in Qt
        if index is None:
            return super().parent()
        group = index.internalId() - 1 if index.isValid() else -1
        return QModelIndex() if group < 0 else self.createIndex(group, 0, 0)

    @guarded(default=0)
    def rowCount(self, parent: Index | None = None) -> int:
        if parent is None or not parent.isValid():
            return len(self._groups) or len(self.entries)
        is_heading = bool(self._groups) and parent.internalId() == 0
        return self._groups[parent.row()][1] if is_heading else 0

    @guarded(default=1)
    def columnCount(self, parent: Index | None = None) -> int:
        return max(1, len(self._columns))

    @guarded(default=False)
    def hasChildren(self, parent: Index | None = None) -> bool:
        if parent is None or not parent.isValid():
            return bool(self.entries)
        return bool(self._groups) and parent.internalId() == 0

    @guarded(default=Qt.ItemFlag.NoItemFlags)
    def flags(self, index: Index) -> Qt.ItemFlag:
        """Headings cannot be chosen: the arrow keys pass over them."""
        return HEADING_FLAGS if self.position_at(index) < 0 else ENTRY_FLAGS

    @guarded
    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or not self._columns:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return alignment_of(section)
        return self._columns[section] if role == Qt.ItemDataRole.DisplayRole else None

    @guarded
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        position = self.position_at(index)
        if position < 0:
            is_text = role == Qt.ItemDataRole.DisplayRole and index.column() == 0
            return self._groups[index.row()][0] if is_text else None
        entry = self.entries[position]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.texts[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return alignment_of(index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_text(entry.tip)
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 0:
            return self._decoration(entry, position)
        return None

    # --- pictures ---------------------------------------------------------------------------

    def _decoration(self, entry: Entry, position: int) -> QPixmap | QColor | None:
        if entry.picture_key is None:
            if not entry.colour:
                return None
            if entry.colour not in self._pictures:
                self._pictures[entry.colour] = swatch(QColor(entry.colour))
            return self._pictures[entry.colour]
        picture = self._pictures.get(entry.picture_key)
        if picture is not None:
            return picture
        self._missing_pictures[position] = None
        self._timer.start()
        return QColor(entry.colour)

    def _draw_next(self) -> None:
        """Draw the picture that was asked for last: rows that were scrolled away can wait."""
        if not self._missing_pictures:
            self._timer.stop()
            return
        position, _none = self._missing_pictures.popitem()
        entry = self.entries[position]
        self._pictures[entry.picture_key] = self._draw_picture(entry.code)
        index = self.index_at(position)
        self.dataChanged.emit(index, index, [Qt.ItemDataRole.DecorationRole])


def alignment_of(column: int) -> Qt.AlignmentFlag:
    """Return how the texts of a column are aligned: names at the left, numbers at the right."""
    side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def swatch(colour: QColor) -> QPixmap:
    """Return a disc of a colour, outlined so that it is seen on any ground."""
    picture = QPixmap(round(SWATCH * SHARPNESS), round(SWATCH * SHARPNESS))
    picture.setDevicePixelRatio(SHARPNESS)
    picture.fill(Qt.GlobalColor.transparent)
    with painting(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(colour)
        painter.setPen(QColor(120, 120, 120))
        painter.drawEllipse(1, 1, SWATCH - 2, SWATCH - 2)
    return picture
