"""The page of units: those of each side in a list that goes to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

COLUMNS = ("Unit", "Name", "Hex", "Hits")

ID = Qt.ItemDataRole.UserRole

MOST_UNITS = 5000
"""At most so many units are listed; a search finds the others."""


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
        self._soon = QTimer(self, singleShot=True)
        lay_out(QVBoxLayout(self), self.search, self.message, (self.list, 1), margins=6)
        connect(self._soon.timeout, self.refresh)
        connect(self.search.textChanged, lambda _text: self.refresh())
        connect(self.list.itemClicked, self._go_to)
        connect(self.list.itemActivated, self._go_to)
        connect(records.changed, self._soon.start)
        connect(records.replaced, self._soon.start)
        connect(desk.document.changed, self._on_changed)

    def _on_changed(self, region: Region) -> None:
        if region.everything or len(region.points):
            self._soon.start()

    @guarded
    def showEvent(self, event: QShowEvent) -> None:
        """List the units: while the page was hidden nothing was done."""
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """List the units of the current map that match what is searched for."""
        if not (self._records.offered and self.isVisible()):
            return
        battlemap = self._records.battlemap
        parts = self.search.text().lower().split()
        system = battlemap.system
        grid = battlemap.grid
        kinds = kinds_by_name(battlemap)
        sides = ["neutral", *(side.name for side in self._records.sides.sides)]
        rows: dict[int, list[tuple[str, str, str, str, int]]] = {}
        count = 0
        for thing in battlemap.visible_things():
            cell = grid.cell_at(thing.x, thing.y)
            kind = kinds.get(thing.kind)
            hits = thing.state.get(HP, next((s.default for s in kind.settings), "") if kind else "")
            side = thing.owner if thing.owner < len(sides) else 0
            where = system.cell_name(grid, cell) if cell >= 0 else ""
            text = f"{thing.kind} {thing.label} {where} {sides[side]}".lower()
            if count < MOST_UNITS and all(part in text for part in parts):
                count += 1
                row = (thing.kind, thing.label, where, str(hits), thing.id)
                rows.setdefault(side, []).append(row)
        self.message.setText(counted(count, "unit"))
        position = self.list.verticalScrollBar().value()
        self.list.clear()
        for side in sorted(rows, key=lambda owner: owner or len(sides)):
            title = f"{sides[side]} ({len(rows[side]):,})"
            group = QTreeWidgetItem(self.list, [title])
            group.setFirstColumnSpanned(True)
            group.setFlags(Qt.ItemFlag.ItemIsEnabled)
            for *texts, thing_id in sorted(rows[side]):
                item = QTreeWidgetItem(group, texts)
                item.setData(0, ID, thing_id)
            group.setExpanded(True)
        self.list.verticalScrollBar().setValue(position)

    def _go_to(self, item: QTreeWidgetItem) -> None:
        """Show a unit on the map, and pick it."""
        thing_id = item.data(0, ID)
        battlemap = self._records.battlemap
        if thing_id is None or battlemap.thing_layer(thing_id) is None:
            return
        thing = battlemap.thing(thing_id)
        self._desk.tools.choose("things")
        self._desk.document.pick([thing_id])
        cell = battlemap.grid.cell_at(thing.x, thing.y)
        if cell >= 0:
            self._desk.canvas.overlays.show_place(cell)
