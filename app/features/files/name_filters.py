"""The kinds of files that the dialogs for opening and saving maps offer, each as a line of text.

Qt calls such a line a *name filter*: a title, and patterns of file names in parentheses, such as
``Map project (*.battlemap)``. There is one for each format, and some for several kinds of files.
"""

from __future__ import annotations

from collections.abc import Iterable

from randomizer.catalog.map_file_reading import SUFFIXES_OF_MAP_LISTS
from randomizer.catalog.map_formats import formats
from randomizer.catalog.scripts import script_suffixes
from randomizer.formats.format import Format
from randomizer.storage.files.terrain_files import SUFFIX as TERRAINS


def filter_of(map_format: Format) -> str:
    """Return the line of a format in dialogs for files, such as ``Map project (*.battlemap)``."""
    patterns = " ".join(f"*{suffix}" for suffix in map_format.suffixes)
    return f"{map_format.title} ({patterns})"


def name_filters() -> list[str]:
    """Return the lines of the dialog's kinds of files: of all files, then of each format.

    A line is such as ``Randomizer scripts (*.rnd *.js)``.
    """
    readable = [map_format for map_format in formats() if map_format.readable]
    suffixes_of_maps: list[str] = []
    for map_format in readable:
        suffixes_of_maps += map_format.suffixes
    maps = _patterns(dict.fromkeys(suffixes_of_maps))  # each once: formats can share a suffix
    lists = _patterns(SUFFIXES_OF_MAP_LISTS)
    scripts = _patterns(script_suffixes())
    lines = (
        f"Maps, scripts and terrain sets ({maps} {lists} {scripts} *{TERRAINS})",
        f"Maps ({maps} {lists})",
        *[filter_of(map_format) for map_format in readable],
        f"Worlds of Tiled, scenarios of Wesnoth ({lists})",
        f"Randomizer scripts ({scripts})",
        f"Terrain sets (*{TERRAINS})",
        "All files (*)",
    )
    return list(dict.fromkeys(lines))


def formats_of_filter(name_filter: str) -> tuple[Format, ...]:
    """Return the formats whose line of the dialog's kinds of files this is.

    () for a line that stands for several kinds of files.
    """
    readable = [map_format for map_format in formats() if map_format.readable]
    return tuple(map_format for map_format in readable if filter_of(map_format) == name_filter)


def _patterns(suffixes: Iterable[str]) -> str:
    """Return the patterns of a line of the dialog: ``*.rnd *.js``."""
    return " ".join(f"*{suffix}" for suffix in suffixes)
