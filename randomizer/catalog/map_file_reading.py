"""Reads files that can be scripts or maps, within the limits of their kinds; and lists of maps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePath
from typing import cast

from randomizer.catalog.file_kinds import FileHead, look_at, readable_formats
from randomizer.catalog.script_files import SCRIPT_LIMIT
from randomizer.formats.results import NamedMaps
from randomizer.installed import load
from randomizer.reading.files import read_file, suffix_of

SUFFIXES_OF_MAP_LISTS = (".world", ".cfg")
"""The suffixes of files that may list maps instead of holding one: worlds of Tiled, WML of Wesnoth.
"""


def read_map_file(path: str | Path, *, pipes: bool = False, head: FileHead | None = None) -> bytes:
    """Return the bytes of a file that can be a script or a map. Raises as ``read_file``."""
    return read_file(path, _size_limit(path, head), pipes=pipes)


def _size_limit(path: str | Path, head: FileHead | None = None) -> Callable[[bytes], int]:
    """Return the limit for ``read_file``: a function from the start of a file to bytes.

    ``read_file`` calls it with the start of the file that it has opened, which is perhaps not the
    one of ``head`` any more. The limit is that of the format that recognises the start, else the
    highest limit of the formats with the suffix of ``path``.
    """

    def limit_for(start: bytes) -> int:
        current_head = head
        if current_head is None or current_head.data != start:  # the file was changed meanwhile
            current_head = look_at(PurePath(path).name, start)
        return _limit_of_kind(current_head, suffix_of(str(path)))

    return limit_for


def _limit_of_kind(head: FileHead, suffix: str) -> int:
    """Return the largest size in bytes of files of the kind that a head tells."""
    if head.is_script:
        return SCRIPT_LIMIT
    if head.map_format is not None:
        return head.map_format.largest
    limits = [
        file_format.largest for file_format in readable_formats() if suffix in file_format.suffixes
    ]
    return max(limits, default=SCRIPT_LIMIT)


def maps_named_by(path: Path, head: FileHead) -> NamedMaps | None:
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
