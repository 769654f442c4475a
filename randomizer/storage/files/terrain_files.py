"""Terrain sets as files (``.terrains``), with the pictures of their user's own.

    {"format": "battlelands-terrains", "version": 1, "name": "Moor",
     "terrains": [{"name": "Bog", "colour": "#6d7b4d", "cost": null}],
     "ways": [{"name": "Causeway", "style": "road", "colour": "#c0a070"}]}

A JSON object in UTF-8. The fields of ``terrains``, ``hexsides`` and ``ways`` are those of the
dataclasses ``Terrain``, ``Hexside`` and ``Way``; one with its default value is left out.
``tactical`` is as in ``TerrainSet``, false where it is left out. ``assets`` are the pictures that
terrains name, by digest, in base64.

The panel of terrains and the command line read and write such files (``read_terrains``,
``write_terrains``).
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from typing import Any, NamedTuple

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.json_places import place_in_json
from randomizer.model.basics.limits import DEEPEST_DATA
from randomizer.model.problems import Problem, ProblemError, Severity, place_of
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
from randomizer.model.terrain.terrain_check import MAX_TERRAINS, TerrainSetError, check_terrain_set
from randomizer.storage.records.codec import kinds_of, read, short_fields

WORD = "battlelands-terrains"
"""The value of "format", by which a file is known."""

VERSION = 1
"""The version of the form of the file; others are not read."""

SUFFIX = ".terrains"
"""The suffix of the files."""

LARGEST_TERRAINS = 16 * 2**20 + LARGEST_ASSETS * 4 // 3
"""The most bytes of a file: base64 writes three bytes of a picture as four."""

_LISTS: Mapping[str, type] = {"terrains": Terrain, "hexsides": Hexside, "ways": Way}
"""The lists of entries in a file, and the dataclass of the entries of each."""

_FIELDS = ("format", "version", "name", "tactical", *_LISTS, "elevations", "assets")
"""All members of the JSON object."""


class OwnTerrains(NamedTuple):
    """A terrain set of a user, with the user's own pictures."""

    terrain_set: TerrainSet
    assets: Assets = NO_ASSETS
    """The bytes of the pictures, by digest; those that the set does not name do no harm."""


def packaged_terrains(system: System, name: str) -> OwnTerrains | None:
    """Return the set of a name that comes with a system; None if none is called so.

    Upper and lower case are the same.
    """
    for packaged_name in system.packaged_terrains:
        if packaged_name.lower() == name.lower():
            return OwnTerrains(system.packaged_terrain_set(packaged_name))
    return None


# --- writing ------------------------------------------------------------------------------------


def write_terrains(terrain_set: TerrainSet, assets: Assets = NO_ASSETS) -> bytes:
    """Return the file of a terrain set, with those of ``assets`` that it names.

    Missing terrains, hexsides and ways are left out, and so is the digest of a picture that is not
    among ``assets``. The file is read again before it is returned: ProblemError is raised for a set
    that could not be read.
    """
    # Imported here: whoever only reads, such as ``randomizer show``, starts sooner without edits.
    from randomizer.model.edits.terrain_entries import without_missing

    terrain_set = without_missing(terrain_set)
    pictures = only(assets, assets_of(terrain_set))
    # The JSON is put together by hand, an entry a line, so that people can read and compare files.
    members = [f'"format": "{WORD}"', f'"version": {VERSION}', f'"name": {_json(terrain_set.name)}']
    if terrain_set.tactical:
        members.append('"tactical": true')
    for list_name in _LISTS:
        lines = []
        for entry in getattr(terrain_set, list_name):
            asset = getattr(entry, "asset", "")  # hexsides have no picture
            if asset and asset not in pictures:
                entry = replace(entry, asset="")
            lines.append(f"  {_json(short_fields(entry))}")
        if lines:
            members.append(f'"{list_name}": {_list(lines)}')
    members.append(f'"elevations": {_json(list(terrain_set.elevations))}')
    if pictures:
        lines = []
        for digest, picture in pictures.items():
            lines.append(f'  "{digest}": "{b64encode(picture).decode()}"')
        members.append(f'"assets": {_object(lines)}')
    data = f"{_object(members)}\n".encode()
    read_terrains(data)
    return data


def _json(value: object) -> str:
    """Return a value as JSON in one line."""
    return json.dumps(value, ensure_ascii=False)


def _list(entries: list[str]) -> str:
    """Return a list as JSON, an entry a line."""
    return "[\n" + ",\n".join(entries) + "\n]"


def _object(members: list[str]) -> str:
    """Return an object as JSON, a member a line."""
    return "{\n" + ",\n".join(members) + "\n}"


# --- reading ------------------------------------------------------------------------------------


def read_terrains(data: bytes, path: str | None = None) -> OwnTerrains:
    """Return the terrain set of a file and its pictures.

    Raises ProblemError, located in the file.
    """
    if not data or data.isspace():
        raise _refused("this file is empty: a terrain set was expected", path)
    try:
        text = data.decode("utf-8-sig")
        record = parse_json(text.encode(), largest=LARGEST_TERRAINS, deepest=DEEPEST_DATA)
    except json.JSONDecodeError as failed:
        position = place_of(text, failed.pos)
        raise _refused(f"this is not JSON: {reason_of(failed)}", path, position) from failed
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
    """Return the error of a file; ``start`` and ``end`` are lines and columns, from 1."""
    line, column = start
    end_line, end_column = end
    problem = Problem(
        severity=Severity.ERROR,
        code="terrains-file",
        message=message,
        path=path,
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
    )
    return ProblemError(problem)


def _check_head(record: Any) -> None:
    """Raise TerrainSetError unless a parsed file is one of this form, with known members only."""
    if not isinstance(record, dict) or record.get("format") != WORD:
        raise TerrainSetError(f"a terrain set is an object with “format”: “{WORD}”", "format")
    # ``isinstance`` would take True for the version 1.
    if type(record.get("version")) is not int or record["version"] != VERSION:
        message = f"the version of the file is {record.get('version')!r:.40}, this program reads "
        raise TerrainSetError(f"{message}{VERSION}", "version")
    for name in record:
        if name not in _FIELDS:
            raise TerrainSetError(f"a terrain set has no “{name:.40}”", name)


def _own_terrains(record: Any) -> OwnTerrains:
    """Return the set of a parsed file. Raises TerrainSetError, with the path of the fault."""
    _check_head(record)
    lists: dict[str, Any] = {}
    for list_name, cls in _LISTS.items():
        lists[list_name] = _entries(record, list_name, cls)
    elevations = _read(tuple[int, ...], record.get("elevations", [0]), path=("elevations",))
    name = _read(str, record.get("name"), path=("name",), noun="the name")
    tactical = _read(bool, record.get("tactical", False), path=("tactical",))
    terrain_set = TerrainSet(name, elevations=elevations, tactical=tactical, **lists)
    check_terrain_set(terrain_set)
    assets = _assets(record.get("assets", {}))
    for index, terrain in enumerate(terrain_set.terrains):
        if terrain.asset and terrain.asset not in assets:
            message = f"{terrain.name}: its picture is not among the assets"
            raise TerrainSetError(message, "terrains", index, "asset")
    return OwnTerrains(terrain_set, only(assets, assets_of(terrain_set)))


def _entries(record: dict[str, Any], list_name: str, cls: type) -> tuple[Any, ...]:
    """Return the entries of a list of a file, of the class ``cls``; () if it has no such list."""
    entries = record.get(list_name, [])
    if not isinstance(entries, list):
        raise TerrainSetError(f"“{list_name}” is a list", list_name)
    if len(entries) > MAX_TERRAINS:
        message = f"at most {MAX_TERRAINS:,} {list_name}, not {len(entries):,}"
        raise TerrainSetError(message, list_name)
    return tuple(_entry(entry, cls, list_name, index) for index, entry in enumerate(entries))


def _entry(entry: Any, cls: type, list_name: str, index: int) -> Any:
    """Return one terrain, hexside or way; as the codec would, with the path of what is wrong."""
    noun = f"{cls.__name__.lower()} {index + 1}"
    if not isinstance(entry, dict):
        raise TerrainSetError(f"{noun} should be an object", list_name, index)
    kinds = kinds_of(cls)
    for name in entry:
        if name not in kinds:
            message = f"{noun} has {name!r:.40}, which is not known here"
            raise TerrainSetError(message, list_name, index, name)
    values: dict[str, Any] = {}
    for name, value in entry.items():
        path = (list_name, index, name)
        values[name] = _read(kinds[name], value, path=path, noun=f"{noun}: {name}")
    for field in fields(cls):
        if field.default is MISSING and field.name not in values:
            raise TerrainSetError(f"{noun} has no “{field.name}”", list_name, index)
    return cls(**values)


def _read(kind: Any, value: object, *, path: tuple[str | int, ...], noun: str = "") -> Any:
    """Return ``codec.read`` of a value. Raises TerrainSetError with the path of the value.

    Its message names the value by ``noun``; without one, by the last name of the path.
    """
    try:
        return read(kind, value, noun or str(path[-1]))
    except ValueError as fault:
        raise TerrainSetError(str(fault), *path) from fault


def _assets(record: Any) -> Assets:
    """Return the pictures of a file, each checked by its header and digest."""
    texts = _read(Mapping[str, str], record, path=("assets",))
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
