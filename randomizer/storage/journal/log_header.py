"""The header of SQLite's write-ahead log (``journal_log``), put right if one bit of it is wrong."""

from __future__ import annotations

import struct
from typing import NamedTuple

import numpy as np

from randomizer.storage.journal.log_checksums import Checksum, word_weights

HEADER = struct.Struct(">8I")
"""The eight words of a header."""

_CHECKSUM_BYTES = 8
"""The length of the checksum, which ends the header of a log."""

_MAGIC = 0x377F0682
"""The first word of a log, without its last bit. That is set if the checksums were computed on a
big-endian machine, where pages are taken as big-endian words."""

_PAGE_SIZES = {2**power for power in range(9, 17)}
"""The sizes of a page, in bytes, that SQLite allows in a log."""

Salts = tuple[int, int]
"""The two random words that all frames of one use of the file have in common."""


class Header(NamedTuple):
    """The values of the header of a log, in the order of the file."""

    magic: int
    version: int
    page_size: int
    checkpoint: int
    first_salt: int
    second_salt: int
    first_checksum: int
    second_checksum: int

    @property
    def salts(self) -> Salts:
        """The salts that the frames of the log have too."""
        return self.first_salt, self.second_salt

    @property
    def checksum(self) -> Checksum:
        """The checksum from which that of the first frame is computed."""
        return self.first_checksum, self.second_checksum

    @property
    def word_type(self) -> str:
        """The dtype of the words that are summed up for checksums; the magic number says it."""
        is_big_endian = bool(self.magic & 1)
        if is_big_endian:
            return ">u4"
        return "<u4"


def possible_headers(data: bytes) -> list[Header]:
    """Return the header in ``data`` if it is whole, else those from which one flipped bit made it.

    Nothing is returned if more than one bit is wrong.
    """
    whole = _checked_header(data)
    if whole is not None:
        return [whole]
    number = int.from_bytes(data, "big")
    headers = []
    for bit in range(8 * len(data)):
        candidate = number ^ (1 << bit)
        header = _checked_header(candidate.to_bytes(len(data), "big"))
        if header is not None:
            headers.append(header)
    return headers


def _checked_header(data: bytes) -> Header | None:
    """Return the header in ``data``; None if its magic word, page size or checksum is wrong."""
    header = Header(*HEADER.unpack(data))
    if header.magic & ~1 != _MAGIC or header.page_size not in _PAGE_SIZES:
        return None
    summed_data = data[: HEADER.size - _CHECKSUM_BYTES]
    words = np.frombuffer(summed_data, header.word_type).astype(np.uint32)
    first, second = (words @ word_weights(len(words))).tolist()
    if (first, second) != header.checksum:
        return None
    return header
