"""Keeps in a map the file of another program that it was opened from, the *original*.

The bytes of the file are an asset of the map. The record ``ORIGINAL`` is a JSON object:

    {"format": "tmx", "asset": "5f2c...", "content": "90ab...",
     "files": {"forest.tsx": {"asset": "77e1..."}}}

"asset" is the digest of the bytes, "content" that of the map when it was read, and "files" are the
files that the original refers to. As long as the map still has that content, saving writes the very
bytes that were opened. After a change, a writer copies from the original what our map cannot hold.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from randomizer.formats.format import Format
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import Plane
from randomizer.model.problems import ProblemError, error
from randomizer.model.records.assets import asset_digest
from randomizer.model.records.map_records import ORIGINAL, MapRecord
from randomizer.storage.records.parts import digest_of
from randomizer.storage.records.records import map_record
from randomizer.systems.interchange.foreign.source import NO_SOURCE, Source


def store_original(battlemap: BattleMap, map_format: Format, source: Source) -> None:
    """Keep a file, and those that it refers to, as the original of the map that was read from it.

    ``battlemap`` gets the record ``ORIGINAL``, and the assets that the record names.
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
    battlemap: BattleMap, map_format: Format, related_formats: Sequence[str] = ()
) -> tuple[Mapping[str, Any], Source]:
    """Return the record ``ORIGINAL`` of a map, and the original itself.

    They are {} and ``NO_SOURCE`` for a map that was not read from a file of the format, or of one
    of ``related_formats``. Raises ProblemError for a damaged record, and for one that names assets
    that the map does not have.
    """
    record = battlemap.records.get(ORIGINAL)
    if record is None or not record.is_json:
        return {}, NO_SOURCE
    values = json.loads(record.text)
    if not isinstance(values, dict) or values.get("format") not in (
        map_format.name,
        *related_formats,
    ):
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
    """Return the error that the record ``ORIGINAL`` of a map is damaged."""
    return error("foreign-map", f"the record “{ORIGINAL}” is damaged: {reason}")


def map_digest(battlemap: BattleMap) -> str:
    """Return the digest of the content of a map: all that a file of the map depends on.

    Two maps with the same digest are written as the same file.
    """
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
