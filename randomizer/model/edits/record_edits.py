"""Edits of records, of which layer is the source, and of how cells are named."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from randomizer.model.edits.edit import Region
from randomizer.model.grid.cell_naming import CellNaming
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.records.map_records import (
    MapRecord,
    check_amount,
    check_record,
    check_records,
)

if TYPE_CHECKING:
    from randomizer.model.planes.composite import Composite


@dataclass(frozen=True, slots=True)
class RecordEdit:
    """At ``position`` of a record's text, ``before`` is replaced by ``after``.

    ``touched`` is whether the record was changed by hand, before and after the edit.
    """

    name: str
    position: int
    before: str
    after: str
    touched: tuple[bool, bool]

    def apply(self, battlemap: BattleMap) -> None:
        """Change the text. Raises KeyError if the record is not there.

        Raises ValueError if ``before`` does not stand there, or the result cannot be a record.
        """
        record = battlemap.records[self.name]
        end = self.position + len(self.before)
        is_inside = self.position >= 0 and end <= len(record.text)
        if not is_inside or record.text[self.position : end] != self.before:
            raise ValueError(f"the record “{self.name}” has another text")
        text = record.text[: self.position] + self.after + record.text[end:]
        changed = MapRecord(text, record.is_json, self.touched[1])
        check_record(self.name, changed)
        battlemap.records[self.name] = changed

    def inverse(self) -> RecordEdit:
        """Return the edit that changes it back."""
        touched = self.touched[1], self.touched[0]
        return RecordEdit(self.name, self.position, self.after, self.before, touched)

    def region(self, battlemap: BattleMap) -> Region:
        """Return the record."""
        return Region(records=frozenset((self.name,)))

    def refresh(self, battlemap: BattleMap, composite: Composite) -> bool:
        """True: a composite has no records."""
        return True


@dataclass(frozen=True, slots=True)
class RecordSet:
    """A whole record is added (``before`` None), removed (``after`` None) or replaced."""

    name: str
    before: MapRecord | None
    after: MapRecord | None

    def apply(self, battlemap: BattleMap) -> None:
        """Set or remove it.

        Raises KeyError if it is not as ``before``, ValueError if ``after`` cannot be a record.
        """
        if battlemap.records.get(self.name) != self.before:
            raise KeyError(self.name)
        records = {k: v for k, v in battlemap.records.items() if k != self.name}
        if self.after is not None:
            records[self.name] = self.after
            check_record(self.name, self.after)
            check_amount(records, len(records))
        battlemap.records = records

    def inverse(self) -> RecordSet:
        """Return the edit that sets it back."""
        return RecordSet(self.name, self.after, self.before)

    def region(self, battlemap: BattleMap) -> Region:
        """Return the record."""
        return Region(records=frozenset((self.name,)))

    def refresh(self, battlemap: BattleMap, composite: Composite) -> bool:
        """True: a composite has no records."""
        return True


@dataclass(frozen=True, slots=True)
class SourceEdit:
    """Another layer is the map's source: its id before and after, None for none."""

    before: int | None
    after: int | None

    def apply(self, battlemap: BattleMap) -> None:
        """Set it. Raises ValueError if the source is not ``before``."""
        if battlemap.source != self.before:
            raise ValueError(f"the source is the layer {battlemap.source}, not {self.before}")
        battlemap.source = self.after

    def inverse(self) -> SourceEdit:
        """Return the edit that sets it back."""
        return SourceEdit(self.after, self.before)

    def region(self, battlemap: BattleMap) -> Region:
        """Return the layer list."""
        return Region(structure=True)

    def refresh(self, battlemap: BattleMap, composite: Composite) -> bool:
        """True: a composite has no source."""
        return True


@dataclass(frozen=True, slots=True)
class NamingEdit:
    """The cells are named in another way."""

    before: CellNaming
    after: CellNaming

    def apply(self, battlemap: BattleMap) -> None:
        """Set it. Raises ValueError if it is not ``before``, or no map can have ``after``."""
        if battlemap.grid.naming != self.before:
            raise ValueError("the cells are named in another way")
        battlemap.grid = replace(battlemap.grid, naming=self.after)

    def inverse(self) -> NamingEdit:
        """Return the edit that sets it back."""
        return NamingEdit(self.after, self.before)

    def region(self, battlemap: BattleMap) -> Region:
        """Anything: names of cells stand everywhere."""
        return Region(everything=True)

    def refresh(self, battlemap: BattleMap, composite: Composite) -> bool:
        """False: a composite has the grid of its map."""
        return False


def name_cells(battlemap: BattleMap, naming: CellNaming) -> NamingEdit | None:
    """Return the edit that names cells otherwise; None if they are named so, or by their game."""
    if naming == battlemap.grid.naming or not battlemap.system.own_cell_names:
        return None
    return NamingEdit(battlemap.grid.naming, naming)


def change_record(battlemap: BattleMap, name: str, text: str) -> RecordEdit | None:
    """Return the edit by hand that gives a record another text; None if it has that text.

    It holds only what differs. Raises KeyError if the record is not there, ValueError for a text
    that the record cannot have.
    """
    record = battlemap.records[name]
    if record.text == text:
        return None
    check_record(name, replace(record, text=text))
    old = record.text
    start = _common(old, text)
    end = min(_common(old[::-1], text[::-1]), min(len(old), len(text)) - start)
    old_part = old[start : len(old) - end]
    new_part = text[start : len(text) - end]
    return RecordEdit(name, start, old_part, new_part, (record.touched, True))


def _common(first: str, second: str) -> int:
    """Return the length of the longest common beginning."""
    low = 0
    high = min(len(first), len(second))
    while low < high:  # comparing slices is faster than single characters
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def set_record(battlemap: BattleMap, name: str, record: MapRecord | None) -> RecordSet | None:
    """Return the edit that sets a whole record, or removes it for None; None if that is so already.

    Raises ValueError for a record that the map cannot have.
    """
    old_record = battlemap.records.get(name)
    if old_record == record:
        return None
    if record is not None:
        check_records({**battlemap.records, name: record})
    return RecordSet(name, old_record, record)
