"""The write-ahead log of a journal's database, read past damage.

SQLite ends a log at the first frame whose checksum is wrong, without an error: all later commits
would be dropped. Here the frames behind it are read too, and a single flipped bit is put back.

The format is https://www.sqlite.org/fileformat2.html#the_write_ahead_log. All numbers are
big-endian words of 4 bytes::

    header, 32 bytes    magic, version, page size, checkpoint, 2 salts, 2 words of checksum
    frame               24 bytes and a page, again and again
        page            its number in the database, from 1
        size            that of the database in pages, if the frame ends a commit; else 0
        salts           2 words, the same as in the header
        checksum        2 words
        page            as many bytes as the header says

The checksum of a frame is computed from that of the frame before it (of the header, for the first)
and from the frame's page number, size and page (log_checksums.py). So the stored checksums of two
frames that follow each other prove the second one, whatever lies before them, and reading can go on
behind damage.

SQLite uses the file again and again, each time with other salts in the header. Frames of an earlier
use, with its salts, can follow the last frame of the log.

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
from enum import Enum, auto
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from randomizer.storage.disk.regular_files import open_regular
from randomizer.storage.journal.log_checksums import (
    WORD_BYTES,
    Checksum,
    Words,
    differing_bits,
    frame_checksums,
    word_weights,
)

_HEADER = struct.Struct(">8I")
_FRAME_HEADER = struct.Struct(">6I")
_NUMBERS = struct.Struct(">2I")
"""The page number and size in a frame's header. The checksum covers these and the page, not the
salts between them."""

_CHECKSUM_BYTES = 8
"""The length of the checksum, which ends the header of a log."""

_MAGIC = 0x377F0682
"""The first word of a log, without its last bit. That is set if the checksums were computed on a
big-endian machine, where pages are taken as big-endian words."""

_PAGE_SIZES = {2**power for power in range(9, 17)}
"""The sizes of a page, in bytes, that SQLite allows in a log."""

_BLOCK_BYTES = 2**20
"""How many bytes of a log are read at a time; more are faster until the processor's cache is full.
"""

_FORMAT_VERSIONS_OFFSET = 18
"""The position in a database of the two bytes that say how it is written and read."""

_FORMATS_WITHOUT_LOG = b"\1\1"
"""These two bytes in a database that has no log; they are 2 if it has one."""

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


class Frame(NamedTuple):
    """A page in a log."""

    page: int
    """The number of the page in the database, from 1."""

    database_pages: int
    """The size of the database in pages if the frame ends a commit, else 0."""

    offset: int
    """Where the page begins in the log's file, in bytes."""

    flipped_bit: int | None = None
    """The bit that is to be put back, counted from the start of the page; None if it is whole."""


@dataclass(frozen=True)
class Log:
    """The content of a log, as far as it could be read."""

    file: Path

    page_size: int = 0
    """The size of a page in bytes; 0 if the log is empty or its header is lost."""

    frames: list[Frame] = field(default_factory=list)
    """The frames in the order of the file, without those that are damaged beyond one bit."""

    sqlite_count: int = 0
    """How many of ``frames``, from the first on, SQLite would read itself."""

    is_complete: bool = True
    """True if no frame is missing, as far as the log itself can tell."""

    def committed(self) -> list[Frame]:
        """Return the frames up to the last one that ends a commit."""
        frames = list(self.frames)
        while frames and not frames[-1].database_pages:
            frames.pop()
        return frames

    @property
    def is_whole(self) -> bool:
        """True if SQLite reads all commits."""
        return len(self.committed()) <= self.sqlite_count


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
        # There can be several headers from which a damaged one came. The likeliest has the salts of
        # the first frame: the sort puts it first, since False is less than True.
        salts = _salts_of(frame_data)
        headers.sort(key=lambda header: header.salts != salts)
        header = headers[0]
        reader = _FrameReader(headers)
        for frame in _raw_frames(opened, header):
            reader.add(frame)
    sqlite_count = reader.sqlite_count
    if header != _HEADER.unpack(data):
        sqlite_count = 0  # SQLite reads nothing of a log whose header is damaged
    return Log(
        file,
        page_size=header.page_size,
        frames=reader.frames,
        sqlite_count=sqlite_count,
        is_complete=reader.is_complete,
    )


def write_merged(database: Path, log: Log, target: Path) -> None:
    """Write the database with all commits of its log, as one that has no log. Raises OSError.

    A frame whose page number is impossible is left out; the digests of the steps
    (journal_digests.py) tell then that something is missing.
    """
    shutil.copyfile(database, target)
    frames = log.committed()
    # A frame that is taken without proof can have any page number. The database cannot have more
    # pages than before and a new one for each frame. The page size is 0 only if there are no
    # frames.
    most_pages = target.stat().st_size // max(1, log.page_size) + len(frames)
    with target.open("r+b") as merged, log.file.open("rb") as opened:
        for frame in frames:
            if not 1 <= frame.page <= most_pages:
                continue
            opened.seek(frame.offset)
            page = bytearray(opened.read(log.page_size))
            if frame.flipped_bit is not None:
                byte, bit = divmod(frame.flipped_bit, 8)
                page[byte] ^= 1 << bit
            merged.seek((frame.page - 1) * log.page_size)
            merged.write(page)
        if frames and frames[-1].database_pages <= most_pages:
            merged.truncate(frames[-1].database_pages * log.page_size)
        # Otherwise SQLite would look for a log beside the merged database.
        merged.seek(_FORMAT_VERSIONS_OFFSET)
        merged.write(_FORMATS_WITHOUT_LOG)


# --- frames -------------------------------------------------------------------------------------


class _RawFrame(NamedTuple):
    """A frame as it stands in the file; any part of it can be damaged."""

    page: int
    database_pages: int
    salts: Salts
    checksum: Checksum

    words: Words
    """The words that the checksum covers: the page number, the size, then the page."""

    words_sum: Checksum
    """What ``words`` add to the checksum of the frame before."""

    offset: int
    """Where the page begins in the file, in bytes."""


class _Previous(Enum):
    """The state of the frame before the one that is read; that of the header is ``TAKEN``."""

    TAKEN = auto()
    """It is in the log, as it stands or with one bit put back."""

    IN_DOUBT = auto()
    """It is in the log, but a single bit is wrong in its checksum or in its page: the next frame
    tells which."""

    LOST = auto()
    """It belongs to the log and cannot be mended. Nothing can prove the next frame, which is taken
    as it stands: the steps in the database have digests of their own."""

    SKIPPED = auto()
    """It has other salts: it is of an earlier log, unless a frame of this log follows."""


class _FrameReader:
    """Decides frame by frame what belongs to a log.

    A frame is *linked* if its checksum follows from that of the frame before it. There are four
    cases, of which the second needs the frame that comes next:

    - It is linked: it is whole.
    - Its stored checksum is wrong in a single bit: either that bit was flipped, or a bit of the
      page whose flip changes the sum alike. If the next frame follows from the computed checksum,
      the page is whole; if it follows from the stored one, the page is damaged, and it is dropped.
    - A single flipped bit of the page or of its numbers explains the wrong checksum: it is put
      back.
    - Neither: the frame is lost. Nothing proves the frame behind it.
    """

    def __init__(self, headers: list[Header]) -> None:
        """``headers`` are those that the log can have had, the likeliest first.

        They differ in their checksums; which one is right is told by the first frame.
        """
        # What has been read:
        self.frames: list[Frame] = []
        """The frames of the log so far, in the order of the file."""
        self.sqlite_count = 0
        """How many of them, from the first on, SQLite would read itself."""
        self.is_complete = True
        """False once a frame is known to be missing."""

        # What the frames of this log have in common:
        self._checksums = frame_checksums(headers[0].page_size)
        self._word_type = headers[0].word_type
        self._salts = headers[0].salts

        # What is known of the frame before, or of the header:
        self._previous = _Previous.TAKEN
        self._previous_checksums: list[Checksum] = [header.checksum for header in headers]
        """The checksums that it can have. Of a frame in doubt its stored one, then the computed
        one; of any other frame its stored one alone."""

        self._does_sqlite_read = True
        """True until the first frame that is not linked: there SQLite ends the log."""

    def add(self, raw: _RawFrame) -> None:
        """Add the next frame of the file to the log if it belongs there."""
        computed_checksums = [
            self._checksums.next_checksum(checksum, raw.words_sum)
            for checksum in self._previous_checksums
        ]
        is_linked = raw.checksum in computed_checksums
        has_salts = raw.salts == self._salts
        if not (is_linked and has_salts):
            self._does_sqlite_read = False

        # If this frame follows from the stored checksum of one in doubt, then no bit of that
        # checksum was flipped, but one of its page.
        if self._previous is _Previous.IN_DOUBT and raw.checksum == computed_checksums[0]:
            self.frames.pop()
            self.is_complete = False

        # A linked frame with other salts has a flipped bit in a salt, which no checksum covers.
        was_skipped = self._previous is _Previous.SKIPPED
        is_of_log = has_salts or (is_linked and not was_skipped)
        if not is_of_log:
            self._previous = _Previous.SKIPPED
            self._previous_checksums = [raw.checksum]
            return
        if was_skipped:
            self.is_complete = False  # a frame of this log follows: what was skipped is missing
        self._add_of_log(raw, computed_checksums[0], is_linked=is_linked)

    def _add_of_log(self, raw: _RawFrame, computed: Checksum, *, is_linked: bool) -> None:
        """Add a frame of this log, mended if need be; one that cannot be mended is lost."""
        is_previous_proven = self._previous in {_Previous.TAKEN, _Previous.IN_DOUBT}
        frame: Frame | None = Frame(raw.page, raw.database_pages, raw.offset)
        self._previous = _Previous.TAKEN
        self._previous_checksums = [raw.checksum]
        if not is_linked and is_previous_proven:
            if differing_bits(computed, raw.checksum) == 1:
                self._previous = _Previous.IN_DOUBT
                self._previous_checksums.append(computed)
            else:
                frame = self._mended(raw, computed)
        if frame is None:
            self._previous = _Previous.LOST
            self.is_complete = False
            return
        self.frames.append(frame)
        if self._does_sqlite_read:
            self.sqlite_count += 1

    def _mended(self, raw: _RawFrame, computed: Checksum) -> Frame | None:
        """Return the frame with one flipped bit put back; None if more is wrong with it."""
        flip = self._checksums.find_flip(raw.words, computed, raw.checksum)
        if flip is None:
            return None
        # Bit 0 is the lowest one of a word: in its first byte or in its last one.
        if self._word_type == "<u4":
            byte_of_word = flip.bit // 8
        else:
            byte_of_word = 3 - flip.bit // 8
        bit_of_byte = flip.bit % 8
        byte = WORD_BYTES * flip.word + byte_of_word
        byte_of_page = byte - _NUMBERS.size  # the words begin with the numbers of the frame
        if byte_of_page >= 0:
            flipped_bit = 8 * byte_of_page + bit_of_byte
            return Frame(raw.page, raw.database_pages, raw.offset, flipped_bit)
        numbers = bytearray(_NUMBERS.pack(raw.page, raw.database_pages))
        numbers[byte] ^= 1 << bit_of_byte
        page, database_pages = _NUMBERS.unpack(numbers)
        return Frame(page, database_pages, raw.offset)


def _raw_frames(opened: BinaryIO, header: Header) -> Iterator[_RawFrame]:
    """Yield all frames of a file that was read up to the end of its header.

    The last frame is left out if the file ends within it.
    """
    size = _FRAME_HEADER.size + header.page_size
    offset = _HEADER.size
    weights = frame_checksums(header.page_size).word_weights
    frames_at_a_time = max(1, _BLOCK_BYTES // size)
    while data := opened.read(size * frames_at_a_time):
        count = len(data) // size
        # A row for each frame: the sums of all are one product of matrices.
        block = np.frombuffer(data[: count * size], np.uint8).reshape(count, size)
        numbers = block[:, : _NUMBERS.size]
        pages = block[:, _FRAME_HEADER.size :]
        words = np.hstack([numbers, pages]).view(header.word_type).astype(np.uint32)
        sums = words @ weights
        for number in range(count):
            frame_header = block[number, : _FRAME_HEADER.size].tobytes()
            page, database_pages, *salts_and_checksum = _FRAME_HEADER.unpack(frame_header)
            first_salt, second_salt, first_checksum, second_checksum = salts_and_checksum
            yield _RawFrame(
                page=page,
                database_pages=database_pages,
                salts=(first_salt, second_salt),
                checksum=(first_checksum, second_checksum),
                words=words[number],
                words_sum=(int(sums[number, 0]), int(sums[number, 1])),
                offset=offset + _FRAME_HEADER.size,
            )
            offset += size


# --- headers ------------------------------------------------------------------------------------


def _possible_headers(data: bytes) -> list[Header]:
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
    header = Header(*_HEADER.unpack(data))
    if header.magic & ~1 != _MAGIC or header.page_size not in _PAGE_SIZES:
        return None
    summed_data = data[: _HEADER.size - _CHECKSUM_BYTES]
    words = np.frombuffer(summed_data, header.word_type).astype(np.uint32)
    first, second = (words @ word_weights(len(words))).tolist()
    if (first, second) != header.checksum:
        return None
    return header


def _salts_of(frame_header: bytes) -> Salts | None:
    """Return the salts of a frame; None if its header is not all there."""
    if len(frame_header) < _FRAME_HEADER.size:
        return None
    _page, _size, first_salt, second_salt, *_checksum = _FRAME_HEADER.unpack(frame_header)
    return first_salt, second_salt
