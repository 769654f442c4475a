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
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from randomizer.archive_reading import archive_entries, entry_bytes
from randomizer.file_reading import read_file
from randomizer.model.problems import ProblemError

FILE_LIMIT = 64 * 2**20
"""The most bytes of one file that are read; a larger one is treated as not there."""

SCRIPT_FOLDERS = ("globalscripts", "maps", "simulation")
"""The folders of a mod whose files scripts can read; ``stamp`` looks at these only."""

_AT = "\0"
"""Parts the path and ``at`` in a ``spec``: no path has it."""


def is_safe(path: str) -> bool:
    """Whether a path can only name something inside a mod."""
    parts = path.split("/")
    return not any(bad in path for bad in "\\:\0") and not any(
        part in ("", ".", "..") for part in parts
    )


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
        return f"{self.path}{_AT}{self._at}" if self._at else str(self.path)

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, None if there is none."""
        if not is_safe(path):
            return None
        loose = self._loose(path)
        if loose is not None:
            return _bytes_of(loose)
        for archive in reversed(self._archives()):
            entry = _index(*archive).get(path)
            if entry is not None:
                return _entry_bytes(archive[0], entry)
        return None

    def exists(self, path: str) -> bool:
        """Whether there is a file (not a folder) of this name."""
        if not is_safe(path):
            return False
        return self._loose(path) is not None or any(
            path in _index(*archive) for archive in self._archives()
        )

    def list(self, folder: str, recursive: bool = True) -> tuple[str, ...]:
        """The paths of all files below a folder, sorted; ``recursive=False``: of those in it."""
        folder = folder.rstrip("/")
        if not is_safe(folder):
            return ()
        start = f"{folder}/"
        found = {path for path, _size, _time in self._walk(folder, recursive)}
        for archive in self._archives():
            for path in _index(*archive):
                if path.startswith(start) and (recursive or "/" not in path[len(start) :]):
                    found.add(path)
        return tuple(sorted(found))

    def stamp(self) -> str:
        """A text that changes when a file that scripts can read is changed, added or removed."""
        known = hashlib.sha256(repr(self._archives()).encode())
        for folder in SCRIPT_FOLDERS:
            for entry in sorted(self._walk(folder, recursive=True)):
                known.update(repr(entry).encode())
        return known.hexdigest()

    def _loose(self, path: str) -> Path | None:
        """A file of the folder, if it is one and lies inside when all links are followed."""
        if self._at:
            if not path.startswith(f"{self._at}/"):
                return None
            path = path[len(self._at) + 1 :]
        file = self._inside(path)
        try:
            return file if file is not None and file.is_file() else None
        except OSError:
            return None

    def _inside(self, path: str) -> Path | None:
        """The file or folder at a path of the folder, if it lies inside when links are followed."""
        try:
            place = (self.path / path).resolve(strict=True)
            return place if place.is_relative_to(self.path.resolve(strict=True)) else None
        except (OSError, RuntimeError):  # not there, a circle of links
            return None

    def _walk(self, folder: str, recursive: bool) -> Iterator[tuple[str, int, int]]:
        """The loose files below a folder: path, size and time of change."""
        if self._at and not f"{folder}/".startswith(f"{self._at}/"):
            if recursive and self._at.startswith(f"{folder}/"):
                yield from self._walk(self._at, recursive)
            return
        place = self._inside(folder[len(self._at) :].lstrip("/"))
        try:
            entries = [] if place is None else list(os.scandir(place))
        except OSError:  # a file
            return
        for entry in entries:
            path = f"{folder}/{entry.name}"
            if not is_safe(path):
                continue
            if entry.is_dir(follow_symlinks=False):
                if recursive:
                    yield from self._walk(path, recursive)
            elif not entry.is_symlink() or self._loose(path) is not None:
                try:
                    status = entry.stat()
                except OSError:  # removed meanwhile
                    continue
                if stat.S_ISREG(status.st_mode):
                    yield path, status.st_size, status.st_mtime_ns

    def _archives(self) -> Sequence[tuple[str, int, int]]:
        """The zip files of the mod, sorted: path, size and time of change."""
        if self._at:
            return []
        try:
            if self.path.is_file():
                files: Iterable[Path] = [self.path]
            else:
                files = sorted(each for each in self.path.iterdir() if each.suffix == ".zip")
            known = [(str(file), file.stat()) for file in files]
        except OSError:
            return []
        return [
            (file, status.st_size, status.st_mtime_ns)
            for file, status in known
            if stat.S_ISREG(status.st_mode)  # to open a pipe could take for ever
        ]


def _bytes_of(file: Path) -> bytes | None:
    try:
        return read_file(file, FILE_LIMIT)
    except ProblemError:
        return None


@lru_cache(maxsize=16)
def _index(archive: str, size: int, changed: int) -> dict[str, zipfile.ZipInfo]:
    """The entries of a zip file by path, read once for a size and a time of change.

    Entries with an unsafe name, encrypted ones, links and folders are left out; so is all of a
    file that is no zip, or has too many.
    """
    try:
        entries = archive_entries(archive)
    except ProblemError:
        return {}
    return {
        entry.filename: entry
        for entry in entries
        if entry.filename == entry.orig_filename  # else with a backslash or a NUL
        and is_safe(entry.filename)
        and not entry.flag_bits & 1
        and not stat.S_ISLNK(entry.external_attr >> 16)  # Unix keeps a file's kind there
    }


def _entry_bytes(archive: str, entry: zipfile.ZipInfo) -> bytes | None:
    try:
        return entry_bytes(archive, entry, FILE_LIMIT)
    except ProblemError:
        return None
