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
"""Of one file. The largest game known has 30,000."""

LONGEST_LISTING = 8 * 2**20
"""In bytes: the directory at the end of a zip file, which is read at once."""

_OVERHEAD = 2**16
"""So many bytes longer than its content a packed entry can be."""

_LOCAL_HEADER = struct.Struct("<4s22xHH")
"""Of an entry's local header: the signature, the lengths of its name and its extra field."""


class _ZipFile(io.FileIO):
    """A zip file whose directory cannot be read at once if it is too long."""

    def read(self, size: int | None = -1) -> bytes:
        """Read as ``FileIO.read``. Raises ValueError for more bytes than a directory can have."""
        most = LONGEST_LISTING + 1
        data = super().read(most if size is None or size < 0 else min(size, most))
        if len(data) == most:
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


def entry_bytes(path: str | Path, entry: zipfile.ZipInfo, most: int) -> bytes:
    """Return the bytes of an entry of the zip file at ``path``. Raises ProblemError.

    It is raised for one that is missing, damaged or has more than ``most`` bytes. The directory is
    not read again; the sizes there can be wrong, so what is unpacked is limited, too.
    """
    entry_name = f"{path}!{entry.filename}"
    short_name = f"{entry.filename} in {Path(path).name}"
    if entry.file_size > most or entry.compress_size > most + _OVERHEAD:
        raise error("too-large", f"{short_name} has more than {most:,} bytes", path=entry_name)
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            file.seek(entry.header_offset)
            mark, name, extra = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
            if mark != b"PK\x03\x04" or entry.flag_bits & 1:
                raise ValueError("no entry starts there, or it is encrypted")
            file.seek(name + extra, os.SEEK_CUR)
            data = file.read(entry.compress_size)
        if entry.compress_type == zipfile.ZIP_DEFLATED:
            data = zlib.decompressobj(-15).decompress(data, entry.file_size + 1)
        elif entry.compress_type != zipfile.ZIP_STORED:
            raise ValueError("it is packed in an unknown way")
        if len(data) != entry.file_size or zlib.crc32(data) != entry.CRC:
            raise ValueError("it is damaged")
    except (OSError, ValueError, struct.error, zlib.error) as failed:
        raise error("bad-archive", f"{short_name} cannot be read", path=entry_name) from failed
    return data
