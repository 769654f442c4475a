"""The write-ahead log of a journal's database, read past damage.

SQLite ends a log at the first frame whose checksum is wrong, without an error: all later commits
would be dropped. Here the frames behind it are read too, and a single flipped bit is put back.

The format is https://www.sqlite.org/fileformat2.html#the_write_ahead_log: a header of 32 bytes,
then frames, each a header of 24 bytes (page, size of the database after a commit or 0, two salts,
two checksums) and a page. Each checksum goes on from that of the frame before it, so a frame is
proven by its own stored checksum and that of its predecessor, whatever lies before these. Frames of
an earlier use of the file, which have other salts, can follow the last one.

    log = read_log(folder / "steps.sqlite-wal")
    if not log.is_whole:
        write_merged(folder / "steps.sqlite", log, folder / "steps.sqlite-merged")
"""

from __future__ import annotations

import os
import shutil
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import KB, registered
from randomizer.storage.disk.regular_files import open_regular

_HEADER = struct.Struct(">8I")
_FRAME_HEADER = struct.Struct(">6I")
_NUMBERS = struct.Struct(">2I")
"""The first values of a frame's header, the only ones that its checksum is of."""

_MAGIC = 0x377F0682
"""The first word of a log; its last bit is set where checksums are of big-endian words."""

_PAGE_SIZES = {2**power for power in range(9, 17)}

_BLOCK_BYTES = 2**20
"""So much of a log is in memory at a time."""

_FORMAT_VERSIONS = 18
"""Where a database says, in two bytes, how it is written and read: 2 with a log, 1 without one."""

_WORD = 2**32

Header = tuple[int, ...]
Checksum = tuple[int, int]
Words = NDArray[np.uint32]


class Frame(NamedTuple):
    """A page in a log: its number from 1, and where it begins in the log's file, in bytes.

    ``database_pages`` is the size of the database if the frame ends a commit, else 0.
    ``flipped_bit`` is to be put back, counted from the start of the page; None if it is whole.
    """

    page: int
    database_pages: int
    offset: int
    flipped_bit: int | None = None


@dataclass
class Log:
    """The frames of a log in their order, without those that are damaged beyond one bit.

    SQLite reads the first ``readable`` ones. ``is_complete``: none is missing, as far as the log
    itself can tell.
    """

    file: Path
    page_size: int = 0
    frames: list[Frame] = field(default_factory=list)
    readable: int = 0
    is_complete: bool = True

    def committed(self) -> list[Frame]:
        """Return the frames up to the last one that ends a commit."""
        frames = list(self.frames)
        while frames and not frames[-1].database_pages:
            frames.pop()
        return frames

    @property
    def is_whole(self) -> bool:
        """True if SQLite reads all commits."""
        return len(self.committed()) <= self.readable


def read_log(file: Path) -> Log:
    """Read a log; a missing or empty one has no frames. Raises NotAFileError, or OSError."""
    try:
        handle = open_regular(file)
    except FileNotFoundError:
        return Log(file)
    with os.fdopen(handle, "rb") as opened:
        data = opened.read(_HEADER.size)
        if len(data) < _HEADER.size:
            return Log(file)
        headers = _possible_headers(data)
        if not headers:
            return Log(file, is_complete=False)
        frame_data = opened.read(_FRAME_HEADER.size)
        opened.seek(_HEADER.size)
        # A flipped bit of a salt can be told from one of a checksum by the salts of a frame.
        headers.sort(key=lambda header: header[4:6] != _salts_of(frame_data))
        reader = _FrameReader(Log(file, page_size=headers[0][2]), headers)
        for frame in _raw_frames(opened, headers[0]):
            reader.add(frame)
    if headers[0] != _HEADER.unpack(data):
        reader.log.readable = 0
    return reader.log


def write_merged(database: Path, log: Log, target: Path) -> None:
    """Write the database with all commits of its log, as one that has no log. Raises OSError."""
    shutil.copyfile(database, target)
    frames = log.committed()
    # A frame that is taken without proof can have any numbers.
    most_pages = target.stat().st_size // max(1, log.page_size) + len(frames)
    with target.open("r+b") as merged, log.file.open("rb") as opened:
        for frame in frames:
            if not 1 <= frame.page <= most_pages:
                continue
            opened.seek(frame.offset)
            page = bytearray(opened.read(log.page_size))
            if frame.flipped_bit is not None:
                page[frame.flipped_bit // 8] ^= 1 << frame.flipped_bit % 8
            merged.seek((frame.page - 1) * log.page_size)
            merged.write(page)
        if frames and frames[-1].database_pages <= most_pages:
            merged.truncate(frames[-1].database_pages * log.page_size)
        merged.seek(_FORMAT_VERSIONS)
        merged.write(b"\1\1")


# --- frames -------------------------------------------------------------------------------------


class _RawFrame(NamedTuple):
    """A frame as it stands in the file.

    ``words`` are those that its checksum is of: the first two of its header, then the page.
    ``words_sum`` is what they add to the checksum, ``offset`` where the page begins.
    """

    page: int
    database_pages: int
    salts: Checksum
    checksum: Checksum
    words: Words
    words_sum: Checksum
    offset: int


class _FrameReader:
    """Decides frame by frame what belongs to a log."""

    def __init__(self, log: Log, headers: list[Header]) -> None:
        """``headers``: the likeliest first; the others have further checksums to begin with."""
        self.log = log
        self._weights = _weights(log.page_size)
        self._word_type = _word_type(headers[0])
        self._salts = headers[0][4:6]
        # Those that the frame before can have: several if a bit of it or of its page is flipped.
        self._checksums: list[Checksum] = [(header[6], header[7]) for header in headers]
        # False behind a lost frame: the next one cannot be proven then, and is taken as it is, for
        # the steps have digests of their own.
        self._is_checksum_sure = True
        self._is_previous_of_log = True
        self._is_readable = True
        # Frames without the log's salts: of an earlier log, unless one of this log follows.
        self._skipped = 0

    def add(self, raw: _RawFrame) -> None:
        """Take the next frame of the file into the log if it belongs there."""
        computed = [
            self._weights.next_checksum(checksum, raw.words_sum) for checksum in self._checksums
        ]
        is_linked = raw.checksum in computed
        has_salts = raw.salts == self._salts
        self._is_readable &= is_linked and has_salts
        if len(self._checksums) > 1 and self.log.frames and raw.checksum == computed[0]:
            # Not a bit of the checksum of the frame before was flipped, but one of its page.
            self.log.frames.pop()
            self.log.is_complete = False
        self._checksums = [raw.checksum]
        if not has_salts and not (is_linked and self._is_previous_of_log):
            self._skipped += 1
            self._is_previous_of_log = False
            self._is_checksum_sure = False
            return
        if self._skipped:
            self.log.is_complete = False
            self._skipped = 0
        self._is_previous_of_log = True
        frame: Frame | None = Frame(raw.page, raw.database_pages, raw.offset)
        if not is_linked and self._is_checksum_sure:
            if _differing_bits(computed[0], raw.checksum) == 1:
                # A bit of the checksum, or a high bit of the page: the next frame tells.
                self._checksums.append(computed[0])
            else:
                frame = self._mended(raw, computed[0])
        self._is_checksum_sure = frame is not None
        if frame is None:
            self.log.is_complete = False
            return
        self.log.frames.append(frame)
        if self._is_readable:
            self.log.readable += 1

    def _mended(self, raw: _RawFrame, computed: Checksum) -> Frame | None:
        """Return the frame with one flipped bit put back; None if more is wrong with it."""
        place = self._weights.flipped_bit(raw.words, computed, raw.checksum)
        if place is None:
            return None
        word, bit = place
        if self._word_type == "<u4":
            byte_of_word = bit // 8
        else:
            byte_of_word = 3 - bit // 8
        byte = 4 * word + byte_of_word
        if byte >= _NUMBERS.size:
            flipped_bit = 8 * (byte - _NUMBERS.size) + bit % 8
            return Frame(raw.page, raw.database_pages, raw.offset, flipped_bit)
        numbers = bytearray(_NUMBERS.pack(raw.page, raw.database_pages))
        numbers[byte] ^= 1 << bit % 8
        page, database_pages = _NUMBERS.unpack(numbers)
        return Frame(page, database_pages, raw.offset)


def _raw_frames(opened: BinaryIO, header: Header) -> Iterator[_RawFrame]:
    """Yield all frames of a file that stands behind its header; a part of one ends it."""
    page_size = header[2]
    size = _FRAME_HEADER.size + page_size
    offset = _HEADER.size
    weights = _weights(page_size).of_words
    while data := opened.read(size * max(1, _BLOCK_BYTES // size)):
        count = len(data) // size
        block = np.frombuffer(data[: count * size], np.uint8).reshape(count, size)
        summed = np.hstack([block[:, : _NUMBERS.size], block[:, _FRAME_HEADER.size :]])
        words = summed.view(_word_type(header)).astype(np.uint32)
        sums = words @ weights
        for number in range(count):
            values = _FRAME_HEADER.unpack(block[number, : _FRAME_HEADER.size].tobytes())
            yield _RawFrame(
                page=values[0],
                database_pages=values[1],
                salts=(values[2], values[3]),
                checksum=(values[4], values[5]),
                words=words[number],
                words_sum=(int(sums[number, 0]), int(sums[number, 1])),
                offset=offset + _FRAME_HEADER.size,
            )
            offset += size


# --- checksums ----------------------------------------------------------------------------------


def _word_type(header: Header) -> str:
    return ">u4" if header[0] & 1 else "<u4"


def _possible_headers(data: bytes) -> list[Header]:
    """Return the values of a header, or what they can have been before one bit was flipped.

    Nothing is returned if more than one bit is wrong.
    """
    number = int.from_bytes(data, "big")
    headers = []
    for flip in (0, *(1 << bit for bit in range(8 * len(data)))):
        candidate = (number ^ flip).to_bytes(len(data), "big")
        values = _HEADER.unpack(candidate)
        if values[0] & ~1 != _MAGIC or values[2] not in _PAGE_SIZES:
            continue
        words = np.frombuffer(candidate[:24], _word_type(values)).astype(np.uint32)
        first, second = (words @ _word_weights(len(words))).tolist()
        if (first, second) == values[6:]:
            headers.append(values)
            if not flip:
                break
    return headers


def _salts_of(frame_header: bytes) -> Header:
    """Return the salts of a frame; nothing if its header is not all there."""
    if len(frame_header) < _FRAME_HEADER.size:
        return ()
    return _FRAME_HEADER.unpack(frame_header)[2:4]


def _differing_bits(first: Checksum, second: Checksum) -> int:
    return sum((a ^ b).bit_count() for a, b in zip(first, second, strict=True))


@registered(count=8, bytes_each=20 * KB)
@cache
def _word_weights(count: int) -> Words:
    """Return how often each of ``count`` words is added to the two checksums: count x 2.

    For each pair of words SQLite does ``first += word + second``, then ``second += next word +
    first``, modulo 2**32.
    """
    weights = np.zeros((count, 2), np.uint32)
    even: Checksum = (1, 1)
    odd: Checksum = (0, 1)
    for pair in range(count - 2, -1, -2):
        weights[pair] = even
        weights[pair + 1] = odd
        even = _passed_on(even)
        odd = _passed_on(odd)
    return weights


def _passed_on(checksum: Checksum) -> Checksum:
    """Return what a checksum becomes by a pair of words that are 0."""
    first = (checksum[0] + checksum[1]) % _WORD
    return first, (first + checksum[1]) % _WORD


class _Weights:
    """The checksums of frames of one page size, which are linear in the words of a frame."""

    def __init__(self, page_size: int) -> None:
        count = (_NUMBERS.size + page_size) // 4
        self.of_words = _word_weights(count)
        of_first: Checksum = (1, 0)
        of_second: Checksum = (0, 1)
        for _pair in range(count // 2):
            of_first = _passed_on(of_first)
            of_second = _passed_on(of_second)
        self._of_checksum = (of_first, of_second)

    def next_checksum(self, checksum: Checksum, words_sum: Checksum) -> Checksum:
        """Return the checksum of a frame, from that of the frame before it."""
        of_first, of_second = self._of_checksum
        first = checksum[0] * of_first[0] + checksum[1] * of_second[0] + words_sum[0]
        second = checksum[0] * of_first[1] + checksum[1] * of_second[1] + words_sum[1]
        return first % _WORD, second % _WORD

    def flipped_bit(
        self, words: Words, computed: Checksum, stored: Checksum
    ) -> tuple[int, int] | None:
        """Return the word and its bit whose flip explains a wrong checksum.

        None if there is none, or several: of high bits few are told apart modulo 2**32.
        """
        error = np.array(stored, np.uint32) - np.array(computed, np.uint32)
        candidates = []
        for bit in range(32):
            change = self.of_words << np.uint32(bit)
            is_set = (words >> np.uint32(bit)) & 1 == 1
            explains = np.where(is_set[:, None], -change, change) == error
            candidates += [(int(word), bit) for word in np.flatnonzero(explains.all(axis=1))]
        if len(candidates) == 1:
            return candidates[0]
        return None


@registered(count=8, bytes_each=40 * KB)
@cache
def _weights(page_size: int) -> _Weights:
    return _Weights(page_size)
