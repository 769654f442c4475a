"""The block: one record and its parts as bytes, for the journal and its bases.

A block is::

    "BLe3"      4 bytes
    checksum    4 bytes, little-endian: the CRC-32 of all that follows
    body        one zlib stream, which inflates to
        length  4 bytes, little-endian: that of the JSON
        JSON    {"record": the record, "texts": {digest: offset}}
        parts   arrays and long texts, each as the data of a ``.npy`` file

A record is an edit or a map as plain data without its arrays and long texts (parts.py). In place of
an array it holds the offset of its part, counted from the first part on; in place of a text the
digest of the text, whose offset stands among ``texts``. A text whose digest does not stand there
was left out of the block, and is stored by the owner of the block.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

import numpy as np

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.planes.planes import Plane
from randomizer.model.problems import error
from randomizer.storage.records.codec import Record
from randomizer.storage.records.deflated_parts import deflated
from randomizer.storage.records.npy import FAULTS, npy_bytes, read_npy
from randomizer.storage.records.parts import PartReader, PartWriter, checked_text, digest_of
from randomizer.storage.records.records import DEEPEST_JSON, LARGEST_JSON

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


class Block(NamedTuple):
    """An encoded record."""

    data: bytes

    texts: dict[str, str]
    """The texts that were left out of ``data``, by digest. They are needed to decode it."""


def encode_block(
    make_record: Callable[[PartWriter], Record], *, leave_texts_out: bool = False
) -> Block:
    """Return the record that ``make_record`` makes, with the parts that it writes, as a block.

    With ``leave_texts_out`` the long texts are not among the parts: a journal stores a text once,
    and not in each of its blocks.
    """
    parts = _BlockPartWriter(leave_texts_out=leave_texts_out)
    content = {"record": make_record(parts), "texts": parts.text_offsets}
    json_data = json.dumps(content, separators=(",", ":")).encode("ascii")
    body = deflated(_LENGTH.pack(len(json_data)) + json_data, parts.parts)
    head = _HEAD.pack(MAGIC, zlib.crc32(body))
    return Block(head + body, parts.texts_left_out)


def decode_block(
    data: bytes,
    noun: str,
    read_record: Callable[[object, PartReader], Content],
    texts_left_out: Mapping[str, str] = NO_TEXTS,
) -> Content:
    """Return what ``read_record`` makes of the record in the data of a block.

    ``noun`` names the content in the message of the ProblemError that is raised if the block is
    damaged. The data are not trusted: nothing is read before the checksum was right, and faults of
    the record itself are found by ``read_record``, which raises one of ``FAULTS``.
    """
    try:
        inflated = _inflate(_checked_body(data))
        (json_length,) = _LENGTH.unpack_from(inflated)
        parts_start = _LENGTH.size + json_length
        content = _parse_content(bytes(inflated[_LENGTH.size : parts_start]))
        parts = _BlockPartReader(inflated[parts_start:], content["texts"], texts_left_out)
        return read_record(content.get("record"), parts)
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


# --- the parts ----------------------------------------------------------------------------------


class _BlockPartWriter:
    """Collects the parts of a block while its record is made; it is the record's ``PartWriter``."""

    def __init__(self, *, leave_texts_out: bool) -> None:
        self.parts: list[bytes] = []
        """The data of the arrays and texts, in the order in which they stand in the block."""
        self.text_offsets: dict[str, int] = {}
        """Where the parts with texts begin, by the digest of the text."""
        self.texts_left_out: dict[str, str] = {}
        """The texts that are not among the parts, by digest."""
        self._leave_texts_out = leave_texts_out
        self._size = 0
        """The bytes of all parts so far, which is the offset of the next one."""

    def array(self, _name: str, array: Plane) -> int:
        """Add an array; the reference is its offset. Project files use names as references."""
        return self._append(npy_bytes(array))

    def text(self, text: str) -> str:
        """Add a text, unless an equal one was added before; the reference is its digest."""
        digest = digest_of(text)
        if self._leave_texts_out:
            self.texts_left_out[digest] = text
        elif text and digest not in self.text_offsets:  # an empty text is read without a part
            letters = np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)
            self.text_offsets[digest] = self._append(npy_bytes(letters))
        return digest

    def _append(self, part: bytes) -> int:
        """Add a part at the end, and return its offset."""
        offset = self._size
        self.parts.append(part)
        self._size += len(part)
        return offset


class _BlockPartReader:
    """Finds the parts of a block while its record is read; it is the record's ``PartReader``."""

    def __init__(
        self,
        parts: memoryview,
        text_offsets: dict[str, Any],
        texts_left_out: Mapping[str, str],
    ) -> None:
        self._parts = parts
        """The data of all parts, one after the other."""
        self._text_offsets = text_offsets
        """Where the texts in ``parts`` begin, by digest; as they are in the JSON, not checked."""
        self._texts_left_out = texts_left_out
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
        if not ref:  # the digest of an empty text, which has no part
            return ""
        if ref not in self._texts:
            self._texts[ref] = self._find_text(ref)
        return self._texts[ref]

    def _find_text(self, digest: str) -> str:
        """Return the text of a digest, from wherever it is. Raises ValueError."""
        if digest in self._text_offsets:
            letters = self.array(self._text_offsets[digest], "u1", None)
            return checked_text(digest, letters.tobytes())
        if digest in self._texts_left_out:
            return self._texts_left_out[digest]
        raise ValueError("a text is missing")
