"""Reads the files of one mod: a folder, a .zip file, or a folder with .zip files in it.

    mod = ModFiles("/games/0ad/mods/public")
    mod.list("maps/random")                     # ("maps/random/islands.js", ...)
    mod.read("maps/random/islands.js")          # its bytes, None if there is no such file

A *packed* file is in a .zip file, a *loose* one is not; Debian's package of the game has a folder
with .zip files. All reading of mods is done here. Paths are those of the game (``mod_paths``).

A user's script can lie in any folder. That folder then *stands for* one of a mod which has no other
files, so that the script finds what lies beside it::

    on the disk, with folder_in_mod="maps/random"      in the mod
    /home/ann/hills/hills.js                           maps/random/hills.js

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
"""Stands between the path and ``folder_in_mod`` in a ``spec``: no path has it."""


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
    no files. A file in a folder that is a link can be read, but is not listed.
    """

    def __init__(self, path: str | Path, folder_in_mod: str = "") -> None:
        """Make the files of the mod at ``path``.

        ``folder_in_mod`` is the folder of a mod that the folder at ``path`` stands for, such as
        "maps/random"; "" if it is the whole mod.
        """
        self.path = Path(path)
        """The folder or .zip file on the disk."""
        self._folder_in_mod = folder_in_mod
        """The folder of the mod that ``path`` stands for, "" for its root."""

    @classmethod
    def from_spec(cls, spec: str) -> ModFiles:
        """Return the files of which ``spec`` is the spec, in another process or later."""
        path, _separator, folder_in_mod = spec.partition(_SEPARATOR)
        return cls(path, folder_in_mod)

    @property
    def spec(self) -> str:
        """A text from which ``from_spec`` makes the same object."""
        if self._folder_in_mod:
            return f"{self.path}{_SEPARATOR}{self._folder_in_mod}"
        return str(self.path)

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, None if there is none."""
        if not is_safe(path):
            return None
        loose_file = self._loose_file(path)
        if loose_file is not None:
            return _bytes_of(loose_file)
        packed_file = packed_files(self._archives()).files.get(path)
        if packed_file is None:
            return None
        return packed_bytes(packed_file)

    def exists(self, path: str) -> bool:
        """Return whether there is a file (not a folder) of this name."""
        if not is_safe(path):
            return False
        return self._loose_file(path) is not None or path in packed_files(self._archives()).files

    def list(self, folder: str, recursive: bool = True) -> tuple[str, ...]:
        """Return the sorted paths of all files below a folder, or only of those in it."""
        folder = folder.rstrip("/")
        if not is_safe(folder):
            return ()
        paths = {file.path for file in self._loose_files(folder, recursive)}
        start = f"{folder}/"
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
            for file in sorted(self._loose_files(folder, recursive=True)):
                digest.update(repr(file).encode())
        return digest.hexdigest()

    # --- loose files ------------------------------------------------------------------------

    def _path_on_disk(self, path: str) -> str | None:
        """Return where a path of the mod lies below ``self.path``, None if it has no place there.

        If the folder stands for "maps/random", that is "" for "maps/random", "a.js" for
        "maps/random/a.js" and None for "maps/a.js".
        """
        if not self._folder_in_mod:
            return path
        if path == self._folder_in_mod:
            return ""
        start = f"{self._folder_in_mod}/"
        if path.startswith(start):
            return path.removeprefix(start)
        return None

    def _loose_file(self, path: str) -> Path | None:
        """Return a file of the folder, if it is one and lies inside when all links are followed."""
        path_on_disk = self._path_on_disk(path)
        if not path_on_disk:
            return None
        # A cheap test first. To follow links takes 30 times as long, and of a packed game, whose
        # scripts ask for thousands of files, none is loose.
        first_name, _slash, _rest = path_on_disk.partition("/")
        if not os.path.lexists(f"{self.path}/{first_name}"):
            return None
        file = self._resolved_inside(path_on_disk)
        try:
            if file is not None and file.is_file():
                return file
        except OSError:
            pass
        return None

    def _resolved_inside(self, path_on_disk: str) -> Path | None:
        """Return the file or folder at a path below the mod's folder, its links followed.

        None if that leads out of the folder, or nowhere.
        """
        try:
            resolved = (self.path / path_on_disk).resolve(strict=True)
            if resolved.is_relative_to(self.path.resolve(strict=True)):
                return resolved
            return None
        except (OSError, RuntimeError):  # not there, a circle of links
            return None

    def _loose_files(self, folder: str, recursive: bool) -> Iterator[_LooseFile]:
        """Yield the loose files in a folder of the mod, or below it."""
        # ``self.path`` can stand for an inner folder of the mod, such as maps/random. Of the
        # folders above it, such as maps, only that one is on the disk: the search begins there.
        if recursive and self._folder_in_mod.startswith(f"{folder}/"):
            folder = self._folder_in_mod
        path_on_disk = self._path_on_disk(folder)
        if path_on_disk is None:
            return
        first_folder = self._resolved_inside(path_on_disk)
        if first_folder is None:
            return

        # Folders still to be looked into, as (path in the mod, path on the disk). Links to folders
        # are not followed, so all of them lie within the first one.
        waiting_folders = [(folder, str(first_folder))]
        while waiting_folders:
            path_of_folder, folder_on_disk = waiting_folders.pop()
            try:
                with os.scandir(folder_on_disk) as listing:
                    entries = [entry for entry in listing if is_safe(entry.name)]
            except OSError:  # a file, or too deep for a path
                continue
            for entry in entries:
                path = f"{path_of_folder}/{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    if recursive:
                        waiting_folders.append((path, entry.path))
                    continue
                if entry.is_symlink() and self._loose_file(path) is None:
                    continue  # it leads out of the mod, or nowhere
                try:
                    status = entry.stat()
                except OSError:  # removed meanwhile
                    continue
                if stat.S_ISREG(status.st_mode):
                    yield _LooseFile(path, status.st_size, status.st_mtime_ns)

    # --- packed files -----------------------------------------------------------------------

    def _archives(self) -> tuple[Archive, ...]:
        """Return the .zip files of the mod, sorted by their paths."""
        if self._folder_in_mod:
            return ()  # a .zip beside a script is none of a mod
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
