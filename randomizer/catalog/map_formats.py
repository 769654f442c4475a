"""The file formats of maps: by name, by suffix, and by the system whose maps they hold.

    map_format = format_of_suffix("vale.battlemap", system)
    formats_of(system)                         # the preferred one first

A *foreign* format is one of another program, such as Tiled. A format without ``systems`` holds the
maps of all systems.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import cast

from randomizer.catalog.catalog import all_entries, entries_for
from randomizer.formats.format import Format
from randomizer.model.system.system import System
from randomizer.reading.files import suffix_of


def formats() -> tuple[Format, ...]:
    """Return every file format."""
    return tuple(all_entries("FORMATS"))


def _formats_of(system: System | None) -> Iterator[Format]:
    """Yield the formats that hold maps of a system (None: all formats).

    A format is imported when it is its turn.
    """
    for map_format in cast("Iterator[Format]", all_entries("FORMATS")):
        if system is None or not map_format.systems or system.name in map_format.systems:
            yield map_format


def formats_of(system: System | None) -> tuple[Format, ...]:
    """Return the formats that hold maps of a system, the preferred one first; None: all formats."""
    return tuple(_formats_of(system))


def preferred_format(system: System) -> Format:
    """Return the format for maps of a system where none is named.

    It is the first that holds maps of this system only, or, without one, the first for all systems.
    """
    first_for_all: Format | None = None
    for map_format in cast("Iterator[Format]", entries_for("FORMATS", system)):
        if system.name in map_format.systems and map_format.readable and not map_format.foreign:
            return map_format
        if first_for_all is None and not map_format.systems:
            first_for_all = map_format
    assert first_for_all is not None, "the format of projects is for all systems"
    return first_for_all


def format_named(name: str, system: System | None = None) -> Format | None:
    """Return the format with this name, None if there is none.

    With a ``system`` it is one that holds the maps of that system.
    """
    return next((map_format for map_format in _formats_of(system) if map_format.name == name), None)


def format_of_suffix(path: str, system: System) -> Format | None:
    """Return the format for writing a map of ``system`` to a file with the suffix of ``path``.

    One that holds such maps comes before one that does not, and one of another program for maps of
    all systems comes last; None for unknown suffixes.
    """
    suffix = suffix_of(path)
    for map_format in chain(_native_formats_of(system), _formats_of(None)):
        if map_format.writable and suffix in map_format.suffixes:
            return map_format
    return None


def _native_formats_of(system: System) -> Iterator[Format]:
    """Yield the formats for maps of a system, without those of other programs for all systems."""
    for map_format in _formats_of(system):
        if map_format.systems or not map_format.foreign:
            yield map_format
