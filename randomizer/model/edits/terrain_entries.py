"""Edits of single entries of a terrain set: a terrain, a hexside, a way, each one undo step.

    change_entry(battlemap, "terrains", 3, name="Bog")     # what is painted follows
    remove_entry(battlemap, "terrains", 3)                 # what is painted becomes missing

All return None where nothing changes, and raise ValueError for what no map can have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from randomizer.model.edits.terrain_edits import TerrainSetEdit, change_terrain_set
from randomizer.model.terrain.terrain import Terrain, TerrainSet

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap

LISTS = ("terrains", "hexsides", "ways")
"""The fields of a terrain set that hold entries."""


def shown_order(terrains: Sequence[Terrain]) -> list[int]:
    """Return the codes of terrains as lists show them: by ``order``, those of one as they stand."""
    return sorted(range(len(terrains)), key=lambda code: terrains[code].order)


def defined(terrain_set: TerrainSet) -> TerrainSet:
    """Return the set without entries that are in it only because a map still shows them."""
    lists: dict[str, Any] = {
        name: tuple(entry for entry in getattr(terrain_set, name) if not entry.missing)
        for name in LISTS
    }
    return replace(terrain_set, **lists)


def _changed(
    battlemap: BattleMap, new_set: TerrainSet, called: TerrainSet | None = None
) -> TerrainSetEdit | None:
    """Return the edit; what is missing and not painted any more goes with it."""
    return change_terrain_set(battlemap, defined(new_set), called)


def change_entry(
    battlemap: BattleMap, field: str, at: int, /, **changes: object
) -> TerrainSetEdit | None:
    """Change fields of the entry ``at`` of the list ``field``; a missing one is defined again.

    Under another name what is painted follows, and so do hexsides that name a terrain.
    """
    terrain_set = battlemap.terrain_set
    old_entry = getattr(terrain_set, field)[at]
    new_entry = replace(old_entry, **{"missing": False, **changes})
    called = _with(terrain_set, field, at, replace(old_entry, name=new_entry.name))
    if field == "terrains" and new_entry.name != old_entry.name:
        called = _with_grounds(called, {old_entry.name: new_entry.name})
    return _changed(battlemap, _with(called, field, at, new_entry), called)


def add_entries(battlemap: BattleMap, name: str, entries: Sequence[Any]) -> TerrainSetEdit | None:
    """Add entries at the end of a list; one whose name is in use gets a number behind it."""
    terrain_set = battlemap.terrain_set
    names = {entry.name for entry in getattr(terrain_set, name) if not entry.missing}
    added = []
    for entry in entries:
        added.append(replace(entry, name=free_name(entry.name, names)))
        names.add(added[-1].name)
    if name == "terrains":
        added = behind(terrain_set.terrains, added)
    lists: dict[str, Any] = {name: (*getattr(terrain_set, name), *added)}
    return _changed(battlemap, replace(terrain_set, **lists))


def behind(terrains: Sequence[Terrain], added: Sequence[Terrain]) -> list[Terrain]:
    """Added terrains as lists show them below all others, in their shown order."""
    last = max(terrain.order for terrain in terrains)
    return [replace(added[code], order=last) for code in shown_order(added)]


def free_name(name: str, names: set[str]) -> str:
    """Return the name, or the first of those with a number behind it that is not among
    ``names``.
    """
    number = 1
    result = name
    while result in names:
        number += 1
        result = f"{name} {number}"
    return result


def remove_entry(battlemap: BattleMap, name: str, at: int) -> TerrainSetEdit | None:
    """Remove an entry; what is painted of it becomes missing. Hexsides forget such a ground."""
    terrain_set = battlemap.terrain_set
    entries = list(getattr(terrain_set, name))
    gone = entries.pop(at)
    lists: dict[str, Any] = {name: tuple(entries)}
    if name == "terrains":
        terrain_set = _with_grounds(terrain_set, {gone.name: ""})
    return _changed(battlemap, replace(terrain_set, **lists))


def move_terrain(battlemap: BattleMap, code: int, steps: int) -> TerrainSetEdit | None:
    """Show a terrain so many rows further down in lists (up: negative); codes stay as they are."""
    codes = shown_order(battlemap.terrain_set.terrains)
    row = codes.index(code)
    codes.insert(min(max(row + steps, 0), len(codes) - 1), codes.pop(row))
    return _in_order(battlemap, codes)


def sort_terrains(
    battlemap: BattleMap, key: Callable[[Terrain], Any] = lambda terrain: terrain.name.casefold()
) -> TerrainSetEdit | None:
    """Show the terrains sorted in lists, by their names; codes stay as they are."""
    terrains = battlemap.terrain_set.terrains
    return _in_order(battlemap, sorted(range(len(terrains)), key=lambda at: key(terrains[at])))


def _in_order(battlemap: BattleMap, codes: Sequence[int]) -> TerrainSetEdit | None:
    terrain_set = battlemap.terrain_set
    terrains = list(terrain_set.terrains)
    for row, code in enumerate(codes):
        terrains[code] = replace(terrains[code], order=row)
    return _changed(battlemap, replace(terrain_set, terrains=tuple(terrains)))


def _with(terrain_set: TerrainSet, name: str, at: int, entry: object) -> TerrainSet:
    entries = getattr(terrain_set, name)
    lists: dict[str, Any] = {name: (*entries[:at], entry, *entries[at + 1 :])}
    return replace(terrain_set, **lists)


def _with_grounds(terrain_set: TerrainSet, names: dict[str, str]) -> TerrainSet:
    """Return the set with other names of the terrains that hexsides need; "": none."""
    hexsides = tuple(
        replace(
            hexside,
            ground=names.get(hexside.ground, hexside.ground),
            beside=names.get(hexside.beside, hexside.beside),
        )
        for hexside in terrain_set.hexsides
    )
    return replace(terrain_set, hexsides=hexsides)
