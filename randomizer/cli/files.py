"""The files of a command: read and written whole, or refused with a problem."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from randomizer.catalog.catalog import (
    format_named,
    format_of_suffix,
    formats,
    formats_of,
    game_host,
)
from randomizer.catalog.file_kinds import (
    SUFFIXES_OF_MAP_LISTS,
    format_for,
    is_script,
    look_at_file,
    maps_named_by,
    read_map_file,
)
from randomizer.cli.output import Console, UsageError
from randomizer.formats import Format, NamedMaps, read_checked
from randomizer.model.basics.error_reasons import words_of
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity, error
from randomizer.model.system.system import System
from randomizer.reading.files import START, read_start

if TYPE_CHECKING:
    from randomizer.storage.disk.atomic import AtomicFile


def read_bytes(path: str, console: Console) -> bytes:
    """Return the bytes of a file, pipe or device. Raises ProblemError if it cannot be read."""
    if not path:
        raise error("not-read", "an empty name names no file")
    data = read_map_file(path, pipes=True)
    console.remember(path, data)
    return data


def write_bytes(path: Path, data: bytes) -> None:
    """Write ``data`` to a file in one step, or to a device or pipe. Raises ProblemError."""
    output = open_output(path)
    try:
        output.write(data)
    except BaseException:
        output.drop()
        raise
    output.keep()


def open_output(path: Path) -> AtomicFile | Device:
    """Return what takes the bytes of a file, device or pipe piece by piece. Raises ProblemError."""
    if "\0" in str(path):
        raise error("not-written", "no file can have this name", path=str(path))
    if is_device(str(path)):
        return Device(path)  # an atomic write would replace the device itself
    from randomizer.storage.disk.atomic import AtomicFile

    return AtomicFile(path)


class Device:
    """A device or a pipe, written to as it is; what it has taken cannot be dropped.

    Raises ProblemError for what the system refuses.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._as_problem():
            self._file = path.open("wb", buffering=0)

    def write(self, data: bytes) -> None:
        """Write behind what was written before."""
        remaining = memoryview(data)
        with self._as_problem():
            while remaining:  # a pipe can accept a part only
                remaining = remaining[self._file.write(remaining) :]

    def keep(self) -> None:
        """Close it, as an atomic file is put in its place."""
        with self._as_problem():
            self._file.close()

    drop = keep

    @contextmanager
    def _as_problem(self) -> Iterator[None]:
        """Raise ProblemError for an OSError of what is done within."""
        try:
            yield
        except OSError as failed:
            message = f"this cannot be written: {words_of(failed)}"
            raise error("not-written", message, path=str(self._path)) from failed


def keep_input(
    source: str | None,
    target: Path,
    map_format: Format | None = None,
    read_as: Format | None = None,
) -> None:
    """Raise ProblemError if writing ``target`` would replace what a command reads.

    ``map_format`` is the format that is written, None if no map can be read from it: a map may be
    replaced by one of its own format, which is ``read_as`` or that of its content.
    """
    try:
        if not source or not target.is_file() or not target.samefile(source):
            return
    except (OSError, ValueError):  # a name that no file has: reading or writing says so
        return
    if map_format is not None:
        source_format = read_as or format_for(read_start(source, START), source)
        if map_format is source_format:
            return
    message = f"this is the file that is read, {source}, or a link to it; write to another one"
    raise error("input-replaced", message, path=str(target))


def is_device(path: str) -> bool:
    """Return whether a path is a device or a pipe."""
    try:
        return Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir()
    except (OSError, ValueError):  # a name that is too long, or has a null character
        return False


def make_folder(folder: Path) -> None:
    """Make a folder that is not there, and those above it. Raises ProblemError."""
    from randomizer.storage.disk.atomic import make_folders

    if folder.exists() and not folder.is_dir():
        raise error("not-a-folder", "this is a file; a folder is needed", path=str(folder))
    make_folders(folder)


def write_map_files(path: Path, files: Mapping[str, bytes], console: Console) -> None:
    """Write a map's file and those beside it, all or none. Raises ProblemError.

    A file beside it that is there with other contents is not replaced: nothing is written then. A
    device or a pipe gets the map's file alone.
    """
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


def read_map(
    path: str, console: Console, map_format: Format | None = None
) -> tuple[BattleMap, tuple[Problem, ...]]:
    """Return the map in a file, and the file's problems (errors if its game would reject it).

    ``map_format`` is the format if the command names it. Of a scenario that names its map it is
    that one. Raises ProblemError if the file holds no map.
    """
    if map_format is None and PurePath(path).suffix.lower() in SUFFIXES_OF_MAP_LISTS:
        named = maps_named_by(Path(path), look_at_file(path))
        if named is not None:
            battlemap, problems = read_map(_only_map(path, named), console)
            return battlemap, (*named.problems, *problems)
    data = read_bytes(path, console)
    if map_format is None:
        if is_script(PurePath(path).name, data):
            raise script_refused(path)
        map_format = format_for(data, path)
    result = read_checked(map_format, data, path)
    if result.battlemap is None:
        raise ProblemError(result.problems)
    return result.battlemap, result.problems


def _only_map(path: str, named: NamedMaps) -> str:
    """Return the one map that a file names. Raises ProblemError if there are several."""
    if len(named.paths) > 1:
        names = ", ".join(file.name for file in named.paths)
        message = f"this {named.title} names {len(named.paths)} maps: read one of them ({names})"
        raise error("several-maps", message, path=path)
    return str(named.paths[0])


def maps_in(name: str) -> list[str]:
    """Return the file itself, or the maps of a folder, sorted. Raises ProblemError."""
    folder = Path(name)
    try:
        if not folder.is_dir():
            return [name]
        files = sorted(path for path in folder.iterdir() if path.is_file())
        maps = [str(file) for file in files if _is_map(file)]
    except (OSError, ValueError) as failed:
        if isinstance(failed, OSError):
            why = words_of(failed)
        else:
            why = "no folder has this name"
        raise error("not-read", f"this cannot be read: {why}", path=name) from failed
    if not maps:
        raise error("no-maps", "there is no map in this folder", path=name)
    return maps


def _is_map(file: Path) -> bool:
    """Return whether a file is a map.

    It is by a suffix that only our own maps have; other suffixes, which files of another kind have
    as well, count only together with the content.
    """
    fitting_formats = []
    for map_format in formats():
        if map_format.readable and file.suffix.lower() in map_format.suffixes:
            fitting_formats.append(map_format)
    if not fitting_formats:
        return False
    if any(not map_format.foreign for map_format in fitting_formats):
        return True
    start = read_start(file, START)
    return any(map_format.recognises(start) for map_format in fitting_formats)


def script_refused(path: str) -> ProblemError:
    """Return the error of a command that needs a map for a script."""
    message = f"this is a script, not a map; roll it: randomizer roll {path}"
    return error("is-a-script", message, path=path)


def as_warnings(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems of a file as warnings, since the map is written to a file of ours."""
    warnings = []
    for problem in problems:
        if problem.severity is Severity.ERROR:
            problem = replace(problem, severity=Severity.WARNING)
        warnings.append(problem)
    return warnings


# --- formats ------------------------------------------------------------------------------------


def readable_format(name: str) -> Format:
    """Return the format ``name`` for reading. Raises UsageError."""
    map_format = format_named(name)
    if map_format is None or not map_format.readable:
        # A set that keeps the order: several formats can have one name.
        readable = dict.fromkeys(other.name for other in formats() if other.readable)
        raise UsageError(f"there is no format “{name}” to read (there are: {', '.join(readable)})")
    return map_format


def format_by_suffix(path: str, system: System, option: str) -> Format:
    """Return the format of a file that is to be written. Raises UsageError, which names ``option``.

    Of scripts for versions of a game it is that for the installed game.
    """
    map_format = format_of_suffix(path, system)
    if map_format is None:
        suffixes: dict[str, None] = {}
        for fitting_format in formats_of(system):
            if fitting_format.writable:
                suffixes.update(dict.fromkeys(fitting_format.suffixes))
        raise UsageError(
            f"what “{path}” is to be cannot be told from its suffix ({', '.join(suffixes)}); "
            f"say {option} FORMAT"
        )
    host = game_host(system)
    if map_format.version and host is not None and host.versions():
        installed_version = host.versions()[0]  # the likeliest comes first
        for fitting_format in formats_of(system):
            if fitting_format.version == installed_version:
                return fitting_format
    return map_format


def writable_format(name: str, system: System) -> Format:
    """Return the format ``name`` for writing maps of a system. Raises UsageError."""
    map_format = format_named(name, system) or format_named(name)
    if map_format is None or not map_format.writable:
        writable = [fitting.name for fitting in formats_of(system) if fitting.writable]
        raise UsageError(f"there is no format “{name}” to write (there are: {', '.join(writable)})")
    return map_format
