"""Terrains, hexsides and ways translated by names, from one terrain set into another.

Of terrains and hexsides planes hold codes; a way has a plane of its own, by its place in the set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import TOUCHED, Plane, PlaneSpec
from randomizer.model.terrain.terrain import Hexside, TerrainSet

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.system.system import System


def called_as_in(before: TerrainSet, after: TerrainSet) -> TerrainSet:
    """``before`` with the names that its terrains have in ``after``, where only names differ.

    A terrain is renamed if both sets define as many terrains, the one in its place has the same
    letters (one without letters never is), neither name is in the other set, and fewer than half
    of the terrains are renamed: sets that differ in more are not of one period.
    """
    defined = [terrain for terrain in before.terrains if not terrain.missing]
    if len(defined) != len(after.terrains):
        return before
    old, new = ({terrain.name for terrain in each} for each in (before.terrains, after.terrains))
    renamed = {
        one.name: other.name
        for one, other in zip(defined, after.terrains, strict=True)
        if one.letters
        and one.letters == other.letters
        and one.name not in new
        and other.name not in old
    }
    if not renamed or 2 * len(renamed) >= len(defined):
        return before
    terrains = (replace(each, name=renamed.get(each.name, each.name)) for each in before.terrains)
    return replace(before, terrains=tuple(terrains))


def with_missing(
    system: System, layers: Iterable[Layer], terrain_set: TerrainSet, after: TerrainSet
) -> TerrainSet:
    """Return ``after``, with terrains of ``terrain_set`` appended that only layers still set.

    Terrains are marked there as missing, unless the system has an ``open_terrain_set``.
    """
    if terrain_set == after:
        return after
    layers = tuple(layers)
    names = {terrain.name for terrain in after.terrains}
    terrains = tuple(
        replace(
            old,
            letters="",
            aliases=(),
            hinders="",
            body=False,
            missing=not system.open_terrain_set,
        )
        for code in _codes_set(system.terrain, layers)
        if code < len(terrain_set.terrains)
        and (old := terrain_set.terrains[code]).name not in names
    )
    names = {hexside.name for hexside in after.hexsides}
    hexsides = list(after.hexsides)
    for code in _codes_set(system.hexside, layers):
        if (
            0 < code <= len(terrain_set.hexsides)
            and terrain_set.hexsides[code - 1].name not in names
        ):
            gone = terrain_set.hexsides[code - 1]
            letter = free_letter(gone.letter, hexsides)
            hexsides.append(
                Hexside(gone.name, letter, gone.colour, description=gone.description, missing=True)
            )
    names = {way.name for way in after.ways}
    ways = tuple(
        replace(way, missing=True)
        for way, spec in zip(terrain_set.ways, system.ways, strict=False)
        if way.name not in names and any(_is_painted(layer, spec) for layer in layers)
    )
    if not terrains and not ways and len(hexsides) == len(after.hexsides):
        return after
    return replace(
        after,
        terrains=after.terrains + terrains,
        hexsides=tuple(hexsides),
        ways=after.ways + ways,
    )


def _is_painted(layer: Layer, spec: PlaneSpec) -> bool:
    """Whether a layer has a way in a plane of ways, be it in one cell."""
    values = layer.planes.get(spec.name)
    return values is not None and bool(((values != spec.unset) & (values != spec.default)).any())


def _codes_set(spec: PlaneSpec | None, layers: Sequence[Layer]) -> list[int]:
    """The codes that any layer sets in a plane, ascending."""
    if spec is None:
        return []
    seen = np.zeros(np.iinfo(spec.dtype).max + 1, np.bool_)  # np.unique would sort
    for layer in layers:
        values = layer.planes.get(spec.name)
        if values is not None:
            seen[values] = True
    return [code for code in np.flatnonzero(seen).tolist() if code != spec.unset]


def free_letter(letter: str, hexsides: Sequence[Hexside]) -> str:
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


def translated_planes(
    system: System, planes: Mapping[str, Plane], before: TerrainSet, after: TerrainSet
) -> dict[str, Plane]:
    """The planes of a layer with codes of ``after``, and with its ways where that has them.

    ``after`` has all that they set, but "none" of a way that it lacks: that is left out.
    """
    result = dict(planes)
    for spec, table in code_tables(system, before, after):
        if spec.name in planes:
            result[spec.name] = _translated(planes[spec.name], spec, table)
    homes = {way.name: spec.name for way, spec in zip(after.ways, system.ways, strict=False)}
    moves = {
        prefix + spec.name: prefix + homes[way.name] if way.name in homes else ""
        for way, spec in zip(before.ways, system.ways, strict=False)
        for prefix in ("", TOUCHED)
    }
    for name in moves:
        result.pop(name, None)
    result |= {home: planes[name] for name, home in moves.items() if home and name in planes}
    return result


def _translated(values: Plane, spec: PlaneSpec, table: NDArray[np.int64]) -> Plane:
    """A plane with its codes looked up in ``table``; unset values stay."""
    is_set = values != spec.unset
    new = values.copy()
    new[is_set] = table[values[is_set]]
    return new


def can_translate(system: System, layer: Layer, before: TerrainSet, after: TerrainSet) -> bool:
    """Whether ``after`` has all that a layer with codes of ``before`` sets."""
    return before == after or with_missing(system, (layer,), before, after) == after


def translated_layer(system: System, layer: Layer, before: TerrainSet, after: TerrainSet) -> Layer:
    """A layer with codes of ``after``, which has all that the layer sets; itself if both agree."""
    if before == after:
        return layer
    return replace(layer, planes=translated_planes(system, layer.planes, before, after))
