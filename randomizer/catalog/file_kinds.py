"""What kind of file one is: a script, its metadata, or a map, and of which format.

The start of a file is looked at once (``look_at_file``), and what was seen is handed on::

    head = look_at_file(path)
    data = read_map_file(path, head=head)
    map_format = format_for(data, str(path), head=head)
"""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import cast

from randomizer.catalog.catalog import (
    SCRIPT_LIMIT,
    SCRIPT_START,
    all_entries,
    own_entries,
    suffix_of,
)
from randomizer.formats import Format, NamedMaps
from randomizer.installed import Guard, installed, load
from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.problems import ProblemError, error
from randomizer.model.settings.metadata import is_metadata
from randomizer.reading.files import START, read_file, read_start

SUFFIXES_OF_MAP_LISTS = (".world", ".cfg")
"""Those of files that may name maps instead of holding one: worlds of Tiled, WML of Wesnoth."""


def is_script(name: str, data: bytes | None = None) -> bool:
    """Return whether a file of this name is a script: by its content if given, then by its suffix.

    The first suffix of a host is that of scripts; its others are that of maps where a format has
    them, too. The first thousand bytes are enough. Other packages know their scripts by the suffix
    alone.
    """
    if data is not None:
        head = _look_at_own(data)
        if head is not None:
            return head.is_script
    return _is_script_suffix(suffix_of(name))


def _is_script_suffix(suffix: str) -> bool:
    """Return whether files of a suffix are scripts, where their content does not tell."""
    if any(suffix == host.suffixes[0] for host in own_entries("SCRIPT_HOSTS")):
        return True
    if any(suffix in file_format.suffixes for file_format in own_entries("FORMATS")):
        return False
    return any(suffix in host.suffixes for host in all_entries("SCRIPT_HOSTS"))


@dataclass(frozen=True)
class Head:
    """The start of a file, and what the hosts and formats recognise it as: they are asked once.

    ``map_format`` is None for scripts, and where no format is certain.
    """

    data: bytes
    is_script: bool
    map_format: Format | None = None


def look_at_file(path: str | Path) -> Head:
    """Look at the start of a file. One that cannot be read is judged by its suffix alone."""
    try:
        data = read_start(path, START)
    except ProblemError:  # a folder, no such file, no name of a file
        return Head(b"", _is_script_suffix(suffix_of(PurePath(path).name)))
    return look_at(PurePath(path).name, data)


def look_at(name: str, data: bytes) -> Head:
    """Look at the start of a file of this name, of which 64 kB are enough."""
    head = _look_at_own(data)
    if head is not None:
        return head
    if _is_script_suffix(suffix_of(name)):
        return Head(data, is_script=True)
    for file_format in cast("tuple[Format, ...]", installed("FORMATS")):
        if file_format.readable and _recognises(file_format, data):
            return Head(data, is_script=False, map_format=file_format)
    return Head(data, is_script=False)


def _look_at_own(data: bytes) -> Head | None:
    """Ask the hosts and formats of this package; None if none is certain."""
    start = data[:SCRIPT_START]
    if any(host.recognises(start) for host in own_entries("SCRIPT_HOSTS")):
        return Head(data, is_script=True)
    for file_format in cast("Iterator[Format]", own_entries("FORMATS")):
        if file_format.readable and file_format.recognises(data):
            return Head(data, is_script=False, map_format=file_format)
    return None


def is_map(name: str, data: bytes) -> bool:
    """Return whether a file of this name is a map: by its content, then by its suffix."""
    if is_script(name, data):
        return False
    return any(
        _recognises(file_format, data) or suffix_of(name) in file_format.suffixes
        for file_format in _readable()
    )


def is_metadata_file(data: bytes) -> bool:
    """Return whether bytes are of a script's metadata file, with errors or without, and no map."""
    return is_metadata(data) and not any(
        _recognises(file_format, data) for file_format in _readable()
    )


def is_script_file(path: str | Path) -> bool:
    """Return whether a file is a script: ``is_script`` with the start of what it holds."""
    try:
        return is_script(PurePath(path).name, read_start(path, SCRIPT_START))
    except ProblemError:  # a folder, no such file, no name of a file
        return is_script(PurePath(path).name)


LEAST_RESEMBLANCE = 0.3
"""A file that no format recognises is of one whose ``resemblance`` is at least so great."""


def format_for(
    data: bytes, path: str, chosen: Collection[Format] = (), head: Head | None = None
) -> Format:
    """Return the format of a file: by its content, then by its suffix.

    What only resembles a format is of the most similar one, which says what is wrong with it. Where
    the content leaves a choice it is one of those that a person has ``chosen``. Raises ProblemError
    if none fits, and for whole JSON that is like none of the formats with that suffix; what is
    wrong in broken JSON is said by any of them. ``head`` is what was seen of the file when it was
    looked at: if it still begins so, no format is asked again.
    """
    if head is not None and data.startswith(head.data) and not chosen:
        seen_format = head.map_format
        if seen_format is not None:
            return seen_format
    recognising: Format | None = None
    for file_format in _readable():
        if _recognises(file_format, data):
            if not chosen or file_format in chosen:
                return file_format
            recognising = recognising or file_format
    if recognising is not None:
        return recognising
    for file_format in chosen:
        if file_format.readable:
            return file_format
    why_not = load("randomizer.systems.interchange.formats:why_not_read")(data)
    if why_not is not None:
        raise ProblemError(why_not.at_path(path))
    suffix = suffix_of(path)
    fitting = [file_format for file_format in _readable() if suffix in file_format.suffixes]
    similar = _most_similar(data, fitting)
    if similar is not None:
        return similar
    titles = ", ".join(file_format.title for file_format in fitting or _readable())
    message = ""
    if not fitting:
        message = f"this file is of no kind that can be read here ({titles})"
    elif len(fitting) > 1 and suffix == ".json" and _is_whole_json(data):
        message = f"this JSON is of no kind that can be read here ({titles})"
    elif len(fitting) > 1 and suffix not in (".json", ".xml"):
        message = f"this is none of the files that end in {suffix} ({titles})"
    if not message:
        return fitting[0]
    if not data:
        message = f"{message}: it is empty"
    elif data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        message = f"{message}; it is UTF-16 text: save it as UTF-8"
    raise error("format-unknown", message, path=path)


def _most_similar(data: bytes, fitting: Collection[Format]) -> Format | None:
    """Return the format that a file resembles most, of equal ones one of ``fitting``."""
    best: Format | None = None
    greatest = (LEAST_RESEMBLANCE, False)
    for file_format in _readable():
        resemblance = 0.0
        with Guard(file_format):
            resemblance = file_format.resemblance(data)
        rank = (resemblance, file_format in fitting)
        if rank > greatest or (best is None and rank == greatest):
            best = file_format
            greatest = rank
    return best


def largest_file(path: str | Path, head: Head | None = None) -> Callable[[bytes], int]:
    """Return the most bytes of a script or map at ``path``, as a function of the file's start.

    It is the limit of the format that recognises the start, else the highest that files of the
    suffix can have. ``head`` as in ``format_for``.
    """

    def limit(start: bytes) -> int:
        seen = head
        if seen is None or seen.data != start:
            seen = look_at(PurePath(path).name, start)
        if seen.is_script:
            return SCRIPT_LIMIT
        if seen.map_format is not None:
            return seen.map_format.largest
        suffix = suffix_of(str(path))
        limits = [
            file_format.largest for file_format in _readable() if suffix in file_format.suffixes
        ]
        return max(limits, default=SCRIPT_LIMIT)

    return limit


def maps_named_by(path: Path, head: Head) -> NamedMaps | None:
    """Return the maps that a file names, which are opened in its place; None for other files.

    Raises ProblemError if none of them is there.
    """
    holds_map = head.is_script or head.map_format is not None
    if holds_map or path.suffix.lower() not in SUFFIXES_OF_MAP_LISTS:
        return None
    lists = "randomizer.systems.interchange.map_lists"
    data = read_file(path, load(f"{lists}:LARGEST"))
    return cast("NamedMaps | None", load(f"{lists}:maps_named_by")(path, data))


def read_map_file(path: str | Path, *, pipes: bool = False, head: Head | None = None) -> bytes:
    """Return the bytes of a file that can be a script or a map. Raises as ``read_file``."""
    return read_file(path, largest_file(path, head), pipes=pipes)


def _is_whole_json(data: bytes) -> bool:
    try:
        parse_json(data, largest=len(data))
    except (ValueError, RecursionError):
        return False
    return True


def _readable() -> Iterator[Format]:
    """Yield the formats whose files can be read; other packages are looked at last."""
    every_format = cast("Iterator[Format]", all_entries("FORMATS"))
    return (file_format for file_format in every_format if file_format.readable)


def _recognises(file_format: Format, data: bytes) -> bool:
    with Guard(file_format):
        return file_format.recognises(data)
    return False
