"""An edit or a map as one block of bytes, for the journal, its bases and swapped-out undo steps.

The block: ``BLe1``, a checksum, then deflated: the length of the JSON, the JSON, and the arrays as
raw ``.npy`` data. The record refers to an array by its offset (docs/adr/0006).
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable
from typing import TypeVar

from randomizer.model.battlemap import BattleMap
from randomizer.model.bounded_json import parse_json
from randomizer.model.edit import Edit
from randomizer.model.edit_gate import check_edit
from randomizer.model.gate import check_map
from randomizer.model.planes import Plane
from randomizer.model.problems import error
from randomizer.storage.edit_records import EditReader, edit_record
from randomizer.storage.npy import FAULTS, npy_bytes, read_npy
from randomizer.storage.records import (
    DEEPEST_JSON,
    LARGEST_JSON,
    Get,
    Put,
    Record,
    map_record,
    read_map,
)

MAGIC = b"BLe1"
_LEVEL = 1
"""The deflate level: fast, since a stroke waits for it."""

_MOST_INFLATED = 1100
"""The largest possible ratio of deflate; data that claim more are damaged."""

Read = TypeVar("Read")


def encode_edit(edit: Edit) -> bytes:
    """An edit of any kind; equal edits give equal bytes.

    Encode when it is applied: an edit holds the layers that it exchanges, and later edits change
    them.
    """
    return _seal(lambda put: edit_record(edit, put))


def decode_edit(data: bytes, battlemap: BattleMap, *, done: bool = False) -> Edit:
    """The edit in ``data``, for a map in the state before it (``done``: after it).

    Layers that the edit exchanges are the map's own while they are in it, so that a layer stays one
    object through all steps. A caller that keeps some steps as edits and others as bytes must keep
    the latest as edits. Raises ProblemError for damaged data, and for an edit that does not fit the
    map.
    """
    edit = _open(
        data, "edit", lambda record, get: EditReader(battlemap, get, done=done).edit(record)
    )
    check_edit(battlemap, edit)
    check_edit(battlemap, edit.inverse())
    return edit


def encode_map(battlemap: BattleMap) -> bytes:
    """A whole map; equal maps give equal bytes.

    Raises ProblemError for a map that would not be read back.
    """
    check_map(battlemap)
    return _seal(lambda put: map_record(battlemap, put))


def decode_map(data: bytes) -> BattleMap:
    """The map in ``data``. Raises ProblemError for damaged data."""
    return _open(data, "map", read_map)


# --- blocks -------------------------------------------------------------------------------------


def _seal(record_of: Callable[[Put], Record]) -> bytes:
    arrays: list[bytes] = []
    end = 0

    def put(_name: str, array: Plane) -> int:
        nonlocal end
        arrays.append(npy_bytes(array))
        end += len(arrays[-1])
        return end - len(arrays[-1])

    text = json.dumps(record_of(put), separators=(",", ":")).encode("ascii")
    # One after the other: joining megabytes would hold the interpreter lock too long.
    deflate = zlib.compressobj(_LEVEL)
    parts = [deflate.compress(part) for part in (struct.pack("<I", len(text)), text, *arrays)]
    packed = b"".join((*parts, deflate.flush()))
    return b"".join((MAGIC, struct.pack("<I", zlib.crc32(packed)), packed))


def _open(data: bytes, what: str, read: Callable[[object, Get], Read]) -> Read:
    try:
        packed = data[8:]
        if data[:4] != MAGIC or struct.unpack("<I", data[4:8])[0] != zlib.crc32(packed):
            raise ValueError("its checksum is not right")
        inflate = zlib.decompressobj()
        content = memoryview(inflate.decompress(packed, _MOST_INFLATED * len(packed)))
        if not inflate.eof:
            raise ValueError("its end is missing")
        (length,) = struct.unpack("<I", content[:4])
        arrays = content[4 + length :]

        def get(ref: object, dtype: str | None, shape: tuple[int, ...] | None) -> Plane:
            if type(ref) is not int or not 0 <= ref < len(arrays):
                raise ValueError("an array is missing")
            return read_npy(arrays[ref:], dtype, shape)

        text = bytes(content[4 : 4 + length])
        return read(parse_json(text, largest=LARGEST_JSON, deepest=DEEPEST_JSON), get)
    except FAULTS as failed:
        raise error("damaged", f"what was kept of the {what} is damaged: {failed}") from failed
