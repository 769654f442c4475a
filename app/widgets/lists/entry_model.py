"""The rows of an editor of entries (``EntryEditor``): texts in columns, with colours or pictures.

``show_entries`` lists entries; Qt asks ``data`` for what it paints. A picture is slow to draw, so
that it is only drawn once its row was painted (``_decoration``).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtGui import QColor, QPainter, QPixmap

from app.appearance.painting import painting
from app.background.slices import Slices
from app.qt_guard import guarded
from app.widgets.layout.builders import plain_text

SWATCH = 14
"""The width of the colour beside a name, in logical pixels."""

SHARPNESS = 2.0
"""The device pixels of a swatch for each logical pixel; other screens scale it."""

Index = QModelIndex | QPersistentModelIndex
"""The types of the indexes by which Qt asks for data."""


class Entry(NamedTuple):
    """A row of an editor."""

    code: Hashable
    """The value by which the editor identifies the entry, such as an index."""

    texts: Sequence[str]
    """The texts of its columns, the name first."""

    colour: str = ""
    """The colour beside the name, as ``#rrggbb``; "" for none."""

    tip: str = ""
    """The tool tip."""

    picture_key: Hashable = None
    """The values on which its picture depends; None for an entry without a picture."""

    @property
    def name(self) -> str:
        """The text of the first column."""
        return self.texts[0]


class EntryModel(QAbstractTableModel):
    """Lists the entries whose names contain the searched word.

    ``columns`` are the titles, () for a list without titles. ``draw_picture`` returns the picture
    of the entry with a code. It is called after the row was painted, once in a turn of the event
    loop; until then the row shows the colour of its entry. A picture is stored as long as an entry
    has its ``picture_key``.
    """

    def __init__(
        self, columns: Sequence[str], draw_picture: Callable[[Any], QPixmap], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._columns = columns
        self._draw_picture = draw_picture
        self.all_entries: tuple[Entry, ...] = ()
        """All entries, listed or not."""
        self.entries: tuple[Entry, ...] = ()
        """The entries that are listed."""
        self._pictures: dict[Hashable, QPixmap] = {}
        """The pictures by ``picture_key``, and the swatches by colour."""
        self._rows_without_picture: list[int] = []
        """The rows that were painted without their picture, each once; the one painted last last.

        They are drawn from the end: rows that have been scrolled out of view can wait.
        """
        self._slices = Slices(self._draw_next, self)

    def show_entries(self, entries: Iterable[Entry], search: str) -> None:
        """List those entries whose names contain ``search``, in capitals or small letters."""
        all_entries = tuple(entries)
        word = search.casefold()
        self.beginResetModel()
        self.all_entries = all_entries
        self.entries = tuple(entry for entry in all_entries if word in entry.name.casefold())
        keys = {entry.picture_key for entry in self.all_entries}
        self._pictures = {key: self._pictures[key] for key in self._pictures.keys() & keys}
        self._rows_without_picture.clear()
        self.endResetModel()

    def forget_pictures(self) -> None:
        """Forget all pictures: each is drawn anew once its row has been painted again."""
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
        """Return the picture or the colour beside the name of an entry, None for neither.

        A picture that is not drawn yet is noted, and its colour returned in its place.
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
        self._request_picture(row)
        return QColor(entry.colour)

    def _request_picture(self, row: int) -> None:
        """Let the picture of a row be drawn before those of all rows that were painted earlier."""
        if row in self._rows_without_picture:
            self._rows_without_picture.remove(row)
        self._rows_without_picture.append(row)
        self._slices.start()

    def _draw_next(self) -> bool:
        """Draw the picture of the row that was painted last; return whether one was missing."""
        if not self._rows_without_picture:
            return False
        row = self._rows_without_picture.pop()
        entry = self.entries[row]
        self._pictures[entry.picture_key] = self._draw_picture(entry.code)
        index = self.index(row, 0)
        self.dataChanged.emit(index, index, [Qt.ItemDataRole.DecorationRole])
        return True


def alignment_of(column: int) -> Qt.AlignmentFlag:
    """Return the alignment of a column: names are at the left, numbers at the right."""
    if column:
        side = Qt.AlignmentFlag.AlignRight
    else:
        side = Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def swatch(colour: QColor) -> QPixmap:
    """Return a disc of a colour, with an outline so that it is seen on any background."""
    picture = QPixmap(round(SWATCH * SHARPNESS), round(SWATCH * SHARPNESS))
    picture.setDevicePixelRatio(SHARPNESS)
    picture.fill(Qt.GlobalColor.transparent)
    with painting(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(colour)
        painter.setPen(QColor(120, 120, 120))
        painter.drawEllipse(1, 1, SWATCH - 2, SWATCH - 2)
    return picture
