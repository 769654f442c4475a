"""Changing the terrain set of a map: codes in all layers are translated by names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.battlemap import BattleMap
from randomizer.model.edit import PlaneEdit, Region
from randomizer.model.layer import Layer
from randomizer.model.planes import Plane, PlaneSpec
from randomizer.model.terrain import Hexside, Terrain, TerrainSet
from randomizer.model.terrain_check import check_terrain_set

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.composite import Composite
    from randomizer.model.system import System


@dataclass(frozen=True, eq=False)
class TerrainSetEdit:
    """The map gets another terrain set; ``planes`` translate the codes of all layers."""

    before: TerrainSet
    after: TerrainSet
    planes: tuple[PlaneEdit, ...]

    def apply(self, battlemap: BattleMap) -> None:
        """Set it and write the codes.

        Raises ValueError if the map has not the set ``before``, KeyError if a layer is not there.
        """
        if battlemap.terrain_set != self.before:
            raise ValueError("the map has another terrain set")
        for edit in self.planes:
            battlemap.layer(edit.layer_id)
        for edit in self.planes:
            edit.apply(battlemap)
        battlemap.terrain_set = self.after
        battlemap.terrain_revision += 1

    def inverse(self) -> TerrainSetEdit:
        """The edit that sets it back."""
        return TerrainSetEdit(
            self.after, self.before, tuple(edit.inverse() for edit in self.planes)
        )

    def region(self, battlemap: BattleMap) -> Region:
        """Everything."""
        planes = frozenset(edit.plane for edit in self.planes)
        return Region(everything=True, terrain_set=True, planes=planes)

    def refresh(self, battlemap: BattleMap, shown: Composite) -> bool:
        """False: a composite has the terrain set of its map."""
        return False


def change_terrain_set(battlemap: BattleMap, wanted: TerrainSet) -> TerrainSetEdit | None:
    """The edit that gives a map another terrain set; None if it has that one.

    Codes are translated by the names of terrains and hexsides, in hidden layers too. What
    ``wanted`` lacks and a layer still sets is kept at its end, marked as missing. Raises ValueError
    for a set that maps cannot have, or if those of this system cannot have another.
    """
    if battlemap.system.fixed_terrain_set and wanted != battlemap.system.terrain_set:
        raise ValueError(f"a {battlemap.system.title} cannot have another terrain set")
    check_terrain_set(wanted)
    after = with_missing(battlemap.system, battlemap.layers, battlemap.terrain_set, wanted)
    before = battlemap.terrain_set
    if after == before:
        return None
    check_terrain_set(after)
    edits = []
    for layer in battlemap.layers:
        for spec, table in code_tables(battlemap.system, before, after):
            values = layer.planes.get(spec.name)
            if values is None:
                continue
            new = _translated(values, spec, table)
            index = np.flatnonzero(new != values)
            if len(index):
                old = values.reshape(-1)[index]
                edits.append(PlaneEdit(layer.id, spec.name, index, old, new.reshape(-1)[index]))
    return TerrainSetEdit(before, after, tuple(edits))


def with_missing(
    system: System, layers: Iterable[Layer], known: TerrainSet, wanted: TerrainSet
) -> TerrainSet:
    """``wanted``, and at its end what it lacks of ``known`` and ``layers`` set, as missing."""
    layers = tuple(layers)
    names = {terrain.name for terrain in wanted.terrains}
    terrains = tuple(
        Terrain(old.name, old.colour, description=old.description, missing=True)
        for code in _codes_set(system.terrain, layers)
        if code < len(known.terrains) and (old := known.terrains[code]).name not in names
    )
    names = {hexside.name for hexside in wanted.hexsides}
    hexsides = list(wanted.hexsides)
    for code in _codes_set(system.hexside, layers):
        if 0 < code <= len(known.hexsides) and known.hexsides[code - 1].name not in names:
            gone = known.hexsides[code - 1]
            letter = _free_letter(gone.letter, hexsides)
            hexsides.append(
                Hexside(gone.name, letter, gone.colour, description=gone.description, missing=True)
            )
    if not terrains and len(hexsides) == len(wanted.hexsides):
        return wanted
    return replace(wanted, terrains=wanted.terrains + terrains, hexsides=tuple(hexsides))


def _codes_set(spec: PlaneSpec | None, layers: Sequence[Layer]) -> list[int]:
    """The codes that any layer sets in a plane, ascending."""
    if spec is None:
        return []
    found: set[int] = set()
    for layer in layers:
        values = layer.planes.get(spec.name)
        if values is not None:
            found |= set(np.unique(values).tolist())
    return sorted(found - {spec.unset})


def _free_letter(letter: str, hexsides: Sequence[Hexside]) -> str:
    """The letter, or if one of ``hexsides`` has it the first printable one that is free."""
    used = {hexside.letter for hexside in hexsides}
    others = filter(str.isalnum, map(chr, range(0x30, 0x2000)))
    return next(each for each in (letter, *others) if each not in used)


def code_tables(
    system: System, before: TerrainSet, after: TerrainSet
) -> list[tuple[PlaneSpec, NDArray[np.int64]]]:
    """For the terrain and the hexside plane the code in ``after`` for each code of ``before``.

    -1 for what ``after`` lacks.
    """
    tables = []
    if system.terrain is not None:
        codes = {terrain.name: code for code, terrain in enumerate(after.terrains)}
        table = [codes.get(terrain.name, -1) for terrain in before.terrains]
        tables.append((system.terrain, np.array(table, np.int64)))
    if system.hexside is not None:
        codes = {hexside.name: code for code, hexside in enumerate(after.hexsides, 1)}
        table = [0, *(codes.get(hexside.name, -1) for hexside in before.hexsides)]
        tables.append((system.hexside, np.array(table, np.int64)))
    return tables


def _translated(values: Plane, spec: PlaneSpec, table: NDArray[np.int64]) -> Plane:
    """A plane with its codes looked up in ``table``; unset values stay."""
    is_set = values != spec.unset
    new = values.copy()
    new[is_set] = table[values[is_set]]
    return new


def translated_layer(system: System, layer: Layer, before: TerrainSet, after: TerrainSet) -> Layer:
    """A layer with codes of ``after``, which has all that the layer sets; itself if both agree."""
    if before == after:
        return layer
    planes = dict(layer.planes)
    for spec, table in code_tables(system, before, after):
        if spec.name in planes:
            planes[spec.name] = _translated(planes[spec.name], spec, table)
    return replace(layer, planes=planes)
