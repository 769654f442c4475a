"""The *head* of a journal: a small file with the number of times that the journal was written.

The database of the journal has the same number. A write is in the database's log before its number
is in the head. So if the head has a higher number than the database, writes were lost: by damage
that no checksum shows, such as a log that was cut short. The head is not forced to the disk and can
be damaged itself: then it tells nothing.
"""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from pathlib import Path

from randomizer.storage.disk.regular_files import NotAFileError, open_regular, read_start

HEAD = "head"
"""The name of the file."""

_LENGTH = 21
"""The bytes of a head: 12 digits, a blank, the CRC-32 of the digits in 8 digits of base 16."""


def write_head(folder: Path, writes: int) -> None:
    """Write the number of writes. A failure is no error: a journal without a head is whole, too."""
    digits = b"%012d" % writes
    with suppress(OSError, NotAFileError):
        handle = open_regular(folder / HEAD, os.O_WRONLY | os.O_CREAT)
        try:
            os.write(handle, b"%s %08x" % (digits, zlib.crc32(digits)))
        finally:
            os.close(handle)


def read_head(folder: Path) -> int | None:
    """Return the number of writes; None if there is no head, or it is damaged. Raises OSError."""
    try:
        data = read_start(folder / HEAD, _LENGTH)
    except (FileNotFoundError, NotAFileError):
        return None
    digits, _blank, checksum = data.partition(b" ")
    if not digits.isdigit() or checksum != b"%08x" % zlib.crc32(digits):
        return None
    return int(digits)
