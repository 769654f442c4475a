"""Terrain sets as files (``.terrains``), with the pictures of their user's own.

    {"format": "battlelands-terrains", "version": 1, "name": "Moor",
     "terrains": [{"name": "Bog", "colour": "#6d7b4d", "cost": null}],
     "ways": [{"name": "Causeway", "style": "road", "colour": "#c0a070"}]}

A JSON object in UTF-8. The fields of ``terrains``, ``hexsides`` and ``ways`` are those of the
dataclasses ``Terrain``, ``Hexside`` and ``Way``; one with its default value is left out.
``tactical`` is as in ``TerrainSet``, false where it is left out. ``assets`` are the pictures that
terrains name, by digest, in base64.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, replace
from itertools import count
from typing import Any, NamedTuple

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.json_places import place_in_json
from randomizer.model.basics.limits import DEEPEST_DATA
from randomizer.model.edits.terrain_codes import free_letter
from randomizer.model.edits.terrain_entries import defined, shown_last
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity, error, place_of
from randomizer.model.records.assets import (
    LARGEST_ASSETS,
    NO_ASSETS,
    Assets,
    assets_of,
    check_assets,
    checked_asset,
    only,
)
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet, Way
from randomizer.model.terrain.terrain_check import MOST_TERRAINS, TerrainSetError, check_terrain_set
from randomizer.storage.records.codec import kinds_of, read, short_fields

WORD = "battlelands-terrains"
VERSION = 1
SUFFIX = ".terrains"

LARGEST_TERRAINS = 16 * 2**20 + LARGEST_ASSETS * 4 // 3
"""In bytes of a file."""

_LISTS: Mapping[str, type] = {"terrains": Terrain, "hexsides": Hexside, "ways": Way}
_FIELDS = ("format", "version", "name", "tactical", *_LISTS, "elevations", "assets")


class OwnTerrains(NamedTuple):
    """A terrain set and the pictures of its user's own that it names."""

    terrain_set: TerrainSet
    assets: Assets = NO_ASSETS


def packaged_terrains(system: System, name: str) -> OwnTerrains | None:
    """Return the terrain set of this name that comes with a system, in any case of letters."""
    for packaged_terrain in system.packaged_terrains:
        if packaged_terrain.lower() == name.lower():
            return OwnTerrains(system.packaged_terrain_set(packaged_terrain))
    return None


# --- writing ------------------------------------------------------------------------------------


def write_terrains(terrain_set: TerrainSet, assets: Assets = NO_ASSETS) -> bytes:
    """Return the file of a terrain set, proven readable, with those of ``assets`` that it names.

    Missing terrains, hexsides and ways are left out; so is a picture that is not there. Raises
    ProblemError.
    """
    terrain_set = defined(terrain_set)
    pictures = only(assets, assets_of(terrain_set))
    lines = [f'"format": "{WORD}"', f'"version": {VERSION}', f'"name": {_text(terrain_set.name)}']
    if terrain_set.tactical:
        lines.append('"tactical": true')
    for name in _LISTS:
        entries = []
        for each in getattr(terrain_set, name):
            asset = getattr(each, "asset", "")
            if asset and asset not in pictures:
                entry = replace(each, asset="")
            else:
                entry = each
            entries.append(f"  {_text(short_fields(entry))}")
        if entries:
            lines.append(f'"{name}": [\n{_joined(entries)}\n]')
    lines.append(f'"elevations": {_text(list(terrain_set.elevations))}')
    if pictures:
        each = [f'  "{ref}": "{b64encode(data).decode()}"' for ref, data in pictures.items()]
        lines.append(f'"assets": {{\n{_joined(each)}\n}}')
    data = f"{{\n{_joined(lines)}\n}}\n".encode()
    read_terrains(data)
    return data


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _joined(lines: list[str]) -> str:
    return ",\n".join(lines)


# --- reading ------------------------------------------------------------------------------------


def read_terrains(data: bytes, path: str | None = None) -> OwnTerrains:
    """Return the terrain set of a file and its pictures.

    Raises ProblemError, located in the file.
    """
    try:
        text = data.decode("utf-8-sig")
        record = parse_json(text.encode(), largest=LARGEST_TERRAINS, deepest=DEEPEST_DATA)
    except json.JSONDecodeError as failed:
        at = place_of(text, failed.pos)
        raise _refused(f"this is not JSON: {reason_of(failed)}", path, at) from failed
    except UnicodeDecodeError as failed:
        line = data.count(b"\n", 0, failed.start) + 1
        raise _refused("a terrain set is UTF-8 text", path, (line, 1)) from failed
    except (ValueError, RecursionError) as failed:
        raise _refused(f"this cannot be read: {reason_of(failed)}", path) from failed
    try:
        return _own_terrains(record)
    except TerrainSetError as fault:
        start, end = place_in_json(text, fault.path)
        raise _refused(str(fault), path, place_of(text, start), place_of(text, end)) from fault


def _refused(
    message: str,
    path: str | None,
    start: tuple[int, int] = (1, 1),
    end: tuple[int | None, int | None] = (None, None),
) -> ProblemError:
    return ProblemError(Problem(Severity.ERROR, "terrains-file", message, path, *start, *end))


def _own_terrains(record: Any) -> OwnTerrains:
    """Return the set of what JSON holds. Raises TerrainSetError."""
    if not isinstance(record, dict) or record.get("format") != WORD:
        raise TerrainSetError(f"a terrain set is an object with “format”: “{WORD}”", "format")
    if type(record.get("version")) is not int or record["version"] != VERSION:
        message = f"the version of the file is {record.get('version')!r:.40}, this program reads "
        raise TerrainSetError(f"{message}{VERSION}", "version")
    for name in record:
        if name not in _FIELDS:
            raise TerrainSetError(f"a terrain set has no “{name:.40}”", name)
    lists: dict[str, Any] = {name: _entries(record, name, cls) for name, cls in _LISTS.items()}
    elevations = _read(tuple[int, ...], record.get("elevations", [0]), "elevations", "elevations")
    name = _read(str, record.get("name"), "the name", "name")
    tactical = _read(bool, record.get("tactical", False), "tactical", "tactical")
    terrain_set = TerrainSet(name, elevations=elevations, tactical=tactical, **lists)
    check_terrain_set(terrain_set)
    assets = _assets(record.get("assets", {}))
    for at, terrain in enumerate(terrain_set.terrains):
        if terrain.asset and terrain.asset not in assets:
            message = f"{terrain.name}: its picture is not among the assets"
            raise TerrainSetError(message, "terrains", at, "asset")
    return OwnTerrains(terrain_set, only(assets, assets_of(terrain_set)))


def _entries(record: dict[str, Any], name: str, cls: type) -> tuple[Any, ...]:
    entries = record.get(name, [])
    if not isinstance(entries, list):
        raise TerrainSetError(f"“{name}” is a list", name)
    if len(entries) > MOST_TERRAINS:
        raise TerrainSetError(f"at most {MOST_TERRAINS:,} {name}, not {len(entries):,}", name)
    return tuple(_entry(entry, cls, name, at) for at, entry in enumerate(entries))


def _entry(entry: Any, cls: type, name: str, at: int) -> Any:
    """Return one terrain, hexside or way; as the codec would, with the path of what is wrong."""
    noun = f"{cls.__name__.lower()} {at + 1}"
    if not isinstance(entry, dict):
        raise TerrainSetError(f"{noun} should be an object", name, at)
    kinds = kinds_of(cls)
    for field in entry:
        if field not in kinds:
            raise TerrainSetError(
                f"{noun} has {field!r:.40}, which is not known here", name, at, field
            )
    values = {
        field: _read(kinds[field], value, f"{noun}: {field}", name, at, field)
        for field, value in entry.items()
    }
    for field in fields(cls):
        if field.default is MISSING and field.name not in values:
            raise TerrainSetError(f"{noun} has no “{field.name}”", name, at)
    return cls(**values)


def _read(kind: Any, value: object, where: str, *path: str | int) -> Any:
    try:
        return read(kind, value, where)
    except ValueError as fault:
        raise TerrainSetError(str(fault), *path) from fault


def _assets(record: Any) -> Assets:
    """Return the pictures of a file, each checked by its header and digest."""
    texts = _read(Mapping[str, str], record, "assets", "assets")
    assets: dict[str, bytes] = {}
    for digest, text in texts.items():
        try:
            data = b64decode(text, validate=True)
            assets[digest] = checked_asset(digest, data, is_picture=True)
        except ValueError as fault:
            raise TerrainSetError(reason_of(fault), "assets", digest) from fault
    try:
        check_assets(assets)
    except ValueError as fault:
        raise TerrainSetError(str(fault), "assets") from fault
    return assets


# --- two sets -----------------------------------------------------------------------------------


def merged(saved: OwnTerrains, more: OwnTerrains) -> OwnTerrains:
    """Return the saved set with the entries of ``more`` whose names it lacks.

    An entry that is marked as missing in ``saved`` and defined in ``more`` is defined again. A
    hexside whose letter is in use gets a free one. Raises ProblemError if a set cannot have so
    many.
    """
    before = saved.terrain_set
    added = defined(more.terrain_set)
    terrains = shown_last(added.terrains, before.terrains)
    hexsides = _united(before.hexsides, added.hexsides)
    for at, hexside in enumerate(hexsides):
        letter = free_letter(hexside.letter, hexsides[:at])
        hexsides[at] = replace(hexside, letter=letter)
    result = replace(
        before,
        terrains=tuple(_united(before.terrains, terrains)),
        hexsides=tuple(hexsides),
        ways=tuple(_united(before.ways, added.ways)),
        elevations=tuple(sorted({*before.elevations, *added.elevations})),
    )
    assets = only({**saved.assets, **more.assets}, assets_of(result))
    try:
        check_terrain_set(result)
        check_assets(assets)
    except ValueError as fault:
        raise error("terrains-merged", f"these sets cannot be one: {fault}") from fault
    return OwnTerrains(result, assets)


def fitted(terrain_set: TerrainSet, saved: OwnTerrains) -> OwnTerrains:
    """Return the set of a map of another program with the looks of a saved set, its indices as
    they are.

    Terrains are the same if their codes are, hexsides by their letters, ways by their names.
    Further terrains of the saved set that have codes follow. A name that is taken gets a number.
    """
    looks = {terrain.code: terrain for terrain in saved.terrain_set.terrains if terrain.code}
    terrains = [looks.pop(each.code, each) for each in terrain_set.terrains]
    terrains += list(looks.values())[: MOST_TERRAINS - len(terrains)]
    names = {terrain.name for terrain in saved.terrain_set.terrains}
    saved_terrains = set(saved.terrain_set.terrains)
    for at, each in enumerate(terrains):
        if each not in saved_terrains:
            name = next(n for n in _numbered(each.name) if n not in names)
            names.add(name)
            terrains[at] = replace(each, name=name)
    hexsides = {hexside.letter: hexside for hexside in saved.terrain_set.hexsides}
    ways = {way.name: way for way in saved.terrain_set.ways}
    result = replace(
        terrain_set,
        terrains=tuple(terrains),
        hexsides=tuple(
            replace(hexsides.get(each.letter, each), name=each.name, ground="", beside="")
            for each in terrain_set.hexsides
        ),
        ways=tuple(ways.get(each.name, each) for each in terrain_set.ways),
    )
    return OwnTerrains(result, only(saved.assets, assets_of(result)))


def dress(battlemap: BattleMap, saved: OwnTerrains) -> None:
    """Give a map of another program the looks of a saved set (``fitted``), before it is shown."""
    fitting = fitted(battlemap.terrain_set, saved)
    battlemap.terrain_set = fitting.terrain_set
    battlemap.assets.update(fitting.assets)


def _numbered(name: str) -> Iterator[str]:
    yield name
    for number in count(2):
        yield f"{name[:90]} {number}"


def _united(entries: Sequence[Any], more: Sequence[Any]) -> list[Any]:
    by_name = {entry.name: entry for entry in more}
    result = [by_name.get(entry.name, entry) if entry.missing else entry for entry in entries]
    names = {entry.name for entry in entries}
    return [*result, *(entry for entry in more if entry.name not in names)]
