"""The files of one mod: a folder, a .zip file, or a folder with .zip files in it (Debian's form).

Paths are those of the game: relative to the mod's root, with ``/``. A path that could leave the mod
(absolute, ``..``, a backslash, a drive, a symbolic link that leads out) is treated as a file that
is not there, in a zip as well; a link in a zip never is a file.
"""

from __future__ import annotations

import hashlib
import os
import stat
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from randomizer.model.basics.caches import registered
from randomizer.model.basics.sized_cache import sized_cache
from randomizer.model.problems import ProblemError
from randomizer.reading.archives import archive_entries, entry_bytes
from randomizer.reading.files import read_file

FILE_LIMIT = 64 * 2**20
"""The most bytes of one file that are read; a larger one is treated as not there."""

MOST_PACKED = 120_000
"""Entries of all .zip files of a mod together. The largest game known has 36,000."""

MOST_KEPT = 60_000
"""Entries that stay known, of all mods together: the game alone (release 26) has 16,769 that are
read, and where it and another mod do not fit, each read of one forgets the other."""

SCRIPT_FOLDERS = ("globalscripts", "maps", "simulation")
"""The folders of a mod whose files scripts can read; ``stamp`` looks at these only."""

TERRAINS = "art/terrains/"
ACTORS = "art/actors/"
PREVIEWS = "art/textures/ui/session/icons/mappreview/"

_READ = (*(f"{folder}/" for folder in SCRIPT_FOLDERS), TERRAINS, ACTORS, PREVIEWS)
"""What is read of mods; of their zip files' thousands of other entries nothing is kept."""

_AT = "\0"
"""Parts the path and ``at`` in a ``spec``: no path has it."""


def is_safe(path: str) -> bool:
    """Return whether a path can only name something inside a mod."""
    parts = path.split("/")
    return not any(bad in path for bad in "\\:\0") and not any(
        part in ("", ".", "..") for part in parts
    )


Archives = tuple[tuple[str, int, int], ...]


class _Packed(NamedTuple):
    """The files of zip files by path, and the name of the first one that is left out, or ""."""

    files: Mapping[str, tuple[str, zipfile.ZipInfo]]
    left_out: str = ""


class ModFiles:
    """The files of the mod at ``path``. Loose files of a folder go over those of its .zip files.

    What cannot be read is treated as not there: a mod that is removed while the program runs has
    no files. ``at`` is the folder of a mod for which the folder at ``path`` stands: one with
    nothing but scripts stands for maps/random. ``spec`` is a text from which another process makes
    the same object.
    """

    def __init__(self, path: str | Path, at: str = "") -> None:
        named, _mark, spec_at = str(path).partition(_AT)
        self.path = Path(named)
        self._at = at or spec_at

    @property
    def spec(self) -> str:
        """The first argument of a constructor that makes the same object."""
        if self._at:
            return f"{self.path}{_AT}{self._at}"
        return str(self.path)

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, None if there is none."""
        if not is_safe(path):
            return None
        loose = self._loose(path)
        if loose is not None:
            return _bytes_of(loose)
        packed = _index(self._archives()).files.get(path)
        if packed is None:
            return None
        return _entry_bytes(*packed)

    def exists(self, path: str) -> bool:
        """Return whether there is a file (not a folder) of this name."""
        if not is_safe(path):
            return False
        return self._loose(path) is not None or path in _index(self._archives()).files

    def list(self, folder: str, recursive: bool = True) -> tuple[str, ...]:
        """Return the paths of all files below a folder, sorted; ``recursive=False``: of those in
        it.
        """
        folder = folder.rstrip("/")
        if not is_safe(folder):
            return ()
        start = f"{folder}/"
        paths = {path for path, _size, _time in self._walk(folder, recursive)}
        for path in _index(self._archives()).files:
            if path.startswith(start) and (recursive or "/" not in path[len(start) :]):
                paths.add(path)
        return tuple(sorted(paths))

    def fault(self) -> str:
        """Return which of its .zip files are too many to be read, in words; "" if none is."""
        left_out = _index(self._archives()).left_out
        limit_message = f"a mod has at most {MOST_PACKED:,} packed files"
        if left_out:
            return f"{self.path.name}: {left_out} and what follows is left out, {limit_message}"
        return ""

    def stamp(self) -> str:
        """Return a text that changes when a file that scripts can read is changed, added or
        removed.
        """
        digest = hashlib.sha256(repr(self._archives()).encode())
        for folder in SCRIPT_FOLDERS:
            for entry in sorted(self._walk(folder, recursive=True)):
                digest.update(repr(entry).encode())
        return digest.hexdigest()

    def _loose(self, path: str) -> Path | None:
        """Return a file of the folder, if it is one and lies inside when all links are followed."""
        if self._at:
            if not path.startswith(f"{self._at}/"):
                return None
            path = path[len(self._at) + 1 :]
        if not os.path.lexists(f"{self.path}/{path.partition('/')[0]}"):
            return None  # of a packed game, at once: to follow links takes 30 times as long
        file = self._inside(path)
        try:
            return file if file is not None and file.is_file() else None
        except OSError:
            return None

    def _inside(self, path: str) -> Path | None:
        """Return the file or folder at a path of the folder, if it lies inside when links are
        followed.
        """
        try:
            resolved = (self.path / path).resolve(strict=True)
            if resolved.is_relative_to(self.path.resolve(strict=True)):
                return resolved
            return None
        except (OSError, RuntimeError):  # not there, a circle of links
            return None

    def _walk(self, folder: str, recursive: bool) -> Iterator[tuple[str, int, int]]:
        """Yield the loose files below a folder: path, size and time of change."""
        if self._at and not f"{folder}/".startswith(f"{self._at}/"):
            if recursive and self._at.startswith(f"{folder}/"):
                yield from self._walk(self._at, recursive)
            return
        place = self._inside(folder[len(self._at) :].lstrip("/"))
        waiting = [] if place is None else [(folder, str(place))]
        while waiting:  # folders that are no links: all lie in the first one
            folder, below = waiting.pop()
            try:
                with os.scandir(below) as listing:
                    entries = [each for each in listing if is_safe(each.name)]
            except OSError:  # a file, or too deep for a path
                continue
            for entry in entries:
                path = f"{folder}/{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    if recursive:
                        waiting.append((path, entry.path))
                    continue
                if entry.is_symlink() and self._loose(path) is None:
                    continue
                try:
                    status = entry.stat()
                except OSError:  # removed meanwhile
                    continue
                if stat.S_ISREG(status.st_mode):
                    yield path, status.st_size, status.st_mtime_ns

    def _archives(self) -> Archives:
        """Return the zip files of the mod, sorted: path, size and time of change."""
        if self._at:
            return ()
        try:
            if self.path.is_file():
                stats = [(str(self.path), self.path.stat())]
            else:
                with os.scandir(self.path) as listing:  # no Path of each: every read comes here
                    files = sorted(entry.path for entry in listing if entry.name.endswith(".zip"))
                stats = [(file, os.stat(file)) for file in files]  # noqa: PTH116
        except OSError:
            return ()
        return tuple(
            (file, status.st_size, status.st_mtime_ns)
            for file, status in stats
            if stat.S_ISREG(status.st_mode)  # to open a pipe could take for ever
        )


def _bytes_of(file: Path) -> bytes | None:
    try:
        return read_file(file, FILE_LIMIT)
    except ProblemError:
        return None


@registered(bytes_a_unit=600)
@sized_cache(most=4, size=MOST_KEPT, size_of=lambda packed: len(packed.files))
def _index(archives: Archives) -> _Packed:
    """Return the entries of a mod's zip files, read once for their sizes and times of change.

    Entries with an unsafe name, encrypted ones, links and folders are left out, and what nobody
    reads; so is all of a file that is no zip, or has too many, and what follows a file with which
    there are more than ``MOST_PACKED``.
    """
    files: dict[str, tuple[str, zipfile.ZipInfo]] = {}
    count = 0
    for archive, _size, _changed in archives:
        try:
            entries = archive_entries(archive)
        except ProblemError:
            continue
        count += len(entries)
        if count > MOST_PACKED:
            return _Packed(files, Path(archive).name)
        files |= {
            entry.filename: (archive, entry)
            for entry in entries
            if (entry.filename.startswith(_READ) or "/" not in entry.filename)
            and entry.filename == entry.orig_filename  # else with a backslash or a NUL
            and is_safe(entry.filename)
            and not entry.flag_bits & 1
            and not stat.S_ISLNK(entry.external_attr >> 16)  # Unix keeps a file's kind there
        }
    return _Packed(files)


def _entry_bytes(archive: str, entry: zipfile.ZipInfo) -> bytes | None:
    try:
        return entry_bytes(archive, entry, FILE_LIMIT)
    except ProblemError:
        return None
