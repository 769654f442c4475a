"""Writes the files of a command: a map with the files that belong to it, a script, a picture.

    refuse_replacing_input(arguments.picture, target)    # before the work begins
    write_bytes(target, data)

A file is replaced in one step, when its new content is complete: a command that fails half-way
leaves the old file. A device or a pipe, such as ``/dev/stdout``, has no content to replace. It gets
the bytes as they come.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from randomizer.catalog.format_choice import format_for
from randomizer.cli.output import Console
from randomizer.formats.format import Format
from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import error
from randomizer.reading.files import START, read_start

# --- what must not be replaced --------------------------------------------------------------------


def refuse_replacing_input(source: str | None, target: Path) -> None:
    """Raise ProblemError if ``target`` is the file ``source``, from which a command reads.

    ``source`` is None, or "", if the command reads no such file.
    """
    if _is_same_file(source, target):
        message = f"this is the file that is read, {source}, or a link to it; write to another one"
        raise error("input-replaced", message, path=str(target))


def refuse_replacing_other_format(
    source: str | None,
    target: Path,
    target_format: Format,
    source_format: Format | None = None,
) -> None:
    """Raise ProblemError if ``target`` is the map ``source``, which has another format.

    A map may be replaced by one of its own format, as an editor does it; in another format it could
    lose what only the old one keeps. ``source_format`` is the format that the user named for
    reading; None if the content of the map tells it. ``source`` is None, or "", if the command
    reads no such map.
    """
    if source is None or not _is_same_file(source, target):
        return
    if source_format is None:
        source_format = format_for(read_start(source, START), source)
    if source_format is not target_format:
        refuse_replacing_input(source, target)


def _is_same_file(source: str | None, target: Path) -> bool:
    """Return whether ``target`` is the existing file ``source``, or one is a link to the other."""
    if not source:
        return False
    try:
        return target.is_file() and target.samefile(source)
    except (OSError, ValueError):
        # One of the names is that of no file: reading or writing reports it, with its reason.
        return False


# --- one file -------------------------------------------------------------------------------------


class OutputFile(Protocol):
    """An open file, device or pipe: written to piece by piece, then committed or discarded.

    Every method raises ProblemError for what cannot be written.
    """

    def write(self, data: bytes) -> None:
        """Add ``data`` behind what was written before."""

    def commit(self) -> None:
        """Close the output, whose content is complete. A file is replaced only now."""

    def discard(self) -> None:
        """Close the output, whose content is not wanted. A file is as it was before."""


def write_bytes(path: Path, data: bytes) -> None:
    """Write ``data`` to a file in one step, or to a device or pipe. Raises ProblemError."""
    output = open_output(path)
    try:
        output.write(data)
    except BaseException:
        output.discard()
        raise
    output.commit()


def open_output(path: Path) -> OutputFile:
    """Open a file, device or pipe for writing. Raises ProblemError."""
    if "\0" in str(path):
        raise error("not-written", "no file can have this name", path=str(path))
    if is_device(str(path)):
        return Device(path)  # replacing it in one step would put a file in place of the device
    from randomizer.storage.disk.atomic import AtomicFile

    return AtomicFile(path)


def is_device(path: str) -> bool:
    """Return whether a path is that of a device or a pipe."""
    try:
        return Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir()
    except (OSError, ValueError):  # a name that is too long, or has a null character
        return False


class Device:
    """An open device or pipe (an ``OutputFile``). What was written to it cannot be taken back."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._as_problem():
            self._file = path.open("wb", buffering=0)

    def write(self, data: bytes) -> None:
        """Write all of ``data`` at once. Raises ProblemError."""
        remaining = memoryview(data)
        with self._as_problem():
            while remaining:
                # A pipe can accept a part only.
                accepted = self._file.write(remaining)
                remaining = remaining[accepted:]

    def commit(self) -> None:
        """Close the device. Raises ProblemError."""
        with self._as_problem():
            self._file.close()

    def discard(self) -> None:
        """Close the device, too: the bytes written so far are gone already."""
        self.commit()

    @contextmanager
    def _as_problem(self) -> Iterator[None]:
        """Turn an OSError that is raised within the ``with`` into a ProblemError."""
        try:
            yield
        except OSError as failed:
            message = f"this cannot be written: {words_of(failed)}"
            raise error("not-written", message, path=str(self._path)) from failed


# --- several files --------------------------------------------------------------------------------


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, unless it is there. Raises ProblemError."""
    from randomizer.storage.disk.atomic import make_folders

    if folder.exists() and not folder.is_dir():
        raise error("not-a-folder", "this is a file; a folder is needed", path=str(folder))
    make_folders(folder)


def write_map_files(path: Path, files: Mapping[str, bytes], console: Console) -> None:
    """Write the file of a map and the files beside it to which it refers: all of them or none.

    ``files`` are the contents by file name, as ``write_files_checked`` returns them; that of the
    map itself has the name of ``path``. Raises ProblemError, also if a file beside the map would be
    replaced that holds something else: it can belong to another map.
    """
    # A device takes the map alone, without the files beside it; for a folder this raises the error
    # that it is one.
    if len(files) == 1 or (path.exists() and not path.is_file()):
        write_bytes(path, files[path.name])
        return
    from randomizer.storage.disk.companions import plan_files, replaced_beside, write_files

    changes = plan_files(path, files)
    for name in replaced_beside(path, changes):
        raise error(
            "companion-there",
            f"{name}, which the map needs beside it, is there with other contents; nothing was "
            "written: choose another name or folder for the map",
            path=str(path),
        )
    write_files(path, changes)
    for change in changes:
        if change.path != path:
            console.say(f"{change.path.name} was written beside it: it belongs to the map")
