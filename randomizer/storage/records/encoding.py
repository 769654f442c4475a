"""An edit or a map as one block of bytes, for the journal, its bases and swapped-out undo steps.

A block is::

    "BLe3"      4 bytes
    checksum    4 bytes, little-endian: the CRC-32 of all that follows
    body        one zlib stream, which inflates to
        length  4 bytes, little-endian: that of the JSON
        JSON    {"record": the record, "texts": {digest: offset}}
        parts   arrays and long texts, each as the data of a ``.npy`` file

A record is the edit or the map as plain data without its arrays and long texts. In place of an
array it holds the offset of its part, counted from the first part on; in place of a text the digest
of the text, whose offset stands among ``texts``.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.edits.edit import Compound, Edit, LockEdit, PlaneEdit
from randomizer.model.edits.edit_gate import check_edit_values
from randomizer.model.gate.gate import check_map
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.planes.planes import Plane
from randomizer.model.problems import error
from randomizer.storage.records.codec import Record
from randomizer.storage.records.deflated_parts import deflated
from randomizer.storage.records.edit_reading import read_edit
from randomizer.storage.records.edit_writing import edit_record
from randomizer.storage.records.npy import FAULTS, npy_bytes, read_npy
from randomizer.storage.records.parts import Get, Put, checked_text, digest_of
from randomizer.storage.records.records import (
    DEEPEST_JSON,
    LARGEST_JSON,
    map_record,
    read_map,
)

MAGIC = b"BLe3"
"""The first bytes of a block. A block of another version of the format begins otherwise."""

_HEAD = struct.Struct("<4sI")
"""The magic bytes and the checksum, in front of the body."""

_LENGTH = struct.Struct("<I")
"""The length of the JSON, at the beginning of the inflated body."""

_MAX_INFLATED = 1100
"""The largest ratio that deflate can reach; a body that inflates to more is damaged. Without such a
limit a few damaged bytes could fill the memory."""

Content = TypeVar("Content")
"""The content of a block: a map or an edit."""


def encode_edit(edit: Edit, texts: dict[str, str] | None = None) -> bytes:
    """Return an edit of any kind as a block; equal edits give equal bytes.

    With ``texts`` the long texts of the edit are added to that dictionary, by their digests, and
    are left out of the block; ``decode_edit`` needs them again. Such a block may have been made
    beforehand, see ``encode_ahead``.

    Encode an edit when it is applied, not later: it holds the very layers that it adds and removes,
    and the edits that follow change them.
    """
    if texts is not None and isinstance(edit, ValueChanges):
        encoded_edit = _ENCODED_AHEAD.pop(edit, None)
        if encoded_edit is not None:
            texts.update(encoded_edit.texts)
            return encoded_edit.block
    return _encode_block(lambda put: edit_record(edit, put), texts)


ValueChanges = Compound | PlaneEdit | LockEdit
"""Edits that can have values of very many cells."""


class _EncodedEdit(NamedTuple):
    """What ``encode_edit`` returns and adds for one edit."""

    block: bytes

    texts: dict[str, str]
    """The texts that are not in the block, by digest."""


_ENCODED_AHEAD: WeakKeyDictionary[Edit, _EncodedEdit] = WeakKeyDictionary()
"""The edits that were encoded by ``encode_ahead`` and are not yet applied.

``encode_edit`` takes an entry out when the edit is applied; the entry of an edit that is dropped
goes with the edit. It is a variable of the module, and no value that is handed on, since a job and
the journal have only the edit in common: between them lie the document, its undo history and a
signal, which know nothing of bytes. The key is the edit object itself, not an equal one: edits are
compared by identity, and do not change once they are made. So a lookup that misses, or an edit that
was encoded for nothing, costs time only. Only one thread at a time knows an edit: first its job,
then the window.
"""


def encode_ahead(edit: Edit) -> None:
    """Encode an edit of values on the thread of the job that makes it.

    When the edit is applied, ``encode_edit`` then only looks its block up, and does not hold the
    window's thread: encoding a stamp of all cells of a large map takes long enough to be seen.
    Only for edits of values, and compounds of these: an edit that holds layers must be encoded when
    it is applied. An edit of another kind is left out; the parts of a compound are not looked at.
    """
    if isinstance(edit, ValueChanges):
        texts: dict[str, str] = {}
        block = encode_edit(edit, texts)
        _ENCODED_AHEAD[edit] = _EncodedEdit(block, texts)


def decode_edit(
    data: bytes,
    battlemap: BattleMap,
    *,
    done: bool = False,
    texts: Mapping[str, str] = NO_TEXTS,
) -> Edit:
    """Return the edit in ``data``, for a map in the state before it (``done``: after it).

    ``texts`` are those that ``encode_edit`` has left out of the block, by digest.

    Of the layers that the edit adds or removes, one that is in the map now is the layer object of
    the map, not a copy: while one undoes step after step, a layer stays one object. A layer that is
    not in the map now is a new object. So a caller that keeps some steps as edits and others as
    bytes must keep the latest as edits: an older edit would hold another object than the layer that
    the decoded edits bring back.

    Raises ProblemError for damaged data, and for an edit that does not fit the map.
    """

    def read(record: object, get: Get) -> Edit:
        return read_edit(record, battlemap, get, done=done)

    edit = _decode_block(data, "edit", read, texts)
    # Undoing the edit must not put wrong values into the map either.
    check_edit_values(battlemap, edit)
    check_edit_values(battlemap, edit.inverse())
    return edit


def encode_map(battlemap: BattleMap) -> bytes:
    """Return a whole map as a block; equal maps give equal bytes.

    Raises ProblemError for a map that would not be read back.
    """
    check_map(battlemap)
    return _encode_block(lambda put: map_record(battlemap, put))


def decode_map(data: bytes) -> BattleMap:
    """Return the map in the block ``data``. Raises ProblemError for damaged data."""
    return _decode_block(data, "map", read_map)


# --- blocks -------------------------------------------------------------------------------------


class _PartWriter:
    """Collects the parts of a block while its record is made; it is the ``Put`` of the record.

    What makes a record gets a ``Put``: it hands over an array or a text, and gets the reference
    that stands in the record instead.
    """

    def __init__(self, texts_elsewhere: dict[str, str] | None) -> None:
        self.parts: list[bytes] = []
        """The data of the arrays and texts, in the order in which they stand in the block."""
        self.text_offsets: dict[str, int] = {}
        """Where the parts with texts begin, by the digest of the text."""
        self._texts_elsewhere = texts_elsewhere
        """Takes the texts, by digest, instead of the block; None: they go into the block."""
        self._size = 0
        """The bytes of all parts so far, which is the offset of the next one."""

    def array(self, _name: str, array: Plane) -> int:
        """Add an array; the reference is its offset. Project files use names as references."""
        return self._append(npy_bytes(array))

    def text(self, text: str) -> str:
        """Add a text, unless an equal one was added before; the reference is its digest."""
        digest = digest_of(text)
        if self._texts_elsewhere is not None:
            self._texts_elsewhere[digest] = text
            return digest
        if not text:
            return digest  # it is read back without a part
        if digest not in self.text_offsets:
            letters = np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)
            self.text_offsets[digest] = self._append(npy_bytes(letters))
        return digest

    def _append(self, part: bytes) -> int:
        """Add a part at the end, and return its offset."""
        offset = self._size
        self.parts.append(part)
        self._size += len(part)
        return offset


class _PartReader:
    """Finds the parts of a block while its record is read; it is the ``Get`` of the record."""

    def __init__(
        self,
        parts: memoryview,
        text_offsets: dict[str, Any],
        texts_elsewhere: Mapping[str, str],
    ) -> None:
        self._parts = parts
        """The data of all parts, one after the other."""
        self._text_offsets = text_offsets
        """Where the texts in ``parts`` begin, by digest; as they are in the JSON, not checked."""
        self._texts_elsewhere = texts_elsewhere
        """The texts that are not in the block, by digest."""
        self._texts: dict[str, str] = {}
        """The texts that were read so far, by digest: equal texts become one object."""

    def array(self, ref: object, dtype: str | None, shape: tuple[int, ...] | None) -> Plane:
        """Return the array of a reference: its offset. Raises ValueError."""
        if type(ref) is not int or not 0 <= ref < len(self._parts):
            raise ValueError("an array is missing")
        # The .npy data say themselves where the array ends.
        return read_npy(self._parts[ref:], dtype, shape)

    def text(self, ref: object) -> str:
        """Return the text of a reference: its digest. Raises ValueError."""
        if not isinstance(ref, str):
            raise ValueError("a text is missing")
        if not ref:
            return ""
        if ref not in self._texts:
            self._texts[ref] = self._find_text(ref)
        return self._texts[ref]

    def _find_text(self, digest: str) -> str:
        """Return the text of a digest, from the block or from elsewhere. Raises ValueError."""
        if digest in self._text_offsets:
            letters = self.array(self._text_offsets[digest], "u1", None)
            return checked_text(digest, letters.tobytes())
        if digest in self._texts_elsewhere:
            return self._texts_elsewhere[digest]
        raise ValueError("a text is missing")


def _encode_block(
    make_record: Callable[[Put], Record], texts_elsewhere: dict[str, str] | None = None
) -> bytes:
    """Return the record that ``make_record`` makes, and the parts that it puts, as a block.

    Texts go into ``texts_elsewhere`` by their digests; if that is None, into the block.
    """
    writer = _PartWriter(texts_elsewhere)
    content = {"record": make_record(writer), "texts": writer.text_offsets}
    json_data = json.dumps(content, separators=(",", ":")).encode("ascii")
    body = deflated(_LENGTH.pack(len(json_data)) + json_data, writer.parts)
    return _HEAD.pack(MAGIC, zlib.crc32(body)) + body


def _decode_block(
    data: bytes,
    noun: str,
    read_record: Callable[[object, Get], Content],
    texts_elsewhere: Mapping[str, str] = NO_TEXTS,
) -> Content:
    """Return what ``read_record`` makes of the record in a block.

    ``noun`` names the content in the message of the ProblemError that is raised if the block is
    damaged. The data are not trusted: nothing is read before the checksum was right, and faults of
    the record itself are found by ``read_record``, which raises one of ``FAULTS``.
    """
    try:
        inflated = _inflate(_checked_body(data))
        (json_length,) = _LENGTH.unpack_from(inflated)
        parts_start = _LENGTH.size + json_length
        content = _parse_content(bytes(inflated[_LENGTH.size : parts_start]))
        reader = _PartReader(inflated[parts_start:], content["texts"], texts_elsewhere)
        return read_record(content.get("record"), reader)
    except FAULTS as failed:
        raise error(
            "damaged", f"what was kept of the {noun} is damaged: {reason_of(failed)}"
        ) from failed


def _checked_body(data: bytes) -> bytes:
    """Return the deflated body of a block. Raises ValueError if it is not what was written."""
    if not data.startswith(MAGIC):
        raise ValueError("its first bytes are not those of this version")
    _magic, checksum = _HEAD.unpack_from(data)
    body = data[_HEAD.size :]
    if checksum != zlib.crc32(body):
        raise ValueError("its checksum is not right")
    return body


def _inflate(body: bytes) -> memoryview:
    """Return the inflated body. Raises ValueError if the end of its stream is missing."""
    inflate = zlib.decompressobj()
    inflated = inflate.decompress(body, _MAX_INFLATED * len(body))
    if not inflate.eof:
        raise ValueError("its end is missing")
    return memoryview(inflated)


def _parse_content(json_data: bytes) -> dict[str, Any]:
    """Return the JSON of a block, whose ``texts`` are a dictionary; its record is not checked."""
    content = parse_json(json_data, largest=LARGEST_JSON, deepest=DEEPEST_JSON)
    if not isinstance(content, dict) or not isinstance(content.get("texts"), dict):
        raise ValueError("it has no record")
    return content
