"""The frames of SQLite's write-ahead log (``journal_log``): which belong to it, and are whole."""

from __future__ import annotations

import struct
from enum import Enum, auto
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


class FrameReader:
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

    By the state of the frame before, a frame that belongs to the log becomes:

        before               linked      a bit of its checksum   a bit of its page   more is wrong
        TAKEN, IN_DOUBT      TAKEN       IN_DOUBT                TAKEN, mended       LOST
        LOST, SKIPPED        TAKEN       TAKEN, as it stands, whatever its checksum is

    A frame that does not belong to the log is SKIPPED.
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

        # What is known of the frame before, or of the header:
        self._previous = _Previous.TAKEN
        self._previous_checksums: list[Checksum] = [header.checksum for header in headers]
        """The checksums that it can have, the likeliest first.

        Of a frame in doubt these are its stored one, then the computed one; of any other frame its
        stored one alone.
        """

        self._does_sqlite_read = True
        """True until the first frame that is not linked: there SQLite ends the log."""

    def add(self, raw: RawFrame) -> None:
        """Add the next frame of the file to the log if it belongs there."""
        # The checksums that this frame can have. The first one follows from the likeliest checksum
        # of the frame before.
        computed_checksums = [
            self._checksums.next_checksum(checksum, raw.words_sum)
            for checksum in self._previous_checksums
        ]
        likeliest_checksum = computed_checksums[0]
        is_linked = raw.checksum in computed_checksums
        has_salts = raw.salts == self._salts
        if not (is_linked and has_salts):
            self._does_sqlite_read = False
        if self._previous is _Previous.IN_DOUBT and raw.checksum == likeliest_checksum:
            self._drop_frame_in_doubt()

        if not self._belongs_to_log(has_salts=has_salts, is_linked=is_linked):
            self._previous = _Previous.SKIPPED
        else:
            if self._previous is _Previous.SKIPPED:
                self.is_complete = False  # what was skipped is missing in this log
            if is_linked or self._previous in {_Previous.LOST, _Previous.SKIPPED}:
                self._take(Frame(raw.page, raw.database_pages, raw.offset))
            else:
                self._take_damaged(raw, likeliest_checksum)
        self._previous_checksums = [raw.checksum]
        if self._previous is _Previous.IN_DOUBT:
            self._previous_checksums.append(likeliest_checksum)

    def _drop_frame_in_doubt(self) -> None:
        """Drop the frame before: the present one follows from its stored checksum.

        So no bit of that checksum was flipped, but one of its page.
        """
        self.frames.pop()
        self.is_complete = False

    def _belongs_to_log(self, *, has_salts: bool, is_linked: bool) -> bool:
        """Return whether the present frame is of this log, and not left from an earlier one.

        A linked frame with other salts has a flipped bit in a salt, which no checksum covers. But
        behind a skipped frame it is linked to that one.
        """
        if has_salts:
            return True
        return is_linked and self._previous is not _Previous.SKIPPED

    def _take(self, frame: Frame) -> None:
        """Add a frame to the log."""
        self.frames.append(frame)
        self._previous = _Previous.TAKEN
        if self._does_sqlite_read:
            self.sqlite_count += 1

    def _take_damaged(self, raw: RawFrame, computed: Checksum) -> None:
        """Add a frame that is not linked, mended if need be; one that cannot be mended is lost.

        ``computed`` is the checksum that it has if the frame before has its likeliest one. If that
        is in doubt and the other is right, then two frames in a row are damaged: this one is lost.
        """
        if differing_bits(computed, raw.checksum) == 1:
            self._take(Frame(raw.page, raw.database_pages, raw.offset))
            self._previous = _Previous.IN_DOUBT
            return
        mended_frame = self._mended(raw, computed)
        if mended_frame is not None:
            self._take(mended_frame)
            return
        self._previous = _Previous.LOST
        self.is_complete = False

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
