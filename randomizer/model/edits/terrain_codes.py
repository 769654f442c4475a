"""Translates layers from one terrain set into another, by the names of terrains.

Planes hold numbers: the *code* of a terrain or hexside is its index in the set (``TerrainSet``),
and the n-th way has the n-th plane of ways. So when a map gets another set, all its layers have to
be translated. Edits (``terrain_edits.py``), rolls (``rolls/put_roll.py``) and generators call this,
in three steps::

    old_set = called_as_in(old_set, new_set)                     # follow terrains that are renamed
    new_set = with_missing(system, layers, old_set, new_set)     # lose nothing that is painted
    layers = [translated_layer(system, layer, old_set, new_set) for layer in layers]
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

_FIRST_LETTER = 0x30
"""The code of "0", from which on letters for hexsides are looked for."""

_LAST_LETTER = 0x1FFF
"""The last code that is looked at: from "0" on through "A" to "z" and other alphabets there are
more letters than hexsides in any set (``terrain_check.MAX_HEXSIDES``).
"""


def called_as_in(old_set: TerrainSet, new_set: TerrainSet) -> TerrainSet:
    """Return ``old_set`` with terrains called as in ``new_set``, where that has renamed them.

    It is ``old_set`` itself if none is renamed. A terrain set can be defined by a script: a person
    renames a terrain there and rolls. What is painted by hand has to follow, but the new set does
    not say that "Stone" was "Rock" before. So a terrain counts as renamed if the new one at its
    index has the same letters, and neither name is in the other set::

        old set    Sea w    Rock r     Wood f
        new set    Sea w    Stone r    Wood f
        result     Sea w    Stone r    Wood f

    Sets of different size, or with half of the terrains or more renamed, are those of two scripts:
    then nothing counts as renamed.
    """
    defined_terrains = [terrain for terrain in old_set.terrains if not terrain.missing]
    if len(defined_terrains) != len(new_set.terrains):
        return old_set
    old_names = {terrain.name for terrain in old_set.terrains}
    new_names = {terrain.name for terrain in new_set.terrains}
    new_name_of: dict[str, str] = {}
    for old_terrain, new_terrain in zip(defined_terrains, new_set.terrains, strict=True):
        # Without letters nothing but the index would speak for it.
        if not old_terrain.letters or old_terrain.letters != new_terrain.letters:
            continue
        if old_terrain.name not in new_names and new_terrain.name not in old_names:
            new_name_of[old_terrain.name] = new_terrain.name
    if not new_name_of or 2 * len(new_name_of) >= len(defined_terrains):
        return old_set
    terrains = []
    for terrain in old_set.terrains:
        name = new_name_of.get(terrain.name, terrain.name)
        terrains.append(replace(terrain, name=name))
    return replace(old_set, terrains=tuple(terrains))


def with_missing(
    system: System, layers: Iterable[Layer], old_set: TerrainSet, new_set: TerrainSet
) -> TerrainSet:
    """Return ``new_set`` completed by all that ``layers`` set and it lacks.

    The planes of ``layers`` hold codes of ``old_set``. Terrains, hexsides and ways are appended
    at the ends of their lists, so that codes of ``new_set`` stay valid. They are marked as missing;
    only terrains of a system with an ``game_has_more_terrains`` are not.

    The result can have more entries than maps may have, such as more ways than the system has
    planes. ``check_terrain_set`` refuses it then: who gives it to a map calls that first
    (``change_terrain_set``).
    """
    if old_set == new_set:
        return new_set
    layers = tuple(layers)
    terrains = _lacking_terrains(system, layers, old_set, new_set)
    hexsides = _lacking_hexsides(system, layers, old_set, new_set)
    ways = _lacking_ways(system, layers, old_set, new_set)
    if not terrains and not hexsides and not ways:
        return new_set
    return replace(
        new_set,
        terrains=new_set.terrains + tuple(terrains),
        hexsides=new_set.hexsides + tuple(hexsides),
        ways=new_set.ways + tuple(ways),
    )


def _lacking_terrains(
    system: System, layers: Sequence[Layer], old_set: TerrainSet, new_set: TerrainSet
) -> list[Terrain]:
    """Return the terrains that layers set and ``new_set`` lacks, ready to be appended to it."""
    names = {terrain.name for terrain in new_set.terrains}
    terrains = []
    for code in _codes_in_use(system.terrain, layers):
        if code >= len(old_set.terrains):
            continue
        terrain = old_set.terrains[code]
        if terrain.name in names:
            continue
        # Its letters and other names may be those of a terrain of the new set, and what it means
        # in the game was said by the old one. Only its name and look are left.
        appended = replace(
            terrain,
            letters="",
            aliases=(),
            hinders="",
            body=False,
            missing=not system.game_has_more_terrains,
        )
        terrains.append(appended)
    return terrains


def _lacking_hexsides(
    system: System, layers: Sequence[Layer], old_set: TerrainSet, new_set: TerrainSet
) -> list[Hexside]:
    """Return the hexsides that layers set and ``new_set`` lacks, each with a free letter."""
    names = {hexside.name for hexside in new_set.hexsides}
    hexsides: list[Hexside] = []
    for code in _codes_in_use(system.hexside, layers):
        if not 0 < code <= len(old_set.hexsides):  # 0 is "no hexside"
            continue
        hexside = old_set.hexsides[code - 1]
        if hexside.name in names:
            continue
        # Without its rule, which may name terrains that the new set lacks.
        appended = Hexside(
            hexside.name,
            free_letter(hexside.letter, (*new_set.hexsides, *hexsides)),
            hexside.colour,
            description=hexside.description,
            missing=True,
        )
        hexsides.append(appended)
    return hexsides


def _lacking_ways(
    system: System, layers: Sequence[Layer], old_set: TerrainSet, new_set: TerrainSet
) -> list[Way]:
    """Return the ways that layers have in a cell and ``new_set`` lacks."""
    names = {way.name for way in new_set.ways}
    ways = []
    for way, spec in _planes_of_ways(system, old_set):
        if way.name in names:
            continue
        if any(_has_way(layer, spec) for layer in layers):
            ways.append(replace(way, missing=True))
    return ways


def _planes_of_ways(system: System, terrain_set: TerrainSet) -> list[tuple[Way, PlaneSpec]]:
    """Return each way of a set with its plane."""
    # A system has planes for as many ways as any set can have, most sets have fewer.
    return list(zip(terrain_set.ways, system.ways, strict=False))


def _has_way(layer: Layer, spec: PlaneSpec) -> bool:
    """Return whether a layer has a way in at least one cell of a plane of ways."""
    values = layer.planes.get(spec.name)
    if values is None:
        return False
    return bool(((values != spec.unset) & (values != spec.default)).any())


def _codes_in_use(spec: PlaneSpec | None, layers: Sequence[Layer]) -> list[int]:
    """Return the codes that any layer sets in a plane, ascending."""
    if spec is None:
        return []
    # A mark for each value of the type: planes are large, and np.unique would sort them.
    is_set = np.zeros(np.iinfo(spec.dtype).max + 1, np.bool_)
    for layer in layers:
        values = layer.planes.get(spec.name)
        if values is not None:
            is_set[values] = True
    return [code for code in np.flatnonzero(is_set).tolist() if code != spec.unset]


def free_letter(letter: str, hexsides: Iterable[Hexside]) -> str:
    """Return the letter, or the first free letter or digit if one of ``hexsides`` has it."""
    used_letters = {hexside.letter for hexside in hexsides}
    if letter not in used_letters:
        return letter
    for number in range(_FIRST_LETTER, _LAST_LETTER + 1):
        candidate = chr(number)
        if candidate.isalnum() and candidate not in used_letters:
            return candidate
    raise ValueError("all letters are in use")


def code_tables(
    system: System, old_set: TerrainSet, new_set: TerrainSet
) -> list[tuple[PlaneSpec, NDArray[np.int64]]]:
    """Return the terrain plane and the hexside plane, each with a table of new codes.

    A table has the shape (codes,): for each code of ``old_set`` that of the same name in
    ``new_set``, -1 if there is none. A plane that the system lacks is left out.
    """
    tables = []
    if system.terrain is not None:
        codes = {terrain.name: code for code, terrain in enumerate(new_set.terrains)}
        table = [codes.get(terrain.name, -1) for terrain in old_set.terrains]
        tables.append((system.terrain, np.array(table, np.int64)))
    if system.hexside is not None:
        codes = {hexside.name: code for code, hexside in enumerate(new_set.hexsides, 1)}
        table = [0]  # "no hexside" stays so
        table += [codes.get(hexside.name, -1) for hexside in old_set.hexsides]
        tables.append((system.hexside, np.array(table, np.int64)))
    return tables


def translated_planes(
    system: System, planes: Mapping[str, Plane], old_set: TerrainSet, new_set: TerrainSet
) -> dict[str, Plane]:
    """Return the planes of a layer, which are those of ``old_set``, as planes of ``new_set``.

    ``new_set`` has all terrains, hexsides and ways that the planes set (``with_missing``). A plane
    that only says that there is none of a way is left out if ``new_set`` lacks that way. (Planes of
    what a roll made need no translation: systems that have them have one terrain set only.)
    """
    result = dict(planes)
    for spec, table in code_tables(system, old_set, new_set):
        if spec.name in planes:
            result[spec.name] = _translated(planes[spec.name], spec, table)

    # Values of ways stay as they are, but move to other planes. All are taken out first: the new
    # plane of one way can be the old plane of the next.
    old_planes = {way.name: spec.name for way, spec in _planes_of_ways(system, old_set)}
    new_planes = {way.name: spec.name for way, spec in _planes_of_ways(system, new_set)}
    for old_plane in old_planes.values():
        result.pop(old_plane, None)
        result.pop(TOUCHED + old_plane, None)
    for way_name, old_plane in old_planes.items():
        if way_name not in new_planes:
            continue
        for prefix in ("", TOUCHED):
            if prefix + old_plane in planes:
                result[prefix + new_planes[way_name]] = planes[prefix + old_plane]
    return result


def _translated(values: Plane, spec: PlaneSpec, table: NDArray[np.int64]) -> Plane:
    """Return a plane with its codes looked up in ``table``; unset values stay."""
    is_set = values != spec.unset
    new_codes = table[values[is_set]]
    assert not len(new_codes) or new_codes.min() >= 0, "the new set has all that the plane sets"
    translated = values.copy()
    translated[is_set] = new_codes
    return translated


def can_translate(system: System, layer: Layer, old_set: TerrainSet, new_set: TerrainSet) -> bool:
    """Return whether ``new_set`` has all that a layer with codes of ``old_set`` sets."""
    if old_set == new_set:
        return True
    return with_missing(system, (layer,), old_set, new_set) == new_set


def translated_layer(
    system: System, layer: Layer, old_set: TerrainSet, new_set: TerrainSet
) -> Layer:
    """Return a layer with codes of ``new_set``, which has all that the layer sets.

    It is the layer itself if both sets are equal.
    """
    if old_set == new_set:
        return layer
    return replace(layer, planes=translated_planes(system, layer.planes, old_set, new_set))
