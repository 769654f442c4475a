"""Tells the kind of a file: a script, the metadata of a script, or a map, and of which format.

The kind is decided by the content as far as possible, and by the suffix where the content does not
tell. Each of two dozen formats has to look at the start of a file to recognise it, so that is done
once, and the result, the ``Head`` of the file, is handed on::

    head = look_at_file(path)                               # head.is_script, head.map_format
    data = read_map_file(path, head=head)
    map_format = format_for(data, str(path), head=head)     # raises ProblemError if none fits

Those who only want to know one thing ask ``is_script_file``, ``is_map`` or ``is_metadata_file``;
where the file was read already, ``look_at`` and ``is_script`` take its content.

Hosts (the readers of scripts) and formats of this package are asked first, and those of other
installed packages only if none of these is certain: a ``Guard`` reports the faults of the latter.
"""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import cast

from randomizer.catalog.catalog import all_entries, own_entries
from randomizer.catalog.script_files import SCRIPT_LIMIT
from randomizer.catalog.scripts import SCRIPT_START
from randomizer.formats import Format, NamedMaps
from randomizer.installed import Guard, installed, load
from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.problems import ProblemError, error
from randomizer.model.settings.metadata import is_metadata
from randomizer.reading.files import START, read_file, read_start, suffix_of

SUFFIXES_OF_MAP_LISTS = (".world", ".cfg")
"""The suffixes of files that may list maps instead of holding one: worlds of Tiled, WML of Wesnoth.
"""

MIN_RESEMBLANCE = 0.3
"""A file that no format recognises is of the most similar one if its ``resemblance`` is at least
this. With a larger number fewer damaged files have their faults reported; with a smaller one files
of other programs get the messages of a format that they are not of."""


@dataclass(frozen=True)
class Head:
    """The start of a file, and what it was recognised as; no host or format is asked again."""

    data: bytes
    """The first bytes of the file: all that was looked at."""

    is_script: bool

    map_format: Format | None = None
    """The format of the map; None for a script, and where no format is certain."""


def look_at_file(path: str | Path) -> Head:
    """Look at the start of a file. One that cannot be read is judged by its suffix alone."""
    try:
        data = read_start(path, START)
    except ProblemError:  # a folder, no such file, no name of a file
        return Head(b"", is_script=_is_script_suffix(suffix_of(PurePath(path).name)))
    return look_at(PurePath(path).name, data)


def look_at(name: str, data: bytes) -> Head:
    """Look at the start of a file of this name, of which ``data`` has ``START`` bytes or more."""
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
    """Return the head of a file as the hosts and formats of this package recognise it.

    None if none of them is certain.
    """
    start = data[:SCRIPT_START]
    if any(host.recognises(start) for host in own_entries("SCRIPT_HOSTS")):
        return Head(data, is_script=True)
    for file_format in cast("Iterator[Format]", own_entries("FORMATS")):
        if file_format.readable and file_format.recognises(data):
            return Head(data, is_script=False, map_format=file_format)
    return None


def _is_script_suffix(suffix: str) -> bool:
    """Return whether files of a suffix are scripts, where their content does not tell.

    The first of ``ScriptHost.suffixes`` is used for nothing but scripts. The others may also be
    those of a map format; such a file is taken for a map.
    """
    if any(suffix == host.suffixes[0] for host in own_entries("SCRIPT_HOSTS")):
        return True
    if any(suffix in file_format.suffixes for file_format in own_entries("FORMATS")):
        return False
    return any(suffix in host.suffixes for host in all_entries("SCRIPT_HOSTS"))


def is_script(name: str, data: bytes | None = None) -> bool:
    """Return whether a file of this name is a script: by its content if given, then by its suffix.

    ``data`` is the start of the file. Hosts look at its first ``SCRIPT_START`` bytes; of a map
    that a format recognises only by more of it, the suffix tells that it is no script. Scripts for
    which another package brings the host are recognised by the suffix alone.
    """
    if data is not None:
        head = _look_at_own(data)
        if head is not None:
            return head.is_script
    return _is_script_suffix(suffix_of(name))


def is_script_file(path: str | Path) -> bool:
    """Return whether a file is a script: by its content if it can be read, then by its suffix."""
    try:
        return is_script(PurePath(path).name, read_start(path, SCRIPT_START))
    except ProblemError:  # a folder, no such file, no name of a file
        return is_script(PurePath(path).name)


def is_map(name: str, data: bytes) -> bool:
    """Return whether a file of this name is a map: by its content, then by its suffix."""
    if is_script(name, data):
        return False
    return any(
        _recognises(file_format, data) or suffix_of(name) in file_format.suffixes
        for file_format in _readable()
    )


def is_metadata_file(data: bytes) -> bool:
    """Return whether a file is the metadata of a script, even with errors, rather than a map."""
    if not is_metadata(data):
        return False
    return not any(_recognises(file_format, data) for file_format in _readable())


def format_for(
    data: bytes, path: str, chosen: Collection[Format] = (), head: Head | None = None
) -> Format:
    """Return the format of a file: by its content, then by its suffix.

    Where several formats recognise the content, it is one of those that a person has ``chosen``.
    Content that only resembles a format, such as a damaged file, is of the most similar one, which
    reads it and says what is wrong with it. ``head`` is the start of the file as it was looked at;
    if the file still begins so, no format is asked again.

    Raises ProblemError if no format fits.
    """
    # A format that is certain.
    is_same_file = head is not None and data.startswith(head.data)
    if head is not None and is_same_file and head.map_format is not None and not chosen:
        return head.map_format
    recognising_format = _recognising_format(data, chosen)
    if recognising_format is not None:
        return recognising_format

    # No format recognises the content: it is known to be of no map, is taken for what a person has
    # chosen, or resembles one.
    _refuse_known_strangers(data, path)
    for file_format in chosen:
        if file_format.readable:
            return file_format
    suffix = suffix_of(path)
    with_suffix = [file_format for file_format in _readable() if suffix in file_format.suffixes]
    similar_format = _most_similar(data, with_suffix)
    if similar_format is not None:
        return similar_format

    # Only the suffix is left.
    if not _can_report_faults(data, suffix, with_suffix):
        message = _message_of_unknown(data, suffix, with_suffix)
        raise error("format-unknown", message, path=path)
    return with_suffix[0]


def _recognising_format(data: bytes, chosen: Collection[Format]) -> Format | None:
    """Return a format that recognises a file: one of ``chosen`` if possible, else the first one.

    None if no format does.
    """
    first: Format | None = None
    for file_format in _readable():
        if not _recognises(file_format, data):
            continue
        if not chosen or file_format in chosen:
            return file_format
        if first is None:
            first = file_format
    return first


def _refuse_known_strangers(data: bytes, path: str) -> None:
    """Raise ProblemError for a file of a program whose files are known, but cannot be read."""
    why_not = load("randomizer.systems.interchange.unread_files:why_not_read")(data)
    if why_not is not None:
        raise ProblemError(why_not.at_path(path))


def _can_report_faults(data: bytes, suffix: str, with_suffix: Collection[Format]) -> bool:
    """Return whether any format with the suffix of a damaged file can tell what is wrong with it.

    That is so if there is one only, or if the file is broken JSON or XML: each format reports at
    which line the JSON or XML breaks off.
    """
    if len(with_suffix) == 1:
        return True
    if not with_suffix:
        return False
    is_broken_json = suffix == ".json" and not _is_whole_json(data)
    return is_broken_json or suffix == ".xml"


def _message_of_unknown(data: bytes, suffix: str, with_suffix: Collection[Format]) -> str:
    """Return the message on a file of no format that can be read, with what may be the matter."""
    titles = ", ".join(file_format.title for file_format in with_suffix or _readable())
    if not with_suffix:
        message = f"this file is of no kind that can be read here ({titles})"
    elif suffix == ".json":
        message = f"this JSON is of no kind that can be read here ({titles})"
    else:
        message = f"this is none of the files that end in {suffix} ({titles})"
    if not data:
        return f"{message}: it is empty"
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return f"{message}; it is UTF-16 text: save it as UTF-8"
    return message


def _most_similar(data: bytes, with_suffix: Collection[Format]) -> Format | None:
    """Return the format that a file resembles most; None if it resembles none enough.

    Of formats that it resembles equally, one of ``with_suffix`` comes first.
    """
    best: Format | None = None
    best_rank = (0.0, False)
    for file_format in _readable():
        resemblance = 0.0
        with Guard(file_format):  # a fault of another package is reported, and it resembles nothing
            resemblance = file_format.resemblance(data)
        if resemblance < MIN_RESEMBLANCE:
            continue
        rank = (resemblance, file_format in with_suffix)
        if best is None or rank > best_rank:  # of equal ones the first stays
            best = file_format
            best_rank = rank
    return best


def largest_file(path: str | Path, head: Head | None = None) -> Callable[[bytes], int]:
    """Return a function that gives the largest size in bytes of a script or map at ``path``.

    ``read_file`` calls it with the start of the file that it has opened, which is perhaps no more
    the one that ``head`` was looked at. The limit is that of the format that recognises the start,
    else the highest limit of the formats with the suffix of ``path``.
    """

    def limit_for(start: bytes) -> int:
        current_head = head
        if current_head is None or current_head.data != start:  # the file was changed meanwhile
            current_head = look_at(PurePath(path).name, start)
        return _limit_of_kind(current_head, suffix_of(str(path)))

    return limit_for


def _limit_of_kind(head: Head, suffix: str) -> int:
    """Return the largest size in bytes of files of the kind that a head tells."""
    if head.is_script:
        return SCRIPT_LIMIT
    if head.map_format is not None:
        return head.map_format.largest
    limits = [file_format.largest for file_format in _readable() if suffix in file_format.suffixes]
    return max(limits, default=SCRIPT_LIMIT)


def maps_named_by(path: Path, head: Head) -> NamedMaps | None:
    """Return the maps that a file lists, which are opened in its place; None for other files.

    Raises ProblemError if none of them is there.
    """
    holds_map = head.is_script or head.map_format is not None
    if holds_map or path.suffix.lower() not in SUFFIXES_OF_MAP_LISTS:
        return None
    # Loaded by name: the catalog must not import a system until one is needed.
    module = "randomizer.systems.interchange.map_lists"
    data = read_file(path, load(f"{module}:LARGEST"))
    return cast("NamedMaps | None", load(f"{module}:maps_named_by")(path, data))


def read_map_file(path: str | Path, *, pipes: bool = False, head: Head | None = None) -> bytes:
    """Return the bytes of a file that can be a script or a map. Raises as ``read_file``."""
    return read_file(path, largest_file(path, head), pipes=pipes)


def _is_whole_json(data: bytes) -> bool:
    """Return whether the bytes are one JSON value, however large."""
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
    """Return whether a format recognises a file; False if a format of another package fails."""
    with Guard(file_format):
        return file_format.recognises(data)
    # The guard has caught, and reported, a fault of the format.
    return False
