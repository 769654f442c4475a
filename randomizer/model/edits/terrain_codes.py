"""Translates terrains, hexsides and ways by their names from one terrain set into another.

Planes hold codes of terrains and hexsides; a way has a plane of its own, by its index in the set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import TOUCHED, Plane, PlaneSpec
from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet, Way

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.system.system import System


def called_as_in(old_set: TerrainSet, new_set: TerrainSet) -> TerrainSet:
    """Return ``old_set`` with the names of its terrains in ``new_set``, if only names differ.

    A terrain is renamed if both sets define as many terrains, the one with the same index has the
    same letters (one without letters never is renamed), neither name is in the other set, and fewer
    than half of the terrains are renamed: sets that differ in more are not of one period.
    """
    defined = [terrain for terrain in old_set.terrains if not terrain.missing]
    if len(defined) != len(new_set.terrains):
        return old_set
    old_names = {terrain.name for terrain in old_set.terrains}
    new_names = {terrain.name for terrain in new_set.terrains}
    new_name_of = {}
    for old, new in zip(defined, new_set.terrains, strict=True):
        is_same = bool(old.letters) and old.letters == new.letters
        if is_same and old.name not in new_names and new.name not in old_names:
            new_name_of[old.name] = new.name
    if not new_name_of or 2 * len(new_name_of) >= len(defined):
        return old_set
    terrains = (
        replace(terrain, name=new_name_of.get(terrain.name, terrain.name))
        for terrain in old_set.terrains
    )
    return replace(old_set, terrains=tuple(terrains))


def with_missing(
    system: System, layers: Iterable[Layer], terrain_set: TerrainSet, new_set: TerrainSet
) -> TerrainSet:
    """Return ``new_set`` with the terrains, hexsides and ways appended that only layers still set.

    The planes of ``layers`` hold codes of ``terrain_set``. What is appended is marked as missing;
    terrains are not if the system has an ``open_terrain_set``.
    """
    if terrain_set == new_set:
        return new_set
    layers = tuple(layers)
    terrains = _terrains_only_set(system, layers, terrain_set, new_set)
    hexsides = _hexsides_only_set(system, layers, terrain_set, new_set)
    ways = _ways_only_set(system, layers, terrain_set, new_set)
    if not terrains and not hexsides and not ways:
        return new_set
    return replace(
        new_set,
        terrains=new_set.terrains + tuple(terrains),
        hexsides=new_set.hexsides + tuple(hexsides),
        ways=new_set.ways + tuple(ways),
    )


def _terrains_only_set(
    system: System, layers: Sequence[Layer], terrain_set: TerrainSet, new_set: TerrainSet
) -> list[Terrain]:
    """Return the terrains that layers set and ``new_set`` lacks, ready to be appended to it."""
    names = {terrain.name for terrain in new_set.terrains}
    missing = []
    for code in _codes_set(system.terrain, layers):
        if code >= len(terrain_set.terrains):
            continue
        terrain = terrain_set.terrains[code]
        if terrain.name in names:
            continue
        missing.append(
            replace(
                terrain,
                letters="",
                aliases=(),
                hinders="",
                body=False,
                missing=not system.open_terrain_set,
            )
        )
    return missing


def _hexsides_only_set(
    system: System, layers: Sequence[Layer], terrain_set: TerrainSet, new_set: TerrainSet
) -> list[Hexside]:
    """Return the hexsides that layers set and ``new_set`` lacks, each with a free letter."""
    names = {hexside.name for hexside in new_set.hexsides}
    missing: list[Hexside] = []
    for code in _codes_set(system.hexside, layers):
        if not 0 < code <= len(terrain_set.hexsides):  # 0 is "no hexside"
            continue
        hexside = terrain_set.hexsides[code - 1]
        if hexside.name in names:
            continue
        letter = free_letter(hexside.letter, (*new_set.hexsides, *missing))
        missing.append(
            Hexside(
                hexside.name,
                letter,
                hexside.colour,
                description=hexside.description,
                missing=True,
            )
        )
    return missing


def _ways_only_set(
    system: System, layers: Sequence[Layer], terrain_set: TerrainSet, new_set: TerrainSet
) -> list[Way]:
    """Return the ways that layers have in a cell and ``new_set`` lacks."""
    names = {way.name for way in new_set.ways}
    return [
        replace(way, missing=True)
        for way, spec in zip(terrain_set.ways, system.ways, strict=False)
        if way.name not in names and any(_is_painted(layer, spec) for layer in layers)
    ]


def _is_painted(layer: Layer, spec: PlaneSpec) -> bool:
    """Return whether a layer has a way in a plane of ways, be it in one cell."""
    values = layer.planes.get(spec.name)
    if values is None:
        return False
    return bool(((values != spec.unset) & (values != spec.default)).any())


def _codes_set(spec: PlaneSpec | None, layers: Sequence[Layer]) -> list[int]:
    """Return the codes that any layer sets in a plane, ascending."""
    if spec is None:
        return []
    is_set = np.zeros(np.iinfo(spec.dtype).max + 1, np.bool_)  # np.unique would sort
    for layer in layers:
        values = layer.planes.get(spec.name)
        if values is not None:
            is_set[values] = True
    return [code for code in np.flatnonzero(is_set).tolist() if code != spec.unset]


def free_letter(letter: str, hexsides: Iterable[Hexside]) -> str:
    """Return the letter, or if one of ``hexsides`` has it the first printable one that is free."""
    used = {hexside.letter for hexside in hexsides}
    printable = filter(str.isalnum, map(chr, range(0x30, 0x2000)))
    return next(candidate for candidate in (letter, *printable) if candidate not in used)


def code_tables(
    system: System, old_set: TerrainSet, new_set: TerrainSet
) -> list[tuple[PlaneSpec, NDArray[np.int64]]]:
    """Return the terrain plane and the hexside plane, each with a table of new codes.

    A table holds, for each code of ``old_set``, the code in ``new_set``, -1 if there is none.
    """
    tables = []
    if system.terrain is not None:
        codes = {terrain.name: code for code, terrain in enumerate(new_set.terrains)}
        table = [codes.get(terrain.name, -1) for terrain in old_set.terrains]
        tables.append((system.terrain, np.array(table, np.int64)))
    if system.hexside is not None:
        codes = {hexside.name: code for code, hexside in enumerate(new_set.hexsides, 1)}
        table = [0, *(codes.get(hexside.name, -1) for hexside in old_set.hexsides)]
        tables.append((system.hexside, np.array(table, np.int64)))
    return tables


def translated_planes(
    system: System, planes: Mapping[str, Plane], old_set: TerrainSet, new_set: TerrainSet
) -> dict[str, Plane]:
    """Return the planes of a layer with codes of ``new_set``, and its ways in the planes there.

    ``new_set`` has all that the planes set, except "none" of a way that it lacks: that is left out.
    """
    result = dict(planes)
    for spec, table in code_tables(system, old_set, new_set):
        if spec.name in planes:
            result[spec.name] = _translated(planes[spec.name], spec, table)
    old_planes = [spec.name for _, spec in zip(old_set.ways, system.ways, strict=False)]
    new_plane_of = {
        way.name: spec.name for way, spec in zip(new_set.ways, system.ways, strict=False)
    }
    for name in old_planes:
        result.pop(name, None)
        result.pop(TOUCHED + name, None)
    for way, old_plane in zip(old_set.ways, old_planes, strict=False):
        if way.name not in new_plane_of:
            continue
        for prefix in ("", TOUCHED):
            if prefix + old_plane in planes:
                result[prefix + new_plane_of[way.name]] = planes[prefix + old_plane]
    return result


def _translated(values: Plane, spec: PlaneSpec, table: NDArray[np.int64]) -> Plane:
    """Return a plane with its codes looked up in ``table``; unset values stay."""
    is_set = values != spec.unset
    translated = values.copy()
    translated[is_set] = table[values[is_set]]
    return translated


def can_translate(system: System, layer: Layer, old_set: TerrainSet, new_set: TerrainSet) -> bool:
    """Return whether ``new_set`` has all that a layer with codes of ``old_set`` sets."""
    return old_set == new_set or with_missing(system, (layer,), old_set, new_set) == new_set


def translated_layer(
    system: System, layer: Layer, old_set: TerrainSet, new_set: TerrainSet
) -> Layer:
    """Return a layer with codes of ``new_set``, which has all that the layer sets.

    It is the layer itself if both sets are equal.
    """
    if old_set == new_set:
        return layer
    return replace(layer, planes=translated_planes(system, layer.planes, old_set, new_set))
