"""The list of the panel: the entries of a terrain set with pictures, which are drawn when seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QLineF,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
)
from PySide6.QtGui import QColor, QPen, QPixmap

from app.appearance.painting import painting
from app.qt_guard import connect, guarded
from app.render.raster.sprites import Sprites, hexside_picture
from app.render.renderer import Renderer
from app.render.style import style_of
from app.widgets.layout.builders import plain_text
from randomizer.model.edits.terrain_entries import shown_order
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.terrain.terrain import Hexside, Terrain, Way

PICTURE = 28
"""The width of a picture, in logical pixels."""

SCALE = 14.0
"""Of the pictures of cells, in logical pixels a map unit."""

CODE = Qt.ItemDataRole.UserRole
"""The index of a row's entry in its list of the set."""

Index = QModelIndex | QPersistentModelIndex


class EntryList(QAbstractListModel):
    """One list of a terrain set, terrains in their shown order; those with ``search`` in the name.

    Pictures are drawn when a row was painted, one in a turn of the event loop: until then rows show
    the colour of their entry. They are kept as long as their entry is the same.
    """

    def __init__(self, renderer: Renderer, ratio: Callable[[], float], parent: QObject) -> None:
        super().__init__(parent)
        self._renderer = renderer
        self._ratio = ratio
        self._entries: tuple[Any, ...] = ()
        self._codes: list[int] = []
        self._sprites: Sprites | None = None
        self._pictures: dict[Terrain | Hexside | Way, QPixmap] = {}
        self._wanted: dict[int, None] = {}
        """Codes of entries that were seen without their picture."""
        self._timer = QTimer(self, interval=0)
        connect(self._timer.timeout, self._draw_next)

    def show_list(self, battlemap: BattleMap, name: str, search: str) -> None:
        """Show the list ``name`` of the map's set."""
        self.beginResetModel()
        terrain_set = battlemap.terrain_set
        self._entries = getattr(terrain_set, name)
        codes = (
            shown_order(terrain_set.terrains) if name == "terrains" else range(len(self._entries))
        )
        word = search.casefold()
        self._codes = [code for code in codes if word in self._entries[code].name.casefold()]
        self._sprites = Sprites(
            battlemap.grid.layout,
            terrain_set,
            self._renderer.pictures,
            self._renderer.theme,
            SCALE,
            max(self._ratio(), 2.0),
            style=style_of(battlemap.system),
        )
        still_listed = self._pictures.keys() & {*self._entries}
        self._pictures = {each: self._pictures[each] for each in still_listed}
        self._wanted.clear()
        self.endResetModel()

    def forget_pictures(self) -> None:
        """Draw all pictures again: the theme or the pictures are others."""
        self._pictures.clear()

    def row_of(self, code: int) -> int:
        """The row of an entry, -1 if it is not shown."""
        return self._codes.index(code) if code in self._codes else -1

    @guarded(default=0)
    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._codes)

    @guarded
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        code = self._codes[index.row()]
        entry = self._entries[code]
        if role == CODE:
            return code
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{entry.name} (missing)" if entry.missing else entry.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_text(entry.description)
        if role == Qt.ItemDataRole.DecorationRole:
            if entry not in self._pictures:
                self._wanted[code] = None
                self._timer.start()
                return QColor(entry.colour)
            return self._pictures[entry]
        return None

    def _draw_next(self) -> None:
        """Draw the picture that was asked for last: rows that were scrolled away can wait."""
        if not self._wanted:
            self._timer.stop()
            return
        code, _none = self._wanted.popitem()
        self._pictures[self._entries[code]] = self._picture(self._entries[code], code)
        row = self.index(self.row_of(code))
        self.dataChanged.emit(row, row, [Qt.ItemDataRole.DecorationRole])

    def _picture(self, entry: Terrain | Hexside | Way, code: int) -> QPixmap:
        assert self._sprites is not None
        terrain_set = self._sprites.terrain_set
        if entry in terrain_set.terrains:
            return self._sprites.cell(code, 0)
        if entry in terrain_set.hexsides:
            return hexside_picture(self._sprites, code + 1, PICTURE)
        picture = QPixmap(PICTURE, PICTURE)
        picture.fill(Qt.GlobalColor.transparent)
        with painting(picture) as painter:
            painter.setPen(QPen(QColor(entry.colour), 5))
            painter.drawLine(QLineF(2, PICTURE / 2, PICTURE - 2, PICTURE / 2))
        return picture
