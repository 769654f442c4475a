"""Two terrain sets made one: a saved set added to another, or the looks of one given to another.

Given the set of a map with the terrains "Grass" (code "Gg") and "Bog" (code "Ss"), and a saved
set with "Meadow" ("Gg") and "Fen" (no code)::

    merge_terrains(map, saved)    # Grass, Bog, Meadow, Fen
    with_looks(map, saved)        # Meadow, Bog: the codes of another program's map stay
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from randomizer.model.edits.terrain_codes import free_letter
from randomizer.model.edits.terrain_entries import shown_last, unused_name, without_missing
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import error
from randomizer.model.records.assets import assets_of, check_assets, only
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.model.terrain.terrain_check import MAX_TERRAINS, check_terrain_set
from randomizer.storage.files.terrain_files import OwnTerrains


def merge_terrains(own: OwnTerrains, more: OwnTerrains) -> OwnTerrains:
    """Return a set with the entries of ``more`` whose names it lacks.

    Entries of ``own`` keep their indices. One that is marked as missing there and defined in
    ``more`` is defined again. A hexside whose letter is in use gets a free one. Raises ProblemError
    if a set cannot have so many.
    """
    own_set = own.terrain_set
    added_set = without_missing(more.terrain_set)
    added_terrains = shown_last(added_set.terrains, own_set.terrains)
    hexsides = _united(own_set.hexsides, added_set.hexsides)
    for index, hexside in enumerate(hexsides):
        letter = free_letter(hexside.letter, hexsides[:index])
        hexsides[index] = replace(hexside, letter=letter)
    result = replace(
        own_set,
        terrains=tuple(_united(own_set.terrains, added_terrains)),
        hexsides=tuple(hexsides),
        ways=tuple(_united(own_set.ways, added_set.ways)),
        elevations=tuple(sorted({*own_set.elevations, *added_set.elevations})),
    )
    assets = only({**own.assets, **more.assets}, assets_of(result))
    try:
        check_terrain_set(result)
        check_assets(assets)
    except ValueError as fault:
        raise error("terrains-merged", f"these sets cannot be one: {fault}") from fault
    return OwnTerrains(result, assets)


class _Entry(Protocol):
    """A terrain, a hexside or a way of a set."""

    @property
    def name(self) -> str: ...

    @property
    def missing(self) -> bool: ...


Entry = TypeVar("Entry", bound=_Entry)


def _united(entries: Sequence[Entry], more: Sequence[Entry]) -> list[Entry]:
    """Return the entries of a list of a set, then those of ``more`` with other names.

    A missing entry is replaced by that of ``more`` with its name.
    """
    more_by_name = {entry.name: entry for entry in more}
    result = []
    for entry in entries:
        if entry.missing:
            entry = more_by_name.get(entry.name, entry)
        result.append(entry)
    names = {entry.name for entry in entries}
    result += [entry for entry in more if entry.name not in names]
    return result


def apply_looks(battlemap: BattleMap, saved: OwnTerrains) -> None:
    """Give a map of another program the looks of a saved set, before the map is shown."""
    own_terrains = with_looks(battlemap.terrain_set, saved)
    battlemap.terrain_set = own_terrains.terrain_set
    battlemap.assets.update(own_terrains.assets)


def with_looks(terrain_set: TerrainSet, saved: OwnTerrains) -> OwnTerrains:
    """Return the set of a map of another program with the looks of a saved set.

    Its indices stay as they are. Terrains get the look of the saved one with their code, hexsides
    of that with their letter, ways of that with their name. Further terrains of the saved set that
    have codes are appended, so that they can be painted. A terrain of the map is renamed if one of
    the saved set has its name. The assets are the pictures of all these looks.
    """
    saved_set = saved.terrain_set
    saved_hexsides = {hexside.letter: hexside for hexside in saved_set.hexsides}
    saved_ways = {way.name: way for way in saved_set.ways}
    hexsides = []
    for hexside in terrain_set.hexsides:
        look = saved_hexsides.get(hexside.letter)
        if look is not None:
            # Not the rule of the look (ground, beside): it may name terrains that the map lacks.
            hexside = replace(look, name=hexside.name, ground="", beside="")
        hexsides.append(hexside)
    result = replace(
        terrain_set,
        terrains=_terrains_with_looks(terrain_set.terrains, saved_set.terrains),
        hexsides=tuple(hexsides),
        ways=tuple(saved_ways.get(way.name, way) for way in terrain_set.ways),
    )
    return OwnTerrains(result, only(saved.assets, assets_of(result)))


def _terrains_with_looks(
    terrains: Sequence[Terrain], saved_terrains: Sequence[Terrain]
) -> tuple[Terrain, ...]:
    """Return the terrains of ``with_looks``: as many as ``terrains``, then further saved ones."""
    # A saved terrain that is used is taken out, so that it is not appended as well.
    unused_looks = {terrain.code: terrain for terrain in saved_terrains if terrain.code}
    result = [unused_looks.pop(terrain.code, terrain) for terrain in terrains]
    result += list(unused_looks.values())[: MAX_TERRAINS - len(result)]

    # A terrain without a look gets another name if one from the saved set has its name.
    looks = set(saved_terrains)
    names_in_use = {terrain.name for terrain in result if terrain in looks}
    for index, terrain in enumerate(result):
        if terrain not in looks:
            name = unused_name(terrain.name, names_in_use)
            names_in_use.add(name)
            result[index] = replace(terrain, name=name)
    return tuple(result)
