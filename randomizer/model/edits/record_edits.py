"""Edits of what a map holds beside its layers: records, which layer is its source, cell names.

A *record* is a text that belongs to a map, by name: a script, say, or the sides of a game as JSON.
Each class here is an ``Edit`` (edit.py), a reversible change with four methods:

- ``apply`` changes the map, and ``inverse`` returns the edit that changes it back;
- ``region`` says what has to be drawn again;
- ``refresh`` brings the map's *composite* (what all its layers show together) up to date, and
  returns False if it has to be composed anew.

Commands do not make edits by their constructors, but with the functions at the end:
``change_record``, ``set_record``, ``name_cells``; these return None where nothing would change.
``change_record`` keeps edits of long texts small: they hold only what differs, so that a letter
typed into a script of a megabyte costs one letter in the journal.

The *source* of a map is the rolled layer from which the whole map comes: when it is rolled again,
records and the terrain set come anew as well.
"""

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
    """A piece of a record's text is replaced by another."""

    name: str
    """The name of the record."""
    position: int
    """The index of the first replaced character in the whole text."""
    old_text: str
    """The text that stands at ``position`` now, "" if text is only inserted."""
    new_text: str
    """The text that replaces it, "" if text is only deleted."""
    was_touched: bool
    """``MapRecord.touched`` of the record now: a hand has changed it since the last roll."""
    is_touched: bool
    """``MapRecord.touched`` that the record gets."""

    def apply(self, battlemap: BattleMap) -> None:
        """Change the text; the map is unchanged if this raises.

        Raises KeyError if the map has no such record, ValueError if ``old_text`` does not stand at
        ``position``, or if no record can have the new text.
        """
        record = battlemap.records[self.name]
        end = self.position + len(self.old_text)
        is_inside = self.position >= 0 and end <= len(record.text)
        if not is_inside or record.text[self.position : end] != self.old_text:
            raise ValueError(f"the record “{self.name}” has another text")
        text = record.text[: self.position] + self.new_text + record.text[end:]
        changed = MapRecord(text, record.is_json, self.is_touched)
        check_record(self.name, changed)
        battlemap.records[self.name] = changed

    def inverse(self) -> RecordEdit:
        """Return the edit that changes it back."""
        return RecordEdit(
            self.name,
            self.position,
            old_text=self.new_text,
            new_text=self.old_text,
            was_touched=self.is_touched,
            is_touched=self.was_touched,
        )

    def region(self, battlemap: BattleMap) -> Region:
        """Return what has to be shown again: the record."""
        return Region(records=frozenset((self.name,)))

    def refresh(self, battlemap: BattleMap, composite: Composite) -> bool:
        """Return True: records are no part of a composite."""
        return True


@dataclass(frozen=True, slots=True)
class RecordSet:
    """A whole record is added, removed or replaced."""

    name: str
    """The name of the record."""
    old_record: MapRecord | None
    """The record now; None if the map has none of this name."""
    new_record: MapRecord | None
    """The record to be set; None to remove it."""

    def apply(self, battlemap: BattleMap) -> None:
        """Set or remove the record.

        Raises KeyError if it is not as ``old_record``, ValueError if ``new_record`` cannot be a
        record or is too much for the map.
        """
        if battlemap.records.get(self.name) != self.old_record:
            raise KeyError(self.name)
        # A new dict takes the place of the old one: a record that is refused changes nothing.
        records = dict(battlemap.records)
        if self.new_record is None:
            records.pop(self.name, None)
        else:
            check_record(self.name, self.new_record)
            records[self.name] = self.new_record  # a record that is replaced keeps its position
            check_amount(records, len(records))
        battlemap.records = records

    def inverse(self) -> RecordSet:
        """Return the edit that sets it back."""
        return RecordSet(self.name, self.new_record, self.old_record)

    def region(self, battlemap: BattleMap) -> Region:
        """Return what has to be shown again: the record."""
        return Region(records=frozenset((self.name,)))

    def refresh(self, battlemap: BattleMap, composite: Composite) -> bool:
        """Return True: records are no part of a composite."""
        return True


@dataclass(frozen=True, slots=True)
class SourceEdit:
    """Another layer becomes the map's source, whose roll brings records and terrain set, too."""

    old_source_id: int | None
    """The id of the layer that is the source now; None if the map has no source."""
    new_source_id: int | None
    """The id of the layer that becomes the source; None for no source."""

    def apply(self, battlemap: BattleMap) -> None:
        """Set it. Raises ValueError if the source is not ``old_source_id``."""
        if battlemap.source != self.old_source_id:
            raise ValueError(
                f"the source is the layer {battlemap.source}, not {self.old_source_id}"
            )
        battlemap.source = self.new_source_id

    def inverse(self) -> SourceEdit:
        """Return the edit that sets it back."""
        return SourceEdit(self.new_source_id, self.old_source_id)

    def region(self, battlemap: BattleMap) -> Region:
        """Return what has to be shown again: the list of layers."""
        return Region(structure=True)

    def refresh(self, battlemap: BattleMap, composite: Composite) -> bool:
        """Return True: the source is no part of a composite."""
        return True


@dataclass(frozen=True, slots=True)
class NamingEdit:
    """The cells of the map get other names."""

    old_naming: CellNaming
    """The naming of the cells now."""
    new_naming: CellNaming
    """The naming that they get."""

    def apply(self, battlemap: BattleMap) -> None:
        """Name the cells.

        Raises ValueError if they are not named as ``old_naming``, or if no map can have
        ``new_naming``.
        """
        if battlemap.grid.naming != self.old_naming:
            raise ValueError("the cells are named in another way")
        battlemap.grid = replace(battlemap.grid, naming=self.new_naming)

    def inverse(self) -> NamingEdit:
        """Return the edit that sets it back."""
        return NamingEdit(self.new_naming, self.old_naming)

    def region(self, battlemap: BattleMap) -> Region:
        """Return what has to be drawn again: the whole map, whose cells and rim can show names."""
        return Region(everything=True)

    def refresh(self, battlemap: BattleMap, composite: Composite) -> bool:
        """Return False: a composite has the grid of its map, which is another one now."""
        return False


def name_cells(battlemap: BattleMap, naming: CellNaming) -> NamingEdit | None:
    """Return the edit that names the cells of a map as ``naming`` says.

    None if they are named so already, or if the game names its cells itself.
    """
    if naming == battlemap.grid.naming or not battlemap.system.own_cell_names:
        return None
    return NamingEdit(battlemap.grid.naming, naming)


def change_record(battlemap: BattleMap, name: str, text: str) -> RecordEdit | None:
    """Return the edit by hand that gives a record another text; None if it has that text.

    The edit holds what lies between the common beginning and the common end of both texts. The
    record counts as touched from then on. Raises KeyError if the map has no such record,
    ValueError for a text that the record cannot have.
    """
    record = battlemap.records[name]
    old_text = record.text
    if old_text == text:
        return None
    check_record(name, replace(record, text=text))

    beginning = _length_of_common_beginning(old_text, text)
    end = _length_of_common_beginning(old_text[::-1], text[::-1])
    # Beginning and end can overlap: from "aa" to "aaa" both are two characters long.
    end = min(end, len(old_text) - beginning, len(text) - beginning)
    old_piece = old_text[beginning : len(old_text) - end]
    new_piece = text[beginning : len(text) - end]
    return RecordEdit(
        name, beginning, old_piece, new_piece, was_touched=record.touched, is_touched=True
    )


def _length_of_common_beginning(first: str, second: str) -> int:
    """Return how many characters two texts have in common at their beginning.

    A binary search: comparing slices of texts is much faster than single characters in Python.
    """
    low = 0
    high = min(len(first), len(second))
    while low < high:
        # ``low`` characters are equal, more than ``high`` are not; rounded up, so that it ends.
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def set_record(battlemap: BattleMap, name: str, record: MapRecord | None) -> RecordSet | None:
    """Return the edit that sets a whole record, or with None removes it.

    The result is None if the map has that record, or lacks it, already. Raises ValueError for a
    record that the map cannot have.
    """
    old_record = battlemap.records.get(name)
    if old_record == record:
        return None
    if record is not None:
        check_records({**battlemap.records, name: record})
    return RecordSet(name, old_record, record)
