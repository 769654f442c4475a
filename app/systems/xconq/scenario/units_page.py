"""The page of units: a list of the units of each side, in which a click goes to the unit.

    Red Army (2)
        infantry    1st Guards   12,5    10         type, name, hex, hit points
        tank                     12,6     4
    neutral (1)
        town        Springfield   3,8    20

``UnitsPage.refresh`` lists the units that match the search (``_matches``), after each change of the
map.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.desk.desk import Desk
from app.qt_guard import connect, guarded
from app.widgets.layout.builders import described, lay_out, plain_label
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import Region
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.systems.xconq.units.unit_state import HP

if TYPE_CHECKING:
    from app.systems.xconq.scenario.scenario_records import ScenarioRecords
    from randomizer.model.things.things import Thing

COLUMNS = ("Unit", "Name", "Hex", "Hits")
"""The titles of the columns."""

THING_ID_ROLE = Qt.ItemDataRole.UserRole
"""The role of the id of the unit that an item of the list stands for: units are things of the map.
"""

MAX_UNITS = 5000
"""The most units that are listed; a search finds the others."""

NEUTRAL = 0
"""The owner of neutral units; the units of the first side have owner 1."""


class _UnitRow(NamedTuple):
    """A unit in the list."""

    kind: str
    name: str

    cell: int
    """Its hex, -1 for a unit beyond the map."""

    thing_id: int

    cell_name: str
    """The name of its hex, "" for a unit beyond the map."""

    hit_points: str

    @property
    def sort_key(self) -> tuple[str, str, int, int]:
        """The key by which the units of a side are sorted: by type, name, then hex."""
        return (self.kind, self.name, self.cell, self.thing_id)


class _Matches(NamedTuple):
    """The units that match the search."""

    rows_by_owner: dict[int, list[_UnitRow]]
    """The first ``MAX_UNITS`` of them, by their owners."""

    counts_by_owner: Counter[int]
    """The numbers of all of them, listed or not, by their owners."""


class UnitsPage(QWidget):
    """The sides, the neutral units last, with the units of each that can be seen on the map."""

    def __init__(self, desk: Desk, records: ScenarioRecords) -> None:
        super().__init__()
        self._desk = desk
        self._records = records
        tip = "Parts of a type, a name, a hex or a side"
        self.search = described(QLineEdit(), "Search the units", tip)
        self.search.setPlaceholderText("Search")
        self.search.setClearButtonEnabled(True)
        self.message = plain_label()
        self.list = described(QTreeWidget(), "Units by side", "A click goes to a unit and picks it")
        self.list.setHeaderLabels(COLUMNS)
        self.list.setUniformRowHeights(True)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self._refresh_timer = QTimer(self, singleShot=True)
        """Lists the units; of several changes in one turn of the event loop only after the last."""
        lay_out(QVBoxLayout(self), self.search, self.message, (self.list, 1), margins=6)
        connect(self._refresh_timer.timeout, self.refresh)
        connect(self.search.textChanged, lambda _text: self.refresh())
        connect(self.list.itemClicked, self._go_to)
        connect(self.list.itemActivated, self._go_to)
        connect(records.changed, self._refresh_timer.start)
        connect(records.replaced, self._refresh_timer.start)
        connect(desk.document.changed, self._on_changed)

    def _on_changed(self, region: Region) -> None:
        """List the units again after a change that concerns things."""
        if region.everything or len(region.points):
            self._refresh_timer.start()

    @guarded
    def showEvent(self, event: QShowEvent) -> None:
        """List the units, as nothing was done while the page was hidden."""
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """List the units of the current map that match the search; the list stays scrolled."""
        if not (self._records.are_offered and self.isVisible()):
            return
        matches = self._matches()
        total = matches.counts_by_owner.total()
        message = counted(total, "unit")
        if total > MAX_UNITS:
            message = f"The first {MAX_UNITS:,} of {total:,} units; search for the others."
        self.message.setText(message)
        position = self.list.verticalScrollBar().value()
        self.list.clear()
        owners = sorted(matches.counts_by_owner)
        if NEUTRAL in owners:
            owners.remove(NEUTRAL)
            owners.append(NEUTRAL)  # the neutral units come last
        for owner in owners:
            self._add_group(owner, matches)
        self.list.verticalScrollBar().setValue(position)

    def _add_group(self, owner: int, matches: _Matches) -> None:
        """List the units of an owner below a heading with the number of all of them."""
        heading = f"{self._side_names()[owner]} ({matches.counts_by_owner[owner]:,})"
        group = QTreeWidgetItem(self.list, [heading])
        group.setFirstColumnSpanned(True)
        group.setFlags(Qt.ItemFlag.ItemIsEnabled)
        rows = matches.rows_by_owner.get(owner, [])
        for row in sorted(rows, key=lambda row: row.sort_key):
            texts = [row.kind, row.name, row.cell_name, row.hit_points]
            item = QTreeWidgetItem(group, texts)
            item.setData(0, THING_ID_ROLE, row.thing_id)
        group.setExpanded(True)

    def _side_names(self) -> list[str]:
        """Return the names of the sides by the owners of units: 0 is neutral."""
        return ["neutral", *(side.name for side in self._records.sides.sides)]

    def _matches(self) -> _Matches:
        """Return the units that match the search."""
        side_names = self._side_names()
        usual_hit_points = self._usual_hit_points()
        searched_words = self.search.text().lower().split()
        rows_by_owner: dict[int, list[_UnitRow]] = {}
        counts_by_owner: Counter[int] = Counter()
        listed_count = 0
        for thing in self._records.battlemap.visible_things():
            owner = thing.owner
            if owner >= len(side_names):
                owner = NEUTRAL  # an owner that is no side counts as neutral, as in the game
            row = self._row_of(thing, usual_hit_points)
            text = f"{row.kind} {row.name} {row.cell_name} {side_names[owner]}".lower()
            if not all(word in text for word in searched_words):
                continue
            counts_by_owner[owner] += 1
            if listed_count < MAX_UNITS:
                listed_count += 1
                rows_by_owner.setdefault(owner, []).append(row)
        return _Matches(rows_by_owner, counts_by_owner)

    def _row_of(self, thing: Thing, usual_hit_points: Mapping[str, object]) -> _UnitRow:
        """Return the row of a unit; ``usual_hit_points`` are those of its kind, by name."""
        battlemap = self._records.battlemap
        cell = battlemap.grid.cell_at(thing.x, thing.y)
        cell_name = ""
        if cell >= 0:
            cell_name = battlemap.system.cell_name(battlemap.grid, cell)
        # A file may leave out the hit points of a unit.
        hit_points = thing.state.get(HP, usual_hit_points.get(thing.kind, ""))
        return _UnitRow(thing.kind, thing.label, cell, thing.id, cell_name, str(hit_points))

    def _usual_hit_points(self) -> dict[str, object]:
        """Return the hit points with which units are made, by their kinds."""
        usual_hit_points: dict[str, object] = {}
        for name, kind in kinds_by_name(self._records.battlemap).items():
            for setting in kind.settings:
                if setting.name == HP:
                    usual_hit_points[name] = setting.default
        return usual_hit_points

    def _go_to(self, item: QTreeWidgetItem) -> None:
        """Show a unit on the map, and pick it."""
        thing_id = item.data(0, THING_ID_ROLE)
        battlemap = self._records.battlemap
        if thing_id is None or battlemap.thing_layer(thing_id) is None:
            return
        thing = battlemap.thing(thing_id)
        self._desk.tools.choose("things")
        self._desk.document.pick([thing_id])
        cell = battlemap.grid.cell_at(thing.x, thing.y)
        if cell >= 0:
            self._desk.canvas.overlays.show_place(cell)
