"""The rows of an editor of entries: names in columns, with colours or pictures."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QAbstractTableModel,
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

Index = QModelIndex | QPersistentModelIndex


class Entry(NamedTuple):
    """A row of an editor."""

    code: Hashable
    """Identifies the entry for the editor, such as an index or a number."""
    texts: Sequence[str]
    """The texts of its columns, the name first."""
    colour: str = ""
    """The colour beside the name, ``#rrggbb``; "" for none."""
    tip: str = ""
    """The tool tip of the row, "" for none."""
    picture_key: Hashable = None
    """All that the picture of the entry depends on; None for an entry without one."""

    @property
    def name(self) -> str:
        """The text of the first column."""
        return self.texts[0]


class EntryModel(QAbstractTableModel):
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
        """The headings of the columns; none for a single column without a heading."""
        self._draw_picture = draw_picture
        self.all_entries: tuple[Entry, ...] = ()
        """All entries, those that the search hides included."""
        self.entries: tuple[Entry, ...] = ()
        """The entries that are listed."""
        self._pictures: dict[Hashable, QPixmap] = {}
        """The pictures drawn so far, by picture key, and swatches by colour."""
        self._missing_pictures: dict[int, None] = {}
        """The rows that were painted without their picture, the last one at the end.

        A dict as an ordered set: a row can be asked for again and again.
        """
        self._timer = QTimer(self, interval=0)
        """Runs while pictures are missing: one is drawn in each turn of the event loop."""
        connect(self._timer.timeout, self._draw_next)

    def show_entries(self, entries: Iterable[Entry], search: str) -> None:
        """List the entries whose names hold ``search``, in any case of its letters."""
        all_entries = tuple(entries)
        self.beginResetModel()
        self.all_entries = all_entries
        self.entries = all_entries
        word = search.casefold()
        if word:
            self.entries = tuple(entry for entry in self.entries if word in entry.name.casefold())
        keys = {entry.picture_key for entry in self.all_entries}
        self._pictures = {key: self._pictures[key] for key in self._pictures.keys() & keys}
        self._missing_pictures.clear()
        self.endResetModel()

    def forget_pictures(self) -> None:
        """Draw all pictures again, when they are painted."""
        self._pictures.clear()

    def row_of(self, code: Hashable) -> int:
        """Return the row of an entry, -1 if it is not listed."""
        for row, entry in enumerate(self.entries):
            if entry.code == code:
                return row
        return -1

    # --- what Qt asks of a model ------------------------------------------------------------

    @guarded(default=0)
    def rowCount(self, parent: Index | None = None) -> int:
        if parent is not None and parent.isValid():
            return 0
        return len(self.entries)

    @guarded(default=0)
    def columnCount(self, parent: Index | None = None) -> int:
        if parent is not None and parent.isValid():
            return 0
        return max(1, len(self._columns))

    @guarded
    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or not self._columns:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return alignment_of(section)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._columns[section]
        return None

    @guarded
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry = self.entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.texts[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return alignment_of(index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_text(entry.tip)
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 0:
            return self._decoration(entry, index.row())
        return None

    # --- pictures ---------------------------------------------------------------------------

    def _decoration(self, entry: Entry, row: int) -> QPixmap | QColor | None:
        """Return the picture or the colour beside a name, None for neither.

        A picture that is not drawn yet is asked for, and is the colour until then.
        """
        if entry.picture_key is None:
            if not entry.colour:
                return None
            if entry.colour not in self._pictures:
                self._pictures[entry.colour] = swatch(QColor(entry.colour))
            return self._pictures[entry.colour]
        picture = self._pictures.get(entry.picture_key)
        if picture is not None:
            return picture
        self._missing_pictures[row] = None
        self._timer.start()
        return QColor(entry.colour)

    def _draw_next(self) -> None:
        """Draw the picture that was asked for last: rows that were scrolled away can wait."""
        if not self._missing_pictures:
            self._timer.stop()
            return
        row, _none = self._missing_pictures.popitem()
        entry = self.entries[row]
        self._pictures[entry.picture_key] = self._draw_picture(entry.code)
        index = self.index(row, 0)
        self.dataChanged.emit(index, index, [Qt.ItemDataRole.DecorationRole])


def alignment_of(column: int) -> Qt.AlignmentFlag:
    """Return how the texts of a column are aligned: names at the left, numbers at the right."""
    if column:
        side = Qt.AlignmentFlag.AlignRight
    else:
        side = Qt.AlignmentFlag.AlignLeft
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
