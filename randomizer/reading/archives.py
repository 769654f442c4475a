"""Zip files of games: their entries counted before they are listed, each read within a limit."""

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

MOST_ENTRIES = 50_000
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
"""Of an entry's local header: the signature, the lengths of its name and its extra field."""


class _ZipFile(io.FileIO):
    """A zip file whose directory cannot be read at once if it is too long."""

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
    """Return the entries of a zip file. Raises ProblemError for one that is damaged or has too
    many.
    """
    name = Path(path).name
    file_name = str(path)
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):
            raise error("bad-archive", f"{name} is no file", path=file_name)
        with _ZipFile(path) as file, zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError) as failed:
        message = f"{name} is no zip file that can be read"
        raise error("bad-archive", message, path=file_name) from failed
    except OSError as failed:
        message = f"{name} cannot be read: {words_of(failed)}"
        raise error("bad-archive", message, path=file_name) from failed
    if len(entries) > MOST_ENTRIES:
        message = f"{name} holds more than {MOST_ENTRIES:,} files"
        raise error("bad-archive", message, path=file_name)
    return entries


def entry_bytes(path: str | Path, entry: zipfile.ZipInfo, most_bytes: int) -> bytes:
    """Return the unpacked bytes of an entry of the zip file at ``path``.

    Raises ProblemError for an entry that is missing, damaged or larger than ``most_bytes``. The
    entry is read by its offset: ``zipfile`` would read the whole directory for each entry.
    """
    entry_name = f"{path}!{entry.filename}"
    short_name = f"{entry.filename} in {Path(path).name}"
    if entry.file_size > most_bytes or entry.compress_size > most_bytes + _OVERHEAD:
        message = f"{short_name} has more than {most_bytes:,} bytes"
        raise error("too-large", message, path=entry_name)
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            file.seek(entry.header_offset)
            header = file.read(_LOCAL_HEADER.size)
            signature, name_length, extra_length = _LOCAL_HEADER.unpack(header)
            is_encrypted = entry.flag_bits & 1
            if signature != b"PK\x03\x04" or is_encrypted:
                raise ValueError("no entry starts there, or it is encrypted")
            file.seek(name_length + extra_length, os.SEEK_CUR)
            data = file.read(entry.compress_size)
        if entry.compress_type == zipfile.ZIP_DEFLATED:
            # The size in the directory can be a lie, so unpacking stops one byte after it.
            # -15: a zip file has raw deflate data, without the header of zlib.
            data = zlib.decompressobj(-15).decompress(data, entry.file_size + 1)
        elif entry.compress_type != zipfile.ZIP_STORED:
            raise ValueError("it is packed in an unknown way")
        if len(data) != entry.file_size or zlib.crc32(data) != entry.CRC:
            raise ValueError("it is damaged")
    except (OSError, ValueError, struct.error, zlib.error) as failed:
        raise error("bad-archive", f"{short_name} cannot be read", path=entry_name) from failed
    return data
