"""The files of one mod: a folder, a .zip file, or a folder with .zip files in it (Debian's form).

All other files of this folder read mods by ``ModFiles``. Paths are those of the game: relative to
the mod's root, with ``/``. A path that could leave the mod
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
"""The most entries of all .zip files of a mod together. The largest game known has 36,000."""

MOST_CACHED = 60_000
"""The most entries that are cached, of all mods together.

The game alone (release 26) has 16,769 that are read; where it and another mod do not fit, each read
of one forgets the other.
"""

SCRIPT_FOLDERS = ("globalscripts", "maps", "simulation")
"""The folders of a mod whose files scripts can read; ``stamp`` looks at these only."""

TERRAINS = "art/terrains/"
ACTORS = "art/actors/"
PREVIEWS = "art/textures/ui/session/icons/mappreview/"

_READ_FOLDERS = (*(f"{folder}/" for folder in SCRIPT_FOLDERS), TERRAINS, ACTORS, PREVIEWS)
"""The folders that are read of mods; zip files have thousands of entries in others."""

_SEPARATOR = "\0"
"""Stands between the path and ``at`` in a ``spec``: no path has it."""


def is_safe(path: str) -> bool:
    """Return whether a path can only name something inside a mod."""
    if any(character in path for character in "\\:\0"):
        return False
    return not any(part in ("", ".", "..") for part in path.split("/"))


class _LooseFile(NamedTuple):
    """A file in the folder of a mod."""

    path: str
    """From the mod's root."""
    size: int
    """In bytes."""
    time_ns: int
    """The time of its last change."""


class _Archive(NamedTuple):
    """A .zip file of a mod as it was when it was looked at: the key of its cached entries."""

    path: str
    size: int
    time_ns: int


class _PackedFile(NamedTuple):
    """A file in a .zip file."""

    archive: str
    """The path of the .zip file."""
    entry: zipfile.ZipInfo


class _PackedFiles(NamedTuple):
    """The files in all .zip files of a mod."""

    files: Mapping[str, _PackedFile]
    """By their paths from the mod's root."""
    ignored_archive: str = ""
    """The name of the first .zip file that is not read, since there are too many entries."""


class ModFiles:
    """The files of a mod. Loose files of its folder replace those of its .zip files.

    What cannot be read is treated as not there: a mod that is removed while the program runs has
    no files.
    """

    def __init__(self, path: str | Path, at: str = "") -> None:
        """Read the mod at ``path``, which can be a ``spec``.

        ``at`` is the folder of a mod for which the folder at ``path`` stands: one with nothing but
        scripts stands for maps/random.
        """
        path_of_mod, _separator, at_of_spec = str(path).partition(_SEPARATOR)
        self.path = Path(path_of_mod)
        self._at = at or at_of_spec

    @property
    def spec(self) -> str:
        """A text from which another process makes the same object: ``ModFiles(spec)``."""
        if self._at:
            return f"{self.path}{_SEPARATOR}{self._at}"
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
        return _packed_bytes(packed)

    def exists(self, path: str) -> bool:
        """Return whether there is a file (not a folder) of this name."""
        if not is_safe(path):
            return False
        return self._loose(path) is not None or path in _index(self._archives()).files

    def list(self, folder: str, recursive: bool = True) -> tuple[str, ...]:
        """Return the sorted paths of all files below a folder, or only of those in it."""
        folder = folder.rstrip("/")
        if not is_safe(folder):
            return ()
        start = f"{folder}/"
        paths = {file.path for file in self._walk(folder, recursive)}
        for path in _index(self._archives()).files:
            if path.startswith(start) and (recursive or "/" not in path[len(start) :]):
                paths.add(path)
        return tuple(sorted(paths))

    def fault(self) -> str:
        """Return a message if the mod has too many packed files to read them all, else ""."""
        ignored = _index(self._archives()).ignored_archive
        limit_message = f"a mod has at most {MOST_PACKED:,} packed files"
        if ignored:
            return f"{self.path.name}: {ignored} and what follows is left out, {limit_message}"
        return ""

    def stamp(self) -> str:
        """Return a text that changes with the files of the mod that scripts can read."""
        digest = hashlib.sha256(repr(self._archives()).encode())
        for folder in SCRIPT_FOLDERS:
            for file in sorted(self._walk(folder, recursive=True)):
                digest.update(repr(file).encode())
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
            if file is not None and file.is_file():
                return file
        except OSError:
            pass
        return None

    def _inside(self, path: str) -> Path | None:
        """Return the file or folder at a path below the mod's folder, its links followed.

        None if that leads out of the folder, or nowhere.
        """
        try:
            resolved = (self.path / path).resolve(strict=True)
            if resolved.is_relative_to(self.path.resolve(strict=True)):
                return resolved
            return None
        except (OSError, RuntimeError):  # not there, a circle of links
            return None

    def _walk(self, folder: str, recursive: bool) -> Iterator[_LooseFile]:
        """Yield the loose files in a folder of the mod, or below it."""
        is_above_files = self._at and not f"{folder}/".startswith(f"{self._at}/")
        if is_above_files:
            if recursive and self._at.startswith(f"{folder}/"):
                yield from self._walk(self._at, recursive)
            return
        first_folder = self._inside(folder[len(self._at) :].lstrip("/"))
        if first_folder is None:
            return
        # Folders that are links are not followed, so all others lie in the first one.
        waiting = [(folder, str(first_folder))]
        while waiting:
            folder, folder_on_disk = waiting.pop()
            try:
                with os.scandir(folder_on_disk) as listing:
                    entries = [entry for entry in listing if is_safe(entry.name)]
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
                    yield _LooseFile(path, status.st_size, status.st_mtime_ns)

    def _archives(self) -> tuple[_Archive, ...]:
        """Return the .zip files of the mod, sorted by their paths."""
        if self._at:
            return ()
        try:
            if self.path.is_file():
                stats = [(str(self.path), self.path.stat())]
            else:
                with os.scandir(self.path) as listing:  # paths are texts: every read comes here
                    files = sorted(entry.path for entry in listing if entry.name.endswith(".zip"))
                stats = [(file, os.stat(file)) for file in files]  # noqa: PTH116
        except OSError:
            return ()
        archives = []
        for file, status in stats:
            if stat.S_ISREG(status.st_mode):  # to open a pipe could take for ever
                archives.append(_Archive(file, status.st_size, status.st_mtime_ns))
        return tuple(archives)


def _bytes_of(file: Path) -> bytes | None:
    """Return the bytes of a loose file, None if it cannot be read."""
    try:
        return read_file(file, FILE_LIMIT)
    except ProblemError:
        return None


@registered(bytes_a_unit=600)
@sized_cache(max_entries=4, max_size=MOST_CACHED, size_of=lambda packed: len(packed.files))
def _index(archives: tuple[_Archive, ...]) -> _PackedFiles:
    """Return the files in the .zip files of a mod, read once for their sizes and times of change.

    A file that is no .zip file, or has too many entries, has none; nor have it and those behind it
    if there are more than ``MOST_PACKED`` with it.
    """
    files: dict[str, _PackedFile] = {}
    count = 0
    for archive in archives:
        try:
            entries = archive_entries(archive.path)
        except ProblemError:
            continue
        count += len(entries)
        if count > MOST_PACKED:
            return _PackedFiles(files, Path(archive.path).name)
        for entry in entries:
            if _is_readable(entry):
                files[entry.filename] = _PackedFile(archive.path, entry)
    return _PackedFiles(files)


def _is_readable(entry: zipfile.ZipInfo) -> bool:
    """Return whether an entry of a .zip file is a plain file that somebody reads.

    Entries with an unsafe name, encrypted ones, links and folders are not.
    """
    path = entry.filename
    if "/" in path and not path.startswith(_READ_FOLDERS):
        return False
    if path != entry.orig_filename or not is_safe(path):  # they differ by a backslash or a NUL
        return False
    is_encrypted = entry.flag_bits & 1
    is_link = stat.S_ISLNK(entry.external_attr >> 16)  # Unix has a file's kind there
    return not is_encrypted and not is_link


def _packed_bytes(file: _PackedFile) -> bytes | None:
    """Return the bytes of a file in a .zip file, None if it cannot be read."""
    try:
        return entry_bytes(file.archive, file.entry, FILE_LIMIT)
    except ProblemError:
        return None
