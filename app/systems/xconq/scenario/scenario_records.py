"""What a scenario says beside its map and units, for the panels that show and change it."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.document.undo_history import MergeKey
from app.qt_guard import connect
from randomizer.model.edits.edit import Edit, Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.records import (
    GLOBALS,
    HEADER,
    MAP,
    MISSING,
    PERIOD,
    SIDES,
    Globals,
    Header,
    MapFacts,
    Sides,
    globals_of,
    header_of,
    map_facts_of,
    sides_of,
)
from randomizer.systems.xconq.scenario.conditions import Names
from randomizer.systems.xconq.scenario.side_edits import change_value
from randomizer.systems.xconq.units.unit_kinds import kind_names

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from randomizer.systems.xconq.records import Record

SHOWN = frozenset((GLOBALS, SIDES, HEADER, MAP))


class ScenarioRecords(QObject):
    """The records of the current map; every change is an undo step.

    ``changed()``: one of them, the map or its period is another one now.
    """

    changed = Signal()

    def __init__(self, document: MapDocument, parent: QObject) -> None:
        super().__init__(parent)
        self.document = document
        self._soon = QTimer(self, singleShot=True)
        connect(self._soon.timeout, self.changed)
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self.changed)

    @property
    def up_to_date(self) -> bool:
        """Whether what is shown is what the map holds now."""
        return not self._soon.isActive()

    def _on_changed(self, region: Region) -> None:
        theirs = any(name in SHOWN or name.startswith(PERIOD) for name in region.records)
        if theirs or region.reshaped:
            self._soon.start(0)

    @property
    def battlemap(self) -> BattleMap:
        """The current map."""
        return self.document.battlemap

    @property
    def offered(self) -> bool:
        """Whether the current map is one of Xconq."""
        return self.battlemap.system.name == "xconq"

    @property
    def sides(self) -> Sides:
        """The sides of the current map."""
        return sides_of(self.battlemap)

    @property
    def globals(self) -> Globals:
        """The globals of the current map."""
        return globals_of(self.battlemap)

    @property
    def header(self) -> Header:
        """The header of the current map."""
        return header_of(self.battlemap)

    @property
    def facts(self) -> MapFacts:
        """Scale and the like of the current map."""
        return map_facts_of(self.battlemap)

    @property
    def names(self) -> Names:
        """The names of sides, unit types and resources of the current map."""
        period = period_of(self.battlemap)
        resources = [resource.name for resource in period.resources]
        sides = [side.name for side in self.sides.sides]
        provisional = self.header.period_place == MISSING
        return Names(sides, kind_names(period), resources, provisional)

    def write(self, name: str, value: Record, text: str, field: str) -> bool:
        """Give a record another value, see ``do``."""
        return self.do(lambda battlemap: change_value(battlemap, name, value), text, field)

    def put(self, name: str, value: Record, text: str) -> bool:
        """Give a record another value, as an undo step of its own."""
        return self.document.push(change_value(self.battlemap, name, value), text)

    def do(self, make: Callable[[BattleMap], Edit | None], text: str, field: str) -> bool:
        """Do what ``make`` makes of the map; steps of one ``field`` within a second are one."""
        try:
            return self.document.push_on(make, text, MergeKey(f"xconq {field}", monotonic()))
        except ValueError as fault:
            self.document.refuse(f"{str(fault)[:1].upper()}{str(fault)[1:]}.")
            return False
