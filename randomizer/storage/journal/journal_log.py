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
behind damage (log_frames.py). A damaged header is put right in log_header.py.

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
from pathlib import Path
from typing import BinaryIO

import numpy as np

from randomizer.storage.disk.regular_files import open_regular
from randomizer.storage.journal.log_checksums import (
    frame_checksums,
)
from randomizer.storage.journal.log_frames import NUMBERS, Frame, FrameReader, RawFrame
from randomizer.storage.journal.log_header import HEADER, Header, Salts, possible_headers

_FRAME_HEADER = struct.Struct(">6I")
"""The six words before a page."""

_BLOCK_BYTES = 2**20
"""How many bytes of a log are read at a time; more are faster until the processor's cache is full.
"""

_FORMAT_VERSIONS_OFFSET = 18
"""The position in a database of the two bytes that say how it is written and read."""

_FORMATS_WITHOUT_LOG = b"\1\1"
"""These two bytes in a database that has no log; they are 2 if it has one."""


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
        data = opened.read(HEADER.size)
        if len(data) < HEADER.size:
            return Log(file)
        headers = possible_headers(data)
        if not headers:
            return Log(file, is_complete=False)
        frame_data = opened.read(_FRAME_HEADER.size)
        opened.seek(HEADER.size)
        # There can be several headers from which a damaged one came. The likeliest has the salts of
        # the first frame: the sort puts it first, since False is less than True.
        salts = _salts_of(frame_data)
        headers.sort(key=lambda header: header.salts != salts)
        header = headers[0]
        reader = FrameReader(headers)
        for frame in _raw_frames(opened, header):
            reader.add(frame)
    sqlite_count = reader.sqlite_count
    if header != HEADER.unpack(data):
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
    max_pages = target.stat().st_size // max(1, log.page_size) + len(frames)
    with target.open("r+b") as merged, log.file.open("rb") as opened:
        for frame in frames:
            if not 1 <= frame.page <= max_pages:
                continue
            opened.seek(frame.offset)
            page = bytearray(opened.read(log.page_size))
            if frame.flipped_bit is not None:
                byte, bit = divmod(frame.flipped_bit, 8)
                page[byte] ^= 1 << bit
            merged.seek((frame.page - 1) * log.page_size)
            merged.write(page)
        if frames and frames[-1].database_pages <= max_pages:
            merged.truncate(frames[-1].database_pages * log.page_size)
        # Otherwise SQLite would look for a log beside the merged database.
        merged.seek(_FORMAT_VERSIONS_OFFSET)
        merged.write(_FORMATS_WITHOUT_LOG)


def _raw_frames(opened: BinaryIO, header: Header) -> Iterator[RawFrame]:
    """Yield all frames of a file that was read up to the end of its header.

    The last frame is left out if the file ends within it.
    """
    size = _FRAME_HEADER.size + header.page_size
    offset = HEADER.size
    weights = frame_checksums(header.page_size).word_weights
    frames_at_a_time = max(1, _BLOCK_BYTES // size)
    while data := opened.read(size * frames_at_a_time):
        count = len(data) // size
        # A row for each frame: the sums of all are one product of matrices.
        block = np.frombuffer(data[: count * size], np.uint8).reshape(count, size)
        numbers = block[:, : NUMBERS.size]
        pages = block[:, _FRAME_HEADER.size :]
        words = np.hstack([numbers, pages]).view(header.word_type).astype(np.uint32)
        sums = words @ weights
        for number in range(count):
            frame_header = block[number, : _FRAME_HEADER.size].tobytes()
            page, database_pages, *salts_and_checksum = _FRAME_HEADER.unpack(frame_header)
            first_salt, second_salt, first_checksum, second_checksum = salts_and_checksum
            yield RawFrame(
                page=page,
                database_pages=database_pages,
                salts=(first_salt, second_salt),
                checksum=(first_checksum, second_checksum),
                words=words[number],
                words_sum=(int(sums[number, 0]), int(sums[number, 1])),
                offset=offset + _FRAME_HEADER.size,
            )
            offset += size


def _salts_of(frame_header: bytes) -> Salts | None:
    """Return the salts of a frame; None if its header is not all there."""
    if len(frame_header) < _FRAME_HEADER.size:
        return None
    _page, _size, first_salt, second_salt, *_checksum = _FRAME_HEADER.unpack(frame_header)
    return first_salt, second_salt
