"""Reads the files of one mod: a folder, a .zip file, or a folder with .zip files in it.

    mod = ModFiles("/games/0ad/mods/public")
    mod.list("maps/random")                     # ("maps/random/islands.js", ...)
    mod.read("maps/random/islands.js")          # its bytes, None if there is no such file

A *packed* file is in a .zip file, a *loose* one is not; Debian's package of the game has a folder
with .zip files. All reading of mods is done here. Paths are those of the game (``mod_paths``).

A path that could leave the mod is treated as a file that is not there: an absolute one, one with
``..``, a backslash or a drive, and a symbolic link that leads out. A link in a .zip file never is a
file.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from randomizer.model.problems import ProblemError
from randomizer.reading.files import read_file
from randomizer.systems.zeroad.installation.mod_paths import SCRIPT_FOLDERS, is_safe
from randomizer.systems.zeroad.installation.packed_files import (
    FILE_LIMIT,
    Archive,
    packed_bytes,
    packed_files,
)

_SEPARATOR = "\0"
"""Stands between the path and the inner folder in a ``spec``: no path has it."""


class _LooseFile(NamedTuple):
    """A file in the folder of a mod."""

    path: str
    """Its path from the mod's root."""

    size: int
    """Its size in bytes."""

    time_ns: int
    """The time of its last change."""


class ModFiles:
    """The files of a mod. Loose files of its folder replace those of its .zip files.

    What cannot be read is treated as not there: a mod that is removed while the program runs has
    no files.
    """

    def __init__(self, path: str | Path, inner_folder: str = "") -> None:
        """Make the files of the mod at ``path``, which can be a ``spec``.

        ``inner_folder`` is "" for a whole mod. Otherwise the folder at ``path`` is taken for this
        folder of a mod that has no other: with "maps/random", the user's file ``swamp.js`` in it is
        the mod's file ``maps/random/swamp.js``.
        """
        path_of_mod, _separator, folder_of_spec = str(path).partition(_SEPARATOR)
        self.path = Path(path_of_mod)
        """The folder or .zip file on the disk."""
        self._inner_folder = inner_folder or folder_of_spec
        """The path in the mod that ``path`` stands for, "" for the root."""

    @property
    def spec(self) -> str:
        """A text from which another process makes the same object: ``ModFiles(spec)``."""
        if self._inner_folder:
            return f"{self.path}{_SEPARATOR}{self._inner_folder}"
        return str(self.path)

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, None if there is none."""
        if not is_safe(path):
            return None
        loose = self._loose(path)
        if loose is not None:
            return _bytes_of(loose)
        packed = packed_files(self._archives()).files.get(path)
        if packed is None:
            return None
        return packed_bytes(packed)

    def exists(self, path: str) -> bool:
        """Return whether there is a file (not a folder) of this name."""
        if not is_safe(path):
            return False
        return self._loose(path) is not None or path in packed_files(self._archives()).files

    def list(self, folder: str, recursive: bool = True) -> tuple[str, ...]:
        """Return the sorted paths of all files below a folder, or only of those in it."""
        folder = folder.rstrip("/")
        if not is_safe(folder):
            return ()
        start = f"{folder}/"
        paths = {file.path for file in self._walk(folder, recursive)}
        for path in packed_files(self._archives()).files:
            if path.startswith(start) and (recursive or "/" not in path[len(start) :]):
                paths.add(path)
        return tuple(sorted(paths))

    def fault(self) -> str:
        """Return a message if the mod has too many packed files to read them all, else ""."""
        fault = packed_files(self._archives()).fault
        if fault:
            return f"{self.path.name}: {fault}"
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
        if self._inner_folder:
            if not path.startswith(f"{self._inner_folder}/"):
                return None
            path = path[len(self._inner_folder) + 1 :]
        first_name, _slash, _rest = path.partition("/")
        if not os.path.lexists(f"{self.path}/{first_name}"):
            return None  # a packed game has no loose files; to follow links takes 30 times as long
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
        is_inside = f"{folder}/".startswith(f"{self._inner_folder}/")
        if self._inner_folder and not is_inside:
            # The mod has no files beside the inner folder: a folder above it has only those in it.
            if recursive and self._inner_folder.startswith(f"{folder}/"):
                yield from self._walk(self._inner_folder, recursive)
            return
        first_folder = self._inside(folder[len(self._inner_folder) :].lstrip("/"))
        if first_folder is None:
            return
        # Folders that are links are not followed, so all others lie in the first one. Each waits
        # with its path in the mod and its path on the disk.
        waiting_folders = [(folder, str(first_folder))]
        while waiting_folders:
            folder_in_mod, folder_on_disk = waiting_folders.pop()
            try:
                with os.scandir(folder_on_disk) as listing:
                    entries = [entry for entry in listing if is_safe(entry.name)]
            except OSError:  # a file, or too deep for a path
                continue
            for entry in entries:
                path = f"{folder_in_mod}/{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    if recursive:
                        waiting_folders.append((path, entry.path))
                    continue
                if entry.is_symlink() and self._loose(path) is None:
                    continue  # it leads out of the mod, or nowhere
                try:
                    status = entry.stat()
                except OSError:  # removed meanwhile
                    continue
                if stat.S_ISREG(status.st_mode):
                    yield _LooseFile(path, status.st_size, status.st_mtime_ns)

    def _archives(self) -> tuple[Archive, ...]:
        """Return the .zip files of the mod, sorted by their paths."""
        if self._inner_folder:
            return ()
        try:
            if self.path.is_file():
                files = [str(self.path)]
            else:
                with os.scandir(self.path) as listing:  # paths are texts: every read comes here
                    files = sorted(entry.path for entry in listing if entry.name.endswith(".zip"))
        except OSError:
            return ()
        archives = []
        for file in files:
            try:
                status = os.stat(file)  # noqa: PTH116
            except OSError:  # a link that leads nowhere, or removed meanwhile
                continue
            if stat.S_ISREG(status.st_mode):  # to open a pipe could take for ever
                archives.append(Archive(file, status.st_size, status.st_mtime_ns))
        return tuple(archives)


def _bytes_of(file: Path) -> bytes | None:
    """Return the bytes of a loose file, None if it cannot be read."""
    try:
        return read_file(file, FILE_LIMIT)
    except ProblemError:
        return None
