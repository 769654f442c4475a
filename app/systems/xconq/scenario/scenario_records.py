"""The records of a scenario beside its map and units, for the pages that show and change them.

    records = ScenarioRecords(document, parent)
    records.globals.end_time            # of the current map, whichever that is
    records.write(GLOBALS, replace(records.globals, end_time=200), "Change last turn")

The pages of the panel share one object. It holds no values itself: all properties read the current
map.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.qt_guard import connect
from randomizer.model.edits.edit import Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.records import (
    GLOBALS,
    HEADER,
    MAP,
    PERIOD,
    SIDES,
    Globals,
    Header,
    MapFacts,
    PeriodPlace,
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

RECORDS = frozenset((GLOBALS, SIDES, HEADER, MAP))
"""The records on which the pages depend, beside the texts of the period."""


class ScenarioRecords(QObject):
    """Reads the records of the current map, and changes them by undo steps."""

    changed = Signal()
    """One of the records, the period or the size of the map has changed."""

    replaced = Signal()
    """Another map is the current one."""

    def __init__(self, document: MapDocument, parent: QObject) -> None:
        super().__init__(parent)
        self.document = document
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self.replaced)

    def _on_changed(self, region: Region) -> None:
        """Tell a change that concerns the pages."""
        is_shown = any(name in RECORDS or name.startswith(PERIOD) for name in region.records)
        if is_shown or region.reshaped:
            self.changed.emit()

    @property
    def battlemap(self) -> BattleMap:
        """The current map."""
        return self.document.battlemap

    @property
    def are_offered(self) -> bool:
        """True if the current map is one of Xconq, so that the pages can be used."""
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
    def map_facts(self) -> MapFacts:
        """The scale of the current map, and whether the sides know it."""
        return map_facts_of(self.battlemap)

    @property
    def names(self) -> Names:
        """The names of sides, unit types and resources of the current map."""
        period = period_of(self.battlemap)
        resources = [resource.name for resource in period.resources]
        sides = [side.name for side in self.sides.sides]
        provisional = self.header.period_place is PeriodPlace.MISSING
        return Names(sides, kind_names(period), resources, provisional)

    def write(self, name: str, value: Record, title: str, merge_key: str = "") -> bool:
        """Give a record another value, as an undo step called ``title``.

        Return whether the map has changed. Changes with the same ``merge_key`` in a row become one
        undo step; "": a step of its own.
        """
        return self.document.change_map(
            lambda battlemap: change_value(battlemap, name, value), title, merge_key
        )
