"""Recognises files: a script, the metadata of a script, or a map and its format.

The content decides as far as possible, and the suffix where the content does not tell. Each of two
dozen formats has to look at the start of a file to recognise it, so that is done once, and the
result, the ``FileHead``, is handed on::

    head = look_at_file(path)                               # head.is_script, head.map_format
    data = read_map_file(path, head=head)                   # map_file_reading.py
    map_format = format_for(data, str(path), head=head)     # format_choice.py

Those who only want to know one thing ask ``is_script_file``, ``is_map`` or ``is_metadata_file``;
where the file was read already, ``look_at`` and ``is_script`` take its content. They all ask in
this order, and stop where somebody is certain:

1. the hosts (readers of scripts) and formats of this package, about the content;
2. the suffix: whether it is one of scripts;
3. the formats of other installed packages, about the content.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import cast

from randomizer.catalog.catalog import all_entries, own_entries
from randomizer.catalog.scripts import SCRIPT_START
from randomizer.formats.format import Format
from randomizer.installed import Guard, installed
from randomizer.model.problems import ProblemError
from randomizer.model.settings.metadata import is_metadata
from randomizer.reading.files import START, read_start, suffix_of


@dataclass(frozen=True)
class FileHead:
    """The first bytes of a file, and what the file was recognised as by them."""

    data: bytes
    """The bytes that were looked at."""

    is_script: bool

    map_format: Format | None = None
    """The format of the map; None for a script, and where no format is certain."""


def look_at_file(path: str | Path) -> FileHead:
    """Look at the start of a file. One that cannot be read is judged by its suffix alone."""
    try:
        data = read_start(path, START)
    except ProblemError:  # a folder, no such file, no name of a file
        return FileHead(b"", is_script=_is_script_suffix(suffix_of(PurePath(path).name)))
    return look_at(PurePath(path).name, data)


def look_at(name: str, data: bytes) -> FileHead:
    """Look at the start of a file of this name, of which ``data`` has ``START`` bytes or more."""
    head = _look_at_own(data)
    if head is not None:
        return head
    if _is_script_suffix(suffix_of(name)):
        return FileHead(data, is_script=True)
    for file_format in cast("tuple[Format, ...]", installed("FORMATS")):
        if file_format.readable and recognises(file_format, data):
            return FileHead(data, is_script=False, map_format=file_format)
    return FileHead(data, is_script=False)


def _look_at_own(data: bytes) -> FileHead | None:
    """Return the head of a file as the hosts and formats of this package recognise it.

    None if none of them is certain.
    """
    start = data[:SCRIPT_START]
    if any(host.recognises(start) for host in own_entries("SCRIPT_HOSTS")):
        return FileHead(data, is_script=True)
    for file_format in cast("Iterator[Format]", own_entries("FORMATS")):
        if file_format.readable and file_format.recognises(data):
            return FileHead(data, is_script=False, map_format=file_format)
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
        recognises(file_format, data) or suffix_of(name) in file_format.suffixes
        for file_format in readable_formats()
    )


def is_metadata_file(data: bytes) -> bool:
    """Return whether a file is the metadata of a script, even with errors, rather than a map."""
    if not is_metadata(data):
        return False
    return not any(recognises(file_format, data) for file_format in readable_formats())


# --- asking formats -------------------------------------------------------------------------------


def readable_formats() -> Iterator[Format]:
    """Yield the formats whose files can be read, those of other packages last."""
    every_format = cast("Iterator[Format]", all_entries("FORMATS"))
    return (file_format for file_format in every_format if file_format.readable)


def recognises(file_format: Format, data: bytes) -> bool:
    """Return whether a format recognises a file; False if a format of another package fails."""
    with Guard(file_format):
        return file_format.recognises(data)
    # The guard has caught what the format raised, and has reported it.
    return False
