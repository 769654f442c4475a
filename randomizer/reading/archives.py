"""Reads zip files of games, which can come from anywhere, within limits of memory.

    for entry in archive_entries(path):
        data = entry_bytes(path, entry, max_bytes=1 << 20)

A small zip file can have millions of entries, or entries of gigabytes. So the number of entries,
and the size that each declares, are looked at first, and never more is unpacked than was declared.
"""

from __future__ import annotations

import io
import os
import stat
import struct
import zipfile
import zlib
from pathlib import Path

from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import error

MAX_ENTRIES = 50_000
"""The largest number of entries of one zip file. The largest game that we know has 30,000.

Each entry becomes an object in memory when the file is listed, so a larger limit needs more.
"""

LONGEST_LISTING = 8 * 2**20
"""The largest size in bytes of the directory at the end of a zip file, which is read at once.

A larger limit would let a small file take more memory: the directory is a part of the file, but
the objects made of it are several times as large.
"""

_OVERHEAD = 2**16
"""The number of bytes by which a packed entry can be longer than its content.

Deflate adds a few bytes to data that it cannot pack.
"""

_LOCAL_HEADER = struct.Struct("<4s22xHH")
"""The header before an entry's data: its signature, and the lengths of its name and extra field."""

_SIGNATURE = b"PK\x03\x04"
"""The first bytes of a local header."""

_ENCRYPTED = 1
"""The bit of an entry's flags for one that needs a password."""

_RAW_DEFLATE = -15
"""``wbits`` of zlib for the data in zip files: without a header, with the largest window."""


class _ZipFile(io.FileIO):
    """A file that ``zipfile`` reads: it refuses to be read in pieces longer than a directory.

    Every read is limited, since which of them is that of the directory cannot be seen. ``zipfile``
    reads the directory, the list of all entries, as one piece.
    """

    def read(self, size: int | None = -1) -> bytes:
        """Read as ``FileIO.read``. Raises ValueError for more bytes than a directory can have."""
        limit = LONGEST_LISTING + 1
        if size is None or size < 0 or size > limit:
            size = limit
        data = super().read(size)
        if len(data) == limit:
            raise ValueError("its directory is too long")
        return data


def archive_entries(path: str | Path) -> list[zipfile.ZipInfo]:
    """Return the entries of a zip file.

    Raises ProblemError for a file that is damaged, or has more than ``MAX_ENTRIES`` entries.
    """
    name = Path(path).name
    file_name = str(path)
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):  # opening a pipe would wait for its writer
            raise error("bad-archive", f"{name} is no file", path=file_name)
        with _ZipFile(path) as file, zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError) as failed:
        message = f"{name} is no zip file that can be read"
        raise error("bad-archive", message, path=file_name) from failed
    except OSError as failed:
        message = f"{name} cannot be read: {words_of(failed)}"
        raise error("bad-archive", message, path=file_name) from failed
    if len(entries) > MAX_ENTRIES:
        message = f"{name} holds more than {MAX_ENTRIES:,} files"
        raise error("bad-archive", message, path=file_name)
    return entries


def entry_bytes(path: str | Path, entry: zipfile.ZipInfo, max_bytes: int) -> bytes:
    """Return the unpacked bytes of an entry of the zip file at ``path``.

    Raises ProblemError for an entry that is missing, damaged or larger than ``max_bytes``. The
    entry is read by its offset: ``zipfile`` would read the whole directory for each entry.
    """
    entry_name = f"{path}!{entry.filename}"
    short_name = f"{entry.filename} in {Path(path).name}"
    if entry.file_size > max_bytes or entry.compress_size > max_bytes + _OVERHEAD:
        message = f"{short_name} has more than {max_bytes:,} bytes"
        raise error("too-large", message, path=entry_name)
    try:
        return _unpacked(_packed_bytes(path, entry), entry)
    except (OSError, ValueError, struct.error, zlib.error) as failed:
        raise error("bad-archive", f"{short_name} cannot be read", path=entry_name) from failed


def _packed_bytes(path: str | Path, entry: zipfile.ZipInfo) -> bytes:
    """Return the bytes of an entry as they stand in the zip file.

    Raises OSError, struct.error for a header that is cut off, and ValueError.
    """
    with open(path, "rb") as file:  # noqa: PTH123 - ``Path`` would take longer, once for each entry
        file.seek(entry.header_offset)
        header = file.read(_LOCAL_HEADER.size)
        signature, name_length, extra_length = _LOCAL_HEADER.unpack(header)
        is_encrypted = entry.flag_bits & _ENCRYPTED
        if signature != _SIGNATURE or is_encrypted:
            raise ValueError("no entry starts there, or it is encrypted")
        file.seek(name_length + extra_length, os.SEEK_CUR)
        return file.read(entry.compress_size)


def _unpacked(data: bytes, entry: zipfile.ZipInfo) -> bytes:
    """Return the unpacked bytes of an entry. Raises ValueError, or zlib.error."""
    if entry.compress_type == zipfile.ZIP_DEFLATED:
        # The size in the directory can be a lie, so unpacking stops one byte after it.
        data = zlib.decompressobj(_RAW_DEFLATE).decompress(data, entry.file_size + 1)
    elif entry.compress_type != zipfile.ZIP_STORED:
        raise ValueError("it is packed in an unknown way")
    if len(data) != entry.file_size or zlib.crc32(data) != entry.CRC:
        raise ValueError("it is damaged")
    return data
