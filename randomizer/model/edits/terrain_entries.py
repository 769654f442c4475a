"""Edits of single entries of a terrain set: a terrain, a hexside, a way, each one undo step.

The panel of terrains calls these functions when a user edits the set of a map. An entry is named by
the list in which it is (``EntryList``) and its index there::

    change_entry(battlemap, EntryList.TERRAINS, 3, name="Bog")  # what is painted follows
    remove_entry(battlemap, EntryList.TERRAINS, 3)              # what is painted becomes missing

All return None where nothing changes, and raise ValueError for a set that no map can have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Any

from randomizer.model.edits.terrain_edits import TerrainSetEdit, change_terrain_set
from randomizer.model.terrain.terrain import Terrain, TerrainSet

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap

_LONGEST_NUMBERED = 90
"""The most characters of a name before " 12": both together are no longer than ``LONGEST_WORD``."""


class EntryList(Enum):
    """One of the lists of entries of a ``TerrainSet``; its value is the name of the field."""

    TERRAINS = "terrains"
    HEXSIDES = "hexsides"
    WAYS = "ways"

    def entries(self, terrain_set: TerrainSet) -> tuple[Any, ...]:
        """Return the entries of this list of a set: all Terrains, all Hexsides, or all Ways."""
        entries: tuple[Any, ...] = getattr(terrain_set, self.value)
        return entries

    def with_entries(self, terrain_set: TerrainSet, entries: Iterable[Any]) -> TerrainSet:
        """Return the set with other entries in this list."""
        fields: dict[str, Any] = {self.value: tuple(entries)}
        return replace(terrain_set, **fields)


def shown_order(terrains: Sequence[Terrain]) -> list[int]:
    """Return the codes of terrains in the order in which lists show them.

    They are sorted by ``Terrain.order``; those of equal order stay in the order of their codes.
    """
    return sorted(range(len(terrains)), key=lambda code: terrains[code].order)


def without_missing(terrain_set: TerrainSet) -> TerrainSet:
    """Return the set without its missing entries (``Terrain.missing``)."""
    for entry_list in EntryList:
        entries = [entry for entry in entry_list.entries(terrain_set) if not entry.missing]
        terrain_set = entry_list.with_entries(terrain_set, entries)
    return terrain_set


# --- changing one entry -----------------------------------------------------------------------


def change_entry(
    battlemap: BattleMap, entry_list: EntryList, index: int, /, **changes: object
) -> TerrainSetEdit | None:
    """Return the edit that changes fields of one entry; a missing entry is defined again.

    If the entry gets another name, what is painted of it follows, and so do the rules of hexsides
    that name it.
    """
    terrain_set = battlemap.terrain_set
    old_entry = entry_list.entries(terrain_set)[index]
    changes.setdefault("missing", False)
    new_entry = replace(old_entry, **changes)

    # What is painted is translated by names. So first the old set gets the new name alone.
    renamed_entry = replace(old_entry, name=new_entry.name)
    renamed_set = _with_entry(terrain_set, entry_list, index, renamed_entry)
    if entry_list is EntryList.TERRAINS and new_entry.name != old_entry.name:
        renamed_set = _with_terrain_renamed_in_rules(renamed_set, old_entry.name, new_entry.name)

    new_set = _with_entry(renamed_set, entry_list, index, new_entry)
    return _change_set(battlemap, new_set, renamed_set)


def add_entries(
    battlemap: BattleMap, entry_list: EntryList, entries: Sequence[Any]
) -> TerrainSetEdit | None:
    """Return the edit that adds entries at the end of a list.

    An entry whose name is in use gets a number behind it: "Bog 2".
    """
    terrain_set = battlemap.terrain_set
    old_entries = entry_list.entries(terrain_set)
    # A missing entry gives its name up: what is painted of it becomes the new one.
    names_in_use = {entry.name for entry in old_entries if not entry.missing}
    added_entries = []
    for entry in entries:
        name = unused_name(entry.name, names_in_use)
        names_in_use.add(name)
        added_entries.append(replace(entry, name=name))
    if entry_list is EntryList.TERRAINS:
        added_entries = shown_last(added_entries, terrain_set.terrains)
    new_set = entry_list.with_entries(terrain_set, (*old_entries, *added_entries))
    return _change_set(battlemap, new_set)


def shown_last(added_terrains: Sequence[Terrain], terrains: Sequence[Terrain]) -> list[Terrain]:
    """Return added terrains in their shown order, so that lists show them below ``terrains``.

    All get the greatest order: terrains of equal order are shown in the order of their codes, and
    those of the added ones are the highest.
    """
    last_order = max((terrain.order for terrain in terrains), default=0)
    return [replace(added_terrains[code], order=last_order) for code in shown_order(added_terrains)]


def unused_name(name: str, names_in_use: set[str]) -> str:
    """Return the name, or if it is in use the first unused one with a number, from 2 on.

    A long name is shortened, so that with its number it still is one that an entry can have.
    """
    number = 1
    result = name
    while result in names_in_use:
        number += 1
        result = f"{name[:_LONGEST_NUMBERED]} {number}"
    return result


def remove_entry(battlemap: BattleMap, entry_list: EntryList, index: int) -> TerrainSetEdit | None:
    """Return the edit that removes one entry; rules of hexsides do not name it any more.

    If it is painted anywhere, it stays in the set as a missing one.
    """
    terrain_set = battlemap.terrain_set
    entries = list(entry_list.entries(terrain_set))
    removed_entry = entries.pop(index)
    if entry_list is EntryList.TERRAINS:
        terrain_set = _with_terrain_renamed_in_rules(terrain_set, removed_entry.name, "")
    return _change_set(battlemap, entry_list.with_entries(terrain_set, entries))


# --- the order in lists -----------------------------------------------------------------------


def move_terrain(battlemap: BattleMap, code: int, steps: int) -> TerrainSetEdit | None:
    """Return the edit that shows a terrain ``steps`` rows further down in lists (up: negative).

    It stops at the first and the last row. Codes stay as they are.
    """
    codes = shown_order(battlemap.terrain_set.terrains)
    row = codes.index(code)
    last_row = len(codes) - 1
    new_row = min(max(row + steps, 0), last_row)
    codes.insert(new_row, codes.pop(row))
    return _show_in_order(battlemap, codes)


def _casefolded_name(terrain: Terrain) -> str:
    """Return the name of a terrain without regard to case."""
    return terrain.name.casefold()


def sort_terrains(
    battlemap: BattleMap, key: Callable[[Terrain], Any] = _casefolded_name
) -> TerrainSetEdit | None:
    """Return the edit that shows the terrains sorted in lists; codes stay as they are."""
    terrains = battlemap.terrain_set.terrains
    codes = sorted(range(len(terrains)), key=lambda code: key(terrains[code]))
    return _show_in_order(battlemap, codes)


def _show_in_order(battlemap: BattleMap, codes: Sequence[int]) -> TerrainSetEdit | None:
    """Return the edit after which lists show the terrains in the order of ``codes`` (all codes)."""
    terrain_set = battlemap.terrain_set
    terrains = list(terrain_set.terrains)
    for row, code in enumerate(codes):
        terrains[code] = replace(terrains[code], order=row)
    new_set = replace(terrain_set, terrains=tuple(terrains))
    # As the renamed set, too: missing terrains are taken from that one, with their new rows.
    return _change_set(battlemap, new_set, renamed_set=new_set)


# --- helpers ----------------------------------------------------------------------------------


def _change_set(
    battlemap: BattleMap, new_set: TerrainSet, renamed_set: TerrainSet | None = None
) -> TerrainSetEdit | None:
    """Return the edit that gives the map ``new_set``.

    Missing entries of ``new_set`` are dropped; ``change_terrain_set`` appends those again that are
    still painted. ``renamed_set`` is as there.
    """
    return change_terrain_set(battlemap, without_missing(new_set), renamed_set)


def _with_entry(
    terrain_set: TerrainSet, entry_list: EntryList, index: int, entry: object
) -> TerrainSet:
    """Return the set with another entry at ``index`` of a list."""
    entries = list(entry_list.entries(terrain_set))
    entries[index] = entry
    return entry_list.with_entries(terrain_set, entries)


def _with_terrain_renamed_in_rules(
    terrain_set: TerrainSet, old_name: str, new_name: str
) -> TerrainSet:
    """Return the set whose hexsides name a terrain by its new name; "" if they are to name none.

    The terrain itself is left as it is.
    """
    hexsides = []
    for hexside in terrain_set.hexsides:
        ground = hexside.ground
        if ground == old_name:
            ground = new_name
        beside = hexside.beside
        if beside == old_name:
            beside = new_name
        hexsides.append(replace(hexside, ground=ground, beside=beside))
    return replace(terrain_set, hexsides=tuple(hexsides))
