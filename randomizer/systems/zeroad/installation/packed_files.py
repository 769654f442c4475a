"""The files in the .zip files of a mod.

    archives = (Archive("/games/0ad/public.zip", size, time_ns),)
    file = packed_files(archives).files["maps/random/islands.js"]
    data = packed_bytes(file)

A list of the entries is kept, since a game has thousands of files and they are read one by one.
"""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from randomizer.model.basics.caches import registered
from randomizer.model.basics.sized_cache import sized_cache
from randomizer.model.problems import ProblemError
from randomizer.reading.archives import archive_entries, entry_bytes
from randomizer.systems.zeroad.installation.mod_paths import READ_FOLDERS, is_safe

FILE_LIMIT = 64 * 2**20
"""The most bytes of one file that are read; a larger one is treated as not there."""

MAX_PACKED = 120_000
"""The most entries of all .zip files of a mod together. The largest game known has 36,000."""

MAX_CACHED = 60_000
"""The most entries that are cached, of all mods together.

The game alone (release 26) has 16,769 that are read; where it and another mod do not fit, each read
of one forgets the other.
"""


class Archive(NamedTuple):
    """A .zip file of a mod as it was when it was looked at: the key of its cached entries."""

    path: str

    size: int
    """In bytes."""

    time_ns: int
    """The time of its last change."""


class PackedFile(NamedTuple):
    """A file in a .zip file."""

    archive: str
    """The path of the .zip file."""

    entry: zipfile.ZipInfo


class PackedFiles(NamedTuple):
    """The files in all .zip files of a mod."""

    files: Mapping[str, PackedFile]
    """By their paths from the mod's root."""

    fault: str = ""
    """Why some .zip files are not read, for a message; "" if all are read."""


@registered(bytes_a_unit=600)
@sized_cache(max_entries=4, max_size=MAX_CACHED, size_of=lambda packed: len(packed.files))
def packed_files(archives: tuple[Archive, ...]) -> PackedFiles:
    """Return the files in the .zip files of a mod; of two with one path, that of the later one.

    An archive is read again only if its size or time of change is another. One that cannot be read
    has no files. If there are more than ``MAX_PACKED`` entries, the archive with which they become
    too many is left out, and so are those behind it.
    """
    files: dict[str, PackedFile] = {}
    count = 0
    for archive in archives:
        try:
            entries = archive_entries(archive.path)
        except ProblemError:
            continue
        count += len(entries)
        if count > MAX_PACKED:
            limit = f"a mod has at most {MAX_PACKED:,} packed files"
            fault = f"{Path(archive.path).name} and what follows is left out, {limit}"
            return PackedFiles(files, fault)
        for entry in entries:
            if _is_readable(entry):
                files[entry.filename] = PackedFile(archive.path, entry)
    return PackedFiles(files)


def _is_readable(entry: zipfile.ZipInfo) -> bool:
    """Return whether an entry of a .zip file is a plain file that somebody reads.

    Entries with an unsafe name, encrypted ones, links and folders are not.
    """
    path = entry.filename
    if "/" in path and not path.startswith(READ_FOLDERS):
        return False
    if path != entry.orig_filename or not is_safe(path):  # they differ by a backslash or a NUL
        return False
    is_encrypted = entry.flag_bits & 1
    is_link = stat.S_ISLNK(entry.external_attr >> 16)  # Unix has a file's kind there
    return not is_encrypted and not is_link


def packed_bytes(file: PackedFile) -> bytes | None:
    """Return the bytes of a file in a .zip file, None if it cannot be read."""
    try:
        return entry_bytes(file.archive, file.entry, FILE_LIMIT)
    except ProblemError:
        return None
