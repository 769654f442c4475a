"""The file that a foreign map was opened from, kept in the map.

The bytes of the file are an asset of the map. The record ``ORIGINAL`` is a JSON object with the
name of the ``format``, the digest of that ``asset``, the ``files`` that it refers to (each with its
asset), and the digest of the ``content`` that the map had when it was read. As long as the map has
that content, saving writes the very bytes that were opened; later a writer takes from the original
what our map has no place for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from randomizer.formats import (
    Format,
)
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import Plane
from randomizer.model.problems import ProblemError, error
from randomizer.model.records.assets import asset_digest
from randomizer.model.records.map_records import ORIGINAL, MapRecord
from randomizer.storage.records.parts import digest_of
from randomizer.storage.records.records import map_record
from randomizer.systems.interchange.foreign.source import NO_SOURCE, Source


def note_original(battlemap: BattleMap, map_format: Format, source: Source) -> None:
    """Keep a file, and those that it refers to, as the original of the map read from it.

    ``battlemap`` gets the record ``ORIGINAL`` and the assets that this names.
    """
    files = {name: {"asset": asset_digest(data)} for name, data in source.files.items()}
    record: dict[str, object] = {
        "format": map_format.name,
        "asset": asset_digest(source.data),
        "content": map_digest(battlemap),
    }
    if files:
        record["files"] = files
    battlemap.records[ORIGINAL] = MapRecord(json.dumps(record), is_json=True)
    for data in (source.data, *source.files.values()):
        battlemap.assets[asset_digest(data)] = data


def original_of(
    battlemap: BattleMap, map_format: Format, kin: Sequence[str] = ()
) -> tuple[Mapping[str, Any], Source]:
    """Return the record ``ORIGINAL`` of a map and the file that it comes from.

    For a map that is not from a file of the format they are {} and ``NO_SOURCE``. ``kin`` are
    names of further formats that count as this one. Raises ProblemError for a record that no
    reader here writes, or that names bytes that the map does not have.
    """
    record = battlemap.records.get(ORIGINAL)
    if record is None or not record.is_json:
        return {}, NO_SOURCE
    values = json.loads(record.text)
    if not isinstance(values, dict) or values.get("format") not in (map_format.name, *kin):
        return {}, NO_SOURCE
    entries = values.get("files", {})
    if not isinstance(entries, dict):
        raise _damaged_original("its files are no object")
    files = {name: _original_bytes(battlemap, entry) for name, entry in entries.items()}
    return values, Source(_original_bytes(battlemap, values), None, files)


def _original_bytes(battlemap: BattleMap, entry: object) -> bytes:
    """Return the bytes that an entry of the record ``ORIGINAL`` names. Raises ProblemError."""
    digest = None
    if isinstance(entry, dict):
        digest = entry.get("asset")
    if not isinstance(digest, str):
        raise _damaged_original("a file has no asset")
    if digest not in battlemap.assets:
        raise _damaged_original(f"the asset {digest:.12} is not in the map")
    return battlemap.assets[digest]


def _damaged_original(reason: str) -> ProblemError:
    return error("foreign-map", f"the record “{ORIGINAL}” is damaged: {reason}")


def map_digest(battlemap: BattleMap) -> str:
    """Return the digest of the content of a map: equal as long as a file of it would be equal."""
    record = map_record(battlemap, _Digests())
    # Undo does not take the counter of ids back, and the map is the same nevertheless.
    del record["next_thing_id"]
    # Where the map came from is no content: the record itself is to hold this digest.
    for layer in record["layers"]:
        layer.pop("from_file", None)
    record["records"].pop(ORIGINAL, None)
    return asset_digest(json.dumps(record, sort_keys=True).encode())


class _Digests:
    """A store for ``map_record`` that stores nothing.

    ``map_record`` hands each array and text of a map to a store and puts the name that it gets into
    the record. These names are digests, so that equal maps have equal records.
    """

    def array(self, _name: str, array: Plane) -> str:
        return asset_digest(f"{array.dtype} {array.shape} ".encode() + array.tobytes())

    def text(self, text: str) -> str:
        return digest_of(text)
