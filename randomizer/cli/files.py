"""Reads the files of a command: maps, all maps of a folder, or any file as bytes.

    for path in maps_in("maps/"):                        # ["maps/Fen.xml", "maps/Moor.json"]
        battlemap, problems = read_map(path, console)    # ProblemError if it holds no map
        console.report(as_warnings(problems))

A command that writes files uses ``output_files``, one that is told a format ``file_formats``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path, PurePath

from randomizer.catalog.file_kinds import is_script, look_at_file
from randomizer.catalog.format_choice import format_for
from randomizer.catalog.map_file_reading import SUFFIXES_OF_MAP_LISTS, maps_named_by, read_map_file
from randomizer.catalog.map_formats import formats
from randomizer.cli.output import Console
from randomizer.formats.checked import read_checked
from randomizer.formats.format import Format
from randomizer.formats.results import NamedMaps
from randomizer.model.basics.error_reasons import words_of
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity, error
from randomizer.reading.files import START, read_start


def read_input(path: str, console: Console) -> bytes:
    """Return the bytes of a file, pipe or device. Raises ProblemError if it cannot be read.

    The console shows its lines below the problems that are reported of it.
    """
    if not path:
        raise error("not-read", "an empty name names no file")
    data = read_map_file(path, pipes=True)
    console.remember(path, data)
    return data


def read_map(
    path: str, console: Console, map_format: Format | None = None
) -> tuple[BattleMap, tuple[Problem, ...]]:
    """Return the map in a file, and the problems of the file.

    There can be errors among the problems: the map is readable then, but its game would reject it.
    ``map_format`` is the format that the user named; None if the content and the suffix of the file
    are to tell it. Raises ProblemError if the file holds no map.
    """
    if map_format is not None:
        return _read_map_as(map_format, path, read_input(path, console))

    # A scenario or a world holds no map itself: it names the file of one, or of several.
    listed_maps = _maps_listed_in(path)
    if listed_maps is not None:
        battlemap, problems = read_map(_only_map_of(listed_maps, path), console)
        return battlemap, (*listed_maps.problems, *problems)

    data = read_input(path, console)
    if is_script(PurePath(path).name, data):
        raise script_error(path)
    return _read_map_as(format_for(data, path), path, data)


def _maps_listed_in(path: str) -> NamedMaps | None:
    """Return the maps that a file names; None for a file that is no list of maps.

    Raises ProblemError if none of these maps is there.
    """
    # Looking at the start of a file asks every format. The suffix spares nearly all files that.
    if PurePath(path).suffix.lower() not in SUFFIXES_OF_MAP_LISTS:
        return None
    return maps_named_by(Path(path), look_at_file(path))


def _only_map_of(listed_maps: NamedMaps, path: str) -> str:
    """Return the path of the one map that the file ``path`` names.

    Raises ProblemError if it names several: a command works on one map.
    """
    if len(listed_maps.paths) > 1:
        names = ", ".join(file.name for file in listed_maps.paths)
        message = (
            f"this {listed_maps.title} names {len(listed_maps.paths)} maps: "
            f"read one of them ({names})"
        )
        raise error("several-maps", message, path=path)
    return str(listed_maps.paths[0])


def _read_map_as(
    map_format: Format, path: str, data: bytes
) -> tuple[BattleMap, tuple[Problem, ...]]:
    """Return the map in the bytes of a file of this format, and the problems of the file.

    Raises ProblemError if they hold no map.
    """
    result = read_checked(map_format, data, path)
    if result.battlemap is None:
        raise ProblemError(result.problems)
    return result.battlemap, result.problems


def script_error(path: str) -> ProblemError:
    """Return the error of a command that needs a map, and got the script at ``path``."""
    message = f"this is a script, not a map; roll it: randomizer roll {path}"
    return error("is-a-script", message, path=path)


def as_warnings(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems of a map that was read, with warnings in place of errors.

    An error says that the game would reject the file. That does not hinder a command that writes
    the map into another file, or only looks at it.
    """
    warnings = []
    for problem in problems:
        if problem.severity is Severity.ERROR:
            problem = replace(problem, severity=Severity.WARNING)
        warnings.append(problem)
    return warnings


def maps_in(name: str) -> list[str]:
    """Return the paths of the maps in a folder, sorted; for another name, ``name`` alone.

    Raises ProblemError for a folder that cannot be read or has no map. Whether a name that is no
    folder names a map is not asked here: reading it will tell.
    """
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
            why = "no folder has this name"  # ValueError: a null character, for instance
        raise error("not-read", f"this cannot be read: {why}", path=name) from failed
    if not maps:
        raise error("no-maps", "there is no map in this folder", path=name)
    return maps


def _is_map(file: Path) -> bool:
    """Return whether a file of a folder is a map: by its suffix, or by suffix and content."""
    fitting_formats = []
    for map_format in formats():
        if map_format.readable and file.suffix.lower() in map_format.suffixes:
            fitting_formats.append(map_format)
    if not fitting_formats:
        return False

    # A suffix of our own formats tells enough: a damaged map is then named, not passed over.
    if any(not map_format.foreign for map_format in fitting_formats):
        return True

    # Files that are no maps have suffixes of other programs' formats, too: the content decides.
    start = read_start(file, START)
    return any(map_format.recognises(start) for map_format in fitting_formats)
