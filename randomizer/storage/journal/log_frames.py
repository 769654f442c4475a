"""The frames of SQLite's write-ahead log (``journal_log``): which belong to it, and are whole.

A *frame* is a new version of one page of the database. Two things in its header tell whether it
belongs to the log: its *salts*, two random numbers that all frames of one log share, and its
*checksum*, which is computed from the page and from the checksum of the frame before. So the frames
are a chain, and one that is damaged breaks it. SQLite reads no further there; this reader mends
what a single flipped bit has damaged, and goes on::

    reader = FrameReader(headers)
    for raw_frame in raw_frames:
        reader.add(raw_frame)
    reader.frames           # those of the log, whole or mended
    reader.is_complete      # False if one of them is missing
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from randomizer.storage.journal.log_checksums import (
    WORD_BYTES,
    Checksum,
    Flip,
    Words,
    differing_bits,
    frame_checksums,
)
from randomizer.storage.journal.log_header import Header, Salts

NUMBERS = struct.Struct(">2I")
"""The page number and size in a frame's header. The checksum covers these and the page, not the
salts between them."""


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


class RawFrame(NamedTuple):
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


# What is known of the frame before the one that is read, or of the header before the first frame.
# All have the checksums from which the next frame can follow, the likeliest first.


class _InLog(NamedTuple):
    """It is in the log, as it stands or with one bit put back; so is the header."""

    checksums: tuple[Checksum, ...]
    """Its checksum. Of a damaged header there are several, one for each that it can have had."""


class _InDoubt(NamedTuple):
    """It is in the log, but a single bit is wrong in its checksum or in its page.

    For instance 0x7f0a is computed from the page, and 0x7f0b is stored. Either the last bit of the
    stored checksum was flipped, or a bit of the page whose flip changes the sum by as much. The
    next frame tells which: its checksum is a sum that goes on from the right one of the two.
    """

    stored: Checksum
    """The checksum that the frame has in the file."""

    computed: Checksum
    """That of its page, and of the frame before it."""

    @property
    def checksums(self) -> tuple[Checksum, ...]:
        """The checksums from which the next frame can follow."""
        return (self.stored, self.computed)


class _Lost(NamedTuple):
    """It belongs to the log and cannot be mended.

    Nothing can prove the next frame, which is added as it stands: the steps in the database have
    digests of their own.
    """

    checksums: tuple[Checksum]
    """The checksum that it has in the file."""


class _Skipped(NamedTuple):
    """It has other salts: it is of an earlier log, unless a frame of this log follows."""

    checksums: tuple[Checksum]
    """The checksum that it has in the file."""


class FrameReader:
    """Decides frame by frame what belongs to a log.

    A frame is *linked* if its checksum follows from that of the frame before it. One that is not
    linked can be mended if a single flipped bit explains that: a bit of its stored checksum, of its
    page, or of the numbers in its header. Each frame is handled by what is known of the frame
    before, and gives what is known for the next one:

        frame before        linked        a bit of its      a bit of its page     more is wrong
                                          checksum          or of its numbers

        _InLog, _InDoubt    _InLog        _InDoubt          _InLog, mended        _Lost
        _Lost, _Skipped     _InLog        _InLog, as it stands, whatever its checksum is

        method              _add_linked   _add_damaged, or _add_unproven after _Lost and _Skipped

    A frame that does not belong to the log is _Skipped.
    """

    def __init__(self, headers: list[Header]) -> None:
        """``headers`` are those that the log can have had, the likeliest first.

        Which one is right is told by the first frame, as far as their checksums differ; page size
        and salts are those of the likeliest.
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

        # What is known at the frame that is read next:
        self._before: _InLog | _InDoubt | _Lost | _Skipped
        """What is known of the frame before, or of the header."""
        self._before = _InLog(tuple(header.checksum for header in headers))
        self._is_readable_by_sqlite = True
        """True until the first frame that is not linked: there SQLite ends the log."""

    def add(self, raw: RawFrame) -> None:
        """Add the next frame of the file to the log if it belongs there."""
        # The checksums with which it is linked, by those of the frame before. The first one follows
        # from the likeliest.
        linked_checksums: list[Checksum] = []
        for checksum in self._before.checksums:
            linked_checksums.append(self._checksums.next_checksum(checksum, raw.words_sum))
        is_linked = raw.checksum in linked_checksums
        has_salts = raw.salts == self._salts
        if not (is_linked and has_salts):
            self._is_readable_by_sqlite = False

        if not self._belongs_to_log(has_salts=has_salts, is_linked=is_linked):
            self._before = _Skipped((raw.checksum,))
        elif is_linked:
            self._add_linked(raw, linked_checksums[0])
        elif isinstance(self._before, _Lost | _Skipped):
            self._add_unproven(raw)
        else:
            self._add_damaged(raw, linked_checksums[0])

    def _belongs_to_log(self, *, has_salts: bool, is_linked: bool) -> bool:
        """Return whether the present frame is of this log, and not left from an earlier one.

        A linked frame with other salts has a flipped bit in a salt, which no checksum covers. But
        behind a skipped frame it is linked to that one.
        """
        if has_salts:
            return True
        return is_linked and not isinstance(self._before, _Skipped)

    def _add_linked(self, raw: RawFrame, likeliest_checksum: Checksum) -> None:
        """Add a frame that follows from the frame before, and so is whole.

        ``likeliest_checksum`` is the one that follows from the likeliest checksum of that.
        """
        if isinstance(self._before, _InDoubt) and raw.checksum == likeliest_checksum:
            # It follows from the stored checksum of the frame before, which therefore is right: a
            # bit of the page of that frame is wrong, and nothing tells which one.
            self.frames.pop()
            self.is_complete = False
        if isinstance(self._before, _Skipped):
            self.is_complete = False  # the skipped frames were of this log, and are missing in it
        self._append(Frame(raw.page, raw.database_pages, raw.offset))
        self._before = _InLog((raw.checksum,))

    def _add_unproven(self, raw: RawFrame) -> None:
        """Add a frame as it stands: what its checksum would follow from is lost or skipped."""
        if isinstance(self._before, _Skipped):
            self.is_complete = False
        self._append(Frame(raw.page, raw.database_pages, raw.offset))
        self._before = _InLog((raw.checksum,))

    def _add_damaged(self, raw: RawFrame, computed: Checksum) -> None:
        """Add a frame that is not linked, mended if need be; one that cannot be mended is lost.

        ``computed`` is the checksum that it has if the frame before has its likeliest one. If that
        is in doubt and the other is right, then two frames in a row are damaged: this one is lost.
        """
        if differing_bits(computed, raw.checksum) == 1:
            self._append(Frame(raw.page, raw.database_pages, raw.offset))
            self._before = _InDoubt(stored=raw.checksum, computed=computed)
            return
        mended_frame = self._mended(raw, computed)
        if mended_frame is None:
            self.is_complete = False
            self._before = _Lost((raw.checksum,))
        else:
            self._append(mended_frame)
            self._before = _InLog((raw.checksum,))

    def _append(self, frame: Frame) -> None:
        """Append a frame to those of the log, and count it if SQLite reads it, too."""
        self.frames.append(frame)
        if self._is_readable_by_sqlite:
            self.sqlite_count += 1

    def _mended(self, raw: RawFrame, computed: Checksum) -> Frame | None:
        """Return the frame with one flipped bit put back; None if more is wrong with it."""
        flip = self._checksums.find_flip(raw.words, computed, raw.checksum)
        if flip is None:
            return None
        byte, bit = self._byte_and_bit(flip)
        byte_of_page = byte - NUMBERS.size  # the words begin with the numbers of the frame
        if byte_of_page >= 0:
            flipped_bit = 8 * byte_of_page + bit
            return Frame(raw.page, raw.database_pages, raw.offset, flipped_bit)
        numbers = bytearray(NUMBERS.pack(raw.page, raw.database_pages))
        numbers[byte] ^= 1 << bit
        page, database_pages = NUMBERS.unpack(numbers)
        return Frame(page, database_pages, raw.offset)

    def _byte_and_bit(self, flip: Flip) -> tuple[int, int]:
        """Return the byte among the words of a frame, and the bit of that byte.

        Bit 0 is the lowest one of a word, which is in its first byte or in its last one::

            bits of the word     0-7     8-15    16-23   24-31
            "<u4"                byte 0  byte 1  byte 2  byte 3
            ">u4"                byte 3  byte 2  byte 1  byte 0
        """
        byte_of_word = flip.bit // 8
        if self._word_type == ">u4":
            byte_of_word = WORD_BYTES - 1 - byte_of_word
        return WORD_BYTES * flip.word + byte_of_word, flip.bit % 8
