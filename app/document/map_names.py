"""The names of open maps, in their tabs and in dialogs that ask for a file; and of recent files.

A map with a file has the name of the file. For one without, its title stands in, or the name of a
script that belongs to it::

    the map                                    tab_name               file_name_of
    has the file Swamp.xml                     Swamp.xml              Swamp
    has another file of this name, in old      Swamp.xml (old)        Swamp
    is a backup of Swamp.xml                   Backup of Swamp.xml    Swamp
    came from a slot of the game               Default/Swamp          Colossus
    has the title The Old Ford                 The Old Ford           The Old Ford
    is the second with this title              The Old Ford (2)       The Old Ford
    has none of these                          Untitled 2             Colossus
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from pathlib import Path, PurePath

from app.document.open_map import OpenMap

UNTITLED = "Untitled"
"""The name of a map that has no other; the second one is called ``Untitled 2``."""


def tab_name(open_map: OpenMap, open_maps: Iterable[OpenMap]) -> str:
    """Return the name of an open map for its tab and the title bar; ``open_maps`` are all.

    It is the first of these that the map has: the name of its file, of the file of which it is a
    backup, of the slot in a game that it came from; its title; the name of the file of a script
    that it holds; else ``Untitled``. No other open map has that name: one of several files gets its
    folder in brackets, and a map without a file a number.
    """
    if open_map.path is not None:
        paths = [other_map.path for other_map in open_maps if other_map.path is not None]
        return file_name_among(open_map.path, paths)
    if open_map.backup_of:
        name = f"Backup of {open_map.backup_of}"
    elif open_map.source is not None and not open_map.source.is_export:
        name = open_map.source.words
    else:
        name = _title_or_script_name(open_map) or UNTITLED
    return _numbered_name(name, open_map, open_maps)


def file_name_among(path: Path, paths: Iterable[Path]) -> str:
    """Return the name of a file; with its folder if another one of ``paths`` has the name.

    The folder has as many of its last parts as tell it from the other ones: of ``/a/old/Moor.xml``
    and ``/a/new/Moor.xml`` the first is ``Moor.xml (old)``.
    """
    folder = path.parent.parts
    other_folders = []
    for other_path in paths:
        if other_path != path and other_path.name == path.name:
            other_folders.append(other_path.parent.parts)
    if not other_folders:
        return path.name
    part_count = 1
    while part_count < len(folder) and any(
        other_folder[-part_count:] == folder[-part_count:] for other_folder in other_folders
    ):
        part_count += 1
    return f"{path.name} ({PurePath(*folder[-part_count:])})"


def file_name_of(open_map: OpenMap) -> str:
    """Return the name, without a suffix, that dialogs offer for a file of an open map.

    It is that of the map's file or of the one of which it is a backup, else its title, else the
    name of the script that it holds or was rolled from, or of its system.
    """
    if open_map.path is not None:
        return open_map.path.stem
    if open_map.backup_of:
        return PurePath(open_map.backup_of).stem
    name = _title_or_script_name(open_map)
    if name:
        return name
    layer = open_map.battlemap.source_layer
    if layer is not None and layer.roll is not None:
        script_name = PurePath(layer.roll.script_name).stem
        if script_name:
            return script_name
    return open_map.battlemap.system.title


def title_of(open_map: OpenMap) -> str:
    """Return the title of an open map, which is one of its properties; "" if it has none."""
    return open_map.battlemap.system.map_title(open_map.live_composite().properties)


def _title_or_script_name(open_map: OpenMap) -> str:
    """Return the title of an open map, else the name of the file of a script that it holds.

    The name is without its suffix. "" for neither.
    """
    title = title_of(open_map)
    if title:
        return title
    system = open_map.battlemap.system
    if not system.script_record:
        return ""
    return PurePath(system.script_file(open_map.battlemap)).stem


def _numbered_name(name: str, open_map: OpenMap, open_maps: Iterable[OpenMap]) -> str:
    """Return the name of a map without a file: the second with it is ``Moor (2)``.

    A map gets its number here, since only now it needs one: the least that no open map of the same
    name has. It keeps the number while it has the name, even if others are closed.
    """
    if open_map.numbered_name != name:
        used_numbers = {
            other_map.name_number
            for other_map in open_maps
            if other_map is not open_map and other_map.numbered_name == name
        }
        free_numbers = (number for number in count(1) if number not in used_numbers)
        open_map.numbered_name = name
        open_map.name_number = next(free_numbers)
    if open_map.name_number == 1:
        return name
    if name == UNTITLED:
        return f"{name} {open_map.name_number}"
    return f"{name} ({open_map.name_number})"
