"""An edit or a map as one block of bytes, for the journal, its bases and swapped-out undo steps.

The block: ``BLe3``, a checksum, then deflated: the length of the JSON, the JSON, and arrays and
texts as raw ``.npy`` data. The record refers to an array by its offset, to a text by its digest.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.edit_gate import check_edit_values
from randomizer.model.gate.gate import check_map
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.planes.planes import Plane
from randomizer.model.problems import error
from randomizer.storage.records.codec import Record
from randomizer.storage.records.deflated_parts import deflated
from randomizer.storage.records.edit_records import EditReader, edit_record
from randomizer.storage.records.npy import FAULTS, npy_bytes, read_npy
from randomizer.storage.records.parts import Get, Put, checked_text, digest_of
from randomizer.storage.records.records import (
    DEEPEST_JSON,
    LARGEST_JSON,
    map_record,
    read_map,
)

MAGIC = b"BLe3"
_MOST_INFLATED = 1100
"""The largest possible ratio of deflate; data that claim more are damaged."""

Read = TypeVar("Read")


def encode_edit(edit: Edit, texts: dict[str, str] | None = None) -> bytes:
    """Return an edit of any kind; equal edits give equal bytes.

    With ``texts`` its long texts are put there by digest, and are not in the bytes. Encode when it
    is applied: an edit holds the layers that it exchanges, and later edits change them.
    """
    return _seal(lambda put: edit_record(edit, put), texts)


def decode_edit(
    data: bytes,
    battlemap: BattleMap,
    *,
    done: bool = False,
    texts: Mapping[str, str] = NO_TEXTS,
) -> Edit:
    """Return the edit in ``data``, for a map in the state before it (``done``: after it).

    ``texts`` are those that ``encode_edit`` has put elsewhere, by digest.

    Layers that the edit exchanges are the map's own while they are in it, so that a layer stays one
    object through all steps. A caller that keeps some steps as edits and others as bytes must keep
    the latest as edits. Raises ProblemError for damaged data, and for an edit that does not fit the
    map.
    """
    edit = _open(
        data, "edit", lambda record, get: EditReader(battlemap, get, done=done).edit(record), texts
    )
    check_edit_values(battlemap, edit)
    check_edit_values(battlemap, edit.inverse())
    return edit


def encode_map(battlemap: BattleMap) -> bytes:
    """Return a whole map; equal maps give equal bytes.

    Raises ProblemError for a map that would not be read back.
    """
    check_map(battlemap)
    return _seal(lambda put: map_record(battlemap, put))


def decode_map(data: bytes) -> BattleMap:
    """Return the map in ``data``. Raises ProblemError for damaged data."""
    return _open(data, "map", read_map)


# --- blocks -------------------------------------------------------------------------------------


class _Out:
    """``Put`` for a block: what it stores, one after the other.

    Texts go to ``elsewhere`` if that is given, and are not in the block.
    """

    def __init__(self, elsewhere: dict[str, str] | None) -> None:
        self.parts: list[bytes] = []
        self.texts: dict[str, int] = {}
        self._elsewhere = elsewhere
        self._end = 0

    def array(self, _name: str, array: Plane) -> int:
        return self._append(npy_bytes(array))

    def text(self, text: str) -> str:
        ref = digest_of(text)
        if self._elsewhere is not None:
            self._elsewhere[ref] = text
        elif ref and ref not in self.texts:
            data = np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)
            self.texts[ref] = self._append(npy_bytes(data))
        return ref

    def _append(self, part: bytes) -> int:
        self.parts.append(part)
        self._end += len(part)
        return self._end - len(part)


class _In:
    """``Get`` for a block whose parts are ``data``; ``texts`` are offsets by digest."""

    def __init__(
        self, data: memoryview, texts: dict[str, Any], elsewhere: Mapping[str, str]
    ) -> None:
        self._data = data
        self._offsets = texts
        self._texts: dict[str, str] = {}
        self._elsewhere = elsewhere

    def array(self, ref: object, dtype: str | None, shape: tuple[int, ...] | None) -> Plane:
        if type(ref) is not int or not 0 <= ref < len(self._data):
            raise ValueError("an array is missing")
        return read_npy(self._data[ref:], dtype, shape)

    def text(self, ref: object) -> str:
        if not isinstance(ref, str):
            raise ValueError("a text is missing")
        if not ref:
            return ""
        if ref not in self._texts:
            if ref in self._offsets:
                data = self.array(self._offsets[ref], "u1", None).tobytes()
                self._texts[ref] = checked_text(ref, data)
            elif ref in self._elsewhere:
                self._texts[ref] = self._elsewhere[ref]
            else:
                raise ValueError("a text is missing")
        return self._texts[ref]


def _seal(record_of: Callable[[Put], Record], elsewhere: dict[str, str] | None = None) -> bytes:
    out = _Out(elsewhere)
    record = record_of(out)
    content = {"record": record, "texts": out.texts}
    text = json.dumps(content, separators=(",", ":")).encode("ascii")
    packed = deflated(struct.pack("<I", len(text)) + text, out.parts)
    return b"".join((MAGIC, struct.pack("<I", zlib.crc32(packed)), packed))


def _open(
    data: bytes,
    noun: str,
    read: Callable[[object, Get], Read],
    elsewhere: Mapping[str, str] = NO_TEXTS,
) -> Read:
    try:
        packed = data[8:]
        if data[:4] != MAGIC or struct.unpack("<I", data[4:8])[0] != zlib.crc32(packed):
            raise ValueError("its checksum is not right")
        inflate = zlib.decompressobj()
        content = memoryview(inflate.decompress(packed, _MOST_INFLATED * len(packed)))
        if not inflate.eof:
            raise ValueError("its end is missing")
        (length,) = struct.unpack("<I", content[:4])
        text = bytes(content[4 : 4 + length])
        head = parse_json(text, largest=LARGEST_JSON, deepest=DEEPEST_JSON)
        if not isinstance(head, dict) or not isinstance(head.get("texts"), dict):
            raise ValueError("it has no record")
        return read(head.get("record"), _In(content[4 + length :], head["texts"], elsewhere))
    except FAULTS as failed:
        raise error(
            "damaged", f"what was kept of the {noun} is damaged: {reason_of(failed)}"
        ) from failed
