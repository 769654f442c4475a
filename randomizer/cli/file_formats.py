"""Finds the format that a command line asks for: by its name, or by the suffix of a file.

    readable_format("xml")                                 # --from xml
    writable_format("json", battlemap.system)              # --to json
    format_by_suffix("Moor.xml", battlemap.system, "--to")  # without --to

Several formats can have one name or suffix: each system has its own ``json``. To write a map, the
one for maps of its system is taken; to read a file, the first one in the catalogue. All functions
raise UsageError if no format fits, with a list of those that do.
"""

from __future__ import annotations

from collections.abc import Iterable

from randomizer.catalog.map_formats import format_named, format_of_suffix, formats, formats_of
from randomizer.catalog.systems import game_host
from randomizer.cli.output import UsageError
from randomizer.formats.format import Format
from randomizer.model.system.system import System


def readable_format(name: str) -> Format:
    """Return the format of this name, for reading a file. Raises UsageError."""
    map_format = format_named(name)
    if map_format is None or not map_format.readable:
        names = _listed(other.name for other in formats() if other.readable)
        raise UsageError(f"there is no format “{name}” to read (there are: {names})")
    return map_format


def writable_format(name: str, system: System) -> Format:
    """Return the format of this name, for writing maps of a system. Raises UsageError."""
    map_format = format_named(name, system)
    if map_format is None:
        # A format for other maps is accepted here, because writing then fails with a better
        # message, which says of which maps the format is.
        map_format = format_named(name)
    if map_format is None or not map_format.writable:
        names = _listed(fitting.name for fitting in formats_of(system) if fitting.writable)
        raise UsageError(f"there is no format “{name}” to write (there are: {names})")
    return map_format


def format_by_suffix(path: str, system: System, option: str) -> Format:
    """Return the format in which a map of a system is written to the file ``path``.

    ``option`` is the option with which the user can name a format; the message of the UsageError
    suggests it.
    """
    map_format = format_of_suffix(path, system)
    if map_format is None:
        suffixes: list[str] = []
        for fitting_format in formats_of(system):
            if fitting_format.writable:
                suffixes += fitting_format.suffixes
        raise UsageError(
            f"what “{path}” is to be cannot be told from its suffix ({_listed(suffixes)}); "
            f"say {option} FORMAT"
        )
    return _for_installed_game(map_format, system)


def _for_installed_game(map_format: Format, system: System) -> Format:
    """Return the sibling of a format that is for the installed version of the game.

    Some formats (scripts of 0 A.D.) come once for each version of the game, all with one suffix.
    Returns ``map_format`` itself if it is no such format or nothing is known of the game.
    """
    host = game_host(system)
    if not map_format.version or host is None or not host.versions():
        return map_format
    installed_version = host.versions()[0]  # the likeliest comes first
    for sibling in formats_of(system):
        if sibling.version == installed_version:
            return sibling
    return map_format


def _listed(words: Iterable[str]) -> str:
    """Return words as a list for a message, in their order and each once: ``xml, json``."""
    return ", ".join(dict.fromkeys(words))
