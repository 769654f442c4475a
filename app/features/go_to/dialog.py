"""The line that finds places: notes by title and text, names of things and regions, cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QTreeWidgetItem

from app.commands.fuzzy_match import match_score
from app.commands.quick_list import QuickList
from app.qt_guard import later
from app.render.scene.regions import region_names
from randomizer.model.kinds_on_map import kinds_by_name
from randomizer.model.notes import notes_of

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.composite import Composite

MOST_ROWS = 200

_PLACE = Qt.ItemDataRole.UserRole


class Place(NamedTuple):
    """Something with a name at a cell; ``thing`` is its id, None if it is none."""

    name: str
    kind: str
    cell: int
    thing: int | None = None
    text: str = ""


def places_of(battlemap: BattleMap, shown: Composite) -> list[Place]:
    """Return what has a name on a map: notes, regions, then other things of visible layers."""
    grid, kinds = battlemap.grid, kinds_by_name(battlemap)
    places, noted = [], set()
    for note in notes_of(battlemap):
        thing = note.thing
        noted.add(thing.id)
        name = f"{note.number}. {thing.label}".strip()
        title = kinds[thing.kind].title
        cell = grid.cell_at(thing.x, thing.y)
        places.append(Place(name, title, cell, thing.id, " ".join(note.lines)))
    regions = region_names(battlemap, shown)
    for name, (x, y) in zip(regions.texts, regions.spots[:, 0].tolist(), strict=True):
        places.append(Place(name, "Region", grid.cell_at(x, y)))
    for thing in battlemap.visible_things():
        if thing.label and thing.id not in noted:
            kind = kinds[thing.kind].title if thing.kind in kinds else thing.kind
            cell = grid.cell_at(thing.x, thing.y)
            places.append(Place(thing.label, kind, cell, thing.id))
    return [place for place in places if place.cell >= 0]


def cell_of(battlemap: BattleMap, letters: str) -> int | None:
    """Return the cell with this name, or at column and row from 1 on as in ``3, 12``."""
    system, grid = battlemap.system, battlemap.grid
    text = letters.strip()
    cell = system.cell_of_name(grid, text)
    if cell is None:
        cell = system.cell_of_name(grid, text.upper())
    parts = text.replace(",", " ").split()
    if cell is None and len(parts) == 2 and all(each.isdecimal() for each in parts):
        x, y = (int(each[:9]) - 1 for each in parts)
        inside = 0 <= x < grid.width and 0 <= y < grid.height
        cell = grid.cell(x, y) if inside else -1
    return cell if cell is not None and cell >= 0 and grid.exists(cell) else None


class GoToDialog(QuickList):
    """Goes to what has the name, text or cell that is written."""

    def __init__(self, desk: Desk) -> None:
        hint = "A name, a word of a note, or a cell"
        super().__init__(desk.frame, "Go to", hint, "Name, word or cell", "Places on the map")
        self._desk = desk
        document = desk.document
        self._map = document.current_map
        self._places = places_of(document.battlemap, document.composite)
        self.list.header().setAccessibleName("Place and cell")
        self.place()

    def items(self, letters: str) -> list[QTreeWidgetItem]:
        """Return the cell of that name, then the names that fit, then notes with the words."""
        battlemap, words = self._map.battlemap, letters.casefold().strip()
        scored = []
        for place in self._places:
            score = match_score(letters, place.name)
            if score is None and words and words in place.text.casefold():
                score = -1000.0
            if score is not None:
                scored.append((score, place))
        if words:
            scored.sort(key=lambda each: -each[0])
        places = [place for _score, place in scored[:MOST_ROWS]]
        cell = cell_of(battlemap, letters)
        if cell is not None:
            places.insert(0, Place(battlemap.system.cell_name(battlemap.grid, cell), "Cell", cell))
        return [self._item(place) for place in places]

    def _item(self, place: Place) -> QTreeWidgetItem:
        battlemap = self._map.battlemap
        cell = battlemap.system.cell_name(battlemap.grid, place.cell)
        item = QTreeWidgetItem([place.name, f"{place.kind}, {cell}"])
        item.setData(0, _PLACE, place)
        item.setToolTip(0, place.text)
        item.setSizeHint(0, QSize(0, self.fontMetrics().height() + 8))
        spoken = f"{place.name}, {place.kind}, {cell}"
        item.setData(0, Qt.ItemDataRole.AccessibleTextRole, spoken)
        return item

    def run(self) -> None:
        """Close, and show the chosen place; a thing is picked."""
        item, desk = self.list.currentItem(), self._desk
        if item is None:
            return
        place: Place = item.data(0, _PLACE)
        self.accept()
        later(desk, lambda: self._show(place))

    def _show(self, place: Place) -> None:
        desk, battlemap = self._desk, self._map.battlemap
        if desk.document.current_map is not self._map or not battlemap.grid.exists(place.cell):
            return
        if place.thing is not None and battlemap.thing_layer(place.thing) is not None:
            desk.tools.choose("things")
            desk.document.pick([place.thing])
        desk.canvas.overlays.show_place(place.cell)
