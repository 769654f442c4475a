"""Finds the maps that a world or a scenario, which are no maps themselves, refer to.

There are two kinds of such files: a *world* of Tiled (``.world``), a JSON object that names maps or
patterns of their names, and a *scenario* of Wesnoth (``.cfg``), with lines such as
``map_file=maps/moor.map``.

    named = maps_named_by(path, data)        # None for all other files
    named.paths                              # the files of the maps, which are opened instead

The maps are opened and saved themselves: nothing is ever written into the file that names them. It
can come from anybody, so only maps near it are opened.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

from randomizer.formats.results import NamedMaps
from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.json_places import place_in_json
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem, ProblemError, Severity, error, place_of
from randomizer.reading.files import is_within
from randomizer.reading.name_patterns import NamePattern

WORLD = ".world"
"""The suffix of worlds."""

LARGEST = 16 * 2**20
"""The largest size of a file that names maps, in bytes."""

MAX_MAPS = 64
"""The largest number of maps of one file that are opened: each is a tab with its own journal."""

_MAX_FILES = 20_000
"""The largest number of files of a folder that are compared with the patterns of a world."""

_MAX_FOLDERS_UP_FROM_WORLD = 2
"""The folders above that of a world in which its maps can be."""

_MAX_FOLDERS = 6
"""The folders that are looked through for the maps of a scenario: its own and those above it."""

_SUFFIXES_OF_TILED = (".tmx", ".tmj", ".json", ".xml")
"""The suffixes of maps that a world can name."""

_SUFFIXES_OF_WESNOTH = (".map", ".mask")
"""The suffixes of maps that a scenario can name."""

_ADD_ONS = "~add-ons/"
"""The beginning of names that are paths from the folder with all add-ons."""

_MAP_LINE = re.compile(
    rb"""
    ^[ \t]*map_(?:
        file[ \t]*=[ \t]*"?\{?(?P<file>[^"{}\r\n\#]*)   # a name, also in quotes or braces
        |
        data[ \t]*=[ \t]*"?\{(?P<data>[^"{}\r\n\#]*)    # a name in braces: else the rows follow
    )
    """,
    re.MULTILINE | re.VERBOSE,
)
"""A line of a scenario that names a map: ``map_file=maps/moor.map``, ``map_data="{moor.map}"``."""


def maps_named_by(path: Path, data: bytes) -> NamedMaps | None:
    """Return the maps that the file at ``path`` names, whose bytes are ``data``.

    None for a file that is neither a world nor a scenario. Raises ProblemError for a damaged file,
    and for one that names no map that can be opened.
    """
    suffix = path.suffix.lower()
    if suffix == WORLD:
        named = _maps_of_world(path, data)
    elif _MAP_LINE.search(data) is not None:
        named = _maps_of_scenario(path, data)
    else:
        return None
    if named.paths:
        return named
    if named.problems:
        raise ProblemError(named.problems)
    raise error("no-map", f"this {named.title} names no map", path=str(path))


def _limited_maps(title: str, path: Path, maps: list[Path], problems: list[Problem]) -> NamedMaps:
    """Return the maps that a file names: each map once, and at most ``MAX_MAPS``.

    ``title`` is the noun for the file in messages.
    """
    paths = list(dict.fromkeys(maps))
    all_problems = list(problems)
    if len(paths) > MAX_MAPS:
        count = counted(len(paths), "map")
        message = f"this {title} names {count}: the first {MAX_MAPS} are opened"
        all_problems.append(Problem(Severity.WARNING, "no-map", message, str(path), 1, 1))
    return NamedMaps(title, tuple(paths[:MAX_MAPS]), tuple(all_problems))


def _not_opened(path: Path, text: str, start: int, message: str) -> Problem:
    """Return the warning that a map is not opened.

    ``start`` is the index in ``text``, that of the file at ``path``, where the map is named.
    """
    line, column = place_of(text, start)
    return Problem(Severity.WARNING, "no-map", message, str(path), line, column)


# --- worlds of Tiled ------------------------------------------------------------------------------


def _maps_of_world(path: Path, data: bytes) -> NamedMaps:
    """Return the maps that a world names one by one, then those that fit its patterns."""
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    try:
        world = parse_json(text.encode(), largest=LARGEST)
    except (ValueError, RecursionError) as failed:
        raise error("no-map", f"this world is no JSON: {failed}", path=str(path)) from failed
    maps = list[Path]()
    problems = list[Problem]()
    for number, entry in _entries(world, "maps"):
        name = entry.get("fileName")
        file: Path | None = None
        if isinstance(name, str):
            file = _beside(path, name)
        if file is None:
            start, _end = place_in_json(text, ("maps", number, "fileName"))
            message = f"{name!s:.80} is no map beside this world: it is not opened"
            problems.append(_not_opened(path, text, start, message))
        else:
            maps.append(file)

    for number, entry in _entries(world, "patterns"):
        try:
            pattern = NamePattern(str(entry.get("regexp", "")))
        except ValueError as failed:
            start, _end = place_in_json(text, ("patterns", number, "regexp"))
            message = f"this pattern is not used: {failed}"
            problems.append(_not_opened(path, text, start, message))
        else:
            maps += (file for file in _files_beside(path) if pattern.is_found_in(file.name))
    return _limited_maps("world", path, maps, problems)


def _entries(world: Any, key: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a list of a world, with their numbers."""
    if not isinstance(world, dict):
        return
    entries = world.get(key)
    if not isinstance(entries, list):
        return
    for index, entry in enumerate(entries):
        if isinstance(entry, dict):
            yield index, entry


def _beside(path: Path, name: str) -> Path | None:
    """Return the map of Tiled that the world at ``path`` names; None if there is none.

    ``name`` is a path from the folder of the world.
    """
    folder = path.absolute().parent
    highest_folder = folder
    for parent in folder.parents[:_MAX_FOLDERS_UP_FROM_WORLD]:  # there can be fewer
        highest_folder = parent
    return _file_in(highest_folder, folder, name, _SUFFIXES_OF_TILED)


def _files_beside(path: Path) -> list[Path]:
    """Return the maps of Tiled in the folder of a world, in the order of their names."""
    try:
        with os.scandir(path.absolute().parent) as entries:
            names = [entry.name for entry in islice(entries, _MAX_FILES)]
    except OSError:
        names = []
    files = (_beside(path, name) for name in sorted(names) if name != path.name)
    return [file for file in files if file is not None]


def _file_in(top: Path, folder: Path, name: str, suffixes: tuple[str, ...]) -> Path | None:
    """Return the file that ``name`` leads to from ``folder``, if it is below the folder ``top``.

    None for another file, and for one whose suffix is none of ``suffixes``.
    """
    reference = PurePosixPath(name.replace("\\", "/"))
    if reference.suffix.lower() not in suffixes or "\0" in name or reference.is_absolute():
        return None
    file = Path(os.path.normpath(folder / reference))
    try:
        if file.is_file() and is_within(top, file):
            return file
    except OSError:
        return None
    return None


# --- scenarios of Wesnoth -------------------------------------------------------------------------


def _maps_of_scenario(path: Path, data: bytes) -> NamedMaps:
    """Return the maps that a scenario names in lines such as ``map_file=maps/moor.map``."""
    text = data.decode("utf-8", "replace")
    encoded = text.encode()
    maps = list[Path]()
    problems = list[Problem]()
    for match in _MAP_LINE.finditer(encoded):
        key = "data"
        if match["file"] is not None:
            key = "file"
        name = match[key].decode().strip()
        file = _map_of_scenario(path, name)
        if file is None:
            start = len(encoded[: match.start(key)].decode())  # from bytes to characters
            message = (
                f"the map {name!r:.80} of this scenario is neither beside it nor in its add-on: "
                "open the map itself"
            )
            problems.append(_not_opened(path, text, start, message))
        else:
            maps.append(file)
    return _limited_maps("scenario", path, maps, problems)


def _map_of_scenario(path: Path, name: str) -> Path | None:
    """Return the map that a scenario names, None if it cannot be found.

    As in Wesnoth, a name that begins with ``./`` is a path from the folder of the scenario, one
    that begins with ``~add-ons/`` a path from the folder with all add-ons. Any other name is a path
    from the game's data, or from the folder ``maps`` of the add-on. An author may have the add-on
    anywhere, in a folder of another name. So all folders above the scenario are tried.
    """
    folder = path.absolute().parent
    folders = [folder, *folder.parents][:_MAX_FOLDERS]
    if name.startswith("./"):
        return _file_in(folders[-1], folder, name, _SUFFIXES_OF_WESNOTH)

    # Folders from that of the scenario upwards, each with the path of the map from there; the
    # first one with such a file counts.
    candidates = list[tuple[Path, str]]()
    if name.startswith(_ADD_ONS):
        # "~add-ons/Moor/maps/moor.map" is "Moor/maps/moor.map" from the folder "add-ons", and
        # "maps/moor.map" from the add-on, whose folder is "Moor" or has another name.
        path_in_add_ons = name.removeprefix(_ADD_ONS)
        add_on, _slash, path_in_add_on = path_in_add_ons.partition("/")
        candidates += ((parent, path_in_add_ons) for parent in folders if parent.name == "add-ons")
        candidates += ((parent, path_in_add_on) for parent in folders if parent.name == add_on)
        candidates += ((parent, path_in_add_on) for parent in folders)
    else:
        for parent in folders:
            candidates += [(parent, name), (parent, f"maps/{name}")]
    for parent, path_from_parent in candidates:
        file = _file_in(parent, parent, path_from_parent, _SUFFIXES_OF_WESNOTH)
        if file is not None:
            return file
    return None
