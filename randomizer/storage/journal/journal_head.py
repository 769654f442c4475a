"""The head of a journal: how often it was written, beside the database that says the same.

A write is in the log of the database before its number is in the head. So a head that is further
than the database tells of lost writes: by damage that no checksum shows, such as a log cut short.
The head is not forced to the disk and can be damaged itself: then it tells nothing.
"""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from pathlib import Path

from randomizer.storage.disk.regular_files import NotAFileError, open_regular, read_start

HEAD = "head"

_LENGTH = 21
"""The bytes of a head: 12 digits, a blank, the CRC-32 of the digits in 8 digits of base 16."""


def write_head(folder: Path, writes: int) -> None:
    """Write the number of writes. Nothing depends on the head, so a failure is no error."""
    digits = b"%012d" % writes
    with suppress(OSError, NotAFileError):
        handle = open_regular(folder / HEAD, os.O_WRONLY | os.O_CREAT)
        try:
            os.write(handle, b"%s %08x" % (digits, zlib.crc32(digits)))
        finally:
            os.close(handle)


def read_head(folder: Path) -> int | None:
    """Return the number of writes, None if the head does not tell it. Raises OSError."""
    try:
        data = read_start(folder / HEAD, _LENGTH)
    except (FileNotFoundError, NotAFileError):
        return None
    digits, _blank, checksum = data.partition(b" ")
    if not digits.isdigit() or checksum != b"%08x" % zlib.crc32(digits):
        return None
    return int(digits)
